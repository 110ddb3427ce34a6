"""Which scorer belongs to which task: `evaluate.load("bap_v2", TASK)`.

A new task is one more entry of SCORERS, made of functions that live in modules of its own.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from . import architect_scoring, gsu_scoring, plancraft_scoring, robustness
from .errors import UserError
from .resampling import bootstrap, paired_bootstrap
from .scoring import aggregate, check_items, score_items, signature

# The columns of a value, without Arrow: the name of a type ("string", "int64", "bool"), a list with the form of its
# elements, or a dict with the form of each field.
Form: TypeAlias = "str | list[Form] | dict[str, Form]"


class UnknownTaskError(UserError):
    """A task that the metric does not have; the message names those that it has."""


@dataclass(frozen=True)
class Scorer:
    """How the predictions of a task are checked, counted, added up and signed."""

    prediction: Form
    reference: Form
    check_items: Callable[[list, list], None]  # predictions, references; raises what `score_items` would raise
    score_items: Callable[..., list[dict]]  # predictions, references, **options -> the counts of every item
    aggregate: Callable[[list[dict]], dict]  # counts -> scores
    bootstrap: Callable[..., dict]  # counts, n_resamples, confidence, seed[, clusters] -> {key: (low, high)}
    signature: Callable[..., str]  # n_resamples, seed[, unit], **options
    defaults: Mapping[str, object] = field(default_factory=dict)  # of reference fields that are missing or None
    options: tuple[str, ...] = ()  # further arguments of `compute`, for `score_items` and `signature`
    read_row: Callable[[Mapping], Mapping] = dict  # a row -> a mapping that has the reference fields
    signed_facts: Callable[[list[dict]], dict] = lambda items: {}  # counts -> further arguments of `signature`
    paired_bootstrap: Callable[..., dict] = paired_bootstrap  # counts of two systems, then as `bootstrap`

    def reference_of(self, row: Mapping) -> dict:
        """The reference that a dataset row holds: its fields alone, None for those that the row lacks."""
        fields = self.read_row(row)
        return {name: fields.get(name) for name in self.reference}


SCORERS: dict[str, Scorer] = {
    "bap": Scorer(
        prediction="string",
        reference={"before": ["string"], "after": ["string"], "interpretations": "string"},
        check_items=check_items,
        score_items=score_items,
        aggregate=aggregate,
        bootstrap=bootstrap,
        signature=signature,
        defaults={"interpretations": "unique"},  # evaluate does not store None as a text
    ),
    "robust": Scorer(
        prediction="string",
        reference=robustness.REFERENCE,
        check_items=robustness.check_items,
        score_items=robustness.score_items,
        aggregate=robustness.aggregate,
        bootstrap=robustness.bootstrap,
        signature=robustness.signature,
        read_row=robustness.reference_of,
        signed_facts=robustness.signed_facts,
        paired_bootstrap=robustness.paired_bootstrap,
    ),
    "gsu": Scorer(
        prediction="string",
        reference=gsu_scoring.REFERENCE,
        check_items=gsu_scoring.check_items,
        score_items=gsu_scoring.score_items,
        aggregate=gsu_scoring.aggregate,
        bootstrap=gsu_scoring.bootstrap,
        signature=gsu_scoring.signature,
        defaults={"group": ""},
        paired_bootstrap=gsu_scoring.paired_bootstrap,
    ),
    "plancraft": Scorer(
        prediction=plancraft_scoring.PREDICTION,
        reference=plancraft_scoring.REFERENCE,
        check_items=plancraft_scoring.check_items,
        score_items=plancraft_scoring.score_items,
        aggregate=plancraft_scoring.aggregate,
        bootstrap=plancraft_scoring.bootstrap,
        signature=plancraft_scoring.signature,
        defaults={"recipe_type": ""},
        options=("tools", "reading", "max_steps"),
        paired_bootstrap=plancraft_scoring.paired_bootstrap,
    ),
    "architect": Scorer(
        prediction="string",
        reference=architect_scoring.REFERENCE,
        check_items=architect_scoring.check_items,
        score_items=architect_scoring.score_items,
        aggregate=architect_scoring.aggregate,
        bootstrap=architect_scoring.bootstrap,
        signature=architect_scoring.signature,
        defaults={"interpretations": "unique"},
        options=("reader",),
        paired_bootstrap=architect_scoring.paired_bootstrap,
    ),
}


def scorer_of(task: str) -> Scorer:
    """The scorer of a task; "default", which is what `evaluate` calls no name, is `bap`.

    Raises:
        UnknownTaskError: naming the tasks that there are.

    >>> scorer_of("default") is scorer_of("bap")
    True
    """
    scorer = SCORERS.get("bap" if task == "default" else task)
    if scorer is None:
        names = ", ".join(f"'{name}'" for name in SCORERS)
        raise UnknownTaskError(f"the metric has no task {task!r}: pass one of {names} to evaluate.load('bap_v2', TASK)")
    return scorer
