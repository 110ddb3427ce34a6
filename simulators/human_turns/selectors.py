"""Which cells of a thing, of two things, of the last turn or of the grid are meant: by geometry alone.

Each selector gives spots (a cell, and the way out of the thing there), or None where its words would mean nothing, or
two things.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from bap_v2_metric.blocks import X_MAX, Cell, Color
from bap_v2_simulators.human_turns.changes import along
from bap_v2_simulators.human_turns.repetitions import side_of
from bap_v2_simulators.human_turns.requests import DialogueContext
from bap_v2_simulators.human_turns.things import Thing, is_level, line_of, things_on
from bap_v2_simulators.shapes import Vector, moved, opposite

UP, DOWN = (0, 1, 0), (0, -1, 0)
LEVEL: Sequence[Vector] = ((1, 0, 0), (-1, 0, 0), (0, 0, 1), (0, 0, -1))
_RECTANGLES = ("square", "rectangle", "wall", "frame")


class Spot(NamedTuple):
    """A cell that is selected, and the way out of the thing there."""

    cell: Cell
    way: Vector = UP


class Selection(NamedTuple):
    """What a selector knows."""

    thing: Thing | None
    pivot: Thing | None
    heard: DialogueContext
    way: Vector | None
    count: int
    pair: tuple[Color, str] | None = None  # the two things of this color and kind

    @property
    def line(self) -> Vector | None:
        """The step along a straight line of blocks that is no diagonal."""
        step = line_of(self.thing.cells)
        return step if step is not None and sum(map(abs, step)) == 1 else None

    @property
    def box(self) -> tuple[Cell, Cell]:
        """The lowest and the highest coordinates of the thing."""
        return tuple(Cell(*map(bound, zip(*self.thing.cells, strict=True))) for bound in (min, max))

    def sides(self) -> list[int]:
        """Return how many cells the thing takes up along each axis."""
        low, high = self.box
        return [b - a + 1 for a, b in zip(low, high, strict=True)]


Selector = Callable[[Selection], Sequence[Spot] | None]


def _block(at: Selection) -> Sequence[Spot] | None:
    return [Spot(at.thing.cells[0])] if len(at.thing.cells) == 1 else None


def _ends(at: Selection) -> Sequence[Spot] | None:
    step = line_of(at.thing.cells)
    if step is None or step == UP:
        return None
    return [Spot(min(at.thing.cells), opposite(step)), Spot(max(at.thing.cells), step)]


def _end(at: Selection) -> Sequence[Spot] | None:
    if at.line not in (at.way, opposite(at.way)) or at.count >= len(at.thing.cells):
        return None
    return [Spot(cell) for cell in sorted(at.thing.cells, reverse=at.line == at.way)[: at.count]]


def _corners(at: Selection) -> Sequence[Spot] | None:
    if at.thing.kind not in _RECTANGLES or len(at.thing.cells) < 5:
        return None
    low, high = at.box
    return [Spot(cell) for cell in at.thing.cells if all(c in (a, b) for a, b, c in zip(low, high, cell, strict=True))]


def _level_corners(at: Selection) -> Sequence[Spot] | None:
    return _corners(at) if is_level(at.thing.cells) else None


def _corners_at(at: Selection) -> Sequence[Spot] | None:
    corners = _level_corners(at)
    if corners is None:
        return None
    far = max(along(spot.cell, at.way) for spot in corners)
    return [spot for spot in corners if along(spot.cell, at.way) == far]


def _each(at: Selection) -> Sequence[Spot] | None:
    cells = at.thing.cells
    return [Spot(cell) for cell in cells] if len(cells) > 1 and is_level(cells) else None


def _last(at: Selection) -> Sequence[Spot] | None:
    cells = at.heard.last_cells
    return [Spot(cell) for cell in cells] if len(cells) > 1 and _one_color(cells, at.heard.board) else None


def _every_other(at: Selection) -> Sequence[Spot] | None:
    if at.line not in (at.way, opposite(at.way)) or len(at.thing.cells) < 3:
        return None
    return [Spot(cell) for cell in sorted(at.thing.cells, reverse=at.line == at.way)[::2]]


def _middle(at: Selection) -> Sequence[Spot] | None:
    if at.thing.kind in (None, "block", "diagonal") or any(side % 2 == 0 for side in at.sides()):
        return None
    low, high = at.box
    middle = Cell(*((a + b) // 2 for a, b in zip(low, high, strict=True)))
    return [Spot(middle)] if middle in at.thing.cells else None


def _middle_of_a_row(at: Selection) -> Sequence[Spot] | None:
    across = at.line is not None and at.line != UP and at.way not in (at.line, opposite(at.line))
    return _middle(at) if across else None


def _middle_two(at: Selection) -> Sequence[Spot] | None:
    half, odd = divmod(len(at.thing.cells), 2)
    if at.line is None or odd or half < 2:
        return None
    return [Spot(cell) for cell in sorted(at.thing.cells)[half - 1 : half + 1]]


def _but_the_ends(at: Selection) -> Sequence[Spot] | None:
    return [Spot(cell) for cell in sorted(at.thing.cells)[1:-1]] if line_of(at.thing.cells) else None


def _inside(at: Selection) -> Sequence[Spot] | None:
    if at.thing.kind not in ("square", "rectangle", "wall") or min(side for side in at.sides() if side > 1) < 3:
        return None
    low, high = at.box
    return [
        Spot(cell) for cell in at.thing.cells
        if all(a < c < b or a == b for a, b, c in zip(low, high, cell, strict=True))
    ]  # fmt: skip


def _top(at: Selection) -> Sequence[Spot] | None:
    return [Spot(max(at.thing.cells))] if at.line == UP else None


def _bottom(at: Selection) -> Sequence[Spot] | None:
    return [Spot(min(at.thing.cells))] if at.line == UP else None


def _under(at: Selection) -> Sequence[Spot] | None:
    below = moved(min(at.thing.cells), DOWN)
    tall = at.thing.kind == "block" or at.line == UP
    return [Spot(below)] if tall and below in at.heard.board else None


def _supports(at: Selection) -> Sequence[Spot] | None:
    """All blocks straight beneath a thing that does not stand on the ground: two or more."""
    if at.thing.kind in (None, "block", "diagonal") or at.box[0].y == 1:
        return None
    columns = {(cell.x, cell.z) for cell in at.thing.cells}
    under = [cell for cell in at.heard.board if (cell.x, cell.z) in columns and cell.y < at.box[0].y]
    return [Spot(cell) for cell in under] if len(under) > 1 else None


# --- what is missing


def _one_color(cells: Sequence[Cell], board: Mapping[Cell, Color]) -> bool:
    return len({board.get(cell) for cell in cells}) == 1


def _gap(at: Selection) -> Sequence[Spot] | None:
    """The only straight gap between two things; between two towers of one height that of their tops."""
    both = [at.thing, at.pivot]
    if at.pair is not None:
        both = [thing for thing in things_on(at.heard.board) if (thing.color, thing.kind) == at.pair]
    if len(both) != 2 or both[0] == both[1]:
        return None
    ends = [thing.cells for thing in both]
    if all(thing.kind == "tower" for thing in both):
        ends = [(max(cells),) for cells in ends]
    gaps = [gap for a in ends[0] for b in ends[1] if (gap := _between(a, b, at.heard.board))]
    return [Spot(cell) for cell in gaps[0]] if len(gaps) == 1 else None


def _between(a: Cell, b: Cell, board: Mapping[Cell, Color]) -> list[Cell] | None:
    apart = [axis for axis in range(3) if a[axis] != b[axis]]
    if len(apart) != 1:
        return None
    far = b[apart[0]] - a[apart[0]]
    way = tuple((far > 0) - (far < 0) if axis == apart[0] else 0 for axis in range(3))
    cells = [moved(a, way, times) for times in range(1, abs(far))]
    return None if any(cell in board for cell in cells) else cells


def _missing(at: Selection) -> list[Cell]:
    """The cells of the box around a thing that it does not fill."""
    low, high = at.box
    spans = [range(a, b + 1) for a, b in zip(low, high, strict=True)]
    return [Cell(x, y, z) for y in spans[1] for x in spans[0] for z in spans[2] if (x, y, z) not in at.thing.cells]


def _hollow(at: Selection) -> Sequence[Spot] | None:
    return [Spot(cell) for cell in _missing(at)] if at.thing.kind in ("frame", "u", "c", "arch") else None


def _open_side(at: Selection) -> Sequence[Spot] | None:
    """Where a u is open, if it is open on one side only."""
    bounds = at.box
    if at.thing.kind not in ("u", "c", "arch"):
        return None
    for axis in range(3):
        for bound in bounds:
            side = [cell for cell in _missing(at) if cell[axis] == bound[axis]]
            if bounds[0][axis] < bounds[1][axis] and side:
                return [Spot(cell) for cell in side]
    return None


def _hole(at: Selection, *, of: str | None = None) -> Sequence[Spot] | None:
    missing = _missing(at)
    flat = at.sides().count(1) == 1 and at.thing.kind == of
    return [Spot(cell) for cell in missing] if flat and len(missing) == 1 else None


def _total(at: Selection) -> Sequence[Spot] | None:
    """What a full thing lacks on one side to be so many cells long, or high."""
    far = max(along(cell, at.way) for cell in at.thing.cells)
    face = [cell for cell in at.thing.cells if along(cell, at.way) == far]
    long = far - min(along(cell, at.way) for cell in at.thing.cells) + 1
    if _missing(at) or long >= at.count:
        return None
    return [Spot(moved(cell, at.way, times)) for times in range(1, at.count - long + 1) for cell in face]


def _taller(at: Selection) -> Sequence[Spot] | None:
    return _total(at) if at.thing.kind in ("block", "tower", "row", "wall") else None


def _longer(at: Selection) -> Sequence[Spot] | None:
    return _total(at) if at.thing.kind == "row" and at.line in (at.way, opposite(at.way)) else None


def _squared(at: Selection) -> Sequence[Spot] | None:
    flat = at.thing.kind in ("row", "rectangle") and at.sides()[0 if at.way[2] else 2] == at.count
    return _total(at) if flat else None


# --- where something goes: told by another thing, or by the grid


def _going(at: Selection, way: Vector) -> Sequence[Spot]:
    return [Spot(cell, way) for cell in sorted(at.thing.cells, key=lambda cell: -along(cell, way))]


def _towards(at: Selection) -> Sequence[Spot] | None:
    axis = side_of(at.thing, at.pivot)
    if axis is None:
        return None
    sign = 1 if at.pivot.cells[0][axis] > at.thing.cells[0][axis] else -1
    return _going(at, tuple(sign if i == axis else 0 for i in range(3)))


def _away(at: Selection) -> Sequence[Spot] | None:
    spots = _towards(at)
    return None if spots is None else _going(at, opposite(spots[0].way))


def _inward(at: Selection, *, line: bool = True) -> Sequence[Spot] | None:
    """Towards the middle of the grid: along a line to one side of it, or of a thing straight beside it."""
    low, high = at.box
    level = {axis: low[axis] if low[axis] > 0 else high[axis] for axis in (0, 2) if low[axis] > 0 or high[axis] < 0}
    if line and at.line is not None and at.line != UP:
        level = {axis: far for axis, far in level.items() if at.line[axis]}
    if len(level) != 1:
        return None
    ((axis, far),) = level.items()
    return _going(at, tuple((-1 if far > 0 else 1) if i == axis else 0 for i in range(3)))


def _outward(at: Selection, *, line: bool = True) -> Sequence[Spot] | None:
    spots = _inward(at, line=line)
    return None if spots is None else _going(at, opposite(spots[0].way))


def _grid(at: Selection) -> Sequence[Spot]:
    """The middle of the grid, of one of its edges, or a corner."""
    x, _, z = at.way or (0, 0, 0)
    return [Spot(Cell(X_MAX * x, 0, X_MAX * z))]


def _only_neighbor(at: Selection) -> Sequence[Spot] | None:
    """The only free cell level with and next to a block, or next to each of two things."""
    near = {moved(cell, way) for cell in at.thing.cells for way in LEVEL}
    if at.pivot is not None:
        near &= {moved(cell, way) for cell in at.pivot.cells for way in LEVEL}
    free = [Spot(cell) for cell in near if cell not in at.heard.board and cell.in_region]
    return free if len(free) == 1 and (at.pivot is not None or at.thing.kind == "block") else None


SELECTORS: Mapping[str, Selector] = {
    "block": _block, "ends": _ends, "end": _end, "corners": _corners, "level corners": _level_corners,
    "corners at": _corners_at, "each": _each, "last": _last, "every other": _every_other, "middle": _middle,
    "middle of a row": _middle_of_a_row, "middle two": _middle_two, "but the ends": _but_the_ends, "inside": _inside,
    "top": _top, "bottom": _bottom, "under": _under, "supports": _supports, "gap": _gap, "pair": _gap,
    "hollow": _hollow, "open side": _open_side, "hole": _hole,
    "corner of an l": partial(_hole, of="l"), "taller": _taller, "longer": _longer,
    "squared": _squared, "towards": _towards, "away": _away, "inward": _inward, "outward": _outward,
    "to the middle": partial(_inward, line=False), "from the middle": partial(_outward, line=False),
    "grid middle": _grid, "grid edge": _grid, "grid corner": _grid, "only neighbor": _only_neighbor,
    "neighbor of both": _only_neighbor,
}  # fmt: skip
