"""The forgiving reader of model output: `read_prediction`, and what it could not read in many of them.

Models write what they like. One principle decides what counts:

    An action is read where a line, an element of a list or object, or the end of another action begins one.

Marks of lists and quotes, back-ticks, bold, brackets, numbers, labels of a fixed list (`Answer:`, `Step 1:`) and words
such as `then` may stand before it. An action in the middle of a sentence is prose and is not read: nothing is
invented. Whatever else is on a line, or looks like an action behind one that was read, makes the line an unparsed one:
nothing is dropped without a trace. Thoughts, and what follows a mark that ends a turn, are no part of the answer.

`chat_marks` finds the answer, `answer_lines` reads a line, `answer_data` a list or an object, also over many lines.
"""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable
from itertools import accumulate
from typing import NamedTuple

from .actions import Action
from .answer_data import Data
from .answer_lines import read_line, read_rest
from .chat_marks import answer_of
from .wrappings import TERMINAL, unwrapped


class Prediction(NamedTuple):
    """The actions in a model's text, in order, and the lines with something else."""

    actions: tuple[Action, ...]
    unparsed: tuple[str, ...]  # without the blanks around them, at most 200 characters of each

    @property
    def unparsed_lines(self) -> int:
        """The number of lines that were not read, or not all of them."""
        return len(self.unparsed)


class Numbered(NamedTuple):
    """Actions and unparsed lines of a text, each with the number of its line, from 1."""

    actions: list[tuple[int, Action]]
    unparsed: list[tuple[int, str]]


_SHOWN = 200  # characters of an unparsed line
# What a model writes that goes on with the next item: its prompt, up to the label of its answer.
_NEXT_ITEM = re.compile(r"\s{0,9}#{1,6}\s{0,4}AS\s{0,4}:|Predict the action sequence \(AS\)")
_DATA_START = re.compile(r"[\s\[({]*+")
_BEHIND_DATA = re.compile(r"[ \t,;.]*+")
# Letters, digits, commas and brackets in full width, digits, blanks, minus signs and quotes of other alphabets than
# ASCII; what has no width is left out.
_IN_ASCII = {
    **dict.fromkeys((0xAD, *range(0x200B, 0x200E), 0x2060, 0xFEFF)),
    **{code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)},
    **{zero + digit: str(digit) for zero in (0x660, 0x6F0, 0x966) for digit in range(10)},
    **dict.fromkeys((0x85, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x2028, 0x2029, 0x202F, 0x205F, 0x3000), " "),
    **dict.fromkeys((*range(0x2010, 0x2015), 0x2212, 0xFE63, 0xFF0D), "-"),
    **dict.fromkeys(map(ord, "\u201c\u201d\u201e\u00ab\u00bb「」『』"), '"'),
    **dict.fromkeys(map(ord, "\u2018\u2019\u201a\u2032"), "'"),
    **dict(zip(map(ord, "、。【】"), ",.[]")),
}


def read_prediction(text: str) -> Prediction:
    """Return the actions in a model's raw output, and the lines that are none. Never raises, whatever the string.

    Lines of the notation, one action per line, are read with extra spaces, upper case and text after the coordinates;
    other forms as the module says, and as FORMS.md lists them. Blank lines, code fences, labels and brackets
    alone count as nothing. Cells outside the BuildRegion are read (they are infeasible, not unparsed).

    >>> read_prediction("```\\n  PLACE red 0 1 0 (the corner)\\nI think that is all.\\n```")
    Prediction(actions=(Place(color=<Color.RED: 'red'>, cell=Cell(x=0, y=1, z=0)),), unparsed=('I think that is all.',))
    >>> read_prediction("1. `pick(0, 1, 0)`; pick (0, 2, 0)").actions
    (Remove(cell=Cell(x=0, y=1, z=0)), Remove(cell=Cell(x=0, y=2, z=0)))
    """
    if "<" not in text and "#" not in text and text.isascii():  # nearly always: lines with an action each
        actions: list[Action | None] = []
        for content, opens in map(read_line, _lines(text)):
            if opens >= 0 or None in content:
                break
            actions += content
        else:
            return Prediction(tuple(actions), ())
    numbered = read_numbered(text)
    return Prediction(
        tuple(action for _, action in numbered.actions), tuple(line.strip()[:_SHOWN] for _, line in numbered.unparsed)
    )


def read_numbered(text: str) -> Numbered:
    """Read as `read_prediction` does, with the numbers of the lines.

    >>> read_numbered("Sure!\\npick 0 1 0").unparsed
    [(1, 'Sure!')]
    """
    lines = _lines(answer_of(unwrapped(text)))
    plain = [TERMINAL.sub("", line) for line in lines] if "\x1b" in text else lines
    content = _content(plain if text.isascii() else [line.translate(_IN_ASCII) for line in plain])
    unparsed = sorted({number for number, action in content if action is None})
    return Numbered([pair for pair in content if pair[1]], [(number, lines[number - 1]) for number in unparsed])


def most_frequent_unparsed(predictions: Iterable[str], n: int = 3) -> list[tuple[str, int]]:
    """The unparsed lines that occur most often in many model outputs, each with its number; the first of equals first.

    Lines that differ only in their blanks are one line.

    >>> most_frequent_unparsed(["Sure!\\nplace red 0 1 0", "I am  done", "sure?\\nSure!"], n=2)
    [('Sure!', 2), ('I am done', 1)]
    """
    lines = (" ".join(line.split()) for text in predictions for line in read_prediction(text).unparsed)
    return Counter(lines).most_common(n)


def _content(lines: list[str]) -> "list[tuple[int, Action | None]]":
    """Return the actions in some lines with their numbers, and the numbers of lines with something else, with None."""
    content: list[tuple[int, Action | None]] = []
    text, starts = "", []  # the lines, joined when a list or an object begins, and their places
    number = tried = 0  # before `tried` no list and no object begins: each is read once
    while number < len(lines):
        # What follows the answer is another item, which models go on with.
        if content and _NEXT_ITEM.match(lines[number]) and any(action for _, action in content):
            break
        # A line as it stands, or where a list or an object begins in it.
        line, opens = read_line(lines[number])
        if opens >= 0 and not text:
            text, starts = "\n".join(lines), list(accumulate((len(line) + 1 for line in lines), initial=0))
        start = starts[number] + opens if opens >= 0 else -1
        # Lists and objects may go over several lines, and begin where another ended.
        while start >= tried:
            opening = _DATA_START.match(text, start)
            if "{" not in opening[0] and not text.startswith(('"', "'"), opening.end()):
                tried = opening.end()
                break
            data = Data(text, start)
            tried = data.end
            if not data.complete and not data.content:
                break
            content += [(bisect_right(starts, place), action) for place, action in data.content]
            number = bisect_right(starts, data.end - 1) - 1
            start = _BEHIND_DATA.match(text, data.end).end()
            if data.complete and text.startswith(("[", "{"), start):
                line = (None,)  # unless it can be read, too
                continue
            rest = text[data.end : starts[number + 1] - 1]
            line = read_rest(rest) if data.complete else (None,) if rest.strip(" \t,;") else ()
            break
        number += 1
        # Actions of the line, or what could not be read of it.
        for action in line:
            content.append((number, action))
    return content


def _lines(text: str) -> list[str]:
    return re.split(r"\r\n?|\n", text) if "\r" in text else text.split("\n")
