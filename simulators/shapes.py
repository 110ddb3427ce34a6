"""The six elementary shapes (BAP v2, 5.4.1 and 10.5), in every size and orientation.

A shape is drawn flat, in coordinates (u, v), and then put into the world: u along one axis of the grid and v along
another. Horizontal shapes lie in the xz plane, vertical ones span xy or yz and point up or down.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from random import Random
from typing import Any

from bap_v2_metric.blocks import Cell, Color

Vector = tuple[int, int, int]
UP, DOWN = (0, 1, 0), (0, -1, 0)
LEVEL = ((1, 0, 0), (-1, 0, 0), (0, 0, 1), (0, 0, -1))


def opposite(step: Vector) -> Vector:
    """Return the step the other way."""
    return (-step[0], -step[1], -step[2])


def moved(cell: Cell, step: Vector, times: int = 1) -> Cell:
    """Return the cell so many steps further."""
    return Cell(cell[0] + times * step[0], cell[1] + times * step[1], cell[2] + times * step[2])


def along(cell: Cell, way: Vector) -> int:
    """Return how far a cell is along an axis."""
    return sum(a * b for a, b in zip(cell, way, strict=True))


def difference(first: Cell, second: Cell) -> Vector:
    """Return the way from one cell to another."""
    return (second[0] - first[0], second[1] - first[1], second[2] - first[2])


class ShapeKind(str, Enum):
    """The name of a shape."""

    ROW = "row"
    DIAGONAL = "diagonal"
    T = "t-shape"
    L = "l-shape"
    U = "u-shape"
    PLANE = "plane"


MINIMUM_SIZES: Mapping[ShapeKind, tuple[int, ...]] = {  # 10.5
    ShapeKind.ROW: (3,),  # blocks
    ShapeKind.DIAGONAL: (3,),  # blocks
    ShapeKind.T: (3, 3),  # the bar, an odd number; the height with the bar
    ShapeKind.L: (2, 2),  # both arms, with the corner
    ShapeKind.U: (3, 2),  # the base; the sides, with the corner
    ShapeKind.PLANE: (3, 2),  # longer and shorter side
}


@dataclass(frozen=True, slots=True)
class Shape:
    """One shape in the world."""

    kind: ShapeKind
    color: Color
    size: tuple[int, ...]  # blocks along each side, as in MINIMUM_SIZES
    orientation: str  # "horizontal", "vertical" (symmetrical), "up" or "down"
    plane: str  # the axes that it spans: "x", "y", "z" (rows), "xz", "xy" or "yz"
    cells: tuple[Cell, ...] = field(repr=False)
    # Rows, diagonals and planes are cells origin + i * steps[0] + j * steps[1]: what whole-shape instructions describe.
    origin: Cell = field(repr=False, default=Cell(0, 0, 0))
    steps: tuple[Vector, ...] = field(repr=False, default=())

    @property
    def floor(self) -> int:
        """The height of its lowest block."""
        return min(cell[1] for cell in self.cells)

    @property
    def metadata(self) -> dict[str, Any]:
        """The facts for a row of the shape that its turn belongs to."""
        return {"shape": self.kind.value, "shape_orientation": self.orientation, "shape_size": list(self.size)}

    def moved(self, dx: int, dy: int, dz: int) -> "Shape":
        """Return the same shape elsewhere."""
        return Shape(
            self.kind, self.color, self.size, self.orientation, self.plane,
            tuple(Cell(x + dx, y + dy, z + dz) for x, y, z in self.cells),
            Cell(self.origin[0] + dx, self.origin[1] + dy, self.origin[2] + dz), self.steps,
        )  # fmt: skip

    def painted(self, color: Color) -> "Shape":
        """Return the same shape in another color."""
        return Shape(
            self.kind, color, self.size, self.orientation, self.plane, self.cells, self.origin, self.steps
        )  # fmt: skip


def sample_shape(
    rng: Random,
    kind: ShapeKind,
    color: Color,
    largest: int,
    most_blocks: int = 20,
    size: tuple[int, ...] | None = None,
) -> Shape:
    """Return a shape of random size and orientation, near (0, 0, 0); `Shape.moved` takes it to its place.

    Args:
        largest: blocks along the longest side.
        most_blocks: in the whole shape; a color has 20.
        size: blocks along each side; None draws one.
    """
    # Rows have one axis.
    size = size or _sample_size(rng, kind, largest, most_blocks)
    if kind is ShapeKind.ROW:
        axis = rng.randrange(3)
        step = (_X, _Y, _Z)[axis]
        return _grown(kind, color, size, "vertical" if axis == 1 else "horizontal", "xyz"[axis], (step,))
    # All others lie in a plane.
    orientation, plane, u, v = _sample_axes(rng)
    if kind is ShapeKind.DIAGONAL:
        step = (u[0] + v[0], u[1] + v[1], u[2] + v[2])
        return _grown(kind, color, size, "horizontal" if plane == "xz" else "vertical", plane, (step,))
    if kind is ShapeKind.PLANE:
        return _grown(kind, color, size, "horizontal" if plane == "xz" else "vertical", plane, (u, v))
    # Letters are drawn in their plane.
    drawing = _DRAWINGS[kind](*size)
    cells = tuple(
        Cell(a * u[0] + b * v[0], a * u[1] + b * v[1], a * u[2] + b * v[2]) for a, b in drawing
    )  # fmt: skip
    return Shape(kind, color, size, orientation, plane, cells, cells[0])


_X, _Y, _Z = (1, 0, 0), (0, 1, 0), (0, 0, 1)


def _sample_axes(rng: Random) -> tuple[str, str, Vector, Vector]:
    """Orientation, plane, and the directions of u and v; v is the one that tells up from down."""
    flip = 1 if rng.random() < 0.5 else -1
    plane = ("xz", "xy", "yz")[rng.randrange(3)]
    if plane == "xz":
        turn = 1 if rng.random() < 0.5 else -1
        u, v = ((flip, 0, 0), (0, 0, turn)) if rng.random() < 0.5 else ((0, 0, flip), (turn, 0, 0))
        return "horizontal", plane, u, v
    up = rng.random() < 0.5
    u = (flip, 0, 0) if plane == "xy" else (0, 0, flip)
    return ("up" if up else "down"), plane, u, (0, 1 if up else -1, 0)


def _sample_size(rng: Random, kind: ShapeKind, largest: int, most_blocks: int) -> tuple[int, ...]:
    smallest = MINIMUM_SIZES[kind]
    while True:
        # The bar of a T is odd, and a plane is no square of four blocks.
        if kind is ShapeKind.T:
            bar = 2 * rng.randint(1, max(1, (largest - 1) // 2)) + 1
            size = (bar, rng.randint(3, max(3, largest)))
            blocks = sum(size) - 1
        elif kind is ShapeKind.PLANE:
            size = tuple(rng.randint(2, max(3, largest)) for _ in smallest)
            blocks = size[0] * size[1]
            if max(size) < 3:
                continue
        else:
            size = tuple(rng.randint(least, max(least, largest)) for least in smallest)
            blocks = {ShapeKind.L: sum(size) - 1, ShapeKind.U: size[0] + 2 * size[-1] - 2}.get(kind, size[0])
        # A shape with too many blocks is drawn again.
        if blocks <= most_blocks:
            return size


def _grown(
    kind: ShapeKind, color: Color, size: tuple[int, ...], orientation: str, plane: str, steps: tuple[Vector, ...]
) -> Shape:
    return Shape(kind, color, size, orientation, plane, cells_of(Cell(0, 0, 0), size, steps), Cell(0, 0, 0), steps)


def cells_of(origin: Cell, size: tuple[int, ...], steps: tuple[Vector, ...]) -> tuple[Cell, ...]:
    """Return the cells of a row or diagonal (one step) or of a plane (two), from the origin on, line by line."""
    x, y, z = origin
    (ax, ay, az) = steps[0]
    line = [Cell(x + i * ax, y + i * ay, z + i * az) for i in range(size[0])]
    if len(steps) == 1:
        return tuple(line)
    (bx, by, bz) = steps[1]
    return tuple(Cell(x + j * bx, y + j * by, z + j * bz) for j in range(size[1]) for x, y, z in line)


def _draw_t(bar: int, height: int) -> list[tuple[int, int]]:
    """Upright: the stem stands in the middle and carries the bar."""
    return [(bar // 2, v) for v in range(height - 1)] + [(u, height - 1) for u in range(bar)]


def _draw_l(foot: int, arm: int) -> list[tuple[int, int]]:
    """Upright: the foot lies at the bottom."""
    return [(u, 0) for u in range(foot)] + [(0, v) for v in range(1, arm)]


def _draw_u(base: int, side: int) -> list[tuple[int, int]]:
    """Upright: open at the top."""
    return [(u, 0) for u in range(base)] + [(u, v) for u in (0, base - 1) for v in range(1, side)]


_DRAWINGS = {ShapeKind.T: _draw_t, ShapeKind.L: _draw_l, ShapeKind.U: _draw_u}
