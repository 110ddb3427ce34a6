"""Where the Builder stands, where it looks, and how the world looks from there (BAP v2, 2.4 and 5.2.2).

Angles are Minecraft's, in degrees. Yaw 0 faces +z, 90 faces -x, -180 faces -z and -90 faces +x; pitch is positive when
looking down. A position is a point: x, z horizontal, y the height of the feet (1.0 on the ground).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Pose:
    """The Builder's position and orientation, the paper's Pos_B."""

    x: float  # cells
    y: float  # cells; 1.0 is the ground
    z: float  # cells
    yaw: float  # degrees in [-180, 180), 0 faces +z, 90 faces -x
    pitch: float  # degrees in [-90, 90], positive looking down

    def __post_init__(self) -> None:
        if not math.isfinite(self.x + self.y + self.z + self.yaw + self.pitch):
            raise ValueError(f"a pose needs finite numbers: {self}")


def wrapped_yaw(yaw: float) -> float:
    """Return the same direction in [-180, 180): logged yaws run to +-360.

    >>> wrapped_yaw(190.0), wrapped_yaw(-180.0), wrapped_yaw(360.0)
    (-170.0, -180.0, 0.0)
    """
    if -180.0 <= yaw < 180.0:
        return yaw
    wrapped = (yaw + 180.0) % 360.0 - 180.0
    return -180.0 if wrapped >= 180.0 else wrapped  # a tiny negative remainder rounds up to 360


def turned(pose: Pose, quarter_turns: int) -> Pose:
    """Where the Builder stands and looks after quarter turns of the world, the direction of `alignment.Transform`.

    The axis of the turns goes through the middle of the region's middle cell. A cell is named by its corner: the
    middle of (0, y, 0) is x = z = 0.5. Turned about x = z = 0, a Builder on top of a block would stand beside it.

    >>> turned(Pose(0.25, 1.0, -3.0, yaw=170.0, pitch=20.0), 1)
    Pose(x=4.0, y=1.0, z=0.25, yaw=-100.0, pitch=20.0)
    """
    x, z = pose.x, pose.z
    for _ in range(quarter_turns % 4):
        x, z = 1.0 - z, x
    return Pose(x, pose.y, z, wrapped_yaw(pose.yaw + 90.0 * (quarter_turns % 4)), pose.pitch)


def perspective_coordinates(point: Sequence[float], pose: Pose) -> tuple[float, float, float]:
    """The point as the Builder sees it: (x', y', z') with + to its left, + above its line of sight, + away from it.

    The yaw's sign is Minecraft's. The matrix printed in the paper (footnote to 5.2.2) has it the other way round,
    which would mirror left and right at yaw +-90; the coordinates in the corpus agree with this function.

    Args:
        point: x, y, z in cells, e.g. a Cell or a floating point position.
        pose: the Builder's.
    Returns:
        Coordinates in cells, from the Builder's feet: no eye height enters.

    >>> [round(c, 6) for c in perspective_coordinates((1, 1, 3), Pose(0.0, 1.0, 0.0, yaw=0.0, pitch=0.0))]
    [1.0, 0.0, 3.0]
    >>> [round(c, 6) for c in perspective_coordinates((-3, 1, 1), Pose(0.0, 1.0, 0.0, yaw=90.0, pitch=0.0))]
    [1.0, 0.0, 3.0]
    """
    yaw, pitch = math.radians(pose.yaw), math.radians(pose.pitch)
    dx, dy, dz = point[0] - pose.x, point[1] - pose.y, point[2] - pose.z
    left = math.cos(yaw) * dx + math.sin(yaw) * dz
    ahead = -math.sin(yaw) * dx + math.cos(yaw) * dz
    return (
        left,
        math.cos(pitch) * dy + math.sin(pitch) * ahead,
        -math.sin(pitch) * dy + math.cos(pitch) * ahead,
    )
