"""Actions in a list or an object as programs write them: JSON, or Python's repr of the same.

    {"action": "place", "color": "red", "x": 0, "y": 1, "z": 0}        ["place", "red", 0, 1, 0]
    {"actions": [{"name": "pick", "arguments": {"position": [0, 1, 0]}}, "place red 0 1 0"]}

It is read a token at a time, each once, and what is complete of a list that is cut off is read too. Commas may be
missing or too many, quotes single, keys without quotes; comments are skipped.
"""

import re
from dataclasses import dataclass, field
from typing import NamedTuple

from .actions import Action
from .answer_lines import COLORS, VERBS, Line, is_like_an_action, made, read_line

_TOKEN = re.compile(
    r"""\s*+(?:(?P<open>[\[({])|(?P<close>[\])}])|"(?P<double>(?:[^"\\\n]|\\.)*+)"|'(?P<single>(?:[^'\\\n]|\\.)*+)'"""
    r"""|(?P<number>[+-]?[0-9]{1,9}(?![\w.]))|(?P<noise>[+-]?[0-9][\w.+-]*+|(?:true|false|null|none)\b)"""
    rf"""|(?P<word>[a-z_]\w{{0,40}}(?=\s{{0,9}}[:=])|(?:{"|".join((*VERBS, *COLORS))})\b)"""
    r"""|(?P<name>[:=])|(?P<next>[,;])|(?P<comment>(?://|\#)[^\n]*+))""",
    re.IGNORECASE | re.ASCII,
)
_STRING_OF_LINES = re.compile(
    r'\s*+"(?P<double>(?:[^"\\]|\\.)*+)"', re.DOTALL
)  # line breaks that JSON would have escaped
_NUMBER = re.compile(r"\s{0,9}[+-]?[0-9]{1,9}\s{0,9}", re.ASCII)
_CELL = re.compile(r"[\s(\[]{0,9}N[\s,]{1,9}N[\s,]{1,9}N[\s)\]]{0,9}".replace("N", "([+-]?[0-9]{1,9})"), re.ASCII)
_CELL_KEYS = ("x", "y", "z")
_COLOR_KEYS = ("color", "colour", "block", "block_color", "block_colour")
_POSITION_KEYS = ("position", "pos", "coordinates", "coords", "location", "cell", "xyz")
_ARGUMENT_KEYS = ("arguments", "args", "parameters", "params", "input")
_REASON_KEYS = (  # what stands there is left out, as the blocks of `think` are
    "analysis", "comment", "description", "explanation", "note", "rationale", "reason", "reasoning", "thinking",
    "thought", "thoughts",
)  # fmt: skip
_PART_KEYS = (*_CELL_KEYS, *_COLOR_KEYS, *_POSITION_KEYS, *_ARGUMENT_KEYS)  # hold parts of an action
_OTHER_KEYS = (*_PART_KEYS, *_REASON_KEYS)  # hold no actions


class Data(NamedTuple):
    """What was read of a list or an object."""

    actions: list[tuple[int, Action]]  # each with its place in the text
    unparsed: list[int]  # places of what is not an action
    end: int  # where it ends, or could not be read any more
    complete: bool  # whether it ends there
    settled: int  # before this place everything is read or among the unparsed


class _Parts(NamedTuple):
    """Color and coordinates without a verb: those of an action around them."""

    given: dict
    start: int


@dataclass(slots=True)
class _Group:
    """A list or an object: its values with their keys, None in a list."""

    start: int
    is_reason: bool = False  # whether it stands under a key of reasons, or in what does
    items: list[tuple["str | None", object]] = field(default_factory=list)
    key: "str | None" = None  # of the value that comes next

    def add(self, value: object) -> None:
        self.items.append((self.key, value))
        self.key = None

    def name(self) -> None:
        """Makes the last string the key of what comes next, if it can be one."""
        key, value = self.items[-1] if self.items else (None, None)
        if key is None and type(value) in (str, int) and not is_like_an_action(str(value)):
            self.items.pop()
            self.key = str(value).strip().lower()


_NOTHING = object()  # the value of what is read already, or says nothing
_NOISE = object()  # that of what no action has: true, 0.5


class _Reader:
    """Args:
    nested: whether the text is a string of another list or object; what is a string in it is not read in turn.
    """

    def __init__(self, text: str, nested: bool = False):
        self.text = text
        self.nested = nested
        self.actions: list[tuple[int, Action]] = []
        self.unparsed: list[int] = []
        self.settled = 0
        self.values = False  # whether there are any
        self.position = 0

    def read(self, start: int) -> tuple[object, bool]:
        """The value that begins at `start`, and whether it is complete."""
        stack: list[_Group] = []
        self.position = self.settled = start
        while True:
            match = _TOKEN.match(self.text, self.position)
            if match is None and stack and stack[-1].key in _REASON_KEYS:
                match = _STRING_OF_LINES.match(self.text, self.position)
                if match is not None and _TOKEN.match(self.text, match.end()) is None:
                    match = None  # not its end: a quote is missing
            if match is None:
                break
            self.position = match.end()
            kind = match.lastgroup
            if kind == "open":
                is_reason = bool(stack) and (stack[-1].is_reason or stack[-1].key in _REASON_KEYS)
                stack.append(_Group(match.start(kind), is_reason))
            elif kind == "close":
                group = stack.pop()
                value = _NOISE if group.is_reason else self.closed(group)
                if not stack:
                    return value, True
                stack[-1].add(value)
            elif kind in ("double", "single", "word"):
                string = match[kind]
                stack[-1].add(int(string) if kind != "word" and _NUMBER.fullmatch(string) else string)
            elif kind == "number":
                stack[-1].add(int(match[kind]))
            elif kind == "noise":
                stack[-1].add(_NOTHING if match[kind].lower() in ("null", "none") else _NOISE)
            elif kind == "name":
                stack[-1].name()
            elif kind == "next":
                stack[-1].key = None
            elif is_like_an_action(match[kind]) and not stack[-1].is_reason:  # in a comment
                self.settle(match.start(kind), None)
            if stack[-1].is_reason:
                self.settled = self.position  # or, when it is cut off, its lines would be read as actions
        if self.settled > start:
            self.cut_off(stack)
        return _NOTHING, False

    def cut_off(self, stack: list[_Group]) -> None:
        """Reads the whole strings of the lists that are still open; what else they hold is unparsed."""
        for group in reversed(stack):
            if group.is_reason:
                self.settle(group.start, None)
            for key, value in () if group.is_reason else group.items:
                if key is None and isinstance(value, str) and value.lower() not in VERBS:
                    self.string(value, group.start, element=True)
                elif value is not _NOTHING:
                    self.settle(value.start if isinstance(value, _Parts) else group.start, None)
        self.settled = self.position

    def closed(self, group: _Group) -> object:
        """The value of a list or an object that is complete: parts of an action, or nothing more to be read."""
        self.values = self.values or any(value is not _NOTHING for _, value in group.items)
        if all(key is None for key, _ in group.items):
            return self.closed_list(group)
        given, sound = self.given(group)
        verbs = {
            value.lower()
            for key, value in group.items
            if isinstance(value, str) and value.lower() in VERBS and key not in (*_COLOR_KEYS, *_CELL_KEYS)
        }
        others = [value for key, value in group.items if isinstance(value, str) and key not in _OTHER_KEYS]
        if verbs:
            self.settle(group.start, made(verbs.pop(), given) if sound and len(verbs) == 1 else None)
            if any(is_like_an_action(_unescaped(value)) for value in others):
                self.settle(group.start, None)
            return _NOTHING
        called = [(key, value) for key, value in group.items if key in VERBS]
        for verb, value in called:
            if isinstance(value, _Parts):
                self.settle(value.start, made(verb, value.given))
            elif isinstance(value, str):
                self.string(f"{verb} {value}", group.start, element=True)
            elif value is not _NOTHING:
                self.settle(group.start, None)
        if called:
            return _NOTHING
        for value in others:
            self.string(value, group.start)
        if not sound:
            self.settle(group.start, None)
        return _Parts(given, group.start) if sound and given else _NOTHING

    def given(self, group: _Group) -> tuple[dict, bool]:
        """Color and coordinates in an object and those that it holds, and whether each is there once, in its form."""
        given: dict[str, object] = {}
        sound = True
        for key, value in group.items:
            if key in _CELL_KEYS:
                new = {key: value}
                sound = sound and isinstance(value, int)
            elif isinstance(value, _Parts) and key not in VERBS:
                new = value.given
            elif key in _COLOR_KEYS and isinstance(value, str) and (key in _COLOR_KEYS[:2] or value.lower() in COLORS):
                new = {"color": value}
            elif key in _POSITION_KEYS and isinstance(value, str) and (match := _CELL.fullmatch(value)):
                new = dict(zip(_CELL_KEYS, map(int, match.groups())))
            elif key in _ARGUMENT_KEYS and isinstance(value, str) and value.startswith("{") and not self.nested:
                new = self.arguments(value, group.start)
            elif key in _PART_KEYS and isinstance(value, str) and is_like_an_action(_unescaped(value)):
                self.settle(group.start, None)
                continue
            else:
                continue
            sound = sound and not given.keys() & new.keys()
            given |= new
        return given, sound

    def arguments(self, string: str, start: int) -> dict:
        """The parts of an action in the string that tool calls hold their arguments in; whole actions are noted."""
        reader = _Reader(_unescaped(string), nested=True)
        value, _ = reader.read(0)
        parts = value.given if isinstance(value, _Parts) else {}
        for _, action in reader.actions:
            self.settle(start, action)
        if reader.unparsed or (not (parts or reader.actions) and is_like_an_action(reader.text)):
            self.settle(start, None)
        return parts

    def closed_list(self, group: _Group) -> object:
        """The value of a list, in which an action is a value or its words are."""
        values = [value for _, value in group.items]
        parts, length = _in_order(values)
        if parts is not None and length == len(values):
            return _Parts(parts, group.start)
        index = 0
        while index < len(values):
            value = values[index]
            index += 1
            if isinstance(value, str) and value.lower() in VERBS:
                parts, length = _in_order(values[index : index + 4])
                action = made(value.lower(), parts) if parts is not None else None
                self.settle(group.start, action)
                index += length if action is not None else 0
            elif isinstance(value, str):
                self.string(value, group.start, element=True)
            elif value is not _NOTHING:
                self.settle(value.start if isinstance(value, _Parts) else group.start, None)
        return _NOTHING

    def string(self, string: str, start: int, element: bool = False) -> None:
        """Reads the lines of a string.

        Args:
            element: whether it is one of a list: if no action begins it, it is unparsed, as a line would be. Under a
                key it may be anything, and is so only if it is like an action.
        """
        for line in _unescaped(string.replace("\\n", "\n")).split("\n"):
            read = read_line(line)
            if isinstance(read, Line):
                for action in read.actions:
                    self.settle(start, action)
                if read.unparsed and (element or read.actions or is_like_an_action(line)):
                    self.settle(start, None)
            elif read is not None:
                self.settle(start, read)

    def settle(self, place: int, action: "Action | None") -> None:
        """Notes an action, or that there is something else at this place."""
        if action is None:
            self.unparsed.append(place)
        else:
            self.actions.append((place, action))
        self.settled = self.position


def read_data(text: str, start: int) -> Data:
    """What the list or the object says that begins at `start`."""
    reader = _Reader(text)
    value, complete = reader.read(start)
    if isinstance(value, _Parts):
        reader.unparsed.append(value.start)
    if complete and reader.values and not reader.actions and not reader.unparsed:
        reader.unparsed.append(start)
    settled = reader.position if complete else reader.settled
    return Data(reader.actions, reader.unparsed, reader.position, complete, settled)


def _unescaped(string: str) -> str:
    return string.replace('\\"', '"')


def _in_order(values: list[object]) -> tuple["dict | None", int]:
    """The parts at the start of a list, `color x y z` or `x y z`, and how many of its values they are."""
    given: dict[str, object] = {}
    if values and isinstance(values[0], str) and values[0].lower() in COLORS:
        given["color"] = values[0]
    index = len(given)
    if index < len(values) and isinstance(values[index], _Parts):
        more = values[index].given
        return (None, 0) if given.keys() & more.keys() else ({**given, **more}, index + 1)
    cell = values[index : index + 3]
    if len(cell) == 3 and all(isinstance(value, int) for value in cell):
        return {**given, **dict(zip(_CELL_KEYS, cell))}, index + 3
    return None, 0
