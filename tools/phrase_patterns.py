"""Phrases of the simulators as patterns that find them in what people type.

A template becomes a regular expression over the normalized text: "to the left of {r}" finds "to the right of the", for
left and right are counted together.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from bap_v2_metric.blocks import Color
from bap_v2_simulators.number_words import NUMBER_WORDS
from bap_v2_simulators.wording.phrases import table

_MARKS = re.compile(r"\s*([.!?;:*])[.!?;:*]*(?=\s|$)\s*|\n")
_DROPPED = re.compile(r"[()\"“”~…]")
_TYPED = str.maketrans({"’": "'", "‘": "'", "`": "'"})


def normalized(text: str) -> str:
    """Lower case, one space between words, " | " between sentences; commas, "!" and "?" stay.

    >>> normalized("Great!! Now, put a RED one (on top).")
    'great! | now, put a red one on top'
    """
    text = _DROPPED.sub(" ", text.lower().translate(_TYPED))
    text = _MARKS.sub(lambda match: f"{match[1] if match[1] in ('!', '?') else ''} | ", text)
    sentences = (" ".join(part.split()) for part in text.split(" | "))
    return " | ".join(part for part in sentences if part.strip("!?")).replace(" ,", ",")


def any_of(words: str | Iterable[str]) -> str:
    """A pattern for one of the words, the longest first; `_` in a word stands for a space."""
    listed = {word.replace("_", " ") for word in (words.split() if isinstance(words, str) else words)}
    return f"(?:{'|'.join(re.escape(word) for word in sorted(listed, key=lambda word: (-len(word), word)))})"


BEGINS = r"(?<![\w'-])"  # of a word
COLOR = any_of(color.value for color in Color)
NUMBER = rf"(?:\d+|{any_of(NUMBER_WORDS)})"
SEVERAL = r"(?:[2-9]|\d\d+|two|three|four|five|six|seven|eight|nine|ten)"
BLOCK = r"(?:block|brick|cube|piece|one)"
SHAPE = any_of(
    "row line column tower stack pillar wall square plane layer platform floor diagonal staircase stairway stair "
    "stairs rectangle bar strip pole ring cross shape cube t l u"
)
THING = (  # how something that is to be built, or that is there, begins
    rf"(?:an?|the|one|another|some|more|each|every|both|all|any|either|it|them|that|this|these|those|your|its|our|only"
    rf"|just|where|what|{NUMBER}|{COLOR}s?)"
)
PLACE = (
    rf"(?:(?:right|just|directly|immediately|diagonally|{NUMBER}(?: {BLOCK}s?| spaces?)?) )?"
    r"(?:on|to|in|at|above|below|under|underneath|beneath|behind|next to|left of|right of|up|down|from|off|over|onto"
    r"|atop|beside|between|along|across|inside|around|touching|adjacent|starting|going|extending|away|towards?)"
)
WAY = (  # not "going to make"
    r"(?:to (?:the|your) (?:left|right|front|back|side)|(?:towards?|away|closer|further|farther|in|into|along|straight"
    r"|diagonally|left|right|up|down|off|out|back|forward|behind)(?:wards?|s)?\b)"
)
DIRECTION = any_of(
    "left right up down above below behind back forward front top bottom upper lower over in_front towards_you "
    "toward_you away_from_you to_the_left to_the_right in_front_of to_the_left_of to_the_right_of"
)
END = r"[!?]?(?: \||$)"  # of a sentence
_FOLLOWING = (
    "on|to|in|at|above|below|under|underneath|beneath|behind|next|directly|from|so|then|but|with|that|which|is|are"
    "|should|going|as|where|there|here|like|or|for|facing|starting|extending|again|too|please|now|go|goes|place|put|add"
    "|build|you|we|i|off|of|until|right|left|up|down|over|away|towards?|connected|touching|diagonally|if|will|it"
)
COMPLETE = rf"(?=,|{END}| (?:and|{_FOLLOWING})\b)"  # here a noun phrase is over
COMPLETE_ALONE = rf"(?={END}| (?:{_FOLLOWING})\b)"  # and is not one of a list: "purple, blue, and red"
_MEASURE = "(?:long|wide|tall|high|deep|across|in length|in height)"


def _some(words: int) -> str:
    """Up to that many more words of the same phrase."""
    return rf"(?: [\w'-]+){{0,{words}}}?"


@cache
def _verbs(removing: bool, gerund: bool) -> str:
    """A pattern for any verb of the tables."""
    return any_of(
        verb[gerund]
        for name in (("REMOVE_VERBS",) if removing else ("PLACE_VERBS", "STACK_VERBS", "BUILD_VERBS"))
        for verb in table(name)
    )


@cache
def _fields(removing: bool) -> Mapping[str, tuple[str, str]]:
    """For each placeholder its pattern, and that of more words which it may have in the middle of a phrase."""
    return {
        "c": (COLOR, ""),
        "n": (NUMBER, ""),
        "m": (NUMBER, ""),
        "r": (THING, _some(5)),
        "np": (THING, _some(8)),
        "pp": (PLACE, _some(9)),
        "at": (PLACE, _some(9)),
        "to": (WAY, _some(4)),
        "going": (WAY, _some(4)),
        "v": (_verbs(removing, False), ""),
        "g": (_verbs(removing, True), ""),
        "d": (f"(?:an?|the|one|another|{NUMBER})", ""),
        "s": (rf"(?:[\w'-]+ )?{SHAPE}s?", ""),
        "l": (_MEASURE, ""),
        "t": (_MEASURE, ""),
        "z": (rf"{NUMBER}(?: ?x ?{NUMBER}| by {NUMBER}|(?: {BLOCK}s?)? {_MEASURE})", ""),
        "first": (DIRECTION, ""),
        "second": (DIRECTION, ""),
        "corner": (f"{DIRECTION}[ -]{DIRECTION}", ""),
        "steps": (rf"{NUMBER} [\w'-]+", _some(4)),
    }


_UNKNOWN = (r"[\w'-]+", _some(3))  # a placeholder that is not listed: some words


def pattern_of(text: str, table: Iterable[object]) -> str:
    """The pattern of a phrase of a table.

    A comma is optional, but for one after a place that comes first, or if the table has the same phrase without it; so
    is a comma between any two words. A mark at the end is left out, but for "!".
    """
    text = _DROPPED.sub("", text.lower()).rstrip("?.,")
    strict = sum(isinstance(other, str) and other.replace(",", "") == text.replace(",", "") for other in table) > 1
    strict = strict or text.startswith("{pp},")
    return "".join(_parts(text, _fields(_is_removal(table)), strict))


def _is_removal(table: object) -> bool:
    return getattr(table, "name", "").startswith("REMOV")


def _parts(text: str, fields: Mapping[str, tuple[str, str]], strict: bool) -> Iterator[str]:
    # Adjectives may be missing: "a {n} block long {f} {c} row".
    tokens = re.split(r"(\{[fc]\} (?=.*\{s\})|\{\w+\})", text)
    for number, token in enumerate(tokens):
        if token in ("{f} ", "{c} "):
            yield f"(?:{'floating' if token[1] == 'f' else COLOR} )?"
        elif token.startswith("{"):
            pattern, more = fields.get(token[1:-1], _UNKNOWN)
            yield pattern + (more if any(tokens[number + 1 :]) else "")
        else:
            literal = re.escape(token).replace(r"\ ", " ").replace(r"\-", "-")
            literal = re.sub(r"\b(left|right)", "(?:left|right)", literal)
            literal = re.sub(r"(?<![\w'-])an?(?![\w'-])", "an?", literal)
            yield literal if strict else re.sub(r",? ", ",? ", literal)
