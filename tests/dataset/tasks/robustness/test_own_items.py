"""Variants of items of the user's own, which may lack a pose, be named in their own way and have any metadata."""

import pytest

from bap_v2_dataset.tasks.building.own_rows import own_row
from bap_v2_dataset.tasks.robustness.families import FAMILIES, variants_in_all
from bap_v2_dataset.tasks.robustness.variant_rows import variant_name
from bap_v2_metric.robustness import reference_of, score_items

ITEM = {
    "id": "mine/0",
    "history": ["<Architect> start", "place red 0 1 0", "place blue 3 1 3", "place red -3 1 -3"],
    "dialogue": ["<Architect> put a red block on top of the red one, to the left"],
    "pose": {"x": 0.0, "y": 1.0, "z": -4.0, "yaw": 0.0, "pitch": 10.0},
    "before": ["red 0 1 0", "blue 3 1 3", "red -3 1 -3"],
    "actions": ["place red 0 2 0"],
}


def variants(**other) -> list[dict]:
    return list(variants_in_all(own_row({**ITEM, **other})))


def families(rows: list[dict]) -> set[str]:
    return {row["metadata"]["perturbation"]["family"] for row in rows}


def test_an_item_without_a_pose_has_all_variants_but_other_poses():
    found = variants(pose=None)
    assert families(found) == families(variants()) - {"spg"} == FAMILIES.keys() - {"spg", "spc_remove"}
    for row in found:
        assert row["pose"] is None and row["prompt_n_posb"] is None and row["prompt_n"]


def test_an_item_without_words_has_variants_without_prompts():
    found = variants(dialogue=[], history=[])
    assert "spp" in families(found)
    assert all(row["prompt_n"] is None and row["prompt_n_posb_s"] is None for row in found)


@pytest.mark.parametrize("game", ["another", "mine/0", "min", "a game/with a slash"])
@pytest.mark.parametrize("first", ["mine/0", "mine/x/0", "mine", "a~b-1/0"])
def test_ids_are_different_and_name_the_parent_whatever_the_game_is_called(game, first):
    second = first[:-1] + "1"
    found = [row for name in (first, second) for row in variants(id=name, game_id=game)]
    assert len({row["id"] for row in found}) == len(found) > 0
    for row in found:
        record = row["metadata"]["perturbation"]
        assert variant_name(row["id"]) == (record["parent"], record["family"], record["variant"])
        assert row["game_id"] == f"{game}~{record['family']}-{record['variant']}"


@pytest.mark.parametrize(
    "metadata",
    [
        {"plan": "on top", "difficulty": 3},
        {"plan": {"color": "gold", "reference": "the red one", "then": "stop"}, "difficulty": {"hard": True}},
        {"perturbation": None}, {"perturbation": "noise"},
        {"source": "simulated", "plan": ["on top"], "difficulty": "hard"},
    ],
)  # fmt: skip
def test_metadata_of_any_kind_change_no_variant(metadata):
    found, plain = variants(metadata=metadata), variants()
    if "source" not in metadata:  # of simulated items other blocks may be taken away
        assert [(row["id"], row["history"], row["before"]) for row in found] == [
            (row["id"], row["history"], row["before"]) for row in plain
        ]
    kept = {name: value for name, value in metadata.items() if name != "perturbation"}
    assert found and all({name: row["metadata"][name] for name in kept} == kept for row in found)
    references = [reference_of(own_row({**ITEM, "metadata": {}})), *map(reference_of, found)]
    assert len(score_items([""] * len(references), references)) == len(found) + 1
