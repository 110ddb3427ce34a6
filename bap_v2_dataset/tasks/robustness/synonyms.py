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
from bap_v2_dataset.tasks.robustness.parent import VariantChange
from bap_v2_metric.blocks import Color
from bap_v2_simulators.number_words import NUMBER_WORDS

_COLORS = "|".join(color.value for color in Color)
_NUMBERS = "|".join((*NUMBER_WORDS[1:11], "[0-9]+"))
# The beginning of a noun phrase: what stands behind a preposition.
_THING = (
    rf" (?:the|teh|hte|that|this|these|those|it|them|each|every|both|all|an?|one|you|me|us|your|my|our|its|where|what|"
    rf"any|{_NUMBERS}|{_COLORS})\b(?! and\b)"
)
_REGION = "board|grid|map|platform|region|area|field|floor|ground|space|world|screen|arena|environment|square"


def _not_after(*words: str) -> str:
    return "".join(rf"(?<!\b{word} )" for word in words) + "$"


# "the left of the row", "the top left of it" are parts.
_A_PART = (
    "the", "a", "your", "my", "its", "top", "bottom", "upper", "lower", "far", "front", "back", "middle", "very",
    "side", "hand", "and", "or", "to",
)  # fmt: skip
# "attached to the left of it" is not "attached left of it", "all the way to the left of the board" is on the board.
_GOVERNING = (
    "attached", "attach", "attaching", "connected", "connect", "connecting", "connects", "joined", "join", "joining",
    "next", "adjacent", "close", "closer", "closest", "near", "nearer", "nearest", "parallel", "way", "on", "up",
    "down", "above", "below", "over", "it", "them",
)  # fmt: skip
# "what is left of the row" remains.
_REMAINING = ("what's", "whats", "is", "it's", "its", "that's", "was", "are", "were", "have", "got", "you", "we", "i",
              "just")  # fmt: skip


_CONTEXTS = {
    "COLORS": _COLORS,
    "NUMBERS": _NUMBERS,
    "THING": _THING,
    "REGION": _REGION,
    "NOT_A_PART": _not_after(*_A_PART, *_GOVERNING, *_REMAINING),
    "NOT_GOVERNED": _not_after(*_GOVERNING, *_REMAINING),
}
_FILE = Path(__file__).parent / "synonyms.toml"
CONCEPTS = groups_of(tomllib.loads(_FILE.read_text(encoding="utf-8")), _CONTEXTS)

# Found by reading every entry's places in the human games and variants one by one. To train with, the lexicon is good
# enough as it is, and what it makes is published. Forms of an entry -> what must not stand before, what not behind it.
_NOT_HERE: Mapping[tuple[str, ...], tuple[str, str]] = {
    ("need to", "have to"): ("", r" (?:that|this|these|those|it|them|do with)\b"),  # "the closest I have to that"
    ("should i", "shall i", "do you want me to"): ("", r" have\b"),  # "should I have kept it?"
    ("yay", "hooray", "woohoo"): ("", r" or\b"),  # "yay or nay?"
    ("block", "brick"): (r"\bblock by ", r" by block\b"),
}


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
