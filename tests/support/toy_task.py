"""A task as a room of its own would add it: other columns, splits and scores than those of building.

Spelling: a word is asked for letter by letter.
"""

import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from bap_v2_dataset.interface.task import Baseline, Card, Config, Dataset, Row, Task

TEXTS = ("prompt", "completion")  # what a language model learns
WORDS = {"original": ("red", "green"), "probe": ("blue", "purple", "orange")}


# --- Rows: what the module `dataset` of a room has.
class Words(NamedTuple):
    split: str
    first: int
    words: Sequence[str]

    def rows(self) -> Iterator[dict[str, Any]]:
        for index, word in enumerate(self.words, start=self.first):
            texts = {"prompt": f"Spell {word}.", "completion": " ".join(word)}
            yield {"id": f"spelling-{self.split}-{index}", **texts, "answer": texts["completion"]}


def description(config: str) -> str:
    return "Words, letter by letter."


def info(config: str):
    import datasets

    text = datasets.Value("string")
    return datasets.DatasetInfo(features=datasets.Features(dict.fromkeys(("id", *TEXTS, "answer"), text)))


def shards(config, rows_of) -> dict[str, list[Words]]:
    return {split: [Words(split, n, words[n : n + 1]) for n in range(len(words))] for split, words in WORDS.items()}


def source(config: str, settings: Mapping[str, str]):
    from bap_v2_dataset.generation.single_items import ItemSource

    return ItemSource({"config": config, "version": "1.0.0"}, settings, generated, "toy_task:FEATURES")


def generated(split: str, seed: int, indices: range) -> list[dict[str, Any]]:
    words = [word for of_split in WORDS.values() for word in of_split]
    return [row for n in indices for row in Words(split, n, [words[(seed + n) % len(words)]]).rows()]


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
    from bap_v2_dataset.evaluation.scores import N_ITEMS, ItemGroup, Score, ScoreBlock, Scores
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
            described=lambda item: "a word",
            signature=lambda *how, **unit: signed("spelling|version:1.0.0", *how, **unit),
        )

        def blocks(self, results, measure=""):
            return [
                ScoreBlock(
                    [ItemGroup("words")], (N_ITEMS, Score("accuracy", "Spelled right", tested=True, reported=True))
                )
            ]

    return SpellingScores()


# --- Its card: what the module `card` of a room has.
TITLE = "Spelling"


def front_matter(published) -> dict[str, list[str]]:
    keys = ("license", "task_categories", "annotations_creators", "language_creators", "source_datasets", "tags")
    return {**{key: [] for key in keys}, "license": ["apache-2.0"], "tags": ["spelling"]}


def license_files(configs: Mapping[str, Config]) -> dict[str, bytes]:
    return {}


def text(published) -> str:
    return f"# Spelling\n\nWords, letter by letter: {', '.join(published.infos)}."


# --- The entry: what the module `task` of a room has.
class Spelling(Task):
    """Spelling, letter by letter."""

    name = "spelling"
    title = "Spelling"
    configs = {"spelling": Config(splits=tuple(WORDS), by_default=False, megabytes=1)}
    setup_option = "--spelling"
    setup_help = "The config of words."
    examples = {"setup": (("words, letter by letter", "bap-v2 setup --spelling"),)}
    push_help = "Push the config of words."
    generates = True
    baselines = ("silent",)
    headline = "accuracy"

    @property
    def dataset(self) -> Dataset:
        return sys.modules[__name__]

    def shards(self, config, rows_of):
        return shards(config, rows_of)

    def source(self, config, settings):
        return source(config, settings)

    @property
    def card(self) -> Card:
        return sys.modules[__name__]

    def is_id(self, item_id: str) -> bool:
        return item_id.startswith("spelling-")

    def split_of_id(self, row_id: str) -> tuple[str, str] | None:
        config, _, rest = row_id.partition("-")
        return (config, rest.partition("-")[0]) if config == "spelling" else None

    def check_setup(self) -> list[str]:
        return ["Capital letters are left out."]

    def baseline(self, name: str) -> Baseline:
        return silent

    @property
    def scores(self):
        return spelling_scores()


def silent(row: Row) -> str:
    return ""


SPELLING = Spelling()
