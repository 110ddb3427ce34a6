"""A walk on the grid: from above in two dimensions, obliquely in three, with its heights and its shadow."""

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from bap_v2_dataset.tasks.gsu.pictures import panels
from bap_v2_dataset.tasks.gsu.pictures.item import Place, Walk
from bap_v2_dataset.tasks.gsu.pictures.labels import Flat, along
from bap_v2_simulators.gsu.walks import VECTORS, position_text

if TYPE_CHECKING:
    from bap_v2_dataset.tasks.gsu.pictures.answers import Answer

_AWAY = (0.46, 0.3)  # where a cell along y is seen in the oblique view: cells to the right, and up
_BESIDE = 0.075  # inches between two steps on the same line
_FAR = 40  # cells: what is farther away than this is not drawn


def walk_panel(walk: Walk, answers: "Sequence[Answer]" = (), name: str = "") -> panels.Panel:
    """Return the walk, and those of systems that are wrong."""
    # The frame holds the walk and the wrong answers that end nearby.
    drawn = [answer for answer in answers if not answer.right and _near(answer, walk)]
    places = [*walk.path, *(place for answer in drawn for place in _places(answer))]
    points = [on_page(place) for place in places]
    if walk.dims == 3:
        points += [on_page(corner) for corner in _corners(_ground(places))]
    frame = panels.framed(points, 1.6, 9.0) if walk.dims == 2 else panels.framed(points, 1.0, 6.0)

    def draw(canvas: panels.Canvas) -> None:
        if walk.dims == 2:
            panels.draw_grid(canvas, ("x", "y"))
        else:
            _draw_ground(canvas, _ground(places), walk)
        draw_walk(canvas, walk)
        for number, answer in enumerate(answers):
            if answer in drawn:
                _draw_answer(canvas, answer, panels.SYSTEMS[number % len(panels.SYSTEMS)])

    # The walk in words is the description.
    facing = "darts point where the walker faces" if walk.turns else "directions are fixed"
    return panels.Panel(name or f"the walk; {facing}", frame, draw, "; ".join(walk.lines()))


def on_page(place: Place) -> Flat:
    """Return where a place is drawn."""
    if len(place) == 2:
        return float(place[0]), float(place[1])
    x, y, z = map(float, place)
    return x + _AWAY[0] * y, z + _AWAY[1] * y


def draw_walk(
    canvas: panels.Canvas, walk: Walk, flat: bool = False, with_steps: bool = True, viewer: bool = False
) -> None:
    """A walk with its numbered steps, where it starts, turns and ends.

    Args:
        flat: from above, whatever its dimensions.
        with_steps: whether steps and places are written beside it.
        viewer: whether the walker looks around at the end.
    """
    # The lines; steps that share a line are drawn beside each other.
    page = (lambda place: on_page(place[:2])) if flat else on_page
    segments = beside_each_other([(page(a), page(b)) for a, b in pairwise(walk.path)], canvas.cells(_BESIDE))
    for (_, before), (start, _) in pairwise(segments):
        if start != before:
            canvas.line([before, start], panels.WALKER, 1.6, 3)
    # Each step as an arrow, or as a line where a dart stands at its end.
    for number, (start, end) in enumerate(segments):
        if walk.turns and walk.path[number][:2] != walk.path[number + 1][:2]:
            canvas.line([start, end], panels.WALKER, 1.6, 3)  # a dart stands at its end
        else:
            canvas.arrow(start, end, panels.WALKER)
        canvas.taken += along(canvas.inches(start), canvas.inches(end))
        if with_steps:
            middle = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
            canvas.name(f"{number + 1} {walk.steps[number]}", middle, panels.SMALL, panels.INK, True, 0.03)
    # Where the walk starts, turns and ends.
    corners = [segments[0][0], *(end for _, end in segments)]
    for number, (place, corner) in enumerate(zip(walk.path, corners)):
        first, last = number == 0, number == len(walk.path) - 1
        if walk.turns:
            origin, ahead = page(place), VECTORS[walk.headings[number]]
            there = page(tuple(a + b for a, b in zip(place, ahead)))
            vector = (there[0] - origin[0], there[1] - origin[1])
            large = first or (last and viewer)
            canvas.walker(corner, vector, panels.WALKER if large else panels.TURNED, 0.11 if large else 0.09)
        elif not last:
            canvas.axes.plot(*corner, "o", markersize=6 if first else 3.5, color=panels.WALKER, zorder=4)
        if last:
            canvas.axes.plot(
                *corner, "o", markersize=12, markerfacecolor="none", markeredgecolor=panels.WALKER, zorder=4
            )
        canvas.keep([corner])
        if with_steps or first or last:
            word = "start " if first else "end " if last else ""
            canvas.name(
                f"{word}{position_text(place)}", corner, panels.SMALL, panels.INK if word else panels.QUIET, False, 0.1
            )


def beside_each_other(segments: Sequence[tuple[Flat, Flat]], beside: float) -> list[tuple[Flat, Flat]]:
    """Return the same lines; one that runs over an earlier one is moved aside.

    Args:
        beside: by how much.
    """
    result: list[tuple[Flat, Flat]] = []
    for number, (start, end) in enumerate(segments):
        across = _unit((start[1] - end[1], end[0] - start[0]))
        across = across if across > (0.0, 0.0) else (-across[0], -across[1])
        over = sum(_over((start, end), other) for other in segments[:number])
        shift = beside * ((over + 1) // 2) * (-1 if over % 2 else 1)
        moved = (across[0] * shift, across[1] * shift)
        result.append(tuple((x + moved[0], y + moved[1]) for x, y in (start, end)))  # type: ignore
    return result


def _over(segment: tuple[Flat, Flat], other: tuple[Flat, Flat]) -> bool:
    """Return whether two lines have more than a point in common."""
    (ax, ay), (bx, by) = segment
    length = ((bx - ax) ** 2 + (by - ay) ** 2) ** 0.5
    ux, uy = (bx - ax) / length, (by - ay) / length
    beside = [abs((x - ax) * uy - (y - ay) * ux) for x, y in other]
    low, high = sorted((x - ax) * ux + (y - ay) * uy for x, y in other)
    return max(beside) < 1e-6 and min(high, length) - max(low, 0.0) > 1e-6


def _unit(vector: Flat) -> Flat:
    length = (vector[0] ** 2 + vector[1] ** 2) ** 0.5
    return vector[0] / length, vector[1] / length


def _ground(places: Sequence[Place]) -> tuple[int, int, int, int, int]:
    """Return the part of the ground below some places, and its height: that of the lowest, but not above 0."""
    (x0, y0, z0), (x1, y1, _) = ([pick(float(p[axis]) for p in places) for axis in range(3)] for pick in (min, max))
    return int(x0 // 1) - 1, int(y0 // 1) - 1, int(-(-x1 // 1)) + 1, int(-(-y1 // 1)) + 1, int(min(z0, 0) // 1)


def _corners(ground: tuple[int, int, int, int, int]) -> list[Place]:
    x0, y0, x1, y1, z = ground
    return [(x0, y0, z), (x1, y0, z), (x1, y1, z), (x0, y1, z)]


def _draw_ground(canvas: panels.Canvas, ground: tuple[int, int, int, int, int], walk: Walk) -> None:
    # The ground, with numbers as far apart as can be read.
    x0, y0, x1, y1, z = ground
    canvas.axes.fill(*zip(*map(on_page, _corners(ground))), facecolor="#f4f5f7", edgecolor="none", zorder=0)
    step, y_step = (
        next(n for n in (1, 2, 5, 10, 20, 50, 100, 10**9) if n * canvas.scale * size >= inches)
        for size, inches in ((1.0, 0.22), (_AWAY[1], 0.1))
    )
    style = {"fontsize": 6.0, "color": panels.QUIET, "zorder": 1, "ha": "center", "va": "center"}
    gap = canvas.cells(0.1)
    # Lines and numbers along x, then along y.
    for x in panels.ticks_between(x0, x1, step):
        canvas.line([on_page((x, y0, z)), on_page((x, y1, z))], panels.GRID_LINE, 0.7, 0.2)
        right, up = on_page((x, y0, z))
        canvas.axes.text(right, up - gap, panels.signed(x), **style)
        canvas.keep([(right + shift * gap, up - gap) for shift in (-0.6, 0, 0.6)])
    for y in panels.ticks_between(y0, y1, y_step):
        canvas.line([on_page((x0, y, z)), on_page((x1, y, z))], panels.GRID_LINE, 0.7, 0.2)
        right, up = on_page((x1, y, z))
        canvas.axes.text(right + gap, up, panels.signed(y), **{**style, "ha": "left"})
        canvas.keep([(right + shift * gap, up) for shift in (1.0, 1.6, 2.2)])
    bold = {**style, "fontsize": 7.5, "fontweight": "bold"}
    for word, place in (("x", (x1, y0, z)), ("y", (x1, y1, z))):
        right, up = on_page(place)
        canvas.axes.text(
            right + gap * (1.6 if word == "x" else 0.6), up + gap * (1 if word == "y" else -1), word, **bold
        )
    # The shadow of the walk shows how high each place is.
    shadow = [on_page((x, y, z)) for x, y, _ in walk.path]
    canvas.line(shadow, "#c3c8ce", 2.2, 0.5)
    for place, below in zip(walk.path, shadow):
        if place[2] != z:
            canvas.line([on_page(place), below], panels.PALE, 0.7, 0.6, linestyle=(0, (2, 2)))
            canvas.taken += along(canvas.inches(on_page(place)), canvas.inches(below), 0.1)


def _near(answer: "Answer", walk: Walk) -> bool:
    """Return whether an answer can be drawn: it was read, and does not lead far away."""
    places = _places(answer)
    limit = _FAR + max(abs(value) for place in walk.path for value in place)
    return bool(places) and all(abs(value) <= limit for place in places for value in place)


def _places(answer: "Answer") -> list[Place]:
    if answer.walk is not None:
        return list(answer.walk.path)
    return [answer.point] if answer.point is not None else []


def _draw_answer(canvas: panels.Canvas, answer: "Answer", color: str) -> None:
    """The walk or the point of a wrong answer."""
    if answer.walk is not None:
        segments = [(on_page(a), on_page(b)) for a, b in pairwise(answer.walk.path)]
        shift = canvas.cells(_BESIDE / 2)
        for start, end in segments:
            moved = [(x + shift, y - shift) for x, y in (start, end)]
            canvas.arrow(*moved, color, 1.3, 2.5, (0, (3, 2)))
            canvas.taken += along(*map(canvas.inches, moved))
    end = on_page(_places(answer)[-1])
    canvas.axes.plot(*end, "x", markersize=7, markeredgewidth=1.8, color=color, zorder=6)
    canvas.keep([end])
    canvas.name(f"✗ {answer.name}", end, panels.SMALL, color, True, 0.08)
