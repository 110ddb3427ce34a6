"""Where a structure may stand: the first block goes anywhere, and the rest of the plan follows it."""

from collections import Counter
from collections.abc import Collection, Mapping

from bap_v2_metric.alignment import Transform, quarter_turned
from bap_v2_metric.blocks import X_MAX, X_MIN, Z_MAX, Z_MIN, Cell, Color
from bap_v2_simulators.pose import Pose, turned

STAYS = Transform(0, 0, 0)


def anchored(
    goal: Mapping[Cell, Color],
    built: Mapping[Cell, Color],
    all_cells: Collection[Cell],
    otherwise: Transform = STAYS,
) -> Transform:
    """Return the transform of the plan that matches most of what was built.

    Of equally good ones, the one that leaves room for the whole plan, or comes nearest to it; then the one with the
    fewest quarter turns and the shortest translation.

    Args:
        goal: what was asked for first.
        built: what the Builder built.
        all_cells: of the whole plan, supports included: all of them stay inside the BuildRegion.
        otherwise: the transform if nothing matches.
    """
    # Each pair of a block that was asked for and a built one of its color and height votes for a transform.
    votes: Counter[Transform] = Counter()
    near: dict[Transform, Transform] = {}  # where there is no room for the rest: as near to it as there is
    for turns in range(4):
        xs, zs = zip(*(quarter_turned(x, z, turns) for x, _, z in all_cells), strict=True)
        fits_x, fits_z = range(X_MIN - min(xs), X_MAX - max(xs) + 1), range(Z_MIN - min(zs), Z_MAX - max(zs) + 1)
        if not fits_x or not fits_z:  # turned like this, the plan is too wide for the region
            continue
        for cell, color in goal.items():
            x, z = quarter_turned(cell[0], cell[2], turns)
            for other, other_color in built.items():
                if color is other_color and cell[1] == other[1]:
                    move = Transform(turns, other[0] - x, other[2] - z)
                    votes[move] += 1
                    near[move] = Transform(turns, _within(move.dx, fits_x), _within(move.dz, fits_z))

    # The most votes win; `rank` has the order of what is equally good.
    def rank(move: Transform) -> tuple[int, ...]:
        short = abs(move.dx - near[move].dx) + abs(move.dz - near[move].dz)
        return -votes[move], short, move.quarter_turns, abs(move.dx) + abs(move.dz), move.dx, move.dz

    return near[min(votes, key=rank)] if votes else otherwise


def moved_pose(pose: Pose, transform: Transform) -> Pose:
    """Return the pose of a Builder whose world was moved."""
    around = turned(pose, transform.quarter_turns)
    return Pose(around.x + transform.dx, around.y, around.z + transform.dz, around.yaw, around.pitch)


def _within(number: int, fitting: range) -> int:
    return min(max(number, fitting[0]), fitting[-1])
