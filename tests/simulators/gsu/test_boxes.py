"""Boxes: their cells, their kinds and how two of them lie, each checked cell by cell."""

from itertools import product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bap_v2_simulators.gsu.boxes import CUBE, KINDS, PLANE, TOWER, Box, gap_between, kind_of
from bap_v2_simulators.gsu.structure import MOST_BLOCKS, sample_extents

coordinates, sides = st.integers(-4, 4), st.integers(1, 4)
boxes = st.builds(Box, st.tuples(coordinates, coordinates, coordinates), st.tuples(sides, sides, sides))


@given(boxes)
def test_a_box_has_all_cells_between_its_corners_by_x_then_y_then_z(box):
    cells = list(box.cells())
    reach = range(-4, 9)
    between = [
        cell
        for cell in product(reach, reach, reach)
        if all(low <= value <= high for low, value, high in zip(box.origin, cell, box.far))
    ]
    assert cells == between and len(cells) == box.size
    assert box.spans == tuple((min(values), max(values)) for values in zip(*cells))


@given(boxes, st.tuples(coordinates, coordinates, coordinates))
def test_a_moved_box_is_the_same_elsewhere(box, way):
    moved = box.moved(*way)
    assert list(moved.cells()) == [tuple(map(sum, zip(cell, way))) for cell in box.cells()]
    assert moved.extents == box.extents


@given(boxes, boxes)
def test_the_gap_is_the_number_of_empty_layers_between_the_nearest_cells(box, other):
    steps = min(max(abs(a - b) for a, b in zip(*cells)) for cells in product(box.cells(), other.cells()))
    assert gap_between(box, other) == gap_between(other, box)
    assert gap_between(box, other) == steps - 1 if steps else gap_between(box, other) < 0


@given(boxes)
def test_the_kind_of_a_box_is_that_of_its_extents_wherever_it_lies(box):
    if box.size == 1:
        with pytest.raises(ValueError, match="no name"):
            _ = box.kind
    else:
        assert box.kind == kind_of(box.extents) == box.moved(1, 2, 3).kind


def test_sampled_boxes_have_the_sides_of_their_kind():
    rng = Random(0)
    for _ in range(3000):
        extents = sample_extents(rng)
        kind, (short, middle, long) = kind_of(extents), sorted(extents)
        if kind == PLANE:
            assert short == 1 and 2 <= middle <= long <= 7
        elif kind == CUBE:
            assert 2 <= short == long <= 5
        elif kind == TOWER:
            assert min(extents[:2]) >= 2 and max(extents[:2]) <= 5 and max(extents[:2]) < extents[2] <= 9
        else:
            assert short == middle == 1 and 2 <= long <= 9
        assert extents[0] * extents[1] * extents[2] <= MOST_BLOCKS


def test_kinds_are_drawn_by_their_weights():
    rng, n = Random(0), 6000
    drawn = [kind_of(sample_extents(rng)) for _ in range(n)]
    for kind, weight in zip(KINDS, (4, 2, 3, 5, 6)):  # of 20, and some towers have too many blocks
        assert drawn.count(kind) / n == pytest.approx(weight / 20, abs=0.025)
