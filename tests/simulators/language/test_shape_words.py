"""The words for whole shapes: each means one thing, and what an instruction says is what it denotes."""

import re
from dataclasses import replace
from itertools import islice

import pytest
from scenes import scene_of, words

from bap_v2_metric.blocks import Cell, Color
from bap_v2_simulators.language.likeness import Likeness
from bap_v2_simulators.language.shape_instructions import ShapeInstruction
from bap_v2_simulators.pose import Pose
from bap_v2_simulators.shapes import ShapeKind
from bap_v2_simulators.simulation import plan_of, played_turns, streams
from bap_v2_simulators.simulator import DialogueSettings
from bap_v2_simulators.view import Offset, manhattan
from bap_v2_simulators.whole_shapes import WholeShapes

LEFT, UP, AWAY = Offset(1, 0, 0), Offset(0, 1, 0), Offset(0, 0, 1)
ROW, DIAGONAL, PLANE = ShapeKind.ROW, ShapeKind.DIAGONAL, ShapeKind.PLANE


@pytest.fixture(scope="module")
def said():
    """(instruction, scene, cells, everything that its Architect says) of many turns, with and without questions."""
    turns = []
    for talk in (DialogueSettings(clarification=0.0), DialogueSettings(clarification=1.0)):
        simulator = WholeShapes(talk=talk)
        for index in range(500):
            _, poses, language = streams(simulator, "train", 3, index)
            for played in played_turns(simulator, plan_of(simulator, "train", index, 3), poses, language):
                text = " / ".join(line.text for line in played.dialogue if line.speaker == "Architect").lower()
                turns.append((played.instruction, played.scene, played.turn.cells, text))
    return turns


@pytest.mark.slow
def test_what_is_said_is_what_is_meant(said):
    for instruction, scene, cells, text in said:
        denoted = instruction.denotes(scene)
        if denoted is None:
            denoted = instruction.denotes_from(cells[0], scene)
        assert {action.cell for action in denoted} == set(cells), text


@pytest.mark.parametrize(
    ("word", "means"),
    [
        (r"wide", lambda form: form.plane and (form.sideways or not form.upright)),
        (r"deep", lambda form: form.plane and not form.upright),
        (r"tall|high|height", lambda form: form.upright and form.kind is not DIAGONAL),
        (r"long|length", lambda form: not form.column and (form.upright or not form.plane)),
        (r"(?<!vertical )(?<!standing )(?<!upright )square", lambda form: form.equal_sides and not form.upright),
        (r"(?:vertical|standing|upright) square", lambda form: form.equal_sides and form.upright),
        (r"wall", lambda form: form.plane and form.upright),
        (r"platform|layer", lambda form: form.plane and not form.upright),
        (r"stair\w*", lambda form: form.kind is DIAGONAL and form.upright),
        (r"diagonal", lambda form: form.kind is DIAGONAL),
        (r"column|tower|pillar|stack", lambda form: form.column),
    ],
)
def test_a_word_means_one_thing(said, word, means):
    used = 0
    for instruction, _, _, text in said:
        if instruction.expression.rule == "landmark":  # names the last shape, too
            continue
        if re.search(
            rf"\b(?:{word})\b(?! (?:to|up|down|above|below|behind|in front|away|right|left|lower|higher))", text
        ):
            used += 1
            assert means(instruction.form), text
    assert used > 3


def row_of_red(*, likeness=Likeness(), start=AWAY, color=Color.RED, size=(3,), step=LEFT, kind=ROW):  # noqa: B008
    """An instruction after a row of three red blocks that goes to the left, and all that is said in 200 tries."""
    cells = tuple(Cell(x, 1, 0) for x in (0, 1, 2))
    scene = scene_of(dict.fromkeys(cells, Color.RED), Pose(0.5, 1.0, -8.0, 0.0, 0.0), last=cells[-1])
    scene = replace(scene, last_cells=cells, last_count=3)
    instruction = ShapeInstruction(kind, color, size, (step,), start, False, None, likeness)
    texts = {" / ".join(text for _, _, text in instruction.dialogue(words(seed), scene)).lower() for seed in range(200)}
    return {tuple(action.cell) for action in instruction.denotes(scene)}, texts


def test_the_same_again_by_hand():
    cells, texts = row_of_red(likeness=Likeness(again=True))
    assert cells == {(2, 1, 1), (3, 1, 1), (4, 1, 1)}
    assert all(re.search(r"\bthe same|do that again|just like it", text) for text in texts)
    assert not any(re.search(r"\b(three|3|row|line)\b", text) for text in texts)
    cells, texts = row_of_red(likeness=Likeness(again=True), color=Color.BLUE)
    assert all("blue" in text for text in texts)


@pytest.mark.parametrize(
    ("new", "never"),
    [
        ({"color": Color.BLUE}, r"another (?:\w+ )*?blue \w*\s?(?:row|line|horizontal)"),
        ({"size": (4,)}, r"another (?:four|4) "),
        ({"color": Color.BLUE, "size": (4,)}, r"another (?:four|4|blue) "),
    ],
)
def test_another_is_one_of_the_same_color_and_size_or_leaves_them_for_later(new, never):
    _, texts = row_of_red(**new)
    another = [text for text in texts if "another" in text]
    assert len(another) > 10
    assert not [text for text in another if re.search(never, text)]


def test_the_same_length_and_direction_by_hand():
    cells, texts = row_of_red(likeness=Likeness(size=True), step=AWAY)
    assert cells == {(2, 1, 1), (2, 1, 2), (2, 1, 3)}
    assert all("the same length" in text for text in texts)
    cells, texts = row_of_red(likeness=Likeness(direction="opposite"), size=(2,), step=Offset(-1, 0, 0))
    assert cells == {(2, 1, 1), (1, 1, 1)}
    assert all("opposite" in text for text in texts)


def test_parallel_and_perpendicular_by_hand():
    for course, step in (("parallel", LEFT), ("perpendicular", AWAY)):
        _, texts = row_of_red(likeness=Likeness(course=course), step=step)
        assert all(f"{course} to the" in text for text in texts)


def test_a_gap_by_hand():
    # Three to the left of the last block: two spaces between.
    cells, texts = row_of_red(start=Offset(3, 0, 0))
    assert cells == {(5, 1, 0), (6, 1, 0), (7, 1, 0)}
    skipped = [text for text in texts if re.search(r"\bskip|\bleave", text)]
    assert len(skipped) > 10
    assert all(re.search(r"gap of two|two spaces|space of two", text) for text in skipped)
    _, texts = row_of_red(start=Offset(1, 0, 0))
    assert not any(re.search(r"\bskip|\bleave", text) for text in texts)


def test_sizes_come_later_in_some_instructions_and_starts_in_many(said):
    first = [text for instruction, _, _, text in said if instruction.start is None and not instruction.omitted]
    later = [text for text in first if re.search(r"\b(?:make it|it's|it is|it will be|it should be)\b", text)]
    assert 0.06 < len(later) / len(first) < 0.2
    second = list(islice((text for instruction, _, _, text in said if instruction.start), 500))
    assert sum("starting" in text for text in second) > 100
    assert sum("starts" in text for text in second) > 100


def test_some_start_from_a_landmark_of_the_last_shape_and_never_farther_than_from_the_last_block(said):
    marked = [turn for turn in said if turn[0].expression.rule == "landmark"]
    assert {instruction.expression.kind for instruction, *_ in marked} >= {"middle", "second", "corner", "end"}
    for instruction, scene, cells, text in marked:
        assert instruction.expression.denotes(scene) == instruction.reference != scene.last
        assert instruction.reference in scene.last_cells
        assert scene.board[instruction.reference] is not instruction.color
        assert manhattan(instruction.reference, cells[0]) <= manhattan(scene.last, cells[0]), text
        assert not re.search(r"\bthat (?:row|line|column|tower|stack|pillar|diagonal)", text), text
