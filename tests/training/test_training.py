"""The training loop: what a model is shown, what it is asked to write, and that it can learn it."""

import json
import os
import shutil
from pathlib import Path

import pytest
import torch
from answer_lines import lines_by_id
from datasets import DatasetDict
from fabricated_items import TINY, fabricated_rows
from paths import ROOT

import bap_v2_metric
from bap_v2_metric.errors import UserError
from bap_v2_training import predict, train_sft
from bap_v2_training.errors import UsageError
from bap_v2_training.learning.dataset_rows import load_rows

MEMORISE = str(ROOT / "training" / "configs" / "memorise.yaml")

torch.set_num_threads(1)  # models this small lose more by waiting for a second thread than they gain


@pytest.fixture(scope="module")
def data(tmp_path_factory) -> Path:
    """A folder with 20 fabricated items to learn and 10 others, as users would bring their own."""
    folder = tmp_path_factory.mktemp("data") / "items"
    DatasetDict(train=fabricated_rows(4), test=fabricated_rows(2, seed="other")).save_to_disk(folder)
    return folder


def arguments(data: Path, output_dir: Path, *changes: str):
    """The settings of memorise.yaml on own data, with the smallest model and `changes` to the command line."""
    return train_sft.parse_arguments([
        *("--config", MEMORISE, "--dataset_path", str(data), "--output_dir", str(output_dir)),
        *("--new_model", json.dumps(TINY), "--max_prompt_tokens", "480"),
        *("--disable_tqdm", "true", "--logging_steps", "1"),
        *changes,
    ])  # fmt: skip


@pytest.fixture(scope="module")
def run(data, tmp_path_factory) -> Path:
    """A tiny model with an adapter after a few steps: it answers nonsense, but always the same."""
    folder = tmp_path_factory.mktemp("runs") / "tiny"
    train_sft.main(*arguments(data, folder, "--max_steps", "4"))
    return folder


def predicted(run: Path, output: Path, *changes: str) -> dict[str, dict]:
    """The lines that predict.py writes for the ten test items, by id."""
    args = ["--model", str(run), "--out", str(output), "--max_new_tokens", "24", *changes]
    predict.main(predict.parse_arguments(args))
    return lines_by_id(output)


# What a model is asked to write


def test_examples_that_are_too_long_lose_history_but_not_the_answer(data, tmp_path):
    longest = 200
    trainer, counts = train_sft.prepared(*arguments(data, tmp_path, "--max_length", str(longest)))
    counts = counts["train"]
    assert counts["shortened"] > 0
    assert counts["items"] + counts["too_long_left_out"] == 20
    assert len(trainer.train_dataset) == counts["items"], "TRL dropped examples that had lost their answer"
    for example in trainer.train_dataset:
        text = trainer.processing_class.decode(example["input_ids"])
        assert len(example["input_ids"]) <= longest
        assert text.endswith(trainer.processing_class.eos_token) and "\n### AS:\n" in text


# The scripts


@pytest.mark.slow
def test_a_run_records_what_it_did(run, data):
    record = json.loads((run / "training_run.json").read_text())
    assert len(record["train"].pop("sha256")) == 64
    nothing_lost = {"too_long_left_out": 0, "shortened": 0, "history_lines_dropped": 0}
    assert record["train"] == {"split": "train", "items": 20, "sources": {"own": 20}, **nothing_lost}
    assert record["dataset"] == {"path": str(data)}
    assert record["metric_signature"] == bap_v2_metric.score([], [])["signature"]
    assert record["steps"] == 4 and record["final"]["loss"] > 0
    assert (run / "adapter_model.safetensors").is_file()


def test_predictions_made_with_other_settings_are_not_resumed(run, tmp_path):
    output = tmp_path / "test.jsonl"
    predicted(run, output, "--max_items", "2")
    with pytest.raises(UserError, match="max_items was 2, now 3"):
        predicted(run, output, "--max_items", "3")
    assert len(predicted(run, output, "--max_items", "3", "--overwrite", "true")) == 3
    (tmp_path / "test.jsonl.settings.json").unlink()
    with pytest.raises(UserError, match="how it was made"):
        predicted(run, output, "--max_items", "3")


def test_a_model_whose_training_did_not_end_gives_no_predictions(run, data, tmp_path):
    shutil.copytree(run, tmp_path / "run")
    (tmp_path / "run" / "training_run.json").unlink()
    with pytest.raises(UsageError, match="did not end"):
        predicted(tmp_path / "run", tmp_path / "test.jsonl", "--representation", "n", "--dataset_path", str(data))


def test_a_moved_model_answers_as_before(run, tmp_path):
    shutil.copytree(run, tmp_path / "elsewhere")
    config = tmp_path / "elsewhere" / "adapter_config.json"
    config.write_text(config.read_text().replace(str(run), "/gone"))
    assert predicted(tmp_path / "elsewhere", tmp_path / "a.jsonl") == predicted(run, tmp_path / "b.jsonl")


# The sanity check


def memorized_f1(data: Path, output_dir: Path, batch_size: int) -> float:
    """Fairer F1 on the 20 items that memorise.yaml learns by heart: train, generate, parse, execute, score."""
    run = train_sft.main(*train_sft.parse_arguments([
        *("--config", MEMORISE, "--dataset_path", str(data), "--output_dir", str(output_dir), "--disable_tqdm", "true")
    ]))  # fmt: skip
    assert run["train"]["items"] == 20
    output = predict.main(predict.parse_arguments([
        *("--model", str(output_dir), "--out", str(output_dir / "train.jsonl"), "--split", "train"),
        *("--max_items", "20", "--max_new_tokens", "400", "--batch_size", str(batch_size)),
    ]))  # fmt: skip
    lines = [json.loads(line) for line in output.read_text().splitlines()]
    # A model that never stops could score as well: repeated placements are infeasible and change nothing.
    assert sum(line["finished"] for line in lines) >= 19
    answers = {line["id"]: line["prediction"] for line in lines}
    rows = load_rows(None, "train", str(data), max_items=20)
    references = [{name: row[name] for name in ("before", "after", "interpretations")} for row in rows]
    return bap_v2_metric.score([answers[name] for name in rows["id"]], references)["fairer_f1"]


@pytest.mark.slow
def test_a_tiny_model_learns_items_by_heart(data, tmp_path, request):
    # Of the human corpus if it is there, else fabricated ones.
    if os.environ.get("BAP_V2_MDC"):
        data = tmp_path / "mdc"
        request.getfixturevalue("mdc_rows").save_to_disk(data)
    assert memorized_f1(data, tmp_path / "run", batch_size=8) > 0.95
