"""What the rule-based Builder understands beyond single blocks: parts of rows, gaps, other sides, several requests.

The sentences, in sentences.toml, are written by hand, as a person would type them; no simulator made them.
"""

import tomllib
from pathlib import Path

import pytest

from bap_v2_dataset.tasks.building.baselines.symbolic_reader import read
from bap_v2_metric.notation import format_action

SENTENCES = tomllib.loads(Path(__file__).with_name("sentences.toml").read_text(encoding="utf-8"))

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


@pytest.mark.parametrize(("instruction", "cell"), SENTENCES["parts_and_places"])
def test_references_to_parts_and_places(instruction, cell):
    assert heard(instruction) == [f"place yellow {cell}"]


@pytest.mark.parametrize(("instruction", "cells"), SENTENCES["several_blocks"])
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


@pytest.mark.parametrize(("lines", "done"), SENTENCES["several_lines"])
def test_an_instruction_over_several_lines(lines, done):
    assert heard(*lines) == done


@pytest.mark.parametrize(("lines", "done"), SENTENCES["several_requests"])
def test_several_requests_are_carried_out_one_after_the_other(lines, done):
    assert heard(*lines) == done


@pytest.mark.parametrize(("lines", "done"), SENTENCES["corrections"])
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
