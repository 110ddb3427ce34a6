"""Tables in a terminal of any width: names are folded where it is narrow, then columns stand in several tables."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from rich.console import Group

from bap_v2_dataset.evaluation import report_formats
from bap_v2_dataset.evaluation.score_tables import Fitting
from bap_v2_dataset.evaluation.table_cells import Line, ScoreTable

_NAME_WIDTHS = (32, 24, 16, 10)
_COLUMNS_IN_EACH = (6, 4, 2)  # of the tables that a wide one is divided into


def fitted(table: ScoreTable) -> Fitting:
    """The widest layout that the terminal holds; nothing is cut."""
    widths = _widths(table)
    layouts = [_grids([table], compact, width) for compact in (False, True) for width in widths]
    for in_each in _COLUMNS_IN_EACH:
        if in_each < len(table.headings) - table.n_texts:
            layouts += [_grids(list(_divided(table, in_each)), True, width) for width in widths]
    return Fitting(layouts)


def _divided(table: ScoreTable, in_each: int) -> Iterator[ScoreTable]:
    """Tables with some of the columns of numbers each; the first has the title."""
    for start in range(table.n_texts, len(table.headings), in_each):

        def kept(cells: Sequence, start: int = start) -> list:
            return [*cells[: table.n_texts], *cells[start : start + in_each]]

        yield replace(
            table,
            title=table.title if start == table.n_texts else "",
            headings=kept(table.headings),
            lines=[Line(kept(line.cells), line.paper, line.opens) for line in table.lines],
        )


def _grids(tables: Sequence[ScoreTable], compact: bool, width: int) -> Group:
    return Group(*(report_formats.grid(table, compact, width, True) for table in tables))


def _widths(table: ScoreTable) -> list[int]:
    """Widths for columns of text, the widest first: it holds all texts, also those among the numbers."""
    longest = max(len(cell) for line in table.lines for cell in line.cells if isinstance(cell, str))
    return [longest, *(width for width in _NAME_WIDTHS if width < longest)]
