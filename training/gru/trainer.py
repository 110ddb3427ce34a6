"""transformers' Trainer for the GRU baseline: batches by decoder steps, two norms to clip, the dev loss of 2020."""

from torch import nn
from torch.utils.data import DataLoader
from transformers import EarlyStoppingCallback, Trainer, TrainerCallback, TrainingArguments

from bap_v2_training.gru.batches import ItemSteps, StepBatches
from bap_v2_training.gru.features import Steps
from bap_v2_training.gru.model import BapGruModel
from bap_v2_training.gru.settings import GruArguments


class GruTrainer(Trainer):
    """Trainer whose batches have about `steps_per_batch` decoder steps.

    `per_device_train_batch_size` does not count. `max_grad_norm` bounds the norms of the two GRUs, each apart, and
    nothing else. `eval_loss` is summed over the steps of an item and averaged over the items.
    """

    def __init__(
        self,
        gru: GruArguments,
        training: TrainingArguments,
        model: BapGruModel,
        train: Steps,
        dev: Steps | None,
        callbacks: list[TrainerCallback] | None = None,
    ):
        callbacks = list(callbacks or [])
        if gru.early_stopping_patience is not None:
            callbacks.append(EarlyStoppingCallback(gru.early_stopping_patience))
        self.gru = gru
        super().__init__(
            model=model,
            args=training,
            train_dataset=ItemSteps(train),
            eval_dataset=None if dev is None else ItemSteps(dev),
            callbacks=callbacks,
        )

    def get_train_dataloader(self) -> DataLoader:
        data = self.train_dataset
        batches = StepBatches(data.steps, self.gru.steps_per_batch, self.gru.steps_per_item, self.args.seed)
        return self._loader(data, batches)

    def get_eval_dataloader(self, eval_dataset: ItemSteps | None = None) -> DataLoader:
        data = self.eval_dataset if eval_dataset is None else eval_dataset
        return self._loader(data, StepBatches(data.steps, max(self.gru.steps_per_batch, 64)))

    def _loader(self, data: ItemSteps, batches: StepBatches) -> DataLoader:
        loader = DataLoader(
            data,
            batch_sampler=batches,
            collate_fn=data.collated,
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
        """The dev loss of a batch: Trainer averages over batches by their number of items."""
        inputs = self._prepare_inputs(inputs)
        with self.compute_loss_context_manager():
            return model(**inputs).item_losses.mean().detach(), None, None
