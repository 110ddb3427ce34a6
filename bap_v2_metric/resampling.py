"""How sure a score is: bootstrap confidence intervals and paired tests over items, or over clusters of items.

A resample draws as many items as there are, with replacement. All that a score needs of it is the sum of each count.

Items that have something in common, such as the structure that is built, are not independent of each other, and then
intervals over items are too narrow. With `clusters` a resample draws whole clusters, as many as there are (the cluster
bootstrap): the counts of each are added up first, and its sums are drawn like those of an item.
"""

import random
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence

from .counts import Counts
from .scoring import GROUPS, MEASURES, SEED, STATISTICS, InputError, aggregate, is_list

Row = tuple[int, ...]  # counts of an item, to be added up


def bootstrap(
    items: Sequence[Mapping],
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
        clusters: for each item the name of its cluster, e.g. of its target: clusters are drawn, with all their items.
            Clusters of one item each give the intervals over items.
    Returns:
        For every precision, recall and F1 key of `score` its (low, high).
    Raises:
        InputError: fewer than 1 resample, a confidence outside 0..1, and clusters that are not one for each item, or
            only one.

    >>> from .scoring import score_items
    >>> items = score_items(["place red 0 1 0", ""], [{"before": [], "after": ["red 0 1 0"]}] * 2)
    >>> bootstrap(items, n_resamples=200)["strict_recall"]
    (0.0, 1.0)
    >>> bootstrap(items * 2, n_resamples=200, clusters=["a", "a", "b", "b"])["strict_recall"]
    (0.5, 0.5)
    """
    check_resampling(n_resamples, confidence)
    (samples,) = _resampled_counts([items], n_resamples, seed, clusters)
    return {
        f"{name}_{statistic}": interval([getattr(counts, statistic) for counts in sample], confidence)
        for name, sample in samples.items()
        for statistic in STATISTICS
    }


def bootstrap_f1(
    counts: Sequence[Counts],
    n_resamples: int = 1000,
    confidence: float = 0.95,
    seed: int = SEED,
    clusters: Sequence[Hashable] | None = None,
) -> tuple[float, float]:
    """The percentile bootstrap confidence interval of the micro F1 of one measure.

    Args:
        counts: of every item, e.g. `[Counts.of(item, "fairer") for item in items]`.
        n_resamples, confidence, seed, clusters: as for `bootstrap`; the interval is the one that `bootstrap` gives.

    >>> bootstrap_f1([Counts(tp=1), Counts(fp=1, fn=1)], n_resamples=200)
    (0.0, 1.0)
    """
    check_resampling(n_resamples, confidence)
    rows = drawn_rows([(count.tp, count.fp, count.fn) for count in counts], clusters)
    return interval([Counts(*sums).f1 for sums in resampled_sums(rows, n_resamples, seed)], confidence)


def paired_bootstrap(
    items_a: Sequence[Mapping],
    items_b: Sequence[Mapping],
    n_resamples: int = 1000,
    confidence: float = 0.95,
    seed: int = SEED,
    clusters: Sequence[Hashable] | None = None,
) -> dict[str, dict[str, float]]:
    """Whether two systems differ on the same items: a two-sided paired bootstrap test of their F1 scores.

    The p-value is (1 + the resamples whose difference lies at least as far from the observed one as that lies from
    zero) / (1 + the resamples).

    Args:
        items_a, items_b: counts of `score_items` for the same references in the same order.
        n_resamples, confidence, seed, clusters: as for `bootstrap`; both systems have the same clusters.
    Returns:
        For every F1 key of `score`: `a`, `b`, `difference` (a - b), its `low` and `high`, and `p_value`.
    Raises:
        InputError: as for `bootstrap`, and if the items are not the same.
    """
    check_resampling(n_resamples, confidence)
    _check_same_items(items_a, items_b)
    scores_a, scores_b = aggregate(items_a), aggregate(items_b)
    samples_a, samples_b = _resampled_counts([items_a, items_b], n_resamples, seed, clusters)
    result = {}
    for name in samples_a:
        key = f"{name}_f1"
        differences = [a.f1 - b.f1 for a, b in zip(samples_a[name], samples_b[name])]
        result[key] = tested(scores_a[key], scores_b[key], differences, confidence)
    return result


def tested(a: float, b: float, differences: Sequence[float], confidence: float) -> dict[str, float]:
    """What the paired test says of two scores, given how they differ in each resample: see `paired_bootstrap`."""
    difference = a - b
    as_far = sum(abs(value - difference) >= abs(difference) for value in differences)
    low, high = interval(differences, confidence)
    p_value = (1 + as_far) / (1 + len(differences))
    return {"a": a, "b": b, "difference": difference, "low": low, "high": high, "p_value": p_value}


def _resampled_counts(
    systems: list[Sequence[Mapping]], n_resamples: int, seed: int, clusters: Sequence[Hashable] | None
) -> list[dict[str, list[Counts]]]:
    """For each system, the summed counts of each resample, by group and measure ("eb_fairer").

    A resample draws the same items, or clusters, for all systems. One in which a group happens to have no items says
    nothing about that group, and is left out there.
    """
    samples: list[dict[str, list[Counts]]] = [
        {f"{group}{measure}": [] for group in GROUPS for measure in MEASURES} for _ in systems
    ]
    rows = [tuple(count for item in same_item for count in _row(item)) for same_item in zip(*systems)]
    rows = drawn_rows(rows, clusters)
    width = len(rows[0]) // len(systems) if rows else 0
    for sums in resampled_sums(rows, n_resamples, seed):
        for sample, start in zip(samples, range(0, len(sums), width)):
            for group, (n_items, n_predicted, n_reference, *right) in _groups(sums[start : start + width]).items():
                if n_items:
                    for measure, tp in zip(MEASURES, right):
                        sample[f"{group}{measure}"].append(Counts(tp, n_predicted - tp, n_reference - tp))
    return samples


def _row(item: Mapping) -> Row:
    """One item, its predicted and its reference net actions, and those that are right by each measure.

    The same again counts only items that start from an empty board.
    """
    counts = Counts.of(item, "strict")  # all measures divide by the same numbers
    row = (1, counts.n_predicted, counts.n_reference, *(item[measure]["tp"] for measure in MEASURES))
    return row + (row if item["empty_board"] else (0,) * len(row))


def _groups(sums: Row) -> dict[str, Row]:
    """The sums of each group, from those of `_row`."""
    every, empty = sums[: len(sums) // 2], sums[len(sums) // 2 :]
    return dict(zip(GROUPS, (every, empty, tuple(a - b for a, b in zip(every, empty)))))


def drawn_rows(rows: Sequence[Row], clusters: Sequence[Hashable] | None) -> Sequence[Row]:
    """What is drawn: the counts of each item, or those of each cluster, added up. Raises: InputError for clusters."""
    if clusters is None:
        return rows
    check_clusters(clusters, len(rows))
    members: dict[Hashable, list[Row]] = {}
    for row, cluster in zip(rows, clusters):
        members.setdefault(cluster, []).append(row)
    return [tuple(map(sum, zip(*rows_of_one))) for rows_of_one in members.values()]


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


def intervals_of_sums(
    rows: Sequence[Row], scores_of: Callable[[Row], Mapping[str, float]], n_resamples: int, confidence: float,
    seed: int, clusters: Sequence[Hashable] | None,
) -> dict[str, tuple[float, float]]:  # fmt: skip
    """The interval of every score of summed rows. A resample without a score is left out there.

    Args:
        rows: of every item.
        scores_of: the scores of the sum of some rows.
        n_resamples, confidence, seed, clusters: as for `bootstrap`.
    """
    samples: dict[str, list[float]] = {}
    for sums in resampled_sums(drawn_rows(rows, clusters), n_resamples, seed):
        for name, score in scores_of(sums).items():
            samples.setdefault(name, []).append(score)
    return {name: interval(values, confidence) for name, values in samples.items()}


def tests_of_sums(
    rows_a: Sequence[Row], rows_b: Sequence[Row], scores_of: Callable[[Row], Mapping[str, float]], n_resamples: int,
    confidence: float, seed: int, clusters: Sequence[Hashable] | None,
) -> dict[str, dict[str, float]]:  # fmt: skip
    """What `tested` says of every score of two systems on the same items; nothing if there are none.

    Args:
        rows_a, rows_b: of every item, for each of the systems.
        scores_of, n_resamples, confidence, seed, clusters: as for `intervals_of_sums`.
    """

    def both(sums: Row) -> tuple[Mapping[str, float], Mapping[str, float]]:
        half = len(sums) // 2
        return scores_of(sums[:half]), scores_of(sums[half:])

    rows = [(*a, *b) for a, b in zip(rows_a, rows_b)]
    if not rows:
        return {}
    scores_a, scores_b = both(tuple(map(sum, zip(*rows))))
    differences: dict[str, list[float]] = {}
    for sums in resampled_sums(drawn_rows(rows, clusters), n_resamples, seed):
        of_a, of_b = both(sums)
        for name, score in of_a.items():
            differences.setdefault(name, []).append(score - of_b[name])
    return {
        name: tested(score, scores_b[name], differences.get(name, []), confidence) for name, score in scores_a.items()
    }


def interval(values: Sequence[float], confidence: float) -> tuple[float, float]:
    """The percentile interval of resampled values."""
    ordered = sorted(values)
    return _percentile(ordered, (1 - confidence) / 2), _percentile(ordered, (1 + confidence) / 2)


def _percentile(ordered: list[float], share: float) -> float:
    """The value below which this share of the values lies, interpolated; 0.0 without values."""
    if not ordered:
        return 0.0
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


def check_clusters(clusters: Sequence[Hashable], n_items: int) -> None:
    """Raises: InputError for clusters that are not one for each item, or only one, which tells nothing."""
    if not is_list(clusters):
        raise InputError(f"clusters are {clusters!r} (expected a list with the cluster of every item)")
    if len(clusters) != n_items:
        raise InputError(f"{len(clusters)} clusters but {n_items} items: pass the cluster of every item")
    for index, cluster in enumerate(clusters):
        if cluster is None or not _is_hashable(cluster):
            raise InputError(f"item {index}: the cluster is {cluster!r} (expected a name: a text or a number)")
    if n_items and len(set(clusters)) == 1:
        items = "the only item is" if n_items == 1 else f"all {n_items} items are"
        raise InputError(f"{items} of one cluster, {clusters[0]!r}: resample items, or score items of two or more")


def _is_hashable(value: object) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


def _check_same_items(items_a: Sequence[Mapping], items_b: Sequence[Mapping]) -> None:
    if len(items_a) != len(items_b):
        raise InputError(f"{len(items_a)} items of one system but {len(items_b)} of the other: score the same items")
    for index, (a, b) in enumerate(zip(items_a, items_b)):
        n_a, n_b = Counts.of(a, "strict").n_reference, Counts.of(b, "strict").n_reference
        if a["empty_board"] != b["empty_board"] or n_a != n_b:
            raise InputError(
                f"item {index} has {n_a} reference net actions for one system and {n_b} for the other: "
                "score both on the same items in the same order"
            )
