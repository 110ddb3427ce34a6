"""transformers' Trainer for the GRU baseline: batches by decoder steps, two norms to clip, the dev loss of 2020."""

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader
from tqdm.auto import tqdm
from transformers import EarlyStoppingCallback, Trainer, TrainerCallback, TrainingArguments

from bap_v2_training.gru.adversary import Adversary
from bap_v2_training.gru.batches import ItemSteps, StepBatches, collated
from bap_v2_training.gru.features import Steps
from bap_v2_training.gru.model import BapGruModel, GruOutput
from bap_v2_training.gru.settings import GruArguments
from bap_v2_training.learning.vocabulary import Vocabulary

_JUDGED = 64  # steps of a batch whose losses are asked for


class GruTrainer(Trainer):
    """Trainer whose batches have about `steps_per_batch` decoder steps.

    `per_device_train_batch_size` does not count. `max_grad_norm` bounds the norms of the two GRUs, each apart, and
    nothing else. `eval_loss` is summed over the steps of an item and averaged over the items.
    """

    def __init__(
        self, gru: GruArguments, training: TrainingArguments, model: BapGruModel, train: Steps, dev: Steps | None,
        vocabulary: Vocabulary, callbacks: list[TrainerCallback] | None = None, adversary: Adversary | None = None,
    ):  # fmt: skip
        """Args: adversary: chooses the items of each epoch; None: all items, in each."""
        callbacks = list(callbacks or [])
        if gru.early_stopping_patience is not None:
            callbacks.append(EarlyStoppingCallback(gru.early_stopping_patience))
        if adversary is not None:
            callbacks.append(adversary)
        self.gru, self._adversary, self._vocabulary = gru, adversary, vocabulary
        super().__init__(
            model=model,
            args=training,
            train_dataset=ItemSteps(train),
            eval_dataset=None if dev is None else ItemSteps(dev),
            callbacks=callbacks,
        )

    def get_train_dataloader(self) -> DataLoader:
        data = self.train_dataset
        adversary, epochs = self._adversary, {}
        if adversary is not None:
            epochs["items"] = [*range(adversary.parents), *adversary.pairs]
            epochs["items_of"] = lambda epoch: adversary.items_of(epoch, self)
        batches = StepBatches(data.steps, self.gru.steps_per_batch, self.gru.steps_per_item, self.args.seed, **epochs)
        return self._loader(data, batches)

    def _save(self, output_dir: str | None = None, state_dict: dict | None = None) -> None:
        super()._save(output_dir, state_dict)
        self._vocabulary.save(output_dir or self.args.output_dir)  # so that every checkpoint can answer

    # --- what an adversary asks

    def item_losses(self, items: Sequence[int]) -> np.ndarray:
        """Return the loss of each of these train items under the model as it is now, summed over its steps."""
        with torch.no_grad():
            return self._judged(items, lambda output, batch: output.item_losses)

    def pose_gradients(self, items: Sequence[int]) -> np.ndarray:
        """Return the gradient of each of these items' losses with respect to x, y, z, yaw and pitch: [n, 5]."""

        def gradients(output: GruOutput, batch: dict[str, torch.Tensor]) -> torch.Tensor:
            return torch.autograd.grad(output.item_losses.sum(), batch["poses"])[0]

        return self._judged(items, gradients)

    def _judged(
        self, items: Sequence[int], read: Callable[[GruOutput, dict[str, torch.Tensor]], torch.Tensor]
    ) -> np.ndarray:
        """Return what `read` takes from the output of each batch, for each of the items, in their order."""
        steps, model, values = self.train_dataset.steps, self.accelerator.unwrap_model(self.model), {}
        training = model.training
        model.eval()
        batches = StepBatches(steps, max(self.gru.steps_per_batch, _JUDGED), items=items)
        for chosen in tqdm(batches, desc="Adversary", leave=False, disable=self.args.disable_tqdm):
            batch = {name: tensor.to(self.args.device) for name, tensor in collated(steps, chosen).items()}
            batch["poses"].requires_grad_(torch.is_grad_enabled())
            with self.accelerator.autocast():
                output = model(**batch)
            of_items = read(output, batch).float().cpu().numpy()
            values.update((item, value) for (item, _), value in zip(chosen, of_items, strict=True))
        model.train(training)
        return np.array([values[item] for item in items])

    # --- evaluation

    def get_eval_dataloader(self, eval_dataset: ItemSteps | None = None) -> DataLoader:
        data = self.eval_dataset if eval_dataset is None else eval_dataset
        return self._loader(data, StepBatches(data.steps, max(self.gru.steps_per_batch, 64)))

    def _loader(self, data: ItemSteps, batches: StepBatches) -> DataLoader:
        loader = DataLoader(
            data,
            batch_sampler=batches,
            collate_fn=partial(collated, data.steps),
            num_workers=self.args.dataloader_num_workers,
            pin_memory=self.args.dataloader_pin_memory,
        )
        return self.accelerator.prepare(loader)

    def _clip_grad_norm(self, model: nn.Module):
        """Clip the gradients of the two GRUs, each apart; returns the larger norm of the two."""
        norms = [
            self.accelerator.clip_grad_norm_(part.parameters(), self.args.max_grad_norm)
            for part in (self.model.encoder, self.model.decoder)
        ]
        return max(norms)

    def prediction_step(self, model, inputs, prediction_loss_only, ignore_keys=None):
        """Return the dev loss of a batch: Trainer averages over batches by their number of items."""
        inputs = self._prepare_inputs(inputs)
        with self.compute_loss_context_manager():
            return model(**inputs).item_losses.mean().detach(), None, None
