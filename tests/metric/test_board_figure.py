"""Cubes and what they tell: the same as the metric counts; and the 3D figure, seen from the Builder's side."""

import json
import math
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import action_lists, structures

from bap_v2_metric.actions import execute, net_actions
from bap_v2_metric.blocks import Cell, Color, Structure
from bap_v2_metric.board_figure import (
    EYE_HEIGHT,
    MARKS,
    Cube,
    Look,
    arrow,
    camera,
    change,
    cube_edges,
    face_rgb,
    faces,
    ink_on,
    judged,
    legend,
    plotly_figure,
    rgb_of,
)
from bap_v2_metric.notation import format_action, format_structure, parse_structure
from bap_v2_metric.scoring import InputError, score_item
from bap_v2_simulators.pose import Pose, perspective_coordinates

poses = st.builds(
    lambda x, y, z, yaw, pitch: {"x": x, "y": y, "z": z, "yaw": yaw, "pitch": pitch},
    *[st.floats(low, high) for low, high in ((-12, 12), (1, 8), (-12, 12), (-180, 179.9), (-60, 85))],
)


def solid(cubes) -> Structure:
    return Structure.from_colors({cube.cell: cube.color for cube in cubes if cube.solid})


@given(structures(), structures())
def test_what_is_solid_after_a_change_is_the_board_after_it(before, after):
    cubes = change(before, after)
    assert solid(cubes) == after
    assert sum(cube.solid for cube in cubes) == len(after)
    assert sum(cube.look is not Look.OLD for cube in cubes) == len(net_actions(before, after))


@given(structures(), action_lists(), structures(), st.sampled_from(["unique", "multiple"]))
def test_judged_cubes_are_those_that_the_metric_counts(before, actions, after, interpretations):
    predicted = execute(before, actions).after
    cubes = judged(before, predicted, after, interpretations)
    reference = {"before": format_structure(before), "after": format_structure(after)}
    counts = score_item("\n".join(map(format_action, actions)), {**reference, "interpretations": interpretations})
    found = {look: sum(cube.look is look for cube in cubes) for look in MARKS}
    assert found == {look: counts["fairer"][name] for look, name in zip(MARKS, ("tp", "fp", "fn"))}


@given(structures(), action_lists(), structures())
def test_what_is_solid_beside_the_reference_is_what_was_predicted(before, actions, after):
    predicted = execute(before, actions).after
    assert solid(judged(before, predicted, after)) == predicted


def test_a_judged_board_by_hand():
    before = parse_structure(["red 0 1 0", "blue 1 1 0", "green 2 1 0", "yellow 3 1 0"])
    predicted = parse_structure(["blue 1 1 0", "yellow 3 1 0", "orange 0 1 1", "purple 0 1 2"])
    after = parse_structure(["green 2 1 0", "yellow 3 1 0", "orange 0 1 1", "purple 0 2 2"])
    red, blue, green, yellow = ((Cell(x, 1, 0), color) for x, (color, _) in enumerate(before))
    found = {
        (cube.cell, cube.color): (cube.look, cube.removal, cube.solid) for cube in judged(before, predicted, after)
    }
    assert found == {
        red: (Look.CORRECT, True, False),
        blue: (Look.MISSED, True, True),
        green: (Look.WRONG, True, False),
        yellow: (Look.OLD, False, True),
        (Cell(0, 1, 1), Color.ORANGE): (Look.CORRECT, False, True),
        (Cell(0, 1, 2), Color.PURPLE): (Look.WRONG, False, True),
        (Cell(0, 2, 2), Color.PURPLE): (Look.MISSED, False, False),
    }


def test_other_interpretations_are_refused_by_name():
    with pytest.raises(InputError, match=r"'both' .expected 'unique' or 'multiple'"):
        judged(Structure(), Structure(), Structure(), "both")


def test_every_look_is_explained_and_every_judgement_has_a_mark_of_its_own():
    assert set(legend()) == set(Look)
    assert len(set(MARKS.values())) == len(MARKS) == 3
    assert all(mark in legend()[look] for look, mark in MARKS.items())


# --- Colours.
def lab(rgb) -> tuple[float, float, float]:
    """CIELAB under D65."""
    r, g, b = (v / 255 / 12.92 if v <= 10 else ((v / 255 + 0.055) / 1.055) ** 2.4 for v in rgb)
    xyz = (
        (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505,
        0.2126 * r + 0.7152 * g + 0.0722 * b,
        (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089,
    )
    x, y, z = (t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116 for t in xyz)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def luminance(rgb) -> float:
    r, g, b = (v / 255 / 12.92 if v <= 10 else ((v / 255 + 0.055) / 1.055) ** 2.4 for v in rgb)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


@pytest.mark.parametrize("color", Color)
def test_an_old_block_does_not_look_like_a_new_one(color):
    old, new = (rgb_of(Cube(Cell(0, 1, 0), color, look)) for look in (Look.OLD, Look.NEW))
    assert math.dist(lab(old), lab(new)) > 40  # 2.3 is what people just notice


@pytest.mark.parametrize("look", [Look.OLD, Look.NEW])
def test_colours_are_told_apart(look):
    colors = [lab(rgb_of(Cube(Cell(0, 1, 0), color, look))) for color in Color]
    assert min(math.dist(a, b) for a, b in combinations(colors, 2)) > 12


@pytest.mark.parametrize("color", Color)
def test_marks_can_be_read_on_every_face(color):
    for look in MARKS:
        for removal in (False, True):
            for light in (1.0, 0.86, 0.74):
                face = face_rgb(Cube(Cell(0, 1, 0), color, look, removal), light)
                dark, bright = sorted((luminance(face), luminance(ink_on(face))))
                assert (bright + 0.05) / (dark + 0.05) >= 4  # WCAG asks 3 of graphical objects


# --- Geometry.
@given(structures(), st.floats(-180, 179.9))
@settings(max_examples=50)
def test_faces_look_outward_and_touch_no_other_block(structure, yaw):
    cubes = change(Structure(), structure)
    for face in faces(cubes, yaw):
        right, up = face.right, face.up
        cross = tuple(right[(i + 1) % 3] * up[(i + 2) % 3] - right[(i + 2) % 3] * up[(i + 1) % 3] for i in range(3))
        assert cross == face.normal
        middle = tuple(c + 0.5 + n / 2 for c, n in zip(face.cube.cell, face.normal))
        assert face.at(0.5, 0.5) == middle
        assert structure.color_at(Cell(*(c + n for c, n in zip(face.cube.cell, face.normal)))) is None


def test_a_cube_has_twelve_edges_of_its_length():
    edges = set(cube_edges(Cell(2, 3, -4), 0.0))
    assert len(edges) == 12
    assert all(math.dist(*edge) == 1 for edge in edges)
    assert {point for edge in edges for point in edge} == {(x, y, z) for x in (2, 3) for y in (3, 4) for z in (-4, -3)}


@given(poses)
def test_the_arrow_points_where_the_builder_looks(pose):
    its = arrow(pose)
    seen = perspective_coordinates(
        tuple(t - e for t, e in zip(its.tip, its.eyes)), Pose(0, 0, 0, pose["yaw"], pose["pitch"])
    )
    assert seen == pytest.approx((0, 0, math.dist(its.tip, its.eyes)), abs=1e-9)
    assert all(math.dist(corner, its.eyes) < 0.4 for corner in its.base)


def test_a_builder_outside_the_region_stands_there_and_one_far_away_at_the_end():
    near = arrow({"x": -7.5, "y": 3.0, "z": 1.0, "yaw": 0.0, "pitch": 0.0})
    assert (near.ground, near.feet, near.eyes) == ((-7.5, 1.0, 1.0), (-7.5, 3.0, 1.0), (-7.5, 3.0 + EYE_HEIGHT, 1.0))
    far = arrow({"x": -70.0, "y": 1.0, "z": 1.0, "yaw": 0.0, "pitch": 0.0})
    assert far.feet[0] == -8.5 and "-70.0 1.0 1.0" in far.words


# --- Plotly.
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
        for value, wanted in zip(seen, sign):
            if wanted is not None:
                assert (value > 1e-9) - (value < -1e-9) == wanted


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
