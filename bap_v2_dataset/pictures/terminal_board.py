"""Boards drawn for a terminal, from the Builder's side of the board rounded to a quarter turn.

Two pictures: the levels from above, with letters and marks, so that nothing depends on color alone; and a view from
the Builder's side and above, of half blocks, which needs a terminal with colors.
"""

import math
from collections.abc import Iterable

from rich.color import Color as TerminalColor
from rich.console import RenderableType
from rich.style import Style
from rich.table import Table
from rich.text import Text

from bap_v2_metric.actions import ActionType, NetAction
from bap_v2_metric.blocks import X_MAX, X_MIN, Y_MIN, Z_MAX, Z_MIN, Cell, Color, Structure
from bap_v2_metric.drawing import RGB
from bap_v2_simulators.pose import Pose
from bap_v2_simulators.view import View, off_grid

LEGEND = "seen from above, the Builder (▲) looks up the page; +R placed, -R removed, ±R recolored"
_CENTER = Cell(0, Y_MIN, 0)
_SIDE = X_MAX - X_MIN + 1  # the board is as deep as it is wide, so that every quarter turn maps it onto itself
_LABELS = 2  # columns for the numbers at the left of a row of levels
_LEVEL = 2 * _SIDE + 1  # columns of a level, with one of its borders
_WIDTH, _HEIGHT = 3, 3  # pixels of the front of a block in the view from the side; it is 1 pixel deep
_SIDE_VIEW = _SIDE * (_WIDTH + 1) + 1  # columns
_GAP = 2


def board(before: Structure, after: Structure, pose: Pose, width: int, colors: bool) -> RenderableType:
    """The board after a change, with the change marked; without one if the two structures are equal.

    Args:
        pose: whose side the board is seen from.
        width: columns there are. The view from the side is left out where it would not fit beside the levels.
        colors: whether the terminal shows any.
    """
    height = _height(before, after)
    all_columns, fewer = (max(1, (columns - _LABELS - 1) // _LEVEL) for columns in (width, width - _SIDE_VIEW - _GAP))
    room = fewer * _LEVEL + _LABELS + 1 + _GAP + _SIDE_VIEW <= width
    if not (colors and room and -(-height // fewer) == -(-height // all_columns)):
        return levels(before, after, pose, width)
    picture = Table.grid(padding=(0, _GAP, 0, 0))
    picture.add_row(levels(before, after, pose, width - _SIDE_VIEW - _GAP), from_the_side(before, after, pose))
    return picture


def levels(before: Structure, after: Structure, pose: Pose, width: int = 100) -> Text:
    """Every level from the ground up to the highest block, as seen from above and behind the Builder.

    The numbers at the edges are cells to the right of the center of the board and away from it.
    """
    view = View.of(pose.yaw)
    old, new = before.colors(), after.colors()
    cells = {
        seen_from(view, cell): _cell_picture(old.get(cell), new.get(cell)) for cell in {**old, **new}
    }  # by (right, level, away)
    height = _height(before, after)
    in_a_row = max(1, (width - _LABELS - 1) // _LEVEL)
    right, _, away = seen_from(view, _cell_of(pose))
    builder = _onto_the_edge(right, X_MIN, X_MAX), _onto_the_edge(away, Z_MIN, Z_MAX)
    lines: list[Text] = []
    for lowest in range(1, height + 1, in_a_row):
        shown = range(lowest, min(lowest + in_a_row, height + 1))
        rows = {row: Text(f"{row:>{_LABELS}}" if Z_MIN <= row <= Z_MAX else " " * _LABELS, "dim")
                for row in range(Z_MAX + 1, Z_MIN - 2, -1)}  # fmt: skip
        for level in shown:
            for row, line in rows.items():
                _add_row(line, row, level, first=level == lowest, cells=cells, builder=builder)
        rows[Z_MAX + 1].right_crop(1)
        rows[Z_MAX + 1].append("┐", "dim")
        rows[Z_MIN - 1].right_crop(1)
        rows[Z_MIN - 1].append("┘", "dim")
        lines += rows.values()
        axis = "".join(f"{column:>2}" for column in range(X_MIN, X_MAX + 1))
        lines.append(Text(" " * (_LABELS + 1) + " ".join(axis for _ in shown), "dim"))
    return Text("\n").join(lines)


def _add_row(line: Text, row: int, level: int, first: bool, cells: dict, builder: tuple[int, int]) -> None:
    """Adds one row of a level, its right border, and the left one if the level is the first of its line."""
    top, bottom = row > Z_MAX, row < Z_MIN
    for column in range(X_MIN - first, X_MAX + 2):
        here = level == 1 and (column, row) == builder
        if column < X_MIN:
            line.append("▲" if here else "┌" if top else "└" if bottom else "│", "bold" if here else "dim")
        elif column > X_MAX:
            line.append("▲" if here else "┬" if top else "┴" if bottom else "│", "bold" if here else "dim")
        elif top or bottom:
            title = f" level {level} ".center(2 * _SIDE, "─") if top else "─" * 2 * _SIDE
            start = 2 * (column - X_MIN)
            line.append("▲" if here else title[start], "bold" if here else "dim")
            line.append(title[start + 1], "dim")
        else:
            text, style = cells.get((column, level, row), (" ·", "dim"))
            if here and text[0] == " ":  # the mark of a change has priority
                line.append("▲", "bold" if text[1] == "·" else style)
                text = text[1]
            line.append(text, style)


def _cell_picture(old: Color | None, new: Color | None) -> tuple[str, Style]:
    """Two characters: what happened, and the first letter of the color."""
    color = new or old
    mark = " " if old == new else "+" if old is None else "-" if new is None else "±"
    if new is None:
        return f"-{color.value[0].upper()}", Style(color=_terminal(RGB[color]), strike=True)
    ink = (255, 255, 255) if sum(RGB[color]) < 400 else (0, 0, 0)
    style = Style(color=_terminal(ink), bgcolor=_terminal(RGB[color]), bold=mark != " ")
    return f"{mark}{color.value[0].upper()}", style


def from_the_side(before: Structure, after: Structure, pose: Pose) -> Text:
    """The structure `after` from the Builder's side and above, in half blocks; if it changed, old blocks are pale."""
    view = View.of(pose.yaw)
    old, new = before.colors(), after.colors()
    top = _height(before, after) * _HEIGHT + _SIDE
    pixels: dict[tuple[int, int], tuple[int, int, int]] = {}  # by (column from the left, row from the ground)
    for away in range(_SIDE):
        for column in range(_SIDE * _WIDTH):
            light = 78 if (column // _WIDTH + away) % 2 else 60
            pixels[column + away, away] = (light, light, light)
    blocks = [(seen_from(view, cell), cell, color) for cell, color in new.items()]
    for (right, level, away), cell, color in sorted(blocks, key=lambda block: (-block[0][2], block[0][1], block[0][0])):
        rgb = RGB[color]
        if old != new and old.get(cell) == color:
            rgb = tuple((value + 2 * 110) // 3 for value in rgb)
        left, low = (right - X_MIN) * _WIDTH + (away - Z_MIN), (level - 1) * _HEIGHT + (away - Z_MIN)
        for i in range(_WIDTH):
            for j in range(_HEIGHT):
                pixels[left + i, low + j] = _shaded(rgb, 0.72 if i == _WIDTH - 1 or j == 0 else 0.9)
            pixels[left + i + 1, low + _HEIGHT] = _shaded(rgb, 1.15)
            pixels[left + _WIDTH, low + i + 1] = _shaded(rgb, 0.5)
    picture = Text("\n")  # its upper edge is level with that of the levels
    for row in range(top + top % 2 - 1, 0, -2):
        for column in range(_SIDE_VIEW):
            upper, lower = pixels.get((column, row)), pixels.get((column, row - 1))
            if upper is None and lower is None:
                picture.append(" ")
            elif upper is None:
                picture.append("▄", Style(color=_terminal(lower)))
            else:
                picture.append("▀", Style(color=_terminal(upper), bgcolor=lower and _terminal(lower)))
        picture.append("\n")
    return picture


def change_in_words(actions: Iterable[NetAction], yaw: float) -> list[str]:
    """The net actions as lines, from the ground up: `+ red  2 right, level 1, 3 away`, from the center of the board."""
    view = View.of(yaw)
    lines = []
    seen = [(action.type.value, seen_from(view, action.cell), action) for action in actions]
    for _, (right, level, away), action in sorted(seen, key=lambda line: (line[0], line[1][1], line[1][2], line[1][0])):
        sign = "+" if action.type is ActionType.PLACE else "-"
        across = f"{abs(right)} {'right' if right > 0 else 'left'}" if right else "middle"
        along = f"{abs(away)} {'away' if away > 0 else 'near'}" if away else "middle"
        lines.append(f"{sign} {action.color.value:<6} {across}, {along}, level {level}")
    return lines


def builder_in_words(pose: Pose) -> str:
    """Where the Builder stands and looks: what the picture rounds off."""
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
    """A cell is named by its smallest corner."""
    return Cell(math.floor(pose.x), math.floor(pose.y), math.floor(pose.z))


def _height(*structures: Structure) -> int:
    return max((cell.y for structure in structures for _, cell in structure), default=Y_MIN) - Y_MIN + 1


def _onto_the_edge(value: int, low: int, high: int) -> int:
    return min(max(value, low - 1), high + 1)


def _shaded(rgb: tuple[int, ...], share: float) -> tuple[int, int, int]:
    return tuple(min(255, round(value * share)) for value in rgb)


def _terminal(rgb: tuple[int, ...]) -> TerminalColor:
    return TerminalColor.from_rgb(*rgb)
