"""The dataset row of an item. The types of its columns are in `features`, which imports `datasets`."""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from bap_v2_dataset.tasks.building.items import Item
from bap_v2_dataset.tasks.building.prompts import REPRESENTATIONS, completion, render
from bap_v2_metric.notation import format_action, format_structure

DATA_VERSION = "0.2.0"  # raised whenever rows change


def row(item: Item) -> dict[str, Any]:
    """The dataset row of an item: `features.FEATURES` says which columns, the README what they mean."""
    pose = item.pose
    columns: dict[str, Any] = {
        "id": item.item_id,
        "game_id": item.game_id,
        "history": list(item.history),
        "dialogue": list(item.dialogue),
        "pose": {"x": pose.x, "y": pose.y, "z": pose.z, "yaw": pose.yaw, "pitch": pose.pitch},
        "before": format_structure(item.before),
        "after": format_structure(item.after),
        "actions": [format_action(action) for action in item.actions],
        "target": format_structure(item.target),
        "interpretations": item.interpretations,
    }
    for representation in REPRESENTATIONS:
        columns[f"prompt_{representation}"] = render(columns, representation)
    columns["completion"] = completion(columns["actions"])
    columns["metadata"] = dict(item.metadata)
    if infeasible := item.infeasible_actions:
        columns["metadata"]["infeasible_actions"] = infeasible
    return columns


def noted(row: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """A part of the metadata of a row, such as `plan`; empty without it, and where own data hold something else."""
    metadata = row.get("metadata")
    part = metadata.get(name) if isinstance(metadata, Mapping) else None
    return part if isinstance(part, Mapping) else {}


def perturbation_of(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """What the metadata of a variant say of how it was made; empty for a row that is not a variant."""
    return noted(row, "perturbation")


def hashed(parts: Sequence[str]) -> str:
    """A short name for all that rows depend on.

    >>> hashed(["0.1.0", "dss"])
    'eac5bb45cf1d1164'
    """
    return hashlib.sha256(" ".join(parts).encode()).hexdigest()[:16]
