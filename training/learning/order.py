"""The order in which items are learned: of the seed and the epoch alone, and so the same in every process."""

from collections.abc import Callable, Iterator, Sequence

import torch
from torch.utils.data import Sampler
from transformers.trainer_pt_utils import get_length_grouped_indices


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
