"""An error analysis: the scores of systems on the items of a test set in bins, and their tables."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from bap_v2_dataset.evaluation.results import Report
from bap_v2_dataset.evaluation.score_tables import with_unit
from bap_v2_dataset.tables.cells import Line, ScoreTable, Value

Labels = tuple[str, ...]  # the bins that an item is in: none, one, or several
SCORE = "Overall (fairer F1)"  # that is analyzed


@dataclass(frozen=True)
class Dimension:
    """One way to put items into bins."""

    name: str  # of files and in code
    title: str
    bins: Callable[[Mapping], Labels]  # from a row
    order: Labels  # of the bins; others follow in alphabetical order
    overlapping: bool = False  # an item can be in several bins


@dataclass(frozen=True)
class Bin:
    """The scores of all systems on the items of a bin."""

    dimension: Dimension
    label: str
    n_items: int
    f1: tuple[float, ...]  # fairer F1, 0..1, one per system
    intervals: tuple[tuple[float, float], ...]  # empty without resampling


def error_tables(report: Report, bins: Mapping[tuple[str, str], Sequence[Bin]]) -> list[ScoreTable]:
    """A table for each test set: the headline of every system in every bin."""
    tables: list[ScoreTable] = []
    for test in report.tests:
        lines: list[Line] = []
        last = None
        for part in bins.get(test.key, ()):
            opens = part.dimension is not last
            last = part.dimension
            intervals = part.intervals or [()] * len(part.f1)
            scores = [Value(100 * f1, *(100 * bound for bound in bounds)) for f1, bounds in zip(part.f1, intervals)]
            lines.append(Line([part.dimension.title, part.label, f"{part.n_items:,}", *scores], opens=opens))
        dimensions = dict.fromkeys(part.dimension for part in bins.get(test.key, ()))
        overlapping = [dimension.title for dimension in dimensions if dimension.overlapping]
        if lines:
            names = [system.name for system, _ in report.on(test)]
            note = f"An item can be in several bins of: {', '.join(overlapping)}." if overlapping else ""
            title = f"Error analysis on {test.title}: {SCORE}"
            table = ScoreTable(f"errors_{test.file_name}", title, ("", "", "Items", *names), lines, 2, note)
            tables += with_unit(test.task.scores, [table], report.resampling)
    return tables
