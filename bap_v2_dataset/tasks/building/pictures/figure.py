"""A figure of an item as PNG, SVG or PDF: columns of boards, with dialogue or scores below them.

The same item gives the same bytes.
"""

import math
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Any

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from bap_v2_dataset.pictures.camera import clear_yaw, hidden, turn_in_words
from bap_v2_dataset.pictures.cubes import counts_in_words, legend
from bap_v2_dataset.pictures.drawing import Ground
from bap_v2_dataset.pictures.figures import STYLE, fitting, paint, place_of, saved, width_of, wrapped
from bap_v2_dataset.pictures.projection import Camera, edged, painted
from bap_v2_dataset.tasks.building.paper import SHORT_COLUMNS
from bap_v2_dataset.tasks.building.pictures.columns import MARKED_LEGEND, PAPER_NAMES, BoardColumn, Excerpt
from bap_v2_metric.blocks import X_MAX, X_MIN, Y_MIN, Z_MAX, Z_MIN, Cell

SIZE = 7.5  # points
_INDENT = 0.16  # inches after the speaker
_MOST_LINES = 14  # of a dialogue
_MARKED = {"facecolor": "#ffe066", "edgecolor": "none", "pad": 0.6}


def text_below(
    column: BoardColumn, inches: float, camera: Camera, dpi: float | None
) -> Iterator[tuple[int, float, str, dict[str, Any]]]:
    """Yield the text below a board: line, indent in inches, text, style.

    Args:
        inches: of width that there is.
        camera: by which the board is seen.
        dpi: of the picture; None: it is no grid of dots.
    """
    first = 0
    # Counts in words, and the scores below their headings.
    if column.scores is not None:
        for line in wrapped(counts_in_words(column.cubes, len(hidden(column.cubes, camera.eye))), inches, SIZE):
            yield first, 0.0, line, {}
            first += 1
        widths = [width_of(title, SIZE, title == "Overall") for title in SHORT_COLUMNS.values()]
        gap = min((inches - sum(widths)) / (len(widths) - 1), 0.25)
        for place, (measure, title) in enumerate(SHORT_COLUMNS.items()):
            left = sum(widths[:place]) + gap * place
            weight = {"fontweight": "bold"} if title == "Overall" else {}
            yield first, left, title, {"color": "#444444", **weight}
            yield first + 1, left, f"{100 * column.scores[measure]:.1f}", weight
        first += 2
    # What was said, and other excerpts.
    name, _, words = column.dialogue_name.partition(" ")
    said = [Excerpt(name, words, column.dialogue)] if column.dialogue_name or column.dialogue else []
    for excerpt in (*said, *column.excerpts):
        last = first
        for line, indent, text, style in _lines(excerpt, inches, dpi):
            yield first + line, indent, text, style
            last = max(last, first + line)
        first = last + 1
    # The note stands last.
    if column.note:
        for number, line in enumerate(wrapped(column.note, inches, SIZE)):
            yield first + number, 0.0, line, {"color": "#444444", "fontstyle": "italic"}


def _lines(excerpt: Excerpt, inches: float, dpi: float | None) -> Iterator[tuple[int, float, str, dict[str, Any]]]:
    """As `text_below`, from line 0. Under words that stand out lies a text of the same size without ink, on yellow."""
    # Each utterance folded, with its speaker in front and what was changed marked.
    lines: list[list[tuple[float, str, dict[str, Any]]]] = []
    for utterance, changed in zip_longest(excerpt.lines, excerpt.changed, fillvalue=frozenset()):
        speaker, said, text = utterance.partition("> ")
        style = {"fontstyle": "italic"} if speaker == "<Builder" else {}
        indent = _INDENT if said else 0.0
        word = len(utterance.split()) - len(text.split()) if said else 0
        for number, line in enumerate(wrapped(text if said else utterance, inches - indent, SIZE)):
            row: list[tuple[float, str, dict[str, Any]]] = []
            if said and not number:
                row.append((0.0, f"{speaker.strip('<>')[:1]}:", {"fontweight": "bold"}))
            words = line.split(" ")
            places = [place for place in range(len(words)) if word + place in changed]
            for first, last in _runs(places):
                marked = " ".join(words[first : last + 1])
                left = place_of(marked, " ".join([*words[:first], ""]) if first else "", SIZE, dpi)
                row.append((indent + left, marked, {**style, "color": "none", "bbox": _MARKED}))
            word += len(words)
            lines.append([*row, (indent, line, style)])
    if len(lines) > _MOST_LINES:  # the end is what the Builder acts on
        lines = [[(_INDENT, "…", {})], *lines[len(lines) - _MOST_LINES + 1 :]]
    # The heading of the excerpt, then its lines.
    heading = 0
    if excerpt.name:
        yield 0, 0.0, excerpt.name, {"color": "#444444", "fontweight": "bold"}
        yield 0, width_of(excerpt.name, SIZE, bold=True) + 0.06, excerpt.words, {"color": "#444444"}
        heading = 1
    for number, row in enumerate(lines):
        for indent, text, style in row:
            yield heading + number, indent, text, style


def _runs(numbers: Sequence[int]) -> list[tuple[int, int]]:
    """Return the first and last of each run of numbers that follow one another.

    >>> _runs([0, 1, 2, 5])
    [(0, 2), (5, 5)]
    """
    starts = [number for number in numbers if number - 1 not in numbers]
    return list(zip(starts, [number for number in numbers if number + 1 not in numbers]))


_PANEL = 2.55  # inches that a column is wide, with its margins
_MARGIN = 0.1
_IN_A_ROW = 6
_NAME = 0.24  # inches above a board
_LINE = 0.15  # inches from line to line
_LEAST_SIDE = 7  # cells of ground that are shown at least
_TICK = 5.5  # points
_BUILDER_LEGEND = "figure with a beam: where the Builder stands and looks"
_ELSEWHERE_LEGEND = "faint figure: where it stands in the parent"
_EDGE_LEGEND = "magenta edges: a block that only one of the two boards has, dashed where it is not"
_HIDDEN_LEGEND = "mark in a disk: hidden behind other blocks"


def image(
    columns: Sequence[BoardColumn],
    title: str,
    subtitle: str = "",
    format: str = "png",
    dpi: int = 160,
    in_a_row: int = _IN_A_ROW,
    yaw: float | None = None,
) -> bytes:
    """Return the figure as PNG, SVG or PDF, with its title and a description in words in the file.

    Args:
        in_a_row: columns side by side; of more, those of the models stand below.
        yaw: of the camera, in degrees; by default from the side of the Builder in the last column, or 30 degrees
            beside it if that shows much more.
    """
    return sheet(_rows(columns, in_a_row), title, subtitle, format, dpi, yaw)


def sheet(
    rows: Sequence[Sequence[BoardColumn]],
    title: str,
    subtitle: str = "",
    format: str = "png",
    dpi: int = 160,
    yaw: float | None = None,
) -> bytes:
    """As `image`, of columns that stand in these rows."""
    words = ". ".join(column.in_words for row in rows for column in row)
    with rc_context(STYLE):
        page = figure(rows, title, subtitle, yaw, dpi if format == "png" else None)
        return saved(page, title, words, format, dpi)


def figure(
    rows: Sequence[Sequence[BoardColumn]], title: str, subtitle: str, yaw: float | None = None, dpi: float | None = None
) -> Figure:
    """Return the figure; `sheet` gives its bytes, drawn in STYLE.

    All boards are seen by the same camera, which has the blocks of all columns and the Builder in view, with the part
    of the ground that they stand on. Dialogues that are too long lose their beginning.
    """
    # One camera for all boards, and how large they are drawn.
    columns = [column for row in rows for column in row]
    wide = max(len(row) for row in rows)
    width = max(wide * _PANEL, 2 * _PANEL) + _MARGIN
    camera, ground, frame = shared_view(columns, yaw=yaw, turned=True)
    across, tall = (frame[axis + 2] - frame[axis] for axis in (0, 1))
    inside = _PANEL - 2 * _MARGIN
    height_of_board = min(max(inside * tall / across, 0.62 * inside), 1.15 * inside)
    scale = max(across / inside, tall / height_of_board)  # cells in an inch
    # All texts folded, so that the height of the page is known.
    keys = wrapped(_legend(columns, camera), width - 2 * _MARGIN, SIZE - 0.5)
    heading = wrapped(title, width - 2 * _MARGIN, 10.5, bold=True)
    under = wrapped(subtitle, width - 2 * _MARGIN, SIZE) if subtitle else []
    texts = {id(column): list(text_below(column, inside, camera, dpi)) for column in columns}
    above, under_all = 0.1 + 0.2 * len(heading) + _LINE * len(under) + 0.05, 0.12 + 0.14 * len(keys)
    lines = [max(line for column in row for line, *_ in [*texts[id(column)], (0,)]) + 1 for row in rows]
    heights = [_NAME + height_of_board + 0.1 + _LINE * number + 0.12 for number in lines]
    height = above + sum(heights) + under_all
    page = Figure(figsize=(width, height))

    def write(text: str, left: float, top: float, size: float = SIZE, **style: object) -> None:
        page.text(left / width, 1 - top / height, text, fontsize=size, va="top", ha="left", **style)

    # Title and what is below it.
    for number, line in enumerate(heading):
        write(line, _MARGIN, 0.1 + 0.2 * number, 10.5, fontweight="bold")
    for number, line in enumerate(under):
        write(line, _MARGIN, 0.1 + 0.2 * len(heading) + _LINE * number, color="#444444")
    # A row of boards after the other: name, board, text.
    top = above
    for row, tall_row in zip(rows, heights):
        for place, column in enumerate(row):
            left = _MARGIN + place * _PANEL
            name = fitting(column.name, inside if not column.title else 0.6 * inside, 9.0, bold=True)
            write(name, left, top + 0.02, 9.0, fontweight="bold")
            if column.title:
                write(column.title, left + width_of(name, 9.0, bold=True) + 0.08, top + 0.045, color="#444444")
            low = top + _NAME + height_of_board
            axes = page.add_axes((left / width, 1 - low / height, inside / width, height_of_board / height))
            draw_board(axes, column, camera, ground, frame, (inside * scale, height_of_board * scale), scale)
            for line, indent, text, style in texts[id(column)]:
                write(text, left + indent, low + 0.1 + _LINE * line, **style)
        top += tall_row
    # The legend.
    for number, line in enumerate(keys):
        write(line, _MARGIN, top + 0.02 + 0.14 * number, SIZE - 0.5, color="#444444")
    return page


def _rows(columns: Sequence[BoardColumn], in_a_row: int) -> list[list[BoardColumn]]:
    """Return one row of columns; if there are too many, the models below."""
    if len(columns) <= in_a_row:
        return [list(columns)]
    models = [column for column in columns if column.scores is not None]
    rows = [[column for column in columns if column.scores is None]]
    lines = -(-len(models) // in_a_row)
    size = -(-len(models) // lines)
    return rows + [models[start : start + size] for start in range(0, len(models), size)]


def shared_view(
    columns: Sequence[BoardColumn], with_builder: bool = True, yaw: float | None = None, turned: bool = False
) -> tuple[Camera, Ground, tuple[float, float, float, float]]:
    """The camera, the part of the ground that is drawn, and what of the picture holds something: left, bottom, right,
    top.

    The camera looks at the middle of all blocks, by default from the Builder's side in this turn, which is that of the
    last column.

    Args:
        turned: whether it may stand 30 degrees beside that side, where it sees more blocks (`clear_yaw`).
    """
    # The cells that have to be seen.
    cubes = [cube for column in columns for cube in column.cubes]
    builders = [Cell(math.floor(column.pose.x), Y_MIN, math.floor(column.pose.z)) for column in columns]
    builders = builders if with_builder else []
    cells = [cube.cell for cube in cubes] + [cell for cell in builders if cell.in_region]
    cells = cells or [Cell(X_MIN, Y_MIN, Z_MIN), Cell(X_MAX, Y_MIN, Z_MAX)]
    # Some ground around them, inside the board.
    low, high = ([pick(cell[axis] for cell in cells) for axis in range(3)] for pick in (min, max))
    for axis, (least, most) in ((0, (X_MIN, X_MAX)), (2, (Z_MIN, Z_MAX))):
        low[axis], high[axis] = min(max(low[axis] - 1, least), most), max(min(high[axis] + 1, most), least)
        missing = _LEAST_SIDE - (high[axis] - low[axis] + 1)
        if missing > 0:  # some ground around, but none beyond the board
            low[axis] = max(least, min(low[axis] - missing // 2, most + 1 - _LEAST_SIDE))
            high[axis] = max(high[axis], low[axis] + _LEAST_SIDE - 1)
    # The camera looks at their middle, from a side where little is hidden.
    focus = tuple((a + b + 1) / 2 for a, b in zip(low, high))
    if yaw is None:
        yaw = columns[-1].pose.yaw
        if turned:
            yaw = clear_yaw([column.cubes for column in columns], yaw, lambda yaw: Camera(focus, yaw).eye)
    camera = Camera(focus, yaw)
    # The frame holds the ground with its numbers, and all that is painted.
    ground = Ground(low[0], low[2], high[0] + 1, high[2] + 1)
    points = [camera.on_page((x, Y_MIN, z)) for x in (ground.x0, ground.x1) for z in (ground.z0, ground.z1)]
    points += [camera.on_page(tick.point) for tick in ground.ticks(camera.yaw)]
    for column in columns:
        for stroke in painted(column.cubes, camera, column.pose if with_builder else None, ground):
            if stroke.framed:
                points += stroke.points
    (left, right), (bottom, top) = ((min(values) - 0.3, max(values) + 0.3) for values in zip(*points))
    return camera, ground, (left, bottom, right, top)


def draw_board(
    axes: Axes,
    column: BoardColumn,
    camera: Camera,
    ground: Ground,
    frame: Sequence[float],
    size: Sequence[float],
    scale: float,
    with_builder: bool = True,
) -> None:
    """Draws a board with its coordinates.

    Args:
        frame: what has to be seen: left, bottom, right, top.
        size: width and height of the axes in cells.
        scale: cells in an inch.
    """
    middle = (frame[0] + frame[2]) / 2, (frame[1] + frame[3]) / 2
    axes.set_xlim(middle[0] - size[0] / 2, middle[0] + size[0] / 2)
    axes.set_ylim(middle[1] - size[1] / 2, middle[1] + size[1] / 2)
    axes.set_xticks([])
    axes.set_yticks([])
    for spine in axes.spines.values():
        spine.set_color("#d5d8dc")
    strokes = painted(column.cubes, camera, column.pose if with_builder else None, ground, column.elsewhere)
    strokes += [*edged(column.stands_out, camera), *edged(column.missing, camera, dashes=True)]
    paint(axes, strokes, scale)
    for text, point, name in ground.ticks(camera.yaw):
        style = {"fontsize": _TICK + 1.5, "fontweight": "bold"} if name else {"fontsize": _TICK}
        axes.text(*camera.on_page(point), text, ha="center", va="center", color="#4a5057", zorder=0.5, **style)


def _legend(columns: Sequence[BoardColumn], camera: Camera) -> str:
    used = {cube.look for column in columns for cube in column.cubes}
    keys = [words for look, words in legend().items() if look in used]
    if any(hidden(column.cubes, camera.eye) for column in columns):
        keys.append(_HIDDEN_LEGEND)
    keys += [_BUILDER_LEGEND, *turn_in_words(camera.yaw, columns[-1].pose.yaw)]
    if not any(column.excerpts for column in columns):
        return "  ·  ".join([*keys, PAPER_NAMES])
    if any(column.elsewhere for column in columns):
        keys.append(_ELSEWHERE_LEGEND)
    if any(column.stands_out or column.missing for column in columns):
        keys.append(_EDGE_LEGEND)
    if any(any(excerpt.changed) for column in columns for excerpt in column.excerpts):
        keys.append(MARKED_LEGEND)
    return "  ·  ".join(keys)
