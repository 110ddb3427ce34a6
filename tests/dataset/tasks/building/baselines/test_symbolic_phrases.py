"""What the rule-based Builder understands beyond single blocks: parts of rows, gaps, other sides, several requests.

The sentences are written by hand, as a person would type them; no simulator made them.
"""

import pytest

from bap_v2_dataset.tasks.building.baselines.symbolic_reader import read
from bap_v2_metric.notation import format_action

# The Builder looks along +z: left is +x, away is +z. A red row of three was built last, from right to left; beside it
# stand a blue tower of three and, further away, two green blocks with a gap of one between them.
ROW = ("red -1 1 0", "red 0 1 0", "red 1 1 0")
TOWER = ("blue -4 1 2", "blue -4 2 2", "blue -4 3 2")
GREENS = ("green 2 1 4", "green 4 1 4")
BOARD = (*TOWER, *GREENS, *ROW)
HISTORY = (
    "<Architect> a tower", *(f"place {block}" for block in TOWER),
    "<Architect> two more", *(f"place {block}" for block in GREENS),
    "<Architect> a row", *(f"place {block}" for block in ROW),
)  # fmt: skip


def heard(*lines: str, board=BOARD, history=HISTORY, yaw: float = 0.0) -> list[str]:
    """What the Builder does after these words, net of supports, sorted."""
    dialogue = [line if line.startswith("<") else f"<Architect> {line}" for line in lines]
    pose = {"x": 0.0, "y": 1.0, "z": -4.0, "yaw": yaw, "pitch": 30.0}
    actions = [
        format_action(action)
        for action in read({"dialogue": dialogue, "history": history, "before": board, "pose": pose})
    ]
    removed = {action.removeprefix("pick ") for action in actions if action.startswith("pick")}
    there = {block.split(" ", 1)[1] for block in board}
    supports = removed - there
    return sorted(action for action in actions if action.split(" ", 2 - action.startswith("pick"))[-1] not in supports)


@pytest.mark.parametrize(
    ("instruction", "cell"),
    [
        ("put a yellow block on top of the middle red block", "0 2 0"),
        ("yellow on top of the middle of the row", "0 2 0"),
        ("a yellow block in front of the middle one of the row you just placed", "0 1 -1"),
        ("place one yellow behind the center block of the red row", "0 1 1"),
        ("a yellow block on top of the red block in the middle", "0 2 0"),
        ("yellow behind the block in the center of the row", "0 1 1"),
        ("a yellow one to the left of the middle of the blue tower", "-3 2 2"),
        ("put a yellow on top of the left end of the red row", "1 2 0"),
        ("add a yellow block on top of the right end of the row", "-1 2 0"),
        ("a yellow block behind the red block on the right end", "-1 1 1"),
        ("one yellow block in front of the end block on the left", "1 1 -1"),
        ("place a yellow block to the left of the row", "2 1 0"),
        ("place a yellow block to the right of the red row", "-2 1 0"),
        ("one yellow on top of the blue tower", "-4 4 2"),
        ("put a yellow block in front of the second blue block from the bottom", "-4 2 1"),
        ("yellow on top of the second red block from the left", "0 2 0"),
        ("a yellow one behind the first red block from the right", "-1 1 1"),
        ("add a yellow block on top of the red one that is third from the left", "-1 2 0"),
        ("put a yellow block to the left of the 2nd block from the top of the blue tower", "-3 2 2"),
        ("put a yellow block between the two green blocks", "3 1 4"),
        ("in between the green blocks, one yellow", "3 1 4"),
        ("a yellow block right between the leftmost green block and the rightmost green block", "3 1 4"),
        ("yellow block two spaces in front of the leftmost green one", "4 1 2"),
        ("skip a space to the left and place a yellow block", "3 1 0"),
        ("leave a gap of two to the right of the rightmost red block and put a yellow one", "-4 1 0"),
        ("a yellow block to the left of the last block with one space in between", "3 1 0"),
        ("put a yellow block on the opposite side of the row", "-2 1 0"),
        ("and a yellow one on the other end of the row", "-2 1 0"),
        ("a yellow one on top of the last block but one to the left", "2 2 0"),
        ("on top of the rightmost red block goes a yellow one", "-1 2 0"),
        ("it's yellow, on top of it", "1 2 0"),
        ("a yellow block to the left of the top of the blue tower", "-3 3 2"),
        ("a yellow block on the top of the blue tower", "-4 4 2"),
        ("a yellow block one to the left and one above the other green block", "5 2 4"),
        ("a yellow block on the other side of the middle red block", "-2 1 0"),
        ("one yellow on top of the second block of the row from the right", "0 2 0"),
        ("yellow on top of the block at the right end of the row", "-1 2 0"),
        ("a yellow one in front of the closest end of the red line", "-1 1 -1"),
        ("yellow block, diagonally up and to the left", "2 2 0"),
    ],
)
def test_references_to_parts_and_places(instruction, cell):
    assert heard(instruction) == [f"place yellow {cell}"]


@pytest.mark.parametrize(
    ("instruction", "cells"),
    [
        ("two yellow blocks to the left of the leftmost red block", ["2 1 0", "3 1 0"]),
        ("put three yellow blocks behind the rightmost red one", ["-1 1 1", "-1 1 2", "-1 1 3"]),
        ("put one yellow block on top of each of the red blocks", ["-1 2 0", "0 2 0", "1 2 0"]),
        ("a yellow block on top of each block of the row", ["-1 2 0", "0 2 0", "1 2 0"]),
        ("a yellow block on both ends of the row", ["-2 1 0", "2 1 0"]),
        ("put a yellow block on either side of the row", ["-2 1 0", "2 1 0"]),
        ("now do the same with yellow on the other side", ["-2 1 0", "-3 1 0", "-4 1 0"]),
        ("do that again with yellow blocks, starting on top of the right end of the row", ["-1 2 0", "0 2 0", "1 2 0"]),
        ("a yellow wall with 2 rows of 3 blocks each going left, starting behind the last block",
         ["1 1 1", "1 2 1", "2 1 1", "2 2 1", "3 1 1", "3 2 1"]),
        ("the outline of a 3x3 yellow square, flat, going left and away from you, starting behind the last block",
         ["1 1 1", "1 1 2", "1 1 3", "2 1 1", "2 1 3", "3 1 1", "3 1 2", "3 1 3"]),
        ("the corners of a 3x3 yellow square, flat, going left and away from you, starting behind the last block",
         ["1 1 1", "1 1 3", "3 1 1", "3 1 3"]),
        ("a yellow row of the same length going away from you, starting behind the last block",
         ["1 1 1", "1 1 2", "1 1 3"]),
        ("two yellow blocks to the left of the last one to make a row of five", ["2 1 0", "3 1 0"]),
        ("add two more yellow blocks going up from the last block. that's the l", ["1 2 0", "1 3 0"]),
        ("stairs of three yellow blocks going left, starting to the left of the last block",
         ["2 1 0", "3 2 0", "4 3 0"]),
        ("a 2 wide and 3 deep yellow floor going right and away from you, starting behind the last block",
         ["0 1 1", "0 1 2", "0 1 3", "1 1 1", "1 1 2", "1 1 3"]),
        ("a yellow wall that is 2 long and 2 tall going away from you. it starts on top of the last block",
         ["1 2 0", "1 2 1", "1 3 0", "1 3 1"]),
        ("a row of three yellow perpendicular to the last row, going away from you from the middle block",
         ["0 1 1", "0 1 2", "0 1 3"]),
    ],
)  # fmt: skip
def test_several_blocks(instruction, cells):
    assert heard(instruction) == sorted(f"place yellow {cell}" for cell in cells)


def test_blocks_between_others_and_in_their_corner():
    board = ("red 0 1 0", "blue 1 1 0", "green 2 1 0", "blue 4 1 2", "orange 0 2 1")
    history = tuple(f"place {block}" for block in board)
    assert heard("a yellow one on top of the blue block between the red and the green one", board=board,
                 history=history) == ["place yellow 1 2 0"]  # fmt: skip
    assert heard("put a yellow block in the corner between the red one and that", board=board,
                 history=history) in (["place yellow 0 2 0"], ["place yellow 0 1 1"])  # fmt: skip
    board = (*board, "purple 0 1 1")
    assert heard("put a yellow block in the corner between the red one and the orange one", board=board,
                 history=history) == ["place yellow 0 2 0"]  # fmt: skip
    assert heard("yellow block on the corner of the L", board=("red 0 1 0", "red 1 1 0", "red 0 1 1"),
                 history=()) == ["place yellow 0 2 0"]  # fmt: skip


@pytest.mark.parametrize(
    ("lines", "done"),
    [
        (["now we need a yellow block", "it goes to the left of the leftmost green one"], ["place yellow 5 1 4"]),
        (["see the rightmost red block?", "put a yellow one on top of it"], ["place yellow -1 2 0"]),
        (["see the rightmost red block?", "<Builder> yes", "put a yellow one on top of it"], ["place yellow -1 2 0"]),
        (["okay so the blue tower", "a yellow block on top of it"], ["place yellow -4 4 2"]),
        (["to the left of the last block", "put a yellow one"], ["place yellow 2 1 0"]),
        (["great job!", "<Builder> thanks", "next", "a yellow one on top"], ["place yellow 1 2 0"]),
        (["<Builder> Mission has started.", "hi there", "<Builder> hello", "put one yellow on top of the last block"],
         ["place yellow 1 2 0"]),
        (["nice one", "that makes a row", "now two yellow on top of it"], ["place yellow 1 2 0", "place yellow 1 3 0"]),
        (["perfect, that looks like a wall of 3 blocks. now a yellow one on top"], ["place yellow 1 2 0"]),
        (["we need two more blocks", "they are yellow", "they go on top of the rightmost red one"],
         ["place yellow -1 2 0", "place yellow -1 3 0"]),
        (["now yellow", "to the left of that last block", "go ahead and make a block"], ["place yellow 2 1 0"]),
        (["right, now a yellow block on top"], ["place yellow 1 2 0"]),
        (["that's right", "yellow one on top now"], ["place yellow 1 2 0"]),
    ],
)  # fmt: skip
def test_an_instruction_over_several_lines(lines, done):
    assert heard(*lines) == done


@pytest.mark.parametrize(
    ("lines", "done"),
    [
        (["put a yellow block on top, then an orange one to its left"], ["place orange 2 2 0", "place yellow 1 2 0"]),
        (["put a yellow block on top of the last one and an orange block to the left of that"],
         ["place orange 2 2 0", "place yellow 1 2 0"]),
        (["put a yellow block on top", "and then an orange one to the left of it"],
         ["place orange 2 2 0", "place yellow 1 2 0"]),
        (["remove the leftmost green block", "then put a yellow one behind the rightmost red one"],
         ["pick 4 1 4", "place yellow -1 1 1"]),
        (["put a yellow block on top", "and up and to the left of that", "an orange block"],
         ["place orange 2 3 0", "place yellow 1 2 0"]),
        (["a yellow on top of the rightmost red block", "then have one orange", "it should be to the right of that"],
         ["place orange -2 2 0", "place yellow -1 2 0"]),
        (["put a yellow block on top", "<Builder> ok", "and then two more"],
         ["place yellow 1 2 0", "place yellow 1 3 0", "place yellow 1 4 0"]),
        (["place two yellow blocks on top of it. put a purple block in front of the rightmost red one."],
         ["place purple -1 1 -1", "place yellow 1 2 0", "place yellow 1 3 0"]),
    ],
)  # fmt: skip
def test_several_requests_are_carried_out_one_after_the_other(lines, done):
    assert heard(*lines) == done


@pytest.mark.parametrize(
    ("lines", "done"),
    [
        (["put a red block to the left of the leftmost green one", "sorry, i meant yellow"], ["place yellow 5 1 4"]),
        (["put a yellow block to the left of the last block", "no wait, on the right of the rightmost red block"],
         ["place yellow -2 1 0"]),
        (["put a yellow block to the left of the leftmost green block", "oops, behind it"], ["place yellow 4 1 5"]),
        (["put a yellow block to the left of the leftmost green block", "no wait, on the other side"],
         ["place yellow 3 1 4"]),
        (["put a red block on top of it, no, yellow"], ["place yellow 1 2 0"]),
        (["put a yellow block up and to the left of it. oh sorry, up and to the right"], ["place yellow 0 2 0"]),
        (["a row of 2 yellow going left, starting on top of the leftmost red block", "sorry, going away from you"],
         ["place yellow 1 2 0", "place yellow 1 2 1"]),
        (["a yellow block to the left of the green block", "<Builder> the left one or the right one?", "the left one"],
         ["place yellow 5 1 4"]),
        (["a tower of 3 yellow blocks starting behind the rightmost red block", "actually, 2 tall"],
         ["place yellow -1 1 1", "place yellow -1 2 1"]),
        (["two yellow blocks on top of it", "wait, three"],
         ["place yellow 1 2 0", "place yellow 1 3 0", "place yellow 1 4 0"]),
        (["a yellow block to the left of the tower", "<Builder> the red or the blue one?", "the blue one",],
         ["place yellow -3 3 2"]),
        (["put a yellow block next to the last block", "<Builder> on the left or behind it?", "behind"],
         ["place yellow 1 1 1"]),
    ],
)  # fmt: skip
def test_corrections_and_answers_replace_what_they_correct(lines, done):
    assert heard(*lines) == done


@pytest.mark.parametrize("where", ["on the ground", "near the middle", "in the center of the board", "anywhere"])
def test_anywhere_on_the_ground(where):
    assert heard(f"start with a yellow block {where}", board=(), history=()) == ["place yellow 0 1 0"]
    assert heard(f"put a yellow block {where}", "then build another one behind it", board=(), history=()) == [
        "place yellow 0 1 0", "place yellow 0 1 1"
    ]  # fmt: skip


def test_two_shapes_are_begun_where_both_fit():
    """On an empty board the first one makes room for the second."""
    lines = (
        "a row of 6 red blocks going left",
        "and a blue row of 5 going left, starting to the left of its last block",
    )
    blocks = [*(f"red {x} 1 0" for x in range(-5, 1)), *(f"blue {x} 1 0" for x in range(1, 6))]
    assert heard(*lines, board=(), history=()) == sorted(f"place {block}" for block in blocks)
