"""Robust scores: what is said of them in tables, tests, reports and files."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from statistics import fmean
from typing import Any

from bap_v2_dataset.evaluation.results import Answers, Bin, Report, Resampling, Result, ScoredSplit
from bap_v2_dataset.evaluation.runs import SystemPredictions
from bap_v2_dataset.evaluation.score_tables import drawn, test_cells
from bap_v2_dataset.evaluation.scores import COUNT, N_ITEMS, PERCENT, RANK, ItemGroup, Score, ScoreBlock, cell
from bap_v2_dataset.predictions.entries import PredictionError
from bap_v2_dataset.tables.cells import NO_VALUE, Cell, Line, ScoreTable, Value
from bap_v2_dataset.tasks.building.error_analysis import binned
from bap_v2_dataset.tasks.building.scores import BuildingScores, scored_item, unread_and_undone
from bap_v2_dataset.tasks.robustness import files as robust_files
from bap_v2_dataset.tasks.robustness.families import FAMILIES
from bap_v2_dataset.tasks.robustness.ids import parent_of
from bap_v2_dataset.tasks.robustness.paper import tables_of_the_paper
from bap_v2_dataset.tasks.robustness.scoring import join_predictions
from bap_v2_metric.robust_resampling import degradation_test
from bap_v2_metric.robust_scores import ALL, PLAIN, rank
from bap_v2_metric.robustness import SCORER
from bap_v2_metric.scoring import MEASURES

LEGEND = (
    "Robust F1: the worst of each item and its variants; degradation: the share of the standard F1 that is lost; rank: "
    "of the families by degradation, 1 loses most; consistency: answers that follow from the one to the original."
)


class RobustnessScores(BuildingScores):
    scorer = SCORER
    name = "robust"
    headline = "all_robust_f1"
    measures = MEASURES
    drawn = "originals, each with its variants"
    join_predictions = staticmethod(join_predictions)

    def answers(self, rows: Sequence[Mapping[str, Any]], texts: Sequence[str], system: str, **further: Any) -> Answers:
        return Answers(system, texts, texts, marks=[{"seen": True}] * len(rows))

    def is_read(self, item: Mapping[str, Any], text: str) -> bool:
        return item["seen"] is None or super().is_read(item, text)  # None: not answered

    def cluster_keys(self, rows: Sequence[Mapping[str, Any]]) -> Sequence[Mapping[str, Any]]:
        """Draw a variant with its original."""
        originals = {row["id"]: row for row in rows}
        return [originals[parent_of(row)] for row in rows]

    def notes_on_rows(self, rows: Sequence[Mapping[str, Any]], config: str) -> list[str]:
        return []

    def prepared_for(
        self,
        files: Sequence[SystemPredictions],
        baselines: Sequence[str],
        options: Mapping[str, Any],
        read: Callable[[Sequence[str]], Sequence[SystemPredictions]],
    ) -> tuple[Sequence[SystemPredictions], Mapping[str, Any]]:
        """Add the answers to originals that stand in other files."""
        if "original" in options:
            if not files:
                raise PredictionError("--original is for prediction files, but none was passed")
            files = robust_files.with_originals(files, read(options["original"]))
        return files, {"variants": options["variants"]} if "variants" in options else {}

    def blocks(self, results: Sequence[Result], measure: str = "") -> list[ScoreBlock]:
        of = _of(measure)
        scores = (
            N_ITEMS,
            Score("n_variants", "Variants", COUNT),
            Score(f"standard{of}_f1", "Standard"),
            Score(f"perturbed{of}_f1", "Perturbed"),
            Score(f"robust{of}_f1", "Robust F1", tested=True, reported=True),
            Score(f"degradation{of}", "Degradation %"),
            Score(f"rank{of}", "Rank", RANK),
            Score("consistency", "Consistency"),
        )
        return [
            ScoreBlock([ItemGroup(title_of(family), f"{family}_") for family in families_of(results)], scores, "Family")
        ]

    def shown(self, result: Result, measure: str = "") -> Result:
        """With degradation and rank of the measure; without degradation where there is nothing to lose."""
        of = _of(measure)
        scores, ranks = dict(result.scores), ranks_of(result, measure)
        for family, degradation in _degradations(result, measure).items():
            if of or degradation is None:
                scores[f"{family}_degradation{of}"] = degradation
            scores[f"{family}_rank{of}"] = ranks.get(family)
        return replace(result, scores=scores)

    def headline_of(self, measure: str = "") -> str:
        return f"all_robust_{measure}_f1" if measure else self.headline

    def place(self, config: str, split: str) -> str:
        return f"{config}, {split}" if split == "probe" else config  # the families stand in the table

    def further_tests(self, results: Sequence[Result], resampling: Resampling, measure: str) -> list[ScoreTable]:
        losses = _losses(results, measure, resampling, drawn(self, results[0]))
        return [losses] if losses.lines else []

    def item_record(self, row: Mapping[str, Any], item: Mapping[str, Any], prediction: str) -> dict[str, Any]:
        """`seen`: whether the system can tell the variant from its original; `consistent`: it answers both alike."""
        names = {name: item[name] for name in ("parent", "family", "variant", "seen", "consistent")}
        return names | scored_item(row, item, prediction)

    def legend(self, results: Sequence[Result]) -> list[str]:
        return [LEGEND]

    def notes_on(self, result: Result) -> list[str]:
        return unread_and_undone(result)

    def lines_on(self, result: Result) -> list[str]:
        return unseen_sentences(result)

    def how(self, measure: str = "") -> list[str]:
        of = [f"{measure} F1 in percent, micro-averaged, on the variants that are worst for fairer F1"]
        usual = ["Fairer F1 in percent, micro-averaged"]
        return [*(of if _of(measure) else usual), "the worst variants are chosen once, not in each resample"]

    def tables(self, report: Report) -> list[ScoreTable]:
        """Return those of our scores, and what Dan et al. (2021) report, which is another measure."""
        return [*(_robustness(report, test) for test in report.tests), *tables_of_the_paper()]

    def remarks(self, report: Report, paper: bool = True) -> list[str]:
        unseen = [text for test in report.tests for _, result in report.on(test) for text in unseen_sentences(result)]
        return [*unseen, LEGEND, "The worst variants are chosen once, not in each resample."]

    def error_bins(self, report: Report) -> dict[tuple[str, str], list[Bin]]:
        """Of the rows that all systems answered; an original and its variants are drawn together."""
        how, bins = report.resampling, {}
        for test in report.tests:
            results = [result for _, result in report.on(test)]
            answered = [
                number
                for number in range(len(test.rows))
                if all(result.items[number]["seen"] is not None for result in results)
            ]
            rows = [test.rows[number] for number in answered]
            clusters = next((result.clusters for result in results), None)
            names = [parent_of(row) for row in rows] if clusters is None else [clusters[number] for number in answered]
            items = [[result.items[number] for number in answered] for result in results]
            bins[test.key] = binned(rows, items, how.n, how.confidence, how.seed, names)
        return bins

    def plots(self, report: Report, bins: Mapping) -> list[tuple[str, str, Any]]:
        return []


def _of(measure: str) -> str:
    """Return the part of keys that names a measure: nothing for the usual one."""
    return f"_{measure}" if measure and measure != PLAIN else ""


def families_of(results: Sequence[Result]) -> list[str]:
    """Return the families that some system has answered, in the order of the configs, and `all`."""
    answered = {item["family"] for result in results for item in result.items if item.get("seen", True) is not None}
    return [*(family for family in FAMILIES if family in answered), ALL]


def title_of(family: str) -> str:
    """Return the name of a family in tables."""
    return "All" if family == ALL else family


def _degradations(result: Result, measure: str = "") -> dict[str, float | None]:
    """Return the degradation by family, of several runs that of their mean scores; None where nothing can be lost."""
    values: dict[str, float | None] = {}
    for family in (*FAMILIES, ALL):
        if result.scores.get(f"{family}_n_items"):
            standard = result.scores[f"{family}_standard{_of(measure)}_f1"]
            lost = standard - result.scores[f"{family}_robust{_of(measure)}_f1"]
            values[family] = lost / standard if standard else None
    return values


def ranks_of(result: Result, measure: str = "") -> Mapping[str, float]:
    """Return by family its rank by degradation, 1 for the largest; of several runs their mean rank."""
    runs = []
    for run in result.runs or [result]:
        lost = {family: value for family, value in _degradations(run, measure).items() if family != ALL}
        runs.append(rank(lost))
    return {family: fmean(run[family] for run in runs) for family in runs[0] if all(family in run for run in runs)}


def unseen_sentences(result: Result) -> list[str]:
    """Return a sentence where variants are left out for a system that cannot tell them from their originals."""
    total = Counter(item["family"] for item in result.items if item["family"] and item.get("seen", True) is not None)
    unseen = Counter(item["family"] for item in result.items if item.get("seen") is False)
    if not unseen:
        return []
    parts = [f"{family} {unseen[family]:,} of {total[family]:,}" for family in FAMILIES if unseen[family]]
    return [f"{result.name}: not seen and left out, for the prompt is that of the original: {', '.join(parts)}"]


def _losses(results: Sequence[Result], measure: str, resampling: Resampling, drawn: str) -> ScoreTable:
    """Standard minus robust F1 of each system and family that loses any; of each run where there are several."""
    # A test for each family of each run; the heading of a run stands once.
    lines = []
    for result in results:
        for run in result.runs or [result]:
            clusters = run.clusters
            if clusters is not None:
                clusters = [cluster for place, cluster in enumerate(clusters) if place not in run.left_out]
            how = (resampling.n, resampling.confidence, resampling.seed)
            tests = degradation_test(run.counted_items, *how, clusters)
            opens = True
            for family in families_of([run]):
                test = tests.get(f"{family}{_of(measure)}_f1")
                if test is not None and test["difference"]:
                    lines.append(Line([run.name, title_of(family), *test_cells(test, PERCENT)], opens=opens))
                    opens = False
    # Families that lose nothing have no line.
    return ScoreTable(
        "robust_losses",
        f"Standard minus robust F1 (paired bootstrap {drawn})",
        ("System", "Family", "Difference", "interval", "p"),
        lines,
        2,
        "Families without a difference are left out. For fairer F1 it is never below 0: the worst is taken of the "
        "original too.",
    )


def _robustness(report: Report, test: ScoredSplit) -> ScoreTable:
    """Systems and families: robust F1 with the standard F1 in brackets, degradation and rank."""
    # Standard and robust F1 of each family, a block of lines for each system.
    results = [(system.title, SCORES.shown(result)) for system, result in report.on(test)]
    (block,) = SCORES.blocks([result for _, result in results])
    n_items, _, standard, _, robust, degradation, place, consistency = block.scores
    lines = []
    for name, result in results:
        for position, group in enumerate(block.groups):
            number = {score: _number(cell(result, group, score)) for score in block.scores}
            both = f"{number[robust]} ({number[standard]})" if number[robust] != NO_VALUE else NO_VALUE
            cells = [number[n_items], both, number[degradation], number[place], number[consistency]]
            lines.append(Line([name, group.title, *cells], opens=not position))
    # Mean ranks over the systems.
    if len(results) > 1:
        of_systems = [ranks_of(result) for _, result in results]
        known = [family for family in FAMILIES if any(family in ranks for ranks in of_systems)]
        for position, family in enumerate(known):
            mean = fmean(ranks[family] for ranks in of_systems if family in ranks)
            blank = [NO_VALUE] * 3
            lines.append(Line(["mean rank", family, *blank, f"{mean:.1f}", NO_VALUE], opens=not position))
    return ScoreTable(
        f"robustness_{test.file_name}",
        f"Robustness on {test.title.removeprefix('robust_')}",
        ("System", "Family", "Items", "Robust F1 (standard)", "Degradation %", "Rank", "Consistency"),
        lines,
        2,
        LEGEND,
    )


def _number(value: Cell) -> str:
    return f"{value.value:.1f}" if isinstance(value, Value) else value


SCORES = RobustnessScores()
