"""What may not change in an item worked by hand, and where there is no variant; laws are in test_laws."""

import re

import pytest
from case_tables import cases_of

from bap_v2_dataset.tasks.robustness.families import variants_of
from bap_v2_dataset.tasks.robustness.parent import Parent, VariantChange
from bap_v2_dataset.tasks.robustness.poses import looks_the_same
from bap_v2_dataset.tasks.robustness.unsafe_words import UNSAFE
from bap_v2_dataset.tasks.robustness.validity import violation
from bap_v2_simulators.pose import Pose

POSE = {"x": 0.5, "y": 1.0, "z": -4.0, "yaw": 5.0, "pitch": 20.0}


def an_item(said: str = "now put a blue block to the left of the red one", **columns) -> dict:
    """A human item: a red block, then a tower of three green ones; the answer is a blue block beside the red one."""
    row = {
        "id": "game/1",
        "game_id": "game",
        "history": [
            "<Builder> Mission has started.",
            "<Architect> a red block, please",
            "place red 2 1 0",
            "<Architect> and a green tower far away",
            "place green -4 1 4",
            "place green -4 2 4",
            "place green -4 3 4",
            "<Builder> ok?",
        ],
        "dialogue": [f"<Architect> {said}"],
        "pose": POSE,
        "before": ["red 2 1 0", "green -4 1 4", "green -4 2 4", "green -4 3 4"],
        "after": ["red 2 1 0", "green -4 1 4", "green -4 2 4", "green -4 3 4", "blue 3 1 0"],
        "actions": ["place blue 3 1 0"],
        "target": ["red 2 1 0", "blue 3 1 0"],
        "interpretations": "unique",
        "prompt_n": "", "prompt_n_posb": "", "prompt_n_posb_s": "",
        "completion": "place blue 3 1 0",
        "metadata": {"source": "human"},
    }  # fmt: skip
    return {**row, **columns}


def facts(variant: dict) -> dict:
    return variant["metadata"]["perturbation"]


def test_no_order_of_earlier_actions_needs_a_21st_block_of_a_color():
    rows = [f"red {x} 1 {z}" for x in range(-5, 5) for z in (3, 5)]
    row = an_item("a blue block in front of it")
    row["history"] = [
        "<Architect> two red rows", *(f"place {block}" for block in rows),
        "<Architect> move one of them", "pick -5 1 5", "place red 5 1 5", "place green 5 1 4",
    ]  # fmt: skip
    row["before"] = [block for block in rows if block != "red -5 1 5"] + ["red 5 1 5", "green 5 1 4"]
    row["after"], row["actions"] = [*row["before"], "blue 0 1 4"], ["place blue 0 1 4"]
    (variant,) = variants_of(row, "spp_history")
    assert variant["history"][22:] == row["history"][22:]  # the block is taken away first, as it was
    assert max(Parent(variant).most_blocks.values()) == 20


def test_more_blocks():
    for number, variant in enumerate(variants_of(an_item(), "spc_add"), start=1):
        added = facts(variant)["blocks"]
        assert len(added) == number
        assert variant["history"][2 : 2 + number] == [f"place {block}" for block in added]  # before the first action
        for block in added:
            color, x, y, z = block.split()
            assert color not in ("blue", "red", "green") and y == "1"  # named, named, the newest one's
            assert abs(int(x) - 3) + abs(int(z)) >= 3  # from the answer
            assert abs(int(x) + 4) + abs(int(z) - 4) + 2 >= 3  # and from the block that was placed last


def test_fewer_blocks_of_human_items_are_whole_figures():
    row = an_item("a blue block to the left of the last one")
    row["history"] += ["<Architect> and an orange one", "place orange 0 1 -5", "<Builder> there?"]
    row["before"] += ["orange 0 1 -5"]
    row["after"] = [*row["before"], "blue 1 1 -5"]
    row["actions"], row["completion"] = ["place blue 1 1 -5"], "place blue 1 1 -5"
    gone = [facts(variant)["blocks"] for variant in variants_of(row, "spc_remove")]
    assert gone == []  # the whole tower would empty its run of actions, and so would the red block
    row["history"][4:4] = ["place yellow 5 1 5"]
    row["before"][1:1] = ["yellow 5 1 5"]
    row["after"] = [*row["before"], "blue 1 1 -5"]
    variants = variants_of(row, "spc_remove")
    assert [facts(variant)["blocks"] for variant in variants] == [
        ["yellow 5 1 5"], ["green -4 1 4", "green -4 2 4", "green -4 3 4"],
    ]  # fmt: skip
    assert [facts(variant)["variant"] for variant in variants] == [1, 3]


def test_a_small_move_of_the_builder():
    for variant in variants_of(an_item(), "spg"):
        moved = facts(variant)["moved"]
        assert all(0 < abs(moved[name]) <= 0.25 for name in ("x", "z"))
        assert all(0 < abs(moved[name]) <= 5.0 for name in ("yaw", "pitch"))
        assert moved["y"] == 0.0  # the Builder stands on the ground
        assert {**variant["pose"]} == pytest.approx({name: POSE[name] + moved[name] for name in POSE})
        assert variant["prompt_n"].count("blue") == 1 and variant["prompt_n_posb"] != variant["prompt_n"]


def test_a_turn_past_180_degrees_is_told_as_the_small_turn_that_it_is():
    for yaw in (179.5, -179.5):
        for variant in variants_of(an_item(pose={**POSE, "yaw": yaw}), "spg"):
            assert 0 < abs(facts(variant)["moved"]["yaw"]) <= 5.0


@pytest.mark.parametrize(
    ("pose", "same"),
    [
        (Pose(0.6, 1.0, -4.1, 4.0, 21.0), True),
        (Pose(0.6, 1.0, -4.1, 50.0, 21.0), False),  # looks along another side of the grid
        (Pose(3.5, 1.0, -4.1, 5.0, 20.0), False),  # the red block is on the other side
        (Pose(0.5, 1.0, 2.0, 5.0, 20.0), False),  # the red block is behind
    ],
)
def test_a_small_move_keeps_every_direction(pose, same):
    assert looks_the_same(Parent(an_item()), pose) is same


# --- where there is no variant


@pytest.mark.parametrize(
    ("family", "said"),
    cases_of(__file__, "wrong_words"),
)
def test_words_that_the_change_would_make_wrong(family, said):
    assert variants_of(an_item(said), family) == []


def test_nothing_is_shifted_or_added_on_an_empty_board():
    row = an_item("a blue block", history=["<Builder> hi"], before=[], after=["blue 3 1 0"], interpretations="multiple")
    for family in ("spp", "spp_history", "spc_add", "spc_remove", "sa_shift"):
        assert variants_of(row, family) == []
    assert len(variants_of(row, "sa_turn")) == 3


def test_a_board_that_fills_the_region_cannot_be_shifted():
    row = an_item()
    row["history"] += ["place red 5 1 5", "place red -5 1 -5", "<Builder> so"]
    row["before"] += ["red 5 1 5", "red -5 1 -5"]
    row["after"] += ["red 5 1 5", "red -5 1 -5"]
    assert variants_of(row, "sa_shift") == []


@pytest.mark.parametrize(
    ("pattern", "said", "not_said"),
    [
        (UNSAFE.QUANTIFIERS, ("the topmost one", "both of them", "in the corner", "the others", "mirrored"),
         ("a block", "a lot")),
        (UNSAFE.COMPASS, ("to the north-east", "eastward", "the z-axis", "counter-clockwise"),
         ("beast", "least", "axis of it", "(2) 3, 4")),
        (UNSAFE.REGION, ("near the border", "on the grid", "the edges", "lines all the way across",
          "the fifth space to the left"),
         ("edgewise", "middling", "the second block to the left")),
        (UNSAFE.PLACED_IN_ORDER,
         ("the first block you placed", "the first orange block placed", "the 2nd last block you just put",
          "u first put"),
         ("first you place a block", "the last block you placed", "the second layer", "first, put a block")),
        (UNSAFE.FOREIGN_COLORS, ("a brown one", "rainbow colors"), ("brownie", "a red one", "tangent")),
    ],
)  # fmt: skip
def test_lists_of_words(pattern, said, not_said):
    assert all(re.search(pattern, text) for text in said)
    assert not any(re.search(pattern, text) for text in not_said)


# --- conditions


def test_each_condition_refuses_what_breaks_it():
    parent = Parent(an_item())
    history, before, after = (list(an_item()[name]) for name in ("history", "before", "after"))
    broken = {
        "C1": {"after": [*after[:-1], "blue 3 2 0"], "dialogue": ["<Architect> x"]},
        "C2": {"actions": ["place blue 3 3 0"], "dialogue": ["<Architect> x"]},
        "C3": {"history": history[:2] + history[3:]},
        "C4": {"actions": ["place blue 6 1 0"], "dialogue": ["<Architect> x"]},
        "C6": {"target": []},
    }
    assert {name: violation(parent, VariantChange(columns)) for name, columns in broken.items()} == {
        n: n for n in broken
    }
    newest = [*history[:3], *history[4:7], history[3], *history[7:]]
    assert violation(parent, VariantChange({"history": newest})) is None
    last = [*history[:2], *history[3:7], history[2], history[7]]
    assert violation(parent, VariantChange({"history": last})) == "C3"  # the red block would be the newest
    assert violation(parent, VariantChange({"before": before[::-1], "after": [*before[::-1], after[-1]]})) is None
