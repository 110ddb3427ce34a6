"""What the description of a structure names: its colors, numbers, shapes and relations (GSU, 3.1.3 and A.1)."""

from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from bap_v2_dataset.augmentation.patterns import patterns_beside
from bap_v2_dataset.tasks.gsu.answers.markers import after_markers, normalized
from bap_v2_dataset.tasks.gsu.answers.relations import COMMON, NO_SIDE

_NUMBER_WORDS = (
    "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen",
    "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
)  # fmt: skip
_VALUES = {**{word: number for number, word in enumerate(_NUMBER_WORDS, 2)}, "one": 1}
_HERE = "|".join(f"(?P<{name}>{words})" for name, words in COMMON.items())
_BESIDE = "|".join(f"(?P<on_{name}>{words})" for name, words in COMMON.items())
_SAID = patterns_beside(__file__, NO_SIDE=NO_SIDE, NUMBER_WORDS="|".join(_NUMBER_WORDS), HERE=_HERE, BESIDE=_BESIDE)


class Terms(NamedTuple):
    """What a description names."""

    colors: Mapping[str, int]  # how often each is said; violet is purple
    numbers: frozenset[int]
    shapes: Mapping[str, int]  # how often each of row, column, plane, tower and cube is said
    relations: frozenset[str]  # of the keys of COMMON

    @property
    def is_empty(self) -> bool:
        return not any(self)


def read_description(text: str) -> Terms:
    """Return the terms of what stands after the last marker that has any, else of the whole text.

    >>> terms = read_description("Answer: a group of 10 columns each 7 blocks high")
    >>> dict(terms.shapes), sorted(terms.numbers)
    ({'column': 1}, [7, 10])
    """
    text = normalized(text)
    for part in after_markers(text):
        if not (terms := _cached_terms(part)).is_empty:
            return terms
    return _cached_terms(text)


def _cached_terms(text: str) -> Terms:
    text = text.strip()
    return _short_terms(text) if len(text) <= 400 else _terms(text)


@lru_cache(maxsize=16_384)
def _short_terms(text: str) -> Terms:
    return _terms(text)


def _terms(text: str) -> Terms:
    # Letters are counted before the case is lost, coordinates name no numbers.
    n_letters = len(_SAID.LETTER_O.findall(text))
    text = _SAID.MARK.sub(" ", text.lower())
    text = _SAID.COORDINATE.sub(" ", _SAID.TUPLE.sub(" ", text))
    # Synonyms count as what they stand for.
    colors = Counter(_SAID.COLOR.findall(text))
    if "violet" in colors:
        colors["purple"] += colors.pop("violet")
    shapes = _shapes(text)
    if n_letters:
        shapes["plane"] += n_letters
    # The ends of a shape are no relations to another one.
    relations = {match.lastgroup for match in _SAID.RELATION.finditer(_SAID.BETWEEN_ENDS.sub(" ", text))}
    return Terms(
        colors,
        frozenset(_VALUES.get(word) or int(word) for word in _SAID.NUMBER.findall(text)),
        shapes,
        frozenset(name.removeprefix("on_") for name in relations if name),
    )


def _shapes(text: str) -> Counter[str]:
    if not _SAID.UPRIGHT.search(text):
        return Counter(match.lastgroup for match in _SAID.SHAPE.finditer(text))
    shapes: Counter[str] = Counter()
    for clause in _SAID.CLAUSE.split(text):
        is_upright = _SAID.UPRIGHT.search(clause)
        for match in _SAID.SHAPE.finditer(clause):
            shapes["column" if is_upright and match.lastgroup == "row" else match.lastgroup] += 1
    return shapes
