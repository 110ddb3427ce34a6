"""Lists of blocks in four representations, and back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bap_v2_dataset.tasks.gsu.blocks import REPRESENTATIONS, BlockListError, format_block, format_blocks, parse_blocks
from bap_v2_metric.blocks import Color

colors = st.sampled_from([color.value for color in Color])
coordinates = st.integers(-99, 99)
blocks_in_2d = st.tuples(colors, st.tuples(coordinates, coordinates))
blocks_in_3d = st.tuples(colors, st.tuples(coordinates, coordinates, coordinates))
TWO = [("orange", (0, 0, 0)), ("red", (1, -2, 3))]


@given(st.one_of(st.lists(blocks_in_2d), st.lists(blocks_in_3d)))
def test_every_representation_can_be_read_back(blocks):
    for representation in REPRESENTATIONS:
        assert parse_blocks(format_blocks(blocks, representation), representation) == blocks


@pytest.mark.parametrize(
    ("representation", "text"),
    [
        ("plain", "orange 0 0 0, red 1 -2 3"),
        ("set", "(orange, 0, 0, 0), (red, 1, -2, 3)"),
        ("dict", "(color = orange, x = 0, y = 0, z = 0), (color = red, x = 1, y = -2, z = 3)"),
        ("text", "an orange block at (0, 0, 0), and a red block at (1, -2, 3)"),
    ],
)
def test_the_representations_of_two_blocks(representation, text):
    assert format_blocks(TWO, representation) == text


def test_a_block_is_written_as_in_the_notation_of_building():
    assert format_block(TWO[1]) == "red 1 -2 3"


def test_unknown_representations_and_other_texts_are_refused():
    with pytest.raises(
        BlockListError, match=r"unknown representation 'json' \(expected one of plain, set, dict, text\)"
    ):
        format_blocks(TWO, "json")
    with pytest.raises(BlockListError, match="not a list of blocks in the representation set"):
        parse_blocks("(red, 1, 2) and more", "set")


@pytest.mark.parametrize("number", ["1" * 5000, "01", "+1", "-0", "1.0", "\u0663", ""])
def test_numbers_that_are_not_written_so_are_refused(number):
    written = {
        "plain": f"red {number} 0",
        "set": f"(red, {number}, 0)",
        "dict": f"(color = red, x = {number}, y = 0)",
        "text": f"a red block at ({number}, 0)",
    }
    for representation, text in written.items():
        with pytest.raises(BlockListError):
            parse_blocks(text, representation)
