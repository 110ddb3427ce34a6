"""Sentences that several commands print."""

from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher, get_close_matches

_FEW = 8  # names, which are read at once


# Of an escape sequence the first character is one; tabs and line breaks stay.
_CONTROLS = {code: chr(0x2400 + code) for code in range(32) if chr(code) not in "\t\n"}
_CONTROLS |= dict.fromkeys(range(127, 160), "\ufffd")


def visible(text: str) -> str:
    """Return a text of others as any terminal may get it: signs in place of control characters.

    >>> visible("\x1b[2Jred")
    '␛[2Jred'
    """
    return text if text.isprintable() else text.translate(_CONTROLS)


def counted(number: int, noun: str) -> str:
    """`1 item`, `1,161 items`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def listed(names: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if names[1:] else names)


def unknown_name(kind: str, name: str, known: Iterable[str]) -> str:
    """Return the sentence for a name that is not known: of a few names all, of many the near ones.

    >>> unknown_name("fruit", "aple", ["apple", "pear"])
    "unknown fruit 'aple' (expected one of apple, pear); did you mean apple?"
    >>> unknown_name("letter", "bc", ["a", "b", "c", *"defghijklmnop"])
    "unknown letter 'bc'; did you mean c or b?"
    """
    names, written = list(known), name.lower().replace("-", "_")
    near = get_close_matches(written, names, 3)
    if near:
        likeness = [SequenceMatcher(None, each, written).ratio() for each in near]
        near = [each for each, like in zip(near, likeness) if like > likeness[0] - 0.05]  # about as near as the best
    if len(names) <= _FEW:
        suggestion = f"; did you mean {near[0]}?" if near else ""
        return f"unknown {kind} {name!r} (expected one of {', '.join(names)}){suggestion}"
    if near:
        return f"unknown {kind} {name!r}; did you mean {' or '.join(near)}?"
    return f"unknown {kind} {name!r} (expected one of {', '.join(names[:_FEW])} or {len(names) - _FEW} others)"


def no_such_game(name: str, games: Iterable[str], place: str) -> str:
    """Return the sentence for a game that is not among those of a place, with a near name or how games are named."""
    names = sorted(games)
    begun = [known for known in names if name and known.startswith(name)]
    if near := begun or get_close_matches(name, names, 1):
        return f"there is no game {name} in {place} (did you mean {near[0]}?)"
    like = f": games are named as the directories of their logs, like {names[0]}" if names else ", which has none"
    return f"there is no game {name} in {place}{like}"
