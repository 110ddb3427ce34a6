"""How a model did on a test set, for a Python session: its scores, every item, and the tables that show them."""

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from html import escape
from typing import Any

from rich.console import Console

from bap_v2_dataset.evaluation.resampling_units import over
from bap_v2_dataset.evaluation.score_tables import print_report, remarks, titled
from bap_v2_dataset.evaluation.scoring import RUNS_TEST, Resampling, Result
from bap_v2_dataset.evaluation.test_sets import ScoredSplit
from bap_v2_dataset.paper import COLUMNS, ROWS
from bap_v2_dataset.sentences import counted
from bap_v2_dataset.tasks import Task, part
from bap_v2_metric.errors import UserError


class ComparisonError(UserError):
    """Two evaluations that cannot be compared; the message says why."""


@dataclass(frozen=True, repr=False)
class Evaluation:
    """How a model did on a test set. Printed, or as the last line of a notebook's cell, it is the score table.

    Attributes:
        test: the rows that were scored.
    """

    test: ScoredSplit
    _result: Result
    _resampling: Resampling = field(default_factory=Resampling)

    @property
    def name(self) -> str:
        """Of the model."""
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
        """What `evaluate.load("bap_v2").compute(...)` returns: fractions in 0..1, intervals, and the signature."""
        scores = dict(self._result.scores)
        if self._result.intervals:
            scores["confidence_intervals"] = self.confidence_intervals
        return scores | {"signature": self.signature}

    @property
    def confidence_intervals(self) -> dict[str, list[float]]:
        """[low, high] of every precision, recall and F1; empty with n_resamples=0."""
        return {key: list(interval) for key, interval in self._result.intervals.items()}

    @property
    def signature(self) -> str:
        """How the scores were made: publish it with them."""
        return self._result.signature

    @property
    def labels(self) -> str:
        """Whose labels say which items count."""
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
        """Whether this model is better than another one on the same items: a paired bootstrap test.

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
        tests = part(self.test.task.paired_test)(self._result, other._result, self._resampling)
        if self.test.task.headline not in tests:
            raise ComparisonError(f"{self.name} and {other.name} have no item in common that both could answer")
        return Comparison(self.name, other.name, tests, self.test.task, self._result, other._result, self._resampling)

    def __str__(self) -> str:
        """What `bap-v2 score` prints."""
        table = part(self.test.task.score_table)([self._result], self._title, self.labels, self._resampling)
        return _printed(table)

    __repr__ = __str__

    @property
    def _title(self) -> str:
        title = f"{self.config}, {self.split}: {titled(self._result)}"
        if self.test.is_subset:
            title += f" (a subset: {len(self.test.rows):,} of {counted(self.test.split_items, 'item')})"
        return title

    def _repr_html_(self) -> str:
        """The score table in a notebook."""
        scores = self._result.scores
        if "eb_n_items" not in scores:  # of a task with other scores
            return f"<pre>{escape(str(self))}</pre>"
        rows = [
            [label, f"{scores[f'{group}n_items']:,}", *(self._cell(f"{group}{measure}_f1") for measure in COLUMNS)]
            for group, label in ROWS.items()
            if scores[f"{group}n_items"]
        ]
        notes = [*remarks([self._result], self.labels, self._resampling), f"signature: {self.signature}"]
        return _html_table(self._title, ["Board", "Items", *COLUMNS.values()], rows, notes)

    def _cell(self, key: str) -> str:
        value = f"{100 * self._result.scores[key]:.1f}"
        if self._result.runs:
            value += f" ± {100 * self._result.deviations[key]:.1f}"
        if key in self._result.intervals:
            low, high = self._result.intervals[key]
            value += f" ({100 * low:.1f}–{100 * high:.1f})"
        return value


@dataclass(frozen=True, repr=False)
class Comparison:
    """The paired bootstrap test of two models on the same items.

    Attributes:
        a, b: the names of the models.
        tests: for every F1 key of the scores: `a`, `b`, `difference` (a - b), its `low` and `high`, and `p_value`.
    """

    a: str
    b: str
    tests: Mapping[str, Mapping[str, float]]
    _task: Task
    _result_a: Result
    _result_b: Result
    _resampling: Resampling

    @property
    def difference(self) -> float:
        """Of the headline score (fairer F1; the robust F1 of all families): a - b, as a fraction."""
        return self.tests[self._task.headline]["difference"]

    @property
    def p_value(self) -> float:
        """Of the headline score."""
        return self.tests[self._task.headline]["p_value"]

    def __str__(self) -> str:
        table = _printed(part(self._task.comparison)([self._result_b, self._result_a], self._resampling))
        return "\n".join([table, *self._notes])

    __repr__ = __str__

    @property
    def _notes(self) -> list[str]:
        return [f"{RUNS_TEST}."] if self._result_a.runs or self._result_b.runs else []

    def _repr_html_(self) -> str:
        """The table in a notebook."""
        if "eb_n_items" not in self._result_a.scores:  # of a task with other scores
            return f"<pre>{escape(str(self))}</pre>"
        rows = []
        for group, label in ROWS.items():
            if self._result_a.scores[f"{group}n_items"]:
                test = self.tests[f"{group}fairer_f1"]
                numbers = [f"{100 * test[name]:.1f}" for name in ("a", "b")]
                interval = f" ({100 * test['low']:+.1f} to {100 * test['high']:+.1f})"
                p_value = f"{test['p_value']:.3f}" if test["p_value"] >= 0.001 else "<0.001"
                rows.append([label, *numbers, f"{100 * test['difference']:+.1f}{interval}", p_value])
        how = self._resampling
        drawn = f"paired bootstrap {over(how, [self._result_a])}, {counted(how.n, 'resample')}, seed {how.seed}"
        notes = [f"fairer F1 in percent; {drawn}", *self._notes]
        return _html_table(f"{self.a} against {self.b}", ["Board", self.a, self.b, "Difference", "p"], rows, notes)


def _printed(renderable: Any) -> str:
    text = io.StringIO()
    print_report(renderable, Console(file=text, width=100, force_jupyter=False))  # else rich shows it in a notebook
    return "\n".join(line.rstrip() for line in text.getvalue().rstrip().splitlines())


def _html_table(title: str, headings: Sequence[str], rows: Sequence[Sequence[str]], notes: Sequence[str]) -> str:
    """A table with the first column to the left, the others to the right."""

    def cells(tag: str, values: Sequence[str]) -> str:
        sides = ["left", *["right"] * (len(values) - 1)]
        return "".join(
            f"<{tag} style='text-align:{side}'>{escape(value)}</{tag}>" for side, value in zip(sides, values)
        )

    body = "\n".join(f"<tr>{cells('td', row)}</tr>" for row in rows)
    below = "<br>".join(map(escape, notes))
    return (
        f"<table>\n<caption style='text-align:left'><b>{escape(title)}</b></caption>\n"
        f"<thead><tr>{cells('th', headings)}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>\n<small>{below}</small>"
    )
