"""What the prompt for reasoning models says of the world is what the code does."""

import json
import re
from hashlib import sha256

import pytest
from chat_items import TEST, TRAIN

from bap_v2_dataset.chat import tools
from bap_v2_dataset.chat.final_answer import final_answer
from bap_v2_dataset.chat.messages import ANSWER_FORMS, CHAT_VERSIONS, chat_messages
from bap_v2_dataset.chat.tools import DEFINITIONS, TOOLS_VERSION, Toolbox
from bap_v2_dataset.items.ego import viewpoint_of
from bap_v2_dataset.items.frame import frame_of
from bap_v2_dataset.items.prompts import REPRESENTATIONS, to_world
from bap_v2_metric.actions import execute
from bap_v2_metric.answers import read_prediction
from bap_v2_metric.blocks import X_MAX, X_MIN, Y_MAX, Y_MIN, Z_MAX, Z_MIN, Cell, Color
from bap_v2_metric.notation import format_action, parse_structure
from bap_v2_simulators.pose import Pose, perspective_coordinates, wrapped_yaw
from bap_v2_simulators.view import Offset, View

ROW = TEST[5]


def system(representation: str = "n_posb_s", **options) -> str:
    return chat_messages(ROW, representation=representation, prompt="reasoning", **options)[0]["content"]


def test_the_table_of_directions_is_that_of_the_code():
    rows = re.findall(r"^([-0-9 or]+) \| (\S+) \| (\S+) \| (\S+) \| (\S+)$", system(), re.MULTILINE)
    yaws = [(int(yaw), row) for yaws, *row in rows for yaw in yaws.split(" or ")]
    assert sorted(yaw for yaw, _ in yaws) == [-180, -90, 0, 90, 180]
    ways = (Offset(0, 0, 1), Offset(0, 0, -1), Offset(1, 0, 0), Offset(-1, 0, 0))
    for yaw, told in yaws:
        for turned in (-44, 0, 44):
            for way, axis in zip(ways, told):
                vector = View.of(yaw + turned).vector(way)
                assert vector == tuple(int(f"{axis[0]}1") * (name == axis[1]) for name in "xyz")


def test_without_a_pose_the_directions_are_those_of_the_code():
    told = re.findall(
        r"along ([+-][xz]), ([+-][xz]) to your left, ([+-][xz]) to your right",
        system("n").replace("Looking along +z, you have", "along +z,"),
    )
    assert len(told) == 4
    for away, left, right in told:
        view = next(view for yaw in (0, 90, 180, -90) if (view := View.of(yaw)).vector(Offset(0, 0, 1)) == vector(away))
        assert (view.vector(Offset(1, 0, 0)), view.vector(Offset(-1, 0, 0))) == (vector(left), vector(right))


def vector(axis: str) -> tuple[int, ...]:
    return tuple(int(f"{axis[0]}1") * (name == axis[1]) for name in "xyz")


def test_the_board_and_the_colors_are_those_of_the_code():
    text = system()
    assert f"from {X_MIN} to {X_MAX}. Y is the height, from {Y_MIN} (on the ground) to {Y_MAX}." in text
    assert (X_MIN, X_MAX) == (Z_MIN, Z_MAX)
    *first, last = [color.value for color in Color]
    assert f"{', '.join(first)} and {last}." in text


@pytest.mark.parametrize("representation", ["n_posb_s", "ego"])
@pytest.mark.parametrize("form", ANSWER_FORMS)
def test_the_worked_example_is_right(representation, form):
    text = system(representation, answer_form=form)
    example = text[text.index("# An example") : text.index("# Your answer")]
    if representation == "ego":
        place = r"Origin is (\S+ \S+ \S+) \(last action: place\), and the structure is red 0 0 0"
        origin = re.search(place, example)[1]
        row = {"before": [f"red {origin}"], "history": [f"place red {origin}"], "pose": {"yaw": 4.0}}  # not turned
        start, named = "0 0 0", viewpoint_of(row).cell
        assert named(Cell(*map(int, origin.split()))) == (0, 0, 0)
    else:
        start, named = re.search(r"The board has (\w+ \S+ \S+ \S+), placed last", example)[1], Cell._make
        row = {"before": [start], "pose": {"yaw": float(re.search(r"your yaw is ([-0-9.]+) degrees", example)[1])}}
    told = Toolbox(row, representation).answer("cells_from", json.dumps({"start": start, "directions": ["up", "left"]}))
    wanted = re.search(r"(?:left of 0 1 0 is|the cell) (\S+ \S+ \S+)[.:] Its neighbors (.*?) are all", example)
    assert told == f"1: {wanted[1]} is empty; a block there would float"
    cell = Cell(*map(int, wanted[1].split()))
    assert {Cell(*map(int, n)) for n in re.findall(r"(-?\d) (-?\d) (-?\d)", wanted[2])} == set(cell.neighbors)
    actions, unparsed = read_prediction(to_world(final_answer(example).text, row, representation))
    after, failures = execute(parse_structure(row["before"]), actions)
    assert not unparsed and not failures
    (added,) = set(after) - set(parse_structure(row["before"]))
    assert added.color is Color.BLUE and named(added.cell) == cell and len(after) == 2


def test_the_limits_and_the_yaw_in_the_builders_frame_are_those_of_the_code():
    text = system("ego")
    origin, ground, low, high = re.search(
        r"With the origin (\S+ \S+ \S+), a y of (\S+) is on the ground, and x can go from (\S+) to (\S+)\.", text
    ).groups()
    view = viewpoint_of({"history": [f"place red {origin}"], "pose": {"yaw": 0.0}})
    assert int(ground) == view.cell(Cell(0, Y_MIN, 0)).y
    assert (int(low), int(high)) == (view.cell(Cell(X_MIN, 1, 0)).x, view.cell(Cell(X_MAX, 1, 0)).x)
    for turned in (-20.0, 20.0):  # "when it is positive, you look a little to the right"
        for side in (-90, 0, 90, 180):
            pose = Pose(0.0, 1.0, 0.0, wrapped_yaw(side + turned), 0.0)
            seen = frame_of(pose.yaw).pose(pose)
            left, _, ahead = perspective_coordinates((seen.x, 1.0, seen.z + 5), seen)  # a point straight along +z
            assert round(seen.yaw) == turned and ahead > 0 and (left > 0) == (turned > 0)
    assert "when it is positive, you look a little to the right of +z" in " ".join(text.split())


def test_the_item_is_asked_without_the_heading_of_the_table():
    user = chat_messages(ROW, prompt="reasoning")[-1]["content"]
    _, *body, _ = ROW["prompt_n_posb_s"].splitlines()
    assert "\n".join(body) in user and "###" not in user and "Predict the action" not in user


@pytest.mark.parametrize("form", ANSWER_FORMS)
def test_shots_are_answered_behind_the_marker(form):
    messages = chat_messages(ROW, TRAIN[:3], prompt="reasoning", answer_form=form)
    assert [message["role"] for message in messages] == ["system", *["user", "assistant"] * 3, "user"]
    for shot, answer in zip(TRAIN, messages[2::2]):
        text, marked = final_answer(answer["content"])
        assert marked and list(map(format_action, read_prediction(text).actions)) == shot["actions"]


def test_what_the_prompt_says_of_the_input_depends_on_the_representation():
    assert "The structure lists" in system("n_posb_s") and "yaw |" in system("n_posb_s")
    assert "are not listed" in system("n_posb") and "yaw |" in system("n_posb")
    assert "The structure lists" in system("ego") and "+x is to your left" in system("ego")
    assert "(placed 2, picked 1)" in system("ego") and "yaw |" not in system("ego")
    assert "You are not told where you stand" in system("n") and "yaw |" not in system("n")
    assert "# Tools" in system(tools=True) and "# Tools" not in system()


def test_no_field_of_a_text_is_left_open():
    for representation in REPRESENTATIONS:
        assert not re.search(r"[{}]", system(representation, tools=True)), representation


def test_a_message_changes_only_with_its_version():
    messages = [
        chat_messages(row, TRAIN[:1], representation, prompt="reasoning", tools=offered, answer_form=form)
        for representation in REPRESENTATIONS
        for offered in (False, True)
        for form in ANSWER_FORMS
        for row in TEST[:6]
    ]
    digest = sha256(json.dumps(messages).encode()).hexdigest()[:16]
    assert (CHAT_VERSIONS["reasoning"], digest) == ("2", "ef3593510f85c583")


def test_a_tool_changes_only_with_its_version():
    calls = [("cells_from", {"start": "0 1 0", "directions": ["left", "up"], "distance": 9})]
    calls += [("try_actions", {"actions": row["actions"], "layers": True}) for row in TEST]
    answers = [
        Toolbox(row, representation).answer(name, json.dumps(arguments))
        for representation in tools.SUFFICIENT
        for row in TEST
        for name, arguments in calls
    ]
    digest = sha256(json.dumps([DEFINITIONS, answers]).encode()).hexdigest()[:16]
    assert (TOOLS_VERSION, digest) == ("1", "fb825be68d56d417")
