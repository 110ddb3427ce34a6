"""Items as numbers: what the GRU baseline is shown at each step."""

import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from simulated_rows import row_of
from strategies import action_lists, cells, colors, poses, structures

from bap_v2_metric.actions import Place, Remove, execute
from bap_v2_metric.blocks import Cell, Structure
from bap_v2_metric.notation import parse_action, parse_structure
from bap_v2_simulators.pose import Pose, perspective_coordinates
from bap_v2_training.gru.decoding import feasible_classes
from bap_v2_training.gru.features import (
    ACTION_NUMBERS,
    EMPTY,
    NUMBER_OF_COLOR,
    STOP,
    Features,
    GridWorld,
    action_index,
    action_of,
    action_vector,
    pose_numbers,
    vocabulary_of,
)
from bap_v2_training.gru.model import perspective
from bap_v2_training.learning.cells import CELLS, cell_number, coordinates

ROWS = [row_of("dss-test-0/1"), row_of("dsb-test-1/0"), row_of("dr-test-2/1"), row_of("dss-test-4/1")]


def test_every_class_is_one_action_and_back():
    assert [action_index(action_of(number)) for number in range(STOP)] == list(range(STOP))
    assert len({action_of(number) for number in range(STOP)}) == STOP == CELLS * 7


@given(st.builds(Place, colors, cells()), st.builds(Remove, cells()))
def test_the_vector_of_an_action_says_all_of_it(place, remove):
    vector = action_vector(place)
    assert vector[:2] == [1, 0] and vector[2:8].index(1) == NUMBER_OF_COLOR[place.color] and sum(vector[2:8]) == 1
    assert vector[8:] == [*place.cell]
    assert action_vector(remove) == [0, 1, *[0] * 6, *remove.cell] and len(vector) == ACTION_NUMBERS


def board_of(structure: Structure) -> np.ndarray:
    board = np.full(CELLS, EMPTY)
    for color, cell in structure:
        board[cell_number(*cell)] = NUMBER_OF_COLOR[color]
    return board


@given(structures(), action_lists())
def test_a_world_changes_as_the_metric_executes(before, actions):
    world = GridWorld(before, [])
    cells_touched = []
    for number, action in enumerate(actions):
        execution = execute(before, actions[: number + 1])
        feasible = all(failure.index != number for failure in execution.failures)
        assert world.apply(action) == feasible
        assert (world.board == board_of(execution.after)).all()
        cells_touched += [cell_number(*action.cell)] * feasible
        assert [cell for cell in world.recent if cell >= 0] == cells_touched[::-1][:5]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])
def test_the_features_of_a_step_are_those_after_the_actions_before_it(row):
    steps = Features(vocabulary_of(ROWS)).of([row])
    actions = [parse_action(line) for line in row["actions"]]
    assert steps.targets.tolist() == [*map(action_index, actions), STOP]
    history = [parse_action(line, anywhere=True) for line in row["history"] if not line.startswith("<")]
    for number in range(len(actions) + 1):
        after = execute(parse_structure(row["before"]), actions[:number]).after
        assert (steps.boards[number] == board_of(after)).all()
        last = [cell_number(*action.cell) for action in [*history, *actions[:number]]][-5:]
        assert steps.recent[number].tolist() == last[::-1] + [-1] * (5 - len(last))
        assert steps.actions[number].tolist() == (action_vector(actions[number - 1]) if number else [0] * 11)


def test_levels_are_those_with_blocks_and_one_more_unless_an_action_was_logged_higher():
    floating = ROWS[0] | {"before": ["red 0 1 0", "red 0 2 0"], "actions": ["place red 0 3 0", "place red 5 6 5"]}
    assert Features(vocabulary_of(ROWS)).of([floating]).levels.tolist() == [3, 6, 4]
    tower = ROWS[0] | {"before": [f"red 0 {y} 0" for y in range(1, 10)], "actions": ["pick 0 9 0"]}
    assert Features(vocabulary_of(ROWS)).of([tower]).levels.tolist() == [9, 9]


@given(st.lists(poses, min_size=1, max_size=3))
def test_perspective_channels_are_the_perspective_coordinates_of_the_corners(drawn):
    numbers = torch.tensor([pose_numbers(pose) for pose in drawn], dtype=torch.float64)
    channels = perspective(numbers).reshape(len(drawn), CELLS, 3)
    for pose, own in zip(drawn, channels):
        for index in (0, 7, 98, 500, 1088):
            expected = perspective_coordinates(Cell(*coordinates(index)), Pose(**pose))
            assert own[index].tolist() == pytest.approx(expected, abs=1e-9)


@given(poses, st.integers(1, 3))
def test_a_turned_builder_sees_the_turned_cells_as_before(pose, turns):
    turned, expected = pose, perspective(torch.tensor([pose_numbers(pose)], dtype=torch.float64))[0]
    for _ in range(turns):  # by 90 degrees: +z, where yaw 0 looks, becomes -x
        turned = turned | {"x": -turned["z"], "z": turned["x"], "yaw": turned["yaw"] + 90}
        expected = expected.transpose(0, 2).flip(0)
    channels = perspective(torch.tensor([pose_numbers(turned)], dtype=torch.float64))[0]
    torch.testing.assert_close(channels, expected)


@given(structures(height=9), action_lists())
def test_feasible_classes_are_those_that_the_metric_carries_out(before, actions):
    world = GridWorld(before, [])
    classes = feasible_classes(world)
    assert classes[STOP] and len(classes) == STOP + 1
    for action in actions:
        assert classes[action_index(action)] == (not execute(before, [action]).failures)


def test_outside_cells_take_a_place_among_the_last_ones_but_are_not_shown():
    history = ["place red 0 1 0", "<Architect> no", "place red 9 1 9", "pick 9 1 9"]
    assert GridWorld(Structure(), history).recent == [-1, -1, cell_number(0, 1, 0), -1, -1]


def test_angles_are_in_radians():
    assert pose_numbers({"x": 1, "y": 2, "z": 3, "yaw": 180, "pitch": 90}) == [1, 2, 3, math.pi, math.pi / 2]
