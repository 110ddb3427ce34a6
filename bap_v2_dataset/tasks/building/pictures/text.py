"""Items and games in a terminal: the dialogue, and boards level by level."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from bap_v2_dataset.items.rows import last_turn
from bap_v2_dataset.pictures import terminal_board
from bap_v2_dataset.pictures.cubes import MARKS, Cube, counts_in_words
from bap_v2_dataset.pictures.terminal_colors import Palette
from bap_v2_dataset.tasks.building.paper import SHORT_COLUMNS
from bap_v2_dataset.tasks.building.pictures.columns import TARGET, BoardColumn
from bap_v2_metric.actions import net_actions
from bap_v2_metric.blocks import Block, Structure
from bap_v2_metric.notation import format_action, format_block, parse_structure
from bap_v2_simulators.game import Game, Step
from bap_v2_simulators.pose import Pose


def item_text(
    row: Mapping[str, Any], columns: Sequence[BoardColumn], width: int, colors: Palette | None
) -> Iterator[RenderableType]:
    """Yield the last turn, this one, the board with what was done to it, and a board for each model.

    Args:
        columns: of the item (`item_columns`).
        width, colors: of the terminal.
    """
    pose, before, after = Pose(**row["pose"]), parse_structure(row["before"]), parse_structure(row["after"])
    # What was said and done before, and now.
    utterances, actions = last_turn(row["history"])
    if actions:
        yield _chat(utterances, "dim")
        yield terminal_board.wrapped_actions(actions, width)
    yield _chat(row["dialogue"]) if row["dialogue"] else Text("(no utterance since)", "dim italic")
    yield Text(terminal_board.builder_in_words(pose), "dim")
    # What was built.
    (result,) = (column for column in columns if column.scores is None and column.name == "Sₕ")
    yield Text(f"\n{result.title[0].upper()}{result.title[1:]}: {result.note or 'nothing'}", "bold")
    yield terminal_board.board(before, after, pose, width, colors)
    yield in_columns(terminal_board.change_in_words(net_actions(before, after), pose.yaw), width)
    # The target and predictions, as far as they are shown.
    for column in columns:
        if column.name == TARGET:
            title = Text(f"\nThe target: {column.title}", "bold")
            yield title.append(f"   {column.note}", "not bold italic") if column.note else title
            target = Structure.from_colors({cube.cell: cube.color for cube in column.cubes})
            yield terminal_board.only_blocks(target, pose, width, colors)
        if column.scores is not None:
            yield from prediction_text(column, before, width, colors)
    judged = [terminal_board.JUDGED_LEGEND] * any(column.scores is not None for column in columns)
    yield Text("\n" + "; ".join([*judged, terminal_board.LEGEND]), "dim")


def prediction_text(
    column: BoardColumn, before: Structure, width: int, colors: Palette | None
) -> Iterator[RenderableType]:
    """Yield the scores of a model, and the board with its marks."""
    f1 = "  ".join(f"{title} {100 * column.scores[measure]:.1f}" for measure, title in SHORT_COLUMNS.items())
    yield Text(f"\n{column.name}", "bold").append(f"   F1: {f1}", "not bold")
    yield Text(counts_in_words(column.cubes))
    if column.note:
        yield Text(column.note, "italic")
    shown = Structure.from_colors({cube.cell: cube.color for cube in column.cubes if cube.solid})
    yield terminal_board.board(before, shown, column.pose, width, colors, column.cubes)
    verdicts = [_in_words(cube, column.pose.yaw) for look in MARKS for cube in column.cubes if cube.look is look]
    yield in_columns(verdicts, width)


def game_text(game: Game, width: int, colors: Palette | None) -> Iterator[RenderableType]:
    """Yield a whole game: the dialogue, and after each run of actions the board with what changed."""
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


def in_columns(lines: list[str], width: int) -> Table:
    table = Table.grid(padding=(0, 3, 0, 0))
    number = max(1, width // (max(map(len, lines), default=1) + 3))
    rows = -(-len(lines) // number)
    for place in range(rows):
        table.add_row(*(Text(line) for line in lines[place::rows]))
    return table
