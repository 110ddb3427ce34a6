"""Functions that the tasks of this folder call. They are read by lm-eval, which is not needed to import them.

For each kind of question there are KIND_questions, which asks about the rows of a split, and KIND_results, the counts
of an answer under the name of each score; and for each score a function of its name, which makes it of the counts.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import datasets

from bap_v2_dataset.harnesses.task_table import QUESTION_FORMATS
from bap_v2_dataset.interface.question_format import QuestionFormat


def load(config: str = "dss", **_: Any) -> datasets.DatasetDict:
    """Load the splits of a config."""
    return datasets.load_dataset("bap_v2", config)


def _functions(kind: str, asked: QuestionFormat) -> dict[str, Callable]:
    def questions(rows: datasets.Dataset) -> datasets.Dataset:
        return datasets.Dataset.from_list([asked.question(row) for row in rows if asked.asks(row)])

    def results(doc: Mapping[str, Any], results: Sequence[str]) -> dict[str, dict]:
        return dict.fromkeys(asked.scores, asked.counts_of(results[0], doc))

    def aggregation(name: str) -> Callable[[Sequence[dict]], float]:
        return lambda counts: asked.score_of(name, counts)

    scores = {name: aggregation(name) for name in asked.scores}
    return {f"{kind}_questions": questions, f"{kind}_results": results, **scores}


for _kind, _asked in QUESTION_FORMATS.items():
    globals().update(_functions(_kind, _asked))
