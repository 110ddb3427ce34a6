"""How sure a score is: bootstrap confidence intervals and paired tests over items.

All counts of an item are packed into one long integer with a 32-bit field each, so that the sum over a resample takes
one addition an item: as fast as with an array library, and exact.
"""

import random
from collections.abc import Mapping, Sequence
from sys import byteorder as _BYTE_ORDER

from .scoring import GROUPS, MEASURES, STATISTICS, InputError, aggregate, precision_recall_f1

_FIELD = 32
_FIELDS = len(MEASURES) + 3  # right per measure; predicted, wanted, items


def bootstrap(
    items: Sequence[Mapping], n_resamples: int = 1000, confidence: float = 0.95, seed: int = 20260
) -> dict[str, tuple[float, float]]:
    """Percentile bootstrap confidence intervals over items.

    Args:
        items: counts of `score_items`.
        n_resamples: how often as many items are drawn with replacement.
        confidence: the share of resampled scores inside the interval.
        seed: equal seeds give equal intervals.
    Returns:
        For every precision, recall and F1 key of `score` its (low, high).

    >>> from .scoring import score_items
    >>> items = score_items(["place red 0 1 0", ""], [{"before": [], "after": ["red 0 1 0"]}] * 2)
    >>> bootstrap(items, n_resamples=200)["strict_recall"]
    (0.0, 1.0)
    """
    _check_resampling(n_resamples, confidence)
    samples = _resampled_scores([items], n_resamples, seed)[0]
    return {key: _interval(values, confidence) for key, values in samples.items()}


def paired_bootstrap(
    items_a: Sequence[Mapping],
    items_b: Sequence[Mapping],
    n_resamples: int = 1000,
    confidence: float = 0.95,
    seed: int = 20260,
) -> dict[str, dict[str, float]]:
    """Whether two systems differ on the same items: a two-sided paired bootstrap test of their F1 scores.

    The p-value is (1 + the resamples whose difference lies at least as far from the observed one as that lies from
    zero) / (1 + the resamples).

    Args:
        items_a, items_b: counts of `score_items` for the same references in the same order.
        n_resamples, confidence, seed: as for `bootstrap`.
    Returns:
        For every F1 key of `score`: `a`, `b`, `difference` (a - b), its `low` and `high`, and `p_value`.
    Raises:
        InputError: if the items are not the same.
    """
    _check_resampling(n_resamples, confidence)
    if len(items_a) != len(items_b):
        raise InputError(f"{len(items_a)} items of one system but {len(items_b)} of the other: score the same items")
    for index, (a, b) in enumerate(zip(items_a, items_b)):
        wanted_a, wanted_b = (item["strict"]["tp"] + item["strict"]["fn"] for item in (a, b))
        if a["empty_board"] != b["empty_board"] or wanted_a != wanted_b:
            raise InputError(
                f"item {index} has {wanted_a} reference net actions for one system and {wanted_b} for the other: "
                "score both on the same items in the same order"
            )
    scores_a, scores_b = aggregate(items_a), aggregate(items_b)
    samples_a, samples_b = _resampled_scores([items_a, items_b], n_resamples, seed)
    result = {}
    for key in (key for key in samples_a if key.endswith("_f1")):
        difference = scores_a[key] - scores_b[key]
        differences = [a - b for a, b in zip(samples_a[key], samples_b[key])]
        as_far = sum(abs(value - difference) >= abs(difference) for value in differences)
        low, high = _interval(differences, confidence)
        result[key] = {
            "a": scores_a[key],
            "b": scores_b[key],
            "difference": difference,
            "low": low,
            "high": high,
            "p_value": (1 + as_far) / (1 + len(differences)),
        }
    return result


def _packed(item: Mapping) -> int:
    strict = item["strict"]
    counts = [item[measure]["tp"] for measure in MEASURES]
    counts += [strict["tp"] + strict["fp"], strict["tp"] + strict["fn"], 1]
    packed = sum(count << _FIELD * position for position, count in enumerate(counts))
    return packed | packed << _FIELD * _FIELDS if item["empty_board"] else packed


def _resampled_scores(systems: list[Sequence[Mapping]], n_resamples: int, seed: int) -> list[dict[str, list[float]]]:
    """For each system, the scores of each resample; a resample draws the same items for all of them.

    A resample in which a group happens to have no items says nothing about that group, and is left out there.
    """
    n_items = len(systems[0])
    width = 2 * _FIELD * _FIELDS
    packed = [
        sum(_packed(item) << width * position for position, item in enumerate(paired)) for paired in zip(*systems)
    ]
    rng = random.Random(seed)
    n_words = 2 * _FIELDS * len(systems)
    keys = [f"{group}{measure}_{name}" for group in GROUPS for measure in MEASURES for name in STATISTICS]
    samples: list[dict[str, list[float]]] = [{key: [] for key in keys} for _ in systems]
    for _ in range(n_resamples):
        total = sum(rng.choices(packed, k=n_items)) if n_items else 0
        words = memoryview(total.to_bytes(_FIELD // 8 * n_words, _BYTE_ORDER)).cast("I").tolist()
        if _BYTE_ORDER == "big":
            words.reverse()
        for position, sample in enumerate(samples):
            start = 2 * _FIELDS * position
            every, empty = words[start : start + _FIELDS], words[start + _FIELDS : start + 2 * _FIELDS]
            rest = [a - b for a, b in zip(every, empty)]
            for group, counts in zip(GROUPS, (every, empty, rest)):
                *_, predicted, wanted, group_items = counts
                if not group_items:
                    continue
                for measure, right in zip(MEASURES, counts):
                    for name, value in zip(STATISTICS, precision_recall_f1(right, predicted, wanted)):
                        sample[f"{group}{measure}_{name}"].append(value)
    return samples


def _interval(values: list[float], confidence: float) -> tuple[float, float]:
    ordered = sorted(values)
    return tuple(_percentile(ordered, share) for share in ((1 - confidence) / 2, (1 + confidence) / 2))


def _percentile(ordered: list[float], share: float) -> float:
    if not ordered:
        return 0.0
    position = share * (len(ordered) - 1)
    below = int(position)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (position - below)


def _check_resampling(n_resamples: int, confidence: float) -> None:
    if n_resamples < 1:
        raise InputError(f"n_resamples is {n_resamples} (expected 1 or more)")
    if not 0 < confidence < 1:
        raise InputError(f"confidence is {confidence} (expected a share between 0 and 1, e.g. 0.95)")
