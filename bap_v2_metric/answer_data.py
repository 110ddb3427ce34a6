"""Actions in a list or an object as programs write them: JSON, or Python's repr of the same.

    {"action": "place", "color": "red", "x": 0, "y": 1, "z": 0}        ["place", "red", 0, 1, 0]
    {"actions": [{"name": "pick", "arguments": {"position": [0, 1, 0]}}, "place red 0 1 0"]}

It is read a token at a time, each once, and what is complete of a list that is cut off is read too. Commas may be
missing or too many, quotes single, keys without quotes; comments are skipped.
"""

import re
from dataclasses import dataclass, field

from .actions import Action
from .answer_lines import ACTION_LIKE, COLORS, PARTS, made, read_line

_TOKEN = re.compile(
    r"""\s*+(?:(?P<open>[\[({])|(?P<close>[\])}])"""
    r"""|(?P<value>"(?:[^"\\\n]|\\.)*+"|'(?:[^'\\\n]|\\.)*+'|[+-]?[0-9]{1,9}(?:\.0{1,9})?(?![\w.])|(?!(?:true|false|null|none)\b)"""
    rf"""(?:[a-z_]\w{{0,40}}(?=\s{{0,9}}[:=])|(?:{"|".join((*PARTS, *COLORS))})\b))|(?P<null>(?:null|none)\b)"""
    r"""|(?P<noise>[+-]?[0-9][\w.+-]*+|(?:true|false)\b)|(?P<name>[:=])|(?P<next>[,;])|(?P<comment>(?://|\#)[^\n]*+))""",
    re.IGNORECASE | re.ASCII,
)
_STRING_OF_LINES = re.compile(r'\s*+(?P<value>"(?:[^"\\]|\\.)*+")', re.DOTALL)  # JSON would have escaped its breaks
_NUMBER = re.compile(r"\s{0,9}([+-]?[0-9]{1,9})(?:\.0{1,9})?\s{0,9}", re.ASCII)
_CELL = re.compile(
    r"[\s(\[]{0,9}N[\s,]{1,9}N[\s,]{1,9}N[\s)\]]{0,9}".replace("N", r"([+-]?[0-9]{1,9})(?:\.0{1,9})?"), re.ASCII
)
_CELL_KEYS = ("x", "y", "z")
_COLOR_KEYS = ("color", "colour", "block", "block_color", "block_colour")
_POSITION_KEYS = ("position", "pos", "coordinates", "coords", "location", "cell", "xyz")
_ARGUMENT_KEYS = ("arguments", "args", "parameters", "params", "input")
_PART_KEYS = (*_CELL_KEYS, *_COLOR_KEYS, *_POSITION_KEYS, *_ARGUMENT_KEYS)  # hold parts of an action
_REASON_KEYS = (  # what stands there is left out, as the blocks of `think` are
    "analysis", "comment", "description", "explanation", "note", "rationale", "reason", "reasoning", "thinking",
    "thought", "thoughts",
)  # fmt: skip
_OTHER_KEYS = (*_PART_KEYS, *_REASON_KEYS)  # hold no actions
_NO_VERB_KEYS = (*_COLOR_KEYS, *_CELL_KEYS)
_NOISE = object()  # the value of what no action has: true, 0.5; that of what is read already or says nothing is None


@dataclass(slots=True)
class _Group:
    """A list or an object: its values, each with its key, None in a list, and with its place."""

    start: int
    is_reason: bool = False  # whether it stands under a key of reasons, or in what does
    items: list[tuple["str | None", object, int]] = field(default_factory=list)
    key: "str | None" = None  # of the value that comes next

    def add(self, value: object, place: "int | None" = None) -> None:
        self.items.append((self.key, value, self.start if place is None else place))
        self.key = None


class Data:
    """The content of the list or the object that begins at a place of a text.

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
        self.parts: dict = {}  # of an action, if there are no others
        self.read()
        if not nested and (self.parts or (self.complete and self.values and not self.content)):
            self.content.append((start, None))

    def read(self) -> None:
        """Reads token by token up to where the list or the object ends, or what is no part of one begins."""
        stack = [_Group(self.end)]  # the first holds the value itself
        reasons = False
        while not self.complete:
            group = stack[-1]
            # The next token; what explains itself may be a string over several lines.
            match = _TOKEN.match(self.text, self.end)
            if match is None and group.key in _REASON_KEYS:
                match = _STRING_OF_LINES.match(self.text, self.end)
                if match and not _TOKEN.match(self.text, match.end()):
                    match = None  # not its end: a quote is missing
            if match is None:
                break
            kind, self.end = match.lastgroup, match.end()
            token = match[kind]
            # Brackets open a group and close it, and what is in a group is read when it is closed.
            if kind == "open":
                stack.append(_Group(match.start(kind), group.is_reason or group.key in _REASON_KEYS))
                reasons = reasons or stack[-1].is_reason
            elif kind == "close":
                stack.pop()
                self.complete = len(stack) == 1
                if group.is_reason:
                    stack[-1].add(_NOISE)
                elif parts := self.closed(group):
                    stack[-1].add(parts, group.start)
                    self.parts = parts if self.complete else {}
                else:
                    stack[-1].add(None)
            elif kind == "value":
                string = token[1:-1] if token[0] in "\"'" else token
                number = _NUMBER.fullmatch(string)
                group.add(int(number[1]) if number else string)
            elif kind == "name":  # of what comes next, if the last value can be one
                key, value, _ = group.items[-1] if group.items else (None, None, 0)
                if key is None and isinstance(value, str | int) and not ACTION_LIKE.search(str(value)):
                    group.items.pop()
                    group.key = str(value).strip().lower()
            elif kind == "next":
                group.key = None
            elif kind != "comment":
                group.add(_NOISE if kind == "noise" else None)
            elif ACTION_LIKE.search(token) and not group.is_reason:
                self.content.append((match.start(kind), None))
        # Of an answer that is cut off, the groups that are still open are read, too.
        if not self.complete and (self.content or reasons):
            for group in reversed(stack):
                if group.is_reason:
                    self.content.append((group.start, None))
                else:
                    self.elements(group, cut_off=True)

    def elements(self, group: _Group, cut_off: bool = False) -> None:
        """Reads the values of a list, in which an action is a value or its words are; of one cut off only strings."""
        index = 0
        while index < len(group.items):
            key, value, place = group.items[index]
            index += 1
            if key is None and isinstance(value, str) and value.lower() not in PARTS:
                self.string(value, place, element=True)
            elif key is None and isinstance(value, str) and not cut_off:
                parts, length = _in_order(group.items[index : index + 4])
                action = made(value.lower(), parts)
                self.content.append((place, action))
                index += length if action else 0
            elif value is not None:
                self.content.append((place, None))

    def closed(self, group: _Group) -> dict:
        """The parts of an action in a list or an object that is complete; empty if nothing more is to be read of it."""
        # A list: the parts of one action in their order, or elements that are read one by one.
        self.values = self.values or any(value is not None for _, value, _ in group.items)
        if all(key is None for key, _, _ in group.items):
            parts, length = _in_order(group.items)
            if parts and length == len(group.items):
                return parts
            self.elements(group)
            return {}
        # An object: what its fields say together, and the verbs among them.
        parts = [self.part(*item) for item in group.items]
        given = {name: value for part in parts for name, value in part.items()}
        sound = len(given) == sum(map(len, parts)) and all(isinstance(given.get(key, 0), int) for key in _CELL_KEYS)
        strings = [(key, value) for key, value, _ in group.items if isinstance(value, str)]
        others = [value for key, value in strings if key not in _OTHER_KEYS]
        verbs = {value.lower() for key, value in strings if key not in _NO_VERB_KEYS} & PARTS.keys()
        called = [item for item in group.items if item[0] in PARTS]
        # One verb and the cell and color that go with it are an action.
        if verbs:
            self.content.append((group.start, made(verbs.pop(), given) if sound and len(verbs) == 1 else None))
            self.content += [(group.start, None) for value in others if ACTION_LIKE.search(_unescaped(value))]
            return {}
        # A call is named by its verb: {"place": {...}}.
        if called:
            for verb, value, place in called:
                if isinstance(value, str):
                    self.string(f"{verb} {value}", place, element=True)
                elif value is not None:
                    self.content.append((place, made(verb, value) if isinstance(value, dict) else None))
            return {}
        # Other texts may hold actions; parts without a verb go to the group around it.
        for value in others:
            self.string(value, group.start)
        if sound:
            return given
        self.content.append((group.start, None))
        return {}

    def part(self, key: str, value: object, place: int) -> dict:
        """Return the color or coordinates that stand under a key."""
        # Coordinates, and parts that were read already.
        if key in _CELL_KEYS:
            return {key: value}
        if isinstance(value, dict):
            return value if key not in PARTS else {}
        if not isinstance(value, str) or key not in _PART_KEYS:
            return {}
        # A color or a position as text.
        if key in _COLOR_KEYS and (key in _COLOR_KEYS[:2] or value.lower() in COLORS):
            return {"color": value}
        if key in _POSITION_KEYS and (match := _CELL.fullmatch(value)):
            return dict(zip(_CELL_KEYS, map(int, match.groups())))
        # What else is text may be an action that nobody can read, or hold arguments as JSON.
        if key not in _ARGUMENT_KEYS or not value.startswith("{") or self.nested:
            if ACTION_LIKE.search(_unescaped(value)):
                self.content.append((place, None))
            return {}
        data = Data(_unescaped(value), 0, nested=True)  # tool calls hold their arguments in a string
        self.content += [(place, action) for _, action in data.content]
        if not (data.parts or data.content) and ACTION_LIKE.search(data.text):
            self.content.append((place, None))
        return data.parts

    def string(self, string: str, start: int, element: bool = False) -> None:
        """Reads the lines of a string.

        Args:
            element: whether it is one of a list: if no action begins it, it is unparsed, as a line would be. Under a
                key it may be anything, and is so only if it is like an action.
        """
        for line in _unescaped(string.replace("\\n", "\n")).split("\n"):
            content, _ = read_line(line)
            if element or any(content) or ACTION_LIKE.search(line):
                self.content += [(start, action) for action in content]


def _unescaped(string: str) -> str:
    return string.replace('\\"', '"')


def _in_order(items: list[tuple]) -> tuple[dict, int]:
    """Return the parts at the start of a list, `color x y z` or `x y z`, and how many of its values they are."""
    values = [value for _, value, _ in items[:4]]
    given: dict[str, object] = {}
    if values and isinstance(values[0], str) and values[0].lower() in COLORS:
        given["color"] = values.pop(0)
    if values and isinstance(values[0], dict) and not given.keys() & values[0].keys():
        return given | values[0], len(given) + 1
    if len(values) >= 3 and all(isinstance(value, int) for value in values[:3]):
        return given | dict(zip(_CELL_KEYS, values)), len(given) + 3
    return {}, 0
