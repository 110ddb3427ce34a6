"""Builder actions: what a player does, what of it is feasible, and what remains of it (BAP v2, 2.4 and 2.5)."""

from collections.abc import Container, Iterable
from enum import Enum
from typing import NamedTuple

from .blocks import Cell, Color, Structure


class Place(NamedTuple):
    """Put a block of a colour into a cell."""

    color: Color
    cell: Cell


class Remove(NamedTuple):
    """Take away whatever block is in a cell: the world knows its colour (`pick` in the notation)."""

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


class Execution(NamedTuple):
    """What became of a sequence of actions."""

    after: Structure
    infeasible: int  # actions that were no-ops


def execute(before: Structure, actions: Iterable[Action]) -> Execution:
    """The structure after `actions`, and how many of them were infeasible and therefore changed nothing.

    A placement is feasible if its cell is in the BuildRegion, empty, and on the ground or face to face with a block.
    A removal is feasible if there is a block in its cell. Order matters: a block placed before its support is lost.

    >>> red = Color.RED
    >>> execute(Structure(), [Place(red, Cell(0, 2, 0)), Place(red, Cell(0, 1, 0))])
    Execution(after=Structure([red 0 1 0]), infeasible=1)
    """
    colors = before.colors()
    infeasible = 0
    for action in actions:
        cell = action.cell
        if isinstance(action, Remove):
            if colors.pop(cell, None) is None:
                infeasible += 1
        elif cell not in colors and cell.in_region and is_supported(cell, colors):
            colors[cell] = action.color
        else:
            infeasible += 1
    return Execution(Structure.from_colors(colors), infeasible)


def is_supported(cell: Cell, colors: Container[Cell]) -> bool:
    """Whether a block can be placed there as things are: on the ground, or face to face with a block."""
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
    """The smallest set of actions that turns `before` into `after` (BAP v2, 2.5).

    A recoloured cell yields a removal and a placement. Order is not part of the
    answer: a block placed and removed again leaves no trace.
    """
    old, new = before.colors().items(), after.colors().items()
    return frozenset(
        [NetAction(ActionType.PLACE, color, cell) for cell, color in new - old]
        + [NetAction(ActionType.REMOVE, color, cell) for cell, color in old - new]
    )
