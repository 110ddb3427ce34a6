"""TRL's trainer, with an order of its own, the same in every process, and weights of the types asked for."""

import torch
from datasets import Dataset
from torch import nn
from torch.utils.data import Sampler
from trl import SFTTrainer

from bap_v2_training.learning.order import OrderOfEpoch


class BapTrainer(SFTTrainer):
    """TRL's trainer for examples in tokens; `length` is their column that `group_by_length` reads."""

    def __init__(self, *args, trained_dtype: str | None = None, frozen_dtype: str | None = None, **kwargs):
        """A trainer with the model loaded.

        Args:
            args, kwargs: of TRL's trainer.
            trained_dtype: type of the weights that are trained; by default as they are loaded.
            frozen_dtype: type of the weights that are neither trained nor quantized; by default as they are loaded.
        """
        super().__init__(*args, **kwargs)
        self._trained_dtype = trained_dtype
        store_weights_as(self.model, trained=trained_dtype, frozen=frozen_dtype)

    def _load_from_checkpoint(self, resume_from_checkpoint: str, model: nn.Module | None = None) -> None:
        """Also keeps the type of the adapter: PEFT loads one of 16 bits in 32.

        This comes before the optimizer is loaded, whose state takes the type of the weights.
        """
        super()._load_from_checkpoint(resume_from_checkpoint, model)
        store_weights_as(self.model, trained=self._trained_dtype)

    def _get_train_sampler(self, train_dataset: Dataset | None = None) -> Sampler | None:
        strategy = self.args.train_sampling_strategy
        if strategy not in ("random", "group_by_length"):
            return super()._get_train_sampler(train_dataset)
        seed = self.args.seed if self.args.data_seed is None else self.args.data_seed
        lengths = None
        if strategy == "group_by_length" and "length" in self.train_dataset.column_names:  # packed ones have none
            lengths = self.train_dataset["length"][:]  # the data set passed has only the columns that the model reads
        group = self.args.train_batch_size * self.args.gradient_accumulation_steps
        return OrderOfEpoch(len(self.train_dataset), seed, lambda: int(self.state.epoch or 0), lengths, group)


def store_weights_as(model: nn.Module, *, trained: str | None = None, frozen: str | None = None) -> None:
    """Change the types of weights; quantized ones stay as they are.

    Args:
        trained: type of those that are trained, or None to leave them.
        frozen: type of the others, or None to leave them.
    """
    for weight in model.parameters():
        dtype = trained if weight.requires_grad else frozen
        if dtype is not None and weight.is_floating_point() and not hasattr(weight, "quant_state"):
            weight.data = weight.data.to(getattr(torch, dtype))
