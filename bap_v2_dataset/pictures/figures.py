"""What all figures of matplotlib share: their style, text that fits, strokes, and their bytes.

The same figure gives the same bytes.
"""

import io
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import matplotlib

matplotlib.use("Agg")  # never a window
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg, RendererAgg
from matplotlib.collections import PathCollection
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties, findfont, get_font
from matplotlib.path import Path as Outline
from PIL import Image

from bap_v2_dataset.pictures.projection import Stroke

FONT = "DejaVu Sans"
STYLE = {"font.family": FONT, "text.parse_math": False, "svg.hashsalt": "bap_v2", "svg.fonttype": "path",
          "pdf.fonttype": 42}  # fmt: skip
_FINE = 1200  # dots per inch at which rounding does not matter


def saved(figure: Figure, title: str, words: str, format: str, dpi: int) -> bytes:
    """Return the figure as png, svg or pdf, with its title and a description in words in the file; drawn in STYLE."""
    described = {"Title": title, "Description": words}
    options: dict[str, dict[str, Any]] = {
        "png": {"dpi": dpi, "metadata": {"Software": None, **described}},
        "svg": {"metadata": {"Date": None, "Creator": None, **described}},
        "pdf": {"metadata": {"CreationDate": None, "Title": title, "Subject": words}},
    }
    data = io.BytesIO()
    figure.savefig(data, format=format, facecolor="white", **options[format])
    return data.getvalue()


def gif(
    size: tuple[float, float],
    draw: Callable[[Figure, int], None],
    milliseconds: Sequence[int],
    colors: int,
    progress: Callable[[int, int], None],
) -> bytes:
    """Return an animation that plays again and again, of 100 dots an inch.

    Args:
        size: in inches.
        draw: draws the frame of a number on an empty page.
        milliseconds: that each frame stays.
        colors: of all frames.
        progress: is called after each frame, with the number of frames drawn and of all.
    """
    pictures = []
    with matplotlib.rc_context(STYLE):
        page = Figure(figsize=size, dpi=100, facecolor="white")
        canvas = FigureCanvasAgg(page)
        for number in range(len(milliseconds)):
            page.clear()
            draw(page, number)
            canvas.draw()
            pictures.append(Image.frombuffer("RGBA", canvas.get_width_height(), canvas.buffer_rgba()).convert("RGB"))
            progress(number + 1, len(milliseconds))
    palette = pictures[-1].quantize(colors, dither=Image.Dither.NONE)
    first, *rest = (picture.quantize(palette=palette, dither=Image.Dither.NONE) for picture in pictures)
    data = io.BytesIO()
    first.save(data, "GIF", save_all=True, append_images=rest, duration=list(milliseconds), loop=0, optimize=False)
    return data.getvalue()


def paint(axes: Axes, strokes: Sequence[Stroke], scale: float) -> None:
    """Paints strokes in their order. Args: scale: cells in an inch."""
    thin = min(1.0, 1.6 / scale**0.5)
    axes.add_collection(
        PathCollection(
            [_outline(stroke) for stroke in strokes],
            facecolors=[_rgba(stroke.fill, stroke.alpha) for stroke in strokes],
            edgecolors=[_rgba(stroke.edge or stroke.fill, stroke.alpha) for stroke in strokes],
            linewidths=[stroke.width * thin if stroke.edge else 0.0 for stroke in strokes],
            joinstyle="round",
            capstyle="round",
        ),
        autolim=False,
    )


def _outline(stroke: Stroke) -> Outline:
    return Outline([*stroke.points, stroke.points[0]], closed=True) if stroke.fill else Outline(stroke.points)


def _rgba(rgb: Sequence[int] | None, alpha: float) -> tuple[float, ...]:
    return (0.0, 0.0, 0.0, 0.0) if rgb is None else (*(value / 255 for value in rgb), alpha)


def wrapped(text: str, inches: float, size: float, bold: bool = False) -> list[str]:
    """Return the text in lines of at most this width; longer words are broken. At least one line."""
    lines, line = [], ""
    for word in _printable(text).split(" "):
        longer = f"{line} {word}" if line else word
        if width_of(longer, size, bold) <= inches:
            line = longer
            continue
        if line:
            lines.append(line)
        while width_of(word, size, bold) > inches and len(word) > 1:
            fits = next(n for n in range(len(word) - 1, 0, -1) if n == 1 or width_of(word[:n], size, bold) <= inches)
            lines.append(word[:fits])
            word = word[fits:]
        line = word
    return [*lines, line]


def fitting(text: str, inches: float, size: float, bold: bool = False) -> str:
    """Return the text, without its middle if it is too wide."""
    text = short = _printable(text)
    length = len(text)
    while width_of(short, size, bold) > inches and length > 2:
        length -= 1
        short = f"{text[: length - length // 2]}…{text[len(text) - length // 2 :]}"
    return short


@lru_cache(maxsize=4096)
def width_of(text: str, size: float, bold: bool = False) -> float:
    """Of a printed line, in inches."""
    font = _font(bold)
    font.set_size(size, 72)
    font.set_text(text, 0.0)
    return font.get_width_height()[0] / 64 / 72


def place_of(words: str, before: str, size: float, dpi: float | None) -> float:
    """Return the inches from the beginning of a line to these words, after the text `before`.

    Args:
        dpi: of the picture: there, letters begin at whole dots, which adds up along a line; None: they do not.
    """
    renderer = RendererAgg(1, 1, dpi or _FINE)
    font = FontProperties(FONT, size=size)
    widths = [renderer.get_text_width_height_descent(text, font, False)[0] for text in (before + words, words)]
    return (widths[0] - widths[1]) / (dpi or _FINE)


@lru_cache(maxsize=2)
def _font(bold: bool) -> Any:
    return get_font(findfont(FontProperties(FONT, weight="bold" if bold else "normal")))


def _printable(text: str) -> str:
    """Return the text with a box for each character that the font lacks: people chat in all kinds of characters."""
    known = _known_characters()
    return "".join(character if ord(character) in known else "□" for character in " ".join(text.split()))


@lru_cache(maxsize=1)
def _known_characters() -> frozenset[int]:
    return frozenset(_font(False).get_charmap())
