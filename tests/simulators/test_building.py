"""Supports: what holds a floating block for a moment can be built, is as little as possible, and leaves no trace."""

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import cells, colors

from bap_v2_metric.actions import Place, Remove, execute, net_actions
from bap_v2_metric.blocks import Cell, Color, Structure
from bap_v2_simulators.building import placement, supports


def needed(cell, board):
    """The number of supports, by flooding the empty cells from everything that carries a block."""
    distance = 0
    empty = {
        Cell(x, y, z) for x in range(-5, 6) for y in range(1, 10) for z in range(-5, 6) if (x, y, z) not in board
    }  # fmt: skip
    carried = {place for place in empty if place.y == 1 or any(other in board for other in place.neighbors)}
    while cell not in carried:
        distance += 1
        carried |= {place for place in empty if any(other in carried for other in place.neighbors)}
    return distance


def can_be_placed_with(cell, board, chain):
    """Whether some order of building the chain's cells makes the block feasible: brute force."""
    board_cells, left = set(board), {*chain, cell}
    while left:
        fits = {one for one in left if one.y == 1 or any(other in board_cells for other in one.neighbors)}
        if not fits:
            return False
        board_cells |= fits
        left -= fits
    return True


boards = st.dictionaries(cells(2, 4), st.sampled_from(list(Color)), max_size=12)


@given(boards, colors, cells(3, 6))
def test_every_placement_can_be_executed_and_leaves_exactly_the_block(board, color, cell):
    board.pop(cell, None)
    before = Structure.from_colors(board)
    done = execute(before, placement(color, cell, board))
    assert done.infeasible == 0
    assert done.after == Structure.from_colors({**board, cell: color})
    assert {action.cell for action in net_actions(before, done.after)} == {cell}


@settings(max_examples=60)
@given(boards, cells(3, 6))
def test_no_shorter_chain_would_do(board, cell):
    board.pop(cell, None)
    assert len(supports(cell, board)) == needed(cell, board)


@pytest.mark.parametrize(
    ("cell", "board"),
    [
        (Cell(1, 2, 0), {Cell(0, 1, 0)}),
        (Cell(1, 3, 0), {Cell(0, 1, 0), Cell(0, 2, 0)}),
        (Cell(2, 3, 0), {Cell(0, 1, 0), Cell(0, 2, 0), Cell(0, 3, 0)}),
        (Cell(0, 3, 0), set()),
    ],
)
def test_chains_against_every_set_of_cells_nearby(cell, board):
    nearby = [
        Cell(x, y, z)
        for x in range(-1, 4) for y in range(1, 5) for z in (-1, 0, 1)
        if (x, y, z) not in board and (x, y, z) != cell
    ]  # fmt: skip
    shortest = next(
        n for n in range(4) if any(can_be_placed_with(cell, board, chain) for chain in combinations(nearby, n))
    )
    assert len(supports(cell, dict.fromkeys(board, Color.RED))) == shortest


def test_nothing_is_needed_on_the_ground_or_face_to_face():
    board = {Cell(0, 1, 0): Color.RED, Cell(0, 2, 0): Color.RED}
    assert placement(Color.BLUE, Cell(3, 1, 3), board) == [Place(Color.BLUE, Cell(3, 1, 3))]
    for cell in (Cell(0, 3, 0), Cell(1, 2, 0), Cell(0, 2, -1)):
        assert supports(cell, board) == []


def test_a_block_across_an_edge_gets_one_support_below():
    board = {Cell(0, 1, 0): Color.RED}
    below = Cell(1, 1, 0)
    assert placement(Color.BLUE, Cell(1, 2, 0), board) == [
        Place(Color.BLUE, below), Place(Color.BLUE, Cell(1, 2, 0)), Remove(below),
    ]  # fmt: skip


def test_below_is_preferred_to_other_ways_of_the_same_length():
    board = {Cell(0, y, 0): Color.RED for y in (1, 2, 3, 4)}
    # Across an edge at every height: the support stands below or beside; below it is.
    assert supports(Cell(1, 2, 1), {**board, Cell(1, 1, 0): Color.RED}) == [Cell(1, 1, 1)]
    # In mid air two from the ground: a chain from the ground up.
    assert supports(Cell(4, 3, 4), board) == [Cell(4, 1, 4), Cell(4, 2, 4)]


def test_supports_come_and_go_in_opposite_orders():
    actions = placement(Color.GREEN, Cell(4, 4, 4), {})
    chain = [Cell(4, 1, 4), Cell(4, 2, 4), Cell(4, 3, 4)]
    assert actions == [
        *(Place(Color.GREEN, cell) for cell in chain),
        Place(Color.GREEN, Cell(4, 4, 4)),
        *(Remove(cell) for cell in reversed(chain)),
    ]


def test_the_board_is_not_changed():
    board = {Cell(0, 1, 0): Color.RED}
    placement(Color.BLUE, Cell(0, 4, 3), board)
    assert board == {Cell(0, 1, 0): Color.RED}


@given(cells(5, 9), st.sets(cells(5, 9), max_size=30))
def test_supports_stay_inside_the_region(cell, others):
    board = dict.fromkeys(others - {cell}, Color.RED)
    assert all(support.in_region and support not in board and support != cell for support in supports(cell, board))
