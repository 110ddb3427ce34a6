"""Short plans: the recipes of a gold plan in as few actions as a search finds.

The planner of Plancraft counts recipes, not actions (3.4 and appendix D): it moves one item at a time, and empties
nothing into the next recipe. Here the same recipes are carried out with fewer actions:

- a recipe that is used several times is filled once, and its output taken several times;
- what one smelting makes of several items is one action;
- an item that the next recipe needs in the same cell stays there, and what is made or smelted goes straight into a cell
  of the next recipe.

A beam search chooses the order of the recipes, where they lie in the grid, and what stays in it. So a plan is a bound,
not a minimum: other recipes, or a wider beam, may need fewer.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bap_v2_dataset.tasks.plancraft.plans import PlanStep
from bap_v2_simulators.plancraft.environment import GRID, INVENTORY, OUTPUT, State
from bap_v2_simulators.plancraft.recipes import stack_sizes
from bap_v2_simulators.plancraft.turns import MAX_QUANTITY, written

# Plans that are kept for each number of recipes that are left. 60 instead of 20 take twice as long, and save two
# actions in the 480 tasks of test that can be solved.
BEAM = 20

Slots = tuple[tuple[str, int] | None, ...]  # by slot the item and its quantity


@dataclass(frozen=True)
class _Partial:
    """A plan so far."""

    actions: tuple[str, ...]
    slots: Slots
    left: tuple[int, ...]  # how often each use is still to come

    @property
    def key(self) -> tuple:
        """Plans with the same key can go on in the same ways."""
        return self.left, self.slots[:10], tuple(sorted(filter(None, self.slots[10:])))


def short_plan(steps: Sequence[PlanStep], inventory: State, beam: int = BEAM) -> list[str]:
    """Return the actions that carry out the recipes of `gold_steps`, as few as the search finds.

    Args:
        inventory: at the beginning; it is not changed.
        beam: how many partial plans are kept for each number of recipes that are left.
    """
    # Equal recipes are carried out together; their order is searched.
    counts = Counter(PlanStep(step.recipe, tuple(sorted(step.cells))) for step in steps)
    uses = list(counts)
    slots: Slots = tuple(
        (inventory[slot]["type"], inventory[slot]["quantity"]) if slot in inventory else None
        for slot in range(INVENTORY.stop)
    )
    # Partial plans by the number of recipes that are left.
    levels: dict[int, dict[tuple, _Partial]] = {len(steps): {}}
    first = _Partial((), slots, tuple(counts.values()))
    levels[len(steps)][first.key] = first
    for level in range(len(steps), 0, -1):
        # Keep the best of each level, and the shortest plan for each state of the table.
        ranked = sorted(levels.pop(level, {}).values(), key=lambda partial: _estimate(partial, uses))
        for partial in ranked[:beam]:
            for further in _continued(partial, uses):
                at = levels.setdefault(sum(further.left), {})
                other = at.get(further.key)
                if other is None or len(further.actions) < len(other.actions):
                    at[further.key] = further
    return list(min(levels[0].values(), key=lambda partial: len(partial.actions)).actions)


def _estimate(partial: _Partial, uses: Sequence[PlanStep]) -> int:
    """Return the actions so far and about how many are to come."""
    to_come = 0
    for use, n in zip(uses, partial.left):
        if n and use.smelts:
            to_come += 1
        elif n:
            filled = max(
                sum((partial.slots[cell] or ("",))[0] == item for cell, item in placement.items())
                for placement in use.placements()
            )
            to_come += n + len(use.cells) - filled
    return len(partial.actions) + to_come


def _continued(partial: _Partial, uses: Sequence[PlanStep]) -> Iterator[_Partial]:
    """Yield all ways to go on with one recipe, once or several times."""
    wanted = {item for use, n in zip(uses, partial.left) if n and not use.smelts for _, item in use.cells}
    for number, use in enumerate(uses):
        for times in range(1, partial.left[number] + 1):
            left = tuple(n - times * (at == number) for at, n in enumerate(partial.left))
            if use.smelts:
                yield from _smelted(partial, use, times, left, use.made in wanted)
            else:
                for placement in use.placements():
                    yield from _crafted(partial, use, placement, times, left, use.made in wanted)


class _Table:
    """Slots that actions change."""

    def __init__(self, partial: _Partial) -> None:
        self.slots = list(partial.slots)
        self.actions = list(partial.actions)

    def holding(self, item: str, least: int, without: Sequence[int] = ()) -> int | None:
        """Return a slot with at least so many of an item; of several the one with the fewest."""
        found = [
            (held[1], slot)
            for slot, held in enumerate(self.slots)
            if slot != OUTPUT and slot not in without and held is not None and held[0] == item and held[1] >= least
        ]
        return min(found)[1] if found else None

    def room(self, item: str, n: int) -> int | None:
        """Return a slot of the inventory that takes so many of an item."""
        size = min(stack_sizes()[item], MAX_QUANTITY)
        empty = None
        for slot in INVENTORY:
            held = self.slots[slot]
            if held is not None and held[0] == item and held[1] + n <= size:
                return slot
            if held is None and empty is None:
                empty = slot
        return empty

    def move(self, source: int, target: int, n: int) -> None:
        """Moves some items."""
        held = self.slots[source]
        assert held is not None
        self.actions.append(written("move", source, target, n))
        self.slots[source] = (held[0], held[1] - n) if held[1] > n else None
        self.add(target, held[0], n)

    def add(self, slot: int, item: str, n: int) -> None:
        """Puts items into a slot."""
        held = self.slots[slot]
        self.slots[slot] = (item, n + (held[1] if held else 0))

    def partial(self, left: tuple[int, ...]) -> _Partial:
        return _Partial(tuple(self.actions), tuple(self.slots), left)


def _smelted(partial: _Partial, use: PlanStep, times: int, left: tuple[int, ...], wanted: bool) -> Iterator[_Partial]:
    # The item must be there in one pile.
    ((_, item),) = use.cells
    table = _Table(partial)
    source = table.holding(item, times)
    if source is None:
        return
    # The product goes into the inventory, or into the grid if a recipe needs it next.
    targets = [table.room(use.made, times)]
    if wanted and times <= stack_sizes()[use.made]:
        targets += [cell for cell in GRID if table.slots[cell] is None]
    for target in targets:
        if target is None or target == source:
            continue
        one = _Table(partial)
        one.actions.append(written("smelt", source, target, times))
        held = one.slots[source]
        assert held is not None
        one.slots[source] = (item, held[1] - times) if held[1] > times else None
        one.add(target, use.made, times)
        yield one.partial(left)


def _crafted(
    partial: _Partial, use: PlanStep, placement: dict[int, str], times: int, left: tuple[int, ...], wanted: bool
) -> Iterator[_Partial]:
    # Lay out the recipe, and take off what it uses.
    table = _Table(partial)
    if not _laid_out(table, placement, times):
        return
    spare = tuple(slot for slot in GRID if slot not in placement)
    for cell in placement:  # used up
        item, n = table.slots[cell] or ("", 0)
        table.slots[cell] = (item, n - times) if n > times else None
    # The last product may stay in the grid if a recipe needs it next.
    before = table.partial(left)
    targets: list[int | None] = [table.room(use.made, use.count)]
    if wanted:
        targets += [cell for cell in spare if table.slots[cell] is None]
    for last in targets:
        one = _Table(before)
        for number in range(times):
            target = last if number == times - 1 else one.room(use.made, use.count)
            if target is None:
                break
            one.actions.append(written("move", OUTPUT, target, use.count))
            one.add(target, use.made, use.count)
        else:
            yield one.partial(left)


def _laid_out(table: _Table, placement: dict[int, str], times: int) -> bool:
    """Fills the cells of a recipe and empties the others; false if that cannot be."""
    # No pile may be larger than a stack.
    if any(times > stack_sizes()[item] for item in placement.values()):
        return False
    for cell in GRID:  # what lies in a wrong cell goes into a cell that lacks it, or away
        held = table.slots[cell]
        if held is None or placement.get(cell) == held[0]:
            continue
        lacking = [
            to for to, item in placement.items() if item == held[0] and table.slots[to] is None and held[1] >= times
        ]
        size = held[1]
        if lacking and cell not in placement:
            for number, to in enumerate(lacking):
                rest = (table.slots[cell] or ("", 0))[1]
                if rest < times:
                    break
                last = number == len(lacking) - 1 or rest < 2 * times
                table.move(cell, to, rest if last else times)
                if last:
                    break
        elif (away := table.room(held[0], size)) is not None:
            table.move(cell, away, size)
        else:
            return False
    # Fill up each cell, from the inventory before the grid.
    for cell, item in placement.items():
        held = table.slots[cell]
        lacks = times - (held[1] if held else 0)
        while lacks > 0:
            source = table.holding(item, lacks, tuple(GRID)) or _largest(table, item, placement)
            if source is None:
                return False
            n = min(lacks, (table.slots[source] or ("", 0))[1] - (times if source in placement else 0))
            if n <= 0:
                return False
            table.move(source, cell, n)
            lacks -= n
    return all((table.slots[cell] is None) for cell in GRID if cell not in placement)


def _largest(table: _Table, item: str, placement: dict[int, str]) -> int | None:
    """Return the slot with the most of an item, none of the grid outside the recipe."""
    slots = [
        (held[1], -slot)
        for slot, held in enumerate(table.slots)
        if slot != OUTPUT and held is not None and held[0] == item and (slot in INVENTORY or slot in placement)
    ]
    return -max(slots)[1] if slots else None
