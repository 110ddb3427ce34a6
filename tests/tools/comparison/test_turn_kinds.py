"""Kinds of turns: words and changes of blocks, counted alike for people and simulators."""

import pytest
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
    [
        (["<Architect> remove the red one"], ["pick 0 1 0"],
         {"removes or changes", "correction", "only removes", "asks to remove"}),
        (["<Architect> it should be green instead"], ["pick 1 1 0", "place green 1 1 0"],
         {"removes or changes", "removes and places", "changes a color", "asks for another color", "correction"}),
        (["<Architect> move it one to the left"], ["pick 1 1 0", "place blue 2 1 0"],
         {"removes or changes", "correction", "removes and places", "asks to move"}),
        (["<Architect> do the same again on the other side"], ["place red -1 1 0"],
         {"again or more", "the same again", "the other side, mirrored"}),
        (["<Architect> make the red row 2 longer"], ["place red -1 1 0"],
         {"again or more", "number", "longer, taller, more of it"}),
        (["<Architect> then an L of green", "<Builder> where?", "<Architect> on the blue one"],
         ["place green 1 2 0"],
         {"named shape", "question in between", "then"}),
        (["<Architect> one on top of each of the reds from earlier"], ["place red 0 2 0"],
         {"again or more", "each, every, both", "says that it was earlier"}),
    ],
)  # fmt: skip
def test_words_and_blocks_name_the_kinds(lines, actions, kinds):
    assert kinds_of(*lines, actions=actions) == kinds <= set(TURN_KINDS)
