"""BAP v2 as an `evaluate` metric: a thin wrapper that checks and stores inputs; the scorers of `tasks` do the rest.

`evaluate` reads the import lines of this file: every sibling that is needed, also by other siblings, is imported here,
one module per line, without comments.
"""

from types import MappingProxyType

import datasets
import evaluate

from .actions import execute
from .alignment import align
from .answer_data import Data
from .answer_lines import read_line
from .answers import read_prediction
from .blocks import Structure
from .chat_marks import answer_of
from .counts import Counts
from .errors import UserError
from .notation import storable
from .resampling import resampled_sums
from .robust_resampling import degradation_test
from .robust_scores import worst
from .robustness import reference_of
from .scorer import signed
from .scoring import SEED, InputError
from .symmetry import Symmetry
from .tasks import scorer_of
from .wrappings import unwrapped

__all__ = [
    "BapV2", "Counts", "Data", "Structure", "Symmetry", "UserError", "align", "answer_of", "degradation_test",
    "execute", "read_line", "read_prediction", "reference_of", "resampled_sums", "signed", "unwrapped", "worst",
]  # fmt: skip

_DESCRIPTION = """
Builder Action Prediction v2: precision, recall and F1 of predicted block placements and removals in Minecraft building
dialogues. Fairer F1 (the headline), strict F1, and Type, Color, Location and Shape F1, each over all items and over
those that start from an empty (EB) and a non-empty board (NEB). The config "robust" scores items and their variants.
With the package bap-v2 installed, its other tasks are configs too.
"""

_KWARGS_DESCRIPTION = """
Args:
    predictions (list of str): raw model text, one `place COLOR X Y Z` or `pick X Y Z` per line.
    references (list of dict): `before` and `after`, lists of `COLOR X Y Z`, and optionally `interpretations`,
        "unique" (the default) or "multiple": straight from the columns of the dataset. For the config "robust" whole
        rows of a robustness config, originals and variants together; for other tasks see their documentation.
    n_resamples (int): bootstrap resamples for confidence intervals; 0 (the default) for none. Scores of fewer than 20
        items, or 10 clusters, have none.
    confidence (float): the share inside the intervals, 0.95 by default.
    seed (int): of the resampling.
    clusters (list): for each item the name of its cluster, e.g. of its target, where items of a cluster are not
        independent: whole clusters are drawn. By default items are.
    per_item (bool): also return the counts of every item.
Returns:
    dict: `<measure>_precision`, `_recall`, `_f1` in 0..1 (tables of `bap-v2 score` show percent) for strict, fairer,
    type, color, location and shape; the same with `eb_` and `neb_` in front; `n_items`, `eb_n_items`, `neb_n_items`,
    `unparsed_lines`, `infeasible_actions` and `signature`. With n_resamples also `confidence_intervals`: {key: [low,
    high]}, and the signature names number, seed and what was drawn: `unit:item`, or `unit:cluster` with clusters. With
    per_item also `items`. For the config "robust" see the documentation of `robust_scores`.
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
    """Scores predictions of the task that is the config name: see `tasks`; `scoring` has the definitions."""

    def _info(self):
        scorer = scorer_of(self.config_name)
        return evaluate.MetricInfo(
            module_type="metric",
            description=_DESCRIPTION,
            citation=_CITATION,
            inputs_description=_KWARGS_DESCRIPTION,
            features=datasets.Features(
                {"predictions": _feature(scorer.prediction), "references": _feature(scorer.reference)}
            ),
        )

    def add_batch(self, *, predictions=None, references=None, **kwargs):
        """Add a batch; malformed input raises an error that names it, before anything is stored."""
        if predictions is None or references is None:
            missing = "predictions" if predictions is None else "references"
            raise InputError(f"{missing} are missing: pass predictions and references together")
        scorer = scorer_of(self.config_name)
        scorer.check_items(predictions, references)
        return super().add_batch(
            predictions=[_storable(prediction, scorer.prediction) for prediction in predictions],
            references=[
                _storable(scorer.reference_of(reference), scorer.reference, scorer.defaults) for reference in references
            ],
            **kwargs,
        )

    def add(self, *, prediction=None, reference=None, **kwargs):
        """Add one item; malformed input raises an error that names it, before anything is stored."""
        prediction = kwargs.pop("predictions", prediction)
        reference = kwargs.pop("references", reference)
        scorer = scorer_of(self.config_name)
        scorer.check_items([prediction], [reference])
        return super().add(
            prediction=_storable(prediction, scorer.prediction),
            reference=_storable(scorer.reference_of(reference), scorer.reference, scorer.defaults),
            **kwargs,
        )

    def _compute(
        self, predictions, references, n_resamples=0, confidence=0.95, seed=SEED, clusters=None, per_item=False,
        **options,
    ):  # fmt: skip
        # The scorer of the task, which knows its further arguments.
        scorer = scorer_of(self.config_name)
        if unknown := sorted(options.keys() - set(scorer.options)):
            raise InputError(f"compute has no argument {unknown[0]!r} for this task")
        if not predictions:
            raise InputError("there are no items to score: pass predictions and references of at least one")
        # Counts of items, and the scores and intervals that they add up to.
        items = scorer.score_items(predictions, references, **options)
        result = scorer.aggregate(items)
        drawn = 0
        if n_resamples:
            intervals = scorer.bootstrap(items, n_resamples, confidence, seed, clusters)
            drawn = n_resamples if intervals else 0
            result["confidence_intervals"] = {key: list(interval) for key, interval in intervals.items()}
        if per_item:
            result["items"] = items
        # The signature says how all this was computed.
        unit = {} if clusters is None else {"unit": "cluster"}
        result["signature"] = scorer.signature(drawn, seed, **unit, **options, **scorer.signed_facts(items))
        return result


def _feature(form):
    """Return the feature of `datasets` that stores values of this form (see `tasks.Form`)."""
    if isinstance(form, str):
        return datasets.Value(form)
    if isinstance(form, list):
        return datasets.List(_feature(form[0]))
    return {name: _feature(field) for name, field in form.items()}


def _storable(value, form, defaults=MappingProxyType({})):
    """Return the value with exactly the fields of its form; `defaults` are of fields that are missing or None."""
    if isinstance(value, str):
        return storable(value)
    if isinstance(form, list) and value is not None:
        return [_storable(element, form[0]) for element in value]
    if isinstance(form, dict) and value is not None:
        fields = {name: defaults.get(name) if value.get(name) is None else value[name] for name in form}
        return {name: _storable(fields[name], form[name]) for name in form}
    return value
