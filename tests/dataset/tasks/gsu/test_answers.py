"""What is read of answers: gold ones, the cases of the contract, and answers as chat models write them."""

from decimal import Decimal
from time import process_time

import pytest
from case_tables import cases_of
from hypothesis import given
from hypothesis import strategies as st

from bap_v2_dataset.tasks.gsu.answers.chains import read_chain
from bap_v2_dataset.tasks.gsu.answers.descriptions import read_description
from bap_v2_dataset.tasks.gsu.answers.points import read_point
from bap_v2_dataset.tasks.gsu.answers.relations import read_relations
from bap_v2_simulators.gsu.localization import RELATIONS
from bap_v2_simulators.gsu.walks import DIRECTIONS, WalkStep, chain_text, position_text

FOLLOWER_TRACE = """I start at (0, 0, 0), facing positive y.
1. right 2: Facing positive y, right is positive x, so x grows by 2: (0 + 2, 0, 0) = (2, 0, 0). Now I face positive x.
2. forward 1: Facing positive x, forward is positive x, so x grows by 1: (2 + 1, 0, 0) = (3, 0, 0).
3. up 3: Up is positive z, and I do not turn, so z grows by 3: (3, 0, 0 + 3) = (3, 0, 3)."""
INSTRUCTOR_TRACE = """I face positive y.
1. (0, 0) to (2, 0): x grows by 2. Facing positive y, positive x is right: right 2. Now I face positive x.
2. (2, 0) to (3, 0): x grows by 1. Facing positive x, positive x is forward: forward 1."""
CARD2EGO_TRACE = """I face north.
1. east 2: Facing north, east is right: right 2. Now I face east.
2. east 1: Facing east, east is forward: forward 1.
3. up 3: I do not turn: up 3."""
LOCALIZATION_TRACE = """The red block is at (-8, 9, 6), and I am at (-7, 9, 7).
I face negative x: larger x is behind, smaller x is front; larger y is right, smaller y is \
left; larger z is above, smaller z is below.
x: -8 < -7, so front.
y: 9 = 9, the same.
z: 6 < 7, so below."""


@pytest.mark.parametrize(
    ("text", "dims", "point"),
    [
        *cases_of(__file__, "positions"),
        (f"{FOLLOWER_TRACE}\nAnswer: (3, 0, 3)", 3, (3, 0, 3)),
        (FOLLOWER_TRACE, 3, (3, 0, 3)),
        ("Answer: 4, -2, 0.5", 3, (4, -2, Decimal("0.5"))),
        ("Answer: (x, y)\nWait. Answer: (2.50, 1)", 2, (Decimal("2.5"), 1)),
    ],
)
def test_positions_are_read(text, dims, point):
    assert read_point(text, dims) == (tuple(point) or None)


@pytest.mark.parametrize(
    ("text", "chain"),
    [
        *cases_of(__file__, "chains"),
        (f"{INSTRUCTOR_TRACE}\nAnswer: right 2, forward 1", "right 2, forward 1"),
        (f"{CARD2EGO_TRACE}\nAnswer: right 2, forward 1, up 3", "right 2, forward 1, up 3"),
    ],
)
def test_chains_are_read(text, chain):
    assert chain_text(read_chain(text).steps) == chain


def test_clauses_that_are_no_step_are_counted():
    assert read_chain("Answer: right 2, go left, up 3") == ((WalkStep("right", 2), WalkStep("up", 3)), 1)
    assert read_chain("Answer: turn right, move left 2") == ((WalkStep("left", 2),), 1)


@pytest.mark.parametrize(
    ("text", "relations"),
    [
        *cases_of(__file__, "directions"),
        (f"{LOCALIZATION_TRACE}\nAnswer: front, below", "front below"),
        (LOCALIZATION_TRACE, "below"),
    ],
)
def test_directions_are_read(text, relations):
    assert read_relations(text) == set(relations.split())


@pytest.mark.parametrize(
    ("text", "colors", "numbers", "shapes", "relations"),
    [
        ("a cube with height 8 and width 2", "", {2, 8}, "cube", ""),
        ("a group of 10 columns each 7 blocks high", "", {7, 10}, "column", ""),
        ("a row of blocks stacked vertically", "", set(), "column", ""),
        ("a large, flat, expansive structure", "", set(), "", ""),
        ("a row 6 blocks long with an orange left half and a blue right half", "orange blue", {6}, "row", ""),
        ("a structure made up of red blocks", "red", set(), "", ""),
        ("a 3x3x3 violet cube", "purple", {3}, "cube", ""),
        ("a 3 \u00d7 4 blue wall on its left side", "blue", {3, 4}, "plane", "left"),
        ("a square tower, and a square", "", set(), "tower plane", ""),
        ("a vertical line and a line, upright", "", set(), "column row", ""),
        ("an O of one block depth, one of many, the 2nd of 50%", "", {1}, "plane", ""),
        ("Answer: Two yellow pillars (1, 2, 3)\n1. behind a rectangular prism", "yellow", {2}, "tower tower", "behind"),
        ("a red cube. Answer: a **blue** row left of it", "blue", set(), "row", "left"),
        ("alternating red and blue layers from left to right", "red blue", set(), "", ""),
        ("the left and right halves of the cube", "", set(), "cube", ""),
        ("a 2D plane above columns at z = 5", "", set(), "plane column", "above"),
        ("yellow yellow tower twelve blocks tall", "yellow yellow", {12}, "tower", ""),
    ],
)
def test_terms_of_descriptions_are_read(text, colors, numbers, shapes, relations):
    terms = read_description(text)
    assert sorted(terms.colors.elements()) == sorted(colors.split())
    assert terms.numbers == numbers
    assert sorted(terms.shapes.elements()) == sorted(shapes.split())
    assert terms.relations == set(relations.split())


WORDS = st.sampled_from(
    ["answer", "is", ":", "####", "\\boxed{", "}", "(", ")", "[", "]", ",", ".", "\n", "-", "\u2212", "1", "2.5",
     "9" * 14, "\u0663", "\u00b2", "right", "left", "front", "turn", "around", "180\u00b0", "and", "not", "but", "x =",
     "y =", "z =", "in", "row", "vertical", "3x3", "one", "two", "red", "violet", "O", "left half", "\\text{", "\\",
     "\u0130", "step 1", "1.", "**", "$"]
)  # fmt: skip
TEXTS = st.one_of(st.text(), st.lists(WORDS, max_size=30).map(" ".join), st.lists(WORDS, max_size=30).map("".join))


@given(TEXTS, st.sampled_from((2, 3)))
def test_any_text_is_read(text, dims):
    point = read_point(text, dims)
    assert point is None or len(point) == dims
    assert all(step.direction in DIRECTIONS and step.length >= 0 for step in read_chain(text).steps)
    assert read_relations(text) <= set(RELATIONS)
    assert read_description(text).relations <= set(RELATIONS)


NUMBERS = st.one_of(st.integers(1, 99), st.integers(1, 99).map(lambda tenths: Decimal(tenths * 10 + 5) / 100))


@given(
    st.lists(st.builds(WalkStep, st.sampled_from(DIRECTIONS), NUMBERS), min_size=1), st.sampled_from(("", "Answer: "))
)
def test_written_chains_are_read_back(steps, marker):
    for text in (
        chain_text(steps),
        "**" + chain_text(steps),
        "\n".join(f"{n}. {step}" for n, step in enumerate(steps)),
    ):
        assert read_chain(marker + text) == (tuple(steps), 0)


@given(st.lists(st.one_of(NUMBERS, st.integers(-30, 30)), min_size=2, max_size=3).map(tuple))
def test_written_positions_are_read_back(position):
    for text in (position_text(position), f"*I end at* {position_text(position)}!"):
        assert read_point(text, len(position)) == position


@pytest.mark.parametrize(
    "piece",
    ["(1,", "Answer: ", "turn right 2, ", "#### (3 ", "not left ", "a", "1", "\\boxed{", " ", "\n", "1. right\n"],
)
def test_long_texts_are_read_in_linear_time(piece):
    def seconds(length: int) -> float:
        text, start = piece * (length // len(piece)), process_time()
        for read in (lambda text: read_point(text, 2), read_chain, read_relations, read_description):
            read(text)
        return process_time() - start

    seconds(1000)
    assert min(seconds(200_000) for _ in range(2)) < 3  # a quarter is usual; another process may slow one of them
