"""Paired bootstrap tests of scores of Plancraft, between two systems on the same tasks."""

from collections.abc import Mapping, Sequence
from math import lcm

from bap_v2_dataset.evaluation.plancraft_values import ALL_HEADINGS
from bap_v2_dataset.evaluation.report import Report
from bap_v2_dataset.evaluation.resampling_units import over
from bap_v2_dataset.evaluation.scoring import Resampling, Result
from bap_v2_dataset.evaluation.table_cells import Cell, Line, ScoreTable
from bap_v2_metric.plancraft_resampling import TESTED, paired_bootstrap

_NOTE = (
    "p is two-sided, and not corrected for the number of comparisons. Of AE the smaller is the better; it is of the "
    "tasks that each system solves, and those may differ."
)


def paired_test(result: Result, base: Result, resampling: Resampling) -> dict[str, dict[str, float]]:
    """The test of two systems on the tasks that both play, each with all runs of it."""
    places = [place for place in range(len(base.items)) if place not in base.left_out | result.left_out]
    n_runs = lcm(max(len(result.runs), 1), max(len(base.runs), 1))
    items, base_items = (_episodes(one, places, n_runs) for one in (result, base))
    how = resampling
    clusters = None if base.clusters is None else [base.clusters[place] for place in places] * n_runs
    return paired_bootstrap(items, base_items, how.n, how.confidence, how.seed, clusters=clusters)


def _episodes(result: Result, places: Sequence[int], n_runs: int) -> list[dict]:
    """The counts of so many runs, run by run; of fewer each several times."""
    runs = result.runs or [result]
    return [run.items[place] for run in runs for _ in range(n_runs // len(runs)) for place in places]


def against_table(others: Sequence[Result], base: Result, resampling: Resampling) -> ScoreTable:
    """Systems against another on one test set."""
    lines = []
    for result in others:
        tests = paired_test(result, base, resampling)
        for position, key in enumerate(key for key in TESTED if key in tests):
            lines.append(Line([result.name, ALL_HEADINGS[key], *_cells(tests[key])], opens=not position))
    return ScoreTable(
        "plancraft_paired_tests",
        f"Against {base.name} (paired bootstrap {_over_tasks(resampling, [base])})",
        ("System", "Score", "Difference", "interval", "p"),
        lines,
        2,
        _NOTE,
    )


def paired_tests(report: Report) -> ScoreTable | None:
    """Every system of a report against one, on the tasks that both play."""
    lines = []
    for test in report.tests:
        results = {system.name: result for system, result in report.on(test)}
        base = results.pop(report.against, None)
        if base is None or not report.resampling.n:
            continue
        for name, result in results.items():
            tests = paired_test(result, base, report.resampling)
            for position, key in enumerate(key for key in TESTED if key in tests):
                lines.append(Line([test.title, name, ALL_HEADINGS[key], *_cells(tests[key])], opens=not position))
    if not lines:
        return None
    return ScoreTable(
        "plancraft_paired_tests",
        f"Differences from {report.against}: paired bootstrap {_over_tasks(report.resampling)}",
        ("Test set", "System", "Score", "Difference", "interval", "p"),
        lines,
        3,
        _NOTE,
    )


def _over_tasks(resampling: Resampling, results: Sequence[Result] = ()) -> str:
    return "over tasks" if resampling.unit == "item" else over(resampling, results)


def _cells(test: Mapping[str, float]) -> list[Cell]:
    difference, low, high = (f"{test[name]:+.2f}" for name in ("difference", "low", "high"))
    return [difference, f"{low} to {high}", f"{test['p_value']:.3f}" if test["p_value"] >= 0.001 else "<0.001"]
