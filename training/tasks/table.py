"""The tasks that have texts or settings of their own in training, and what is looked up in them."""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from bap_v2_dataset.interface import table
from bap_v2_dataset.loading.own_splits import DataError
from bap_v2_training.errors import UsageError
from bap_v2_training.learning.dataset_rows import own_columns
from bap_v2_training.tasks.architect import ARCHITECT
from bap_v2_training.tasks.building import BUILDING
from bap_v2_training.tasks.gsu import GSU, GsuArguments
from bap_v2_training.tasks.plancraft import PLANCRAFT, DialogueArguments
from bap_v2_training.tasks.training_task import ItemTexts, TrainingTask

# By the name of the task in `bap_v2_dataset.interface.table`.
LEARNED_TASKS: dict[str, TrainingTask] = {
    "bap": BUILDING,
    "robust": BUILDING,
    "gsu": GSU,
    "plancraft": PLANCRAFT,
    "architect": ARCHITECT,
}
USUAL = BUILDING  # of items that say nothing else


@dataclass
class TaskTextArguments(GsuArguments):
    """The settings of texts that are some task's own."""


@dataclass
class TaskArguments(TaskTextArguments, DialogueArguments):
    """The settings of supervised training that are some task's own."""


def training_task(name: str) -> TrainingTask:
    """The task that settings and records call so."""
    return next((task for task in LEARNED_TASKS.values() if task.name == name), None) or TrainingTask(name)


def texts_of(settings: Any) -> ItemTexts:
    """What the settings of a training or a prediction say that a language model reads and writes.

    Args:
        settings: with `task` and TEXT_SETTINGS.
    """
    return training_task(settings.task).texts(settings)


def task_asked(dataset_config: str | None, dataset_path: str | None, split: str) -> TrainingTask:
    """The task of the items that the settings name.

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
    """The task of rows with these columns.

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


def representations_help() -> str:
    """Which representations there are, for a help text."""
    first, *others = {task.name: task for task in LEARNED_TASKS.values() if task.representation_help}.values()
    named = "".join(f" {task.title}: {task.representation_help}." for task in others)
    usual = "".join(f"; {task.title}: {task.usual}" for task in others)
    return f"Input: {first.representation_help}.{named} Default: {first.usual}{usual}."
