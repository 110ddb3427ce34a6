"""The table of tasks, and what is looked up in it: a new task is a room in `bap_v2_dataset.tasks`, and one line here.

A task is imported when it is asked for: who loads rows of one imports no other.
"""

from collections import UserDict
from collections.abc import Iterable
from pkgutil import resolve_name
from typing import Any

from bap_v2_dataset.interface.task import Config, Task
from bap_v2_dataset.sentences import unknown_name


class Tasks(UserDict[str, Task]):
    """Tasks by name; one that is given as `module:NAME` is imported when it is asked for."""

    def __getitem__(self, name: str) -> Task:
        task = self.data[name]
        return resolve_name(task) if isinstance(task, str) else task


TASKS = Tasks(
    {  # in the order of the documents
        "bap": "bap_v2_dataset.tasks.building.task:BUILDING",
        "robust": "bap_v2_dataset.tasks.robustness.task:ROBUSTNESS",
        "gsu": "bap_v2_dataset.tasks.gsu.task:GSU",
        "plancraft": "bap_v2_dataset.tasks.plancraft.task:PLANCRAFT",
        "architect": "bap_v2_dataset.tasks.architect.task:ARCHITECT",
    }
)


def item_configs(argument: str | None = None) -> tuple[str, ...]:
    """The configs whose rows have the columns of building: the explorer, and the cards of building, know these alone.

    Args:
        argument: only those with this argument of `load_dataset`: "mdc" of the human ones, "labels" of labeled ones.
    """
    configs = {name: config for task in TASKS.values() if task.explored for name, config in task.configs.items()}
    return tuple(name for name, config in configs.items() if argument is None or argument in config.arguments)


def first_task() -> Task:
    """Return Builder Action Prediction, the task of items that say nothing else."""
    return next(iter(TASKS.values()))


def all_configs() -> dict[str, Config]:
    """Return the configs of all tasks, by name."""
    return {name: config for task in TASKS.values() for name, config in task.configs.items()}


def task_of(config: str) -> Task | None:
    """Return the task of a config; None for a name that is not a config."""
    return next((task for task in TASKS.values() if config in task.configs), None)


def require_task(config: str) -> Task:
    """Return the task of a config of whose name somebody has made sure."""
    task = task_of(config)
    assert task is not None, config
    return task


def task_of_item(item_id: str, config: str | None = None) -> Task:
    """Return the task that an id can only be of; for other ids that of the config, else the first."""
    by_id = next((task for task in TASKS.values() if task.is_id(item_id)), None)
    return by_id or task_of(config or "") or first_task()


def task_of_columns(columns: Iterable[str]) -> Task | None:
    """Return the task whose items have such columns, of several the one that asks for most; None if no task's do."""
    columns = set(columns)
    fitting = [task for task in TASKS.values() if task.own_columns and columns.issuperset(task.own_columns)]
    return max(fitting, key=lambda task: len(task.own_columns), default=None)


def task_of_test(config: str, data: Any = None) -> Task:
    """Return the task of a config, or of own data (an `OwnData`). Raises: PredictionError for an unknown config."""
    if data is not None:
        return data.task
    task = task_of(config)
    if task is None:
        from bap_v2_metric.prediction_records import PredictionError

        raise PredictionError(f"{unknown_config(config)}; for data of your own pass --data")
    return task


def unknown_config(name: str, known: Iterable[str] | None = None) -> str:
    """Return the sentence for a name that is not a config, the same everywhere.

    Args:
        known: the configs that would do; by default those of all tasks.

    >>> unknown_config("mcd_v2", first_task().configs)
    "unknown config 'mcd_v2' (expected one of mdc_v2, mdc, dr, dsb, dss, dh, written, all); did you mean mdc_v2?"
    """
    return unknown_name("config", name, all_configs() if known is None else known)
