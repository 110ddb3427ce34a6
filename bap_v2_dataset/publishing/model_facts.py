"""What a model card says: what a training recorded, and the scores of `bap-v2 score --out`.

facts_of_run("USER/builder", "runs/smoke", ["scores.json"])
"""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import orjson

from bap_v2_dataset.interface.table import TASKS, item_configs
from bap_v2_dataset.interface.task import Task
from bap_v2_dataset.predictions.builder_kinds import BUILDER_KINDS
from bap_v2_dataset.predictions.model_records import (
    MODELS_OF_PACKAGES,
    TRAINING_RUN,
    configs_of_sources,
    items_learned,
    learned_of_larger_model,
)
from bap_v2_dataset.publishing.facts import ModelFacts, SplitResult
from bap_v2_dataset.publishing.template import CardError
from bap_v2_dataset.sentences import listed

# What a card repeats of the settings of training/train_sft.py.
_ITEMS = (
    "dataset_config", "mix", "learned_answers", "curriculum", "train_split", "max_train_items", "history_lines",
    "max_prompt_tokens", "new_model", "frozen_layers", "shots", "reasoning", "tokenizer_pieces", "tokenizer_configs",
)  # fmt: skip
_MODEL = ("use_peft", "load_in_4bit", "dtype", "model_revision")
_QUANTIZED = ("adapter_dtype", "frozen_dtype")
_LORA = ("lora_r", "lora_alpha", "lora_dropout", "lora_target_modules", "lora_modules_to_save")
_FOUR_BIT = ("bnb_4bit_quant_type", "use_bnb_nested_quant")
_TRAINING = (
    "num_train_epochs", "per_device_train_batch_size", "gradient_accumulation_steps", "learning_rate",
    "lr_scheduler_type", "warmup_steps", "weight_decay", "adam_beta2", "max_grad_norm", "optim", "max_length",
    "packing", "train_sampling_strategy", "bf16", "fp16",
)  # fmt: skip
_OF_BUILDERS = (
    "data_seed", "eval_strategy", "eval_steps", "save_strategy", "save_steps", "load_best_model_at_end",
    "metric_for_best_model",
)  # fmt: skip
_OF_THIS_RUN = ("representation", "dry_run")  # settings that say nothing of a Builder that is not a language model


def training_task(facts: ModelFacts) -> Task:
    """Return the task that was learned last. Raises: CardError for one that there is not."""
    names = {task.learned_as or task.name: task for task in TASKS.values()}
    if facts.task not in names:
        raise CardError(f"task={facts.task!r}: expected one of {', '.join(names)}")
    return names[facts.task]


def facts_of_run(repo_id: str, folder: "str | Path", scores: Iterable["str | Path"] = (), **more: Any) -> ModelFacts:
    """Read the facts of a model that a script of `training` made: train_sft.py, train_gru.py or train_pointer.py.

    Args:
        repo_id: "USER/builder".
        folder: what it wrote, with `training_run.json`.
        scores: files of `bap-v2 score --out`, one for each test set; the first system of each is the model.
        more: other fields of ModelFacts; they take the place of what was recorded.
    Raises:
        CardError: a file that is missing or is not what it should be.
    """
    # The record of the training, of a language model or another Builder.
    path = Path(folder) / TRAINING_RUN
    run = _read(path, "a script of training")
    try:
        recorded: dict[str, Any] = {
            **(_of_builder(run) if run.get("model_type") in BUILDER_KINDS else _of_language_model(run)),
            "data": _learned(run),
            "results": [split_result(Path(file)) for file in scores],
            "seed": run["seed"],
            "versions": run["versions"],
            "data_version": run.get("dataset_version"),
            "seconds": run["seconds"],
            "steps": run.get("steps"),
            "resumed": run.get("resumed_from") is not None,
            "hardware": _hardware(run),
        }
        recorded["chosen"] = " ".join(filter(None, [recorded["chosen"], _larger_model(run)]))
    except (KeyError, TypeError, AttributeError) as error:
        raise CardError(f"{path} is not a record of training: {error!r}") from None
    # What the caller knows better takes the place of what was recorded.
    return ModelFacts(repo_id=repo_id, **{**recorded, **more})


def _of_language_model(run: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "task": run["arguments"]["bap"].get("task", ModelFacts.task),
        "kind": "adapter" if run["arguments"]["model"]["use_peft"] and not run.get("merged_from") else "full",
        "base_model": None if run["arguments"]["bap"].get("new_model") else run["model"],
        "representation": run["representation"],
        "hyperparameters": _settings(run["arguments"]),
        "prompt_version": run["prompt_version"],
        "chosen": _chosen(run),
    }


def _chosen(run: Mapping[str, Any]) -> str:
    """Return a sentence on the checkpoint that was chosen after the training; "" if none was."""
    chosen = run.get("chosen_checkpoint")
    if chosen is None:
        return ""
    items, steps = chosen["items"], chosen["checkpoint"].rpartition("-")[2]
    return f"The checkpoint after {int(steps):,} steps was chosen by its answers to items of `{items['split']}`."


def _larger_model(run: Mapping[str, Any]) -> str:
    """Return sentences on what was learned of a larger model; "" if nothing was."""
    if not (learned := learned_of_larger_model(run)):
        return ""
    answers = (run.get("train") or {}).get("answers") or {}
    parts = {
        "reading": "a reading is in the place of what was built",
        "synthetic": "an instruction is the larger model's",
    }
    shares = []
    for kind, part in parts.items():
        if of := [f"{100 * one[kind]:.0f}% of `{name}`" for name, one in answers.items() if one.get(kind)]:
            shares.append(f"{part} in {listed(of)}")
    last = f" In this training {listed(shares)}." if shares else ""
    return f"**It learned from a larger language model** (Claude family): {learned}.{last}"


def _of_builder(run: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "kind": run["model_type"],
        "base_model": _base_of_members(run.get("base_models") or []),
        "representation": None,
        "hyperparameters": _builder_settings(run["arguments"]),
        "parameters": run["trained_parameters"],
        "readers": _readers(run.get("features") or {}),
        "language_models": run.get("language_models") or [],
        "chosen": _fit(run),
    }


def _base_of_members(models: list[str]) -> str | None:
    """Return what language models among the members were fine-tuned from. Raises: CardError: several models."""
    names = [MODELS_OF_PACKAGES[name].hub if name in MODELS_OF_PACKAGES else name for name in models]
    if len(named := dict.fromkeys(names)) > 1:
        raise CardError(f"members were fine-tuned from {' and '.join(named)}, and a card names one base model")
    return models[0] if models else None


def _fit(run: Mapping[str, Any]) -> str:
    """Return a sentence on the items that the weights of an ensemble were learned from; "" for others."""
    fit = run.get("fit") or {}
    sets = ", ".join(f"{number:,} of `{re.sub(r':[0-9]+$', '', config)}`" for config, number in fit.items())
    return f"The weights of the members were learned from validation items: {sets}." if fit else ""


def _readers(features: Mapping[str, Any]) -> list[str]:
    """Return the language models that read for it, or for members of it."""
    own = (features.get("reader") or {}).get("model")
    return [own] if own else features.get("readers", [])


def _learned(run: Mapping[str, Any]) -> dict[str, int | None]:
    """Count the items learned, by config or, of own data, by the name of the file; of a mix by the configs in it.

    None of those that the model learned from before this training.
    """
    mix = run["dataset"].get("mix")
    if isinstance(mix, Mapping):  # the weights of sources, those of a model that it started from among them
        chunk = run["train"]["chunk"]
        # None of an ensemble: its members learned
        share = run["train"]["items"] / sum(chunk.values()) if chunk else 0.0
        return {
            config: round(share * chunk[source]) if source in chunk else None
            for source, config in configs_of_sources(run["dataset"]).items()
        }
    if mix is None:
        return {Path(str(*run["dataset"].values())).name: items_learned(run)}
    human = next((name for name in item_configs("mdc") if f"{name}=" in mix), "mdc_v2")
    sources, left, learned = run["train"]["sources"], items_learned(run), {}
    for stage in run.get("curriculum") or [{"stage": "+".join(sources), "items": run["train"]["items"]}]:
        share = min(1.0, left / stage["items"])
        left -= round(share * stage["items"])
        names = stage["stage"].split("+")
        for name in sources:
            if name in names or ("synthetic" in names and name not in ("human", "own")):
                learned[human if name == "human" else name] = round(share * sources[name])
    return learned


def _hardware(run: Mapping[str, Any]) -> str | None:
    device, processes = run.get("device"), run.get("processes", 1)
    if device is None or device == "cpu":
        return device and "CPU"
    return device if processes == 1 else f"{processes} × {device}"


def _settings(arguments: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Return the settings with which such a model is trained again, as in a YAML file of training/configs."""
    # What the run records of the data, the model and the training.
    bap, model, training = (arguments[part] for part in ("bap", "model", "training"))
    of_model = _MODEL + _LORA * bool(model["use_peft"]) + _FOUR_BIT * bool(model["load_in_4bit"])
    chosen = {
        **{name: bap.get(name) for name in _ITEMS},
        **{name: model.get(name) for name in of_model},
        **{name: bap.get(name) for name in _QUANTIZED if model["load_in_4bit"]},
        **{name: training.get(name) for name in _TRAINING},
    }
    # Own data by the name of their file; nothing that is as where it is not named.
    if bap.get("dataset_path"):
        chosen["dataset_path"] = Path(bap["dataset_path"]).name
        del chosen["dataset_config"]
    if training.get("max_steps", 0) > 0:
        chosen["max_steps"] = training["max_steps"]
    chosen["frozen_layers"] = chosen["frozen_layers"] or None
    if chosen.get("model_revision") == "main":  # as where none is named
        del chosen["model_revision"]
    for name, usual in (("tokenizer_pieces", "words"), ("learned_answers", "built")):  # as before there were others
        if chosen.get(name) == usual:
            del chosen[name]
    return {name: value for name, value in chosen.items() if value is not None}


def _builder_settings(arguments: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Return these settings of a Builder that is not a language model: its own, and some of the training."""
    # Its own settings, and some of the training.
    bap, training = arguments["bap"], arguments["training"]
    chosen = {
        **{name: value for name, value in bap.items() if name not in _OF_THIS_RUN},
        **(arguments.get("model") or {}),
        **{name: training[name] for name in (*_TRAINING, *_OF_BUILDERS) if name in training},
    }
    # Of files only the names.
    chosen |= {name: Path(chosen[name]).name for name in ("dataset_path", "vectors", "init_from") if chosen.get(name)}
    if bap.get("dataset_path"):
        chosen.pop("dataset_config", None)
    if training.get("max_steps", 0) > 0:
        chosen["max_steps"] = training["max_steps"]
    return {name: value for name, value in chosen.items() if value is not None}


def split_result(path: Path) -> SplitResult:
    """Read what a file of `bap-v2 score --out` says of its first system."""
    record = _read(path, "bap-v2 score --out")
    try:
        settings, system = record["settings"], record["systems"][0]
        return SplitResult(
            **{name: settings[name] for name in ("config", "split", "labels", "split_items", "confidence")},
            scores=system["scores"],
            intervals=system["confidence_intervals"],
            unit=settings.get("unit", "item"),
            name=system["name"],
            items=settings.get("items"),
        )
    except (KeyError, TypeError, IndexError) as error:
        raise CardError(f"{path} was not written by bap-v2 score --out: {error!r}") from None


def _read(path: Path, maker: str) -> Any:
    try:
        return orjson.loads(path.read_bytes())
    except OSError as error:
        raise CardError(f"{path}: {error.strerror or error} (it is written by {maker})") from None
    except ValueError as error:
        raise CardError(f"{path} is not JSON: {error}") from None
