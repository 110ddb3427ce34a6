"""Places that are no step from one block: between two, in a corner, over a gap; or seen from the last row.

Each computes what it denotes from itself and the scene, and is used only where that is what is to be built. One
meaning a word:

- Between two blocks is the one cell between them in a straight line of three.
- The corner between two blocks is the only free cell beside both, where a third one makes an L with them.
- "Two spaces to the left" is an offset of two. "Skip a space" and "leave a gap of one" are one empty cell: an offset
  of two as well.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Union

from bap_v2_metric.blocks import EYE_HEIGHT, Cell, Color
from bap_v2_simulators.language.last_row import OtherEnd, OtherSide, last_direction, pivot_of
from bap_v2_simulators.language.lines import around
from bap_v2_simulators.language.places import counted_spaces, gap_away, steps_away
from bap_v2_simulators.language.references import LanguageError, ReferringExpression, Scene, referring_expression
from bap_v2_simulators.language.sentences import number_word
from bap_v2_simulators.language.words import Words
from bap_v2_simulators.view import Offset, manhattan
from bap_v2_simulators.viewpoint import is_visible


@dataclass(frozen=True, slots=True)
class FromTwo:
    """The cell between two blocks, or the free one beside both, in the corner of the L that they make with a third."""

    kind: str  # "between" or "corner"
    first: ReferringExpression
    second: ReferringExpression

    def denotes(self, scene: Scene, count: int) -> tuple[Cell, ...]:
        """Return the cells meant. Raises: LanguageError if there is not one such cell."""
        a, b = self.first.denotes(scene), self.second.denotes(scene)
        if self.kind == "between":
            cells = tuple(filter(None, [_straight_middle(a, b)]))
        else:
            cells = tuple(cell for cell in _beside_both(a, b) if cell not in scene.board)
        if len(cells) != 1 or count != 1:
            raise LanguageError(f"there are {len(cells)} cells from two blocks ({self.kind})")
        return cells

    def phrase(self, words: Words, scene: Scene, in_answer: bool = False) -> str:
        """Return one way to say it: the blocks by name, for "between the red block and that" would be unfinished."""
        a, b = (one.phrase(words, scene, in_answer=True) for one in (self.first, self.second))
        return words.pick("BETWEEN" if self.kind == "between" else "IN_THE_CORNER").format(a=a, b=b)


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
        """Return one way to say it."""
        return words.pick("BETWEEN_TWO").format(c=self.color.value)


@dataclass(frozen=True, slots=True)
class SpacesAway:
    """Some cells from a block, in one or two directions: "two spaces to the left of the red block"."""

    kind: ClassVar[str] = "spaces"
    expression: ReferringExpression
    offset: Offset
    gap: bool  # the cells on the way are empty, and that is what is said: "with a space in between"

    def denotes(self, scene: Scene, count: int) -> tuple[Cell, ...]:
        """Return the cells meant. Raises: LanguageError if there is no gap where one is said, or for several blocks."""
        start = self.expression.denotes(scene)
        if count != 1 or (self.gap and not _empty_between(start, self.offset, scene)):
            raise LanguageError("there is no such gap")
        return (scene.view.cell(start, self.offset),)

    def phrase(self, words: Words, scene: Scene, in_answer: bool = False) -> str:
        """Return one way to say it."""
        named = self.expression.phrase(words, scene, in_answer)
        if self.gap:
            return gap_away(words, self.offset, named)
        return steps_away(words, self.offset, named, noun=" space")

    def skipping(self, words: Words, scene: Scene, verb: str, np: str) -> str:
        """A sentence that begins with the gap: "skip a space to the left of the red block and put a blue one"."""
        (direction,) = self.offset.directions
        named = self.expression.phrase(words, scene)
        at = words.pick(f"SEVERAL_BESIDE.{direction.value}").format(r=named)
        empty = max(map(abs, self.offset)) - 1
        spaces = counted_spaces(words, empty, " space")
        return words.pick("SKIPPING").format(n=spaces, m=number_word(empty), at=at, v=verb, np=np)


RelativePlace = Union[FromTwo, BetweenTwo, OtherSide, OtherEnd, SpacesAway]  # noqa: UP007

# How often a place is said in another way than by its reference, where it can be. Train has "between" in 1.0% of the
# instructions, "the other side" or "opposite" in 1.2%, "space" in 4.2%; the situations are rare here, so they are
# taken more often.
_USED = {"between": 0.9, "corner": 0.4, "other side": 0.35, "other end": 0.3, "spaces": 1.0}
_SPACES = 0.07  # looked for so often: where a cell is a few steps from another block is no rare situation
_SAME = 0.5  # of the other sides where it is as many of the same color
_LARGEST_STEP = 3  # cells, in one direction


def relative_place(cells: tuple[Cell, ...], color: Color, scene: Scene, words: Words) -> RelativePlace | None:
    """Return another way to say where these blocks go, if one denotes them and people would use it here.

    Args:
        cells: in order, from the block beside the reference on.
        color: of the blocks.
    """
    if scene.last is None or scene.last_removed or not scene.last_count:
        return None
    draw = words.random()
    for place in _candidates(cells, color, scene, words):
        if draw < _USED[place.kind] * words.talk.places and _denotes(place, cells, scene):
            return place
        draw = words.random()
    return None


def _candidates(cells: tuple[Cell, ...], color: Color, scene: Scene, words: Words) -> Iterator[RelativePlace]:
    """Yield the places that may denote the cells; whether they do is checked for those that are drawn."""
    # The other side of a block, and the other end of a row.
    first = cells[0]
    pivot = pivot_of(scene)
    if pivot is not None:
        if first in around(pivot):
            same = color is scene.last_color and len(cells) == scene.last_count and scene.last_steps == 1
            yield OtherSide(None, same and words.chance(_SAME))
    elif scene.last_count == 1 and (middle := _straight_middle(scene.last, first)) is not None:
        named = _named(middle, scene)
        if named is not None:
            yield OtherSide(named)
    if color is scene.last_color and last_direction(scene) is not None:
        yield OtherEnd()
    # Single blocks also between two others, or over empty spaces.
    if len(cells) > 1:
        return
    occupied = [cell for cell in around(first) if cell in scene.board]
    if len(occupied) > 1:
        yield from _from_two(occupied, scene)
    if words.chance(_SPACES * words.talk.places):
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
                yield FromTwo("between" if straight else "corner", one, other)
                return


def _over_spaces(cell: Cell, scene: Scene, words: Words) -> Iterator[SpacesAway]:
    for start in reversed(scene.board):
        offset = scene.view.offset(start, cell)
        ways = len(offset.directions)
        farthest = max(map(abs, offset))
        if farthest < 2 or farthest > _LARGEST_STEP or ways > (2 if start == scene.last else 1):
            continue
        if (named := _named(start, scene)) is not None:
            gap = ways == 1 and _empty_between(start, offset, scene) and words.chance(0.7)
            yield SpacesAway(named, offset, gap)
            return


def _denotes(place: RelativePlace, cells: tuple[Cell, ...], scene: Scene) -> bool:
    try:
        return place.denotes(scene, len(cells)) == cells
    except LanguageError:
        return False


def _named(cell: Cell, scene: Scene) -> ReferringExpression | None:
    """Return an expression for a block that is there, if the Builder sees it."""
    pose = scene.pose
    if cell not in scene.board or not is_visible(cell, (pose.x, pose.y + EYE_HEIGHT, pose.z), scene.board):
        return None
    return referring_expression(cell, scene)


def _straight_middle(a: Cell, b: Cell) -> Cell | None:
    """Return the cell between two cells that are two apart along one axis; None for others."""
    middle = Cell((a.x + b.x) // 2, (a.y + b.y) // 2, (a.z + b.z) // 2)
    there, back = ([p - q for p, q in zip(one, other, strict=True)] for one, other in ((a, middle), (middle, b)))
    return middle if there == back and manhattan(a, middle) == 1 else None


def _beside_both(a: Cell, b: Cell) -> list[Cell]:
    """Return the two cells beside both of two cells that touch at an edge; none for others."""
    return [cell for cell in around(a) if cell in around(b)] if _straight_middle(a, b) is None else []


def _empty_between(start: Cell, offset: Offset, scene: Scene) -> bool:
    """Return whether the cells on the straight way are empty."""
    return all(
        scene.view.cell(start, offset.step, times) not in scene.board for times in range(1, max(map(abs, offset)))
    )
