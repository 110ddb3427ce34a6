"""What is built, and from where it is seen, is what version 1.0.0 made: only the words are others."""

import json
from hashlib import sha256

import pytest

from bap_v2_metric.notation import format_action
from bap_v2_simulators.corpora import SIMULATORS, simulator_of
from bap_v2_simulators.game import Step
from bap_v2_simulators.simulation import plan_of, play

# Made with version 1.0.0 from the games below: (targets and turns, poses).
DIGESTS = {
    "dr": ("9ffce6f4454e35f2", "76e1d148254cb6db"),
    "dsb": ("5590f3c7674ba881", "35683ed40f724424"),
    "dss": ("a336fd911b42cb2b", "955a66c5248d5403"),
}
GAMES = [
    (split, index, index % 3) for split, n in (("train", 20), ("validation", 10), ("test", 10)) for index in range(n)
]


def digest(values: list) -> str:
    return sha256(json.dumps(values).encode()).hexdigest()[:16]


@pytest.mark.parametrize("name", SIMULATORS)
def test_targets_turns_and_actions_are_those_of_version_1(name):
    simulator, structures = simulator_of(name), []
    for split, index, seed in GAMES:
        plan = plan_of(simulator, split, index, seed)
        target = [[color.value, *cell] for cell, color in sorted(plan.target.items())]
        turns = [[t.color.value, t.removes, t.cells, [format_action(a) for a in t.actions]] for t in plan.turns]
        structures.append([target, turns])
    assert digest(structures) == DIGESTS[name][0]


@pytest.mark.parametrize("name", SIMULATORS)
def test_with_the_settings_of_the_paper_poses_are_those_of_version_1(name):
    simulator, poses = simulator_of(name, {"depth": "1", "oblique": "0"}), []
    for split, index, seed in GAMES:
        steps = [event for event in play(simulator, split, index, seed).events if isinstance(event, Step)]
        poses.append([[p.x, p.y, p.z, p.yaw, p.pitch] for p in (step.pose for step in steps)])
    assert digest(poses) == DIGESTS[name][1]
