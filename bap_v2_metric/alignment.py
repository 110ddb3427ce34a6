"""The rotation and translation that bring one structure closest to another (BAP v2, 4.1 and 4.2).

Allowed transforms are the four rotations by 90 degrees about the vertical axis, each followed by a horizontal
translation that leaves every moved cell inside the BuildRegion: at most 4 x 21 x 21 = 1,764 candidates.

The optimum is found without trying them. Two blocks coincide only under the offset that is the difference of their
positions, so every pair of blocks of equal colour and height votes for one offset, and an offset's votes are exactly
the number of blocks that it matches. All offsets are tallied at once: one long integer has a digit for each, and a
block adds its whole set of partners, shifted to where it stands itself.
"""

from collections.abc import Iterable
from functools import lru_cache
from itertools import product
from operator import lshift
from typing import NamedTuple

from .blocks import X_MAX, X_MIN, Y_MAX, Y_MIN, Z_MAX, Z_MIN, Cell, Structure

_SIDE = 21  # offsets on one axis: -10..10
_OFFSETS = _SIDE * _SIDE  # an offset's index is (dx + 10) * 21 + dz + 10
_EVERY_BYTE = bytes(range(256))


class Transform(NamedTuple):
    """Quarter turns about the vertical axis through x = z = 0, then a horizontal translation in cells."""

    quarter_turns: int  # 0..3; one turn takes (x, z) to (-z, x) and adds 90 degrees to a yaw
    dx: int
    dz: int

    def __call__(self, cell: Cell) -> Cell:
        """Where `cell` is moved to."""
        x, z = _turned(cell.x, cell.z, self.quarter_turns)
        return Cell(x + self.dx, cell.y, z + self.dz)


def align(moving: Structure, fixed: Structure) -> Transform:
    """The transform of `moving` that minimises its distance to `fixed`, staying inside the BuildRegion.

    Of several optimal transforms the one with the larger overlap of cells, whatever their colours, is taken (which
    makes Location F1 well defined); then the one with fewer quarter turns, the shorter translation |dx| + |dz|, the
    smaller dx and the smaller dz. Both structures lie inside the BuildRegion.

    >>> from .blocks import Block, Color
    >>> row = Structure([Block(Color.RED, Cell(x, 1, 0)) for x in (0, 1, 2)])
    >>> column = Structure([Block(Color.RED, Cell(5, 1, z)) for z in (3, 4, 5)])
    >>> align(row, column)
    Transform(quarter_turns=1, dx=5, dz=3)
    """
    moving_colors, fixed_colors = moving.colors(), fixed.colors()
    if not moving_colors or moving_colors == fixed_colors:
        return Transform(0, 0, 0)
    masks = _reach_masks(*_extent(moving_colors))
    voters = _Voters(zip(moving_colors.values(), moving_colors.keys()), zip(fixed_colors.values(), fixed_colors.keys()))
    best, tied = 0, []
    for turns in range(4):
        votes = voters.votes(turns, masks[turns])
        top = _largest(votes, best)
        if top > best:
            best, tied = top, []
        index = -1
        for _ in range(votes.count(best) if best else 0):
            index = votes.index(best, index + 1)
            tied.append((turns, index))
    if not best:  # no block can be matched: every allowed transform is as good as any other
        inside = [mask.to_bytes(_OFFSETS, "little") for mask in masks]
        tied = [(turns, index) for turns in range(4) for index in range(_OFFSETS) if inside[turns][index]]
    if len(tied) > 1:
        shared_cells = _shared_cells(moving_colors, fixed_colors, tied)
        most = max(shared_cells)
        tied = [transform for transform, shared in zip(tied, shared_cells) if shared == most]
    transforms = [Transform(turns, index // _SIDE - 10, index % _SIDE - 10) for turns, index in tied]
    return min(transforms, key=lambda t: (t.quarter_turns, abs(t.dx) + abs(t.dz), t.dx, t.dz))


def largest_overlap(moving: Iterable[tuple[object, Cell]], fixed: Iterable[tuple[object, Cell]]) -> int:
    """The most labelled cells that any allowed transform of `moving` makes coincide with `fixed`.

    Cells match only under equal labels: colours for structures, (type, colour) for net actions.

    Args:
        moving, fixed: (label, cell) pairs, no pair twice, all cells inside the BuildRegion.
    """
    moving = list(moving)
    voters = _Voters(moving, fixed)
    best = 0
    if voters.bound:
        masks = _reach_masks(*_extent(cell for _, cell in moving))
        for turns in range(4):
            votes = voters.votes(turns, masks[turns])
            best = _largest(votes, best)
            if best == voters.bound:
                break
    return best


class _Voters:
    """The moving cells that can match something: who their partners are, and where each turn puts them."""

    def __init__(self, moving: Iterable[tuple[object, Cell]], fixed: Iterable[tuple[object, Cell]]):
        partners: dict[object, int] = {}  # by label and height: one bit for each fixed cell
        n_fixed = 0
        for label, cell in fixed:
            key = (label, cell[1])
            partners[key] = partners.get(key, 0) | _POSITIONS[cell]
            n_fixed += 1
        found = [
            (bits, _SHIFTS[cell]) for label, cell in moving if (bits := partners.get((label, cell[1]))) is not None
        ]
        self.bound = min(len(found), n_fixed)  # no transform matches more
        self.partners = [bits for bits, _ in found]
        self.shifts = list(zip(*[shifts for _, shifts in found]))

    def votes(self, turns: int, mask: int) -> "bytes | list[int]":
        """The number of matches of each offset, by index; 0 for the offsets that the mask excludes."""
        if self.bound < 256:  # a byte holds any count
            total = sum(map(lshift, self.partners, self.shifts[turns])) if self.partners else 0
            return (total & mask).to_bytes(_OFFSETS, "little")
        counts = [0] * _OFFSETS
        for start in range(0, len(self.partners), 255):
            part = slice(start, start + 255)
            total = sum(map(lshift, self.partners[part], self.shifts[turns][part])) & mask
            counts = [count + more for count, more in zip(counts, total.to_bytes(_OFFSETS, "little"))]
        return counts


def _largest(votes: "bytes | list[int]", least: int) -> int:
    """The largest of the votes, and at least `least`."""
    more = votes.translate(None, _EVERY_BYTE[: least + 1]) if isinstance(votes, bytes) else votes
    return max(least, max(more, default=0))


def _shared_cells(moving: Iterable[Cell], fixed: Iterable[Cell], transforms: list[tuple[int, int]]) -> list[int]:
    """How many cells coincide under each (turns, index), whatever the colours."""
    there = {_CODES[cell][0] + _OFFSETS // 2 for cell in fixed}
    codes = [_CODES[cell] for cell in moving]
    here = {turns: [code[turns] for code in codes] for turns in {turns for turns, _ in transforms}}
    return [len([1 for code in here[turns] if code + index in there]) for turns, index in transforms]


def _turned(x: int, z: int, quarter_turns: int) -> tuple[int, int]:
    if quarter_turns == 0:
        return x, z
    if quarter_turns == 1:
        return -z, x
    if quarter_turns == 2:
        return -x, -z
    return z, -x


def _extent(cells: Iterable[Cell]) -> tuple[int, int, int, int]:
    xs, _, zs = zip(*cells)
    return min(xs), max(xs), min(zs), max(zs)


@lru_cache(maxsize=4356)  # all extents there are
def _reach_masks(x_min: int, x_max: int, z_min: int, z_max: int) -> tuple[int, int, int, int]:
    """For each turn of cells with this extent, an integer with 255 in the digit of every allowed offset."""
    masks = []
    for turns in range(4):
        (x_a, z_a), (x_b, z_b) = _turned(x_min, z_min, turns), _turned(x_max, z_max, turns)
        masks.append(
            sum(
                255 << 8 * ((dx + 10) * _SIDE + dz + 10)
                for dx in range(X_MIN - min(x_a, x_b), X_MAX - max(x_a, x_b) + 1)
                for dz in range(Z_MIN - min(z_a, z_b), Z_MAX - max(z_a, z_b) + 1)
            )
        )
    return tuple(masks)


# By cell. A fixed cell is a bit at digit 21 x + z + 110; shifting it by 110 - (21 x' + z') digits puts it at the index
# of the offset that brings (x', z') there. Codes are 21 x + z, heights apart: adding an index moves a code.
_POSITIONS: dict[Cell, int] = {}
_SHIFTS: dict[Cell, tuple[int, ...]] = {}
_CODES: dict[Cell, tuple[int, ...]] = {}
for _x, _y, _z in product(range(X_MIN, X_MAX + 1), range(Y_MIN, Y_MAX + 1), range(Z_MIN, Z_MAX + 1)):
    _flat = [_SIDE * x + z for x, z in (_turned(_x, _z, turns) for turns in range(4))]
    _POSITIONS[Cell(_x, _y, _z)] = 1 << 8 * (_flat[0] + 110)
    _SHIFTS[Cell(_x, _y, _z)] = tuple(8 * (110 - code) for code in _flat)
    _CODES[Cell(_x, _y, _z)] = tuple(1_000 * _y + code for code in _flat)
