"""Tests of robust scores: what a system loses under perturbations, and how the robust F1 of systems differs."""

from collections.abc import Mapping, Sequence

from bap_v2_dataset.evaluation.robust_values import families_of, has, key, over_originals, title_of
from bap_v2_dataset.evaluation.scoring import RUNS_TEST, Resampling, Result
from bap_v2_dataset.evaluation.table_cells import NO_VALUE, Cell, Line, ScoreTable
from bap_v2_dataset.evaluation.test_sets import ScoredSplit
from bap_v2_metric.robust_resampling import degradation_test, paired_bootstrap_of_runs
from bap_v2_metric.robust_scores import PLAIN
from bap_v2_metric.scoring import InputError


def loss_table(results: Sequence[Result], measure: str, resampling: Resampling) -> ScoreTable | None:
    """Standard minus robust F1 of each system and family that loses any; of each run where there are several."""
    lines = []
    for result in results:
        for run in result.runs or [result]:
            clusters = _clusters(run)
            how = (resampling.n, resampling.confidence, resampling.seed)
            tests = degradation_test(run.counted_items, *how, clusters)
            opens = True
            for family in families_of([run]):
                test = tests.get(f"{family}_f1" if measure == PLAIN else f"{family}_{measure}_f1")
                if test is not None and test["difference"]:
                    lines.append(Line([run.name, title_of(family), *_cells(test)], opens=opens))
                    opens = False
    if not lines:
        return None
    return ScoreTable(
        "robust_losses",
        f"Standard minus robust F1 (paired bootstrap {over_originals(resampling, results)})",
        ("System", "Family", "Difference", "interval", "p"),
        lines,
        2,
        "Families without a difference are left out. For fairer F1 it is never below 0: the worst is taken of the "
        "original too.",
    )


def paired_test(result: Result, base: Result, resampling: Resampling) -> Mapping[str, Mapping[str, float]]:
    """The paired bootstrap tests of all scores; none where the systems have no variant in common."""
    runs, of_base = ([run.counted_items for run in one.runs or [one]] for one in (result, base))
    first = result.runs[0] if result.runs else result
    how = resampling
    try:
        return paired_bootstrap_of_runs(runs, of_base, how.n, how.confidence, how.seed, _clusters(first))
    except InputError:
        if _variants(runs[0]) & _variants(of_base[0]):
            raise
        return {}


def against_table(
    others: Sequence[Result], base: Result, measure: str, resampling: Resampling, test: ScoredSplit | None = None
) -> ScoreTable:
    """The robust F1 of systems against that of another, on the variants that both have seen."""
    lines = []
    for result in others:
        tests = paired_test(result, base, resampling)
        for position, family in enumerate(families_of([result, base])):
            cells = _cells(tests.get(key(family, "robust", measure)) if has(result, family) else None)
            lines.append(Line([result.name, title_of(family), *cells], opens=not position))
    on = f" on {test.config.removeprefix('robust_')}" if test else ""  # a report may have several
    several = f" {RUNS_TEST}." if any(result.runs for result in [*others, base]) else ""
    return ScoreTable(
        "robust_paired_tests" + (f"_{test.file_name}" if test else ""),
        f"Against {base.name}{on}: robust F1 (paired bootstrap {over_originals(resampling, [base])})",
        ("System", "Family", "Difference", "interval", "p"),
        lines,
        2,
        f"p is two-sided, and not corrected for the number of comparisons.{several}",
    )


def _variants(items: Sequence[Mapping]) -> set[str]:
    return {item["id"] for item in items if item["family"]}


def _clusters(run: Result) -> list | None:
    if run.clusters is None:
        return None
    return [cluster for place, cluster in enumerate(run.clusters) if place not in run.left_out]


def _cells(test: Mapping[str, float] | None) -> list[Cell]:
    """Difference, interval and p of a test."""
    if test is None:
        return [NO_VALUE] * 3
    difference, low, high = (f"{100 * test[name]:+.1f}" for name in ("difference", "low", "high"))
    return [difference, f"{low} to {high}", f"{test['p_value']:.3f}" if test["p_value"] >= 0.001 else "<0.001"]
