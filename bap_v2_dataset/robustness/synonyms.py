"""Family spl: other words of the same meaning (Dan et al., SPL)."""

from collections.abc import Mapping
from random import Random
from typing import Any

from bap_v2_dataset.augmentation.lexicon import paraphrased
from bap_v2_dataset.robustness.change import Change


def propose(row: Mapping[str, Any], rng: Random, number: int) -> Change | None:
    """The item with synonyms in history and dialogue, at least one of them in the dialogue."""
    count = 0
    columns: dict[str, list[str]] = {}
    for name in ("history", "dialogue"):
        columns[name] = []
        for line in row[name]:
            if line.startswith("<"):
                speaker, _, text = line.partition(" ")
                text, words = paraphrased(text, rng)
                line, count = f"{speaker} {text}", count + words
            columns[name].append(line)
    return Change(columns, facts={"words": count}) if columns["dialogue"] != row["dialogue"] else None
