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
from .answer_lines import ACTION_LIKE, COLORS, PARTS, made, read_line

_TOKEN = re.compile(
    r"""\s*+(?:(?P<open>[\[({])|(?P<close>[\])}])|(?P<null>(?:null|none)\b)"""
    r"""|(?P<noise>(?:true|false)\b|[+-]?[0-9]{1,9}+[\w.][\w.+-]*+)"""
    r"""|(?P<value>"(?:[^"\\\n]|\\.)*+"|'(?:[^'\\\n]|\\.)*+'|[+-]?[0-9]{1,9}"""
    rf"""|[a-z_]\w{{0,40}}(?=\s{{0,9}}[:=])|(?:{"|".join((*PARTS, *COLORS))})\b)"""
    r"""|(?P<name>[:=])|(?P<next>[,;])|(?P<comment>(?://|\#)[^\n]*+))""",
    re.IGNORECASE | re.ASCII,
)
_STRING_OF_LINES = re.compile(r'\s*+(?P<value>"(?:[^"\\]|\\.)*+")', re.DOTALL)  # JSON would have escaped its breaks
_NUMBER = re.compile(r"\s{0,9}[+-]?[0-9]{1,9}\s{0,9}", re.ASCII)
_CELL = re.compile(r"[\s(\[]{0,9}N[\s,]{1,9}N[\s,]{1,9}N[\s)\]]{0,9}".replace("N", "([+-]?[0-9]{1,9})"), re.ASCII)
_CELL_KEYS = ("x", "y", "z")
_COLOR_KEYS = ("color", "colour", "block", "block_color", "block_colour")
_POSITION_KEYS = ("position", "pos", "coordinates", "coords", "location", "cell", "xyz")
_ARGUMENT_KEYS = ("arguments", "args", "parameters", "params", "input")
_PART_KEYS = (*_CELL_KEYS, *_COLOR_KEYS, *_POSITION_KEYS, *_ARGUMENT_KEYS)  # hold parts of an action
_REASON_KEYS = (  # what stands there is left out, as the blocks of `think` are
    "analysis", "comment", "description", "explanation", "note", "rationale", "reason", "reasoning", "thinking",
    "thought", "thoughts",
)  # fmt: skip
_NOISE = object()  # the value of what no action has: true, 0.5; that of what is read already or says nothing is None


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
        if key is None and isinstance(value, str | int) and not ACTION_LIKE.search(str(value)):
            self.items.pop()
            self.key = str(value).strip().lower()


class Data:
    """What the list or the object says that begins at a place of a text.

    Args:
        nested: whether the text is a string of another list or object; what is a string in it is not read in turn.
    """

    def __init__(self, text: str, start: int, nested: bool = False):
        self.text = text
        self.nested = nested
        self.content: list[tuple[int, Action | None]] = []  # with their places in the text; None for what is no action
        self.values = False  # whether there are any
        self.end = start  # or where it could not be read any more
        self.complete = False  # whether it ends there
        self.parts: dict = {}  # of an action, if it holds nothing else
        self.read()
        if not nested and (self.parts or (self.complete and self.values and not self.content)):
            self.content.append((start, None))

    def read(self) -> None:
        stack = [_Group(self.end)]  # the first holds the value itself
        reasons = False
        while match := self.token(stack[-1].key):
            kind, group, self.end = match.lastgroup, stack[-1], match.end()
            if kind == "open":
                stack.append(_Group(match.start(kind), group.is_reason or group.key in _REASON_KEYS))
                reasons = reasons or stack[-1].is_reason
            elif kind == "close":
                stack.pop()
                value = _NOISE if group.is_reason else self.closed(group)
                stack[-1].add(value)
                if len(stack) == 1:
                    self.complete = True
                    self.parts = value.given if isinstance(value, _Parts) else {}
                    return
            elif kind == "value":
                string = match[kind][1:-1] if match[kind][0] in "\"'" else match[kind]
                group.add(int(string) if _NUMBER.fullmatch(string) else string)
            elif kind in ("noise", "null"):
                group.add(_NOISE if kind == "noise" else None)
            elif kind == "name":
                group.name()
            elif kind == "next":
                group.key = None
            elif ACTION_LIKE.search(match[kind]) and not group.is_reason:  # in a comment
                self.content.append((match.start(kind), None))
        for group in reversed(stack) if self.content or reasons else ():
            if group.is_reason:
                self.content.append((group.start, None))
            else:
                self.elements(group, cut_off=True)

    def token(self, key: "str | None") -> "re.Match | None":
        """The next token; behind the key of a reason also a string of many lines."""
        match = _TOKEN.match(self.text, self.end)
        if match is None and key in _REASON_KEYS:
            match = _STRING_OF_LINES.match(self.text, self.end)
            if match is not None and _TOKEN.match(self.text, match.end()) is None:
                return None  # not its end: a quote is missing
        return match

    def elements(self, group: _Group, cut_off: bool = False) -> None:
        """Reads the values of a list, in which an action is a value or its words are; of one cut off only strings."""
        index = 0
        while index < len(group.items):
            key, value = group.items[index]
            index += 1
            if key is None and isinstance(value, str) and value.lower() not in PARTS:
                self.string(value, group.start, element=True)
            elif key is None and isinstance(value, str) and not cut_off:
                parts, length = _in_order([value for _, value in group.items[index : index + 4]])
                action = made(value.lower(), parts)
                self.content.append((group.start, action))
                index += length if action else 0
            elif value is not None:
                self.content.append((value.start if isinstance(value, _Parts) else group.start, None))

    def closed(self, group: _Group) -> "_Parts | None":
        """The parts of an action in a list or an object that is complete; None if nothing more is to be read of it."""
        self.values = self.values or any(value is not None for _, value in group.items)
        if all(key is None for key, _ in group.items):
            parts, length = _in_order([value for _, value in group.items])
            if parts and length == len(group.items):
                return _Parts(parts, group.start)
            self.elements(group)
            return None
        given, sound = self.given(group)
        strings = [(key, value) for key, value in group.items if isinstance(value, str)]
        verbs = {value.lower() for key, value in strings if key not in (*_COLOR_KEYS, *_CELL_KEYS)} & PARTS.keys()
        others = [value for key, value in strings if key not in (*_PART_KEYS, *_REASON_KEYS)]
        called = [(key, value) for key, value in group.items if key in PARTS]
        if verbs:
            self.content.append((group.start, made(*verbs, given) if sound and len(verbs) == 1 else None))
            if any(ACTION_LIKE.search(_unescaped(value)) for value in others):
                self.content.append((group.start, None))
        elif called:
            for verb, value in called:
                if isinstance(value, _Parts):
                    self.content.append((value.start, made(verb, value.given)))
                elif isinstance(value, str):
                    self.string(f"{verb} {value}", group.start, element=True)
                elif value is not None:
                    self.content.append((group.start, None))
        else:
            for value in others:
                self.string(value, group.start)
            if sound and given:
                return _Parts(given, group.start)
            if not sound:
                self.content.append((group.start, None))
        return None

    def given(self, group: _Group) -> tuple[dict, bool]:
        """Color and coordinates in an object and those that it holds, and whether each is there once, in its form."""
        given: dict[str, object] = {}
        sound = True
        for key, value in group.items:
            new = {}
            if key in _CELL_KEYS:
                new = {key: value}
                sound = sound and isinstance(value, int)
            elif isinstance(value, _Parts):
                new = value.given if key not in PARTS else {}
            elif not isinstance(value, str):
                continue
            elif key in _COLOR_KEYS and (key in _COLOR_KEYS[:2] or value.lower() in COLORS):
                new = {"color": value}
            elif key in _POSITION_KEYS and (match := _CELL.fullmatch(value)):
                new = dict(zip(_CELL_KEYS, map(int, match.groups())))
            elif key in _ARGUMENT_KEYS and value.startswith("{") and not self.nested:
                new = self.arguments(_unescaped(value), group.start)
            elif key in _PART_KEYS and ACTION_LIKE.search(_unescaped(value)):
                self.content.append((group.start, None))
            sound = sound and not given.keys() & new.keys()
            given |= new
        return given, sound

    def arguments(self, string: str, start: int) -> dict:
        """The parts of an action in the string that tool calls hold their arguments in; whole actions are noted."""
        data = Data(string, 0, nested=True)
        self.content += [(start, action) for _, action in data.content]
        if not (data.parts or data.content) and ACTION_LIKE.search(string):
            self.content.append((start, None))
        return data.parts

    def string(self, string: str, start: int, element: bool = False) -> None:
        """Reads the lines of a string.

        Args:
            element: whether it is one of a list: if no action begins it, it is unparsed, as a line would be. Under a
                key it may be anything, and is so only if it is like an action.
        """
        for line in _unescaped(string.replace("\\n", "\n")).split("\n"):
            content = read_line(line).content
            if element or any(content) or ACTION_LIKE.search(line):
                self.content += [(start, action) for action in content]


def _unescaped(string: str) -> str:
    return string.replace('\\"', '"')


def _in_order(values: list[object]) -> tuple[dict, int]:
    """The parts at the start of a list, `color x y z` or `x y z`, and how many of its values they are."""
    given: dict[str, object] = {}
    if values and isinstance(values[0], str) and values[0].lower() in COLORS:
        given["color"] = values[0]
    cell = values[len(given) : len(given) + 3]
    if cell and isinstance(cell[0], _Parts):
        more = cell[0].given
        return (given | more, len(given) + 1) if not given.keys() & more.keys() else ({}, 0)
    if len(cell) == 3 and all(isinstance(value, int) for value in cell):
        return given | dict(zip(_CELL_KEYS, cell)), len(given) + 3
    return {}, 0
