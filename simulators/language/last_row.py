"""Places seen from what was built last: the other side of a block, the other end of a row, across and along a row.

One meaning a word:

- The other side of a block is opposite the blocks placed last, seen from it. Without a name the block is the one from
  which the last row goes on, or the only one that the last block touches with a face.
- The other end is that of the row of one color that the last blocks belong to, and what is built there goes on in
  its line.
- The last row is the last that lies level, in a straight line; the one you just built is that of the last turn.
  Perpendicular is across it, parallel along it in another line.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from bap_v2_metric.blocks import Cell
from bap_v2_simulators.language.lines import around
from bap_v2_simulators.language.references import LanguageError, ReferringExpression, Scene
from bap_v2_simulators.language.words import Words
from bap_v2_simulators.shapes import Vector, difference, moved, opposite


@dataclass(frozen=True, slots=True)
class OtherSide:
    """Opposite the blocks placed last, seen from a block beside them; several blocks go on in that direction."""

    kind: ClassVar[str] = "other side"
    expression: ReferringExpression | None  # for that block; None: it is not named
    same: bool = False  # as many blocks of the same color: "do the same on the other side"

    def denotes(self, scene: Scene, count: int) -> tuple[Cell, ...]:
        """Return the cells meant. Raises: LanguageError if the last blocks have no other side."""
        pivot = pivot_of(scene) if self.expression is None else self.expression.denotes(scene)
        step = _last_step_from(pivot, scene) if pivot is not None and scene.last_cells else None
        if step is None or (self.same and count != scene.last_count):
            raise LanguageError("the last blocks are not beside one block")
        return _row(pivot, opposite(step), count)

    def phrase(self, words: Words, scene: Scene, in_answer: bool = False) -> str:
        """Return one way to say it."""
        if self.expression is None:
            return words.pick("OTHER_SIDE")
        named = self.expression.phrase(words, scene, in_answer)
        return words.pick("OTHER_SIDE_OF").format(r=named)


@dataclass(frozen=True, slots=True)
class OtherEnd:
    """Beyond the other end of the row that the last blocks belong to."""

    kind: ClassVar[str] = "other end"

    def denotes(self, scene: Scene, count: int) -> tuple[Cell, ...]:
        """Return the cells meant. Raises: LanguageError if the last blocks are not at one end of a row."""
        step = last_direction(scene)
        if step is None or scene.board.get(moved(scene.last, step)) is scene.last_color:
            raise LanguageError("the last blocks are not at one end of a row")
        end = scene.last
        back = opposite(step)
        while scene.board.get(moved(end, back)) is scene.last_color:
            end = moved(end, back)
        return _row(end, back, count)

    def phrase(self, words: Words, scene: Scene, in_answer: bool = False) -> str:
        """Return one way to say it."""
        return words.pick("OTHER_END")


def beside_the_last_row(words: Words, scene: Scene, cells: Sequence[Cell]) -> str:
    """Return how these blocks lie to the last row, now and then: " perpendicular to the last row"; else nothing.

    Args:
        cells: two or more, in order.
    """
    # Only level rows lie along each other.
    way = _level_step(cells)
    if way is None or not words.chance(_LAST_ROW * words.talk.places):
        return ""
    for age, row in enumerate(reversed(scene.built)):
        before = _level_step(row)
        if before is None:
            continue
        # The last row before this one decides.
        x, y, z = (a - b for a, b in zip(cells[0], row[0], strict=True))
        if way[0] * before[0] + way[2] * before[2] == 0:
            course = "PERPENDICULAR"
        elif y or x * before[2] - z * before[0]:  # not in one line with it
            course = "PARALLEL"
        else:
            return ""
        return f" {words.pick(f'{course}_TO_THE_LAST' if age else course)}"
    return ""


_LAST_ROW = 0.12  # of the level rows; four in a thousand utterances of train say it


def pivot_of(scene: Scene) -> Cell | None:
    """Return the block from which the last row goes on, or the only one that the last block touches with a face."""
    if scene.last_count > 1:
        step = last_direction(scene)
        start = None if step is None else moved(scene.last_cells[0], step, -1)
        return start if start in scene.board else None
    touching = [cell for cell in around(scene.last) if cell in scene.board] if scene.last else []
    return touching[0] if len(touching) == 1 and touching[0].y == scene.last.y else None


def _last_step_from(pivot: Cell, scene: Scene) -> Vector | None:
    """Return the level step from the block to the blocks placed last, if these are beside it and go on that way."""
    first = scene.last_cells[0]
    step = difference(pivot, first)
    if step[1] or abs(step[0]) + abs(step[2]) != 1:
        return None
    return step if scene.last_count == 1 or step == last_direction(scene) else None


def last_direction(scene: Scene) -> Vector | None:
    """Return the direction of the level row that was built last, or None."""
    return _level_step(scene.last_cells)


def _level_step(cells: Sequence[Cell]) -> Vector | None:
    """Return the step from block to block of a level row; None for what is none, or for one block."""
    if len(cells) < 2:
        return None
    step = difference(*cells[:2])
    return step if not step[1] and abs(step[0]) + abs(step[2]) == 1 else None


def _row(start: Cell, step: Vector, count: int) -> tuple[Cell, ...]:
    return tuple(moved(start, step, times) for times in range(1, count + 1))
