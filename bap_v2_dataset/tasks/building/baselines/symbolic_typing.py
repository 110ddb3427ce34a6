"""Reads through slips of typing: an unknown word that is one slip from a known one is that word.

One slip is two letters exchanged, a letter doubled or left out, or a space left out. Known words are those of the
grammar; nothing is shared with the simulators.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache

from bap_v2_dataset.tasks.building.baselines import (
    symbolic_completions,
    symbolic_objects,
    symbolic_parts,
    symbolic_phrases,
    symbolic_repairs,
    symbolic_short,
    symbolic_things,
    symbolic_turn_rules,
    symbolic_turns,
)
from bap_v2_dataset.tasks.building.baselines.symbolic_grammar import tokens
from bap_v2_dataset.tasks.building.baselines.symbolic_phrases import COLOR
from bap_v2_dataset.tasks.building.baselines.symbolic_turns import ParsedTurn, turns

_GRAMMARS = (
    symbolic_completions, symbolic_objects, symbolic_parts, symbolic_phrases, symbolic_repairs, symbolic_short,
    symbolic_things, symbolic_turn_rules, symbolic_turns,
)  # fmt: skip
_LEAST = 5  # letters of a word that is recognized
_SPELLED = {
    "ontop": "on top", "infront": "in front", "inbetween": "in between", "nextto": "next to", "ofthe": "of the",
    "onthe": "on the", "tothe": "to the", "thats": "that's", "lets": "let's", "dont": "don't", "theres": "there's",
    "youre": "you're",
}  # fmt: skip
_MORE = """
    underneath upwards downwards backwards leftmost rightmost topmost bottommost frontmost backmost horizontal
    wherever anywhere adding attaching beginning breaking building clearing colored cubes deleted diagonally doing
    downward extending extends facing hovering knocking making moved pieces punching running shapes skipped skipping
    oranges yellows greens purples stacking starting starts steps taken taking total upward using vertically
    tree star adjacent leave delete coming poking removed leaving
"""


def read_through(lines: Iterable[str]) -> list[str]:
    """Return the lines of a dialogue without slips, lines that only correct one ("*left"), and small talk."""
    read = [
        _complete(_WORD.sub(lambda match: _meant(match[0]), line)) if symbolic_objects.asks(line) else line
        for line in lines
        if not _CORRECTION.match(line)
    ]
    asked = [line.startswith("<Builder>") and "?" in line for line in read]
    beside = zip([False, *asked], [*asked[1:], False], strict=False)  # of each line
    return [line for line, kept in zip(read, beside, strict=False) if any(kept) or not _is_small_talk(line)]


@lru_cache(maxsize=4_096)
def _is_small_talk(line: str) -> bool:
    """Return whether a line of the Architect asks for nothing, says nothing of what stands, and is no yes or no."""
    text = line.removeprefix("<Architect> ")
    if text == line or _REPLY.match(text) or not symbolic_objects.asks(line):
        return False
    if re.search(rf"\b{symbolic_objects.PART}", text):
        return False
    if any(isinstance(step, ParsedTurn) for step in turns([line])):
        return False
    return {token.kind for token in tokens(text)} <= _IDLE


_IDLE = {"verb", "subject", "going", "cut", "pronoun"}
_REPLY = re.compile(
    r"(?:yes|yeah|yep|yup|ya|no|nope|nah|not|almost|good|great|perfect|exactly|right|correct|nice|close|that's|thats|like"
    r"|just|keep|do|make|extend|continue|copy|repeat|mirror|again|stop|go|undo)\b",
    re.IGNORECASE,
)


def _complete(line: str) -> str:
    """Return a line with the words that people leave out where a block is named: "left of red" is "left of the red
    block"."""
    line = _NO_TO.sub(r"to the \g<0>", line)
    line = _NO_ARTICLE.sub(r"\g<0>the ", line)
    return _NO_NOUN.sub(r"\g<0> block", line)


_PLACE = "(?:left|right|top|front|back|side) of|on|behind|under|below|above|beneath|underneath|beside|atop"
_NO_ARTICLE = re.compile(rf"\b(?:{_PLACE}) (?=(?:{COLOR})(?: block\b| one\b|$|[.,!?]))", re.IGNORECASE)
_NO_TO = re.compile(r"(?:(?<=> )|(?<=sorry, ))(?:left|right) of (?=it,)", re.IGNORECASE)
_NO_NOUN = re.compile(
    rf"\b(?:{_PLACE}|and|between) the (?:{COLOR})"
    r"(?=$|[.,!?]|\s(?:and|at|in|on|closest|furthest|nearest|that|you|with|from|going)\b)",
    re.IGNORECASE,
)


_WORD = re.compile(r"(?<![<\w'])[A-Za-z]{4,}(?![\w'>])")
_CORRECTION = re.compile(r"<Architect> \*\w+$|<Architect> \w+\*$")


@lru_cache(maxsize=16_384)
def _meant(typed: str) -> str:
    """Return the known word that somebody meant; the word itself if it is known, or near to none or to several."""
    word = typed.lower()
    if word in _SPELLED:
        return _SPELLED[word]
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


_WITH_ENDINGS = re.compile(r"([a-z]{2,})\(\?:([a-z|]+)\)(\??)")  # delet(?:e|ed|ing)


@cache
def _known() -> frozenset[str]:
    """Return the words of the patterns: of an optional last letter with and without."""
    known = set(_MORE.split())
    tables = [value for grammar in _GRAMMARS for name, value in vars(grammar).items() if not name.startswith("__")]
    for pattern in _patterns(tables):
        text = re.sub(r"\\[a-zA-Z]|\(\?P<\w+>", " ", pattern)
        for stem, endings, may_end in _WITH_ENDINGS.findall(text):
            known |= {stem + ending for ending in endings.split("|")} | ({stem} if may_end else set())
        for word in re.findall(r"[a-z']{2,}\??", _WITH_ENDINGS.sub(" ", text)):
            known |= {word.rstrip("?"), word[:-2] if word.endswith("?") else word}
    return frozenset(known)


def _patterns(value: object) -> Iterator[str]:
    """Yield the texts of all patterns in a module, or in what it contains."""
    if isinstance(value, str | re.Pattern):
        yield value if isinstance(value, str) else value.pattern
    elif isinstance(value, Mapping):
        yield from _patterns([*value, *value.values()])
    elif isinstance(value, list | tuple | set | frozenset):
        for one in value:
            yield from _patterns(one)
