"""The one text form of blocks and actions, its strict readers, and the forgiving reader of model output.

    place COLOR X Y Z        pick X Y Z        COLOR X Y Z   (a block of a structure)

`parse_*` raise NotationError on anything else. `read_prediction` never raises: models write what they like,
and what cannot be read is counted. It also reads actions written as calls, as general models like to:

    place(color="red", x=0, y=1, z=0)        pick(x=0, y=1, z=0)
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from .actions import Action, Place, Remove
from .blocks import Block, Cell, Color, Structure
from .errors import UserError


class NotationError(UserError):
    """A text that is not the notation; the message names the value and what was expected."""


class Prediction(NamedTuple):
    """The actions found in a model's text, in order, and the number of lines with something else."""

    actions: tuple[Action, ...]
    unparsed_lines: int


_COLORS = {color.value: color for color in Color}
# Nine digits are far outside any board; longer numbers are noise, and int() would refuse the very long ones.
_NUMBER = r"([+-]?[0-9]{1,9})"
_CANONICAL_NUMBER = re.compile(r"0|-?[1-9][0-9]{0,8}")
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
_LONGEST_CACHED_LINE = 48  # the longest canonical action has 20 characters; longer lines are rare and may be huge


def format_block(block: Block) -> str:
    """`red 0 1 0` for a red block at x=0, y=1, z=0."""
    (x, y, z) = block.cell
    return f"{block.color.value} {x} {y} {z}"


def format_action(action: Action) -> str:
    """`place red 0 1 0` or `pick 0 1 0`."""
    (x, y, z) = action.cell
    return f"pick {x} {y} {z}" if isinstance(action, Remove) else f"place {action.color.value} {x} {y} {z}"


def format_call(action: Action) -> str:
    """`place(color="red", x=0, y=1, z=0)` or `pick(x=0, y=1, z=0)`."""
    (x, y, z) = action.cell
    color = "" if isinstance(action, Remove) else f'color="{action.color.value}", '
    return f"{'place' if color else 'pick'}({color}x={x}, y={y}, z={z})"


@lru_cache(maxsize=16_384)
def parse_block(text: str, anywhere: bool = False) -> Block:
    """The block that `text` names; the inverse of `format_block`.

    Args:
        text: `COLOR X Y Z`.
        anywhere: also accept cells outside the BuildRegion (human logs have some).
    Raises:
        NotationError: with the text, what is wrong with it, and what was expected.
    """
    words = text.split()
    if len(words) != 4:
        raise NotationError(f"{_shown(text)} is not a block (expected 'COLOR X Y Z', e.g. 'red 0 1 0')")
    return Block(_color(words[0]), _cell(words[1:], text, anywhere))


@lru_cache(maxsize=16_384)
def parse_action(text: str, anywhere: bool = False) -> Action:
    """The action that `text` names; the inverse of `format_action`. Arguments and errors as for `parse_block`."""
    words = text.split()
    if len(words) == 5 and words[0] == "place":
        return Place(_color(words[1]), _cell(words[2:], text, anywhere))
    if len(words) == 4 and words[0] == "pick":
        return Remove(_cell(words[1:], text, anywhere))
    raise NotationError(f"{_shown(text)} is not an action (expected 'place COLOR X Y Z' or 'pick X Y Z')")


def format_structure(structure: Structure) -> list[str]:
    """One line a block, in order of placement."""
    return [format_block(block) for block in structure]


def parse_structure(lines: Iterable[str], anywhere: bool = False) -> Structure:
    """The structure that holds these blocks; the inverse of `format_structure`.

    Raises:
        NotationError: for a line that is not a block, or for two blocks in one cell.
    """
    colors: dict[Cell, Color] = {}
    for line in lines:
        color, cell = parse_block(line, anywhere)
        if cell in colors:
            raise NotationError(f"{_shown(line)} is in the same cell as '{format_block(Block(colors[cell], cell))}'")
        colors[cell] = color
    return Structure.from_colors(colors)


def read_prediction(text: str) -> Prediction:
    """The actions in a model's raw output. Never raises, whatever the string.

    One action a line; extra spaces, upper case and text after the coordinates are allowed. Blank lines and the
    lines of a code fence count as nothing. Every other line counts as unparsed. Cells outside the BuildRegion are
    read (they are infeasible, not unreadable).

    A line may also hold calls, one or several, with positional or keyword arguments, as an entry of a list or in
    one. A line with a call that cannot be read counts as unparsed, and its other calls are read. Where there are
    calls, lines of brackets count as nothing.

    >>> read_prediction("```\\n  PLACE red 0 1 0 (the corner)\\nI think that is all.\\n```")
    Prediction(actions=(Place(color=<Color.RED: 'red'>, cell=Cell(x=0, y=1, z=0)),), unparsed_lines=1)
    >>> read_prediction("[pick(0, 1, 0), pick(x=0, y=2, z=0)]")
    Prediction(actions=(Remove(cell=Cell(x=0, y=1, z=0)), Remove(cell=Cell(x=0, y=2, z=0))), unparsed_lines=0)
    """
    actions: list[Action] = []
    unparsed = brackets = 0
    calls = False
    for line in _LINE_BREAK.split(text) if "\r" in text else text.split("\n"):
        read = _read_line_cached(line) if len(line) <= _LONGEST_CACHED_LINE else _read_line(line)
        if read is None:
            continue
        if read is _UNPARSED:
            unparsed += 1
        elif read is _BRACKETS:
            brackets += 1
        elif isinstance(read, _Calls):
            calls = True
            actions += read.actions
            unparsed += read.unread
        else:
            actions.append(read)
    return Prediction(tuple(actions), unparsed if calls else unparsed + brackets)


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


def _color(word: str) -> Color:
    color = _COLORS.get(word)
    if color is None:
        raise NotationError(f"unknown color {_shown(word)} (expected one of {', '.join(_COLORS)})")
    return color


def _cell(words: list[str], text: str, anywhere: bool) -> Cell:
    if not all(_CANONICAL_NUMBER.fullmatch(word) for word in words):
        raise NotationError(f"{_shown(text)}: coordinates are three whole numbers, e.g. '0 1 0'")
    cell = Cell(*(int(word) for word in words))
    if not anywhere and not cell.in_region:
        raise NotationError(f"{_shown(text)} is outside the BuildRegion (x and z in -5..5, y in 1..9)")
    return cell


def storable(text: str) -> str:
    """The text without lone surrogates, which UTF-8 cannot encode (they are never part of an action)."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _shown(text: str) -> str:
    return repr(text if len(text) <= 80 else text[:77] + "...")
