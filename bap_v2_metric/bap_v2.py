"""BAP v2 as an `evaluate` metric: a thin wrapper that checks and stores inputs; `scoring` does the rest.

`evaluate` reads the import lines of this file: every sibling that is needed, also by other siblings, is imported here,
one name a line, without comments.
"""

import datasets
import evaluate

from .actions import execute
from .alignment import align
from .blocks import Structure
from .errors import UserError
from .notation import read_prediction
from .resampling import bootstrap
from .scoring import InputError, aggregate, check_items, score_items

__all__ = ["BapV2", "Structure", "UserError", "align", "execute", "read_prediction"]

_DESCRIPTION = """
Builder Action Prediction v2: precision, recall and F1 of predicted block placements and removals in Minecraft building
dialogues. Fairer F1 (the headline), strict F1, and Type, Color, Location and Shape F1, each over all items and over
those that start from an empty (EB) and a non-empty board (NEB).
"""

_KWARGS_DESCRIPTION = """
Args:
    predictions (list of str): raw model text, one `place COLOUR X Y Z` or `pick X Y Z` a line.
    references (list of dict): `before` and `after`, lists of `COLOUR X Y Z`, and optionally `interpretations`,
        "unique" (the default) or "multiple": straight from the columns of the dataset.
    n_resamples (int): bootstrap resamples for confidence intervals; 0 (the default) for none.
    confidence (float): the share inside the intervals, 0.95 by default.
    seed (int): of the resampling.
    per_item (bool): also return the counts of every item.
Returns:
    dict: `<measure>_precision`, `_recall`, `_f1` in 0..1 for strict, fairer, type, color, location and shape; the same
    with `eb_` and `neb_` in front; `n_items`, `eb_n_items`, `neb_n_items`, `unparsed_lines`, `infeasible_actions` and
    `signature`. With n_resamples also `confidence_intervals`: {key: [low, high]}. With per_item also `items`.
Examples:
    >>> metric = evaluate.load("bap_v2")
    >>> reference = {"before": [], "after": ["red 0 1 0"], "interpretations": "multiple"}
    >>> scores = metric.compute(predictions=["place red 3 1 -2"], references=[reference])
    >>> scores["strict_f1"], scores["fairer_f1"]
    (0.0, 1.0)
"""

_CITATION = """
@article{jayannavar2025bapv2,
  title = {{BAP} v2: An Enhanced Task Framework for Instruction Following in {Minecraft} Dialogues},
  author = {Jayannavar, Prashant and Ren, Liliang and Hudspeth, Marisa and Sidhu, Risham and Lambert, Charlotte and
            Cordes, Ariel and Kaplan, Elizabeth and Narayan-Chen, Anjali and Hockenmaier, Julia},
  year = {2025}
}
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _KWARGS_DESCRIPTION)
class BapV2(evaluate.Metric):
    """Counts right, wrong and missed net actions; see `scoring` for the definitions."""

    def _info(self):
        return evaluate.MetricInfo(
            module_type="metric",
            description=_DESCRIPTION,
            citation=_CITATION,
            inputs_description=_KWARGS_DESCRIPTION,
            features=datasets.Features(
                {
                    "predictions": datasets.Value("string"),
                    "references": {
                        "before": datasets.List(datasets.Value("string")),
                        "after": datasets.List(datasets.Value("string")),
                        "interpretations": datasets.Value("string"),
                    },
                }
            ),
        )

    def add_batch(self, *, predictions=None, references=None, **kwargs):
        """Add a batch; malformed input raises an error that names it, before anything is stored."""
        if predictions is None or references is None:
            missing = "predictions" if predictions is None else "references"
            raise InputError(f"{missing} are missing: pass predictions and references together")
        check_items(predictions, references)
        return super().add_batch(
            predictions=[_storable(prediction) for prediction in predictions],
            references=[_columns(reference) for reference in references],
            **kwargs,
        )

    def add(self, *, prediction=None, reference=None, **kwargs):
        """Add one item; malformed input raises an error that names it, before anything is stored."""
        prediction = kwargs.pop("predictions", prediction)
        reference = kwargs.pop("references", reference)
        check_items([prediction], [reference])
        return super().add(prediction=_storable(prediction), reference=_columns(reference), **kwargs)

    def _compute(self, predictions, references, n_resamples=0, confidence=0.95, seed=20260, per_item=False):
        items = score_items(predictions, references)
        result = aggregate(items)
        if n_resamples:
            intervals = bootstrap(items, n_resamples, confidence, seed)
            result["confidence_intervals"] = {key: list(interval) for key, interval in intervals.items()}
        if per_item:
            result["items"] = items
        return result


def _storable(prediction: str) -> str:
    """The same text without lone surrogates, which Arrow cannot store (they are never part of an action)."""
    return prediction.encode("utf-8", "replace").decode("utf-8")


def _columns(reference) -> dict:
    """The reference with exactly the declared fields."""
    return {
        "before": list(reference["before"]),
        "after": list(reference["after"]),
        "interpretations": reference.get("interpretations") or "unique",
    }
