"""The text form: one exact text for each value and back, clear errors, and a reader that forgives."""

import pytest
from case_tables import cases_of
from hypothesis import given
from strategies import action_lists, blocks, structures

from bap_v2_metric.actions import Place, Remove
from bap_v2_metric.blocks import Block, Cell, Color
from bap_v2_metric.notation import (
    NotationError,
    Prediction,
    format_action,
    format_block,
    format_call,
    format_structure,
    parse_action,
    parse_block,
    parse_structure,
    read_prediction,
)

RED = Place(Color.RED, Cell(0, 1, 0))
TAKE = Remove(Cell(-5, 9, 5))


@given(blocks)
def test_a_block_survives_its_text(block):
    assert parse_block(format_block(block)) == block


@given(action_lists(reach=5))
def test_actions_survive_their_text_in_both_readers(actions):
    lines = [format_action(action) for action in actions]
    assert [parse_action(line) for line in lines] == actions
    assert read_prediction("\n".join(lines)).actions == tuple(actions)


@given(structures())
def test_a_structure_survives_its_text_with_the_order_of_its_blocks(structure):
    again = parse_structure(format_structure(structure))
    assert again == structure and list(again) == list(structure)


def test_the_text_forms_are_those_of_the_paper():
    assert format_action(RED) == "place red 0 1 0"
    assert format_action(TAKE) == "pick -5 9 5"
    assert format_block(Block(Color.PURPLE, Cell(-1, 2, 3))) == "purple -1 2 3"
    assert len(Color) * 1089 + 1089 == 7623  # the paper's ActionSpace


@pytest.mark.parametrize(
    ("text", "message"),
    [*cases_of(__file__, "no_blocks"), ("red 0 1 " + "9" * 5000, "three whole numbers")],
)
def test_what_is_no_block_is_named(text, message):
    with pytest.raises(NotationError, match=message) as raised:
        parse_block(text)
    assert len(str(raised.value)) < 250


@pytest.mark.parametrize("text", ["place 0 1 0", "pick red 0 1 0", "put red 0 1 0", "PLACE red 0 1 0", "place red 0 1"])
def test_what_is_no_action_is_named(text):
    with pytest.raises(NotationError, match=r"expected 'place COLOR X Y Z' or 'pick X Y Z'|unknown color"):
        parse_action(text)


def test_cells_outside_the_region_are_read_where_they_are_allowed():
    assert parse_action("pick 7 12 -9", anywhere=True) == Remove(Cell(7, 12, -9))
    assert parse_structure(["red 6 1 0"], anywhere=True).color_at(Cell(6, 1, 0)) == Color.RED


@pytest.mark.parametrize(
    "line",
    cases_of(__file__, "actions"),
)
def test_a_line_with_an_action_is_read(line):
    assert read_prediction(line) == Prediction((RED,), ())


@pytest.mark.parametrize(
    "line",
    [
        "put red 0 1 0", "place pink 0 1 0", "place red 0 1", "place red 0 1 0x", "place red 0 1 0.5",
        "place red 0 1 1234567890", "pick red 0 1 0", "placered 0 1 0", "<Architect> place red 0 1 0", "\0",
    ],
)  # fmt: skip
def test_any_other_line_is_counted_as_unparsed(line):
    assert read_prediction(line) == Prediction((), (line.strip(),))


@pytest.mark.parametrize("line", ["", "   ", "\t", "```", "```text", "  ```python  ", "~~~", "\u00a0", "\u200b"])
def test_blank_lines_and_fences_count_as_nothing(line):
    assert read_prediction(line) == Prediction((), ())


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_every_line_ending_ends_a_line(ending):
    lines = ["place red 0 1 0", "pick -5 9 5", "bye"]
    assert read_prediction(ending.join(lines)) == Prediction((RED, TAKE), ("bye",))


def test_cells_outside_the_region_are_read_as_actions():
    assert read_prediction("place red 99 -3 123456789").actions == (Place(Color.RED, Cell(99, -3, 123456789)),)


# --- Actions written as calls.


def test_calls_have_the_form_of_the_in_context_learning_papers():
    assert format_call(RED) == 'place(color="red", x=0, y=1, z=0)'
    assert format_call(TAKE) == "pick(x=-5, y=9, z=5)"


@pytest.mark.parametrize(
    "line",
    cases_of(__file__, "calls"),
)
def test_a_line_with_a_call_is_read(line):
    assert read_prediction(line) == Prediction((RED,), ())


@pytest.mark.parametrize(
    "line",
    cases_of(__file__, "no_calls"),
)
def test_a_line_with_no_call_that_can_be_read_counts_as_unparsed(line):
    assert read_prediction(line) == Prediction((), (line.strip(),))


def test_a_line_with_some_calls_that_can_be_read_gives_these_and_counts_as_unparsed():
    line = '[place("red", 0, 1, 0), pick(1, 2), pick(-5, 9, 5)]'
    assert read_prediction(line) == Prediction((RED, TAKE), (line,))
    line = 'place("red", 0, 1, 0), pick(x=1, y='
    assert read_prediction(line) == Prediction((RED,), (line,))
