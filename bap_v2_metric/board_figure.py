"""A board as a picture: which cubes it holds, what each of them tells, and an interactive 3D figure of them.

What is there is solid, what is not is an outline of dashes. Colour alone tells nothing but the block's colour:

    OLD      pale                        the block was there before
    NEW      in full colour              it was placed
    REMOVED  outline                     it was taken away
    CORRECT  with a ✓ on its faces       a prediction did what the reference does
    WRONG    with a ✗                    it did what the reference does not
    MISSED   with a ○                    it did not do what the reference does

A judged cube is a placement or a removal: a wrong removal is an outline with ✗, a missed removal a pale block with ○.

The figure is plain JSON for plotly, which this file does not import. Of `evaluate.load("bap_v2")` it is no part: only
the page of the Space and the pictures of `bap_v2_dataset` use it.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from .actions import ActionType, NetAction, net_actions
from .blocks import X_MAX, X_MIN, Y_MIN, Z_MAX, Z_MIN, Block, Cell, Color, Structure
from .notation import format_block
from .scoring import INTERPRETATIONS, InputError, fair_net_actions

Rgb = tuple[int, int, int]  # 0..255
Point = tuple[float, float, float]  # x, y (up), z in cells: a cell is the cube from its coordinates to those plus 1

RGB: Mapping[Color, Rgb] = {
    Color.RED: (205, 50, 50),
    Color.ORANGE: (240, 140, 30),
    Color.YELLOW: (240, 220, 70),
    Color.GREEN: (60, 160, 75),
    Color.BLUE: (60, 100, 220),
    Color.PURPLE: (150, 80, 190),
}
_PALE = 0.6  # the share of white in a block that was there before
EYE_HEIGHT = 1.62  # cells above the feet


class Look(str, Enum):
    """What a cube tells."""

    OLD = "old"
    NEW = "new"
    REMOVED = "removed"
    CORRECT = "correct"
    WRONG = "wrong"
    MISSED = "missed"


MARKS: Mapping[Look, str] = {Look.CORRECT: "✓", Look.WRONG: "✗", Look.MISSED: "○"}


@dataclass(frozen=True)
class Cube:
    """A cube to draw. A cell that is recoloured has two: a solid one and an outline."""

    cell: Cell
    color: Color
    look: Look
    removal: bool = False  # of a judged cube: whether the action is a removal

    @property
    def solid(self) -> bool:
        """Whether the block is there; an outline if not."""
        if self.look in (Look.CORRECT, Look.WRONG):
            return not self.removal
        return self.look is not Look.REMOVED and (self.look is not Look.MISSED or self.removal)

    @property
    def pale(self) -> bool:
        """Whether it is a block that was there before and still is."""
        return self.look is Look.OLD or (self.look is Look.MISSED and self.removal)

    @property
    def mark(self) -> str:
        """✓, ✗, ○ or nothing."""
        return MARKS.get(self.look, "")

    @property
    def words(self) -> str:
        """What the cube tells: `placed`, `taken away, which is wrong`."""
        if self.look in _WORDS:
            return _WORDS[self.look]
        if self.look is Look.MISSED:
            return f"missed: should have been {'taken away' if self.removal else 'placed'}"
        return f"{'taken away' if self.removal else 'placed'}, which is {self.look.value}"


_WORDS = {Look.OLD: "was there before", Look.NEW: "placed", Look.REMOVED: "taken away"}


def change(before: Structure, after: Structure) -> list[Cube]:
    """What became of a board: old blocks, new ones, and those that were taken away; supports leave no trace.

    >>> change(Structure([Block(Color.RED, Cell(0, 1, 0))]), Structure())
    [Cube(cell=Cell(x=0, y=1, z=0), color=<Color.RED: 'red'>, look=<Look.REMOVED: 'removed'>, removal=True)]
    """
    old = [Cube(block.cell, block.color, Look.OLD) for block in before if block in after]
    looks = {ActionType.PLACE: Look.NEW, ActionType.REMOVE: Look.REMOVED}
    return _in_order(old + [_acted(action, looks[action.type]) for action in net_actions(before, after)])


def judged(before: Structure, predicted: Structure, after: Structure, interpretations: str = "unique") -> list[Cube]:
    """A predicted board beside the reference `after`: what of its change is correct, wrong and missed (fairer F1, 4.1).

    Where the metric aligns a prediction, in items with "multiple" interpretations, the picture shows it aligned.

    Raises:
        InputError: for other interpretations than "unique" and "multiple".

    >>> red, other = (Structure([Block(Color.RED, cell)]) for cell in (Cell(0, 1, 0), Cell(3, 1, -2)))
    >>> [cube.look.value for cube in judged(Structure(), other, red, "unique")]
    ['missed', 'wrong']
    >>> [cube.look.value for cube in judged(Structure(), other, red, "multiple")]
    ['correct']
    """
    if interpretations not in INTERPRETATIONS:
        raise InputError(f"interpretations {interpretations!r} (expected 'unique' or 'multiple')")
    wanted = net_actions(before, after)
    done = fair_net_actions(net_actions(before, predicted), wanted, predicted, after, interpretations)
    touched = {action.cell for action in done | wanted if action.type is ActionType.REMOVE}
    cubes = [Cube(block.cell, block.color, Look.OLD) for block in before if block.cell not in touched]
    cubes += [_acted(action, Look.CORRECT if action in wanted else Look.WRONG) for action in done]
    cubes += [_acted(action, Look.MISSED) for action in wanted - done]
    return _in_order(cubes)


def legend() -> dict[Look, str]:
    """What the looks mean, in words."""
    return {
        Look.OLD: "pale: was there before",
        Look.NEW: "full colour: placed",
        Look.REMOVED: "dashed outline: taken away",
        Look.CORRECT: "✓ correct",
        Look.WRONG: "✗ wrong",
        Look.MISSED: "○ missed: an outline should have been placed, a pale block taken away",
    }


def rgb_of(cube: Cube) -> Rgb:
    """The colour of the cube before shading."""
    color = RGB[cube.color]
    return tuple(round(value + (255 - value) * _PALE) for value in color) if cube.pale else color  # type: ignore


def face_rgb(cube: Cube, light: float) -> Rgb:
    """The colour of a face of the cube in less light than full (1.0); what is pale stays pale in the shade."""
    light = (light + 2.0) / 3.0 if cube.pale else light
    return tuple(round(value * light) for value in rgb_of(cube))  # type: ignore


def ink_on(rgb: Rgb) -> Rgb:
    """Black or white, whichever is read better on this colour (WCAG 2 relative luminance)."""
    linear = [(v / 255 / 12.92 if v <= 10 else ((v / 255 + 0.055) / 1.055) ** 2.4) for v in rgb]
    luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    return (255, 255, 255) if luminance < 0.179 else (20, 20, 20)


def mark_strokes(mark: str) -> list[list[tuple[float, float]]]:
    """The lines of a mark on a face that goes from (0, 0), its lower left corner, to (1, 1)."""
    if mark == "✓":
        return [[(0.25, 0.5), (0.43, 0.28), (0.77, 0.74)]]
    if mark == "✗":
        return [[(0.28, 0.28), (0.72, 0.72)], [(0.28, 0.72), (0.72, 0.28)]]
    if mark == "○":
        turns = [2 * math.pi * step / 16 for step in range(17)]
        return [[(0.5 + 0.24 * math.cos(turn), 0.5 + 0.24 * math.sin(turn)) for turn in turns]]
    return []


# --- The figure. Plotly's z is up, and (x, y, z) is right-handed as (z, x, y) is, so those are what its axes hold.
_SIDES = {  # by outward normal, all but the top: a corner, then what leads right and up as seen from outside (x, y, z)
    (0, -1, 0): ((0, 0, 0), (1, 0, 0), (0, 0, 1)),
    (1, 0, 0): ((1, 0, 1), (0, 0, -1), (0, 1, 0)),
    (-1, 0, 0): ((0, 0, 0), (0, 0, 1), (0, 1, 0)),
    (0, 0, 1): ((0, 0, 1), (1, 0, 0), (0, 1, 0)),
    (0, 0, -1): ((1, 0, 0), (-1, 0, 0), (0, 1, 0)),
}
_LIGHT = {(0, 1, 0): 1.0, (0, -1, 0): 0.55, (1, 0, 0): 0.86, (-1, 0, 0): 0.86, (0, 0, 1): 0.74, (0, 0, -1): 0.74}
_UNIT = 12.0  # cells in one unit of plotly's camera
_MIDDLE: Point = ((X_MIN + X_MAX + 1) / 2, 4.0, (Z_MIN + Z_MAX + 1) / 2)
_REACH = 9.0  # cells from the middle of the board to where the Builder is drawn at most; the axes end a cell later
_TOP = 13.0


def plotly_figure(cubes: Sequence[Cube], *, title: str = "", pose: "Mapping[str, float] | None" = None) -> dict:
    """An interactive 3D figure: `plotly.graph_objects.Figure(**figure)` or `Plotly.newPlot(element, figure)`.

    Cubes with edges and shading, the ground of the BuildRegion, and the Builder: a pole from the ground to its eyes
    and an arrow where it looks. The camera stands on the Builder's side (by yaw) and looks at the blocks; pointing at
    a block says what it is in the notation.

    Args:
        cubes: what to draw.
        title: above the figure, if any.
        pose: `x`, `y`, `z` in cells, `yaw` and `pitch` in degrees, as in the rows. Without one the board is seen along
            +z, and there is no Builder.
    Returns:
        {"data": [...], "layout": {...}} of lists, dicts, texts and numbers.
    """
    cubes = list(cubes)
    yaw = pose["yaw"] if pose is not None else 0.0
    data = [*_ground(), *cube_traces(cubes, yaw)]
    if pose is not None:
        data += builder_traces(pose)
    axis = {"visible": False, "showspikes": False, "autorange": False}
    ranges = {
        "xaxis": [_MIDDLE[2] - _REACH - 1, _MIDDLE[2] + _REACH + 1],
        "yaxis": [_MIDDLE[0] - _REACH - 1, _MIDDLE[0] + _REACH + 1],
        "zaxis": [Y_MIN - 0.5, _TOP],
    }
    scene = {name: {**axis, "range": its} for name, its in ranges.items()}
    scene["aspectmode"] = "manual"
    scene["aspectratio"] = {name[0]: (its[1] - its[0]) / _UNIT for name, its in ranges.items()}
    scene["camera"] = camera(cubes, yaw)
    scene["dragmode"] = "turntable"
    layout = {
        "scene": scene,
        "showlegend": False,
        "margin": {"l": 0, "r": 0, "t": 36 if title else 0, "b": 0},
        "paper_bgcolor": "#ffffff",
        "hoverlabel": {"align": "left"},
    }
    if title:
        layout["title"] = {"text": _escaped(title), "font": {"size": 15}}
    return {"data": data, "layout": layout}


def camera(cubes: Iterable[Cube], yaw: float) -> dict:
    """Plotly's camera for these cubes, from behind and above a Builder with this yaw."""
    cells = [cube.cell for cube in cubes] or [Cell(X_MIN, Y_MIN, Z_MIN), Cell(X_MAX, Y_MIN, Z_MAX)]
    low, high = ([pick(cell[axis] for cell in cells) for axis in range(3)] for pick in (min, max))
    size = max(math.dist(low, high) + 2.0, 7.0)
    focus = tuple((a + b + 1) / 2 for a, b in zip(low, high))
    (fx, fz), far, rise = forward(yaw), 1.35 * size, 1.0 * size
    focus_at = _plotly_units(focus)
    eye_at = _plotly_units((focus[0] - far * fx, focus[1] + rise, focus[2] - far * fz))
    up = {"x": 0, "y": 0, "z": 1}
    return {"eye": dict(zip("xyz", eye_at)), "center": dict(zip("xyz", focus_at)), "up": up}


def _plotly_units(point: Point) -> tuple[float, float, float]:
    """A point as the camera counts: from the middle of the axes, in units of the aspect ratio."""
    x, y, z = point
    return ((z - _MIDDLE[2]) / _UNIT, (x - _MIDDLE[0]) / _UNIT, (y - (Y_MIN - 0.5 + _TOP) / 2) / _UNIT)


def forward(yaw: float) -> tuple[float, float]:
    """(x, z) of one cell in the direction of a yaw."""
    turn = math.radians(yaw)
    return -math.sin(turn), math.cos(turn)


@dataclass(frozen=True)
class Face:
    """A face of a solid cube that is not against another one: a square of side 1."""

    cube: Cube
    normal: tuple[int, int, int]  # outward
    corner: Point  # lower left, as seen from outside
    right: tuple[int, int, int]
    up: tuple[int, int, int]

    def at(self, right: float, up: float, off: float = 0.0) -> Point:
        """The point so far to the right and up from the corner, `off` cells before the face."""
        steps = zip(self.corner, self.right, self.up, self.normal)
        return tuple(c + right * r + up * u + off * n for c, r, u, n in steps)  # type: ignore

    @property
    def corners(self) -> list[Point]:
        """All four, counterclockwise as seen from outside."""
        return [self.at(right, up) for right, up in ((0, 0), (1, 0), (1, 1), (0, 1))]

    @property
    def rgb(self) -> Rgb:
        """Its colour in the light: brightest on top."""
        return face_rgb(self.cube, _LIGHT[self.normal])

    def strokes(self, off: float = 0.0) -> list[list[Point]]:
        """The lines of the cube's mark."""
        return [[self.at(right, up, off) for right, up in stroke] for stroke in mark_strokes(self.cube.mark)]


def faces(cubes: Iterable[Cube], yaw: float) -> Iterator[Face]:
    """The faces of the solid cubes that can be seen from somewhere; tops are upright for a Builder with this yaw."""
    fx, fz = map(round, forward(90.0 * round(yaw / 90.0)))
    right, up = (-fz, 0, fx), (fx, 0, fz)
    top = ((int(min(right[0], up[0]) < 0), 1, int(min(right[2], up[2]) < 0)), right, up)
    solids = [cube for cube in cubes if cube.solid]
    taken = {cube.cell for cube in solids}
    for cube in solids:
        for normal, (corner, right, up) in {**_SIDES, (0, 1, 0): top}.items():
            if _moved(cube.cell, normal) not in taken:
                yield Face(cube, normal, _moved(cube.cell, corner), right, up)


def edge_rgb(cube: Cube) -> Rgb:
    """The colour of a cube's edges."""
    if cube.solid:
        return (154, 154, 154) if cube.pale else (28, 28, 28)
    return face_rgb(cube, 0.85)


def dashed(start: Point, end: Point) -> list[tuple[Point, Point]]:
    """An edge of an outline as its dashes."""
    return [(_between(start, end, a), _between(start, end, b)) for a, b in ((0.0, 0.2), (0.4, 0.6), (0.8, 1.0))]


def cube_traces(cubes: Sequence[Cube], yaw: float = 0.0) -> Iterator[dict]:
    """The cubes for plotly; marks are upright for a Builder with this yaw."""
    yield from _solids(cubes, yaw)
    yield from _outlines(cubes)


def _solids(cubes: Sequence[Cube], yaw: float) -> Iterator[dict]:
    """A mesh of the faces of all solid cubes, their edges, and their marks."""
    corners: list[Point] = []
    triangles: list[tuple[int, int, int]] = []
    colors, texts = [], []
    edges: dict[str, list] = {}
    marks: dict[str, list] = {}
    for face in faces(cubes, yaw):
        first = len(corners)
        corners += face.corners
        triangles += [(first, first + 1, first + 2), (first, first + 2, first + 3)]
        colors += 2 * [_css(face.rgb)]
        texts += 4 * [_hover(face.cube)]
        for stroke in face.strokes(0.03):
            marks.setdefault(_css(ink_on(face.rgb)), []).extend([*stroke, None])
    for cube in cubes:
        if cube.solid:
            for start, end in cube_edges(cube.cell):
                edges.setdefault(_css(edge_rgb(cube)), []).extend((start, end, None))
    if corners:
        yield {
            "type": "mesh3d",
            **_coordinates(corners),
            **{name: [triangle[place] for triangle in triangles] for place, name in enumerate("ijk")},
            "facecolor": colors,
            "hovertext": texts,
            "hoverinfo": "text",
            "flatshading": True,
            "lighting": {"ambient": 1.0, "diffuse": 0.0, "specular": 0.0, "fresnel": 0.0},
        }
    yield from (_lines(points, color, 3) for color, points in edges.items())
    yield from (_lines(points, color, 6) for color, points in marks.items())


def _outlines(cubes: Sequence[Cube]) -> Iterator[dict]:
    """Edges of dashes; the mark and the words are in the middle, or above a solid cube in the same cell."""
    solid = {cube.cell for cube in cubes if cube.solid}
    for cube in cubes:
        if cube.solid:
            continue
        points: list = []
        for edge in cube_edges(cube.cell, 0.02):
            for start, end in dashed(*edge):
                points += [start, end, None]
        color = _css(edge_rgb(cube))
        yield _lines(points, color, 5)
        x, y, z = cube.cell
        yield {
            "type": "scatter3d",
            **_coordinates([(x + 0.5, y + (1.2 if cube.cell in solid else 0.5), z + 0.5)]),
            "mode": "text" if cube.mark else "markers",
            "text": [f"<b>{cube.mark}</b>"],
            "textfont": {"size": 26, "color": "#1c1c1c"},
            "textposition": "middle center",
            "marker": {"size": 4, "color": color},
            "hovertext": [_hover(cube)],
            "hoverinfo": "text",
        }


def _ground() -> Iterator[dict]:
    """The floor of the BuildRegion with its grid."""
    x0, x1, z0, z1, y = X_MIN, X_MAX + 1, Z_MIN, Z_MAX + 1, Y_MIN - 0.02
    yield {
        "type": "mesh3d",
        **_coordinates([(x0, y - 0.02, z0), (x1, y - 0.02, z0), (x1, y - 0.02, z1), (x0, y - 0.02, z1)]),
        "i": [0, 0],
        "j": [1, 2],
        "k": [2, 3],
        "color": "#eef0f2",
        "hoverinfo": "skip",
        "lighting": {"ambient": 1.0, "diffuse": 0.0, "specular": 0.0, "fresnel": 0.0},
    }
    inner: list = []
    for x in range(x0 + 1, x1):
        inner += [(x, y, z0), (x, y, z1), None]
    for z in range(z0 + 1, z1):
        inner += [(x0, y, z), (x1, y, z), None]
    yield _lines(inner, "#c4c8cc", 1)
    yield _lines([(x0, y, z0), (x1, y, z0), (x1, y, z1), (x0, y, z1), (x0, y, z0)], "#8a9097", 3)


@dataclass(frozen=True)
class Arrow:
    """The Builder: a pole from the ground to its eyes, and a pyramid there that points where it looks."""

    ground: Point
    feet: Point
    tip: Point
    base: tuple[Point, Point, Point, Point]
    eyes: Point
    words: str


def arrow(pose: Mapping[str, float]) -> Arrow:
    """The Builder as it is drawn; far away from the board (9 cells from its middle) it stands nearer than it does."""
    x = min(max(pose["x"], _MIDDLE[0] - _REACH), _MIDDLE[0] + _REACH)
    z = min(max(pose["z"], _MIDDLE[2] - _REACH), _MIDDLE[2] + _REACH)
    feet = min(pose["y"], _TOP - 1.0 - EYE_HEIGHT)
    eyes = (x, feet + EYE_HEIGHT, z)
    (fx, fz), pitch = forward(pose["yaw"]), math.radians(pose["pitch"])
    ahead = (math.cos(pitch) * fx, -math.sin(pitch), math.cos(pitch) * fz)
    right = (-fz, 0.0, fx)
    over = (-right[2] * ahead[1], right[2] * ahead[0] - right[0] * ahead[2], right[0] * ahead[1])  # right x ahead
    corners = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    return Arrow(
        ground=(x, float(Y_MIN), z),
        feet=(x, feet, z),
        tip=_along(eyes, ahead, 1.1),
        base=tuple(_along(_along(eyes, right, 0.22 * a), over, 0.22 * b) for a, b in corners),  # type: ignore
        eyes=eyes,
        words=f"the Builder at {pose['x']:.1f} {pose['y']:.1f} {pose['z']:.1f}, yaw {pose['yaw']:.0f}°, "
        f"pitch {pose['pitch']:.0f}°",
    )


def builder_traces(pose: Mapping[str, float]) -> Iterator[dict]:
    """The Builder for plotly."""
    its = arrow(pose)
    if its.feet[1] > its.ground[1] + 0.05:  # it flies
        yield _lines([its.ground, its.feet], "#8d99a6", 3, dash="dot")
    yield _lines([its.feet, its.eyes], "#2b3a4a", 8)
    yield {
        "type": "mesh3d",
        **_coordinates([its.tip, *its.base]),
        "i": [0, 0, 0, 0, 1, 1],
        "j": [1, 2, 3, 4, 2, 3],
        "k": [2, 3, 4, 1, 3, 4],
        "color": "#2b3a4a",
        "hovertext": 5 * [its.words],
        "hoverinfo": "text",
        "flatshading": True,
    }


def _acted(action: NetAction, look: Look) -> Cube:
    return Cube(action.cell, action.color, look, action.type is ActionType.REMOVE)


def _in_order(cubes: list[Cube]) -> list[Cube]:
    return sorted(cubes, key=lambda cube: (cube.cell, cube.removal, cube.look.value, cube.color.value))


def _hover(cube: Cube) -> str:
    return f"{format_block(Block(cube.color, cube.cell))}<br>{cube.words}"


def _moved(cell: Cell, step: Sequence[int]) -> Point:
    return tuple(c + d for c, d in zip(cell, step))  # type: ignore


def cube_edges(cell: Cell, out: float = 0.004) -> Iterator[tuple[Point, Point]]:
    """The twelve edges of a cube that is larger than its cell by `out` on every side."""
    low, high = [c - out for c in cell], [c + 1 + out for c in cell]
    for axis in range(3):
        one, other = (axis + 1) % 3, (axis + 2) % 3
        for a in (low[one], high[one]):
            for b in (low[other], high[other]):
                start, end = [0.0] * 3, [0.0] * 3
                start[axis], end[axis] = low[axis], high[axis]
                start[one] = end[one] = a
                start[other] = end[other] = b
                yield tuple(start), tuple(end)  # type: ignore


def _along(point: Point, direction: Sequence[float], length: float) -> Point:
    return tuple(p + length * d for p, d in zip(point, direction))  # type: ignore


def _between(start: Point, end: Point, share: float) -> Point:
    return tuple(a + share * (b - a) for a, b in zip(start, end))  # type: ignore


def _coordinates(points: "Sequence[Point | None]") -> dict:
    """Plotly's three lists; None interrupts a line."""
    return {
        name: [None if point is None else round(point[axis], 3) for point in points]
        for name, axis in (("x", 2), ("y", 0), ("z", 1))
    }


def _lines(points: "Sequence[Point | None]", color: str, width: float, dash: str = "solid") -> dict:
    return {
        "type": "scatter3d",
        "mode": "lines",
        **_coordinates(points),
        "line": {"color": color, "width": width, "dash": dash},
        "hoverinfo": "skip",
    }


def _css(rgb: Rgb) -> str:
    return "#{:02x}{:02x}{:02x}".format(*rgb)


def _escaped(text: str) -> str:
    """Plotly reads some HTML in titles."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
