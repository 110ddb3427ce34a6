"""The colors of blocks in a terminal: exact ones, or six of the sixteen that old terminals name."""

from collections.abc import Mapping
from enum import Enum
from typing import NamedTuple

from rich.color import Color as TerminalColor
from rich.color import ColorSystem
from rich.console import Console
from rich.style import Style

from bap_v2_dataset.pictures.drawing import RGB
from bap_v2_metric.blocks import Color


class Part(Enum):
    """The part that a pixel of the view from the side belongs to; its value is its lightness."""

    TOP = 1.15
    FRONT = 0.9
    EDGE = 0.72
    SIDE = 0.5
    LIGHT_GROUND = 78
    DARK_GROUND = 60


class Pixel(NamedTuple):
    """Half a character of the view from the side."""

    part: Part
    color: Color | None = None  # of the block; None is the ground
    pale: bool = False


class Palette(Enum):
    """The colors of a terminal."""

    EXACT = "exact"
    SIXTEEN = "sixteen"  # each terminal has its own idea of them: only the names can be right

    def block(self, color: Color, bold: bool = False) -> Style:
        """Return the style of a letter on a block."""
        if self is Palette.SIXTEEN:
            name, ink, _ = _SIXTEEN[color]
            return Style(color=ink, bgcolor=name, bold=bold)
        ink = (255, 255, 255) if sum(RGB[color]) < 400 else (0, 0, 0)
        return Style(color=_exact(ink), bgcolor=_exact(RGB[color]), bold=bold)

    def removed(self, color: Color, strike: bool = True) -> Style:
        """Return the style of a letter where a block was, or, without a line through it, where one should be."""
        name = TerminalColor.parse(_SIXTEEN[color][0]) if self is Palette.SIXTEEN else _exact(RGB[color])
        return Style(color=name, strike=strike)

    def pixel(self, pixel: Pixel) -> TerminalColor:
        """Return the color of a pixel. Among sixteen colors there is nothing pale: blocks keep theirs."""
        if self is Palette.SIXTEEN:
            return TerminalColor.parse(_named(pixel))
        if pixel.color is None:
            return _exact((pixel.part.value,) * 3)
        rgb = RGB[pixel.color]
        if pixel.pale:
            rgb = tuple((value + 2 * 110) // 3 for value in rgb)  # type: ignore
        return _exact(tuple(min(255, round(value * pixel.part.value)) for value in rgb))


# Orange is the brownish one of the two yellows: the two reds and the two greens are too much alike in most terminals.
_SIXTEEN: Mapping[Color, tuple[str, str, str]] = {  # of a block, of a letter on it, of its top in light
    Color.RED: ("red", "bright_white", "bright_red"),
    Color.ORANGE: ("yellow", "black", "yellow"),
    Color.YELLOW: ("bright_yellow", "black", "bright_yellow"),
    Color.GREEN: ("green", "black", "bright_green"),
    Color.BLUE: ("blue", "bright_white", "bright_blue"),
    Color.PURPLE: ("magenta", "bright_white", "bright_magenta"),
}


def palette_of(console: Console) -> Palette | None:
    """Return the colors of a terminal; None without any, or if the user wants none (NO_COLOR)."""
    system = console.color_system
    if system is None or console.no_color:
        return None
    return Palette.SIXTEEN if system in (ColorSystem.STANDARD.name.lower(), "windows") else Palette.EXACT


def _named(pixel: Pixel) -> str:
    if pixel.color is None:
        return "bright_black" if pixel.part is Part.LIGHT_GROUND else "black"
    name, _, top = _SIXTEEN[pixel.color]
    return {Part.TOP: top, Part.FRONT: name}.get(pixel.part, "black")


def _exact(rgb: tuple[int, ...]) -> TerminalColor:
    return TerminalColor.from_rgb(*rgb)
