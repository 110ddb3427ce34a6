"""Damaged checkpoints are named, and a training is resumed from the newest that can be read."""

import shutil
from pathlib import Path

import pytest
from tiny_runs import arguments

from bap_v2_training import train_sft
from bap_v2_training.errors import UsageError
from bap_v2_training.learning.checkpoints import checkpoint_of, damage

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
    assert checkpoint_of(training) == str(copy / "checkpoint-1")
    assert f"checkpoint-2 is damaged, and is not used: {file} cannot be read" in capsys.readouterr().err
    training.resume_from_checkpoint = str(copy / "checkpoint-2")
    with pytest.raises(UsageError, match=f"checkpoint-2 is damaged: {file} cannot be read .* the newest that is not"):
        checkpoint_of(training)


def test_a_checkpoint_that_is_not_there_is_not_called_damaged(data, tiny, tmp_path):
    training = arguments(data, tiny, tmp_path / "run", "--resume_from_checkpoint", str(tmp_path / "checkpont-2"))[1]
    with pytest.raises(UsageError, match=r"there is no checkpoint .*checkpont-2"):
        checkpoint_of(training)


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
