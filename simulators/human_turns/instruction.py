"""An instruction of a human turn: its words, and the actions that it asks for."""

from dataclasses import dataclass
from typing import Any

from bap_v2_metric.actions import ActionType, NetAction
from bap_v2_metric.blocks import Color
from bap_v2_simulators.human_turns.objects import PartAdded
from bap_v2_simulators.human_turns.references import NEW, ThingReference, may_be_it, thing_reference
from bap_v2_simulators.human_turns.remainders import Remainder
from bap_v2_simulators.human_turns.requests import DialogueContext, ReferenceNames, Request
from bap_v2_simulators.human_turns.turns import HumanTurn
from bap_v2_simulators.language.references import LanguageError, Scene
from bap_v2_simulators.language.turns import Line, exchange, instruction_lines, typed
from bap_v2_simulators.language.words import Words
from bap_v2_simulators.view import offset_metadata

# What a correction begins with by itself: "no, sorry, move it" is one too many.
_OPENED = ("sorry", "oops", "no", "not", "i meant", "actually", "scratch", "can you", "undo")


@dataclass(frozen=True, slots=True)
class HumanInstruction:
    """Change, repeat, mirror or extend something that is there."""

    request: Request
    thing: ThingReference | None
    pivot: ThingReference | None
    omitted: str | None

    def denotes(self, scene: Scene) -> frozenset[NetAction]:
        """Return the net actions that it asks for. Raises: LanguageError."""
        # The change to the board.
        thing, pivot = (None if one is None else one.denotes(scene) for one in (self.thing, self.pivot))
        change = self.request.change(thing, pivot, DialogueContext(scene.board, scene.last_cells))
        if change is None:
            raise LanguageError("it makes no sense here")
        # Its net actions: a block that is placed and removed in the same color is none.
        left = scene.board.keys() - set(change.removed)
        if any(cell in left for cell, _ in change.placed):
            raise LanguageError("there is a block already")
        placed = dict(change.placed)
        return frozenset(
            [
                NetAction(ActionType.PLACE, color, cell)
                for cell, color in placed.items()
                if scene.board.get(cell) != color
            ]
            + [
                NetAction(ActionType.REMOVE, scene.board[cell], cell)
                for cell in change.removed
                if placed.get(cell) != scene.board[cell]
            ]
        )

    def dialogue(self, words: Words, scene: Scene) -> list[Line]:
        """(speaker, dialogue act, text) of each utterance."""
        # How the things are called.
        color: Color | None = None
        is_it = False
        if self.thing is not None:
            thing = self.thing.denotes(scene)
            color, is_it = thing.color, self.thing.rule == "it"
        names = ["" if one is None else one.phrase(words) for one in (self.thing, self.pivot)]
        named = ReferenceNames(*names, scene.view, is_it, is_it and scene.last_kind in NEW, color)
        # A correction stands by itself; other requests are introduced.
        said = self.request.said(words, named, self.omitted)
        if self.request.corrects and not scene.continuing:
            first, *others = said.clauses
            text = first.text
            if scene.asked and not text.startswith(_OPENED):
                text = words.pick("NOT_RIGHT").format(x=text)
            lines = [("Architect", "instruction", typed(words, text))]
            lines += [("Architect", "instruction", typed(words, other.text)) for other in others]
        else:
            lines = instruction_lines(words, said.clauses, scene)
        # What was left out is asked for.
        if said.question:
            lines += exchange(said.question, said.answer)
        return lines


def human_instruction(turn: HumanTurn, scene: Scene, words: Words, clarification: float) -> HumanInstruction:
    """Return the instruction of a turn that is no plain one."""
    request = turn.request
    it = may_be_it(request, scene)
    if isinstance(request, PartAdded):
        return HumanInstruction(request, ThingReference("part", None, request.part.of), None, None)
    thing = None if turn.thing is None else thing_reference(words, turn.thing, scene, it=it)
    pivot = None if turn.pivot is None else thing_reference(words, turn.pivot, scene, it=False)
    omitted = words.pick(request.details) if request.details and words.chance(clarification) else None
    return HumanInstruction(request, thing, pivot, omitted)


def human_metadata(turn: HumanTurn, instruction: HumanInstruction | Remainder) -> dict[str, Any]:
    """Return the plan of the turn, in plain values."""
    return {
        "action": "remove" if turn.removes else "change" if turn.replaced else "place",
        "color": turn.color.value,
        "blocks": len(turn.cells),
        "kind": turn.kind,
        "error": None if turn.remainder is None else turn.remainder[0],
        "thing": None if instruction.thing is None else instruction.thing.rule,
        **offset_metadata(None),
        "reference_rule": "none",
        "reference": None,
        "omitted": instruction.omitted,
    }
