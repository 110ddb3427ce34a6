"""`bap-v2 generate` of items of GSU."""

import json
from pathlib import Path

import datasets
import pytest
from gsu_items import gsu_rows
from in_process import command

from bap_v2_dataset.generation.single_items import write_items
from bap_v2_dataset.tasks.gsu.dataset import GSU_FEATURES
from bap_v2_dataset.tasks.gsu.rows import row_of
from bap_v2_dataset.tasks.gsu.shards import source
from bap_v2_simulators.gsu.configs import config_of

WALK = "gsu_follower_ego_2d"


def lines_of(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("config", [WALK, "gsu_structure"])
def test_rows_are_those_of_the_config_in_both_formats(config, tmp_path):
    expected = gsu_rows(config, 5, "validation", 7)
    for suffix in (".jsonl", ".parquet"):
        write_items(source(config, {}), tmp_path / f"a{suffix}", n_items=5, split="validation", seed=7)
    assert lines_of(tmp_path / "a.jsonl") == expected
    loaded = datasets.Dataset.from_parquet(str(tmp_path / "a.parquet"), cache_dir=str(tmp_path / "cache"))
    assert loaded.to_list() == expected and loaded.features == GSU_FEATURES
    settings = json.loads((tmp_path / "a.jsonl.settings.json").read_text())
    assert settings["items"] == 5 and settings["request"]["seed"] == 7 and settings["request"]["config"] == config
    assert not list(tmp_path.glob("*.unfinished")) and not list(tmp_path.glob("*.lock"))


def test_settings_change_the_items_and_are_recorded(tmp_path):
    write_items(source(WALK, {"most_steps": "8"}), tmp_path / "a.jsonl", n_items=40)
    rows = lines_of(tmp_path / "a.jsonl")
    assert {row["group"] for row in rows} == set("12345678")
    config = config_of(WALK, {"most_steps": "8"})
    assert rows == [json.loads(json.dumps(row_of(config, "train", index))) for index in range(40)]
    assert json.loads((tmp_path / "a.jsonl.settings.json").read_text())["request"]["settings"]["most_steps"] == 8


@pytest.fixture
def bap(tmp_path, monkeypatch, capsys):
    return command(monkeypatch, capsys, tmp_path / "home", tmp_path, width=200)


def test_the_command_writes_items_and_shows_settings(bap, tmp_path):
    code, out, err = bap("generate", WALK, "a.jsonl", "--items", 3, "--num-proc", 1, "--set", "most_steps=2")
    assert code == 0 and out.startswith("a.jsonl: 3 items in "), err
    assert len(lines_of(tmp_path / "a.jsonl")) == 3
    assert "most_steps=4" in bap("generate", WALK, "--settings")[1]


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        (
            [WALK, "a.jsonl", "--games", 3],
            f"--games is for games (dr, dsb, dss, dh), and {WALK} has none: leave it out",
        ),
        ([WALK, "a.jsonl", "--items", 3, "--engine", "datatrove"], "--engine is for games (dr, dsb, dss, dh)"),
        ([WALK, "a.jsonl", "--items", 3, "--logs"], "--logs is for games"),
        ([WALK, "a.jsonl"], "pass the number of items: --items, at least 1"),
        ([WALK, "--items", 3], "name the file to write"),
        ([WALK, "a.jsonl", "--items", 3, "--set", "steps=3"], "unknown setting 'steps'"),
        (["gsu", "a.jsonl", "--items", 3], "gsu joins other configs: generate the items of gsu_follower_ego_2d or"),
        (["gsu_structur", "a.jsonl", "--items", 3], "did you mean gsu_structure?"),
        (["mdc", "a.jsonl", "--items", 3], "unknown simulator 'mdc' (expected one of dr, dsb, dss, dh, gsu_"),
    ],
)
def test_the_command_says_what_cannot_be(line, complaint, bap, tmp_path):
    code, _, err = bap("generate", *line)
    assert code == 1 and complaint in err
    assert not (tmp_path / "a.jsonl").exists()
