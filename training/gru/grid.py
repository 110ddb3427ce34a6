"""The BuildRegion as a grid of 11 x 9 x 11 cells, and actions as numbers."""

from bap_v2_metric.actions import Action, Place, Remove
from bap_v2_metric.blocks import Cell, Color
from bap_v2_training.learning.cells import CELLS, cell_number, coordinates

COLORS = tuple(Color)
EMPTY = len(COLORS)  # on a board, what is in an empty cell
KINDS = len(COLORS) + 1  # of actions in a cell: place one of six colors, or remove
STOP = CELLS * KINDS  # 7,623: the answer ends
ACTION_NUMBERS = 2 + len(COLORS) + 3  # in the vector of an action
_NUMBER_OF_COLOR = {color: number for number, color in enumerate(COLORS)}


def cell_index(cell: Cell) -> int:
    """The number of a cell of the BuildRegion, 0 to 1,088."""
    return cell_number(*cell)


def cell_of(index: int) -> Cell:
    """The inverse of `cell_index`."""
    return Cell(*coordinates(index))


def color_number(color: Color) -> int:
    """0 to 5, in the order of `Color`."""
    return _NUMBER_OF_COLOR[color]


def action_index(action: Action) -> int:
    """The class of an action in the BuildRegion, 0 to 7,622.

    >>> action_index(Remove(Cell(-5, 1, -5))), action_index(Place(Color.ORANGE, Cell(-5, 1, -4)))
    (6, 8)
    """
    kind = EMPTY if isinstance(action, Remove) else _NUMBER_OF_COLOR[action.color]
    return cell_index(action.cell) * KINDS + kind


def action_of(index: int) -> Action:
    """The inverse of `action_index`."""
    cell, kind = divmod(index, KINDS)
    return Remove(cell_of(cell)) if kind == EMPTY else Place(COLORS[kind], cell_of(cell))


def action_vector(action: Action) -> list[float]:
    """An action as 11 numbers: place, remove, six colors (zero for a removal), x, y, z."""
    vector = [0.0] * ACTION_NUMBERS
    if isinstance(action, Remove):
        vector[1] = 1.0
    else:
        vector[0] = vector[2 + _NUMBER_OF_COLOR[action.color]] = 1.0
    vector[-3:] = map(float, action.cell)
    return vector
