"""What one line of a model's answer says: actions in the notation and as calls, behind marks and labels.

    - **place red 0, 1, 0**; then pick (0, 1, 0)        Step 1: place(color="red", x=0, y=1, z=0)

An action is its verb, its color and three whole numbers, in this order; between these stand only punctuation and the
names of its parts (`color`, `x`, `y`, `z`). No line takes more than linear time: whatever may repeat without bound is
never given back (`*+`), and everything else is bounded.
"""

import re
from functools import lru_cache

from .actions import Action, Place, Remove
from .blocks import Cell, Color

COLORS = {color.value: color for color in Color}
PARTS = {"place": ("color", "x", "y", "z"), "pick": ("x", "y", "z")}  # of the action of a verb
_FLAGS = re.IGNORECASE | re.ASCII
Content = tuple[Action | None, ...]  # of a line: its actions, and None for something else that would have to be read

# Nine digits are far outside any board; longer numbers are noise, and int() would refuse the very long ones.
_WHOLE = r"(?:\.0{1,9})?"  # 1.0 is a whole number, too
_NUMBER = rf"([+-]?[0-9]{{1,9}}){_WHOLE}"
_END = r"(?!\w|\.[0-9])"
_STRICT = re.compile(rf"\s*(?:place\s+([a-z]+)|pick)\s+{_NUMBER}\s+{_NUMBER}\s+{_NUMBER}{_END}", _FLAGS)

_GAP = r"""[\s,|"'`*_]"""
_X, _Y, _Z = (rf"""(?:{name}["']?\s*+[:=]\s*+["']?)?{_NUMBER}""" for name in "xyz")
_ACTION = re.compile(  # a call, or a verb, a color and numbers
    r"(place|pick)\s{0,4}\(([^()]{0,160}(?:\([^()]{0,80}\)[^()]{0,20})?)\)"
    r"""|(?!(?:place|pick)\s{0,4}\()(?:place[\s,:|"'`*_\[]++(?:colou?r["']?\s*+[:=][\s"']*+)?([a-z]{1,20})|pick)"""
    rf"""[\s,:|"'`*_(\[{{]++{_X}{_GAP}++{_Y}{_GAP}++{_Z}{_END}""",
    _FLAGS,
)
_TUPLE = re.compile(
    r"(?:([a-z]{1,20})\s{0,9}[=:]\s{0,9})?[(\[]([^()\[\],=:]{0,20}(?:,[^()\[\],=:]{0,20}){2})[)\]]", _FLAGS
)
_ARGUMENT = re.compile(
    rf"""\s{{0,20}}(?:(colou?r|[xyz])\s{{0,20}}[=:]\s{{0,20}})?(?:{_NUMBER}|(["']?)([a-z]{{1,20}})\3)\s{{0,20}}""",
    _FLAGS,
)

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
_GIVEN_TO = r"[a-z_]\w{0,30}\s{0,4}="  # a name that a list is given to
_BEFORE = re.compile(
    rf"(?:(?:```|~~~)(?:json|python|text|plaintext)?\b|{_MARK}|\[[ x]\]|{_NUMBERING}|{_LABEL}|{_TAG}|{_GIVEN_TO}"
    r"|(?:first|next|then|and|also|finally|lastly)\b[,:]?)*+",
    _FLAGS,
)
_OPENING = re.compile(r"""[\s("'`*_]*+([\[{])?[\s(\[{"'`*_]*+""")
_BETWEEN = re.compile(  # two actions of a line
    rf"(?:[,;)\]}}]\s*+[(\[{{]++|[\s,;.|&)\]}}\"'`*_>→⇒+-]|{_NUMBERING}|{_STEP}|<br ?/?>|\\n"
    r"|(?:and|then|also|next|finally|followed by)\b[,:]?)*+",
    _FLAGS,
)
_NOTHING = re.compile(  # brackets, a fence, a label
    rf"(?:{_GIVEN_TO}(?!$))?[\s\](),;}}]*+([\[{{])?[\s\[\](){{}},;]*+|\s*(?:```|~~~)\s*(?:[\w+.-]+\s*)?"
    rf"|{_MARK}*+(?:{_LABEL}|{_TAG}|\#{{1,6}}\s{{0,4}}{_LABEL_WORDS}){_MARK}*+",
    _FLAGS,
)
_LOOSE = r"""[\s,:=|"'`*_(\[{-]{1,12}+"""
_NEXT_PART = rf"""[\s,|"'`*_]{{1,9}}(?:[xyz]["']?\s{{0,4}}[:=]\s{{0,4}})?[+-]?[0-9]{{1,9}}{_WHOLE}"""
ACTION_LIKE = re.compile(  # an action may have been meant: a verb with a color or a number, a call, three numbers
    rf"(?:(?<![a-z0-9])|(?<=\\n))(?:place|pick)(?:[\"'0-9]|\s{{0,4}}\(|{_LOOSE}(?:(?:{'|'.join(COLORS)})(?![a-z])"
    rf"|(?:[a-z]{{1,20}}+(?:{_LOOSE})?)?[+-]?[0-9]{{1,9}}"
    rf"(?:{_LOOSE}(?:[xyz]{_LOOSE})?[+-]?[0-9]|[^0-9]{{1,4}}[0-9]|\s*+$)))"
    rf"|(?<![\w.])[+-]?[0-9]{{1,9}}{_WHOLE}{_NEXT_PART}{_NEXT_PART}",
    _FLAGS,
)
_LONGEST_CACHED = 48  # the longest action of the notation has 20 characters; longer lines are rare and may be huge


def read_line(line: str) -> tuple[Content, int]:
    """Read a line, and find where a list or an object begins that may go on in the next lines; -1 without one.

    A blank, a code fence, brackets, and a label alone say nothing.
    """
    return _read_cached(line) if len(line) <= _LONGEST_CACHED else _read(line)


def read_rest(line: str) -> Content:
    """Read the rest of a line, behind something that was read."""
    return _sequence(line, _BETWEEN.match(line).end())


def made(verb: str, given: dict) -> "Action | None":
    """Return the action of a verb and its parts, None if a part is missing, too much or unknown."""
    if given.keys() != set(PARTS[verb]):
        return None
    return _action(given.get("color"), given["x"], given["y"], given["z"])


def _action(color: "str | None", *coordinates: "str | int") -> "Action | None":
    cell = Cell(*map(int, coordinates))
    if color is None:
        return Remove(cell)
    block = COLORS.get(color.lower())
    return block and Place(block, cell)


def _read(line: str) -> tuple[Content, int]:
    match = _STRICT.match(line)
    if match and (action := _action(*match.groups())):
        return ((action, *read_rest(line[match.end() :])) if match.end() < len(line) else (action,)), -1
    if not line.strip():
        return (), -1
    if match := _NOTHING.fullmatch(line):
        return (), match.start(1)
    opening = _OPENING.match(line, _BEFORE.match(line).end())
    return _sequence(line, opening.end()) or (None,), opening.start(1)


_read_cached = lru_cache(maxsize=16_384)(_read)


def _sequence(line: str, position: int) -> Content:
    """The actions that follow each other from a position; None for a call that is none, or one more like an action."""
    content: list[Action | None] = []
    end = position
    while match := _ACTION.match(line, position):
        verb, arguments, *parts = match.groups()
        action = _called(verb.lower(), arguments) if verb else _action(*parts)
        if not (action or verb):
            break
        content.append(action)
        end = match.end()
        position = _BETWEEN.match(line, end).end()
    return (*content, None) if ACTION_LIKE.search(line, end) else tuple(content)


def _called(verb: str, arguments: str) -> "Action | None":
    """Return the action of a call, None if its arguments are not those of one. As in Python, the unnamed come first."""
    given: dict[str, int | str] = {}
    named, parts = None, iter(PARTS[verb])
    for argument in _TUPLE.sub(_opened, arguments, count=1).split(","):
        match = _ARGUMENT.fullmatch(argument)
        if not match or (named and not match[1]):
            return None
        named, number, _, color = match.groups()
        name = named.lower().replace("colour", "color") if named else next(parts, "too many")
        if name in given or (name == "color") is (color is None):
            return None
        given[name] = color or int(number)
    return made(verb, given)


def _opened(cell: re.Match) -> str:
    """Return the coordinates `(0, 1, 0)` of a call as three arguments, named if the tuple is."""
    name, coordinates = cell.groups()
    return ",".join(f"{part}={value}" for part, value in zip("xyz", coordinates.split(","))) if name else coordinates
