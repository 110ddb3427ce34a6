"""What a person sees in blocks of one color: rows, towers, diagonals, rectangles, the corner of an L."""

from collections.abc import Collection, Iterator
from itertools import product

from bap_v2_metric.blocks import Cell
from bap_v2_simulators.shapes import moved

_STRAIGHT = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
_SLANTED = ((1, 1, 0), (1, -1, 0), (0, 1, 1), (0, 1, -1), (1, 0, 1), (1, 0, -1),
            (1, 1, 1), (1, 1, -1), (1, -1, 1), (-1, 1, 1))  # fmt: skip


def lines(cells: Collection[Cell], *, slanted: bool = False) -> list[tuple[Cell, ...]]:
    """Straight lines of two and more cells, as long as they are; `slanted`: whose cells touch at edges only."""
    there = set(cells)
    found = []
    for step, first in product(_SLANTED if slanted else _STRAIGHT, cells):
        if moved(first, step, -1) in there:
            continue
        line = [first]
        while (following := moved(line[-1], step)) in there:
            line.append(following)
        if len(line) > 1:
            found.append(tuple(line))
    return found


def planes(cells: Collection[Cell]) -> list[tuple[Cell, ...]]:
    """Filled rectangles of two by two cells and more, the largest first; else what lies connected in a plane."""
    there = set(cells)
    full, ragged = [], []
    for axis in range(3):
        across = [step for step in _STRAIGHT if not step[axis]]
        for patch in _patches(there, across):
            sides = [{cell[other] for cell in patch} for other in range(3) if other != axis]
            if min(map(len, sides)) > 1:
                filled = len(patch) == len(sides[0]) * len(sides[1])
                (full if filled else ragged).append(tuple(sorted(patch)))
    return sorted(full, key=len, reverse=True) or sorted(ragged, key=len, reverse=True)


def corners_of_ls(cells: Collection[Cell]) -> list[Cell]:
    """Cells at which two lines end that are square to each other."""
    there = set(cells)
    found = []
    for cell in cells:
        arms = [
            moved(cell, step, sign) in there and moved(cell, step, -sign) not in there
            for step in _STRAIGHT
            for sign in (1, -1)
        ]
        beyond = [moved(cell, step, sign) in there for step in _STRAIGHT for sign in (1, -1)]
        if sum(arms) == 2 and sum(beyond) == 2:
            found.append(cell)
    return found


def enclosed(cells: Collection[Cell], one: Collection[Cell], other: Collection[Cell]) -> list[Cell]:
    """Return the cells on the shortest straight line between one of `one` and one of `other`."""
    pairs = list(product(one, other))
    found = {cell: min((_length(*pair) for pair in pairs if _is_between(cell, *pair)), default=0) for cell in cells}
    shortest = min(filter(None, found.values()), default=0)
    return [cell for cell, length in found.items() if length and length == shortest]


def beside_both(one: Cell, other: Cell) -> list[Cell]:
    """Return the cells that touch both with a face."""
    around = {moved(one, step, sign) for step in _STRAIGHT for sign in (1, -1)}
    return sorted(around & {moved(other, step, sign) for step in _STRAIGHT for sign in (1, -1)})


def _is_between(cell: Cell, one: Cell, other: Cell) -> bool:
    """Return whether the cell lies on the straight line between two others; the line may be diagonal."""
    before, after = ([b - a for a, b in zip(*ends, strict=True)] for ends in ((one, cell), (cell, other)))
    products = [a * b for a, b in product(before, after)]
    parallel = all(products[3 * i + j] == products[3 * j + i] for i in range(3) for j in range(i))
    return parallel and sum(products[::4]) > 0


def _length(one: Cell, other: Cell) -> int:
    return sum(abs(a - b) for a, b in zip(one, other, strict=True))


def _patches(there: Collection[Cell], steps: list[tuple[int, int, int]]) -> Iterator[set[Cell]]:
    """Yield the cells that are connected by these steps."""
    left = set(there)
    while left:
        front = [left.pop()]
        patch = set(front)
        while front:
            cell = front.pop()
            for step, sign in product(steps, (1, -1)):
                neighbor = moved(cell, step, sign)
                if neighbor in left:
                    left.remove(neighbor)
                    patch.add(neighbor)
                    front.append(neighbor)
        yield patch
