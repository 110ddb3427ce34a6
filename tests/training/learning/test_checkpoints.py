"""Damaged checkpoints are named, and a training is resumed from the newest that can be read."""

import os
import pickle
import shutil
from pathlib import Path

import pytest
import torch
from tiny_runs import arguments

from bap_v2_dataset.failures import sentence_of
from bap_v2_training import train_grpo, train_gru, train_pointer, train_sft
from bap_v2_training.errors import UsageError
from bap_v2_training.learning.checkpoints import checkpoint_of, damage, last_whole_checkpoint, whole_checkpoints

FILES = ("optimizer.pt", "rng_state.pth", "scheduler.pt", "adapter_model.safetensors", "adapter_config.json")
SAVED = ("--save_strategy", "steps", "--save_steps", "1", "--save_total_limit", "9", "--max_steps")


@pytest.fixture(scope="module")
def run(data, tiny, tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("run") / "run"
    train_sft.main(*arguments(data, tiny, folder, *SAVED, "2"))
    return folder


def cut(content: bytes) -> bytes:
    return content[: len(content) // 2]


def zeros(content: bytes) -> bytes:
    return bytes(len(content))


def one_byte(content: bytes) -> bytes:
    middle = len(content) // 2
    return content[:middle] + bytes([content[middle] ^ 255]) + content[middle + 1 :]


@pytest.mark.parametrize(
    ("file", "change"), [*((file, change) for file in FILES for change in (cut, zeros)), ("optimizer.pt", one_byte)]
)
def test_a_damaged_checkpoint_is_named_and_the_one_before_is_used(run, data, tiny, tmp_path, capsys, file, change):
    copy = tmp_path / "run"
    shutil.copytree(run, copy)
    path = copy / "checkpoint-2" / file
    path.write_bytes(change(path.read_bytes()))
    _, training, _ = arguments(data, tiny, copy, "--resume_from_checkpoint", "auto")
    assert checkpoint_of(training, False) == str(copy / "checkpoint-1")
    assert f"checkpoint-2 is damaged, and is not used: {file} cannot be read" in capsys.readouterr().err
    training.resume_from_checkpoint = str(copy / "checkpoint-2")
    with pytest.raises(UsageError, match=f"checkpoint-2 is damaged: {file} cannot be read .* the newest that is not"):
        checkpoint_of(training, False)


def test_a_checkpoint_that_is_not_there_is_not_called_damaged(data, tiny, tmp_path):
    training = arguments(data, tiny, tmp_path / "run", "--resume_from_checkpoint", str(tmp_path / "checkpont-2"))[1]
    with pytest.raises(UsageError, match=r"there is no checkpoint .*checkpont-2"):
        checkpoint_of(training, False)


def test_files_that_are_missing_are_damage_too(run, tmp_path):
    assert damage(run / "checkpoint-2") == ""
    for name, told in (("optimizer.pt", "the state of the optimizer"), ("adapter_model.safetensors", "the weights")):
        shutil.copytree(run / "checkpoint-2", tmp_path / name)
        (tmp_path / name / name).unlink()
        assert damage(tmp_path / name).startswith(told)


def test_a_run_ends_although_its_newest_checkpoint_is_damaged(run, data, tiny, tmp_path):
    shutil.copytree(run, tmp_path / "run")
    path = tmp_path / "run" / "checkpoint-2" / "optimizer.pt"
    path.write_bytes(cut(path.read_bytes()))
    settings = arguments(data, tiny, tmp_path / "run", *SAVED, "3", "--resume_from_checkpoint", "true")
    record = train_sft.main(*settings)
    assert record["steps"] == 3 and record["resumed_from"] == str(tmp_path / "run" / "checkpoint-1")


class Code:
    """What runs when it is unpickled, if it is let."""

    def __reduce__(self):
        return os.system, ("true",)


@pytest.mark.parametrize("file", ["optimizer.pt", "scheduler.pt", "rng_state.pth", "scaler.pt", "pytorch_model.bin"])
def test_a_checkpoint_that_holds_code_is_named_and_not_used(run, data, tiny, tmp_path, file):
    shutil.copytree(run, tmp_path / "run")
    torch.save({"state": Code()}, tmp_path / "run" / "checkpoint-2" / file)
    (told,) = {damage(tmp_path / "run" / "checkpoint-2")}
    assert told == f"{file} cannot be read (it would run {os.system.__module__}.system, which torch refuses)"
    training = arguments(data, tiny, tmp_path / "run", "--resume_from_checkpoint", "auto")[1]
    assert checkpoint_of(training, False) == str(tmp_path / "run" / "checkpoint-1")
    with pytest.raises(pickle.UnpicklingError) as raised:  # as where weights are read to answer
        torch.load(tmp_path / "run" / "checkpoint-2" / file, weights_only=True)
    assert ".system, so it is not read" in sentence_of(raised.value)


def test_a_state_that_is_no_object_is_no_whole_checkpoint(run, tmp_path):
    shutil.copytree(run, tmp_path / "run")
    (tmp_path / "run" / "checkpoint-2" / "trainer_state.json").write_text("[]")
    assert last_whole_checkpoint(tmp_path / "run") == tmp_path / "run" / "checkpoint-1"


@pytest.mark.parametrize(
    ("trainer", "config"),
    [(train_sft, "smoke"), (train_grpo, "grpo_smoke"), (train_gru, "gru_smoke"), (train_pointer, "pointer_smoke")],
)
def test_no_trainer_begins_in_the_folder_of_another_training(trainer, config, tmp_path):
    checkpoint, record = tmp_path / "checkpoint-3", tmp_path / "training_run.json"
    words = ["--config", config, "--output_dir", str(tmp_path), "--resume_from_checkpoint"]
    checkpoint.mkdir()
    both = "--resume-from-checkpoint auto resumes it, --overwrite true replaces it, or choose another --output-dir"
    for state in ("was begun", "has ended"):
        with pytest.raises(UsageError, match=f"{tmp_path} holds a training that {state}: {both}"):
            trainer.main(*trainer.parse_arguments([*words, "null"]))
        record.write_text("{}")
    with pytest.raises(UsageError, match="a training that has ended: --overwrite true"):  # no checkpoint is whole
        trainer.main(*trainer.parse_arguments([*words, "auto"]))
    with pytest.raises(UsageError, match="set one of them"):
        trainer.main(*trainer.parse_arguments([*words, "auto", "--overwrite"]))
    assert sorted(tmp_path.iterdir()) == [checkpoint, record]


def test_a_training_is_replaced_with_its_checkpoints_when_that_is_asked_for(run, data, tiny, tmp_path):
    shutil.copytree(run, tmp_path / "run")
    record = train_sft.main(*arguments(data, tiny, tmp_path / "run", *SAVED, "1", "--overwrite"))
    assert record["steps"] == 1 and [*whole_checkpoints(tmp_path / "run")] == [1]
    assert "overwrite" not in record["arguments"]["bap"]
