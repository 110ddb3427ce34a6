"""How a model did, item by item, and the orders that this allows."""

from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, field
from functools import cached_property

import datasets
import numpy as np

import bap_v2_metric
from bap_v2_dataset.explorer.index import Range
from bap_v2_dataset.predictions.entries import PredictionError
from bap_v2_metric.counts import Counts

ORDERS = ("as in the split", "most actions first", "worst first", "largest difference", "better than the other",
          "worse than the other")  # fmt: skip
OF_ONE, OF_TWO = ORDERS[2:3], ORDERS[3:]  # that need a model, and two models


@dataclass(frozen=True)
class Scores:
    """How a model did on the items of a split."""

    answered: np.ndarray  # (items,) bool
    counts: np.ndarray  # (items, 3): tp, fp and fn of fairer F1; 0 without a prediction
    items: Mapping[int, Mapping] = field(repr=False)  # by position: all counts, see `bap_v2_metric.score_item`

    @cached_property
    def f1(self) -> np.ndarray:
        """(items,) 0..1; nan without a prediction, and where nothing was to be done and nothing was."""
        twice = 2.0 * self.counts[:, 0]
        total = twice + self.errors
        return np.divide(twice, total, out=np.full(len(total), np.nan), where=total > 0)

    @cached_property
    def errors(self) -> np.ndarray:
        """(items,) net actions that are wrong or missed."""
        return self.counts[:, 1] + self.counts[:, 2]

    def total(self, positions: np.ndarray) -> tuple[int, float]:
        """How many of these items have a prediction, and fairer F1 of these in percent."""
        counts = Counts(*self.counts[positions].sum(axis=0).tolist())
        return int(self.answered[positions].sum()), 100.0 * counts.f1


def scores_of(predictions: Sequence[str | None], rows: datasets.Dataset) -> Scores:
    """The scores of the predictions of one model.

    Args:
        predictions: raw texts in the order of the rows; None where there is none.
        rows: of the split.
    """
    texts = {position: text for position, text in enumerate(predictions) if text is not None}
    references = rows.select_columns(["before", "after", "interpretations"])
    references = references.select(list(texts)).to_list() if texts else []
    items = dict(zip(texts, bap_v2_metric.score_items(list(texts.values()), references)))
    answered = np.zeros(len(rows), dtype=bool)
    counts = np.zeros((len(rows), 3), dtype=np.int64)
    for position, item in items.items():
        answered[position], counts[position] = True, astuple(Counts.of(item))
    return Scores(answered, counts, items)


def in_range(scores: Scores, bounds: Range) -> np.ndarray:
    """Which items have an F1 in this range, in percent."""
    low, high = bounds
    # Percent as they are shown, so that 33.3 matches a third.
    f1 = np.round(100.0 * scores.f1, 1)
    return (f1 >= (0 if low is None else low)) & (f1 <= (100 if high is None else high))


def ordered(
    positions: np.ndarray, order: str, n_actions: np.ndarray, first: Scores | None, second: Scores | None
) -> np.ndarray:
    """The positions in one of ORDERS; ties, and items without a score, stay in the order of the split, these last.

    Args:
        positions: of items, ascending.
        order: one of ORDERS.
        n_actions: (items,) net actions of the references of all items of the split.
        first, second: the scores of the two models that are compared.
    Raises:
        PredictionError: for an order that needs the predictions of a model that was not chosen.
    """
    if order in OF_ONE + OF_TWO and (first is None or (order in OF_TWO and second is None)):
        needed = "predictions of a model" if order in OF_ONE else "predictions of two models"
        raise PredictionError(f"the order {order!r} needs {needed} for this split: choose them under Models")
    if order == "most actions first":
        keys = (-n_actions[positions],)
    elif order == "worst first":
        keys = (-first.errors[positions], first.f1[positions])
    elif order in OF_TWO:
        gain = (first.f1 - second.f1)[positions]
        fewer = (second.errors - first.errors)[positions]
        if order == "largest difference":
            gain, fewer = np.abs(gain), np.abs(fewer)
        elif order == "worse than the other":
            gain, fewer = -gain, -fewer
        keys = (-fewer, -gain)
    else:
        return positions
    return positions[np.lexsort(keys)]  # nan is larger than all numbers
