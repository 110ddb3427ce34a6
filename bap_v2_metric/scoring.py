"""Scores of predicted action sequences: counts per item first, corpus scores last (BAP v2, 2.5 and 4).

Six measures compare the net actions of the prediction with those of the reference:

    strict     equal type, color and cell
    fairer     strict; in items with multiple interpretations after aligning the predicted structure (4.1)
    type       equal type, as multisets (4.2)
    color      equal type and color, as multisets
    location   equal cell, as multisets, after the alignment of `fairer`; a recolored cell counts twice
    shape      strict, after aligning the net actions themselves, in every item

All scores are micro averages: counts are summed over items before precision, recall and F1 are taken.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import NamedTuple

from .actions import Action, NetAction, execute, net_actions
from .alignment import Transform, align, largest_overlap
from .blocks import Structure
from .counts import Counts
from .errors import InputError, shortened
from .notation import NotationError, parse_structure, read_prediction
from .resampling import SEED, Row, Statistics, check_clusters, check_resampling, has_enough_items, interval, is_list
from .scorer import Scorer, signed

METRIC_VERSION = "1.4.0"  # raised whenever a score can change for the same input
SIGNATURE = f"bap_v2|version:{METRIC_VERSION}|align:exact-rot90-xz-inside|ties:location,turns,shift,dx,dz|empty:0/0=0"
MEASURES = ("strict", "fairer", "type", "color", "location", "shape")
STATISTICS = ("precision", "recall", "f1")
GROUPS = ("", "eb_", "neb_")  # all items; those that start from an empty board; the others
INTERPRETATIONS = ("unique", "multiple")
REFERENCE = {"before": ["string"], "after": ["string"], "interpretations": "string"}


def signature(n_resamples: int = 0, seed: int = SEED, unit: str = "item") -> str:
    """Name what a published score depends on: the version of the rules and, with intervals, how they were resampled.

    Args:
        unit: what was drawn: "item", or e.g. "target".

    >>> signature() == SIGNATURE
    True
    >>> signature(n_resamples=1000).removeprefix(SIGNATURE)
    '|bs:1000|seed:20260|unit:item'
    >>> signature(n_resamples=1000, unit="target").removeprefix(SIGNATURE)
    '|bs:1000|seed:20260|unit:target'
    """
    return signed(SIGNATURE, n_resamples, seed, unit)


def score(predictions: Sequence[str], references: Sequence[Mapping]) -> dict:
    """Return the corpus scores of raw model texts: what the `evaluate` metric returns.

    Args:
        predictions: one text per item, `place COLOR X Y Z` or `pick X Y Z` per line; any string is accepted.
        references: one mapping an item: `before` and `after`, lists of `COLOR X Y Z`, and optionally
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
    """Return the counts of every item, in order: see `score_item`. Arguments and errors as for `score`."""
    check_lists(predictions, references)
    return [
        attempt_at(prediction, reference, index).counts()
        for index, (prediction, reference) in enumerate(zip(predictions, references))
    ]


def check_items(predictions: Sequence[str], references: Sequence[Mapping]) -> None:
    """Raises what `score` would raise, without scoring."""
    check_lists(predictions, references)
    for index, (prediction, reference) in enumerate(zip(predictions, references)):
        _check_prediction(prediction, index)
        _read_reference(reference, index)


def score_item(prediction: str, reference: Mapping) -> dict:
    """Return the counts of one item.

    Returns:
        For each measure {"tp", "fp", "fn"}: net actions that are right, wrong and missed; `empty_board`: whether the
        item starts from one; `unparsed_lines` and `infeasible_actions` of the prediction.
    Raises:
        InputError: as for `score`.

    >>> item = score_item("place red 0 1 0\\nplace red 1 1 0", {"before": [], "after": ["red 0 1 0"]})
    >>> item["strict"], item["infeasible_actions"]
    ({'tp': 1, 'fp': 1, 'fn': 0}, 0)
    """
    return attempt_at(prediction, reference).counts()


class Attempt(NamedTuple):
    """A prediction, carried out on the board of its item."""

    actions: Sequence[Action]  # of the prediction, in its order
    n_unparsed: int  # lines
    n_infeasible: int  # actions
    before: Structure
    after: Structure  # of the reference
    predicted_after: Structure
    interpretations: str
    predicted: frozenset[NetAction]
    gold: frozenset[NetAction]

    @classmethod
    def on_boards(
        cls, before: Structure, after: Structure, predicted_after: Structure, interpretations: str,
        actions: Sequence[Action] = (), n_unparsed: int = 0, n_infeasible: int = 0,
    ) -> "Attempt":  # fmt: skip
        """Compare the change of a predicted board with that of the reference."""
        return cls(
            actions, n_unparsed, n_infeasible, before, after, predicted_after, interpretations,
            net_actions(before, predicted_after), net_actions(before, after),
        )  # fmt: skip

    @property
    def fair(self) -> frozenset[NetAction]:
        """The predicted net actions as `fairer` compares them: aligned in items with multiple interpretations (4.1)."""
        if self.interpretations == "multiple" and self.predicted != self.gold:
            aligned = _moved(self.predicted, align(self.predicted_after, self.after))
            # On an empty board the alignment can only gain. On others (the paper has none) it may move old blocks away.
            if len(aligned & self.gold) >= len(self.predicted & self.gold):
                return aligned
        return self.predicted

    def counts(self) -> dict:
        """Count what is right by each measure, as `score_item` does."""
        # Right by place, and right when the prediction is aligned.
        predicted, gold, fair = self.predicted, self.gold, self.fair
        strict = len(predicted & gold)
        fairer = strict if fair is predicted else len(fair & gold)

        def counts(right: int) -> dict:
            return {"tp": right, "fp": len(predicted) - right, "fn": len(gold) - right}

        # The other measures compare parts of the actions; equal and empty answers need no counting.
        if predicted == gold:
            types = colors = cells = shape = len(gold)
        elif not predicted or not gold:
            types = colors = cells = shape = 0
        else:
            types = _shared((action.type for action in predicted), (action.type for action in gold))
            colors = _shared((action[:2] for action in predicted), (action[:2] for action in gold))
            cells = _shared((action.cell for action in fair), (action.cell for action in gold))
            shape = largest_overlap(
                ((action[:2], action.cell) for action in predicted), ((action[:2], action.cell) for action in gold)
            )
        return {
            "strict": counts(strict),
            "fairer": counts(fairer),
            "type": counts(types),
            "color": counts(colors),
            "location": counts(cells),
            "shape": counts(shape),
            "empty_board": not len(self.before),
            "unparsed_lines": self.n_unparsed,
            "infeasible_actions": self.n_infeasible,
        }


def attempt_at(prediction: str, reference: Mapping, index: int = 0) -> Attempt:
    """Return the prediction, read and carried out. Raises: InputError, as for `score`, naming the index of the item."""
    _check_prediction(prediction, index)
    before, after, interpretations = _read_reference(reference, index)
    actions, unparsed = read_prediction(prediction)
    predicted_after, failures = execute(before, actions)
    return Attempt.on_boards(before, after, predicted_after, interpretations, actions, len(unparsed), len(failures))


def statistics(items: Sequence[Mapping]) -> dict[str, Statistics]:
    """Return the sufficient statistics of items counted by `score_items`."""
    return {"": Statistics(list(map(_row, items)), _scores_of, 2 * (3 + len(MEASURES)))}


def _row(item: Mapping) -> Row:
    """Return one item, its predicted and its reference net actions, and those that are right by each measure.

    The same again counts only items that start from an empty board.
    """
    counts = Counts.of(item, "strict")  # all measures divide by the same numbers
    row = (1, counts.n_predicted, counts.n_reference, *(item[measure]["tp"] for measure in MEASURES))
    return row + (row if item["empty_board"] else (0,) * len(row))


def _scores_of(sums: Row) -> dict[str, float | None]:
    """Precision, recall and F1 of all groups and measures; None for a group without items."""
    scores = {}
    for group, (n_items, n_predicted, n_reference, *right) in by_board(sums).items():
        for measure, tp in zip(MEASURES, right):
            counts = Counts(tp, n_predicted - tp, n_reference - tp)
            for name in STATISTICS:
                scores[f"{group}{measure}_{name}"] = getattr(counts, name) if n_items else None
    return scores


def by_board(sums: Row) -> dict[str, Row]:
    """The sums of each of GROUPS, from those of all items beside those of the items that start from an empty board."""
    every, empty = sums[: len(sums) // 2], sums[len(sums) // 2 :]
    return dict(zip(GROUPS, (every, empty, tuple(a - b for a, b in zip(every, empty)))))


def numbers(items: Sequence[Mapping], scores: Mapping) -> dict:
    """Return the numbers of items, of unparsed lines and of infeasible actions, and the signature."""
    empty = sum(item["empty_board"] for item in items)
    result: dict = dict(zip((f"{group}n_items" for group in GROUPS), (len(items), empty, len(items) - empty)))
    for name in ("unparsed_lines", "infeasible_actions"):
        result[name] = sum(item[name] for item in items)
    return result | {"signature": SIGNATURE}


def described(item: Mapping, measure: str = "strict") -> str:
    """Describe an item as it is for every system: `an item with 3 reference net actions on an empty board`."""
    n_reference = Counts.of(item, measure).n_reference
    board = "an empty" if item["empty_board"] else "a non-empty"
    return f"an item with {n_reference} reference net actions on {board} board"


def bootstrap_f1(
    counts: Sequence[Counts],
    n_resamples: int = 1000,
    confidence: float = 0.95,
    seed: int = SEED,
    clusters: Sequence[Hashable] | None = None,
) -> tuple[float, float] | None:
    """The percentile bootstrap confidence interval of the micro F1 of one measure; None of too few items or clusters.

    Args:
        counts: of every item, e.g. `[Counts.of(item, "fairer") for item in items]`.
        n_resamples, confidence, seed, clusters: as for `bootstrap`; the interval is the one that `bootstrap` gives.

    >>> bootstrap_f1([Counts(tp=1), Counts(tp=1)] * 10, n_resamples=200)
    (1.0, 1.0)
    >>> bootstrap_f1([Counts(tp=1), Counts(tp=1)], n_resamples=200)
    """
    check_resampling(n_resamples, confidence)
    check_clusters(clusters, len(counts))
    if not has_enough_items(len(counts), None if clusters is None else len(set(clusters))):
        return None
    rows = Statistics([(count.tp, count.fp, count.fn) for count in counts], lambda sums: {}, 3)
    return interval([Counts(*sums).f1 for sums in rows.resampled(n_resamples, seed, clusters)], confidence)


def check_lists(predictions: object, references: object) -> None:
    """Raises: InputError unless there is a list of each, with as many entries."""
    for name, values in (("predictions", predictions), ("references", references)):
        if not is_list(values):
            raise InputError(f"{name} are {shortened(values)} (expected a list with one entry for every item)")
    if len(predictions) != len(references):
        raise InputError(
            f"{len(predictions)} predictions but {len(references)} references: pass one of each for every item"
        )


def _check_prediction(prediction: object, index: int) -> None:
    if not isinstance(prediction, str):
        raise InputError(f"item {index}: the prediction is {shortened(prediction)} (expected a string)")


def _read_reference(reference: object, index: int) -> tuple[Structure, Structure, str]:
    if not isinstance(reference, Mapping):
        raise InputError(
            f"item {index}: the reference is {shortened(reference)} "
            "(expected {'before': [...], 'after': [...], 'interpretations': 'unique' or 'multiple'})"
        )
    # Both structures, line by line.
    structures = []
    for field in ("before", "after"):
        if field not in reference:
            raise InputError(
                f"item {index}: the reference has no field '{field}' (it has {shortened(list(reference))})"
            )
        lines = reference[field]
        if not is_list(lines):
            raise InputError(f"item {index}, field '{field}': {shortened(lines)} (expected a list of 'COLOR X Y Z')")
        lines = list(lines)
        for position, line in enumerate(lines):
            if not isinstance(line, str):
                raise InputError(f"item {index}, field '{field}', block {position}: {shortened(line)} is not a string")
        try:
            structures.append(parse_structure(lines))
        except NotationError as error:
            raise InputError(f"item {index}, field '{field}': {error}") from None
    # Interpretations, whose name is easily misspelled.
    if "interpretations" not in reference:
        for key in reference:
            if str(key).lower().startswith("interpret"):
                raise InputError(f"item {index}: the field {shortened(key)} is called 'interpretations'")
    interpretations = reference.get("interpretations")
    if interpretations is None:
        interpretations = "unique"
    if interpretations not in INTERPRETATIONS:
        raise InputError(
            f"item {index}, field 'interpretations': {shortened(interpretations)} (expected 'unique' or 'multiple')"
        )
    return structures[0], structures[1], interpretations


def _moved(actions: Iterable[NetAction], transform: Transform) -> frozenset[NetAction]:
    return frozenset(NetAction(action.type, action.color, transform(action.cell)) for action in actions)


def _shared(predicted: Iterable, gold: Iterable) -> int:
    """Return the size of the intersection of two multisets."""
    left = Counter(gold)
    shared = 0
    for value in predicted:
        if left.get(value, 0):
            left[value] -= 1
            shared += 1
    return shared


SCORER = Scorer(
    prediction="string",
    reference=REFERENCE,
    check_items=check_items,
    score_items=score_items,
    statistics=statistics,
    further=numbers,
    signature=signature,
    described=described,
    is_tested=lambda key: key.endswith("_f1"),
    missing=0.0,
    defaults={"interpretations": "unique"},  # evaluate does not store None as a text
)
aggregate, bootstrap, paired_bootstrap = SCORER.aggregate, SCORER.bootstrap, SCORER.paired_bootstrap
