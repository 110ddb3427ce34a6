"""The Builder's frame: the world turned by whole quarter turns, so that the Builder looks roughly along +z.

In this frame left is +x, right -x, in front +z or -z as the Architect means it, whatever the yaw: what an instruction
says of directions is the same offset in every item. A turn is exact, and so is the way back.
"""

from typing import NamedTuple

from bap_v2_metric.alignment import Transform
from bap_v2_metric.blocks import Cell
from bap_v2_simulators.pose import Pose, turned


class Frame(NamedTuple):
    """A turn of the world. Cells turn about the middle of the region's middle cell, like `alignment.Transform`."""

    quarter_turns: int  # 0..3, of the frame in the world: the Builder's yaw to the nearest quarter

    def cell(self, cell: tuple[int, int, int]) -> Cell:
        """Return a cell of the world as this frame names it."""
        return Transform(-self.quarter_turns % 4, 0, 0)(Cell(*cell))

    def in_world(self, cell: tuple[int, int, int]) -> Cell:
        """Return the inverse of `cell`."""
        return Transform(self.quarter_turns, 0, 0)(Cell(*cell))

    def pose(self, pose: Pose) -> Pose:
        """Return the pose in this frame."""
        return turned(pose, -self.quarter_turns % 4)


WORLD = Frame(0)


def frame_of(yaw: float) -> Frame:
    """Return the frame of a Builder: in it, its yaw is in [-45, 45).

    >>> [frame_of(yaw).quarter_turns for yaw in (-180.0, -46.0, -45.0, 44.9, 45.0, 179.0)]
    [2, 3, 0, 0, 1, 2]
    """
    return Frame(int((yaw + 45.0) // 90.0) % 4)
