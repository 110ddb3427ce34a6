"""Boxes among blocks: which blocks hang together, and what a box of them is called."""

from collections.abc import Collection, Mapping
from itertools import product
from typing import NamedTuple

from bap_v2_dataset.tasks.gsu.reading.block_lists import Cell
from bap_v2_dataset.tasks.gsu.reading.phrases import GsuQuestionError

FACES = tuple(step for step in product((-1, 0, 1), repeat=3) if sum(map(abs, step)) == 1)
CORNERS = tuple(step for step in product((-1, 0, 1), repeat=3) if any(step))  # faces and edges too


class Bounds(NamedTuple):
    """The smallest box around some blocks."""

    low: Cell
    high: Cell

    @property
    def sides(self) -> tuple[int, ...]:
        """How many blocks it is long in x, y and z."""
        return tuple(high - low + 1 for low, high in zip(self.low, self.high))

    @property
    def sizes(self) -> list[int]:
        """The sides that are more than one block long."""
        return [side for side in self.sides if side > 1]

    @property
    def volume(self) -> int:
        """How many blocks there is room for."""
        x, y, z = self.sides
        return x * y * z

    @property
    def kind(self) -> str:
        """What a box of this size is called; a lying prism, which no question has, is called a tower."""
        long = len(self.sizes)
        if long <= 1:
            return "column" if self.sides[2] > 1 else "row"
        if long == 2:
            return "plane"
        return "cube" if len(set(self.sides)) == 1 else "tower"


def bounds_of(cells: Collection[Cell]) -> Bounds:
    """The smallest box around cells."""
    xs, ys, zs = zip(*cells)
    return Bounds((min(xs), min(ys), min(zs)), (max(xs), max(ys), max(zs)))


def is_box(cells: Collection[Cell]) -> bool:
    """Whether cells fill a box.

    >>> is_box([(0, 0, 0), (1, 0, 0)]), is_box([(0, 0, 0), (1, 1, 0)])
    (True, False)
    """
    return bounds_of(cells).volume == len(cells)


def pieces(blocks: Mapping[Cell, str], neighbors: Collection[Cell] = FACES) -> list[dict[Cell, str]]:
    """Blocks of one color that hang together, in the order in which they are first named.

    Args:
        neighbors: which cells are next to each other, as steps.
    """
    left, result = dict(blocks), []
    while left:
        first = next(iter(left))
        color = left.pop(first)
        piece, waiting = {first: color}, [first]
        while waiting:
            x, y, z = waiting.pop()
            for dx, dy, dz in neighbors:
                cell = (x + dx, y + dy, z + dz)
                if left.get(cell) == color:
                    piece[cell] = left.pop(cell)
                    waiting.append(cell)
        result.append(piece)
    return result


def boxes(blocks: Mapping[Cell, str], neighbors: Collection[Cell] = FACES) -> list[tuple[str, Bounds]]:
    """The color and size of every piece. Raises: GsuQuestionError, for a piece that is not a box."""
    result = []
    for piece in pieces(blocks, neighbors):
        color = next(iter(piece.values()))
        if not is_box(piece):
            raise GsuQuestionError(f"the {len(piece)} {color} blocks around {next(iter(piece))} fill no box")
        result.append((color, bounds_of(piece)))
    return result


def touch(one: Bounds, other: Bounds) -> bool:
    """Whether two boxes lie face to face."""
    gaps = [max(low - high2, low2 - high) for low, high, low2, high2 in zip(*one, *other)]
    return sorted(gap > 0 for gap in gaps) == [False, False, True] and max(gaps) == 1
