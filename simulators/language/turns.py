"""How an instruction becomes chat lines: greetings, praise, openings, marks and capitals, one line or several.

An instruction is one or more clauses, each without marks and openings ("we need a red block", "to the left of the
blue one"). People often send them one by one; the Builder listens, or says a word. What else belongs to a turn of the
Architect (a correction, a second thought) is one more line, put in by `instruction_lines`.

The rates are those of the human train split.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from bap_v2_simulators.language.references import Scene
from bap_v2_simulators.language.words import Words
from bap_v2_simulators.wording.phrases import table

Line = tuple[str, str, str]  # speaker, dialogue act, text

_GREETING = 0.19  # of the games: a line of the Architect
_GREETING_OF_BUILDER = 0.27
_GREETING_IN_FRONT = 0.05  # of the first instructions
_PRAISE = 0.09  # of the later turns: a line by itself
_PRAISE_IN_FRONT = 0.08  # of the later instructions
_MARKER_AFTER_PRAISE = 0.5
_MARKER = 0.47  # of the later instructions without praise
_FIRST_MARKER = 0.32
_ONE_LINE = 0.35  # of the parts follow in the same line
_ACKNOWLEDGMENT = 0.08  # of the parts are followed by a word of the Builder
_FULL_STOP, _EXCLAMATION = 0.035, 0.04  # of the lines, up to there
_QUESTION_MARK = 0.3  # human 0.21
_CAPITAL = 0.16
_SAME = {
    "begin": "start", "starting": "start", "first": "start", "okay": "ok", "alright": "ok", "then": "now", "next": "now"
}  # fmt: skip
# How often a comma follows a marker (human train split); without one "after that one red block" would be about "that
# one", and "next to the left of it" be next to something.
_COMMA = {
    "and": 0.0, "after that": 1.0, "to start": 1.0, "first": 0.35, "okay": 0.35, "alright": 0.35, "ok": 0.18,
    "next": 0.17,
}  # fmt: skip
_RARE_COMMA = 0.02  # after all others
_ONCE = frozenset(("now", "then", "start", "also"))  # not twice in a sentence


class Clause(NamedTuple):
    """A part of an instruction that can be a line of its own."""

    text: str
    question: bool = False
    joint: str = "."  # before the next part, if that follows in the same line


def instruction_lines(words: Words, clauses: Sequence[Clause], scene: Scene, *, undoes: bool = False) -> list[Line]:
    """Return the chat lines of an instruction, with what belongs before it.

    Args:
        clauses: in the order in which they are said.
        scene: tells whether something was built and whether the Builder has just asked if it is right.
        undoes: what was just built is to be removed: nobody praises that first.
    """
    # What comes before: greetings, an answer to the Builder's question, praise.
    first, chat = scene.last is None, words.talk.chat
    lines = _greetings(words) if first else []
    in_front = ""
    if first:
        if not lines and words.chance(_GREETING_IN_FRONT * chat):
            in_front = words.pick("GREETINGS") + words.pick(("! ", ". ", ", "))
    elif scene.continuing:
        in_front = _next_step(words, clauses[0].text)
    elif scene.asked:
        reply = words.pick("PLAIN_YES" if undoes else "ANSWER_CHECK")
        if words.chance(0.6):
            lines.append(("Architect", "approval", typed(words, reply if undoes else _exclaimed(words, reply))))
        else:
            in_front = f"{reply}, " if undoes else _in_front(words, reply)
    elif not undoes:
        kind = words.random()
        if kind < _PRAISE * chat:
            lines.append(("Architect", "praise", typed(words, _exclaimed(words, words.pick("PRAISE")))))
        elif kind < (_PRAISE + _PRAISE_IN_FRONT) * chat:
            in_front = _in_front(words, words.pick("PRAISE"))
    # Clauses go into one chat line or into several.
    unsent = ""
    for position, clause in enumerate(clauses):
        text = clause.text
        if position == 0:
            text = in_front + (text if scene.continuing else _opened(words, text, first, praised=bool(in_front)))
        if unsent:
            text = f"{unsent} {text}"
        last = position + 1 == len(clauses)
        if not last and words.chance(_ONE_LINE):
            unsent = text + ("?" if clause.question and clause.joint == "." else clause.joint)
            continue
        if last or clause.joint == ".":
            text = _punctuated(words, text, clause.question)
        unsent = ""
        lines.append(("Architect", "instruction", typed(words, text)))
        if not last and words.chance(_ACKNOWLEDGMENT * chat):
            lines.append(("Builder", "acknowledgment", words.pick("ACKNOWLEDGMENTS")))
    return lines


def exchange(question: str, answer: str) -> list[Line]:
    """Return what the Builder asks, and what the Architect answers."""
    return [("Builder", "clarification question", question), ("Architect", "answer", answer)]


def _greetings(words: Words) -> list[Line]:
    """Return the lines with which a game begins."""
    lines: list[Line] = []
    if words.chance(_GREETING_OF_BUILDER * words.talk.chat):
        lines.append(("Builder", "greeting", typed(words, words.pick("BUILDER_GREETINGS"))))
    if words.chance(_GREETING * words.talk.chat):
        lines.append(("Architect", "greeting", typed(words, _exclaimed(words, words.pick("GREETINGS")))))
    return lines


def _in_front(words: Words, praise: str) -> str:
    return praise + words.pick((", ", ", ", "! ", "! ", ". "))


def _exclaimed(words: Words, text: str) -> str:
    return f"{text}!" if words.chance(0.15) else text


def _punctuated(words: Words, text: str, question: bool) -> str:
    """Return the text as it is typed: mostly without a mark at its end."""
    if question:
        return f"{text}?" if words.chance(_QUESTION_MARK) else text
    end = words.random()
    return f"{text}." if end < _FULL_STOP else f"{text}!" if end < _EXCLAMATION else text


def _opened(words: Words, text: str, first: bool, praised: bool) -> str:
    """Return the text after "now", "ok" and the like, or without."""
    if praised:
        if first or not words.chance(_MARKER_AFTER_PRAISE):
            return text
        return _after(words, words.pick("AFTER_PRAISE"), text)
    if not words.chance(_FIRST_MARKER if first else _MARKER):
        return text
    return _after(words, words.pick("FIRST" if first else "SEQUENCE"), text)


def _after(words: Words, marker: str, text: str) -> str:
    """Return the text after the marker; without it, if the same was said twice."""
    spoken = text.replace(",", " ").split()
    beginning = spoken[:4]
    said = {_SAME.get(word, word) for word in (*beginning, *(_ONCE & set(spoken)))}
    if any(_SAME.get(word, word) in said for word in marker.split()):
        return text
    if text.startswith(_POINTING) and marker not in _BEFORE_POINTING:  # not "then you see the red block"
        return text
    comma = _COMMA.get(marker, _RARE_COMMA)
    needed = marker.endswith("next") and beginning[0] in _BEGINS_A_PLACE
    return f"{marker}{', ' if needed or words.chance(comma) else ' '}{text}"


def _next_step(words: Words, text: str) -> str:
    """Return what joins the second step of a turn to the first: not "then now red", nor "and you see the red block"."""
    step = words.pick("NEXT_STEP")
    if text.startswith((*_POINTING, "and ")):
        return ""
    if text.startswith(("now ", "next ")):
        return "and "
    return f"{step}, " if step == "after that" else f"{step} "


_POINTING = tuple(way.split("{")[0] for way in table("POINTING"))
_BEFORE_POINTING = ("ok", "okay", "so", "alright", "now", "ok now", "okay now")
_BEGINS_A_PLACE = frozenset(("to", "on", "above", "below", "under", "behind", "beside", "directly", "in", "from", "at"))


def typed(words: Words, text: str) -> str:
    """Return the line as it is sent: seldom with a capital letter."""
    if not words.chance(_CAPITAL):
        return text
    return _SENTENCE_START.sub(lambda match: match[0].upper(), text)


_SENTENCE_START = re.compile(r"(?:^|(?<=[.!?] ))[a-z]")
