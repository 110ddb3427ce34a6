"""An item of any task, found by its id and drawn: what `bap_v2_dataset.show` and `bap-v2 show` have in common."""

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from bap_v2_dataset.interface.table import (
    all_configs,
    first_task,
    item_configs,
    require_task,
    task_of_item,
    unknown_config,
)
from bap_v2_dataset.interface.task import Task
from bap_v2_dataset.interface.viewer import ItemLocation, ItemQuery, NotFoundError, Predicted
from bap_v2_dataset.pictures.picture import Picture

if TYPE_CHECKING:
    from bap_v2_dataset.loading.own_splits import OwnData


def located_item(
    item_id: str,
    config: str | None = None,
    split: str | None = None,
    labels: str | None = None,
    data: "OwnData | None" = None,
) -> tuple[Task, ItemLocation]:
    """Return the item of an id, in own data or wherever its task has it, and that task.

    Raises:
        NotFoundError: with the nearest ids.
    """
    task = task_of_item(item_id, config)
    if data is None:
        _check_form(item_id)
        if task.explored and config is not None and config not in item_configs():
            raise NotFoundError(unknown_config(config, item_configs()))
        return task, task.viewer.locate(ItemQuery(item_id, config, split, labels, _is_set_up))
    if not isinstance(task, type(data.task)):  # own items may have any ids
        task = data.task
    return task, task.viewer.locate_own(data, item_id, split)


def _check_form(item_id: str) -> None:
    """Raises: NotFoundError for the name of a config or of one of its splits, and for an unknown config in front."""
    in_front = re.match(r"([a-z0-9_]+)-(?:train|validation|test)-\d", item_id)
    if in_front and in_front[1] not in all_configs():
        raise NotFoundError(f"there is no item {item_id}: {unknown_config(in_front[1])}")
    for name, config in all_configs().items():
        if item_id == name or item_id in {f"{name}-{split}" for split in config.splits}:
            kind = "a config" if item_id == name else f"a split of {name}"
            example = require_task(name).example_id or first_task().example_id
            any_item = f"`bap-v2 show --random --config {name}` shows any of them"
            raise NotFoundError(f"{item_id} is {kind}, not the id of an item: those are like {example}; {any_item}")


def _is_set_up(config: str) -> bool:
    from bap_v2_dataset.loading.install import is_set_up  # takes time, and simulated items do not need it

    return is_set_up(config)


def picture_of(
    task: Task,
    item: ItemLocation,
    predictions: Mapping[str, Predicted],
    baselines: Iterable[str] = (),
    interactive: bool = False,
) -> Picture:
    """Return the item with what systems, by their names, and baselines predict."""
    if baselines:
        from bap_v2_dataset.evaluation.scoring import baseline_predictions

        for name in baselines:
            rows = [row for row in (item.row, item.parent) if row is not None]
            predictions = {
                **predictions,
                name: Predicted(*(baseline_predictions(name, [row], task)[0] for row in rows)),
            }
    return task.viewer.picture(item, predictions, interactive)
