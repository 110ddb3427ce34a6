"""Places that are no step from one block: between two, on the other side of one, at the other end, over a gap.

Each computes what it denotes from itself and the scene, and is used only where that is what is to be built. One
meaning a word:

- Between two blocks is the one cell between them in a straight line of three.
- The corner between two blocks is the only free cell beside both, where a third one makes an L with them.
- The other side of a block is opposite the blocks placed last, seen from it. Without a name the block is the one from
  which the last row goes on, or the only one that the last block touches with a face.
- The other end is that of the row of one color that the last blocks belong to, and what is built there goes on in
  its line.
- "Two spaces to the left" is an offset of two. "Skip a space" and "leave a gap of one" are one empty cell: an offset
  of two as well.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Union

from bap_v2_metric.blocks import EYE_HEIGHT, Cell, Color
from bap_v2_simulators.language.places import counted_spaces, gap_away, steps_away
from bap_v2_simulators.language.references import LanguageError, ReferringExpression, Scene, referring_expression
from bap_v2_simulators.language.sentences import number_word
from bap_v2_simulators.language.words import Words
from bap_v2_simulators.view import Offset, manhattan
from bap_v2_simulators.viewpoint import is_visible
from bap_v2_simulators.wording import places, relative_places

_Vector = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Between:
    """The cell between two blocks: "between the red block and the last one"."""

    kind: ClassVar[str] = "between"
    first: ReferringExpression
    second: ReferringExpression

    def denotes(self, scene: Scene, count: int) -> tuple[Cell, ...]:
        """The cells meant. Raises: LanguageError if the blocks are not two cells apart in a straight line."""
        a, b = self.first.denotes(scene), self.second.denotes(scene)
        middle = _straight_middle(a, b)
        if middle is None or count != 1:
            raise LanguageError("there is not one cell between the two blocks")
        return (middle,)

    def phrase(self, words: Words, scene: Scene, in_answer: bool = False) -> str:
        """One way to say it."""
        a, b = (one.phrase(words, scene, in_answer) for one in (self.first, self.second))
        return words.pick(relative_places.BETWEEN).format(a=a, b=b)


@dataclass(frozen=True, slots=True)
class BetweenTwo:
    """The cell between the only two blocks of a color: "between the two red blocks"."""

    kind: ClassVar[str] = "between"
    color: Color

    def denotes(self, scene: Scene, count: int) -> tuple[Cell, ...]:
        """The cells meant. Raises: LanguageError if there are not two such blocks, with one cell between them."""
        both = [cell for cell, color in scene.board.items() if color is self.color]
        middle = _straight_middle(*both) if len(both) == 2 else None
        if middle is None or count != 1:
            raise LanguageError(f"there is not one cell between two {self.color.value} blocks")
        return (middle,)

    def phrase(self, words: Words, scene: Scene, in_answer: bool = False) -> str:
        """One way to say it."""
        return words.pick(relative_places.BETWEEN_TWO).format(c=self.color.value)


@dataclass(frozen=True, slots=True)
class InTheCorner:
    """The free cell beside two blocks, in the corner of the L that they make with a third."""

    kind: ClassVar[str] = "corner"
    first: ReferringExpression
    second: ReferringExpression

    def denotes(self, scene: Scene, count: int) -> tuple[Cell, ...]:
        """The cells meant. Raises: LanguageError if there is not one free cell beside both blocks."""
        a, b = self.first.denotes(scene), self.second.denotes(scene)
        free = [cell for cell in _beside_both(a, b) if cell not in scene.board]
        if len(free) != 1 or count != 1:
            raise LanguageError(f"there are {len(free)} free corners between the two blocks")
        return (free[0],)

    def phrase(self, words: Words, scene: Scene, in_answer: bool = False) -> str:
        """One way to say it."""
        a, b = (one.phrase(words, scene, in_answer) for one in (self.first, self.second))
        return words.pick(relative_places.IN_THE_CORNER).format(a=a, b=b)


@dataclass(frozen=True, slots=True)
class OtherSide:
    """Opposite the blocks placed last, seen from a block beside them; several blocks go on in that direction."""

    kind: ClassVar[str] = "other side"
    expression: ReferringExpression | None  # for that block; None: it is not named
    same: bool = False  # as many blocks of the same color: "do the same on the other side"

    def denotes(self, scene: Scene, count: int) -> tuple[Cell, ...]:
        """The cells meant. Raises: LanguageError if the last blocks have no other side."""
        pivot = _pivot(scene) if self.expression is None else self.expression.denotes(scene)
        step = None if pivot is None else _last_step_from(pivot, scene)
        if step is None or (self.same and count != scene.last_count):
            raise LanguageError("the last blocks are not beside one block")
        return _row(pivot, (-step[0], 0, -step[2]), count)

    def phrase(self, words: Words, scene: Scene, in_answer: bool = False) -> str:
        """One way to say it."""
        if self.expression is None:
            return words.pick(relative_places.OTHER_SIDE)
        named = self.expression.phrase(words, scene, in_answer)
        return words.pick(relative_places.OTHER_SIDE_OF).format(r=named)


@dataclass(frozen=True, slots=True)
class OtherEnd:
    """Beyond the other end of the row that the last blocks belong to."""

    kind: ClassVar[str] = "other end"

    def denotes(self, scene: Scene, count: int) -> tuple[Cell, ...]:
        """The cells meant. Raises: LanguageError if the last blocks are not at one end of a row."""
        step = _last_direction(scene)
        if step is None or scene.board.get(_moved(scene.last, step, 1)) is scene.last_color:
            raise LanguageError("the last blocks are not at one end of a row")
        end = scene.last
        back = (-step[0], 0, -step[2])
        while scene.board.get(_moved(end, back, 1)) is scene.last_color:
            end = _moved(end, back, 1)
        return _row(end, back, count)

    def phrase(self, words: Words, scene: Scene, in_answer: bool = False) -> str:
        """One way to say it."""
        return words.pick(relative_places.OTHER_END)


@dataclass(frozen=True, slots=True)
class SpacesAway:
    """Some cells from a block, in one or two directions: "two spaces to the left of the red block"."""

    kind: ClassVar[str] = "spaces"
    expression: ReferringExpression
    offset: Offset
    gap: bool  # the cells on the way are empty, and that is what is said: "with a space in between"

    def denotes(self, scene: Scene, count: int) -> tuple[Cell, ...]:
        """The cells meant. Raises: LanguageError if there is no gap where one is said, or for several blocks."""
        start = self.expression.denotes(scene)
        if count != 1 or (self.gap and not _empty_between(start, self.offset, scene)):
            raise LanguageError("there is no such gap")
        return (scene.view.cell(start, self.offset),)

    def phrase(self, words: Words, scene: Scene, in_answer: bool = False) -> str:
        """One way to say it."""
        named = self.expression.phrase(words, scene, in_answer)
        if self.gap:
            return gap_away(words, self.offset, named)
        return steps_away(words, self.offset, named, noun=" space")

    def skipping(self, words: Words, scene: Scene, verb: str, np: str) -> str:
        """A sentence that begins with the gap: "skip a space to the left of the red block and put a blue one"."""
        (direction,) = self.offset.directions
        named = self.expression.phrase(words, scene)
        at = words.pick(places.SEVERAL_BESIDE[direction]).format(r=named)
        empty = max(map(abs, self.offset)) - 1
        spaces = counted_spaces(words, empty, " space")
        return words.pick(relative_places.SKIPPING).format(n=spaces, m=number_word(empty), at=at, v=verb, np=np)


RelativePlace = Union[Between, BetweenTwo, InTheCorner, OtherSide, OtherEnd, SpacesAway]  # noqa: UP007

# How often a place is said in another way than by its reference, where it can be. Train has "between" in 1.4% of the
# instructions, "the other side" in 2%, "space" in 6%; the situations are rare here, so they are taken more often.
_USED = {"between": 0.9, "corner": 0.4, "other side": 0.35, "other end": 0.3, "spaces": 1.0}
_SPACES = 0.12  # looked for so often: where a cell is a few steps from another block is no rare situation
_SAME = 0.5  # of the other sides where it is as many of the same color
_LARGEST_STEP = 3  # cells, in one direction


def relative_place(cells: tuple[Cell, ...], color: Color, scene: Scene, words: Words) -> RelativePlace | None:
    """Another way to say where these blocks go, if one denotes them and people would use it here.

    Args:
        cells: in order, from the block beside the reference on.
        color: of the blocks.
    """
    if scene.last is None or scene.last_removed:
        return None
    draw = words.random()
    for place in _candidates(cells, color, scene, words):
        if draw < _USED[place.kind] and _denotes(place, cells, scene):
            return place
        draw = words.random()
    return None


def beside_the_last_row(words: Words, scene: Scene, cells: Sequence[Cell]) -> str:
    """ " perpendicular to the last row", " parallel to the row you just built", where these blocks are; else nothing.

    Args:
        cells: two or more, in order.
    """
    way = _level_step(cells)
    if way is None or not words.chance(_LAST_ROW):
        return ""
    for age, row in enumerate(reversed(scene.built)):
        before = _level_step(row)
        if before is None:
            continue
        x, y, z = (a - b for a, b in zip(cells[0], row[0], strict=True))
        if way[0] * before[0] + way[2] * before[2] == 0:
            tables = (relative_places.PERPENDICULAR, relative_places.PERPENDICULAR_TO_THE_LAST)
        elif y or x * before[2] - z * before[0]:  # not in one line with it
            tables = (relative_places.PARALLEL, relative_places.PARALLEL_TO_THE_LAST)
        else:
            return ""
        return f" {words.pick(tables[age > 0])}"
    return ""


_LAST_ROW = 0.12  # of the level rows; four in a thousand utterances of train say it


def _candidates(cells: tuple[Cell, ...], color: Color, scene: Scene, words: Words) -> Iterator[RelativePlace]:
    """The places that may denote the cells; whether they do is checked for those that are drawn."""
    first = cells[0]
    pivot = _pivot(scene)
    if pivot is not None:
        if first in _around(pivot):
            same = color is scene.last_color and len(cells) == scene.last_count
            yield OtherSide(None, same and words.chance(_SAME))
    elif scene.last_count == 1 and (middle := _straight_middle(scene.last, first)) is not None:
        named = _named(middle, scene)
        if named is not None:
            yield OtherSide(named)
    if color is scene.last_color and _last_direction(scene) is not None:
        yield OtherEnd()
    if len(cells) > 1:
        return
    occupied = [cell for cell in _around(first) if cell in scene.board]
    if len(occupied) > 1:
        yield from _from_two(occupied, scene)
    if words.chance(_SPACES):
        yield from _over_spaces(first, scene, words)


def _from_two(beside: list[Cell], scene: Scene) -> Iterator[RelativePlace]:
    """Between or in the corner of two of the blocks beside a cell."""
    for i, a in enumerate(beside):
        for b in beside[i + 1 :]:
            straight = _straight_middle(a, b) is not None
            color = scene.board[a]
            if straight and scene.board[b] is color and sum(one is color for one in scene.board.values()) == 2:
                yield BetweenTwo(color)
                return
            one, other = _named(a, scene), _named(b, scene)
            if one is not None and other is not None:
                yield Between(one, other) if straight else InTheCorner(one, other)
                return


def _over_spaces(cell: Cell, scene: Scene, words: Words) -> Iterator[SpacesAway]:
    for start in reversed(scene.board):
        offset = scene.view.offset(start, cell)
        ways = len(offset.directions)
        farthest = max(map(abs, offset))
        if farthest < 2 or farthest > _LARGEST_STEP or ways > (2 if start == scene.last else 1):
            continue
        if (named := _named(start, scene)) is not None:
            gap = ways == 1 and _empty_between(start, offset, scene) and words.chance(0.5)
            yield SpacesAway(named, offset, gap)
            return


def _denotes(place: RelativePlace, cells: tuple[Cell, ...], scene: Scene) -> bool:
    try:
        return place.denotes(scene, len(cells)) == cells
    except LanguageError:
        return False


def _named(cell: Cell, scene: Scene) -> ReferringExpression | None:
    """An expression for a block that is there, if the Builder sees it."""
    pose = scene.pose
    if cell not in scene.board or not is_visible(cell, (pose.x, pose.y + EYE_HEIGHT, pose.z), scene.board):
        return None
    return referring_expression(cell, scene)


def _pivot(scene: Scene) -> Cell | None:
    """The block from which the last row goes on, or the only one that the last block touches with a face."""
    if scene.last_count > 1:
        step = _last_direction(scene)
        start = None if step is None else _moved(scene.last_cells[0], step, -1)
        return start if start in scene.board else None
    touching = [cell for cell in _around(scene.last) if cell in scene.board]
    return touching[0] if len(touching) == 1 and touching[0].y == scene.last.y else None


def _last_step_from(pivot: Cell, scene: Scene) -> _Vector | None:
    """The level step from the block to the blocks placed last, if these are beside it and go on that way."""
    first = scene.last_cells[0]
    step = (first.x - pivot.x, first.y - pivot.y, first.z - pivot.z)
    if step[1] or abs(step[0]) + abs(step[2]) != 1:
        return None
    return step if scene.last_count == 1 or step == _last_direction(scene) else None


def _last_direction(scene: Scene) -> _Vector | None:
    """The direction of the level row that was built last, or None."""
    return _level_step(scene.last_cells)


def _level_step(cells: Sequence[Cell]) -> _Vector | None:
    """The step from block to block of a level row; None for what is none, or for one block."""
    if len(cells) < 2:
        return None
    a, b = cells[:2]
    step = (b.x - a.x, b.y - a.y, b.z - a.z)
    return step if not step[1] and abs(step[0]) + abs(step[2]) == 1 else None


def _moved(cell: Cell, step: _Vector, times: int) -> Cell:
    return Cell(cell.x + times * step[0], cell.y + times * step[1], cell.z + times * step[2])


def _row(start: Cell, step: _Vector, count: int) -> tuple[Cell, ...]:
    return tuple(_moved(start, step, times) for times in range(1, count + 1))


def _around(cell: Cell) -> list[Cell]:
    """The six cells with a face in common."""
    x, y, z = cell
    return [
        Cell(x + 1, y, z), Cell(x - 1, y, z), Cell(x, y + 1, z), Cell(x, y - 1, z), Cell(x, y, z + 1), Cell(x, y, z - 1)
    ]  # fmt: skip


def _straight_middle(a: Cell, b: Cell) -> Cell | None:
    """The cell between two cells that are two apart along one axis; None for others."""
    middle = Cell((a.x + b.x) // 2, (a.y + b.y) // 2, (a.z + b.z) // 2)
    there, back = ([p - q for p, q in zip(one, other, strict=True)] for one, other in ((a, middle), (middle, b)))
    return middle if there == back and manhattan(a, middle) == 1 else None


def _beside_both(a: Cell, b: Cell) -> list[Cell]:
    """The two cells beside both of two cells that touch at an edge; none for others."""
    return [cell for cell in _around(a) if cell in _around(b)] if _straight_middle(a, b) is None else []


def _empty_between(start: Cell, offset: Offset, scene: Scene) -> bool:
    """Whether the cells on the straight way are empty."""
    return all(
        scene.view.cell(start, offset.step, times) not in scene.board for times in range(1, max(map(abs, offset)))
    )
