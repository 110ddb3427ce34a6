"""The tasks that have texts or settings of their own in training, and what is looked up in them."""

from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from bap_v2_dataset.interface import table
from bap_v2_dataset.loading.own_splits import DataError
from bap_v2_training.errors import UsageError
from bap_v2_training.learning.dataset_rows import own_columns
from bap_v2_training.tasks.building import BUILDING
from bap_v2_training.tasks.training_task import ItemTexts, TrainingTask

LEARNED_TASKS = table.Tasks(
    {  # by the name of the task in `bap_v2_dataset.interface.table`; imported when they are asked for, as there
        "bap": BUILDING,
        "robust": BUILDING,
        "gsu": "bap_v2_training.tasks.gsu:GSU",
        "plancraft": "bap_v2_training.tasks.plancraft:PLANCRAFT",
        "architect": "bap_v2_training.tasks.architect:ARCHITECT",
    }
)
USUAL = BUILDING  # of items that say nothing else


def training_task(name: str) -> TrainingTask:
    """Return the task that settings and records call so."""
    return next((task for task in LEARNED_TASKS.values() if task.name == name), None) or TrainingTask(name)


def texts_of(settings: Any) -> ItemTexts:
    """Return what a language model reads and writes, as the settings of a training or a prediction say.

    Args:
        settings: with `task` and TEXT_SETTINGS.
    """
    return training_task(settings.task).texts(settings)


def task_asked(dataset_config: str | None, dataset_path: str | None, split: str) -> TrainingTask:
    """Return the task of the items that the settings name.

    Data that are not there have the task of the config, or the usual one: loading them says that they are missing.

    Raises:
        UsageError: for configs of several tasks, and for tasks that are played.
    """
    if dataset_path is not None:
        with suppress(DataError):
            return task_of_columns(own_columns(dataset_path, split))
    tasks = {task.name: task for task in map(_task_of_config, (dataset_config or "").split(","))}
    if len(tasks) > 1:
        raise UsageError(f"dataset_config {dataset_config}: configs of several tasks need a run each")
    return next(iter(tasks.values()))


def task_of_columns(columns: Iterable[str]) -> TrainingTask:
    """Return the task of rows with these columns.

    >>> task_of_columns(["id", "question", "answer"]).name, task_of_columns(["id", "history", "before"]).name
    ('gsu', 'bap')
    """
    columns = set(columns)
    if (task := table.task_of_columns(columns)) is not None:
        return _of(task.name)
    return next((task for task in LEARNED_TASKS.values() if task.column in columns), USUAL)


def _task_of_config(name: str) -> TrainingTask:
    task = table.task_of(name)
    if task is None:
        return USUAL
    learned = _of(task.name)
    learned.check_config(name)
    return learned


def _of(name: str) -> TrainingTask:
    return LEARNED_TASKS.get(name) or TrainingTask(name)
