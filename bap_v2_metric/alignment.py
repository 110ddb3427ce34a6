"""The rotation and translation that bring one structure closest to another (BAP v2, 4.1 and 4.2).

Allowed transforms are the four rotations by 90 degrees about the vertical axis, each followed by a horizontal
translation that leaves every moved cell inside the BuildRegion: at most 4 x 21 x 21 = 1,764 candidates.

The optimum is exact, and found without trying them. After a rotation two blocks coincide only under one translation,
the difference of their positions. So every pair of blocks of equal color and height votes for one transform a
rotation, and the votes of a transform are exactly the number of blocks that it matches.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from .blocks import X_MAX, X_MIN, Z_MAX, Z_MIN, Cell, Structure

LabeledCell = tuple[object, Cell]


class Transform(NamedTuple):
    """Quarter turns about the vertical axis through x = z = 0, then a horizontal translation in cells."""

    quarter_turns: int  # 0..3; one turn takes (x, z) to (-z, x) and adds 90 degrees to a yaw
    dx: int
    dz: int

    def __call__(self, cell: Cell) -> Cell:
        """Move a cell."""
        x, z = quarter_turned(cell.x, cell.z, self.quarter_turns)
        return Cell(x + self.dx, cell.y, z + self.dz)


def align(moving: Structure, fixed: Structure) -> Transform:
    """Return the transform of `moving` that minimizes its distance to `fixed`, staying inside the BuildRegion.

    Of several optimal transforms the one with the larger overlap of cells, whatever their colors, is taken (which
    makes Location F1 well defined); then the one with fewer quarter turns, the shorter translation |dx| + |dz|, the
    smaller dx and the smaller dz. Both structures lie inside the BuildRegion.

    >>> from .blocks import Block, Color
    >>> row = Structure([Block(Color.RED, Cell(x, 1, 0)) for x in (0, 1, 2)])
    >>> column = Structure([Block(Color.RED, Cell(5, 1, z)) for z in (3, 4, 5)])
    >>> align(row, column)
    Transform(quarter_turns=1, dx=5, dz=3)
    """
    # If no block can be matched, the overlap of cells decides; if no cell either, nothing is better than not to move.
    votes = _votes(moving, fixed) or _votes(_unlabeled(moving), _unlabeled(fixed)) or {(0, 0, 0): 0}
    most = max(votes.values())
    tied = [Transform(*transform) for transform, count in votes.items() if count == most]
    moving_cells, fixed_cells = moving.colors(), fixed.colors()

    def rank(transform: Transform) -> tuple[int, ...]:
        overlap = sum(transform(cell) in fixed_cells for cell in moving_cells)
        turns, dx, dz = transform
        return -overlap, turns, abs(dx) + abs(dz), dx, dz

    return min(tied, key=rank)


def largest_overlap(moving: Iterable[LabeledCell], fixed: Iterable[LabeledCell]) -> int:
    """Return the most labeled cells that any allowed transform of `moving` makes coincide with `fixed`.

    Cells match only under equal labels: colors for structures, (type, color) for net actions.

    Args:
        moving, fixed: (label, cell) pairs, no pair twice, all cells inside the BuildRegion.
    """
    return max(_votes(moving, fixed).values(), default=0)


def best_transforms(moving: Iterable[LabeledCell], fixed: Iterable[LabeledCell]) -> list[Transform]:
    """All allowed transforms of `moving` that make the most labeled cells coincide; none if no transform matches any.

    Args:
        moving, fixed: as for `largest_overlap`.
    """
    votes = _votes(moving, fixed)
    most = max(votes.values(), default=0)
    return [Transform(*transform) for transform, count in votes.items() if count == most]


def _votes(moving: Iterable[LabeledCell], fixed: Iterable[LabeledCell]) -> dict[tuple[int, int, int], int]:
    """Return by (turns, dx, dz), for the allowed transforms that match any: how many labeled cells they match."""
    # Which cells a moving cell could lie on: those of its label and height.
    partners: dict[object, list[tuple[int, int]]] = {}  # the (x, z) of fixed cells, by label and height
    for label, (x, y, z) in fixed:
        partners.setdefault((label, y), []).append((x, z))
    # Each pair of cells votes for the turn and the shift that lay one on the other.
    moving = list(moving)
    votes = Counter(
        (turns, fixed_x - x, fixed_z - z)
        for label, (moving_x, y, moving_z) in moving
        if (label, y) in partners
        for turns in range(4)
        for x, z in [quarter_turned(moving_x, moving_z, turns)]
        for fixed_x, fixed_z in partners[label, y]
    )
    # Votes for transforms that leave the region do not count.
    reach = _reach([cell for _, cell in moving]) if votes else []
    return {
        (turns, dx, dz): count
        for (turns, dx, dz), count in votes.items()
        if dx in reach[turns][0] and dz in reach[turns][1]
    }


def _unlabeled(blocks: Iterable[LabeledCell]) -> Iterator[LabeledCell]:
    return ((None, cell) for _, cell in blocks)


def _reach(cells: list[Cell]) -> list[tuple[range, range]]:
    """For each number of quarter turns, the dx and dz that leave all cells inside the BuildRegion."""
    reach = []
    for turns in range(4):
        xs, zs = zip(*(quarter_turned(x, z, turns) for x, _, z in cells))
        reach.append((range(X_MIN - min(xs), X_MAX - max(xs) + 1), range(Z_MIN - min(zs), Z_MAX - max(zs) + 1)))
    return reach


def quarter_turned(x: int, z: int, quarter_turns: int) -> tuple[int, int]:
    """Turn (x, z) by 0 to 3 quarter turns, each from (x, z) to (-z, x)."""
    if quarter_turns == 0:
        return x, z
    if quarter_turns == 1:
        return -z, x
    if quarter_turns == 2:
        return -x, -z
    return z, -x
