"""Gold plans: the moves and smelts that carry out the recipes which a task was made from.

No search is needed: a task names the item that each recipe makes, and the inventory after it. The plans are as long as
those of the package's planner.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from bap_v2_simulators.plancraft.environment import INVENTORY, OUTPUT, State
from bap_v2_simulators.plancraft.episode import Episode
from bap_v2_simulators.plancraft.recipes import Recipe, choices, ingredient_sets, recipes_of, stack_sizes
from bap_v2_simulators.plancraft.turns import MAX_QUANTITY, read_turn, written

SIDE = 3  # cells of the crafting grid


class PlanStep(NamedTuple):
    """One use of a recipe."""

    recipe: Recipe
    cells: tuple[tuple[int, str], ...]  # slot of the grid and the item in it; of a smelt the item alone, in slot 0

    @property
    def smelts(self) -> bool:
        return bool(self.recipe.recipe_type == "smelting")

    @property
    def made(self) -> str:
        return str(self.recipe.result.item)

    @property
    def count(self) -> int:
        return int(self.recipe.result.count)

    def placements(self) -> list[dict[int, str]]:
        """The items by cell, for every place in the grid; of a shapeless recipe in the first cells, and each row."""
        if self.recipe.recipe_type == "shapeless":
            items = [item for _, item in self.cells]
            return [
                {(first + number) % 9 + 1: item for number, item in enumerate(items)} for first in range(0, 9, SIDE)
            ]
        return [
            {cell + row * SIDE + column: item for cell, item in self.cells}
            for row, column in self.recipe.possible_kernel_positions()
        ]


def gold_steps(optimal_path: Sequence[str], inventories: Sequence[Mapping[str, int]]) -> list[PlanStep]:
    """Return the recipes of a task with the cells that they fill.

    Args:
        optimal_path: the item that each recipe makes.
        inventories: how many of each item there are before the first recipe, and after each.
    Raises:
        LookupError: no recipe makes what an inventory shows.
    """
    return [
        _step(item, Counter(before), Counter(after))
        for item, before, after in zip(optimal_path, inventories, inventories[1:])
    ]


def steps_of(task: Mapping[str, Any]) -> list[PlanStep]:
    """Return the recipes that the gold plan of a row carries out."""
    episode = Episode(task)
    inventories = [items_in(episode.state)]
    for action in task["plan"]:
        episode.take(action)
        if ends_a_step(action):
            inventories.append(items_in(episode.state))
    return gold_steps(task["recipes"], inventories)


def ends_a_step(action: str) -> bool:
    """Return whether an action of a gold plan is the last one of a recipe: a smelt, or taking what was made."""
    turn = read_turn(action)
    return turn.kind == "smelt" or turn.source == OUTPUT


def gold_plan(steps: Sequence[PlanStep], inventory: State) -> list[str]:
    """Return the actions of steps, in the words of the environment.

    Args:
        inventory: at the beginning; it is not changed.
    """
    slots = {slot: (item["type"], item["quantity"]) for slot, item in inventory.items()}
    plan = []
    for step in steps:
        plan += step_actions(step, slots)
    return plan


def step_actions(step: PlanStep, slots: dict[int, tuple[str, int]]) -> Iterator[str]:
    """Yield the actions of one step; `slots` becomes what they leave."""
    if step.smelts:
        ((_, item),) = step.cells
        source = holding(item, slots)
        target = room(step.made, 1, slots, source)
        yield written("smelt", source, target, 1)
        take(source, slots)
        put(step.made, step.count, target, slots)
        return
    for cell, item in step.cells:
        source = holding(item, slots)
        yield written("move", source, cell, 1)
        take(source, slots)
    yield output_taken(step, slots)


def output_taken(step: PlanStep, slots: dict[int, tuple[str, int]]) -> str:
    """Return the action that takes what the grid makes; `slots` becomes what it leaves."""
    target = room(step.made, step.count, slots, OUTPUT)
    put(step.made, step.count, target, slots)
    return written("move", OUTPUT, target, step.count)


def holding(item: str, slots: Mapping[int, tuple[str, int]]) -> int:
    """Return the lowest slot with this item. Raises: LookupError: there is none."""
    found = min((slot for slot, (kind, _) in slots.items() if kind == item), default=None)
    if found is None:
        raise LookupError(f"no slot has {item}")
    return found


def room(item: str, count: int, slots: Mapping[int, tuple[str, int]], source: int) -> int:
    """Return the lowest slot with this item and room for more of it, else the lowest empty one.

    Raises:
        LookupError: there is none.
    """
    size = min(stack_sizes()[item], MAX_QUANTITY)
    same = (slot for slot, (kind, n) in slots.items() if kind == item and n + count <= size and slot != source)
    empty = (slot for slot in INVENTORY if slot not in slots and slot != source)
    found = min(same, default=None) or next(empty, None)
    if found is None:
        raise LookupError(f"no slot has room for {item}")
    return found


def take(slot: int, slots: dict[int, tuple[str, int]]) -> None:
    """Takes one item out of a slot."""
    item, n = slots.pop(slot)
    if n > 1:
        slots[slot] = (item, n - 1)


def put(item: str, n: int, slot: int, slots: dict[int, tuple[str, int]]) -> None:
    """Puts so many of an item into a slot."""
    slots[slot] = (item, n + slots.get(slot, ("", 0))[1])


def items_in(state: State) -> Counter[str]:
    """Return how many of each item there are in all slots but the output."""
    counts: Counter[str] = Counter()
    for slot, item in state.items():
        if slot != OUTPUT:
            counts[item["type"]] += item["quantity"]
    return counts


def _step(item: str, before: Counter[str], after: Counter[str]) -> PlanStep:
    spent = before - after
    for recipe in recipes_of(item):
        if (cells := _filled(recipe, spent)) is not None:
            return PlanStep(recipe, cells)
    raise LookupError(f"no recipe of {item} uses {dict(spent)}")


def _filled(recipe: Recipe, spent: Counter[str]) -> tuple[tuple[int, str], ...] | None:
    """Return the cells of a recipe, filled with exactly what is spent; None if that cannot be."""
    if recipe.recipe_type == "smelting":
        (item, n), *more = spent.items()
        return ((OUTPUT, item),) if not more and n == 1 and item in recipe.ingredient else None
    if recipe.recipe_type == "shapeless":
        for counts in ingredient_sets(recipe):
            if counts == spent:
                items = (item for item, n in counts.items() for _ in range(n))
                return tuple(enumerate(items, 1))
        return None
    cells = [
        (row * SIDE + column + 1, items)
        for row, of_row in enumerate(choices(recipe))
        for column, items in enumerate(of_row)
    ]
    return _placed(cells, dict(spent))


def _placed(cells: Sequence[tuple[int, list[Any]]], left: dict[str, int]) -> tuple[tuple[int, str], ...] | None:
    if not cells:
        return () if not any(left.values()) else None
    (slot, items), *others = cells
    for item in items:
        if item is None:
            return _placed(others, left)
        if left.get(item):
            rest = _placed(others, {**left, item: left[item] - 1})
            if rest is not None:
                return ((slot, item), *rest)
    return None
