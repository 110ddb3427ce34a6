"""Trainings that begin with the adapter of an earlier one."""

import json
import shutil
from pathlib import Path

import pytest
import torch
from tiny_runs import arguments

from bap_v2_training import train_grpo, train_sft
from bap_v2_training.decoding.language_model import tokenizer_and_config
from bap_v2_training.decoding.local import loaded_model
from bap_v2_training.decoding.trained_model import base_of
from bap_v2_training.errors import UsageError
from bap_v2_training.learning.grpo_settings import parse_arguments


@pytest.fixture(scope="module")
def adapter(data, tiny, tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("adapter") / "run"
    train_sft.main(*arguments(data, tiny, folder, "--max_steps", "2"))
    return folder


def logits(model: torch.nn.Module) -> torch.Tensor:
    with torch.no_grad():
        return model.eval()(torch.arange(3, 40)[None]).logits


def rewarded(data: Path, adapter: Path, output: Path, *changes: str):
    places = ["--dataset_path", str(data), "--model_name_or_path", str(adapter), "--output_dir", str(output)]
    quick = ["--per_device_train_batch_size", "2", "--num_generations", "2", "--max_completion_length", "4"]
    return parse_arguments(["--config", "grpo_smoke", *places, *quick, "--max_prompt_tokens", "480", *changes])


@pytest.mark.parametrize("use_peft", ["true", "false"])
@pytest.mark.parametrize("script", [train_sft, train_grpo])
def test_an_adapter_is_trained_further_or_merged(data, tiny, adapter, tmp_path, script, use_peft):
    make = rewarded if script is train_grpo else arguments
    trainer, _ = script.prepared(*make(data, adapter, tmp_path / "next", "--use_peft", use_peft))
    tokenizer, _ = tokenizer_and_config(str(adapter))
    learned = loaded_model(str(adapter), tokenizer, "float32", load_in_4bit=False)
    torch.testing.assert_close(logits(trainer.model), logits(learned), rtol=1e-4, atol=1e-4)
    trained = {name for name, weight in trainer.model.named_parameters() if weight.requires_grad}
    assert trained and (any("lora" in name for name in trained) is (use_peft == "true"))
    trainer.save_model(tmp_path / "saved")
    assert base_of(str(tmp_path / "saved")) == (str(tiny) if use_peft == "true" else None)


@pytest.mark.slow
def test_rewards_improve_an_adapter(data, tiny, adapter, tmp_path):
    run = train_grpo.main(*rewarded(data, adapter, tmp_path / "next", "--max_steps", "1", "--save_strategy", "no"))
    assert run["steps"] == 1 and run["model"] == str(adapter)
    assert base_of(str(tmp_path / "next")) == str(tiny)


def test_what_an_adapter_cannot_be_is_a_sentence(data, adapter, tmp_path):
    with pytest.raises(UsageError, match=r"lora_r is 4, but the adapter .* has 16.* leave lora_r out, or merge"):
        train_sft.prepared(*arguments(data, adapter, tmp_path / "next", "--lora_r", "4"))
    moved = tmp_path / "moved"
    shutil.copytree(adapter, moved)
    settings = json.loads((moved / "adapter_config.json").read_text())
    (moved / "adapter_config.json").write_text(json.dumps(settings | {"base_model_name_or_path": "/gone/base"}))
    with pytest.raises(
        UsageError, match=r"/gone/base, which adapter_config.json names .* if it was moved, put it back"
    ):
        train_sft.prepared(*arguments(data, moved, tmp_path / "next"))
    with pytest.raises(UsageError, match=r"/gone/base.* if it was moved, put it back"):
        tokenizer_and_config(str(moved))
