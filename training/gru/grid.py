"""The BuildRegion as a grid of 11 x 9 x 11 cells, and actions as numbers."""

from bap_v2_metric.actions import Action, Place, Remove
from bap_v2_metric.blocks import Cell
from bap_v2_training.learning.cells import CELLS, cell_number, coordinates
from bap_v2_training.learning.net_actions import COLORS, NUMBER_OF_COLOR

EMPTY = len(COLORS)  # on a board, what is in an empty cell
KINDS = len(COLORS) + 1  # of actions in a cell: place one of six colors, or remove
STOP = CELLS * KINDS  # 7,623: the answer ends
ACTION_NUMBERS = 2 + len(COLORS) + 3  # in the vector of an action


def action_index(action: Action) -> int:
    """The class of an action in the BuildRegion, 0 to 7,622.

    >>> action_index(Remove(Cell(-5, 1, -5))), action_index(Place(COLORS[1], Cell(-5, 1, -4)))
    (6, 8)
    """
    kind = EMPTY if isinstance(action, Remove) else NUMBER_OF_COLOR[action.color]
    return cell_number(*action.cell) * KINDS + kind


def action_of(index: int) -> Action:
    """The inverse of `action_index`."""
    cell, kind = divmod(index, KINDS)
    place = Cell(*coordinates(cell))
    return Remove(place) if kind == EMPTY else Place(COLORS[kind], place)


def action_vector(action: Action) -> list[float]:
    """An action as 11 numbers: place, remove, six colors (zero for a removal), x, y, z."""
    vector = [0.0] * ACTION_NUMBERS
    if isinstance(action, Remove):
        vector[1] = 1.0
    else:
        vector[0] = vector[2 + NUMBER_OF_COLOR[action.color]] = 1.0
    vector[-3:] = map(float, action.cell)
    return vector
