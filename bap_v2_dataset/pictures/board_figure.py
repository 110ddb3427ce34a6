"""A board as an interactive 3D figure: plain JSON for plotly, which this file does not import.

Plotly's z is up, and (x, y, z) is right-handed as (z, x, y) is, so those are what its axes hold.
"""

import math
from collections.abc import Iterable, Mapping, Sequence

from bap_v2_dataset.pictures.camera import LineOfSight, fitted_camera, hidden, side_of_mark
from bap_v2_dataset.pictures.cubes import Cube
from bap_v2_dataset.pictures.drawing import BOARD, MIDDLE, TOP, Point
from bap_v2_dataset.pictures.figurine import REACH, figurine
from bap_v2_dataset.pictures.html_document import asset
from bap_v2_dataset.pictures.plotly_traces import builder_traces, cube_traces, ground_labels, ground_traces, pointer
from bap_v2_metric.blocks import X_MAX, X_MIN, Y_MIN, Z_MAX, Z_MIN

_UNIT = 12.0  # cells in one unit of plotly's camera
_FIELD = 45.0  # degrees that plotly's camera sees from below to above
LEGEND = "figure with a beam: where the Builder stands and looks; point at a block to see its coordinates"
HIDDEN_LEGEND = "mark in a box: behind other blocks"

# A script for pages that show several boards: turning one turns all that `plotly_figures` made for the same item,
# also those that are drawn later. Where a board is narrower than its `meta.aspect` (of a replay), the camera steps
# back. It needs no global `Plotly`.
ROTATE_TOGETHER = "\n" + asset(__package__, "rotate_together.js")


def plotly_figures(
    boards: Sequence[Sequence[Cube]],
    *,
    pose: "Mapping[str, float] | None" = None,
    poses: "Sequence[Mapping[str, float] | None] | None" = None,
    aspect: float = 1.0,
) -> list[dict]:
    """Return the boards of an item as figures with one camera, which has all of them in view.

    On a page with the script `ROTATE_TOGETHER` they also turn together.

    Args:
        boards: cubes of each.
        pose: the Builder's, from whose side all boards are seen.
        poses: where the Builder stands in each figure, if it moved; as in `pose` if left out.
        aspect: the width of a picture by its height.
    """
    poses = [pose] * len(boards) if poses is None else poses
    view = board_camera([cube for cubes in boards for cube in cubes], pose["yaw"] if pose else 0.0, poses, aspect)
    figures = [plotly_figure(cubes, pose=at, view=view) for cubes, at in zip(boards, poses)]
    for figure in figures:
        figure["layout"]["meta"] = {"rotates_with": "item"}
    return figures


def plotly_figure(
    cubes: Sequence[Cube],
    *,
    pose: "Mapping[str, float] | None" = None,
    view: "LineOfSight | None" = None,
) -> dict:
    """Return an interactive 3D figure: `plotly.graph_objects.Figure(**figure)` or `Plotly.newPlot(element, figure)`.

    Cubes with edges and shading, the ground of the BuildRegion with x and z along two edges, and the Builder: a small
    figure with a beam where it looks. The camera stands on the Builder's side (by yaw) and has everything in view;
    pointing at a block says what it is in the notation. What is wrong or missed but hidden behind other blocks has its
    mark in a box.

    Args:
        cubes: what to draw.
        pose: `x`, `y`, `z` in cells, `yaw` and `pitch` in degrees, as in the rows. Without one the board is seen along
            +z, and there is no Builder.
        view: another camera.
    Returns:
        {"data": [...], "layout": {...}} of lists, dicts, texts and numbers.
    """
    # Where the board is seen from.
    cubes = list(cubes)
    yaw = pose["yaw"] if pose is not None else 0.0
    view = view or board_camera(cubes, yaw, [pose], 1.0)
    facing = _yaw_of(view)
    # Ground, blocks and Builder.
    data = [*ground_traces(), ground_labels(facing), *cube_traces(cubes, facing, view.eye)]
    if pose is not None:
        data += builder_traces(pose)
    # The box that is shown, with equal units on all axes.
    axis = {"visible": False, "showspikes": False, "autorange": False}
    ranges = {
        "xaxis": [MIDDLE[2] - REACH - 1, MIDDLE[2] + REACH + 1],
        "yaxis": [MIDDLE[0] - REACH - 1, MIDDLE[0] + REACH + 1],
        "zaxis": [Y_MIN - 0.5, TOP],
    }
    scene = {name: {**axis, "range": limits} for name, limits in ranges.items()}
    scene["aspectmode"] = "manual"
    scene["aspectratio"] = {name[0]: (high - low) / _UNIT for name, (low, high) in ranges.items()}
    scene["camera"] = plotly_camera(view)
    scene["dragmode"] = "turntable"
    scene["annotations"] = [pointer(cube, side_of_mark(cube, cubes)) for cube in hidden(cubes, view.eye)]
    # What surrounds the scene.
    layout = {
        "scene": scene,
        "showlegend": False,
        "margin": {"l": 0, "r": 0, "t": 0, "b": 0},
        "paper_bgcolor": "#ffffff",
        "hoverlabel": {"align": "left"},
    }
    return {"data": data, "layout": layout}


def n_hidden(figure: Mapping) -> int:
    """Count the wrong and missed blocks of a figure that are behind other blocks, before it is rotated."""
    return len(figure["layout"]["scene"]["annotations"])


def board_camera(
    cubes: Iterable[Cube], yaw: float, poses: "Iterable[Mapping[str, float] | None]", aspect: float
) -> LineOfSight:
    """The camera behind and above a Builder with this yaw that has the cubes, the ground with its numbers, and the
    Builders with these poses in view.

    Args:
        aspect: the width of the picture by its height.
    """
    points: list[Point] = [(x, float(Y_MIN), z) for x in (X_MIN, X_MAX + 1) for z in (Z_MIN, Z_MAX + 1)]
    points += [tick.point for tick in BOARD.ticks(yaw)]
    for cell in {cube.cell for cube in cubes}:
        points += [(cell.x + a, cell.y + b, cell.z + c) for a in (0, 1) for b in (0, 1) for c in (0, 1)]
    for pose in poses:
        points += figurine(pose).extent if pose is not None else []
    return fitted_camera(points, yaw, 0.96 * _FIELD, aspect)


def _yaw_of(view: LineOfSight) -> float:
    ahead_x, ahead_z = view.focus[0] - view.eye[0], view.focus[2] - view.eye[2]
    return math.degrees(math.atan2(-ahead_x, ahead_z))


def plotly_camera(view: LineOfSight) -> dict:
    """Return a camera as plotly takes it."""
    points = {"eye": view.eye, "center": view.focus}
    return {
        **{name: dict(zip("xyz", _plotly_units(point))) for name, point in points.items()},
        "up": {"x": 0, "y": 0, "z": 1},
    }


def _plotly_units(point: Point) -> tuple[float, float, float]:
    """Return a point as the camera counts: from the middle of the axes, in units of the aspect ratio."""
    x, y, z = point
    return ((z - MIDDLE[2]) / _UNIT, (x - MIDDLE[0]) / _UNIT, (y - (Y_MIN - 0.5 + TOP) / 2) / _UNIT)
