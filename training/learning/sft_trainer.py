"""TRL's trainer, with an order of its own, the same in every process, and weights of the types asked for."""

import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import torch
import torch._inductor.config
from datasets import Dataset
from torch import nn
from torch.utils.data import Sampler
from transformers import PreTrainedModel
from transformers.trainer_pt_utils import get_length_grouped_indices
from transformers.utils import is_flash_attn_2_available, is_kernels_available
from trl import ModelConfig, SFTConfig, SFTTrainer

from bap_v2_training.errors import UsageError
from bap_v2_training.learning import varlen_attention


class OrderOfEpoch(Sampler[int]):
    """The positions of all items in random order, another one in each epoch.

    It has a generator of its own. transformers' sampler for `group_by_length` draws from the global one: its order
    depends on what was drawn before, so that a run which is resumed inside an epoch learns some items of it twice and
    others not at all, and so do processes that have drawn differently (dropout on a CPU).

    >>> list(OrderOfEpoch(5, seed=20, epoch=lambda: 0))
    [1, 3, 2, 4, 0]
    """

    def __init__(
        self, items: int, seed: int, epoch: Callable[[], int], lengths: Sequence[int] | None = None, group: int = 1
    ):
        """An order of so many items.

        Args:
            items: how many.
            seed: of the run.
            epoch: gives the number of the epoch that begins.
            lengths: of the items, if each `group` of them that are learned together should be about equally long.
        """
        self._items, self._seed, self._epoch = items, seed, epoch
        self._lengths, self._group = lengths, group

    def __len__(self) -> int:
        return self._items

    def __iter__(self) -> Iterator[int]:
        generator = torch.Generator().manual_seed(self._seed + self._epoch())
        if self._lengths is None:
            return iter(torch.randperm(self._items, generator=generator).tolist())
        return iter(get_length_grouped_indices(self._lengths, self._group, generator=generator))


class BapTrainer(SFTTrainer):
    """TRL's trainer for examples in tokens; `length` is their column that `group_by_length` reads."""

    def __init__(
        self,
        *args,
        trained_dtype: str | None = None,
        frozen_dtype: str | None = None,
        frozen_layers: int = 0,
        compile_layers: bool = False,
        **kwargs,
    ):
        """A trainer with the model loaded.

        Args:
            args, kwargs: of TRL's trainer.
            trained_dtype: type of the weights that are trained; by default as they are loaded.
            frozen_dtype: type of the weights that are neither trained nor quantized; by default as they are loaded.
            frozen_layers: so many of the first layers, and the embeddings, are not trained.
            compile_layers: compile each layer.
        """
        super().__init__(*args, **kwargs)
        if frozen_layers:
            freeze_first_layers(self.model, frozen_layers)
        if compile_layers and self.args.use_cpu and not has_cpp_compiler():
            print("compile_layers: there is no C++ compiler (g++ or $CXX), so the layers run as they are, more slowly")
        elif compile_layers:
            for layer in layers_of(self.model):
                layer.compile(dynamic=True)
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


def has_cpp_compiler() -> bool:
    """Tell if there is the compiler that torch.compile needs for a CPU."""
    return any(shutil.which(name) for name in filter(None, torch._inductor.config.cpp.cxx))


def layers_of(model: nn.Module) -> nn.ModuleList:
    """Return the layers of a language model: the longest list of modules that it holds."""
    return max((module for module in model.modules() if isinstance(module, nn.ModuleList)), key=len)


def freeze_first_layers(model: PreTrainedModel, count: int) -> None:
    """Train neither the first layers of a language model nor its embeddings; a head that shares their weights is kept.

    Raises:
        UsageError: it does not have more layers than these.
    """
    layers = layers_of(model)
    if count >= len(layers):
        raise UsageError(f"frozen_layers is {count}: the model has {len(layers)} layers, and one must be trained")
    model.get_input_embeddings().requires_grad_(False)
    for layer in layers[:count]:
        layer.requires_grad_(False)


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


@contextmanager
def logits_of(model: PreTrainedModel, learned: torch.Tensor) -> Iterator[None]:
    """While the block runs, a language model computes logits [learned tokens, vocabulary] only.

    Items learn from different positions, so `logits_to_keep` would keep those of all items for each.

    Args:
        learned: [items, tokens - 1], which tokens after the first are learned.
    """
    head = model.get_output_embeddings()
    hook = head.register_forward_pre_hook(lambda _, states: (states[0][:, :-1][learned],))
    try:
        yield
    finally:
        hook.remove()


class CpuTrainer(BapTrainer):
    """The trainer, with a loss of equal value that is faster on a CPU.

    Without Triton, TRL scores every position against the whole vocabulary and then masks the prompt, which can take
    longer than a small model itself. Here only positions that are learned become logits.

    Measured on one core, TRL 1.16, 60 steps, with equal losses (steps per second of CPU time, here and with TRL's own
    trainer): smoke.yaml 10.3 and 7.3, a Llama with 1.2 million parameters 3.9 and 2.7. The metrics that TRL
    logs, `entropy`, `mean_token_accuracy` and `num_tokens`, are logged here, too.

    Overriding `compute_loss` ties this class to TRL 1: setup.py excludes TRL 2, and a test compares loss, gradients and
    metrics with TRL's.
    """

    def compute_loss(self, model, inputs, return_outputs=False, num_items_in_batch=None):
        if return_outputs or self.args.loss_type != "nll" or self.args.label_smoothing_factor:
            return super().compute_loss(model, inputs, return_outputs, num_items_in_batch)
        features = {name: values for name, values in inputs.items() if name != "labels"}
        labels = inputs["labels"][:, 1:]
        learned = labels != -100
        labels = labels[learned]
        with logits_of(self.accelerator.unwrap_model(model), learned):
            logits = model(**features, use_cache=False).logits
        log_probabilities = logits.float().log_softmax(-1)
        loss = torch.nn.functional.nll_loss(log_probabilities, labels, reduction="sum")
        loss = loss / (max(len(labels), 1) if num_items_in_batch is None else num_items_in_batch)
        if self.args.average_tokens_across_devices and num_items_in_batch is not None:
            loss = loss * self.accelerator.num_processes  # DDP takes the mean of what should be summed
        self._count(inputs, log_probabilities.detach(), labels)
        return loss

    def _count(self, inputs: dict, log_probabilities: torch.Tensor, labels: torch.Tensor) -> None:
        """Add to the metrics that TRL logs beside the loss: entropy, mean_token_accuracy and num_tokens."""
        mode = "train" if self.model.training else "eval"
        tokens = inputs["attention_mask"].sum() if "attention_mask" in inputs else inputs["position_ids"].numel()
        entropy = -(log_probabilities.exp() * log_probabilities).sum()
        correct = (log_probabilities.argmax(-1) == labels).sum()
        sums = torch.stack(
            [torch.as_tensor(value, dtype=torch.float64) for value in (len(labels), entropy, correct, tokens)]
        )
        learned, entropy, correct, tokens = self.accelerator.reduce(sums).tolist()
        self._metrics[mode]["entropy"].append(entropy / learned if learned else 0.0)
        self._metrics[mode]["mean_token_accuracy"].append(correct / learned if learned else 0.0)
        if mode == "train":
            self._total_train_tokens += int(tokens)
        self._metrics[mode]["num_tokens"] = [self._total_train_tokens]


def use_installed_kernels(training: SFTConfig, model: ModelConfig) -> list[str]:
    """Switches on what makes training faster on this machine and gives the same model; returns the names of it.

    FlashAttention 2 is a package of its own, flash-attn (flash-attn-4 has the same import name, but is another one);
    packed items have PyTorch's kernels without it. The fused layers come from the Hub through the package `kernels`.
    """
    names = []
    if torch.cuda.is_available() and model.attn_implementation is None:
        of_packed = (training.packing or training.padding_free) and varlen_attention.works("cuda")
        names = ["flash_attention_2"] if is_flash_attn_2_available() else [varlen_attention.NAME] if of_packed else []
        model.attn_implementation = names[0] if names else None
    if torch.cuda.is_available() and is_kernels_available():
        training.model_init_kwargs = {**(training.model_init_kwargs or {}), "use_kernels": True}
        names.append("kernels")
    return names
