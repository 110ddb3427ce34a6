"""Prompts: every form of an item comes from its row."""

import pytest

from bap_v2_dataset.tasks.gsu.blocks import REPRESENTATIONS, format_blocks, parse_blocks
from bap_v2_dataset.tasks.gsu.ids import parse_id
from bap_v2_dataset.tasks.gsu.prompts import GsuPromptError, question_in, render, usual_form
from bap_v2_dataset.tasks.gsu.rows import row_of
from bap_v2_simulators.gsu.configs import CONFIGS, config_of

WALK = row_of(CONFIGS["gsu_follower_ego_2d"], "test", 3)
STRUCTURE = row_of(CONFIGS["gsu_structure"], "test", 3)
SCENE = row_of(CONFIGS["gsu_ego_adjacent_distractors"], "test", 3)
OUTLOOK = row_of(CONFIGS["gsu_combined"], "test", 3)


@pytest.mark.parametrize("name", CONFIGS)
def test_the_column_prompt_has_the_form_of_table_1(name):
    row = row_of(CONFIGS[name], "test", 2)
    shots, reasoning = usual_form(row["task"])
    assert row["prompt"] == render(row) == render(row, shots, reasoning)
    assert (shots, reasoning) == ((3, False) if name == "gsu_structure" else (1, True))
    assert row["prompt"].count("Example\n") == shots and row["prompt"].endswith(f"Your turn\n{row['question']}\n")


@pytest.mark.parametrize("row", [WALK, STRUCTURE, SCENE, OUTLOOK], ids=lambda row: row["task"])
def test_a_prompt_without_shots_is_the_question(row):
    assert render(row, 0, False) == f"{row['question']}\n"


def test_shots_are_train_items_with_their_answers():
    shown = [row_of(CONFIGS["gsu_follower_ego_2d"], "train", index) for index in (1, 2, 3)]
    prompt = render(WALK, 3, True)
    for shot in shown:
        assert f"Example\n{shot['question']}\n{shot['reasoning']}\n{shot['completion']}\n\n" in prompt
    assert [shot["group"] for shot in shown] == ["2", "3", "4"]
    assert "I start at" not in render(WALK, 3, False)
    structures = [row_of(CONFIGS["gsu_structure"], "train", index) for index in (0, 1, 2)]
    assert all(f"{shot['question']}\n{shot['completion']}\n\n" in STRUCTURE["prompt"] for shot in structures)
    assert [shot["group"] for shot in structures] == ["simple", "cohesive", "composite"]


@pytest.mark.parametrize("name", ["gsu_follower_ego_2d", "gsu_structure"])
def test_no_item_is_its_own_shot(name):
    for index in range(5):
        row = row_of(CONFIGS[name], "train", index)
        assert render(row, 3, False).count(row["question"]) == 1
    others = row_of(CONFIGS[name], "train", 1, seed=7)
    assert render(others, 3, False).count("Example\n") == 3


def test_shots_have_the_settings_of_the_row():
    row = row_of(config_of("gsu_allo_y_adjacent", {"sides": "rotated"}), "test", 0)
    assert row["prompt"].count("its left is on your right") == 2
    row = row_of(config_of("gsu_structure", {"front": "near", "scrambled": "true"}), "test", 0)
    assert row["prompt"].count("front is negative y") == 4
    assert row["metadata"]["settings"] == {"front": "near", "scrambled": True}


@pytest.mark.parametrize("representation", REPRESENTATIONS)
def test_blocks_stand_in_the_question_in_every_representation(representation):
    for row in (STRUCTURE, SCENE, OUTLOOK):
        blocks = parse_blocks(", ".join(row["blocks"]), "plain")
        text = format_blocks(blocks, representation)
        assert question_in(row, representation).count(text) == 1
        assert render(row, 1, False, representation).endswith(f"{question_in(row, representation)}\n")
    assert question_in(WALK, representation) == WALK["question"]


def test_forms_that_do_not_exist_are_refused():
    with pytest.raises(GsuPromptError, match="shots is 4: expected 0 to 3"):
        render(WALK, 4)
    with pytest.raises(GsuPromptError, match="structures have no reasoning traces"):
        render(STRUCTURE, 1, True)
    with pytest.raises(GsuPromptError, match="unknown representation 'json'"):
        render(STRUCTURE, representation="json")
    with pytest.raises(GsuPromptError, match="the id mine-1 does not say of which config the shots are"):
        render({**WALK, "id": "mine-1"})
    assert render({**WALK, "id": "mine-1"}, 0) == render(WALK, 0)


def test_ids_say_config_split_seed_and_index():
    row = row_of(CONFIGS["gsu_card2ego_3d"], "validation", 12, seed=-4)
    assert row["id"] == "gsu_card2ego_3d-seed-4-validation-12"
    assert parse_id(row["id"]) == ("gsu_card2ego_3d", "validation", -4, 12)
    assert parse_id("gsu_card2ego_3d-validation-12x") is None
