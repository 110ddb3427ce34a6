"""Where a simulated Builder stands and looks before each instruction (BAP v2, 5.2.1).

What the paper says: the position is uniform over the places with an unobstructed view of the reference block, at a
suitable distance; the orientation is normal around the one that looks straight at the block, N(angle, h/2), with the
field of view h = 102.4 and v = 70 degrees. How it is read here:

- The *suitable distance* is drawn for each turn from how far human Builders stand from where they build
  (quantiles of 6,656 items); among the places at that distance all are equally likely, but for two things. In 36 to 8%
  of the draws, the fewer the higher the block is, the Builder must stand on the ground: without that, far fewer would
  than in the human games. And a place is seldom taken from which the instruction has to name depth (`Looks.weights`).
  Builders may be outside the BuildRegion.
- N(angle, h/2): half the field of view is two standard deviations, and a draw outside it is repeated. As a standard
  deviation, h/2 would leave the reference outside the field of view in every third turn.
- The optimal pitch is from the eyes to the middle of the block, the optimal yaw atan2(-dx, dz): see pose.py for the
  sign, which the paper prints the other way round.
- The yaw stays within 30 degrees of a direction of the grid, so that left is never nearly behind, unless the
  instruction is clear from elsewhere, too (`Looks.farthest_off_grid`). 12.8% of the human yaws are farther off.
"""

import math
from collections.abc import Callable, Container
from dataclasses import dataclass
from itertools import pairwise
from random import Random

from bap_v2_metric.blocks import EYE_HEIGHT, Cell
from bap_v2_simulators.pose import Pose, wrapped_yaw
from bap_v2_simulators.view import manhattan, off_cardinal, side_of

HORIZONTAL_FOV = 102.4  # degrees
VERTICAL_FOV = 70.0  # degrees
USUAL_OFF_GRID = 30.0  # degrees; 45 would be a tie
_BODY_HEIGHT = 1.8  # cells
_BODY_RADIUS = 0.3  # cells
# The share of Builders that stand on the ground, by the height of the block that they look at: 1, 2, 3, 4, higher.
_ON_THE_GROUND = (0.36, 0.30, 0.20, 0.15, 0.08)
_CLOSEST_HORIZONTAL = 0.7  # cells; straight above a block there is no left
_FARTHEST = 8.0  # |x|, |z| in cells: human Builders step outside the BuildRegion, too
_HIGHEST = 10.0
# Human distances from the middle of the first changed block: cumulative share, cells (docs/data/comparison.md).
_DISTANCES = ((0.0, 1.0), (0.05, 1.5), (0.25, 2.65), (0.5, 3.65), (0.75, 5.1), (0.95, 7.65), (1.0, 9.0))
_ATTEMPTS = 400
_ATTEMPTS_BY_WEIGHT = 200  # after these, a place from any side will do


@dataclass(frozen=True, slots=True)
class Looks:
    """From which sides, and how obliquely, the Builder should look at what an instruction is about."""

    weights: tuple[float, float, float, float] | None = None  # of the four views, see `view.side_of`; None: all alike
    farthest_off_grid: float = USUAL_OFF_GRID  # degrees, up to 45
    oblique: float = 0.0  # the weight of a yaw beyond the usual 30 degrees
    ground: float = 1.0  # of the share of people that stand on the ground


ANYHOW = Looks()


def sample_pose(
    rng: Random,
    focus: Cell,
    board: Container[Cell],
    suits: Callable[[Pose], bool],
    looks: Looks = ANYHOW,
    *,
    through_blocks: bool = False,
) -> Pose | None:
    """Return a pose from which a Builder looks at `focus`, or None if none was found.

    A place from which no draw of the orientation suits is used with a look straight along the grid, if that does.

    Args:
        rng: the stream of poses.
        focus: the reference block; on an empty board, where the first block will be.
        board: the occupied cells.
        suits: what else the pose must allow, e.g. that the reference can be told apart.
        looks: the views and yaws that are preferred.
        through_blocks: for a focus that can be seen from nowhere, places whose view is obstructed will do.
    """
    # The middle of what is looked at, and how far off the grid one may look.
    random = rng.random
    weights, oblique = looks.weights, looks.oblique
    farthest = looks.farthest_off_grid if oblique else USUAL_OFF_GRID
    threshold = 0.0
    x, y, z = focus[0] + 0.5, focus[1] + 0.5, focus[2] + 0.5  # the middle of the block
    for attempt in range(_ATTEMPTS):
        if attempt % 20 == 0:  # a distance without a free place is replaced by another
            distance = _suitable_distance(random())
            on_the_ground = random() < looks.ground * _ON_THE_GROUND[min(focus[1], len(_ON_THE_GROUND)) - 1]
        rise = 1.0 - focus[1] if on_the_ground else distance * (2.0 * random() - 1.0)
        feet = focus[1] + rise
        if feet < 1.0 or feet > _HIGHEST or distance <= abs(rise):
            continue
        horizontal = math.sqrt(distance * distance - rise * rise)
        if horizontal < _CLOSEST_HORIZONTAL:
            continue
        # A place around it: free, within reach, and with a view.
        heading = 2.0 * math.pi * random()
        if weights is not None:
            if attempt >= _ATTEMPTS_BY_WEIGHT:
                weights = None
            else:  # views of less weight than this are refused, places first: that costs least
                threshold = random()
                if weights[side_of(math.degrees(heading) + 90.0)] <= threshold:
                    continue
        px = round(x + horizontal * math.cos(heading), 3)
        py = round(feet, 3)
        pz = round(z + horizontal * math.sin(heading), 3)
        if abs(px) > _FARTHEST or abs(pz) > _FARTHEST or collides(px, py, pz, board):
            continue
        eye = py + EYE_HEIGHT
        if not through_blocks and not is_visible(focus, (px, eye, pz), board):
            continue
        # Orientations around the straight look at it.
        best_yaw = math.degrees(math.atan2(-(x - px), z - pz))
        best_pitch = math.degrees(math.atan2(eye - y, math.hypot(x - px, z - pz)))
        for _ in range(8):
            yaw = _truncated_normal(rng, best_yaw, HORIZONTAL_FOV / 2)
            off = off_cardinal(yaw)
            if off > USUAL_OFF_GRID and (off > farthest or random() >= oblique):
                continue
            if weights is not None and weights[side_of(yaw)] <= threshold:
                continue
            pitch = min(90.0, max(-90.0, _truncated_normal(rng, best_pitch, VERTICAL_FOV / 2)))
            pose = Pose(px, py, pz, wrapped_yaw(round(wrapped_yaw(yaw), 3)), round(pitch, 3))
            if suits(pose):
                return pose
        # Straight along the grid: what is extreme along an axis can always be told apart.
        pose = Pose(px, py, pz, wrapped_yaw(90.0 * round(best_yaw / 90.0)), round(best_pitch, 3))
        if suits(pose):
            return pose
    return None


def sees(pose: Pose, target: Cell, board: Container[Cell]) -> bool:
    """Return whether the cell is in the Builder's field of view, and no other block is before it."""
    eye = (pose.x, pose.y + EYE_HEIGHT, pose.z)
    dx, dy, dz = (part + 0.5 - at for part, at in zip(target, eye, strict=True))
    off_yaw = wrapped_yaw(pose.yaw - math.degrees(math.atan2(-dx, dz)))
    off_pitch = pose.pitch - math.degrees(math.atan2(-dy, math.hypot(dx, dz)))
    return abs(off_yaw) <= HORIZONTAL_FOV / 2 and abs(off_pitch) <= VERTICAL_FOV / 2 and is_visible(target, eye, board)


def is_visible(target: Cell, eye: tuple[float, float, float], board: Container[Cell]) -> bool:
    """Return whether the straight line from the eye to the middle of the target cell meets no other block.

    Walks through the cells on the line (Amanatides and Woo, 1987): cell (x, y, z) reaches from x to x + 1, and so on.
    """
    # The cell of the eye, and the way to the target.
    ex, ey, ez = eye
    x, y, z = math.floor(ex), math.floor(ey), math.floor(ez)
    tx, ty, tz = target
    dx, dy, dz = tx + 0.5 - ex, ty + 0.5 - ey, tz + 0.5 - ez
    # For each axis: the step, the share of the line to the next border, the share from border to border.
    sx, next_x, by_x = _walk(ex, x, dx)
    sy, next_y, by_y = _walk(ey, y, dy)
    sz, next_z, by_z = _walk(ez, z, dz)
    # Cross the nearest border until the target is reached.
    for _ in range(manhattan((x, y, z), target)):
        if (x, y, z) in board:
            return False
        if next_x <= next_y and next_x <= next_z:
            x += sx
            next_x += by_x
        elif next_y <= next_z:
            y += sy
            next_y += by_y
        else:
            z += sz
            next_z += by_z
    return (x, y, z) == (tx, ty, tz)


def _walk(start: float, cell: int, difference: float) -> tuple[int, float, float]:
    if difference > 0.0:
        return 1, (cell + 1 - start) / difference, 1.0 / difference
    if difference < 0.0:
        return -1, (cell - start) / difference, -1.0 / difference
    return 0, math.inf, math.inf


def collides(x: float, y: float, z: float, board: Container[Cell]) -> bool:
    """Return whether a Builder with its feet at this point would stand in a block."""
    columns = {
        (math.floor(x + a), math.floor(z + b))
        for a in (-_BODY_RADIUS, _BODY_RADIUS)
        for b in (-_BODY_RADIUS, _BODY_RADIUS)
    }
    heights = range(math.floor(y), math.floor(y + _BODY_HEIGHT) + 1)
    return any((cx, cy, cz) in board for cx, cz in columns for cy in heights)


def _suitable_distance(share: float) -> float:
    for (low, near), (high, far) in pairwise(_DISTANCES):
        if share <= high:
            return near + (far - near) * (share - low) / (high - low)
    return _DISTANCES[-1][1]


def _truncated_normal(rng: Random, mean: float, bound: float) -> float:
    """Normal around the mean, two standard deviations to the bound, never beyond it."""
    while True:
        noise = rng.gauss(0.0, bound / 2.0)
        if abs(noise) <= bound:
            return mean + noise
