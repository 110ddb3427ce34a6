"""A split as the explorer shows it: its rows, what is known of them, what models predict, and how right that is."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import astuple, dataclass, field
from functools import cached_property, lru_cache, partial
from pathlib import Path

import datasets
import numpy as np

import bap_v2_metric
from bap_v2_dataset.explorer.index import Index, Query, Range, index_of
from bap_v2_dataset.explorer.sources import ORIGINAL, RowSource
from bap_v2_dataset.items.rows import perturbation_of
from bap_v2_dataset.predictions.answered_rows import ids_by_key, matched
from bap_v2_dataset.predictions.entries import PredictionError
from bap_v2_dataset.predictions.files import read_prediction_file
from bap_v2_dataset.sentences import counted
from bap_v2_metric.counts import Counts
from bap_v2_metric.prediction_records import reasons


@dataclass(frozen=True, eq=False)
class PredictedModel:
    """The predictions of one system, from one or several files.

    An id is looked up in the predictions for the split that is shown, then in the others: the test items of `mdc_v2`
    are also items of `mdc`, and those of `dss` are also in `all`.
    """

    name: str
    predictions: Mapping[tuple[str, str], Mapping[str, str]]  # by config and split: raw texts by row id
    note: str = ""  # what is missing
    packed: bool = False  # of the package, to be looked at beside another

    def __deepcopy__(self, memo: dict) -> "PredictedModel":  # nobody changes it, and every visitor of a page has it
        return self

    def prediction(self, split: tuple[str, str], item: str) -> str | None:
        """Return the raw text for an item of this split; None if there is none."""
        own = self.predictions.get(split, {})
        if item in own:
            return own[item]
        return next((texts[item] for texts in self.predictions.values() if item in texts), None)


def read_models(files: Sequence[str], source: RowSource, beside: Sequence[str] = ()) -> list[PredictedModel]:
    """Read the models of prediction files, `FILE` or `NAME=FILE`, and systems of the package.

    Raises:
        PredictionError: a file that cannot be read, is for data of the user's own that the source does not show, or
            has ids that its split lacks.
        SourceError: a file for a config that is not set up.
    """
    if not files and not beside:
        return []
    from bap_v2_dataset.evaluation.answered_splits import read_files  # only where there are files

    models: dict[str, dict[tuple[str, str], Mapping[str, str]]] = {}
    packed = set()
    for answers in read_files(files, source.data, beside=beside):
        if answers.data is not None and answers.data is not source.data:
            raise PredictionError(f"{answers.path} has predictions for own items: pass --data {answers.data.source}")
        splits = answers.split.split("+")  # of variants they are often answered together
        ids = [own_id for split in splits for own_id in source.rows(answers.config, split)["id"][:]]
        matched(answers.predictions, ids, answers.source, partial=True)
        for split in splits:
            models.setdefault(answers.label, {})[answers.config, split] = answers.predictions
        packed |= {answers.label} if answers.packed else set()
    return [PredictedModel(name, predictions, packed=name in packed) for name, predictions in models.items()]


def uploaded_model(file: Path, split: tuple[str, str], ids: Sequence[str], names: Collection[str]) -> PredictedModel:
    """Read the model of a file that a visitor uploads for the split that is shown.

    Args:
        file: of predictions; its name is that of the model, with a number if there is one of that name.
        split: config and split.
        ids: of the items of the split.
        names: of the models there are.
    Raises:
        PredictionError: a file that cannot be read, or that has a prediction for no item of the split.
    """
    # Read the answers, and give them to the items of the split.
    try:
        read = read_prediction_file(file)
    except PredictionError as error:  # the folder that gradio put it into says nothing
        raise PredictionError(str(error).replace(str(file), file.name)) from None
    (texts, *_), (missing, *_) = read.runs, read.missing
    item_ids = ids_by_key({*texts, *missing}, ids, file.name, read.in_order, ", ".join(split))
    predictions = {item_ids[key]: text for key, text in texts.items()}
    if not predictions.keys() & set(ids):
        raise PredictionError(
            f"no id of {file.name} is in {split[0]}, {split[1]}, e.g. {next(iter(predictions))!r} (the split "
            f"has e.g. {ids[0]!r}): choose the config and split that it was made for"
        )

    # Name the model, and say what is missing.
    name, number = file.stem, 2
    while name in names:
        name, number = f"{file.stem} {number}", number + 1
    note = f"{name}: {counted(len(missing), 'prediction')} missing ({reasons(missing.values())})" if missing else ""
    return PredictedModel(name, {split: predictions}, note)


ORDERS = ("as in the split", "most actions first", "worst first", "largest difference", "better than the other",
          "worse than the other")  # fmt: skip
OF_ONE, OF_TWO = ORDERS[2:3], ORDERS[3:]  # that need a model, and two models


@dataclass(frozen=True)
class SplitScores:
    """Scores of a model on the items of a split."""

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
        """Return the number of these items that have a prediction, and fairer F1 of these in percent."""
        counts = Counts(*self.counts[positions].sum(axis=0).tolist())
        return int(self.answered[positions].sum()), 100.0 * counts.f1


def scores_of(predictions: Sequence[str | None], rows: datasets.Dataset) -> SplitScores:
    """Score the predictions of one model.

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
    return SplitScores(answered, counts, items)


def in_range(scores: SplitScores, bounds: Range) -> np.ndarray:
    """Return (items,) bool: the items with an F1 in this range, in percent."""
    low, high = bounds
    # Percent as they are shown, so that 33.3 matches a third.
    f1 = np.round(100.0 * scores.f1, 1)
    return (f1 >= (0 if low is None else low)) & (f1 <= (100 if high is None else high))


def ordered(
    positions: np.ndarray, order: str, n_actions: np.ndarray, first: SplitScores | None, second: SplitScores | None
) -> np.ndarray:
    """Sort the positions in one of ORDERS; ties, and items without a score, stay in the order of the split, these last.

    Args:
        positions: of items, ascending.
        order: one of ORDERS.
        n_actions: (items,) net actions of the references of all items of the split.
        first, second: the scores of the two models that are compared.
    Raises:
        PredictionError: for an order that needs the predictions of a model that was not chosen.
    """
    # An order by scores needs models.
    if order in OF_ONE + OF_TWO and (first is None or (order in OF_TWO and second is None)):
        needed = "predictions of a model" if order in OF_ONE else "predictions of two models"
        raise PredictionError(f"the order {order!r} needs {needed} for this split: choose them under Models")

    # Smaller keys come first, and the last key counts most.
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


class Split:
    """The items of a split.

    Args:
        config, name: of the split.
        rows: all of it.
        keep_index: whether its index may be kept beside the rows.
        originals: gives the split with the parents of variants, if they are in another one.
    """

    def __init__(
        self, config: str, name: str, rows: datasets.Dataset, keep_index: bool = True,
        originals: "Callable[[], Split] | None" = None,
    ):  # fmt: skip
        self.key, self.rows = (config, name), rows
        self._keep_index, self._originals = keep_index, originals

    @cached_property
    def index(self) -> Index:
        return index_of(self.rows, self._keep_index)

    @cached_property
    def ids(self) -> list[str]:
        return self.index.table["id"].to_pylist()

    def row(self, position: int) -> dict:
        return self.rows[position]

    def parent_of(self, row: Mapping) -> "tuple[dict, tuple[str, str]] | None":
        """Return what a variant was made of, with its config and split; None for other items, or if it is missing."""
        parent = perturbation_of(row).get("parent")
        if not isinstance(parent, str):
            return None
        for split in (self, self._originals and self._originals()):
            position = split.index.position(parent) if split else None
            if split and position is not None:
                return split.row(position), split.key
        return None

    def scores(self, model: PredictedModel) -> SplitScores | None:
        """Return the scores of a model; None if it has a prediction for no item of the split."""
        scores = self._scores(model)
        return scores if scores.answered.any() else None

    @lru_cache(maxsize=16)  # noqa: B019 (as long as the split)
    def _scores(self, model: PredictedModel) -> SplitScores:
        return scores_of([model.prediction(self.key, item) for item in self.ids], self.rows)

    def matching(
        self, query: Query, order: str = ORDERS[0], f1: Range = (None, None), first: SplitScores | None = None,
        second: SplitScores | None = None,
    ) -> np.ndarray:  # fmt: skip
        """Return the positions of the items that match, in order.

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
def open_split(source: RowSource, config: str, name: str) -> Split:
    """Open a split of the source, which is kept open. Raises what the source does."""
    originals = None
    if name != ORIGINAL and ORIGINAL in source.splits(config):
        originals = partial(open_split, source, config, ORIGINAL)
    return Split(config, name, source.rows(config, name), source.keeps_index, originals)
