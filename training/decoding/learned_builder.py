"""Builders that have learned and read rows, not prompts: GRUs, pointer transformers, and ensembles.

Each has a room of its own, with a class that is a `LearnedBuilder`; `config.json` in a model's folder says which.
"""

from collections.abc import Callable, Mapping, Sequence
from pkgutil import resolve_name
from typing import Any, NamedTuple, Protocol, Self

from datasets import Dataset
from transformers import PreTrainedConfig

from bap_v2_dataset.predictions.model_records import LEARNED_BUILDERS, a_builder
from bap_v2_training.errors import UsageError
from bap_v2_training.learning.dataset_rows import complete_rows

_CLASSES = {
    "bap_gru": "bap_v2_training.gru.decoding:GruBuilder",
    "bap_pointer": "bap_v2_training.pointer.decoding:PointerBuilder",
    "bap_ensemble": "bap_v2_training.ensemble.builder:EnsembleBuilder",
}  # by model_type
BUILDERS = " or ".join(", ".join(map(a_builder, LEARNED_BUILDERS)).rsplit(", ", 1))  # in a sentence
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


class Situation(NamedTuple):
    """What a Builder reads of one item."""

    id: str
    row: dict[str, Any]  # with COLUMNS


def learned_type(model: str) -> str | None:
    """The `model_type` of a folder or a name on the Hub if it is a Builder of ours, else None."""
    try:
        config, _ = PreTrainedConfig.get_config_dict(model)
    except (OSError, ValueError):  # an adapter, or nothing at all
        return None
    kind = config.get("model_type")
    return kind if kind in LEARNED_BUILDERS else None


def builder_class(model_type: str) -> type[LearnedBuilder]:
    """The class of the Builders of a `model_type`."""
    return resolve_name(_CLASSES[model_type])


def load_builder(
    model: str, dtype: str = "float32", max_actions: int | None = None, feasible_only: bool = False, **sampling: Any
) -> LearnedBuilder:
    """The Builder in a folder or of a name on the Hub: arguments of `LearnedBuilder.load`.

    Args:
        sampling: `samples`, and other fields of `bayes_risk.Sampling`: minimum Bayes risk decoding.

    Raises:
        UsageError: it is not a Builder of ours.
    """
    model_type = learned_type(model)
    if model_type is None:
        raise UsageError(f"{model} is neither the folder nor the name on the Hub of {BUILDERS}")
    return builder_class(model_type).load(model, dtype, max_actions, feasible_only, **sampling)


def situations_of(rows: Dataset) -> list[Situation]:
    """What a Builder reads of the rows, the longest first: batches of equally long ones need little padding.

    Raises:
        UsageError: the rows lack a column, or items have no dialogue or no pose.
    """
    situations = [Situation(row["id"], row) for row in complete_rows(rows, COLUMNS)]
    return sorted(situations, key=lambda item: (-_length(item.row), item.id))


def _length(row: Mapping[str, Any]) -> int:
    return sum(len(line) for name in ("history", "dialogue", "before") for line in row[name])
