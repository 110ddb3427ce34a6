"""Descriptions: one canonical answer for each structure, and other words that come to the same."""

from random import Random

import pytest

from bap_v2_dataset.tasks.gsu.counts import score_items
from bap_v2_simulators.gsu.boxes import Box
from bap_v2_simulators.gsu.descriptions import answer_of, completion_of
from bap_v2_simulators.gsu.structure import (
    ALTERNATING,
    COHESIVE,
    COMPOSITE,
    HALVES,
    SIMPLE,
    ColoredBox,
    Composition,
    Pattern,
    Structures,
)


def one(extents, *colors, pattern=None) -> Composition:
    shape = ColoredBox(Box((0, 0, 0), extents), colors)
    return Composition(COHESIVE if pattern else SIMPLE, (shape,), (), pattern, ())


THREE = Composition(
    COMPOSITE,
    tuple(
        ColoredBox(Box((0, 0, 0), extents), (color,))
        for extents, color in (((3, 3, 3), "green"), ((1, 5, 1), "orange"), ((4, 7, 1), "red"))
    ),
    ("left", "above"),
    None,
    (),
)


@pytest.mark.parametrize(
    ("structure", "answer"),
    [
        (one((1, 5, 1), "orange"), "an orange row 5 blocks long"),
        (one((8, 1, 1), "red"), "a red row 8 blocks long"),
        (one((1, 1, 6), "red"), "a red column 6 blocks high"),
        (one((3, 3, 3), "green"), "a 3 x 3 x 3 green cube"),
        (one((4, 1, 7), "red"), "a 4 x 7 red plane"),
        (one((2, 2, 8), "blue"), "a 2 x 2 x 8 blue tower"),
        (
            one((6, 1, 1), "orange", "blue", pattern=Pattern(0, ALTERNATING)),
            "a row 6 blocks long with alternating orange and blue blocks",
        ),
        (
            one((4, 4, 4), "orange", "blue", pattern=Pattern(2, ALTERNATING)),
            "a 4 x 4 x 4 cube with alternating orange and blue layers",
        ),
        (
            one((6, 1, 1), "orange", "blue", pattern=Pattern(0, HALVES)),
            "a row 6 blocks long with an orange left half and a blue right half",
        ),
        (
            one((2, 6, 1), "red", "blue", pattern=Pattern(1, HALVES)),
            "a 2 x 6 plane with a red back half and a blue front half",
        ),
        (
            one((2, 2, 4), "red", "blue", pattern=Pattern(2, HALVES)),
            "a 2 x 2 x 4 tower with a red bottom half and a blue top half",
        ),
        (
            THREE,
            "a 3 x 3 x 3 green cube, with an orange row 5 blocks long to the left of it and a 4 x 7 red plane above it",
        ),
    ],
)
def test_answers_are_canonical(structure, answer):
    assert answer_of(structure) == answer


def test_a_side_of_eight_blocks_has_its_article():
    assert answer_of(one((8, 3, 1), "red")).startswith("an 8 x 3")


def test_the_front_half_lies_on_the_side_that_is_called_front():
    structure = one((1, 4, 1), "red", "blue", pattern=Pattern(1, HALVES))
    assert answer_of(structure, "far") == "a row 4 blocks long with a red back half and a blue front half"
    assert answer_of(structure, "near") == "a row 4 blocks long with a red front half and a blue back half"


def wordings(structure, n=200) -> set[str]:
    return {completion_of(structure, Random(f"wording {index}")) for index in range(n)}


def test_rows_columns_and_cubes_have_these_wordings():
    assert wordings(one((1, 5, 1), "orange")) == {
        "an orange row 5 blocks long",
        "an orange line 5 blocks long",
        "a row of 5 orange blocks",
        "a line of 5 orange blocks",
    }
    assert wordings(one((1, 1, 6), "red")) == {
        "a red column 6 blocks high",
        "a red vertical line 6 blocks high",
        "a column of 6 red blocks",
        "a vertical line of 6 red blocks",
    }
    assert wordings(one((3, 3, 3), "green")) == {"a 3 x 3 x 3 green cube", "a green cube 3 blocks wide"}


def test_halves_and_layers_have_these_wordings():
    halves = one((1, 1, 4), "red", "orange", pattern=Pattern(2, HALVES))
    assert {text.partition(" with ")[2] for text in wordings(halves)} == {
        "a red bottom half and an orange top half",
        "an orange top half and a red bottom half",
    }
    layers = one((2, 2, 4), "red", "orange", pattern=Pattern(2, ALTERNATING))
    assert {text.partition(" with ")[2] for text in wordings(layers)} == {
        "alternating red and orange layers",
        "layers that alternate between red and orange",
    }


def test_only_lying_planes_are_platforms_and_only_standing_ones_walls():
    for extents, words in (
        ((4, 4, 1), {"plane", "square", "platform"}),
        ((4, 7, 1), {"plane", "rectangle", "platform"}),
        ((4, 1, 4), {"plane", "square", "wall"}),
        ((1, 4, 7), {"plane", "rectangle", "wall"}),
    ):
        assert {text.split()[-1] for text in wordings(one(extents, "blue"))} == words


@pytest.mark.parametrize("front", ["far", "near"])
def test_every_wording_scores_as_the_answer_does(front):
    simulator, predictions, references = Structures(front=front), [], []
    for index in range(300):
        structure = simulator.item("train", 0, index)
        answer = answer_of(structure, front)
        reference = {"task": "structure", "frame": "viewer", "dims": 3, "group": structure[0], "answer": answer}
        for number in range(3):
            predictions.append(f"Answer: {completion_of(structure, Random(f'{index} {number}'), front)}")
            references.append(reference)
    for prediction, reference, item in zip(predictions, references, score_items(predictions, references)):
        assert item["exact"] == item["score"] == 1, (prediction, reference["answer"])


def test_an_answer_names_the_terms_of_its_structure():
    words = {"to the left of it": "left", "to the right of it": "right", "in front of it": "front",
             "behind it": "behind", "above it": "above", "below it": "below"}  # fmt: skip
    for index in range(300):
        structure = Structures().item("validation", 0, index)
        answer = answer_of(structure)
        boxes = [box for box, _ in structure.shapes]
        split = answer.replace(",", "").split()
        colors = [color for _, colors in structure.shapes for color in colors]
        assert [word for word in split if word in ("row", "column", "plane", "tower", "cube")] == [
            b.kind for b in boxes
        ]
        assert [int(word) for word in split if word.isdigit()] == [n for b in boxes for n in b.extents if n > 1]
        assert sorted(color for color in split if color in COLORS) == sorted(colors)
        placed = sorted((answer.index(text), word) for text, word in words.items() if text in answer)
        assert tuple(word for _, word in placed) == structure.relations


COLORS = ("red", "orange", "yellow", "green", "blue", "purple")


def test_the_wording_comes_from_a_stream_of_its_own():
    simulator = Structures()
    structure = simulator.item("test", 0, 2)
    texts = [completion_of(structure, simulator.language("test", 0, 2)) for _ in range(2)]
    assert texts[0] == texts[1]
    assert simulator.item("test", 0, 2) == structure
