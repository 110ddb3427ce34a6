"""Boards drawn for a terminal, from the Builder's side of the board rounded to a quarter turn.

Two pictures: the levels from above, with letters and marks, so that nothing depends on color alone; and a view from
the Builder's side and above, of half blocks, which needs a terminal with colors.
"""

import math
from collections.abc import Iterable, Sequence
from textwrap import wrap
from typing import NamedTuple

from rich.console import RenderableType
from rich.style import Style
from rich.table import Table
from rich.text import Text

from bap_v2_dataset.pictures.cubes import Cube
from bap_v2_dataset.pictures.terminal_colors import Palette, Part, Pixel
from bap_v2_metric.actions import ActionType, NetAction
from bap_v2_metric.blocks import X_MAX, X_MIN, Y_MIN, Z_MAX, Z_MIN, Block, Cell, Color, Structure
from bap_v2_metric.notation import format_block
from bap_v2_simulators.pose import Pose
from bap_v2_simulators.view import View, off_grid

LEGEND = (
    "seen from above, the Builder (▲) looks up the page; +R placed, -R removed, ±R recolored; x, z and the level, y, "
    "are those of the actions; in brackets: what the Builder sees from the center of the board"
)
JUDGED_LEGEND = "✓R right, ✗R wrong, ○R missed; with a small letter there is no block"
_CENTER = Cell(0, Y_MIN, 0)
_SIDE = X_MAX - X_MIN + 1  # the board is as deep as it is wide, so that every quarter turn maps it onto itself
_LABELS = 2  # columns for the numbers at the left of a row of levels
_WIDTH, _HEIGHT = 3, 3  # pixels of the front of a block in the view from the side; it is 1 pixel deep
_SIDE_VIEW = _SIDE * (_WIDTH + 1) + 1  # columns
_GAP = 2


class Window(NamedTuple):
    """A part of the board as it is seen: cells to the right of its center, and away from it, first and last."""

    left: int
    right: int
    near: int
    far: int

    @property
    def columns(self) -> int:
        """Characters of a level, with one of its borders."""
        return 2 * (self.right - self.left + 1) + 1


_BOARD = Window(X_MIN, X_MAX, Z_MIN, Z_MAX)
LEVEL = _BOARD.columns + _LABELS + 1  # columns of one level alone


def board(
    before: Structure, after: Structure, pose: Pose, width: int, colors: Palette | None, judged: Sequence[Cube] = ()
) -> RenderableType:
    """Return the board after a change, with the change marked; without one if the two structures are equal.

    Args:
        pose: whose side the board is seen from.
        width: columns there are. The view from the side is left out where it would not fit beside the levels.
        colors: of the terminal.
        judged: what is right, wrong and missed of the change.
    """
    height, level = _height(before, after, judged=judged), _BOARD.columns
    all_columns, fewer = (max(1, (columns - _LABELS - 1) // level) for columns in (width, width - _SIDE_VIEW - _GAP))
    room = fewer * level + _LABELS + 1 + _GAP + _SIDE_VIEW <= width
    if not (colors and room and -(-height // fewer) == -(-height // all_columns)):
        return levels(before, after, pose, width, colors, judged=judged)
    picture = Table.grid(padding=(0, _GAP, 0, 0))
    side = from_the_side(before, after, pose, colors)
    picture.add_row(levels(before, after, pose, width - _SIDE_VIEW - _GAP, colors, judged=judged), side)
    return picture


def only_blocks(structure: Structure, pose: Pose, width: int, colors: Palette | None) -> RenderableType:
    """Return the levels of a structure, without the board around it."""
    view = View.of(pose.yaw)
    seen = [seen_from(view, cell) for _, cell in structure]
    if not seen:
        return Text("nothing")
    (left, _, near), (right, _, far) = (tuple(pick(values) for values in zip(*seen)) for pick in (min, max))
    middle = (left + right) // 2
    left, right = min(left, middle - 2), max(right, middle + 2)  # a title has to fit above
    return levels(structure, structure, pose, width, colors, Window(left, right, near, far), with_builder=False)


def levels(
    before: Structure,
    after: Structure,
    pose: Pose,
    width: int = 100,
    colors: Palette | None = None,
    window: Window = _BOARD,
    with_builder: bool = True,
    judged: Sequence[Cube] = (),
) -> Text:
    """Return every level from the ground up to the highest block, as seen from above and behind the Builder.

    The numbers at the edges are the coordinates x and z, as they are turned.
    """
    # What each cell shows: the change, or how an answer was judged.
    view, palette = View.of(pose.yaw), colors or Palette.EXACT
    old, new = before.colors(), after.colors()
    cells = {
        seen_from(view, cell): _cell_picture(old.get(cell), new.get(cell), palette) for cell in {**old, **new}
    }  # by (right, level, away)
    for cube in sorted(judged, key=lambda cube: cube.solid):  # what is there has priority
        if cube.mark:
            cells[seen_from(view, cube.cell)] = _judged_picture(cube, palette)
    # How many levels there are, and how many stand beside each other.
    height = _height(before, after, judged=judged)
    in_a_row = max(1, (width - _LABELS - 1) // window.columns)
    right, _, away = seen_from(view, _cell_of(pose))
    builder = _onto_the_edge(right, X_MIN, X_MAX), _onto_the_edge(away, Z_MIN, Z_MAX)
    across, along = _axes(view)
    # A strip of levels at a time: rows of cells with labels and frame.
    lines: list[Text] = []
    for lowest in range(1, height + 1, in_a_row):
        shown = range(lowest, min(lowest + in_a_row, height + 1))
        labels = {row: str(along[1] * row) for row in range(window.near, window.far + 1)} | {window.far + 1: along[0]}
        rows = {row: Text().append(f"{labels.get(row, ''):>{_LABELS}}", "dim")  # the whole row dim would dim blocks
                for row in range(window.far + 1, window.near - 2, -1)}  # fmt: skip
        for level in shown:
            for row, line in rows.items():
                _add_row(line, row, level, level == lowest, cells, builder if with_builder else None, window)
        rows[window.far + 1].right_crop(1)
        rows[window.far + 1].append("┐", "dim")
        rows[window.near - 1].right_crop(1)
        rows[window.near - 1].append("┘", "dim")
        lines += rows.values()
        # The numbers below.
        axis = "".join(f"{across[1] * column:>2}" for column in range(window.left, window.right + 1))
        lines.append(Text(f"{across[0]:>{_LABELS}} " + " ".join(axis for _ in shown), "dim"))
    return Text("\n").join(lines)


def _axes(view: View) -> tuple[tuple[str, int], tuple[str, int]]:
    """Return the coordinate that grows or falls (1, -1) to the right, and the one that does away from the Builder."""
    right, _, away = seen_from(view, Cell(1, Y_MIN, 0))
    if right:
        return ("x", right), ("z", seen_from(view, Cell(0, Y_MIN, 1))[2])
    return ("z", seen_from(view, Cell(0, Y_MIN, 1))[0]), ("x", away)


def _add_row(
    line: Text, row: int, level: int, first: bool, cells: dict, builder: tuple[int, int] | None, window: Window
) -> None:
    """Adds one row of a level, its right border, and the left one if the level is the first of its line."""
    # The Builder stands on the lowest level.
    top, bottom = row > window.far, row < window.near
    width = window.columns - 1
    for column in range(window.left - first, window.right + 2):
        here = level == 1 and (column, row) == builder
        # Borders left and right, title and frame, or a cell.
        if column < window.left:
            line.append("▲" if here else "┌" if top else "└" if bottom else "│", "bold" if here else "dim")
        elif column > window.right:
            line.append("▲" if here else "┬" if top else "┴" if bottom else "│", "bold" if here else "dim")
        elif top or bottom:
            title = f" level {level} ".center(width, "─") if top else "─" * width
            start = 2 * (column - window.left)
            line.append("▲" if here else title[start], "bold" if here else "dim")
            line.append(title[start + 1], "dim")
        else:
            text, style = cells.get((column, level, row), (" ·", "dim"))
            if here and text[0] == " ":  # the mark of a change has priority
                line.append("▲", "bold" if text[1] == "·" else style)
                text = text[1]
            line.append(text, style)


def _cell_picture(old: Color | None, new: Color | None, palette: Palette) -> tuple[str, Style]:
    """Return two characters: what happened, and the first letter of the color."""
    color = new or old
    mark = " " if old == new else "+" if old is None else "-" if new is None else "±"
    if new is None:
        return f"-{color.value[0].upper()}", palette.removed(color)
    return f"{mark}{color.value[0].upper()}", palette.block(color, bold=mark != " ")


def _judged_picture(cube: Cube, palette: Palette) -> tuple[str, Style]:
    """Return two characters: what is judged, and the first letter of the color, small if there is no block."""
    letter = cube.color.value[0]
    if cube.solid:
        return f"{cube.mark}{letter.upper()}", palette.block(cube.color, bold=True)
    return f"{cube.mark}{letter}", palette.removed(cube.color, strike=cube.removal)


def from_the_side(before: Structure, after: Structure, pose: Pose, palette: Palette = Palette.EXACT) -> Text:
    """The structure `after` from the Builder's side and above, in half blocks; if it changed, old blocks are pale."""
    # The chessboard of the ground.
    view = View.of(pose.yaw)
    old, new = before.colors(), after.colors()
    top = _height(before, after) * _HEIGHT + _SIDE
    pixels: dict[tuple[int, int], Pixel] = {}  # by (column from the left, row from the ground)
    for away in range(_SIDE):
        for column in range(_SIDE * _WIDTH):
            light = (column // _WIDTH + away) % 2
            pixels[column + away, away] = Pixel(Part.LIGHT_GROUND if light else Part.DARK_GROUND)
    # Blocks from behind to the front, each as front, top and side.
    blocks = [(seen_from(view, cell), cell, color) for cell, color in new.items()]
    for (right, level, away), cell, color in sorted(blocks, key=lambda block: (-block[0][2], block[0][1], block[0][0])):
        pale = old != new and old.get(cell) == color
        left, low = (right - X_MIN) * _WIDTH + (away - Z_MIN), (level - 1) * _HEIGHT + (away - Z_MIN)
        for i in range(_WIDTH):
            for j in range(_HEIGHT):
                part = Part.EDGE if i == _WIDTH - 1 or j == 0 else Part.FRONT
                pixels[left + i, low + j] = Pixel(part, color, pale)
            pixels[left + i + 1, low + _HEIGHT] = Pixel(Part.TOP, color, pale)
            pixels[left + _WIDTH, low + i + 1] = Pixel(Part.SIDE, color, pale)
    # Two pixels in a letter.
    picture = Text("\n")  # its upper edge is level with that of the levels
    for row in range(top + top % 2 - 1, 0, -2):
        for column in range(_SIDE_VIEW):
            upper, lower = pixels.get((column, row)), pixels.get((column, row - 1))
            if upper is None and lower is None:
                picture.append(" ")
            elif upper is None:
                picture.append("▄", Style(color=palette.pixel(lower)))
            else:
                picture.append("▀", Style(color=palette.pixel(upper), bgcolor=lower and palette.pixel(lower)))
        picture.append("\n")
    return picture


def change_in_words(actions: Iterable[NetAction], yaw: float) -> list[str]:
    """Return the net actions as lines, from the ground up: `+ red 0 1 2  (2 right, 3 away, level 1)`.

    The coordinates are those of the notation, the brackets tell what the Builder sees from the center of the board.
    """
    view = View.of(yaw)
    seen = [(action.type.value, seen_from(view, action.cell), action) for action in actions]
    ordered = sorted(seen, key=lambda line: (line[0], line[1][1], line[1][2], line[1][0]))
    blocks = [format_block(Block(action.color, action.cell)) for _, _, action in ordered]
    width = max(map(len, blocks), default=0)
    return [
        f"{'+' if action.type is ActionType.PLACE else '-'} {block:<{width}}  ({place_in_words(action.cell, yaw)})"
        for (_, _, action), block in zip(ordered, blocks)
    ]


def place_in_words(cell: Cell, yaw: float) -> str:
    """Say where a Builder with this yaw sees a cell from the center of the board: `2 right, 3 away, level 1`."""
    right, level, away = seen_from(View.of(yaw), cell)
    across = f"{abs(right)} {'right' if right > 0 else 'left'}" if right else "middle"
    along = f"{abs(away)} {'away' if away > 0 else 'near'}" if away else "middle"
    return f"{across}, {along}, level {level}"


def wrapped_actions(actions: Sequence[str], width: int, indent: str = "    ") -> Text:
    """Fold actions, one after the other, into lines that end between two of them."""
    joined = "; ".join(action.replace(" ", "\xa0") for action in actions)  # which `wrap` leaves whole
    lines = wrap(joined, width, initial_indent=indent, subsequent_indent=indent, break_long_words=False,
                 break_on_hyphens=False)  # fmt: skip
    return Text("\n".join(lines).replace("\xa0", " "))


def builder_in_words(pose: Pose) -> str:
    """Say where the Builder stands and looks: the picture rounds it off."""
    right, level, away = seen_from(View.of(pose.yaw), _cell_of(pose))
    off = round(off_grid(pose.yaw))
    turned = f", turned {abs(off)}° to the {'right' if off > 0 else 'left'} of this view" if off else ""
    pitch = round(pose.pitch)
    looks = f"looks {abs(pitch)}° {'down' if pitch > 0 else 'up'}" if pitch else "looks straight ahead"
    inside = X_MIN <= right <= X_MAX and Z_MIN <= away <= Z_MAX
    return f"the Builder is {'on' if inside else 'outside'} the board, feet at level {level}, {looks}{turned}"


def seen_from(view: View, cell: Cell) -> tuple[int, int, int]:
    """(right, level, away): cells to the right of the center of the board, its level from 1, cells away from it."""
    left, up, away = view.offset(_CENTER, cell)
    return -left, up + 1, away


def _cell_of(pose: Pose) -> Cell:
    """Return the cell in which somebody stands: it is named by its smallest corner."""
    return Cell(math.floor(pose.x), math.floor(pose.y), math.floor(pose.z))


def _height(*structures: Structure, judged: Sequence[Cube] = ()) -> int:
    heights = [cell.y for structure in structures for _, cell in structure] + [cube.cell.y for cube in judged]
    return max(heights, default=Y_MIN) - Y_MIN + 1


def _onto_the_edge(value: int, low: int, high: int) -> int:
    return min(max(value, low - 1), high + 1)
