"""A task as a room of its own would add it: other columns, splits, scorer and tables than those of building.

Spelling: a word is asked for letter by letter.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from bap_v2_dataset.tasks.task import Config, Task
from bap_v2_metric.tasks import Scorer

WORDS = {"original": ("red", "green"), "probe": ("blue", "purple", "orange")}


# --- Rows.
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


def depends_on(config: str, mdc: str | None, labels: str | None) -> list[str]:
    return ["spelling 1.0.0"]


# --- Scores.
def check_items(predictions: Sequence[str], references: Sequence[Mapping]) -> None:
    assert len(predictions) == len(references)


def score_items(predictions: Sequence[str], references: Sequence[Mapping]) -> list[dict]:
    return [{"right": text == reference["answer"]} for text, reference in zip(predictions, references, strict=True)]


def aggregate(items: Sequence[Mapping]) -> dict:
    return {"accuracy": sum(item["right"] for item in items) / len(items), "n_items": len(items)}


def bootstrap(items: Sequence[Mapping], n_resamples: int, confidence: float, seed: int) -> dict:
    return {"accuracy": (0.0, 1.0)}


def signature(n_resamples: int = 0, seed: int = 0) -> str:
    return f"spelling|version:1.0.0|bs:{n_resamples}|seed:{seed}"


def split_of_id(row_id: str) -> tuple[str, str] | None:
    config, _, rest = row_id.partition("-")
    return (config, rest.partition("-")[0]) if config == "spelling" else None


def labels(rows: Sequence[Mapping], config: str) -> str:
    return "none needed"


# --- Tables.
def score_table(results, title: str, labels: str, resampling):
    from rich.console import Group

    lines = [f"{result.name}: {100 * result.scores['accuracy']:.0f}% spelled right" for result in results]
    return Group(title, *lines, f"labels: {labels}", f"signature: {results[0].signature}")


def tables(report) -> list:
    from bap_v2_dataset.tasks.building.tables import Line, Score, ScoreTable

    lines = [
        Line([test.title, system.name, Score(100 * result.scores["accuracy"])])
        for test in report.tests
        for system, result in report.on(test)
    ]
    return [ScoreTable("spelling", "Spelling: accuracy", ("Test set", "System", "Accuracy"), lines, 2)]


def silent(row: Mapping) -> str:
    return ""


TASK = Task(
    configs={"spelling": Config(splits=tuple(WORDS), by_default=False)},
    description="toy_task:description",
    info="toy_task:info",
    shards="toy_task:shards",
    depends_on="toy_task:depends_on",
    scorer="spelling",
    split_of_id="toy_task:split_of_id",
    labels="toy_task:labels",
    score_table="toy_task:score_table",
    tables="toy_task:tables",
    baselines={"silent": "toy_task:silent"},
    headline="accuracy",
)
SCORER = Scorer(
    prediction="string",
    reference={"answer": "string"},
    check_items=check_items,
    score_items=score_items,
    aggregate=aggregate,
    bootstrap=bootstrap,
    signature=signature,
)
