"""How much is said and built in a turn, and in how many words: the figures of a corpus beside those of people."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain, islice
from pathlib import Path

import numpy as np

import bap_v2_simulators
from comparison.language import words_of
from comparison.positions import POSITIONS, PositionStatistics
from comparison.turns import SHAPES, Turn

_HEARD, _OFTEN = 3, 20  # people's utterances that make a word known, and one of which another may be a slip
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


class Words:
    """The words that people use, to tell slips of typing from others."""

    def __init__(self, people: Sequence[Turn]):
        counts = Counter(word for turn in people for line in turn.architect for word in set(words_of(line)))
        self._known = {word for word, count in counts.items() if count >= _HEARD}
        tables = (file.read_text("utf-8") for file in Path(bap_v2_simulators.__path__[0]).rglob("*.json"))
        self._written = {word for table in tables for word in words_of(table)}  # by hand: no slips
        self._often = {word for word, count in counts.items() if count >= _OFTEN and len(word) > 2}

    def is_rare(self, word: str) -> bool:
        """Whether people hardly use a word: numbers and sizes are no words."""
        return word not in self._known and word.isalpha()

    def is_slip(self, word: str) -> bool:
        """Whether a word that people hardly use is one letter, or two that change places, away from a frequent one."""
        if word in self._known or word in self._written or len(word) < 3 or not word.isalpha():
            return False
        cuts = [(word[:place], word[place:]) for place in range(len(word) + 1)]
        near = {a + b[1:] for a, b in cuts if b} | {a + b[1] + b[0] + b[2:] for a, b in cuts if len(b) > 1}
        near |= {a + c + rest for a, b in cuts for c in _LETTERS for rest in (b, b[1:])}
        inflected = {word + "s", word.removesuffix("s"), word.removesuffix("r"), word.removesuffix("d"), word + "d"}
        return not self._often.isdisjoint(near - inflected)


def figures(turns: Sequence[Turn], words: Words) -> dict[str, float | str]:
    """The figures by their labels: shares of turns if nothing else is said, other numbers as they are printed."""
    lines = [words_of(line) for turn in turns for line in turn.architect]
    by_turn = [[words_of(line) for line in turn.architect] for turn in turns]
    lengths = [len(line) for line in lines]
    net = [len(turn.placed) + len(turn.removed) for turn in turns]
    board = [turn for turn in turns if turn.placed and turn.before]

    def share(tests: Iterable[bool]) -> float:
        return float(np.mean(list(tests)))

    # What is said
    said: dict[str, float | str] = {
        "words an utterance: mean": f"{np.mean(lengths):.1f}",
        "  5/50/95%": _quantiles(lengths, 5, 50, 95),
        "  25/75/99%": _quantiles(lengths, 25, 75, 99),
        "words a turn": f"{sum(lengths) / len(turns):.1f}",
        "types in the first 30,000 tokens": _types(lines, 30_000),
        "types in the first 20,000 tokens": _types(lines, 20_000),
        "distinct among the first 5,000 lines": f"{len({' '.join(line) for line in lines[:5000]}):,}",
        "an utterance of at most 3 words": share(any(len(line) <= 3 for line in turn) for turn in by_turn),
        "an utterance of more than 25 words": share(any(len(line) > 25 for line in turn) for turn in by_turn),
        "two or more Architect utterances": share(len(turn) >= 2 for turn in by_turn),
        "five or more": share(len(turn) >= 5 for turn in by_turn),
        "a slip of typing": share(any(words.is_slip(word) for line in turn for word in line) for turn in by_turn),
        "a word hardly any Architect uses": share(any(words.is_rare(w) for line in t for w in line) for t in by_turn),
        **{label: share(sign.search(turn.said) is not None for turn in turns) for label, sign in _SIGNS.items()},
    }
    # What is built, and where
    shapes = Counter(turn.shape for turn in turns if turn.placed)
    built: dict[str, float | str] = {
        "net actions a turn: mean": f"{np.mean(net):.2f}",
        "  50/75/95% of the net actions": _quantiles(net, 50, 75, 95),
        "one net action": share(number == 1 for number in net),
        "2 to 4": share(2 <= number <= 4 for number in net),
        "5 to 9": share(5 <= number <= 9 for number in net),
        "10 or more": share(number >= 10 for number in net),
        "removals among the net actions": sum(len(turn.removed) for turn in turns) / sum(net),
        "a net removal": share(bool(turn.removed) for turn in turns),
        "only removals": share(not turn.placed for turn in turns),
        "an empty board": share(not turn.before for turn in turns),
        "blocks before: mean": f"{np.mean([len(turn.before) for turn in turns]):.1f}",
        "placed: a block touches an older one by a face": share(turn.touching for turn in board),
        "placed: color of the last turn's blocks": share(
            not _recent(turn).isdisjoint(turn.placed.values()) for turn in board
        ),
        **{f"placed: {shape}": shapes[shape] / shapes.total() for shape in SHAPES if shape != "nothing"},
    }
    positions = PositionStatistics()
    for turn in turns:
        positions.add(turn)
    where = {
        POSITIONS[key]: f"{value:.2f}" if key.endswith("_sd") else value for key, value in positions.numbers().items()
    }
    return said | built | where


_SIGNS = {
    "a question mark": re.compile(r"\?"),
    "a digit": re.compile(r"\d"),
    "N x N": re.compile(r"\d ?(?:x|by) ?\d", re.IGNORECASE),
    "a number word": re.compile(r"\b(?:two|three|four|five|six|seven|eight|nine|ten)\b", re.IGNORECASE),
    "begins with a capital": re.compile(r"\A[A-Z]"),
    "ends with . or !": re.compile(r"[.!]\s*\Z"),
    "a comma": re.compile(","),
}


def _recent(turn: Turn) -> set[str]:
    return {turn.before[cell] for cell in turn.last_placed if cell in turn.before}


def _quantiles(values: Sequence[int], *percent: int) -> str:
    return "/".join(f"{value:.0f}" for value in np.percentile(values, percent))


def _types(lines: Sequence[Sequence[str]], tokens: int) -> str:
    """The number of different words among the first so many; "-" of fewer tokens."""
    first = list(islice(chain.from_iterable(lines), tokens))
    return f"{len(set(first)):,}" if len(first) == tokens else "-"
