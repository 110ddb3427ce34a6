"""What the tasks of this folder call. It is read by lm-eval, which is not needed to import it."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import datasets

import bap_v2_dataset  # noqa: F401 (registers the name)
from bap_v2_dataset.harnesses.scores import ASKED, counts_of, score_of


def load(config: str = "dss", **_: Any) -> datasets.DatasetDict:
    """The splits of a config."""
    return datasets.load_dataset("bap_v2", config)


def _questions(asked: str) -> Callable[[datasets.Dataset], datasets.Dataset]:
    def questions(rows: datasets.Dataset) -> datasets.Dataset:
        kind = ASKED[asked]
        return datasets.Dataset.from_list([kind.question(row) for row in rows if kind.asks(row)])

    return questions


# What is asked about the rows of a split.
plan_questions = _questions("plancraft_plan")
turn_questions = _questions("plancraft_turn")


def _results(asked: str) -> Callable[[Mapping[str, Any], Sequence[str]], dict[str, dict]]:
    def results(doc: Mapping[str, Any], results: Sequence[str]) -> dict[str, dict]:
        return dict.fromkeys(ASKED[asked].scores, counts_of(asked, results[0], doc))

    return results


# The counts of an answer, under the name of each score.
bap_results = _results("bap")
gsu_results = _results("gsu")
plan_results = _results("plancraft_plan")
turn_results = _results("plancraft_turn")


def _aggregation(asked: str, name: str) -> Callable[[Sequence[dict]], float]:
    def aggregation(counts: Sequence[dict]) -> float:
        return score_of(asked, name, counts)

    return aggregation


fairer_f1 = _aggregation("bap", "fairer_f1")
strict_f1 = _aggregation("bap", "strict_f1")
type_f1 = _aggregation("bap", "type_f1")
color_f1 = _aggregation("bap", "color_f1")
location_f1 = _aggregation("bap", "location_f1")
shape_f1 = _aggregation("bap", "shape_f1")
score = _aggregation("gsu", "score")
success = _aggregation("plancraft_plan", "success")
easy_success = _aggregation("plancraft_plan", "easy_success")
medium_success = _aggregation("plancraft_plan", "medium_success")
hard_success = _aggregation("plancraft_plan", "hard_success")
impossible_f1 = _aggregation("plancraft_plan", "impossible_f1")
on_plan = _aggregation("plancraft_turn", "on_plan")
valid = _aggregation("plancraft_turn", "valid")
exact = _aggregation("plancraft_turn", "exact")
