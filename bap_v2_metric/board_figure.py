"""A board as an interactive 3D figure: plain JSON for plotly, which this file does not import.

Plotly's z is up, and (x, y, z) is right-handed as (z, x, y) is, so those are what its axes hold.

`evaluate.load("bap_v2")` does not need this file: only the page of the Space and the pictures of `bap_v2_dataset` do.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence

from .blocks import X_MAX, X_MIN, Y_MIN, Z_MAX, Z_MIN, Block, Cell
from .cubes import Cube
from .drawing import MIDDLE, REACH, TOP, Point, Rgb, arrow, cube_edges, dashed, edge_rgb, faces, forward, ink_on
from .notation import format_block

_UNIT = 12.0  # cells in one unit of plotly's camera


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
        "xaxis": [MIDDLE[2] - REACH - 1, MIDDLE[2] + REACH + 1],
        "yaxis": [MIDDLE[0] - REACH - 1, MIDDLE[0] + REACH + 1],
        "zaxis": [Y_MIN - 0.5, TOP],
    }
    scene = {name: {**axis, "range": limits} for name, limits in ranges.items()}
    scene["aspectmode"] = "manual"
    scene["aspectratio"] = {name[0]: (high - low) / _UNIT for name, (low, high) in ranges.items()}
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
    return ((z - MIDDLE[2]) / _UNIT, (x - MIDDLE[0]) / _UNIT, (y - (Y_MIN - 0.5 + TOP) / 2) / _UNIT)


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


def builder_traces(pose: Mapping[str, float]) -> Iterator[dict]:
    """The Builder for plotly."""
    builder = arrow(pose)
    if builder.feet[1] > builder.ground[1] + 0.05:  # it flies
        yield _lines([builder.ground, builder.feet], "#8d99a6", 3, dash="dot")
    yield _lines([builder.feet, builder.eyes], "#2b3a4a", 8)
    yield {
        "type": "mesh3d",
        **_coordinates([builder.tip, *builder.base]),
        "i": [0, 0, 0, 0, 1, 1],
        "j": [1, 2, 3, 4, 2, 3],
        "k": [2, 3, 4, 1, 3, 4],
        "color": "#2b3a4a",
        "hovertext": 5 * [builder.words],
        "hoverinfo": "text",
        "flatshading": True,
    }


def _hover(cube: Cube) -> str:
    return f"{format_block(Block(cube.color, cube.cell))}<br>{cube.words}"


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
