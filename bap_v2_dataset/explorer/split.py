"""A split as the explorer shows it: its rows, what is known of them, and how models did."""

from collections.abc import Callable, Mapping
from functools import cached_property, lru_cache, partial

import datasets
import numpy as np

from bap_v2_dataset.explorer.index import Index, Query, Range, index_of
from bap_v2_dataset.explorer.predictions import PredictedModel
from bap_v2_dataset.explorer.scores import ORDERS, Scores, in_range, ordered, scores_of
from bap_v2_dataset.explorer.sources import ORIGINAL, Source
from bap_v2_dataset.predictions.entries import PredictionError
from bap_v2_dataset.tasks.building.rows import perturbation_of


class Split:
    """The items of a split.

    Args:
        config, name: of the split.
        rows: all of it.
        keep_index: whether its index may be kept beside the rows.
        originals: gives the split with the parents of variants, if they are in another one.
    """

    def __init__(
        self,
        config: str,
        name: str,
        rows: datasets.Dataset,
        keep_index: bool = True,
        originals: "Callable[[], Split] | None" = None,
    ):
        self.key = (config, name)
        self.rows = rows
        self._keep_index = keep_index
        self._originals = originals

    @cached_property
    def index(self) -> Index:
        return index_of(self.rows, self._keep_index)

    @cached_property
    def ids(self) -> list[str]:
        return self.index.table["id"].to_pylist()

    def row(self, position: int) -> dict:
        return self.rows[position]

    def parent_of(self, row: Mapping) -> "tuple[dict, tuple[str, str]] | None":
        """What a variant was made of, with its config and split; None for other items, or where it is missing."""
        parent = perturbation_of(row).get("parent")
        if not isinstance(parent, str):
            return None
        for split in (self, self._originals and self._originals()):
            position = split.index.position(parent) if split else None
            if split and position is not None:
                return split.row(position), split.key
        return None

    def scores(self, model: PredictedModel) -> Scores | None:
        """None if the model has a prediction for no item of the split."""
        scores = self._scores(model)
        return scores if scores.answered.any() else None

    @lru_cache(maxsize=16)  # noqa: B019 (as long as the split)
    def _scores(self, model: PredictedModel) -> Scores:
        return scores_of([model.prediction(self.key, item) for item in self.ids], self.rows)

    def matching(
        self, query: Query, order: str = ORDERS[0], f1: Range = (None, None), first: Scores | None = None,
        second: Scores | None = None,
    ) -> np.ndarray:  # fmt: skip
        """The positions of the items that match, in order.

        Args:
            query: what an item has to match.
            order: one of ORDERS.
            f1: the range of the F1 of `first`, in percent.
            first, second: the scores of the two models that are compared.
        Raises:
            PredictionError: if the range or the order needs the predictions of a model that was not chosen.
        """
        positions = self.index.matching(query)
        if f1 != (None, None):
            if first is None:
                raise PredictionError("a range of F1 needs predictions of a model for this split: choose it in Models")
            positions = positions[in_range(first, f1)[positions]]
        return ordered(positions, order, self.index.column("net_actions"), first, second)


@lru_cache(maxsize=8)
def open_split(source: Source, config: str, name: str) -> Split:
    """A split of the source, kept open. Raises what the source does."""
    originals = None
    if name != ORIGINAL and ORIGINAL in source.splits(config):
        originals = partial(open_split, source, config, ORIGINAL)
    return Split(config, name, source.rows(config, name), source.keeps_index, originals)
