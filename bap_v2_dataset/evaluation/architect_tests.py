"""Paired bootstrap tests of Architects, between two systems on the same items."""

from collections.abc import Iterator, Mapping, Sequence

from bap_v2_dataset.evaluation.report import Report
from bap_v2_dataset.evaluation.resampling_units import over
from bap_v2_dataset.evaluation.scoring import RUNS_TEST, Resampling, Result, as_many_runs
from bap_v2_dataset.evaluation.table_cells import Cell, Line, ScoreTable
from bap_v2_metric.architect_scoring import paired_bootstrap

_TESTED = {"reads_f1": "Reads F1", "progress": "Progress"}
_NOTE = "p is two-sided, and not corrected for the number of comparisons."


def paired_test(result: Result, base: Result, resampling: Resampling) -> dict[str, dict[str, float]]:
    """The test of two systems, for every score; of one with several runs every item has the mean of its counts."""
    items, base_items = as_many_runs(result, base)
    how = resampling
    return paired_bootstrap(items, base_items, how.n, how.confidence, how.seed, clusters=result.clusters)


def against_table(others: Sequence[Result], base: Result, resampling: Resampling) -> ScoreTable:
    """Systems against another on one test set."""
    lines = [line for result in others for line in _lines([], result, base, resampling)]
    return ScoreTable(
        "architect_paired_tests", f"Against {base.name} (paired bootstrap {over(resampling, [base])})",
        ("System", "Score", "Difference", "interval", "p"), lines, 2, _NOTE + _runs_note([*others, base]),
    )  # fmt: skip


def paired_tests(report: Report) -> ScoreTable | None:
    """Every system of a report against one."""
    lines: list[Line] = []
    for test in report.tests:
        results = {system.name: result for system, result in report.on(test)}
        base = results.pop(report.against, None)
        if base is not None and report.resampling.n:
            lines += [line for one in results.values() for line in _lines([test.title], one, base, report.resampling)]
    if not lines:
        return None
    every = [result for test in report.tests for _, result in report.on(test)]
    return ScoreTable(
        "architect_paired_tests", f"Differences from {report.against}: paired bootstrap {over(report.resampling)}",
        ("Test set", "System", "Score", "Difference", "interval", "p"), lines, 3, _NOTE + _runs_note(every),
    )  # fmt: skip


def _lines(start: list[Cell], result: Result, base: Result, resampling: Resampling) -> Iterator[Line]:
    tests = paired_test(result, base, resampling)
    for position, (key, heading) in enumerate(_TESTED.items()):
        yield Line([*start, result.name, heading, *_cells(tests[key])], opens=not position)


def _cells(test: Mapping[str, float]) -> list[Cell]:
    difference, low, high = (f"{100 * test[name]:+.1f}" for name in ("difference", "low", "high"))
    return [difference, f"{low} to {high}", f"{test['p_value']:.3f}" if test["p_value"] >= 0.001 else "<0.001"]


def _runs_note(results: Sequence[Result]) -> str:
    return f" {RUNS_TEST}." if any(result.runs for result in results) else ""
