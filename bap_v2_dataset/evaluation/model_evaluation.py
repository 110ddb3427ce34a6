"""The evaluation of a model, for a Python session: its scores, every item, and the tables that show them."""

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from rich.console import RenderableType

from bap_v2_dataset.evaluation import score_tables
from bap_v2_dataset.evaluation.results import Resampling, Result, ScoredSplit, paired_test
from bap_v2_dataset.evaluation.scores import Scores
from bap_v2_dataset.tables.cells import ScoreTable
from bap_v2_dataset.tables.console import Console
from bap_v2_dataset.tables.fitted import fitted, print_report
from bap_v2_dataset.tables.formats import html
from bap_v2_metric.errors import UserError


class ComparisonError(UserError):
    """Two evaluations that cannot be compared; the message says why."""


@dataclass(frozen=True, repr=False)
class Evaluation:
    """The evaluation of a model on a test set. Printed, or at the end of a notebook's cell, it is the score table.

    Attributes:
        test: the rows that were scored.
    """

    test: ScoredSplit
    _result: Result
    _resampling: Resampling = field(default_factory=Resampling)

    @property
    def name(self) -> str:
        """Name of the model."""
        return self._result.name

    @property
    def predictions(self) -> Sequence[str]:
        """The model's answers, in the order of `ids`; empty if it has several runs, which have their own."""
        return self._result.texts

    @property
    def runs(self) -> "list[Evaluation]":
        """The runs of which this is the mean, e.g. of several seeds; empty for a single one."""
        return [Evaluation(self.test, run, self._resampling) for run in self._result.runs]

    @property
    def config(self) -> str:
        """The config, or the name of own data."""
        return self.test.config

    @property
    def split(self) -> str:
        return self.test.split

    @property
    def ids(self) -> list[str]:
        """The ids of the rows that were scored."""
        return [row["id"] for row in self.test.rows]

    @cached_property
    def scores(self) -> dict[str, Any]:
        """The scores that `evaluate.load("bap_v2").compute(...)` returns: fractions, intervals, and the signature."""
        scores = dict(self._result.scores)
        if self._result.intervals:
            scores["confidence_intervals"] = self.confidence_intervals
        return scores | {"signature": self.signature}

    @property
    def confidence_intervals(self) -> dict[str, list[float]]:
        """[low, high] of every precision, recall and F1 of 20 items or more; empty with n_resamples=0."""
        return {key: list(interval) for key, interval in self._result.intervals.items()}

    @property
    def signature(self) -> str:
        """The signature of the scores: publish it with them."""
        return self._result.signature

    @property
    def labels(self) -> str:
        """The name of the labels that say which items count."""
        return self.test.labels

    @cached_property
    def items(self) -> list[dict[str, Any]]:
        """For every item its id, the prediction, and the counts of `bap_v2_metric.score_item`: a table for pandas.

        Of several runs the counts are added up, and there is no prediction.
        """
        texts = self.predictions or [None] * len(self.test.rows)
        return [
            {"id": row["id"], "prediction": text, **counts}
            for row, text, counts in zip(self.test.rows, texts, self._result.items)
        ]

    def compare(self, other: "Evaluation") -> "Comparison":
        """Test whether this model is better than another one on the same items: a paired bootstrap test.

        It draws what the intervals of this evaluation draw: items, or targets.

        Raises:
            ComparisonError: if the other one was evaluated on other items, or neither has resamples.
        """
        if self.ids != other.ids or self.test.task != other.test.task:
            raise ComparisonError(
                f"{self.name} was evaluated on {self.test.title}, {other.name} on {other.test.title}: "
                "evaluate both on the same items"
            )
        if not self._resampling.n:
            raise ComparisonError("n_resamples is 0: evaluate with at least 1 resample to compare")
        scores = self.test.task.scores
        tests = paired_test(scores.scorer, self._result, other._result, self._resampling)
        if scores.headline not in tests:
            raise ComparisonError(f"{self.name} and {other.name} have no item in common that both could answer")
        return Comparison(self.name, other.name, tests, scores, self._result, other._result, self._resampling)

    def __str__(self) -> str:
        """Return what `bap-v2 score` prints."""
        return _printed(score_tables.score_report(self.test, [self._result], self._resampling))

    __repr__ = __str__

    def _repr_html_(self) -> str:
        """Return the score table in a notebook."""
        scores, title = self.test.task.scores, score_tables.title_of(self.test, [self._result])
        notes = score_tables.footer(scores, [self._result], self.labels, self._resampling)
        tables = score_tables.tables_on(scores, [self._result], self._resampling, title)
        return html(tables, [*notes, f"signature: {self.signature}"])


@dataclass(frozen=True, repr=False)
class Comparison:
    """The paired bootstrap test of two models on the same items.

    Attributes:
        a, b: the names of the models.
        tests: for every F1 key of the scores: `a`, `b`, `difference` (a - b) and, of 20 items (10 targets) or more, its
            `low` and `high`, and `p_value`.
    """

    a: str
    b: str
    tests: Mapping[str, Mapping[str, float]]
    _scores: Scores
    _result_a: Result
    _result_b: Result
    _resampling: Resampling

    @property
    def difference(self) -> float:
        """Of the headline score, e.g. fairer F1: a - b, as a fraction."""
        return self.tests[self._scores.headline]["difference"]

    @property
    def p_value(self) -> float | None:
        """Of the headline score; None of fewer than 20 items, or 10 targets."""
        return self.tests[self._scores.headline].get("p_value")

    def __str__(self) -> str:
        return _printed(fitted(self._table))

    __repr__ = __str__

    @property
    def _table(self) -> ScoreTable:
        table = score_tables.against(self._scores, [self._result_a], self._result_b, self._resampling)
        few = score_tables.too_few(
            self._scores, [self._result_a], self._scores.blocks([self._scores.shown(self._result_a)])
        )
        return replace(table, note=f"{few} {table.note}".strip())

    def _repr_html_(self) -> str:
        """Return the table in a notebook."""
        how = score_tables.bootstrap(score_tables.drawn(self._scores, self._result_a), self._resampling)
        return html([self._table], [how])


def _printed(renderable: RenderableType) -> str:
    text = io.StringIO()
    print_report(renderable, Console(file=text, width=100, force_jupyter=False))  # else rich shows it in a notebook
    return "\n".join(line.rstrip() for line in text.getvalue().rstrip().splitlines())
