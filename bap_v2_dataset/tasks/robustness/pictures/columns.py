"""An item and a variant of it as columns of a figure: what was changed is marked in both."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from bap_v2_dataset.pictures.columns import Column, Excerpt, predicted_column
from bap_v2_dataset.pictures.cubes import change
from bap_v2_dataset.tasks.robustness.pictures.changes import (
    boards,
    changes,
    dialogues,
    histories,
    new_and_gone,
    title_of,
)
from bap_v2_metric.notation import parse_structure
from bap_v2_simulators.pose import Pose

PARENT = "parent"


def variant_columns(
    parent: Mapping[str, Any],
    variant: Mapping[str, Any],
    predictions: Mapping[str, str] = {},
    of_parent: Mapping[str, str] = {},
) -> list[Column]:
    """The parent, the variant, and what models built in each.

    On the boards are the blocks that were there, pale, and what the Builder builds, in full color.

    Args:
        parent, variant: rows of the dataset; the variant's metadata name its parent.
        predictions, of_parent: raw texts by the names of their models, for the variant and for the parent.
    """
    rows = (parent, variant)
    poses = [Pose(**row["pose"]) for row in rows]
    come, gone = new_and_gone(parent, variant)
    excerpts: list[list[Excerpt]] = [[], []]
    for name, words, pair in (
        ("D", "what is said now", dialogues(parent, variant)),
        ("S", "the board as it is listed", boards(parent, variant)),
        ("H", "earlier actions", histories(parent, variant)),
    ):
        for side in range(2) if pair else ():
            excerpts[side].append(Excerpt(name, words, pair[side].lines, pair[side].changed))
    names = (PARENT, title_of(variant))
    cells = ((gone, frozenset()), (come, gone if come or gone else frozenset()))
    notes = ("", "; ".join(changes(parent, variant)))
    columns = [
        Column(
            names[side],
            "",
            change(parse_structure(row["before"]), parse_structure(row["after"])),
            poses[side],
            note=notes[side],
            excerpts=excerpts[side],
            stands_out=cells[side][0],
            missing=cells[side][1] if side else frozenset(),
            elsewhere=poses[0] if side and poses[0] != poses[1] else None,
        )
        for side, row in enumerate(rows)
    ]
    for name, text in predictions.items():
        if name in of_parent:
            columns.append(predicted_column(f"{name}, {PARENT}", of_parent[name], parent))
        columns.append(predicted_column(name, text, variant))
    return columns


def family_columns(parent: Mapping[str, Any], variant: Mapping[str, Any], family: str, title: str) -> list[Column]:
    """A pair for a picture of many families: named for the family, and with what was changed alone.

    Args:
        title: what the family changes.
    """
    pair = variant_columns(parent, variant)
    changed = {excerpt.name for column in pair for excerpt in column.excerpts if any(excerpt.changed)}
    cut = [[excerpt for excerpt in column.excerpts if excerpt.name in changed] for column in pair]
    return [
        replace(pair[0], name=family, title=title, excerpts=cut[0]),
        replace(pair[1], name="→", title="variant", excerpts=cut[1]),
    ]
