"""Rules of thumb for language, on sentences worked by hand."""

import pytest

from bap_v2_dataset.analysis.language import is_instruction, relations_in, sentence_type, words_of


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Now place two red blocks on top of that", "imperative"),
        ("great! to the left of it add a blue one", "imperative"),
        ("you need to put a green block behind it", "declarative"),
        ("there should be a row of 3 orange blocks below that", "declarative"),
        ("it starts to the right of the last red one", "declarative"),
        ("can you remove the topmost one", "question"),
        ("how about a blue brick on top?", "question"),
        ("two more to the left", "fragment"),
        ("next, a red column that goes up", "fragment"),
    ],
)
def test_types_of_sentences(text, expected):
    assert sentence_type(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("to the left of the red block", [("left", "to left of")]),
        ("right on top of it", [("top", "right on top of")]),
        ("that's right", []),
        ("delete the one behind it", [("behind", "N behind")]),
        ("up and to the right of you", [("top", "up"), ("right", "to right of")]),
    ],
)
def test_names_of_relations(text, expected):
    assert [(relation, " ".join(name)) for relation, name in relations_in(words_of(text))] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("remove the blue one", True),
        ("a row of 4 red blocks", True),
        ("put a brick underneath", True),
        ("the red one looks good", False),
        ("a little to the left", False),
        ("you're right, one more", False),
    ],
)
def test_instructions_name_a_block_and_say_what_becomes_of_it(text, expected):
    assert is_instruction(text) is expected
