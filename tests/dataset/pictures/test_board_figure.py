"""The 3D figure: what plotly takes, seen from the Builder's side."""

import json
import math
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import poses, structures

from bap_v2_dataset.pictures.board_figure import board_camera, n_hidden, plotly_camera, plotly_figure, plotly_figures
from bap_v2_dataset.pictures.camera import best_seen, clear_yaw, is_turned_to, turn_in_words
from bap_v2_dataset.pictures.cubes import Cube, Look, change, counts_in_words, judged
from bap_v2_dataset.pictures.drawing import faces
from bap_v2_dataset.pictures.plotly_traces import cube_traces
from bap_v2_metric.blocks import Cell, Color, Structure
from bap_v2_metric.notation import format_structure, parse_structure
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


def test_a_wall_is_seen_from_a_side_where_it_is_one():
    """Two wide and six tall, one column behind the other: the item of the README."""
    wall = [Cube(Cell(1, y, z), Color.PURPLE, Look.NEW) for y in range(1, 7) for z in (0, -1)]

    def eye(yaw):
        return board_camera(wall, yaw, [], 1.0).eye

    yaw = clear_yaw([wall], 0.0, eye)
    assert abs(yaw) == 30 and turn_in_words(yaw, 0.0)
    assert clear_yaw([wall], 90.0, eye) == 90.0 and turn_in_words(90.0, 90.0) == []  # it is one from there
    row = [Cube(Cell(1, 1, z), Color.RED, Look.NEW) for z in range(-5, 6)]
    assert clear_yaw([row], 0.0, eye) == 0.0  # its tops are seen


@given(poses)
def test_what_is_left_of_the_builder_is_left_in_the_figure(pose):
    # Plotly's axes are z, x, y: a step to the Builder's left, one up and one ahead.
    level = Pose(0, 0, 0, pose["yaw"], 0)
    rows = [perspective_coordinates(axis, level) for axis in ((1, 0, 0), (0, 1, 0), (0, 0, 1))]
    left, up, ahead = ([row[place] for row in rows] for place in range(3))
    view = plotly_camera(board_camera([Cube(Cell(0, 1, 0), Color.RED, Look.NEW)], pose["yaw"], [], 1.0))
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
        figure = plotly_figure(cubes, pose=pose)
        assert json.loads(json.dumps(figure)) == figure and go.Figure(**figure).data


@given(structures())
@settings(max_examples=25)
def test_every_block_of_a_figure_says_what_it_is(structure):
    figure = plotly_figure(change(Structure(), structure))
    words = {text.split("<br>")[0] for trace in figure["data"] for text in trace.get("hovertext", ())}
    assert words == {line for line, (_, cell) in zip(format_structure(structure), structure) if free(cell, structure)}


def free(cell: Cell, structure: Structure) -> bool:
    """Whether a face of the block can be seen."""
    return any(structure.color_at(neighbor) is None for neighbor in cell.neighbors)


@given(st.lists(structures(), min_size=1, max_size=3), poses)
@settings(max_examples=20)
def test_one_camera_has_the_blocks_of_all_boards_in_view_and_the_numbers_of_the_ground(boards, pose):
    figures = plotly_figures([change(Structure(), board) for board in boards], pose=pose)
    assert len({json.dumps(figure["layout"]["scene"]["camera"]) for figure in figures}) == 1
    assert {figure["layout"]["meta"]["rotates_with"] for figure in figures} == {"item"}
    half = math.tan(math.radians(45 / 2))  # plotly sees 45 degrees
    for figure in figures:
        scene = figure["layout"]["scene"]
        for trace in figure["data"]:
            for point in zip(*(trace[axis] for axis in "xyz")):
                if None not in point:
                    right, up, away = from_the_eye(scene, point)
                    assert away > 0 and max(abs(right), abs(up)) <= half * away


def from_the_eye(scene: dict, point) -> tuple[float, float, float]:
    """(right, up, away) of a point of a trace, from the camera."""
    view, place = scene["camera"], []
    for axis, value in zip("xyz", point):
        low, high = scene[f"{axis}axis"]["range"]
        place.append((value - (low + high) / 2) / (high - low) * scene["aspectratio"][axis] - view["eye"][axis])
    right, up, away = on_screen(view, place)
    length = math.dist(*(view[name].values() for name in ("eye", "center")))
    level = math.hypot(*(view["center"][axis] - view["eye"][axis] for axis in "xy"))
    return right / level, up / (level * length), away / length


@pytest.mark.parametrize(("yaw", "x_side", "z_side"), [(0.0, -5.55, -5.55), (100.0, 6.55, 6.55), (-150.0, -5.55, 6.55)])
def test_the_ground_has_its_coordinates_at_the_edges_near_the_camera(yaw, x_side, z_side):
    figure = plotly_figure([], pose={"x": 0.5, "y": 1.0, "z": 0.5, "yaw": yaw, "pitch": 0.0})
    (labels,) = (trace for trace in figure["data"] if "<b>x</b>" in trace.get("text", ()))
    places = {}
    for text, z, x in zip(labels["text"], labels["x"], labels["y"]):
        places.setdefault(text, []).append((x, z))
    for value in range(-5, 6):  # the middle of the cells with this coordinate
        along_x, along_z = (value + 0.5, z_side), (x_side, value + 0.5)
        steep = "x" if yaw == 100.0 else "z"  # numbers along an edge that leads away would cover each other
        even = value % 2 == 0
        shown = [along_x] * (even or steep != "x") + [along_z] * (even or steep != "z")
        assert places.get(str(value), []) == shown


BEHIND = {"x": 0.5, "y": 1.0, "z": -3.5, "yaw": 0.0, "pitch": 0.0}  # looks along +z


def test_a_wrong_block_behind_others_has_a_mark_that_is_seen_through_them():
    before = parse_structure([f"red {x} {y} 0" for x in (-1, 0, 1) for y in range(1, 5)])
    after = parse_structure([*format_structure(before), "green 5 1 0"])
    for place, hidden in (("0 1 1", 1), ("0 1 -1", 0), ("4 1 0", 0)):
        predicted = parse_structure([*format_structure(before), f"orange {place}"])
        cubes = judged(before, predicted, after)
        figure = plotly_figure(cubes, pose=BEHIND)
        assert n_hidden(figure) == hidden
        assert [note["text"] for note in figure["layout"]["scene"]["annotations"]] == ["<b>✗</b>"] * hidden
        assert counts_in_words(cubes, n_hidden(figure)).endswith(
            "1 missed ○" + " · 1 hidden behind other blocks" * hidden
        )


def test_both_mistakes_of_a_recolored_block_below_another_have_their_marks():
    before, after = Structure(), parse_structure(["red 0 1 0", "red 0 2 0"])
    cubes = judged(before, parse_structure(["blue 0 1 0", "red 0 2 0"]), after)
    (mark,) = plotly_figure(cubes)["layout"]["scene"]["annotations"]  # the ✗ is seen on the block
    assert (mark["text"], mark["xshift"]) == ("<b>○</b>", 13)
    behind = [Cube(Cell(x, y, z), Color.RED, Look.OLD) for x in (-1, 0, 1) for y in (1, 2, 3) for z in (-1, -2)]
    marks = plotly_figure([*cubes, *behind])["layout"]["scene"]["annotations"]
    assert {(mark["text"], mark["xshift"]) for mark in marks} >= {("<b>✗</b>", -13), ("<b>○</b>", 13)}
    lower = judged(before, parse_structure(["blue 0 1 0"]), parse_structure(["red 0 1 0"]))
    assert n_hidden(plotly_figure(lower)) == 0


@pytest.mark.parametrize("yaw", [0.0, 33.0, 90.0, -130.0])
def test_a_block_has_one_mark_as_it_is_seen_first(yaw):
    alone, tall = Cell(0, 1, 0), [Cell(3, y, 2) for y in (1, 2, 3)]
    cubes = [Cube(cell, Color.RED, Look.WRONG) for cell in (alone, *tall)]
    view = board_camera(cubes, yaw, [], 1.0)
    turned = [face for face in faces(cubes, yaw) if is_turned_to(face, view.eye)]
    assert Counter(face.cube for face in best_seen(turned, cubes, view.eye)) == dict.fromkeys(cubes, 1)
    (marks,) = (t for t in plotly_figure(cubes, view=view)["data"] if t.get("line", {}).get("width") == 6)
    (everywhere,) = (t for t in cube_traces(cubes, yaw) if t.get("line", {}).get("width") == 6)
    seen = len(turned) - len(cubes)  # faces that had a second or third mark
    assert len(everywhere["x"]) - len(marks["x"]) == seen * 2 * 3  # a cross is two lines: start, end, gap


@pytest.mark.parametrize("look", [Look.OLD, Look.MISSED])
def test_a_face_in_sight_is_marked_rather_than_one_behind_a_block_or_an_outline(look):
    behind = Cube(Cell(0, 1, 0), Color.RED, Look.WRONG)
    before = Cube(Cell(0, 1, -2), Color.BLUE, look)  # covers the face that looks largest from this low eye
    eye = (0.5, 3.0, -20.0)
    turned = [face for face in faces([behind, before], 0.0) if is_turned_to(face, eye)]
    (face,) = (face for face in best_seen(turned, [behind, before], eye) if face.cube == behind)
    assert face.normal == (0, 1, 0)
