"""The grid of GSU beside the board of building: directions of the compass, and where a cell lies as somebody sees it
(GSU, 3.1 and A.0.1).
"""

from collections.abc import Sequence
from typing import NamedTuple

from bap_v2_metric.blocks import Cell
from bap_v2_simulators.gsu.walks import EGOCENTRIC, WalkStep, turned, way_of

COMPASS = {"+y": "north", "+x": "east", "-y": "south", "-x": "west", "+z": "up", "-z": "down"}
YAWS = {"+y": 0.0, "+x": 90.0, "-y": -180.0, "-x": -90.0}  # of a Builder with this heading, in degrees
# The coordinate and the sign that grow to the right of, and ahead of, somebody with this heading.
RIGHT = {"+y": (0, 1), "+x": (1, -1), "-y": (0, -1), "-x": (1, 1)}
AHEAD = {"+y": (1, 1), "+x": (0, 1), "-y": (1, -1), "-x": (0, -1)}


class Seen(NamedTuple):
    """The offset from a cell to another, in cells as somebody sees them."""

    right: int
    ahead: int
    up: int


def seen_from(heading: str, start: Sequence[int], end: Sequence[int]) -> Seen:
    """Return where `end` lies from `start` for somebody with this heading, wherever they stand.

    >>> seen_from("-x", (1, -4, 0), (3, -4, 2))
    Seen(right=0, ahead=-2, up=2)
    """
    (right, right_sign), (ahead, ahead_sign) = RIGHT[heading], AHEAD[heading]
    up = end[2] - start[2] if len(start) == 3 else 0
    return Seen(right_sign * (end[right] - start[right]), ahead_sign * (end[ahead] - start[ahead]), up)


def compass_steps(steps: Sequence[WalkStep]) -> list[WalkStep]:
    """Return the same walk in directions of the compass, step by step, for somebody who starts facing north.

    >>> compass_steps([WalkStep("right", 2), WalkStep("forward", 1)])
    [WalkStep(direction='east', length=2), WalkStep(direction='east', length=1)]
    """
    heading, result = "+y", []
    for direction, length in steps:
        way = way_of(direction, heading, EGOCENTRIC)
        heading = turned(heading, way)
        result.append(WalkStep(COMPASS[way], length))
    return result


def to_board(x: int, y: int, z: int = 0) -> Cell:
    """A cell of the grid as a cell of the board of building, which has y upward and x to the left of its front."""
    return Cell(-x, z + 1, y)
