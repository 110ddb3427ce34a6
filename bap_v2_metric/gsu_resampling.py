"""How sure scores of GSU are: bootstrap intervals and paired tests over items, or over clusters of items."""

from collections.abc import Hashable, Mapping, Sequence

from .gsu_scores import rows_of, scores_of, tasks_of
from .resampling import check_resampling, intervals_of_sums, tests_of_sums
from .scoring import SEED, InputError


def bootstrap(
    items: Sequence[Mapping],
    n_resamples: int = 1000,
    confidence: float = 0.95,
    seed: int = SEED,
    clusters: Sequence[Hashable] | None = None,
) -> dict[str, tuple[float, float]]:
    """Percentile bootstrap confidence intervals of every flat score of `gsu_scores.aggregate`.

    A resample in which a task happens to have no items says nothing about it, and is left out there.

    Args:
        items: counts of `gsu_items.score_items`.
        n_resamples, confidence, seed, clusters: as for `resampling.bootstrap`.
    Raises:
        InputError: as for `resampling.bootstrap`.

    >>> from .gsu_items import score_items
    >>> reference = {"task": "localization", "frame": "egocentric", "dims": 3, "group": "+y", "answer": "left"}
    >>> bootstrap(score_items(["left", "right"], [reference] * 2), n_resamples=200)["localization_exact"]
    (0.0, 1.0)
    """
    check_resampling(n_resamples, confidence)
    tasks = tasks_of(items)
    return intervals_of_sums(
        rows_of(items, tasks), lambda sums: scores_of(sums, tasks), n_resamples, confidence, seed, clusters
    )


def paired_bootstrap(
    items_a: Sequence[Mapping],
    items_b: Sequence[Mapping],
    n_resamples: int = 1000,
    confidence: float = 0.95,
    seed: int = SEED,
    clusters: Sequence[Hashable] | None = None,
) -> dict[str, dict[str, float]]:
    """Whether two systems differ on the same items: a two-sided paired bootstrap test of their scores.

    Args:
        items_a, items_b: counts of `gsu_items.score_items` for the same references in the same order.
        n_resamples, confidence, seed, clusters: as for `resampling.bootstrap`; both systems have the same clusters.
    Returns:
        For every flat score of `gsu_scores.aggregate`: as `resampling.paired_bootstrap`. Of distances the smaller is
        the better one.
    Raises:
        InputError: as for `bootstrap`, and if the items are not the same.
    """
    check_resampling(n_resamples, confidence)
    _check_same_items(items_a, items_b)
    tasks = tasks_of(items_a)
    rows_a, rows_b = rows_of(items_a, tasks), rows_of(items_b, tasks)
    return tests_of_sums(rows_a, rows_b, lambda sums: scores_of(sums, tasks), n_resamples, confidence, seed, clusters)


def _check_same_items(items_a: Sequence[Mapping], items_b: Sequence[Mapping]) -> None:
    if len(items_a) != len(items_b):
        raise InputError(f"{len(items_a)} items of one system but {len(items_b)} of the other: score the same items")
    for index, (a, b) in enumerate(zip(items_a, items_b)):
        names = [tuple(item.get(name) for name in ("task", "frame", "group")) for item in (a, b)]
        composite = [bool(item.get("composite")) for item in (a, b)]
        if names[0] != names[1] or composite[0] != composite[1]:
            one, other = (" ".join(filter(None, words)) for words in names)
            raise InputError(
                f"item {index} is of {one} for one system and of {other} for the other: score both on the same items "
                "in the same order"
            )
