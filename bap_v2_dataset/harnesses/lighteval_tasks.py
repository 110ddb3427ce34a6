"""Our test sets as tasks of LightEval 0.13: `lighteval accelerate MODEL TASKS --custom-tasks MODULE`.

LightEval needs an environment of its own, with `huggingface_hub<2` and `xxhash<4`: our training extra has newer ones.
Install `bap-v2` and `lighteval==0.13.*` there. The module is named, not its file (LightEval pickles what it holds):

    lighteval accelerate "model_name=MODEL" "bap_v2_dss" --custom-tasks bap_v2_dataset.harnesses.lighteval_tasks

Its intervals resample items; `bap-v2 score` has those of the paper's scores.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from bap_v2_dataset.harnesses.task_table import HARNESS_TASKS, QUESTION_FORMATS
from bap_v2_dataset.interface.question_format import HarnessTask

SPLITS = ["train", "validation", "test"]


def compute_counts(kind: str, doc: Any, response: Any) -> dict[str, dict]:
    """Count an answer, and return the counts under the name of each score.

    Args:
        doc: of LightEval; `specific` holds the row.
        response: of LightEval; the first of its `text` is the answer, thoughts included, as in the details.
    """
    return dict.fromkeys(
        QUESTION_FORMATS[kind].scores, QUESTION_FORMATS[kind].counts_of(response.text[0], doc.specific)
    )


class CorpusScore:
    """A score of the counts of all items. LightEval draws items in other processes: it has to be pickled, and named."""

    def __init__(self, kind: str, name: str) -> None:
        self.kind, self.name = kind, name
        self.__name__ = name

    def __call__(self, counts: Sequence[dict]) -> float:
        return QUESTION_FORMATS[self.kind].score_of(self.name, counts)


def corpus_functions(kind: str) -> dict[str, Callable[[Sequence[dict]], float]]:
    """Return by score the function that makes it of the counts of all items."""
    return {name: CorpusScore(kind, name) for name in QUESTION_FORMATS[kind].scores}


def document(kind: str, row: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of LightEval's document for a row."""
    question = QUESTION_FORMATS[kind].question(row)
    return {
        "query": question["prompt"],
        "choices": [question["completion"]],
        "gold_index": 0,
        "specific": {name: value for name, value in question.items() if not name.startswith(("prompt", "__"))},
    }


try:
    from lighteval.metrics.metrics_sample import SampleLevelComputation
    from lighteval.metrics.utils.metric_utils import CorpusLevelMetricGrouping
    from lighteval.tasks.lighteval_task import LightevalTaskConfig
    from lighteval.tasks.requests import Doc, SamplingMethod
except ModuleNotFoundError as error:
    if error.name != "lighteval":  # it is there, and cannot be imported: that is what has to be said
        raise
    TASKS_TABLE: list = []
else:

    class Counts(SampleLevelComputation):
        """The counts of an answer."""

        def __init__(self, kind: str) -> None:
            self.kind = kind

        def compute(self, doc: Doc, model_response: Any, **_: Any) -> dict[str, dict]:
            return compute_counts(self.kind, doc, model_response)

    def prompt_of(line: Mapping[str, Any], task_name: str = "", *, kind: str) -> Doc | None:
        """Return the document of a row; None for one that is not asked."""
        return Doc(task_name=task_name, **document(kind, line)) if QUESTION_FORMATS[kind].asks(line) else None

    def _task(name: str, task: HarnessTask) -> LightevalTaskConfig:
        # All scores are made of the counts of an answer, and of all items.
        asked = QUESTION_FORMATS[task.kind]
        metric = CorpusLevelMetricGrouping(
            metric_name=list(asked.scores),
            sample_level_fn=Counts(task.kind),
            corpus_level_fn=corpus_functions(task.kind),
            category=SamplingMethod.GENERATIVE,
            higher_is_better=dict.fromkeys(asked.scores, True),
        )
        # The rows of a config and split, each asked as a document.
        return LightevalTaskConfig(
            name=name,
            prompt_function=partial(prompt_of, kind=task.kind),
            hf_repo="bap_v2",
            hf_subset=task.config,
            hf_avail_splits=SPLITS,
            evaluation_splits=[task.split],
            metrics=[metric],
            generation_size=asked.max_tokens,
            stop_sequence=[],
            version=1,
        )

    TASKS_TABLE = [_task(name, task) for name, task in HARNESS_TASKS.items()]
