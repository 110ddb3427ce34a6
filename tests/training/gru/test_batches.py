"""Batches of decoder steps: every item once an epoch, the same ones after a resume, an unbiased choice of steps."""

import numpy as np
import pytest
import torch
from fabricated_items import fabricated_rows

from bap_v2_training.gru.batches import StepBatches, collated
from bap_v2_training.gru.features import Features, Steps, vocabulary_of
from bap_v2_training.gru.model import BapGruConfig, BapGruModel

torch.set_num_threads(1)
ROWS = fabricated_rows(12)


@pytest.fixture(scope="module")
def steps() -> Steps:
    return Features(vocabulary_of(ROWS)).of(ROWS)


@pytest.mark.parametrize("budget", [1, 2, 7, 24, 10_000])
@pytest.mark.parametrize("per_item", [None, 1, 3])
def test_an_epoch_has_every_item_once_in_batches_of_the_budget(steps, budget, per_item):
    batches = StepBatches(steps, budget, per_item, seed=1)
    counts = set()
    for epoch in range(3):
        batches.set_epoch(epoch)
        drawn = list(batches)
        counts.add(len(drawn))
        assert sorted(item for batch in drawn for item, _ in batch) == list(range(len(steps)))
        sizes = np.diff(steps.starts)
        for item, chosen in (pair for batch in drawn for pair in batch):
            assert len(chosen) == min(sizes[item], per_item or sizes[item])
            assert list(chosen) == sorted(set(chosen)) and chosen[-1] < sizes[item]
        if budget == 1:
            assert {len(batch) for batch in drawn} == {1}
        elif len(drawn) > 1:
            # as many as the budget on average; one more item where a batch ends within it
            total = [sum(len(chosen) for _, chosen in batch) for batch in drawn]
            assert max(total) <= 2 * budget + max(sizes)
    assert counts == {len(batches)}


def test_the_order_is_that_of_seed_and_epoch_and_differs_between_epochs(steps):
    def drawn(seed, epoch):
        batches = StepBatches(steps, 8, 2, seed)
        batches.set_epoch(epoch)
        return [[(item, tuple(chosen)) for item, chosen in batch] for batch in batches]

    assert drawn(1, 1) == drawn(1, 1)
    assert drawn(1, 1) != drawn(1, 2) and drawn(1, 1) != drawn(2, 1)


def test_boards_of_a_batch_are_about_as_high(steps):
    heights = [
        np.array([steps.levels[steps.starts[item] : steps.starts[item + 1]].max() for item, _ in batch])
        for batch in StepBatches(steps, 12, seed=1)
    ]
    spread = np.mean([own.max() - own.min() for own in heights])
    assert spread < 0.5 < np.concatenate(heights).std()


def test_the_mean_gradient_of_random_steps_is_that_of_all_steps(steps):
    """All choices of two steps of an item, each as likely: their mean is the full loss, and its gradient too."""
    torch.manual_seed(1)
    sizes = {"embedding": 6, "hidden": 5, "channels": [3, 3, 3], "head": [4, 4], "stop": [3]}
    model = BapGruModel(BapGruConfig(vocab_size=len(vocabulary_of(ROWS)), **sizes)).double()
    item = int(np.diff(steps.starts).argmax())
    n = int(np.diff(steps.starts)[item])
    pairs = [np.array([first, second]) for second in range(n) for first in range(second)]
    assert n >= 4

    def gradients(choices):
        batches = [collated(steps, [(item, chosen)]) for chosen in choices]
        loss = sum(model(**{name: doubled(value) for name, value in batch.items()}).loss for batch in batches)
        return [loss / len(choices), *torch.autograd.grad(loss / len(choices), list(model.parameters()))]

    def doubled(value):
        return value.double() if value.is_floating_point() else value

    for sampled, full in zip(gradients(pairs), gradients([np.arange(n)]), strict=True):
        torch.testing.assert_close(sampled.float(), full.float(), rtol=1e-3, atol=1e-6)


def test_every_step_is_chosen_as_often_as_the_others(steps):
    batches, size = StepBatches(steps, 24, 2, seed=3), np.diff(steps.starts)
    counts = [np.zeros(n) for n in size]
    for epoch in range(200):
        batches.set_epoch(epoch)
        for item, chosen in (pair for batch in batches for pair in batch):
            counts[item][chosen] += 1
    for n in set(size[size > 2]):
        shares = sum(count for count, own in zip(counts, size) if own == n) / (200 * (size == n).sum())
        assert shares == pytest.approx(np.full(n, 2 / n), abs=0.06)
