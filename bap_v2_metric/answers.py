"""The forgiving reader of model output: models write what they like, and what cannot be read is listed.

It also reads actions written as calls, as general models like to:

    place(color="red", x=0, y=1, z=0)        pick(x=0, y=1, z=0)
"""

import re
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from .actions import Action, Place, Remove
from .blocks import Cell, Color


class Prediction(NamedTuple):
    """The actions in a model's text, in order, and the lines with something else."""

    actions: tuple[Action, ...]
    unparsed: tuple[str, ...]  # without the blanks around them, at most 200 characters of each

    @property
    def unparsed_lines(self) -> int:
        """How many lines were not read, or not all of them."""
        return len(self.unparsed)


_COLORS = {color.value: color for color in Color}
# Nine digits are far outside any board; longer numbers are noise, and int() would refuse the very long ones.
_NUMBER = r"([+-]?[0-9]{1,9})"
_ACTION_LINE = re.compile(
    rf"\s*(?:place\s+([a-z]+)|pick)\s+{_NUMBER}\s+{_NUMBER}\s+{_NUMBER}(?!\w|\.[0-9])", re.IGNORECASE | re.ASCII
)
# Calls: behind list marks, quotes or a name they are given to; one after the other; whatever follows them. Every
# repetition is bounded, so that no text is read in more than linear time.
_BEFORE_CALLS = re.compile(
    r"""[\s>*+•-]{0,40}(?:[0-9]{1,4}[.):]\s{0,4})?(?:[a-z_]\w{0,30}\s{0,4}=\s{0,4})?[\s\[("'`]{0,40}(?=(?:place|pick)\s{0,4}\()""",
    re.IGNORECASE | re.ASCII,
)
_CALL = re.compile(r"""(place|pick)\s{0,4}\(([^()]{0,160})\)[\s,;.\])"'`]{0,40}""", re.IGNORECASE | re.ASCII)
_CALL_START = re.compile(r"(?:place|pick)\s{0,4}\(", re.IGNORECASE | re.ASCII)
_ARGUMENT = re.compile(
    r"""\s{0,20}(?:(colou?r|[xyz])\s{0,20}[=:]\s{0,20})?(?:([+-]?[0-9]{1,9})|(["']?)([a-z]{1,20})\3)\s{0,20}""",
    re.IGNORECASE | re.ASCII,
)
_PARAMETERS = {"place": ("color", "x", "y", "z"), "pick": ("x", "y", "z")}
_BRACKETS_LINE = re.compile(r"(?:[a-z_]\w{0,30}\s{0,4}=)?[\s\[\](),;]+", re.IGNORECASE | re.ASCII)
_FENCE_LINE = re.compile(r"\s*(?:```|~~~)\s*(?:[\w+.-]+\s*)?", re.ASCII)  # no two runs of spaces side by side
_LINE_BREAK = re.compile(r"\r\n|\r|\n")
_SHOWN = 200  # characters of an unparsed line
_LONGEST_CACHED_LINE = 48  # the longest canonical action has 20 characters; longer lines are rare and may be huge


def read_prediction(text: str) -> Prediction:
    """The actions in a model's raw output. Never raises, whatever the string.

    One action a line; extra spaces, upper case and text after the coordinates are allowed. Blank lines and the
    lines of a code fence count as nothing. Every other line counts as unparsed. Cells outside the BuildRegion are
    read (they are infeasible, not unreadable).

    A line may also hold calls, one or several, with positional or keyword arguments, as an entry of a list or in
    one. A line with a call that cannot be read counts as unparsed, and its other calls are read. Where there are
    calls, lines of brackets count as nothing.

    >>> read_prediction("```\\n  PLACE red 0 1 0 (the corner)\\nI think that is all.\\n```")
    Prediction(actions=(Place(color=<Color.RED: 'red'>, cell=Cell(x=0, y=1, z=0)),), unparsed=('I think that is all.',))
    >>> read_prediction("[pick(0, 1, 0), pick(x=0, y=2, z=0)]")
    Prediction(actions=(Remove(cell=Cell(x=0, y=1, z=0)), Remove(cell=Cell(x=0, y=2, z=0))), unparsed=())
    """
    actions: list[Action] = []
    others: list[tuple[str, bool]] = []  # what was not read, and whether it is a line of brackets
    calls = False
    for line in _LINE_BREAK.split(text) if "\r" in text else text.split("\n"):
        read = _read_line_cached(line) if len(line) <= _LONGEST_CACHED_LINE else _read_line(line)
        if read is None:
            continue
        if read is _UNPARSED or read is _BRACKETS:
            others.append((line.strip()[:_SHOWN], read is _BRACKETS))
        elif isinstance(read, _Calls):
            calls = True
            actions += read.actions
            if read.unread:
                others.append((line.strip()[:_SHOWN], False))
        else:
            actions.append(read)
    return Prediction(tuple(actions), tuple(line for line, brackets in others if not (calls and brackets)))


def most_frequent_unparsed(predictions: Iterable[str], n: int = 3) -> list[tuple[str, int]]:
    """The unparsed lines that occur most often in many model outputs, each with its number; the first of equals first.

    Lines that differ only in their blanks are one line.

    >>> most_frequent_unparsed(["Sure!\\nplace red 0 1 0", "I am  done", "sure?\\nSure!"], n=2)
    [('Sure!', 2), ('I am done', 1)]
    """
    lines = (" ".join(line.split()) for text in predictions for line in read_prediction(text).unparsed)
    return Counter(lines).most_common(n)


class _Calls(NamedTuple):
    """The calls on a line that could be read, and whether there was one that could not."""

    actions: tuple[Action, ...]
    unread: bool


_UNPARSED, _BRACKETS = object(), object()


def _read_line(line: str) -> object:
    """The action or calls on a line, None for a blank line or a fence, _BRACKETS, or _UNPARSED for anything else."""
    match = _ACTION_LINE.match(line)
    if match is None:
        if not line or line.isspace() or _FENCE_LINE.fullmatch(line):
            return None
        if (start := _BEFORE_CALLS.match(line)) is not None:
            return _read_calls(line, start.end())
        return _BRACKETS if _BRACKETS_LINE.fullmatch(line) else _UNPARSED
    color, x, y, z = match.groups()
    cell = Cell(int(x), int(y), int(z))
    if color is None:
        return Remove(cell)
    known = _COLORS.get(color.lower())
    return _UNPARSED if known is None else Place(known, cell)


_read_line_cached = lru_cache(maxsize=16_384)(_read_line)


def _read_calls(line: str, start: int) -> object:
    """The calls that follow each other from `start`; _UNPARSED if none of them can be read."""
    actions: list[Action] = []
    unread = False
    match = _CALL.match(line, start)
    while match is not None:
        action = _called(match[1].lower(), match[2])
        if action is None:
            unread = True
        else:
            actions.append(action)
        start = match.end()
        match = _CALL.match(line, start)
    unread = unread or _CALL_START.match(line, start) is not None  # one that was cut off
    return _Calls(tuple(actions), unread) if actions else _UNPARSED


def _called(word: str, arguments: str) -> "Action | None":
    """The action of a call, None if its arguments are not those of one. As in Python, the unnamed come first."""
    given: dict[str, int | str] = {}
    named = False
    for position, argument in enumerate(arguments.split(",")):
        match = _ARGUMENT.fullmatch(argument)
        if match is None or position >= len(_PARAMETERS[word]):
            return None
        name, number, _, color = match.groups()
        if name is None and named:
            return None
        named = name is not None
        name = name.lower().replace("colour", "color") if named else _PARAMETERS[word][position]
        if name in given or name not in _PARAMETERS[word] or (name == "color") is (color is None):
            return None
        given[name] = int(number) if color is None else color.lower()
    if len(given) != len(_PARAMETERS[word]):
        return None
    cell = Cell(given["x"], given["y"], given["z"])
    if word == "pick":
        return Remove(cell)
    known = _COLORS.get(given["color"])
    return None if known is None else Place(known, cell)
