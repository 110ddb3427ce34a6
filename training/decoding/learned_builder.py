"""Builders that have learned and read rows, not prompts: GRUs, pointer transformers, and ensembles.

Each has a room of its own, with a class that is a `LearnedBuilder`; `config.json` in a model's folder says which.
"""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from pkgutil import resolve_name
from typing import Any, NamedTuple, Protocol, Self

import torch
from datasets import Dataset
from transformers import PreTrainedConfig, PreTrainedModel

from bap_v2_dataset.predictions.builder_kinds import BUILDER_KINDS, BuilderKind, any_of
from bap_v2_dataset.predictions.model_records import packaged_builder
from bap_v2_metric.notation import parse_structure
from bap_v2_training.decoding.bayes_risk import Sampled, Sampling, answered
from bap_v2_training.decoding.networks import accelerator_or_cpu, floating_type, network_of
from bap_v2_training.errors import UsageError
from bap_v2_training.learning.dataset_rows import complete_rows
from bap_v2_training.learning.vocabulary import Vocabulary

COLUMNS = ("id", "history", "dialogue", "pose", "before")  # what such a Builder is given: never the answer

Row = Mapping[str, Any]


class LearnedBuilder(Protocol):
    """A model that answers rows, many at once: what is given to it is one batch."""

    @classmethod
    def load(
        cls, model: str, dtype: str, max_actions: int | None, feasible_only: bool, samples: int = 0, **sampling: Any
    ) -> Self:
        """Load the model, on this machine's accelerator or CPU.

        Args:
            model: a folder, or a name on the Hub.
            dtype: in which most is computed, "float32" for example; weights stay float32.
            max_actions: of an answer; None: as in the model's configuration.
            feasible_only: choose among the actions that can be executed; only of kinds that can say others.
            samples: of each item, for minimum Bayes risk decoding (`bayes_risk`); 0 or 1: greedy answers.
            sampling: the other fields of `bayes_risk.Sampling`.
        Raises:
            UsageError: there is no such dtype or model, it is of another kind, or its vocabulary is missing.
        """

    def answers(self, rows: Sequence[Row]) -> list[tuple[str, bool]]:
        """Return the answer to each row, one action per line, and whether the model chose to stop."""

    def candidates(self, rows: Sequence[Row]) -> list[Sampled]:
        """Return the greedy answer to each row and the samples; only of kinds that give samples."""

    def losses(self, rows: Sequence[Row]) -> list[float]:
        """Return the loss of each row: minus the log likelihood of its gold answer. Not of kinds with members."""


class NetworkBuilder:
    """A LearnedBuilder that is a network and the words that it knows; subclasses say which `network`."""

    network: type[PreTrainedModel]

    def __init__(
        self, model: PreTrainedModel, vocabulary: Vocabulary, dtype: torch.dtype = torch.float32,
        max_actions: int | None = None, feasible_only: bool = False, sampling: Sampling | None = None,
    ):  # fmt: skip
        """Take a network; the arguments are those of `load`. Args: sampling: None: greedy answers."""
        self.model, self.vocabulary, self.dtype = model.eval(), vocabulary, dtype
        self.max_actions = max_actions or model.config.max_actions
        self.feasible_only, self.sampling = feasible_only, sampling

    @classmethod
    def load(
        cls, model: str, dtype: str = "float32", max_actions: int | None = None, feasible_only: bool = False,
        samples: int = 0, **sampling: Any,
    ) -> Self:  # fmt: skip
        """See `LearnedBuilder`."""
        computed, network = floating_type(dtype), network_of(model, cls.network).to(accelerator_or_cpu())
        how = Sampling(samples, **sampling) if samples > 1 else None
        return cls(network, Vocabulary.load(model), computed, max_actions, feasible_only, how)

    def answers(self, rows: Sequence[Row]) -> list[tuple[str, bool]]:
        """See `LearnedBuilder`."""
        boards = [parse_structure(row["before"]) for row in rows]
        return [answered(self.sampling, *one) for one in zip(boards, self.candidates(rows), strict=True)]

    @abstractmethod
    def candidates(self, rows: Sequence[Row]) -> list[Sampled]:
        """See `LearnedBuilder`."""

    def batch_losses(self, batch: Mapping[str, torch.Tensor]) -> list[float]:
        """Return the loss of each item of a batch, as the network gives them."""
        return self.model(**{name: values.to(self.model.device) for name, values in batch.items()}).item_losses.tolist()


class Situation(NamedTuple):
    """The row that a Builder reads of one item."""

    id: str
    row: dict[str, Any]  # with COLUMNS


def builder_kind(model: str) -> BuilderKind | None:
    """Return the kind of the Builder in a folder or of a name on the Hub, by `config.json`; None: of another model."""
    try:
        config, _ = PreTrainedConfig.get_config_dict(model)
    except (OSError, ValueError):  # an adapter, or nothing at all
        return None
    return BUILDER_KINDS.get(config.get("model_type", ""))


def load_builder(
    model: str, dtype: str = "float32", max_actions: int | None = None, feasible_only: bool = False, **sampling: Any
) -> LearnedBuilder:
    """Load `compact`, or the Builder in a folder or of a name on the Hub: arguments of `LearnedBuilder.load`.

    Raises:
        UsageError: it is not a Builder of ours.
    """
    model = str(packaged_builder(model) or model)
    kind = builder_kind(model)
    if kind is None:
        raise UsageError(f"{model} is neither the folder nor the name on the Hub of {any_of(BUILDER_KINDS.values())}")
    return resolve_name(kind.builder).load(model, dtype, max_actions, feasible_only, **sampling)


def situations_of(rows: Dataset) -> list[Situation]:
    """Return what a Builder reads of the rows, the longest first: batches of equally long ones need little padding.

    Raises:
        UsageError: the rows lack a column, or items have no dialogue or no pose.
    """
    situations = [Situation(row["id"], row) for row in complete_rows(rows, COLUMNS)]
    return sorted(situations, key=lambda item: (-_length(item.row), item.id))


def _length(row: Mapping[str, Any]) -> int:
    return sum(len(line) for name in ("history", "dialogue", "before") for line in row[name])
