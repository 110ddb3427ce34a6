"""The three inputs of Table 5 (BAP v2, 6.2), to the character."""

import pytest

from bap_v2_dataset.items.prompts import completion, render
from bap_v2_dataset.items.versions import ROW_REPRESENTATIONS
from bap_v2_metric.actions import Place, execute, net_actions
from bap_v2_metric.notation import format_action, parse_action, parse_structure

# The item of Table 5 is B1-A4-C55-1522775580387; these are the lines that the table prints of it.
TABLE_5_EXCERPTS = [
    "Predict the action sequence (AS) for the Minecraft excerpt:\n",
    "<Architect> place one in the center of one of the lines near the edge\nplace yellow 5 1 0\n",
    "<Architect> good; repeat to make a V\n",
    "<Architect> still diagonal from the previous squares\n<Builder> extended?\n",
    "<Architect> not really; the first step is orange, but it is in line with the yellow blocks\n"
    "pick 3 2 1\npick 3 1 1\npick 2 2 2\n",
    "<Architect> now one orange on top of teh second orange\nplace orange 1 2 2\n"
    "<Architect> now delete the second orange\npick 1 1 2\n"
    "<Architect> good repeat to make a third step\n",
]
TABLE_5_POSE = "Builder's current position is 0.2 1.0 -0.4 and orientation (yaw) is -6.5 degrees\n"
TABLE_5_STRUCTURE = (
    "Current built structure is:\n"
    "yellow 5 1 0\nyellow 4 1 1\nyellow 4 1 -1\nyellow 3 1 2\nyellow 3 1 -2\norange 2 1 2\norange 1 2 2\n"
)
TABLE_5_OUTPUT = ["place orange 1 3 2", "place orange 0 3 2", "pick 1 3 2"]

ROW = {
    "history": ["<Builder> Mission has started.", "<Architect> a red one in the middle", "place red 0 1 0"],
    "dialogue": ["<Architect> and a blue one on top", "<Builder> like so?"],
    "pose": {"x": 0.23, "y": 1.0, "z": -0.41, "yaw": -6.45003, "pitch": 8.5},
    "before": ["red 0 1 0"],
}


@pytest.fixture(scope="module")
def table_5(mdc_rows):
    """The row of Table 5."""
    for split in mdc_rows.values():
        for position, item_id in enumerate(split["id"]):
            if item_id == "B1-A4-C55-1522775580387/14":
                return split[position]
    raise AssertionError("the corpus does not hold the item of Table 5")


def test_the_item_of_table_5_is_rendered_as_printed(table_5):
    assert table_5["dialogue"] == ["<Architect> good repeat to make a third step"]
    position = 0
    for excerpt in TABLE_5_EXCERPTS:
        position = table_5["prompt_n"].index(excerpt, position)
    n, n_posb, n_posb_s = (table_5[f"prompt_{name}"] for name in ROW_REPRESENTATIONS)
    assert n.endswith(TABLE_5_EXCERPTS[-1] + "### AS:\n")
    assert n_posb == n.removesuffix("### AS:\n") + TABLE_5_POSE + "### AS:\n"
    assert n_posb_s == n_posb.removesuffix("### AS:\n") + TABLE_5_STRUCTURE + "### AS:\n"


def test_the_output_of_table_5_has_the_net_actions_of_the_log_and_another_support(table_5):
    printed, ours = TABLE_5_OUTPUT, table_5["completion"].split("\n")
    before = parse_structure(table_5["before"])
    after = [execute(before, map(parse_action, actions)).after for actions in (printed, ours)]
    (net,) = net_actions(before, after[0])
    assert net_actions(before, after[1]) == {net}
    assert format_action(Place(net.color, net.cell)) == printed[1]
    assert ours == ["place orange 0 2 2", "place orange 0 3 2", "pick 0 2 2"]
    assert printed[0] != ours[0] and printed[1] == ours[1]


def test_each_representation_adds_to_the_one_before():
    n, n_posb, n_posb_s = (render(ROW, representation) for representation in ROW_REPRESENTATIONS)
    assert n == (
        "Predict the action sequence (AS) for the Minecraft excerpt:\n"
        "<Builder> Mission has started.\n"
        "<Architect> a red one in the middle\n"
        "place red 0 1 0\n"
        "<Architect> and a blue one on top\n"
        "<Builder> like so?\n"
        "### AS:\n"
    )
    assert n_posb == n.removesuffix("### AS:\n") + TABLE_5_POSE + "### AS:\n"
    assert n_posb_s == n_posb.removesuffix("### AS:\n") + "Current built structure is:\nred 0 1 0\n### AS:\n"


def test_an_empty_structure_has_its_heading_and_no_blocks():
    assert render({**ROW, "before": []}, "n_posb_s").endswith("degrees\nCurrent built structure is:\n### AS:\n")


@pytest.mark.parametrize(
    ("value", "printed"),
    [(0.04, "0.0"), (-0.04, "0.0"), (-0.06, "-0.1"), (5.0, "5.0"), (-3.96, "-4.0"), (12.34, "12.3")],
)
def test_positions_have_one_decimal_and_no_negative_zero(value, printed):
    pose = {"x": value, "y": 1.0, "z": 0.0, "yaw": 0.0, "pitch": 0.0}
    assert f"current position is {printed} 1.0 0.0 and" in render({**ROW, "pose": pose}, "n_posb")


@pytest.mark.parametrize(
    ("yaw", "printed"), [(179.94, "179.9"), (179.97, "-180.0"), (-180.0, "-180.0"), (-0.01, "0.0"), (350.0, "-10.0")]
)
def test_yaws_stay_in_their_range_when_rounded(yaw, printed):
    assert f"(yaw) is {printed} degrees" in render({**ROW, "pose": {**ROW["pose"], "yaw": yaw}}, "n_posb")


def test_the_completion_has_one_action_a_line():
    assert completion(["place red 0 1 0", "pick 0 1 0"]) == "place red 0 1 0\npick 0 1 0"


def test_an_unknown_representation_is_named():
    with pytest.raises(ValueError, match=r"unknown representation 'posb' \(expected one of n, n_posb, n_posb_s, ego"):
        render(ROW, "posb")


def test_every_prompt_of_the_corpus_ends_before_the_answer(mdc_rows):
    for split in mdc_rows.values():
        for representation in ROW_REPRESENTATIONS:
            assert all(prompt.endswith("\n### AS:\n") for prompt in split[f"prompt_{representation}"])
        assert all("\n\n" not in prompt and "\r" not in prompt for prompt in split["prompt_n_posb_s"])
