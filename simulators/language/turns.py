"""How an instruction becomes chat lines: openings, marks and capitals, one line or several.

An instruction is one or more clauses, each without marks and openings ("we need a red block", "to the left of the
blue one"). People often send them one by one; the Builder listens, or says a word.
"""

from collections.abc import Sequence
from typing import NamedTuple

from bap_v2_simulators.language.words import Words
from bap_v2_simulators.wording import openings

Line = tuple[str, str, str]  # speaker, dialogue act, text


class Clause(NamedTuple):
    """A part of an instruction that can be a line of its own."""

    text: str
    question: bool = False


def instruction_lines(words: Words, clauses: Sequence[Clause], *, first: bool) -> list[Line]:
    """The chat lines of an instruction.

    Args:
        clauses: in the order in which they are said.
        first: nothing was built before.
    """
    lines: list[Line] = []
    unsent = ""
    for position, clause in enumerate(clauses):
        text = _punctuated(words, clause)
        if position == 0:
            text = _opened(words, text, first)
        if unsent:
            text = f"{unsent if unsent[-1] in '.!?' else unsent + '.'} {text}"
        if position + 1 < len(clauses) and words.chance(0.5):  # as often in one line as in two
            unsent = text
            continue
        unsent = ""
        lines.append(("Architect", "instruction", _typed(words, text)))
    return lines


def _punctuated(words: Words, clause: Clause) -> str:
    """The clause as it is typed: often without a full stop."""
    text = clause.text
    if clause.question:
        return f"{text}?" if words.chance(0.85) else text
    end = words.random()
    return f"{text}." if end < 0.3 else f"{text}!" if end < 0.33 else text


def _opened(words: Words, text: str, first: bool) -> str:
    """The sentence after a discourse marker, or without one."""
    kind = words.random()
    if first:
        return _after(words.pick(openings.FIRST), text, comma=words.chance(0.67)) if kind < 0.55 else text
    if kind < 0.4:
        return text
    if kind < 0.82:
        return _after(words.pick(openings.SEQUENCE), text, comma=words.chance(0.35))
    praise = words.pick(openings.PRAISE) + words.pick((". ", "! ", ", ", ", "))
    if kind < 0.91:
        return f"{praise}{text}"
    return praise + _after(words.pick(openings.SEQUENCE), text, comma=False)


def _after(marker: str, text: str, comma: bool) -> str:
    """The sentence after the marker; never the same word twice."""
    if marker.split()[-1] == text.split(maxsplit=1)[0]:
        return text
    return f"{marker}{', ' if comma or marker in openings.WITH_COMMA else ' '}{text}"


def _typed(words: Words, text: str) -> str:
    """The line as it is sent: seldom with a capital letter, seldom with a polite word at its end."""
    if words.chance(0.03) and text[-1] not in ".!?":
        text = f"{text}, {words.pick(openings.AFTERTHOUGHTS)}"
    return text[0].upper() + text[1:] if words.chance(0.22) else text
