"""The settings that say which items a model learns or answers, whatever the model."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from bap_v2_training.errors import UsageError
from bap_v2_training.learning.options import option
from bap_v2_training.tasks.settings import CHOSEN_ONCE, REPRESENTATIONS_HELP, RobustArguments
from bap_v2_training.tasks.table import USUAL, task_asked, training_task
from bap_v2_training.tasks.training_task import TrainingTask


@dataclass
class DatasetArguments:
    """The data that are read."""

    dataset_config: str | None = None
    dataset_path: str | None = option(None, aliases=["--data"])


@dataclass
class RunArguments:
    """The folder of a training, which TRL's settings name."""

    overwrite: bool = False


@dataclass
class DataArguments(DatasetArguments, RobustArguments, RunArguments):
    """The items that are learned, their variants, and others that the training is judged by."""

    mix: str | None = None
    train_split: str = "train"
    eval_split: str = "validation"
    max_train_items: int | None = None
    max_eval_items: int | None = None

    def check(self, robust_modes: Sequence[str] = CHOSEN_ONCE) -> None:
        """Raises: UsageError for settings that do not go together. Args: robust_modes: those that the trainer knows."""
        self.check_robust(robust_modes)
        if self.mix is not None and self.dataset_path is not None:
            raise UsageError("set either mix or dataset_path, not both")


@dataclass
class TextArguments(DataArguments):
    """The text as which a language model reads the items."""

    task: str = field(default=USUAL.name, init=False)  # of the items
    representation: str | None = option(None, REPRESENTATIONS_HELP)
    history_lines: int | None = None
    max_prompt_tokens: int | None = None

    def find_task(self) -> TrainingTask:
        """Return the task of the items, noted in `task`. Raises: UsageError for configs of several tasks."""
        if self.mix is None:
            self.task = task_asked(self.dataset_config, self.dataset_path, self.train_split).name
        return training_task(self.task)
