"""Planned actions change exactly what is wanted, and every one of them is feasible."""

import pytest
import strategies
from hypothesis import given
from hypothesis import strategies as st

from bap_v2_dataset.items.item import items
from bap_v2_metric.actions import Remove, execute
from bap_v2_metric.blocks import Structure
from bap_v2_metric.notation import format_action, parse_action, parse_structure
from bap_v2_simulators.corpora import SIMULATORS, simulator_of
from bap_v2_simulators.simulation import play
from bap_v2_training.learning.net_actions import COLORS, REMOVE, actions_of, net_of, planned
from bap_v2_training.pointer.examples import example_of_item

numbers = st.tuples(st.integers(0, 6), st.integers(-2, 2), st.integers(1, 4), st.integers(-2, 2))


def in_numbers(actions) -> list[tuple[int, int, int, int]]:
    return [(REMOVE if isinstance(action, Remove) else COLORS.index(action.color), *action.cell) for action in actions]


def plan(before: list[str], wanted: list[str]) -> list[str]:
    actions = in_numbers(parse_action(line, anywhere=True) for line in wanted)
    return [format_action(action) for action in planned(parse_structure(before), actions)]


def check(all_items) -> int:
    """How many items need more actions than their net actions."""
    supported = 0
    for item in all_items:
        net = example_of_item(item).net
        actions = planned(item.before, net)
        assert execute(item.before, actions) == (item.after, ()), item.item_id
        supported += len(actions) > len(net)
    return supported


@pytest.mark.parametrize("name", SIMULATORS)
def test_the_net_actions_of_simulated_items_can_be_carried_out(name):
    games = (play(simulator_of(name), "validation", index, seed=5) for index in range(40))
    assert check(item for game in games for item in items(game))


def test_the_net_actions_of_people_can_be_carried_out(mdc_items):
    assert check(item for split in mdc_items.values() for item in split) > 800


@given(strategies.structures(max_size=20, reach=2), st.lists(numbers, max_size=12))
def test_whatever_is_wanted_is_done_as_far_as_cells_allow(before, wanted):
    after = before.colors()
    for action in actions_of(wanted):
        if isinstance(action, Remove):
            after.pop(action.cell, None)
        else:
            after.setdefault(action.cell, action.color)
    assert execute(before, planned(before, wanted)) == (Structure.from_colors(after), ())


@given(strategies.structures(), strategies.action_lists())
def test_a_feasible_sequence_stays_as_it_is(before, actions):
    failed = {failure.index for failure in execute(before, actions).failures}
    feasible = [action for number, action in enumerate(actions) if number not in failed]
    assert planned(before, in_numbers(feasible)) == feasible


def test_a_floating_block_gets_a_support_that_is_taken_away():
    assert plan([], ["place red 0 2 0"]) == ["place red 0 1 0", "place red 0 2 0", "pick 0 1 0"]


def test_blocks_wait_for_those_that_hold_them():
    upside_down = ["place red 0 3 0", "place red 0 2 0", "place red 0 1 0"]
    assert plan([], upside_down) == upside_down[::-1]


def test_a_support_is_not_where_a_block_will_be():
    # Below, it would be the shortest, but green comes there.
    actions = plan([], ["place red 0 2 0", "place green 0 1 0"])
    assert actions == ["place green 0 1 0", "place red 0 2 0"]


def test_a_block_is_taken_away_after_what_it_holds_is_placed():
    before = ["red 0 1 0", "red 0 2 0"]
    assert plan(before, ["pick 0 2 0", "place blue 1 2 0"]) == ["place blue 1 2 0", "pick 0 2 0"]


def test_a_floating_block_changes_its_color():
    actions = plan(["red 0 2 0"], ["pick 0 2 0", "place blue 0 2 0"])
    assert actions == ["pick 0 2 0", "place blue 0 1 0", "place blue 0 2 0", "pick 0 1 0"]


def test_what_cannot_be_is_left_out():
    assert plan(["red 0 1 0"], ["place blue 0 1 0", "pick 1 1 0", "place red 6 1 0"]) == []


def test_net_actions_of_a_sequence_forget_its_supports():
    assert net_of(Structure(), [(0, 0, 1, 0), (1, 0, 2, 0), (6, 0, 1, 0)]) == ((1, 0, 2, 0),)
