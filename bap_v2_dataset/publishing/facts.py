"""What a model card says: the facts of a training, and the scores of the model on test sets."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from bap_v2_dataset.predictions.builder_kinds import BUILDER_KINDS, BuilderKind


class ListedScore(NamedTuple):
    """A score in the table of a card, and among its results."""

    key: str  # as the metric calls it
    value: float
    form: str = "{:.3f}"
    n_items: int | None = None  # that it is of, if not all

    @property
    def name(self) -> str:
        return self.key.replace("_", " ").replace(" f1", " F1")

    def __str__(self) -> str:
        return self.form.format(self.value)


@dataclass(frozen=True)
class SplitResult:
    """The scores of a model on one test set."""

    config: str
    split: str
    scores: Mapping[str, Any]  # of `bap_v2_metric.score`, with its signature
    labels: str  # whose labels the test set uses
    split_items: int | None = None  # of the split, if only a part of it was scored
    intervals: Mapping[str, Sequence[float]] = field(default_factory=dict)  # by key of scores: low, high
    confidence: float = 0.95  # of the intervals
    unit: str = "item"  # what their resamples draw
    name: str = field(default="", compare=False)  # of the system, in the file that the scores are from
    items: int | None = None  # of the split that were scored; by default as many as the scores name


@dataclass(frozen=True)
class ModelFacts:
    """The facts of a model card."""

    repo_id: str
    kind: str  # "adapter", "full" (all weights are in the repository), or the model_type of one of BUILDER_KINDS
    base_model: str | None  # a model of the Hub; None: it began with random weights
    data: Mapping[str, int | None]  # items learned, by config; None: in an earlier training
    representation: str | None  # of items; None: not a language model
    hyperparameters: Mapping[str, Any]  # as in a YAML file of training/configs
    results: Sequence[SplitResult]
    seed: int
    versions: Mapping[str, str]  # of libraries
    data_version: str | None = None
    prompt_version: str = ""
    base_weights: str | None = None  # a GGUF file of the base model that training began with
    dataset_repo: str | None = None  # where the data are on the Hub
    metric_space: str | None = None
    license: str | None = None  # by default that of the base model
    hardware: str | None = None
    seconds: float | None = None  # of training, since it was resumed
    steps: int | None = None  # updates of the weights, whatever number of items each
    resumed: bool = False
    parameters: int | None = None  # that were trained
    readers: Sequence[str] = ()  # language models that read for pointer transformers, as training calls them
    language_models: Sequence[str] = ()  # the folders of those members of an ensemble that are language models
    task: str = "bap"  # that was learned last, as training calls it
    chosen: str = ""  # a sentence on the checkpoint that was chosen after the training
    limits: Sequence[str] = ()  # sentences, besides those that hold for every such model

    @property
    def builder(self) -> BuilderKind | None:
        """The kind of Builder that it is; None: a language model."""
        return BUILDER_KINDS.get(self.kind)

    @property
    def first_test_set(self) -> tuple[str, str] | None:
        """Config and split of the first result, if there is one."""
        return next(((result.config, result.split) for result in self.results), None)
