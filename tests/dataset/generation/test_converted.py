"""Games of the user's own as rows: the same as those of the simulators, and nothing is dropped silently."""

import gzip
import json
from collections.abc import Iterable
from pathlib import Path

import datasets
import orjson
import pytest
import small_corpus
from in_process import command

from bap_v2_dataset.generation.converted import ConversionError, convert_games
from bap_v2_dataset.generation.simulated import write_simulated
from bap_v2_dataset.human.mdc import read_corpus
from bap_v2_dataset.items.item import Skipped, items
from bap_v2_dataset.items.rows import row
from bap_v2_simulators.corpora import simulator_of
from bap_v2_simulators.game import GameError, write_games

POSE = [0.5, 1, -3, 0, 20]


@pytest.fixture
def bap(tmp_path, monkeypatch, capsys):
    return command(monkeypatch, capsys, tmp_path / "home", tmp_path, width=120)


def step(*actions: str) -> dict:
    return {"pose": POSE, "actions": list(actions)}


def written(path: Path, *games: dict) -> Path:
    path.write_text("".join(f"{json.dumps(game)}\n" for game in games))
    return path


def game(name: str, *events: object, split: str = "test") -> dict:
    return {"game_id": name, "split": split, "events": list(events)}


def read(path: Path) -> list[dict]:
    return [orjson.loads(line) for line in path.read_bytes().splitlines()]


@pytest.mark.slow
def test_logs_of_a_simulator_become_the_rows_that_it_writes(tmp_path):
    dsb = simulator_of("dsb")
    write_simulated(dsb, tmp_path / "games.jsonl", games=30, seed=5, kind="games")
    for suffix in ("jsonl", "parquet"):
        write_simulated(dsb, tmp_path / f"expected.{suffix}", games=30, seed=5)
        result = convert_games(tmp_path / "games.jsonl", tmp_path / f"rows.{suffix}")
        assert result.games == 30 and result.items["train"] > 60 and not result.skipped
    assert (tmp_path / "rows.jsonl").read_bytes() == (tmp_path / "expected.jsonl").read_bytes()
    rows, expected = (datasets.Dataset.from_parquet(str(tmp_path / f"{name}.parquet")) for name in ("rows", "expected"))
    assert rows.features == expected.features and rows.to_list() == expected.to_list()


def test_human_games_go_to_a_file_for_each_split(tmp_path):
    games = list(read_corpus(small_corpus.write(tmp_path / "mdc")))
    write_games(games, tmp_path / "games.jsonl")
    skipped: list[Skipped] = []
    expected: dict[str, list] = {}
    for one in games:
        expected.setdefault(one.split, []).extend(map(row, items(one, skipped)))
    result = convert_games(tmp_path / "games.jsonl", tmp_path / "rows")
    assert result.skipped == skipped and skipped
    assert result.items == {split: len(rows) for split, rows in expected.items()}
    for split, rows in expected.items():
        assert [each["id"] for each in datasets.Dataset.from_parquet(str(tmp_path / f"rows/{split}.parquet"))] == [
            each["id"] for each in rows
        ]
    with pytest.raises(ConversionError, match=r"holds games of train and \w+: name a folder"):
        convert_games(tmp_path / "games.jsonl", tmp_path / "rows.jsonl")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["games.jsonl", "mdc", "rows"]


def test_what_is_left_out_is_counted_and_said(bap, tmp_path):
    outside, floating = step("place red 7 1 0"), step("place red 0 4 0")
    written(
        tmp_path / "games.jsonl",
        game("a", "<Architect> go", step("place red 0 1 0"), "<Architect> on", outside),
        game("b", "<Architect> nothing happens"),
        game("c", "<Architect> up", floating),
    )
    code, out, err = bap("convert", "games.jsonl", "--out", "rows.jsonl")
    assert code == 0 and "rows.jsonl: 2 items of 3 games (test 2)" in out
    assert "skipped 1 run of actions (a block outside the BuildRegion): a run 1" in err
    assert "1 game without an item" in err
    assert "1 action cannot be carried out in the order of the log; kept as logged" in err
    rows = read(tmp_path / "rows.jsonl")
    assert [each["id"] for each in rows] == ["a/0", "c/0"]
    assert rows[1]["after"] == ["red 0 4 0"] and rows[1]["metadata"] == {"infeasible_actions": 1}
    assert "bap-v2 score PREDICTIONS --data rows.jsonl" in out
    assert bap("score", "--baseline", "replay", "--data", "rows.jsonl", "--resamples", "0")[0] == 0


GOOD = game("a", "<Architect> go", step("place red 0 1 0"))
WRONG: dict[str, tuple[Iterable[object], str]] = {
    "twice": ([GOOD, GOOD], r"line 2: a second game 'a' \(the first is line 1\)"),
    "no speaker": ([GOOD, game("b", "hello")], r"line 2: event 1: 'hello' is not a chat line"),
    "no pose": ([game("b", "<Builder> hi", {"actions": []})], "line 1: event 2: a step has no field 'pose'"),
    "no id": ([{"split": "test", "events": []}], "line 1: a game has no field 'game_id'"),
    "a blank id": ([game(" ", *GOOD["events"])], "line 1: game_id is ' '"),
    "an odd split": ([game("b", *GOOD["events"], split="../x")], r"line 1: split is '\.\./x' \(expected a name"),
    "no actions": ([game("b", "<Architect> hi")], "makes no items: no actions in 1 game"),
    "blocks below the ground": (
        [game("b", "<Architect> hi", step("place red 0 0 0")), game("c", step("place red 0 0 0"))],
        "makes no items: 2 runs of actions left out, the first in 'b': a block outside the BuildRegion .*y from 1 to 9",
    ),
    "actions as objects": (
        [game("b", {"pose": POSE, "actions": [{"action": "pick"}]})],
        "line 1: event 1: {'action': 'pick'} is not an action .expected the text 'place COLOR X Y Z' or 'pick X Y Z'",
    ),
    "blocks as lists": ([GOOD | {"target": [["red", 0, 1, 0]]}], r"line 1: \['red', 0, 1, 0\] is not a block"),
    "metadata that are a list": ([GOOD | {"metadata": [1]}], r"line 1: metadata is \[1\] .expected an object"),
    "a pose of true": ([game("b", {"pose": [True, 1, 0, 0, 0], "actions": []})], r"pose is \[True, 1, .*the numbers x"),
    "nothing": ([], "makes no items: it holds no games"),
    "rows": ([{"id": "a", "before": [], "game_id": "a"}], "no field 'split': these are items already"),
}


def test_no_metadata_are_none_and_an_utterance_is_one_line(tmp_path):
    events = ["<Architect> here\nplace red 1 1 1", step("place red 0 1 0") | {"metadata": None}]
    source = written(tmp_path / "games.jsonl", game("a", *events) | {"metadata": None, "target": None})
    convert_games(source, tmp_path / "rows.jsonl")
    (row,) = read(tmp_path / "rows.jsonl")
    assert row["dialogue"] == ["<Architect> here place red 1 1 1"] and "\nplace red 1 1 1" not in row["prompt_n"]


@pytest.mark.parametrize("name", WRONG)
def test_wrong_games_are_named_and_leave_nothing(name, tmp_path):
    games, message = WRONG[name]
    source = written(tmp_path / "games.jsonl", *games)
    for output in ("rows.jsonl", "rows.parquet", "rows"):
        with pytest.raises((ConversionError, GameError), match=message):
            convert_games(source, tmp_path / output)
        assert [path.name for path in tmp_path.iterdir()] == ["games.jsonl"]


@pytest.mark.parametrize("form", ["bom.jsonl", "list.json", "lines.jsonl.gz", "list.json.gz"])
def test_games_are_read_in_every_form_that_items_are(form, tmp_path):
    games = [GOOD, game("b", *GOOD["events"])]
    text = json.dumps(games) if "list" in form else "".join(f"{json.dumps(one)}\n" for one in games)
    content = text.encode("utf-8-sig" if "bom" in form else "utf-8")
    (tmp_path / form).write_bytes(gzip.compress(content) if form.endswith(".gz") else content)
    convert_games(tmp_path / form, tmp_path / "rows.jsonl")
    assert [row["game_id"] for row in read(tmp_path / "rows.jsonl")] == ["a", "b"]


def test_what_is_there_is_replaced_only_when_asked(tmp_path):
    source = written(tmp_path / "games.jsonl", GOOD)
    for output in ("rows.jsonl", "rows.parquet", "rows"):
        convert_games(source, tmp_path / output)
        with pytest.raises(ConversionError, match=r"pass --overwrite"):
            convert_games(source, tmp_path / output)
        convert_games(source, tmp_path / output, overwrite=True)
    with pytest.raises(ConversionError, match=r"games\.jsonl is the file of games"):
        convert_games(source, source, overwrite=True)
    (tmp_path / "rows" / "notes.txt").write_text("mine")
    with pytest.raises(ConversionError, match=r"rows holds notes\.txt, which --overwrite would delete"):
        convert_games(source, tmp_path / "rows", overwrite=True)
    for output, message in {"rows.csv": "name a file that ends in", "no/rows.jsonl": "there is no directory"}.items():
        with pytest.raises(ValueError, match=message):
            convert_games(source, tmp_path / output)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["games.jsonl", "rows", "rows.jsonl", "rows.parquet"]
