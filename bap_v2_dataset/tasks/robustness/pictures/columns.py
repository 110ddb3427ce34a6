"""An item and a variant of it beside each other, in a figure and in a terminal: what was changed is marked in both."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from bap_v2_dataset.pictures import terminal_board
from bap_v2_dataset.pictures.cubes import change
from bap_v2_dataset.pictures.terminal_colors import Palette
from bap_v2_dataset.tasks.building.pictures.columns import BoardColumn, Excerpt, predicted_column
from bap_v2_dataset.tasks.building.pictures.text import in_columns, prediction_text
from bap_v2_dataset.tasks.robustness.pictures import changes
from bap_v2_metric.actions import net_actions
from bap_v2_metric.notation import parse_structure
from bap_v2_simulators.pose import Pose

PARENT = "parent"
_GAP = 3  # characters between a parent and a variant
_LEAST_BESIDE = 48  # characters that each of the two needs beside the other


def variant_columns(
    parent: Mapping[str, Any],
    variant: Mapping[str, Any],
    predictions: Mapping[str, str] = {},
    of_parent: Mapping[str, str] = {},
) -> list[BoardColumn]:
    """Return the parent, the variant, and what models built in each.

    On the boards are the blocks that were there, pale, and what the Builder builds, in full color.

    Args:
        parent, variant: rows of the dataset; the variant's metadata name its parent.
        predictions, of_parent: raw texts by the names of their models, for the variant and for the parent.
    """
    # What the two rows do not have in common: words, boards, histories.
    rows = (parent, variant)
    poses = [Pose(**row["pose"]) for row in rows]
    come, gone = changes.new_and_gone(parent, variant)
    excerpts: list[list[Excerpt]] = [[], []]
    for name, words, pair in (
        ("D", "what is said now", changes.dialogues(parent, variant)),
        ("S", "the board as it is listed", changes.boards(parent, variant)),
        ("H", "earlier actions", changes.histories(parent, variant)),
    ):
        for side in range(2) if pair else ():
            excerpts[side].append(Excerpt(name, words, pair[side].lines, pair[side].changed))
    # The boards side by side.
    names = (PARENT, changes.title_of(variant))
    cells = ((gone, frozenset()), (come, gone if come or gone else frozenset()))
    notes = ("", "; ".join(changes.changes(parent, variant)))
    columns = [
        BoardColumn(
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
    # Predictions for both.
    for name, text in predictions.items():
        if name in of_parent:
            columns.append(predicted_column(f"{name}, {PARENT}", of_parent[name], parent))
        columns.append(predicted_column(name, text, variant))
    return columns


def variant_text(
    parent: Mapping[str, Any],
    variant: Mapping[str, Any],
    columns: Sequence[BoardColumn],
    width: int,
    colors: Palette | None,
) -> Iterator[RenderableType]:
    """A parent and its variant, side by side if there is room, each seen from its own Builder's side; then the models.

    Args:
        columns: of the two (`variant_columns`).
    """
    # Side by side where there is room, else one below the other.
    room = (width - _GAP) // 2
    beside = room >= _LEAST_BESIDE
    sides = [
        list(_side_text(row, column, room if beside else width, colors))
        for row, column in zip((parent, variant), columns)
    ]
    if beside:
        table = Table.grid(padding=(0, _GAP, 0, 0))
        for _ in sides:
            table.add_column(width=room, overflow="fold")
        for row in zip_longest(*sides, fillvalue=Text()):
            table.add_row(*row)
        yield table
    else:
        yield from sides[0]
        yield Text()
        yield from sides[1]
    # What was changed, and predictions.
    yield Text("\nWhat was changed", "bold")
    yield Text("\n".join(f"- {change}" for change in changes.changes(parent, variant)))
    for column in columns[2:]:
        of = parent if column.name.endswith(f", {PARENT}") else variant
        yield from prediction_text(column, parse_structure(of["before"]), width, colors)
    yield Text(f"\n{terminal_board.LEGEND}", "dim")


def _side_text(
    row: Mapping[str, Any], column: BoardColumn, width: int, colors: Palette | None
) -> Iterator[RenderableType]:
    """One of the two: what is said, with the words underlined that are not those of the other one, and the board."""
    yield Text(f"{column.name}  {row['id']}" if column.name == PARENT else column.name, "bold")
    for excerpt in column.excerpts:
        lines = Text() if excerpt.name == "D" else Text(f"{excerpt.name}: ", "dim")
        for number, (line, changed) in enumerate(zip_longest(excerpt.lines, excerpt.changed, fillvalue=())):
            lines.append("\n" * bool(number))
            for place, word in enumerate(line.split()):
                lines.append(" " * bool(place))
                lines.append(word, "bold underline" if place in changed else "not dim")
        yield lines
    pose, before, after = Pose(**row["pose"]), parse_structure(row["before"]), parse_structure(row["after"])
    yield Text(terminal_board.builder_in_words(pose), "dim")
    yield terminal_board.board(before, after, pose, width, colors)
    yield in_columns(terminal_board.change_in_words(net_actions(before, after), pose.yaw), width)
