"""How cubes and the ground are drawn, in cells: colors, faces, marks, edges, and the numbers along two edges.

Whatever draws them, plotly on a page or matplotlib on paper, starts from these shapes.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from bap_v2_dataset.pictures.cubes import Cube
from bap_v2_metric.blocks import X_MAX, X_MIN, Y_MIN, Z_MAX, Z_MIN, Cell, Color

Rgb = tuple[int, int, int]  # 0..255
Point = tuple[float, float, float]  # x, y (up), z in cells: a cell is the cube from its coordinates to those plus 1

RGB: Mapping[Color, Rgb] = {
    Color.RED: (205, 50, 50),
    Color.ORANGE: (240, 140, 30),
    Color.YELLOW: (240, 220, 70),
    Color.GREEN: (60, 160, 75),
    Color.BLUE: (60, 100, 220),
    Color.PURPLE: (150, 80, 190),
}
_PALE = 0.6  # the share of white in a block that was there before
MIDDLE: Point = ((X_MIN + X_MAX + 1) / 2, 4.0, (Z_MIN + Z_MAX + 1) / 2)  # of the drawn space
TOP = 13.0  # height of the drawn space
_SIDES = {  # by outward normal, all but the top: a corner, then what leads right and up as seen from outside (x, y, z)
    (0, -1, 0): ((0, 0, 0), (1, 0, 0), (0, 0, 1)),
    (1, 0, 0): ((1, 0, 1), (0, 0, -1), (0, 1, 0)),
    (-1, 0, 0): ((0, 0, 0), (0, 0, 1), (0, 1, 0)),
    (0, 0, 1): ((0, 0, 1), (1, 0, 0), (0, 1, 0)),
    (0, 0, -1): ((1, 0, 0), (-1, 0, 0), (0, 1, 0)),
}
_LIGHT = {(0, 1, 0): 1.0, (0, -1, 0): 0.55, (1, 0, 0): 0.86, (-1, 0, 0): 0.86, (0, 0, 1): 0.74, (0, 0, -1): 0.74}


def rgb_of(cube: Cube) -> Rgb:
    """Return the color of the cube before shading."""
    color = RGB[cube.color]
    return tuple(round(value + (255 - value) * _PALE) for value in color) if cube.pale else color  # type: ignore


def face_rgb(cube: Cube, light: float) -> Rgb:
    """Return the color of a face of the cube in less light than full (1.0); what is pale stays pale in the shade."""
    light = (light + 2.0) / 3.0 if cube.pale else light
    return tuple(round(value * light) for value in rgb_of(cube))  # type: ignore


def ink_on(rgb: Rgb) -> Rgb:
    """Black or white, whichever is read better on this color (WCAG 2 relative luminance)."""
    linear = [(v / 255 / 12.92 if v <= 10 else ((v / 255 + 0.055) / 1.055) ** 2.4) for v in rgb]
    luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    return (255, 255, 255) if luminance < 0.179 else (20, 20, 20)


def mark_strokes(mark: str) -> list[list[tuple[float, float]]]:
    """Return the lines of a mark on a face that goes from (0, 0), its lower left corner, to (1, 1)."""
    if mark == "✓":
        return [[(0.25, 0.5), (0.43, 0.28), (0.77, 0.74)]]
    if mark == "✗":
        return [[(0.28, 0.28), (0.72, 0.72)], [(0.28, 0.72), (0.72, 0.28)]]
    if mark == "○":
        turns = [2 * math.pi * step / 16 for step in range(17)]
        return [[(0.5 + 0.24 * math.cos(turn), 0.5 + 0.24 * math.sin(turn)) for turn in turns]]
    return []


def forward(yaw: float) -> tuple[float, float]:
    """(x, z) of one cell in the direction of a yaw."""
    turn = math.radians(yaw)
    return -math.sin(turn), math.cos(turn)


@dataclass(frozen=True)
class Face:
    """A face of a cube that is not against another one: a square of side 1."""

    cube: Cube
    normal: tuple[int, int, int]  # outward
    corner: Point  # lower left, as seen from outside
    right: tuple[int, int, int]
    up: tuple[int, int, int]

    def at(self, right: float, up: float, off: float = 0.0) -> Point:
        """Return the point so far to the right and up from the corner, `off` cells before the face."""
        steps = zip(self.corner, self.right, self.up, self.normal)
        return tuple(c + right * r + up * u + off * n for c, r, u, n in steps)  # type: ignore

    @property
    def corners(self) -> list[Point]:
        """All four, counterclockwise as seen from outside."""
        return [self.at(right, up) for right, up in ((0, 0), (1, 0), (1, 1), (0, 1))]

    @property
    def rgb(self) -> Rgb:
        """Its color in the light: brightest on top."""
        return face_rgb(self.cube, _LIGHT[self.normal])

    def strokes(self, off: float = 0.0) -> list[list[Point]]:
        """Return the lines of the cube's mark."""
        return [[self.at(right, up, off) for right, up in stroke] for stroke in mark_strokes(self.cube.mark)]


def faces(cubes: Iterable[Cube], yaw: float, solid: bool = True) -> Iterator[Face]:
    """Yield the faces of the solid cubes that can be seen from somewhere; tops are upright for a Builder with this yaw.

    Args:
        solid: False for the faces of the outlines, without those between two outlines.
    """
    fx, fz = map(round, forward(90.0 * round(yaw / 90.0)))
    right, up = (-fz, 0, fx), (fx, 0, fz)
    top = ((int(min(right[0], up[0]) < 0), 1, int(min(right[2], up[2]) < 0)), right, up)
    chosen = [cube for cube in cubes if cube.solid == solid]
    taken = {cube.cell for cube in chosen}
    for cube in chosen:
        for normal, (corner, right, up) in {**_SIDES, (0, 1, 0): top}.items():
            if _moved(cube.cell, normal) not in taken:
                yield Face(cube, normal, _moved(cube.cell, corner), right, up)


def edge_rgb(cube: Cube) -> Rgb:
    """Return the color of a cube's edges."""
    if cube.solid:
        return (154, 154, 154) if cube.pale else (28, 28, 28)
    return face_rgb(cube, 0.85)


def dashed(start: Point, end: Point) -> list[tuple[Point, Point]]:
    """Return an edge of an outline as its dashes."""
    return [(_between(start, end, a), _between(start, end, b)) for a, b in ((0.0, 0.2), (0.4, 0.6), (0.8, 1.0))]


def cube_edges(cell: Cell, out: float = 0.004) -> Iterator[tuple[Point, Point]]:
    """Yield the twelve edges of a cube that is larger than its cell by `out` on every side."""
    low, high = [c - out for c in cell], [c + 1 + out for c in cell]
    for axis in range(3):
        one, other = (axis + 1) % 3, (axis + 2) % 3
        for a in (low[one], high[one]):
            for b in (low[other], high[other]):
                start, end = [0.0] * 3, [0.0] * 3
                start[axis], end[axis] = low[axis], high[axis]
                start[one] = end[one] = a
                start[other] = end[other] = b
                yield tuple(start), tuple(end)  # type: ignore


class Ground(NamedTuple):
    """A rectangle of the ground, from its low corner to its high one."""

    x0: int
    z0: int
    x1: int
    z1: int

    def ticks(self, yaw: float) -> "list[Tick]":
        """Return the coordinates of its cells, along the two edges that are nearest to a camera with this yaw."""
        fx, fz = (round(step, 6) for step in forward(yaw))  # along an axis it is the same edge, whatever the sign of 0
        z = self.z0 - 0.55 if fz >= 0 else self.z1 + 0.55
        x = self.x0 - 0.55 if fx >= 0 else self.x1 + 0.55
        ticks = [Tick(str(value), (value + 0.5, float(Y_MIN), z)) for value in range(self.x0, self.x1)]
        ticks += [Tick(str(value), (x, float(Y_MIN), value + 0.5)) for value in range(self.z0, self.z1)]
        # The names stand at the ends that are away from the corner that the edges share.
        end_of_x = self.x1 + 0.7 if fx >= 0 else self.x0 - 0.7
        end_of_z = self.z1 + 0.7 if fz >= 0 else self.z0 - 0.7
        return [
            *ticks,
            Tick("x", (end_of_x, float(Y_MIN), z), name=True),
            Tick("z", (x, float(Y_MIN), end_of_z), name=True),
        ]


class Tick(NamedTuple):
    """A number at an edge of the ground, or the name of its axis."""

    text: str
    point: Point
    name: bool = False


BOARD = Ground(X_MIN, Z_MIN, X_MAX + 1, Z_MAX + 1)


def _moved(cell: Cell, step: Sequence[int]) -> Point:
    return tuple(c + d for c, d in zip(cell, step))  # type: ignore


def _between(start: Point, end: Point, share: float) -> Point:
    return tuple(a + share * (b - a) for a, b in zip(start, end))  # type: ignore
