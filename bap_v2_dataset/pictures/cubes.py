"""A board as cubes: which it holds, and what each of them tells.

What is there is solid, what is not is an outline of dashes. Color alone tells nothing but the block's color:

    OLD      pale                        the block was there before
    NEW      in full color               it was placed
    REMOVED  outline                     it was taken away
    RIGHT    with a ✓ on its faces       a prediction did what the reference does
    WRONG    with a ✗                    it did what the reference does not
    MISSED   with a ○                    it did not do what the reference does
    TARGET   in full color               a block of the target structure
    CONSIDERED faint, or pale            a Builder might have placed it, or taken it away

A judged cube is a placement or a removal: a wrong removal is an outline with ✗, a missed removal a pale block with ○.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import Enum

from bap_v2_metric.actions import ActionType, NetAction, net_actions
from bap_v2_metric.alignment import align
from bap_v2_metric.blocks import Block, Cell, Color, Structure
from bap_v2_metric.scoring import INTERPRETATIONS, Attempt, InputError


class Look(str, Enum):
    """The message of a cube."""

    OLD = "old"
    NEW = "new"
    REMOVED = "removed"
    RIGHT = "right"
    WRONG = "wrong"
    MISSED = "missed"
    TARGET = "target"
    CONSIDERED = "considered"


MARKS: Mapping[Look, str] = {Look.RIGHT: "✓", Look.WRONG: "✗", Look.MISSED: "○"}


@dataclass(frozen=True)
class Cube:
    """A cube to draw. A cell that is recolored has two: a solid one and an outline."""

    cell: Cell
    color: Color
    look: Look
    removal: bool = False  # of a judged or considered cube: whether the action is a removal
    likelihood: float | None = None  # of the action, as a Builder says

    @property
    def solid(self) -> bool:
        """True if the block is there; an outline if not."""
        if self.look in (Look.RIGHT, Look.WRONG):
            return not self.removal
        return self.look is not Look.REMOVED and (self.look not in (Look.MISSED, Look.CONSIDERED) or self.removal)

    @property
    def pale(self) -> bool:
        """True for a block that was there before and still is."""
        return self.look is Look.OLD or (self.look in (Look.MISSED, Look.CONSIDERED) and self.removal)

    @property
    def mark(self) -> str:
        """✓, ✗, ○ or nothing."""
        return MARKS.get(self.look, "")

    @property
    def words(self) -> str:
        """The message in words: `placed`, `taken away, which is wrong`, `placed, likelihood 80%`."""
        if self.likelihood is not None:
            return f"{replace(self, likelihood=None).words}, likelihood {self.likelihood:.0%}"
        if self.look is Look.CONSIDERED:
            return f"not {'taken away' if self.removal else 'placed'}"
        if self.look in _WORDS:
            return _WORDS[self.look]
        if self.look is Look.MISSED:
            return f"missed: should have been {'taken away' if self.removal else 'placed'}"
        return f"{'taken away' if self.removal else 'placed'}, which is {self.look.value}"


_WORDS = {
    Look.OLD: "was there before",
    Look.NEW: "placed",
    Look.REMOVED: "taken away",
    Look.TARGET: "part of the target",
}


def target_cubes(target: Structure) -> list[Cube]:
    """Return the target structure, to be drawn beside a board."""
    return _in_order([Cube(block.cell, block.color, Look.TARGET) for block in target])


def best_fit(target: Structure, board: Structure) -> Structure:
    """Return the target turned and moved to where it fits the board best: a target may stand anywhere, any way round.

    If one of the two leaves the BuildRegion, it stays where it is.

    >>> from bap_v2_metric.blocks import Block
    >>> red, other = (Structure([Block(Color.RED, cell)]) for cell in (Cell(0, 1, 0), Cell(3, 1, -2)))
    >>> best_fit(other, red) == red
    True
    """
    if not target or not board or not all(block.cell.in_region for block in (*target, *board)):
        return target
    transform = align(target, board)
    return Structure(Block(block.color, transform(block.cell)) for block in target)


def change(before: Structure, after: Structure) -> list[Cube]:
    """Return the cubes of a changed board: old blocks, new ones, and those taken away; supports leave no trace.

    >>> from bap_v2_metric.blocks import Block
    >>> [(cube.cell, cube.look.value) for cube in change(Structure([Block(Color.RED, Cell(0, 1, 0))]), Structure())]
    [(Cell(x=0, y=1, z=0), 'removed')]
    """
    old = [Cube(block.cell, block.color, Look.OLD) for block in before if block in after]
    looks = {ActionType.PLACE: Look.NEW, ActionType.REMOVE: Look.REMOVED}
    return _in_order(old + [_acted(action, looks[action.type]) for action in net_actions(before, after)])


def judged(before: Structure, predicted: Structure, after: Structure, interpretations: str = "unique") -> list[Cube]:
    """A predicted board beside the reference `after`: what of its change is right, wrong and missed (fairer F1, 4.1).

    Where the metric aligns a prediction, in items with "multiple" interpretations, the picture shows it aligned.

    Raises:
        InputError: for other interpretations than "unique" and "multiple".

    >>> from bap_v2_metric.blocks import Block
    >>> red, other = (Structure([Block(Color.RED, cell)]) for cell in (Cell(0, 1, 0), Cell(3, 1, -2)))
    >>> [cube.look.value for cube in judged(Structure(), other, red, "unique")]
    ['missed', 'wrong']
    >>> [cube.look.value for cube in judged(Structure(), other, red, "multiple")]
    ['right']
    """
    if interpretations not in INTERPRETATIONS:
        raise InputError(f"interpretations {interpretations!r} (expected 'unique' or 'multiple')")
    attempt = Attempt.on_boards(before, after, predicted, interpretations)
    gold, predicted_net = attempt.gold, attempt.fair
    touched = {action.cell for action in predicted_net | gold if action.type is ActionType.REMOVE}
    cubes = [Cube(block.cell, block.color, Look.OLD) for block in before if block.cell not in touched]
    cubes += [_acted(action, Look.RIGHT if action in gold else Look.WRONG) for action in predicted_net]
    cubes += [_acted(action, Look.MISSED) for action in gold - predicted_net]
    return _in_order(cubes)


def legend() -> dict[Look, str]:
    """Return the meaning of each look, in words."""
    return {
        Look.OLD: "pale: was there before",
        Look.NEW: "full color: placed",
        Look.REMOVED: "dashed outline: taken away",
        Look.RIGHT: "✓ right",
        Look.WRONG: "✗ wrong",
        Look.MISSED: "○ missed: an outline should have been placed, a pale block taken away",
        Look.TARGET: "target: what the Architect sees, in full color",
        Look.CONSIDERED: "faint: might have been placed; pale, with a likelihood: might have been taken away",
    }


def counts_in_words(cubes: Iterable[Cube], hidden: int = 0) -> str:
    """Count the net actions of a judged board that are right, wrong and missed, and those that a picture hides.

    >>> counts_in_words([Cube(Cell(0, 1, 0), Color.RED, Look.WRONG)])
    '0 right ✓ · 1 wrong ✗ · 0 missed ○'
    """
    numbers = Counter(cube.look for cube in cubes)
    parts = [f"{numbers[look]} {look.value} {mark}" for look, mark in MARKS.items()]
    return " · ".join(parts + [f"{hidden} hidden behind other blocks"] * (hidden > 0))


def _acted(action: NetAction, look: Look) -> Cube:
    return Cube(action.cell, action.color, look, action.type is ActionType.REMOVE)


def _in_order(cubes: list[Cube]) -> list[Cube]:
    return sorted(cubes, key=lambda cube: (cube.cell, cube.removal, cube.look.value, cube.color.value))
