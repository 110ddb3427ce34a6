"""Scores of predicted action sequences: counts per item first, corpus scores last (BAP v2, 2.5 and 4).

Six measures compare the net actions of the prediction with those of the reference:

    strict     equal type, colour and cell
    fairer     strict; in items with multiple interpretations after aligning the predicted structure (4.1)
    type       equal type, as multisets (4.2)
    color      equal type and colour, as multisets
    location   equal cell, as multisets, after the alignment of `fairer`; a recoloured cell counts twice
    shape      strict, after aligning the net actions themselves, in every item

All scores are micro averages: counts are summed over items before precision, recall and F1 are taken.
"""

import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from sys import byteorder as _BYTE_ORDER

from .actions import NetAction, execute, net_actions
from .alignment import Transform, align, largest_overlap
from .blocks import Structure
from .notation import NotationError, parse_structure, read_prediction

METRIC_VERSION = "1.0.0"  # raised whenever a score can change for the same input
SIGNATURE = (
    f"bap_v2|version:{METRIC_VERSION}|align:exact,quarter-turns+xz-shift,inside-region"
    "|ties:most-shared-cells,fewest-turns,shortest-shift,dx,dz|empty:0/0=0"
)
MEASURES = ("strict", "fairer", "type", "color", "location", "shape")
STATISTICS = ("precision", "recall", "f1")
GROUPS = ("", "eb_", "neb_")  # all items; those that start from an empty board; the others
INTERPRETATIONS = ("unique", "multiple")


class InputError(ValueError):
    """Predictions or references that cannot be scored; the message names the item, the field and the value."""


def score(predictions: Sequence[str], references: Sequence[Mapping]) -> dict:
    """The corpus scores of raw model texts: what the `evaluate` metric returns.

    Args:
        predictions: one text an item, `place COLOUR X Y Z` or `pick X Y Z` a line; any string is accepted.
        references: one mapping an item: `before` and `after`, lists of `COLOUR X Y Z`, and optionally
            `interpretations`, "unique" (the default) or "multiple".
    Returns:
        `<measure>_precision`, `_recall`, `_f1` in 0..1 for each measure, the same with `eb_` and `neb_` in front
        (items on an empty and a non-empty board); `n_items`, `eb_n_items`, `neb_n_items`; `unparsed_lines`;
        `infeasible_actions`; `signature`. 0/0 is 0.0.
    Raises:
        InputError: lists of different lengths, a prediction that is not a string, a malformed reference.

    >>> red_block = {"before": [], "after": ["red 0 1 0"], "interpretations": "multiple"}
    >>> scores = score(["place red 3 1 -2"], [red_block])
    >>> scores["strict_f1"], scores["fairer_f1"]
    (0.0, 1.0)
    """
    return aggregate(score_items(predictions, references))


def score_items(predictions: Sequence[str], references: Sequence[Mapping]) -> list[dict]:
    """The counts of every item, in order: see `score_item`. Arguments and errors as for `score`."""
    if len(predictions) != len(references):
        raise InputError(
            f"{len(predictions)} predictions but {len(references)} references: pass one of each for every item"
        )
    return [
        _score_item(prediction, reference, index)
        for index, (prediction, reference) in enumerate(zip(predictions, references))
    ]


def score_item(prediction: str, reference: Mapping) -> dict:
    """The counts of one item.

    Returns:
        For each measure {"tp", "fp", "fn"}: net actions that are right, wrong and missed; `empty_board`: whether the
        item starts from one; `unparsed_lines` and `infeasible_actions` of the prediction.
    Raises:
        InputError: as for `score`.

    >>> item = score_item("place red 0 1 0\\nplace red 1 1 0", {"before": [], "after": ["red 0 1 0"]})
    >>> item["strict"], item["infeasible_actions"]
    ({'tp': 1, 'fp': 1, 'fn': 0}, 0)
    """
    return _score_item(prediction, reference, 0)


def _score_item(prediction: str, reference: Mapping, index: int) -> dict:
    if not isinstance(prediction, str):
        raise InputError(f"item {index}: the prediction is {_shown(prediction)} (expected a string)")
    before, after, interpretations = _read_reference(reference, index)
    actions, unparsed_lines = read_prediction(prediction)
    predicted_after, infeasible_actions = execute(before, actions)
    predicted, wanted = net_actions(before, predicted_after), net_actions(before, after)

    fair, strict = predicted, len(predicted & wanted)
    fairer = strict
    if interpretations == "multiple" and predicted != wanted:
        aligned = _moved(predicted, align(predicted_after, after))
        # On an empty board the alignment can only gain. On others (the paper has none) it may move the old blocks away.
        if len(aligned & wanted) >= strict:
            fair, fairer = aligned, len(aligned & wanted)

    def counts(right: int) -> dict:
        return {"tp": right, "fp": len(predicted) - right, "fn": len(wanted) - right}

    if predicted == wanted:
        types = colors = cells = shape = len(wanted)
    elif not predicted or not wanted:
        types = colors = cells = shape = 0
    else:
        types = _shared((action.type for action in predicted), (action.type for action in wanted))
        colors = _shared((action[:2] for action in predicted), (action[:2] for action in wanted))
        cells = _shared((action.cell for action in fair), (action.cell for action in wanted))
        shape = largest_overlap(
            ((action[:2], action.cell) for action in predicted), ((action[:2], action.cell) for action in wanted)
        )
    return {
        "strict": counts(strict),
        "fairer": counts(fairer),
        "type": counts(types),
        "color": counts(colors),
        "location": counts(cells),
        "shape": counts(shape),
        "empty_board": not len(before),
        "unparsed_lines": unparsed_lines,
        "infeasible_actions": infeasible_actions,
    }


def aggregate(items: Iterable[Mapping]) -> dict:
    """The corpus scores of items counted by `score_items`; keys as for `score`."""
    items = list(items)
    result: dict = {}
    for group, members in _grouped(items).items():
        for measure in MEASURES:
            tp, fp, fn = (sum(item[measure][count] for item in members) for count in ("tp", "fp", "fn"))
            for name, value in zip(STATISTICS, _precision_recall_f1(tp, tp + fp, tp + fn)):
                result[f"{group}{measure}_{name}"] = value
        result[f"{group}n_items"] = len(members)
    for name in ("unparsed_lines", "infeasible_actions"):
        result[name] = sum(item[name] for item in items)
    result["signature"] = SIGNATURE
    return result


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


def _read_reference(reference: object, index: int) -> tuple[Structure, Structure, str]:
    if not isinstance(reference, Mapping):
        raise InputError(
            f"item {index}: the reference is {_shown(reference)} "
            "(expected {'before': [...], 'after': [...], 'interpretations': 'unique' or 'multiple'})"
        )
    structures = []
    for field in ("before", "after"):
        if field not in reference:
            raise InputError(f"item {index}: the reference has no field '{field}' (it has {sorted(reference)})")
        lines = reference[field]
        if isinstance(lines, (str, bytes, Mapping)) or not isinstance(lines, Iterable):
            raise InputError(f"item {index}, field '{field}': {_shown(lines)} (expected a list of 'COLOUR X Y Z')")
        lines = list(lines)
        for position, line in enumerate(lines):
            if not isinstance(line, str):
                raise InputError(f"item {index}, field '{field}', block {position}: {_shown(line)} is not a string")
        try:
            structures.append(parse_structure(lines))
        except NotationError as error:
            raise InputError(f"item {index}, field '{field}': {error}") from None
    interpretations = reference.get("interpretations")
    if interpretations is None:
        interpretations = "unique"
    if interpretations not in INTERPRETATIONS:
        raise InputError(
            f"item {index}, field 'interpretations': {_shown(interpretations)} (expected 'unique' or 'multiple')"
        )
    return structures[0], structures[1], interpretations


def _moved(actions: Iterable[NetAction], transform: Transform) -> frozenset[NetAction]:
    return frozenset(NetAction(action.type, action.color, transform(action.cell)) for action in actions)


def _shared(predicted: Iterable, wanted: Iterable) -> int:
    """The size of the intersection of two multisets."""
    left = Counter(wanted)
    shared = 0
    for value in predicted:
        if left.get(value, 0):
            left[value] -= 1
            shared += 1
    return shared


def _grouped(items: list[Mapping]) -> dict[str, list[Mapping]]:
    return {
        "": items,
        "eb_": [item for item in items if item["empty_board"]],
        "neb_": [item for item in items if not item["empty_board"]],
    }


def _precision_recall_f1(right: int, predicted: int, wanted: int) -> tuple[float, float, float]:
    """Precision, recall and F1; 0/0 is 0.0, as in the 2020 scorer."""
    return (
        right / predicted if predicted else 0.0,
        right / wanted if wanted else 0.0,
        2 * right / (predicted + wanted) if predicted + wanted else 0.0,
    )


# --- Resampling. All counts of an item are packed into one long integer with a 32-bit field each, so that the sum over
# a resample is one addition an item: as fast as an array library, and exact.
_FIELD = 32
_FIELDS = len(MEASURES) + 3  # right per measure; predicted, wanted, items


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
                    for name, value in zip(STATISTICS, _precision_recall_f1(right, predicted, wanted)):
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


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."
