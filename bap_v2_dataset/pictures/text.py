"""Items and games in a terminal: the dialogue, and boards level by level."""

from collections.abc import Iterator, Mapping
from itertools import groupby, zip_longest
from typing import Any

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from bap_v2_dataset.pictures import terminal_board
from bap_v2_dataset.pictures.columns import TARGET, Column, last_turn
from bap_v2_dataset.pictures.cubes import MARKS, Cube, counts_in_words
from bap_v2_dataset.pictures.terminal_colors import Palette
from bap_v2_dataset.tasks.building.paper import SHORT_COLUMNS
from bap_v2_dataset.tasks.robustness.pictures.changes import changes
from bap_v2_dataset.tasks.robustness.pictures.columns import PARENT
from bap_v2_metric.actions import net_actions
from bap_v2_metric.blocks import Block, Structure
from bap_v2_metric.notation import format_action, format_block, parse_structure
from bap_v2_simulators.game import Game, Step
from bap_v2_simulators.pose import Pose

_GAP = 3  # columns between a parent and a variant
_LEAST_BESIDE = 48  # columns that each of the two needs beside the other


def item_text(
    row: Mapping[str, Any], columns: list[Column], width: int, colors: Palette | None
) -> Iterator[RenderableType]:
    """The last turn, this one, the board with what was done to it, and a board for each model.

    Args:
        columns: of the item (`item_columns`).
        width, colors: of the terminal.
    """
    pose, before, after = Pose(**row["pose"]), parse_structure(row["before"]), parse_structure(row["after"])
    utterances, actions = last_turn(row["history"])
    if actions:
        yield _chat(utterances, "dim")
        yield terminal_board.wrapped_actions(actions, width)
    yield _chat(row["dialogue"]) if row["dialogue"] else Text("(no utterance since)", "dim italic")
    yield Text(terminal_board.builder_in_words(pose), "dim")
    (result,) = (column for column in columns if column.scores is None and column.name == "Sₕ")
    yield Text(f"\n{result.title[0].upper()}{result.title[1:]}: {result.note or 'nothing'}", "bold")
    yield terminal_board.board(before, after, pose, width, colors)
    yield _in_columns(terminal_board.change_in_words(net_actions(before, after), pose.yaw), width)
    for column in columns:
        if column.name == TARGET:
            title = Text(f"\nThe target: {column.title}", "bold")
            yield title.append(f"   {column.note}", "not bold italic") if column.note else title
            target = Structure.from_colors({cube.cell: cube.color for cube in column.cubes})
            yield terminal_board.only_blocks(target, pose, width, colors)
        if column.scores is not None:
            yield from _prediction_text(column, before, width, colors)
    yield Text(f"\n{terminal_board.LEGEND}", "dim")


def variant_text(
    parent: Mapping[str, Any],
    variant: Mapping[str, Any],
    columns: list[Column],
    width: int,
    colors: Palette | None,
) -> Iterator[RenderableType]:
    """A parent and its variant, side by side if there is room, each seen from its own Builder's side; then the models.

    Args:
        columns: of the two (`variant_columns`).
    """
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
    yield Text("\nWhat was changed", "bold")
    yield Text("\n".join(f"- {change}" for change in changes(parent, variant)))
    for column in columns[2:]:
        of = parent if column.name.endswith(f", {PARENT}") else variant
        yield from _prediction_text(column, parse_structure(of["before"]), width, colors)
    yield Text(f"\n{terminal_board.LEGEND}", "dim")


def _side_text(row: Mapping[str, Any], column: Column, width: int, colors: Palette | None) -> Iterator[RenderableType]:
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
    yield _in_columns(terminal_board.change_in_words(net_actions(before, after), pose.yaw), width)


def _prediction_text(column: Column, before: Structure, width: int, colors: Palette | None) -> Iterator[RenderableType]:
    """The scores of a model, and the board with its marks."""
    f1 = "  ".join(f"{title} {column.scores[measure]:.2f}" for measure, title in SHORT_COLUMNS.items())
    yield Text(f"\n{column.name}", "bold").append(f"   F1: {f1}", "not bold")
    yield Text(counts_in_words(column.cubes))
    if column.note:
        yield Text(column.note, "italic")
    shown = Structure.from_colors({cube.cell: cube.color for cube in column.cubes if cube.solid})
    yield terminal_board.board(before, shown, column.pose, width, colors)
    verdicts = [_in_words(cube, column.pose.yaw) for look in MARKS for cube in column.cubes if cube.look is look]
    yield _in_columns(verdicts, width)


def game_text(game: Game, width: int, colors: Palette | None) -> Iterator[RenderableType]:
    """A whole game: the dialogue, and after each run of actions the board with what changed."""
    board: dict = {}
    for is_step, events in groupby(game.events, lambda event: isinstance(event, Step)):
        events = list(events)
        if not is_step:
            yield _chat([str(event) for event in events])
            continue
        before = Structure.from_colors(board)
        for event in events:
            event.apply_to(board)
        yield terminal_board.wrapped_actions([format_action(a) for event in events for a in event.actions], width)
        yield terminal_board.board(before, Structure.from_colors(board), events[-1].pose, width, colors)
    yield Text(terminal_board.LEGEND, "dim")


def _in_words(cube: Cube, yaw: float) -> str:
    """`✗ wrong: place red 0 1 0  (middle, middle, level 1)`."""
    block = format_block(Block(cube.color, cube.cell))
    action = f"{'take away' if cube.removal else 'place'} {block}"
    return f"{cube.mark} {cube.look.value}: {action}  ({terminal_board.place_in_words(cube.cell, yaw)})"


def _chat(lines: list[str], style: str = "") -> Text:
    return Text("\n".join(lines), style)


def _in_columns(lines: list[str], width: int) -> Table:
    table = Table.grid(padding=(0, 3, 0, 0))
    number = max(1, width // (max(map(len, lines), default=1) + 3))
    rows = -(-len(lines) // number)
    for place in range(rows):
        table.add_row(*(Text(line) for line in lines[place::rows]))
    return table
