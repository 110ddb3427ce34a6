"""What the tasks of this folder call. It is read by lm-eval, which is not needed to import it."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import datasets

import bap_v2_dataset  # noqa: F401 (registers the name)
from bap_v2_dataset.harnesses.scores import SCORES, counts_of, score_of


def load(config: str = "dss", **_: Any) -> datasets.DatasetDict:
    """The splits of a config."""
    return datasets.load_dataset("bap_v2", config)


def bap_results(doc: Mapping[str, Any], results: Sequence[str]) -> dict[str, dict]:
    """The counts of an answer to an item, under the name of each score."""
    return dict.fromkeys(SCORES["bap"], counts_of("bap", results[0], doc))


def gsu_results(doc: Mapping[str, Any], results: Sequence[str]) -> dict[str, dict]:
    """The counts of an answer to a question of GSU."""
    return dict.fromkeys(SCORES["gsu"], counts_of("gsu", results[0], doc))


def _aggregation(task: str, name: str) -> Callable[[Sequence[dict]], float]:
    def aggregation(counts: Sequence[dict]) -> float:
        return score_of(task, name, counts)

    return aggregation


fairer_f1 = _aggregation("bap", "fairer_f1")
strict_f1 = _aggregation("bap", "strict_f1")
type_f1 = _aggregation("bap", "type_f1")
color_f1 = _aggregation("bap", "color_f1")
location_f1 = _aggregation("bap", "location_f1")
shape_f1 = _aggregation("bap", "shape_f1")
score = _aggregation("gsu", "score")
