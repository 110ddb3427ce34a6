"""What the description of a structure names: its colors, numbers, shapes and relations (GSU, 3.1.3 and A.1)."""

import re
from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from bap_v2_dataset.tasks.gsu.answers.markers import after_markers, normalized
from bap_v2_dataset.tasks.gsu.answers.relations import COMMON, NO_SIDE

_NUMBER_WORDS = (
    "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen",
    "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
)  # fmt: skip
_VALUES = {**{word: number for number, word in enumerate(_NUMBER_WORDS, 2)}, "one": 1}
_COLOR = re.compile(r"(?<![a-z])(?:red|orange|yellow|green|blue|purple|violet)(?![a-z])")
_UNITS = r"blocks?|cells?|units?|wide|high|tall|long|deep|thick"
_NUMBER = re.compile(
    r"(?<![a-wyz\d.])\d{1,3}(?!\d|\.\d|\s?%|\s?percent|(?:st|nd|rd|th|d)(?![a-z])|[- ]dimension)"
    rf"|(?<![a-z])(?:{'|'.join(_NUMBER_WORDS)})(?![a-z]|-[a-z]{{3,5}}(?:st|nd|rd|th)(?![a-z])|[- ]dimension|\s?percent)"
    rf"|(?<![a-z])one(?=[\s-]{{1,2}}(?:{_UNITS})(?![a-z]))"
)
_TUPLE = re.compile(r"[(\[{<]\s{0,9}[-+]?\d{1,9}(?:\s{0,9}[,;\s]\s{0,9}[-+]?\d{1,9}){1,2}\s{0,9}[)\]}>]")
_COORDINATE = re.compile(r"(?<![a-z])[xyz]\s{0,3}=\s{0,3}[-+]?\d{1,9}(?:\s{0,3}(?:to|\.\.|-)\s{0,3}[-+]?\d{1,9})?")
_MARK = re.compile(r"^[^\S\n]{0,12}(?:[-*\u2022+>]|\d{1,3}[.)](?!\d))[^\S\n]", re.MULTILINE)
_SQUARE_THING = (
    r"(?:towers?|bases?|based|columns?|rows?|planes?|platforms?|walls?|cubes?|prisms?|pillars?|footprints?|"
    r"cross|layers?|rings?|rectangles?|shaped?|structures?|blocks?|units?|sections?|grids?)"
)
_SHAPE = re.compile(
    r"(?<![a-z])(?:(?P<column>columns?)|(?P<row>rows?|lines?)"
    r"|(?P<tower>towers?|rectangular[\s-]{1,3}prisms?|pillars?)"
    rf"|(?P<plane>planes?|platforms?|rectangles?|walls?|squares?(?![\s-]{{1,3}}{_SQUARE_THING}(?![a-z]))|rings?)"
    r"|(?P<cube>cubes?))(?![a-z])"
)
_UPRIGHT = re.compile(r"(?<![a-z])(?:vertical(?:ly)?|upright)(?![a-z])")
_CLAUSE = re.compile(
    r"[,;.\n]|(?<![a-z])(?:an?|another)\s(?!vertical(?:ly)? (?:orientation|direction|arrangement|manner|fashion|pos))"
)
_LETTER_O = re.compile(r"(?<![A-Za-z'])O(?![A-Za-z'])")
# A half, layer or side of one structure is no other structure beside it: "a blue left half", "the front side is red".
_PART = (
    r"(?:hal(?:f|ves)|layers?|parts?|sections?|portions?|ends?|edges?|faces?|corners?|thirds?|quarters?|columns?|rows?|"
    r"blocks?|sides?)(?![a-z])"
)
_ADJECTIVE = r"(?:left|right|front|back|rear|upper|lower|top|bottom)"
_OF_PART = (
    r"(?:(?<=left)|(?<=right)|(?<=front)|(?<=back)|(?<=rear)|(?<=upper))"
    rf"[\s-]{{1,3}}(?:(?:and|or|&)\s{{1,3}}(?:the\s)?{_ADJECTIVE}[\s-]{{1,3}})?{_PART}"
)
_BETWEEN_ENDS = re.compile(rf"(?<![a-z]){_ADJECTIVE}[\s-]{{1,3}}to[\s-]{{1,3}}(?:the\s)?{_ADJECTIVE}(?![a-z])")
_HERE = "|".join(f"(?P<{name}>{words})" for name, words in COMMON.items())
_BESIDE = "|".join(f"(?P<on_{name}>{words})" for name, words in COMMON.items())
_RELATION = re.compile(
    rf"(?<![a-z])(?:(?:on|to|at)\s{{1,3}}(?:(?:the|its|their|your|my)\s{{1,3}})?(?:{_BESIDE})(?=[\s-]{{1,3}}sides?(?![a-z]))"
    rf"|{NO_SIDE}|(?:{_HERE})(?![a-z])(?!{_OF_PART}))"
)


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
    n_letters = len(_LETTER_O.findall(text))
    text = _MARK.sub(" ", text.lower())
    text = _COORDINATE.sub(" ", _TUPLE.sub(" ", text))
    # Synonyms count as what they stand for.
    colors = Counter(_COLOR.findall(text))
    if "violet" in colors:
        colors["purple"] += colors.pop("violet")
    shapes = _shapes(text)
    if n_letters:
        shapes["plane"] += n_letters
    # The ends of a shape are no relations to another one.
    relations = {match.lastgroup for match in _RELATION.finditer(_BETWEEN_ENDS.sub(" ", text))}
    return Terms(
        colors,
        frozenset(_VALUES.get(word) or int(word) for word in _NUMBER.findall(text)),
        shapes,
        frozenset(name.removeprefix("on_") for name in relations if name),
    )


def _shapes(text: str) -> Counter[str]:
    if not _UPRIGHT.search(text):
        return Counter(match.lastgroup for match in _SHAPE.finditer(text))
    shapes: Counter[str] = Counter()
    for clause in _CLAUSE.split(text):
        is_upright = _UPRIGHT.search(clause)
        for match in _SHAPE.finditer(clause):
            shapes["column" if is_upright and match.lastgroup == "row" else match.lastgroup] += 1
    return shapes
