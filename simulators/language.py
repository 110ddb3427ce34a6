"""From meaning to English: words, places, directions and sentences (BAP v2, 5.2.3).

A phrase made here denotes what it was made for: "to the left of {r}" is one cell to the left of whatever {r} is.
Which block that is, and what an instruction asks for, is computed by references.py, block_instructions.py and
shape_instructions.py.
"""

import re
from collections.abc import Sequence
from random import Random
from typing import TypeVar

from bap_v2_simulators import wording
from bap_v2_simulators.number_words import NUMBER_WORDS
from bap_v2_simulators.view import Direction, Offset

T = TypeVar("T")

_LARGEST_IN_WORDS = 10


class Words:
    """The random stream of language: it picks one of many ways to say a thing."""

    __slots__ = ("random",)

    def __init__(self, rng: Random):
        self.random = rng.random

    def pick(self, options: Sequence[T]) -> T:
        """One of the options."""
        return options[int(self.random() * len(options))]

    def chance(self, probability: float) -> bool:
        """True with this probability."""
        return self.random() < probability


# --- where


def beside(words: Words, step: Offset, reference: str | None, count: int = 1, *, plain: bool = False) -> str:
    """Where the cell is that one `step` leads to from the reference, or a run of `count` cells from there on.

    Args:
        step: 1D or 2D, one cell in each of its directions.
        reference: the phrase for the reference; None leaves it out, and the last placed block is meant.
        plain: only what can follow "starting".
    """
    directions = step.directions
    if len(directions) == 1:
        (direction,) = directions
        if reference is None:
            return words.pick(wording.BESIDE_UNSAID[direction])
        if count == 1:
            return words.pick((wording.PLAIN_BESIDE if plain else wording.BESIDE)[direction]).format(r=reference)
        if not step.up and words.chance(0.45):
            going = words.pick(wording.GOING[direction])
            ways = wording.ALONG_GOING_AWAY if direction is Direction.BEHIND else wording.ALONG_GOING
            return words.pick(ways).format(to=going, r=reference)
        ways = wording.ALONG_VERTICAL if step.up else wording.ALONG
        return words.pick(ways).format(pp=words.pick(wording.FAR_BESIDE[direction]).format(r=reference))
    if count > 1:
        going = going_to(words, directions)
        ways = wording.DIAGONAL_LINES_AWAY if Direction.BEHIND in directions else wording.DIAGONAL_LINES
        return words.pick(ways).format(going=going, r=reference)
    if words.chance(0.4):
        corner = words.pick(wording.CORNERS[directions])
        if reference is None:
            return words.pick(wording.CORNER_UNSAID).format(corner=corner)
        ways = wording.PLAIN_CORNER_WAYS if plain else wording.CORNER_WAYS
        return words.pick(ways).format(corner=corner, r=reference)
    if reference is None or words.chance(0.25):
        return steps_away(words, step, reference)
    first, second = directions if words.chance(0.6) else directions[::-1]
    return words.pick(wording.TWO_WAYS).format(
        first=words.pick(wording.FIRST_OF_TWO[first]), second=words.pick(wording.NEXT_TO_REFERENCE[second]), r=reference
    )


def steps_away(words: Words, offset: Offset, reference: str | None) -> str:
    """Where a cell is, counted in cells each way from the reference: "two to the left and one above the last block"."""
    parts = [
        (number, direction)
        for number, direction in zip((abs(offset.up), abs(offset.left), abs(offset.away)), _slots(offset), strict=True)
        if number
    ]
    if len(parts) > 1 and words.chance(0.5):
        parts.reverse() if words.chance(0.5) else parts.append(parts.pop(0))
    noun = words.pick(wording.STEP_NOUNS)
    in_words = words.chance(0.75)
    counted = [_counted(number, noun, in_words) for number, _ in parts]
    phrases = [
        words.pick(wording.STEPS_AWAY[direction]).format(n=n) for n, (_, direction) in zip(counted, parts, strict=True)
    ]
    if reference is None:
        return _listed(phrases, words)
    if len(parts) > 1 and words.chance(0.35):
        steps = _listed(phrases, words)
        ways = wording.STEPS_RELATIVE[1:] if steps.endswith("from you") else wording.STEPS_RELATIVE
        return words.pick(ways).format(steps=steps, r=reference)
    phrases[-1] = words.pick(wording.STEPS_FROM[parts[-1][1]]).format(n=counted[-1], r=reference)
    return _listed(phrases, words)


def going_to(words: Words, directions: Sequence[Direction]) -> str:
    """A direction with the Builder as its anchor: "up and to the left of you"."""
    order = list(directions)
    if len(order) == 2 and words.chance(0.4):
        order.reverse()
    return " and ".join(words.pick(wording.GOING[direction]) for direction in order)


def _slots(offset: Offset) -> tuple[Direction, Direction, Direction]:
    """The direction of each part of the offset, if there is any of it: vertical, sideways, in depth."""
    return (
        Direction.TOP if offset.up > 0 else Direction.BOTTOM,
        Direction.LEFT if offset.left > 0 else Direction.RIGHT,
        Direction.BEHIND if offset.away > 0 else Direction.FRONT,
    )


def _counted(number: int, noun: str, in_words: bool) -> str:
    return f"{number_word(number) if in_words else number}{noun}{'s' if noun and number > 1 else ''}"


def _listed(parts: list[str], words: Words) -> str:
    if len(parts) == 1:
        return parts[0]
    comma = "," if len(parts) > 2 and words.chance(0.5) else ""
    return f"{', '.join(parts[:-1])}{comma} and {parts[-1]}"


def number_word(number: int) -> str:
    """`three` for 3; digits above ten."""
    return NUMBER_WORDS[number] if number <= _LARGEST_IN_WORDS else str(number)


def article(text: str) -> str:
    """The text with `a` made `an` where English needs it: before a vowel and before 8.

    >>> article("a orange row of a u-shape, a 8x8 one")
    'an orange row of a u-shape, an 8x8 one'
    """
    return _BEFORE_A_VOWEL.sub("an", text)


_BEFORE_A_VOWEL = re.compile(r"\ba(?= [aeiou8])(?! u-)")


# --- sentences


def sentence(
    words: Words,
    *,
    verbs: Sequence[tuple[str, str]],
    np: str,
    pp: str,
    singular: bool = True,
    first: bool = False,
    whole: bool = False,
    after: bool = False,
) -> str:
    """An instruction to build `np` at `pp`: imperative, declarative, question or fragment.

    Args:
        verbs: with their -ing forms.
        pp: the place; empty leaves it open.
        singular: whether `np` is.
        first: nothing was built before.
        whole: no fragment.
        after: the place follows what is to be built ("a row that goes ...").
    """
    kind = words.random() * (0.82 if whole else 1.0)
    verb, gerund = words.pick(verbs)
    place = "none" if not pp else "after" if after else "anywhere"
    imperatives, declaratives, questions, fragments = _FRAMES[place, first]
    question = False
    if kind < 0.56:
        frame = words.pick(imperatives)
    elif kind < 0.75:
        frame = words.pick(declaratives)
        if not singular:  # "there are", "come"
            frame = frame.replace(" is {np}", " are {np}").replace("comes {np}", "come {np}")
    elif kind < 0.82:
        frame, question = words.pick(questions), True
    else:
        frame = words.pick(fragments)
    text = frame.format(v=verb, g=gerund, np=np, pp=pp)
    if "," in np:  # "..., which will float," in front of a comma, or at the end
        text = text.replace(",,", ",").rstrip(",")
    return punctuated(words, text, question)


def _frames(place: str, first: bool) -> tuple[tuple[str, ...], ...]:
    """The sentences for a place that comes "anywhere", only "after" what is built, or not at all ("none")."""
    kinds = (wording.IMPERATIVES, wording.DECLARATIVES, wording.QUESTIONS, wording.FRAGMENTS)
    if place != "anywhere":
        kinds = tuple(tuple(frame for frame in frames if not frame.startswith("{pp}")) for frames in kinds)
    if place == "none":
        kinds = tuple(tuple(frame.replace(", {pp}", "").replace(" {pp}", "") for frame in frames) for frames in kinds)
    if first:
        kinds = tuple(
            tuple(frame for frame in frames if not any(word in frame for word in wording.NOT_AT_FIRST))
            for frames in kinds
        )
    return kinds


_FRAMES = {(place, first): _frames(place, first) for place in ("anywhere", "after", "none") for first in (False, True)}


def punctuated(words: Words, text: str, question: bool = False) -> str:
    """The sentence as it is typed: mostly lower case, often without a full stop."""
    if question:
        return f"{text}?" if words.chance(0.85) else text
    end = words.random()
    return f"{text}." if end < 0.3 else f"{text}!" if end < 0.33 else text


def opened(words: Words, text: str, first: bool) -> str:
    """The sentence after a discourse marker, or without one."""
    kind = words.random()
    if first:
        return _after(words.pick(wording.FIRST), text, comma=words.chance(0.67)) if kind < 0.55 else text
    if kind < 0.4:
        return text
    if kind < 0.82:
        return _after(words.pick(wording.SEQUENCE), text, comma=words.chance(0.35))
    praise = words.pick(wording.PRAISE) + words.pick((". ", "! ", ", ", ", "))
    if kind < 0.91:
        return f"{praise}{text}"
    return praise + _after(words.pick(wording.SEQUENCE), text, comma=False)


def _after(marker: str, text: str, comma: bool) -> str:
    """The sentence after the marker; never the same word twice."""
    if marker.split()[-1] == text.split(maxsplit=1)[0]:
        return text
    return f"{marker}{', ' if comma or marker in wording.WITH_COMMA else ' '}{text}"


def typed(words: Words, text: str) -> str:
    """The line as it is sent: seldom with a capital letter, seldom with a polite word at its end."""
    if words.chance(0.03) and text[-1] not in ".!?":
        text = f"{text}, {words.pick(wording.AFTERTHOUGHTS)}"
    return text[0].upper() + text[1:] if words.chance(0.22) else text
