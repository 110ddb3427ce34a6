"""Panels of a GSU figure: a part of the grid with what is drawn on it, in cells."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from matplotlib.axes import Axes
from matplotlib.patches import Polygon

from bap_v2_dataset.pictures.figures import width_of
from bap_v2_dataset.tasks.gsu.pictures.labels import Flat, MapLabel, placed

INK, GRID_LINE, AXIS_LINE, QUIET, PALE = "#1c1c1c", "#e3e6e9", "#b4bac1", "#5a626b", "#9aa3ab"
WALKER, TURNED = "#2b3a4a", "#d62828"  # the walk, and where its walker faces
SYSTEMS = ("#c2185b", "#00838f", "#6a1b9a", "#b25b00")  # the colors of systems: of none of the blocks
SMALL = 6.5  # points
_TICK = 6.0
_MOST_TICKS = 16


class Canvas:
    """Axes in cells, which know how large an inch is, and collect labels until all else is drawn."""

    def __init__(self, axes: Axes, frame: Sequence[float], scale: float):
        """Args: frame: left, bottom, right, top in cells; scale: inches per cell."""
        self.axes, self.frame, self.scale = axes, frame, scale
        self.labels: list[MapLabel] = []
        self.taken: list[Flat] = []  # in inches

    def cells(self, inches: float) -> float:
        """Return so many inches in cells."""
        return inches / self.scale

    def name(self, text: str, at: Flat, size: float = SMALL, color: str = INK, bold: bool = False, away: float = 0.05):
        """Writes words beside a point, as soon as all else is drawn."""
        self.labels.append(MapLabel(text, self.inches(at), size, color, bold, away))

    def keep(self, points: Sequence[Flat]) -> None:
        """Points that no words should cover."""
        self.taken += [self.inches(point) for point in points]

    def inches(self, point: Flat) -> Flat:
        """Return a point in inches from the corner of the panel."""
        return (point[0] - self.frame[0]) * self.scale, (point[1] - self.frame[1]) * self.scale

    def line(self, points: Sequence[Flat], color: str = INK, width: float = 1.0, order: float = 2, **style) -> None:
        """A line through points."""
        self.axes.plot(*zip(*points), color=color, linewidth=width, zorder=order, solid_capstyle="round", **style)

    def arrow(self, start: Flat, end: Flat, color: str = INK, width: float = 1.6, order: float = 3, dashes="solid"):
        """A line with a head at its end."""
        style = {"arrowstyle": "-|>,head_length=0.42,head_width=0.2", "shrinkA": 0, "shrinkB": 0, "color": color,
                 "linewidth": width, "linestyle": dashes, "mutation_scale": 11, "joinstyle": "miter"}  # fmt: skip
        self.axes.annotate("", end, start, arrowprops=style, zorder=order, annotation_clip=False)

    def walker(self, at: Flat, ahead: Flat, color: str = WALKER, inches: float = 0.1, filled: bool = True) -> None:
        """Somebody as a dart that points ahead: a vector of any length."""
        length = (ahead[0] ** 2 + ahead[1] ** 2) ** 0.5
        (fx, fy), size = (ahead[0] / length, ahead[1] / length), self.cells(inches)
        corners = [(1.0, 0.0), (-0.75, 0.68), (-0.4, 0.0), (-0.75, -0.68)]  # ahead, to the left
        points = [(at[0] + size * (f * fx - s * fy), at[1] + size * (f * fy + s * fx)) for f, s in corners]
        face = color if filled else "white"
        self.axes.add_patch(Polygon(points, closed=True, facecolor=face, edgecolor=color, linewidth=0.9, zorder=5))
        self.keep([at, *points])

    def finish(self) -> None:
        """Writes the labels."""
        left, bottom, right, top = self.frame
        room = (0.02, 0.02, (right - left) * self.scale - 0.02, (top - bottom) * self.scale - 0.02)
        for label, (x, y), far in placed(self.labels, self.taken, room):
            at = (x / self.scale + left, y / self.scale + bottom)
            if far:
                start = (label.at[0] / self.scale + left, label.at[1] / self.scale + bottom)
                self.line([start, at], color=PALE, width=0.5, order=5.5)
            self.axes.text(
                *at, label.text, fontsize=label.size, color=label.color, ha="center", va="center", zorder=7,
                fontweight="bold" if label.bold else "normal",
                bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.75, "pad": 0.6},
            )  # fmt: skip


class Panel(NamedTuple):
    """A part of a figure."""

    name: str
    frame: tuple[float, float, float, float]  # what has to be seen: left, bottom, right, top, in cells
    draw: Callable[[Canvas], None]
    words: str  # what it shows, for those who do not see it


def framed(points: Sequence[Flat], margin: float, least: float) -> tuple[float, float, float, float]:
    """Return the rectangle around points, with a margin, and at least so many cells wide and high."""
    frame = []
    for values in zip(*points):
        low, high = min(values) - margin, max(values) + margin
        more = max(0.0, least - (high - low)) / 2
        frame.append((low - more, high + more))
    (left, right), (bottom, top) = frame
    return left, bottom, right, top


def tick_step(cells: float) -> int:
    """Return how many cells there are from one number at the edge to the next."""
    return next((step for step in (1, 2, 5, 10, 20, 50, 100) if cells / step <= _MOST_TICKS), 1000)


def ticks_between(low: float, high: float, step: int) -> range:
    """Return the multiples of a step in a range."""
    first = -(-low // step)
    return range(int(first * step), int(high // step * step) + 1, step)


def draw_grid(canvas: Canvas, names: tuple[str, str]) -> None:
    """Lines through the cells, with numbers at the left and lower edge, and the names of the axes."""
    left, bottom, right, top = canvas.frame
    step = tick_step(max(right - left, top - bottom))
    inset, end = canvas.cells(0.045), canvas.cells(width_of(names[0], _TICK + 1.5, True) + 0.12)
    for x in ticks_between(left, right, step):
        canvas.line([(x, bottom), (x, top)], AXIS_LINE if x == 0 else GRID_LINE, 0.7, 0)
        if left + canvas.cells(0.25) < x < right - end:
            _number(canvas, x, (x, bottom + inset), va="bottom", ha="center")
    for y in ticks_between(bottom, top, step):
        canvas.line([(left, y), (right, y)], AXIS_LINE if y == 0 else GRID_LINE, 0.7, 0)
        if bottom + canvas.cells(0.2) < y < top - canvas.cells(0.2):
            _number(canvas, y, (left + inset, y), va="center", ha="left")
    style = {"fontsize": _TICK + 1.5, "color": QUIET, "fontweight": "bold", "zorder": 1}
    canvas.axes.text(right - inset, bottom + inset, names[0], ha="right", va="bottom", **style)
    canvas.axes.text(left + inset, top - inset, names[1], ha="left", va="top", **style)


def _number(canvas: Canvas, value: int, at: Flat, **style) -> None:
    canvas.axes.text(*at, signed(value), fontsize=_TICK, color=QUIET, zorder=1, **style)


def signed(value: object) -> str:
    """Return a number or a direction with a minus as long as a plus."""
    return f"{value}".replace("-", "−")
