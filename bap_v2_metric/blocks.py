"""Blocks, cells and structures: the world of the Builder, in the units of the paper (BAP v2, 2.4).

Axes and units, once for the whole project. A cell is one block wide in each direction and is named by three integers:

    x, z   the horizontal plane; -5..5 inside the BuildRegion
    y      height; 1 is the ground, 9 the top of the BuildRegion

A Builder with yaw 0 looks along +z, with yaw 90 along -x (see `bap_v2_simulators.pose`).
"""

from collections.abc import Iterable, Iterator
from enum import Enum
from typing import NamedTuple

X_MIN, X_MAX = -5, 5
Y_MIN, Y_MAX = 1, 9
Z_MIN, Z_MAX = -5, 5
EYE_HEIGHT = 1.62  # cells from a Builder's feet up to its eyes, as in Minecraft


class Color(str, Enum):
    """One of the six block colors; its value is the word used in every text form."""

    RED = "red"
    ORANGE = "orange"
    YELLOW = "yellow"
    GREEN = "green"
    BLUE = "blue"
    PURPLE = "purple"


class Cell(NamedTuple):
    """A place for one block. Any integers are allowed: human Builders also build outside the BuildRegion."""

    x: int
    y: int
    z: int

    @property
    def in_region(self) -> bool:
        """True for a cell in the 11 x 9 x 11 BuildRegion."""
        return X_MIN <= self[0] <= X_MAX and Y_MIN <= self[1] <= Y_MAX and Z_MIN <= self[2] <= Z_MAX

    @property
    def neighbors(self) -> "tuple[Cell, ...]":
        """The six cells that share a face with this one (the paper's adjacency)."""
        x, y, z = self
        return (
            Cell(x - 1, y, z), Cell(x + 1, y, z),
            Cell(x, y - 1, z), Cell(x, y + 1, z),
            Cell(x, y, z - 1), Cell(x, y, z + 1),
        )  # fmt: skip


class Block(NamedTuple):
    """A colored block in a cell."""

    color: Color
    cell: Cell


class Structure:
    """Blocks on the board, at most one per cell, in the order in which they were placed. Immutable.

    Two structures are equal if they hold the same blocks: the order is remembered, not compared.

    >>> Structure([Block(Color.RED, Cell(0, 1, 0))]).distance(Structure())
    1
    """

    __slots__ = ("_colors",)

    def __init__(self, blocks: Iterable[Block] = ()):
        """Args: blocks: in order of placement. Raises: ValueError if two blocks share a cell."""
        colors: dict[Cell, Color] = {}
        for color, cell in blocks:
            if cell in colors:
                raise ValueError(f"two blocks in cell {tuple(cell)}: {colors[cell].value} and {color.value}")
            colors[cell] = color
        self._colors = colors

    @classmethod
    def from_colors(cls, colors: dict[Cell, Color]) -> "Structure":
        """Return the structure that has these colors in these cells; the dict's order is the order of placement."""
        structure = cls.__new__(cls)
        structure._colors = dict(colors)
        return structure

    def colors(self) -> dict[Cell, Color]:
        """Return a new dict from each occupied cell to its color, in order of placement."""
        return dict(self._colors)

    def color_at(self, cell: Cell) -> "Color | None":
        """Return the color of the block in `cell`, or None if the cell is empty."""
        return self._colors.get(cell)

    def distance(self, other: "Structure") -> int:
        """Return the number of net actions between the two structures: |A| + |B| - 2 |A and B| (BAP v2, 2.5)."""
        shared = len(self._colors.items() & other._colors.items())
        return len(self) + len(other) - 2 * shared

    def __iter__(self) -> Iterator[Block]:
        return (Block(color, cell) for cell, color in self._colors.items())

    def __len__(self) -> int:
        return len(self._colors)

    def __contains__(self, block: object) -> bool:
        return isinstance(block, tuple) and len(block) == 2 and self._colors.get(block[1]) == block[0]

    def __eq__(self, other: object) -> bool:
        return self._colors == other._colors if isinstance(other, Structure) else NotImplemented

    def __hash__(self) -> int:
        return hash(frozenset(self._colors.items()))

    def __repr__(self) -> str:
        return f"Structure([{', '.join(f'{b.color.value} {b.cell.x} {b.cell.y} {b.cell.z}' for b in self)}])"
