"""The 3D figure: what plotly takes, seen from the Builder's side."""

import json
import math

import pytest
from hypothesis import given, settings
from strategies import poses, structures

from bap_v2_metric.blocks import Cell, Color, Structure
from bap_v2_metric.board_figure import camera, plotly_figure
from bap_v2_metric.cubes import Cube, Look, change, judged
from bap_v2_metric.notation import format_structure
from bap_v2_simulators.pose import Pose, perspective_coordinates


def on_screen(view: dict, point) -> tuple[float, float, float]:
    """(right, up, away) of a point of plotly's, in its camera."""
    eye, center, up = (tuple(view[name][axis] for axis in "xyz") for name in ("eye", "center", "up"))

    def cross(a, b):
        return tuple(a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3] for i in range(3))

    def dot(a, b):
        return sum(map(math.prod, zip(a, b)))

    away = tuple(c - e for c, e in zip(center, eye))
    right = cross(away, up)
    return dot(right, point), dot(cross(right, away), point), dot(away, point)


@given(poses)
def test_what_is_left_of_the_builder_is_left_in_the_figure(pose):
    # Plotly's axes are z, x, y: a step to the Builder's left, one up and one ahead.
    level = Pose(0, 0, 0, pose["yaw"], 0)
    rows = [perspective_coordinates(axis, level) for axis in ((1, 0, 0), (0, 1, 0), (0, 0, 1))]
    left, up, ahead = ([row[place] for row in rows] for place in range(3))
    view = camera([Cube(Cell(0, 1, 0), Color.RED, Look.NEW)], pose["yaw"])
    for step, sign in ((left, (-1, 0, 0)), (up, (0, 1, None)), (ahead, (0, None, 1))):
        seen = on_screen(view, (step[2], step[0], step[1]))
        for value, expected in zip(seen, sign):
            if expected is not None:
                assert (value > 1e-9) - (value < -1e-9) == expected


@given(structures(), structures(), structures(), poses)
@settings(max_examples=8)
def test_figures_are_plain_json_that_plotly_takes(before, predicted, after, pose):
    go = pytest.importorskip("plotly.graph_objects")
    for cubes in (change(before, after), judged(before, predicted, after, "multiple")):
        figure = plotly_figure(cubes, title="a <b> & c", pose=pose)
        assert json.loads(json.dumps(figure)) == figure
        assert go.Figure(**figure).layout.title.text == "a &lt;b&gt; &amp; c"


@given(structures())
@settings(max_examples=25)
def test_every_block_of_a_figure_says_what_it_is(structure):
    figure = plotly_figure(change(Structure(), structure))
    words = {text.split("<br>")[0] for trace in figure["data"] for text in trace.get("hovertext", ())}
    assert words == {line for line, (_, cell) in zip(format_structure(structure), structure) if free(cell, structure)}


def free(cell: Cell, structure: Structure) -> bool:
    """Whether a face of the block can be seen."""
    return any(structure.color_at(neighbor) is None for neighbor in cell.neighbors)


def test_the_camera_finds_the_blocks_wherever_they_are():
    for cell in (Cell(5, 9, -5), Cell(-5, 1, 5)):
        view = camera([Cube(cell, Color.RED, Look.NEW)], 30.0)
        figure = plotly_figure([Cube(cell, Color.RED, Look.NEW)])
        mesh = next(trace for trace in figure["data"] if "facecolor" in trace)
        for axis in "xyz":
            low, high = figure["layout"]["scene"][f"{axis}axis"]["range"]
            middle = (min(mesh[axis]) + max(mesh[axis])) / 2
            share = (middle - (low + high) / 2) / (high - low) * figure["layout"]["scene"]["aspectratio"][axis]
            assert view["center"][axis] == pytest.approx(share)
