"""Boards in the terminal: a picture that can be checked by eye, and laws that hold for all of them."""

from io import StringIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console
from strategies import structures

from bap_v2_dataset.pictures.terminal_board import board, builder_in_words, change_in_words, from_the_side, levels
from bap_v2_metric.actions import ActionType, net_actions
from bap_v2_metric.alignment import Transform
from bap_v2_metric.blocks import Block, Cell, Structure
from bap_v2_metric.notation import parse_structure
from bap_v2_simulators.pose import Pose, wrapped_yaw

HERE = Pose(0.5, 1.0, -2.5, 0.0, 20.0)  # in the middle, three cells back, looking along +z
BEFORE = parse_structure(["red 0 1 0", "blue 1 1 0", "green 2 2 3"])
AFTER = parse_structure(["red 0 1 0", "yellow 1 1 0", "purple -5 2 5"])  # left is +x


def test_a_picture_by_hand():
    assert levels(BEFORE, AFTER, HERE).plain == "\n".join(
        [
            "  ┌────── level 1 ───────┬────── level 2 ───────┐",
            " 5│ · · · · · · · · · · ·│ · · · · · · · · · ·+P│",
            " 4│ · · · · · · · · · · ·│ · · · · · · · · · · ·│",
            " 3│ · · · · · · · · · · ·│ · · ·-G · · · · · · ·│",
            " 2│ · · · · · · · · · · ·│ · · · · · · · · · · ·│",
            " 1│ · · · · · · · · · · ·│ · · · · · · · · · · ·│",
            " 0│ · · · ·±Y R · · · · ·│ · · · · · · · · · · ·│",
            "-1│ · · · · · · · · · · ·│ · · · · · · · · · · ·│",
            "-2│ · · · · · · · · · · ·│ · · · · · · · · · · ·│",
            "-3│ · · · · ·▲· · · · · ·│ · · · · · · · · · · ·│",
            "-4│ · · · · · · · · · · ·│ · · · · · · · · · · ·│",
            "-5│ · · · · · · · · · · ·│ · · · · · · · · · · ·│",
            "  └──────────────────────┴──────────────────────┘",
            "   -5-4-3-2-1 0 1 2 3 4 5 -5-4-3-2-1 0 1 2 3 4 5",
        ]
    )


def test_the_change_in_words_is_that_of_the_picture():
    assert change_in_words(net_actions(BEFORE, AFTER), HERE.yaw) == [
        "- blue   1 left, middle, level 1",
        "- green  2 left, 3 away, level 2",
        "+ yellow 1 left, middle, level 1",
        "+ purple 5 right, 5 away, level 2",
    ]


@pytest.mark.parametrize(
    ("pose", "row", "column"),
    [
        (Pose(0.5, 1.0, -9.0, 0.0, 0.0), -1, 13),  # before the near edge
        (Pose(-9.0, 3.0, 0.5, 0.0, 0.0), 6, 25),  # x is negative: to the right
        (Pose(9.0, 1.0, 9.0, 0.0, 0.0), 0, 2),  # beyond the far left corner
    ],
)
def test_a_builder_outside_stands_on_the_frame(pose, row, column):
    lines = levels(Structure(), Structure(), pose).plain.splitlines()[:-1]
    assert lines[row][column] == "▲" and "".join(lines).count("▲") == 1
    assert builder_in_words(pose).startswith("the Builder is outside the board")


@pytest.mark.parametrize(
    ("pose", "words"),
    [
        (HERE, "the Builder is on the board, feet at level 1, looks 20° down"),
        (Pose(0.0, 3.5, 0.0, 100.0, -5.0),
         "the Builder is on the board, feet at level 3, looks 5° up, turned 10° to the right of this view"),
        (Pose(0.0, 1.0, 0.0, -10.0, 0.0),
         "the Builder is on the board, feet at level 1, looks straight ahead, turned 10° to the left of this view"),
    ],
)  # fmt: skip
def test_what_the_picture_rounds_off_is_said(pose, words):
    assert builder_in_words(pose) == words


def turned(structure: Structure, turns: int) -> Structure:
    turn = Transform(turns, 0, 0)
    return Structure(Block(color, turn(cell)) for color, cell in structure)


@settings(max_examples=25)
@given(structures(), structures(), st.integers(-8, 8), st.integers(-8, 8), st.integers(0, 3))
def test_world_and_builder_turned_together_give_the_same_picture(before, after, x, z, turns):
    cell = Transform(turns, 0, 0)(Cell(x, 1, z))
    pose = Pose(x + 0.5, 1.0, z + 0.5, 20.0, 0.0)
    other = Pose(cell.x + 0.5, 1.0, cell.z + 0.5, wrapped_yaw(20.0 + 90.0 * turns), 0.0)
    pictures = [
        (levels(*pair, one), from_the_side(*pair, one), change_in_words(net_actions(*pair), one.yaw))
        for pair, one in (((before, after), pose), ((turned(before, turns), turned(after, turns)), other))
    ]
    for one, two in zip(*pictures):
        assert (one == two) if isinstance(one, list) else (one.markup == two.markup)


@given(structures(), structures())
def test_every_block_is_drawn_once_and_every_change_is_marked(before, after):
    pose = Pose(0.5, 1.0, -9.0, 0.0, 0.0)  # does not stand in the way
    lines = [line for line in levels(before, after, pose).plain.splitlines() if "│" in line]
    cells = "".join(line.split("│", 1)[1] for line in lines).replace("▲", " ")
    changes = net_actions(before, after)
    placed = sum(action.type is ActionType.PLACE for action in changes)
    recolored = cells.count("±")
    assert cells.count("+") + recolored == placed
    assert cells.count("-") + recolored == len(changes) - placed
    assert sum(cells.count(letter) for letter in "ROYGBP") == len(after) + cells.count("-")


@pytest.mark.parametrize(
    ("width", "height", "beside"), [(100, 2, True), (100, 3, False), (160, 4, True), (160, 9, False), (60, 1, False)]
)
def test_nothing_is_wider_than_the_terminal(width, height, beside):
    tall = Structure(Block("red", Cell(0, y, 0)) for y in range(1, height + 1)).colors()
    tall = Structure.from_colors({cell: BEFORE.color_at(Cell(0, 1, 0)) for cell in tall})
    shown = StringIO()
    console = Console(file=shown, width=width, force_terminal=True, color_system="truecolor")
    with console.capture() as capture:
        console.print(board(tall, tall, HERE, width, colors=True))
    assert ("▀" in capture.get()) == beside
    plain = Console(file=shown, width=width)
    plain.print(board(tall, tall, HERE, width, colors=False))
    text = shown.getvalue()
    assert "▀" not in text and max(map(len, text.splitlines())) <= width
    assert sum(line.count("level") for line in text.splitlines()) == height
