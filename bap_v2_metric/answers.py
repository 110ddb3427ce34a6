"""The forgiving reader of model output: `read_prediction`, and what it could not read in many of them.

Models write what they like. One principle decides what counts:

    An action is read where a line, an element of a list or object, or the end of another action begins one.

Marks of lists and quotes, back-ticks, bold, brackets, numbers, labels of a fixed list (`Answer:`, `Step 1:`) and words
such as `then` may stand before it. An action in the middle of a sentence is prose and is not read: nothing is
invented. Whatever else is on a line, or looks like an action behind one that was read, makes the line an unparsed one:
nothing is dropped without a trace. What stands in `<think>...</think>` is no part of the answer.

`answer_lines` reads a line, `answer_data` a list or an object, also over many lines.
"""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable
from itertools import accumulate
from typing import NamedTuple

from .actions import Action
from .answer_data import read_data
from .answer_lines import Line, read_line, read_rest


class Prediction(NamedTuple):
    """The actions in a model's text, in order, and the lines with something else."""

    actions: tuple[Action, ...]
    unparsed: tuple[str, ...]  # without the blanks around them, at most 200 characters of each

    @property
    def unparsed_lines(self) -> int:
        """How many lines were not read, or not all of them."""
        return len(self.unparsed)


class Numbered(NamedTuple):
    """Actions and unparsed lines of a text, each with the number of its line, from 1."""

    actions: list[tuple[int, Action]]
    unparsed: list[tuple[int, str]]


_SHOWN = 200  # characters of an unparsed line
_LINE_BREAK = re.compile(r"\r\n|\r|\n")
_THINK_TAG = re.compile(r"<(/?)(?:think|thinking|thought|reasoning)>", re.IGNORECASE)
_DATA_START = re.compile(r"[\s\[({]*+")
_BEHIND_DATA = re.compile(r"[ \t,;.]*+")
# Blanks, minus signs and quotes of other alphabets than ASCII: one character for one, so that places stay the same.
_IN_ASCII = str.maketrans(
    {
        **dict.fromkeys(
            "\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f", " "
        ),
        **dict.fromkeys("\u3000\u2028\u2029\x85", " "),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212\ufe63\uff0d", "-"),
        **dict.fromkeys("\u201c\u201d\u201e\u00ab\u00bb", '"'),
        **dict.fromkeys("\u2018\u2019\u201a\u2032", "'"),
    }
)


def read_prediction(text: str) -> Prediction:
    """The actions in a model's raw output, and the lines that are none. Never raises, whatever the string.

    Lines of the notation, one action per line, are read with extra spaces, upper case and text after the coordinates;
    other forms as the module says, and as docs/metric.md lists them. Blank lines, code fences, labels and brackets
    alone count as nothing. Cells outside the BuildRegion are read (they are infeasible, not unparsed).

    >>> read_prediction("```\\n  PLACE red 0 1 0 (the corner)\\nI think that is all.\\n```")
    Prediction(actions=(Place(color=<Color.RED: 'red'>, cell=Cell(x=0, y=1, z=0)),), unparsed=('I think that is all.',))
    >>> read_prediction("1. `pick(0, 1, 0)`; pick (0, 2, 0)").actions
    (Remove(cell=Cell(x=0, y=1, z=0)), Remove(cell=Cell(x=0, y=2, z=0)))
    """
    if "<" not in text and text.isascii():  # nearly always: lines with an action each
        actions: list[Action] = []
        for line in _lines(text):
            read = read_line(line)
            if read is None:
                continue
            if isinstance(read, Line):
                break
            actions.append(read)
        else:
            return Prediction(tuple(actions), ())
    numbered = read_numbered(text)
    return Prediction(
        tuple(action for _, action in numbered.actions), tuple(line.strip()[:_SHOWN] for _, line in numbered.unparsed)
    )


def read_numbered(text: str) -> Numbered:
    """What `read_prediction` reads, with the numbers of the lines.

    >>> read_numbered("Sure!\\npick 0 1 0").unparsed
    [(1, 'Sure!')]
    """
    text = without_thoughts(text)
    lines = _lines(text)
    reading = _Reading(lines if text.isascii() else _lines(text.translate(_IN_ASCII)))
    reading.read()
    return Numbered(reading.actions, [(number, lines[number - 1]) for number in sorted(reading.unparsed)])


def most_frequent_unparsed(predictions: Iterable[str], n: int = 3) -> list[tuple[str, int]]:
    """The unparsed lines that occur most often in many model outputs, each with its number; the first of equals first.

    Lines that differ only in their blanks are one line.

    >>> most_frequent_unparsed(["Sure!\\nplace red 0 1 0", "I am  done", "sure?\\nSure!"], n=2)
    [('Sure!', 2), ('I am done', 1)]
    """
    lines = (" ".join(line.split()) for text in predictions for line in read_prediction(text).unparsed)
    return Counter(lines).most_common(n)


class _Reading:
    """What has been read of some lines."""

    def __init__(self, lines: list[str]):
        self.lines = lines
        self.actions: list[tuple[int, Action]] = []
        self.unparsed: set[int] = set()
        self.text = ""  # the lines, joined when a list or an object begins
        self.starts: list[int] = []
        self.tried = 0  # before this place no list and no object begins: each is read once

    def read(self) -> None:
        index = 0
        while index < len(self.lines):
            read = read_line(self.lines[index])
            index += 1
            if read is None:
                continue
            if not isinstance(read, Line):
                self.actions.append((index, read))
                continue
            behind = self.data(index, read.opens) if read.opens >= 0 else None
            if behind is None:
                self.line(index, read)
            else:
                index = behind

    def line(self, number: int, read: Line) -> None:
        self.actions += ((number, action) for action in read.actions)
        if read.unparsed:
            self.unparsed.add(number)

    def data(self, number: int, column: int) -> "int | None":
        """Reads the lists and objects that begin in a line.

        Returns:
            The number of the line in which they end; None if there is none.
        """
        if not self.starts:
            self.text = "\n".join(self.lines)
            self.starts = list(accumulate((len(line) + 1 for line in self.lines), initial=0))
        start, read_any = self.starts[number - 1] + column, False
        while start >= self.tried:
            opening = _DATA_START.match(self.text, start)
            if "{" not in opening[0] and self.text[opening.end() : opening.end() + 1] not in ('"', "'"):
                self.tried = opening.end()
                break
            data = read_data(self.text, start)
            self.tried = data.end
            if not data.complete and not data.actions and not data.unparsed:
                break
            read_any = True
            self.actions += ((self.number_of(place), action) for place, action in data.actions)
            self.unparsed |= {self.number_of(place) for place in data.unparsed}
            number = self.number_of(data.settled - 1)
            if not data.complete:
                if self.text[data.settled : self.starts[number] - 1].strip(" \t,;"):
                    self.unparsed.add(number)  # the rest of it was not read
                return number
            start = _BEHIND_DATA.match(self.text, data.end).end()
            if self.text[start : start + 1] not in ("[", "{"):
                self.line(number, read_rest(self.text[data.end : self.starts[number] - 1]))
                return number
        if read_any:
            self.unparsed.add(number)
            return number
        return None

    def number_of(self, place: int) -> int:
        """The number of the line with this place of the text."""
        return bisect_right(self.starts, place, hi=len(self.lines))


def _lines(text: str) -> list[str]:
    return _LINE_BREAK.split(text) if "\r" in text else text.split("\n")


def without_thoughts(text: str) -> str:
    """The text without what a model thinks aloud; lines keep their numbers but behind a block within a line.

    A block that is not closed goes on to the end. What stands before a closing tag without an opening one is left out:
    the prompts of some models open the block.
    """
    parts: list[str] = []
    end = lines = 0  # up to where the text is dealt with, and how many line breaks that part has
    opened = False
    for tag in _THINK_TAG.finditer(text) if "<" in text else ():
        if not tag[1] and not opened:
            parts.append(text[end : tag.start()])
            lines += len(_LINE_BREAK.findall(parts[-1]))
            end, opened = tag.start(), True
        elif tag[1]:
            breaks = len(_LINE_BREAK.findall(text, end, tag.end()))
            lines += breaks
            if not opened:
                parts, breaks = [], lines
            in_line = bool(parts) and bool(parts[-1].rstrip(" \t")) and not parts[-1].endswith(("\n", "\r"))
            parts.append("\n" * max(breaks, in_line))
            end, opened = tag.end(), False
    return "".join(parts) + ("" if opened else text[end:])
