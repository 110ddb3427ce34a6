"""Minimum Bayes risk decoding: the answer that agrees best with what the model would say.

For every model that builds: the pointer transformer, the GRU, and language models.

The risk of an answer is the expected loss over the model's own distribution of answers, for which samples stand. Where
an instruction can be carried out in many ways, the likeliest single answer may be like none of the others.

- `least_risk`: of the samples and the greedy answer, the one with the highest mean F1 of net actions. Kumar and Byrne
  (2004), Minimum Bayes-Risk Decoding for Statistical Machine Translation, NAACL; Eikema and Aziz (2020), Is MAP
  Decoding All You Need? The Inadequacy of the Mode in Neural Machine Translation, COLING: with samples.
- `whole`: of the samples, their beginnings and the greedy answer, the one whose net actions together are the most above
  a probability. With half of the F1 that is reached, what it adds to the micro F1 is highest among them.
- `probable`: every net action that is probable enough. The micro F1 of a test set is highest if an answer has those
  actions whose probability is above half of that F1. Lipton, Elkan and Naryanaswamy (2014), Optimal Thresholding of
  Classifiers to Maximize F1 Measure, ECML PKDD.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import NamedTuple

import numpy as np
import torch

from bap_v2_metric.blocks import X_MAX, X_MIN, Z_MAX, Z_MIN, Structure
from bap_v2_metric.notation import format_action
from bap_v2_training.learning.net_actions import REMOVE, Numbers, net_of, planned

PROBABILITY_VERSION = 2  # of `Sampled.probability`; 1: of every Builder the share of samples that have an action
_TURNS = ((1, 0), (0, 1), (-1, 0), (0, -1))  # cosine and sine of quarter turns, see `alignment.Transform`
_GRAIN = 2**22  # of random numbers: float32 holds them exactly, and the products of them with a sum stay below it


Candidate = tuple[Sequence[Numbers], bool]  # types and cells in the order in which they are said; whether it ended


class Sampled(NamedTuple):
    """The answers that a Builder would give to an item."""

    greedy: Candidate
    samples: Sequence[Candidate]
    probability: Mapping[Numbers, float]  # of net actions, by the samples


class Sampling(NamedTuple):
    """The way in which samples are drawn, and what is answered."""

    samples: int  # of each item, at least 2
    temperature: float = 1.0
    seed: int = 0  # of the samples, which are a function of it and of an item's id
    # Answer with the net actions that are more probable, in place of one of the samples; on an empty board with one of
    # these all the same.
    min_probability: float | None = None
    whole_answers: bool = False  # with it, one of the samples or its beginning, see `whole`

    def uniform(self, name: str, steps: int) -> np.ndarray:
        """Return the random numbers of the item of this name, float32 in [0, 1), [samples, steps, 2].

        They depend on nothing else: neither on the machine nor on the items beside it.
        """
        rng = np.random.default_rng(Random(f"samples {self.seed} {name}").getrandbits(128))
        return (rng.integers(_GRAIN, size=(self.samples, steps, 2)) / _GRAIN).astype(np.float32)

    def seeds(self, name: str) -> list[int]:
        """The seeds of the samples of the item of this name, for a model that draws among thousands of tokens."""
        rng = Random(f"samples {self.seed} {name}")
        return [rng.getrandbits(63) for _ in range(self.samples)]


def drawn(scores: torch.Tensor, uniform: torch.Tensor | None, temperature: float) -> torch.Tensor:
    """Return a class of each row of scores [R, C], int64 [R].

    Args:
        uniform: numbers in [0, 1), [R], by which the distributions are inverted; where one is negative, and if there
            are none, the likeliest class is taken.
    """
    likeliest = scores.argmax(1)
    if uniform is None:
        return likeliest
    weights = (scores / temperature).softmax(1)
    upto = weights.cumsum(1)
    chosen = ((upto > uniform[:, None] * upto[:, -1:]) & (weights > 0)).int().argmax(1)  # the first that is
    return torch.where(uniform < 0, likeliest, chosen)


def answered(sampling: Sampling | None, before: Structure, found: Sampled) -> tuple[str, bool]:
    """Return what is answered, one action per line, and whether the model chose to stop.

    Args:
        sampling: None: the greedy answer.
        before: the board.
    """
    if sampling is None:
        numbers, ended = found.greedy
    elif sampling.min_probability is None or not len(before):  # anywhere on an empty board: cells say little
        candidates = (found.greedy, *found.samples)
        greedy, *samples = (net_of(before, numbers) for numbers, _ in candidates)
        numbers, ended = candidates[least_risk(greedy, samples, empty_board=not len(before))]
    else:
        if sampling.whole_answers:
            answers = (net_of(before, numbers) for numbers, _ in (found.greedy, *found.samples))
            numbers = whole(answers, found.probability, sampling.min_probability)
        else:
            numbers = probable(found.probability, sampling.min_probability)
        ended = sum(ended for _, ended in found.samples) * 2 > len(found.samples)
    return text_of(before, numbers), ended


def text_of(before: Structure, numbers: Sequence[Numbers]) -> str:
    """Net actions as actions that can be carried out, one per line."""
    return "\n".join(map(format_action, planned(before, numbers)))


def least_risk(greedy: Sequence[Numbers], samples: Sequence[Sequence[Numbers]], empty_board: bool) -> int:
    """Return which answer has the highest mean F1 against the samples other than itself: 0 for the greedy one, 1 for
    the first sample, and so on; of equal ones the first.

    Args:
        greedy, samples: net actions (type, x, y, z), none twice in an answer; at least two samples.
        empty_board: nothing stands before: an answer then is the same wherever it is and however it is turned, as the
            fairer F1 has it (BAP v2, 4.1).
    """
    number: dict[frozenset[Numbers], int] = {}
    which = np.array([number.setdefault(frozenset(answer), len(number)) for answer in (greedy, *samples)])
    f1 = agreement(list(number), empty_board)
    sums = f1 @ np.bincount(which[1:], minlength=len(number))
    means = sums[which] - 1.0  # not against itself
    means[0] = sums[which[0]]
    means[1:] /= len(samples) - 1
    means[0] /= len(samples)
    return int(means.round(9).argmax())  # rounded: equal means may differ in the last bit


def probable(probability: Mapping[Numbers, float], least: float) -> list[Numbers]:
    """Return the net actions that are more probable than this: removals, then placements, probable ones first.

    A cell gets one block at most: the most probable one.

    >>> red, blue, up = (1, 0, 1, 0), (3, 0, 1, 0), (1, 0, 2, 0)
    >>> probable(shares_of([[red, up], [red], [blue, up], [red, up]]), 0.2)
    [(1, 0, 1, 0), (1, 0, 2, 0)]
    """
    enough = sorted(
        (action for action in probability if probability[action] > least), key=lambda one: -probability[one]
    )
    placed: dict[tuple[int, ...], Numbers] = {}
    for action in enough:
        if action[0] != REMOVE:
            placed.setdefault(action[1:], action)
    return [*(action for action in enough if action[0] == REMOVE), *placed.values()]


def whole(
    answers: Iterable[Sequence[Numbers]], probability: Mapping[Numbers, float], least: float
) -> Sequence[Numbers]:
    """Return the answer, or its beginning, with the highest sum of what its actions are more probable than this.

    None of them, if there is no sum above 0. Of equal ones the first.

    >>> red, blue, up = (1, 0, 1, 0), (3, 0, 1, 0), (1, 0, 2, 0)
    >>> whole([[blue, up], [red, up]], {red: 0.6, blue: 0.4, up: 0.1}, 0.2)
    [(1, 0, 1, 0)]
    """
    best, highest = [], 0.0
    for answer in answers:
        gain = 0.0
        for number, action in enumerate(answer, 1):
            gain += probability.get(action, 0.0) - least
            if gain > highest + 1e-9:  # equal sums may differ in the last bit
                best, highest = answer[:number], gain
    return best


def shares_of(samples: Sequence[Sequence[Numbers]]) -> dict[Numbers, float]:
    """Return in which share of the samples each action is."""
    return {action: n / len(samples) for action, n in Counter(a for s in samples for a in s).items()}


def agreement(answers: Sequence[frozenset[Numbers]], empty_board: bool) -> np.ndarray:
    """F1 of each answer with each, [n, n], as the fairer F1 has it; 1 of two empty ones. Args: see `least_risk`."""
    return (_aligned_f1 if empty_board else _f1)(answers)


def _f1(answers: Sequence[frozenset[Numbers]]) -> np.ndarray:
    """F1 of each with each, [n, n]; 1 of two empty ones."""
    number: dict[Numbers, int] = {}
    columns = [[number.setdefault(action, len(number)) for action in answer] for answer in answers]
    has = np.zeros((len(answers), len(number)))
    for row, column in zip(has, columns):
        row[column] = 1.0
    return _f1_of(has @ has.T, answers)


def _aligned_f1(answers: Sequence[frozenset[Numbers]]) -> np.ndarray:
    """F1 of each, moved and turned so that it is highest, with each: `alignment.largest_overlap` for many answers."""
    # The actions of all answers, one after the other
    owner = np.repeat(np.arange(len(answers)), [len(answer) for answer in answers])
    kind, x, y, z = np.array([action for answer in answers for action in answer], np.int64).reshape(-1, 4).T
    width, depth = X_MAX - X_MIN + 1, Z_MAX - Z_MIN + 1
    overlap = np.zeros((len(answers), len(answers)))
    # Each answer votes, for every turn, for the moves that bring its actions onto those of the others
    for index in range(len(answers)):
        own = np.flatnonzero(owner == index)
        mine, other = np.nonzero((kind[own, None] == kind) & (y[own, None] == y))
        for cosine, sine in _TURNS if len(own) else ():
            turned_x, turned_z = cosine * x[own] - sine * z[own], sine * x[own] + cosine * z[own]
            # Moved by so many cells, each counted from the fewest at which all stay inside
            dx = x[other] - turned_x[mine] + turned_x.min() - X_MIN
            dz = z[other] - turned_z[mine] + turned_z.min() - Z_MIN
            inside = (dx >= 0) & (dx < width - np.ptp(turned_x)) & (dz >= 0) & (dz < depth - np.ptp(turned_z))
            place = (owner[other] * width + dx) * depth + dz
            votes = np.bincount(place[inside], minlength=len(answers) * width * depth)
            overlap[index] = np.maximum(overlap[index], votes.reshape(len(answers), -1).max(1))
    return _f1_of(overlap, answers)


def _f1_of(overlap: np.ndarray, answers: Sequence[frozenset[Numbers]]) -> np.ndarray:
    sizes = np.array([len(answer) for answer in answers])
    total = sizes[:, None] + sizes
    return np.where(total, 2 * overlap / np.maximum(total, 1), 1.0)
