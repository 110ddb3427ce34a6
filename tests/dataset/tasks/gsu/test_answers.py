"""What is read of answers: gold ones, the cases of the contract, and answers as chat models write them."""

from decimal import Decimal
from time import process_time

import pytest
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
        ("... (-3 - 8, 0) = (-11, 0).", 2, (-11, 0)),
        ("(1, 2) then (3, 4)\nAnswer: (3.0, 4)\nI began at (0, 0)", 2, (3, 4)),
        ("Answer: (4, -2)", 3, None),
        (f"{FOLLOWER_TRACE}\nAnswer: (3, 0, 3)", 3, (3, 0, 3)),
        (FOLLOWER_TRACE, 3, (3, 0, 3)),
        # as chat models write
        ("**Answer:** (3, 0)", 2, (3, 0)),
        ("**Final Answer: (\u22123, 0)**", 2, (-3, 0)),
        ("So the final position is:\n\n$$\\boxed{(3, -4)}$$", 2, (3, -4)),
        ("The final position is $\\boxed{\\left(3,\\,-4\\right)}$.", 2, (3, -4)),
        ("Answer: \\( (3, -4) \\)", 2, (3, -4)),
        ("#### (7, 2)", 2, (7, 2)),
        ("#### Step 1\nFrom (0, 0) to (2, 0)\n#### Step 2\nFrom (2, 0) to (2, 5)\n\nSo I end at (2, 5).", 2, (2, 5)),
        ("### Answer\n(3, 0)", 2, (3, 0)),
        ("The answer is x = 3, y = -4.", 2, (3, -4)),
        ("Answer: x: 3, y: -4, z: 1", 3, (3, -4, 1)),
        ("x = 3 + 2, y = 1. Answer: 4, -2", 2, (4, -2)),
        ("Answer: 4, -2, 0.5", 3, (4, -2, Decimal("0.5"))),
        ("Answer: [3, 0]", 2, (3, 0)),
        ("Answer: (3; 0)", 2, (3, 0)),
        ("Answer: (3 0)", 2, (3, 0)),
        ("Answer: ( 3 ,-0 )", 2, (3, 0)),
        ("Answer: (3, 0, 0)", 2, (3, 0)),
        ("Answer: (3, 0, 1)", 2, None),
        ("Answer: `(3, 0)`\n\nLet me know if you need anything, e.g. a plot from (0, 0).", 2, (3, 0)),
        ("You end at \u27e83, 0\u27e9", 2, (3, 0)),
        ('{"x": 3, "y": 0}', 2, (3, 0)),
        ("Start (0,0) \u2192 (2,0) \u2192 (2,5)", 2, (2, 5)),
        ("Answer: (0 + 2, 0) = (2, 0)", 2, (2, 0)),
        ("Answer: (x, y)\nWait. Answer: (2.50, 1)", 2, (Decimal("2.5"), 1)),
        ("Answer: (5, 1)\nFinal answer: see above", 2, (5, 1)),
        ("I cannot say where I end.", 2, None),
        ("", 2, None),
        ("Answer: (1e3, 2)", 2, None),
    ],
)
def test_positions_are_read(text, dims, point):
    assert read_point(text, dims) == point


@pytest.mark.parametrize(
    ("text", "chain"),
    [
        ("Move 2 steps right, then 1 step forward.", "right 2, forward 1"),
        ("turn left, then move forward 3", "left 3"),
        ("Turn right 90 degrees and move forward 2. Move up 3.", "right 2, up 3"),
        ("right 2 forward 1 up 3", "right 2, forward 1, up 3"),
        ("turn around and walk 8", "backward 8"),
        (f"{INSTRUCTOR_TRACE}\nAnswer: right 2, forward 1", "right 2, forward 1"),
        (f"{CARD2EGO_TRACE}\nAnswer: right 2, forward 1, up 3", "right 2, forward 1, up 3"),
        # as chat models write
        ("**Answer:** right 2, forward 1", "right 2, forward 1"),
        ("**Final answer:** `RIGHT 2, FORWARD 1`", "right 2, forward 1"),
        ("Answer: $\\boxed{\\text{right } 2, \\text{forward } 1}$", "right 2, forward 1"),
        ("Answer: right 2 \u2192 forward 1 -> up 3", "right 2, forward 1, up 3"),
        ("Answer: (right 2, forward 1)", "right 2, forward 1"),
        ("Answer: [right 2, forward 1]", "right 2, forward 1"),
        ('Answer: [("right", 2), ("forward", 1)]', "right 2, forward 1"),
        ("Answer: right (2), forward (1)", "right 2, forward 1"),
        ("Answer:\n1. right 2\n2. forward 1", "right 2, forward 1"),
        ("Answer:\n- Right: 2\n- Forward: 1\n\nThis follows the path: first right 2.", "right 2, forward 1"),
        ("Step 1: Move right 2 steps.\nStep 2: Move forward 1 step.", "right 2, forward 1"),
        ("I checked it.\n\n1) Turn right and walk 2.\n2) Go straight ahead 1.", "right 2, forward 1"),
        ("Answer: turn right, walk two steps, turn left, walk four steps", "right 2, left 4"),
        ("Answer: right 2, forward 1\nYou end at (3, 0).", "right 2, forward 1"),
        ("First I tried left 4.\n\nBut it must be:\nright 2, forward 1", "right 2, forward 1"),
        ("Answer: go leftwards 3, then upward 2 and back 1", "left 3, up 2, backward 1"),
        ("Answer: turn 180\u00b0 and go forward 4, right 2.5", "backward 4, right 2.5"),
        ("Answer: right 2 (to x = 2), forward 1 (to x = 3)", "right 2, forward 1"),
        ("Answer: right, 2, forward, 1", "right 2, forward 1"),
        ("#### right 2, forward 1", "right 2, forward 1"),
        ("The answer is: move 2 units to the right; move 1 unit forward", "right 2, forward 1"),
        ("Answer: east 2, east 1", ""),
        ("Answer: right -2", ""),
        ("I do not know.", ""),
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
        ("It is right in front of me.", "front"),
        ("neither above nor below, directly behind", "behind"),
        ("the block is below and above me", "below above"),
        (f"{LOCALIZATION_TRACE}\nAnswer: front, below", "front below"),
        (LOCALIZATION_TRACE, "below"),
        # as chat models write
        ("**Answer:** Left, Front", "left front"),
        ("Answer: $\\boxed{\\text{left}, \\text{front}}$ and not behind", "left front"),
        ("\\boxed{left, front}. It is not behind.", "left front"),
        ("The red block is to your left and in front of you.", "left front"),
        ("The answer is: front-left", "left front"),
        ("Answer: upper left", "above left"),
        ("Answer:\n- left\n- front\n\nIt was behind before.", "left front"),
        ("Answer:\n\nleft\nabove", "left above"),
        ("#### behind, above", "behind above"),
        ("#### Answer\nbehind, above", "behind above"),
        ("Answer: directly ahead, one below", "front below"),
        ("It is behind.\nFinal answer: To the right, and on top of it", "right above"),
        ("Answer: to the right behind the block", "right behind"),
        ("Answer: not left, but behind", "behind"),
        ("Answer: not only left but also front", "left front"),
        ("Answer: it isn't above, it's beneath", "below"),
        ("Answer: right above it", "above"),
        ("It is left.\nIt is neither above nor below.", "left"),
        ("Answer: left/front/above", "left front above"),
        ("Answer: DIRECTION, DIRECTION\nfront", "front"),
        ("Answer: none", ""),
        ("They are copyright 2020, leftover upstairs.", ""),
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
