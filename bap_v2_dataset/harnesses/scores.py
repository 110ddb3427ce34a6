"""What harnesses need of a scorer: the counts of one item, and the scores of all."""

from collections.abc import Iterable, Mapping
from typing import Any

from bap_v2_metric.tasks import scorer_of

SCORES = {
    "bap": ("fairer_f1", "strict_f1", "type_f1", "color_f1", "location_f1", "shape_f1"),
    "gsu": ("score",),
}


def counts_of(task: str, answer: str, row: Mapping[str, Any]) -> dict:
    """The counts of an answer, of which `score_of` makes scores. Args: task: "bap" or "gsu"."""
    scorer = scorer_of(task)
    known = {name: value for name, value in scorer.reference_of(row).items() if value is not None}
    return scorer.score_items([answer], [{**scorer.defaults, **known}])[0]


def score_of(task: str, name: str, counts: Iterable[dict]) -> float:
    """A score of all items: micro F1, where that is what the task is scored by."""
    return float(scorer_of(task).aggregate(list(counts))[name])
