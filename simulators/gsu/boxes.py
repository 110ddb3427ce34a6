"""Boxes of blocks, which are all the shapes of GSU: rows, columns, planes, towers and cubes (GSU, 3.1.3)."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import product
from typing import Any, NamedTuple

ROW, COLUMN, PLANE, TOWER, CUBE = KINDS = ("row", "column", "plane", "tower", "cube")
Place = tuple[int, int, int]


class Box(NamedTuple):
    """All cells between two corners."""

    origin: Place  # the corner with the smallest coordinates
    extents: Place  # cells along x, y and z, each at least 1

    @property
    def far(self) -> Place:
        """The corner with the largest coordinates."""
        (x, y, z), (dx, dy, dz) = self
        return (x + dx - 1, y + dy - 1, z + dz - 1)

    @property
    def spans(self) -> tuple[tuple[int, int], ...]:
        """The smallest and the largest coordinate on each axis."""
        return tuple(zip(self.origin, self.far))

    @property
    def size(self) -> int:
        """The number of cells."""
        dx, dy, dz = self.extents
        return dx * dy * dz

    @property
    def kind(self) -> str:
        """The name of its kind: see `kind_of`."""
        return kind_of(self.extents)

    def facts(self, *colors: str) -> dict[str, Any]:
        """Return what a row tells of a shape of these colors."""
        extents, origin = list(self.extents), list(self.origin)
        return {"kind": self.kind, "colors": list(colors), "extents": extents, "origin": origin}

    def cells(self) -> Iterator[Place]:
        """Its cells, by x, then y, then z."""
        x, y, z = self.origin
        return ((x + dx, y + dy, z + dz) for dx, dy, dz in _offsets(self.extents))

    def moved(self, dx: int, dy: int, dz: int) -> "Box":
        """Return the same box elsewhere."""
        x, y, z = self.origin
        return Box((x + dx, y + dy, z + dz), self.extents)


@lru_cache(maxsize=4096)
def _offsets(extents: Place) -> tuple[Place, ...]:
    return tuple(product(*map(range, extents)))


def kind_of(extents: Place) -> str:
    """Return what a box of these extents is called.

    A row is long on one horizontal axis, a column on the vertical one. A plane is one block thin. A cube has equal
    sides, and a tower is higher than wide. What is left, a lying prism, is a tower too, as a "rectangular prism" is.

    Raises:
        ValueError: for a single block, which has no name.

    >>> [kind_of(extents) for extents in ((1, 5, 1), (1, 1, 5), (4, 1, 7), (2, 2, 2), (2, 2, 8))]
    ['row', 'column', 'plane', 'cube', 'tower']
    """
    dx, dy, dz = extents
    thin = (dx == 1) + (dy == 1) + (dz == 1)
    if thin == 3:
        raise ValueError("a single block has no name")
    if thin == 2:
        return COLUMN if dz > 1 else ROW
    if thin == 1:
        return PLANE
    return CUBE if dx == dy == dz else TOWER


def gap_between(box: Box, other: Box) -> int:
    """Return how many empty layers there are between the boxes, on the axis with most of them; below 0 if they
    overlap."""
    return max(
        max(other_low - high, low - other_high) - 1
        for (low, high), (other_low, other_high) in zip(box.spans, other.spans)
    )
