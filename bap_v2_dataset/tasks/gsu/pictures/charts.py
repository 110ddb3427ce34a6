"""Maps of characters for a terminal: cells with the coordinates of GSU at their edges."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise, zip_longest
from typing import NamedTuple

from rich.style import Style
from rich.text import Text

from bap_v2_dataset.tasks.gsu.pictures.item import Walk

_LABELS = 5  # columns at the left
_TALLEST = 34  # rows of a walk
DARTS = {"+y": "▲", "+x": "▶", "-y": "▼", "-x": "◀"}  # somebody who faces this way
GAP = 3  # columns between charts


class Mark(NamedTuple):
    """The content of a cell: no more characters than a cell is wide."""

    text: str
    style: Style | str = ""


class Chart(NamedTuple):
    """Lines of equal width, with a title."""

    title: str
    lines: Sequence[Text]
    width: int


def chart(
    title: str,
    cells: Mapping[tuple[int, int], Mark],
    frame: Sequence[int],
    wide: int,
    each: int = 1,
    filled: Mapping[tuple[int, int], Mark] = {},
) -> Chart:
    """Return a map with numbers at its left and lower edge.

    Args:
        cells: by column and row, from left to right and upward.
        frame: left, bottom, right and top: the first and the last cell.
        wide: characters of a cell.
        each: coordinates per cell.
        filled: what stands in the last character of a cell, between it and the next.
    """
    left, bottom, right, top = frame
    lines = []
    for row in range(top, bottom - 1, -1):
        line = Text().append(f"{row * each:>{_LABELS - 1}} ", "dim")
        for column in range(left, right + 1):
            mark = cells.get((column, row), Mark("·", "dim"))
            between = filled.get((column, row))
            line.append(mark.text, mark.style)
            line.append(" " * (wide - len(mark.text) - bool(between)))
            if between:
                line.append(*between)
        lines.append(line)
    lines.append(Text(" " * _LABELS).append(_numbers(left, right, wide, each), "dim"))
    width = max(_LABELS + wide * (right - left + 1), len(title))
    return Chart(title, lines, width)


def beside(charts: Sequence[Chart], width: int) -> Iterable[Text]:
    """Charts beside each other, as many as there is room for, then below each other."""
    # Fill each row of charts up to the width.
    rows: list[list[Chart]] = [[]]
    for each in charts:
        if rows[-1] and sum(other.width + GAP for other in rows[-1]) + each.width > width:
            rows.append([])
        rows[-1].append(each)
    # Print the rows line by line, each chart padded to its width.
    for number, row in enumerate(rows):
        if number:
            yield Text()
        columns = [[Text(each.title, "bold"), *each.lines] for each in row]
        for lines in zip_longest(*columns, fillvalue=None):
            whole = Text()
            for line, each in zip(lines, row):
                part = line.copy() if line is not None else Text()
                part.pad_right(max(0, each.width + GAP - part.cell_len))
                whole.append_text(part)
            whole.rstrip()
            yield whole


def walk_chart(walk: Walk, title: str, width: int, ends: Iterable[Sequence] = ()) -> Chart:
    """Return the walk from above: S, E, where it turns and, in three dimensions, where it goes up and down.

    Args:
        width: columns there are.
        ends: places that are marked with a cross.
    """
    # Answers that end far away are not drawn.
    flat = [(float(x), float(y)) for x, y, *_ in walk.path]
    marked = [(float(x), float(y)) for x, y, *_ in ends]
    spans = [max(values) - min(values) for values in zip(*flat)]
    marked = [place for place in marked if all(abs(v - w) <= 12 + s for v, w, s in zip(place, flat[-1], spans))]
    # The finest scale at which the walk fits.
    reach = [max(values) - min(values) + 3 for values in zip(*flat, *marked)]
    each = next(n for n in (1, 2, 5, 10, 20, 50, 100, 1000, 10**9) if _fits(reach, n, width))
    # The lines of the walk, with corners and crossings.
    points = [_cell(place, each) for place in flat]
    cells: dict[tuple[int, int], Mark] = {}
    filled: dict[tuple[int, int], Mark] = {}
    for (x, y), (to_x, to_y) in pairwise(points):
        for column in range(min(x, to_x), max(x, to_x)):
            filled[column, y] = Mark("─")
            cells[column, y] = _crossing(cells.get((column, y)), "─")
        if x != to_x:
            cells[to_x, y] = _crossing(cells.get((to_x, y)), "─")
        for row in range(min(y, to_y), max(y, to_y) + 1):
            if y != to_y:
                cells[x, row] = _crossing(cells.get((x, row)), "│")
    # Turns, start, end and the crosses lie on top of the lines.
    for number, point in enumerate(points):
        upright = number and walk.path[number][:2] == walk.path[number - 1][:2]
        dart = "↕" if upright else DARTS[walk.headings[number]] if walk.turns else "•"
        cells[point] = Mark(dart, "bold")
    cells[points[-1]], cells[points[0]] = Mark("E", "bold"), Mark("S", "bold")
    for place in marked:
        cells[_cell(place, each)] = Mark("✗", "bold")
    # The frame leaves a cell on every side.
    columns, rows = zip(*points, *(_cell(place, each) for place in marked))
    frame = (min(columns) - 1, min(rows) - 1, max(columns) + 1, max(rows) + 1)
    scale = f"; {each} cells per mark" if each > 1 else ""
    return chart(f"{title}{scale}", cells, frame, 2, each, filled)


def _fits(reach: Sequence[float], each: int, width: int) -> bool:
    return 2 * (reach[0] / each + 2) + _LABELS <= width and reach[1] / each + 2 <= _TALLEST


def _cell(place: Sequence[float], each: int) -> tuple[int, int]:
    return round(place[0] / each), round(place[1] / each)


def _crossing(mark: Mark | None, line: str) -> Mark:
    """Return a line where there may be one that crosses it."""
    return Mark("┼" if mark is not None and mark.text not in ("", line) else line)


def _numbers(left: int, right: int, wide: int, each: int) -> str:
    """Return the coordinates below the columns, as many as there is room for."""
    longest = max(len(str(left * each)), len(str(right * each))) + 1
    step = next(n for n in (1, 2, 5, 10, 20, 50) if n * wide >= longest or n == 50)
    line = ""
    for column in range(left, right + 1):
        if column % step == 0 and len(line) <= (column - left) * wide:
            line = f"{line:<{(column - left) * wide}}{column * each}"
    return line
