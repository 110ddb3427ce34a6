"""Net actions as actions that can be carried out: ordered, with temporary supports where nothing else helps.

A model says what changes. In Minecraft a block is placed against another one or on the ground, so what is to float
needs blocks that are taken away again; they are those that the simulators' Builder uses (`building.placement`).
"""

from collections.abc import Iterable, Sequence

from bap_v2_metric.actions import Action, Remove, is_supported
from bap_v2_metric.blocks import Cell, Color, Structure
from bap_v2_simulators.building import placement
from bap_v2_training.pointer.examples import COLORS, REMOVE, Numbers, actions_of, net_in_order


def planned(before: Structure, wanted: Sequence[Numbers]) -> list[Action]:
    """Actions that change `before` as `wanted` says, all of them feasible.

    The order of `wanted` is kept where it is feasible. Otherwise blocks wait for those that hold them, and removals for
    the blocks that need them; only what is still without a hold gets supports.

    Args:
        wanted: types and cells of the world, inside the region. What cannot be is left out: a placement in a full
            cell, a removal from an empty one. What is placed and removed again is no change.
    """
    board = before.colors()
    wanted = _possible(board, wanted)
    if _feasible(board, wanted):
        return actions_of(wanted)
    return _ordered(board, net_of(before, wanted))


def net_of(before: Structure, wanted: Iterable[Numbers]) -> tuple[Numbers, ...]:
    """The net actions of a sequence in which only cells count, not what holds a block."""
    old = {cell: COLORS.index(color) for color, cell in before}
    new = dict(old)
    cells = []
    for kind, *cell in wanted:
        cells.append(Cell(*cell))
        if kind == REMOVE:
            new.pop(cells[-1], None)
        else:
            new[cells[-1]] = kind
    return net_in_order(old, new, cells)


def _possible(board: dict[Cell, Color], wanted: Iterable[Numbers]) -> list[Numbers]:
    """What of a sequence can be: cells are full and empty in turns."""
    full = set(board)
    possible = []
    for action in wanted:
        kind, cell = action[0], Cell(*action[1:])
        if (kind == REMOVE) != (cell in full) or not cell.in_region:
            continue
        (full.discard if kind == REMOVE else full.add)(cell)
        possible.append(action)
    return possible


def _feasible(board: dict[Cell, Color], wanted: Iterable[Numbers]) -> bool:
    """Whether every placement of a possible sequence has a hold when its turn comes."""
    full = set(board)
    for kind, *cell in wanted:
        cell = tuple(cell)
        if kind == REMOVE:
            full.discard(cell)
        elif is_supported(cell, full):
            full.add(cell)
        else:
            return False
    return True


def _ordered(board: dict[Cell, Color], net: Sequence[Numbers]) -> list[Action]:
    """Net actions with each placement as soon as it has a hold, and removals last.

    Where nothing has a hold, the first placement gets supports. A block changes its color after those that it may hold.
    """
    board = dict(board)
    to_come = [(COLORS[kind], Cell(*cell)) for kind, *cell in net if kind != REMOVE]
    to_go = [Cell(*cell) for kind, *cell in net if kind == REMOVE]
    plan: list[Action] = []
    while to_come:
        first = min(to_come, key=lambda block: (not is_supported(block[1], board), block[1] in board))
        to_come.remove(first)
        color, cell = first
        if cell in board:
            plan.append(Remove(cell))
            to_go.remove(cell)
            del board[cell]
        plan += placement(color, cell, board, {other for _, other in to_come})
        board[cell] = color
    return [*plan, *map(Remove, to_go)]
