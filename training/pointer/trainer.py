"""transformers' Trainer over a stream of items: resumed in the middle, judged on several sets, weights averaged."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file, save_file
from torch import nn
from torch.utils.data import DataLoader
from transformers import PreTrainedModel, Trainer, TrainerCallback, TrainingArguments

from bap_v2_training.learning.vocabulary import Vocabulary
from bap_v2_training.pointer.features import tensors
from bap_v2_training.pointer.held_out import HeldOut
from bap_v2_training.pointer.stream import Batch, Chunks, Stream


class AverageWeights:
    """An exponential moving average, which begins fast: after n updates its decay is at most (1 + n) / (10 + n)."""

    def __init__(self, model: nn.Module, decay: float):
        self.decay = decay
        self._weights = dict(model.named_parameters())
        self.values = {name: weight.detach().clone() for name, weight in self._weights.items()}

    @torch.no_grad()
    def update(self, updates: int) -> None:
        """Take the weights as they are now into the average. Args: updates: how many there were before this one."""
        decay = min(self.decay, (1 + updates) / (10 + updates))
        torch._foreach_lerp_(list(self.values.values()), list(self._weights.values()), 1.0 - decay)

    @contextmanager
    def in_use(self) -> Iterator[None]:
        """The model with the average for its weights while the block runs."""
        kept = {name: weight.detach().clone() for name, weight in self._weights.items()}
        self._put(self.values)
        try:
            yield
        finally:
            self._put(kept)

    def stay(self) -> None:
        """Leave the average in the model."""
        self._put(self.values)

    def restart_from(self, weights: Mapping[str, torch.Tensor]) -> None:
        """Set the average to these weights, by name; those that share their storage with others may be missing."""
        for name, value in weights.items():
            if name in self.values:
                self.values[name].copy_(value)

    @torch.no_grad()
    def _put(self, values: Mapping[str, torch.Tensor]) -> None:
        for name, weight in self._weights.items():
            weight.copy_(values[name])


_LAST_WEIGHTS = "last_weights.safetensors"  # in a checkpoint whose model.safetensors is their average


class PointerTrainer(Trainer):
    """A Trainer whose batches come ready made.

    - The batches are those of a `Stream`, which starts where the checkpoint stopped.
    - Neither embeddings nor norms and biases decay.
    - `evaluate` gives eval_SET_loss, eval_loss (their mean) and, if asked for, eval_SET_f1 and eval_f1.
    - With an average of the weights, that is what is evaluated and saved. A checkpoint has both.
    - Every checkpoint has its vocabulary, so that it can answer.
    """

    def __init__(
        self, model: PreTrainedModel, args: TrainingArguments, chunks: Chunks, vocabulary: Vocabulary,
        held_out: Mapping[str, HeldOut], ema_decay: float | None = None, scored: bool = False,
        callbacks: Sequence[TrainerCallback] = (),
    ):  # fmt: skip
        """
        Args:
            held_out: validation items, by the name of their set.
            ema_decay: of the average; None: none is kept.
            scored: answer the validation items at every evaluation, too.
        """
        args.ignore_data_skip = True  # the stream starts at the right batch by itself
        args.remove_unused_columns = False
        args.ddp_find_unused_parameters = False
        super().__init__(
            model, args, train_dataset=Stream(chunks), eval_dataset=dict(held_out) or None, callbacks=list(callbacks)
        )
        self._chunks, self._vocabulary, self._held_out, self._scored = chunks, vocabulary, held_out, scored
        self._average = None if ema_decay is None else AverageWeights(self.model, ema_decay)
        self._first = 0
        if self._average is not None:
            self.add_callback(_Averaging(self._average))

    # --- data

    def train(self, resume_from_checkpoint: str | None = None, **options: Any):
        self._first = self.batches_learned(resume_from_checkpoint)
        result = super().train(resume_from_checkpoint=resume_from_checkpoint, **options)
        if self._average is not None:
            self._average.stay()
            self._average = None
        return result

    def batches_learned(self, checkpoint: str | None) -> int:
        """Count the batches that this process had learned at a checkpoint."""
        updates = int(Path(checkpoint).name.removeprefix("checkpoint-")) if checkpoint is not None else 0
        return updates * self.args.gradient_accumulation_steps

    def get_train_dataloader(self) -> DataLoader:
        """Return the stream of this process, as it is: accelerate would divide it once more."""
        workers = self.args.dataloader_num_workers
        ahead = self.args.dataloader_prefetch_factor or self._chunks.settings.batches_per_chunk
        return DataLoader(
            Stream(self._chunks, self.args.process_index, self.args.world_size, self._first),
            batch_size=None,
            num_workers=workers,
            prefetch_factor=ahead if workers else None,  # a worker needs seconds for a chunk: it works ahead by one
            collate_fn=_as_it_is,
            generator=torch.Generator(),  # by default a loader draws from what dropout draws from, once for each start
        )

    def _prepare_inputs(self, inputs: Batch) -> dict[str, torch.Tensor]:
        return super()._prepare_inputs(tensors(inputs))

    def floating_point_ops(self, inputs: Batch) -> int:
        return 0  # not estimated

    # --- optimization

    def get_decay_parameter_names(self, model: nn.Module) -> list[str]:
        embeddings = {
            f"{name}.{parameter}" if name else parameter
            for name, module in model.named_modules()
            if isinstance(module, nn.Embedding)
            for parameter, _ in module.named_parameters(recurse=False)
        }
        several = {name for name, weight in model.named_parameters() if weight.ndim > 1}
        return [name for name in super().get_decay_parameter_names(model) if name in several - embeddings]

    # --- evaluation

    def evaluate(
        self, eval_dataset: Any = None, ignore_keys: list[str] | None = None, metric_key_prefix: str = "eval"
    ) -> dict[str, float]:
        """Return the mean losses of the sets, and scores if asked for; all processes share the work of the losses."""
        if self._average is None:
            metrics = self._evaluated(metric_key_prefix)
        else:
            with self._average.in_use():
                metrics = self._evaluated(metric_key_prefix)
        self.log(metrics)
        self.control = self.callback_handler.on_evaluate(self.args, self.state, self.control, metrics)
        return metrics

    def _evaluated(self, prefix: str) -> dict[str, float]:
        model, metrics = self.model, {}
        training = model.training
        model.eval()
        # Losses, of which each process computes its share, and scores
        with self.compute_loss_context_manager(), self.accelerator.autocast():
            for name, held_out in self._held_out.items():
                sums = torch.tensor(held_out.loss(model, self.args.process_index, self.args.world_size))
                total, number = self.accelerator.reduce(sums.to(self.args.device)).tolist()
                metrics[f"{prefix}_{name}_loss"] = total / number
            metrics[f"{prefix}_loss"] = sum(metrics.values()) / len(metrics)
            if self._scored:
                scores = {
                    f"{prefix}_{name}_f1": held_out.scores(model, model.config.max_actions)["fairer_f1"]
                    for name, held_out in self._held_out.items()
                }
                metrics |= {**scores, f"{prefix}_f1": sum(scores.values()) / len(scores)}
        # As it was
        model.train(training)
        return metrics

    # --- saving

    def _save(self, output_dir: str | None = None, state_dict: dict | None = None) -> None:
        folder = Path(output_dir or self.args.output_dir)
        if self._average is None:
            super()._save(output_dir, state_dict)
        else:
            with self._average.in_use():
                super()._save(output_dir, state_dict)
            if self.args.should_save:
                weights = {name: weight.detach() for name, weight in self.model.named_parameters()}
                save_file(weights, folder / _LAST_WEIGHTS)
        if self.args.should_save:
            self._vocabulary.save(folder)

    def _load_from_checkpoint(self, resume_from_checkpoint: str, model: nn.Module | None = None) -> None:
        super()._load_from_checkpoint(resume_from_checkpoint, model)
        last = Path(resume_from_checkpoint) / _LAST_WEIGHTS
        if self._average is not None and last.is_file():
            weights = dict(self.model.named_parameters())
            self._average.restart_from({name: weight.detach() for name, weight in weights.items()})
            self.model.load_state_dict(load_file(last), strict=False)

    def _load_best_model(self) -> None:
        super()._load_best_model()
        if self._average is not None:  # what was loaded is an average
            self._average.restart_from({name: weight.detach() for name, weight in self.model.named_parameters()})


class _Averaging(TrainerCallback):
    """Takes the weights into their average after every update."""

    def __init__(self, average: AverageWeights):
        self._average = average

    def on_optimizer_step(self, args, state, control, **objects):
        self._average.update(state.global_step)


def _as_it_is(batch: Batch) -> Batch:
    return batch
