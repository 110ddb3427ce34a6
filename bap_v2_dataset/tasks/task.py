"""What a task is: a kind of row with its own columns, prompts, scores and pictures. Each has a room beside this file.

Everything else asks a `Task`, and knows none by its name. What a task has to say is said in its room: in the module
`task` what every command reads, and in other modules what is imported when it is asked for: `dataset`, how its rows are
made, `scores`, how predictions are scored and shown.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

if TYPE_CHECKING:
    import datasets

    from bap_v2_dataset.evaluation.runs import SystemPredictions
    from bap_v2_dataset.evaluation.scores import Scores
    from bap_v2_dataset.generation.single_items import Source
    from bap_v2_dataset.loading.builder import BapV2Config
    from bap_v2_metric.scorer import Scorer

Row = Mapping[str, Any]
Baseline = Callable[[Row], str]


@dataclass(frozen=True)
class Config:
    """What users can load and say about a config."""

    splits: tuple[str, ...] = ("train", "validation", "test")
    arguments: tuple[str, ...] = ()  # keyword arguments of load_dataset: "mdc" (human corpus), "labels" (of it), "seed"
    by_default: bool = True  # whether `bap-v2 setup` without --config makes it
    made_of: tuple[str, ...] = ()  # configs whose rows it takes
    megabytes: int = 0  # of its rows in the cache, measured; said before a setup that was asked for


class Dataset(Protocol):
    """The module of a room that makes the rows of its configs."""

    def description(self, config: str) -> str:
        """One line about a config, for `datasets`."""

    def info(self, config: str) -> "datasets.DatasetInfo":
        """The columns of a config, and whose data they are."""

    def shards(
        self, config: "BapV2Config", rows_of: Callable[[str], Mapping[str, "datasets.Dataset"]]
    ) -> Mapping[str, Sequence[Any]]:
        """By split its shards, which have `rows()`; `rows_of` gives the splits of another config."""

    def depends_on(self, config: str, mdc: str | None = None, labels: str | None = None) -> list[str]:
        """What the rows of a config depend on; a change is another cache folder."""

    def labels_of(self, rows: Sequence[Row], config: str) -> str:
        """Whose labels were used; shown with the scores."""


class Task:
    """A task, as everything else sees it; what a task does not say is as for most of them."""

    name: ClassVar[str]  # of the scorer: evaluate.load("bap_v2", NAME)
    title: ClassVar[str]  # in sentences and tables
    configs: Mapping[str, Config]
    setup_option: str = ""  # of `bap-v2 setup`: sets up configs that are left out by default
    setup_help: str = ""

    # --- Rows.
    @property
    def dataset(self) -> Dataset:
        """The module that makes the rows."""
        raise NotImplementedError

    def title_of(self, config: str, split: str) -> str:
        """What tables call a split: `dss`, `dss validation`."""
        return config if split == "test" else f"{config} {split}"

    def split_of_id(self, row_id: str) -> tuple[str, str] | None:
        """The config and split of a row, None where its id does not tell."""
        return None

    # Data of the user's own.
    own_columns: tuple[str, ...] = ()  # that tell its items from those of other tasks; (): there are no own data

    def own_row(self, record: Row) -> dict[str, Any]:
        """A row with all columns, what is missing derived. Raises: a UserError that names the column."""
        raise NotImplementedError

    # Any number of rows.
    generates: bool = False  # whether `bap-v2 generate` makes its rows

    def source(self, config: str, settings: Mapping[str, str]) -> "Source":
        """What makes any number of rows of a config."""
        raise NotImplementedError

    # Setting up.
    def check_setup(self) -> list[str]:
        """What a user should know before the rows are made. Raises: a UserError if something is missing."""
        return []

    played: bool = False  # turn by turn in an environment: a model is not asked just once for a row

    # --- Baselines.
    baselines: tuple[str, ...] = ()  # their names
    reported: tuple[str, ...] = ()  # configs that a report of baselines alone is about, in the order of its tables

    def baseline(self, name: str) -> Baseline:
        """The function from a row to its prediction."""
        raise NotImplementedError

    # --- Prediction files.
    def splits_answered(self, file: "SystemPredictions", config: str) -> str:
        """The splits of a config that a file answers; several are joined with `+`."""
        return file.split

    def test_set_of(
        self, files: Sequence["SystemPredictions"], config: str | None, split: str | None
    ) -> "tuple[str, str, list[SystemPredictions]] | None":
        """The config and split that files answer together, and the files; None if the usual rules will do.

        Args:
            files: each with the config and split that it was made for, as far as it says.
            config, split: that were asked for, if any.
        """
        return None

    def joined(self, files: Sequence["SystemPredictions"]) -> list["SystemPredictions"]:
        """The files of a report; some of them may be parts of others."""
        return list(files)

    # --- Scores.
    score_options: tuple[str, ...] = ()  # of `bap-v2 score`, that only some tasks have
    of_items: str = ""  # in sentences about these options: "Architect generation"
    headline: str = "fairer_f1"  # the score that is said where only one is
    units: tuple[str, ...] = ()  # what can be resampled besides items

    @property
    def scores(self) -> "Scores":
        """How predictions are scored, and what tables show of it."""
        raise NotImplementedError

    @property
    def scorer(self) -> "Scorer":
        """How predictions are counted, added up and signed."""
        return self.scores.scorer

    def unit_of(self, unit: str, row: Row) -> Hashable | None:
        """What a row is drawn with, of one of `units`; None if the row does not know."""
        raise NotImplementedError
