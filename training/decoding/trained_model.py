"""What `train_sft.py` left in a model's folder: the record of the run, and what an adapter adapts."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bap_v2_dataset.predictions.model_records import NEW_MODEL, TRAINING_RUN, is_gguf
from bap_v2_training.errors import UsageError
from bap_v2_training.tasks.table import USUAL
from bap_v2_training.tasks.training_task import TEXT_SETTINGS

CHOSEN = "chosen_checkpoint"  # its place in the record of a run, if another model than the last one was kept


def training_run(model: str) -> dict:
    """Return the `training_run.json` of a model, or of the run that a checkpoint is of; empty if there is none."""
    folder = _run_folder(model)
    record = folder / TRAINING_RUN
    run = json.loads(record.read_text(encoding="utf-8")) if record.is_file() else {}
    if folder != Path(model) and CHOSEN in run:
        run["finished"] = run[CHOSEN]["training_finished"]  # what was chosen since is not of the checkpoint
    return run


def learned_texts(run: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return by task the text settings that a model has learned with, now or before it was trained further.

    Args:
        run: a `training_run.json`.
    """
    bap = run.get("arguments", {}).get("bap")
    if bap is None or run.get("representation") is None:
        return {}
    own = {name: bap.get(name) for name in (*TEXT_SETTINGS, "max_prompt_tokens")}
    return {**run.get("learned_before", {}), bap.get("task", USUAL.name): own}


def _run_folder(model: str) -> Path:
    """Return the folder of a model, or of the run that a checkpoint is of."""
    folder = Path(model)
    return folder.parent if is_checkpoint(model) and (folder.parent / TRAINING_RUN).is_file() else folder


def is_checkpoint(model: str) -> bool:
    """Return whether the folder of a model has the name of a checkpoint, `checkpoint-600`."""
    return re.fullmatch(r"checkpoint-\d+", Path(model).name) is not None


def base_of(model: str) -> str | None:
    """Return what the adapter `model` adapts; None if `model` is a whole model.

    Raises:
        UsageError: training started in this folder and did not end, so its parts may not belong together.
    """
    from peft import PeftConfig

    # A run that ended, and did not train a whole model
    folder, run = Path(model), training_run(model)
    own_base = _run_folder(model) / NEW_MODEL  # travels with the adapter, whose own path to it may be out of date
    if own_base.is_dir() and not run:
        raise UsageError(f"the training of {model} did not end: it has no {TRAINING_RUN}")
    if folder.is_dir() and not (folder / "adapter_config.json").is_file():
        return None
    if is_gguf(model):
        return None  # nothing is looked for on the Hub
    if run and not run["arguments"]["model"]["use_peft"]:
        return None  # the adapter is left from an earlier run
    # What it adapts: the model that its run made, a GGUF file, or what its config names
    if own_base.is_dir():
        return str(own_base)
    if run and is_gguf(named := run["arguments"]["model"]["model_name_or_path"]):
        return named  # the adapter names the folder that this became on the machine of the training
    try:
        return PeftConfig.from_pretrained(model).base_model_name_or_path
    except (ValueError, OSError):  # peft's way of saying that it found no adapter_config.json
        return None


def base_revision(model: str) -> str:
    """Return the revision of the base model that an adapter was trained with."""
    return training_run(model).get("arguments", {}).get("model", {}).get("model_revision") or "main"


def tokenizer_folder(model: str) -> str:
    """Return where the tokenizer of a model is: in its own folder, or in that of the model that it adapts."""
    folder = Path(model)
    own = any((folder / name).is_file() for name in ("tokenizer.json", "tokenizer_config.json", "tokenizer.model"))
    return model if own else base_of(model) or model
