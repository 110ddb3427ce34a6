"""Rows of Plancraft: the tasks of the package with gold plans, and dialogues in its words."""

import hashlib
from collections import Counter
from statistics import fmean

import pytest
from plancraft_package import needs_package

from bap_v2_dataset.tasks.plancraft.prompts import examples, system_text
from bap_v2_dataset.tasks.plancraft.rows import oracle_row, task_row
from bap_v2_dataset.tasks.plancraft.task_files import FILES, changed_files, digests, records
from bap_v2_simulators.plancraft.recipes import stack_sizes
from bap_v2_simulators.plancraft.turns import TOOLS, read_turn, tools_of

needs_package()


@pytest.fixture(scope="module")
def rows():
    return {split: [task_row(record) for record in records(split)] for split in FILES}


def test_tasks_are_as_many_as_in_table_4(rows):
    bins = {
        split: [Counter(row["complexity_bin"] for row in of)[number] for number in range(6)]
        for split, of in rows.items()
    }
    assert bins["train"] == [200, 200, 198, 200, 147, 200]
    assert bins["validation"] == [100, 100, 100, 100, 70, 100]
    assert bins["test"] == [100, 100, 100, 100, 80, 100]
    assert bins["validation_small"] == [20, 20, 20, 20, 10, 20]
    assert bins["test_small"] == [20, 20, 20, 20, 17, 20]
    assert not changed_files(digests())
    assert "test.json is not the one of plancraft 0.4.9" in changed_files({"test": "0" * 64})[0]


def test_small_splits_are_parts_and_no_task_is_in_two_others(rows):
    ids = {split: [row["id"] for row in of] for split, of in rows.items()}
    for split in ("validation", "test"):
        for part in ("small", "easy"):
            whole = {row["id"]: row for row in rows[split]}
            assert all(whole[row["id"]] == row for row in rows[f"{split}_{part}"])
    assert len({*ids["train"], *ids["validation"], *ids["test"]}) == 1145 + 570 + 580


def test_inventories_fit_their_slots_and_lack_the_target(rows):
    for row in (row for of in rows.values() for row in of):
        slots = [item["slot"] for item in row["inventory"]]
        assert slots == sorted(set(slots)) and slots[0] >= 10 and slots[-1] <= 45
        assert all(1 <= item["quantity"] <= stack_sizes()[item["type"]] for item in row["inventory"])
        assert row["target"] not in {item["type"] for item in row["inventory"]}
        assert (row["complexity_bin"] == 5) == row["impossible"] == (row["difficulty"] == "impossible")


def test_plans_are_as_long_as_those_of_the_planner(rows):
    # Measured on the package's planner for all tasks: equal everywhere.
    mean = {split: fmean(row["oracle_length"] for row in of if row["plan"]) for split, of in rows.items()}
    assert [round(mean[split], 3) for split in ("test", "test_small", "validation", "train")] == [
        8.735,
        9.216,
        8.349,
        8.48,
    ]
    by_bin = [[row["oracle_length"] for row in rows["test"] if row["complexity_bin"] == number] for number in range(5)]
    assert [(min(of), max(of)) for of in by_bin] == [(1, 4), (4, 7), (5, 10), (5, 17), (9, 29)]


def test_plans_are_known(rows):
    of = {row["id"]: row for split in ("train", "validation", "test") for row in rows[split]}
    assert of["VAL0000"]["plan"][0] == "move: from [I17] to [A1] with quantity 1"
    assert of["VAL0000"]["plan"][5:] == [
        "move: from [I17] to [B3] with quantity 1", "move: from [0] to [I1] with quantity 16",
    ]  # fmt: skip
    assert of["TEST0003"]["plan"] == ["smelt: from [I29] to [I1] with quantity 1"]
    assert of["TRAIN0005"]["plan"] == [
        "smelt: from [I30] to [I1] with quantity 1", "move: from [I11] to [A1] with quantity 1",
        "move: from [I1] to [A2] with quantity 1", "move: from [0] to [I1] with quantity 1",
    ]  # fmt: skip
    assert of["TEST0000"]["impossible"] and of["TEST0000"]["recipe_type"] == "impossible"


def test_recipe_types_are_those_of_table_5(rows):
    kinds = Counter(row["recipe_type"] for row in rows["test"])
    assert kinds == {"shaped": 227, "mixed": 174, "impossible": 100, "shapeless": 62, "smelting": 17}


def test_gold_dialogues_are_turns_of_a_chat(rows):
    dialogues = [oracle_row(row) for row in rows["validation"] if not row["impossible"]]
    assert len(dialogues) == 470
    for dialogue in dialogues:
        roles = [message["role"] for message in dialogue["messages"]]
        assert roles == ["system", *["user", "assistant"] * dialogue["n_actions"]]
    lengths = [sum(len(message["content"]) for message in one["messages"]) for one in dialogues]
    assert (round(fmean(lengths)), max(lengths)) == (5847, 21323)


@pytest.mark.parametrize(("letters", "digest"), [("M S", "cfccd8a24da87412"), ("M S T SE I", "f661057e2aaa8099")])
def test_the_system_text_is_that_of_the_package(letters, digest):
    assert hashlib.sha256(system_text(tools_of(letters)).encode()).hexdigest().startswith(digest)


@pytest.mark.parametrize(
    ("letters", "length"), [("M S", 8), ("M S T", 16), ("M S I", 8), ("M S T SE", 20), ("M S T SE I", 20)]
)
def test_the_examples_are_those_of_the_package(letters, length):
    from plancraft.environment.prompts import get_prompt_example

    from bap_v2_simulators.plancraft.package import handlers

    tools = tools_of(letters)
    ours, theirs = examples(tools), get_prompt_example([handlers()[tool] for tool in tools])
    assert len(ours) == length == len(theirs)
    for own, other in zip(ours, theirs):
        assert own["role"] == other["role"]
        if other["content"].startswith("Recipes"):  # the grids are drawn
            assert len(own["content"].splitlines()) == len(other["content"].splitlines())
        else:
            assert own == other
    assert {read_turn(message["content"], tools).kind for message in ours if message["role"] == "assistant"} <= set(
        TOOLS
    )
