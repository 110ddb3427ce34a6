"""What a perturbation does to the row of an item."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from bap_v2_metric.symmetry import IDENTITY, Symmetry


@dataclass(frozen=True, slots=True)
class Change:
    """A proposal of a family for a row: it becomes a variant if it is valid (see `validity`)."""

    columns: Mapping[str, Any]  # new values of history, dialogue, pose, before, after, actions or target
    symmetry: Symmetry = IDENTITY  # that takes the net actions of the row to those of the variant
    facts: Mapping[str, Any] = field(default_factory=dict)  # for the metadata: what was changed


def architects_words(dialogue: Sequence[str]) -> str:
    """All that stands in lines of utterances, without the names of the speakers, in lower case."""
    return "\n".join(line.partition(" ")[2] for line in dialogue if line.startswith("<")).lower()
