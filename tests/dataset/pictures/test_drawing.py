"""Colors that can be told apart, faces, edges, and a figure that looks where the Builder does."""

import math
from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import poses, structures

from bap_v2_dataset.pictures.cubes import MARKS, Cube, Look, change
from bap_v2_dataset.pictures.drawing import cube_edges, face_rgb, faces, ink_on, rgb_of
from bap_v2_dataset.pictures.figurine import body_mesh, figurine
from bap_v2_metric.blocks import EYE_HEIGHT, Cell, Color, Structure
from bap_v2_simulators.pose import Pose, perspective_coordinates


# --- Colors.
def linear(rgb) -> list[float]:
    return [v / 255 / 12.92 if v <= 10 else ((v / 255 + 0.055) / 1.055) ** 2.4 for v in rgb]


def lab(rgb) -> tuple[float, float, float]:
    """CIELAB under D65."""
    r, g, b = linear(rgb)
    xyz = (
        (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505,
        0.2126 * r + 0.7152 * g + 0.0722 * b,
        (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089,
    )
    x, y, z = (t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116 for t in xyz)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def luminance(rgb) -> float:
    r, g, b = linear(rgb)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


@pytest.mark.parametrize("color", Color)
def test_an_old_block_does_not_look_like_a_new_one(color):
    old, new = (rgb_of(Cube(Cell(0, 1, 0), color, look)) for look in (Look.OLD, Look.NEW))
    assert math.dist(lab(old), lab(new)) > 40  # 2.3 is what people just notice


@pytest.mark.parametrize("look", [Look.OLD, Look.NEW])
def test_colors_are_told_apart(look):
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
def test_the_beam_shines_where_the_builder_looks(pose):
    builder = figurine(pose)
    end = tuple(sum(values) / 4 for values in zip(*builder.beam[1:]))
    seen = perspective_coordinates(
        tuple(e - h for e, h in zip(end, builder.head)), Pose(0, 0, 0, pose["yaw"], pose["pitch"])
    )
    assert seen == pytest.approx((0, 0, math.dist(end, builder.head)), abs=1e-9)
    assert all(math.dist(eye, end) < math.dist(builder.head, end) for eye in builder.eyes)


def test_a_builder_outside_the_region_stands_there_and_one_far_away_at_the_end():
    near = figurine({"x": -7.5, "y": 3.0, "z": 1.0, "yaw": 0.0, "pitch": 0.0})
    assert (near.ground, near.feet, near.head) == ((-7.5, 1.0, 1.0), (-7.5, 3.0, 1.0), (-7.5, 3.0 + EYE_HEIGHT, 1.0))
    far = figurine({"x": -70.0, "y": 1.0, "z": 1.0, "yaw": 0.0, "pitch": 0.0})
    assert far.feet[0] == -8.5 and "-70.0 1.0 1.0" in far.words


def test_the_body_is_two_closed_surfaces():
    corners, triangles = body_mesh(figurine({"x": 0.0, "y": 1.0, "z": 0.0, "yaw": 0.0, "pitch": 0.0}))
    edges = Counter(frozenset(pair) for t in triangles for pair in combinations(t, 2))
    assert all(number <= 2 for number in edges.values())
    assert sum(number == 1 for number in edges.values()) == 8  # the neck, which is inside of the head
    assert {corner for triangle in triangles for corner in triangle} == set(range(len(corners)))
