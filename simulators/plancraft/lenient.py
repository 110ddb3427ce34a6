"""The lenient reading of a turn of Plancraft: what is meant, where it is not written as the environment wants it."""

import re
from collections.abc import Iterator, Sequence

from bap_v2_metric.chat_marks import answer_of
from bap_v2_simulators.plancraft import turns

_BEGINNING = re.compile(
    r"[\s>*`'\"\u2022-]{0,20}(?:\d{1,3}[.):])?\s{0,3}[*`_]{0,3}"
    r"(?:(?:next\s)?(?:action|step|answer|output)(?:\s\d{1,3})?\s{0,3}[:=][\s*`'\"]{0,10})?[*`_'\"]{0,3}"
    rf"(?P<tool>{'|'.join(turns.TOOLS)})(?![\w-])[*`_]{{0,3}}\s{{0,3}}(?P<mark>[:(]?)(?P<rest>.*)",
    re.IGNORECASE,
)
_TOKEN = re.compile(
    r"(?P<slot>\[\s{0,3}(?:[ABCI]\s?)?\d{1,9}\s{0,3}\]|(?<![\w.])(?:[ABC][1-9]|I\d{1,9})(?![\w.]))"
    r"|(?P<number>(?<![\w.])\d{1,9}(?![\w.]))"
    r"|(?P<word>[a-z_]+|\u00d7)",
    re.IGNORECASE,
)
_AMOUNTS = frozenset(("quantity", "amount", "count", "qty", "number", "n", "x", "\u00d7"))
_SOURCES = frozenset(("from", "source", "slot_from", "from_slot"))
_ARGUMENT = re.compile(r"\w{1,30}\s{0,3}[=:]\s{0,3}['\"]")
_NAME = re.compile(r"[a-z0-9]+(?:[ _-][a-z0-9]+){0,7}")
_END = re.compile(r"\s*(?:[).:,;!-]|$)")


def turn_of(text: str, tools: Sequence[str] = turns.TOOLS, reading: str = "package") -> turns.AgentTurn:
    """Return what an answer does in one of READINGS."""
    return read_turn_leniently(text, tools) if reading == "lenient" else turns.read_turn(turns.first_line(text), tools)


def read_turn_leniently(text: str, tools: Sequence[str] = turns.TOOLS) -> turns.AgentTurn:
    """What an answer does: its first line that begins with a tool in use, else what `read_turn` makes of line one.

    A line may begin with a mark of a list, a number, a quote or "Action:"; slots need no brackets, a quantity that is
    not written is 1, an item may be written in several words, and no reason is needed to give up.

    Args:
        text: any text; thoughts are left out.

    >>> str(read_turn_leniently("I need planks.\\n1. **Move** I5 -> A1"))
    'move: from [I5] to [A1] with quantity 1'
    >>> str(read_turn_leniently('smelt(slot_from="I3", slot_to="I4", quantity=2)'))
    'smelt: from [I3] to [I4] with quantity 2'
    >>> str(read_turn_leniently("Search: minecraft:Iron Ingot"))
    'search: iron_ingot'
    """
    for line in answer_of(text).splitlines():
        found = _BEGINNING.match(line.strip())
        if found and (turn := _read(found["tool"].lower(), found["mark"], found["rest"], tools)):
            return turn
    return turns.read_turn(turns.first_line(text), tools)


def _read(kind: str, mark: str, rest: str, tools: Sequence[str]) -> turns.AgentTurn | None:
    """Return what a line does that begins with a tool; None if it is prose that begins with this word."""
    if kind not in tools:
        return None
    if kind in turns.ALWAYS:
        slots, quantity = _transfer(rest)
        if len(slots) < 2:
            return turns.AgentTurn(turns.INVALID) if mark else None
        return turns.checked_transfer(kind, slots[0], slots[1], quantity)
    if kind == "think":
        return turns.AgentTurn(kind) if mark else None
    if kind == "search":
        item = _item(rest)
        if not mark and " " in rest.strip():
            return None
        return turns.AgentTurn(kind, text=item) if item else (turns.AgentTurn(turns.INVALID) if mark else None)
    return turns.AgentTurn(kind, text=rest.strip(" ):\"'")) if mark or _END.match(rest) else None


def _transfer(rest: str) -> tuple[list[int | None], int]:
    """Return the first two slots of a move or smelt, None for one that does not exist, and its quantity."""
    slots: list[int | None] = []
    quantity, loose = None, None
    before = ""
    for kind, token in _tokens(rest):
        # Slots in brackets or bare; a bare 0 is the output if it stands where the source does.
        if kind == "slot":
            slots.append(turns.slot_index(f"[{re.sub(r'[^A-Z0-9]', '', token.upper())}]"))
        elif kind == "number":
            if token == "0" and not slots and (before in _SOURCES or not before):
                slots.append(0)
            elif before in _AMOUNTS and quantity is None:
                quantity = int(token)
            elif loose is None:
                loose = int(token)
        before = token.lower() if kind == "word" else kind
    # A number with a word of quantity goes before any other; else it is one.
    number = quantity if quantity is not None else loose
    return slots[:2], 1 if number is None else number


def _tokens(rest: str) -> Iterator[tuple[str, str]]:
    for found in _TOKEN.finditer(rest):
        assert found.lastgroup is not None
        yield found.lastgroup, found[0]


def _item(rest: str) -> str:
    """Return the item that is searched, as the recipes name it; "" if none is named."""
    named = _ARGUMENT.search(rest)
    rest = (rest[named.end() :] if named else rest).lower().replace("minecraft:", "")
    found = _NAME.search(rest)
    return re.sub(r"[ -]", "_", found[0]) if found else ""
