"""Training with rewards: it helps, is recorded, resumes, and refuses what cannot be meant."""

import json
import shutil
from pathlib import Path

import pytest
from paths import ROOT
from safetensors.torch import load_file
from tiny_runs import arguments

from bap_v2_training import train_grpo, train_sft
from bap_v2_training.errors import UsageError
from bap_v2_training.learning.grpo_settings import parse_arguments

SMALL = str(ROOT / "training" / "configs" / "grpo_small.yaml")


@pytest.fixture(scope="module")
def learned(data, tiny, tmp_path_factory) -> Path:
    """A model that has half learned the 30 fabricated items."""
    folder = tmp_path_factory.mktemp("learned") / "model"
    changes = ("--use_peft", "false", "--num_train_epochs", "14", "--per_device_train_batch_size", "6")
    train_sft.main(*arguments(data, tiny, folder, *changes))
    return folder


def settings(data: Path, learned: Path, output_dir: Path, *changes: str):
    """A quick run with rewards."""
    places = ["--dataset_path", str(data), "--model_name_or_path", str(learned), "--output_dir", str(output_dir)]
    quick = ["--per_device_train_batch_size", "32", "--max_completion_length", "32", "--logging_steps", "1"]
    further = ["--disable_tqdm", "true", "--learning_rate", "3e-3", "--max_prompt_tokens", "480", "--save_steps", "2"]
    return parse_arguments(["--config", SMALL, *places, *quick, *further, *changes])


def weights_of(folder: Path) -> dict:
    return load_file(folder / "model.safetensors")


@pytest.mark.slow
def test_rewards_rise_and_a_stopped_run_ends_as_one_that_was_not(data, learned, tmp_path, capsys):
    run = train_grpo.main(*settings(data, learned, tmp_path / "whole", "--max_steps", "12", "--save_total_limit", "9"))
    rewards = [entry["reward"] for entry in run["log"] if "reward" in entry]
    assert len(rewards) == 12
    assert sum(rewards[-4:]) > sum(rewards[:4])
    assert {"rewards/fairer_f1/mean", "rewards/clean/mean", "rewards/ended/mean", "micro_fairer_f1"} <= set(
        run["log"][0]
    )
    assert run["rewards"] == {"fairer_f1": 1.0, "clean": 0.5, "ended": 0.5}
    assert json.loads((tmp_path / "whole" / "training_run.json").read_text())["representation"] == "n_posb_s"
    assert "saved in" in capsys.readouterr().out

    shutil.copytree(tmp_path / "whole" / "checkpoint-2", tmp_path / "parts" / "checkpoint-2")
    resumed = ("--max_steps", "4", "--resume_from_checkpoint", "auto")
    train_grpo.main(*settings(data, learned, tmp_path / "parts", *resumed))
    whole, parts = weights_of(tmp_path / "whole" / "checkpoint-4"), weights_of(tmp_path / "parts")
    assert all((whole[name] - parts[name]).abs().max() < 1e-6 for name in whole)

    with pytest.raises(UsageError, match="the rewards"):
        train_grpo.main(
            *settings(data, learned, tmp_path / "parts", "--rewards", "clean", "--resume_from_checkpoint", "auto")
        )


@pytest.mark.slow
def test_settings_that_cannot_be_meant_are_refused(data, learned, tmp_path):
    for changes, told in (
        (("--rewards", "f1"), "fairer_f1"),
        (("--representation", "n"), "has learned 'n_posb_s'"),
        (("--shots", "2"), "shots is not for"),
        (("--reward_weights", "1"), "weights stand in rewards"),
        (("--robust_families", "spl"), "train_sft.py"),
    ):
        with pytest.raises(UsageError, match=told):
            settings(data, learned, tmp_path / "no", *changes)
    with pytest.raises(UsageError, match="raise max_prompt_tokens"):
        train_grpo.main(*settings(data, learned, tmp_path / "no", "--max_prompt_tokens", "9"))
    with pytest.raises(UsageError, match="set model_name_or_path"):
        parse_arguments(["--dataset_config", "dsb", "--output_dir", str(tmp_path / "no")])
