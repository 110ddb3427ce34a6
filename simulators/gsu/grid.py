"""The grid of GSU beside the board of building: directions of the compass, the way a path was walked, and where a cell
lies as somebody sees it (GSU, 3.1 and A.0.1).
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from bap_v2_metric.blocks import Cell
from bap_v2_simulators.gsu.walks import EGOCENTRIC, WAYS, Number, Position, Step, turned, way_of

COMPASS = {"+y": "north", "+x": "east", "-y": "south", "-x": "west", "+z": "up", "-z": "down"}
YAWS = {"+y": 0.0, "+x": 90.0, "-y": -180.0, "-x": -90.0}  # of a Builder with this heading, in degrees
_DIRECTION = {heading: {way: word for word, way in ways.items()} for heading, ways in WAYS.items()}
# The coordinate and the sign that grow to the right of, and ahead of, somebody with this heading.
RIGHT = {"+y": (0, 1), "+x": (1, -1), "-y": (0, -1), "-x": (1, 1)}
AHEAD = {"+y": (1, 1), "+x": (0, 1), "-y": (1, -1), "-x": (0, -1)}


class Seen(NamedTuple):
    """How far a cell lies from another, in cells as somebody sees them."""

    right: int
    ahead: int
    up: int


def seen_from(heading: str, start: Sequence[int], end: Sequence[int]) -> Seen:
    """Where `end` lies from `start` for somebody with this heading, wherever they stand.

    >>> seen_from("-x", (1, -4, 0), (3, -4, 2))
    Seen(right=0, ahead=-2, up=2)
    """
    (right, right_sign), (ahead, ahead_sign) = RIGHT[heading], AHEAD[heading]
    up = end[2] - start[2] if len(start) == 3 else 0
    return Seen(right_sign * (end[right] - start[right]), ahead_sign * (end[ahead] - start[ahead]), up)


def direction_of(way: str, heading: str, frame: str) -> str:
    """The direction that leads this way: the inverse of `gsu_walks.way_of`."""
    return _DIRECTION[heading if frame == EGOCENTRIC else "+y"][way]


def way_between(start: Position, end: Position) -> tuple[str, Number]:
    """The way from a position to another one on the same line of the grid, and how far it is.

    Raises:
        ValueError: the two are equal, or not on one line.
    """
    differing = [axis for axis, (a, b) in enumerate(zip(start, end, strict=True)) if a != b]
    if len(differing) != 1:
        raise ValueError(f"no straight way from {start} to {end}")
    (axis,) = differing
    length = end[axis] - start[axis]
    return f"{'+' if length > 0 else '-'}{'xyz'[axis]}", abs(length)


def steps_along(path: Sequence[Position], frame: str) -> list[Step]:
    """The one chain of steps that leads along a path: the inverse of `gsu_walks.path_of`. Raises: ValueError."""
    heading, steps = "+y", []
    for start, end in pairwise(path):
        way, length = way_between(start, end)
        steps.append(Step(direction_of(way, heading, frame), length))
        heading = turned(heading, way)
    return steps


def compass_steps(steps: Sequence[Step], frame: str = EGOCENTRIC) -> list[Step]:
    """The same walk in directions of the compass, step by step, for somebody who starts facing north.

    >>> compass_steps([Step("right", 2), Step("forward", 1)])
    [Step(direction='east', length=2), Step(direction='east', length=1)]
    """
    heading, result = "+y", []
    for direction, length in steps:
        way = way_of(direction, heading, frame)
        heading = turned(heading, way)
        result.append(Step(COMPASS[way], length))
    return result


def to_board(x: int, y: int, z: int = 0) -> Cell:
    """A cell of the grid as a cell of the board of building, which has y upward and x to the left of its front."""
    return Cell(-x, z + 1, y)


def from_board(cell: Sequence[int]) -> tuple[int, int, int]:
    """The inverse of `to_board`."""
    x, y, z = cell
    return (-x, z, y - 1)
