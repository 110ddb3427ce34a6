"""Lexical substitution, the family `spl`: the same row in other words (Dan, Zhou and Roth, 2021, section 2, SPL)."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from bap_v2_dataset.augmentation.lexicon import paraphrased, table_of
from bap_v2_dataset.tasks.robustness.change import Change
from bap_v2_dataset.tasks.robustness.concepts import CONCEPTS, STRICT_LEXICON

_TABLE = table_of((*STRICT_LEXICON, *CONCEPTS))
_DRAWS = 24  # an entry of two forms is changed in every other one


def propose(row: Mapping[str, Any], rng: Random, number: int) -> Change | None:
    """The row with synonyms in the utterances of its history and dialogue, at least one of them in the dialogue.

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
    return Change({"history": history, "dialogue": dialogue}, facts={"words": words + earlier_words})


def _paraphrased_lines(lines: Sequence[str], rng: Random) -> tuple[list[str], int]:
    """The lines with synonyms, and how many words and phrases were exchanged."""
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
