"""The Plancraft task of an id, from the files of the package: no config has to be set up."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from bap_v2_dataset.sentences import unknown_name
from bap_v2_dataset.tasks.building.lookup import NotFoundError
from bap_v2_dataset.tasks.plancraft.ids import split_of_id
from bap_v2_dataset.tasks.plancraft.rows import task_row
from bap_v2_dataset.tasks.plancraft.task_files import FILES, records

CONFIG = "plancraft"


class LocatedTask(NamedTuple):
    """The row of a task, and where it is from."""

    row: Mapping[str, Any]
    config: str
    split: str


def is_plancraft(item_id: str) -> bool:
    """Whether an id is one of Plancraft."""
    return split_of_id(item_id) is not None


def plancraft_task(item_id: str, config: str | None = None, split: str | None = None) -> LocatedTask:
    """The task of an id.

    Args:
        config, split: where it has to be, if they are given; by default the whole split that its id names.
    Raises:
        NotFoundError: there is no such task, or not there.
        PlancraftMissing: without the package.
    """
    known = split_of_id(item_id)
    if known is None:
        raise NotFoundError(f"{item_id} is no id of Plancraft (expected e.g. TEST0000)")
    if config not in (None, CONFIG):
        raise NotFoundError(f"{item_id} is a task of {CONFIG}, not of {config}: leave out --config")
    split = split or known[1]
    if split not in FILES:
        raise NotFoundError(unknown_name("split", split, FILES))
    for record in records(split):
        if record["id"] == item_id:
            return LocatedTask(task_row(record), CONFIG, split)
    ids = [record["id"] for record in records(split)]
    raise NotFoundError(f"there is no task {item_id} in {split}: it has {ids[0]} to {ids[-1]}")
