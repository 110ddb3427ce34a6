"""Trainings of a tiny language model, for what is made of their folders."""

import json
from pathlib import Path

from bap_v2_training import train_sft

TINY = {
    "vocab_size": 300, "hidden_size": 8, "intermediate_size": 16, "num_hidden_layers": 1, "num_attention_heads": 1,
    "num_key_value_heads": 1, "max_position_embeddings": 1024,
}  # fmt: skip
LORA = {"use_peft": True, "lora_r": 2, "lora_target_modules": "all-linear", "lora_dropout": 0.0}


def trained(folder: Path, data: Path, **settings: object) -> Path:
    """The folder of a training of one step on the items of a file."""
    settings = {
        "dataset_path": str(data), "max_prompt_tokens": 400, "max_length": 640, "max_steps": 1,
        "output_dir": str(folder), "save_strategy": "no", "report_to": "none", **settings,
    }  # fmt: skip
    file = data.with_name(f"{folder.name}.yaml")
    file.write_text(json.dumps(settings))  # JSON is YAML
    train_sft.main(*train_sft.parse_arguments(["--config", str(file), "--disable_tqdm", "true"]))
    return folder
