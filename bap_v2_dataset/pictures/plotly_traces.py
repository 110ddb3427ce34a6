"""Cubes, the ground and the Builder as traces for plotly: plain JSON.

Plotly's z is up, and (x, y, z) is right-handed as (z, x, y) is, so those are what its axes hold.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from bap_v2_dataset.pictures import drawing
from bap_v2_dataset.pictures.camera import best_seen, is_turned_to
from bap_v2_dataset.pictures.cubes import Cube, Look
from bap_v2_dataset.pictures.figurine import body_mesh, figurine
from bap_v2_metric.blocks import X_MAX, X_MIN, Y_MIN, Z_MAX, Z_MIN, Block
from bap_v2_metric.notation import format_block

_STEEP = 0.75  # of an edge of the ground that leads away from the camera: the cosine of its angle
_MANY = 6  # missed blocks whose marks would cover each other


def cube_traces(cubes: Sequence[Cube], yaw: float = 0.0, eye: "drawing.Point | None" = None) -> Iterator[dict]:
    """Yield the cubes for plotly; marks are upright for a Builder with this yaw.

    Args:
        eye: from where a block has one mark, on the face that is seen best. Faces that are turned away have theirs.
    """
    yield from _solids(cubes, yaw, eye)
    yield from _outlines([cube for cube in cubes if cube.look is not Look.CONSIDERED])
    yield from (_faint(cube) for cube in cubes if cube.look is Look.CONSIDERED and not cube.solid)


def _solids(cubes: Sequence[Cube], yaw: float, eye: "drawing.Point | None") -> Iterator[dict]:
    """Yield a mesh of the faces of all solid cubes, their edges, and their marks."""
    corners: list[drawing.Point] = []
    triangles: list[tuple[int, int, int]] = []
    colors, texts = [], []
    edges: dict[str, list] = {}
    marks: dict[str, list] = {}
    # The faces that can be marked: one of each cube, the one that is seen best.
    shown = list(drawing.faces(cubes, yaw))
    unmarked: set[drawing.Face] = set()
    if eye is not None:
        turned = [face for face in shown if is_turned_to(face, eye)]
        unmarked = set(turned) - best_seen(turned, cubes, eye)
    # Triangles, colors and texts of all faces.
    for face in shown:
        first = len(corners)
        corners += face.corners
        triangles += [(first, first + 1, first + 2), (first, first + 2, first + 3)]
        colors += 2 * [_css(face.rgb)]
        texts += 4 * [_hover(face.cube)]
        for stroke in [] if face in unmarked else face.strokes(0.03):
            marks.setdefault(_css(drawing.ink_on(face.rgb)), []).extend([*stroke, None])
    # Edges of all solid cubes.
    for cube in cubes:
        if cube.solid:
            for start, end in drawing.cube_edges(cube.cell):
                edges.setdefault(_css(drawing.edge_rgb(cube)), []).extend((start, end, None))
    # One mesh, and one trace of lines for each color.
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
    # Fainter where many marks would cover each other.
    many = sum(bool(cube.mark) and not cube.solid for cube in cubes) > _MANY
    # Dashed edges of what is not solid, and its mark above it.
    for cube in cubes:
        if cube.solid:
            continue
        points: list = []
        for edge in drawing.cube_edges(cube.cell, 0.02):
            for start, end in drawing.dashed(*edge):
                points += [start, end, None]
        color = _css(drawing.edge_rgb(cube))
        yield _lines(points, color, 3 if many else 5)
        x, y, z = cube.cell
        yield {
            "type": "scatter3d",
            **_coordinates([(x + 0.5, y + (1.2 if cube.cell in solid else 0.5), z + 0.5)]),
            "mode": "text" if cube.mark else "markers",
            "text": [cube.mark if many else f"<b>{cube.mark}</b>"],
            "textfont": {"size": 15 if many else 22, "color": "#1c1c1c"},
            "textposition": "middle center",
            "marker": {"size": 4, "color": color},
            "hovertext": [_hover(cube)],
            "hoverinfo": "text",
        }


def _faint(cube: Cube) -> dict:
    """A cube that is seen through, the less the likelier it was."""
    shown = list(drawing.faces([cube], 0.0, solid=False))
    first = range(0, 4 * len(shown), 4)
    triangles = [(n, n + a, n + a + 1) for n in first for a in (1, 2)]
    corners = [corner for face in shown for corner in face.corners]
    lighting = {"ambient": 1.0, "diffuse": 0.0, "specular": 0.0, "fresnel": 0.0}
    opacity = round(0.12 + 0.5 * (cube.likelihood or 0.0), 3)
    hover = {"hovertext": len(corners) * [_hover(cube)], "hoverinfo": "text"}
    return {**_mesh(corners, triangles, _css(drawing.rgb_of(cube))), "opacity": opacity, "lighting": lighting, **hover}


def ground_traces() -> Iterator[dict]:
    """Yield the floor of the BuildRegion with its grid."""
    # A square of gray.
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
    # Grid lines, and a darker rim.
    inner: list = []
    for x in range(x0 + 1, x1):
        inner += [(x, y, z0), (x, y, z1), None]
    for z in range(z0 + 1, z1):
        inner += [(x0, y, z), (x1, y, z), None]
    yield _lines(inner, "#c4c8cc", 1)
    yield _lines([(x0, y, z0), (x1, y, z0), (x1, y, z1), (x0, y, z1), (x0, y, z0)], "#8a9097", 3)


def ground_labels(yaw: float, small: bool = True) -> dict:
    """Return the numbers and names of x and z along the two edges that are nearest to a camera with this yaw.

    Args:
        small: of a small picture: an edge that leads away from the camera has even numbers only, as others would cover
            each other.
    """
    # Small pictures have every second number along the edge that is seen from the side.
    ticks = drawing.BOARD.ticks(yaw)
    if small:
        along_x, along_z = (abs(part) > _STEEP for part in drawing.forward(yaw))
        x = next(tick.point[0] for tick in ticks if tick.name and tick.text == "z")  # of the edge along z
        ticks = [
            tick
            for tick in ticks
            if tick.name or int(tick.text) % 2 == 0 or not (along_z if tick.point[0] == x else along_x)
        ]
    # All of them in one trace of texts.
    return {
        "type": "scatter3d",
        "mode": "text",
        **_coordinates([tick.point for tick in ticks]),
        "text": [f"<b>{tick.text}</b>" if tick.name else tick.text for tick in ticks],
        "textfont": {"size": [15 if tick.name else 11 for tick in ticks], "color": "#3d444b"},
        "textposition": "middle center",
        "hoverinfo": "skip",
    }


def builder_traces(pose: Mapping[str, float]) -> Iterator[dict]:
    """Yield the Builder for plotly."""
    # The body; a dashed line leads to the ground if it flies.
    builder = figurine(pose)
    if builder.feet[1] > builder.ground[1] + 0.05:  # it flies
        yield _lines([builder.ground, builder.feet], "#8d99a6", 3, dash="dot")
    corners, triangles = body_mesh(builder)
    yield {
        **_mesh(corners, triangles, "#34495e"),
        "hovertext": len(corners) * [builder.words],
        "hoverinfo": "text",
        "lighting": {"ambient": 0.65, "diffuse": 0.6, "specular": 0.1},
    }
    # Eyes, and the beam of where it looks.
    yield {
        "type": "scatter3d",
        "mode": "markers",
        **_coordinates(builder.eyes),
        "marker": {"size": 3, "color": "#ffffff"},
        "hoverinfo": "skip",
    }
    sides = [(0, 1, 2), (0, 2, 3), (0, 3, 4), (0, 4, 1)]
    yield {**_mesh(builder.beam, sides, "#5b7fa6"), "opacity": 0.3, "hoverinfo": "skip"}


def _mesh(corners: Sequence[drawing.Point], triangles: Sequence[tuple[int, int, int]], color: str) -> dict:
    return {
        "type": "mesh3d",
        **_coordinates(corners),
        **{name: [triangle[place] for triangle in triangles] for place, name in enumerate("ijk")},
        "color": color,
        "flatshading": True,
    }


def _hover(cube: Cube) -> str:
    return f"{format_block(Block(cube.color, cube.cell))}<br>{cube.words}"


def _coordinates(points: "Sequence[drawing.Point | None]") -> dict:
    """Plotly's three lists; None interrupts a line."""
    return {
        name: [None if point is None else round(point[axis], 3) for point in points]
        for name, axis in (("x", 2), ("y", 0), ("z", 1))
    }


def _lines(points: "Sequence[drawing.Point | None]", color: str, width: float, dash: str = "solid") -> dict:
    return {
        "type": "scatter3d",
        "mode": "lines",
        **_coordinates(points),
        "line": {"color": color, "width": width, "dash": dash},
        "hoverinfo": "skip",
    }


def _css(rgb: drawing.Rgb) -> str:
    return "#{:02x}{:02x}{:02x}".format(*rgb)


def pointer(cube: Cube, side: int = 0) -> dict:
    """Return a mark in a box that is seen through everything; -1 and 1 are beside the middle of the cell."""
    x, y, z = cube.cell
    return {
        "x": z + 0.5, "y": x + 0.5, "z": y + 0.5,
        "text": f"<b>{cube.mark}</b>",
        "showarrow": False,
        "xshift": 13 * side,
        "font": {"size": 12, "color": "#1c1c1c"},
        "bgcolor": "rgba(255,255,255,0.9)",
        "bordercolor": _css(drawing.edge_rgb(replace(cube, look=Look.REMOVED))),
        "borderwidth": 2,
        "borderpad": 1,
        "hovertext": f"{_hover(cube)}<br>hidden behind other blocks",
    }  # fmt: skip
