"""Plans from the middle of an episode: how the recipes that are left are carried out with what lies in the grid.

As in gold plans, one item is moved at a time, and recipes do not share a grid. Recipes may be carried out in another
order, may lie anywhere in the grid, and take the items that are there if these do as well.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from bap_v2_dataset.tasks.plancraft import plans
from bap_v2_simulators.plancraft.environment import GRID, INVENTORY, OUTPUT, State
from bap_v2_simulators.plancraft.recipes import choices, ingredient_sets
from bap_v2_simulators.plancraft.turns import written

Slots = dict[int, tuple[str, int]]  # by slot the item and its quantity
Layout = dict[int, str]  # by cell of the grid the item that a recipe needs there


def remaining_plans(steps: Sequence[plans.PlanStep], state: State) -> Iterator[list[str]]:
    """Plans that carry out these recipes: one for each of them that may come first, and each place of it in the grid.

    Args:
        steps: that are left, in the order of the gold plan.
        state: what is in the slots; it is not changed.
    """
    slots = {slot: (item["type"], item["quantity"]) for slot, item in state.items() if slot != OUTPUT}
    first_ones = set()
    for number, step in enumerate(steps):
        if step in first_ones:
            continue
        first_ones.add(step)
        others = [*steps[:number], *steps[number + 1 :]]
        for actions, after in _carried_out(step, slots):
            try:
                yield [*actions, *plans.gold_plan(others, after)]
            except LookupError:  # something that it needs is not there, or has no room
                continue


def steps_left(steps: Sequence[plans.PlanStep], before: State, after: State) -> list[plans.PlanStep]:
    """Return the steps without those that one turn has carried out, which is seen by what it made.

    Args:
        steps: that were left before it.
    """
    made = plans.items_in(after) - plans.items_in(before)
    left = list(steps)
    for item, count in made.items():
        for step in list(left):
            if step.made == item and count > 0:
                left.remove(step)
                count -= step.count
    return left


def _carried_out(step: plans.PlanStep, slots: Slots) -> Iterator[tuple[list[str], State]]:
    """Yield the actions of a step and the slots after it, for each layout of the grid."""
    layouts = [None] if step.smelts else _layouts(step, slots)
    for layout in layouts:
        left = dict(slots)
        try:
            actions = list(plans.step_actions(step, left) if layout is None else _crafted(step, layout, left))
        except LookupError:
            continue
        yield actions, {slot: {"type": item, "quantity": n} for slot, (item, n) in left.items()}


def _layouts(step: plans.PlanStep, slots: Slots) -> Iterator[Layout]:
    grid = {slot: slots[slot][0] for slot in GRID if slot in slots}
    if step.recipe.recipe_type == "shapeless":
        for counts in ingredient_sets(step.recipe):
            yield _around(grid, Counter(counts))
        return
    of_gold = dict(step.cells)
    for first_row, first_column in step.recipe.possible_kernel_positions():
        layout = {}
        for row, cells in enumerate(choices(step.recipe)):
            for column, items in enumerate(cells):
                cell = (first_row + row) * plans.SIDE + first_column + column + 1
                held, gold = grid.get(cell), of_gold.get(row * plans.SIDE + column + 1)
                if (item := held if held in items else gold) is not None:
                    layout[cell] = item
        yield layout


def _around(grid: Mapping[int, str], needed: Counter[str]) -> Layout:
    """Items in any cells: what is there stays."""
    layout = {}
    for cell, item in grid.items():
        if needed[item]:
            layout[cell] = item
            needed[item] -= 1
    free = sorted(set(GRID) - layout.keys(), key=lambda cell: (cell in grid, cell))
    return layout | dict(zip(free, needed.elements()))


def _crafted(step: plans.PlanStep, layout: Layout, slots: Slots) -> Iterator[str]:
    """Yield the actions that fill the grid and take what it makes; `slots` becomes what they leave."""
    # Clear the cells that hold something else; it goes where the recipe lacks it, if it is one.
    for cell in GRID:
        if cell not in slots or layout.get(cell) == slots[cell][0]:
            continue
        item, n = slots.pop(cell)
        lacking = [other for other, wanted in layout.items() if wanted == item and other not in slots]
        target = lacking[0] if lacking and n == 1 else plans.room(item, n, slots, cell)
        yield written("move", cell, target, n)
        plans.put(item, n, target, slots)
    # Fill the empty cells, from piles in the grid first.
    for cell, item in layout.items():
        if cell not in slots:
            spare = (other for other in layout if slots.get(other, ("", 0))[1] > 1 and slots[other][0] == item)
            stored = {slot: slots[slot] for slot in INVENTORY if slot in slots}
            source = next(spare, 0) or plans.holding(item, stored)
            yield written("move", source, cell, 1)
            plans.take(source, slots)
            slots[cell] = (item, 1)
    # Each cell of the recipe loses one; the product is taken.
    for cell in layout:
        plans.take(cell, slots)
    yield plans.output_taken(step, slots)
