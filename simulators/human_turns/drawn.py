"""A letter or another shape with a name: "build an upright red T, 3 wide and 4 tall"."""

from dataclasses import dataclass

from bap_v2_metric.actions import NetAction
from bap_v2_metric.blocks import Cell, Color
from bap_v2_simulators.human_turns.drawings import DRAWINGS
from bap_v2_simulators.human_turns.requests import clause
from bap_v2_simulators.language.places import near_the_middle, start_from
from bap_v2_simulators.language.references import ReferringExpression, Scene, net_placements
from bap_v2_simulators.language.sentences import article, typed_number
from bap_v2_simulators.language.turns import Clause, Line, exchange, instruction_lines
from bap_v2_simulators.language.words import Words
from bap_v2_simulators.view import Offset, View

_EQUAL = 0.7  # of the shapes that are as high as wide have their size said once


def drawn_cells(kind: str, size: tuple[int, int], upright: bool, first: Cell, view: View) -> tuple[Cell, ...]:
    """Return the cells of a drawing that a Builder with this view can read, from its first block on."""
    drawing = DRAWINGS[kind].draw(*size)
    ((left, bottom), *_) = drawing
    offsets = ((left - u, v - bottom) for u, v in drawing)
    return tuple(view.cell(first, Offset(side, up, 0) if upright else Offset(side, 0, up)) for side, up in offsets)


@dataclass(frozen=True, slots=True)
class DrawnInstruction:
    """Build a letter or another shape with a name: its size, whether it stands, and where its first block goes."""

    drawing: str
    color: Color
    size: tuple[int, int]  # width and height as one reads it
    upright: bool
    cells: tuple[Cell, ...]  # as they are planned: said of the first shape whether it is near the middle
    start: Offset | None  # from the reference block to the first block; None: anywhere on the ground
    expression: ReferringExpression
    reference: Cell | None
    omitted: str | None

    def denotes(self, scene: Scene) -> frozenset[NetAction] | None:
        """Return the net actions that it asks for; None if any place on the ground will do. Raises: LanguageError."""
        if self.start is None:
            return None
        return self.denotes_from(scene.view.cell(self.expression.denotes(scene), self.start), scene)

    def denotes_from(self, first: Cell, scene: Scene) -> frozenset[NetAction]:
        """Return the net actions that it asks for once its first block is chosen. Raises: LanguageError."""
        cells = drawn_cells(self.drawing, self.size, self.upright, first, scene.view)
        return net_placements(self.color, cells, scene)

    def dialogue(self, words: Words, scene: Scene) -> list[Line]:
        """(speaker, dialogue act, text) of each utterance."""
        clauses = [clause(self._what(words, scene))]
        if self.start is not None:
            clauses.append(Clause(self._where(words, scene)))
        lines = instruction_lines(words, clauses, scene)
        if self.omitted is not None:
            lines += exchange(words.pick("ASK_COLOR"), words.pick("ANSWER_COLOR").format(c=self.color.value))
        return lines

    def _what(self, words: Words, scene: Scene) -> str:
        width, height = (typed_number(words, side) for side in self.size)
        size = words.pick("SIZE_UPRIGHT" if self.upright else "SIZE_FLAT").format(n=width, m=height)
        ways = "DRAWN_UPRIGHT" if self.upright else "DRAWN_FLAT"
        seen = words.pick("FACING" if self.upright else "TOP_AWAY")
        name = words.pick(f"THING_NAMES.{self.drawing}")
        color = "" if self.omitted == "color" else self.color.value
        how = words.pick("DRAWN_STANDING" if self.upright else "DRAWN_LYING")
        equal = self.size[0] == self.size[1] and words.chance(_EQUAL)
        sides = words.pick("SIDES_EQUAL").format(n=self.size[0])
        np = words.pick("DRAWN_EQUAL" if equal else "DRAWN").format(
            a=words.pick(ways), c=color, s=name, z=size, x=sides, h=how
        )
        if not self.upright or words.chance(0.35):
            np = f"{np}, {seen}"
        if self.start is None and words.chance(0.7):
            near = near_the_middle(words, self.cells)
            np = f"{np}, {words.pick('NEAR_THE_MIDDLE' if near else 'ON_THE_GROUND')}"
        verb = words.pick("DRAWN_VERBS")
        return article(" ".join(f"{verb} {np}".split()).replace(" ,", ","))

    def _where(self, words: Words, scene: Scene) -> str:
        name = self.expression.phrase(words, scene)
        pp = start_from(words, self.start, name)
        single = sum(v == 0 for _, v in DRAWINGS[self.drawing].draw(*self.size)) == 1
        return words.pick("BOTTOM" if single else "BOTTOM_LEFT").format(pp=pp)
