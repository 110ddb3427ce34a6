"""Several corpora as one: in which order, and how much of each (BAP v2, 6.1.1, 11.1 and 11.2).

The order depends on the ids of the rows alone, so it never changes. A part of a corpus is a part of every larger one.
"""

import hashlib
import random
from collections.abc import Mapping, Sequence

_SUBSET_SEED = "max_items"  # the same items for training and prediction, whatever the training seed


def shuffled(ids: Mapping[str, Sequence[str]], seed: int = 0) -> list[tuple[str, int]]:
    """(source, position) of all rows, in a random order that depends on nothing but their ids and the seed.

    Args:
        ids: by source, of its rows.
    """
    picks = [(name, position) for name, own_ids in ids.items() for position in range(len(own_ids))]
    return sorted(picks, key=lambda pick: _key(ids[pick[0]][pick[1]], seed))


def sampled(ids: Sequence[str], size: int, seed: int = 0) -> list[int]:
    """Return the positions of `size` rows drawn at random, in order; a smaller sample is part of a larger one."""
    return sorted(sorted(range(len(ids)), key=lambda position: _key(ids[position], seed))[:size])


def fixed_subset(n_rows: int, size: int) -> list[int]:
    """The positions of `size` of `n_rows` rows, in order: what `max_items` selects, in training as in prediction.

    A smaller subset is part of a larger one.

    >>> fixed_subset(1000, 3)
    [261, 351, 909]
    """
    order = list(range(n_rows))
    random.Random(_SUBSET_SEED).shuffle(order)
    return sorted(order[:size])


def matched_sizes(train: Mapping[str, int], available: Mapping[str, int]) -> dict[str, int]:
    """Return how many items of each source make the largest validation set in the proportions of train (11.2).

    Args:
        train: items by source.
        available: validation items by source.

    >>> matched_sizes({"a": 200, "b": 100}, {"a": 30, "b": 99})
    {'a': 30, 'b': 15}
    """
    shares = [(available.get(name, 0), items) for name, items in train.items() if items]
    most, per = min(shares, key=lambda share: share[0] / share[1], default=(0, 1))
    return {name: (2 * items * most + per) // (2 * per) for name, items in train.items()}  # rounded


def _key(row_id: str, seed: int) -> bytes:
    return hashlib.blake2b(f"{seed} {row_id}".encode(), digest_size=16).digest()
