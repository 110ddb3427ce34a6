"""What the controls of the page ask for, and what that selects: a frozen value, replaced where a control changes."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from bap_v2_dataset.explorer.charts import BY_ACTIONS
from bap_v2_dataset.explorer.index import FACETS, Query, QueryError, number_range
from bap_v2_dataset.explorer.sources import RowSource
from bap_v2_dataset.explorer.split import ORDERS, PredictedModel, Split, SplitScores, open_split
from bap_v2_dataset.predictions.entries import PredictionError

NO_MODEL = "none"  # the choice of no model
FACET_CONTROLS = {f"facet-{facet.name}": facet.name for facet in FACETS if facet.name != "actions"}  # numbers say more
# The names of the controls that a view is made of.
FILTERS = ("words", *FACET_CONTROLS, "actions", "f1", "order")
CONTROLS = ("models", "config", "split", "first", "second", "unanswered", *FILTERS, "chart_by", "charts_open")


@dataclass(frozen=True)
class Results:
    """The items that match."""

    positions: np.ndarray  # in order
    problem: str = ""  # why a filter or the order was not applied

    def rank(self, position: int) -> int | None:
        """Return the place of an item among the results, from 0; None if it is not among them."""
        (ranks,) = (self.positions == position).nonzero()
        return int(ranks[0]) if len(ranks) else None


@dataclass(frozen=True, eq=False)
class PageView:
    """A split, filters, an order and models."""

    split: Split
    models: tuple[PredictedModel, ...] = ()  # all that the visitor has
    first: PredictedModel | None = None  # the one whose scores filter and order
    second: PredictedModel | None = None  # the one that it is compared with
    words: str = ""
    bins: Mapping[str, frozenset[str]] = field(default_factory=dict)  # by facet; a facet without any filters nothing
    actions: str = ""  # a range, as it was typed
    f1: str = ""  # a range, as it was typed; percent
    order: str = ORDERS[0]
    unanswered: bool = False  # whether items without a prediction of the chosen models are results, too
    chart_by: str = BY_ACTIONS
    charts_open: bool = False

    @property
    def chosen(self) -> tuple[PredictedModel | None, PredictedModel | None]:
        return self.first, self.second

    @cached_property
    def chosen_scores(self) -> tuple[SplitScores | None, SplitScores | None]:
        first, second = (model and self.split.scores(model) for model in self.chosen)
        return first, second

    @cached_property
    def scores(self) -> dict[str, SplitScores]:
        """By name those of the models that have predictions for the split."""
        scores = {model.name: self.split.scores(model) for model in self.models}
        return {name: values for name, values in scores.items() if values is not None}

    @cached_property
    def without_prediction(self) -> np.ndarray | None:
        """(items,) bool: the items that none of the chosen models answers; None if no model is chosen."""
        answered = [scores.answered for scores in self.chosen_scores if scores is not None]
        return ~np.logical_or.reduce(answered) if answered else None

    @cached_property
    def results(self) -> Results:
        """Items that match; if something that was asked for makes no sense, those without it."""
        problem = ""
        ranges = {"actions": (None, None), "f1": (None, None)}
        for name, text in (("actions", self.actions), ("f1", self.f1)):
            try:
                ranges[name] = number_range(text)
            except QueryError as error:
                problem = str(error)
        query = Query(self.words, {name: labels for name, labels in self.bins.items() if labels}, ranges["actions"])
        try:
            positions = self.split.matching(query, self.order, ranges["f1"], *self.chosen_scores)
        except PredictionError as error:
            positions, problem = self.split.matching(query), str(error)
        if self.without_prediction is not None and not self.unanswered:
            positions = positions[~self.without_prediction[positions]]
        return Results(positions, problem)

    def with_models_of_the_split(self) -> "PageView":
        """Replace the models that have no prediction for the split by others, if there are any."""
        first, second = (model if model and model.name in self.scores else None for model in self.chosen)
        others = iter([m for m in self.models if m.name in self.scores and m not in (first, second)])
        first = first or next(others, None)
        return replace(self, first=first, second=second or next(others, None))

    def without_bins(self) -> "PageView":
        """Drop the bins: another split has others."""
        return replace(self, bins={})

    def without_filters(self) -> "PageView":
        """Drop the filters and the order; models stay."""
        return replace(self, words="", bins={}, actions="", f1="", order=ORDERS[0])


def view_of(source: RowSource, values: Mapping[str, Any]) -> PageView:
    """Return the view that the controls ask for.

    Args:
        source: of the rows.
        values: by the names in CONTROLS. Text is None in a control that was never shown.
    Raises:
        SourceError: if there is no such split.
    """
    models = {model.name: model for model in values["models"]}
    return PageView(
        split=open_split(source, values["config"], values["split"]),
        models=tuple(values["models"]),
        first=models.get(values["first"]),
        second=models.get(values["second"]),
        words=values["words"] or "",
        bins={facet: frozenset(values[control] or ()) for control, facet in FACET_CONTROLS.items()},
        actions=values["actions"] or "",
        f1=values["f1"] or "",
        order=values["order"],
        unanswered=bool(values["unanswered"]),
        chart_by=values["chart_by"],
        charts_open=values["charts_open"],
    )
