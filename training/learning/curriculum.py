"""Stages of a curriculum: which items are learned before which (BAP v2, 11.2)."""

import random
from collections.abc import Sequence

import torch
from transformers.trainer_pt_utils import get_length_grouped_indices

from bap_v2_training.errors import UsageError


def stages_of(curriculum: str, sources: Sequence[str]) -> list[list[int]]:
    """Return the positions of the items of each stage.

    Args:
        curriculum: stages separated by commas, each of one or more sources joined by +. `synthetic` stands for all
            simulators.
        sources: where each item comes from.
    Raises:
        UsageError: a stage has no items, or an item has no stage or two.

    >>> stages_of("synthetic,human", ["dr", "human", "dss", "human"])
    [[0, 2], [1, 3]]
    """
    present = sorted(set(sources))
    stages, assigned = [], set()
    for stage in curriculum.split(","):
        names = set()
        for name in stage.strip().split("+"):
            names |= set(present) - {"human", "own"} if name == "synthetic" else {name}
        if missing := sorted(names - set(present)) or ([] if names else [stage]):
            raise UsageError(f"curriculum: there are no items of {', '.join(missing)} (but of {', '.join(present)})")
        if twice := sorted(names & assigned):
            raise UsageError(f"curriculum: {', '.join(twice)} is in two stages")
        assigned |= names
        stages.append([index for index, source in enumerate(sources) if source in names])
    if left := sorted(set(present) - assigned):
        raise UsageError(f"curriculum: no stage has the items of {', '.join(left)}")
    return stages


def order_of(
    stages: Sequence[Sequence[int]], epochs: int, seed: int, lengths: Sequence[int] | None = None, group: int = 1
) -> list[int]:
    """The positions of all items in the order of learning: shuffled for every epoch of a stage, never across stages.

    Args:
        stages: what `stages_of` gives.
        epochs: how often each stage is learned before the next one.
        lengths: of the items, if each `group` of them that are learned together should be about equally long.
    """
    order = []
    for stage, positions in enumerate(stages):
        for epoch in range(epochs):
            rng = random.Random(f"{seed}/{stage}/{epoch}")
            if lengths is None:
                shuffled = rng.sample(range(len(positions)), len(positions))
            else:
                generator = torch.Generator().manual_seed(rng.getrandbits(63))
                shuffled = get_length_grouped_indices(
                    [lengths[position] for position in positions], group, generator=generator
                )
            order += [positions[index] for index in shuffled]
    return order
