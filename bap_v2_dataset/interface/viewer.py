"""How the items of a task are found by their ids and shown: what `show` and the explorer ask a task for."""

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, NamedTuple

from rich.console import RenderableType
from rich.text import Text

from bap_v2_dataset.interface.task import Row, Task
from bap_v2_dataset.pictures.picture import Picture
from bap_v2_dataset.pictures.terminal_colors import Palette
from bap_v2_metric.errors import UserError

if TYPE_CHECKING:
    import datasets

    from bap_v2_simulators.game import Game

# Classes of the engines, which stand above this module.
OwnData = Any  # of `loading.own_splits`
SystemPredictions = Any  # of `evaluation.runs`


class NotFoundError(UserError):
    """An item, game, config or split that does not exist; the message names the nearest ones."""


class ItemQuery(NamedTuple):
    """An item that is looked for."""

    item_id: str
    config: str | None = None  # where to look; by default the id tells, or all are looked through
    split: str | None = None
    labels: str | None = None  # of the test items of a config that has some, if not those of the setup
    is_set_up: Callable[[str], bool] = lambda config: True  # whether a config can be loaded at once


@dataclass(frozen=True)
class ItemLocation:
    """The row of an item, and where it is from."""

    row: Row
    config: str = ""  # or the name of own data; "" of a row that was passed as it is
    split: str = ""
    note: str = ""  # about where it is from
    earlier: Row | None = None  # the row of the turn before, if there is one
    parent: Row | None = None  # of a variant: the row of the item that it was made of, which is shown beside it

    @property
    def place(self) -> str:
        """`dss, test`."""
        return " ".join(filter(None, (", ".join(filter(None, (self.config, self.split))), self.note)))


class Predicted(NamedTuple):
    """What a system predicts for an item."""

    text: str  # raw
    of_parent: str | None = None  # of a variant: for the item that it was made of
    settings: Mapping[str, Any] = {}  # of the file


class Viewer:
    """How the items of a task are found and shown; what a task does not say is as for most of them.

    Attributes:
        formats: suffixes of the files that an item can be written to.
        rotates: whether a notebook can show boards to rotate.
    """

    formats: tuple[str, ...] = ()
    rotates: bool = False

    def __init__(self, task: Task):
        self.task = task

    @property
    def labeled(self) -> bool:
        """Whether labels make a difference to some items."""
        return any("labels" in config.arguments for config in self.task.configs.values())

    def prompt(self, row: Row, representation: str) -> str:
        """What a language model reads of an item. Raises: NotFoundError for items of tasks that have other prompts."""
        raise NotFoundError(f"--prompt is not for items of {self.task.title}")

    # --- Where an item is.
    def locate(self, wanted: ItemQuery) -> ItemLocation:
        """Return the item of an id. Raises: NotFoundError, with the nearest ids."""
        told = self.task.split_of_id(wanted.item_id) or (None, None)
        config = wanted.config or told[0]
        configs = [config] if config else list(self.task.configs)
        return self.in_rows(wanted.item_id, configs, wanted.split or told[1], wanted.labels)

    def locate_own(self, data: OwnData, item_id: str, split: str | None = None) -> ItemLocation:
        """Return the item of an id in own data: of the named split, else of the first that has it.

        Raises:
            NotFoundError: with the nearest ids.
            bap_v2_dataset.loading.own_splits.DataError: for a split that they do not have.
        """
        splits = data.splits if split is None else {name: data.splits[name] for name in [data.split_named(split)]}
        if (located := _located(item_id, data.name, splits)) is not None:
            return located
        where = f"{data.name}{f', {split}' if split else ''}"
        ids = [known for rows in splits.values() for known in rows["id"][:]]
        raise NotFoundError(_no_such_id(item_id, ids, where))

    def random_id(self, config: str, split: str | None) -> str:
        """The id of any item of a config, by default of its last split. Raises: NotFoundError for another split."""
        splits = _looked_in(config, split)
        return random.choice(splits[list(splits)[-1]]["id"][:])

    def in_rows(self, item_id: str, configs: Sequence[str], split: str | None, labels: str | None) -> ItemLocation:
        """Return the item of an id in the rows of one of these configs. Raises: NotFoundError."""
        known: dict[str, None] = {}
        for config in configs:
            described = self.task.configs.get(config)  # None: `mdc`, which is not downloaded but set up
            takes_labels = described is not None and "labels" in described.arguments
            looked_in = _looked_in(config, split, labels if takes_labels else None)
            if (located := _located(item_id, config, looked_in)) is not None:
                return located
            known.update((row_id, None) for rows in looked_in.values() for row_id in rows["id"][:])
        raise NotFoundError(self.no_such_item(item_id, known, f"{' or '.join(configs)}{f', {split}' if split else ''}"))

    def no_such_item(self, item_id: str, ids: Iterable[str], where: str) -> str:
        """Return the sentence for an id that is not among others."""
        return _no_such_id(item_id, list(ids), where)

    def game(self, name: str) -> "Game":
        """The game of an id, or of the id of an item. Raises: NotFoundError."""
        raise NotFoundError(f"{name} is no game: {self.task.title} has none")

    def complete(self, row: Row) -> Row:
        """A row that somebody passed, with what it lacks and can be derived. Raises: a UserError for what cannot."""
        return row

    # --- How it looks.
    def picture(self, item: ItemLocation, predictions: Mapping[str, Predicted], interactive: bool = False) -> Picture:
        """Return the item with what systems, by their names, predict.

        Args:
            interactive: a notebook shows boards to rotate, if the task has some.
        """
        return _Columns(item, predictions)

    # --- In the explorer.
    def page(
        self,
        files: Sequence[str],
        split: str | None = None,
        data: OwnData | None = None,
        *,
        read: Callable[..., tuple[str, str, Sequence[SystemPredictions]]],
        progress: Callable[[str], None] = lambda text: None,
    ) -> bytes | None:
        """A page of its own for the explorer, in HTML; None for a task that has none.

        Args:
            files: of predictions.
            read: reads them: `evaluation.answered_splits.read_files_for`.
            progress: called with what is being done.
        """
        return None

    def compared_html(self, parent: Row, place: tuple[str, str], row: Row) -> tuple[str, str]:
        """Of a variant beside its parent: the dialogues, and what was changed, as HTML; "" for a task without variants.

        Args:
            place: config and split of the parent.
        """
        return "", ""


VIEWER = Viewer  # of tasks that have none of their own


class _Columns(Picture):
    """A row column by column, and what systems predict."""

    def __init__(self, item: ItemLocation, predictions: Mapping[str, Predicted]):
        self.item, self.predictions = item, predictions
        self.title, self.subtitle = item.row["id"], item.place

    def parts(self, width: int, colors: Palette | None) -> Iterable[RenderableType]:
        texts = {name: predicted.text for name, predicted in self.predictions.items()}
        for name, value in {**self.item.row, **texts}.items():
            if value and name not in ("id", "metadata"):
                lines = "\n".join(map(str, value)) if isinstance(value, list) else str(value)
                yield Text(f"{name}\n", "bold").append(lines, "not bold")


def row_of(rows: "datasets.Dataset", item_id: str) -> dict[str, Any] | None:
    """Return the row of an id in a split; None if it has none."""
    import pyarrow.compute

    position = pyarrow.compute.index(rows.data.column("id"), item_id).as_py()
    return None if position < 0 else rows[position]


def _located(item_id: str, config: str, splits: "Mapping[str, datasets.Dataset]") -> ItemLocation | None:
    """Return the item in the first of the splits that has it, and with GAME/2 the row of GAME/1."""
    for split, rows in splits.items():
        if (row := row_of(rows, item_id)) is not None:
            name, slash, number = item_id.rpartition("/")
            earlier = row_of(rows, f"{name}/{int(number) - 1}") if slash and number.isdecimal() else None
            return ItemLocation(row, config, split, earlier=earlier)
    return None


def _no_such_id(item_id: str, ids: Sequence[str], where: str) -> str:
    near = [known for known in ids if known.startswith(item_id)][:3] or get_close_matches(item_id, ids, 3, 0.4)
    return f"there is no item {item_id} in {where}; it has e.g. {', '.join(near or ids[:1])}"


def _looked_in(config: str, split: str | None, labels: str | None = None) -> "Mapping[str, datasets.Dataset]":
    """Return the rows of a split of a config, or of all. Raises: NotFoundError for a split that it does not have."""
    splits = _splits(config, labels)
    if split is None:
        return splits
    if split not in splits:
        raise NotFoundError(f"the config {config} has no split {split!r}: it has {', '.join(splits)}")
    return {split: splits[split]}


def _splits(config: str, labels: str | None) -> "datasets.DatasetDict":
    """Return the rows of a config, loaded without progress bars."""
    import datasets

    from bap_v2_dataset.registration import DATASET_NAME

    shown = not datasets.are_progress_bars_disabled()
    datasets.disable_progress_bars()
    try:
        return datasets.load_dataset(DATASET_NAME, config, **({"labels": labels} if labels else {}))
    finally:
        if shown:
            datasets.enable_progress_bars()
