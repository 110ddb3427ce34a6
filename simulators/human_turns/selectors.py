"""Which cells of a thing, of two things, of the last turn or of the grid are meant: by geometry alone.

Each selector gives cells, or spots (a cell, and the way out of the thing there); nothing where its words would mean
nothing, or two things.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from bap_v2_metric.blocks import X_MAX, Cell, Color
from bap_v2_simulators.human_turns.drawings import DRAWINGS
from bap_v2_simulators.human_turns.repetitions import side_of
from bap_v2_simulators.human_turns.requests import DialogueContext
from bap_v2_simulators.human_turns.things import Thing, box_of, is_level, line_of, things_on
from bap_v2_simulators.shapes import DOWN, LEVEL, UP, Vector, along, moved, opposite

_FILLED = ("square", "rectangle", "wall")
_OPEN = ("u", "c", "arch")
_WITH_A_MIDDLE = ("row", "tower", *_FILLED, *DRAWINGS)


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
    def cells(self) -> tuple[Cell, ...]:
        """Those of the thing."""
        return self.thing.cells

    @property
    def from_end(self) -> list[Cell]:
        """The cells of a line from the end to which the way leads; none if it does not lead along it."""
        line = line_of(self.cells)
        return sorted(self.cells, reverse=line == self.way) if self.way in (line, opposite(line)) else []

    @property
    def box(self) -> tuple[Cell, Cell]:
        """The lowest and the highest coordinates of the thing."""
        return box_of(self.cells)

    @property
    def sides(self) -> list[int]:
        """How many cells the thing takes up along each axis."""
        return [b - a + 1 for a, b in zip(*self.box, strict=True)]

    @property
    def missing(self) -> list[Cell]:
        """The cells of the box around the thing that it does not fill."""
        xs, ys, zs = (range(a, b + 1) for a, b in zip(*self.box, strict=True))
        return [Cell(x, y, z) for y in ys for x in xs for z in zs if (x, y, z) not in self.cells]


Selected = Sequence[Cell] | Sequence[Spot]


def spots_of(selector: str, at: Selection) -> list[Spot]:
    """Return the cells that are meant, and the ways out there; none if the words would mean nothing, or two things."""
    if not fits(selector, at.thing):
        return []
    return [one if isinstance(one, Spot) else Spot(one) for one in SELECTORS[selector][1](at)]


def fits(selector: str, thing: Thing | None) -> bool:
    """Return whether a selector has a meaning for things of this kind."""
    kinds = SELECTORS[selector][0]
    return not kinds or thing is None or thing.kind in kinds


def _ends(at: Selection) -> Selected:
    step = line_of(at.cells)
    return Spot(min(at.cells), opposite(step)), Spot(max(at.cells), step)


def _corners(at: Selection, *, level: bool = False) -> Selected:
    if len(at.cells) < 5 or (level and not is_level(at.cells)):
        return ()
    low, high = at.box
    return [cell for cell in at.cells if all(c in (a, b) for a, b, c in zip(low, high, cell, strict=True))]


def _corners_at(at: Selection) -> Selected:
    corners = _corners(at, level=True)
    return [cell for cell in corners if along(cell, at.way) == max(along(other, at.way) for other in corners)]


def _edge(at: Selection) -> Selected:
    edge = [cell for cell in at.cells if along(cell, at.way) == max(along(other, at.way) for other in at.cells)]
    return edge if 1 < len(edge) < len(at.cells) else ()


def _last(at: Selection) -> Selected:
    cells = at.heard.last_cells
    return cells if len(cells) > 1 and len({at.heard.board.get(cell) for cell in cells}) == 1 else ()


def _middle(at: Selection) -> Selected:
    if any(side % 2 == 0 for side in at.sides):
        return ()
    middle = Cell(*((a + b) // 2 for a, b in zip(*at.box, strict=True)))
    return [middle] if middle in at.cells else ()


def _middle_two(at: Selection) -> Selected:
    half, odd = divmod(len(at.cells), 2)
    return () if odd or half < 2 else sorted(at.cells)[half - 1 : half + 1]


def _inside(at: Selection) -> Selected:
    if min(side for side in at.sides if side > 1) < 3:
        return ()
    low, high = at.box
    return [c for c in at.cells if all(a < part < b or a == b for a, b, part in zip(low, high, c, strict=True))]


def _under(at: Selection) -> Selected:
    below = moved(min(at.cells), DOWN)
    return [below] if below in at.heard.board else ()


def _supports(at: Selection) -> Selected:
    """All blocks straight beneath a thing that does not stand on the ground: two or more."""
    if at.box[0].y == 1:
        return ()
    columns = {(cell.x, cell.z) for cell in at.cells}
    under = [cell for cell in at.heard.board if (cell.x, cell.z) in columns and cell.y < at.box[0].y]
    return under if len(under) > 1 else ()


# --- what is missing


def _gap(at: Selection) -> Selected:
    """The only straight gap between two things; between two towers of one height that of their tops."""
    both = [at.thing, at.pivot]
    if at.pair is not None:
        both = [thing for thing in things_on(at.heard.board) if (thing.color, thing.kind) == at.pair]
    if len(both) != 2 or both[0] == both[1]:
        return ()
    (low, high), (other_low, other_high) = (box_of(thing.cells) for thing in both)
    if sum(a <= d and c <= b for a, b, c, d in zip(low, high, other_low, other_high, strict=True)) < 2:
        return ()  # nowhere straight from one to the other
    ends = [thing.cells for thing in both]
    if all(thing.kind == "tower" for thing in both):
        ends = [(max(cells),) for cells in ends]
    gaps = (gap for a in ends[0] for b in ends[1] if (gap := _between(a, b, at.heard.board)))
    only = next(gaps, ())
    return only if next(gaps, None) is None else ()


def _between(a: Cell, b: Cell, board: Mapping[Cell, Color]) -> list[Cell]:
    """Return the cells straight from one to another, if all are free."""
    if (a.x != b.x) + (a.y != b.y) + (a.z != b.z) != 1:
        return []
    axis = next(axis for axis in range(3) if a[axis] != b[axis])
    far = b[axis] - a[axis]
    cells = [moved(a, _way(axis, far), times) for times in range(1, abs(far))]
    return [] if any(cell in board for cell in cells) else cells


def _way(axis: int, far: int) -> Vector:
    """Return the step along an axis towards what is so far away."""
    return tuple(((far > 0) - (far < 0)) * (axis == other) for other in range(3))


def _open_side(at: Selection) -> Selected:
    """Where a u is open, if it is open on one side only."""
    low, high = at.box
    sides = [
        [cell for cell in at.missing if cell[axis] == bound[axis]]
        for axis in range(3) if low[axis] < high[axis] for bound in (low, high)
    ]  # fmt: skip
    return next(filter(None, sides), ())


def _hole(at: Selection) -> Selected:
    return at.missing if at.sides.count(1) == 1 and len(at.missing) == 1 else ()


def _total(at: Selection) -> Selected:
    """What a full thing lacks on one side to be so many cells long, or high."""
    places = [along(cell, at.way) for cell in at.cells]
    face = [cell for cell, place in zip(at.cells, places, strict=True) if place == max(places)]
    lacking = at.count - (max(places) - min(places) + 1)
    return () if at.missing else [moved(cell, at.way, times) for times in range(1, lacking + 1) for cell in face]


# --- where something goes: told by another thing, or by the grid


def _going(at: Selection, way: Vector) -> Selected:
    return [Spot(cell, way) for cell in sorted(at.cells, key=lambda cell: -along(cell, way))]


def _towards(at: Selection, *, away: bool = False) -> Selected:
    axis = side_of(at.thing, at.pivot)
    if axis is None:
        return ()
    way = _way(axis, at.pivot.cells[0][axis] - at.cells[0][axis])
    return _going(at, opposite(way) if away else way)


def _inward(at: Selection, *, line: bool = True, out: bool = False) -> Selected:
    """Towards the middle of the grid: along a line to one side of it, or of a thing straight beside it."""
    low, high = at.box
    level = {axis: low[axis] if low[axis] > 0 else high[axis] for axis in (0, 2) if low[axis] > 0 or high[axis] < 0}
    if line and at.thing.kind == "row":
        level = {axis: far for axis, far in level.items() if at.sides[axis] > 1}
    if len(level) != 1:
        return ()
    ((axis, far),) = level.items()
    return _going(at, _way(axis, far if out else -far))


def _grid(at: Selection) -> Selected:
    """The middle of the grid, of one of its edges, or a corner."""
    x, _, z = at.way or (0, 0, 0)
    return [Cell(X_MAX * x, 0, X_MAX * z)]


def _edge_in_line(at: Selection) -> Selected:
    """Where the way from a block or a tower ends, at the edge of the grid."""
    x, _, z = at.cells[0]
    edge = Cell(X_MAX * at.way[0] if at.way[0] else x, 0, X_MAX * at.way[2] if at.way[2] else z)
    return [edge]


def _only_neighbor(at: Selection) -> Selected:
    """The only free cell level with and next to a block, or next to each of two things."""
    near = {moved(cell, way) for cell in at.cells for way in LEVEL}
    if at.pivot is not None:
        near &= {moved(cell, way) for cell in at.pivot.cells for way in LEVEL}
    free = [cell for cell in near if cell not in at.heard.board and cell.in_region]
    return free if len(free) == 1 else ()


_LINES = ("row", "tower")
# The kinds of things for which each has a meaning (all, if there are none), and the cells that are meant.
SELECTORS: Mapping[str, tuple[Sequence[str | None], Callable[[Selection], Selected]]] = {
    "block": (("block",), lambda at: at.cells), "tip": (("block",), lambda at: at.cells),
    "all": ((), lambda at: at.cells),
    "edge": (_FILLED, _edge),
    "ends": (("row", "diagonal"), _ends),
    "end": (_LINES, lambda at: at.from_end[: at.count] if at.count < len(at.cells) else ()),
    "nth": (_LINES, lambda at: at.from_end[at.count - 1 : at.count] if at.count < len(at.cells) else ()),
    "corners": ((*_FILLED, "frame"), _corners),
    "level corners": ((*_FILLED, "frame"), partial(_corners, level=True)),
    "corners at": ((*_FILLED, "frame"), _corners_at),
    "each": ((), lambda at: at.cells if len(at.cells) > 1 and is_level(at.cells) else ()),
    "last": ((), _last),
    "every other": (_LINES, lambda at: at.from_end[::2] if len(at.cells) > 2 else ()),
    "middle": (_WITH_A_MIDDLE, _middle),
    "middle of a row": (("row",), lambda at: () if at.from_end else _middle(at)),
    "middle two": (_LINES, _middle_two),
    "but the ends": ((*_LINES, "diagonal"), lambda at: sorted(at.cells)[1:-1]),
    "inside": (_FILLED, _inside),
    "top": (("tower",), lambda at: [max(at.cells)]),
    "bottom": (("tower",), lambda at: [min(at.cells)]),
    "under": (("block", "tower"), _under),
    "supports": (_WITH_A_MIDDLE, _supports),
    "gap": ((), _gap), "pair": ((), _gap),
    "hollow": (("frame", *_OPEN), lambda at: at.missing),
    "open side": (_OPEN, _open_side),
    "hole": ((None,), _hole), "corner of an l": (("l",), _hole),
    "taller": (("block", "tower", "row", "wall"), _total),
    "longer": (("row",), lambda at: _total(at) if at.from_end else ()),
    "squared": (("row", "rectangle"), lambda at: _total(at) if at.sides[0 if at.way[2] else 2] == at.count else ()),
    "towards": ((), _towards), "away": ((), partial(_towards, away=True)),
    "inward": ((), _inward), "outward": ((), partial(_inward, out=True)),
    "to the middle": ((), partial(_inward, line=False)),
    "from the middle": ((), partial(_inward, line=False, out=True)),
    "grid middle": ((), _grid), "grid edge": ((), _grid), "grid corner": ((), _grid),
    "edge in line": (("block", "tower"), _edge_in_line),
    "only neighbor": (("block",), _only_neighbor), "neighbor of both": ((), _only_neighbor),
}  # fmt: skip
