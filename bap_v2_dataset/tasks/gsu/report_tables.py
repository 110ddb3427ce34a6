"""Tables 1 and 8 of the paper on GSU: our numbers beside those it reports, on the test sets that there are."""

from collections.abc import Callable, Sequence

from bap_v2_dataset.evaluation.results import Report, Result, System
from bap_v2_dataset.tables.cells import NO_VALUE, Cell, Line, ScoreTable, Value
from bap_v2_dataset.tasks.gsu.paper import COLUMNS, KEY, TABLE_1, WALKS, Column

_PARTS = (("walks", "walks, accuracy from 0 to 1", COLUMNS[:WALKS]), ("blocks", "blocks, in percent", COLUMNS[WALKS:]))
_HOW = "Paper, prompted: one shot with reasoning for walks and localization, three without for structures."


def tables(report: Report, cell: Callable[[Result, str], Cell]) -> list[ScoreTable]:
    """Those that have a column with a test set of the report.

    Args:
        cell: gives a score of a result by its key.
    """
    shown = []
    for name, title, columns in _PARTS:
        if tested := _tested(report, columns):
            lines = _ours(report, tested, cell) + _theirs(tested)
            headings = ("System", "Source", "Training", *(column.heading for column in tested))
            shown.append(ScoreTable(f"gsu_table_1_{name}", f"Table 1: {title}", headings, lines, 3, _HOW, paper=KEY))
    if tested := _tested(report, COLUMNS[:WALKS]):
        distances = [column._replace(score=column.score.replace("accuracy", "distance")) for column in tested]
        lines = _ours(report, distances, cell) + _theirs(distances)
        headings = ("System", "Source", "Training", *(column.heading for column in distances))
        title = "Table 8: walks, distance in cells from where the answer ends to the right end"
        shown.append(ScoreTable("gsu_table_8", title, headings, lines, 3, paper=KEY))
    return shown


def _tested(report: Report, columns: Sequence[Column]) -> list[Column]:
    configs = {test.config for test in report.tests if test.split == "test"}
    return [column for column in columns if column.config in configs]


def _ours(report: Report, columns: Sequence[Column], cell: Callable[[Result, str], Cell]) -> list[Line]:
    systems = [
        system for system in report.systems if any((column.config, "test") in system.results for column in columns)
    ]
    return [
        Line([system.title, "ours", _training(system), *(_score(system, column, cell) for column in columns)])
        for system in systems
    ]


def _training(system: System) -> str:
    return "baseline" if system.baseline else "trained" if system.train else NO_VALUE


def _score(system: System, column: Column, cell: Callable[[Result, str], Cell]) -> Cell:
    result = system.results.get((column.config, "test"))
    return NO_VALUE if result is None else cell(result, column.score)


def _theirs(columns: Sequence[Column]) -> list[Line]:
    """The models that have these scores, as the paper prints them."""
    lines = []
    for model in TABLE_1:
        printed = {column.score + column.config: score for column, score in zip(COLUMNS, model.scores)}
        for column, distance in zip(COLUMNS, model.distances):
            printed[column.score.replace("accuracy", "distance") + column.config] = distance
        cells = [
            Value(printed[key], digits=2) if (key := column.score + column.config) in printed else NO_VALUE
            for column in columns
        ]
        if any(cell != NO_VALUE for cell in cells):
            opens = not lines or lines[-1].cells[2] != model.training
            lines.append(Line([model.name, "paper", model.training, *cells], paper=True, opens=opens))
    return lines
