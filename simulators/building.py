"""How the Builder puts a block where it cannot float by itself: temporary supporting blocks (BAP v2, 5.1, step 4).

In Minecraft a block is placed against another one or on the ground. A block that is to float gets a chain of supports,
which is taken away again at once.
"""

from collections.abc import Collection, Mapping, Sequence

from bap_v2_metric.actions import Action, Place, Remove, is_supported
from bap_v2_metric.blocks import Cell, Color
from bap_v2_simulators.targets import BLOCKS_PER_COLOR

# Below first: a support is built from the ground up where that is as short.
_FACES = ((0, -1, 0), (-1, 0, 0), (1, 0, 0), (0, 0, -1), (0, 0, 1), (0, 1, 0))


def placement(color: Color, cell: Cell, board: Mapping[Cell, Color], to_come: Collection[Cell] = ()) -> list[Action]:
    """The actions that put one block on the board: supports, the block, the supports taken away.

    The supports are the shortest chain from something that is there (or from the ground); they have the block's colour.

    Args:
        board: what is there; not changed.
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


def has_the_blocks(actions: Sequence[Action], color: Color, board: Mapping[Cell, Color]) -> bool:
    """Whether the colour has enough blocks for a `placement`, supports included; for the block itself it has."""
    return (
        len(actions) == 1 or sum(its is color for its in board.values()) + (len(actions) + 1) // 2 <= BLOCKS_PER_COLOR
    )


def supports(cell: Cell, board: Mapping[Cell, Color], to_come: Collection[Cell] = ()) -> list[Cell]:
    """The cells of the shortest chain of supports, in the order of building.

    Empty if the block needs none, or if there is no way past the cells that are `to_come`.
    """
    if is_supported(cell, board):
        return []
    came_from: dict[Cell, Cell] = {cell: cell}
    front = [cell]
    while front:
        further: list[Cell] = []
        for here in front:
            x, y, z = here
            for dx, dy, dz in _FACES:
                there = Cell(x + dx, y + dy, z + dz)
                if there in came_from or there in board or there in to_come or not there.in_region:
                    continue
                came_from[there] = here
                if is_supported(there, board):
                    chain = [there]
                    while came_from[chain[-1]] != cell:
                        chain.append(came_from[chain[-1]])
                    return chain
                further.append(there)
        front = further
    if to_come:
        return []
    raise AssertionError(f"no way to support a block in {tuple(cell)}")  # the region would have to be walled off
