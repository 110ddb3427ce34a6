"""How sure scores of GSU are: bootstrap intervals and paired tests over items, or over clusters of items."""

from collections.abc import Hashable, Mapping, Sequence

from .gsu_scores import rows_of, scores_of, tasks_of
from .resampling import check_resampling, drawn_rows, interval, resampled_sums, tested
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
    samples: dict[str, list[float]] = {}
    for sums in resampled_sums(drawn_rows(rows_of(items, tasks), clusters), n_resamples, seed):
        for name, score in scores_of(sums, tasks).items():
            samples.setdefault(name, []).append(score)
    return {name: interval(values, confidence) for name, values in samples.items()}


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
    rows = [a + b for a, b in zip(rows_of(items_a, tasks), rows_of(items_b, tasks))]
    if not rows:
        return {}
    scores_a, scores_b = _two(tuple(map(sum, zip(*rows))), tasks)
    differences: dict[str, list[float]] = {}
    for sums in resampled_sums(drawn_rows(rows, clusters), n_resamples, seed):
        of_a, of_b = _two(sums, tasks)
        for name, score in of_a.items():
            differences.setdefault(name, []).append(score - of_b[name])
    return {
        name: tested(score, scores_b[name], differences.get(name, []), confidence) for name, score in scores_a.items()
    }


def _two(sums: tuple[int, ...], tasks: Sequence[str]) -> tuple[dict[str, float], dict[str, float]]:
    """The scores of two systems, of sums that stand side by side."""
    half = len(sums) // 2
    return scores_of(sums[:half], tasks), scores_of(sums[half:], tasks)


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
