"""Tables in a terminal of any width: nothing is cut.

Where it is narrow, names are folded first, then lines between the columns are left out, then columns stand in several
tables below each other.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rich import box
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.markup import escape
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from bap_v2_dataset.tables.cells import Cell, Line, ScoreTable, shown, two_lines

_NAME_WIDTHS = (32, 24, 16, 10)
_COLUMNS_IN_EACH = (6, 4, 2)  # of the tables that a wide one is divided into
_NUMBER = 24  # columns of a terminal that a cell among the numbers takes at most; what is longer is folded
_FULL = 10_000  # columns of a terminal in which everything fits


@dataclass(frozen=True)
class Fitting:
    """The first of the layouts that is no wider than the terminal, or else the last in full: nothing is cut."""

    layouts: Sequence[RenderableType]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for layout in self.layouts:
            width = Measurement.get(console, options.update(max_width=_FULL), layout).minimum
            if width <= options.max_width:
                break
        yield from console.render(layout, options.update(max_width=max(width, options.max_width)))

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        return Measurement.get(console, options, self.layouts[0])


def fitted(table: ScoreTable) -> Fitting:
    """The widest layout that the terminal holds."""
    texts = [cell for line in table.lines for cell in line.cells if isinstance(cell, str)]
    longest = max(map(cell_len, texts), default=1)
    widths = [longest, *(width for width in _NAME_WIDTHS if width < longest)]
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
    return Group(*(grid(table, compact, width) for table in tables))


def grid(table: ScoreTable, compact: bool, text_width: int) -> Table:
    """A table for a terminal, with or without lines between its columns."""
    look: dict[str, Any] = {"box": box.HORIZONTALS, "padding": (0, 1, 0, 0)} if compact else {}
    grid = Table(title=escape(table.title), title_justify="left", header_style="bold", **look)
    for position, heading in enumerate(table.headings):
        if position < table.n_texts:
            texts = [cell for line in table.lines if isinstance(cell := line.cells[position], str)]
            width = max([min(text_width, max(map(cell_len, texts), default=0)), *map(len, heading.split())])
            grid.add_column(escape(heading), overflow="fold", width=width)
        else:
            parts = [part for line in table.lines for part in _cell(line.cells[position]).plain.split("\n")]
            widths = [*map(len, heading.split()), *(min(cell_len(part), _NUMBER) for part in parts)]
            if not compact:
                widths += map(len, two_lines(heading).split("\n"))
            style = "bold" if heading and heading == table.bold else ""
            grid.add_column(
                escape(two_lines(heading)), justify="right", overflow="fold", style=style, width=max(widths, default=1)
            )
    rows = shown(table.lines)
    for (line, cells), following in zip(rows, [*(line for line, _ in rows[1:]), None]):
        ends = following is not None and following.opens
        grid.add_row(*map(_cell, cells), style="italic dim" if line.paper else None, end_section=ends)
    return grid


def _cell(cell: Cell) -> Text:
    if isinstance(cell, str):
        return Text(cell)
    form = f".{cell.digits}f"
    text = Text(f"{cell.value:{form}}")
    if cell.deviation is not None:
        text.append(f"\n± {cell.deviation:{form}}", style="dim not bold")
    if cell.low is not None:
        text.append(f"\n{cell.low:{form}}–{cell.high:{form}}", style="dim not bold")
    return text


def terminal(tables: Sequence[ScoreTable], sentences: Sequence[str], signatures: Sequence[str]) -> Group:
    """Tables, each with its note, the sentences below them, and the signatures."""
    parts: list[RenderableType] = []
    for table in tables:
        parts += [fitted(table), *([Text(table.note, style="dim")] if table.note else []), Text()]
    parts += [Text(sentence) for sentence in sentences]
    parts += [Text(f"signature: {signature}", style="dim", no_wrap=True, overflow="ignore") for signature in signatures]
    return Group(*parts)


def print_report(group: RenderableType, console: Console | None = None) -> None:
    """Prints a report at full width: a piped table is not folded, and the signature can be copied from any terminal."""
    console = console or Console()
    if not console.is_terminal:
        full = Measurement.get(console, console.options.update(max_width=_FULL), group)
        console.width = max(console.width, 120, full.maximum)
    console.print(group, crop=False)
