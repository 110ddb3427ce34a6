"""What instructions denote, by hand."""

import pytest
from scenes import scene_of

from bap_v2_metric.blocks import Cell, Color
from bap_v2_simulators.language.block_instructions import BlockInstruction
from bap_v2_simulators.language.references import NO_REFERENCE, LanguageError, ReferringExpression
from bap_v2_simulators.language.shape_instructions import ShapeInstruction
from bap_v2_simulators.pose import Pose
from bap_v2_simulators.shapes import ShapeKind
from bap_v2_simulators.view import Offset

RED_BLOCK = {(0, 1, 0): Color.RED}


@pytest.mark.parametrize(
    ("instruction", "why"),
    [
        (
            BlockInstruction(False, Color.RED, 1, Offset(1, 0, 0), ReferringExpression("last"), False, None),
            "a block already",
        ),
        (
            BlockInstruction(True, Color.RED, 1, Offset(1, 0, 0), ReferringExpression("last"), False, None),
            "no red block",
        ),
        (
            BlockInstruction(True, Color.BLUE, 1, Offset(0, 1, 0), ReferringExpression("last"), False, None),
            "no blue block",
        ),
    ],
)
def test_what_cannot_be_done_is_an_error(instruction, why):
    board = {**RED_BLOCK, (1, 1, 0): Color.BLUE}
    with pytest.raises(LanguageError, match=why):
        instruction.denotes(scene_of(board, Pose(0.5, 1.0, -8.0, 0.0, 0.0), last=Cell(0, 1, 0)))


def test_the_first_block_may_go_anywhere():
    first = BlockInstruction(False, Color.RED, 1, None, NO_REFERENCE, False, None)
    assert first.denotes(scene_of({})) is None


def test_a_wall_behind_the_last_block_by_hand():
    # The Builder faces -z: left is -x, away is -z. Two to the left, three up, from the cell behind the last block.
    scene = scene_of(RED_BLOCK, Pose(0.5, 1.0, 8.0, -180.0, 0.0), last=Cell(0, 1, 0))
    instruction = ShapeInstruction(
        ShapeKind.PLANE, Color.GREEN, (2, 3), (Offset(1, 0, 0), Offset(0, 1, 0)), Offset(0, 0, 1), False, None
    )
    assert {tuple(action.cell) for action in instruction.denotes(scene)} == {
        (x, y, -1) for x in (0, -1) for y in (1, 2, 3)
    }  # fmt: skip
    assert {action.color for action in instruction.denotes(scene)} == {Color.GREEN}


def test_a_first_shape_may_go_anywhere_and_a_second_must_fit():
    row = (ShapeKind.ROW, Color.GREEN, (3,), (Offset(1, 0, 0),))
    first = ShapeInstruction(*row, None, False, None)
    assert first.denotes(scene_of({})) is None
    placed = first.denotes_from(Cell(0, 1, 0), scene_of({}))
    with pytest.raises(LanguageError, match="no last block"):
        ShapeInstruction(*row, Offset(1, 0, 0), False, None).denotes(scene_of({}))
    assert {action.cell for action in placed} == {(0, 1, 0), (1, 1, 0), (2, 1, 0)}
    scene = scene_of({**RED_BLOCK, (2, 1, 0): Color.RED}, last=Cell(0, 1, 0))
    with pytest.raises(LanguageError, match="a block already"):
        ShapeInstruction(*row, Offset(1, 0, 0), False, None).denotes(scene)
