"""A task as a room of its own would add it: other columns, splits and scores than those of building.

Spelling: a word is asked for letter by letter.
"""

import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from bap_v2_dataset.tasks.task import Baseline, Config, Dataset, Row, Task

WORDS = {"original": ("red", "green"), "probe": ("blue", "purple", "orange")}


# --- Rows: what the module `dataset` of a room has.
class Words(NamedTuple):
    split: str
    first: int
    words: Sequence[str]

    def rows(self) -> Iterator[dict[str, Any]]:
        for index, word in enumerate(self.words, start=self.first):
            yield {"id": f"spelling-{self.split}-{index}", "question": f"Spell {word}.", "answer": " ".join(word)}


def description(config: str) -> str:
    return "Words, letter by letter."


def info(config: str):
    import datasets

    text = datasets.Value("string")
    return datasets.DatasetInfo(features=datasets.Features({"id": text, "question": text, "answer": text}))


def shards(config, rows_of) -> dict[str, list[Words]]:
    return {split: [Words(split, n, words[n : n + 1]) for n in range(len(words))] for split, words in WORDS.items()}


def depends_on(config: str, mdc: str | None = None, labels: str | None = None) -> list[str]:
    return ["spelling 1.0.0"]


def labels_of(rows: Sequence[Mapping], config: str) -> str:
    return "none needed"


# --- Scores.
def check_items(predictions: Sequence[str], references: Sequence[Mapping]) -> None:
    assert len(predictions) == len(references)


def score_items(predictions: Sequence[str], references: Sequence[Mapping]) -> list[dict]:
    return [{"right": int(text == row["answer"])} for text, row in zip(predictions, references, strict=True)]


def spelling_scores():
    from bap_v2_dataset.evaluation.scores import N_ITEMS, Block, Group, Score, Scores
    from bap_v2_metric.resampling import Statistics
    from bap_v2_metric.scorer import Scorer, signed

    def statistics(items: Sequence[Mapping]) -> dict[str, Statistics]:
        rows = [(1, item["right"]) for item in items]
        return {"": Statistics(rows, lambda sums: {"accuracy": sums[1] / sums[0] if sums[0] else None}, 2)}

    class SpellingScores(Scores):
        name, headline = "spelling", "accuracy"
        scorer = Scorer(
            prediction="string",
            reference={"answer": "string"},
            check_items=check_items,
            score_items=score_items,
            statistics=statistics,
            further=lambda items, scores: {"n_items": len(items)},
            signature=lambda *how, **unit: signed("spelling|version:1.0.0", *how, **unit),
        )

        def blocks(self, results, measure=""):
            return [Block([Group("words")], (N_ITEMS, Score("accuracy", "Spelled right", tested=True, reported=True)))]

    return SpellingScores()


# --- The entry: what the module `task` of a room has.
class Spelling(Task):
    """Spelling, letter by letter."""

    name = "spelling"
    title = "Spelling"
    configs = {"spelling": Config(splits=tuple(WORDS), by_default=False)}
    baselines = ("silent",)
    headline = "accuracy"

    @property
    def dataset(self) -> Dataset:
        return sys.modules[__name__]

    def split_of_id(self, row_id: str) -> tuple[str, str] | None:
        config, _, rest = row_id.partition("-")
        return (config, rest.partition("-")[0]) if config == "spelling" else None

    def baseline(self, name: str) -> Baseline:
        return silent

    @property
    def scores(self):
        return spelling_scores()


def silent(row: Row) -> str:
    return ""


SPELLING = Spelling()
