"""What a task tells of its scores, and what follows from it for all tasks: aggregate, intervals, tests, signatures."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from .errors import InputError
from .resampling import (
    SEED,
    Statistics,
    added,
    check_clusters,
    check_resampling,
    has_enough_items,
    intervals,
    paired_tests,
)

# The columns of a value, without Arrow: the name of a type ("string", "int64", "bool"), a list with the form of its
# elements, or a dict with the form of each field.
Form: TypeAlias = "str | list[Form] | dict[str, Form]"
Items: TypeAlias = "Sequence[Mapping]"


def signed(rules: str, n_resamples: int = 0, seed: int = SEED, unit: str = "item") -> str:
    """Name what a published score depends on: the rules and, with intervals, how they were resampled.

    Args:
        rules: their name and version, and what else scores depend on.
        unit: what was drawn: "item", or e.g. "target".

    >>> signed("rules|version:1", n_resamples=1000, unit="target")
    'rules|version:1|bs:1000|seed:20260|unit:target'
    """
    if not n_resamples:
        return rules
    return f"{rules}|bs:{n_resamples}|seed:{seed}|unit:{unit}"


@dataclass(frozen=True)
class Scorer:
    """The ways to check, count, add up and sign the predictions of a task.

    A task gives the counts of every item (`score_items`), and says what is added up over items and which scores the
    sums have (`statistics`); the methods are the same for all tasks.
    """

    prediction: Form
    reference: Form
    check_items: Callable[[list, list], None]  # predictions, references; raises what `score_items` would raise
    score_items: Callable[..., list[dict]]  # predictions, references, **options -> the counts of every item
    statistics: Callable[[Items], Mapping[str, Statistics]]  # by what stands in front of the keys of its scores
    signature: Callable[..., str]  # n_resamples, seed, unit, **options
    further: Callable[[Items, Mapping], Mapping] = lambda items, scores: {}  # of `aggregate`: what is not resampled
    described: Callable[[Mapping], str] = str  # an item, as it is for every system: told if two systems differ in it
    comparable: Callable[[Sequence[Items]], Sequence[Sequence[int]]] | None = None  # in place of `_in_order`
    is_tested: Callable[[str], bool] = lambda key: True  # whether the paired test says something of a score
    missing: float | None = None  # the score of nothing; None: then there is no score
    defaults: Mapping[str, object] = field(default_factory=dict)  # of reference fields that are missing or None
    options: tuple[str, ...] = ()  # further arguments of `compute`, for `score_items` and `signature`
    read_row: Callable[[Mapping], Mapping] = dict  # a row -> a mapping that has the reference fields
    signed_facts: Callable[[Items], dict] = lambda items: {}  # counts -> further arguments of `signature`

    def reference_of(self, row: Mapping) -> dict:
        """Return the reference that a dataset row holds: its fields alone, None for those that the row lacks."""
        fields = self.read_row(row)
        return {name: fields.get(name) for name in self.reference}

    def aggregate(self, items: Items) -> dict[str, Any]:
        """Return the scores of items counted by `score_items`: counts are added up first, and divided last."""
        items = list(items)
        scores = {
            f"{prefix}{name}": self.missing if score is None else score
            for prefix, statistics in self.statistics(items).items()
            for name, score in statistics.scores.items()
        }
        return {**scores, **self.further(items, scores)}

    def bootstrap(
        self,
        items: Items,
        n_resamples: int = 1000,
        confidence: float = 0.95,
        seed: int = SEED,
        clusters: Sequence[Hashable] | None = None,
    ) -> dict[str, tuple[float, float]]:
        """Percentile bootstrap confidence intervals over items, or over clusters of items.

        Args:
            items: counts of `score_items`.
            n_resamples: how often as many items are drawn with replacement.
            confidence: the share of resampled scores inside the interval.
            seed: equal seeds give equal intervals.
            clusters: for each item the name of its cluster, e.g. of its target: clusters are drawn, with all their
                items. Clusters of one item each give the intervals over items.
        Returns:
            For every score its (low, high); not for those of fewer than 20 items, or 10 clusters.
        Raises:
            InputError: fewer than 1 resample, a confidence outside 0..1, and clusters that are not one for each item.
        """
        check_resampling(n_resamples, confidence)
        check_clusters(clusters, len(items))
        return {
            f"{prefix}{name}": bounds
            for prefix, statistics in self.statistics(items).items()
            for name, bounds in intervals(statistics, n_resamples, confidence, seed, clusters).items()
            if bounds is not None
        }

    def too_few(self, items: Items, clusters: Sequence[Hashable] | None = None) -> dict[str, tuple[int, int | None]]:
        """The scores that have too few items, or clusters, for an interval: how many items and clusters have them."""
        return {
            f"{prefix}{name}": size
            for prefix, statistics in self.statistics(items).items()
            for name, size in statistics.sizes(clusters).items()
            if not has_enough_items(*size)
        }

    def paired_bootstrap(
        self,
        items_a: Items,
        items_b: Items,
        n_resamples: int = 1000,
        confidence: float = 0.95,
        seed: int = SEED,
        clusters: Sequence[Hashable] | None = None,
    ) -> dict[str, dict[str, float]]:
        """Compare two systems on the same items by two-sided paired bootstrap tests of their scores.

        Args:
            items_a, items_b: counts of `score_items` for the same references in the same order.
            n_resamples, confidence, seed, clusters: as for `bootstrap`; both systems have the same clusters.
        Returns:
            For every score that is tested what `resampling.tested` says: `a`, `b`, `difference` (a - b), its `low` and
            `high`, and `p_value`; those three not for scores of fewer than 20 items, or 10 clusters.
        Raises:
            InputError: as for `bootstrap`, and if the items are not the same.
        """
        return self.paired_bootstrap_of_runs([items_a], [items_b], n_resamples, confidence, seed, clusters)

    def paired_bootstrap_of_runs(
        self,
        runs_a: Sequence[Items],
        runs_b: Sequence[Items],
        n_resamples: int = 1000,
        confidence: float = 0.95,
        seed: int = SEED,
        clusters: Sequence[Hashable] | None = None,
    ) -> dict[str, dict[str, float]]:
        """Compare systems with several runs each: every item has the sum of its counts in the runs.

        So the spread between runs is no part of the p-value, and the scores `a` and `b` are those of the sums, which
        need not be the means of the runs' scores.
        """
        # Runs of both systems, item by item in the same order.
        check_resampling(n_resamples, confidence)
        check_clusters(clusters, len(runs_a[0]))
        runs = [*runs_a, *runs_b]
        places = (self.comparable or self._in_order)(runs)
        if clusters is not None:
            clusters = [clusters[place] for place in places[0]]
        # Sums of each run, added up for each system, and tested.
        counted = [self.statistics([run[place] for place in of_run]) for run, of_run in zip(runs, places)]
        result = {}
        for prefix in counted[0]:
            a, b = (
                added([statistics[prefix] for statistics in part])
                for part in (counted[: len(runs_a)], counted[len(runs_a) :])
            )
            for name, test in paired_tests(a, b, n_resamples, confidence, seed, clusters).items():
                if self.is_tested(name) and test is not None:
                    result[f"{prefix}{name}"] = dict(test)
        return result

    def _in_order(self, runs: Sequence[Items]) -> Sequence[Sequence[int]]:
        """The positions of the items in each run: all, in their order. Raises: InputError if they are not the same."""
        first = runs[0]
        for run in runs[1:]:
            if len(run) != len(first):
                raise InputError(
                    f"{len(first)} items of one system but {len(run)} of the other: score both on the same items"
                )
            for index, (a, b) in enumerate(zip(first, run)):
                if (one := self.described(a)) != (other := self.described(b)):
                    raise InputError(
                        f"item {index} is {one} for one system and {other} for the other: score both on the same items "
                        "in the same order"
                    )
        return [range(len(first))] * len(runs)
