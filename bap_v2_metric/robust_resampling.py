"""How sure robust scores are: intervals and paired tests over originals, with all their variants.

What is drawn is an original, or a cluster of originals; its variants come along, since they are not independent of it.
The worst variants are chosen once, on all items, not in each resample: the scores of a family are then sums over fixed
items, and resampled like those of `resampling`.
"""

from collections.abc import Hashable, Iterator, Mapping, Sequence

from .counts import Counts
from .resampling import check_clusters, check_resampling, drawn_rows, interval, resampled_sums, tested
from .robust_scores import Row, rows_of_families, scores_of
from .scoring import MEASURES, SEED, InputError

_COUNTS = ("n_items", "n_variants")
_WITHOUT_TEST = (*_COUNTS, "consistency", "soft_consistency")


def bootstrap(
    items: Sequence[Mapping],
    n_resamples: int = 1000,
    confidence: float = 0.95,
    seed: int = SEED,
    clusters: Sequence[Hashable] | None = None,
) -> dict[str, tuple[float, float]]:
    """Percentile bootstrap confidence intervals of robust scores, over originals or clusters of them.

    Args:
        items: counts of `robustness.score_items`.
        clusters: for each item the name of its cluster, e.g. of its target; a variant is in that of its original.
        n_resamples, confidence, seed: as for `resampling.bootstrap`.
    Returns:
        For every score of `robust_scores.aggregate` but ranks and numbers its (low, high). A family whose originals
        are all of one cluster has none.
    Raises:
        InputError: as for `resampling.bootstrap`, and a variant whose original is not among the items.
    """
    check_resampling(n_resamples, confidence)
    of_item = _clusters_of_items(items, clusters)
    result = {}
    for family, rows in _drawn(rows_of_families(items), of_item):
        samples = [scores_of(sums) for sums in resampled_sums(rows, n_resamples, seed)]
        for name in [name for name in samples[0] if name not in _COUNTS]:
            result[f"{family}_{name}"] = interval([sample[name] for sample in samples], confidence)
    return result


def paired_bootstrap(
    items_a: Sequence[Mapping],
    items_b: Sequence[Mapping],
    n_resamples: int = 1000,
    confidence: float = 0.95,
    seed: int = SEED,
    clusters: Sequence[Hashable] | None = None,
) -> dict[str, dict[str, float]]:
    """Whether two systems differ in their robust scores: a two-sided paired bootstrap test over originals.

    Only the variants that both have are compared; the worst ones are those of each system itself.

    Args:
        items_a, items_b: counts of `robustness.score_items` for the same originals, in any order.
        clusters: of the items of the first system; see `bootstrap`.
        n_resamples, confidence, seed: as for `resampling.bootstrap`.
    Returns:
        For every F1 and degradation of `robust_scores.aggregate`, over the variants that both have: `a`, `b`,
        `difference` (a - b), its `low` and `high`, and `p_value`.
    Raises:
        InputError: as for `bootstrap`, and where the same item wants different numbers of net actions.
    """
    return paired_bootstrap_of_runs([items_a], [items_b], n_resamples, confidence, seed, clusters)


def paired_bootstrap_of_runs(
    runs_a: Sequence[Sequence[Mapping]],
    runs_b: Sequence[Sequence[Mapping]],
    n_resamples: int = 1000,
    confidence: float = 0.95,
    seed: int = SEED,
    clusters: Sequence[Hashable] | None = None,
) -> dict[str, dict[str, float]]:
    """The same for systems with several runs each: every original has the sum of what it counts in the runs.

    The worst variants are those of each run. The scores `a` and `b` are those of the sums, which need not be the means
    of the runs' scores.
    """
    check_resampling(n_resamples, confidence)
    of_item = _clusters_of_items(runs_a[0], clusters)
    common = set.intersection(*(set(map(_key, items)) for items in (*runs_a, *runs_b)))
    runs_a, runs_b = ([[item for item in items if _key(item) in common] for items in runs] for runs in (runs_a, runs_b))
    for items_a in runs_a:
        for items_b in runs_b:
            _check_same_items(items_a, items_b)
    rows_a, rows_b = (_added([rows_of_families(items) for items in runs]) for runs in (runs_a, runs_b))
    pairs = {
        family: {parent: row + rows_b[family][parent] for parent, row in rows.items()}
        for family, rows in rows_a.items()
    }
    result = {}
    for family, rows in _drawn(pairs, of_item):
        samples = [_two(sums) for sums in resampled_sums(rows, n_resamples, seed)]
        scores_a, scores_b = _two(tuple(map(sum, zip(*rows))))
        for name in [name for name in scores_a if name not in _WITHOUT_TEST]:
            differences = [a[name] - b[name] for a, b in samples]
            result[f"{family}_{name}"] = tested(scores_a[name], scores_b[name], differences, confidence)
    return result


def _added(runs: Sequence[Mapping[str, Mapping[str, Row]]]) -> Mapping[str, Mapping[str, Row]]:
    """The rows of several runs on the same items, added up."""
    return {
        family: {parent: tuple(map(sum, zip(*(run[family][parent] for run in runs)))) for parent in rows}
        for family, rows in runs[0].items()
    }


def degradation_test(
    items: Sequence[Mapping],
    n_resamples: int = 1000,
    confidence: float = 0.95,
    seed: int = SEED,
    clusters: Sequence[Hashable] | None = None,
) -> dict[str, dict[str, float]]:
    """By how much the robust F1 of a system is below its standard F1, on the same originals: a paired test.

    The robust F1 is a minimum that the original is part of, so it is never above the standard F1, and any variant that
    is answered by chance in another way lowers it. The p-value says whether other originals would show it too.

    Returns:
        By FAMILY_f1, and FAMILY_MEASURE_f1 of each measure: as `paired_bootstrap`, `a` the standard F1 and `b` the
        robust one. Arguments and errors as for `bootstrap`.
    """
    check_resampling(n_resamples, confidence)
    of_item = _clusters_of_items(items, clusters)
    result = {}
    for family, rows in _drawn(rows_of_families(items), of_item):
        samples = [scores_of(sums) for sums in resampled_sums(rows, n_resamples, seed)]
        scores = scores_of(tuple(map(sum, zip(*rows))))
        for name in ("f1", *(f"{measure}_f1" for measure in MEASURES)):
            standard, robust = f"standard_{name}", f"robust_{name}"
            differences = [sample[standard] - sample[robust] for sample in samples]
            result[f"{family}_{name}"] = tested(scores[standard], scores[robust], differences, confidence)
    return result


def _clusters_of_items(items: Sequence[Mapping], clusters: Sequence[Hashable] | None) -> Mapping[str, Hashable] | None:
    """By the id of each item its cluster; None where originals are drawn. Raises: InputError for clusters."""
    if clusters is None:
        return None
    check_clusters(clusters, len(items))
    return {item["id"]: cluster for item, cluster in zip(items, clusters)}


def _drawn(
    rows_of: Mapping[str, Mapping[str, Row]], of_item: Mapping[str, Hashable] | None
) -> Iterator[tuple[str, Sequence[Row]]]:
    """What is drawn for each family; nothing for those whose originals are all of one cluster."""
    for family, rows in rows_of.items():
        clusters = None if of_item is None else [of_item[parent] for parent in rows]
        if clusters is None or len(set(clusters)) > 1:
            yield family, drawn_rows(list(rows.values()), clusters)


def _check_same_items(items_a: Sequence[Mapping], items_b: Sequence[Mapping]) -> None:
    wanted = {_key(item): Counts.of(item, "strict").n_reference for item in items_b}
    if not any(item["family"] for item in items_a):
        raise InputError("no variant is among the items of both systems: score both on the same families")
    for item in items_a:
        n_a, n_b = Counts.of(item, "strict").n_reference, wanted[_key(item)]
        if n_a != n_b:
            raise InputError(
                f"{item['id']} has {n_a} reference net actions for one system and {n_b} for the other: score both on "
                "the same items"
            )


def _key(item: Mapping) -> tuple[str, str, int]:
    return item["parent"], item["family"], item["variant"]


def _two(sums: Row) -> tuple[dict[str, float], dict[str, float]]:
    """The scores of two systems, of sums that stand side by side."""
    half = len(sums) // 2
    return scores_of(sums[:half]), scores_of(sums[half:])
