"""Rules of thumb for language, on sentences worked by hand."""

import doctest

import pytest
from comparison import language, usage
from comparison.language import is_instruction, relations_in, sentence_type, words_of

TYPES = {
    "imperative": ("Now place two red blocks on top of that", "great! to the left of it add a blue one"),
    "declarative": (
        "you need to put a green block behind it", "there should be a row of 3 orange blocks below that",
        "it starts to the right of the last red one",
    ),
    "question": ("can you remove the topmost one", "how about a blue brick on top?"),
    "fragment": ("two more to the left", "next, a red column that goes up"),
}  # fmt: skip


def test_types_of_sentences():
    assert {
        kind: tuple(text for text in texts if sentence_type(text) == kind) for kind, texts in TYPES.items()
    } == TYPES


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


def test_instructions_name_a_block_and_say_what_becomes_of_it():
    assert all(map(is_instruction, ("remove the blue one", "a row of 4 red blocks", "put a brick underneath")))
    assert not any(map(is_instruction, ("the red one looks good", "a little to the left", "you're right, one more")))


@pytest.mark.parametrize("module", [language, usage])
def test_the_examples_in_docstrings_run(module):
    assert doctest.testmod(module).failed == 0 < doctest.testmod(module).attempted
