"""Kinds of turns: words and changes of blocks, counted alike for people and simulators."""

import pytest
from case_tables import cases_of
from comparison.turn_kinds import TURN_KINDS, turn_kinds

from bap_v2_dataset.items.item import items
from bap_v2_metric.notation import parse_action
from bap_v2_simulators.game import Game, Step, Utterance
from bap_v2_simulators.pose import Pose


def kinds_of(*lines: str, actions: tuple[str, ...]) -> set[str]:
    """The kinds of the second item of a game: after a red and a blue block this is said and done."""
    pose = Pose(0.5, 1.0, -2.5, 0.0, 20.0)
    events = [Utterance.parse("<Architect> two blocks")]
    events += [Step(pose, (parse_action(action),)) for action in ("place red 0 1 0", "place blue 1 1 0")]
    events += map(Utterance.parse, lines)
    events += [Step(pose, (parse_action(action),)) for action in actions]
    _, item = items(Game("game", "train", (), tuple(events)))
    return set(turn_kinds(item))


@pytest.mark.parametrize(
    ("lines", "actions", "kinds"),
    cases_of(__file__, "kinds"),
)
def test_words_and_blocks_name_the_kinds(lines, actions, kinds):
    assert kinds_of(*lines, actions=actions) == set(kinds) <= set(TURN_KINDS)
