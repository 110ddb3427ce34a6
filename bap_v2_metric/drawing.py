"""How cubes and the Builder are drawn, in cells: colors, faces, marks, edges, and an arrow.

Whatever draws them, plotly on a page or matplotlib on paper, starts from these shapes.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from .blocks import EYE_HEIGHT, X_MAX, X_MIN, Y_MIN, Z_MAX, Z_MIN, Cell, Color
from .cubes import Cube

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
REACH = 9.0  # cells from the middle of the board to where the Builder is drawn at most
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
    """The color of the cube before shading."""
    color = RGB[cube.color]
    return tuple(round(value + (255 - value) * _PALE) for value in color) if cube.pale else color  # type: ignore


def face_rgb(cube: Cube, light: float) -> Rgb:
    """The color of a face of the cube in less light than full (1.0); what is pale stays pale in the shade."""
    light = (light + 2.0) / 3.0 if cube.pale else light
    return tuple(round(value * light) for value in rgb_of(cube))  # type: ignore


def ink_on(rgb: Rgb) -> Rgb:
    """Black or white, whichever is read better on this color (WCAG 2 relative luminance)."""
    linear = [(v / 255 / 12.92 if v <= 10 else ((v / 255 + 0.055) / 1.055) ** 2.4) for v in rgb]
    luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    return (255, 255, 255) if luminance < 0.179 else (20, 20, 20)


def mark_strokes(mark: str) -> list[list[tuple[float, float]]]:
    """The lines of a mark on a face that goes from (0, 0), its lower left corner, to (1, 1)."""
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
    """A face of a solid cube that is not against another one: a square of side 1."""

    cube: Cube
    normal: tuple[int, int, int]  # outward
    corner: Point  # lower left, as seen from outside
    right: tuple[int, int, int]
    up: tuple[int, int, int]

    def at(self, right: float, up: float, off: float = 0.0) -> Point:
        """The point so far to the right and up from the corner, `off` cells before the face."""
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
        """The lines of the cube's mark."""
        return [[self.at(right, up, off) for right, up in stroke] for stroke in mark_strokes(self.cube.mark)]


def faces(cubes: Iterable[Cube], yaw: float) -> Iterator[Face]:
    """The faces of the solid cubes that can be seen from somewhere; tops are upright for a Builder with this yaw."""
    fx, fz = map(round, forward(90.0 * round(yaw / 90.0)))
    right, up = (-fz, 0, fx), (fx, 0, fz)
    top = ((int(min(right[0], up[0]) < 0), 1, int(min(right[2], up[2]) < 0)), right, up)
    solids = [cube for cube in cubes if cube.solid]
    taken = {cube.cell for cube in solids}
    for cube in solids:
        for normal, (corner, right, up) in {**_SIDES, (0, 1, 0): top}.items():
            if _moved(cube.cell, normal) not in taken:
                yield Face(cube, normal, _moved(cube.cell, corner), right, up)


def edge_rgb(cube: Cube) -> Rgb:
    """The color of a cube's edges."""
    if cube.solid:
        return (154, 154, 154) if cube.pale else (28, 28, 28)
    return face_rgb(cube, 0.85)


def dashed(start: Point, end: Point) -> list[tuple[Point, Point]]:
    """An edge of an outline as its dashes."""
    return [(_between(start, end, a), _between(start, end, b)) for a, b in ((0.0, 0.2), (0.4, 0.6), (0.8, 1.0))]


def cube_edges(cell: Cell, out: float = 0.004) -> Iterator[tuple[Point, Point]]:
    """The twelve edges of a cube that is larger than its cell by `out` on every side."""
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


@dataclass(frozen=True)
class Arrow:
    """The Builder: a pole from the ground to its eyes, and a pyramid there that points where it looks."""

    ground: Point
    feet: Point
    tip: Point
    base: tuple[Point, Point, Point, Point]
    eyes: Point
    words: str


def arrow(pose: Mapping[str, float]) -> Arrow:
    """The Builder as it is drawn; far away from the board (9 cells from its middle) it stands nearer than it does."""
    x = min(max(pose["x"], MIDDLE[0] - REACH), MIDDLE[0] + REACH)
    z = min(max(pose["z"], MIDDLE[2] - REACH), MIDDLE[2] + REACH)
    feet = min(pose["y"], TOP - 1.0 - EYE_HEIGHT)
    eyes = (x, feet + EYE_HEIGHT, z)
    (fx, fz), pitch = forward(pose["yaw"]), math.radians(pose["pitch"])
    ahead = (math.cos(pitch) * fx, -math.sin(pitch), math.cos(pitch) * fz)
    right = (-fz, 0.0, fx)
    over = (-right[2] * ahead[1], right[2] * ahead[0] - right[0] * ahead[2], right[0] * ahead[1])  # right x ahead
    corners = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    return Arrow(
        ground=(x, float(Y_MIN), z),
        feet=(x, feet, z),
        tip=_along(eyes, ahead, 1.1),
        base=tuple(_along(_along(eyes, right, 0.22 * a), over, 0.22 * b) for a, b in corners),  # type: ignore
        eyes=eyes,
        words=f"the Builder at {pose['x']:.1f} {pose['y']:.1f} {pose['z']:.1f}, yaw {pose['yaw']:.0f}°, "
        f"pitch {pose['pitch']:.0f}°",
    )


def _moved(cell: Cell, step: Sequence[int]) -> Point:
    return tuple(c + d for c, d in zip(cell, step))  # type: ignore


def _along(point: Point, direction: Sequence[float], length: float) -> Point:
    return tuple(p + length * d for p, d in zip(point, direction))  # type: ignore


def _between(start: Point, end: Point, share: float) -> Point:
    return tuple(a + share * (b - a) for a, b in zip(start, end))  # type: ignore
