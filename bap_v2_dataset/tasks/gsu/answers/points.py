"""Positions as models write them: the tuple of numbers that an answer is (GSU)."""

import re
from decimal import Decimal
from functools import lru_cache

from bap_v2_dataset.tasks.gsu.answers.markers import after_markers, last_line, normalized
from bap_v2_simulators.gsu.walks import Number, Position, plain

_NUMBER = r"(?:\d{1,12}(?:\.\d{0,12})?|\.\d{1,12})"
_SIGNED = rf"[-+]?\s?{_NUMBER}"  # beside commas
_TIGHT = rf"[-+]?{_NUMBER}"  # beside spaces, where "3 - 8" is no pair of numbers
_COMMA, _SPACE = r"\s{0,9}[,;]\s{0,9}", r"\s{1,9}"
_OPEN, _CLOSE = r"[(\[{<]\s{0,9}", r"\s{0,9}[)\]}>]"
_TUPLE = rf"{_OPEN}({_SIGNED}(?:{_COMMA}{_SIGNED}){{1,2}}|{_TIGHT}(?:{_SPACE}{_TIGHT}){{1,2}}){_CLOSE}"
_ENDS = r"(?![\d.]*\d)(?!\s{0,3}[+*/^]|\s{0,3}-\s{0,3}\d)"  # no sum, and not the beginning of a longer number


def _named(letter: str) -> str:
    return rf"(?<![a-z]){letter}(?:[- ]coordinate)?[\"']?\s{{0,3}}[=:]\s{{0,3}}({_SIGNED}){_ENDS}"


_BETWEEN = r"\s{0,9}(?:[,;]\s{0,9})?(?:and\s{1,9})?[\"']?"
_NAMED = rf"{_named('x')}{_BETWEEN}{_named('y')}(?:{_BETWEEN}{_named('z')})?"
_POINT = re.compile(f"{_TUPLE}|{_NAMED}", re.IGNORECASE)
_BARE = re.compile(rf"\s{{0,9}}({_SIGNED}(?:{_COMMA}{_SIGNED}){{1,2}}){_ENDS}(?!{_COMMA}{_SIGNED})")
_SEPARATOR = re.compile(r"[,;\s]\s{0,9}")
_CANONICAL = re.compile(r"\((-?\d{1,12}(?:\.\d{1,12})?(?:, -?\d{1,12}(?:\.\d{1,12})?){1,2})\)\.?")


def read_point(text: str, dims: int) -> Position | None:
    """Return the position that a text ends on, exactly; None if there is none of so many numbers.

    After a marker the first tuple of plain numbers counts, else the last of the text. In two dimensions a third number
    0 is allowed.

    Args:
        dims: 2 or 3.

    >>> read_point("x grows by 2: (0 + 2, 0) = (2, 0). Answer: (2.0, 0)", 2)
    (2, 0)
    """
    line = last_line(text)
    if line and (canonical := _CANONICAL.fullmatch(line)) and (point := _point(canonical[1], dims)) is not None:
        return point
    text = normalized(text)
    for part in after_markers(text):
        if (bare := _BARE.match(part)) and (point := _point(bare[1], dims)) is not None:
            return point
        for match in _POINT.finditer(part):
            if (point := _matched(match, dims)) is not None:
                return point
    for match in reversed(list(_POINT.finditer(text))):
        if (point := _matched(match, dims)) is not None:
            return point
    return None


def _matched(match: re.Match, dims: int) -> Position | None:
    if match[1] is not None:
        return _point(match[1], dims)
    return _of_numbers([number for number in match.groups()[1:] if number is not None], dims)


@lru_cache(maxsize=16_384)
def _point(inside: str, dims: int) -> Position | None:
    """Return the position between brackets: numbers with commas, semicolons or spaces between them."""
    if "," in inside or ";" in inside:
        return _of_numbers(re.split("[,;]", inside), dims)
    return _of_numbers(_SEPARATOR.split(inside), dims)


def _of_numbers(numbers: list[str], dims: int) -> Position | None:
    point = tuple(map(_number, numbers))
    if len(point) == 3 and dims == 2 and point[2] == 0:
        return point[:2]
    return point if len(point) == dims else None


def _number(text: str) -> Number:
    text = "".join(text.split())
    return plain(Decimal(text)) if "." in text else int(text)
