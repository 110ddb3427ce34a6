"""A further input of building is one entry: `n_s`, dialogue and structure, is shown, learned, answered and scored."""

import json

import datasets
import pytest
from in_process import command
from tiny_runs import options

from bap_v2_dataset.items.prompts import REPRESENTATIONS, Representation
from bap_v2_training import predict, train_sft


@pytest.fixture
def bap(monkeypatch, capsys, tmp_path):
    return command(monkeypatch, capsys, tmp_path / "home", tmp_path, 120)


@pytest.fixture
def n_s(monkeypatch) -> Representation:
    entry = Representation("n_s", "N+S", structure=True)
    monkeypatch.setitem(REPRESENTATIONS, entry.name, entry)
    return entry


def test_one_entry_is_shown_learned_answered_and_scored(n_s, bap, data, tiny, tmp_path, monkeypatch):
    monkeypatch.setenv("ACCELERATE_MIXED_PRECISION", "no")
    items, item = tmp_path / "items.jsonl", datasets.load_from_disk(data)["validation"][1]
    datasets.load_from_disk(data)["validation"].to_json(items)
    code, shown, _ = bap("show", item["id"], "--data", items, "--prompt", "n_s")
    lines = [*item["history"], *item["dialogue"], "Current built structure is:", *item["before"], "### AS:"]
    assert code == 0 and shown.splitlines()[1:] == lines

    run = tmp_path / "run"
    learn = options(data, tiny, run, "--representation", "n_s", "--max_steps", "2")
    train_sft.main(*train_sft.parse_arguments([*learn, "--dry-run", "true"]))
    train_sft.main(*train_sft.parse_arguments(learn))
    assert json.loads((run / "training_run.json").read_text())["representation"] == "n_s"

    answers = tmp_path / "answers.jsonl"
    predict.main(
        predict.parse_arguments(
            ["--model", str(run), "--dataset-path", str(items), "--max-new-tokens", "4", "--out", str(answers)]
        )
    )
    code, table, _ = bap("score", answers, "--data", items)
    assert code == 0 and "F1 in percent" in table
