"""Items as the Builder sees them: to the character, the same in a turned world, and with an exact way back."""

import datasets
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bap_v2_dataset.augmentation.transforms import transformed
from bap_v2_dataset.items.ego import history_lines, in_world, viewpoint_of
from bap_v2_dataset.items.item import items
from bap_v2_dataset.items.prompts import REPRESENTATIONS, completion_of, render, shown_history, to_world
from bap_v2_dataset.items.rows import row
from bap_v2_metric.answers import read_prediction
from bap_v2_metric.blocks import Color
from bap_v2_metric.notation import format_action, parse_action
from bap_v2_simulators.corpora import SIMULATORS, simulator_of
from bap_v2_simulators.pose import Pose, perspective_coordinates
from bap_v2_simulators.simulation import play

ROW = {
    "history": ["<Builder> Mission has started.", "<Architect> a red one in the middle", "place red 0 1 0",
                "<Architect> a yellow one right of it", "place blue -1 1 0", "pick -1 1 0", "place yellow -1 1 0"],
    "dialogue": ["<Architect> and a blue one on top", "<Builder> like so?"],
    "pose": {"x": -3.77, "y": 1.0, "z": 0.41, "yaw": -83.4, "pitch": 8.5},
    "before": ["red 0 1 0", "yellow -1 1 0"],
    "completion": "place blue -1 2 0",
}  # fmt: skip
PROMPT = """\
Predict the action sequence (AS) for the Minecraft excerpt (x left, y up, z ahead):
<Builder> Mission has started.
<Architect> a red one in the middle
(placed 1)
<Architect> a yellow one right of it
(placed 2, picked 1)
Origin is 0 1 -1 (last action: place)
Builder's position is 0 0 -3 and yaw is 7 degrees
Current built structure is:
red 0 0 1
yellow 0 0 0
<Architect> and a blue one on top
<Builder> like so?
### AS:
"""
NO_HISTORY = {**ROW, "history": [], "before": []}

GAMES = [play(simulator_of(name), "train", index, seed=5) for name in SIMULATORS for index in range(8)]
ROWS = [row(item) for game in GAMES for item in items(game)]


def test_the_prompt_of_a_row_to_the_character():
    assert render(ROW, "ego") == PROMPT
    assert completion_of(ROW, "ego") == "place blue 0 1 0"
    assert REPRESENTATIONS["ego"].version == "ego 1"


def test_before_any_action_the_origin_is_the_middle_of_the_ground():
    prompt = render(NO_HISTORY, "ego")
    assert "Origin is 0 1 0 (no action yet)\nBuilder's position is 0 0 -4 and yaw is 7 degrees\n" in prompt
    assert (
        completion_of({**NO_HISTORY, "completion": "place red 2 1 0"}, "ego") == "place red 0 0 2"
    )  # yaw -90 faces +x


def test_the_last_action_may_be_a_removal():
    history = [*ROW["history"], "pick -1 1 0"]
    assert "Origin is 0 1 -1 (last action: pick)\n" in render({**ROW, "history": history}, "ego")


@pytest.mark.parametrize("newest", [0, 1, 3, 99])
def test_lines_of_history_that_are_not_shown_change_nothing_else(newest):
    shown = shown_history(ROW, "ego", newest)
    assert len(shown) == min(newest, 5)
    history = "".join(f"{line}\n" for line in history_lines(ROW["history"]))
    assert render(ROW, "ego", newest) == PROMPT.replace(history, "".join(f"{line}\n" for line in shown))


@pytest.mark.parametrize("quarter_turns", [1, 2, 3])
def test_a_turned_world_has_the_same_prompts_and_completions(quarter_turns):
    colors = {color: color for color in Color}
    for game in GAMES:
        turned = [row(item) for item in items(transformed(game, quarter_turns, colors))]
        original = [row(item) for item in items(game)]
        assert len(turned) == len(original)
        for one, other in zip(turned, original):
            on_the_axis = all(block.split()[1::2] == ["0", "0"] for block in one["before"])
            assert one["before"] != other["before"] or on_the_axis
            assert render(one, "ego") == render(other, "ego")
            assert completion_of(one, "ego") == completion_of(other, "ego")


def test_x_is_left_and_z_ahead_for_the_builder():
    for one in ROWS:
        view, pose = viewpoint_of(one), Pose(**one["pose"])
        here, left, ahead = (view.in_world(type(view.origin)(*cell)) for cell in ((0, 0, 0), (1, 0, 0), (0, 0, 1)))
        level = Pose(pose.x, pose.y, pose.z, pose.yaw, 0.0)
        origin, to_left, to_front = (perspective_coordinates(cell, level) for cell in (here, left, ahead))
        assert to_left[0] - origin[0] > 0.7  # cosine of 45 degrees
        assert to_front[2] - origin[2] > 0.7


def test_simulated_answers_turn_back_exactly():
    for one in ROWS:
        assert to_world(completion_of(one, "ego"), one, "ego") == one["completion"]
        assert to_world(one["completion"], one, "n") == one["completion"]


@pytest.mark.slow
@pytest.mark.parametrize("config", ["mdc", "mdc_v2"])
def test_all_human_answers_turn_back_exactly(config, corpus):
    import bap_v2_dataset  # noqa: F401 (registers the name)

    for split in datasets.load_dataset("bap_v2", config).values():
        for one in split.select_columns(["history", "pose", "completion", "before", "dialogue"]):
            assert to_world(completion_of(one, "ego"), one, "ego") == one["completion"]
            assert render(one, "ego").endswith("### AS:\n")


LINES = st.one_of(
    st.builds("place {} {} {} {}".format, st.sampled_from([c.value for c in Color]), *[st.integers(-9, 9)] * 3),
    st.builds("pick {} {} {}".format, *[st.integers(-9, 9)] * 3),
    st.builds('place(color="red", x={}, y={}, z={})'.format, *[st.integers(-9, 9)] * 3),
    st.builds("{}. pick ({}, {}, {}) and then place".format, *[st.integers(1, 9)] * 4),
    st.sampled_from(["", "Sure!", "```", "[", "]", '"place red 0 1 0",', "<think>", "</think>", "place red 1 2",
                     '{"action": "pick", "x": 1, "y": 2, "z": 3}', "place mauve 1 2 3", "place red 1 2 3; pick 1 2",
                     '["pick 1 2 3", "place red 0 0 0"', "then I pick 0 1 0"]),
    st.text(max_size=30),
)  # fmt: skip


@given(st.lists(LINES, max_size=6).map("\n".join))
@example("place red 0 0 0 pick 1 2")
def test_an_answer_of_any_form_keeps_its_actions_and_its_unparsed_lines(text):
    read, turned = read_prediction(text), read_prediction(in_world(text, ROW))
    view = viewpoint_of(ROW)
    assert [view.cell(action.cell) for action in turned.actions] == [action.cell for action in read.actions]
    assert [format_action(a).split()[:-3] for a in turned.actions] == [
        format_action(a).split()[:-3] for a in read.actions
    ]
    assert turned.unparsed_lines == read.unparsed_lines


def test_a_line_of_which_a_part_is_unread_stays_unread():
    text = in_world("place red 0 0 0; pick 1 2", ROW)
    assert text == "place red -1 1 0\nunparsed: place red # # #; pick # #"
    assert parse_action(text.splitlines()[0])
