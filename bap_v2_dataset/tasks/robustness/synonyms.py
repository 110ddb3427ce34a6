"""Lexical substitution, the family `spl`: the same row in other words (Dan, Zhou and Roth, 2021, section 2, SPL).

The lexicon of the augmentation leaves words of place, shape and size alone. The paper perturbs just these. Here are the
ones that are safe on a board of blocks, in the form of `augmentation.lexicon`: forms that name the same cells in the
context given. Every guard was checked against all places where its words stand in the human validation and test games.
"""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

from bap_v2_dataset.augmentation.lexicon import LEXICON, Forms, LexiconGroup, groups_of, paraphrased, table_of
from bap_v2_dataset.augmentation.patterns import filled
from bap_v2_dataset.tasks.robustness.parent import VariantChange
from bap_v2_metric.blocks import Color
from bap_v2_simulators.number_words import NUMBER_WORDS

_COLORS = "|".join(color.value for color in Color)
_NUMBERS = "|".join((*NUMBER_WORDS[1:11], "[0-9]+"))
_FILE = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


def _not_after(*kinds: str) -> str:
    words = (word for kind in kinds for word in _FILE["not_after"][kind].split())
    return "".join(rf"(?<!\b{word} )" for word in words) + "$"


_CONTEXTS = {
    "COLORS": _COLORS,
    "NUMBERS": _NUMBERS,
    **filled(_FILE["contexts"], COLORS=_COLORS, NUMBERS=_NUMBERS),
    "NOT_A_PART": _not_after("part", "governing", "remaining"),
    "NOT_GOVERNED": _not_after("governing", "remaining"),
}
CONCEPTS = groups_of(_FILE, _CONTEXTS)

# Forms of an entry -> what must not stand before, what not behind it.
_NOT_HERE = {tuple(one["forms"]): (one.get("before", ""), one.get("after", "")) for one in _FILE["not_here"]}


def _stricter(entry: Forms) -> Forms:
    before, behind = _NOT_HERE.get(entry.forms, ("", ""))
    if before:
        entry = replace(entry, before=rf"(?<!{before})(?:{entry.before or '$'})")
    return replace(entry, after=rf"(?!{behind})(?:{entry.after})") if behind else entry


STRICT_LEXICON: tuple[LexiconGroup, ...] = tuple(
    replace(group, entries=tuple(map(_stricter, group.entries))) for group in LEXICON
)

_TABLE = table_of((*STRICT_LEXICON, *CONCEPTS))
_DRAWS = 24  # an entry of two forms is changed in every other one


def propose(row: Mapping[str, Any], rng: Random, number: int) -> VariantChange | None:
    """Return the row with synonyms in the utterances of its history and dialogue, at least one of them in the dialogue.

    Every place where an entry of STRICT_LEXICON or CONCEPTS fits is drawn for itself, so that the same word may differ
    from line to line. Only utterances change, never lines of actions.

    A draw that leaves the dialogue as it is would test nothing that the last instruction says; the dialogue is then
    drawn again. This changes nothing about how often each form is chosen among the draws that are kept.

    Args:
        row: of a dataset; `history` and `dialogue` are read.
        rng: the only source of chance.
        number: of the variant; the stream that `rng` is at decides alone what is drawn.
    Returns:
        None if no word of the dialogue has a synonym.
    """
    for _ in range(_DRAWS):
        dialogue, words = _paraphrased_lines(row["dialogue"], rng)
        if dialogue != list(row["dialogue"]):
            break
    else:
        return None
    history, earlier_words = _paraphrased_lines(row["history"], rng)
    return VariantChange({"history": history, "dialogue": dialogue}, facts={"words": words + earlier_words})


def _paraphrased_lines(lines: Sequence[str], rng: Random) -> tuple[list[str], int]:
    """Return the lines with synonyms, and how many words and phrases were exchanged."""
    changed: list[str] = []
    count = 0
    for line in lines:
        if line.startswith("<"):
            speaker, space, text = line.partition(" ")
            text, words = paraphrased(text, rng, _TABLE)
            line = f"{speaker}{space}{text}"
            count += words
        changed.append(line)
    return changed, count
