"""How the Builder puts a block where it cannot float by itself: temporary supporting blocks (BAP v2, 5.1, step 4).

In Minecraft a block is placed against another one or on the ground. A block that is to float gets a chain of supports,
which is taken away again at once.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence

from bap_v2_metric.actions import Action, Place, Remove, is_supported
from bap_v2_metric.blocks import Cell, Color
from bap_v2_simulators.targets import BLOCKS_PER_COLOR

# Below first: a support is built from the ground up where that is as short.
_FACES = ((0, -1, 0), (-1, 0, 0), (1, 0, 0), (0, 0, -1), (0, 0, 1), (0, 1, 0))


def placement(color: Color, cell: Cell, board: Mapping[Cell, Color], to_come: Collection[Cell] = ()) -> list[Action]:
    """Return the actions that put one block on the board: supports, the block, the supports taken away.

    The supports are the shortest chain from a block on the board or from the ground; they have the block's color.

    Args:
        board: the blocks before; not changed.
        to_come: cells that will be built on; a support stands elsewhere if it can.
    """
    if is_supported(cell, board):
        return [Place(color, cell)]
    chain = supports(cell, board, to_come) or supports(cell, board)
    return [
        *(Place(color, support) for support in chain),
        Place(color, cell),
        *(Remove(support) for support in reversed(chain)),
    ]


def board_after(board: Mapping[Cell, Color], actions: Iterable[Action]) -> dict[Cell, Color]:
    """Return the blocks after feasible actions."""
    after = dict(board)
    for action in actions:
        if isinstance(action, Remove):
            del after[action.cell]
        else:
            after[action.cell] = action.color
    return after


def changed(board: Mapping[Cell, Color], removed: Sequence[Cell], placed: Mapping[Cell, Color]) -> list[Action] | None:
    """Return the actions that take blocks away, the last first, and place others in order; None if a color runs out.

    Args:
        removed: a cell that is placed again gets another color in its turn.
    """
    actions: list[Action] = [Remove(cell) for cell in reversed(removed) if cell not in placed]
    after = {cell: color for cell, color in board.items() if cell not in removed or cell in placed}
    for cell, color in placed.items():
        if after.pop(cell, None) is not None:
            actions.append(Remove(cell))
        one = placement(color, cell, after, placed)
        if not has_the_blocks(one, color, after) or sum(other is color for other in after.values()) >= BLOCKS_PER_COLOR:
            return None
        actions += one
        after[cell] = color
    return actions


def has_the_blocks(actions: Sequence[Action], color: Color, board: Mapping[Cell, Color]) -> bool:
    """Return whether the color has enough blocks for a `placement` with its supports; for the block itself it always
    has."""
    placed = (len(actions) + 1) // 2
    return placed == 1 or sum(other is color for other in board.values()) + placed <= BLOCKS_PER_COLOR


def supports(cell: Cell, board: Mapping[Cell, Color], to_come: Collection[Cell] = ()) -> list[Cell]:
    """Return the cells of the shortest chain of supports, in the order of building.

    Empty if the block needs none, or if no chain gets past the cells that are `to_come`.
    """
    if is_supported(cell, board):
        return []
    # Breadth first from the block, through free cells, until one is supported.
    came_from: dict[Cell, Cell] = {cell: cell}
    front = [cell]
    while front:
        further: list[Cell] = []
        for here in front:
            x, y, z = here
            for dx, dy, dz in _FACES:
                neighbor = Cell(x + dx, y + dy, z + dz)
                if neighbor in came_from or neighbor in board or neighbor in to_come or not neighbor.in_region:
                    continue
                came_from[neighbor] = here
                # The way back is the chain, in the order of building.
                if is_supported(neighbor, board):
                    chain = [neighbor]
                    while came_from[chain[-1]] != cell:
                        chain.append(came_from[chain[-1]])
                    return chain
                further.append(neighbor)
        front = further
    if to_come:
        return []
    raise AssertionError(f"no way to support a block in {tuple(cell)}")  # the region would have to be walled off
