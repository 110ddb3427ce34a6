"""Items and games in a terminal: the dialogue, and boards level by level."""

from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Any

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from bap_v2_dataset.paper import COLUMNS
from bap_v2_dataset.pictures import terminal_board
from bap_v2_dataset.pictures.columns import Column, last_turn
from bap_v2_metric.actions import net_actions
from bap_v2_metric.blocks import Block, Structure
from bap_v2_metric.cubes import MARKS, Cube
from bap_v2_metric.notation import format_action, format_block, parse_structure
from bap_v2_simulators.game import Game, Step
from bap_v2_simulators.pose import Pose


def item_text(row: Mapping[str, Any], columns: list[Column], width: int, colors: bool) -> Iterator[RenderableType]:
    """The last turn, this one, the board with what was done to it, and a board for each model.

    Args:
        columns: of the item (`item_columns`).
        width, colors: of the terminal.
    """
    pose, before, after = Pose(**row["pose"]), parse_structure(row["before"]), parse_structure(row["after"])
    utterances, actions = last_turn(row["history"])
    if actions:
        yield _chat(utterances, "dim")
        yield Text(f"    {'; '.join(actions)}", "dim")
    yield _chat(row["dialogue"]) if row["dialogue"] else Text("(no utterance since)", "dim italic")
    yield Text(terminal_board.builder_in_words(pose), "dim")
    (result,) = (column for column in columns if column.scores is None and column.name == "Sₕ")
    yield Text(f"\n{result.title[0].upper()}{result.title[1:]}: {result.note or 'nothing'}", "bold")
    yield terminal_board.board(before, after, pose, width, colors)
    yield _in_columns(terminal_board.change_in_words(net_actions(before, after), pose.yaw), width)
    for column in columns:
        if column.scores is None:
            continue
        f1 = "  ".join(f"{title} {column.scores[measure]:.2f}" for measure, title in COLUMNS.items())
        yield Text(f"\n{column.name}", "bold").append(f"   F1: {f1}", "not bold")
        if column.note:
            yield Text(column.note, "italic")
        shown = Structure.from_colors({cube.cell: cube.color for cube in column.cubes if cube.solid})
        yield terminal_board.board(before, shown, pose, width, colors)
        verdicts = [_in_words(cube) for look in MARKS for cube in column.cubes if cube.look is look]
        yield _in_columns(verdicts, width)
    yield Text(f"\n{terminal_board.LEGEND}", "dim")


def game_text(game: Game, width: int, colors: bool) -> Iterator[RenderableType]:
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
        actions = "; ".join(format_action(action) for event in events for action in event.actions)
        yield Text(f"    {actions}", "dim")
        yield terminal_board.board(before, Structure.from_colors(board), events[-1].pose, width, colors)
    yield Text(terminal_board.LEGEND, "dim")


def _in_words(cube: Cube) -> str:
    """`✗ wrong: place red 0 1 0`."""
    block = format_block(Block(cube.color, cube.cell))
    return f"{cube.mark} {cube.look.value}: {'take away' if cube.removal else 'place'} {block}"


def _chat(lines: list[str], style: str = "") -> Text:
    return Text("\n".join(lines), style)


def _in_columns(lines: list[str], width: int) -> Table:
    table = Table.grid(padding=(0, 3, 0, 0))
    number = max(1, width // (max(map(len, lines), default=1) + 3))
    rows = -(-len(lines) // number)
    for place in range(rows):
        table.add_row(*(Text(line) for line in lines[place::rows]))
    return table
