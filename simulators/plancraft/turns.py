"""A turn of a Plancraft episode, read from what a model writes: a move, a smelt, a thought, a search, or giving up.

There are two readings. `package` reads as the environment of Plancraft does (Dagan et al. 2025, 3.2), so that scores
can be compared. `lenient` also reads what models write beside the rules: lists, calls, slots without brackets.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from bap_v2_metric.chat_marks import answer_of
from bap_v2_metric.scoring import InputError

TOOLS = ("move", "smelt", "think", "search", "impossible")  # in the order in which the environment looks for them
LETTERS = {"M": "move", "S": "smelt", "T": "think", "SE": "search", "I": "impossible"}  # as in the tables of the paper
ALWAYS = ("move", "smelt")  # every set of tools has them
INVALID = "invalid"
READINGS = ("package", "lenient")
MAX_STEPS = 30  # turns of an episode, of any kind
N_SLOTS = 46  # 0 is the output, 1 to 9 the crafting grid, 10 to 45 the inventory
MAX_QUANTITY = 64

_GRID = ("[0]", "[A1]", "[A2]", "[A3]", "[B1]", "[B2]", "[B3]", "[C1]", "[C2]", "[C3]")
_NAMES = (*_GRID, *(f"[I{number}]" for number in range(1, N_SLOTS - len(_GRID) + 1)))
_INDICES = {name: index for index, name in enumerate(_NAMES)}
_SOURCE = re.compile(r" from (\[[ABCI]?\d+\])")
_TARGET = re.compile(r" to (\[[ABCI]?\d+\])")
_QUANTITY = re.compile(r"with quantity (\d+)")
_SEARCHED = re.compile(r"search: *(\w+)")
_REASON = re.compile(r"impossible: (.*)")


class AgentTurn(NamedTuple):
    """The meaning of a turn.

    >>> read_turn("move: from [I1] to [A1] with quantity 1")
    AgentTurn(kind='move', source=10, target=1, quantity=1, text='')
    """

    kind: str  # one of TOOLS, or "invalid"
    source: int = 0  # of moves and smelts: the slot's index
    target: int = 0
    quantity: int = 0
    text: str = ""  # the item that is searched, or the reason to give up

    def __str__(self) -> str:
        if self.kind in ALWAYS:
            return written(self.kind, self.source, self.target, self.quantity)
        return f"{self.kind}: {self.text}".rstrip()


def written(kind: str, source: int, target: int, quantity: int) -> str:
    """Return a move or a smelt as the environment wants it.

    >>> written("smelt", 13, 10, 2)
    'smelt: from [I4] to [I1] with quantity 2'
    """
    return f"{kind}: from {_NAMES[source]} to {_NAMES[target]} with quantity {quantity}"


def slot_name(index: int) -> str:
    """Return the name of a slot.

    >>> slot_name(0), slot_name(6), slot_name(45)
    ('[0]', '[B3]', '[I36]')
    """
    return _NAMES[index]


def slot_index(name: str) -> int | None:
    """Return the index of a slot; None for a name that no slot has.

    >>> slot_index("[B3]"), slot_index("[I36]"), slot_index("[I37]"), slot_index("B3")
    (6, 45, None, None)
    """
    index = _INDICES.get(name)
    if index is None and name.startswith("[I") and name[2:3] != "0" and 4 <= len(name) <= 5:
        index = int(name[2:-1]) + len(_GRID) - 1  # digits of other scripts too, as in the environment
    return index if index is not None and index < N_SLOTS else None


def tools_of(tools: str | Sequence[str]) -> tuple[str, ...]:
    """Return a set of tools, in their order, from names or from the letters of the paper.

    Raises:
        InputError: an unknown name, or a set without move or smelt.

    >>> tools_of("M S I T")
    ('move', 'smelt', 'think', 'impossible')
    >>> tools_of(["smelt", "move"])
    ('move', 'smelt')
    """
    names = re.split(r"[\s,+]+", tools.strip()) if isinstance(tools, str) else list(tools)
    known = {**{letter.lower(): name for letter, name in LETTERS.items()}, **{name: name for name in TOOLS}}
    chosen = set()
    for name in names:
        if not isinstance(name, str) or name.lower() not in known:
            raise InputError(f"tools: {name!r} is none (expected {', '.join(TOOLS)}, or {' '.join(LETTERS)})")
        chosen.add(known[name.lower()])
    if missing := [name for name in ALWAYS if name not in chosen]:
        raise InputError(f"tools={tools!r}: {' and '.join(missing)} cannot be left out")
    return tuple(name for name in TOOLS if name in chosen)


def letters_of(tools: Sequence[str]) -> str:
    """Return a set of tools in the letters of the paper.

    >>> letters_of(("move", "smelt", "search"))
    'M S SE'
    """
    return " ".join(letter for letter, name in LETTERS.items() if name in tools)


def first_line(text: str) -> str:
    """Return what counts of an answer: its first line, without thoughts.

    >>> first_line("<think>Iron?</think> search: iron_ingot\\nthen smelt")
    'search: iron_ingot'
    """
    return answer_of(text).strip().split("\n", 1)[0].strip()


def read_turn(line: str, tools: Sequence[str] = TOOLS) -> AgentTurn:
    """What a line does, read as the environment of Plancraft reads it: the first tool whose name is anywhere counts.

    Args:
        line: of `first_line`. Any text.
        tools: in use; the others are not seen.

    >>> read_turn("think: I will move: from [I1] to [A1] with quantity 1").kind
    'move'
    >>> read_turn("move: from [I1] to [0] with quantity 1").kind, read_turn("I would craft it").kind
    ('invalid', 'invalid')
    """
    for kind in TOOLS:
        if kind not in tools or f"{kind}:" not in line:
            continue
        if kind in ALWAYS:
            return _read_transfer(kind, line)
        if kind == "think":
            return AgentTurn(kind)
        found = (_SEARCHED if kind == "search" else _REASON).search(line)
        return AgentTurn(kind, text=found[1]) if found else AgentTurn(INVALID)
    return AgentTurn(INVALID)


def _read_transfer(kind: str, line: str) -> AgentTurn:
    source, target, quantity = _SOURCE.search(line), _TARGET.search(line), _QUANTITY.search(line)
    if not (source and target and quantity):
        return AgentTurn(INVALID)
    try:
        number = int(quantity[1])
    except ValueError:  # more digits than Python reads
        return AgentTurn(INVALID)
    return checked_transfer(kind, slot_index(source[1]), slot_index(target[1]), number)


def checked_transfer(kind: str, source: int | None, target: int | None, quantity: int) -> AgentTurn:
    """Return a move or a smelt; invalid where a slot or the quantity is not one that the environment takes."""
    if source is None or not target or source == target or not 1 <= quantity <= MAX_QUANTITY:
        return AgentTurn(INVALID)
    return AgentTurn(kind, source, target, quantity)
