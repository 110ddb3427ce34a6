"""Tables in a terminal of any width: nothing is cut.

Where it is narrow, texts are folded between their words first, then lines between the columns are left out (of all
tables that are printed together), then words are folded behind their hyphens, then columns stand in several tables
below each other.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rich import box
from rich.cells import cell_len
from rich.console import ConsoleOptions, Group, RenderableType, RenderResult
from rich.markup import escape
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from bap_v2_dataset.tables.cells import Cell, Line, ScoreTable, shown, two_lines
from bap_v2_dataset.tables.console import Console

_TEXT_WIDTHS = (32, 24, 16, 10)
_COLUMNS_IN_EACH = (6, 4, 2)  # of the tables that a wide one is divided into
_NUMBER = 24  # columns of a terminal that a cell among the numbers takes at most; what is longer is folded
_FULL = 10_000  # columns of a terminal in which everything fits
_PIECES = re.compile(r".+?(?:[-_/.,:=|]+(?=.)|$)")  # of a word that is folded


@dataclass(frozen=True)
class Fitted:
    """Tables, each with its note; the first layout that is no wider than the terminal, or the last: nothing is cut."""

    tables: Sequence[ScoreTable]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        # The first layout of a table that is no wider than the terminal, or its last one.
        def layout(table: ScoreTable, plain: bool) -> tuple[bool, Group, int]:
            for found in _layouts(table, plain):
                width = Measurement.get(console, options.update(max_width=_FULL), found[1]).minimum
                if width <= options.max_width:
                    break
            return *found, max(width, options.max_width)

        # If one table leaves out the lines between its columns, all do.
        plain = any(layout(table, False)[0] for table in self.tables)
        for position, table in enumerate(self.tables):
            _, grids, width = layout(table, plain)
            if position:
                yield Text()
            if table.title:
                yield Text(table.title, "italic")
            yield from console.render(grids, options.update(max_width=width))
            if table.note:
                yield Text(table.note, "dim")


def fitted(*tables: ScoreTable) -> Fitted:
    """Lay out tables as wide as the terminal holds."""
    return Fitted(tables)


def _layouts(table: ScoreTable, plain: bool) -> Iterator[tuple[bool, Group]]:
    """Yield layouts from the widest, each with whether it is one without lines between columns.

    Args:
        plain: whether only those are wanted.
    """
    texts = [cell for line in table.lines for cell in line.cells[: table.n_texts] if isinstance(cell, str)]
    longest = max(map(cell_len, texts), default=1)
    word = max((cell_len(word) for text in texts for word in text.split()), default=1)
    widths = [longest, *(width for width in _TEXT_WIDTHS if width < longest)]
    whole = [width for width in widths if width >= word] or [word]
    for width in () if plain else whole:
        yield False, Group(grid(table, False, width))
    for width in (*whole, *(width for width in widths if width < word)):
        yield True, Group(grid(table, True, width))
    for in_each in _COLUMNS_IN_EACH:
        if in_each < len(table.headings) - table.n_texts:
            for width in widths:
                yield True, Group(*(grid(part, True, width) for part in _divided(table, in_each)))


def wrapped(text: str, width: int) -> str:
    """Put a text on lines of this width: folded between words, or behind `-`, `_`, `/` and the like, else wider.

    >>> wrapped("runs/pointer_demo on dsb", 13)
    'runs/pointer_\\ndemo on dsb'
    """
    lines: list[str] = []
    for line in text.split("\n"):
        lines.append("")
        for word in line.split(" "):
            for position, piece in enumerate([word] if cell_len(word) <= width else _PIECES.findall(word)):
                gap = " " if lines[-1] and not position else ""
                if lines[-1] and cell_len(lines[-1] + gap + piece) > width:
                    lines.append(piece)
                else:
                    lines[-1] += gap + piece
    return "\n".join(lines)


def _divided(table: ScoreTable, in_each: int) -> Iterator[ScoreTable]:
    """Yield tables with some of the columns of numbers each."""
    for start in range(table.n_texts, len(table.headings), in_each):

        def kept(cells: Sequence, start: int = start) -> list:
            return [*cells[: table.n_texts], *cells[start : start + in_each]]

        yield replace(
            table,
            headings=kept(table.headings),
            lines=[Line(kept(line.cells), line.paper, line.opens) for line in table.lines],
        )


def grid(table: ScoreTable, plain: bool, text_width: int) -> Table:
    """Make a table for a terminal, with or without lines between its columns; it has no title."""
    look: dict[str, Any] = {"box": box.HORIZONTALS, "padding": (0, 1, 0, 0)} if plain else {}
    grid = Table(header_style="bold", **look)
    rooms = [text_width if position < table.n_texts else _NUMBER for position in range(len(table.headings))]
    rows = [(line, list(map(_cell, cells, rooms))) for line, cells in shown(table.lines)]

    # Columns as wide as their widest word, texts to the left and numbers to the right.
    for position, heading in enumerate(table.headings):
        parts = [*heading.split(), *(part for _, cells in rows for part in cells[position].plain.split("\n"))]
        if position < table.n_texts:
            grid.add_column(escape(heading), width=max(map(cell_len, parts), default=1))
            continue
        if not plain:
            parts += two_lines(heading).split("\n")
        style = "bold" if heading and heading == table.bold else ""
        width = max(map(cell_len, parts), default=1)
        grid.add_column(escape(two_lines(heading)), justify="right", style=style, width=width)

    # Rows, with a line where a group of them ends.
    for (line, cells), following in zip(rows, [*(line for line, _ in rows[1:]), None]):
        ends = following is not None and following.opens
        grid.add_row(*cells, style="italic dim" if line.paper else None, end_section=ends)
    return grid


def _cell(cell: Cell, width: int) -> Text:
    if isinstance(cell, str):
        return Text(wrapped(cell, width))
    form = f".{cell.digits}f"
    text = Text(f"{cell.value:{form}}")
    if cell.deviation is not None:
        text.append(f"\n± {cell.deviation:{form}}", style="dim not bold")
    if cell.low is not None:
        text.append(f"\n{cell.low:{form}}–{cell.high:{form}}", style="dim not bold")
    return text


class WordTable(Table):
    """A table that rich lays out, but for its words, which are neither cut nor folded.

    Where they need more than the terminal has, the lines between the columns are left out.
    """

    def __init__(self, *headers: Any, **look: Any):
        super().__init__(*headers, **{"title_justify": "left", "header_style": "bold", **look})

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        # What each column needs at least and at most.
        full = options.update(max_width=_FULL)
        needs = []
        for column in self.columns:
            cells = [column.header, *column.cells]
            sizes = [Measurement.get(console, full, Text.from_markup(c) if isinstance(c, str) else c) for c in cells]
            needs.append([max(least, default=0) for least in zip(*sizes)])
        room = options.max_width - 3 * len(needs) - 1
        if sum(least for least, _ in needs) > room:
            self.box, self.padding, room = box.HORIZONTALS, (0, 1, 0, 0), options.max_width - 2 * len(needs) - 1
        # What is left goes to the columns in equal parts, those that wish least first.
        rest = max(0, room - sum(least for least, _ in needs))
        by_wish = sorted(zip(needs, self.columns), key=lambda pair: pair[0][1] - pair[0][0])
        for left, ((least, most), column) in zip(range(len(needs), 0, -1), by_wish):
            more = min(most - least, rest // left)
            column.width, rest = least + more, rest - more
        wide = sum(column.width or 0 for column in self.columns) + 3 * len(needs) + 1
        yield from super().__rich_console__(console, options.update(max_width=max(options.max_width, wide)))


def terminal(tables: Sequence[ScoreTable], sentences: Sequence[str], signatures: Sequence[str]) -> Group:
    """Put tables, each with its note, the sentences below them, and the signatures under each other."""
    parts: list[RenderableType] = [Fitted(tables), Text()]
    parts += [Text(sentence) for sentence in sentences]
    parts += [Text(f"signature: {signature}", style="dim", no_wrap=True, overflow="ignore") for signature in signatures]
    return Group(*parts)


def print_report(report: RenderableType, console: Console | None = None) -> None:
    """Print a report; the signature is on one line, so that it can be copied from any terminal."""
    (console or Console()).print(report, crop=False)
