"""Target structures: shapes put together, and which split a target belongs to (BAP v2, 5.4.1 and 10.1)."""

import zlib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache
from random import Random

from bap_v2_metric.blocks import X_MAX, X_MIN, Y_MIN, Z_MAX, Z_MIN, Cell, Color
from bap_v2_simulators.settings import SettingsError, settings_of
from bap_v2_simulators.shapes import Shape, ShapeKind, sample_shape

BLOCKS_PER_COLOR = 20  # what a Builder has of each color
COLORS = tuple(Color)
# The "connected neighborhood" (10.2): the 18 cells that share a face or an edge.
NEIGHBORHOOD = tuple(
    (dx, dy, dz) for dx in (-1, 0, 1) for dy in (-1, 0, 1) for dz in (-1, 0, 1) if 1 <= abs(dx) + abs(dy) + abs(dz) <= 2
)
FACES = tuple(step for step in NEIGHBORHOOD if sum(map(abs, step)) == 1)  # those that share a face
_PLACES_TRIED = 12
_TARGETS_TRIED = 3_000
# One target in four is kept for validation and one for testing, whatever the seed.
_SPLITS = ("train", "train", "validation", "test")


@dataclass(frozen=True, slots=True)
class TargetSettings:
    """The shapes and colors of targets."""

    kinds: tuple[ShapeKind, ...] = tuple(ShapeKind)
    shapes: int = 3
    largest: int = 5  # blocks along the longest side of a shape
    colors: tuple[Color, ...] = COLORS

    def __post_init__(self) -> None:
        # Also names, as they come from a command line.
        object.__setattr__(self, "kinds", tuple(_named(ShapeKind, kind) for kind in self.kinds))
        object.__setattr__(self, "colors", tuple(_named(Color, color) for color in self.colors))
        if not self.kinds or not self.colors:
            raise SettingsError("a target needs at least one kind of shape and one color")
        if not 1 <= self.shapes <= 6:
            raise SettingsError(f"shapes={self.shapes}: a target has 1 to 6 shapes")
        if not 3 <= self.largest <= 9:
            raise SettingsError(f"largest={self.largest}: the longest side of a shape has 3 to 9 blocks")


def sample_target(rng: Random, settings: TargetSettings, split: str) -> tuple[Shape, ...]:
    """Shapes that touch one another and the ground, lie in the BuildRegion and belong to the split.

    Repetition is allowed: of kinds and of colors, up to the twenty blocks of a color.

    Raises:
        SettingsError: if none was found, because the settings allow too few targets.
    """
    for _ in range(_TARGETS_TRIED):
        shapes = _sample_shapes(rng, settings)
        if shapes is None:
            continue
        for _ in range(8):  # the colors decide the split as well as the cells do, and are cheaper to draw again
            painted = [shape.painted(rng.choice(settings.colors)) for shape in shapes]
            if _within_stock(painted) and split_of(colors_of(painted)) == split:
                return tuple(painted)
    raise SettingsError(
        f"no target of the split {split!r} was found in {_TARGETS_TRIED:,} tries: allow more kinds, colors or sizes, "
        f"or fewer shapes (these are {_shown(settings)})"
    )


def colors_of(shapes: Iterable[Shape]) -> dict[Cell, Color]:
    """Return the color of each cell."""
    return {cell: shape.color for shape in shapes for cell in shape.cells}


def split_of(target: Mapping[Cell, Color]) -> str:
    """Return the split that may hold this target: the same after any quarter turn and horizontal translation.

    Each block is described by its height, its color and its distance from the target's vertical axis. Turned or moved
    targets have equal descriptions, so they share a split, and no target of one split appears in another.
    """
    distances = distances_from_axis(target)
    description = sorted(
        (cell[1], color.value, distance) for (cell, color), distance in zip(target.items(), distances, strict=True)
    )
    return _SPLITS[zlib.crc32(repr(description).encode()) % len(_SPLITS)]


def distances_from_axis(cells: Collection[Cell]) -> list[int]:
    """How far each cell is from the vertical axis through the middle of them all, squared; turning and moving keep it.

    In units of one cell divided by the number of cells, so that it is a whole number.

    >>> distances_from_axis([Cell(0, 1, 0), Cell(1, 1, 0), Cell(2, 1, 0)])
    [9, 0, 9]
    """
    n = len(cells)
    sum_x = sum(cell[0] for cell in cells)
    sum_z = sum(cell[2] for cell in cells)
    return [(n * cell[0] - sum_x) ** 2 + (n * cell[2] - sum_z) ** 2 for cell in cells]


@cache
def neighborhood_of(cell: tuple[int, int, int]) -> tuple[tuple[int, int, int], ...]:
    """Return the cells of the connected neighborhood of a cell, inside the region or not; there are few cells."""
    x, y, z = cell
    return tuple((x + dx, y + dy, z + dz) for dx, dy, dz in NEIGHBORHOOD)


def is_connected(cells: Collection[Cell]) -> bool:
    """Return whether one can go from each cell to each other through faces and edges (10.1)."""
    if not cells:
        return True
    left = set(cells)
    reached = [left.pop()]
    while reached:
        for cell in neighborhood_of(reached.pop()):
            if cell in left:
                left.discard(cell)
                reached.append(cell)
    return not left


def _sample_shapes(rng: Random, settings: TargetSettings) -> list[Shape] | None:
    """Shapes in place, colors still open: the first on the ground, each other beside a block of those before."""
    shapes: list[Shape] = []
    occupied: dict[Cell, None] = {}
    for _ in range(settings.shapes):
        shape = _fitted(rng, _new_shape(rng, settings), occupied)
        if shape is None:
            return None
        shapes.append(shape)
        occupied.update(dict.fromkeys(shape.cells))
    return shapes


def _shown(settings: TargetSettings) -> str:
    return ", ".join(f"{name}={value}" for name, value in settings_of(settings).items())


def _named(kind: type[Enum], value: str) -> Enum:
    try:
        return kind(value)
    except ValueError:
        raise SettingsError(f"unknown {value!r} (expected one of {', '.join(one.value for one in kind)})") from None


def _new_shape(rng: Random, settings: TargetSettings) -> Shape:
    return sample_shape(rng, rng.choice(settings.kinds), settings.colors[0], settings.largest, BLOCKS_PER_COLOR)


def _fitted(rng: Random, shape: Shape, occupied: Mapping[Cell, None]) -> Shape | None:
    """Return the shape moved to a random place: somewhere on the ground, or with a random cell beside a random block.

    None if no place was found for it: large shapes are not given up at the first try, or there would be few of them.
    """
    if not occupied:
        low = [min(cell[axis] for cell in shape.cells) for axis in range(3)]
        high = [max(cell[axis] for cell in shape.cells) for axis in range(3)]
        return shape.moved(
            rng.randint(X_MIN - low[0], X_MAX - high[0]), Y_MIN - low[1], rng.randint(Z_MIN - low[2], Z_MAX - high[2])
        )  # fmt: skip
    blocks = list(occupied)
    for _ in range(_PLACES_TRIED):
        block, (dx, dy, dz), cell = rng.choice(blocks), rng.choice(NEIGHBORHOOD), rng.choice(shape.cells)
        mx, my, mz = block[0] + dx - cell[0], block[1] + dy - cell[1], block[2] + dz - cell[2]
        cells = [Cell(x + mx, y + my, z + mz) for x, y, z in shape.cells]
        if all(cell.in_region and cell not in occupied for cell in cells):
            return shape.moved(mx, my, mz)
    return None


def _within_stock(shapes: Iterable[Shape]) -> bool:
    used: dict[Color, int] = {}
    for shape in shapes:
        used[shape.color] = used.get(shape.color, 0) + len(shape.cells)
    return max(used.values()) <= BLOCKS_PER_COLOR
