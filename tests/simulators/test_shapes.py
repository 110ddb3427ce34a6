"""The six elementary shapes of 10.5: drawings to compare with, and every size and orientation."""

from collections import Counter
from random import Random

import pytest
from case_tables import cases_of

from bap_v2_metric.blocks import Cell, Color
from bap_v2_simulators.shapes import MINIMUM_SIZES, Shape, ShapeKind, cells_of, sample_shape

DRAWINGS = {  # upright ones, as seen from the side
    (ShapeKind[row["kind"]], tuple(row["size"])): row["drawn"] for row in cases_of(__file__, "drawings")
}


def drawn(text):
    """(across, up) of each '#', from the lower left on."""
    rows = [line.strip() for line in text.strip().splitlines()]
    return frozenset(
        (across, len(rows) - 1 - down)
        for down, row in enumerate(rows)
        for across, mark in enumerate(row)
        if mark == "#"
    )


def at_the_corner(points):
    """The points moved so that the smallest coordinate of each axis is 0."""
    low = [min(axis) for axis in zip(*points)]
    return frozenset(tuple(part - least for part, least in zip(point, low)) for point in points)


def turned_and_mirrored(points):
    """All eight ways in which a flat drawing can lie on the ground."""
    ways = set()
    for flip in (1, -1):
        points_now = [(flip * a, b) for a, b in points]
        for _ in range(4):
            points_now = [(-b, a) for a, b in points_now]
            ways.add(at_the_corner(points_now))
    return ways


def flat(shape):
    """The shape in the two axes of its plane; the height second if it stands."""
    axes = {"xz": (0, 2), "xy": (0, 1), "yz": (2, 1)}[shape.plane]
    (third,) = {0, 1, 2} - set(axes)
    assert len({cell[third] for cell in shape.cells}) == 1, "a shape lies in its plane"
    return at_the_corner([(cell[axes[0]], cell[axes[1]]) for cell in shape.cells])


def shapes_of(kind, n=600, largest=5, most_blocks=20):
    rng = Random(f"shapes of kind {kind.value}")
    return [sample_shape(rng, kind, Color.RED, largest, most_blocks) for _ in range(n)]


@pytest.mark.parametrize("kind_and_size", DRAWINGS, ids=lambda key: f"{key[0].value} {key[1]}")
@pytest.mark.parametrize("orientation", ["horizontal", "up", "down"])
def test_t_l_and_u_look_as_drawn(kind_and_size, orientation):
    kind, size = kind_and_size
    upright = drawn(DRAWINGS[kind_and_size])
    width = max(across for across, _ in upright)
    height = max(up for _, up in upright)
    if orientation == "horizontal":
        allowed = turned_and_mirrored(upright)
    else:
        standing = upright if orientation == "up" else frozenset((a, height - b) for a, b in upright)
        allowed = {standing, frozenset((width - a, b) for a, b in standing)}
    drawings = {
        flat(shape) for shape in shapes_of(kind, 2000) if shape.size == size and shape.orientation == orientation
    }
    assert drawings == allowed


@pytest.mark.parametrize("shape", shapes_of(ShapeKind.ROW, 40), ids=lambda shape: f"{shape.plane}{shape.size[0]}")
def test_a_row_is_a_line_along_one_axis(shape):
    axis = "xyz".index(shape.plane)
    along = sorted(cell[axis] for cell in shape.cells)
    assert along == list(range(along[0], along[0] + shape.size[0]))
    assert all(len({cell[other] for cell in shape.cells}) == 1 for other in range(3) if other != axis)
    assert shape.orientation == ("vertical" if shape.plane == "y" else "horizontal")


def test_a_diagonal_goes_one_along_each_of_two_axes_at_every_block():
    for shape in shapes_of(ShapeKind.DIAGONAL):
        points = sorted(flat(shape))
        n = shape.size[0]
        assert points in ([(i, i) for i in range(n)], [(i, n - 1 - i) for i in range(n)])
        assert shape.orientation == ("horizontal" if shape.plane == "xz" else "vertical")


def test_a_plane_is_a_full_rectangle_of_at_least_three_by_two():
    for shape in shapes_of(ShapeKind.PLANE):
        a, b = shape.size
        assert flat(shape) in (
            frozenset((i, j) for i in range(a) for j in range(b)),
            frozenset((i, j) for i in range(b) for j in range(a)),
        )
        assert max(shape.size) >= 3 and min(shape.size) >= 2
        assert shape.orientation == ("horizontal" if shape.plane == "xz" else "vertical")


@pytest.mark.parametrize("kind", ShapeKind)
def test_no_block_twice_and_never_more_than_the_stock_of_a_color(kind):
    for shape in shapes_of(kind, largest=9):
        assert len(set(shape.cells)) == len(shape.cells) <= 20
        assert shape.color is Color.RED and shape.kind is kind
        assert shape.floor == min(cell.y for cell in shape.cells)


@pytest.mark.parametrize(
    ("kind", "smallest"),
    [
        (ShapeKind.ROW, (3,)),
        (ShapeKind.DIAGONAL, (3,)),
        (ShapeKind.T, (3, 3)),
        (ShapeKind.L, (2, 2)),
        (ShapeKind.U, (3, 2)),
        (ShapeKind.PLANE, (3, 2)),
    ],
)
@pytest.mark.parametrize("largest", [3, 5, 9])
def test_sizes_go_from_the_smallest_of_10_5_to_the_largest_that_is_asked_for(kind, smallest, largest):
    sizes = [shape.size for shape in shapes_of(kind, 1500, largest, most_blocks=81)]
    if kind is ShapeKind.PLANE:
        sizes = [tuple(sorted(size, reverse=True)) for size in sizes]
    assert tuple(map(min, zip(*sizes))) == smallest == MINIMUM_SIZES[kind]
    assert max(map(max, sizes)) == largest
    if kind is ShapeKind.T:
        assert {bar % 2 for bar, _ in sizes} == {1}, "the stem meets the middle of the bar"


@pytest.mark.parametrize("kind", ShapeKind)
def test_a_new_shape_starts_near_the_origin(kind):
    for shape in shapes_of(kind, 100):
        assert shape.origin == shape.cells[0] or shape.steps
        assert shape.cells[0] == (0, 0, 0) or kind is ShapeKind.T  # its foot is half a bar beside it


def test_a_limit_of_blocks_is_kept():
    for kind in (ShapeKind.PLANE, ShapeKind.U, ShapeKind.T):
        assert max(len(shape.cells) for shape in shapes_of(kind, 500, largest=9, most_blocks=8)) <= 8


@pytest.mark.parametrize("kind", ShapeKind)
def test_every_orientation_in_every_plane_occurs(kind):
    counts = Counter((shape.orientation, shape.plane) for shape in shapes_of(kind, 900))
    if kind is ShapeKind.ROW:
        expected = {("horizontal", "x"), ("horizontal", "z"), ("vertical", "y")}
    elif kind in (ShapeKind.DIAGONAL, ShapeKind.PLANE):
        expected = {("horizontal", "xz"), ("vertical", "xy"), ("vertical", "yz")}
    else:
        expected = {("horizontal", "xz"), *((way, plane) for way in ("up", "down") for plane in ("xy", "yz"))}
    assert set(counts) == expected
    assert min(counts.values()) > 900 / len(expected) / 3, counts


@pytest.mark.parametrize("kind", ShapeKind)
def test_moving_and_painting_keep_the_rest(kind):
    for shape in shapes_of(kind, 50):
        moved = shape.moved(3, -1, 2)
        assert moved.cells == tuple(Cell(x + 3, y - 1, z + 2) for x, y, z in shape.cells)
        assert moved.origin == tuple(a + b for a, b in zip(shape.origin, (3, -1, 2)))
        assert moved.moved(-3, 1, -2) == shape
        painted = shape.painted(Color.GREEN)
        assert painted.color is Color.GREEN and painted.painted(Color.RED) == shape

        def rest(one: Shape):
            return one.kind, one.size, one.orientation, one.plane, one.steps

        assert rest(moved) == rest(painted) == rest(shape)


@pytest.mark.parametrize("kind", [ShapeKind.ROW, ShapeKind.DIAGONAL, ShapeKind.PLANE])
def test_rows_diagonals_and_planes_are_what_their_origin_and_steps_describe(kind):
    for shape in shapes_of(kind, 100):
        moved = shape.moved(1, 2, -3)
        assert cells_of(moved.origin, moved.size, moved.steps) == moved.cells
