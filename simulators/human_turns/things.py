"""What stands on the board as people see it: things of one color, and what they are called.

A thing is all blocks of one color that touch one another, if only with a corner. Nobody has to remember who built what.
"""

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from itertools import product
from typing import NamedTuple

from bap_v2_metric.blocks import Cell, Color
from bap_v2_simulators.human_turns.drawings import DRAWINGS
from bap_v2_simulators.language.lines import direction_of
from bap_v2_simulators.shapes import Vector

# What looks alike if it is turned has one name at a time: "the u" is not said beside an arch.
ALIKE = {"c": "u", "arch": "u", "i": "h", "square": "wall", "rectangle": "wall"}
AROUND = tuple(step for step in product((-1, 0, 1), repeat=3) if any(step))


class Thing(NamedTuple):
    """Blocks of one color that touch one another, in the order in which they were placed."""

    color: Color
    cells: tuple[Cell, ...]

    @property
    def kind(self) -> str | None:
        """The kind: see `kind_of`."""
        return kind_of(self.cells)

    @property
    def look(self) -> str | None:
        """The kind, or what it would be if it were turned."""
        return ALIKE.get(self.kind, self.kind)


def things_on(board: Mapping[Cell, Color]) -> tuple[Thing, ...]:
    """Return all things, in the order in which their first blocks were placed."""
    return _things(tuple(board.items()))


@lru_cache(maxsize=64)
def _things(blocks: tuple[tuple[Cell, Color], ...]) -> tuple[Thing, ...]:
    # The blocks of each color in the order of placement.
    board = dict(blocks)
    alike: dict[Color, list[Cell]] = {}
    for cell, color in blocks:
        alike.setdefault(color, []).append(cell)
    # Spread from each block to those of its color that it touches.
    thing_of: dict[Cell, int] = {}
    for number, (first, color) in enumerate(blocks):
        edge = [] if first in thing_of else [first]
        while edge:
            x, y, z = cell = edge.pop()
            thing_of[cell] = number
            edge += [
                other
                for other in alike[color]
                if other not in thing_of and abs(other[0] - x) < 2 and abs(other[1] - y) < 2 and abs(other[2] - z) < 2
            ]
    # The blocks of each thing in the order of placement.
    cells: dict[int, list[Cell]] = {}
    for cell in board:
        cells.setdefault(thing_of[cell], []).append(cell)
    return tuple(Thing(board[own[0]], tuple(own)) for own in cells.values())


def thing_at(cell: Cell, board: Mapping[Cell, Color]) -> Thing:
    """Return the thing that a block belongs to."""
    return next(thing for thing in things_on(board) if cell in thing.cells)


@cache
def touching(cell: Cell) -> tuple[Cell, ...]:
    """Return the 26 cells around a cell; there are few cells."""
    x, y, z = cell
    return tuple(Cell(x + dx, y + dy, z + dz) for dx, dy, dz in AROUND)


@lru_cache(maxsize=4_096)
def box_of(cells: tuple[Cell, ...]) -> tuple[Cell, Cell]:
    """Return the lowest and the highest coordinates."""
    return tuple(Cell(*map(bound, zip(*cells, strict=True))) for bound in (min, max))


def line_of(cells: Sequence[Cell]) -> Vector | None:
    """The step along a straight line of two blocks or more, from its first end by coordinates; None for others."""
    return direction_of(sorted(cells))


def is_level(cells: Sequence[Cell]) -> bool:
    """Return whether all blocks are at one height."""
    return len({cell[1] for cell in cells}) == 1


@lru_cache(maxsize=4_096)
def kind_of(cells: tuple[Cell, ...]) -> str | None:
    """Return what blocks look like: `block`, `row`, `tower`, `diagonal`, `wall`, `square`, `rectangle`, a drawing,
    or None."""
    # Blocks and lines.
    if len(cells) == 1:
        return "block"
    step = line_of(cells)
    if step is not None:
        return "diagonal" if sum(map(abs, step)) > 1 else "tower" if step[1] else "row"
    # Filled planes.
    flat = _flat(cells)
    if flat is None:
        return None
    drawn, upright = flat
    width, height = (max(along) + 1 for along in zip(*drawn, strict=True))
    if len(drawn) == width * height:
        return "wall" if upright else "square" if width == height else "rectangle"
    # Drawings, turned and mirrored.
    kinds = [kind for kind, drawing in DRAWINGS.items() if upright or drawing.flat]
    turned = [drawn, _mirrored(drawn)]
    for _ in range(3):
        turned += [_turned(one) for one in turned[-2:]]
    for ways in (turned[:2], turned[2:]):  # an arch is no u that is upside down
        for kind in kinds:
            if any(_is_drawn(kind, one) for one in ways):
                return kind
    return None


def _is_drawn(kind: str, drawn: frozenset[tuple[int, int]]) -> bool:
    width, height = (max(along) + 1 for along in zip(*drawn, strict=True))
    return DRAWINGS[kind].allows(width, height) and frozenset(DRAWINGS[kind].draw(width, height)) == drawn


def _flat(cells: Sequence[Cell]) -> tuple[frozenset[tuple[int, int]], bool] | None:
    """Return the blocks of a thing that is one block thick, as (u, v), and whether it stands upright."""
    for axis, (u, v) in ((1, (0, 2)), (0, (2, 1)), (2, (0, 1))):
        if len({cell[axis] for cell in cells}) == 1:
            low_u, low_v = (min(cell[one] for cell in cells) for one in (u, v))
            return frozenset((cell[u] - low_u, cell[v] - low_v) for cell in cells), axis != 1
    return None


def _mirrored(drawn: frozenset[tuple[int, int]]) -> frozenset[tuple[int, int]]:
    most = max(u for u, _ in drawn)
    return frozenset((most - u, v) for u, v in drawn)


def _turned(drawn: frozenset[tuple[int, int]]) -> frozenset[tuple[int, int]]:
    most = max(v for _, v in drawn)
    return frozenset((most - v, u) for u, v in drawn)
