"""Structures and the actions that change them."""

import pytest
from hypothesis import given
from strategies import action_lists, structures

from bap_v2_metric.actions import Infeasible, InfeasibleReason, Place, Remove, execute, is_supported, net_actions
from bap_v2_metric.blocks import Block, Cell, Color, Structure

RED, BLUE = Color.RED, Color.BLUE


def test_two_blocks_do_not_fit_into_one_cell():
    with pytest.raises(ValueError, match="two blocks in cell \\(0, 1, 0\\): red and blue"):
        Structure([Block(RED, Cell(0, 1, 0)), Block(BLUE, Cell(0, 1, 0))])


def test_structures_are_compared_as_sets_and_remember_their_order():
    one = Structure([Block(RED, Cell(0, 1, 0)), Block(BLUE, Cell(1, 1, 0))])
    other = Structure([Block(BLUE, Cell(1, 1, 0)), Block(RED, Cell(0, 1, 0))])
    assert one == other and hash(one) == hash(other) and list(one) != list(other)
    assert one != Structure() and one != "red 0 1 0"
    assert Block(RED, Cell(0, 1, 0)) in one and Block(BLUE, Cell(0, 1, 0)) not in one


@given(structures(), action_lists())
def test_executing_in_two_parts_is_executing_at_once(before, actions):
    half = len(actions) // 2
    first = execute(before, actions[:half])
    second = execute(first.after, actions[half:])
    whole = execute(before, actions)
    later = tuple(failure._replace(index=failure.index + half) for failure in second.failures)
    assert whole == (second.after, first.failures + later)
    assert whole.infeasible == first.infeasible + second.infeasible


def test_every_infeasible_action_is_named_with_its_reason():
    floating, on_top = Place(BLUE, Cell(0, 3, 0)), Place(BLUE, Cell(0, 2, 0))
    outside, taken, nothing = Place(BLUE, Cell(6, 1, 0)), Place(BLUE, Cell(0, 1, 0)), Remove(Cell(4, 1, 4))
    execution = execute(Structure([Block(RED, Cell(0, 1, 0))]), [floating, on_top, outside, taken, nothing])
    assert execution.after == Structure([Block(RED, Cell(0, 1, 0)), Block(BLUE, Cell(0, 2, 0))])
    assert execution.failures == (
        Infeasible(0, floating, InfeasibleReason.UNSUPPORTED),
        Infeasible(2, outside, InfeasibleReason.OUTSIDE),
        Infeasible(3, taken, InfeasibleReason.OCCUPIED, occupant=RED),
        Infeasible(4, nothing, InfeasibleReason.NO_BLOCK),
    )


@given(structures(), action_lists(reach=6))
def test_a_reason_is_true_of_the_board_when_it_is_the_actions_turn(before, actions):
    failures = {failure.index: failure for failure in execute(before, actions).failures}
    board = before
    for index, action in enumerate(actions):
        color = board.color_at(action.cell)
        checks = {
            InfeasibleReason.NO_BLOCK: isinstance(action, Remove) and color is None,
            InfeasibleReason.OUTSIDE: isinstance(action, Place) and not action.cell.in_region,
            InfeasibleReason.OCCUPIED: isinstance(action, Place) and color is not None,
            InfeasibleReason.UNSUPPORTED: isinstance(action, Place) and not is_supported(action.cell, board.colors()),
        }
        if index in failures:
            assert failures[index].action == action and checks[failures[index].reason]
            assert failures[index].occupant == (color if failures[index].reason is InfeasibleReason.OCCUPIED else None)
        else:
            assert not any(checks.values())
        board = execute(board, [action]).after


@given(structures(), structures())
def test_the_distance_is_the_number_of_net_actions_and_symmetric(one, other):
    assert one.distance(other) == other.distance(one) == len(net_actions(one, other))
    assert (one.distance(other) == 0) == (one == other)


def test_a_block_replaced_after_its_removal_goes_to_the_end_of_the_order():
    before = Structure([Block(RED, Cell(0, 1, 0)), Block(BLUE, Cell(1, 1, 0))])
    after = execute(before, [Remove(Cell(0, 1, 0)), Place(RED, Cell(0, 1, 0))]).after
    assert [block.color for block in after] == [BLUE, RED] and after == before


@pytest.mark.parametrize(
    ("cell", "inside"),
    [
        (Cell(-5, 1, -5), True), (Cell(5, 9, 5), True), (Cell(6, 1, 0), False), (Cell(-6, 1, 0), False),
        (Cell(0, 0, 0), False), (Cell(0, 10, 0), False), (Cell(0, 1, 6), False),
    ],
)  # fmt: skip
def test_the_build_region_is_11_by_9_by_11(cell, inside):
    assert cell.in_region is inside
    assert (execute(Structure([Block(RED, n) for n in cell.neighbors]), [Place(BLUE, cell)]).infeasible == 0) is inside
