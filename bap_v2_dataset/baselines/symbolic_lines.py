"""What a person sees in blocks of one color: rows, towers, diagonals, rectangles, the corner of an L."""

from collections.abc import Collection, Iterator
from itertools import product

from bap_v2_metric.blocks import Cell

_STRAIGHT = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
_SLANTED = ((1, 1, 0), (1, -1, 0), (0, 1, 1), (0, 1, -1), (1, 0, 1), (1, 0, -1),
            (1, 1, 1), (1, 1, -1), (1, -1, 1), (-1, 1, 1))  # fmt: skip


def lines(cells: Collection[Cell], *, slanted: bool = False) -> list[tuple[Cell, ...]]:
    """Straight lines of two and more cells, as long as they are; `slanted`: whose cells touch at edges only."""
    there = set(cells)
    found = []
    for step, first in product(_SLANTED if slanted else _STRAIGHT, cells):
        if _moved(first, step, -1) in there:
            continue
        line = [first]
        while (following := _moved(line[-1], step)) in there:
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
            _moved(cell, step, sign) in there and _moved(cell, step, -sign) not in there
            for step in _STRAIGHT
            for sign in (1, -1)
        ]
        beyond = [_moved(cell, step, sign) in there for step in _STRAIGHT for sign in (1, -1)]
        if sum(arms) == 2 and sum(beyond) == 2:
            found.append(cell)
    return found


def enclosed(cells: Collection[Cell], by: Collection[Cell]) -> list[Cell]:
    """The cells that have one of the others on each of two opposite sides."""
    there = set(by)
    return [
        cell
        for cell in cells
        if any(_moved(cell, step) in there and _moved(cell, step, -1) in there for step in _STRAIGHT)
    ]


def _patches(there: Collection[Cell], steps: list[tuple[int, int, int]]) -> Iterator[set[Cell]]:
    """The cells that are connected by these steps."""
    left = set(there)
    while left:
        front = [left.pop()]
        patch = set(front)
        while front:
            cell = front.pop()
            for step, sign in product(steps, (1, -1)):
                neighbor = _moved(cell, step, sign)
                if neighbor in left:
                    left.remove(neighbor)
                    patch.add(neighbor)
                    front.append(neighbor)
        yield patch


def _moved(cell: Cell, step: tuple[int, int, int], times: int = 1) -> Cell:
    return Cell(cell.x + times * step[0], cell.y + times * step[1], cell.z + times * step[2])
