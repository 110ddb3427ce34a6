"""What one line of a model's answer says: actions in the notation and as calls, behind marks and labels.

    - **place red 0, 1, 0**; then pick (0, 1, 0)        Step 1: place(color="red", x=0, y=1, z=0)

An action is its verb, its color and three whole numbers, in this order; between these stand only punctuation and the
names of its parts (`color`, `x`, `y`, `z`). No line takes more than linear time: whatever may repeat without bound is
never given back (`*+`), and everything else is bounded.
"""

import re
from functools import lru_cache
from typing import NamedTuple

from .actions import Action, Place, Remove
from .blocks import Cell, Color

VERBS = ("place", "pick")
COLORS = {color.value: color for color in Color}
_FLAGS = re.IGNORECASE | re.ASCII


class Line(NamedTuple):
    """What a line says that is not just one action, a blank or a fence."""

    actions: tuple[Action, ...]
    unparsed: bool  # whether there is something else that would have to be read
    opens: int = -1  # where a list or an object begins that may go on in the next lines; -1 if there is none


# Nine digits are far outside any board; longer numbers are noise, and int() would refuse the very long ones.
_NUMBER = r"([+-]?[0-9]{1,9})"
_STRICT = re.compile(rf"\s*(?:place\s+([a-z]+)|pick)\s+{_NUMBER}\s+{_NUMBER}\s+{_NUMBER}(?!\w|\.[0-9])", _FLAGS)

_GAP = r"""[\s,|"'`*_]"""
_PART = r"""(?:{}["']?\s*+[:=]\s*+["']?)?"""  # the name of a coordinate
_PLAIN = re.compile(
    rf"""(?:place[\s,:|"'`*_\[]++(?:colou?r["']?\s*+[:=][\s"']*+)?([a-z]{{1,20}})|pick)[\s,:|"'`*_(\[{{]++"""
    rf"{_PART.format('x')}{_NUMBER}{_GAP}++{_PART.format('y')}{_NUMBER}{_GAP}++{_PART.format('z')}{_NUMBER}"
    r"(?!\w|\.[0-9])",
    _FLAGS,
)
_CALL_START = re.compile(r"(?:place|pick)\s{0,4}\(", _FLAGS)
_CALL = re.compile(r"(place|pick)\s{0,4}\(([^()]{0,160}(?:\([^()]{0,80}\)[^()]{0,20})?)\)", _FLAGS)
_TUPLE = re.compile(
    r"(?:([a-z]{1,20})\s{0,9}[=:]\s{0,9})?[(\[]([^()\[\],=:]{0,20}(?:,[^()\[\],=:]{0,20}){2})[)\]]", _FLAGS
)
_ARGUMENT = re.compile(
    r"""\s{0,20}(?:(colou?r|[xyz])\s{0,20}[=:]\s{0,20})?(?:([+-]?[0-9]{1,9})|(["']?)([a-z]{1,20})\3)\s{0,20}""", _FLAGS
)
_PARAMETERS = {"place": ("color", "x", "y", "z"), "pick": ("x", "y", "z")}

_NUMBERING = r"(?:[0-9]{1,3}[.):]|\([0-9]{1,3}\)|\[[0-9]{1,3}\])"
_STEP = r"(?:step|action|move)\s{0,4}#?[0-9]{1,3}[*_]{0,3}\s{0,4}[:.)-]"
_LABEL_WORDS = (
    r"(?:(?:the|my|final|next|net|predicted|builder(?:'s)?)\s{1,4}){0,3}"
    r"(?:answers?|actions?(?:\s{1,4}(?:sequence|list))?|output|result|response|prediction|solution|commands?|moves?"
    r"|sequence|steps?|builder|assistant|as|a)(?:\s{1,4}(?:is|are))?"
)
_LABEL = rf"(?:\#{{1,6}}\s{{0,4}})?[*_]{{0,3}}(?:{_STEP}|{_LABEL_WORDS}[*_]{{0,3}}\s{{0,4}}:)"
_TAG = r"</?(?:final_?)?(?:answer|actions?|output|response|result|prediction|tool_call)>"
_MARK = r"""[\s>*+•‣◦▪●·|"'`_\u200b\u2060\ufeff-]"""
_BEFORE = re.compile(  # list marks, quotes, labels, a name that a list is given to
    rf"(?:(?:```|~~~)(?:json|python|text|plaintext)?\b|{_MARK}|\[[ x]\]|{_NUMBERING}|{_LABEL}|{_TAG}"
    r"|[a-z_]\w{0,30}\s{0,4}=|(?:first|next|then|and|also|finally|lastly)\b[,:]?)*+",
    _FLAGS,
)
_OPENING = re.compile(r"""[\s(\[{"'`*_]*+""")
_BETWEEN = re.compile(  # two actions of a line
    rf"(?:[,;)\]}}]\s*+[(\[{{]++|[\s,;.|&)\]}}\"'`*_>→⇒+-]|{_NUMBERING}|{_STEP}|<br ?/?>|\\n"
    r"|(?:and|then|also|next|finally|followed by)\b[,:]?)*+",
    _FLAGS,
)
_LOOSE = r"""[\s,:=|"'`*_(\[{-]{1,12}+"""
_COLOR_WORD = "|".join(COLORS)
_NEXT_PART = r"""[\s,|"'`*_]{1,9}(?:[xyz]["']?\s{0,4}[:=]\s{0,4})?[+-]?[0-9]{1,9}"""
_ACTION_LIKE = re.compile(  # a verb with a color or a number, a call, three numbers
    rf"(?:(?<![a-z0-9])|(?<=\\n))(?:place|pick)(?:[\"'0-9]|\s{{0,4}}\(|{_LOOSE}(?:(?:{_COLOR_WORD})(?![a-z])"
    rf"|(?:[a-z]{{1,20}}+(?:{_LOOSE})?)?[+-]?[0-9]{{1,9}}"
    rf"(?:{_LOOSE}(?:[xyz]{_LOOSE})?[+-]?[0-9]|[^0-9]{{1,4}}[0-9]|\s*+$)))"
    rf"|(?<![\w.])[+-]?[0-9]{{1,9}}{_NEXT_PART}{_NEXT_PART}",
    _FLAGS,
)
_FENCE_LINE = re.compile(r"\s*(?:```|~~~)\s*(?:[\w+.-]+\s*)?", re.ASCII)  # no two runs of spaces side by side
_BRACKETS_LINE = re.compile(r"(?:[a-z_]\w{0,30}\s{0,4}=)?[\s\[\](){},;]+", _FLAGS)
_LABEL_LINE = re.compile(rf"{_MARK}*+(?:{_LABEL}|{_TAG}|\#{{1,6}}\s{{0,4}}{_LABEL_WORDS}){_MARK}*+", _FLAGS)
_LONGEST_CACHED = 48  # the longest action of the notation has 20 characters; longer lines are rare and may be huge


def read_line(line: str) -> "Action | Line | None":
    """What the line says; None for one that says nothing: a blank, a code fence, brackets, a label alone."""
    return _read_cached(line) if len(line) <= _LONGEST_CACHED else _read(line)


def read_rest(line: str) -> Line:
    """What the rest of a line says, behind something that was read."""
    return _sequence(line, _BETWEEN.match(line).end())


def is_like_an_action(text: str) -> bool:
    """Whether an action may have been meant somewhere in the text."""
    return _ACTION_LIKE.search(text) is not None


def made(verb: str, given: dict) -> "Action | None":
    """The action of a verb and its parts, None if a part is missing, too much or unknown."""
    if given.keys() != set(_PARAMETERS[verb]):
        return None
    cell = Cell(given["x"], given["y"], given["z"])
    if verb == "pick":
        return Remove(cell)
    color = COLORS.get(given["color"].lower())
    return None if color is None else Place(color, cell)


def _read(line: str) -> "Action | Line | None":
    match = _STRICT.match(line)
    if match is not None and (action := _matched(match)) is not None:
        if match.end() == len(line):
            return action
        more = _sequence(line, _BETWEEN.match(line, match.end()).end())
        return Line((action, *more.actions), more.unparsed) if more.actions or more.unparsed else action
    if not line or line.isspace() or _FENCE_LINE.fullmatch(line) or _BRACKETS_LINE.fullmatch(line):
        return None if "[" not in line and "{" not in line else Line((), False, _opener(line, 0, len(line)))
    if _LABEL_LINE.fullmatch(line):
        return None
    before = _BEFORE.match(line).end()
    start = _OPENING.match(line, before).end()
    actions, unparsed, _ = _sequence(line, start)
    return Line(actions, unparsed or not actions, _opener(line, before, start))


_read_cached = lru_cache(maxsize=16_384)(_read)


def _opener(line: str, start: int, end: int) -> int:
    """Where the first list or object begins; -1 without one."""
    places = [place for place in (line.find("[", start, end), line.find("{", start, end)) if place >= 0]
    return min(places, default=-1)


def _sequence(line: str, position: int) -> Line:
    """The actions that follow each other from a position; unparsed if behind them something is like an action."""
    actions: list[Action] = []
    end, unparsed = position, False
    while True:
        call = _CALL_START.match(line, position) is not None
        match = (_CALL if call else _PLAIN).match(line, position)
        action = match and (_called(match[1].lower(), match[2]) if call else _matched(match))
        if action is not None:
            actions.append(action)
        elif match is not None and call:
            unparsed = True
        else:
            return Line(tuple(actions), unparsed or _ACTION_LIKE.search(line, end) is not None)
        end = match.end()
        position = _BETWEEN.match(line, end).end()


def _matched(match: re.Match) -> "Action | None":
    color, x, y, z = match.groups()
    cell = Cell(int(x), int(y), int(z))
    if color is None:
        return Remove(cell)
    known = COLORS.get(color.lower())
    return None if known is None else Place(known, cell)


def _called(verb: str, arguments: str) -> "Action | None":
    """The action of a call, None if its arguments are not those of one. As in Python, the unnamed come first."""
    given: dict[str, int | str] = {}
    named = False
    for position, argument in enumerate(_TUPLE.sub(_opened, arguments, count=1).split(",")):
        match = _ARGUMENT.fullmatch(argument)
        if match is None or position >= len(_PARAMETERS[verb]):
            return None
        name, number, _, color = match.groups()
        if name is None and named:
            return None
        named = name is not None
        name = name.lower().replace("colour", "color") if named else _PARAMETERS[verb][position]
        if name in given or (name == "color") is (color is None):
            return None
        given[name] = int(number) if color is None else color
    return made(verb, given)


def _opened(cell: re.Match) -> str:
    """The coordinates `(0, 1, 0)` of a call as three arguments, named if the tuple is."""
    name, coordinates = cell.groups()
    return ",".join(f"{part}={value}" for part, value in zip("xyz", coordinates.split(","))) if name else coordinates
