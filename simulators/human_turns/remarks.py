"""What the Architect says besides: what it will be ("we're making a table"), which part, and what it looks like."""

from dataclasses import dataclass, replace

from bap_v2_metric.actions import NetAction
from bap_v2_metric.blocks import Cell
from bap_v2_simulators.human_turns.things import kind_of
from bap_v2_simulators.human_turns.turns import HumanTurn
from bap_v2_simulators.language.references import Scene
from bap_v2_simulators.language.sentences import article
from bap_v2_simulators.language.turns import Line, typed
from bap_v2_simulators.language.words import Words
from bap_v2_simulators.simulator import Instruction

_ANNOUNCED = 0.75  # of the objects
_COMPARED = 0.45  # of the objects, once they are complete
_FIRST_SAID_BEFORE = 0.5  # of the names of the first part
_BEFORE = ("greeting", "approval", "praise")  # lines that come first in any case
_ELSEWHERE = Cell(99, 1, 99)


@dataclass(frozen=True, slots=True)
class Remarked:
    """An instruction with lines before and after it that ask for nothing, or one that says nothing of the last turn."""

    plain: Instruction
    kind: str = ""  # "announcement", "comparison" or "part"
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    apart: bool = False  # not everybody would call the same block the last one

    @property
    def omitted(self) -> str | None:
        return self.plain.omitted

    def _heard(self, scene: Scene) -> Scene:
        return apart_from_the_last(scene) if self.apart else scene

    def denotes(self, scene: Scene) -> frozenset[NetAction] | None:
        """Return the net actions that it asks for; None if any place on the ground will do. Raises: LanguageError."""
        return self.plain.denotes(self._heard(scene))

    def dialogue(self, words: Words, scene: Scene) -> list[Line]:
        """(speaker, dialogue act, text) of each utterance."""
        # An answer to the Builder comes before what is said first.
        answers = scene.asked and bool(self.before)
        heard = self._heard(scene)
        lines = self.plain.dialogue(words, replace(heard, asked=False) if answers else heard)
        if answers:
            lines.insert(0, ("Architect", "approval", typed(words, words.pick("ANSWER_CHECK"))))
        at = next(number for number, (_, act, _) in enumerate(lines) if act not in _BEFORE)
        before, after = (
            [("Architect", "comment", typed(words, text)) for text in said] for said in (self.before, self.after)
        )
        return [*lines[:at], *before, *lines[at:], *after]


def apart_from_the_last(scene: Scene) -> Scene:
    """Return the scene for words that say nothing of the last turn."""
    return replace(
        scene, last=_ELSEWHERE, last_color=None, last_removed=True, last_count=1, last_cells=(_ELSEWHERE,), built=()
    )  # fmt: skip


def with_remarks(turn: HumanTurn, plain: Instruction, scene: Scene, words: Words, rate: float) -> Instruction:
    """Return the instruction, with remarks if it begins or completes an object, or looks like something.

    Args:
        rate: of the shapes that belong to no object are compared to something, of the first ones three times as many.
    """
    if scene.continuing or turn.then is not None:
        return plain
    # The first part of an object: what it will be, and what the part is called.
    if turn.object and turn.request is None:
        before = [words.pick("ANNOUNCED").format(o=_with_article(turn.object))] if words.chance(_ANNOUNCED) else []
        after = []
        if words.chance(_FIRST_SAID_BEFORE):
            before.append(words.pick("FIRST_PART").format(p=turn.part))
        else:
            after.append(words.pick("FIRST_PART_AFTER").format(p=turn.part))
        return Remarked(plain, "announcement" if len(before) + len(after) > 1 else "part", tuple(before), tuple(after))
    # The last part: what it looks like.
    if turn.object:
        said = (
            (words.pick("FINISHED").format(o=_with_article(turn.object)),)
            if turn.completes and words.chance(_COMPARED)
            else ()
        )
        return Remarked(plain, "comparison" if said else "part", (), said)
    # Other shapes.
    look = kind_of(turn.cells) if turn.request is None else None
    if look in (None, "block") or not words.chance(rate if scene.last is not None else min(1.0, 3.0 * rate)):
        return plain
    likeness = words.pick(f"LIKE.{turn.drawing or look}")
    if scene.last is None and words.chance(0.7):
        return Remarked(plain, "announcement", (words.pick("ANNOUNCED").format(o=likeness),))
    return Remarked(plain, "comparison", (), (words.pick("LIKENESS").format(o=likeness),))


def _with_article(name: str) -> str:
    return article(f"a {name}")
