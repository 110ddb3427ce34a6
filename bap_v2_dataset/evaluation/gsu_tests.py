"""Paired bootstrap tests of scores of GSU, between two systems on the same items."""

from collections.abc import Mapping, Sequence

from bap_v2_dataset.evaluation.gsu_values import MEASURES, family_of, tasks_of
from bap_v2_dataset.evaluation.report import Report
from bap_v2_dataset.evaluation.resampling_units import over
from bap_v2_dataset.evaluation.scoring import RUNS_TEST, Resampling, Result
from bap_v2_dataset.evaluation.table_cells import Cell, Line, ScoreTable
from bap_v2_metric.gsu_resampling import paired_bootstrap

_NOTE = "p is two-sided, and not corrected for the number of comparisons. Of distances the smaller is the better."


def paired_test(result: Result, base: Result, resampling: Resampling) -> dict[str, dict[str, float]]:
    """The test of two systems, for every score; of one with several runs every item has the mean of its counts."""
    how = resampling
    return paired_bootstrap(result.items, base.items, how.n, how.confidence, how.seed, clusters=result.clusters)


def against_table(others: Sequence[Result], base: Result, resampling: Resampling) -> ScoreTable:
    """Every measure of systems against that of another on one test set."""
    lines = []
    tasks = tasks_of([base])
    for result in others:
        tests = paired_test(result, base, resampling)
        shown = [
            (f"{task}: {heading}" if len(tasks) > 1 else heading, family_of(task), f"{task}_{measure}")
            for task in tasks
            for measure, heading in MEASURES[family_of(task)].items()
            if f"{task}_{measure}" in tests
        ]
        if len(tasks) > 1 or tasks == ["structure"]:
            shown.append(("Score %", "", "score"))
        for position, (heading, family, key) in enumerate(shown):
            lines.append(Line([result.name, heading, *_cells(tests[key], family)], opens=not position))
    return ScoreTable(
        "gsu_paired_tests",
        f"Against {base.name} (paired bootstrap {over(resampling, [base])})",
        ("System", "Measure", "Difference", "interval", "p"),
        lines,
        2,
        _NOTE + _runs_note([*others, base]),
    )


def paired_tests(report: Report) -> ScoreTable | None:
    """Every system of a report against one: the score, on the items that both were tested on."""
    lines = []
    for test in report.tests:
        results = {system.name: result for system, result in report.on(test)}
        base = results.pop(report.against, None)
        if base is None or not report.resampling.n:
            continue
        tasks = tasks_of([base])
        family = family_of(tasks[0]) if len(tasks) == 1 else ""
        for position, (name, result) in enumerate(results.items()):
            tested = paired_test(result, base, report.resampling)["score"]
            lines.append(Line([test.title, name, *_cells(tested, family)], opens=not position))
    if not lines:
        return None
    every = [result for test in report.tests for _, result in report.on(test)]
    return ScoreTable(
        "gsu_paired_tests",
        f"Differences from {report.against}: score, paired bootstrap {over(report.resampling)}",
        ("Test set", "System", "Difference", "interval", "p"),
        lines,
        2,
        "p is two-sided, and not corrected for the number of comparisons." + _runs_note(every),
    )


def _cells(test: Mapping[str, float], family: str) -> list[Cell]:
    """Difference, interval and p of a test, in the unit of the tables."""
    times, digits = (1, 2) if family == "walks" else (100, 1)
    difference, low, high = (f"{times * test[name]:+.{digits}f}" for name in ("difference", "low", "high"))
    return [difference, f"{low} to {high}", f"{test['p_value']:.3f}" if test["p_value"] >= 0.001 else "<0.001"]


def _runs_note(results: Sequence[Result]) -> str:
    return f" {RUNS_TEST}." if any(result.runs for result in results) else ""
