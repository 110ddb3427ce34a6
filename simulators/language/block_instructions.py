"""Instructions about blocks, for D_r and D_sb: their words, and the actions they ask for (BAP v2, 10.2 and 10.3)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from bap_v2_metric.actions import ActionType, NetAction
from bap_v2_metric.blocks import Cell, Color
from bap_v2_simulators.language import sentences
from bap_v2_simulators.language.comments import Comment
from bap_v2_simulators.language.landmark_search import landmark_beside
from bap_v2_simulators.language.landmarks import Landmark
from bap_v2_simulators.language.last_row import OtherSide, beside_the_last_row
from bap_v2_simulators.language.places import beside, near_the_middle
from bap_v2_simulators.language.references import (
    ELLIPSIS,
    NO_REFERENCE,
    LanguageError,
    ReferringExpression,
    Scene,
    could_be_told_apart,
    net_placements,
    referring_expression,
)
from bap_v2_simulators.language.relative_places import RelativePlace, SpacesAway, relative_place
from bap_v2_simulators.language.turns import Clause, exchange, instruction_lines
from bap_v2_simulators.language.words import Words
from bap_v2_simulators.number_words import NUMBER_WORDS
from bap_v2_simulators.simulator import DialogueSettings, Turn
from bap_v2_simulators.targets import NEIGHBORHOOD
from bap_v2_simulators.view import Offset, offset_metadata
from bap_v2_simulators.wording.phrases import Phrases, table

_LINES = (*table("LINES"), *table("STACKS"))  # how several blocks begin that are one thing
_IN_PARTS = 0.18  # of the instructions: what, and then where
_COLOR_ALONE = 0.06  # of the new colors are a line of their own (human train split: 0.05)
_POINTING = 0.02  # of the references
_FLOATING_BEFORE = 0.95  # the noun: "a floating block", not "a block floating in the air" (human train split: 43 of 45)
_COLOR_BEFORE_FLOATING = 0.25  # "a red floating block" (human train split: 4 of 15)
# "another one one above it", "a red right of it": a place that begins with one of these follows a noun.
_NOT_AFTER_ONE = {*NUMBER_WORDS, *map(str, range(11)), "left", "right", "up", "down"}


@dataclass(frozen=True, slots=True)
class BlockInstruction:
    """Place one block or a run of blocks, or remove one, at a relation to a reference block."""

    removes: bool
    color: Color
    count: int
    step: Offset | None  # None: on the ground (first block), or the last placed block itself (removal)
    expression: ReferringExpression | Landmark  # for the reference block
    floating: bool  # whether supports are needed
    omitted: str | None  # "color" or "location", to be asked for
    place: RelativePlace | None = None  # said instead of a step from the reference block
    comment: Comment | None = None  # on the shape that is built
    reference: Cell | None = None  # the block that the expression denotes, for the metadata
    near_the_middle: bool = False  # of the ground, where the first block goes

    def denotes(self, scene: Scene) -> frozenset[NetAction] | None:
        """Return the net actions that it asks for; None if any place on the ground will do. Raises: LanguageError."""
        if self.removes:
            cell = scene.last if self.step is None else self._cells(scene)[0]
            if scene.board.get(cell) is not self.color or (self.step is None and scene.last_removed):
                raise LanguageError(f"there is no {self.color.value} block to remove")
            return frozenset([NetAction(ActionType.REMOVE, self.color, cell)])
        if self.step is None:
            return None
        return net_placements(self.color, self._cells(scene), scene)

    def _cells(self, scene: Scene) -> Sequence[Cell]:
        if self.place is not None:
            return self.place.denotes(scene, self.count)
        start = self.expression.denotes(scene)
        return [scene.view.cell(start, self.step, times) for times in range(1, self.count + 1)]

    def dialogue(self, words: Words, scene: Scene) -> list[tuple[str, str, str]]:
        """(speaker, dialogue act, text) of each utterance: the instruction, and the exchange that it may need."""
        lines = self._lines(words, scene)
        return lines if self.comment is None else self.comment.added(words, lines)

    def _lines(self, words: Words, scene: Scene) -> list[tuple[str, str, str]]:
        if self.removes:
            return self._removal(words, scene)
        own = self._own_sentence(words, scene)
        return instruction_lines(words, (Clause(own),), scene) if own else self._placement(words, scene)

    def _placement(self, words: Words, scene: Scene) -> list[tuple[str, str, str]]:
        # The clause for the place, or one that points to the reference first.
        split = self.omitted != "location" and words.chance(_IN_PARTS * words.talk.parts)
        clauses = self._color_alone(words, scene)
        pointing = "" if split else self._pointing(words, scene)
        if self.step is None:
            pp = words.pick("NEAR_THE_MIDDLE" if self.near_the_middle else "ON_THE_GROUND")
        elif pointing:
            clauses += (Clause(pointing, question=True),)
            pp = beside(words, self.step, words.pick("POINTED_AT"), self.count)
        else:
            pp = self._place(words, scene, by_itself=split or self.omitted == "location")
        np = self._blocks(words, scene, pp, named=not clauses or bool(pointing) or words.chance(0.5))
        say = sentences.in_parts if split else sentences.sentence
        clauses += say(
            words, verbs=self._verbs(np), np=np, pp="" if self.omitted == "location" else pp,
            singular=self.count == 1, first=self.step is None, started=bool(clauses),
            # "two blocks to the left of it" by itself could be a distance, and "a block" by itself says too little.
            whole=self.omitted == "color" and (self.count > 1 or split),
        )  # fmt: skip
        # What was left out is asked for.
        turns = instruction_lines(words, clauses, scene)
        if self.omitted == "color":
            turns += exchange(words.pick("ASK_COLOR"), words.pick("ANSWER_COLOR").format(c=self.color.value))
        elif self.omitted == "location":
            several = self.count > 1
            question = words.pick("ASK_PLACE_OF_SEVERAL" if several else "ASK_PLACE")
            answers = "ANSWER_PLACE_OF_SEVERAL" if several else "ANSWER_PLACE"
            answer = words.pick(sentences.frames_before(pp, table(answers)))
            turns += exchange(question, answer.format(pp=pp))
        return turns

    def _color_alone(self, words: Words, scene: Scene) -> tuple[Clause, ...]:
        """Return a line that says the color before the instruction, seldom."""
        if (
            self.omitted is not None
            or self.color is scene.last_color
            or not words.chance(_COLOR_ALONE * words.talk.parts)
        ):
            return ()
        ways = "FIRST_COLORS" if scene.last is None else "COLORS"
        return (Clause(words.pick(ways).format(c=self.color.value)),)

    def _pointing(self, words: Words, scene: Scene) -> str:
        """Return what says which block is meant before the instruction, seldom: "see the leftmost red block"."""
        if self.omitted is not None or self.place is not None or self.expression.rule in ("none", "last", "ellipsis"):
            return ""
        if not words.chance(_POINTING * words.talk.parts):
            return ""
        return words.pick("POINTING").format(r=self.expression.phrase(words, scene))

    def _own_sentence(self, words: Words, scene: Scene) -> str:
        """Return a sentence in a way of its own, if there is one: "same on the other side", "skip a space and ..."."""
        if self.omitted is None and isinstance(self.place, OtherSide) and self.place.same:
            return words.pick("SAME_ON_THE_OTHER_SIDE")
        if self.omitted is None and isinstance(self.place, SpacesAway) and self.place.gap and words.chance(0.5):
            np = self._blocks(words, scene, "", named=True)
            return self.place.skipping(words, scene, words.pick(sentences.without_contact(table("PLACE_VERBS")))[0], np)
        return ""

    def _place(self, words: Words, scene: Scene, by_itself: bool) -> str:
        """Return where it goes; `by_itself` in a line after the blocks, where "it" would be one of them."""
        if self.place is not None:
            return self.place.phrase(words, scene, by_itself)
        phrase = None if self.expression.rule == "ellipsis" else self.expression.phrase(words, scene, by_itself)
        pp = beside(words, self.step, phrase, self.count)
        return pp if self.count == 1 else pp + beside_the_last_row(words, scene, self._cells(scene))

    def _blocks(self, words: Words, scene: Scene, pp: str, named: bool) -> str:
        """What is to be placed: "three floating red blocks", "another red one", "a stack of 4 blocks", "two more".

        Args:
            pp: the place; "a red one space above it" would not do.
            named: whether the color is; it may have been said before.
        """
        # "Two more", if the color is that of the last blocks.
        likeness, named_line = words.talk.likeness, words.talk.names
        color = None if self.omitted == "color" or not named else self.color
        same_again = color is not None and color is scene.last_color and not scene.last_removed
        more = same_again and not self.floating and self.expression.rule in ("last", "ellipsis")
        if more and pp.split(" ", 1)[0] not in _NOT_AFTER_ONE and words.chance(0.3 * likeness):
            number = sentences.typed_number(words, self.count) if self.count > 1 else ""
            if scene.last_count > 1:
                ways = "ONE_MORE_AFTER_SEVERAL" if self.count == 1 else "SOME_MORE_AFTER_SEVERAL"
            else:
                ways = "ONE_MORE" if self.count == 1 else "SOME_MORE"
            return words.pick(ways).format(n=number)
        name = "" if color is None else color.value
        before = after = ""
        if self.floating and words.chance(0.6):
            if words.chance(_FLOATING_BEFORE):
                before = words.pick("FLOATING")
            else:
                after = words.pick("FLOATING_AFTER")
        # The number and the noun.
        if self.count == 1:
            noun = words.pick("NOUNS" if name else "NOUNS_ALONE")
            number = words.pick("ANOTHER" if same_again and words.chance(0.45 * likeness) else "SINGLE")
        else:
            noun = words.pick("PLURAL_NOUNS" if name else "PLURAL_NOUNS_ALONE")
            goes_straight = pp.startswith(("going", "extending")) and len(self.step.directions) == 1
            number = sentences.typed_number(words, self.count)
            if same_again and words.chance(0.4 * likeness):
                number = f"{number} more"
            elif self.count == 2 and words.chance(0.2):
                number = words.pick("COUPLE")
            elif goes_straight and words.chance(0.5 * named_line):  # rows are level, and what goes down is no stack
                names = "STACKS" if self.step.up > 0 else "COLUMNS" if self.step.up else "LINES"
                number = f"{words.pick(names)} {number}"
            elif (
                self.step.relation == "top"
                and not pp.startswith(("stacked", "in a", "one"))
                and words.chance(0.2 * named_line)
            ):
                number = f"{words.pick('STACKS')} {number}"
        if noun in ("", "s", "one") and pp.split(" ", 1)[0] in _NOT_AFTER_ONE:
            noun = "block" if self.count == 1 else "blocks"
        # Not "one blue one", nor "a blue one" before there is any, and not "a purple floating".
        again = noun == "one" and (self.step is None or number.endswith(("one", "1", "one more", "1 more")))
        if again or (after and not noun):
            noun = "block" if self.count == 1 else "blocks"
        if noun == "s":  # "two reds"
            name, noun = f"{name}s", ""
        described = f"{name} {before}" if noun and words.chance(_COLOR_BEFORE_FLOATING) else f"{before} {name}"
        return sentences.article(" ".join(f"{number} {described} {noun}{after}".split()).replace(" ,", ","))

    def _verbs(self, np: str) -> Phrases[tuple[str, str]]:
        """Return the verbs for what is to be placed: people build and make rows, and stack what goes on top."""
        if np.startswith(_LINES):
            ways = table("BUILD_VERBS")
        else:
            ways = table("STACK_VERBS" if self.step and self.step.relation == "top" else "PLACE_VERBS")
        return ways if self.color.value in np else sentences.without_color(ways)

    def _removal(self, words: Words, scene: Scene) -> list[tuple[str, str, str]]:
        # The block that was placed last.
        color = self.color.value
        if self.step is None:
            np = words.pick("LAST_PLACED").format(c=color)
            return instruction_lines(words, sentences.removal(words, verbs="REMOVE_VERBS", np=np), scene, undoes=True)
        # Another one, by its place, said at once or when it is asked for.
        pp = self._place(words, scene, by_itself=self.omitted == "location")
        counted = pp.split(" ", 1)[0] in _NOT_AFTER_ONE
        if self.omitted == "location":
            answers = "BLOCK_IN_ANSWER" if counted else "ANSWER_WHICH"
            np = sentences.article(words.pick("ONE_OF_THEM").format(c=color))
            return [
                *instruction_lines(words, sentences.removal(words, verbs="REMOVE_VERBS", np=np), scene),
                *exchange(words.pick("ASK_WHICH"), words.pick(answers).format(pp=pp, c=color)),
            ]
        np = words.pick("THE_BLOCK_AT" if counted else "THE_ONE_AT").format(c=color, pp=pp)
        return instruction_lines(words, sentences.removal(words, verbs="REMOVE_VERBS", np=np), scene)


def references_beside(
    rng: Random, cell: Cell, board: Mapping[Cell, Color], last: Cell | None, corners: bool = True
) -> tuple[Cell, ...]:
    """The blocks beside the cell that an instruction can refer to, in random order; the last removed one counts."""
    x, y, z = cell
    beside = [Cell(x + dx, y + dy, z + dz) for dx, dy, dz in NEIGHBORHOOD]
    references = [
        other
        for other in beside
        if (other in board or other == last) and could_be_told_apart(other, board, last, corners)
    ]
    rng.shuffle(references)
    return tuple(references)


def block_instruction(
    turn: Turn, reference: Cell | None, scene: Scene, words: Words, talk: DialogueSettings
) -> BlockInstruction:
    """Return the instruction to place some blocks or to remove one."""
    # The reference; it is left unsaid only after a single block.
    step = None
    expression: ReferringExpression | Landmark = NO_REFERENCE
    if reference is not None:
        step = scene.view.offset(reference, turn.cells[0])
        expression = referring_expression(reference, scene, talk.corners)
        one_by_one = len(turn.cells) == scene.last_count == 1  # after a run, "on top" could mean on top of all of it
        may_be_omitted = expression.rule == "last" and not scene.last_removed and not turn.removes and one_by_one
        if may_be_omitted and words.chance(talk.ellipsis):
            expression = ELLIPSIS
    # What is left for the Builder to ask.
    omitted = None
    if words.chance(talk.clarification):
        if not turn.removes:
            omitted = "location" if reference and words.chance(0.5) else "color"
        elif reference and sum(color is turn.color for color in scene.board.values()) > 1:
            omitted = "location"  # the color of a removed block only helps to find it, and one block needs no question
    # Another place or a landmark may take the place of the reference.
    place = None
    if reference is not None and not turn.removes and expression is not ELLIPSIS and not scene.continuing:
        place = relative_place(turn.cells, turn.color, scene, words)
    if reference is not None and place is None and expression is not ELLIPSIS:
        landmark = landmark_beside(turn, reference, scene, words, talk.landmarks)
        if landmark is not None:
            expression, reference = landmark, landmark.denotes(scene)
            step = scene.view.offset(reference, turn.cells[0])
    near = reference is None and not turn.removes and near_the_middle(words, turn.cells)
    return BlockInstruction(
        turn.removes, turn.color, len(turn.cells), step, expression, turn.supports > 0, omitted, place, None, reference,
        near,
    )  # fmt: skip


def block_metadata(turn: Turn, instruction: BlockInstruction) -> dict[str, Any]:
    """Return the plan behind an instruction about blocks."""
    return {
        "action": "remove" if turn.removes else "place",
        "color": turn.color.value,
        "blocks": len(turn.cells),
        **offset_metadata(instruction.step),
        "reference_rule": instruction.expression.rule,
        "reference": list(instruction.reference) if instruction.reference else None,
        "floating": instruction.floating,
        "omitted": instruction.omitted,
        "place": _kind_of_place(instruction),
    }


def _kind_of_place(instruction: BlockInstruction) -> str | None:
    if instruction.place is not None:
        return instruction.place.kind
    return "beside" if instruction.step else "near the middle" if instruction.near_the_middle else None
