"""Builders that have learned and read rows, not prompts: GRUs, pointer transformers, and ensembles.

Each has a room of its own, with a class that is a `LearnedBuilder`; `config.json` in a model's folder says which.
"""

from collections.abc import Callable, Mapping, Sequence
from pkgutil import resolve_name
from typing import Any, NamedTuple, Protocol, Self

from datasets import Dataset
from transformers import PreTrainedConfig

from bap_v2_dataset.predictions.builder_kinds import BUILDER_KINDS, BuilderKind, any_of
from bap_v2_training.decoding.bayes_risk import Sampled
from bap_v2_training.errors import UsageError
from bap_v2_training.learning.dataset_rows import complete_rows

COLUMNS = ("id", "history", "dialogue", "pose", "before")  # what such a Builder is given: never the answer


class LearnedBuilder(Protocol):
    """A model that answers rows."""

    @classmethod
    def load(
        cls, model: str, dtype: str, max_actions: int | None, feasible_only: bool, samples: int = 0, **sampling: Any
    ) -> Self:
        """The model, on this machine's accelerator or CPU.

        Args:
            model: a folder, or a name on the Hub.
            dtype: in which most is computed, "float32" for example.
            max_actions: of an answer; None: as in the model's configuration.
            feasible_only: choose among the actions that can be executed.
            samples: of each item, for minimum Bayes risk decoding (`bayes_risk`); 0 or 1: greedy answers.
            sampling: the other fields of `bayes_risk.Sampling`.
        """

    @staticmethod
    def losses(model: str) -> Callable[[Sequence[Mapping[str, Any]]], list[float]]:
        """A function from rows, a batch, to the loss of each: minus the log likelihood of its gold answer."""

    def answers(self, rows: Sequence[Mapping[str, Any]]) -> list[tuple[str, bool]]:
        """The answer to each row, one action per line, and whether the model chose to stop; the rows are one batch."""

    def candidates(self, rows: Sequence[Mapping[str, Any]]) -> list[Sampled]:
        """The greedy answer to each row and the samples; only of kinds that give samples, for ensembles."""


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


def builder_class(kind: BuilderKind) -> type[LearnedBuilder]:
    """Return the class of the Builders of a kind."""
    return resolve_name(kind.builder)


def load_builder(
    model: str, dtype: str = "float32", max_actions: int | None = None, feasible_only: bool = False, **sampling: Any
) -> LearnedBuilder:
    """The Builder in a folder or of a name on the Hub: arguments of `LearnedBuilder.load`.

    Args:
        sampling: `samples`, and other fields of `bayes_risk.Sampling`: minimum Bayes risk decoding.

    Raises:
        UsageError: it is not a Builder of ours.
    """
    kind = builder_kind(model)
    if kind is None:
        raise UsageError(f"{model} is neither the folder nor the name on the Hub of {any_of(BUILDER_KINDS.values())}")
    return builder_class(kind).load(model, dtype, max_actions, feasible_only, **sampling)


def situations_of(rows: Dataset) -> list[Situation]:
    """Return what a Builder reads of the rows, the longest first: batches of equally long ones need little padding.

    Raises:
        UsageError: the rows lack a column, or items have no dialogue or no pose.
    """
    situations = [Situation(row["id"], row) for row in complete_rows(rows, COLUMNS)]
    return sorted(situations, key=lambda item: (-_length(item.row), item.id))


def _length(row: Mapping[str, Any]) -> int:
    return sum(len(line) for name in ("history", "dialogue", "before") for line in row[name])
