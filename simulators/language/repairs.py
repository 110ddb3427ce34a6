"""Instructions that come right in the end: beyond the paper, off by default (`talk.repairs`).

- The Architect says a detail wrong and corrects itself: "put a red block on top of it" / "no wait, blue".
- The Builder asks between two readings: "... to the left of the red block" / "the top one or the bottom one?".

Each of them has one reading in the end, which is what it denotes.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any, TypeVar

from bap_v2_metric.actions import NetAction
from bap_v2_simulators.language.block_instructions import BlockInstruction
from bap_v2_simulators.language.likeness import UNLIKE
from bap_v2_simulators.language.places import beside, going_to
from bap_v2_simulators.language.references import ReferringExpression, Scene, superlatives
from bap_v2_simulators.language.sentences import number_word
from bap_v2_simulators.language.shape_instructions import ShapeInstruction
from bap_v2_simulators.language.turns import Line, exchange
from bap_v2_simulators.language.words import Words
from bap_v2_simulators.targets import COLORS
from bap_v2_simulators.view import Offset

T = TypeVar("T")

_IN_ONE_LINE = 0.3  # of the corrections
_COLORS = re.compile(rf"\b(?:{'|'.join(color.value for color in COLORS)})s?\b", re.IGNORECASE)
# "one" counts where it is a number of steps, not in "that one".
_NUMBERS = re.compile(
    r"\b(?:\d+|two|three|four|five|six|seven|eight|nine|ten"
    r"|one (?:to|block|space|up|down|left|right|above|below|under|behind|in front|towards|closer|lower|higher|farther"
    r"|further))\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Corrected:
    """An instruction with one detail said wrong, and put right in the next breath."""

    wrong: BlockInstruction | ShapeInstruction
    detail: str  # the field that was wrong
    right: Any  # its value
    correction: str  # what is said for it if that is clear
    in_full: str = ""  # what is said if `several` occurs more than once in what was said before
    several: re.Pattern[str] | None = None  # colors or numbers
    repair = "correction"
    omitted = None

    def denotes(self, scene: Scene) -> frozenset[NetAction] | None:
        """Return what is asked for in the end; None if any place on the ground will do. Raises: LanguageError."""
        return replace(self.wrong, **{self.detail: self.right}).denotes(scene)

    def dialogue(self, words: Words, scene: Scene) -> list[Line]:
        """(speaker, dialogue act, text) of each utterance."""
        *lines, (speaker, act, text) = self.wrong.dialogue(words, scene)
        if self.in_full and self._is_unclear([*lines, (speaker, act, text)]):
            said = words.pick("CORRECTIONS_TO_DO").format(x=self.in_full)
        else:
            said = words.pick("CORRECTIONS").format(x=self.correction)
        if words.chance(_IN_ONE_LINE):
            joint = " " if text[-1] in ".!?" else words.pick((". ", ", ", "... "))
            return [*lines, (speaker, act, f"{text}{joint}{said}")]
        return [*lines, (speaker, act, text), ("Architect", "repair", said)]

    def _is_unclear(self, lines: Sequence[Line]) -> bool:
        """Return whether the correction could be about something else: "... to the left of the blue block" / "no,
        red"."""
        return sum(len(self.several.findall(text)) for speaker, _, text in lines if speaker == "Architect") > 1


@dataclass(frozen=True, slots=True)
class OneOfTwo:
    """An instruction from a block of which there are two, and the Builder asks which."""

    instruction: BlockInstruction
    name: str  # the superlative that is true of the block that is meant
    other: str  # one that is true of another block of its color
    repair = "two readings"
    omitted = None

    def denotes(self, scene: Scene) -> frozenset[NetAction] | None:
        """Return what is asked for once the Builder knows which block is meant. Raises: LanguageError."""
        expression = self.instruction.expression._replace(superlatives=(self.name,))
        return replace(self.instruction, expression=expression).denotes(scene)

    def dialogue(self, words: Words, scene: Scene) -> list[Line]:
        """(speaker, dialogue act, text) of each utterance."""
        color = self.instruction.expression.color
        vague = replace(self.instruction, expression=ReferringExpression("vague", color))
        noun = words.pick(("one", "one", "block"))
        said = _alike(words, lambda own, name: own.pick(f"SUPERLATIVES.{name}.before"), (self.name, self.other))
        meant, other = (f"the {adjective} {noun}" for adjective in said)
        x, y = (meant, other) if words.chance(0.5) else (other, meant)
        question, answer = words.pick("WHICH_OF_TWO").format(x=x, y=y), words.pick("THAT_OF_TWO").format(x=meant)
        return [*vague.dialogue(words, scene), *exchange(question, answer)]


@dataclass(frozen=True, slots=True)
class OneOfTwoWays:
    """A shape whose direction is left open, and the Builder asks between two."""

    instruction: ShapeInstruction
    ways: tuple[tuple[Offset, ...], tuple[Offset, ...]]  # the steps that are meant, and others
    repair = "two readings"
    omitted = None

    def denotes(self, scene: Scene) -> frozenset[NetAction] | None:
        """Return what is asked for once the Builder knows which way is meant. Raises: LanguageError."""
        return replace(self.instruction, steps=self.ways[0]).denotes(scene)

    def dialogue(self, words: Words, scene: Scene) -> list[Line]:
        """(speaker, dialogue act, text) of each utterance."""
        *lines, _question, _answer = replace(self.instruction, omitted="orientation").dialogue(words, scene)
        forms = [replace(self.instruction, steps=steps).form for steps in self.ways]
        meant, other = _alike(words, lambda own, form: going_to(own, form.directions), forms)
        x, y = (meant, other) if words.chance(0.5) else (other, meant)
        return [*lines, *exchange(f"{x} or {y}?", words.pick("THAT_OF_TWO").format(x=meant))]


def repaired_block(instruction: BlockInstruction, scene: Scene, words: Words, rate: float):
    """Return the instruction, or at this rate one that says the same in the end."""
    open_to_it = instruction.omitted is None and not instruction.removes and instruction.place is None
    if not rate or not open_to_it or scene.continuing or not words.chance(rate):
        return instruction
    if instruction.expression.rule == "superlative" and instruction.count == 1:
        two = _one_of_two(instruction, scene, words)
        if two is not None:
            return two
    return words.pick(_wrong_details(instruction))(instruction, words)


def repaired_shape(instruction: ShapeInstruction, scene: Scene, words: Words, rate: float):
    """Return the instruction, or at this rate one that says the same in the end."""
    if not rate or instruction.omitted is not None or scene.continuing or not words.chance(rate):
        return instruction
    instruction = replace(instruction, likeness=UNLIKE)
    ways: list[Callable] = [_wrong_color]
    if len(instruction.size) == 1:
        ways.append(_wrong_length)
    if any(step.left or step.away for step in instruction.steps):
        ways += [_wrong_direction, _one_of_two_ways]
    return words.pick(ways)(instruction, words)


# --- wrong details


def _wrong_details(instruction: BlockInstruction) -> Sequence[Callable]:
    ways: list[Callable] = [_wrong_color]
    if instruction.count > 1:
        ways.append(_wrong_number)
    elif instruction.step is not None:
        ways += [_wrong_side, _wrong_side]
    return ways


def _wrong_color(instruction, words: Words) -> Corrected:
    wrong = words.pick([color for color in COLORS if color is not instruction.color])
    right = instruction.color.value
    said = words.pick("OTHER_COLOR").format(c=right)
    several = isinstance(instruction, BlockInstruction) and instruction.count > 1
    in_full = words.pick("MAKE_OF_COLOR").format(c=right, o="them" if several else "it")
    return Corrected(replace(instruction, color=wrong), "color", instruction.color, said, in_full, _COLORS)


def _wrong_number(instruction: BlockInstruction, words: Words) -> Corrected:
    wrong = instruction.count + (1 if instruction.count == 2 or words.chance(0.5) else -1)
    number = _number(words, instruction.count)
    higher = "" if wrong > instruction.count else "_HIGHER"
    said, in_full = words.pick(f"OTHER_NUMBER{higher}"), words.pick(f"MAKE_SO_MANY{higher}")
    return Corrected(
        replace(instruction, count=wrong), "count", instruction.count, said.format(n=number),
        in_full.format(n=number, c=instruction.color.value), _NUMBERS,
    )  # fmt: skip


def _wrong_side(instruction: BlockInstruction, words: Words) -> Corrected:
    """Return the opposite side of the reference; of two directions one is wrong."""
    step = instruction.step
    wrong = _turned(step)
    if len(step.directions) == 1 and instruction.expression.rule != "ellipsis" and words.chance(0.3):
        said = words.pick("THAT_SIDE")
    else:
        said = beside(words, step, None)
    return Corrected(replace(instruction, step=wrong), "step", step, said)


def _wrong_length(instruction: ShapeInstruction, words: Words) -> Corrected:
    (length,) = instruction.size
    wrong = length + (1 if length <= 3 or words.chance(0.5) else -1)
    sides = "TALL" if instruction.form.column else "LONG"
    number, side = _number(words, length), words.pick(sides)
    said = words.pick("OTHER_LENGTH").format(n=number, l=side)
    in_full = words.pick("MAKE_SO_LONG").format(n=number, l=side)
    return Corrected(replace(instruction, size=(wrong,)), "size", instruction.size, said, in_full, _NUMBERS)


def _wrong_direction(instruction: ShapeInstruction, words: Words) -> Corrected:
    wrong = _other_way(instruction.steps)
    said = f"going {going_to(words, instruction.form.directions)}"
    return Corrected(replace(instruction, steps=wrong), "steps", instruction.steps, said)


# --- two readings


_OPPOSITE = {
    "leftmost": "rightmost", "topmost": "bottommost", "frontmost": "backmost", "closest": "furthest",
}  # fmt: skip
_OPPOSITE |= {other: name for name, other in _OPPOSITE.items()}


def _one_of_two(instruction: BlockInstruction, scene: Scene, words: Words) -> OneOfTwo | None:
    """Return the two ends at which blocks of the color are: the top one or the bottom one."""
    color = instruction.expression.color
    others = {
        other
        for cell, color_there in scene.board.items()
        if color_there is color
        for other in superlatives(cell, scene)
    }
    names = [name for name in instruction.expression.superlatives if _OPPOSITE.get(name) in others]
    if not names:
        return None
    name = words.pick(names)
    return OneOfTwo(instruction, name, _OPPOSITE[name])


def _one_of_two_ways(instruction: ShapeInstruction, words: Words) -> OneOfTwoWays:
    return OneOfTwoWays(instruction, (instruction.steps, _other_way(instruction.steps)))


def _turned(step: Offset) -> Offset:
    """Return the step with its last direction reversed: sideways or in depth, if it is not only up or down."""
    if step.away and not step.left:
        return step._replace(away=-step.away)
    return step._replace(left=-step.left) if step.left else step._replace(up=-step.up)


def _other_way(steps: tuple[Offset, ...]) -> tuple[Offset, ...]:
    """Return the steps with the first level one reversed."""
    position = next(i for i, step in enumerate(steps) if step.left or step.away)
    step = steps[position]
    return (*steps[:position], step._replace(left=-step.left, away=-step.away), *steps[position + 1 :])


def _alike(words: Words, say: Callable[[Words, T], str], things: Sequence[T]) -> list[str]:
    """Return each of the things, said with the same random numbers: "up and left", "up and right"."""
    seed = words.random()
    return [say(Words(Random(seed)), thing) for thing in things]


def _number(words: Words, number: int) -> str:
    return number_word(number) if words.chance(0.6) else str(number)
