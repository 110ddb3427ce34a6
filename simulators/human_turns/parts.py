"""Parts of what stands there, and what is done to them: a selector of cells, an operation, and words for both.

"a red block on each corner of it", "take out the middle one", "connect the two towers", "two more towards the middle".
A row of `ROWS` says what is asked for how often; the words are tables of phrases.json, by selector and operation.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import ClassVar, NamedTuple

from bap_v2_metric.blocks import Cell, Color
from bap_v2_simulators.human_turns.changes import along
from bap_v2_simulators.human_turns.requests import (
    Change,
    DialogueContext,
    ReferenceNames,
    RequestText,
    clause,
    moved,
)
from bap_v2_simulators.human_turns.things import Thing, is_level, line_of
from bap_v2_simulators.language.references import Scene
from bap_v2_simulators.language.sentences import article, typed_number
from bap_v2_simulators.language.words import Words
from bap_v2_simulators.shapes import Vector, opposite
from bap_v2_simulators.targets import COLORS
from bap_v2_simulators.view import Direction
from bap_v2_simulators.wording.phrases import table

_UP, _DOWN = (0, 1, 0), (0, -1, 0)
_LEVEL: Sequence[Vector] = ((1, 0, 0), (-1, 0, 0), (0, 0, 1), (0, 0, -1))
_RECTANGLES = ("square", "rectangle", "wall", "frame")


class Spot(NamedTuple):
    """A cell that is selected, and the way out of the thing there."""

    cell: Cell
    way: Vector = _UP


class Selection(NamedTuple):
    """What a selector knows."""

    thing: Thing | None
    pivot: Thing | None
    heard: DialogueContext
    way: Vector | None
    count: int

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
    if step is None or step == _UP:
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
    across = at.line is not None and at.line != _UP and at.way not in (at.line, opposite(at.line))
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
    return [Spot(max(at.thing.cells))] if at.line == _UP else None


def _bottom(at: Selection) -> Sequence[Spot] | None:
    return [Spot(min(at.thing.cells))] if at.line == _UP else None


def _under(at: Selection) -> Sequence[Spot] | None:
    below = moved(min(at.thing.cells), _DOWN)
    tall = at.thing.kind == "block" or at.line == _UP
    return [Spot(below)] if tall and below in at.heard.board else None


def _supports(at: Selection) -> Sequence[Spot] | None:
    """All blocks straight beneath a thing that does not stand on the ground: two or more."""
    if at.thing.kind in (None, "block", "diagonal") or at.box[0].y == 1:
        return None
    columns = {(cell.x, cell.z) for cell in at.thing.cells}
    under = [cell for cell in at.heard.board if (cell.x, cell.z) in columns and cell.y < at.box[0].y]
    return [Spot(cell) for cell in under] if len(under) > 1 else None


SELECTORS: Mapping[str, Selector] = {
    "block": _block, "ends": _ends, "end": _end, "corners": _corners, "level corners": _level_corners,
    "corners at": _corners_at, "each": _each, "last": _last, "every other": _every_other, "middle": _middle,
    "middle of a row": _middle_of_a_row, "middle two": _middle_two, "but the ends": _but_the_ends, "inside": _inside,
    "top": _top, "bottom": _bottom, "under": _under, "supports": _supports,
}  # fmt: skip

# The ways from each spot in which blocks are placed; None: nothing is placed.
OPERATIONS: Mapping[str, Callable[[Spot, Vector | None], Sequence[Vector]]] = {
    "outwards": lambda spot, _: (spot.way,),
    "on top": lambda spot, _: (_UP,),
    "below": lambda spot, _: (_DOWN,),
    "beside": lambda spot, way: (way,),
    "both sides": lambda spot, way: (way, opposite(way)),
    "four sides": lambda spot, _: _LEVEL,
}


class Row(NamedTuple):
    """What is asked for, and how often among its kind."""

    kind: str
    selector: str
    operation: str
    weight: int
    ways: Sequence[Vector] = (None,)
    counts: Sequence[int] = (1,)  # blocks at each place, or in all
    own: float = 0.4  # how often they have the color of the thing
    of: str = "thing"  # or "last": the blocks of the last turn


_PLACES, _WITHIN = "several places", "removal from within"
_FEW = (1, 1, 1, 1, 2, 2, 3)
ROWS: tuple[Row, ...] = (
    Row(_PLACES, "ends", "outwards", 5, counts=(1, 1, 2, 2, 3), own=0.7),
    Row(_PLACES, "ends", "on top", 4, counts=_FEW),
    Row(_PLACES, "ends", "below", 2),
    Row(_PLACES, "ends", "beside", 3, ways=_LEVEL),
    Row(_PLACES, "level corners", "on top", 8, counts=_FEW),
    Row(_PLACES, "level corners", "below", 3),
    Row(_PLACES, "corners at", "on top", 3, ways=_LEVEL),
    Row(_PLACES, "block", "both sides", 8, ways=_LEVEL[::2], counts=(1, 1, 1, 1, 2)),
    Row(_PLACES, "block", "four sides", 2),
    Row(_PLACES, "middle of a row", "both sides", 3, ways=_LEVEL[::2], counts=(1, 1, 2)),
    Row(_PLACES, "top", "both sides", 4, ways=_LEVEL[::2], counts=(1, 1, 2)),
    Row(_PLACES, "bottom", "both sides", 2, ways=_LEVEL[::2], counts=(1, 1, 2)),
    Row(_PLACES, "each", "on top", 4, counts=(1, 1, 1, 2), own=0.5),
    Row(_PLACES, "each", "beside", 1, ways=_LEVEL),
    Row(_PLACES, "every other", "on top", 2, ways=_LEVEL, own=0.2),
    Row(_PLACES, "last", "on top", 8, counts=_FEW, of="last"),
    Row(_PLACES, "last", "below", 3, of="last"),
    Row(_PLACES, "last", "beside", 4, ways=_LEVEL, of="last"),
    Row(_WITHIN, "middle", "remove", 8),
    Row(_WITHIN, "middle two", "remove", 2),
    Row(_WITHIN, "corners", "remove", 3),
    Row(_WITHIN, "ends", "remove", 2),
    Row(_WITHIN, "end", "remove", 6, ways=(*_LEVEL, _UP, _DOWN, _DOWN), counts=(1, 1, 2)),
    Row(_WITHIN, "but the ends", "remove", 2),
    Row(_WITHIN, "inside", "remove", 2),
    Row(_WITHIN, "every other", "remove", 1, ways=_LEVEL),
    Row(_WITHIN, "under", "remove", 4),
    Row(_WITHIN, "supports", "remove", 4),
)  # fmt: skip
_KIND_OF = {(row.selector, row.operation): row.kind for row in ROWS}


@dataclass(frozen=True, slots=True)
class Parts:
    """Some cells, selected by geometry, and what is done there."""

    selector: str
    operation: str
    way: Vector | None = None  # that it names
    count: int = 1
    color: Color | None = None  # None: that of the thing
    corrects: ClassVar[bool] = False
    details: ClassVar[tuple[str, ...]] = ()

    @property
    def kind(self) -> str:
        return _KIND_OF[self.selector, self.operation]

    @property
    def ways(self) -> tuple[Vector, ...]:
        return () if self.way is None else (self.way,)

    def change(self, thing: Thing | None, pivot: Thing | None, heard: DialogueContext) -> Change | None:
        spots = SELECTORS[self.selector](Selection(thing, pivot, heard, self.way, self.count))
        if not spots:
            return None
        cells = [spot.cell for spot in spots]
        if self.operation == "remove":
            return None if thing is not None and set(cells) >= set(thing.cells) else Change(tuple(cells))
        own = thing.color if thing is not None else heard.board[cells[0]]
        ways = OPERATIONS[self.operation]
        placed = [
            moved(spot.cell, way, times)
            for spot in spots for way in ways(spot, self.way) for times in range(1, self.count + 1)
        ]  # fmt: skip
        if self.color is own or len(set(placed)) < len(placed):
            return None
        return Change((), tuple((cell, self.color or own) for cell in placed))

    def said(self, words: Words, named: ReferenceNames, omitted: str | None) -> RequestText:
        # The blanks of the words; what was just built need not be named.
        direction = None if self.way is None else named.direction(self.way)
        blanks = {"r": named.thing, "p": named.pivot, "n": typed_number(words, self.count), "c": ""}
        if self.color is not None:
            blanks["c"] = self.color.value
        if direction is not None:
            blanks["e"], blanks["s"] = words.pick(f"ENDS.{direction.value}"), _SIDES[direction]
        just_built = named.is_it or not named.thing

        def part(name: str) -> str:
            ways = table(f"PARTS.{self.selector}.{name}").only(lambda way: just_built or "{r}" in way)
            return words.pick(ways).format(**blanks)

        # What is removed, or what is placed and where.
        if self.operation == "remove":
            np = part("removed" if self.count == 1 else "several")
            text = words.pick("PARTS.REMOVED").format(v=words.pick("PARTS.REMOVE_VERBS"), np=np)
            return RequestText((clause(text),))
        whose = "color" if self.color is not None else "last" if just_built else "same"
        whole = f"{self.operation}.{'same' if self.color is None else 'color'}"
        if f"{self.selector}.{whole}" in _WHOLE and (self.count == 1 or "ends" in self.selector) and words.chance(0.4):
            return RequestText((clause(article(part(whole))),))
        np = words.pick(f"PARTS.{'one' if self.count == 1 else 'several'}.{whose}").format(**blanks)
        where = table(f"PARTS.{self._operation_seen(direction)}")
        if self.selector == "ends" and self.operation == "on top":  # "on each end" goes on in its line
            where = where.only(lambda way: "top" in way or "above" in way)
        pp = words.pick(where).format(m=part("each"))
        text = words.pick("PARTS.PLACED").format(v=words.pick("PARTS.PLACE_VERBS"), np=np, pp=pp)
        return RequestText((clause(article(text)),))

    def _operation_seen(self, direction: Direction | None) -> str:
        """Return the operation as the Builder sees it."""
        if self.operation == "beside":
            return f"beside.{direction.value}"
        if self.operation == "both sides":
            return f"both sides.{'across' if direction in (Direction.LEFT, Direction.RIGHT) else 'along'}"
        return self.operation


def chosen(kind: str, rng: Random, scene: Scene, things: Sequence[Thing], apart: bool):
    """Return a request of this kind with its things, at random; None if there is nothing."""
    # What is asked for.
    plain = scene.last_steps == 1 and not scene.last_removed and scene.last_kind not in ("move", "recolor")
    rows = [row for row in ROWS if row.kind == kind and (plain or row.of != "last")]
    (row,) = rng.choices(rows, [row.weight for row in rows])
    color = None if row.operation == "remove" or rng.random() < row.own else rng.choice(COLORS)
    request = Parts(row.selector, row.operation, rng.choice(row.ways), rng.choice(row.counts), color)
    heard = DialogueContext(scene.board, scene.last_cells)
    # The things for which that can be done, the last one more often than others.
    if row.of == "last":
        return request, None
    able = [thing for thing in things if _is_possible(request.change(thing, None, heard), heard.board)]
    if not able:
        return None
    last = [thing for thing in able if scene.last in thing.cells]
    return request, last[0] if last and rng.random() < _LAST else rng.choice(able)


def _is_possible(change: Change | None, board: Mapping[Cell, Color]) -> bool:
    return change is not None and all(cell.in_region and cell not in board for cell, _ in change.placed)


def _one_color(cells: Sequence[Cell], board: Mapping[Cell, Color]) -> bool:
    return len({board.get(cell) for cell in cells}) == 1


_LAST = 0.7
_WHOLE = ("ends.outwards.same", "each.on top.same", "each.on top.color")  # in sentences of their own, too
_SIDES = {
    Direction.LEFT: "left", Direction.RIGHT: "right", Direction.TOP: "top", Direction.BOTTOM: "bottom",
    Direction.FRONT: "front", Direction.BEHIND: "back",
}  # fmt: skip
