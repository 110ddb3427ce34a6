"""What models answered, and how right that is, item by item."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

import bap_v2_metric
from bap_v2_dataset.evaluation import score_tables as scoreboard
from bap_v2_dataset.evaluation.score_tables import PredictionError

if TYPE_CHECKING:
    from bap_v2_dataset.explorer.index import Range
    from bap_v2_dataset.explorer.sources import Source
    from bap_v2_dataset.explorer.split import Split

ORDERS = ("as in the split", "most actions first", "worst first", "largest difference", "better than the other",
          "worse than the other")  # fmt: skip
OF_ONE, OF_TWO = ORDERS[2:3], ORDERS[3:]  # that need a model, and another one


@dataclass(frozen=True, eq=False)
class Model:
    """The answers of one system, in one or several files.

    An id is looked up in the answers for the split that is shown, then in the others: the test items of `mdc_v2` are
    also items of `mdc`, and those of `dss` are also in `all`.
    """

    name: str
    answers: Mapping[tuple[str, str], Mapping[str, str]]  # by config and split: raw texts by row id

    def __deepcopy__(self, memo: dict) -> "Model":  # nobody changes it, and every visitor of a page has it
        return self

    def prediction(self, split: tuple[str, str], item: str) -> str | None:
        """The raw text for an item of this split; None if there is none."""
        own = self.answers.get(split, {})
        if item in own:
            return own[item]
        return next((its[item] for its in self.answers.values() if item in its), None)


@dataclass(frozen=True)
class Scores:
    """How a model did on the items of a split."""

    answered: np.ndarray  # (items,) bool
    counts: np.ndarray  # (items, 3): right, predicted and wanted net actions (fairer F1); 0 where nothing was answered
    items: Mapping[int, Mapping] = field(repr=False)  # by position: all counts, see `bap_v2_metric.score_item`

    @cached_property
    def f1(self) -> np.ndarray:
        """(items,) 0..1; nan without an answer, and where nothing was to be done and nothing was."""
        right, both = self.counts[:, 0], self.counts[:, 1] + self.counts[:, 2]
        return np.divide(2.0 * right, both, out=np.full(len(both), np.nan), where=both > 0)

    @cached_property
    def errors(self) -> np.ndarray:
        """(items,) net actions that are wrong or missed."""
        return self.counts[:, 1] + self.counts[:, 2] - 2 * self.counts[:, 0]


def scores_of(model: Model, split: "Split") -> Scores:
    """The scores on those items of the split that the model answered."""
    texts = {}
    for position, item in enumerate(split.ids):
        text = model.prediction(split.key, item)
        if text is not None:
            texts[position] = text
    references = split.rows.select_columns(["before", "after", "interpretations"])
    references = references.select(list(texts)).to_list() if texts else []
    items = dict(zip(texts, bap_v2_metric.score_items(list(texts.values()), references)))
    answered = np.zeros(len(split.rows), dtype=bool)
    counts = np.zeros((len(split.rows), 3), dtype=np.int64)
    for position, its in items.items():
        tp, fp, fn = (its["fairer"][name] for name in ("tp", "fp", "fn"))
        answered[position], counts[position] = True, (tp, tp + fp, tp + fn)
    return Scores(answered, counts, items)


def in_range(scores: Scores, bounds: "Range") -> np.ndarray:
    """Which items have an F1 in this range, in per cent."""
    low, high = bounds
    # Per cent as they are shown, so that 33.3 finds a third.
    f1 = np.round(100.0 * scores.f1, 1)
    return (f1 >= (0 if low is None else low)) & (f1 <= (100 if high is None else high))


def ordered(
    positions: np.ndarray, order: str, split: "Split", first: Scores | None, second: Scores | None
) -> np.ndarray:
    """The positions in one of ORDERS; equals, and items without a score, stay in the order of the split, these last.

    Raises:
        PredictionError: for an order that asks for models that there are not.
    """
    if order in OF_ONE + OF_TWO and (first is None or (order in OF_TWO and second is None)):
        asked = "predictions of a model" if order in OF_ONE else "predictions of two models"
        raise PredictionError(f"the order {order!r} asks for {asked} for this split")
    if order == "most actions first":
        keys = (-split.index.column("net_actions")[positions],)
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


def read_models(files: Sequence[str], source: "Source") -> list[Model]:
    """The models of prediction files, `FILE` or `NAME=FILE`; files of one system are one model.

    Raises:
        PredictionError: a file that cannot be read, is of own data, or has ids that its split lacks.
        SourceError: a file for a config that is not set up.
    """
    from bap_v2_dataset.evaluation import report  # only where there are files

    models: dict[str, dict[tuple[str, str], Mapping[str, str]]] = {}
    for its in report.read_answers(files):
        ids = source.rows(its.config, its.split)["id"][:]
        scoreboard.matched(its.predictions, ids, str(its.path), partial=True)
        models.setdefault(its.system, {})[its.config, its.split] = its.predictions
    return [Model(name, answers) for name, answers in models.items()]


def uploaded(file: Path, split: "Split", taken: Sequence[str]) -> Model:
    """The model of a file that somebody gave to the page, for the split that is shown.

    Raises:
        PredictionError: a file that cannot be read, or that answers no item of the split.
    """
    predictions = scoreboard.read_predictions(file)
    if not predictions.keys() & set(split.ids):
        raise PredictionError(
            f"no id of {file.name} is in {split.key[0]}, {split.key[1]}, e.g. {next(iter(predictions))!r} (the split "
            f"has e.g. {split.ids[0]!r}): choose the config and split it was made for"
        )
    name, number = file.stem, 2
    while name in taken:
        name, number = f"{file.stem} {number}", number + 1
    return Model(name, {split.key: predictions})
