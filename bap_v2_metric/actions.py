"""Builder actions: what a player does, what of it is feasible, and what remains of it (BAP v2, 2.4 and 2.5)."""

from collections.abc import Container, Iterable
from enum import Enum
from typing import NamedTuple

from .blocks import Cell, Color, Structure


class Place(NamedTuple):
    """Put a block of a color into a cell."""

    color: Color
    cell: Cell


class Remove(NamedTuple):
    """Take away whatever block is in a cell: the world knows its color (`pick` in the notation)."""

    cell: Cell


Action = Place | Remove


class ActionType(str, Enum):
    """The paper's T = {Place, Remove}; the value is the word of the notation."""

    PLACE = "place"
    REMOVE = "pick"


class NetAction(NamedTuple):
    """The paper's triple a = (t, c, <x, y, z>): one cell's change between two structures."""

    type: ActionType
    color: Color
    cell: Cell


class InfeasibleReason(str, Enum):
    """The reason why an action changes nothing; where several hold, the first of them is given."""

    NO_BLOCK = "no block"  # a removal: its cell is empty
    OUTSIDE = "outside"  # a placement: its cell is not in the BuildRegion
    OCCUPIED = "occupied"  # a placement: there is a block in its cell
    UNSUPPORTED = "unsupported"  # a placement: its cell is neither on the ground nor face to face with a block


class Infeasible(NamedTuple):
    """An action that changed nothing, and why."""

    index: int  # of the action in its sequence, from 0
    action: Action
    reason: InfeasibleReason
    occupant: "Color | None" = None  # the color of the block in the cell, if the reason is OCCUPIED


class Execution(NamedTuple):
    """The result of a sequence of actions."""

    after: Structure
    failures: tuple[Infeasible, ...]  # the actions that were no-ops, in order

    @property
    def infeasible(self) -> int:
        """The number of actions that were no-ops."""
        return len(self.failures)


def execute(before: Structure, actions: Iterable[Action]) -> Execution:
    """Return the structure after `actions`, and those of them that were infeasible and therefore changed nothing.

    A placement is feasible if its cell is in the BuildRegion, empty, and on the ground or face to face with a block.
    A removal is feasible if there is a block in its cell. Order matters: a block placed before its support is lost.

    >>> red = Color.RED
    >>> after, failures = execute(Structure(), [Place(red, Cell(0, 2, 0)), Place(red, Cell(0, 1, 0))])
    >>> after, [(failure.index, failure.reason.value) for failure in failures]
    (Structure([red 0 1 0]), [(0, 'unsupported')])
    """
    colors = before.colors()
    failures: list[Infeasible] = []
    # Each action on the board that the ones before it left; what cannot be done is noted, and skipped.
    for index, action in enumerate(actions):
        cell = action.cell
        if isinstance(action, Remove):
            if colors.pop(cell, None) is None:
                failures.append(Infeasible(index, action, InfeasibleReason.NO_BLOCK))
        elif not cell.in_region:
            failures.append(Infeasible(index, action, InfeasibleReason.OUTSIDE))
        elif (occupant := colors.get(cell)) is not None:
            failures.append(Infeasible(index, action, InfeasibleReason.OCCUPIED, occupant))
        elif not is_supported(cell, colors):
            failures.append(Infeasible(index, action, InfeasibleReason.UNSUPPORTED))
        else:
            colors[cell] = action.color
    # What stands at the end.
    return Execution(Structure.from_colors(colors), tuple(failures))


def is_supported(cell: Cell, colors: Container[Cell]) -> bool:
    """Return whether a block in this cell would be on the ground, or face to face with a block of `colors`."""
    x, y, z = cell
    return (  # below first, where it mostly is; plain tuples equal cells
        y == 1
        or (x, y - 1, z) in colors
        or (x - 1, y, z) in colors
        or (x + 1, y, z) in colors
        or (x, y, z - 1) in colors
        or (x, y, z + 1) in colors
        or (x, y + 1, z) in colors
    )


def net_actions(before: Structure, after: Structure) -> frozenset[NetAction]:
    """Return the smallest set of actions that turns `before` into `after` (BAP v2, 2.5).

    A recolored cell yields a removal and a placement. Order is not part of the
    answer: a block placed and removed again leaves no trace.
    """
    old, new = before.colors().items(), after.colors().items()
    return frozenset(
        [NetAction(ActionType.PLACE, color, cell) for cell, color in new - old]
        + [NetAction(ActionType.REMOVE, color, cell) for cell, color in old - new]
    )
