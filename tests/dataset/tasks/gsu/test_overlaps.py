"""The four measures of agreement, on the examples of the paper and by their laws."""

from collections import Counter
from functools import cache
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bap_v2_dataset.tasks.gsu.answers.overlaps import CREDITS, KINDS, multiset_overlap, set_overlap, shape_overlap

SHAPES = st.lists(st.sampled_from(KINDS), max_size=5).map(Counter)
COLORS = st.lists(st.sampled_from(("red", "blue", "green")), max_size=6).map(Counter)
SETS = st.frozensets(st.integers(1, 6))


@pytest.mark.parametrize(
    ("predicted", "right", "overlap"),
    [({10, 7}, {3, 8}, 0), ({8, 2}, {2, 8}, 1), ({2, 8}, {2, 3, 4, 8}, 1 / 2), ({4, 7, 1}, {4, 7}, 2 / 3), ((), (), 1)],
)
def test_numbers_overlap(predicted, right, overlap):
    assert set_overlap(predicted, right) == overlap


@pytest.mark.parametrize(
    ("predicted", "right", "overlap"),
    [
        ("yellow", "yellow yellow", 1 / 2),
        ("yellow yellow", "yellow", 1 / 2),
        ("yellow red", "yellow yellow red", 2 / 3),
        ("", "red", 0),
        ("", "", 1),
    ],
)
def test_colors_overlap_by_how_often_they_occur(predicted, right, overlap):
    assert multiset_overlap(Counter(predicted.split()), Counter(right.split())) == overlap


@pytest.mark.parametrize(
    ("predicted", "right", "overlap"),
    [
        ("row", "column", 0.6),
        ("cube", "row", 0),
        ("row plane tower", "row plane cube", 2.5 / 3),
        ("column", "tower plane plane", 0.6 / 3),
        ("row column", "row", 1 / 2),
        ("cube plane", "tower plane plane", 0.5),
        ("column plane plane", "tower plane plane", 2.6 / 3),
        ("tower", "row column", 0.6 / 2),
        ("row tower", "column cube", 1.1 / 2),
        ("", "row", 0),
        ("", "", 1),
    ],
)
def test_shapes_overlap_with_credits(predicted, right, overlap):
    assert shape_overlap(Counter(predicted.split()), Counter(right.split())) == pytest.approx(overlap, abs=1e-15)


def by_brute_force(predicted: Counter, right: Counter) -> float:
    """The best quotient of all matchings of what is left after equal words."""
    equal = predicted & right
    left, wanted = tuple((predicted - equal).elements()), tuple((right - equal).elements())
    n, n_either = equal.total(), predicted.total() + right.total() - equal.total()

    @cache
    def totals(at: int, free: frozenset[int]) -> frozenset[tuple[int, int]]:
        if at == len(left):
            return frozenset({(0, 0)})
        found = set(totals(at + 1, free))
        for other in free:
            if credit := CREDITS.get(frozenset((left[at], wanted[other]))):
                found |= {(a + credit, b + 1) for a, b in totals(at + 1, free - {other})}
        return frozenset(found)

    if not n_either:
        return 1.0
    return max((10 * n + a) / (10 * (n_either - b)) for a, b in totals(0, frozenset(range(len(wanted)))))


@given(SHAPES, SHAPES)
def test_the_best_matching_is_found(predicted, right):
    assert shape_overlap(predicted, right) == pytest.approx(by_brute_force(predicted, right), abs=1e-15)


@given(SHAPES, SHAPES, COLORS, COLORS, SETS, SETS)
def test_overlaps_are_symmetric_and_one_for_equals_alone(shapes, other_shapes, colors, other_colors, numbers, others):
    for overlap, a, b in (
        (shape_overlap, shapes, other_shapes),
        (multiset_overlap, colors, other_colors),
        (set_overlap, numbers, others),
    ):
        assert overlap(a, b) == overlap(b, a) and 0 <= overlap(a, b) <= 1
        assert (overlap(a, b) == 1) == (a == b)
    assert shape_overlap(shapes, other_shapes) >= multiset_overlap(shapes, other_shapes) - 1e-15


@given(SETS, SETS, st.integers(7, 9))
def test_a_wrong_word_never_raises_an_overlap(predicted, right, wrong):
    assert set_overlap(predicted | {wrong}, right) <= set_overlap(predicted, right)


def test_hundreds_of_shape_words_are_matched_at_once():
    start = process_time()
    for n in range(500, 600):
        shape_overlap(Counter(row=n, cube=n, column=n), Counter(tower=2 * n, plane=n))
    assert process_time() - start < 1
