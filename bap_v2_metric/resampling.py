"""How sure a score is: bootstrap confidence intervals and paired tests over items, or over clusters of items.

A resample draws as many items as there are, with replacement. All that a score needs of it is the sum of each count:
`Statistics` holds these counts for every item, and makes the scores of a sum. That is all that a task has to say.

Items that have something in common, such as the structure that is built, are not independent of each other, and then
intervals over items are too narrow. With `clusters` a resample draws whole clusters, as many as there are (the cluster
bootstrap): the counts of each are added up first, and its sums are drawn like those of an item.

A bootstrap of a few items is far too sure of itself: a score of fewer than FEWEST_ITEMS items, or FEWEST_CLUSTERS
clusters, has neither interval nor p-value.
"""

import random
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from .errors import InputError

SEED = 20260  # of resampling, unless another is asked for
FEWEST_ITEMS, FEWEST_CLUSTERS = 20, 10  # that a score needs for an interval, or a test
Row = tuple[int, ...]  # counts of an item, to be added up
Scores = Mapping[str, "float | None"]


@dataclass(frozen=True)
class Statistics:
    """The sufficient statistics of some scores: for every item a row of counts, and the scores of summed rows."""

    rows: Sequence[Row]  # of whole numbers from 0
    scores_of: Callable[[Row], Scores]  # None, or no key: these items have no such score
    width: int  # of a row
    places: Sequence[int] | None = None  # of each row the position of the item whose cluster it is in; None: its own
    names: Sequence[Hashable] | None = None  # rows of one name are drawn together; None: each row alone
    strata: Sequence[int] | None = None  # rows of several strata are drawn apart, as many of each as there are

    @property
    def scores(self) -> Scores:
        """The scores of all items."""
        return self.scores_of(summed(self.rows, self.width))

    def sizes(self, clusters: Sequence[Hashable] | None) -> dict[str, tuple[int, int | None]]:
        """Return by score the number of items that have it, and of their clusters; None: items are drawn."""
        kinds: dict[Row, tuple[str, ...]] = {
            row: tuple(name for name, score in self.scores_of(row).items() if score is not None)
            for row in dict.fromkeys(self.rows)
        }
        items: dict[str, set] = {name: set() for name in self.scores}
        drawn: dict[str, set] = {name: set() for name in items}
        members: dict[tuple[str, ...], list[int]] = {}
        for place, row in enumerate(self.rows):
            members.setdefault(kinds[row], []).append(place)
        own, names = self.names or range(len(self.rows)), self._drawn(clusters)
        for kind, places in members.items():
            for name in kind:
                items.setdefault(name, set()).update(own[place] for place in places)
                drawn.setdefault(name, set()).update(names[place] for place in places)
        return {name: (len(items[name]), None if clusters is None else len(drawn[name])) for name in items}

    def _drawn(self, clusters: Sequence[Hashable] | None) -> Sequence[Hashable]:
        """For each row what it is drawn with."""
        if clusters is None:
            return self.names or range(len(self.rows))
        return clusters if self.places is None else [clusters[place] for place in self.places]

    def resampled(self, n_resamples: int, seed: int, clusters: Sequence[Hashable] | None) -> Iterator[Row]:
        """Return the summed rows of each resample; nothing without rows."""
        names = self._drawn(clusters)
        drawn: dict[int, dict[Hashable, list[Row]]] = {}
        for row, name, stratum in zip(self.rows, names, self.strata or [0] * len(self.rows)):
            drawn.setdefault(stratum, {}).setdefault(name, []).append(row)
        parts = [
            resampled_sums([summed(rows, self.width) for rows in members.values()], n_resamples, seed + stratum)
            for stratum, members in sorted(drawn.items())
        ]
        return (summed(rows, self.width) for rows in zip(*parts))

    def beside(self, other: "Statistics") -> "Statistics":
        """Put the rows of another system, on the same items, at the right of these."""
        return replace(self, rows=[(*row, *more) for row, more in zip(self.rows, other.rows)], width=2 * self.width)


def added(runs: Sequence[Statistics]) -> Statistics:
    """Return the statistics of several runs on the same items, added up item by item."""
    return replace(runs[0], rows=[summed(rows, runs[0].width) for rows in zip(*(run.rows for run in runs))])


def summed(rows: Sequence[Row], width: int) -> Row:
    """Return the sums of the columns."""
    if len(rows) == 1:
        return rows[0]
    return tuple(map(sum, zip(*rows))) if rows else (0,) * width


def has_enough_items(n_items: int, n_clusters: int | None = None) -> bool:
    """Return whether a score of so many items, and clusters if those are drawn, has an interval.

    >>> has_enough_items(19), has_enough_items(20), has_enough_items(1155, 9), has_enough_items(1155, 39)
    (False, True, False, True)
    """
    return n_items >= FEWEST_ITEMS and (n_clusters is None or n_clusters >= FEWEST_CLUSTERS)


def intervals(
    statistics: Statistics, n_resamples: int, confidence: float, seed: int, clusters: Sequence[Hashable] | None
) -> dict[str, tuple[float, float] | None]:
    """Return the percentile interval of every score; a resample without a score is left out there.

    None if all are, and for a score of too few items or clusters.
    """
    enough = {name for name, size in statistics.sizes(clusters).items() if has_enough_items(*size)}
    samples: dict[str, list[float]] = {name: [] for name in statistics.scores}
    for sums in statistics.resampled(n_resamples, seed, clusters) if enough else ():
        for name, score in statistics.scores_of(sums).items():
            if score is not None and name in enough:
                samples.setdefault(name, []).append(score)
    return {name: interval(values, confidence) if values else None for name, values in samples.items()}


def paired_tests(
    a: Statistics, b: Statistics, n_resamples: int, confidence: float, seed: int, clusters: Sequence[Hashable] | None
) -> dict[str, dict[str, float] | None]:
    """Test every score of two systems on the same items (see `tested`); None where either has no such score."""
    scores_a, scores_b = a.scores, b.scores
    differences: dict[str, list[float]] = {name: [] for name in scores_a}
    sizes = [one.sizes(clusters) for one in (a, b)]
    enough = {name for name in differences if all(name in of and has_enough_items(*of[name]) for of in sizes)}
    for sums in a.beside(b).resampled(n_resamples, seed, clusters) if enough else ():
        of_b = b.scores_of(sums[a.width :])
        for name, score in a.scores_of(sums[: a.width]).items():
            if name in enough and score is not None and of_b[name] is not None:
                differences[name].append(score - of_b[name])
    return {
        name: None
        if scores_a[name] is None or scores_b[name] is None
        else tested(scores_a[name], scores_b[name], values, confidence)
        for name, values in differences.items()
    }


def tested(a: float, b: float, differences: Sequence[float], confidence: float) -> dict[str, float]:
    """Compare two scores by a two-sided paired bootstrap test.

    The p-value is (1 + the resamples whose difference lies at least as far from the observed one as that lies from
    zero) / (1 + the resamples).

    Args:
        differences: of the scores in each resample; none: too few items were scored for a test.
    Returns:
        `a`, `b`, `difference` (a - b) and, of a test, its `low` and `high`, and `p_value`.
    """
    difference = a - b
    if not differences:
        return {"a": a, "b": b, "difference": difference}
    n_as_extreme = sum(abs(value - difference) >= abs(difference) for value in differences)
    low, high = interval(differences, confidence)
    p_value = (1 + n_as_extreme) / (1 + len(differences))
    return {"a": a, "b": b, "difference": difference, "low": low, "high": high, "p_value": p_value}


def resampled_sums(rows: Sequence[Row], n_resamples: int, seed: int) -> Iterator[Row]:
    """For each resample, the sums of its columns, of whole numbers from 0; nothing without rows."""
    if not rows:
        return
    # The columns of a row stand side by side in one long number, so that one addition adds them all.
    widths = [(max(column) * len(rows)).bit_length() for column in zip(*rows)]
    starts = [sum(widths[:number]) for number in range(len(widths))]
    masks = [(1 << width) - 1 for width in widths]
    numbers = {row: sum(value << start for value, start in zip(row, starts)) for row in dict.fromkeys(rows)}
    population = [numbers[row] for row in rows]
    rng = random.Random(seed)
    for _ in range(n_resamples):
        total = sum(rng.choices(population, k=len(population)))
        yield tuple(total >> start & mask for start, mask in zip(starts, masks))


def interval(values: Sequence[float], confidence: float) -> tuple[float, float]:
    """Return the percentile interval of resampled values."""
    ordered = sorted(values)
    return _percentile(ordered, (1 - confidence) / 2), _percentile(ordered, (1 + confidence) / 2)


def _percentile(ordered: list[float], share: float) -> float:
    """Return the value below which this share of the values lies, interpolated."""
    position = share * (len(ordered) - 1)
    below = int(position)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (position - below)


def check_resampling(n_resamples: int, confidence: float) -> None:
    """Raises: InputError for fewer than 1 resample, or a confidence outside 0..1."""
    if n_resamples < 1:
        raise InputError(f"n_resamples is {n_resamples} (expected 1 or more)")
    if not 0 < confidence < 1:
        raise InputError(f"confidence is {confidence} (expected a share between 0 and 1, e.g. 0.95)")


def check_clusters(clusters: Sequence[Hashable] | None, n_items: int) -> None:
    """Raises: InputError for clusters that are not one for each item."""
    if clusters is None:
        return
    if not is_list(clusters):
        raise InputError(f"clusters are {clusters!r} (expected a list with the cluster of every item)")
    if len(clusters) != n_items:
        raise InputError(f"{len(clusters)} clusters but {n_items} items: pass the cluster of every item")
    for index, cluster in enumerate(clusters):
        if cluster is None or not _is_hashable(cluster):
            raise InputError(f"item {index}: the cluster is {cluster!r} (expected a name: a text or a number)")


def _is_hashable(value: object) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


def is_list(values: object) -> bool:
    """Check if values have an order and can be read twice: lists, tuples, columns and arrays, not iterators."""
    return (
        hasattr(values, "__len__")
        and hasattr(values, "__getitem__")
        and not isinstance(values, (str, bytes, bytearray, Mapping))
    )
