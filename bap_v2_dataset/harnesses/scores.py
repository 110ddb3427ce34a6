"""What harnesses need of a task: what is asked, the counts of one answer, and the scores of all."""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from bap_v2_dataset.tasks.plancraft import next_turns, written_plans
from bap_v2_metric.tasks import scorer_of

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Asked:
    """A kind of question: its prompts, its scores and how long answers are."""

    scores: tuple[str, ...]  # the first is the headline
    max_tokens: int  # of an answer
    question: Callable[[Row], dict[str, Any]]  # a row of the config -> a row with `prompt` and `completion`
    counts: Callable[[str, Row], dict]  # an answer and such a row
    aggregate: Callable[[list[dict]], Mapping[str, float | None]]
    asks: Callable[[Row], bool] = lambda row: True  # whether a row of the config is asked


def counts_of(task: str, answer: str, row: Row) -> dict:
    """The counts of an answer, of which `score_of` makes scores. Args: task: a key of ASKED."""
    return ASKED[task].counts(answer, row)


def score_of(task: str, name: str, counts: Iterable[dict]) -> float:
    """A score of all items: micro F1, where the task is scored by it; nan, where there is nothing to score."""
    value = ASKED[task].aggregate(list(counts))[name]
    return math.nan if value is None else float(value)


def _counts_by(task: str) -> Callable[[str, Row], dict]:
    def counts(answer: str, row: Row) -> dict:
        return _scored(task, answer, row)

    return counts


def _scored(task: str, prediction: Any, row: Row) -> dict:
    scorer = scorer_of(task)
    known = {name: value for name, value in scorer.reference_of(row).items() if value is not None}
    return scorer.score_items([prediction], [{**scorer.defaults, **known}])[0]


def _plan_question(task: Row) -> dict[str, Any]:
    answer = "\n".join(task["plan"]) or "impossible: there is no plan"
    return {**task, "prompt": written_plans.plan_prompt(task), "completion": answer}


def _plan_counts(answer: str, row: Row) -> dict:
    episode = written_plans.played(row, written_plans.turns_of(answer))
    return _scored("plancraft", {"turns": episode.turns, "success": episode.success, "tokens": None}, row)


def _shares(counts: list[dict]) -> dict[str, float]:
    return {name: fmean(item[name] for item in counts) for name in next_turns.SCORES}


ASKED = {
    "bap": Asked(
        scores=("fairer_f1", "strict_f1", "type_f1", "color_f1", "location_f1", "shape_f1"),
        max_tokens=640,  # hold any human answer
        question=lambda row: {**row, "prompt": row["prompt_n_posb_s"]},
        counts=_counts_by("bap"),
        aggregate=scorer_of("bap").aggregate,
    ),
    "gsu": Asked(
        scores=("score",), max_tokens=512, question=dict, counts=_counts_by("gsu"), aggregate=scorer_of("gsu").aggregate
    ),
    "plancraft_plan": Asked(  # the whole plan at once, played by the environment
        scores=("success", "easy_success", "medium_success", "hard_success", "impossible_f1"),
        max_tokens=1024,  # 30 turns have 30 to 35 tokens each
        question=_plan_question,
        counts=_plan_counts,
        aggregate=scorer_of("plancraft").aggregate,
    ),
    "plancraft_turn": Asked(  # the next turn of a gold dialogue; there are none of test
        scores=next_turns.SCORES,
        max_tokens=64,
        question=next_turns.next_turn_row,
        counts=lambda answer, row: next_turns.next_turn_counts(row, answer),
        aggregate=_shares,
        asks=lambda row: not row["impossible"],
    ),
}
SCORES = {name: asked.scores for name, asked in ASKED.items()}
