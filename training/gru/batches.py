"""Batches of items: of about as many decoder steps each, and of boards about as high."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import torch
from torch.utils.data import Dataset, Sampler

from bap_v2_training.gru.features import Steps

Chosen = tuple[int, np.ndarray]  # an item, and the numbers of its steps that are learned, in order


class ItemSteps(Dataset):
    """Items of which a sampler chooses steps: element (item, steps) is that pair, which `collated` looks up."""

    def __init__(self, steps: Steps):
        self.steps = steps

    def __len__(self) -> int:
        return len(self.steps)

    def __getitem__(self, chosen: Chosen) -> Chosen:
        return chosen


def collated(steps: Steps, batch: Sequence[Chosen]) -> dict[str, torch.Tensor]:
    """Return the arguments of `BapGruModel.forward` for these items and steps."""
    # The words of each item, padded
    items = np.array([item for item, _ in batch])
    words = [steps.tokens[slice(*steps.token_starts[item : item + 2])] for item in items]
    lengths = np.array([len(tokens) for tokens in words])
    tokens = np.zeros((len(batch), lengths.max()), np.int64)
    for row, own in zip(tokens, words):
        row[: len(own)] = own
    # Its actions up to the last step that is learned
    longest = max(chosen[-1] for _, chosen in batch) + 1
    actions = np.zeros((len(batch), longest, steps.actions.shape[1]), np.float32)
    for row, (item, chosen) in zip(actions, batch):
        first = steps.starts[item]
        row[: chosen[-1] + 1] = steps.actions[first : first + chosen[-1] + 1]
    # Where each step is, in its item and among all
    position = np.concatenate([chosen for _, chosen in batch])
    item = np.repeat(np.arange(len(batch)), [len(chosen) for _, chosen in batch])
    flat = steps.starts[items[item]] + position
    arrays = {
        "tokens": tokens,
        "lengths": lengths,
        "poses": steps.poses[items],
        "actions": actions,
        "item": item,
        "position": position,
        "boards": steps.boards[flat],
        "recent": steps.recent[flat],
        "labels": steps.targets[flat],
    }
    return {name: torch.from_numpy(array) for name, array in arrays.items()}


class StepBatches(Sampler):
    """Batches of about `budget` steps. The same for the same seed and epoch, so that a run resumes exactly.

    Items whose boards are about as high come together, so that cropped boards need little padding; every epoch has the
    same number of batches.
    """

    def __init__(
        self, steps: Steps, budget: int, steps_per_item: int | None = None, seed: int | None = None,
        items: Sequence[int] | None = None, items_of: Callable[[int], np.ndarray] | None = None,
    ):  # fmt: skip
        """Args: see `gru.settings.GruArguments`.

        seed: of the order and of the steps chosen; None for all in order.
        items: the numbers of the items of an epoch; None: all.
        items_of: gives those of each epoch, about as many steps as `items` have; None: always `items`.
        """
        self._starts, self._levels = steps.starts, steps.levels
        self._per_item, self._seed = steps_per_item, seed
        sizes = np.diff(steps.starts)
        if steps_per_item is not None:
            sizes = np.minimum(sizes, steps_per_item)
        self._items = np.arange(len(sizes)) if items is None else np.asarray(items)
        self._items_of = items_of
        self._costs = np.minimum(sizes, budget)  # no item is worth more than a batch: none of the batches is empty
        self._batches = max(1, int(self._costs[self._items].sum()) // budget)
        self._words = np.diff(steps.token_starts)
        self.epoch = 0

    def set_epoch(self, epoch: int) -> None:
        """Other steps, in another order."""
        self.epoch = epoch

    def __len__(self) -> int:
        return self._batches

    def __iter__(self) -> Iterator[list[Chosen]]:
        rng = np.random.default_rng([self._seed or 0, self.epoch])
        items = self._items if self._items_of is None else self._items_of(self.epoch)
        chosen = self._chosen_steps(rng, items)
        heights = np.array([self._levels[first + own].max() for first, own in zip(self._starts[items], chosen)])
        words = self._words[items] * rng.uniform(0.75, 1.25, len(chosen))  # roughly: other batches in each epoch
        order = np.lexsort((words, heights))
        costs = self._costs[items[order]]
        ends = costs.cumsum()
        # Items belong to the batch in whose share of all steps they begin.
        batch_of = (ends - costs) * self._batches // ends[-1]
        batches = np.split(order, np.flatnonzero(np.diff(batch_of)) + 1)
        for number in rng.permutation(len(batches)) if self._seed is not None else range(len(batches)):
            yield [(int(items[place]), chosen[place]) for place in batches[number]]

    def _chosen_steps(self, rng: np.random.Generator, items: np.ndarray) -> list[np.ndarray]:
        """Return the steps of each of these items that are learned: all, or a random `steps_per_item` of them."""
        chosen = []
        for size in np.diff(self._starts)[items]:
            if self._per_item is None or size <= self._per_item:
                chosen.append(np.arange(size))
            else:
                chosen.append(np.sort(rng.choice(size, self._per_item, replace=False)))
        return chosen
