"""Tasks of Plancraft with their items in other slots, among other distractors: the same recipes, to learn more from."""

from collections import Counter
from collections.abc import Mapping
from functools import cache
from random import Random
from typing import Any

from bap_v2_dataset.tasks.plancraft.task_files import records
from bap_v2_simulators.plancraft.environment import INVENTORY
from bap_v2_simulators.plancraft.recipes import stack_sizes

DIFFICULTIES = ("easy", "medium", "hard")  # of tasks that can be solved


@cache
def solvable(split: str, difficulties: tuple[str, ...] = DIFFICULTIES) -> list[dict[str, Any]]:
    """The records of a split that can be solved, of these difficulties."""
    return [record for record in records(split) if record["complexity_split"] in difficulties]


def variant(record: Mapping[str, Any], random: Random) -> dict[str, Any]:
    """The record of a task like this one: what its recipes use up is the same, where it lies and what else is not.

    Distractors are drawn from all items but those that the recipes take or make; as many slots hold them as before.
    """
    used = Counter(record["inventory"]) - Counter(record["inventory_trace"][-1])
    slots = record["slotted_inventory"].values()
    kept = [dict(item) for item in slots if item["type"] in used]
    taken = {*used, *record["optimal_path"], record["target"]}
    others = random.sample(sorted(stack_sizes().keys() - taken), len(slots) - len(kept))
    items = [*kept, *({"type": name, "quantity": random.randint(1, stack_sizes()[name])} for name in others)]
    places = random.sample(INVENTORY, len(items))
    return {**record, "slotted_inventory": {str(slot): item for slot, item in zip(places, items)}}
