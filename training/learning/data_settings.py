"""The settings that say which items a model learns or answers, whatever the model."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from bap_v2_training.errors import UsageError
from bap_v2_training.learning.robust_settings import CHOSEN_ONCE, RobustArguments


@dataclass
class DatasetArguments:
    """Which data are read."""

    dataset_config: str | None = field(default=None, metadata={"help": "Config of the bap_v2 dataset, e.g. mdc."})
    dataset_path: str | None = field(
        default=None,
        metadata={
            "aliases": ["--data"],
            "help": "Own data instead: a .jsonl, .json or .parquet file, a folder (of save_to_disk, of bap-v2 mix), or "
            "USER/NAME[:CONFIG] on the Hub.",
        },
    )


@dataclass
class DataArguments(DatasetArguments, RobustArguments):
    """Which items are learned, with which variants, and by which others the training is judged."""

    mix: str | None = field(
        default=None,
        metadata={"help": "A mix instead: train items by config, e.g. mdc_v2=all,dr=8000,dsb=5000,dss=6000."},
    )
    train_split: str = field(default="train", metadata={"help": "Split to learn from."})
    eval_split: str = field(
        default="validation", metadata={"help": "Split for the eval loss, if eval_strategy is set."}
    )
    max_train_items: int | None = field(default=None, metadata={"help": "Learn a fixed random subset of this size."})
    max_eval_items: int | None = field(default=None, metadata={"help": "Evaluate on a fixed subset of this size."})

    def check(self, robust_modes: Sequence[str] = CHOSEN_ONCE) -> None:
        """Raises: UsageError for settings that do not go together. Args: robust_modes: those that the trainer knows."""
        self.check_robust(robust_modes)
        if self.mix is not None and self.dataset_path is not None:
            raise UsageError("set either mix or dataset_path, not both")
