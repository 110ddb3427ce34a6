"""The chosen answer has the highest mean F1 against the samples, as counted one by one."""

import random
from statistics import fmean

import pytest

from bap_v2_metric.alignment import largest_overlap
from bap_v2_metric.blocks import Cell
from bap_v2_training.decoding.bayes_risk import _aligned_f1, least_risk, probable, shares_of


def f1(answer, other):
    return 2 * len({*answer} & {*other}) / (len(answer) + len(other)) if answer or other else 1.0


def aligned_f1(answer, other):
    moving, fixed = ([(kind, Cell(*cell)) for kind, *cell in part] for part in (answer, other))
    return 2 * largest_overlap(moving, fixed) / (len(answer) + len(other)) if answer or other else 1.0


def drawn_answers(rng: random.Random, number: int, reach: int) -> list[tuple]:
    """Answers of up to 5 blocks, some of them empty or equal."""
    answers = []
    for _ in range(number):
        cells = {(rng.randint(-reach, reach), rng.randint(1, 2), rng.randint(-reach, reach)) for _ in range(5)}
        answers.append(tuple((rng.randrange(2), *cell) for cell in sorted(cells)[: rng.randrange(6)]))
        if rng.random() < 0.2:
            answers[-1] = rng.choice(answers)
    return answers


@pytest.mark.parametrize(("empty_board", "agreement"), [(False, f1), (True, aligned_f1)])
def test_the_answer_with_the_highest_mean_f1_is_chosen_the_greedy_one_and_early_ones_first(empty_board, agreement):
    rng = random.Random(3)
    chosen = []
    for _ in range(60):
        greedy, *samples = drawn_answers(rng, 7, 1)
        means = [fmean(agreement(greedy, other) for other in samples)]
        for index, sample in enumerate(samples):
            means.append(fmean(agreement(sample, other) for other in samples[:index] + samples[index + 1 :]))
        best = next(index for index, mean in enumerate(means) if mean > max(means) - 1e-9)
        assert least_risk(greedy, samples, empty_board) == best
        chosen.append(best)
    assert len({*chosen}) > 4


def test_alignment_is_that_of_the_metric_up_to_the_walls():
    rng = random.Random(4)
    answers = [*dict.fromkeys(map(frozenset, drawn_answers(rng, 25, 5)))]
    matrix = _aligned_f1(answers)
    for row, answer in zip(matrix, answers):
        assert row.tolist() == pytest.approx([aligned_f1(answer, other) for other in answers])
    assert (matrix > 0.4).sum() > 2 * len(answers)


def test_a_tie_is_the_greedy_answer():
    red, blue = [(0, 0, 1, 0)], [(1, 0, 1, 0)]
    assert least_risk(red, [blue, red], False) == 0
    assert least_risk(red, [blue, blue], False) == 1
    assert least_risk([], [[], []], True) == 0


def test_an_answer_has_the_actions_that_are_probable_enough():
    """Against a count one by one; the set with the highest expected true positives minus `least` for each action."""
    rng = random.Random(5)
    for _ in range(40):
        samples = [tuple(dict.fromkeys(answer)) for answer in drawn_answers(rng, 9, 1)]
        least = rng.choice((0.0, 0.1, 0.3, 0.5))
        shares = {action: fmean(action in sample for sample in samples) for sample in samples for action in sample}
        found = probable(shares_of(samples), least)
        assert len({action[1:] for action in found}) == len(found)
        for action, share in shares.items():
            rivals = [other for other in shares if other[1:] == action[1:] and other != action]
            if action in found:
                assert share > least and all(share >= shares[other] for other in rivals)
            else:
                assert share <= least or any(shares[other] >= share for other in rivals if other in found)


def test_a_cell_may_lose_a_block_and_get_another():
    assert probable(shares_of([[(6, 0, 1, 0), (2, 0, 1, 0)]] * 2 + [[(3, 0, 1, 0)]]), 0.3) == [
        (6, 0, 1, 0),
        (2, 0, 1, 0),
    ]
