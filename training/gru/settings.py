"""The settings of a training run of the GRU baseline: a YAML file, overridden by the command line."""

from collections.abc import Sequence
from dataclasses import dataclass

from transformers import TrainingArguments

from bap_v2_training.errors import UsageError
from bap_v2_training.gru.features import FRAMES
from bap_v2_training.gru.model import BapGruConfig
from bap_v2_training.gru.window import WINDOWS
from bap_v2_training.learning.data_settings import DataArguments
from bap_v2_training.learning.options import check_least, option
from bap_v2_training.learning.training_settings import settings_left_out, settings_of
from bap_v2_training.tasks.settings import MODES


@dataclass
class GruArguments(DataArguments):
    """The items that are learned, how much of them at a time, and the sizes of the model; defaults are the paper's."""

    window: str = option("h3", choices=list(WINDOWS))
    frame: str = option("world", choices=list(FRAMES))
    init_from: str | None = None
    vectors: str | None = None
    channels: list[int] = option(default_factory=lambda: [200, 100, 200])
    head: list[int] = option(default_factory=lambda: [250, 125])
    height_crop: bool = True
    max_actions: int = 20
    steps_per_batch: int = 24
    steps_per_item: int | None = None
    early_stopping_patience: int | None = None

    def check(self) -> None:
        """Raises: UsageError for settings that do not go together."""
        super().check(robust_modes=MODES)
        if self.init_from is not None and self.vectors is not None:
            raise UsageError(f"the words are those of {self.init_from}, where the training starts: do not set vectors")
        check_least(self, {"steps_per_batch": 1, "steps_per_item": 1, "max_actions": 1})
        for name, layers in (("channels", 3), ("head", 2)):
            sizes = getattr(self, name)
            if len(sizes) != layers or min(sizes) < 1:
                raise UsageError(f"{name} is {sizes}: expected {layers} positive numbers")

    def model_config(self, vocab_size: int, embedding: int = 300, vectors: dict | None = None) -> BapGruConfig:
        """Return the model that these settings describe. Args: see `BapGruConfig`."""
        names = ("window", "frame", "channels", "head", "height_crop", "max_actions")
        own = {name: getattr(self, name) for name in names}
        return BapGruConfig(vocab_size=vocab_size, embedding=embedding, vectors=vectors, **own)


def parse_arguments(args: Sequence[str] | None = None) -> tuple[GruArguments, TrainingArguments]:
    """Return the settings of `--config FILE.yaml`, overridden by the command line.

    Raises:
        UsageError: no such file or setting, or values that do not go together.
    """
    gru, training = settings_of((GruArguments, TrainingArguments), args, settings_left_out())
    gru.check()
    if gru.early_stopping_patience is not None and not training.load_best_model_at_end:
        raise UsageError("early_stopping_patience needs load_best_model_at_end: true")
    if training.world_size > 1 or training.n_gpu > 1:
        raise UsageError("train_gru.py trains in one process, on one device: set CUDA_VISIBLE_DEVICES to one of them")
    return gru, training
