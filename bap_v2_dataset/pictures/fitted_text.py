"""Text in a picture: how wide it is, and lines that fit. Its font is that of `figure.STYLE`."""

from functools import lru_cache
from typing import Any

from matplotlib.backends.backend_agg import RendererAgg
from matplotlib.font_manager import FontProperties, findfont, get_font

FONT = "DejaVu Sans"
_FINE = 1200  # dots per inch at which rounding does not matter


def wrapped(text: str, inches: float, size: float, bold: bool = False) -> list[str]:
    """The text in lines of at most this width; longer words are broken. At least one line."""
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
    """The text, without its middle if it is too wide."""
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
    """How many inches after the beginning of a line these words stand, after the text `before`.

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
    """The text with a box for each character that the font lacks: people chat in all kinds of characters."""
    known = _known_characters()
    return "".join(character if ord(character) in known else "□" for character in " ".join(text.split()))


@lru_cache(maxsize=1)
def _known_characters() -> frozenset[int]:
    return frozenset(_font(False).get_charmap())
