"""The complete row of a Plancraft task that a user brings: what can be derived is filled in, what is wrong is named.

A task needs `id`, `target`, `inventory` and `impossible`; scores also take `complexity_bin` and `oracle_length`.
"""

from collections.abc import Mapping
from typing import Any

from bap_v2_dataset.tasks.own_values import OwnRowError, check_reference, metadata_of, text_of
from bap_v2_dataset.tasks.plancraft.counts import DIFFICULTIES
from bap_v2_dataset.tasks.plancraft.scorer import SCORER
from bap_v2_metric.errors import UserError, shortened
from bap_v2_simulators.plancraft.episode import Episode, inventory_of, observation

_EASY, _IMPOSSIBLE = 0, len(DIFFICULTIES) - 1  # bins
_ITEM = ("slot", "type", "quantity")
ALL_TOOLS = ("move", "smelt", "impossible")


def own_row(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return the row of a task of Plancraft, with all columns of the dataset.

    Derived where they are missing: `observation`, `difficulty` (of `complexity_bin`, which is 0, or 5 if impossible),
    `oracle_length` (of `plan`, else 0); `recipe_type` is mixed, or impossible; lists are empty.

    Raises:
        OwnRowError: for a column that is needed, and for a value of the wrong type or form.
        PlancraftMissing: without the package.
    """
    # The columns that cannot be derived.
    needed = "a task needs id, target, inventory and impossible"
    row: dict[str, Any] = {name: text_of(record, name, needed) for name in ("id", "target")}
    row["inventory"] = _inventory(record.get("inventory"))
    row["impossible"] = record.get("impossible")
    if not isinstance(row["impossible"], bool):
        raise OwnRowError(f"impossible is {row['impossible']!r} (expected true or false)")
    # Defaults of the others.
    for name in ("recipes", "plan"):
        row[name] = list(record.get(name) or ())
    given = record.get("complexity_bin")
    row["complexity_bin"] = (_IMPOSSIBLE if row["impossible"] else _EASY) if given is None else given
    row["complexity"] = record.get("complexity")
    length = record.get("oracle_length")
    row["oracle_length"] = len(row["plan"]) if length is None else length
    row["recipe_type"] = record.get("recipe_type") or ("impossible" if row["impossible"] else "mixed")
    # The scorer and the rules of the game have the last word on the values.
    check_reference(SCORER, row, {"turns": [], "success": False, "tokens": None})
    try:
        Episode(row, ALL_TOOLS)  # an inventory that can be played
    except UserError as error:
        raise OwnRowError(str(error)) from None
    row["difficulty"] = DIFFICULTIES[row["complexity_bin"]]
    row["observation"] = observation(row["target"], inventory_of(row))
    row["metadata"] = metadata_of(record)
    return row


def _inventory(items: Any) -> list[dict[str, Any]]:
    example = '[{"slot": 10, "type": "oak_log", "quantity": 3}]'
    if not isinstance(items, (list, tuple)):
        raise OwnRowError(f"inventory is {shortened(items)} (expected e.g. {example})")
    for item in items:
        if not isinstance(item, Mapping) or any(item.get(name) is None for name in _ITEM):
            raise OwnRowError(f"inventory: {shortened(item)} needs slot, type and quantity (e.g. {example})")
    slots = [item["slot"] for item in items]
    if twice := [slot for slot in slots if slots.count(slot) > 1]:
        raise OwnRowError(f"inventory: slot {twice[0]} is named twice")
    return [{name: item[name] for name in _ITEM} for item in items]
