"""What harnesses need of a task: what is asked, the counts of one answer, and the scores of all."""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from bap_v2_dataset.interface.task import Row
from bap_v2_metric.scorer import Scorer


@dataclass(frozen=True)
class QuestionFormat:
    """A kind of question: its prompts, its scores and how long answers are."""

    scores: tuple[str, ...]  # the first is the headline
    max_tokens: int  # of an answer
    question: Callable[[Row], dict[str, Any]]  # a row of the config -> a row with `prompt` and `completion`
    counts_of: Callable[[str, Row], dict]  # an answer and such a row -> what `score_of` makes scores of
    aggregate: Callable[[list[dict]], Mapping[str, float | None]]
    asks: Callable[[Row], bool] = lambda row: True  # whether a row of the config is asked

    def score_of(self, name: str, counts: Iterable[dict]) -> float:
        """A score of all items: micro F1, where the task is scored by it; nan, where there is nothing to score."""
        value = self.aggregate(list(counts))[name]
        return math.nan if value is None else float(value)


class HarnessTask(NamedTuple):
    """A task of a harness: which rows it asks, and how."""

    kind: str  # of question
    config: str
    split: str = "test"


def counts(scorer: Scorer, prediction: Any, row: Row) -> dict:
    """Return what a scorer counts for a prediction."""
    fields = {name: value for name, value in scorer.reference_of(row).items() if value is not None}
    return scorer.score_items([prediction], [{**scorer.defaults, **fields}])[0]
