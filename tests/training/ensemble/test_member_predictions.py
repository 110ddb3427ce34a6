"""What an ensemble makes of its members' samples: features, probabilities, and the weights that are learned."""

import math
from itertools import permutations

import numpy as np
import pytest

from bap_v2_metric.notation import parse_structure
from bap_v2_training.decoding.bayes_risk import shares_of
from bap_v2_training.ensemble.builder import most_agreed
from bap_v2_training.ensemble.fitting import FOLDS, Fit, FitItem, answers_of_member
from bap_v2_training.ensemble.member_predictions import (
    MemberPredictions,
    feature_names,
    features_of,
    fitted,
    probabilities,
)
from bap_v2_training.errors import UsageError

RED, BLUE, GREEN, UP = (0, 0, 1, 0), (3, 1, 1, 0), (4, 2, 1, 0), (0, 0, 2, 0)


def by_shares(samples, said) -> MemberPredictions:
    return MemberPredictions(samples, list(map(shares_of, samples)), said)


def test_features_by_hand():
    member_predictions = by_shares([[[RED], [RED, UP]], [[BLUE], []]], [[RED]])
    actions, features = features_of(member_predictions)
    assert actions == [RED, UP, BLUE]
    names = feature_names(["a", "b"], ["symbolic"])
    assert features.shape == (3, len(names))
    by_name = dict(zip(names, features.T.tolist(), strict=True))
    all_but, none = math.log(1.01 / 0.01), math.log(0.01 / 1.01)
    assert by_name["log odds of a"] == pytest.approx([all_but, 0.0, none])
    assert by_name["log odds of b"] == pytest.approx([none, none, 0.0])
    assert by_name["symbolic says it"] == [1.0, 0.0, 0.0]
    assert by_name["symbolic says it, times mean share"] == [0.5, 0.0, 0.0]
    agreement = 2 * 1.0 / (1 + 1.5)  # with a, whose samples have 1.5 actions on average, one of them the rule's
    assert by_name["symbolic agreement"] == pytest.approx([agreement] * 3)
    assert by_name["symbolic says it, times agreement"] == pytest.approx([agreement, 0.0, 0.0])
    assert by_name["log number of actions"] == pytest.approx([math.log1p((1.5 + 0.5) / 2)] * 3)
    assert by_name["constant"] == [1.0] * 3 and by_name["removal"] == [0.0] * 3


def test_nobody_says_anything():
    member_predictions = by_shares([[[], []]], [[]])
    actions, features = features_of(member_predictions)
    assert actions == [] and features.shape == (0, len(feature_names(["a"], ["symbolic"])))
    assert probabilities(member_predictions, np.ones(features.shape[1])) == {}


def test_weights_are_those_that_made_the_labels():
    """Labels drawn by known weights: what is learned is near them, and predicts as often as it says."""
    rng = np.random.default_rng(1)
    features = np.column_stack([rng.normal(0, scale, 20_000) for scale in (1.0, 3.0)] + [np.ones(20_000)])
    weights = np.array([1.5, -0.4, -1.0])
    right = rng.random(20_000) < 1 / (1 + np.exp(-features @ weights))
    learned = fitted(features, right)
    assert learned == pytest.approx(weights, abs=0.08)
    assert (1 / (1 + np.exp(-features @ learned))).mean() == pytest.approx(right.mean(), abs=1e-3)


def item(samples, fold: int, before: list[str]) -> FitItem:
    return FitItem({}, parse_structure(before), by_shares([samples], []), frozenset([UP]), fold)


def test_on_an_empty_board_the_order_of_a_member_s_samples_does_not_count():
    red, pair, tower = [RED], [RED, UP], [RED, UP, (0, 0, 3, 0)]  # the pair is most like the others
    answers = {
        answers_of_member([item(list(samples), 0, [])], 0, 0.15)[0] for samples in permutations([red, pair, tower])
    }
    assert len(answers) == 1 and len(answers.pop().splitlines()) == 2


def test_weights_are_learned_from_two_games_whichever_they_are():
    board = ["red 0 1 0"]
    with pytest.raises(UsageError, match="begin on an empty board nearly always"):
        Fit([item([[UP], [UP]], 3, board), item([[UP], [UP]], 3, board)])
    assert len(Fit([item([[UP], []], fold, board) for fold in (1, 3)]).without) == FOLDS


def test_on_an_empty_board_the_place_does_not_count_and_trust_does():
    there, far = [(0, 0, 1, 0), (0, 0, 2, 0)], [(0, 4, 1, 3), (0, 4, 2, 3)]  # a stack of two, here and there
    other = [(1, 0, 1, 0)]
    member_predictions = by_shares([[there, far, other], [other, other, other]], [])
    assert most_agreed(member_predictions, [1.0, 0.2]) in (there, far)
    assert most_agreed(member_predictions, [0.2, 1.0]) == other
    assert most_agreed(by_shares([[there, other]], [far]), [1.0]) in (there, far)  # the rule decides
