"""Plancraft in evaluation harnesses, which ask once: a whole plan, or the next turn of a gold dialogue."""

import json
from collections.abc import Mapping
from statistics import fmean
from typing import Any

from bap_v2_dataset.interface.question_format import HarnessTask, QuestionFormat, Row, counts
from bap_v2_dataset.tasks.plancraft import next_turns, written_plans
from bap_v2_dataset.tasks.plancraft.scorer import SCORER


def _plan_question(task: Row) -> dict[str, Any]:
    answer = "\n".join(task["plan"]) or "impossible: there is no plan"
    return {**task, "prompt": written_plans.plan_prompt(task), "completion": answer}


def _episode(row: Row, answer: str) -> dict[str, Any]:
    """Return what a whole plan is when it is played."""
    episode = written_plans.played(row, written_plans.turns_of(answer))
    return {"turns": episode.turns, "success": episode.success, "tokens": None}


def prediction_of(row: Row, answer: str) -> str:
    """Of a whole plan the episode as JSON."""
    return answer if "turns_before" in row else json.dumps(_episode(row, answer))  # one turn


def _shares(items: list[dict]) -> Mapping[str, float]:
    return {name: fmean(item[name] for item in items) for name in next_turns.SCORES}


QUESTION_FORMATS = {
    "plan": QuestionFormat(  # the whole plan at once, played by the environment
        scores=("success", "easy_success", "medium_success", "hard_success", "impossible_f1"),
        max_tokens=1024,  # 30 turns have 30 to 35 tokens each
        question=_plan_question,
        counts_of=lambda answer, row: counts(SCORER, _episode(row, answer), row),
        aggregate=SCORER.aggregate,
    ),
    "turn": QuestionFormat(  # the next turn of a gold dialogue; there are none of test
        scores=next_turns.SCORES,
        max_tokens=64,
        question=next_turns.next_turn_row,
        counts_of=lambda answer, row: next_turns.next_turn_counts(row, answer),
        aggregate=_shares,
        asks=lambda row: not row["impossible"],
    ),
}
GROUPS = {
    "bap_v2_plancraft": {
        "bap_v2_plancraft_plan": HarnessTask("plan", "plancraft"),
        # of validation: gold dialogues of test are not published
        "bap_v2_plancraft_oracle": HarnessTask("turn", "plancraft", "validation"),
    }
}
