"""The record of a training run, `training_run.json`: what was trained on what, and how it went."""

import json
import platform
import shutil
from collections.abc import Callable, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import torch
from torch import nn
from transformers import Trainer, TrainingArguments
from transformers.trainer_utils import TrainOutput
from trl import ModelConfig

import bap_v2_metric
from bap_v2_dataset.predictions.model_records import TRAINING_RUN
from bap_v2_simulators.atomic_files import atomic_write
from bap_v2_training.decoding.trained_model import learned_texts, training_run
from bap_v2_training.learning.checkpoints import checkpoints_in, is_last
from bap_v2_training.learning.data_settings import RunArguments
from bap_v2_training.tasks.table import texts_of

PACKAGES = (
    "accelerate", "bap-v2", "bitsandbytes", "datasets", "deepspeed", "flash-attn", "kernels", "liger-kernel", "peft",
    "tokenizers", "torch", "transformers", "trl",
)  # fmt: skip # whose versions are recorded, if they are installed


class RunRecord:
    """Made before the training, with the settings as they were given: the training changes some of them."""

    def __init__(
        self,
        bap: RunArguments,
        training: TrainingArguments,
        model: ModelConfig | None,
        checkpoint: str | None,
        kernels: Sequence[str] = (),
    ):
        """The record of a run that is about to start.

        Args:
            bap: the settings of our own, which name the data and say whether an earlier run is replaced.
            model: which language model; None for a model that is not one.
            checkpoint: where the training is resumed.
            kernels: what `use_installed_kernels` switched on.
        """
        self.path = Path(training.output_dir) / TRAINING_RUN
        self._started = _now()
        self._arguments = {"bap": asdict(bap), "training": training.to_dict()}
        self._texts: dict[str, Any] = {}  # what the model reads and writes, and how it did before
        if model is not None:
            self._arguments["model"] = asdict(model)
            texts = texts_of(bap)
            self._texts = {"representation": texts.representation, "prompt_version": texts.version}
            before = learned_texts(training_run(model.model_name_or_path)) if model.model_name_or_path else None
            if before:
                self._texts["learned_before"] = before
        self._model, self._checkpoint, self._kernels = model, checkpoint, kernels
        self._training, self._overwrite = training, self._arguments["bap"].pop("overwrite")

    def carry_out(
        self, trainer: Trainer, data: dict, said: Callable[[dict], str], further: Callable[[], dict] = dict
    ) -> dict:
        """Train, save the model, write the record, and return it; an earlier one if nothing is left to learn.

        Args:
            data: what is learned, as for `finished`.
            said: what is printed of the record at the end, behind the number of steps.
            further: asked after the training for what else is worth recording.
        """
        # Train the model
        if earlier := self.begin():
            trainer.end()
            return earlier
        result = trainer.train(resume_from_checkpoint=self._checkpoint)

        # Save it, and the record of the run
        trainer.save_model(trainer.args.output_dir)
        run = self.finished(trainer, {**data, **further()}, result)
        if trainer.is_world_process_zero():
            self.write(run)
            print(f"saved in {trainer.args.output_dir} after {run['steps']} {said(run)}")

        # Finish the trackers and destroy the process group
        trainer.end()
        return run

    def begin(self) -> dict:
        """Begin the training: the record of an earlier run in the output directory is removed, or all of that run.

        Without it, predict.py does not take a partly trained model for the one that was here before.

        Returns:
            That record if the training ended at the checkpoint that it is resumed from, else an empty one. There is
            nothing left to learn then; transformers would make one more update.
        """
        earlier = training_run(str(self.path.parent))
        if earlier and self._checkpoint and is_last(self._checkpoint, self._training):
            if self._training.process_index == 0:
                print(f"{self.path.parent} has learned all {earlier['steps']} updates; more: a larger --max_steps")
            return earlier
        self.path.unlink(missing_ok=True)
        if self._overwrite and self._training.process_index == 0:
            for folder in checkpoints_in(self.path.parent).values():
                shutil.rmtree(folder)
        return {}

    def finished(self, trainer: Trainer, data: dict, result: TrainOutput) -> dict:
        """Return the whole record.

        Args:
            data: what was learned, as `train_sft.prepared` gives it, and what else is worth recording.
                `trained_parameters`, if they can no longer be counted.
            result: what `trainer.train` returned.
        """
        log, device = trainer.state.log_history, trainer.args.device.type
        return {
            # What was learned, by which model
            "started": self._started,
            "finished": _now(),
            **data,
            **self._of_model(trainer),
            "metric_signature": bap_v2_metric.SIGNATURE,
            "seed": trainer.args.seed,
            "trained_parameters": data.get("trained_parameters", trained_parameters(trainer.model)),
            # How it went
            "steps": trainer.state.global_step,
            "resumed_from": self._checkpoint,
            "seconds": result.metrics["train_runtime"],
            # The last losses logged; train_loss is the average, as `seconds`, since the start or where it was resumed.
            "final": {
                name: entry[name] for entry in log for name in ("loss", "eval_loss", "train_loss") if name in entry
            },
            "log": log,
            # On which machine, and how to do it again
            "device": torch.cuda.get_device_name() if device == "cuda" else device,
            "processes": trainer.args.world_size,
            "installed_kernels": list(self._kernels),
            "versions": versions(),
            "arguments": self._arguments,
        }

    def _of_model(self, trainer: Trainer) -> dict:
        """Name the model; the representation is that of a language model's prompts, null for any other model."""
        if self._model is None:
            return {"representation": None, "model_type": trainer.model.config.model_type}
        name = self._model.model_name_or_path  # that of a new model is known only now
        self._arguments["model"]["model_name_or_path"] = name
        return {**self._texts, "model": name}

    def write(self, run: dict) -> None:
        """Writes `training_run.json`."""
        atomic_write(self.path, (json.dumps(run, indent=2) + "\n").encode())


def trained_parameters(model: nn.Module) -> int:
    """Number of trainable parameters.

    Counted before the training: FSDP leaves each process a part of them. ZeRO-3 does so while it loads the model, but
    notes the number.
    """
    return sum(getattr(weight, "ds_numel", weight.numel()) for weight in model.parameters() if weight.requires_grad)


def versions() -> dict[str, str]:
    """Return the versions of Python and of those PACKAGES that are installed."""
    installed = {"python": platform.python_version()}
    for package in PACKAGES:
        try:
            installed[package] = version(package)
        except PackageNotFoundError:
            continue
    return installed


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
