"""What a study can train: the scripts, and how a run starts from the model of another one."""

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Trainer:
    """A training script, imported when it is used."""

    name: str  # of the script
    settings: str  # the module with its `parse_arguments`
    first_model: str  # the setting that names the model a run starts from
    of_first_model: tuple[str, ...]  # settings that such a run has of that model
    trains_language_models: bool = False  # so arms may name a model; its items are rows, which may come more than once

    @property
    def parse_arguments(self) -> Callable[..., tuple]:
        """The settings of a command line, checked."""
        return importlib.import_module(self.settings).parse_arguments

    @property
    def main(self) -> Callable[..., Any]:
        """Trains with these settings."""
        return importlib.import_module(f"bap_v2_training.{self.name}").main


TRAINERS = {
    "train_pointer": Trainer("train_pointer", "bap_v2_training.pointer.settings", "init_from", ("model", "features")),
    "train_sft": Trainer(
        "train_sft",
        "bap_v2_training.learning.training_settings",
        "model_name_or_path",
        ("new_model", "tokenizer_pieces", "tokenizer_configs"),
        True,
    ),
}
