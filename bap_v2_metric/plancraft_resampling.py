"""How sure scores of Plancraft are: bootstrap intervals and paired tests over tasks, with all their runs.

Solvable and impossible tasks are drawn apart, as many of each as there are.
"""

from collections.abc import Hashable, Iterator, Mapping, Sequence

from .plancraft_scores import SCORES, Row, row_of, scores_of
from .resampling import check_clusters, check_resampling, interval, resampled_sums, tested
from .scoring import SEED, InputError

TESTED = ("success", "impossible_f1", "ae", "ae_turns")


def bootstrap(
    items: Sequence[Mapping],
    n_resamples: int = 1000,
    confidence: float = 0.95,
    seed: int = SEED,
    clusters: Sequence[Hashable] | None = None,
) -> dict[str, tuple[float, float]]:
    """Percentile bootstrap confidence intervals over tasks, or over clusters of episodes.

    Args:
        items: counts of `plancraft_items.score_items`.
        clusters: for each episode the name of its cluster; by default its task.
        n_resamples, confidence, seed: as for `resampling.bootstrap`.
    Returns:
        For every key of SCORES that has a value its (low, high). A resample without a value for a key is left out
        there.
    Raises:
        InputError: as for `resampling.bootstrap`.
    """
    check_resampling(n_resamples, confidence)
    samples: dict[str, list[float]] = {name: [] for name in SCORES}
    for sums in _resampled([row_of(item) for item in items], items, clusters, n_resamples, seed):
        for name, score in scores_of(sums).items():
            if score is not None:
                samples[name].append(score)
    return {name: interval(values, confidence) for name, values in samples.items() if values}


def paired_bootstrap(
    items_a: Sequence[Mapping],
    items_b: Sequence[Mapping],
    n_resamples: int = 1000,
    confidence: float = 0.95,
    seed: int = SEED,
    clusters: Sequence[Hashable] | None = None,
) -> dict[str, dict[str, float]]:
    """Whether two systems differ on the same tasks: a two-sided paired bootstrap test.

    Args:
        items_a, items_b: counts of `plancraft_items.score_items`, of the same tasks in the same order.
        n_resamples, confidence, seed, clusters: as for `bootstrap`; both systems have the same clusters.
    Returns:
        By those of TESTED that both systems have: as `resampling.paired_bootstrap`.
    Raises:
        InputError: as for `bootstrap`, and if the tasks are not the same.
    """
    check_resampling(n_resamples, confidence)
    _check_same_tasks(items_a, items_b)
    rows = [row_of(a) + row_of(b) for a, b in zip(items_a, items_b)]
    if not rows:
        return {}
    scores_a, scores_b = _two(tuple(map(sum, zip(*rows))))
    differences: dict[str, list[float]] = {name: [] for name in TESTED}
    for sums in _resampled(rows, items_a, clusters, n_resamples, seed):
        of_a, of_b = _two(sums)
        for name, values in differences.items():
            a, b = of_a[name], of_b[name]
            if a is not None and b is not None:
                values.append(a - b)
    return {
        name: tested(a, b, values, confidence)
        for name, values in differences.items()
        if (a := scores_a[name]) is not None and (b := scores_b[name]) is not None
    }


def _resampled(
    rows: Sequence[Row],
    items: Sequence[Mapping],
    clusters: Sequence[Hashable] | None,
    n_resamples: int,
    seed: int,
) -> Iterator[Row]:
    """The summed rows of each resample: of solvable tasks, and of impossible ones, which are drawn apart."""
    if clusters is not None:
        check_clusters(clusters, len(rows))
    names: Sequence[Hashable] = [item["id"] for item in items] if clusters is None else clusters
    kinds: tuple[dict[Hashable, list[Row]], ...] = ({}, {})
    for row, name, item in zip(rows, names, items):
        kinds[item["difficulty"] == "impossible"].setdefault(name, []).append(row)
    drawn = [
        resampled_sums([tuple(map(sum, zip(*runs))) for runs in tasks.values()], n_resamples, seed + number)
        for number, tasks in enumerate(kinds)
        if tasks
    ]
    for parts in zip(*drawn):
        yield tuple(map(sum, zip(*parts)))


def _two(sums: Row) -> tuple[dict[str, float | None], dict[str, float | None]]:
    """The scores of two systems, of sums that stand side by side."""
    half = len(sums) // 2
    return scores_of(sums[:half]), scores_of(sums[half:])


def _check_same_tasks(items_a: Sequence[Mapping], items_b: Sequence[Mapping]) -> None:
    if len(items_a) != len(items_b):
        raise InputError(f"{len(items_a)} episodes of one system but {len(items_b)} of the other: score the same tasks")
    for index, (a, b) in enumerate(zip(items_a, items_b)):
        if a["id"] != b["id"]:
            raise InputError(
                f"episode {index} is of {a['id']} for one system and of {b['id']} for the other: score both on the "
                "same tasks in the same order"
            )
