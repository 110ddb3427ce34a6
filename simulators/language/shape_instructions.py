"""Instructions about whole shapes: their words, and the actions they ask for (BAP v2, 5.4.3 and 10.4).

An instruction has clauses: what is to be built, with its size and the way it goes, and where it starts. People say them
in one sentence or in two: "build a red wall" / "make it 4 long and 3 tall, going to your left".
"""

import re
from dataclasses import dataclass

from bap_v2_metric.actions import NetAction
from bap_v2_metric.blocks import Cell, Color
from bap_v2_simulators.language import shape_phrases
from bap_v2_simulators.language.landmarks import Landmark
from bap_v2_simulators.language.likeness import UNLIKE, Likeness, last_shape, like_the_last, same_size
from bap_v2_simulators.language.places import beside, going_to, start_from
from bap_v2_simulators.language.references import ReferringExpression, Scene, net_placements
from bap_v2_simulators.language.sentences import number_word, sentence
from bap_v2_simulators.language.turns import Clause, Line, exchange, instruction_lines
from bap_v2_simulators.language.words import Words
from bap_v2_simulators.shapes import ShapeKind, cells_of
from bap_v2_simulators.view import Offset
from bap_v2_simulators.wording.phrases import table

_LAST = ReferringExpression("last")
_BEGINS = ("alone", "inside", "inside", "inside", "before", "before")  # how often the start is said in which way


# "starting two blocks to the left" could begin with two blocks: rather "that starts two blocks to the left".
_COUNTED = re.compile(r"\d|(?:an?|one|two|three|four|five|six|seven|eight|nine|ten)\b")
_PARTICIPLE = re.compile("starting|beginning")


@dataclass(frozen=True, slots=True)
class ShapeInstruction:
    """Build a row, a diagonal or a plane: size, color, directions, and where it starts."""

    kind: ShapeKind
    color: Color
    size: tuple[int, ...]  # blocks along each of `steps`
    steps: tuple[Offset, ...]  # one cell on in each direction, as the Builder sees it
    start: Offset | None  # from the reference block; None: anywhere on the ground
    floating: bool
    omitted: str | None  # "color", "size", "orientation" or "location", to be asked for
    likeness: Likeness = UNLIKE  # what it says of the last shape
    expression: ReferringExpression | Landmark = _LAST  # for the reference block
    reference: Cell | None = None  # that block; None: there is none
    near_the_middle: bool = False  # of the ground, where the first shape goes

    @property
    def form(self) -> shape_phrases.ShapeForm:
        """The shape to build, without its color and place."""
        return shape_phrases.ShapeForm(self.kind, self.size, self.steps)

    def denotes(self, scene: Scene) -> frozenset[NetAction] | None:
        """Return the net actions that it asks for; None if any place on the ground will do.

        Raises:
            LanguageError: if there is no last block, or the shape does not fit.
        """
        if self.start is None:
            return None
        return self.denotes_from(scene.view.cell(self.expression.denotes(scene), self.start), scene)

    def denotes_from(self, first: Cell, scene: Scene) -> frozenset[NetAction]:
        """Return the net actions that it asks for once its starting block is chosen. Raises: LanguageError."""
        size, vectors = like_the_last(self.form, self.likeness, scene)
        return net_placements(self.color, cells_of(first, size, vectors), scene)

    def dialogue(self, words: Words, scene: Scene) -> list[Line]:
        """(speaker, dialogue act, text) of each utterance."""
        at = None if self.start is None else self._start(words, scene)
        said = self._again(words, scene, at) if self.likeness.again else self._clauses(words, scene, at)
        lines = instruction_lines(words, said, scene)
        if self.omitted is not None:
            lines += exchange(*self._exchange(words, at))
        return lines

    def _clauses(self, words: Words, scene: Scene, at: str | None) -> tuple[Clause, ...]:
        """Return what is to be built and where."""
        # What is to be built; its size may follow in a clause of its own.
        form, first = self.form, self.start is None
        later = self.omitted is None and not self.likeness.size and words.chance(0.12 * words.talk.parts)
        name = shape_phrases.shape_name(words, form, says_up=self.omitted == "orientation")
        size = "same" if self.likeness.size else "later" if later or self.omitted == "size" else "said"
        floating = self.floating and words.chance(0.6)
        color = None if self.omitted == "color" else self.color
        np = shape_phrases.sized(
            words, form, name, color, floating=floating, another=self._another(words, scene), size=size
        )
        # Which way it goes, and where it starts.
        going = self._going(words, scene, alone=later)
        begins = self._begins(words, scene, later)
        counted = at is not None and _COUNTED.match(at)
        if begins == "before" and counted and words.chance(0.5):
            begins = "inside"
        # What follows the name of the shape.
        after = []  # what is to be built
        if self.near_the_middle or (first and words.chance(0.75)):
            after.append(words.pick("NEAR_THE_MIDDLE" if self.near_the_middle else "ON_THE_GROUND"))
        if going and not later:
            after.insert(0 if words.chance(0.25) else len(after), going)
        pp = (", " if len(after) > 1 and words.chance(0.4) else " ").join(after)
        if begins == "inside":  # "going towards you that starts" would be about the Builder
            ways = "STARTING_COUNTED" if counted and words.chance(0.4) else "STARTING"
            starting = words.pick(ways).format(at=at)
            comma = pp and (not _PARTICIPLE.match(starting) or words.chance(0.3))
            pp = f"{pp}{',' if comma else ''} {starting}".strip()
        # The clauses, with what is said before and after.
        said = sentence(
            words, verbs=table("BUILD_VERBS_OF_SHAPES"), np=np, pp=pp, singular=np[0] == "a", first=first, after=True,
            whole=begins == "gap",
        )  # fmt: skip
        if begins == "before":
            said = _after(f"starting {at}, ", said)
        elif begins == "gap":
            said = _after(f"{self._gap(words, scene)}, {words.pick('AFTER_THE_GAP')} ", said)
        if later:
            size_said = words.pick("SIZES_ALONE").format(z=shape_phrases.size_alone(words, form))
            said += (Clause(f"{size_said}{', ' if words.chance(0.5) else ' '}{going}" if going else size_said),)
        if begins == "alone":
            said += (Clause(words.pick("STARTS_ALONE").format(at=at)),)
        return said

    def _again(self, words: Words, scene: Scene, at: str) -> tuple[Clause, ...]:
        """Return the last shape once more, in its color or another."""
        ways = "AGAIN.same" if self.color is scene.last_color else "AGAIN.recolored"
        clause = words.pick(ways).format(c=self.color.value)
        if words.chance(0.5):
            return (Clause(f"{clause} starting {at}"),)
        return Clause(clause), Clause(words.pick("STARTS_ALONE").format(at=at))

    def _another(self, words: Words, scene: Scene) -> frozenset[str] | None:
        """Return what else it has in common with the last shape ("size", "color") if "another" may be said; else
        None."""
        last = last_shape(scene)
        if last is None or last.kind is not self.kind or (last.extents[1] > 1) != self.form.upright:
            return None
        if not words.chance(0.5 * words.talk.likeness):
            return None
        same = {"size": same_size(self.form, scene), "color": self.color is scene.last_color}
        return frozenset(name for name, shared in same.items() if shared)

    def _going(self, words: Words, scene: Scene, alone: bool) -> str:
        """Return which way it goes; empty if that is not said.

        Args:
            alone: not after what goes there ("a row that goes").
        """
        if self.omitted == "orientation" or (self.form.column and words.chance(0.9)):
            return ""
        if self.likeness.direction:
            return words.pick(f"EXTENDING_LIKEWISE.{self.likeness.direction}")
        going = shape_phrases.direction(words, self.form, alone=alone)
        if self.likeness.course:
            last = words.pick("LAST_ROW").format(c=scene.last_color.value)
            return f"{words.pick(f'COURSES.{self.likeness.course}').format(r=last)}, {going}"
        return going

    def _start(self, words: Words, scene: Scene) -> str:
        reference = self._named(words, scene)
        return start_from(words, self.start, reference, gap=self._empty_before(scene) > 0)

    def _named(self, words: Words, scene: Scene) -> str:
        """Return the reference block."""
        if self.expression != _LAST or not scene.last_count:
            return self.expression.phrase(words, scene)
        ways = "LAST_OF_SHAPE_SAID" if scene.continuing else "LAST_OF_SHAPE"
        return words.pick(ways).format(c=scene.last_color.value)

    def _begins(self, words: Words, scene: Scene, later: bool) -> str:
        """Return how it is said where the shape starts: "alone", "inside", "before" or "gap"; empty if it is not said.

        Args:
            later: the size has a clause of its own.
        """
        if self.start is None or self.omitted == "location":
            return ""
        if self._empty_before(scene) and words.chance(0.5 * words.talk.places):
            return "gap"
        begins = words.pick(_BEGINS)
        if begins == "alone":
            return "before" if later or not words.talk.parts else begins
        return begins

    def _empty_before(self, scene: Scene) -> int:
        """Return how many empty cells lie between the last block and the start, if it lies straight in one
        direction."""
        if len(self.start.directions) != 1:
            return 0
        number = max(map(abs, self.start)) - 1
        reference = self.expression.denotes(scene)
        between = (scene.view.cell(reference, self.start.step, times) for times in range(1, number + 1))
        return 0 if any(cell in scene.board for cell in between) else number

    def _gap(self, words: Words, scene: Scene) -> str:
        """Return the cells that are left empty: "skip a space to the left of the last block"."""
        number = self._empty_before(scene)
        reference = self._named(words, scene)
        at = beside(words, self.start.step, reference, plain=True)
        ways = "SKIPPED_SPACE" if number == 1 else "SKIPPED_SPACES"
        return words.pick(ways).format(n=number_word(number), at=at)

    def _exchange(self, words: Words, at: str | None) -> tuple[str, str]:
        """Return what the Builder asks and the Architect answers."""
        if self.omitted == "color":
            return words.pick("ASK_COLOR"), words.pick("ANSWER_COLOR").format(c=self.color.value)
        if self.omitted == "location":
            return words.pick("ASK_START"), words.pick("ANSWER_START").format(at=at)
        if self.omitted == "orientation":
            to = going_to(words, self.form.directions)
            return words.pick("ASK_DIRECTION"), words.pick("ANSWER_DIRECTION").format(to=to)
        return shape_phrases.size_exchange(words, self.form)


def _after(text: str, said: tuple[Clause, ...]) -> tuple[Clause, ...]:
    """Return the clauses, the first of them after the text."""
    first, *others = said
    return (Clause(text + first.text, first.question), *others)
