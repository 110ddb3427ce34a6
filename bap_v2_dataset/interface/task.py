"""What a task is: a kind of row with columns, prompts, scores and pictures of its own, and a room in `tasks`.

Everything else asks a `Task`, and knows none by its name. What a task has to say is said in its room: in the module
`task` what every command reads, and in other modules what is imported when it is asked for (`Task.part`): `dataset`,
what its rows are, `shards`, how they are made, `scores`, how predictions are scored, `viewer`, how items are shown.
"""

from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

if TYPE_CHECKING:
    from pathlib import Path

    import datasets
    from rich.console import RenderableType

    from bap_v2_dataset.generation.single_items import ItemSource
    from bap_v2_dataset.interface.question_format import HarnessTask, QuestionFormat
    from bap_v2_metric.scorer import Scorer

# Classes of the engines, which stand above this module.
BapV2Config = Any  # of `loading.config`
SystemPredictions = Any  # of `evaluation.runs`
Scores = Any  # of `evaluation.scores`
Viewer = Any  # of `interface.viewer`
PublishedConfigs = Any  # of `publishing.published`
SplitResult = ListedScore = ModelFacts = Any  # of `publishing.facts`

Row = Mapping[str, Any]
Baseline = Callable[[Row], str]
RowsOf = Callable[[str], Mapping[str, "datasets.Dataset"]]  # the splits of a config, by its name
Shards = Mapping[str, Sequence[Any]]  # by split; each has `rows()`


@dataclass(frozen=True)
class Config:
    """What users can load and say about a config."""

    splits: tuple[str, ...] = ("train", "validation", "test")
    arguments: tuple[str, ...] = ()  # of load_dataset: "mdc" (human corpus), "labels" (of it), "seed", "settings"
    by_default: bool = True  # whether `bap-v2 setup` without --config makes it
    made_of: tuple[str, ...] = ()  # configs whose rows it takes
    unit: str = "item"  # what resamples draw, unless another is asked for; or one of the task's `units`
    megabytes: int = 0  # of its rows in the cache, measured; said before a setup that was asked for


@dataclass(frozen=True)
class ScoreOption:
    """An option of `bap-v2 score` that only some tasks have."""

    name: str  # of the parameter: --builder-items is builder_items
    help: str
    type: Any = str  # of its value; list[str] if it is repeatable
    value: str = "TEXT"  # what help calls its value
    least: int | None = None
    choices: tuple[str, ...] = ()

    @property
    def typed(self) -> str:
        """As it is typed."""
        return f"--{self.name.replace('_', '-')}"


class Dataset(Protocol):
    """The module of a room that describes the rows of its configs, and imports nothing that makes them."""

    def description(self, config: str) -> str:
        """One line about a config, for `datasets`."""

    def info(self, config: str) -> "datasets.DatasetInfo":
        """The columns of a config, and whose data they are."""

    def depends_on(self, config: str, mdc: str | None = None, labels: str | None = None) -> list[str]:
        """What the rows of a config depend on; a change is another cache folder."""

    def labels_of(self, rows: Sequence[Row], config: str) -> str:
        """Whose labels were used; shown with the scores."""


class Card(Protocol):
    """The module of a room that says what the card of a dataset has to say of its configs."""

    TITLE: str

    def front_matter(self, published: PublishedConfigs) -> Mapping[str, Sequence[str]]:
        """The Hub's license, task_categories, annotations_creators, language_creators, source_datasets and tags."""

    def text(self, published: PublishedConfigs) -> str:
        """The part of the card, or all of it."""

    def license_files(self, configs: Mapping[str, Config]) -> Mapping[str, "bytes | Path"]:
        """By name the licenses that have to stand beside the files of these configs. Raises: CardError."""


class Harness(Protocol):
    """The module of a room that says which test sets evaluation harnesses ask, and how."""

    QUESTION_FORMATS: Mapping[str, "QuestionFormat"]  # the kinds of questions, by name
    GROUPS: Mapping[str, Mapping[str, "HarnessTask"]]  # the tasks of harnesses by name, in groups


class ModelCard(Protocol):
    """The module of a room that says what the card of a model that learned the task has to say of it."""

    TEMPLATE: str
    TAGS: Sequence[str]
    LEARNED: str  # in sentences: the model learned ...
    REPRESENTATIONS: Collection[str]  # of items, of which a model has one; none: it is not asked
    HEADLINE: str  # the heading of the score `Task.headline`
    NEEDED: Collection[str]  # the keys of scores without which there is no card
    HAS_LABELS: bool  # whether scores depend on whose labels a test set has

    def test_set(self, result: SplitResult) -> str:
        """What the Hub calls a test set."""

    def scores(self, result: SplitResult) -> Iterator[ListedScore]:
        """The scores that are listed, the headline first."""

    def facts(self, facts: ModelFacts, human: bool) -> Mapping[str, Any]:
        """What the template names besides the facts that all models have.

        Args:
            human: whether people's dialogues are in the data or the test sets.
        """


class Task:
    """A task, as everything else sees it; what a task does not say is as for most of them."""

    name: ClassVar[str]  # of the scorer: evaluate.load("bap_v2", NAME)
    title: ClassVar[str]  # in sentences and tables
    configs: Mapping[str, Config]
    parts: Collection[str] = ()  # which its room has of the modules `harness`, `card`, `model_card` and `viewer`
    setup_option: str = ""  # of `bap-v2 setup`: sets up configs that are left out by default
    setup_help: str = ""
    examples: Mapping[str, Sequence[tuple[str, str]]] = {}  # by command, for its help: what a line does, and the line

    def part(self, name: str) -> Any:
        """Import a module of the task's room, such as `dataset` or `scores`."""
        room = type(self).__module__.rpartition(".")[0]
        return import_module(f"{room}.{name}")

    # --- Rows.
    @property
    def dataset(self) -> Dataset:
        """The module that describes the rows."""
        return self.part("dataset")

    def shards(self, config: BapV2Config, rows_of: RowsOf) -> Shards:
        """Return by split the shards of a config, which have `rows()`; `rows_of` gives the splits of another config."""
        return self.part("shards").shards(config, rows_of)

    def title_of(self, config: str, split: str) -> str:
        """Return what tables call a split: `dss`, `dss validation`."""
        return config if split == "test" else f"{config} {split}"

    def split_of_id(self, row_id: str) -> tuple[str, str] | None:
        """The config and split of a row, None where its id does not tell."""
        return None

    # Data of the user's own.
    own_columns: tuple[str, ...] = ()  # that tell its items from those of other tasks; (): there are no own data

    def own_row(self, record: Row) -> dict[str, Any]:
        """Return a row with all columns, what is missing derived. Raises: a UserError that names the column."""
        return self.part("own_rows").own_row(record)

    generates: bool = False  # whether `bap-v2 generate` makes any number of its rows

    def source(self, config: str, settings: Mapping[str, str]) -> "ItemSource":
        """Return what makes any number of rows of a config; of tasks that generate them."""
        return self.part("shards").source(config, settings)

    # Setting up.
    def setup_command(self, config: str) -> str:
        """Return the command that sets up one of its configs, with others if it has an option for them."""
        option = self.setup_option or ("" if self.configs[config].by_default else f"--config {config}")
        return f"bap-v2 setup {option}".rstrip()

    def check_setup(self) -> list[str]:
        """Return what a user should know before the rows are made. Raises: a UserError if something is missing."""
        return []

    played: bool = False  # turn by turn in an environment: a model is not asked just once for a row

    # --- Harnesses.
    @property
    def harness(self) -> "Harness | None":
        """Which of its test sets evaluation harnesses ask, and how; None: they have none of it."""
        return self.part("harness") if "harness" in self.parts else None

    def prediction_of(self, row: Row, answer: str) -> str:
        """Return the prediction that an answer in the log of a harness is, to a question about a row."""
        return answer

    # --- Publishing.
    push_help: str = ""  # of the option of `bap-v2 push` that publishes its configs, which is `setup_option`

    @property
    def card(self) -> "Card | None":
        """What the card of a dataset says of it; None: its rows are not published."""
        return self.part("card") if "card" in self.parts else None

    @property
    def model_card(self) -> "ModelCard | None":
        """What the card of a model says that learned it; None: there is none yet."""
        return self.part("model_card") if "model_card" in self.parts else None

    def card_pieces(self, published: PublishedConfigs) -> Mapping[str, str]:
        """What it says in the card of another task, whose rows it changes: texts by the places of the template."""
        return {}

    learned_as: str = ""  # by training, if that is not its name

    # --- Baselines.
    baselines: tuple[str, ...] = ()  # their names
    reported: tuple[str, ...] = ()  # configs that a report of baselines alone is about, in the order of its tables

    def baseline(self, name: str) -> Baseline:
        """Return the function from a row to its prediction."""
        return self.part("baselines").BASELINES[name]

    # --- Prediction files.
    def splits_answered(self, file: SystemPredictions, config: str) -> str:
        """Return the splits of a config that a file answers; several are joined with `+`."""
        return file.split

    def test_set_of(
        self, files: Sequence[SystemPredictions], config: str | None, split: str | None
    ) -> tuple[str, str, list[SystemPredictions]] | None:
        """The config and split that files answer together, and the files; None if the usual rules will do.

        Args:
            files: each with the config and split that it was made for, as far as it says.
            config, split: that were asked for, if any.
        """
        return None

    def joined(self, files: Sequence[SystemPredictions]) -> list[SystemPredictions]:
        """Return the files of a report; some of them may be parts of others."""
        return list(files)

    # --- Scores.
    score_options: tuple[ScoreOption, ...] = ()
    of_items: str = ""  # in sentences about these options: "Architect generation"
    headline: str = "fairer_f1"  # the score that is said where only one is
    units: tuple[str, ...] = ()  # what can be resampled besides items

    @property
    def scores(self) -> Scores:
        """How predictions are scored, and what tables show of it."""
        return self.part("scores").SCORES

    @property
    def scorer(self) -> "Scorer":
        """How predictions are counted, added up and signed."""
        return self.scores.scorer

    def default_unit(self, config: str, split: str = "") -> str:
        """Return what resamples of a test set, or of own data, draw unless another unit is asked for."""
        if config not in self.configs:
            return "item"
        part = split.removeprefix("test_")  # of a joint config
        return self.configs[part if part in self.configs[config].made_of else config].unit

    def unit_of(self, unit: str, row: Row) -> Hashable | None:
        """Return what a row is drawn with, of one of `units`; None if the row does not know."""
        from bap_v2_dataset.items.rows import target_of

        return target_of(row)

    # --- Looking at items.
    stats_help: str = ""  # of `bap-v2 stats` with the option of the setup; "" for a task without statistics of its own

    def stats(self, split: str) -> "tuple[RenderableType, list[dict[str, Any]]]":
        """Counts of a split, for a terminal and as JSON. Raises: a UserError for an unknown split."""
        raise NotImplementedError

    example_id: str = ""  # of an item that can be shown, in help texts
    explored: bool = False  # whether the explorer's page of boards shows its items

    def is_id(self, item_id: str) -> bool:
        """Return whether an id can only be meant as one of this task."""
        return self.split_of_id(item_id) is not None

    def is_prediction(self, line: bytes) -> bool:
        """Return whether a line of a file can only be a prediction for this task."""
        return False

    @property
    def viewer(self) -> Viewer:
        """How its items are found and shown."""
        viewer = self.part("viewer") if "viewer" in self.parts else import_module("bap_v2_dataset.interface.viewer")
        return viewer.VIEWER(self)
