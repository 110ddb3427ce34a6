"""What is resampled of robust scores in another way than of others: which items two systems have in common, and losses.

What is drawn is an original, or a cluster of originals; its variants come along, since they are not independent of it.
The worst variants are chosen once, on all items, not in each resample: the scores of a family are then sums over fixed
items, and resampled like those of any task.
"""

from collections.abc import Hashable, Mapping, Sequence

from .counts import Counts
from .errors import InputError, NothingInCommonError
from .resampling import SEED, check_clusters, check_resampling, has_enough_items, tested
from .robust_scores import statistics
from .scoring import MEASURES


def degradation_test(
    items: Sequence[Mapping],
    n_resamples: int = 1000,
    confidence: float = 0.95,
    seed: int = SEED,
    clusters: Sequence[Hashable] | None = None,
) -> dict[str, dict[str, float]]:
    """Return by how much the robust F1 of a system is below its standard F1, on the same originals: a paired test.

    The robust F1 is a minimum that the original is part of, so it is never above the standard F1, and any variant that
    is answered by chance in another way lowers it. The p-value says whether other originals would show it too.

    Returns:
        By FAMILY_f1, and FAMILY_MEASURE_f1 of each measure: as `Scorer.paired_bootstrap`, `a` the standard F1 and `b`
        the robust one. Arguments and errors as for `Scorer.bootstrap`.
    """
    check_resampling(n_resamples, confidence)
    check_clusters(clusters, len(items))
    result = {}
    for prefix, of_family in statistics(items).items():
        scores, size = of_family.scores, of_family.sizes(clusters)["standard_f1"]
        drawn = of_family.resampled(n_resamples, seed, clusters) if has_enough_items(*size) else ()
        samples = [of_family.scores_of(sums) for sums in drawn]
        for name in ("f1", *(f"{measure}_f1" for measure in MEASURES)):
            standard, robust = f"standard_{name}", f"robust_{name}"
            differences = [sample[standard] - sample[robust] for sample in samples]
            result[f"{prefix}{name}"] = tested(scores[standard], scores[robust], differences, confidence)
    return result


def in_common(runs: Sequence[Sequence[Mapping]]) -> list[list[int]]:
    """Return the positions, in each run, of the originals and variants that all have, in the order of the first.

    Raises:
        NothingInCommonError: no variant is among them.
        InputError: an item that wants different numbers of net actions.
    """
    places = [{_key(item): place for place, item in enumerate(run)} for run in runs]
    keys = [key for key in places[0] if all(key in of_run for of_run in places)]
    if not any(family for _, family, _ in keys):
        raise NothingInCommonError("no variant is among the items of both systems: score both on the same families")
    for key in keys:
        n_reference = [Counts.of(run[of_run[key]], "strict").n_reference for run, of_run in zip(runs, places)]
        if other := [n for n in n_reference if n != n_reference[0]]:
            raise InputError(
                f"{runs[0][places[0][key]]['id']} has {n_reference[0]} reference net actions for one system and "
                f"{other[0]} for the other: score both on the same items"
            )
    return [[of_run[key] for key in keys] for of_run in places]


def _key(item: Mapping) -> tuple[str, str, int]:
    return item["parent"], item["family"], item["variant"]
