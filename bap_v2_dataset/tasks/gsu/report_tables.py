"""Tables 1 and 8 of the paper on GSU: our numbers beside those it reports, on the test sets that there are."""

from collections.abc import Callable, Sequence

from bap_v2_dataset.evaluation.results import Report, Result
from bap_v2_dataset.tables.cells import NO_VALUE, Cell, Line, ScoreTable, Value
from bap_v2_dataset.tasks.gsu.paper import COLUMNS, KEY, TABLE_1, WALKS, PaperColumn

_DISTANCES = [column._replace(score=column.score.replace("accuracy", "distance")) for column in COLUMNS[:WALKS]]
_HOW = "Paper, prompted: one shot with reasoning for walks and localization, three without for structures."


def tables(report: Report, cell: Callable[[Result, str], Cell]) -> list[ScoreTable]:
    """Return those that have a column with a test set of the report.

    Args:
        cell: gives a score of a result by its key.
    """
    # Only test splits stand beside the paper.
    configs = {test.config for test in report.tests if test.split == "test"}
    shown = []
    for name, title, columns, how in (
        ("gsu_table_1_walks", "Table 1: walks, accuracy from 0 to 1", COLUMNS[:WALKS], _HOW),
        ("gsu_table_1_blocks", "Table 1: blocks, in percent", COLUMNS[WALKS:], _HOW),
        (
            "gsu_table_8",
            "Table 8: walks, distance in cells from where the answer ends to the right end",
            _DISTANCES,
            "",
        ),
    ):
        # A table has the columns that were tested, our lines first.
        if tested := [column for column in columns if column.config in configs]:
            headings = ("System", "Source", "Training", *(column.heading for column in tested))
            lines = _ours(report, tested, cell) + _theirs(tested)
            shown.append(ScoreTable(name, title, headings, lines, 3, how, paper=KEY))
    return shown


def _ours(report: Report, columns: Sequence[PaperColumn], cell: Callable[[Result, str], Cell]) -> list[Line]:
    lines = []
    for system in report.systems:
        results = [system.results.get((column.config, "test")) for column in columns]
        if any(results):
            training = "baseline" if system.baseline else "trained" if system.train else NO_VALUE
            scores = [cell(result, column.score) if result else NO_VALUE for result, column in zip(results, columns)]
            lines.append(Line([system.title, "ours", training, *scores]))
    return lines


def _theirs(columns: Sequence[PaperColumn]) -> list[Line]:
    """Return the models that have these scores, as the paper prints them."""
    lines = []
    for model in TABLE_1:
        printed = {column.score + column.config: score for column, score in zip(COLUMNS, model.scores)}
        printed |= {column.score + column.config: distance for column, distance in zip(_DISTANCES, model.distances)}
        cells = [
            Value(printed[key], digits=2) if (key := column.score + column.config) in printed else NO_VALUE
            for column in columns
        ]
        if any(cell != NO_VALUE for cell in cells):
            opens = not lines or lines[-1].cells[2] != model.training
            lines.append(Line([model.name, "paper", model.training, *cells], paper=True, opens=opens))
    return lines
