"""Directions as the Builder sees them, and how far apart two cells lie in them (BAP v2, 5.2.2 and 5.2.3).

The paper compares the perspective coordinates of two blocks and names the larger difference. Two choices make that
comparison safe to say aloud:

- It is taken level with the ground, without the pitch. With the pitch, "behind" turns into "above" for a Builder who
  looks down, and the prompts (Table 5) tell a model the yaw but no pitch.
- A Builder whose yaw nearly ties between two directions hears nothing that would depend on it: `viewpoint.sample_pose`
  keeps the yaw within some degrees of one of the four directions of the grid, which is then what it calls "away".
  `clear_up_to` says within how many.
"""

from collections.abc import Iterable
from enum import Enum
from typing import Any, NamedTuple

from bap_v2_metric.blocks import Cell

Way = tuple[int, int, int]  # from one cell to another, along the axes of the grid


class Direction(str, Enum):
    """The six 1D relations, from the Builder's point of view."""

    LEFT = "left"
    RIGHT = "right"
    TOP = "top"
    BOTTOM = "bottom"
    FRONT = "front"  # towards the Builder
    BEHIND = "behind"  # away from the Builder


class Offset(NamedTuple):
    """The way from one cell to another, in whole cells as the Builder sees them.

    Between neighbors it is one of the 26 relations: 6 with one direction (1D), 12 with two (2D), 8 with three (3D).
    """

    left: int  # negative: to the right
    up: int
    away: int  # negative: towards the Builder

    @property
    def directions(self) -> tuple[Direction, ...]:
        """The directions in it, vertical first: (TOP, LEFT) for one up and one to the left."""
        return _DIRECTIONS[_sign(self.left), _sign(self.up), _sign(self.away)]

    @property
    def relation(self) -> str:
        """The name of the relation, without distances: `left`, `top+left`, `bottom+right+front`."""
        return "+".join(direction.value for direction in self.directions)

    @property
    def step(self) -> "Offset":
        """One cell of the same relation."""
        return Offset(_sign(self.left), _sign(self.up), _sign(self.away))


class View(NamedTuple):
    """The grid from one of its four sides; equal for all yaws within 45 degrees of the same side.

    >>> View.of(yaw=-80.0).offset(Cell(0, 1, 0), Cell(2, 1, 1))
    Offset(left=-1, up=0, away=2)
    """

    left: tuple[int, int]  # (dx, dz) of one cell to the Builder's left
    away: tuple[int, int]  # (dx, dz) of one cell away from the Builder

    @classmethod
    def of(cls, yaw: float) -> "View":
        """Return the view of a Builder with this yaw in degrees."""
        return _VIEWS[side_of(yaw)]

    def offset(self, start: Cell, end: Cell) -> Offset:
        """Return the way from `start` to `end`."""
        dx, dz = end[0] - start[0], end[2] - start[2]
        (lx, lz), (ax, az) = self
        return Offset(dx * lx + dz * lz, end[1] - start[1], dx * ax + dz * az)

    def cell(self, start: Cell, offset: Offset, times: int = 1) -> Cell:
        """Return where one is after going the way of `offset` from `start` so many times."""
        (lx, lz), (ax, az) = self
        left, up, away = offset
        return Cell(
            start[0] + times * (left * lx + away * ax),
            start[1] + times * up,
            start[2] + times * (left * lz + away * az),
        )

    def vector(self, offset: Offset) -> tuple[int, int, int]:
        """Return the offset along the axes of the grid."""
        return tuple(self.cell(Cell(0, 0, 0), offset))


def side_of(yaw: float) -> int:
    """Return which of the four views a Builder with this yaw in degrees has, from 0 to 3."""
    return round(yaw / 90.0) % 4


def clear_up_to(ways: Iterable[Way]) -> float:
    """Return how far the yaw may be off the grid for the names of these ways to be clear, in degrees.

    The larger coordinate names the relation (5.2.2). What lies straight along the grid keeps its name up to 45 degrees:
    at 37.5 its larger coordinate is still 1.3 times the other, and what would get the name instead fits worse by 15
    degrees. What lies diagonally, seen from 30 degrees off, is already more to one side than to the other by 3.7 times,
    and "left and behind" turns into "left". What lies above or below keeps its name from everywhere.

    Args:
        ways: that the instruction names, along the axes of the grid.
    """
    horizontal = max((bool(x) + bool(z) for x, _, z in ways), default=0)
    return _CLEAR_UP_TO[horizontal]


def depth_weights(ways: Iterable[Way], depth: float) -> tuple[float, float, float, float] | None:
    """Return how much each of the four views (`side_of`) should be preferred, from 0 to 1; None if they are all alike.

    Args:
        ways: that the instruction names, along the axes of the grid.
        depth: the weight of each "in front" or "behind" that one view needs and another does not.
    """
    along_x, along_z = _horizontal(ways)
    if along_x == along_z or depth == 1.0:
        return None
    weight = depth ** abs(along_x - along_z)  # views 0 and 2 look along z
    return (weight, 1.0, weight, 1.0) if along_z > along_x else (1.0, weight, 1.0, weight)


def facing(way: Way) -> tuple[float, float, float, float]:
    """Return the weights of the four views (`side_of`) for a Builder from which this way has to lead away."""
    return tuple(float(view.away == (way[0], way[2])) for view in _VIEWS)


def depth_from_every_side(ways: Iterable[Way]) -> int:
    """Return how many of the ways are "in front" or "behind" even from the side where the fewest are."""
    return min(_horizontal(ways))


def _horizontal(ways: Iterable[Way]) -> tuple[int, int]:
    """Return how many of the ways lead along x, and how many along z."""
    along_x = along_z = 0
    for x, _, z in ways:
        along_x += x != 0
        along_z += z != 0
    return along_x, along_z


def offset_metadata(offset: Offset | None) -> dict[str, Any]:
    """Return what a row tells of the way from the block that was named to the one to build; None if none was named."""
    return {
        "relation": offset.relation if offset else None,
        "relation_type": f"{len(offset.directions)}D" if offset else None,
        "offset": list(offset) if offset else None,
    }


def off_grid(yaw: float) -> float:
    """How far the yaw is turned from the nearest direction of the grid: degrees in [-45, 45), positive to the right.

    >>> off_grid(10.0), off_grid(-100.0), off_grid(179.0)
    (10.0, -10.0, -1.0)
    """
    return (yaw + 45.0) % 90.0 - 45.0


def off_cardinal(yaw: float) -> float:
    """Return the angle between the yaw and the nearest direction of the grid, in degrees from 0 to 45."""
    return abs(off_grid(yaw))


def manhattan(a: Cell, b: Cell) -> int:
    """Return the distance between two cells, in steps along the axes (10, Note)."""
    return abs(a[0] - b[0]) + abs(a[1] - b[1]) + abs(a[2] - b[2])


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


# away = (-sin yaw, cos yaw), left = (cos yaw, sin yaw) at yaw 0, 90, 180, 270: Minecraft's sign, see pose.py.
_VIEWS = (
    View(left=(1, 0), away=(0, 1)),
    View(left=(0, 1), away=(-1, 0)),
    View(left=(-1, 0), away=(0, -1)),
    View(left=(0, -1), away=(1, 0)),
)
_CLEAR_UP_TO = (45.0, 37.5, 30.0)  # by the number of horizontal axes along which a way leads
_DIRECTIONS = {
    (left, up, away): tuple(
        direction
        for sign, positive, negative in (
            (up, Direction.TOP, Direction.BOTTOM),
            (left, Direction.LEFT, Direction.RIGHT),
            (away, Direction.BEHIND, Direction.FRONT),
        )
        if sign
        for direction in (positive if sign > 0 else negative,)
    )
    for left in (-1, 0, 1)
    for up in (-1, 0, 1)
    for away in (-1, 0, 1)
}
