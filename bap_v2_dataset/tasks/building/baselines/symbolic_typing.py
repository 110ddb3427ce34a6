"""Reads through slips of typing: an unknown word that is one slip from a known one is that word.

One slip is two letters exchanged, a letter doubled or left out, or a space left out. Known words are those of the
grammar; nothing is shared with the simulators.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache

from bap_v2_dataset.tasks.building.baselines.symbolic_grammar import tokens
from bap_v2_dataset.tasks.building.baselines.symbolic_objects import asks
from bap_v2_dataset.tasks.building.baselines.symbolic_phrases import phrases
from bap_v2_dataset.tasks.building.baselines.symbolic_turns import ParsedTurn, turns

_P = phrases("typing")
_GRAMMAR = ("words", "objects", "things", "turn_rules", "parts", "completions", "repairs", "short", "turns")
_LEAST = 5  # letters of a word that is recognized
_IDLE = {"verb", "subject", "going", "cut", "pronoun"}


def read_through(lines: Iterable[str]) -> list[str]:
    """Return the lines of a dialogue without slips, lines that only correct one ("*left"), and small talk."""
    read = [
        _complete(_P.word.sub(lambda match: _meant(match[0]), line)) if asks(line) else line
        for line in lines
        if not _P.correction.match(line)
    ]
    asked = [line.startswith("<Builder>") and "?" in line for line in read]
    beside = zip([False, *asked], [*asked[1:], False], strict=False)  # of each line
    return [line for line, kept in zip(read, beside, strict=False) if any(kept) or not _is_small_talk(line)]


@lru_cache(maxsize=4_096)
def _is_small_talk(line: str) -> bool:
    """Return whether a line of the Architect asks for nothing, says nothing of what stands, and is no yes or no."""
    text = line.removeprefix("<Architect> ")
    if text == line or _P.reply.match(text) or not asks(line):
        return False
    if phrases("objects").piece.search(text):
        return False
    if any(isinstance(step, ParsedTurn) for step in turns([line])):
        return False
    return {token.kind for token in tokens(text)} <= _IDLE


def _complete(line: str) -> str:
    """Return a line with the words that people leave out where a block is named: "left of red" is "left of the red
    block"."""
    line = _P.no_to.sub(r"to the \g<0>", line)
    line = _P.no_article.sub(r"\g<0>the ", line)
    return _P.no_noun.sub(r"\g<0> block", line)


@lru_cache(maxsize=16_384)
def _meant(typed: str) -> str:
    """Return the known word that somebody meant; the word itself if it is known, or near to none or to several."""
    word = typed.lower()
    if word in _P.SPELLED:
        return _P.SPELLED[word]
    known = _known()
    if word in known:
        return typed
    near = [other for other in _one_slip_before(word) if len(other) >= _LEAST and other in known]
    return near[0] if len(near) == 1 else typed


def _one_slip_before(word: str) -> set[str]:
    """Return what may have been meant: the word with two letters exchanged, with one less, or with one more."""
    places = range(len(word))
    exchanged = {word[:i] + word[i + 1] + word[i] + word[i + 2 :] for i in places[1:-1]}
    doubled = {word[:i] + word[i + 1 :] for i in places[1:] if word[i] == word[i - 1]}
    left_out = {f"{word[:i]}{letter}{word[i:]}" for i in places[1:] for letter in "abcdefghijklmnopqrstuvwxyz"}
    return exchanged | doubled | left_out


@cache
def _known() -> frozenset[str]:
    """Return the words of the patterns: of an optional last letter with and without."""
    known = set(_P.MORE.split())
    for pattern in _texts([list(vars(phrases(part)).values()) for part in _GRAMMAR]):
        text = re.sub(r"\\[a-zA-Z]|\(\?P<\w+>", " ", pattern)
        for stem, endings, may_end in _P.with_endings.findall(text):
            known |= {stem + ending for ending in endings.split("|")} | ({stem} if may_end else set())
        for word in re.findall(r"[a-z']{2,}\??", _P.with_endings.sub(" ", text)):
            known |= {word.rstrip("?"), word[:-2] if word.endswith("?") else word}
    return frozenset(known)


def _texts(value: object) -> Iterator[str]:
    """Yield the texts of all patterns in a part of the grammar, or in an entry of it."""
    if isinstance(value, str | re.Pattern):
        yield value if isinstance(value, str) else value.pattern
    else:
        for one in value.values() if isinstance(value, dict) else value:
            yield from _texts(one)
