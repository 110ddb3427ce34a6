"""Family spg: the Builder stands and looks a little differently, so that all directions stay what they are (SPG).

Blocks stand on a grid and have no small change. The Builder's pose is the only part of an item that has one.
"""

import math
from collections.abc import Iterable
from itertools import product, starmap
from random import Random

from bap_v2_dataset.items.prompts import render
from bap_v2_dataset.tasks.robustness.parent import Parent, VariantChange
from bap_v2_metric.blocks import Cell
from bap_v2_simulators.pose import Pose, perspective_coordinates, wrapped_yaw
from bap_v2_simulators.view import side_of

CELLS = 0.25  # at most so far in each direction
DEGREES = 5.0
_DRAWS = 200
_GROUND = 1.0
_STANDS = 1.05  # up to here the Builder stands on the ground, and keeps its height
_WIDE, _TALL = 0.6, 1.8  # cells, the body of a player in Minecraft
_TOUCHES = 0.01  # cells: who stands at a wall is not in it

Point = tuple[float, float, float]


def nearby_pose(parent: Parent, rng: Random, number: int) -> VariantChange | None:
    """The item with a pose that differs in every number; None if no such pose was found, or the pose is not known."""
    if parent.pose is None:
        return None
    for _ in range(_DRAWS):
        pose = _drawn(parent.pose, rng)
        if looks_the_same(parent, pose) and not walks_into_a_block(parent, pose) and _is_seen(parent, pose):
            moved = {name: round(getattr(pose, name) - value, 9) for name, value in parent.row["pose"].items()}
            moved["yaw"] = round(wrapped_yaw(moved["yaw"]), 9)  # from 179 to -179 degrees it is 2
            return VariantChange({"pose": as_row(pose)}, facts={"moved": moved})
    return None


def looks_the_same(parent: Parent, pose: Pose) -> bool:
    """Return whether from this pose every direction and order of distances is as it was from the parent's.

    For the middles of the cells on the board and in the answer: the side of the grid that the Builder looks along, what
    is to its left and right, in front and behind it; in which of the four directions one cell lies from another, where
    that is not diagonal; and which cell is nearest and which farthest.
    """
    old = parent.pose
    cells = {block.cell for block in parent.blocks} | {action.cell for action in parent.net}
    ways = {(b.x - a.x, b.z - a.z) for a in cells for b in cells if abs(a.x - b.x) != abs(a.z - b.z)}
    middles = [(cell.x + 0.5, cell.y + 0.5, cell.z + 0.5) for cell in sorted(cells)]
    return (
        side_of(old.yaw) == side_of(pose.yaw)
        and all(_quarter(old, middle) == _quarter(pose, middle) for middle in middles)
        and all(_direction(old.yaw, *way) == _direction(pose.yaw, *way) for way in ways)
        and _nearest_and_farthest(old, middles) == _nearest_and_farthest(pose, middles)
    )


def walks_into_a_block(parent: Parent, pose: Pose) -> bool:
    """Check if here the Builder's body, 0.6 cells wide and 1.8 high, is in a block that it was not in before."""
    return not {block.cell for block in parent.blocks}.isdisjoint(_body(pose) - _body(parent.pose))


def as_row(pose: Pose) -> dict[str, float]:
    """Return the pose as it stands in a row."""
    return {name: getattr(pose, name) for name in ("x", "y", "z", "yaw", "pitch")}


def _body(pose: Pose) -> set[Cell]:
    """Return the cells that the Builder's body is in."""
    sides = ((pose.x - _WIDE / 2, _WIDE), (pose.y, _TALL), (pose.z - _WIDE / 2, _WIDE))
    spans = (range(math.floor(low + _TOUCHES), math.ceil(low + size - _TOUCHES)) for low, size in sides)
    return set(starmap(Cell, product(*spans)))


def _drawn(pose: Pose, rng: Random) -> Pose:
    dx, dy, dz = (rng.uniform(-CELLS, CELLS) for _ in range(3))
    yaw, pitch = (rng.uniform(-DEGREES, DEGREES) for _ in range(2))
    height = max(_GROUND, pose.y + dy) if pose.y > _STANDS else pose.y
    return Pose(
        round(pose.x + dx, 3),
        round(height, 3) if pose.y > _STANDS else pose.y,
        round(pose.z + dz, 3),
        wrapped_yaw(round(wrapped_yaw(pose.yaw) + yaw, 3)),
        max(-90.0, min(90.0, round(pose.pitch + pitch, 3))),
    )


def _is_seen(parent: Parent, pose: Pose) -> bool:
    """Return whether the line of the prompt that says where the Builder is says something else."""
    short = {"history": [], "dialogue": []}
    old, new = (render({**short, "pose": one}, "n_posb") for one in (parent.row["pose"], as_row(pose)))
    return old != new


def _quarter(pose: Pose, point: Point) -> tuple[bool, bool]:
    """Return whether a point is to the Builder's left, and whether it is in front of it."""
    left, _, away = perspective_coordinates(point, _level(pose))
    return left > 0, away > 0


def _direction(yaw: float, dx: int, dz: int) -> int:
    """Return the nearest direction of a way as the Builder sees it: left, away, right and near as numbers."""
    angle = math.degrees(math.atan2(dz, dx)) - yaw
    return int((angle + 45.0) // 90.0) % 4


def _nearest_and_farthest(pose: Pose, points: Iterable[Point]) -> tuple[Point, Point] | None:
    by_distance = sorted((math.dist(point, (pose.x, pose.y, pose.z)), point) for point in points)
    return (by_distance[0][1], by_distance[-1][1]) if by_distance else None


def _level(pose: Pose) -> Pose:
    return Pose(pose.x, pose.y, pose.z, pose.yaw, 0.0)
