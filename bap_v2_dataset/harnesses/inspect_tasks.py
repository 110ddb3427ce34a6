"""Our test sets as tasks of inspect: `inspect eval "$(bap-v2 harness inspect)@bap_v2_dss" --model MODEL`.

All tasks of `task_table` have their names here. A sample's id is that of its row, so `bap-v2 score` reads the logs.
The test sets of Builder Action Prediction are functions, which inspect lists; the others are registered by name.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import datasets
from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import GenerateConfig
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, metric, scorer
from inspect_ai.solver import TaskState, generate

from bap_v2_dataset.harnesses.task_table import GROUPS, HARNESS_TASKS, QUESTION_FORMATS
from bap_v2_dataset.interface.question_format import QuestionFormat


@task
def bap_v2_mdc_v2() -> Task:
    """Return the human test set."""
    return harness_task("bap_v2_mdc_v2")


@task
def bap_v2_dr() -> Task:
    """Return the test set of the simulator dr."""
    return harness_task("bap_v2_dr")


@task
def bap_v2_dsb() -> Task:
    """Return the test set of the simulator dsb."""
    return harness_task("bap_v2_dsb")


@task
def bap_v2_dss() -> Task:
    """Return the test set of the simulator dss."""
    return harness_task("bap_v2_dss")


def harness_task(name: str) -> Task:
    """Return the task of a name in `task_table`, answered greedily."""
    kind, config, split = HARNESS_TASKS[name]
    asked = QUESTION_FORMATS[kind]
    rows = datasets.load_dataset("bap_v2", config, split=split)
    samples = [_sample(asked.question(row)) for row in rows if asked.asks(row)]
    return Task(
        dataset=MemoryDataset(samples, name=name),
        solver=generate(),
        scorer=_scorer(asked),
        config=GenerateConfig(max_tokens=asked.max_tokens, temperature=0.0),
        name=name,
    )


def _sample(question: Mapping[str, Any]) -> Sample:
    metadata = {name: value for name, value in question.items() if not name.startswith("prompt")}
    return Sample(input=question["prompt"], target=question["completion"], id=question["id"], metadata=metadata)


def _scorer(asked: QuestionFormat) -> Scorer:
    """Return what counts each answer, with the scores of all as metrics."""

    @scorer(name="bap_v2", metrics=[_metric(asked, name) for name in asked.scores])
    def made() -> Scorer:
        async def scored(state: TaskState, target: Target) -> Score:
            counts = asked.counts_of(state.output.completion, state.metadata)
            alone = counts["success"] if "success" in counts else asked.score_of(asked.scores[0], [counts])
            return Score(value=float(alone), answer=state.output.completion, metadata={"counts": counts})

        return scored

    return made()


def _metric(asked: QuestionFormat, name: str) -> Metric:
    @metric(name=name, scores="unreduced")
    def made() -> Metric:
        def value(scores: Sequence[SampleScore]) -> float:
            return asked.score_of(name, [(score.score.metadata or {})["counts"] for score in scores])

        return value

    return made()


def _register(name: str) -> None:
    @task(name=name)
    def made() -> Task:
        return harness_task(name)


for _name in HARNESS_TASKS.keys() - GROUPS["bap_v2"].keys():
    _register(_name)
