"""Net actions as numbers: in order, of rows and texts, and as actions that can be carried out.

A model says what changes. In Minecraft a block is placed against another one or on the ground, so what is to float
needs blocks that are taken away again; they are those that the simulators' Builder uses (`building.placement`).
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from bap_v2_metric.actions import Action, Place, Remove, is_supported
from bap_v2_metric.blocks import Cell, Color, Structure
from bap_v2_metric.notation import parse_action, parse_structure
from bap_v2_simulators.building import placement

COLORS = tuple(Color)
REMOVE = 6  # the type of an action: 0-5 place a block of COLORS, 6 takes one away
NUMBER_OF_COLOR = {color: number for number, color in enumerate(COLORS)}  # a color is also its name

Numbers = tuple[int, int, int, int]  # type or color, x, y, z


def net_in_order(
    before: Mapping[Cell, int], after: Mapping[Cell, int], touched: Iterable[tuple[int, int, int]]
) -> tuple[Numbers, ...]:
    """Return the net actions from one board to another, each when its cell was touched for the last time.

    A cell that changes its color is a removal and then a placement. As a set they are those of `actions.net_actions`.

    Args:
        before, after: the color of each occupied cell.
        touched: the cells of the actions in between, in order. Cells that changed untouched come last.

    >>> net_in_order({(0, 1, 0): 3}, {(0, 1, 0): 2, (1, 1, 0): 5}, [(0, 2, 0), (0, 1, 0), (1, 1, 0), (0, 2, 0)])
    ((6, 0, 1, 0), (2, 0, 1, 0), (5, 1, 1, 0))
    """
    changed = {cell for cell, _ in before.items() ^ after.items()}
    last = {cell: number for number, cell in enumerate(touched) if cell in changed}
    never = len(last) + max(last.values(), default=0)
    net: list[Numbers] = []
    for cell in sorted(changed, key=lambda cell: (last.get(cell, never), cell)):
        if cell in before:
            net.append((REMOVE, *cell))
        if cell in after:
            net.append((after[cell], *cell))
    return tuple(net)


def actions_of(numbers: Iterable[Sequence[int]]) -> list[Action]:
    """Types and cells as actions.

    >>> actions_of([(4, 0, 1, 0), (6, 1, 1, 0)])
    [Place(color=<Color.BLUE: 'blue'>, cell=Cell(x=0, y=1, z=0)), Remove(cell=Cell(x=1, y=1, z=0))]
    """
    return [
        Remove(Cell(x, y, z)) if kind == REMOVE else Place(COLORS[kind], Cell(x, y, z)) for kind, x, y, z in numbers
    ]


def numbers_of(action: Action) -> Numbers:
    """Return the numbers of an action.

    >>> numbers_of(Place(COLORS[4], Cell(0, 1, 0))), numbers_of(Remove(Cell(1, 1, 0)))
    ((4, 0, 1, 0), (6, 1, 1, 0))
    """
    return (REMOVE if isinstance(action, Remove) else NUMBER_OF_COLOR[action.color], *action.cell)


def colors_of(structure: Structure) -> dict[Cell, int]:
    """Return the color of each occupied cell of a structure."""
    return {cell: NUMBER_OF_COLOR[color] for color, cell in structure}


def board_of(lines: Iterable[str]) -> dict[Cell, int]:
    """Return the color of each occupied cell of a structure in notation."""
    return colors_of(parse_structure(lines))


def net_of_row(row: Mapping[str, Any]) -> tuple[Numbers, ...]:
    """Return the net actions of a dataset row, in order; none of one without `actions` or `after`."""
    if row.get("actions") is None or row.get("after") is None:
        return ()
    touched = [parse_action(line).cell for line in row["actions"]]
    return net_in_order(board_of(row["before"]), board_of(row["after"]), touched)


def numbers_of_line(action: str) -> Numbers:
    """Return the numbers of an action in notation: of a row or a simulator, so it is well-formed."""
    *kind, x, y, z = action.split()
    return (REMOVE if len(kind) == 1 else NUMBER_OF_COLOR[kind[1]], int(x), int(y), int(z))


def planned(before: Structure, numbers: Sequence[Numbers]) -> list[Action]:
    """Return actions that change `before` as `numbers` says, all of them feasible.

    Their order is kept where it is feasible. Otherwise blocks wait for those that hold them, and removals for the
    blocks that need them; only what is still without a hold gets supports.

    Args:
        numbers: types and cells of the world, inside the region. What cannot be is left out: a placement in a full
            cell, a removal from an empty one. What is placed and removed again is no change.
    """
    board = before.colors()
    numbers = _possible(board, numbers)
    if _feasible(board, numbers):
        return actions_of(numbers)
    return _ordered(board, net_of(before, numbers))


def net_of(before: Structure, numbers: Iterable[Numbers]) -> tuple[Numbers, ...]:
    """Return the net actions of a sequence in which only cells count, not what holds a block."""
    old = colors_of(before)
    new = dict(old)
    cells = []
    for kind, *cell in numbers:
        cells.append(Cell(*cell))
        if kind == REMOVE:
            new.pop(cells[-1], None)
        else:
            new[cells[-1]] = kind
    return net_in_order(old, new, cells)


def _possible(board: dict[Cell, Color], numbers: Iterable[Numbers]) -> list[Numbers]:
    """Keep what of a sequence can be: cells are full and empty in turns."""
    full = set(board)
    possible = []
    for action in numbers:
        kind, cell = action[0], Cell(*action[1:])
        if (kind == REMOVE) != (cell in full) or not cell.in_region:
            continue
        (full.discard if kind == REMOVE else full.add)(cell)
        possible.append(action)
    return possible


def _feasible(board: dict[Cell, Color], numbers: Iterable[Numbers]) -> bool:
    """Tell if every placement of a possible sequence has a hold when its turn comes."""
    full = set(board)
    for kind, *cell in numbers:
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
