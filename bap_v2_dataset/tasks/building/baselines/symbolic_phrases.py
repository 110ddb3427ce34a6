"""The phrases that matter in an instruction, as patterns: which words name a block, a place, a shape or a number.

They stand in `symbolic_phrases.toml`, a grammar of its own. It shares no table of phrases with the simulators, so that
a sentence that only its author would understand shows up as one that is misread.
"""

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from bap_v2_dataset.augmentation.patterns import filled
from bap_v2_dataset.tasks.building.baselines.symbolic_meanings import ENDS, Way
from bap_v2_metric.blocks import Color
from bap_v2_simulators.number_words import NUMBER_WORDS

COLORS = {color.value: color for color in Color}
NUMBERS = {word: number for number, word in enumerate(NUMBER_WORDS) if number}
RANKS = {"first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4, "fifth": 5, "5th": 5,
         "sixth": 6, "6th": 6, "middle": 0}  # fmt: skip
COLOR = "|".join(COLORS)
COLOR_WORD = re.compile(rf"\b(?:{COLOR})\b")
_PARTS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


@cache
def phrases(part: str) -> SimpleNamespace:
    """Return the patterns of a part of the grammar by name: small names compiled, those in capitals as texts.

    A table is a dict. Rules are tuples: what the rule means, then its pattern.
    """
    read = _read(part)[0]
    return SimpleNamespace(
        **{name: re.compile(text) if name.islower() and isinstance(text, str) else text for name, text in read.items()}
    )


@cache
def _read(part: str) -> tuple[dict[str, Any], dict[str, str]]:
    """Return what stands in a part, with patterns in place of their names, and all patterns that have a name there."""
    words = {} if part == "words" else _read("words")[1]
    read, known = {}, {"COLOR": COLOR, "NUMBERS": "|".join(NUMBERS), **words}
    for name, value in _PARTS[part].items():
        if isinstance(value, dict):
            read[name] = filled(value, **known)
            known[name] = "|".join(read[name].values())
        elif isinstance(value[0], list):
            read[name] = [(*meaning, filled({"": text}, **known)[""]) for *meaning, text in value]
        else:
            read[name] = known[name] = filled({name: value}, **known)[name]
    return read, known


def ways(table: Mapping[str, str]) -> dict[Way, str]:
    """Return a table of the names of directions by direction."""
    return {ENDS[end]: names for end, names in table.items()}


def by_word(table: Mapping[str, str]) -> dict[str, str]:
    """Return the name of an entry by each of its words.

    >>> by_word({"line": "row|line"})
    {'row': 'line', 'line': 'line'}
    """
    return {word: name for name, words in table.items() for word in words.split("|")}


def number_of(text: str | None) -> int:
    """Return the number of a word or of digits; 1 if nothing is said."""
    if text is None:
        return 1
    return int(text) if text[0].isdigit() else NUMBERS.get(text, 1)
