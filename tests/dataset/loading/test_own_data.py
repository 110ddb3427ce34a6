"""Data of the user's own: what can be read, what is filled in, and what is said of the rest."""

import gzip
import json
from pathlib import Path

import datasets
import pytest
from fabricated_items import fabricated_rows

from bap_v2_dataset.generation.simulated import write_simulated
from bap_v2_dataset.items.features import FEATURES
from bap_v2_dataset.items.item import items
from bap_v2_dataset.loading.own_data import DataError, completed_records, read_data
from bap_v2_dataset.predictions.entries import PredictionError
from bap_v2_dataset.predictions.files import read_prediction_file, read_predictions
from bap_v2_simulators.corpora import simulator_of
from bap_v2_simulators.game import write_games
from bap_v2_simulators.simulation import play


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path / "cache")


@pytest.fixture(scope="module")
def generated(tmp_path_factory) -> Path:
    """own.jsonl and own.parquet: the same 60 items."""
    folder = tmp_path_factory.mktemp("generated")
    for suffix in ("jsonl", "parquet"):
        write_simulated(simulator_of("dss"), folder / f"own.{suffix}", n_items=60, seed=1)
    return folder


def lines(path: Path, *records: object) -> str:
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records))
    return str(path)


def item(number: int, **columns: object) -> dict:
    return {"id": f"mine/{number}", "before": [], "after": ["red 0 1 0"], **columns}


def test_every_form_of_the_same_items_gives_the_same_rows(generated, tmp_path):
    rows = datasets.Dataset.from_parquet(str(generated / "own.parquet"))
    expected = rows.to_list()
    (tmp_path / "own.jsonl.gz").write_bytes(gzip.compress((generated / "own.jsonl").read_bytes()))
    records = [json.loads(line) for line in (generated / "own.jsonl").read_text().splitlines()]
    (tmp_path / "own.json").write_text("\ufeff" + json.dumps(records, indent=1))
    rows.save_to_disk(str(tmp_path / "own"))
    files = [*generated.glob("own.*[lt]"), tmp_path / "own.jsonl.gz", tmp_path / "own.json", tmp_path / "own"]
    assert len(files) == 5
    for file in files:
        data = read_data(str(file))
        assert (data.name, list(data.splits), data.alone) == ("own", ["test"], True), file
        assert data.splits["test"].features == FEATURES
        assert data.splits["test"].to_list() == expected, file
        assert data.split_named("train") == data.split_named() == "test"  # one file is whatever it is asked for as


@pytest.mark.parametrize(
    ("column", "near"),
    [("dialog", "dialogue"), ("Dialogue", "dialogue"), ("histroy", "history"), ("interpretation", "interpretations")],
)
def test_a_column_that_nearly_has_the_name_of_a_missing_one_is_an_error_that_names_both(column, near, tmp_path):
    records = item(0), item(1, **{column: ["<Architect> place a red block"]})
    message = rf"\(mine/1\): unknown column '{column}': rename it '{near}', or, if it is something else, drop it"
    with pytest.raises(DataError, match=f"line 2 {message}"):
        read_data(lines(tmp_path / "own.jsonl", *records))
    datasets.Dataset.from_list([records[1]]).to_parquet(tmp_path / "own.parquet")
    with pytest.raises(DataError, match=f"row 0 {message}"):
        read_data(str(tmp_path / "own.parquet"))
    with pytest.raises(DataError, match=message):
        completed_records(records, "the rows")


def test_other_columns_of_the_users_own_are_left_alone(tmp_path):
    more = {"prompt": "x", "dialogue_id": 5, "game": "g", "before_picture": "x", "note": "x", "history": []}
    assert read_data(lines(tmp_path / "own.jsonl", item(0, **more))).splits["test"]["id"][:] == ["mine/0"]


def test_the_splits_of_a_folder_are_those_of_its_files_or_of_save_to_disk(generated, tmp_path):
    rows = datasets.Dataset.from_parquet(str(generated / "own.parquet"))
    folder = tmp_path / "mix"
    (folder / "data").mkdir(parents=True)
    for part in (0, 1):
        rows.select(range(30 * part, 30 * part + 30)).to_parquet(folder / f"data/train-0000{part}-of-00002.parquet")
    rows.select(range(5)).to_parquet(folder / "data/odd-00000-of-00001.parquet")
    rows.select(range(5, 15)).to_parquet(folder / "data/dss-test-00000.parquet")
    data = read_data(str(folder))
    assert data.name == "mix" and {name: len(split) for name, split in data.splits.items()} == {
        "train": 60, "test": 10, "odd": 5,
    }  # fmt: skip
    assert data.splits["train"].to_list() == rows.to_list()
    assert data.split_named() == "test" and data.split_named("odd") == "odd"
    with pytest.raises(DataError, match=r"mix has no split 'dev' \(expected one of train, test, odd\)"):
        data.split_named("dev")
    datasets.DatasetDict(a=rows.select([0]), b=rows.select([1])).save_to_disk(str(tmp_path / "saved"))
    saved = read_data(str(tmp_path / "saved"))
    assert list(saved.splits) == ["a", "b"]
    assert list(read_data(str(tmp_path / "saved"), split="b").splits) == ["b"]
    with pytest.raises(DataError, match="several splits: pass --split with one of a, b"):
        saved.split_named()


def test_what_a_row_lacks_is_derived(tmp_path):
    pose = {"x": 0.5, "y": 1, "z": 0.5, "yaw": 200.0, "pitch": 10}
    source = lines(
        tmp_path / "own.jsonl",
        {"id": "a", "before": ["red 0 1 0", "red 0 2 0"], "after": ["blue 0 2 1", "blue 0 1 1"]},
        {"id": "g/7", "before": ["red 0 1 0"], "actions": ["place blue 0 2 0", "pick 0 1 0"],
         "dialogue": ["<Architect> up"], "pose": pose},
        {"id": "g/8", "before": [], "completion": "place red 0 1 0\n", "dialogue": ["<Architect> one"],
         "interpretations": "multiple", "metadata": {"mine": [1, {"deep": None}]}, "more": 3},
    )  # fmt: skip
    rows = read_data(source).splits["test"]
    assert rows.features == FEATURES
    first, second, third = rows
    # Removals from the top down, placements as soon as they have a support.
    assert first["actions"] == ["pick 0 2 0", "pick 0 1 0", "place blue 0 1 1", "place blue 0 2 1"]
    assert first["completion"] == "\n".join(first["actions"])
    assert (first["game_id"], first["pose"], first["dialogue"], first["prompt_n"]) == ("a", None, [], None)
    assert (first["interpretations"], first["metadata"]) == ("unique", {})
    assert (second["game_id"], second["after"], second["completion"]) == (
        "g", ["blue 0 2 0"], "place blue 0 2 0\npick 0 1 0",
    )  # fmt: skip
    assert "orientation (yaw) is -160.0 degrees" in second["prompt_n_posb"]
    assert second["prompt_n_posb_s"].endswith("Current built structure is:\nred 0 1 0\n### AS:\n")
    assert (third["after"], third["actions"], third["interpretations"]) == (
        ["red 0 1 0"], ["place red 0 1 0"], "multiple",
    )  # fmt: skip
    assert third["metadata"] == {"mine": [1, {"deep": None}]}
    assert third["prompt_n"].endswith("<Architect> one\n### AS:\n") and third["prompt_n_posb"] is None


@pytest.mark.slow
def test_a_derived_sequence_of_actions_leads_to_the_structure_it_was_derived_from(tmp_path):
    rows = fabricated_rows(20).remove_columns(["actions", "completion"])
    source = tmp_path / "own.parquet"
    rows.to_parquet(source)
    derived = read_data(str(source)).splits["test"]
    for row in derived:
        again = {"id": "x", "before": row["before"], "actions": row["actions"]}
        (tmp_path / "one.jsonl").write_text(json.dumps(again))
        assert set(read_data(str(tmp_path / "one.jsonl")).splits["test"][0]["after"]) == set(row["after"])


WRONG = {
    "no id": ({"before": [], "after": []}, r"holds no items: the column id is missing \(it has before, after\)"),
    "a number as id": (item(0, id=7), r"own.jsonl, line 1: id is 7 \(expected a text"),
    "no before": ({"id": "a", "after": []}, "the column before is missing"),
    "null before": (item(0, before=None), r"line 1 \(mine/0\): before is missing: the blocks that stand there"),
    "no outcome": ({"id": "a", "before": []}, r"line 1 \(a\): after is missing: .* or actions"),
    "a bad block": (item(0, after=["pink 0 1 0"]), r"line 1 \(mine/0\): after: unknown color 'pink' \(expected one of"),
    "a block outside": (item(0, before=["red 9 1 0"]), r"before: 'red 9 1 0' is outside the BuildRegion"),
    "two in a cell": (item(0, after=["red 0 1 0", "blue 0 1 0"]), "after: 'blue 0 1 0' is in the same cell as"),
    "a text for a list": (item(0, before="red 0 1 0"), r"before is 'red 0 1 0' \(expected a list of texts\)"),
    "numbers in a list": (item(0, after=[[0, 1, 0]]), r"after is \[\[0, 1, 0\]\] \(expected a list of texts\)"),
    "an unknown reading": (item(0, interpretations="many"), r"is 'many' \(expected unique or multiple\)"),
    "no speaker": (item(0, dialogue=["put it"]), "dialogue, entry 1: 'put it' is not a chat line"),
    "odd history": (item(0, history=["<Architect> a", "put red"]), "history, entry 2: 'put red' is not an action"),
    "a short pose": (item(0, pose=[1, 2, 3]), r"pose is \[1, 2, 3\] \(expected the numbers x, y, z, yaw, pitch\)"),
    "an endless pose": (item(0, pose={"x": "nan", "y": 1, "z": 1, "yaw": 1, "pitch": 1}), "pose is "),
    "a bad action": (item(0, actions=["put red 0 1 0"]), "actions: 'put red 0 1 0' is not an action"),
    "no support": (
        {"id": "a", "before": [], "actions": ["place red 0 1 0", "place red 0 5 0"]},
        r"after is missing, and action 2, 'place red 0 5 0', cannot be carried out \(unsupported\): give after",
    ),
    "odd metadata": (item(0, metadata="x"), r"metadata is 'x' \(expected an object\)"),
    "predictions": ({"id": "a", "prediction": "place red 0 1 0"}, "holds predictions: pass it without --data"),
    "no object": ([1, 2], "object 1 is not a JSON object"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_named_with_line_and_column(name, tmp_path):
    record, message = WRONG[name]
    with pytest.raises(DataError, match=message):
        read_data(lines(tmp_path / "own.jsonl", record))


def test_the_second_row_of_an_id_is_named_with_the_first(tmp_path):
    source = lines(tmp_path / "own.jsonl", item(0), item(1), item(0))
    with pytest.raises(DataError, match=r"own.jsonl, line 3: duplicate id 'mine/0', which is that of .*, line 1 too"):
        read_data(source)
    datasets.Dataset.from_list([item(0), item(0)]).to_parquet(tmp_path / "own.parquet")
    with pytest.raises(DataError, match=r"own.parquet, row 1: duplicate id 'mine/0', which is that of .*, row 0 too"):
        read_data(str(tmp_path / "own.parquet"))


def test_files_that_hold_no_items_are_refused_with_the_reason(generated, tmp_path):
    (tmp_path / "empty.jsonl").write_text("\n")
    (tmp_path / "cut.jsonl").write_text(json.dumps(item(0)) + '\n{"id": "mi')
    (tmp_path / "bad.parquet").write_bytes(b"PAR1 or not")
    (tmp_path / "cut.jsonl.gz").write_bytes(gzip.compress(b'{"id": "a"}\n' * 9)[:-9])
    (tmp_path / "items.xlsx").write_bytes(b"PK")
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "adapter_config.json").write_text("{}")
    (tmp_path / "repository" / "dss").mkdir(parents=True)
    (tmp_path / "repository" / "dss" / "test.parquet").write_bytes((generated / "own.parquet").read_bytes())
    (tmp_path / "events.jsonl").write_text('{"events": 3}\n')
    for name, message in {
        "empty.jsonl": "empty.jsonl is empty, or of games without items: expected items",
        "cut.jsonl": "cut.jsonl, line 2 is not JSON",
        "bad.parquet": "bad.parquet cannot be read as Parquet",
        "cut.jsonl.gz": "cut.jsonl.gz cannot be read",
        "items.xlsx": "items.xlsx has a suffix that is not read as data: expected a file",
        "model": "model holds a model, not data",
        "repository": r"repository holds no data: name one of its folders, e.g. .*repository/dss",
        "events.jsonl": "events.jsonl, line 1: a game has no field 'game_id'",
        "nothing.jsonl": "there is no .*nothing.jsonl: expected a file",
    }.items():
        with pytest.raises(DataError, match=message):
            read_data(str(tmp_path / name))
    for empty in ("", " "):  # not taken for this folder
        with pytest.raises(DataError, match="the name of the data is empty: expected a file"):
            read_data(empty)


def test_games_are_read_as_their_items(tmp_path):
    game = play(simulator_of("dss"), "test", 0)
    write_games([game], tmp_path / "games.jsonl")
    own = read_data(str(tmp_path / "games.jsonl"))
    assert list(own.splits["test"]["id"]) == [item.item_id for item in items(game)]
    with pytest.raises(PredictionError, match=r"games.jsonl holds games, not predictions: name it with --data"):
        read_predictions(tmp_path / "games.jsonl")
    (tmp_path / "text.jsonl").write_text('"what events say"\n')  # an answer alone is no game
    assert read_prediction_file(tmp_path / "text.jsonl").in_order


def test_data_are_never_named_as_a_config(generated, tmp_path):
    for name, expected in {"dss": "dss.parquet", "mine": "mine"}.items():
        (tmp_path / f"{name}.parquet").write_bytes((generated / "own.parquet").read_bytes())
        assert read_data(str(tmp_path / f"{name}.parquet")).name == expected
    datasets.Dataset.from_list([item(0)]).save_to_disk(str(tmp_path / "own" / "dss"))
    assert read_data(str(tmp_path / "own" / "dss")).name == "own/dss"


def test_a_changed_file_is_read_again(tmp_path):
    source = lines(tmp_path / "own.jsonl", item(0))
    assert len(read_data(source).splits["test"]) == 1
    lines(tmp_path / "own.jsonl", item(0), item(1))
    assert read_data(source).splits["test"]["id"][:] == ["mine/0", "mine/1"]
