"""The rows of Plancraft: tasks, and gold dialogues of those that can be solved."""

from collections.abc import Mapping
from typing import Any

from bap_v2_dataset.tasks.plancraft.plans import gold_plan, gold_steps
from bap_v2_dataset.tasks.plancraft.prompts import system_text
from bap_v2_simulators.plancraft.episode import Episode, inventory_of, observation
from bap_v2_simulators.plancraft.package import NAME, installed_version
from bap_v2_simulators.plancraft.recipes import recipes_of
from bap_v2_simulators.plancraft.turns import ALWAYS, read_turn, slot_name

_FACTS = ("num_distractors", "items_used", "unique_items_used", "unseen_in_train", "unseen_in_val")


def task_row(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return the row of a task.

    Args:
        record: as in the files of the package.
    """
    # What the package says of the task.
    slots = sorted((int(slot), item) for slot, item in record["slotted_inventory"].items())
    row: dict[str, Any] = {
        "id": record["id"],
        "target": record["target"],
        "inventory": [{"slot": slot, "type": item["type"], "quantity": item["quantity"]} for slot, item in slots],
        "impossible": record["impossible"],
        "complexity_bin": int(record["complexity_bin"]),
        "complexity": None if record["complexity"] is None else int(record["complexity"]),
        "difficulty": record["complexity_split"],
        "recipes": record["optimal_path"] or [],
    }
    # What follows from it: the plan, the type of its recipes and what the player reads.
    inventory = inventory_of(row)
    steps = gold_steps(row["recipes"], [record["inventory"], *(record["inventory_trace"] or ())])
    plan = gold_plan(steps, inventory)
    return row | {
        "observation": observation(record["target"], inventory),
        "recipe_type": _recipe_type(row),
        "plan": plan,
        "oracle_length": len(plan),
        "metadata": {"source": NAME, "version": installed_version(), **{name: record[name] for name in _FACTS}},
    }


def oracle_row(task: Mapping[str, Any], thoughts: bool = False) -> dict[str, Any]:
    """Return the gold dialogue of a task that can be solved, as the rows of the authors' trajectories.

    Args:
        task: of `task_row`.
        thoughts: before each action a turn says which item it takes, and from where: `think: oak_log [I7]`.
    """
    # Play the plan, with a thought before each action if they are wanted.
    tools = (*ALWAYS, "think") if thoughts else ALWAYS
    episode = Episode(task, tools)
    for action in task["plan"]:
        if thoughts:
            source = read_turn(action).source
            episode.take(f"think: {episode.state[source]['type']} {slot_name(source)}")
        episode.take(action)
    assert episode.success, task["id"]
    # The dialogue after the system text.
    system = {"role": "system", "content": system_text(tools)}
    return {
        "id": task["id"],
        "target": task["target"],
        "difficulty": task["difficulty"],
        "messages": [system, *episode.dialogue()],
        "n_actions": len(task["plan"]),
    }


def _recipe_type(row: Mapping[str, Any]) -> str:
    """The type of the recipes of all items that are made, as the package says it; also of recipes that are not used."""
    if row["impossible"]:
        return "impossible"
    kinds = {recipe.recipe_type for item in row["recipes"] for recipe in recipes_of(item)}
    return kinds.pop() if len(kinds) == 1 else "mixed"
