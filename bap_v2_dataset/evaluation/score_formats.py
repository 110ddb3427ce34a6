"""Scores for programs and papers: what `bap-v2 score` and `bap-v2 report` print besides tables for the terminal."""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from bap_v2_dataset.evaluation.paper_tables import measures, paired_tests
from bap_v2_dataset.evaluation.report import Report
from bap_v2_dataset.evaluation.scoring import Result
from bap_v2_dataset.evaluation.table_cells import NO_VALUE, Line, ScoreTable
from bap_v2_dataset.evaluation.test_sets import ScoredSplit
from bap_v2_dataset.paper import COLUMNS, ROWS

CSV_COLUMNS = ("config", "split", "system", "runs", "score", "value", "low", "high", "standard_deviation", "unit")


def tables(report: Report) -> list[ScoreTable]:
    """The score table of each test set, without the paper's numbers, and the paired tests."""
    scores = []
    for test in report.tests:
        lines = [
            Line([board, system.name, f"{result.scores[f'{group}n_items']:,}", *measures(result, group)],
                 opens=not position)
            for group, board in ROWS.items()
            for position, (system, result) in enumerate(report.on(test))
        ]  # fmt: skip
        headings = ("Board", "System", "Items", *COLUMNS.values())
        scores.append(ScoreTable(f"scores_{test.file_name}", f"Scores on {test.title}", headings, lines, 2))
    tests = paired_tests(report)
    return [*scores, *([tests] if tests else [])]


def scores_csv(results: Iterable[tuple[ScoredSplit, Result]]) -> str:
    """All scores as a table: a line for each score of each system on each test set, with the keys of the JSON.

    Scores are fractions in 0..1, and distances in cells; what there is none of is empty.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(CSV_COLUMNS)
    for test, result in results:
        start = (test.config, test.split, result.name, max(len(result.runs), 1))
        for key, value in _flat(result.scores):
            if isinstance(value, (int, float)):
                low, high = result.intervals.get(key, ("", ""))
                unit = result.unit if key in result.intervals else ""
                writer.writerow([*start, key, value, low, high, result.deviations.get(key, ""), unit])
    return out.getvalue()


def _flat(scores: Mapping[str, Any], start: str = "") -> Iterator[tuple[str, Any]]:
    """The scores, and those inside them: `groups.follower/4.accuracy`."""
    for key, value in scores.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{start}{key}.")
        else:
            yield f"{start}{key}", value


def brief(results: Sequence[Result], key: str) -> str:
    """A line for each system: the key of its headline score, the score in percent, its interval or spread, its name."""
    lines = []
    for result in results:
        parts = [key, f"{100 * result.scores[key]:.1f}" if key in result.scores else NO_VALUE]
        if key in result.intervals:
            parts.append("[{:.1f}, {:.1f}]".format(*(100 * bound for bound in result.intervals[key])))
            parts += [f"(over {result.unit}s)"] * (result.unit != "item")
        if key in result.deviations:
            parts.append(f"± {100 * result.deviations[key]:.1f} ({len(result.runs)} runs)")
        lines.append(" ".join([*parts, result.name]))
    return "\n".join(lines) + "\n"
