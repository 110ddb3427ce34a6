"""Directions as the Builder sees them: hand-worked sides of the grid, and the paper's own comparison as an oracle."""

import math
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import cells

from bap_v2_metric.alignment import Transform
from bap_v2_metric.blocks import Cell
from bap_v2_simulators.pose import Pose, perspective_coordinates, wrapped_yaw
from bap_v2_simulators.view import (
    Direction,
    Offset,
    View,
    clear_up_to,
    depth_from_every_side,
    depth_weights,
    off_cardinal,
    side_of,
)

RELATIONS = [Offset(*signs) for signs in product((-1, 0, 1), repeat=3) if any(signs)]
offsets = st.builds(Offset, st.integers(-6, 6), st.integers(-6, 6), st.integers(-6, 6))
# Within 30 degrees of one of the four directions of the grid.
spoken_yaws = st.builds(
    lambda side, off: wrapped_yaw(side + off), st.sampled_from([0.0, 90.0, 180.0, 270.0]), st.floats(-30, 30)
)


def paper_relation(start, end, yaw, factor=1.0):
    """5.2.2, level with the ground: the larger of the two horizontal differences in perspective coordinates."""
    pose = Pose(2.25, 1.0, -7.5, yaw, 0.0)
    a, b = perspective_coordinates(start, pose), perspective_coordinates(end, pose)
    left, away = b[0] - a[0], b[2] - a[2]
    if abs(left) > factor * abs(away):
        return "left" if left > 0 else "right"
    if factor * abs(left) < abs(away):
        return "behind" if away > 0 else "front"
    return None


@pytest.mark.parametrize(
    ("yaw", "left", "right", "behind", "front"),
    [
        (0, (1, 0), (-1, 0), (0, 1), (0, -1)),  # faces +z
        (90, (0, 1), (0, -1), (-1, 0), (1, 0)),  # faces -x
        (-180, (-1, 0), (1, 0), (0, -1), (0, 1)),  # faces -z
        (-90, (0, -1), (0, 1), (1, 0), (-1, 0)),  # faces +x
    ],
)
def test_left_right_behind_and_front_on_the_four_sides(yaw, left, right, behind, front):
    view, middle = View.of(yaw), Cell(2, 3, -1)
    for name, (dx, dz) in {"left": left, "right": right, "behind": behind, "front": front}.items():
        assert view.offset(middle, Cell(2 + dx, 3, -1 + dz)).relation == name
    assert view.offset(middle, Cell(2, 4, -1)).relation == "top"
    assert view.offset(middle, Cell(2, 2, -1)).relation == "bottom"


def test_a_corner_by_hand():
    # The Builder faces -x. One up, two towards it (+x), one to its right (-z).
    offset = View.of(85.0).offset(Cell(0, 1, 0), Cell(2, 2, -1))
    assert offset == Offset(left=-1, up=1, away=-2)
    assert offset.directions == (Direction.TOP, Direction.RIGHT, Direction.FRONT)
    assert offset.relation == "top+right+front"
    assert offset.step == Offset(-1, 1, -1)


def test_26_relations_are_named_6_with_one_direction_12_with_two_and_8_with_three():
    names = {relation.relation for relation in RELATIONS}
    assert len(names) == 26
    assert [sum(name.count("+") == n for name in names) for n in range(3)] == [6, 12, 8]
    for one in Direction:
        assert sum(one.value in name.split("+") for name in names) == 9
    assert all(len(relation.directions) == sum(map(abs, relation)) for relation in RELATIONS)


@given(spoken_yaws, cells(), cells())
def test_what_the_view_calls_left_has_a_larger_left_coordinate(yaw, start, end):
    # Each direction of a 2D relation is a sign of the paper's differences: exactly on the grid, and within 30 degrees
    # wherever the other difference does not outweigh it.
    left, up, away = View.of(yaw).offset(start, end)
    straight = wrapped_yaw(90.0 * round(yaw / 90.0))
    for angle in (straight, yaw):
        pose = Pose(0.0, 1.0, 0.0, angle, 0.0)
        a, b = perspective_coordinates(start, pose), perspective_coordinates(end, pose)
        seen = [b[axis] - a[axis] for axis in range(3)]
        assert seen[1] == pytest.approx(up)
        if angle == straight:
            assert seen == pytest.approx([left, up, away], abs=1e-9)
        if abs(left) >= abs(away) and left:
            assert seen[0] * left > 0
        if abs(away) >= abs(left) and away:
            assert seen[2] * away > 0


@given(spoken_yaws)
def test_within_30_degrees_a_neighbor_is_clearly_on_its_side(yaw):
    # cos 30 against sin 30: the paper's larger difference is at least 1.7 times the other.
    for relation in (Offset(1, 0, 0), Offset(0, 0, 1), Offset(-1, 0, 0), Offset(0, 0, -1)):
        end = View.of(yaw).cell(Cell(0, 1, 0), relation)
        assert paper_relation(Cell(0, 1, 0), end, yaw, factor=1.7) == relation.relation


@given(spoken_yaws, cells(), offsets)
def test_cell_and_offset_are_inverse(yaw, start, offset):
    view = View.of(yaw)
    assert view.offset(start, view.cell(start, offset)) == offset


@given(spoken_yaws, cells(), cells())
def test_offset_and_cell_are_inverse(yaw, start, end):
    view = View.of(yaw)
    assert view.cell(start, view.offset(start, end)) == end
    assert view.offset(end, start) == Offset(*(-part for part in view.offset(start, end)))


@given(spoken_yaws, cells(), offsets, st.integers(0, 5))
def test_going_several_times_is_going_once_after_the_other(yaw, start, offset, times):
    view, cell = View.of(yaw), start
    for _ in range(times):
        cell = view.cell(cell, offset)
    assert view.cell(start, offset, times) == cell


@given(spoken_yaws, cells(), offsets)
def test_the_vector_of_an_offset_is_the_way_it_takes(yaw, start, offset):
    view = View.of(yaw)
    end = view.cell(start, offset)
    assert view.vector(offset) == tuple(b - a for a, b in zip(start, end))


@given(spoken_yaws, st.integers(0, 3), st.integers(-3, 3), st.integers(-3, 3), cells(), cells())
def test_turning_world_and_builder_together_changes_nothing(yaw, turns, dx, dz, start, end):
    move = Transform(turns, dx, dz)
    turned = View.of(wrapped_yaw(yaw + 90.0 * turns))
    assert turned.offset(move(start), move(end)) == View.of(yaw).offset(start, end)


@given(offsets)
def test_a_relation_says_all_directions_of_an_offset_and_no_distance(offset):
    assert offset.relation == offset.step.relation
    assert offset.step in (*RELATIONS, Offset(0, 0, 0))
    assert len(offset.directions) == sum(part != 0 for part in offset)


@pytest.mark.parametrize(
    ("yaw", "off"), [(0, 0), (30, 30), (45, 45), (60, 30), (-30, 30), (-100, 10), (179, 1), (-180, 0), (134.5, 44.5)]
)
def test_how_far_a_yaw_is_off_the_grid(yaw, off):
    assert off_cardinal(yaw) == pytest.approx(off)


@given(st.floats(-180, 180, exclude_max=True))
def test_a_quarter_turn_does_not_change_how_far_a_yaw_is_off_the_grid(yaw):
    off = off_cardinal(yaw)
    assert 0 <= off <= 45
    assert off_cardinal(yaw + 90) == pytest.approx(off, abs=1e-9)
    assert off_cardinal(-yaw) == pytest.approx(off, abs=1e-9)


@given(st.floats(-180, 180, exclude_max=True))
def test_the_view_is_from_the_side_nearest_to_the_yaw(yaw):
    if abs(off_cardinal(yaw) - 45.0) < 1e-6:
        return  # a tie
    view = View.of(yaw)
    facing = (-math.sin(math.radians(yaw)), math.cos(math.radians(yaw)))
    assert view.away == max([(1, 0), (-1, 0), (0, 1), (0, -1)], key=lambda way: facing[0] * way[0] + facing[1] * way[1])
    assert view == View.of(yaw + 360.0)


WAYS = [way for way in product((-2, 0, 1), repeat=3) if any(way)]
several_ways = st.lists(st.sampled_from(WAYS), max_size=4)


@given(st.sampled_from(WAYS), st.sampled_from([0.0, 90.0, 180.0, 270.0]), st.floats(-1, 1))
def test_what_lies_along_the_grid_keeps_its_name_as_far_off_the_grid_as_it_is_said_to_be_clear(way, way_faced, share):
    yaw = wrapped_yaw(way_faced + 0.999 * share * clear_up_to([way]))
    start, end = Cell(0, 5, 0), Cell(way[0], 5 + way[1], way[2])
    horizontal = [one.value for one in View.of(yaw).offset(start, end).directions if one.value not in ("top", "bottom")]
    if not horizontal:
        assert clear_up_to([way]) == 45.0
    elif len(horizontal) == 1:  # by the paper's comparison, with something to spare
        assert horizontal == [paper_relation(start, end, yaw, factor=1.3)]
    else:
        assert clear_up_to([way]) == 30.0


@given(several_ways)
def test_several_ways_are_as_clear_as_the_least_clear_of_them(ways):
    assert clear_up_to(ways) == min((clear_up_to([way]) for way in ways), default=45.0)


@given(several_ways, st.sampled_from([0.0, 0.05, 0.5, 1.0]))
def test_a_view_loses_weight_for_each_depth_that_another_view_does_not_need(ways, depth):
    views = [View.of(90.0 * side) for side in range(4)]
    assert [side_of(90.0 * side) for side in range(4)] == [0, 1, 2, 3]
    counts = [sum(view.offset(Cell(0, 5, 0), Cell(x, 5 + y, z)).away != 0 for x, y, z in ways) for view in views]
    fewest = min(counts)
    assert depth_from_every_side(ways) == fewest
    expected = tuple(depth ** (count - fewest) for count in counts)
    assert (depth_weights(ways, depth) or (1.0,) * 4) == expected
