"""Resuming a run: from its newest whole checkpoint, and only if it learns the same items in the same order."""

import json
import pickle
import re
import sys
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from transformers import TrainerCallback, TrainingArguments
from transformers.trainer import TRAINING_ARGS_NAME
from transformers.trainer_callback import ExportableState
from transformers.trainer_pt_utils import safe_globals

from bap_v2_dataset.predictions.model_records import TRAINING_RUN
from bap_v2_training.errors import UsageError


class DataFingerprint(TrainerCallback, ExportableState):
    """Writes into every checkpoint what it has learned from, so that it cannot be resumed with something else."""

    def __init__(self, **facts):
        self.facts = facts

    def state(self) -> dict:
        return {"args": self.facts, "attributes": {}}


def checkpoint_of(training: TrainingArguments, overwrite: bool) -> str | None:
    """Find the checkpoint to resume from; None to start from the beginning.

    Args:
        overwrite: replace what an earlier training left in the output directory.
    Raises:
        UsageError: there is no such checkpoint, or it is damaged; or a training that is there would be lost.
    """
    setting, output_dir = training.resume_from_checkpoint, Path(training.output_dir)
    newest, first = str(setting).lower() in ("true", "auto"), training.process_index == 0
    if newest and overwrite:
        raise UsageError("overwrite replaces the earlier run, and resume_from_checkpoint resumes it: set one of them")

    # The checkpoint that is named, or the newest
    checkpoint = None
    if newest:
        checkpoint = last_whole_checkpoint(output_dir, lambda text: first and print(text, file=sys.stderr))
        if checkpoint is None and str(setting).lower() == "true":
            raise UsageError(f"{output_dir} has no checkpoint to resume from; save_strategy: steps or epoch makes them")
    elif str(setting).lower() not in ("none", "false"):
        checkpoint = Path(str(setting))
        if not checkpoint.is_dir():
            raise UsageError(f"there is no checkpoint {setting}; --resume-from-checkpoint true takes the newest")
        if why := damage(checkpoint):
            raise UsageError(f"{setting} is damaged: {why}; --resume-from-checkpoint true takes the newest that is not")

    # An earlier training that is not resumed; what `auto` found damaged is no loss
    if not overwrite and (checkpoint is None or checkpoint.parent.resolve() != output_dir.resolve()):
        begun = not newest and bool(checkpoints_in(output_dir))
        check_unused(output_dir, "output-dir", "--resume-from-checkpoint auto resumes it, " * begun)
    return checkpoint and str(checkpoint)


def check_unused(folder: Path, option: str, resume: str = "") -> None:
    """Raises: UsageError if a folder holds a training. Args: option: names the folder. resume: how, if it was begun."""
    ended = (folder / TRAINING_RUN).is_file()
    if ended or resume:
        found = f"{folder} holds a training that {'has ended' if ended else 'was begun'}"
        raise UsageError(f"{found}: {resume}--overwrite true replaces it, or choose another --{option}")


def last_whole_checkpoint(output_dir: Path, report: Callable[[str], object] = print) -> Path | None:
    """The newest checkpoint that was written to its end and can be read: a kill can leave a newer one incomplete.

    Args:
        report: is told of those that are damaged.
    """
    for checkpoint in reversed(whole_checkpoints(output_dir).values()):
        if not (why := damage(checkpoint)):
            return checkpoint
        report(f"{checkpoint} is damaged, and is not used: {why}")
    return None


_CHECKED_WHOLE = 2**30  # bytes; of larger files only that they end where they should


def damage(checkpoint: Path) -> str:
    """Say which file of a checkpoint is missing or cannot be read, and why; "" if there is none."""
    # Each file can be read
    files = sorted(path for path in checkpoint.rglob("*") if path.is_file())
    names = {str(path.relative_to(checkpoint)) for path in files}
    for path in files:
        try:
            if path.suffix == ".safetensors":
                with safe_open(path, "numpy") as weights:
                    weights.keys()
            elif path.suffix in (".pt", ".pth", ".bin"):
                with zipfile.ZipFile(path) as parts:
                    if path.stat().st_size <= _CHECKED_WHOLE and (part := parts.testzip()):
                        return f"{path.name} cannot be read ({part} differs from its checksum)"
                if path.parent == checkpoint and path.name != TRAINING_ARGS_NAME:  # which no training loads
                    with safe_globals():
                        torch.load(path, "meta", weights_only=True, mmap=True)
            elif path.suffix == ".json":
                content = json.loads(path.read_bytes())
                if path.name.endswith(".index.json") and (lost := {*content["weight_map"].values()} - names):
                    return f"{min(lost)} is missing"
        except pickle.UnpicklingError as error:
            refused = re.search(r"GLOBAL (\S+)", str(error))
            return f"{path.name} cannot be read (it would run {refused[1] if refused else 'code'}, which torch refuses)"
        except (OSError, ValueError, SafetensorError, zipfile.BadZipFile) as error:
            return f"{path.name} cannot be read ({str(error).splitlines()[0]})"

    # None is missing
    if not any(name.startswith(("optimizer", "global_step")) for name in names):
        return "the state of the optimizer is missing"
    if not any("model" in name or name.startswith("global_step") for name in names if not name.endswith(".json")):
        return "the weights are missing"
    return ""


def whole_checkpoints(output_dir: Path, resumable: bool = True) -> dict[int, Path]:
    """Return the checkpoints of a run that were written to their end, by the steps learned so far, the oldest first.

    Args:
        resumable: only those that a training can be resumed from; `save_only_model: true` makes others.
    """
    folders = checkpoints_in(output_dir)
    return {number: folders[number] for number in sorted(folders) if _is_whole(folders[number], resumable)}


def checkpoints_in(output_dir: Path) -> dict[int, Path]:
    """Return all checkpoints in a folder, also those that were not written to their end, by their steps."""
    steps = {path: path.name.removeprefix("checkpoint-") for path in output_dir.glob("checkpoint-*")}
    return {int(number): path for path, number in steps.items() if number.isdecimal()}


def of_this_run(checkpoint: Path, run: Mapping[str, Any]) -> bool:
    """Tell if a checkpoint learned what the record of a run says: another training may have left it there."""
    facts = _facts_of(checkpoint) or {}
    steps = int(checkpoint.name.removeprefix("checkpoint-"))
    same = facts.get("sha256") in (None, run["train"].get("sha256")) and facts.get("seed") in (None, run.get("seed"))
    return same and steps <= run["steps"]


def _is_whole(checkpoint: Path, resumable: bool = True) -> bool:
    facts = _facts_of(checkpoint)
    if not resumable:
        return facts is not None
    # trainer_state.json is the last that the first process writes, but others may still be at their random states.
    return facts is not None and len(list(checkpoint.glob("rng_state*.pth"))) >= facts.get("processes", 1)


def is_last(checkpoint: str, training: TrainingArguments) -> bool:
    """Tell if a training with these settings ends at this checkpoint of its own, or has ended before it."""
    if Path(checkpoint).parent.resolve() != Path(training.output_dir).resolve():
        return False
    state = json.loads((Path(checkpoint) / "trainer_state.json").read_bytes())
    if training.max_steps > 0:
        return state["global_step"] >= training.max_steps
    return state["global_step"] >= state["max_steps"] and state["num_train_epochs"] >= training.num_train_epochs


def check_same_data(checkpoint: str, facts: Mapping[str, object]) -> None:
    """Raises: UsageError if a checkpoint was trained on other items, with another seed, or in another way.

    Args:
        facts: what this run would learn, and how: `sha256` (of the items), `seed`, and settings.
    """
    earlier = _facts_of(Path(checkpoint)) or {}
    if differing := [name for name in facts if name in earlier and earlier[name] != facts[name]]:
        named = ", ".join({"sha256": "the items"}.get(name, f"the {name}") for name in differing)
        raise UsageError(
            f"{checkpoint} was trained with other settings ({named}): use the same settings, or start over"
        )


def _facts_of(checkpoint: Path) -> dict | None:
    """Read what DataFingerprint wrote into a checkpoint; None if that is not whole."""
    try:
        state = json.loads((checkpoint / "trainer_state.json").read_bytes())
        return state.get("stateful_callbacks", {}).get("DataFingerprint", {}).get("args", {})
    except (OSError, ValueError, AttributeError):
        return None
