"""An episode of Plancraft as an animated GIF, or as a strip of all its moments: the table, and the turns beside it."""

from collections.abc import Callable, Sequence
from typing import Any

from matplotlib import rc_context
from matplotlib.figure import Figure

from bap_v2_dataset.pictures.figures import STYLE, fitting, gif, saved, wrapped
from bap_v2_dataset.tasks.plancraft.pictures.frames import EpisodeFrame, Shown
from bap_v2_dataset.tasks.plancraft.pictures.table import table_image

_WIDTH, _HEIGHT = 7.6, 4.25  # inches of the animation
_TABLE = 3.72  # inches that the table is wide
_ASPECT = 704 / 664
_GAP, _TOP = 0.12, 0.2
_SIZE, _LINE = 8.0, 0.158
_COLORS = 200
_GRAY, _RIGHT, _WRONG = "#555555", "#2e7d32", "#b3261e"
_CELL, _IN_A_ROW = 2.3, 6  # inches that a moment of a strip is wide, and how many stand in a row
_CAPTION_LINES = 4


def animation(shown: Shown, title: str, progress: Callable[[int, int], None] = lambda done, of: None) -> bytes:
    """Return the GIF, which plays again and again.

    Args:
        progress: is called after each frame, with the number of frames drawn and of all.
    """
    times = [frame.milliseconds for frame in shown.frames]
    return gif((_WIDTH, _HEIGHT), lambda page, number: _draw(page, shown, title, number), times, _COLORS, progress)


def _draw(page: Figure, shown: Shown, title: str, number: int) -> None:
    """Draws a moment, with the turns up to it."""

    def write(text: str, left: float, top: float, size: float = _SIZE, **style: Any) -> None:
        page.text(left / _WIDTH, 1 - top / _HEIGHT, text, fontsize=size, va="top", ha="left", **style)

    # The table on the left.
    frame = shown.frames[number]
    height = _TABLE * _ASPECT
    _table(page, frame, (_GAP / _WIDTH, 1 - (_TOP + height) / _HEIGHT, _TABLE / _WIDTH, height / _HEIGHT), 490)
    # The turns so far on the right, the newest in bold.
    left = 2 * _GAP + _TABLE
    width = _WIDTH - left - _GAP
    lines: list[tuple[str, dict[str, Any]]] = []
    for place, one in enumerate(shown.frames[1 : number + 1], start=1):
        newest = place == number
        start = f"{place}. "
        for text in wrapped(start + one.turn, width, _SIZE, newest):
            lines.append((text, {"fontweight": "bold"} if newest else {}))
        if one.words:
            lines += [(text, {"color": _GRAY}) for text in wrapped(f"    {one.words}", width, _SIZE)]
    # The newest lines that there is room for, below the title.
    low = _HEIGHT - _GAP - _LINE * (1 if number == len(shown.frames) - 1 else 0)
    top = _TOP + 0.52
    room = int((low - top) / _LINE)
    write(fitting(title, width, 10.5, True), left, _TOP, 10.5, fontweight="bold")
    write(fitting(shown.frames[0].words, width, 9.5), left, _TOP + 0.22, 9.5)
    for place, (text, style) in enumerate(lines[-room:]):
        write(text, left, top + place * _LINE, **style)
    if number == len(shown.frames) - 1:
        color = _RIGHT if shown.success else _WRONG
        write(shown.verdict, left, _HEIGHT - _GAP - _LINE, color=color, fontweight="bold")


def strip(episodes: Sequence[Shown], title: str, format: str = "png", dpi: int = 110) -> bytes:
    """Return all moments of episodes side by side, as PNG, SVG or PDF, with a description in words in the file."""
    # Long episodes take several rows.
    rows = [
        (shown, shown.frames[start : start + _IN_A_ROW], start)
        for shown in episodes
        for start in range(0, len(shown.frames), _IN_A_ROW)
    ]
    # The size of the page follows from the rows.
    across = max(len(frames) for _, frames, _ in rows)
    caption = _CAPTION_LINES * _LINE + 0.06
    table = (_CELL - _GAP) * _ASPECT
    heights = [(0.3 if not start else 0.04) + table + caption for _, _, start in rows]
    width, height = across * _CELL + _GAP, 0.4 + sum(heights)
    with rc_context(STYLE):
        page = Figure(figsize=(width, height), facecolor="white")

        def write(text: str, left: float, top: float, size: float = _SIZE, **style: Any) -> None:
            page.text(left / width, 1 - top / height, text, fontsize=size, va="top", ha="left", **style)

        write(fitting(f"{title} · {episodes[0].frames[0].words}", width - 2 * _GAP, 10.5, True), _GAP, 0.1, 10.5,
              fontweight="bold")  # fmt: skip
        # A heading for each episode, then its tables with the turn and its outcome below.
        top = 0.4
        for shown, frames, start in rows:
            if not start:
                color = _RIGHT if shown.success else _WRONG
                write(fitting(f"{shown.name}: {shown.verdict}", width - 2 * _GAP, 9), _GAP, top, 9, color=color)
                top += 0.26
            for column, frame in enumerate(frames):
                left = _GAP + column * _CELL
                place = (left / width, 1 - (top + table) / height, (_CELL - _GAP) / width, table / height)
                _table(page, frame, place, 420)
                number = start + column
                text = f"{number}. {frame.turn}" if number else "at the beginning"
                lines = [(line, {}) for line in wrapped(text, _CELL - _GAP, _SIZE)]
                lines += [(line, {"color": _GRAY}) for line in wrapped(frame.words, _CELL - _GAP, _SIZE) if number]
                for place_of_line, (line, style) in enumerate(lines[:_CAPTION_LINES]):
                    write(line, left, top + table + 0.03 + place_of_line * _LINE, **style)
            top += table + caption + 0.04
        # The description in words.
        words = ". ".join(f"{shown.name}: {shown.verdict}" for shown in episodes)
        return saved(page, title, words, format, dpi)


def _table(page: Figure, frame: EpisodeFrame, place: tuple[float, float, float, float], width: int) -> None:
    axes = page.add_axes(place)
    axes.imshow(table_image(frame.state, width, frame.slots), interpolation="nearest", aspect="auto")
    axes.set_axis_off()
