"""What a perturbation does to an item."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from bap_v2_metric.symmetry import IDENTITY, Symmetry


@dataclass(frozen=True, slots=True)
class Change:
    """What a family proposes for an item: it becomes a variant if it is valid (see `validity`)."""

    columns: Mapping[str, Any]  # new values of history, dialogue, pose, before, after, actions or target
    symmetry: Symmetry = IDENTITY  # takes the net actions of the item to those of the variant
    facts: Mapping[str, Any] = field(default_factory=dict)  # for the metadata: what was changed
