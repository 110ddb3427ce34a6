"""Walks on a grid, step by step: where they lead in fixed directions and in one's own (GSU, 3.1.1).

x grows to the right, y forward, z up. A walk starts at the origin, facing +y. In the frame `cardinal` a direction is
always the same way. In the frame `egocentric` one turns left, right or back before one walks, and stays turned; up and
down turn nobody.
"""

from collections.abc import Iterable, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

Number = int | Decimal  # Decimal only where it is no whole number: positions are exact
Position = tuple[Number, ...]  # (x, y) or (x, y, z)

CARDINAL, EGOCENTRIC = "cardinal", "egocentric"
FRAMES = (CARDINAL, EGOCENTRIC)
DIRECTIONS = ("left", "right", "forward", "backward", "up", "down")  # the first four in two dimensions
HEADINGS = ("+y", "+x", "-y", "-x")  # each is a quarter turn clockwise from the one before
VECTORS = {"+y": (0, 1, 0), "+x": (1, 0, 0), "-y": (0, -1, 0), "-x": (-1, 0, 0), "+z": (0, 0, 1), "-z": (0, 0, -1)}
_QUARTER_TURNS = {"forward": 0, "right": 1, "backward": 2, "left": 3}
_AXES = {"x": 0, "y": 1, "z": 2}
# The way of each direction, one of VECTORS: in fixed directions as if facing +y, in one's own by heading.
WAYS = {
    heading: {
        **{word: HEADINGS[(at + turns) % 4] for word, turns in _QUARTER_TURNS.items()},
        "up": "+z",
        "down": "-z",
    }
    for at, heading in enumerate(HEADINGS)
}


class WalkStep(NamedTuple):
    """One instruction: `right 2`."""

    direction: str  # of DIRECTIONS
    length: Number  # in cells, positive

    def __str__(self) -> str:
        return f"{self.direction} {self.length}"


def directions_of(dims: int) -> tuple[str, ...]:
    """Return the directions of a grid of 2 or 3 dimensions."""
    return DIRECTIONS[: 2 * dims]


def way_of(direction: str, heading: str, frame: str) -> str:
    """Return which way a direction leads, one of VECTORS, for somebody with this heading (the frame `cardinal`
    ignores it)."""
    return WAYS["+y" if frame == CARDINAL else heading][direction]


def turned(heading: str, way: str) -> str:
    """Return the heading after a step in the egocentric frame: that of the step, unless it led up or down."""
    return heading if way[1] == "z" else way


def path_of(steps: Iterable[WalkStep], frame: str, dims: int) -> tuple[Position, ...]:
    """Return where a walk stands before its first step and after each: one position more than steps.

    Args:
        frame: cardinal or egocentric.
        dims: 2 or 3; without a third dimension nothing leads up or down.

    >>> path_of([WalkStep("right", 2), WalkStep("forward", 1)], EGOCENTRIC, 2)
    ((0, 0), (2, 0), (3, 0))
    >>> path_of([WalkStep("right", 2), WalkStep("forward", 1)], CARDINAL, 2)
    ((0, 0), (2, 0), (2, 1))
    """
    return _path(tuple(steps), frame, dims)


@lru_cache(maxsize=1024)
def _path(steps: tuple[WalkStep, ...], frame: str, dims: int) -> tuple[Position, ...]:
    heading, here = "+y", [0] * dims
    path: list[Position] = [tuple(here)]
    for direction, length in steps:
        way = way_of(direction, heading, frame)
        heading = turned(heading, way)
        axis = _AXES[way[1]]
        value = here[axis] + length if way[0] == "+" else here[axis] - length
        here[axis] = value if type(value) is int else plain(value)
        path.append(tuple(here))
    return tuple(path)


def end_of(steps: Iterable[WalkStep], frame: str, dims: int) -> Position:
    """Return where a walk ends: the last position of `path_of`."""
    return path_of(steps, frame, dims)[-1]


def plain(number: Number) -> Number:
    """Return the same number: an int if it is whole, else a Decimal without zeros at its end.

    >>> plain(Decimal("3.0")), plain(Decimal("1.50"))
    (3, Decimal('1.5'))
    """
    whole = int(number)
    return whole if whole == number else Decimal(number).normalize()


def position_text(position: Position) -> str:
    """Return a position as it stands in questions and answers.

    >>> position_text((3, Decimal("-1.5")))
    '(3, -1.5)'
    """
    return f"({', '.join(map(str, position))})"


def chain_text(steps: Sequence[WalkStep]) -> str:
    """Steps as they stand in answers.

    >>> chain_text([WalkStep("right", 2), WalkStep("forward", 1)])
    'right 2, forward 1'
    """
    return ", ".join(f"{direction} {length}" for direction, length in steps)
