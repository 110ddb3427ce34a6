"""The one text form of blocks and actions, and its strict readers; `answers` has the forgiving one of model output.

    place COLOR X Y Z        pick X Y Z        COLOR X Y Z   (a block of a structure)

`parse_*` raise NotationError on anything else.
"""

import re
from collections.abc import Iterable
from functools import lru_cache

from .actions import Action, Place, Remove
from .answers import Prediction, read_prediction
from .blocks import Block, Cell, Color, Structure
from .errors import UserError, shortened

__all__ = [
    "NotationError", "Prediction", "format_action", "format_block", "format_call", "format_structure", "parse_action",
    "parse_block", "parse_structure", "read_prediction", "storable",
]  # fmt: skip


class NotationError(UserError):
    """A text that is not the notation; the message names the value and what was expected."""


_COLORS = {color.value: color for color in Color}
_CANONICAL_NUMBER = re.compile(r"0|-?[1-9][0-9]{0,8}")


def format_block(block: Block) -> str:
    """`red 0 1 0` for a red block at x=0, y=1, z=0."""
    (x, y, z) = block.cell
    return f"{block.color.value} {x} {y} {z}"


def format_action(action: Action) -> str:
    """`place red 0 1 0` or `pick 0 1 0`."""
    (x, y, z) = action.cell
    return f"pick {x} {y} {z}" if isinstance(action, Remove) else f"place {action.color.value} {x} {y} {z}"


def format_call(action: Action) -> str:
    """`place(color="red", x=0, y=1, z=0)` or `pick(x=0, y=1, z=0)`."""
    (x, y, z) = action.cell
    color = "" if isinstance(action, Remove) else f'color="{action.color.value}", '
    return f"{'place' if color else 'pick'}({color}x={x}, y={y}, z={z})"


@lru_cache(maxsize=16_384)
def parse_block(text: str, anywhere: bool = False) -> Block:
    """Return the block that `text` names; the inverse of `format_block`.

    Args:
        text: `COLOR X Y Z`.
        anywhere: also accept cells outside the BuildRegion (human logs have some).
    Raises:
        NotationError: with the text, what is wrong with it, and what was expected.
    """
    words = text.split()
    if len(words) != 4:
        raise NotationError(f"{shortened(text)} is not a block (expected 'COLOR X Y Z', e.g. 'red 0 1 0')")
    return Block(_color(words[0]), _cell(words[1:], text, anywhere))


@lru_cache(maxsize=16_384)
def parse_action(text: str, anywhere: bool = False) -> Action:
    """The action that `text` names; the inverse of `format_action`. Arguments and errors as for `parse_block`."""
    words = text.split()
    if len(words) == 5 and words[0] == "place":
        return Place(_color(words[1]), _cell(words[2:], text, anywhere))
    if len(words) == 4 and words[0] == "pick":
        return Remove(_cell(words[1:], text, anywhere))
    raise NotationError(f"{shortened(text)} is not an action (expected 'place COLOR X Y Z' or 'pick X Y Z')")


def format_structure(structure: Structure) -> list[str]:
    """Return one line per block, in order of placement."""
    return [format_block(block) for block in structure]


def parse_structure(lines: Iterable[str], anywhere: bool = False) -> Structure:
    """Return the structure that holds these blocks; the inverse of `format_structure`.

    Raises:
        NotationError: for a line that is not a block, or for two blocks in one cell.
    """
    colors: dict[Cell, Color] = {}
    for line in lines:
        color, cell = parse_block(line, anywhere)
        if cell in colors:
            raise NotationError(f"{shortened(line)} is in the same cell as '{format_block(Block(colors[cell], cell))}'")
        colors[cell] = color
    return Structure.from_colors(colors)


def _color(word: str) -> Color:
    color = _COLORS.get(word)
    if color is None:
        raise NotationError(f"unknown color {shortened(word)} (expected one of {', '.join(_COLORS)})")
    return color


def _cell(words: list[str], text: str, anywhere: bool) -> Cell:
    if not all(_CANONICAL_NUMBER.fullmatch(word) for word in words):
        raise NotationError(f"{shortened(text)}: coordinates are three whole numbers, e.g. '0 1 0'")
    cell = Cell(*(int(word) for word in words))
    if not anywhere and not cell.in_region:
        raise NotationError(f"{shortened(text)} is outside the BuildRegion (x and z in -5..5, y in 1..9)")
    return cell


def storable(text: str) -> str:
    """Return the text without lone surrogates, which UTF-8 cannot encode (they are never part of an action)."""
    return text.encode("utf-8", "replace").decode("utf-8")
