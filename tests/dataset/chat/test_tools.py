"""What the tools tell a model follows from the board, the pose and the rules, and no call breaks them."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bap_v2_dataset.chat.tools import DEFINITIONS, Toolbox
from bap_v2_dataset.items.ego import viewpoint_of
from bap_v2_metric.blocks import Cell
from bap_v2_simulators.pose import Pose, perspective_coordinates

ROW = {"before": ["red 0 1 0", "blue 1 1 0", "green 1 2 0"], "pose": {"x": 0.5, "y": 1.0, "z": -3.0, "yaw": 3.0}}
# Of the coordinates that the Builder sees (left, up, away): which one grows along a direction.
SEEN = {"left": (0, 1), "right": (0, -1), "up": (1, 1), "down": (1, -1), "behind": (2, 1), "front": (2, -1)}


def call(name: str, row: dict = ROW, **arguments) -> str:
    return Toolbox(row).answer(name, json.dumps(arguments))


@given(st.sampled_from([-180, -90, 0, 90]), st.floats(-44, 44), st.sampled_from(list(SEEN)))
def test_a_cell_in_a_direction_is_there_for_the_eye(side, turned, direction):
    row = {"before": [], "pose": {"yaw": side + turned}}
    first, second = call("cells_from", row, start="0 5 0", directions=[direction], distance=2).splitlines()
    cells = [Cell(*map(int, line.split(" is ")[0].split(": ")[1].split())) for line in (first, second)]
    axis, sign = SEEN[direction]
    seen = [perspective_coordinates(cell, Pose(0, 5, 0, side + turned, 0.0)) for cell in cells]
    assert max(range(3), key=lambda i: abs(seen[0][i])) == axis and seen[0][axis] * sign > 0.7
    assert seen[1][axis] == pytest.approx(2 * seen[0][axis])


def test_cells_are_told_with_what_is_in_them():
    assert call("cells_from", start="0 1 0", directions=["left"], distance=6).splitlines() == [
        "1: 1 1 0 has a blue block",
        *(f"{n}: {n} 1 0 is empty; a block there would be supported" for n in range(2, 6)),
        "6: 6 1 0 is outside the board",
    ]
    assert call("cells_from", start="0 1 0", directions=["up", "behind"]) == (
        "1: 0 2 1 is empty; a block there would float"
    )


def test_tried_actions_change_the_board_of_their_call_alone():
    tools = Toolbox(ROW)
    actions = {
        "actions": [
            "place red 0 2 0",
            "place red 0 1 0",
            "pick 4 1 4",
            "place red 9 1 0",
            "place red 0 7 0",
            "pick 1 2 0",
        ]
    }
    for _ in range(2):
        assert tools.answer("try_actions", json.dumps(actions)).splitlines() == [
            "1. place red 0 2 0: done",
            "2. place red 0 1 0: NOT POSSIBLE, changes nothing: there is a block in that cell",
            "3. pick 4 1 4: NOT POSSIBLE, changes nothing: there is no block in that cell",
            "4. place red 9 1 0: NOT POSSIBLE, changes nothing: the cell is outside the board",
            "5. place red 0 7 0: NOT POSSIBLE, changes nothing: it would float: neither on the ground nor face to face "
            "with a block",
            "6. pick 1 2 0: done",
            *("Net changes:", "pick 1 2 0", "place red 0 2 0"),
            *("The board then:", "red 0 1 0", "blue 1 1 0", "red 0 2 0"),
        ]


@pytest.mark.parametrize(
    ("yaw", "layer"),
    [
        (0, ["x from left to right: 1 0 -1", "z = 1: . . y", "z = 0: b r ."]),
        (90, ["z from left to right: 1 0", "x = -1: y .", "x = 0: . r", "x = 1: . b"]),
        (180, ["x from left to right: -1 0 1", "z = 0: . r b", "z = 1: y . ."]),
        (-90, ["z from left to right: 0 1", "x = 1: b .", "x = 0: r .", "x = -1: . y"]),
    ],
)
def test_layers_are_drawn_as_the_builder_sees_them_from_above(yaw, layer):
    row = {"before": ["red 0 1 0", "blue 1 1 0", "yellow -1 1 1"], "pose": {"yaw": yaw}}
    shown = call("try_actions", row, actions=[], layers=True).splitlines()
    assert shown[4:] == [f"Layer y = 1; {layer[0]}", *layer[1:]]


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("cells", "{}", "there is no tool 'cells'"),
        ("cells_from", '{"start": "0 1 0", "dire', "are not JSON"),
        ("cells_from", "[1]", "are not a JSON object"),
        ("cells_from", '{"directions": ["left"]}', "start is None"),
        ("cells_from", '{"start": "0 1", "directions": ["left"]}', "start is '0 1'"),
        ("cells_from", '{"start": "0 1.5 0", "directions": ["left"]}', "start is '0 1.5 0'"),
        ("cells_from", '{"start": "0 1 0", "directions": ["north"]}', "no direction 'north'"),
        ("cells_from", '{"start": "0 1 0", "directions": []}', "directions is []"),
        ("cells_from", '{"start": "0 1 0", "directions": [{}]}', "directions is"),
        ("cells_from", '{"start": "0 1 0", "directions": ["left", "right"]}', "lead nowhere"),
        ("cells_from", '{"start": "0 1 0", "directions": "the"}', "lead nowhere"),
        ("cells_from", '{"start": "0 1 0", "directions": ["left"], "distance": 99}', "distance is 99"),
        ("cells_from", '{"start": "0 1 0", "directions": ["left"], "distance": "far"}', "distance is 'far'"),
        ("try_actions", "{}", "actions is missing"),
        ("try_actions", '{"actions": ["put it there"]}', "'put it there' is not an action"),
        ("try_actions", '{"actions": [null]}', "None is not an action"),
        ("try_actions", json.dumps({"actions": ["pick 0 1 0"] * 201}), "201 actions"),
    ],
)
def test_a_wrong_call_is_answered_with_what_is_wrong(name, arguments, message):
    answer = Toolbox(ROW).answer(name, arguments)
    assert answer.startswith("Error: ") and message in answer


@pytest.mark.slow
@given(
    st.sampled_from(["cells_from", "try_actions"]),
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.integers() | st.text(),
        lambda inner: (
            st.lists(inner)
            | st.dictionaries(st.sampled_from(["start", "directions", "distance", "actions", "layers"]), inner)
        ),
    ),
)
def test_no_call_breaks_a_tool(name, value):
    assert Toolbox(ROW).answer(name, json.dumps(value))
    assert Toolbox(ROW).answer(name, str(value))


@pytest.mark.parametrize(
    "arguments",
    [
        {"start": [0, 1, 0], "directions": "up and left"},
        {"start": {"x": 0, "y": 1, "z": 0}, "directions": ["UP", "to the left"]},
        {"start": "red 0 1 0", "direction": ["left", "up"], "distance": "1"},
        {"start": "0, 1, 0", "directions": ["left", "above"], "distance": 1.0},
    ],
)
def test_other_ways_to_write_arguments_are_read(arguments):
    assert call("cells_from", **arguments) == "1: 1 2 0 has a green block"


def test_the_answer_of_a_row_is_never_read():
    read = set()

    class Watched(dict):
        def __getitem__(self, name):
            read.add(name)
            return super().__getitem__(name)

        get = None

    row = Watched(
        ROW, after=["red 0 1 0"], actions=["place red 5 1 5"], completion="place red 5 1 5", target=["red 0 1 0"]
    )
    tools = Toolbox(row)
    tools.answer("try_actions", '{"actions": ["place red 0 2 0"], "layers": true}')
    tools.answer("cells_from", '{"start": "0 1 0", "directions": ["left"]}')
    assert read == {"before", "pose"}


@pytest.mark.parametrize("yaw", [0, 80, 170, -100])
def test_with_cells_as_the_builder_sees_them_the_tools_tell_the_same(yaw):
    row = {**ROW, "history": ["<Architect> go", "place green 1 2 0", "pick 3 1 -2"], "pose": {"yaw": yaw}}
    view = viewpoint_of(row)
    world, ego = Toolbox(row), Toolbox(row, "ego")

    def named(text: str) -> str:
        """Cells of the world as the Builder names them."""
        return re.sub(
            r"-?\d+ -?\d+ -?\d+", lambda cell: " ".join(map(str, view.cell(Cell(*map(int, cell[0].split()))))), text
        )

    for directions in (["left"], ["up", "behind"], ["down", "front", "right"]):
        told = {"start": "0 1 0", "directions": directions, "distance": 7}
        assert ego.answer("cells_from", json.dumps(told | {"start": named("0 1 0")})) == named(
            world.answer("cells_from", json.dumps(told))
        )
    actions = ["place red 0 2 0", "place red 0 9 9", "pick 1 2 0", "pick 3 3 3", "place blue 0 1 0", "place blue 4 1 5"]
    told = ego.answer("try_actions", json.dumps({"actions": [*map(named, actions)]}))
    assert sorted(told.splitlines()) == sorted(
        named(world.answer("try_actions", json.dumps({"actions": actions}))).splitlines()
    )


def test_layers_of_the_builders_frame_are_named_as_its_cells():
    row = {"before": ["red 2 1 0", "blue 3 1 0"], "history": ["place red 2 1 0"], "pose": {"yaw": 90}}
    told = Toolbox(row, "ego").answer("try_actions", '{"actions": [], "layers": true}').splitlines()
    assert told == [
        "The board:",
        "red 0 0 0",
        "blue 0 0 -1",
        "Layer y = 0; x from left to right: 0",
        "z = 0: r",
        "z = -1: b",
    ]


def test_definitions_are_json_schemas_with_a_description_each():
    for definition in DEFINITIONS:
        function = definition["function"]
        assert definition["type"] == "function" and function["description"]
        parameters = function["parameters"]
        assert set(parameters["required"]) <= set(parameters["properties"])
        assert all(one["description"] and one["type"] for one in parameters["properties"].values())
