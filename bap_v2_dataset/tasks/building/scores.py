"""The scores of Builder Action Prediction: what is said of them in tables, tests, reports and files."""

from collections.abc import Mapping, Sequence
from typing import Any

from bap_v2_dataset.evaluation.results import Report, Result
from bap_v2_dataset.evaluation.scores import N_ITEMS, ItemGroup, Score, ScoreBlock, Scores
from bap_v2_dataset.items.rows import perturbation_of
from bap_v2_dataset.sentences import counted
from bap_v2_dataset.tables.cells import ScoreTable
from bap_v2_dataset.tasks.building import error_analysis, tables
from bap_v2_dataset.tasks.building.paper import COLUMNS, HEADLINE, ROWS
from bap_v2_metric.actions import execute
from bap_v2_metric.alignment import align
from bap_v2_metric.answers import most_frequent_unparsed, read_prediction
from bap_v2_metric.blocks import Structure
from bap_v2_metric.chat_marks import unknown_thoughts
from bap_v2_metric.counts import Counts
from bap_v2_metric.notation import format_action, parse_structure
from bap_v2_metric.scoring import MEASURES, SCORER, Attempt

F1 = tuple(
    Score(f"{measure}_f1", heading, tested=heading == HEADLINE, reported=heading == HEADLINE)
    for measure, heading in COLUMNS.items()
)
BOARDS = tuple(ItemGroup(title, prefix) for prefix, title in ROWS.items())
LEGEND = (
    "EB, NEB: items that start from an empty, a non-empty board; infeasible actions change nothing (human logs hold "
    "some too)."
)
_SOURCES = (
    "Source ours: computed here. Source paper: as reported, under its authors' labels of the human test items and on "
    "its authors' synthetic games, which were not released; ours follow the same recipe."
)
_SHOWN_LINES = 3  # of those that could not be read


class BuildingScores(Scores):
    scorer = SCORER
    name = "bap"
    headline = "fairer_f1"
    expected = "`place COLOR X Y Z` or `pick X Y Z` on each line"

    def is_read(self, item: Mapping[str, Any], text: str) -> bool:
        """Tell if there is an action, or none was called for."""
        counts = Counts.of(item, "strict")
        return not counts.n_reference or counts.n_predicted > 0 or bool(read_prediction(text).actions)

    def blocks(self, results: Sequence[Result], measure: str = "") -> list[ScoreBlock]:
        return [ScoreBlock(BOARDS, (N_ITEMS, *F1), "Board")]

    def notes_on_rows(self, rows: Sequence[Mapping[str, Any]], config: str) -> list[str]:
        if not (variants := sum(map(bool, map(perturbation_of, rows)))):
            return []
        return [
            f"{config}: {variants:,} of {counted(len(rows), 'item')} are variants, and count as any item: for robust "
            'scores of own data use evaluate.load("bap_v2", "robust")'
        ]

    def unknown_thoughts(self, text: Any) -> str:
        return unknown_thoughts(text, lambda part: read_prediction(part).actions)

    def item_record(self, row: Mapping[str, Any], item: Mapping[str, Any], prediction: str) -> dict[str, Any]:
        return scored_item(row, item, prediction)

    def legend(self, results: Sequence[Result]) -> list[str]:
        return [LEGEND]

    def notes_on(self, result: Result) -> list[str]:
        strict = f"strict F1 {100 * result.scores['strict_f1']:.1f}"
        if result.runs:
            strict += f" ± {100 * result.deviations['strict_f1']:.1f}"
        return [exactly_right(result), *unread_and_undone(result), strict]

    def lines_on(self, result: Result) -> list[str]:
        """Return the most frequent lines that could not be read."""
        runs = result.runs or [result]
        if not sum(run.scores["unparsed_lines"] for run in runs):
            return []
        frequent = most_frequent_unparsed((text for run in runs for text in run.texts), _SHOWN_LINES)
        return [f"    {counted(times, 'time')}: {_printable(line)}" for line, times in frequent]

    def how(self, measure: str = "") -> list[str]:
        return ["F1 in percent, micro-averaged"]

    def tables(self, report: Report) -> list[ScoreTable]:
        return tables.tables(report)

    def remarks(self, report: Report, paper: bool = True) -> list[str]:
        """Own data are not compared with the paper."""
        ours = [_SOURCES] if paper and not all(test.source for test in report.tests) else []
        return [*ours, LEGEND, "F1 in percent, micro-averaged over items."]

    def error_bins(self, report: Report) -> dict[tuple[str, str], list[error_analysis.Bin]]:
        return error_analysis.error_bins(report)

    def plots(self, report: Report, bins: Mapping) -> list[tuple[str, str, Any]]:
        from bap_v2_dataset.tasks.building.plots import drawn  # which needs matplotlib

        return list(drawn(report, bins))


def exactly_right(result: Result) -> str:
    """`262 of 1,161 items exact`: without an error, after the alignment of fairer F1; of runs `250 to 262`."""
    runs: Sequence[Result] = result.runs or [result]
    counts = [sum(not item["fairer"]["fp"] + item["fairer"]["fn"] for item in run.counted_items) for run in runs]
    numbers = dict.fromkeys(f"{number:,}" for number in (min(counts), max(counts)))
    return f"{' to '.join(numbers)} of {counted(len(runs[0].counted_items), 'item')} exact"


def unread_and_undone(result: Result) -> list[str]:
    """`2 unparsed lines`, `1 infeasible action`, over all runs."""
    runs: Sequence[Result] = result.runs or [result]
    kinds = {"unparsed_lines": "unparsed line", "infeasible_actions": "infeasible action"}
    return [counted(sum(run.scores[key] for run in runs), noun) for key, noun in kinds.items()]


def _printable(line: str) -> str:
    """Return a line of a model as any terminal can print it: no control characters, no half characters."""
    return "".join(letter if letter.isprintable() else "�" for letter in line)


SCORES = BuildingScores()


def scored_item(row: Mapping[str, Any], item: Mapping[str, Any], prediction: str) -> dict[str, Any]:
    """Return what is said of an item of Builder Action Prediction, besides its id and the system.

    Args:
        item: its counts.
    Returns:
        `board` ("EB", "NEB"), `interpretations`; `right`, `wrong`, `missed`: net actions as fairer F1 counts them; F1
        of all measures in 0..1 (0/0 is 0.0); `unparsed`: the lines that could not be read; `infeasible`: the actions
        that changed nothing, and why; `alignment`: [quarter turns, dx, dz] of the predicted structure where fairer F1
        compares it rotated and moved, else None.
    """
    actions, unparsed = read_prediction(prediction)
    before, after = parse_structure(row["before"]), parse_structure(row["after"])
    predicted_after, failures = execute(before, actions)
    counts = Counts.of(item, "fairer")
    return {
        "board": "EB" if item["empty_board"] else "NEB",
        "interpretations": row["interpretations"],
        "right": counts.tp,
        "wrong": counts.fp,
        "missed": counts.fn,
        **{f"{measure}_f1": Counts.of(item, measure).f1 for measure in MEASURES},
        "unparsed": list(unparsed),
        "infeasible": [f"{format_action(failure.action)}: {failure.reason.value}" for failure in failures],
        "alignment": _alignment(before, predicted_after, after, row["interpretations"]),
    }


def _alignment(before: Structure, predicted: Structure, after: Structure, interpretations: str) -> list[int] | None:
    attempt = Attempt.on_boards(before, after, predicted, interpretations)
    if attempt.fair is attempt.predicted:
        return None
    moved = align(predicted, after)
    return list(moved) if any(moved) else None
