"""Own data where they are used: `bap-v2 score`, `report` and `show` with --data, and what files of predictions say."""

import json
import os
import subprocess
import sys
from pathlib import Path

import datasets
import orjson
import pytest
import toy_task
from hub_stand_in import TOKEN, HubStandIn
from in_process import command

from bap_v2_dataset.interface import table
from bap_v2_dataset.loading.own_data import read_data

ITEMS = [
    {"id": "kitchen/0", "before": [], "after": ["red 0 1 0"], "dialogue": ["<Architect> a red one"]},
    {"id": "kitchen/1", "before": ["red 0 1 0"], "after": ["red 0 1 0", "blue 1 1 0"],
     "dialogue": ["<Architect> blue to its right"], "history": ["<Architect> a red one", "place red 0 1 0"],
     "metadata": {"plan": "odd", "annotation": "odd", "dialogue_acts": [["odd"]]}},
    {"id": "attic", "before": [], "after": ["green 2 1 2"], "interpretations": "multiple"},
]  # fmt: skip
ANSWERS = {"kitchen/0": "place red 0 1 0", "kitchen/1": "place blue 2 1 0", "attic": "place green 0 1 0"}


@pytest.fixture
def bap(tmp_path, monkeypatch, capsys):
    return command(monkeypatch, capsys, tmp_path / "home", tmp_path, width=140)


@pytest.fixture
def own(tmp_path) -> Path:
    """own.jsonl, and answers.jsonl to its items."""
    (tmp_path / "own.jsonl").write_text("".join(f"{json.dumps(item)}\n" for item in ITEMS))
    return answers(tmp_path / "answers.jsonl")


def answers(path: Path, texts: dict[str, str] = ANSWERS, **settings: object) -> Path:
    path.write_text("".join(json.dumps({"id": key, "prediction": text}) + "\n" for key, text in texts.items()))
    if settings:
        path.with_name(f"{path.name}.settings.json").write_text(json.dumps(settings))
    return path


def f1(path: Path) -> dict[str, float]:
    return {
        system["name"]: round(system["scores"]["fairer_f1"], 3) for system in orjson.loads(path.read_bytes())["systems"]
    }


def test_own_items_are_scored_and_named_as_what_they_are(bap, own, tmp_path):
    code, out, err = bap("score", own, "--data", "own.jsonl", "--baseline", "replay", "--out", "scores.json")
    assert (code, err) == (0, "") and out.startswith("own, test: answers, replay")
    assert "labels: none (own data): every item counts, with the interpretations that it names" in out
    assert f1(tmp_path / "scores.json") == {"answers": round(2 / 3, 3), "replay": 1.0}
    settings = orjson.loads((tmp_path / "scores.json").read_bytes())["settings"]
    assert (settings["config"], settings["data"], settings["split"], settings["items"]) == (
        "own",
        "own.jsonl",
        "test",
        3,
    )
    for split in ("train", "whatever"):  # one file is whatever it is asked for as
        assert bap("score", own, "--data", "own.jsonl", "--split", split)[0] == 0


def test_own_items_and_a_config_are_not_asked_for_at_once(bap, own):
    code, _, err = bap("score", own, "--data", "own.jsonl", "--config", "dss")
    assert code == 1 and "--data own.jsonl and --config dss are mutually exclusive" in err


@pytest.mark.slow
@pytest.mark.parametrize("name", ["dss", "mdc_v2"])
def test_own_items_in_a_file_named_as_a_config_are_not_compared_with_the_paper(name, bap, own, tmp_path):
    (tmp_path / "own.jsonl").rename(tmp_path / f"{name}.jsonl")
    code, out, _ = bap("report", own, "--data", f"{name}.jsonl", "--baseline", "stack", "--out", "report")
    assert code == 0 and f"All measures on {name}.jsonl" in out
    assert "paper" not in out and "Table" not in out and "Llama-CRAFTS" not in out
    files = {str(path.relative_to(tmp_path / "report")) for path in (tmp_path / "report").rglob("*.json")}
    assert files == {"report.json", f"scores/answers/{name}.jsonl-test.json", f"scores/stack/{name}.jsonl-test.json"}
    record = orjson.loads((tmp_path / "report" / "report.json").read_bytes())
    assert [test["data"] for test in record["tests"]] == [f"{name}.jsonl"]
    assert {part["dimension"] for part in record["tests"][0]["errors"]} == {"board", "history"}


def test_the_items_that_a_file_was_made_for_are_found_by_its_settings(bap, own, tmp_path):
    answers(own, dataset_path="own.jsonl", dataset_config=None, split="test", model="runs/x")
    code, out, err = bap("score", own, "--resamples", "0")
    assert code == 0 and out.startswith("own, test: x/answers")
    assert "All measures on own" in bap("report", own, "--resamples", "0")[1]
    assert "x/answers" in bap("show", "kitchen/1", "--predictions", own)[1]
    code, _, err = bap("score", own, "--config", "dss")
    assert code == 1 and "was made for own data (own.jsonl), not for a config: pass them with --data" in err
    (tmp_path / "own.jsonl").rename(tmp_path / "moved.jsonl")
    code, _, err = bap("score", own)
    assert code == 1 and "own.jsonl, and they are not there: say with --data where they are" in err
    assert bap("score", own, "--data", "moved.jsonl", "--resamples", "0")[1].startswith("moved, test: x/answers")


def test_the_split_is_the_one_that_is_answered(bap, own, tmp_path):
    rows = read_data(str(tmp_path / "own.jsonl")).splits["test"]
    datasets.DatasetDict(a=rows.select([2]), b=rows.select([0, 1])).save_to_disk(str(tmp_path / "both"))
    kitchen = answers(tmp_path / "kitchen.jsonl", {key: text for key, text in ANSWERS.items() if "/" in key})
    attic = answers(tmp_path / "attic.jsonl", {"attic": ANSWERS["attic"]})
    assert bap("score", kitchen, "--data", "both", "--resamples", "0")[1].startswith("both, b: kitchen")
    assert bap("score", attic, "--data", "both", "--resamples", "0")[1].startswith("both, a: attic")
    code, _, err = bap("score", attic, "--data", "both", "--split", "b")
    assert code == 1 and "none of the 1 id of" in err
    assert "several splits: pass --split with one of a, b" in bap("score", "--baseline", "stack", "--data", "both")[2]
    out = bap("report", f"mine={kitchen}", f"mine={attic}", "--data", "both", "--resamples", "0")[1]
    assert "All measures on both a" in out and "All measures on both b" in out


def test_two_systems_made_for_different_data_are_not_scored_together(bap, own, tmp_path):
    (tmp_path / "more.jsonl").write_text((tmp_path / "own.jsonl").read_text())
    one = answers(tmp_path / "one.jsonl", dataset_path="own.jsonl")
    two = answers(tmp_path / "two.jsonl", dataset_path="more.jsonl")
    code, _, err = bap("score", one, two)
    assert (
        code == 1 and "the files were made for own.jsonl and more.jsonl: score them separately, or pass --data" in err
    )
    out = bap("report", one, two, "--resamples", "0")[1]
    assert "All measures on own" in out and "All measures on more" in out
    assert bap("score", one, two, "--data", "own.jsonl", "--resamples", "0")[0] == 0


def test_an_own_item_is_shown_with_what_is_known_of_it(bap, own, tmp_path):
    code, out, err = bap("show", "kitchen/1", "--data", "own.jsonl", "--predictions", own, "--baseline", "stack")
    assert code == 0 and out.startswith("kitchen/1 own, test") and "<Architect> blue to its right" in out
    assert "answers" in out and "stack" in out and "the pose is not known: the Builder is drawn at" in out
    assert bap("show", "kitchen/0", "--data", "own.jsonl", "--split", "any")[0] == 0
    code, _, err = bap("show", "kitchen/7", "--data", "own.jsonl")
    assert code == 1 and "there is no item kitchen/7 in own; it has e.g. kitchen/1, kitchen/0" in err
    assert bap("show", "--game", "kitchen", "--data", "own.jsonl")[0] == 2


def test_other_tasks_know_their_own_items_by_their_columns(monkeypatch):
    class Words(toy_task.Spelling):
        own_columns = ("word",)

    words = Words()
    monkeypatch.setitem(table.TASKS, "spelling", words)
    assert table.task_of_columns(["word", "id"]) is words
    assert table.task_of_columns(["id", "before", "after"]) is table.TASKS["bap"]
    assert table.task_of_columns(["id", "after"]) is None


PUSH = """
import datasets, sys
rows = datasets.Dataset.from_json(sys.argv[1])
rows.select([0, 1]).push_to_hub("tester/own", "kitchen", split="test")
rows.select([2]).push_to_hub("tester/own", "attic", split="validation")
rows.push_to_hub("tester/one", split="test")
"""


@pytest.mark.slow
def test_own_data_on_the_hub_are_scored_and_found_again_offline(own, tmp_path):
    inherited = {name: text for name, text in os.environ.items() if not name.startswith("HF_") and "proxy" not in name}
    with HubStandIn() as hub:
        env = inherited | {
            "HF_HOME": str(tmp_path / "home"), "HF_ENDPOINT": hub.url, "HF_TOKEN": TOKEN, "HF_HUB_DISABLE_XET": "1",
            "NO_PROXY": "127.0.0.1", "COLUMNS": "400",
        }  # fmt: skip
        subprocess.run([sys.executable, "-c", PUSH, "own.jsonl"], cwd=tmp_path, env=env, check=True)

        def score(source: str, **variables: str) -> subprocess.CompletedProcess:
            words = ["score", "--baseline", "replay", "--resamples", "0", "--out", "scores.json", "--data", source]
            command = [sys.executable, "-m", "bap_v2_dataset.cli", *words]
            return subprocess.run(command, cwd=tmp_path, env=env | variables, capture_output=True, text=True)

        one = score("tester/one")
        assert one.returncode == 0, one.stderr
        assert one.stdout.startswith("tester/one, test: replay")
        assert orjson.loads((tmp_path / "scores.json").read_bytes())["settings"]["data"] == "tester/one"
        assert score("tester/own:attic").stdout.startswith("tester/own:attic, validation: replay")
        for source, message in {
            "tester/own": "tester/own has several configs (attic, kitchen): name one, e.g. tester/own:attic",
            "tester/own:cellar": "tester/own has no config 'cellar' (it has",
            "tester/none": "tester/none is neither here nor a dataset on the Hub that can be read (",
        }.items():
            failed = score(source)
            assert failed.returncode == 1 and "Traceback" not in failed.stderr
            assert message in failed.stderr
    offline = score("tester/own:attic", HF_HUB_OFFLINE="1")
    assert offline.stdout.startswith("tester/own:attic, validation: replay"), offline.stderr
