"""What the members of an ensemble think of an item, and how probable that makes each action: stacking.

Wolpert (1992), Stacked Generalization, Neural Networks 5. The log odds of an action are a weighted sum: of the log odds
that each member gives it, of what rules say, and of a little about the item. Members that know the same count little
beside each other, and probabilities are calibrated, so that a threshold on them means the same for every ensemble.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch.nn import functional as F

from bap_v2_training.learning.net_actions import REMOVE, Numbers

Answer = Sequence[Numbers]  # net actions, none twice
_LEAST = 0.01  # what a share of samples is kept away from 0 and 1: 32 samples show no more
_OF_RULES = ("says it", "says it, times mean share", "says it, times agreement", "agreement", "answers")
_L2 = 1e-4  # on weights of features in units of their deviation


class MemberPredictions(NamedTuple):
    """The answers to one item, as net actions (type, x, y, z) in the world's cells."""

    samples: Sequence[Sequence[Answer]]  # of each member
    probability: Sequence[Mapping[Numbers, float]]  # of each member, of net actions
    rule_predictions: Sequence[Answer]  # of each rule


def feature_names(members: Sequence[str], rules: Sequence[str]) -> list[str]:
    """Name what `features_of` gives of an action, by the names of members and rules; last the constant."""
    of_rules = [f"{rule} {what}" for rule in rules for what in _OF_RULES]
    return [*(f"log odds of {member}" for member in members), *of_rules, "log number of actions", "removal", "constant"]


def features_of(member_predictions: MemberPredictions) -> tuple[list[Numbers], np.ndarray]:
    """Return every action that a member or a rule gives, and its features, float64 [actions, features]."""
    # The log odds by each member
    shares = member_predictions.probability
    actions = sorted(set().union(*shares, *member_predictions.rule_predictions))
    share = np.array([[of_member.get(action, 0.0) for of_member in shares] for action in actions])
    share = share.reshape(len(actions), len(shares))
    columns = [np.log((share + _LEAST) / (1 - share + _LEAST))]
    # What rules say, and how far members agree with them
    for answer in member_predictions.rule_predictions:
        says = np.array([action in answer for action in actions], float)
        agreed = max(_expected_f1(answer, of_member) for of_member in shares)
        everywhere = np.ones(len(actions))
        columns += [says, says * share.mean(1), says * agreed, everywhere * agreed, everywhere * bool(answer)]
    # The item, and the kind of action
    expected = np.mean([sum(of_member.values()) for of_member in shares])
    columns += [
        np.full(len(actions), np.log1p(expected)),
        np.array([action[0] == REMOVE for action in actions], float),
        np.ones(len(actions)),
    ]
    return actions, np.column_stack(columns)


def _expected_f1(answer: Answer, shares: Mapping[Numbers, float]) -> float:
    """Return how much an answer agrees with a member: its expected true positives, times two, by the sizes of both."""
    total = len(answer) + sum(shares.values())
    return 2 * sum(shares.get(action, 0.0) for action in answer) / total if total else 1.0


def probabilities(member_predictions: MemberPredictions, weights: np.ndarray) -> dict[Numbers, float]:
    """Return how probable each action is, by weights of the features."""
    actions, features = features_of(member_predictions)
    return dict(zip(actions, (1 / (1 + np.exp(-features @ weights))).tolist(), strict=True))


def fitted(features: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Weights of the features by logistic regression.

    Args:
        features: of `features_of`, of the actions of many items, [N, features].
        right: which of the actions are right, [N].
    """
    deviation = features.std(0)
    deviation[deviation == 0] = 1.0  # of the constant, and of what is the same everywhere
    given, labels = torch.from_numpy(features / deviation), torch.from_numpy(right.astype(float))
    weights = torch.zeros(features.shape[1], dtype=torch.float64, requires_grad=True)
    optimizer = torch.optim.LBFGS([weights], max_iter=200, line_search_fn="strong_wolfe")

    def loss() -> torch.Tensor:
        optimizer.zero_grad()
        total = F.binary_cross_entropy_with_logits(given @ weights, labels) + _L2 * weights[:-1].square().sum()
        total.backward()
        return total

    optimizer.step(loss)
    return weights.detach().numpy() / deviation
