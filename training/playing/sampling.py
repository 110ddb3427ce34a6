"""Sampling that does not depend on who else is in the batch."""

from collections.abc import Sequence

import torch
from transformers import LogitsProcessor, StoppingCriteria, TopPLogitsWarper


class SeededSampling(LogitsProcessor):
    """Makes the greedy choice a sample: adds Gumbel noise from a random generator of each row's own.

    The largest of log p + Gumbel noise is a sample of p. So an answer depends on its prompt and its seed, not on the
    batch or on the state of torch's generator.

    Args:
        seeds: one for each row.
        temperature: by which scores are divided.
        top_p: only the most probable tokens with this much probability in all can be drawn.
    """

    def __init__(self, seeds: Sequence[int], temperature: float, top_p: float = 1.0):
        self._generators = [torch.Generator().manual_seed(seed) for seed in seeds]
        self._temperature = temperature
        self._warper = TopPLogitsWarper(top_p) if top_p < 1.0 else None

    def __call__(self, input_ids: torch.LongTensor, scores: torch.FloatTensor) -> torch.FloatTensor:
        scores = scores.float() / self._temperature
        if self._warper is not None:
            scores = self._warper(input_ids, scores)
        uniform = torch.stack([torch.rand(scores.shape[-1], generator=one) for one in self._generators])
        gumbel = -torch.log(-torch.log(uniform.clamp(1e-20, 1 - 1e-7)))
        return scores + gumbel.to(scores.device)


class EndsLine(StoppingCriteria):
    """Ends each row behind its first line that is not empty.

    Args:
        breaks: whether a token holds a line break, for every token.
        blank: whether a token is nothing but white space.
        start: where the answers begin.
    """

    def __init__(self, breaks: torch.Tensor, blank: torch.Tensor, start: int):
        self._breaks, self._blank, self._start = breaks, blank, start

    def __call__(self, input_ids: torch.LongTensor, scores: torch.FloatTensor, **kwargs: object) -> torch.Tensor:
        new = input_ids[:, self._start :]
        return self._breaks[new[:, -1]] & ~self._blank[new].all(dim=-1)
