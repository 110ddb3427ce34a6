"""Boards in the terminal: a picture that can be checked by eye, and laws that hold for all of them."""

import re
from io import StringIO
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console
from strategies import structures

from bap_v2_dataset.pictures.terminal_board import (
    board,
    builder_in_words,
    change_in_words,
    from_the_side,
    levels,
    only_blocks,
    wrapped_actions,
)
from bap_v2_dataset.pictures.terminal_colors import Palette, palette_of
from bap_v2_metric.actions import ActionType, net_actions
from bap_v2_metric.alignment import Transform
from bap_v2_metric.blocks import Block, Cell, Color, Structure
from bap_v2_metric.notation import parse_structure
from bap_v2_simulators.pose import Pose, wrapped_yaw

HERE = Pose(0.5, 1.0, -2.5, 0.0, 20.0)  # in the middle, three cells back, looking along +z
BEFORE = parse_structure(["red 0 1 0", "blue 1 1 0", "green 2 2 3"])
AFTER = parse_structure(["red 0 1 0", "yellow 1 1 0", "purple -5 2 5"])  # left is +x


def test_a_picture_by_hand():
    assert levels(BEFORE, AFTER, HERE).plain == "\n".join(
        [
            " z┌────── level 1 ───────┬────── level 2 ───────┐",
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
            " x  5 4 3 2 1 0-1-2-3-4-5  5 4 3 2 1 0-1-2-3-4-5",
        ]
    )


def test_the_change_in_words_is_that_of_the_picture():
    assert change_in_words(net_actions(BEFORE, AFTER), HERE.yaw) == [
        "- blue 1 1 0     (1 left, middle, level 1)",
        "- green 2 2 3    (2 left, 3 away, level 2)",
        "+ yellow 1 1 0   (1 left, middle, level 1)",
        "+ purple -5 2 5  (5 right, 5 away, level 2)",
    ]


@pytest.mark.parametrize("yaw", [0.0, 90.0, 180.0, -90.0])
def test_the_numbers_at_the_edges_are_the_coordinates_of_the_notation(yaw):
    for block in ("red -4 1 3", "green 5 1 -5"):
        structure = parse_structure([block])
        top, *lines, bottom = levels(structure, structure, Pose(0.5, 1.0, 0.5, yaw, 0.0)).plain.splitlines()
        (line,) = (line for line in lines if f" {block[0].upper()}" in line)
        column = line.index(block[0].upper())
        seen = {
            top.split("┌")[0].strip(): int(line.split("│")[0]),
            bottom.split()[0]: int(bottom[column - 1 : column + 1]),
        }
        _, x, _, z = block.split()
        assert seen == {"x": int(x), "z": int(z)}


@given(
    st.lists(st.sampled_from(["place orange 0 2 -1", "pick 0 1 0", "place purple -5 9 -5"]), min_size=1),
    st.integers(30, 90),
)
def test_lines_of_actions_end_between_two_of_them(actions, width):
    lines = wrapped_actions(actions, width).plain.split("\n")
    assert all(len(line) <= width and line.startswith("    ") for line in lines)
    assert [action for line in lines for action in line.strip().rstrip(";").split("; ")] == actions
    for line, following in pairwise(lines):  # no line ends early
        assert len(line) + 1 + len(following.strip().split(";")[0]) + 1 > width - 1


def sixteen_colors(drawing) -> str:
    shown = StringIO()
    Console(file=shown, width=120, force_terminal=True, color_system="standard", no_color=False).print(drawing)
    return shown.getvalue()


def test_sixteen_colors_are_those_of_the_blocks_and_differ():
    structure = Structure(Block(color, Cell(place, 1, 0)) for place, color in enumerate(Color))
    codes = {}
    for color, cell in structure:
        block = Structure([Block(color, cell)])
        text = sixteen_colors(levels(block, block, HERE, colors=Palette.SIXTEEN))
        (codes[color.value],) = re.findall(r"\x1b\[[\d;]*;(\d+)m " + color.value[0].upper(), text)
    names = {"red": "41", "orange": "43", "yellow": "103", "green": "42", "blue": "44", "purple": "45"}
    assert codes == names  # ANSI: red, yellow, bright yellow, green, blue, magenta
    assert not re.search(r"[34]8;[25]", sixteen_colors(board(structure, structure, HERE, 120, Palette.SIXTEEN)))
    assert "▀" in sixteen_colors(board(structure, structure, HERE, 120, Palette.SIXTEEN))


def test_blocks_are_not_dimmed_as_the_grid_is():
    block = Structure([Block(Color.RED, Cell(0, 1, 0))])
    shown = sixteen_colors(levels(Structure([]), block, HERE, colors=Palette.SIXTEEN))
    assert re.findall(r"\x1b\[([\d;]*)m\+R", shown) == ["1;97;41"] and "\x1b[2m ·" in shown


@pytest.mark.parametrize(
    ("environment", "palette"),
    [({"TERM": "xterm"}, Palette.SIXTEEN), ({"TERM": "linux"}, Palette.SIXTEEN), ({"TERM": "vt100"}, Palette.SIXTEEN),
     ({"TERM": "screen"}, Palette.SIXTEEN), ({"TERM": "xterm-256color"}, Palette.EXACT), ({"TERM": "dumb"}, None),
     ({"TERM": "xterm", "COLORTERM": "truecolor"}, Palette.EXACT), ({"TERM": "xterm", "NO_COLOR": "1"}, None)],
)  # fmt: skip
def test_the_palette_is_that_of_the_terminal(environment, palette):
    assert palette_of(Console(force_terminal=True, _environ=environment)) is palette


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
def test_world_and_builder_turned_together_give_the_same_picture_but_for_the_coordinates(before, after, x, z, turns):
    cell = Transform(turns, 0, 0)(Cell(x, 1, z))
    pose = Pose(x + 0.5, 1.0, z + 0.5, 20.0, 0.0)
    other = Pose(cell.x + 0.5, 1.0, cell.z + 0.5, wrapped_yaw(20.0 + 90.0 * turns), 0.0)
    pictures = [
        (
            [line[2:] for line in levels(*pair, one).plain.splitlines()[:-1]],
            from_the_side(*pair, one).markup,
            [re.sub(r"^(. \w+).*(\(.*)", r"\1 \2", line) for line in change_in_words(net_actions(*pair), one.yaw)],
        )
        for pair, one in (((before, after), pose), ((turned(before, turns), turned(after, turns)), other))
    ]
    assert pictures[0] == pictures[1]


@given(structures(), st.floats(-180, 179))
def test_a_target_has_all_of_its_blocks_and_nothing_around_them(structure, yaw):
    text = only_blocks(structure, Pose(0.5, 1.0, 0.5, yaw, 0.0), 200, None).plain
    assert len(re.findall(r"[ROYGBP]", text)) == len(structure) and "▲" not in text
    rows = {cell.x for _, cell in structure}, {cell.z for _, cell in structure}
    if structure:
        depth = len(text.splitlines()) - 3
        assert depth in (max(values) - min(values) + 1 for values in rows)


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
        console.print(board(tall, tall, HERE, width, Palette.EXACT))
    assert ("▀" in capture.get()) == beside
    plain = Console(file=shown, width=width)
    plain.print(board(tall, tall, HERE, width, None))
    text = shown.getvalue()
    assert "▀" not in text and max(map(len, text.splitlines())) <= width
    assert sum(line.count("level") for line in text.splitlines()) == height
