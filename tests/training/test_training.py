"""The training loop: what a model is shown, what it is asked to write, and that it can learn it."""

import importlib
import json
import os
import re
import shutil
from pathlib import Path

import pytest
from paths import ROOT

pytest.importorskip("trl", reason="the training extra is not installed")
os.environ.setdefault("HF_HUB_OFFLINE", "1")  # before transformers is imported: nothing here needs the Hub

import torch
from datasets import DatasetDict, load_from_disk
from fabricated_items import TINY, fabricated_rows

import bap_v2_metric
from bap_v2_dataset.tasks.architect.prompts import REPRESENTATIONS as ARCHITECT_REPRESENTATIONS
from bap_v2_dataset.tasks.building.prompts import ALL_REPRESENTATIONS
from bap_v2_dataset.tasks.gsu.blocks import REPRESENTATIONS as GSU_REPRESENTATIONS
from bap_v2_metric.errors import UserError
from bap_v2_training import predict, train_sft
from bap_v2_training.decoding import language_model
from bap_v2_training.errors import UsageError
from bap_v2_training.learning.dataset_rows import load_rows

CONFIGS = sorted((ROOT / "training" / "configs").glob("*.yaml"))
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
    args = ["--model", str(run), "--output", str(output), "--max_new_tokens", "24", *changes]
    predict.main(predict.parse_arguments(args))
    lines = [json.loads(line) for line in output.read_text().splitlines()]
    assert len({line["id"] for line in lines}) == len(lines), "an item was answered twice"
    return {line["id"]: line for line in lines}


# What a model is asked to write


def test_the_loss_is_on_the_whole_completion_with_eos_and_on_nothing_else(data, tmp_path):
    trainer, counts = train_sft.prepared(*arguments(data, tmp_path))
    tokenizer = trainer.processing_class
    rows = load_from_disk(data)["train"]
    assert len(trainer.train_dataset) == len(rows) == counts["train"]["items"]
    for row, example in zip(rows, trainer.train_dataset):
        learned = [token for token in example["labels"] if token != -100]
        prompt = [token for token, label in zip(example["input_ids"], example["labels"]) if label == -100]
        assert tokenizer.decode(learned) == row["completion"] + tokenizer.eos_token
        assert tokenizer.decode(prompt) == tokenizer.bos_token + row["prompt_n_posb_s"]
        assert prompt == tokenizer(row["prompt_n_posb_s"])["input_ids"], "training and prediction tokenize differently"
    batch = trainer.data_collator([trainer.train_dataset[index] for index in (0, 4)])
    assert (batch["labels"][batch["attention_mask"] == 0] == -100).all(), "padding is learned"
    assert all(tokenizer.eos_token_id in labels for labels in batch["labels"].tolist())


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


def test_a_run_records_what_it_did(run, data):
    record = json.loads((run / "training_run.json").read_text())
    assert len(record["train"].pop("sha256")) == 64
    nothing_lost = {"too_long_left_out": 0, "shortened": 0, "history_lines_dropped": 0}
    assert record["train"] == {"split": "train", "items": 20, "sources": {"own": 20}, **nothing_lost}
    assert record["dataset"] == {"path": str(data)}
    assert record["metric_signature"] == bap_v2_metric.score([], [])["signature"]
    assert record["steps"] == 4 and record["final"]["loss"] > 0
    assert (run / "adapter_model.safetensors").is_file()


@pytest.mark.parametrize("use_peft", ["true", "false"])
def test_a_resumed_run_ends_where_an_unbroken_one_does(data, tmp_path, use_peft):
    changes = ["--max_steps", "4", "--save_strategy", "steps", "--save_steps", "2", "--use_peft", use_peft]
    unbroken = train_sft.main(*arguments(data, tmp_path, *changes))
    for path in tmp_path.glob("checkpoint-4/*"):
        path.unlink()
    (tmp_path / "checkpoint-4").rmdir()
    resumed = train_sft.main(*arguments(data, tmp_path, *changes, "--resume_from_checkpoint", "true"))
    assert resumed["final"]["loss"] == pytest.approx(unbroken["final"]["loss"], abs=1e-6)
    assert len(predicted(tmp_path, tmp_path / "test.jsonl", "--split", "test")) == 10


def test_batch_size_does_not_change_answers(run, tmp_path):
    one = predicted(run, tmp_path / "one.jsonl", "--batch_size", "1")
    eight = predicted(run, tmp_path / "eight.jsonl", "--batch_size", "8")
    assert one == eight and len(one) == 10


def test_predictions_are_resumed_after_a_kill(run, tmp_path, capsys):
    output = tmp_path / "test.jsonl"
    complete = predicted(run, output, "--batch_size", "1")
    content = output.read_bytes()
    output.write_bytes(content[: content.index(b"\n", len(content) // 2) + 9])  # half the lines, and a bit of one
    assert predicted(run, output, "--batch_size", "1") == complete
    assert "10 of 10 items to answer" not in capsys.readouterr().out.splitlines()[-2]
    assert output.read_bytes() == content


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


def test_an_interrupt_leaves_a_file_that_can_be_resumed(run, tmp_path, monkeypatch):
    answers, calls = language_model.answers, []

    def interrupted(*args):
        calls.append(args)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return answers(*args)

    output = tmp_path / "test.jsonl"
    monkeypatch.setattr(language_model, "answers", interrupted)
    with pytest.raises(KeyboardInterrupt):
        predicted(run, output, "--batch_size", "2")
    assert output.read_text().count("\n") == 4
    assert len(predicted(run, output, "--batch_size", "2")) == 10


# The other is of predict.py, and names a model of the Hub: decoding/test_found_model.py.
@pytest.mark.parametrize(
    "config", [path for path in CONFIGS if path.stem != "llama_crafts_published"], ids=lambda path: path.stem
)
def test_every_config_is_understood(config):
    script = re.search(r"training/(train_\w+)\.py", config.read_text())[1]  # in the command at its head
    bap, training, *_ = importlib.import_module(f"bap_v2_training.{script}").parse_arguments(["--config", str(config)])
    assert training.output_dir == f"runs/{config.stem}"
    representations = {"bap": ALL_REPRESENTATIONS, "gsu": GSU_REPRESENTATIONS, "chat": ("chat",),
                       "architect": ARCHITECT_REPRESENTATIONS}  # fmt: skip
    assert script != "train_sft" or bap.representation in representations[bap.task]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (["--learning_rat", "1"], "learning_rat"),
        (["--representation", "n_s"], "unknown representation 'n_s' .*n_posb_s"),
        (["--dataset_path", "nowhere"], "there is no nowhere: expected a file .*folder .*Hub"),
        (["--train_split", "training"], "no split 'training' .*train, test"),
        (["--max_length", "20"], "no item fits"),
        (["--resume_from_checkpoint", "true"], "no checkpoint to resume from"),
        (["--model_name_or_path", "somewhere"], "either model_name_or_path or new_model"),
        (["--load_in_4bit", "true", "--dtype", "auto"], "bfloat16"),
    ],
)
def test_wrong_settings_are_errors_that_name_the_fix(data, tmp_path, changes, message):
    with pytest.raises(UsageError, match=message):
        train_sft.main(*arguments(data, tmp_path, *changes))


def test_a_missing_config_file_is_an_error_that_lists_the_configs():
    with pytest.raises(UsageError, match=r"no config file nowhere.yaml .*smoke\.yaml"):
        train_sft.parse_arguments(["--config", "nowhere.yaml"])


@pytest.mark.parametrize("script", [train_sft, predict], ids=["train_sft", "predict"])
def test_help_lists_all_settings(script, capsys):
    with pytest.raises(SystemExit) as stop:
        script.parse_arguments(["--help"])
    assert stop.value.code == 0 and "--representation" in capsys.readouterr().out


# The sanity check


def memorized_f1(data: Path, output_dir: Path, batch_size: int) -> float:
    """Fairer F1 on the 20 items that memorise.yaml learns by heart: train, generate, parse, execute, score."""
    run = train_sft.main(*train_sft.parse_arguments([
        *("--config", MEMORISE, "--dataset_path", str(data), "--output_dir", str(output_dir), "--disable_tqdm", "true")
    ]))  # fmt: skip
    assert run["train"]["items"] == 20
    output = predict.main(predict.parse_arguments([
        *("--model", str(output_dir), "--output", str(output_dir / "train.jsonl"), "--split", "train"),
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
