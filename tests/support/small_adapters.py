"""Tiny language models with an adapter, as train_sft.py leaves them, and items that they answer."""

import json
import shutil
from pathlib import Path

import torch
from peft import LoraConfig, get_peft_model
from safetensors.torch import load_file, save_file
from small_test_sets import SPLITS
from transformers import AutoModelForCausalLM, AutoTokenizer

from bap_v2_training import predict
from bap_v2_training.models.new_llama import save_new_llama

ROWS = SPLITS["dss", "test"]
TINY = {
    "vocab_size": 300, "hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2,
    "num_key_value_heads": 2, "max_position_embeddings": 2048, "initializer_range": 0.2,
}  # fmt: skip


def save_items(path: Path) -> Path:
    """The items, with all that a prompt is made of, as JSON lines."""
    path.write_text("".join(f"{json.dumps(row)}\n" for row in ROWS))
    return path


def save_base(folder: Path) -> Path:
    """A Llama with random weights, which answers each item with something else."""
    save_new_llama(folder, [text for row in ROWS for text in (row["prompt_n_posb_s"], row["completion"])], TINY, seed=1)
    return folder


def save_adapter(folder: Path, base: Path, tokenizer: bool = True) -> Path:
    """An adapter that changes the answers of a base model; without the tokenizer, as some publish theirs."""
    torch.manual_seed(0)
    model = AutoModelForCausalLM.from_pretrained(base, dtype="float32")
    lora = LoraConfig(r=4, target_modules=["q_proj", "v_proj"], init_lora_weights=False, task_type="CAUSAL_LM")
    get_peft_model(model, lora).save_pretrained(folder)
    if tokenizer:
        AutoTokenizer.from_pretrained(base).save_pretrained(folder)
    return folder


def save_record(folder: Path, base: Path, max_prompt_tokens: int = 300, new_model: dict | None = None) -> None:
    """What train_sft.py would note of an adapter of this base that it trained in 4 bits."""
    model = {"use_peft": True, "load_in_4bit": True, "model_name_or_path": str(base)}
    bap = {
        "representation": "n",
        "max_prompt_tokens": max_prompt_tokens,
        "dataset_config": "dss",
        "new_model": new_model,
    }
    record = {
        "finished": "2026-11-22", "representation": "n", "prompt_version": "1", "seed": 20,
        "model": str(base), "arguments": {"bap": bap | {"new_model": new_model}, "model": model, "training": {}},
    }  # fmt: skip
    (folder / "training_run.json").write_text(json.dumps(record))


def new_adapter(folder: Path) -> Path:
    """A run that made its base model, with random weights, and trained an adapter of it in 4 bits."""
    save_adapter(folder, save_base(folder / "new_model"))
    save_record(folder, folder / "new_model", new_model=TINY)
    return folder


def answers(model: Path | str, data: Path, output: Path, *options: str) -> list[dict]:
    """The lines that predict.py writes, of short answers."""
    command = ["--model", str(model), "--data", str(data), "--out", str(output), "--max_new_tokens", "24", *options]
    predict.main(predict.parse_arguments(command))
    return [json.loads(line) for line in output.read_text().splitlines()]


def with_modules_to_save(adapter: Path, folder: Path) -> Path:
    """The same adapter with an output layer of its own beside LoRA."""
    shutil.copytree(adapter, folder)
    settings = json.loads((folder / "adapter_config.json").read_text())
    settings["modules_to_save"] = ["lm_head"]
    (folder / "adapter_config.json").write_text(json.dumps(settings))
    weights = load_file(folder / "adapter_model.safetensors")
    head = AutoModelForCausalLM.from_pretrained(folder / "new_model").lm_head.weight
    weights["base_model.model.lm_head.weight"] = head.flip(0).clone().contiguous()
    save_file(weights, folder / "adapter_model.safetensors")
    return folder
