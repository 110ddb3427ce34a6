"""Intervals and tests for systems that were trained with several seeds: a bootstrap over seeds and items.

A score is the mean over seeds of the micro F1 on a test set, or the mean of that over several test sets. It would be
another one with other items and with other seeds. A resample draws items of each test set, the same for all systems,
and seeds, the same for all systems and test sets; the standard deviation over resamples is the standard error. Items
that are not independent, such as those about one target, are drawn together (`SeededCounts.drawn_with`).

A bootstrap that draws as many seeds as there are gives intervals that are too narrow when there are few. Two things
put that right:

- One seed fewer than there are is drawn. So the variance of a mean over seeds is its unbiased estimate, s² / S.
- Intervals and tests are those of Student's t. Its degrees of freedom are those of the seeds (S - 1) where seeds make
  all of the variance, and grow with the share of the items (Satterthwaite).
"""

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.stats import t as student_t

from bap_v2_metric.counts import Counts
from bap_v2_metric.resampling import check_resampling
from bap_v2_metric.scoring import GROUPS, SEED, InputError

_CHUNK = 250  # resamples at a time: their item weights are 250 x items numbers


@dataclass(frozen=True)
class SeededCounts:
    """The counts of a system on the items of one test set, with every seed.

    Items that a group leaves out count nothing: they may be drawn, as in `bap_v2_metric.resampling`.
    """

    right: np.ndarray  # [seeds, items]
    predicted: np.ndarray  # [seeds, items]
    wanted: np.ndarray  # [items]

    @classmethod
    def of(cls, runs: Sequence[Sequence[Mapping]], measure: str = "fairer", group: str = "neb_") -> "SeededCounts":
        """Take the counts of `score_items`, by seed.

        Args:
            group: of `bap_v2_metric.scoring.GROUPS`: "", "eb_" or "neb_".
        Raises:
            InputError: the runs are not about the same items.
        """
        if group not in GROUPS:
            raise InputError(f"group is {group!r} (expected one of {', '.join(map(repr, GROUPS))})")
        if len({len(run) for run in runs}) != 1:
            raise InputError(f"runs of {', '.join(str(len(run)) for run in runs)} items: score the same items")
        counts = [[Counts.of(item, measure) for item in run] for run in runs]
        taken = np.array([not group or item["empty_board"] == (group == "eb_") for item in runs[0]], bool)
        wanted = np.array([[count.n_reference for count in run] for run in counts], np.int64)
        if (wanted != wanted[0]).any():
            raise InputError("runs with other references: score the same items in the same order")
        right, predicted = (
            np.array([[getattr(count, name) for count in run] for run in counts], np.int64) * taken
            for name in ("tp", "n_predicted")
        )
        return cls(right, predicted, wanted[0] * taken)

    @classmethod
    def of_means(cls, runs: Sequence[Sequence[Mapping]], measure: str) -> "SeededCounts":
        """Take the values of a measure that is a mean over items, such as `score` of GSU, as counts with that F1.

        Args:
            measure: a key of every item, in 0..1.
        Raises:
            InputError: the runs are not about the same items.
        """
        if len({len(run) for run in runs}) != 1:
            raise InputError(f"runs of {', '.join(str(len(run)) for run in runs)} items: score the same items")
        right = np.array([[item[measure] for item in run] for run in runs], np.float64)
        return cls(right, np.ones_like(right), np.ones(right.shape[1]))

    def drawn_with(self, clusters: Sequence[Hashable] | None) -> "SeededCounts":
        """Return the counts by what items are drawn with, [seeds, clusters]; of items alone if that is None."""
        if clusters is None:
            return self
        places = np.unique(np.array(list(map(str, clusters))), return_inverse=True)[1]
        members = np.equal.outer(places, range(max(places) + 1)).astype(np.int64)  # [items, clusters]
        return SeededCounts(self.right @ members, self.predicted @ members, self.wanted @ members)

    @property
    def f1(self) -> np.ndarray:
        """The micro F1 with each seed, in 0..1, [seeds]."""
        return _f1(self.right.sum(1), self.predicted.sum(1), self.wanted.sum())


@dataclass(frozen=True)
class Estimate:
    """A score, or a difference of two, and how sure it is."""

    value: float
    low: float
    high: float
    by_seed: tuple[float, ...]
    error: float  # standard error
    degrees: float  # of freedom
    p_value: float  # of the value being 0

    @property
    def deviation(self) -> float:
        """The sample standard deviation between seeds; 0.0 with one seed."""
        return float(np.std(self.by_seed, ddof=1)) if len(self.by_seed) > 1 else 0.0


class SeededScores:
    """The scores of several systems on several test sets, with the same seeds, and the resamples of all of them."""

    def __init__(
        self, systems: Mapping[str, Sequence[SeededCounts]], n_resamples: int = 2000, confidence: float = 0.95,
        seed: int = SEED,
    ):  # fmt: skip
        """
        Args:
            systems: by name, the counts on each test set, in the same order.
            n_resamples, confidence, seed: of the bootstrap.
        Raises:
            InputError: as for `bap_v2_metric.bootstrap`, and if systems differ in test sets, items or seeds.
        """
        check_resampling(n_resamples, confidence)
        if len({tuple(counts.right.shape for counts in sets) for sets in systems.values()}) != 1:
            raise InputError("the systems were not all scored on the same items with the same seeds")
        self.confidence = confidence
        names, tests = list(systems), list(zip(*systems.values()))  # by test set, the counts of each system
        n_seeds = len(tests[0][0].right)
        rng = np.random.default_rng(seed)
        # A seed more would give the mean over seeds (S - 1) / S of its variance.
        drawn = max(n_seeds - 1, 1)
        weights = rng.multinomial(drawn, [1 / n_seeds] * n_seeds, n_resamples) / drawn
        by_seed = [np.stack([counts.f1 for counts in test]) for test in tests]
        resampled = [(_resampled_f1(test, n_resamples, rng) * weights[:, None]).sum(2) for test in tests]
        self._by_seed = dict(zip(names, np.stack(by_seed, 1)))  # [tests, seeds]
        self._resampled = dict(zip(names, np.stack(resampled).transpose(2, 0, 1)))  # [tests, resamples]

    def score(self, system: str, tests: Sequence[int]) -> Estimate:
        """Return a system's mean score over these test sets (their numbers)."""
        chosen = list(tests)
        return self._estimate(self._by_seed[system][chosen].mean(0), self._resampled[system][chosen].mean(0))

    def difference(self, system: str, base: str, tests: Sequence[int]) -> Estimate:
        """Return how much higher a system's mean score over these test sets is than another's."""
        chosen = list(tests)
        by_seed = (self._by_seed[system] - self._by_seed[base])[chosen].mean(0)
        return self._estimate(by_seed, (self._resampled[system] - self._resampled[base])[chosen].mean(0))

    def _estimate(self, by_seed: np.ndarray, resampled: np.ndarray) -> Estimate:
        value, n_seeds = float(by_seed.mean()), len(by_seed)
        of_seeds = float(by_seed.var(ddof=1)) / n_seeds if n_seeds > 1 else 0.0
        variance = max(float(resampled.var()), of_seeds)
        error, degrees = math.sqrt(variance), math.inf
        if of_seeds > 0:
            degrees = (n_seeds - 1) * (variance / of_seeds) ** 2
        margin = float(student_t.ppf((1 + self.confidence) / 2, degrees)) * error
        p_value = two_sided_p(value / error, degrees) if error else float(value == 0)
        return Estimate(value, value - margin, value + margin, tuple(by_seed.tolist()), error, degrees, p_value)


def holm(p_values: Sequence[float]) -> list[float]:
    """Return the p-values of several tests, corrected so that one false claim among all is as rare as in a single test.

    Holm's step-down correction: the smallest is multiplied by the number of tests, the next one by one fewer, ...

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    corrected, highest = [0.0] * len(p_values), 0.0
    for rank, number in enumerate(sorted(range(len(p_values)), key=lambda number: p_values[number])):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[number]))
        corrected[number] = highest
    return corrected


def _resampled_f1(systems: Sequence[SeededCounts], n_resamples: int, rng: np.random.Generator) -> np.ndarray:
    """Return the F1 of each system with each seed on resampled items, [resamples, systems, seeds]."""
    right, predicted = (
        np.concatenate([getattr(counts, name) for counts in systems]).T.astype(np.float64)
        for name in ("right", "predicted")
    )
    wanted = systems[0].wanted.astype(np.float64)
    n_items, chunks = len(wanted), []
    for start in range(0, n_resamples, _CHUNK):
        drawn = rng.integers(n_items, size=(min(_CHUNK, n_resamples - start), n_items))
        drawn += np.arange(len(drawn))[:, None] * n_items
        times = np.bincount(drawn.ravel(), minlength=len(drawn) * n_items).reshape(len(drawn), n_items)
        times = times.astype(np.float64)
        chunks.append(_f1(times @ right, times @ predicted, (times @ wanted)[:, None]))
    return np.concatenate(chunks).reshape(n_resamples, len(systems), -1)


def _f1(right: np.ndarray, predicted: np.ndarray, wanted: np.ndarray | np.integer) -> np.ndarray:
    both = predicted + wanted
    return np.divide(2 * right, both, out=np.zeros(np.shape(both)), where=both > 0)


def two_sided_p(t: float, degrees: float) -> float:
    """Return the probability that |T| is at least |t|.

    Args:
        degrees: of freedom, at least 1; any real number, `math.inf` for the normal distribution.

    >>> round(two_sided_p(4.302653, 2), 6), round(two_sided_p(1.959964, math.inf), 6)
    (0.05, 0.05)
    """
    return float(2 * student_t.sf(abs(t), degrees))
