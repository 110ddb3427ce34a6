"""Scores of systems that were trained with several seeds: their intervals, and tests of their differences."""

import math
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from studies.seeds import SeededCounts, SeededScores, holm, two_sided_p

from bap_v2_metric import bootstrap
from bap_v2_metric.counts import Counts
from bap_v2_metric.scoring import InputError, aggregate, bootstrap_f1, score_items

BOARDS = [[], ["red 0 1 0"], ["red 0 1 0", "blue 1 1 0"]]


def answered(rng: np.random.Generator, n: int, right: float) -> list[dict]:
    """The counts of n items, on boards in turn, of which about this share is answered rightly."""
    references = [{"before": BOARDS[k % 3], "after": [*BOARDS[k % 3], "green 0 2 0"]} for k in range(n)]
    texts = ["place green 0 2 0" if rng.random() < right else "place green 3 1 3" for _ in range(n)]
    return score_items(texts, references)


def constant(shares: list[float], n: int = 40) -> SeededCounts:
    """Counts of items that all have the same F1 with a seed: items make no difference."""
    return SeededCounts(
        np.array([[round(100 * share)] * n for share in shares]), np.full((len(shares), n), 100), np.full(n, 100)
    )


def noisy(rng: np.random.Generator, n_seeds: int, n: int, level: float) -> SeededCounts:
    return SeededCounts((rng.random((n_seeds, n)) < level).astype(int), np.ones((n_seeds, n), int), np.ones(n, int))


# --- Student's t


@given(st.floats(0, 50))
def test_the_tails_are_those_of_the_closed_forms(t):
    assert two_sided_p(t, 1) == pytest.approx(1 - 2 / math.pi * math.atan(t), abs=1e-9)
    assert two_sided_p(t, 2) == pytest.approx(1 - t / math.sqrt(2 + t * t), abs=1e-9)
    cubic = 2 / math.pi * (math.atan(t / math.sqrt(3)) + t / math.sqrt(3) / (1 + t * t / 3))
    assert two_sided_p(t, 3) == pytest.approx(1 - cubic, abs=1e-9)
    assert two_sided_p(t, math.inf) == pytest.approx(2 * NormalDist().cdf(-t), abs=1e-9)


# --- Scores


def test_scores_are_means_of_those_of_the_metric():
    rng = np.random.default_rng(1)
    runs = [answered(rng, 60, share) for share in (0.3, 0.5, 0.8)]
    for group in ("", "eb_", "neb_"):
        counts = SeededCounts.of(runs, "fairer", group)
        expected = [aggregate(run)[f"{group}fairer_f1"] for run in runs]
        assert counts.f1.tolist() == pytest.approx(expected)
        score = SeededScores({"a": [counts]}, 50).score("a", [0])
        assert score.by_seed == pytest.approx(expected) and score.value == pytest.approx(sum(expected) / 3)
        assert score.deviation == pytest.approx(np.std(expected, ddof=1))


def test_where_items_make_no_difference_the_interval_is_that_of_a_mean_over_seeds():
    values = [0.50, 0.56, 0.62]
    score = SeededScores({"a": [constant(values)]}, 20_000).score("a", [0])
    assert score.error == pytest.approx(np.std(values, ddof=1) / math.sqrt(3), rel=0.02)  # s / sqrt(S)
    assert score.degrees == pytest.approx(2, rel=0.1)
    assert score.high - score.value == pytest.approx(4.3027 * score.error, rel=0.05)


@pytest.mark.parametrize("targets", [None, [f"target {place % 13}" for place in range(200)]])
def test_where_seeds_make_no_difference_the_interval_is_that_of_the_metric(targets):
    run = answered(np.random.default_rng(2), 200, 0.6)
    if targets:  # of one target all or nothing is right, so that the interval is wider than over items
        wrong = {"tp": 0, "fp": 1, "fn": 1}
        run = [item if place % 13 < 7 else {**item, "fairer": wrong} for place, item in enumerate(run)]
    score = SeededScores({"a": [SeededCounts.of([run, run, run]).drawn_with(targets)]}, 4000).score("a", [0])
    low, high = bootstrap(run, 4000, clusters=targets)["neb_fairer_f1"]
    assert (score.low, score.high) == pytest.approx((low, high), abs=0.012)
    assert math.isinf(score.degrees) and score.deviation == 0.0


def test_resamples_of_items_are_those_of_a_bootstrap_by_hand():
    rng = np.random.default_rng(3)
    counts = SeededCounts(rng.integers(0, 3, (1, 30)), rng.integers(2, 5, (1, 30)), rng.integers(2, 5, 30))
    draws = rng.integers(0, 30, (4000, 30))
    f1 = [
        2 * counts.right[0, drawn].sum() / (counts.predicted[0, drawn].sum() + counts.wanted[drawn].sum())
        for drawn in draws
    ]
    score = SeededScores({"a": [counts]}, 4000).score("a", [0])
    assert score.error == pytest.approx(np.std(f1), rel=0.06)
    rows = zip(counts.right[0].tolist(), counts.predicted[0].tolist(), counts.wanted.tolist())
    by_item = [Counts(right, predicted - right, wanted - right) for right, predicted, wanted in rows]
    low, high = bootstrap_f1(by_item, 4000)
    assert (score.low, score.high) == pytest.approx((low, high), abs=0.01)


def test_a_mean_over_test_sets_is_surer_than_each_of_them():
    rng = np.random.default_rng(4)
    one = SeededScores({"a": [noisy(rng, 1, 300, 0.5) for _ in range(4)]}, 4000)
    single = [one.score("a", [number]) for number in range(4)]
    together = one.score("a", range(4))
    assert together.value == pytest.approx(sum(score.value for score in single) / 4)
    variance = sum(score.error**2 for score in single) / 16  # of independent sets
    assert together.error == pytest.approx(math.sqrt(variance), rel=0.05)


# --- Differences


def test_systems_that_differ_equally_with_every_seed_differ_surely_although_seeds_differ():
    scores = SeededScores({"a": [constant([0.2, 0.5, 0.8])], "b": [constant([0.3, 0.6, 0.9])]}, 500)
    difference = scores.difference("b", "a", [0])
    assert difference.value == pytest.approx(0.1) and difference.p_value < 1e-6
    assert (difference.low, difference.high) == pytest.approx((0.1, 0.1), abs=1e-6)
    wide = scores.score("a", [0])
    assert wide.high - wide.low > 0.5


def test_two_equal_systems_do_not_differ():
    counts = noisy(np.random.default_rng(5), 3, 50, 0.4)
    same = SeededScores({"a": [counts], "b": [counts]}, 100).difference("b", "a", [0])
    assert (same.value, same.low, same.high, same.p_value) == (0.0, 0.0, 0.0, 1.0)


def test_the_paired_difference_is_that_of_a_t_test_over_seeds_where_items_make_no_difference():
    a, b = [0.50, 0.54, 0.61], [0.55, 0.62, 0.63]
    difference = SeededScores({"a": [constant(a)], "b": [constant(b)]}, 20_000).difference("b", "a", [0])
    d = np.subtract(b, a)
    t = d.mean() / (d.std(ddof=1) / math.sqrt(3))
    assert difference.p_value == pytest.approx(two_sided_p(t, 2), rel=0.1)


@pytest.mark.parametrize("of_seeds", [0.0, 0.05])
def test_intervals_from_three_seeds_hold_as_often_as_they_say(of_seeds):
    """Of 95% intervals about 95% hold what is true; percentiles of a plain bootstrap hold it in far fewer cases."""
    rng = np.random.default_rng(6)
    held = plain = 0
    for number in range(250):
        levels = np.clip(0.5 + of_seeds * rng.standard_normal(3), 0, 1)
        difficulty = rng.random(150)  # items are common to the seeds
        right = (0.5 * (rng.random((3, 150)) < levels[:, None]) + 0.5 * (difficulty < 0.5) > 0.4).astype(int)
        truth = 0.75
        counts = SeededCounts(right, np.ones_like(right), np.ones(150, int))
        score = SeededScores({"a": [counts]}, 200, seed=number).score("a", [0])
        held += score.low <= truth <= score.high
        drawn = counts.f1[rng.integers(0, 3, (200, 3))].mean(1)
        plain += np.quantile(drawn, 0.025) <= truth <= np.quantile(drawn, 0.975)
    assert held >= 0.9 * 250 > plain


# --- Several tests


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8))
def test_holm_is_the_rejection_rule_step_by_step(p_values):
    corrected = holm(p_values)
    for alpha in (0.01, 0.05, 0.3):
        rejected = set()
        for rank, number in enumerate(sorted(range(len(p_values)), key=lambda n: p_values[n])):
            if p_values[number] * (len(p_values) - rank) > alpha:
                break
            rejected.add(number)
        assert {number for number, p_value in enumerate(corrected) if p_value <= alpha} == rejected


# --- Errors


def test_what_cannot_be_compared_is_refused():
    rng = np.random.default_rng(8)
    runs = [answered(rng, 6, 0.5), answered(rng, 5, 0.5)]
    with pytest.raises(InputError, match="runs of 6, 5 items"):
        SeededCounts.of(runs)
    with pytest.raises(InputError, match="group"):
        SeededCounts.of(runs[:1], group="neb")
    with pytest.raises(InputError, match="same seeds"):
        SeededScores({"a": [noisy(rng, 3, 9, 0.5)], "b": [noisy(rng, 2, 9, 0.5)]})
    with pytest.raises(InputError, match="n_resamples"):
        SeededScores({"a": [noisy(rng, 3, 9, 0.5)]}, 0)
