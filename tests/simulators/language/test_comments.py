"""Comments on the shapes of D_sb: true, and of no consequence."""

import re
from dataclasses import replace
from random import Random

import pytest

from bap_v2_metric.blocks import Cell
from bap_v2_simulators.language.words import Words
from bap_v2_simulators.shape_blocks import ShapeBlocks
from bap_v2_simulators.simulation import plan_of, played_turns, streams

NAMED = {
    "t-shape": r"\bt\b", "l-shape": r"\bl\b", "u-shape": r"\bu\b", "row": r"\b(?:row|column)\b",
    "diagonal": r"\b(?:diagonal|staircase)\b", "plane": r"\b(?:square|rectangle|wall)\b",
}  # fmt: skip
IN_A_LINE = re.compile(
    r"^(?:(?:that|this|it) (?:makes|completes|finishes|looks like|should look like)|that's"
    r"|we\S* (?:are |will )?(?:going to )?(?:make|build|making|building)) (?P<what>(?:the|an?) .*)$"
)
AT_THE_END = re.compile(
    r"^.*(?:\bto (?:make|form|finish|complete)|\bso it (?:makes|looks like)) (?P<what>(?:the|an?) (?!.*\bblock).*)$"
)


@pytest.fixture(scope="module")
def commented():
    """(turn, scene, instruction, text of the comment) of all comments in many games."""
    found = []
    for index in range(400):
        _, poses, language = streams(ShapeBlocks(), "train", 3, index)
        for played in played_turns(ShapeBlocks(), plan_of(ShapeBlocks(), "train", index, 3), poses, language):
            if played.instruction.comment is not None:
                said = [(act, line.text.lower()) for act, line in zip(played.acts, played.dialogue, strict=True)]
                comments = [IN_A_LINE.match(text) for act, text in said if act == "comment"]
                comments += [AT_THE_END.match(text) for act, text in said if act == "instruction"]
                (comment,) = filter(None, comments)  # one, in either way
                found.append((played.turn, played.scene, played.instruction, comment["what"]))
    return found


@pytest.mark.slow
def test_a_comment_names_the_shape_that_is_built(commented):
    kinds = set()
    for turn, _, _, what in commented:
        kinds.add(turn.shape.kind.value)
        assert re.search(NAMED[turn.shape.kind.value], what), what
        assert ("upside down" in what) == (turn.shape.orientation == "down" and "-shape" in turn.shape.kind.value)
        if number := re.search(r" of (\d)$", what):
            assert turn.shape.size[0] == int(number[1])
    assert kinds == set(NAMED)


@pytest.mark.slow
def test_a_comment_is_true(commented):
    complete = 0
    for turn, scene, instruction, what in commented:
        built = {cell for cell in turn.shape.cells if cell in scene.board}
        if not instruction.comment.complete:
            assert not built and what.startswith("a")
            continue
        complete += 1
        shape = set(turn.shape.cells)
        assert built and built | set(turn.cells) == shape
        around = {
            Cell(x + step * dx, y + step * dy, z + step * dz)
            for x, y, z in shape for dx, dy, dz in ((1, 0, 0), (0, 1, 0), (0, 0, 1)) for step in (1, -1)
        }  # fmt: skip
        assert not [cell for cell in around - shape if scene.board.get(cell) is turn.color]
    assert 30 < complete < 200


def test_a_comment_changes_nothing_of_what_is_asked(commented):
    for _, scene, instruction, _ in commented:
        assert instruction.denotes(scene) == replace(instruction, comment=None).denotes(scene)
        assert instruction.omitted is None


@pytest.mark.parametrize(
    ("text", "acts"),
    [
        ("now a blue one to the right of it", ["comment", "instruction"]),
        ("yesterday's row once more", ["comment", "instruction"]),
        ("Yes! So a blue one to the right of it", ["instruction", "comment"]),
        ("great, put one on top", ["instruction", "comment"]),
        ("Hi. Start with a blue block on the ground", ["instruction", "comment"]),
    ],
)
def test_an_announcement_does_not_come_before_an_answer(commented, text, acts):
    announced = next(instruction.comment for _, _, instruction, _ in commented if not instruction.comment.complete)
    lines = announced.added(Words(Random(1)), [("Architect", "instruction", text)])
    assert [act for _, act, _ in lines] == acts
