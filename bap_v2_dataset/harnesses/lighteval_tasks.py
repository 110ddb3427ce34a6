"""Our test sets as tasks of LightEval 0.13: `lighteval accelerate MODEL TASKS --custom-tasks MODULE`.

LightEval needs an environment of its own, with `huggingface_hub<2` and `xxhash<4`: our training extra has newer ones.
Install `bap-v2` and `lighteval==0.13.*` there. The module is named, not its file (LightEval pickles what it holds):

    lighteval accelerate "model_name=MODEL" "bap_v2_dss" --custom-tasks bap_v2_dataset.harnesses.lighteval_tasks

Its intervals resample items; `bap-v2 score` has those of the paper's scores.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import bap_v2_dataset  # noqa: F401 (registers the name)
from bap_v2_dataset.harnesses.scores import SCORES, counts_of, score_of
from bap_v2_dataset.tasks import TASKS

MAX_TOKENS = {"bap": 640, "gsu": 512}
_PROMPTS = {"bap": "prompt_n_posb_s", "gsu": "prompt"}
CONFIGS = {
    "bap": ("mdc_v2", "dr", "dsb", "dss"),
    "gsu": tuple(name for name in TASKS["gsu"].configs if name != "gsu"),
}


def compute_counts(task: str, doc: Any, response: Any) -> dict[str, dict]:
    """The counts of an answer, under the name of each score.

    Args:
        doc: of LightEval; `specific` holds the row.
        response: of LightEval; the first of its `final_text` is the answer.
    """
    return dict.fromkeys(SCORES[task], counts_of(task, response.final_text[0], doc.specific))


def corpus_functions(task: str) -> dict[str, Callable[[Sequence[dict]], float]]:
    """For each score how it is made of the counts of all items."""

    def aggregated(name: str) -> Callable[[Sequence[dict]], float]:
        return lambda counts: score_of(task, name, counts)

    return {name: aggregated(name) for name in SCORES[task]}


def document(task: str, row: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of LightEval's document for a row."""
    return {
        "query": row[_PROMPTS[task]],
        "choices": [row["completion"]],
        "gold_index": 0,
        "specific": {name: value for name, value in row.items() if not name.startswith("prompt")},
    }


try:
    from lighteval.metrics.metrics_sample import SampleLevelComputation
    from lighteval.metrics.utils.metric_utils import CorpusLevelMetricGrouping
    from lighteval.tasks.lighteval_task import LightevalTaskConfig
    from lighteval.tasks.requests import Doc, SamplingMethod
except ImportError:
    TASKS_TABLE: list = []  # without LightEval
else:

    class Counts(SampleLevelComputation):
        """The counts of an answer."""

        def __init__(self, task: str) -> None:
            self.task = task

        def compute(self, doc: Doc, model_response: Any, **_: Any) -> dict[str, dict]:
            return compute_counts(self.task, doc, model_response)

    def _prompt_function(task: str) -> Callable[..., Doc]:
        def made(line: Mapping[str, Any], task_name: str = "") -> Doc:
            return Doc(task_name=task_name, **document(task, line))

        return made

    def _task(task: str, config: str) -> LightevalTaskConfig:
        metric = CorpusLevelMetricGrouping(
            metric_name=list(SCORES[task]),
            sample_level_fn=Counts(task),
            corpus_level_fn=corpus_functions(task),
            category=SamplingMethod.GENERATIVE,
            higher_is_better=dict.fromkeys(SCORES[task], True),
        )
        return LightevalTaskConfig(
            name=f"bap_v2_{config}",
            prompt_function=_prompt_function(task),
            hf_repo="bap_v2",
            hf_subset=config,
            hf_avail_splits=["train", "validation", "test"],
            evaluation_splits=["test"],
            metrics=[metric],
            generation_size=MAX_TOKENS[task],
            stop_sequence=[],
            version=1,
        )

    TASKS_TABLE = [_task(task, config) for task, configs in CONFIGS.items() for config in configs]
