"""Lines, planes and corners among the blocks of one color: what "the red row" can mean, whoever built it.

Cells only: nothing here knows where the Builder stands.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import pairwise, product

from bap_v2_metric.blocks import Cell
from bap_v2_simulators.shapes import Vector, difference

Line = tuple[Cell, ...]

# One vector for each of the 13 directions, without its opposite.
FLAT: tuple[Vector, ...] = ((1, 0, 0), (0, 0, 1))
UPRIGHT: tuple[Vector, ...] = ((0, 1, 0),)
STRAIGHT = FLAT + UPRIGHT
DIAGONAL: tuple[Vector, ...] = tuple(
    vector for vector in product((-1, 0, 1), repeat=3) if vector > (0, 0, 0) and sum(map(abs, vector)) > 1
)


def runs(cells: Collection[Cell], directions: Iterable[Vector]) -> Iterator[Line]:
    """Yield every maximal run of two cells or more, in order, along each of the directions.

    >>> list(runs({Cell(0, 1, 0), Cell(1, 1, 0), Cell(3, 1, 0)}, FLAT))
    [(Cell(x=0, y=1, z=0), Cell(x=1, y=1, z=0))]
    """
    for dx, dy, dz in directions:
        for x, y, z in cells:
            if (x + dx, y + dy, z + dz) in cells and (x - dx, y - dy, z - dz) not in cells:
                line = [Cell(x, y, z)]
                while (x := x + dx, y := y + dy, z := z + dz) in cells:
                    line.append(Cell(x, y, z))
                yield tuple(line)


def direction_of(line: Sequence[Cell]) -> Vector | None:
    """Return the step from each cell to the next, or None if they do not follow each other in a straight line."""
    steps = {difference(first, second) for first, second in pairwise(line)}
    return steps.pop() if len(steps) == 1 and max(map(abs, next(iter(steps)))) == 1 else None


def is_maximal(line: Line, step: Vector, cells: Collection[Cell]) -> bool:
    """Return whether no other of the cells continues the line at either end."""
    (x, y, z), (u, v, w) = line[0], line[-1]
    dx, dy, dz = step
    return (x - dx, y - dy, z - dz) not in cells and (u + dx, v + dy, w + dz) not in cells


def around(cell: Cell) -> list[Cell]:
    """Return the six cells with a face in common."""
    x, y, z = cell
    return [
        Cell(x + 1, y, z), Cell(x - 1, y, z), Cell(x, y + 1, z), Cell(x, y - 1, z), Cell(x, y, z + 1), Cell(x, y, z - 1)
    ]  # fmt: skip


def has_a_face_neighbor(cell: Cell, cells: Collection[Cell]) -> bool:
    """Return whether another of the cells touches it with a whole face."""
    return any(other in cells for other in around(cell))


def component(cell: Cell, cells: Collection[Cell]) -> set[Cell]:
    """Return the cells that hang together with this one, face to face."""
    reached, edge = {cell}, [cell]
    while edge:
        for other in around(edge.pop()):
            if other in cells and other not in reached:
                reached.add(other)
                edge.append(other)
    return reached


def rectangle(cells: Collection[Cell]) -> tuple[Cell, Cell] | None:
    """Return the lowest and the highest corner of a filled rectangle of 2x2 or more, or None if the cells are none."""
    low, high = _box(cells)
    sides = sorted(b - a + 1 for a, b in zip(low, high, strict=True))
    return (low, high) if sides[0] == 1 and sides[1] > 1 and sides[1] * sides[2] == len(cells) else None


def has_a_square(cells: Collection[Cell]) -> bool:
    """Return whether four of the cells fill a square of 2x2 anywhere, in any of the three planes."""
    return any(
        (x + ax, y + ay, z + az) in cells
        and (x + bx, y + by, z + bz) in cells
        and (x + ax + bx, y + ay + by, z + az + bz) in cells
        for x, y, z in cells
        for (ax, ay, az), (bx, by, bz) in ((FLAT[0], FLAT[1]), (FLAT[0], UPRIGHT[0]), (FLAT[1], UPRIGHT[0]))
    )


def corner_of_an_l(cells: Collection[Cell]) -> Cell | None:
    """Return where the two arms of an L meet, or None if the cells are not just that."""
    arms = list(runs(cells, STRAIGHT))
    if len(arms) != 2 or len(arms[0]) + len(arms[1]) - 1 != len(cells):
        return None
    shared = {arms[0][0], arms[0][-1]} & {arms[1][0], arms[1][-1]}
    return shared.pop() if shared else None


def corners(cells: Collection[Cell]) -> set[Cell]:
    """Return where a straight run ends on the end of another."""
    ends: dict[Cell, int] = {}
    for line in runs(cells, STRAIGHT):
        for cell in (line[0], line[-1]):
            ends[cell] = ends.get(cell, 0) + 1
    return {cell for cell, number in ends.items() if number > 1}


def _box(cells: Collection[Cell]) -> tuple[Cell, Cell]:
    return Cell(*map(min, zip(*cells, strict=True))), Cell(*map(max, zip(*cells, strict=True)))
