"""Decoding step by step: as the whole network reads an answer, whatever the batch; samples follow the distribution."""

import numpy as np
import pytest
import torch
from small_builders import ROWS, save_builder

from bap_v2_training.decoding.bayes_risk import Sampling, drawn
from bap_v2_training.learning.cells import CELLS, cell_number, coordinates
from bap_v2_training.learning.net_actions import REMOVE
from bap_v2_training.pointer.decoding import PointerBuilder
from bap_v2_training.pointer.examples import STOP, example_of_row
from bap_v2_training.pointer.features import collate
from bap_v2_training.pointer.generation import generated

SOME = ROWS[::6]
MOST = 5


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return str(save_builder(tmp_path_factory.mktemp("models") / "pointer", "bap_pointer"))


@pytest.fixture(scope="module")
def builder(folder):
    return PointerBuilder.load(folder, "float32", MOST, False)


@pytest.fixture(scope="module")
def batch(builder):
    batch = collate([example_of_row(row) for row in SOME], builder.vocabulary, builder.features)
    del batch["targets"]
    return batch


def numbers_of(rows, samples, steps, seed=0):
    sampling = Sampling(samples, seed=seed)
    return torch.from_numpy(np.stack([sampling.uniform(row["id"], steps) for row in rows]))


def scores_of(model, batch, answers):
    """What the whole network gives at each step of answers: kinds [B, T, 8], and cells by (item, step), [1089]."""
    targets = torch.zeros(len(answers), MOST + 1, 4, dtype=torch.long)
    targets[..., 0] = -1
    for row, answer in zip(targets, answers):
        row[: len(answer)] = torch.tensor(answer).reshape(-1, 4)
    memory = model.encode(**batch)
    states = model.decode_states(targets, batch["last"], memory)
    every = torch.stack(coordinates(torch.arange(CELLS)), -1)
    cells = {}
    for item, step in zip(*torch.nonzero((targets[..., 0] >= 0) & (targets[..., 0] < STOP), as_tuple=True)):
        asked = [value.expand(CELLS) for value in (item, step, targets[item, step, 0])]
        cells[int(item), int(step)] = model.cell_likelihood(
            states, memory, batch["blocks"], targets, batch["last"], *asked, every
        )
    return model.kind_head(states), cells


@torch.inference_mode()
@pytest.mark.parametrize("samples", [0, 3])
def test_the_greedy_answer_is_the_likeliest_of_each_step_as_the_whole_network_reads_it(builder, batch, samples):
    uniform = numbers_of(SOME, samples, MOST + 1) if samples else None
    found = generated(builder.model, batch, MOST, uniform)
    assert {len(candidates) for candidates in found} == {1 + samples}
    answers = [candidates[0] for candidates in found]
    kinds, cells = scores_of(builder.model, batch, answers)
    seen = set()
    for item, (answer, blocks) in enumerate(zip(answers, batch["blocks"])):
        full = torch.zeros(CELLS, dtype=torch.bool)
        full[cell_number(*blocks[blocks[:, 0] >= 0, 1:].unbind(-1))] = True
        for step, (kind, *cell) in enumerate(answer):
            if not full.any():
                kinds[item, step, REMOVE] = -torch.inf
            assert kinds[item, step].max() - kinds[item, step, kind] < 1e-4
            if kind == STOP:
                assert step == len(answer) - 1
                continue
            number = cell_number(*cell)
            possible = cells[item, step].masked_fill(full != (kind == REMOVE), -torch.inf)
            assert possible.max() - possible[number] < 1e-4
            full[number] = kind != REMOVE
            seen.add((kind == REMOVE, step))
        if answer[-1][0] != STOP:  # cut off
            assert len(answer) == MOST and kinds[item, MOST].argmax() != STOP
    assert {removal for removal, _ in seen} == {True, False} and {step for _, step in seen} == {*range(MOST)}


@torch.inference_mode()
def test_samples_without_heat_are_the_greedy_answer_and_with_it_they_differ(builder, batch):
    uniform = numbers_of(SOME, 4, MOST + 1)
    for greedy, *samples in generated(builder.model, batch, MOST, uniform, temperature=1e-4):
        assert samples == [greedy] * 4
    hot = generated(builder.model, batch, MOST, uniform, temperature=1.0)
    assert np.mean([len(set(map(tuple, candidates))) for candidates in hot]) > 2


@torch.inference_mode()
def test_a_sample_depends_on_its_own_numbers_alone(builder, batch):
    uniform = numbers_of(SOME, 4, MOST + 1)
    found = generated(builder.model, batch, MOST, uniform)
    for item in range(0, len(SOME), 5):
        alone = {name: values[item : item + 1] for name, values in batch.items()}
        assert generated(builder.model, alone, MOST, uniform[item : item + 1, :2])[0] == found[item][:3]


def test_answers_are_the_same_whatever_the_batch_and_differ_between_seeds(folder):
    builder = PointerBuilder.load(folder, "float32", MOST, False, samples=5)
    whole = builder.answers(SOME)
    for size in (1, 7):
        parts = [builder.answers(SOME[first : first + size]) for first in range(0, len(SOME), size)]
        assert [answer for part in parts for answer in part] == whole
    assert builder.answers(SOME[::-1])[::-1] == whole
    other = PointerBuilder.load(folder, "float32", MOST, False, samples=5, seed=1).answers(SOME)
    greedy = PointerBuilder.load(folder, "float32", MOST, False, samples=1).answers(SOME)
    assert PointerBuilder.load(folder, "float32", MOST, False).answers(SOME) == greedy
    assert len({tuple(whole), tuple(other), tuple(greedy)}) == 3


def test_even_numbers_draw_each_choice_as_often_as_it_is_likely():
    weights = torch.tensor([0.0, 0.1, 0.0, 0.65, 0.25, 0.0])
    even = (torch.arange(1000) + 0.5) / 1000
    for temperature in (1.0, 0.5):
        expected = weights ** (1 / temperature)
        counts = torch.bincount(drawn(weights.log().expand(1000, -1), even, temperature), minlength=6)
        assert (counts - 1000 * expected / expected.sum()).abs().max() <= 1
    for edge in (0.0, 1 - 2**-22):
        assert weights[drawn(weights.log()[None], torch.tensor([edge]), 1.0)] > 0
    assert drawn(weights.log()[None], torch.tensor([-1.0]), 1.0) == 3


def test_the_numbers_of_an_item_are_those_of_its_name_and_more_samples_begin_with_the_same():
    numbers = Sampling(8).uniform("mdc-1", 49)
    assert numbers.shape == (8, 49, 2) and numbers.dtype == np.float32
    assert numbers.min() >= 0 and numbers.max() < 1 and abs(numbers.mean() - 0.5) < 0.05
    np.testing.assert_array_equal(Sampling(4).uniform("mdc-1", 49), numbers[:4])
    assert not np.array_equal(Sampling(8, seed=1).uniform("mdc-1", 49), numbers)
    assert not np.array_equal(Sampling(8).uniform("mdc-2", 49), numbers)


@pytest.mark.slow
@torch.inference_mode()
def test_how_probable_actions_are_is_said_better_by_likelihoods_than_by_shares(builder, batch):
    """Of many samples both are the same; of few, likelihoods are nearer to it."""

    def shares(found) -> torch.Tensor:
        counts = torch.zeros(len(SOME), STOP, CELLS)
        for item, (_, *samples) in enumerate(found):
            for kind, *cell in (action for sample in samples for action in sample if action[0] != STOP):
                counts[item, kind, cell_number(*cell)] += 1 / len(samples)
        return counts

    def both(samples: int, seed: int) -> tuple[torch.Tensor, torch.Tensor]:
        expected = torch.zeros(len(SOME), STOP, CELLS)
        found = generated(builder.model, batch, MOST, numbers_of(SOME, samples, MOST + 1, seed), expected=expected)
        return shares(found), expected

    many, expected = both(3000, 1)
    assert (many - expected).abs().max() < 5 * (0.25 / 3000) ** 0.5
    assert expected.sum((1, 2)).numpy() == pytest.approx(many.sum((1, 2)).numpy(), abs=1e-4)  # as many actions
    few, expected_by_few = both(16, 2)
    assert (expected_by_few - many).square().sum() < 0.75 * (few - many).square().sum()


@torch.inference_mode()
def test_probabilities_are_those_of_the_item_alone_in_its_own_cells(folder):
    sampled = PointerBuilder.load(folder, "float32", MOST, False, samples=8)
    together = sampled.candidates(SOME)
    for row, found in zip(SOME, together, strict=True):
        (alone,) = sampled.candidates([row])
        assert alone.probability.keys() == found.probability.keys()
        assert list(alone.probability.values()) == pytest.approx(list(found.probability.values()), abs=1e-5)
        before = {line.split(" ", 1)[1] for line in row["before"]}
        assert all((f"{x} {y} {z}" in before) for kind, x, y, z in found.probability if kind == REMOVE)
        said = {action for numbers, _ in found.samples for action in numbers}
        assert not said or max(found.probability, key=found.probability.get) in said
