"""Reasoning traces of GSU: what they say is what happens, and the answer follows from them alone."""

import re
from decimal import Decimal

import pytest
from gsu_trace_reader import read_trace

from bap_v2_dataset.tasks.gsu.questions import WAY_TEXTS
from bap_v2_dataset.tasks.gsu.solved import solved
from bap_v2_dataset.tasks.gsu.traces import reasoning_of
from bap_v2_simulators.gsu.configs import CONFIGS, SIZES, config_of
from bap_v2_simulators.gsu.grid import COMPASS
from bap_v2_simulators.gsu.localization import GridScene
from bap_v2_simulators.gsu.walks import WalkStep, path_of, turned, way_of

WALK = (WalkStep("right", 2), WalkStep("forward", 1), WalkStep("up", 3))
WITH_TRACES = [name for name in CONFIGS if name != "gsu_structure"]
WALKS = [name for name in WITH_TRACES if CONFIGS[name].task in ("follower", "instructor", "card2ego")]
SETTINGS = [
    *((name, {}) for name in WITH_TRACES),
    *((name, {"decimals": "2", "most_steps": "7"}) for name in WALKS),
    *((name, {"dims": "2"}) for name in ("gsu_ego_random", "gsu_allo_y_adjacent")),
    *(("gsu_allo_reference_adjacent", {"sides": sides}) for sides in ("rotated", "viewer")),
]
ids = ["-".join([name, *map("=".join, settings.items())]) for name, settings in SETTINGS]


def scene(heading, viewer, target, reference=None):
    blocks = [("red", target)] if reference is None else [("blue", reference), ("red", target)]
    return GridScene(heading, viewer, reference, target, (), tuple(blocks), ())


# Worked by hand


def test_the_trace_of_an_egocentric_follower():
    assert reasoning_of(CONFIGS["gsu_follower_ego_3d"], WALK).split("\n") == [
        "I start at (0, 0, 0), facing positive y.",
        "1. right 2: Facing positive y, right is positive x, so x grows by 2: (0 + 2, 0, 0) = (2, 0, 0). Now I face "
        "positive x.",
        "2. forward 1: Facing positive x, forward is positive x, so x grows by 1: (2 + 1, 0, 0) = (3, 0, 0).",
        "3. up 3: Up is positive z, and I do not turn, so z grows by 3: (3, 0, 0 + 3) = (3, 0, 3).",
    ]


def test_the_trace_of_a_target_relative_to_the_viewer():
    own = scene("-x", (-7, 9, 7), (-8, 9, 6))
    assert reasoning_of(CONFIGS["gsu_ego_adjacent"], own).split("\n") == [
        "The red block is at (-8, 9, 6), and I am at (-7, 9, 7).",
        "I face negative x: larger x is behind, smaller x is front; larger y is right, smaller y is left; larger z is "
        "above, smaller z is below.",
        "x: -8 < -7, so front.",
        "y: 9 = 9, the same.",
        "z: 6 < 7, so below.",
    ]


def test_lengths_with_decimals_are_added_exactly():
    walk = (WalkStep("forward", Decimal("0.1")), WalkStep("right", Decimal("1.5")), WalkStep("left", Decimal("0.2")))
    assert reasoning_of(CONFIGS["gsu_follower_ego_2d"], walk).split("\n")[-1] == (
        "3. left 0.2: Facing positive x, left is positive y, so y grows by 0.2: (1.5, 0.1 + 0.2) = (1.5, 0.3). "
        "Now I face positive y."
    )


# Laws


@pytest.mark.parametrize("n", [30, pytest.param(3_000, marks=pytest.mark.slow, id="corpus")])
@pytest.mark.parametrize(("name", "settings"), SETTINGS, ids=ids)
def test_the_answer_follows_from_the_trace_alone(name, settings, n):
    config = config_of(name, settings)
    for split, size in SIZES.items():  # of the corpus, every tenth train item
        for index in range(0, min(n, size), 10 if n > 30 and split == "train" else 1):
            item = solved(config, split, 0, index)
            assert read_trace(item.reasoning).answer == item.answer


@pytest.mark.parametrize("name", [name for name in CONFIGS if CONFIGS[name].task == "localization"])
def test_the_positions_of_a_trace_are_those_of_the_question(name):
    for index in range(40):
        item = solved(CONFIGS[name], "test", 0, index)
        places, *_ = item.reasoning.split("\n")
        target, base = re.findall(r"(\w+ block|I) (?:is|am) at (\([^)]*\))", places)
        for who, position in (target, base):
            assert f"{'You are' if who == 'I' else who} at {position}" in item.question
        assert f"Where is the {target[0]} relative to " in item.question


@pytest.mark.parametrize("name", WALKS)
def test_the_states_of_a_trace_are_those_of_the_walk(name):
    config = CONFIGS[name]
    for index in range(40):
        steps = config.simulator.item("test", 0, index)
        trace = read_trace(reasoning_of(config, steps))
        assert trace.steps == [tuple(step) for step in steps]
        if config.task != "card2ego":
            assert tuple(trace.positions) == path_of(steps, config.frame, config.dims)
        names = COMPASS if config.task == "card2ego" else WAY_TEXTS
        headings = ["+y"]
        for direction, _ in steps:
            headings.append(turned(headings[-1], way_of(direction, headings[-1], "egocentric")))
        expected = [names[heading] if config.frame == "egocentric" else "" for heading in headings]
        assert trace.headings == expected


@pytest.mark.parametrize(
    ("old", "new"),
    [("= (2, 0, 0)", "= (3, 0, 0)"), ("grows by 2", "grows by 4"), ("Now I face positive x", "Now I face negative x")],
)
def test_a_trace_with_a_wrong_line_does_not_read(old, new):
    trace = reasoning_of(CONFIGS["gsu_follower_ego_3d"], WALK)
    with pytest.raises(AssertionError):
        read_trace(trace.replace(old, new))
