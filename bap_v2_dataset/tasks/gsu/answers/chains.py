"""Walks as models write them: the steps of an answer, in sentences, lists or code (GSU)."""

import re
from decimal import Decimal
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from bap_v2_dataset.augmentation.patterns import patterns_beside
from bap_v2_dataset.tasks.gsu.answers.markers import after_markers, last_line, normalized
from bap_v2_simulators.gsu.walks import Number, WalkStep, plain

_WORDS = {
    "forward": r"forwards?|front|ahead|straight(?!\s{1,3}(?:ahead|forward|up|down|left|right|back))",
    "backward": r"backwards?|back|behind",
    "left": r"left(?:wards?)?",
    "right": r"right(?:wards?)?",
    "up": r"up(?:wards?)?",
    "down": r"down(?:wards?)?",
}
_NUMBER_WORDS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
)  # fmt: skip
_VALUES = {word: number for number, word in enumerate(_NUMBER_WORDS)}
_DIRECTION_OF = re.compile("|".join(f"({words})" for words in _WORDS.values()))
_SAID = patterns_beside(__file__, WAYS="|".join(_WORDS.values()), NUMBER_WORDS="|".join(_NUMBER_WORDS))
_ROUND, _SQUARE = re.compile(r"\([^()]{0,1000}\)"), re.compile(r"\[[^\[\]]{0,1000}\]")


class ReadChain(NamedTuple):
    """The steps of an answer."""

    steps: tuple[WalkStep, ...]
    unread: int  # clauses with a direction or a number that are no step


class _Line(NamedTuple):
    steps: list[WalkStep]
    unread: int
    is_listed: bool  # "1. ..." or "- ..."


def read_chain(text: str) -> ReadChain:
    """Return the steps that a text ends on; what is after a marker counts, else the last lines that have steps.

    A clause with one direction and one number is a step, and one with several of each as many. "turn right" waits for
    the next number, or for "forward" with a number.

    >>> read_chain("Turn right 90 degrees and move forward 2. Move up 3.")
    ReadChain(steps=(WalkStep(direction='right', length=2), WalkStep(direction='up', length=3)), unread=0)
    """
    line = last_line(text)
    if line and _SAID.CANONICAL.fullmatch(line):
        return _canonical(line.rstrip("."))
    text = normalized(text)
    unread = 0
    for part in after_markers(text):
        chain = _read(part, last=False)
        if chain.steps:
            return chain
        unread += chain.unread
    chain = _read(text, last=True)
    return chain if chain.steps else ReadChain((), max(chain.unread, unread))


@lru_cache(maxsize=16_384)
def _canonical(line: str) -> ReadChain:
    return ReadChain(tuple(WalkStep(way, _number(length)) for way, length in map(str.split, line.split(", "))), 0)


def _read(part: str, last: bool) -> ReadChain:
    """Return the steps of the first, or of the last block of lines that have some.

    What stands in brackets is left out, unless nothing can be read without it.
    """
    part = part.lower()
    if not _SAID.ANY_DIRECTION.search(part):
        return ReadChain((), 0)
    plain_part = _ROUND.sub(" ", part)
    chain = _block(_lines(_SQUARE.sub(" ", plain_part) if "[" in plain_part else plain_part), last)
    if not chain.steps and _SAID.BRACKETS.search(part):
        opened = _block(_lines(_SAID.BRACKETS.sub(" ", _SAID.PAIR.sub(r" \1 \2; ", part))), last)
        if opened.steps:
            return opened
    return chain


def _block(lines: list[_Line], last: bool) -> ReadChain:
    numbers = [number for number, line in enumerate(lines) if line.steps]
    if not numbers:
        return ReadChain((), sum(line.unread for line in lines))
    blocks = [[numbers[0]]]
    for before, number in pairwise(numbers):
        if number == before + 1 or (lines[before].is_listed and lines[number].is_listed):
            blocks[-1].append(number)
        else:
            blocks.append([number])
    block = blocks[-1 if last else 0]
    inside = lines[block[0] : block[-1] + 1]
    return ReadChain(tuple(step for line in inside for step in line.steps), sum(line.unread for line in inside))


def _lines(part: str) -> list[_Line]:
    """Return the lines of a part without its brackets, each with its steps."""
    # Drop list marks, degrees (but for half turns) and names of coordinates.
    listed = [_SAID.MARK.match(line) is not None for line in part.split("\n")]
    part = _SAID.LOOSE_MARK.sub(" ", _SAID.STEP_MARK.sub(" ", _SAID.MARK.sub(" ", part)))
    part = _SAID.DEGREES.sub(" ", _SAID.HALF_TURN.sub(" around ", part)) if "deg" in part else part
    part = _SAID.COORDINATE.sub(" ", part) if "=" in part else part
    # Each token is added to the clause that it stands in; other tokens end it.
    clauses = _Clauses()
    for token in _SAID.TOKEN.finditer(part):
        kind = token.lastgroup
        if kind == "way":
            clauses.words.append(_direction(token[0]))
        elif kind == "number":
            start = token.start()
            if start and part[start - 1] == "-" and _SAID.NEGATIVE.search(part[max(start - 2, 0) : start]):
                clauses.has_negative = True
            clauses.numbers.append(_number(token[0]))
        elif kind == "turn":
            clauses.has_turn = True
        elif kind == "around":
            if clauses.has_turn or token[0] == "u-turn":
                clauses.has_turn = True
                clauses.words.append("backward")
        else:
            # Anything else ends the clause.
            clauses.end()
            if kind == "line":
                clauses.next_line()
    clauses.end()
    clauses.give_up()
    clauses.next_line()
    return [_Line(steps, unread, is_listed) for (steps, unread), is_listed in zip(clauses.lines, listed)]


class _Clauses:
    """Clauses, read one after the other: what the present one has, and the steps of each line."""

    def __init__(self) -> None:
        self.lines: list[tuple[list[WalkStep], int]] = []
        self._steps: list[WalkStep] = []
        self._unread = 0
        self._waiting: str | None = None  # a direction without its number
        self._is_turn = False  # whether one turns in it, so that "forward" may follow
        self._clear()

    def _clear(self) -> None:
        self.words: list[str] = []
        self.numbers: list[Number] = []
        self.has_turn = self.has_negative = False

    def end(self) -> None:
        """Reads the clause that ends here."""
        # A clause of neither words nor numbers says nothing.
        words, numbers = self.words, self.numbers
        if not words and not numbers:
            self.has_turn = False
            return
        # A direction that is said twice, or as a turn and a walk, counts once.
        is_turn_and_walk = self.has_turn and words[1:] == ["forward"]  # "turn right moving forward 2"
        if len(words) == 2 and len(numbers) < 2 and (is_turn_and_walk or words[0] == words[1]):
            words = words[:1]
        # What cannot be matched is unread; a number alone belongs to the direction that waits for it.
        if self.has_negative or len(numbers) > max(len(words), 1) or 1 < len(words) != len(numbers):
            self._unread += 1
        elif not words or (self._waiting and self._is_turn and words == ["forward"] and numbers):
            if self._waiting:
                self._steps.append(WalkStep(self._waiting, numbers[0]))
                self._waiting = None
            else:
                self._unread += 1
        else:
            # Directions with their numbers are steps; one without waits for the next clause.
            self.give_up()
            if numbers:
                self._steps += map(WalkStep, words, numbers)
            else:
                self._waiting, self._is_turn = words[0], self.has_turn
        self._clear()

    def give_up(self) -> None:
        """A direction that still waits for its number is no step."""
        if self._waiting:
            self._unread += 1
            self._waiting = None

    def next_line(self) -> None:
        self.lines.append((self._steps, self._unread))
        self._steps, self._unread = [], 0


@lru_cache(maxsize=256)
def _direction(word: str) -> str:
    match = _DIRECTION_OF.match(word)
    assert match is not None and match.lastindex is not None
    return tuple(_WORDS)[match.lastindex - 1]


def _number(text: str) -> Number:
    if text in _VALUES:
        return _VALUES[text]
    return plain(Decimal(text)) if "." in text else int(text)
