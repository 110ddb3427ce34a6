"""Corrections, questions between two readings, and two steps in one turn: one reading in the end."""

import re
from collections import Counter
from itertools import islice

import pytest

from bap_v2_metric.actions import execute, net_actions
from bap_v2_metric.blocks import Structure
from bap_v2_simulators.corpora import SIMULATORS, games_of, simulator_of
from bap_v2_simulators.corpus_table import PUBLISHED
from bap_v2_simulators.simulation import plan_of, play, played_turns, streams, turns_of_game

KINDS = {"correction", "two readings"}


def turns_with_repairs(name, rate="0.9", games=40):
    simulator = simulator_of(name, {"talk.repairs": rate})
    for index in range(games):
        _, poses, language = streams(simulator, "train", 0, index)
        yield from played_turns(simulator, plan_of(simulator, "train", index), poses, language)


@pytest.fixture(scope="module")
def repaired():
    return {name: list(turns_with_repairs(name, games=150 if name == "dss" else 40)) for name in SIMULATORS}


def gold(turn):
    before = Structure.from_colors(dict(turn.scene.board))
    actions = [action for step in turn.turn.steps for action in step.actions]
    return net_actions(before, execute(before, actions).after)


@pytest.mark.parametrize("name", SIMULATORS)
def test_what_is_understood_in_the_end_is_what_is_built(name, repaired):
    denoted = [(turn, turn.instruction.denotes(turn.scene)) for turn in repaired[name]]
    for turn, actions in denoted:
        if actions is not None:
            assert actions == gold(turn), turn.dialogue
    assert sum(actions is not None for _, actions in denoted) > 20


@pytest.mark.parametrize("name", SIMULATORS)
def test_all_three_kinds_occur_and_say_so(name, repaired):
    counts = Counter(turn.metadata["plan"].get("repair") for turn in repaired[name])
    assert set(counts) >= KINDS
    steps = [turn for turn in repaired[name] if turn.turn.then is not None]
    assert steps and all("then" in turn.metadata["plan"] for turn in steps)
    for turn in repaired[name]:
        acts = turn.acts
        if turn.metadata["plan"].get("repair") == "two readings":
            question = acts.index("clarification question")
            assert acts[question + 1] == "answer" and " or " in turn.dialogue[question].text


@pytest.mark.parametrize("name", SIMULATORS)
def test_a_correction_says_the_right_color_after_a_wrong_one(name, repaired):
    corrected = [turn for turn in repaired[name] if getattr(turn.instruction, "detail", "") == "color"]
    assert corrected
    for turn in corrected:
        said = " ".join(str(line) for line in turn.dialogue).lower()
        assert said.rindex(turn.turn.color.value) > said.find(turn.instruction.wrong.color.value)


@pytest.mark.parametrize("name", SIMULATORS)
def test_what_is_corrected_is_said_where_it_could_be_something_else(name, repaired):
    plain = set()
    for turn in repaired[name]:
        if getattr(turn.instruction, "detail", "") != "color":
            continue
        before, _, _ = " / ".join(line.text for line in turn.dialogue).lower().rpartition(turn.turn.color.value)
        said = re.split(r"sorry|oops|my bad|wait|\bno\b|actually|meant", before)
        full = re.search(r"(?:make (?:it|them)|use) $", before) is not None
        plain.add(not full)
        colors = re.findall(r"red|blue|green|yellow|orange|purple", said[0])
        if turn.turn.then is None and len(colors) > 1:
            assert full, turn.dialogue
    assert plain == {True, False}


@pytest.mark.parametrize("name", SIMULATORS)
def test_repairs_change_neither_targets_nor_actions(name):
    for index in range(8):
        plain = play(simulator_of(name), "train", index)
        game = play(simulator_of(name, {"talk.repairs": "1"}), "train", index)
        assert game.target == plain.target
        assert actions_of(game) == actions_of(plain)
        assert game.metadata["settings"] == {"talk.repairs": 1.0}


def actions_of(game):
    return [action for event in game.events if hasattr(event, "actions") for action in event.actions]


@pytest.mark.parametrize("name", SIMULATORS)
def test_the_number_of_turns_is_known_before_a_game_is_played(name):
    simulator = simulator_of(name, {"talk.repairs": "0.8"})
    numbers = [turns_of_game(simulator, "train", index) for index in range(20)]
    assert numbers == [len(plan_of(simulator, "train", index).items) for index in range(20)]
    if name in PUBLISHED:  # `dh` plans its turns of two steps itself
        assert sum(numbers) < sum(turns_of_game(simulator_of(name), "train", index) for index in range(20))
    assert sum(game.turns for game in islice(games_of(simulator, "train", 57), 100)) == 57


@pytest.mark.parametrize("name", SIMULATORS)
def test_without_the_setting_nothing_is_repaired(name):
    for turn in turns_with_repairs(name, rate="0", games=5):
        slips = sum(line.text.startswith("*") for line in turn.dialogue)  # "*left"
        assert turn.acts.count("repair") == slips and "repair" not in turn.metadata["plan"]
        assert turn.turn.then is None or name not in PUBLISHED
