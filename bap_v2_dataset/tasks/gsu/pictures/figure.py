"""A figure of a GSU item as PNG, SVG or PDF: panels of the grid, the question, the answer, and what systems answered.

The same item gives the same bytes.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from matplotlib import rc_context
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import text_to_path

from bap_v2_dataset.pictures.figures import FONT, STYLE, fitting, saved, wrapped
from bap_v2_dataset.tasks.gsu.pictures.item import question_lines, title, walk_of
from bap_v2_dataset.tasks.gsu.pictures.panels import INK, QUIET, SYSTEMS, Canvas, Panel
from bap_v2_dataset.tasks.gsu.pictures.scene_panel import map_panel, scene_panels
from bap_v2_dataset.tasks.gsu.pictures.structure_panel import outlook_panel, structure_panels
from bap_v2_dataset.tasks.gsu.pictures.walk_panel import walk_panel

if TYPE_CHECKING:
    from bap_v2_dataset.tasks.gsu.pictures.answers import Answer

_PANEL = 3.5  # inches that a panel is wide
_LEAST, _MOST = 2.2, 3.7  # inches that it is high
_MARGIN, _GAP = 0.12, 0.16
_BESIDE = 3.5  # inches of text beside a panel
_SIZE, _LINE = 7.5, 0.145  # points of text, and inches from line to line
_RIGHT, _WRONG = "#2e7d32", "#b3261e"


class _Piece(NamedTuple):
    """Words in a line of the text."""

    text: str
    left: float = 0.0  # inches
    color: str = INK
    bold: bool = False


def image(
    row: Mapping[str, Any], answers: "Sequence[Answer]" = (), subtitle: str = "", format: str = "png", dpi: int = 160
) -> bytes:
    """Return the figure of an item, with its title and a description in words in the file.

    Args:
        answers: of systems (`gsu_answers.answered`).
        format: png, svg or pdf.
    """
    panels = panels_of(row, answers)
    words = ". ".join([*(panel.words for panel in panels), f"Answer: {row['answer']}"])
    with rc_context(STYLE):
        return saved(figure(row, panels, answers, subtitle), row["id"], words, format, dpi)


def panels_of(row: Mapping[str, Any], answers: "Sequence[Answer]" = ()) -> list[Panel]:
    """Return the panels of an item."""
    if row["task"] == "structure":
        return structure_panels(row)
    if row["task"] == "combined":
        return [map_panel(row), outlook_panel(row)]
    if row["task"] == "localization":
        return scene_panels(row)
    walk = walk_of(row)
    assert walk is not None
    return [walk_panel(walk, answers)]


def figure(row: Mapping[str, Any], panels: Sequence[Panel], answers: "Sequence[Answer]", subtitle: str) -> Figure:
    """Panels side by side; the text beside a single one, or below two."""
    # The size of the page follows from the panels and the lines of text.
    beside = len(panels) == 1
    across = len(panels) * _PANEL + (len(panels) - 1) * _GAP
    width = across + 2 * _MARGIN + beside * (_BESIDE + _GAP)
    text_width = _BESIDE if beside else across
    lines = list(_text(row, answers, text_width))
    high = max(min(max(_PANEL * _height(panel) / _width(panel), _LEAST), _MOST) for panel in panels)
    top = 0.55
    below = 0.2 + high  # with the names of the panels
    height = top + max(below, len(lines) * _LINE) + 0.1 if beside else top + below + 0.12 + len(lines) * _LINE + 0.1
    page = Figure(figsize=(width, height))

    def write(piece: _Piece, left: float, down: float, size: float = _SIZE) -> None:
        page.text(
            (left + piece.left) / width, 1 - (down + size / 72) / height, piece.text, fontsize=size, ha="left",
            color=piece.color, fontweight="bold" if piece.bold else "normal",
        )  # fmt: skip

    # The head: the id, and what the item asks.
    write(_Piece(row["id"], bold=True), _MARGIN, 0.1, 10.5)
    under = " · ".join(filter(None, (title(row), subtitle)))
    write(_Piece(fitting(under, width - 2 * _MARGIN, _SIZE), color=QUIET), _MARGIN, 0.31)
    # Each panel is centered in its axes at its own scale.
    for number, panel in enumerate(panels):
        left = _MARGIN + number * (_PANEL + _GAP)
        write(_Piece(fitting(panel.name, _PANEL, _SIZE), color=QUIET), left, top)
        axes = page.add_axes((left / width, 1 - (top + below) / height, _PANEL / width, high / height))
        scale = min(_PANEL / _width(panel), high / _height(panel))
        middle = (panel.frame[0] + panel.frame[2]) / 2, (panel.frame[1] + panel.frame[3]) / 2
        reach = _PANEL / scale / 2, high / scale / 2
        frame = (middle[0] - reach[0], middle[1] - reach[1], middle[0] + reach[0], middle[1] + reach[1])
        axes.set(xlim=frame[::2], ylim=frame[1::2], xticks=[], yticks=[])
        for spine in axes.spines.values():
            spine.set_color("#d5d8dc")
        canvas = Canvas(axes, frame, scale)
        panel.draw(canvas)
        canvas.finish()
    # The text stands to the right of a single panel, or below two.
    left, down = (_MARGIN + _PANEL + _GAP, top) if beside else (_MARGIN, top + below + 0.12)
    for number, line in enumerate(lines):
        for piece in line:
            write(piece, left, down + number * _LINE)
    return page


def _text(row: Mapping[str, Any], answers: "Sequence[Answer]", inches: float) -> Iterator[list[_Piece]]:
    """Yield the lines beside or below the panels: the question, the answer, and those of systems."""
    for line in question_lines(row):
        yield from ([_Piece(part)] for part in wrapped(line, inches, _SIZE))
    yield []
    yield from _hanging("Answer", INK, row["answer"], _RIGHT, inches)
    for number, answer in enumerate(answers):
        color = SYSTEMS[number % len(SYSTEMS)]
        words = f"{answer.mark} {answer.said}" + (f"  ({answer.note})" if answer.note else "")
        yield from _hanging(answer.name, color, words, _RIGHT if answer.right else _WRONG, inches)


def _hanging(name: str, color: str, text: str, color_of_text: str, inches: float) -> Iterator[list[_Piece]]:
    """Yield a name, and text that is set in."""
    name = fitting(name, 0.4 * inches, _SIZE, bold=True)
    first = _width_of(name) + 0.12
    (line, *more) = wrapped(text, inches - first, _SIZE)
    yield [_Piece(name, 0.0, color, True), _Piece(line, first, color_of_text)]
    yield from ([_Piece(part, first, color_of_text)] for part in more)


@lru_cache(maxsize=256)
def _width_of(name: str) -> float:
    """Of a bold name, in inches, however many dots an inch has."""
    font = FontProperties(FONT, size=_SIZE, weight="bold")
    return text_to_path.get_text_width_height_descent(name, font, False)[0] / 72


def _width(panel: Panel) -> float:
    return panel.frame[2] - panel.frame[0]


def _height(panel: Panel) -> float:
    return panel.frame[3] - panel.frame[1]
