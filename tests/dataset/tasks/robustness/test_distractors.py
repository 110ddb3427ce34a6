"""Families spc_add and spc_remove leave alone what words may mean: found by reading variants one by one."""

from collections import Counter

import pytest

from bap_v2_dataset.items.item import items
from bap_v2_dataset.items.rows import row
from bap_v2_dataset.tasks.robustness.families import variants_of
from bap_v2_metric.notation import parse_block
from bap_v2_simulators.corpora import simulator_of
from bap_v2_simulators.simulation import play

RED = [f"place red {x} 1 0" for x in range(4)]


def human_row(dialogue: list[str], said: str = "now a red row") -> dict:
    """A row of two red blocks, a line that was said, two more red ones, and one to come."""
    return {
        "id": "B1-A2-C3-4/1",
        "game_id": "B1-A2-C3-4",
        "history": ["<Architect> hi", *RED[:2], f"<Architect> {said}", *RED[2:]],
        "dialogue": dialogue,
        "pose": {"x": -5.0, "y": 1.0, "z": -5.0, "yaw": 0.0, "pitch": 0.0},
        "before": [line.removeprefix("place ") for line in RED],
        "after": [*(line.removeprefix("place ") for line in RED), "red 4 1 0"],
        "actions": ["place red 4 1 0"],
        "target": [],
        "interpretations": "unique",
        "metadata": {"source": "human"},
    }


@pytest.mark.parametrize(
    "agreed", [["<Architect> yes"], ["<Builder> Floating square, got it"], ["<Architect> yep yep"]]
)
def test_where_the_dialogue_only_agrees_what_was_said_before_it_counts(agreed):
    assert variants_of(human_row(agreed), "spc_add")
    assert not variants_of(human_row(agreed, "and then remove the bottom layer"), "spc_add")
    order = ["<Architect> now one more to the right"]
    assert variants_of(human_row(order, "and then remove the bottom layer"), "spc_add")


@pytest.mark.parametrize(
    "text",
    [
        "now delete the earlier two blocks", "now remove the reference blocks", "now one on top of the original",
        "go back to where you originally put them", "remove the bottom layer", "delete your starting block",
    ],
)  # fmt: skip
def test_nothing_is_added_where_the_first_blocks_may_be_meant(text):
    assert not variants_of(human_row([f"<Architect> {text}"]), "spc_add")


def test_blocks_that_were_just_placed_are_all_of_the_only_run():
    two_runs = human_row(["<Architect> now a red one on top of those"])
    one_run = {**two_runs, "history": ["<Architect> now a red row", *RED]}
    assert variants_of(two_runs, "spc_add") and not variants_of(one_run, "spc_add")
    assert variants_of({**one_run, "dialogue": ["<Architect> now a red one on top of it"]}, "spc_add")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["dr", "dsb"])
def test_of_several_blocks_of_a_named_color_one_is_never_all_that_is_left(name):
    n_variants = 0
    for index in range(40):
        for item in items(play(simulator_of(name), "train", index, seed=62)):
            parent = row(item)
            before = Counter(block.color for block in map(parse_block, parent["before"]))
            said = " ".join(line.lower() for line in parent["dialogue"])
            for variant in variants_of(parent, "spc_remove"):
                n_variants += 1
                after = Counter(block.color for block in map(parse_block, variant["before"]))
                assert not any(after[color] == 1 < before[color] for color in before if color.value in said)
    assert n_variants > 50
