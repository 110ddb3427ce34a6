"""How often Architects use their words: plain ones, those that no human Architect knows, and those of place and depth.

    human = human_words(human_games(mdc_games()))
    usage(["put a red block on top of it"], human)["plain_verbs"]

All shares are of uses, not of kinds: two corpora with the same words differ in how often each one is heard.
"""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from bap_v2_dataset.items.item import Item, items
from bap_v2_simulators.game import Game
from comparison.language import (
    REMOVING,
    by_number,
    is_instruction,
    masked,
    relation_names,
    verbs_in,
    words_of,
)

PLAIN_VERBS = ("place", "put", "add", "build", "make")

# Words of place and quantity that people need: label -> the words that count.
PLACE_WORDS: Mapping[str, Sequence[str]] = yaml.safe_load(Path(__file__).with_name("labels.yaml").read_text("utf-8"))[
    "place_words"
]


@dataclass(slots=True)
class HumanWords:
    """What human Architects say: with it, what only simulated ones say can be counted.

    Utterances of validation are left out, to be compared with the others.
    """

    words: set[str] = field(default_factory=set)  # of all utterances of train and test
    trigrams: set[tuple[str, ...]] = field(default_factory=set)  # of the instructions of train, see `trigrams_of`

    def add(self, words: Sequence[str], instruction: bool, split: str) -> None:
        """One utterance, as words."""
        if split == "validation":
            return
        self.words.update(words)
        if instruction and split == "train":
            self.trigrams.update(trigrams_of(words))


def architect_lines(item: Item) -> Iterator[tuple[str, bool]]:
    """(text in lower case, whether it tells the Builder to place or remove) of each utterance of the Architect.

    Dialogue acts say so in simulated games, a rule of thumb in human ones.
    """
    acts: Sequence[str | None] = [None] * len(item.dialogue)
    if "plan" in item.metadata:
        acts = item.metadata["dialogue_acts"]
    for line, act in zip(item.dialogue, acts, strict=True):
        if line.startswith("<Architect>"):
            text = line.removeprefix("<Architect>").strip().lower()
            yield text, is_instruction(text) if act is None else act == "instruction"


def human_words(games: Iterable[Game]) -> HumanWords:
    """The words and trigrams of human games."""
    human = HumanWords()
    for game in games:
        for item in items(game):
            for text, instruction in architect_lines(item):
                human.add(words_of(text), instruction, game.split)
    return human


def usage(
    instructions: Sequence[str], human: HumanWords | None = None, held_out: Sequence[str] | None = None
) -> dict[str, Any]:
    """How often which words are used.

    Args:
        instructions: texts in lower case.
        human: what human Architects say.
        held_out: the instructions that are compared with `human`, if not all: a human corpus shares no words with
            itself but those of its validation split.
    Returns:
        `placing_verbs` with their counts, "put down" counted as "put"; `plain_verbs`, the share of `PLAIN_VERBS`, and
        `verb_entropy` in bits; `on_top_of`, `in_front_of` and `behind`, the share of that very name among the names of
        top, front and behind; `depth_mentions` and `side_mentions`, names of front and behind, of left and right, and
        `depth`, their quotient; `place_words`, instructions with each of `PLACE_WORDS` in 1,000; `unseen_words`, the
        share of the instructions with a word that no human Architect uses in train or test, and `novel_trigrams`, the
        share of the trigrams that are in no human instruction of train (None without `human`).
    """
    lines = [words_of(text) for text in instructions]
    verbs = Counter(verb for line in lines for verb, _ in verbs_in(line) if verb not in REMOVING)
    names = relation_names(lines)
    depth = names["front"].total() + names["behind"].total()
    sides = names["left"].total() + names["right"].total()
    compared = lines if held_out is None else [words_of(text) for text in held_out]
    return {
        "placing_verbs": by_number(verbs),
        "plain_verbs": _share(sum(verbs[verb] for verb in PLAIN_VERBS), verbs.total()),
        "verb_entropy": _entropy(verbs),
        "unseen_words": _unseen_words(compared, human) if human else None,
        "novel_trigrams": _novel_trigrams(compared, human) if human else None,
        "on_top_of": _share(names["top"]["on top of"], names["top"].total()),
        "in_front_of": _share(names["front"]["in front of"], names["front"].total()),
        "behind": _share(names["behind"]["behind"], names["behind"].total()),
        "depth_mentions": depth,
        "side_mentions": sides,
        "depth": _share(depth, sides),
        "place_words": _place_words(lines),
    }


def _unseen_words(lines: Sequence[Sequence[str]], human: HumanWords) -> float | None:
    """The share of the instructions, given as words, with a word that no human Architect uses in train or test."""
    return _share(sum(not human.words.issuperset(line) for line in lines), len(lines))


def _novel_trigrams(lines: Sequence[Sequence[str]], human: HumanWords) -> float | None:
    """The share of the trigrams of the instructions, given as words, that no human instruction of train has."""
    trigrams = [trigram for line in lines for trigram in trigrams_of(line)]
    return _share(sum(trigram not in human.trigrams for trigram in trigrams), len(trigrams))


def trigrams_of(words: Sequence[str]) -> list[tuple[str, ...]]:
    """Three words in a row, colors and numbers masked.

    >>> trigrams_of(["put", "two", "red", "blocks"])
    [('put', 'N', 'C'), ('N', 'C', 'blocks')]
    """
    words = masked(words)
    return [words[start : start + 3] for start in range(len(words) - 2)]


def _entropy(counts: Mapping[str, int]) -> float:
    """In bits; 0.0 if nothing was counted."""
    total = sum(counts.values())
    return -sum(count / total * math.log2(count / total) for count in counts.values() if count)


def _place_words(lines: Sequence[Sequence[str]]) -> dict[str, float]:
    found: Counter = Counter()
    for line in lines:
        text = f" {' '.join(line)} "
        found.update(label for label, forms in PLACE_WORDS.items() if any(f" {form} " in text for form in forms))
    return {label: 1000 * found[label] / len(lines) if lines else 0.0 for label in PLACE_WORDS}


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
