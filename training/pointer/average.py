"""The moving average of a model's weights while it is trained: it is often better than the last weights."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import torch
from torch import nn


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
