"""The rows to learn or to answer: of the dataset, or a user's own."""

from pathlib import Path

import pytest
from datasets import Dataset, DatasetDict, load_from_disk
from fabricated_items import fabricated_rows

from bap_v2_dataset.items.prompts import completion_of, render, shown_history
from bap_v2_metric.errors import UserError
from bap_v2_training.errors import UsageError
from bap_v2_training.learning import dataset_rows
from bap_v2_training.learning.dataset_rows import READINGS, REPAIRS, complete_rows, load_rows, with_readings
from bap_v2_training.learning.training_data import mix_in_cache
from bap_v2_training.tasks.building import BapTexts


@pytest.fixture(scope="module")
def data(tmp_path_factory) -> Path:
    """A folder with 20 fabricated items to learn, as users would bring their own."""
    folder = tmp_path_factory.mktemp("data") / "items"
    DatasetDict(train=fabricated_rows(4)).save_to_disk(folder)
    return folder


def test_a_subset_is_the_same_every_time_and_part_of_a_larger_one(data):
    ten, five = (load_rows(None, "train", str(data), max_items=n)["id"] for n in (10, 5))
    assert set(five) < set(ten) and len(ten) == 10
    assert load_rows(None, "train", str(data), max_items=10)["id"] == ten


def test_what_a_model_reads_of_an_item_must_be_there():
    rows = Dataset.from_list(
        [{"id": str(number), "pose": [] if number < 2 else None, "more": 1} for number in range(5)]
    )
    assert complete_rows(rows.select([0, 1]), ["id", "pose"], ["none"]) == [
        {"id": "0", "pose": []},
        {"id": "1", "pose": []},
    ]
    assert complete_rows(rows, ["id"], ["more"])[4] == {"id": "4", "more": 1}
    with pytest.raises(UsageError, match=r"^3 items have no pose, e\.g\. 2: this model reads it$"):
        complete_rows(rows, ["id", "pose"])
    with pytest.raises(UsageError, match=r"no column dialogue; they have id, pose, more"):
        complete_rows(rows, ["id", "dialogue"])


@pytest.mark.parametrize("suffix", ["jsonl", "parquet"])
def test_own_data_may_be_one_file(data, tmp_path, suffix):
    train = load_from_disk(data)["train"]
    path = tmp_path / f"own.{suffix}"
    train.to_json(path) if suffix == "jsonl" else train.to_parquet(path)
    assert load_rows(None, "whatever", str(path)).to_list() == train.to_list()


def test_an_unknown_config_is_an_error_that_names_the_others():
    with pytest.raises(UsageError, match=r"unknown config 'dsx'; did you mean dss"):
        load_rows("dsx", "train")


def test_several_splits_of_a_config_are_joined(monkeypatch):
    rows = fabricated_rows(4)
    splits = DatasetDict(original=rows.select(range(5)), spl=rows.select(range(5, 8)), probe=rows.select(range(4, 9)))
    monkeypatch.setattr(dataset_rows, "load_dataset", lambda *_: splits)
    assert load_rows("robust_dss", "spl+original")["id"] == [*splits["spl"]["id"], *splits["original"]["id"]]
    assert load_rows("robust_dss", "spl").to_list() == splits["spl"].to_list()
    with pytest.raises(UsageError, match=r"no split 'spk' \(expected one of original, spl, probe\)"):
        load_rows("robust_dss", "original+spk")
    for twice in ("spl+spl", "original+probe"):
        with pytest.raises(UsageError, match="share items"):
            load_rows("robust_dss", twice)


def test_a_bug_in_the_dataset_is_not_taken_for_a_wrong_setting(monkeypatch):
    def broken(*_):
        raise ValueError("zip() argument 2 is shorter than argument 1")

    monkeypatch.setattr(dataset_rows, "load_dataset", broken)
    with pytest.raises(ValueError, match="zip") as raised:
        load_rows("dss", "train")
    assert not isinstance(raised.value, UserError)


def test_prompts_that_own_items_lack_are_rendered(data, tmp_path):
    train = load_from_disk(data)["train"]
    prompts = [name for name in train.column_names if name.startswith("prompt_")]
    train.remove_columns([*prompts, "completion"]).to_json(tmp_path / "own.jsonl")
    rows = load_rows(None, "train", str(tmp_path / "own.jsonl"))
    for name in (*prompts, "completion"):
        assert rows[name][:] == train[name][:]


def test_items_whose_prompts_cannot_be_rendered_are_counted(data, tmp_path):
    train = load_from_disk(data)["train"]
    lacking = ["pose", *(name for name in train.column_names if name.startswith("prompt_"))]
    train.remove_columns(lacking).to_json(tmp_path / "own.jsonl")
    rows = load_rows(None, "train", str(tmp_path / "own.jsonl"))
    assert BapTexts("n").prompted(rows).column_names == ["id", "history", "prompt"]
    with pytest.raises(UsageError, match=r"20 items have no prompt_n_posb: they lack a dialogue, or a pose"):
        BapTexts("n_posb").prompted(rows)
    with pytest.raises(UsageError, match=r"20 items have no pose: representation ego is made of it"):
        BapTexts("ego").prompted(rows)


def test_prompts_that_are_not_columns_are_rendered(data):
    train = load_from_disk(data)["train"]
    ego = BapTexts("ego").prompted(train, ["completion"])
    for shown, row in zip(ego, train, strict=True):
        assert shown == {
            "id": row["id"],
            "history": shown_history(row, "ego"),
            "prompt": render(row, "ego"),
            "completion": completion_of(row, "ego"),
        }
    n = BapTexts("n", 2).prompted(train)
    assert n["prompt"][:] == [render({**row, "history": row["history"][-2:]}, "n") for row in train]
    assert all(len(lines) <= 2 for lines in n["history"])
    with pytest.raises(UsageError, match=r"unknown representation 'world' \(expected one of n, .*, ego\)"):
        BapTexts("world").prompted(train)


@pytest.mark.parametrize("name", ["games.jsonl", "nothing.jsonl", "cut.jsonl", "empty"])
def test_own_data_that_cannot_be_read_are_a_usage_error(name, tmp_path):
    (tmp_path / "games.jsonl").write_text('{"game_id": "a", "before": []}\n')
    (tmp_path / "cut.jsonl").write_text('{"id": "a", "before": []}\n{"id')
    (tmp_path / "empty").mkdir()
    with pytest.raises(UsageError, match=name):
        load_rows(None, "train", str(tmp_path / name))


@pytest.mark.parametrize("mix", ["dss", "dss=", "dss=many", "dss=-3"])
def test_a_wrong_mix_is_an_error_with_an_example(mix):
    with pytest.raises(UsageError, match="expected for example dr=8000"):
        mix_in_cache(mix)


def test_readings_take_the_place_of_what_was_built_where_they_are_clear_and_there_are_blocks():
    turns = [
        ("undone", True, ["place red 0 1 0"]), ("kept", True, ["place red 0 1 0"]),
        ("partly undone", False, ["place red 0 1 0"]), ("undone", True, []), ("undone", True, ["place red 0 1 0"]),
    ]  # fmt: skip
    annotated = [
        {
            "id": f"A/{number}", "before": ["red 0 2 0"] if number < 4 else [], "completion": "place green 0 1 0",
            "metadata": {
                "source": "human", "annotation": {"next_turn": following, "clear": clear, "reading": reading}
            },
        }
        for number, (following, clear, reading) in enumerate(turns)
    ]  # fmt: skip
    rows = Dataset.from_list(annotated)
    for which, replaced in ((REPAIRS, [0, 3]), (READINGS, [0, 1, 3])):
        read, shares = with_readings(rows, which)
        kept = set(range(5)) - set(replaced)
        assert read["completion"][:] == [
            "place green 0 1 0" if number in kept else "" if number == 3 else "place red 0 1 0" for number in range(5)
        ]
        assert shares == {"human": {"built": 1 - len(replaced) / 5, "reading": len(replaced) / 5}}
    with pytest.raises(UsageError, match=r"^learned_answers is repairs, but no item has such a reading"):
        with_readings(rows.select([1, 2]), REPAIRS)
