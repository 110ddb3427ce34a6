"""The dataset row of an item, and what a row or its id tells: its target, its config.

The types of its columns are in `features`, which imports `datasets`.
"""

import json
import re
from collections.abc import Hashable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from bap_v2_dataset.items.item import Item
from bap_v2_dataset.items.prompts import completion, render
from bap_v2_dataset.items.versions import ROW_REPRESENTATIONS
from bap_v2_metric.notation import format_action, format_structure
from bap_v2_simulators.corpus_table import VERSIONS

WORD = re.compile(r"[a-z0-9']+")  # of a line in lower case


def row(item: Item) -> dict[str, Any]:
    """Return the dataset row of an item: `features.FEATURES` says which columns, the README what they mean."""
    # The item itself, in the notation
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

    # What models read and write of it
    for representation in ROW_REPRESENTATIONS:
        columns[f"prompt_{representation}"] = render(columns, representation)
    columns["completion"] = completion(columns["actions"])

    # How it was made
    columns["metadata"] = dict(item.metadata)
    if infeasible := item.infeasible_actions:
        columns["metadata"]["infeasible_actions"] = infeasible
    return columns


def metadata_of(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the metadata of a row; empty without any, and where own data hold something else.

    What is published has them as a text of JSON, which every reader of Parquet takes.

    >>> metadata_of({"metadata": '{"seed": 3}'}), metadata_of({"metadata": "made by me"}), metadata_of({})
    ({'seed': 3}, {}, {})
    """
    metadata = row.get("metadata")
    if isinstance(metadata, str):
        with suppress(ValueError):
            metadata = json.loads(metadata)
    return metadata if isinstance(metadata, Mapping) else {}


def noted(row: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """A part of the metadata of a row, such as `plan`; empty without it, and where own data hold something else."""
    part = metadata_of(row).get(name)
    return part if isinstance(part, Mapping) else {}


def perturbation_of(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what the metadata of a variant say of how it was made; empty for a row that is not a variant."""
    return noted(row, "perturbation")


def last_turn(history: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the utterances before the last run of actions, which a history ends with, and those actions."""
    start = len(history)
    while start and not history[start - 1].startswith("<"):
        start -= 1
    first = start
    while first and history[first - 1].startswith("<"):
        first -= 1
    return list(history[first:start]), list(history[start:])


def target_of(row: Mapping) -> Hashable | None:
    """Return what target an item is about, for resamples that draw targets; None if it tells none.

    Of human games it is `metadata["target_id"]`, the corpus's name of the structure: several pairs of people built the
    same one, and copies of a game in other colors keep the name. Of other items it is the blocks of `target`, in any
    order: each simulated game has a structure of its own.

    >>> target_of({"target": ["red 0 1 0"], "metadata": {"target_id": "C5"}}), target_of({"target": []})
    ('C5', None)
    >>> target_of({"target": ["red 0 1 0", "red 1 1 0"]}) == target_of({"target": ["red 1 1 0", "red 0 1 0"]})
    True
    """
    name = metadata_of(row).get("target_id")
    return name if isinstance(name, str) and name else tuple(sorted(row.get("target") or ())) or None


_SIMULATED_ID = re.compile(rf"(?P<config>{'|'.join(VERSIONS)})-(?P<split>train|validation|test)-[0-9]+/")


def split_of_simulated(row_id: str) -> tuple[str, str] | None:
    """Return the config and split of a simulated item.

    >>> split_of_simulated("dss-test-12/0"), split_of_simulated("B1-A3-C5-1522432776975/0")
    (('dss', 'test'), None)
    """
    match = _SIMULATED_ID.match(row_id)
    return (match["config"], match["split"]) if match else None
