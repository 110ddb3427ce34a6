"""How a game is cut into items: the windowing rule, by hand on small games and as laws on whole corpora."""

from dataclasses import replace
from itertools import groupby

import pytest
import small_corpus
from small_corpus import BELL, EARLY, EDGE, IDLE, ROW

from bap_v2_dataset.human.mdc import read_corpus
from bap_v2_dataset.items.item import items
from bap_v2_metric.actions import execute
from bap_v2_metric.blocks import Structure
from bap_v2_metric.notation import format_action, format_structure, parse_action
from bap_v2_simulators.game import Game, Step, Utterance, read_games
from bap_v2_simulators.pose import Pose

START = "<Builder> Mission has started."
SPLITS = ("train", "validation", "test")


@pytest.fixture(scope="module")
def small_games(tmp_path_factory):
    path = small_corpus.write(tmp_path_factory.mktemp("items") / "mdc")
    return {game.game_id: game for game in read_corpus(path)}


@pytest.fixture(scope="module", params=["small", pytest.param("published", marks=pytest.mark.slow)])
def games(request, small_games):
    """Every game of a corpus."""
    if request.param == "small":
        return list(small_games.values())
    corpus = request.getfixturevalue("mdc_games")
    return [game for split in SPLITS for game in read_games(corpus.file(split))]


def lines(events) -> list[str]:
    """What was said and done, in notation."""
    texts = []
    for event in events:
        texts += [str(event)] if isinstance(event, Utterance) else map(format_action, event.actions)
    return texts


def window(item) -> dict:
    """An item's parts in notation, to compare with what was worked by hand."""
    return {
        "history": list(item.history),
        "dialogue": list(item.dialogue),
        "before": format_structure(item.before),
        "actions": list(map(format_action, item.actions)),
        "after": format_structure(item.after),
    }


# --- By hand.
def test_items_end_where_somebody_speaks_and_hold_all_that_led_to_them(small_games):
    red, blue, gone, top = items(small_games[BELL])
    assert window(red) == {
        "history": [],
        "dialogue": [START, "<Architect> a red block in the middle"],
        "before": [],
        "actions": ["place red 0 1 0"],
        "after": ["red 0 1 0"],
    }
    assert window(blue) == {  # the yellow scaffold is in the actions and in neither structure
        "history": [START, "<Architect> a red block in the middle", "place red 0 1 0"],
        "dialogue": ["<Architect> put a blue one behind it, floating one up"],
        "before": ["red 0 1 0"],
        "actions": ["place yellow 0 1 1", "place blue 0 2 1", "pick 0 1 1"],
        "after": ["red 0 1 0", "blue 0 2 1"],
    }
    assert window(gone) == {
        "history": [
            START,
            "<Architect> a red block in the middle",
            "place red 0 1 0",
            "<Architect> put a blue one behind it, floating one up",
            "place yellow 0 1 1",
            "place blue 0 2 1",
            "pick 0 1 1",
        ],
        "dialogue": ["<Builder> like this?", "<Architect> now take the red one away, and another blue one on top"],
        "before": ["red 0 1 0", "blue 0 2 1"],
        "actions": ["pick 0 1 0"],
        "after": ["blue 0 2 1"],
    }
    assert window(top) == {  # a word in between makes two items of one instruction
        "history": [*window(gone)["history"], *window(gone)["dialogue"], "pick 0 1 0"],
        "dialogue": ["<Architect> exactly"],
        "before": ["blue 0 2 1"],
        "actions": ["place blue 0 3 1"],
        "after": ["blue 0 2 1", "blue 0 3 1"],
    }
    assert [item.item_id for item in (red, blue, gone, top)] == [f"{BELL}/{index}" for index in range(4)]
    assert {item.interpretations for item in (red, blue, gone, top)} == {"unique"}
    assert {tuple(format_structure(item.target)) for item in (red, blue, gone, top)} == {("red 0 1 0", "blue 0 2 1")}


def test_the_pose_of_an_item_is_the_one_just_before_its_first_action(small_games):
    red, blue, *_ = items(small_games[BELL])
    assert red.pose == Pose(0.5, 1.0, -2.5, yaw=-10.0, pitch=20.0)  # logged as 350; the Builder moved after that state
    assert blue.pose == Pose(1.5, 1.0, -2.5, yaw=10.0, pitch=25.0)


def test_steps_of_several_blocks_are_marked_and_so_is_an_order_that_is_not_feasible(small_games):
    first, second = items(small_games[ROW])
    assert first.metadata == {"source": "human", "target_id": "C3", "state_index": 2, "unordered_actions": 2}
    assert window(second) == {
        "history": [
            START,
            "<Architect> three green ones in a row, then make the first one red",
            "place green 1 1 0",
            "place green 2 1 0",
        ],
        "dialogue": ["<Builder> oh wait"],
        "before": ["green 1 1 0", "green 2 1 0"],
        "actions": ["place green 3 1 0", "place green 4 1 0", "place red 1 1 0", "pick 1 1 0", "pick 4 1 0"],
        "after": ["green 2 1 0", "green 3 1 0", "red 1 1 0"],  # as seen; replayed, the red one finds its cell full
    }
    assert second.metadata == {
        "source": "human", "target_id": "C3", "state_index": 4, "unordered_actions": 4,
    }  # fmt: skip


def test_runs_with_a_block_outside_are_skipped_and_named_but_stay_in_the_history(small_games):
    skipped = []
    first, second = items(small_games[EDGE], skipped)
    assert (first.index, second.index) == (0, 1)
    assert window(second) == {
        "history": [
            START,
            "<Architect> a row to the left, please",
            "place red 5 1 0",
            "<Architect> one more",
            "place red 6 1 0",
            "place red 6 2 0",
            "<Builder> so?",
            "place red 4 1 0",
            "<Architect> no, the last ones are outside",
            "pick 6 2 0",
            "pick 6 1 0",
        ],
        "dialogue": ["<Architect> good, and one here"],
        "before": ["red 5 1 0", "red 4 1 0"],
        "actions": ["place red 3 1 0"],
        "after": ["red 5 1 0", "red 4 1 0", "red 3 1 0"],
    }
    # The first goes outside, the second leaves a block there, the third begins with one there.
    assert [(run.game_id, run.run, run.actions) for run in skipped] == [(EDGE, 1, 2), (EDGE, 2, 1), (EDGE, 3, 2)]
    assert {run.reason for run in skipped} == {"a block outside the BuildRegion"}


def test_a_run_that_goes_outside_and_comes_back_is_skipped_too():
    skipped = []
    assert list(items(game_of("<Architect> one", "place red 6 1 0", "pick 6 1 0", "<Architect> no"), skipped)) == []
    assert [(run.run, run.actions) for run in skipped] == [(0, 2)]


def test_a_run_that_is_left_out_is_history_alone_and_keeps_its_number():
    game = game_of("<Architect> one", "place red 0 1 0", "<Architect> no, left", "pick 0 1 0", "place red 1 1 0")
    first = next(event for event in game.events if isinstance(event, Step))
    wrong = replace(first, metadata={"left_out": True})
    events = tuple(wrong if event is first else event for event in game.events)
    (item,) = items(replace(game, events=events))
    assert item == list(items(game))[1] and item.item_id.endswith("/1")
    assert list(item.history) == ["<Architect> one", "place red 0 1 0"]


@pytest.mark.parametrize(
    ("n_items", "cells"),
    [
        (0, ["-6 1 0", "6 1 0", "0 0 0", "0 10 0", "0 1 -6", "0 1 6"]),  # beyond each face
        (1, ["-5 1 -5", "5 9 5", "-5 9 5", "5 1 -5"]),  # corners
    ],
)
def test_the_region_ends_at_its_faces_and_holds_its_corners(n_items, cells):
    assert {len(list(items(game_of("<Architect> one", f"place red {cell}")))) for cell in cells} == {n_items}


def test_a_block_before_the_first_chat_line_is_an_item_without_dialogue(small_games):
    first, second = items(small_games[EARLY])
    assert (first.history, first.dialogue, format_structure(first.after)) == ((), (), ["purple 0 1 0"])
    assert second.history == ("place purple 0 1 0",)
    assert second.dialogue == (
        START, "<Architect> start with a purple one", "<Builder> there is one", "<Architect> then an orange one on top",
    )  # fmt: skip


def test_an_item_may_change_nothing_in_the_end(small_games):
    nothing, _ = items(small_games[IDLE])
    assert list(map(format_action, nothing.actions)) == ["place yellow 2 1 2", "pick 2 1 2"]
    assert nothing.before == nothing.after == Structure()


def test_chat_after_the_last_action_is_no_item(small_games):
    assert str(small_games[IDLE].events[-1]) == "<Architect> done"
    assert len(list(items(small_games[IDLE]))) == 2


def test_the_last_run_may_end_with_the_game_and_without_actions_there_are_no_items():
    (item,) = items(game_of("<Architect> one", "place red 0 1 0"))
    assert window(item)["after"] == ["red 0 1 0"]
    assert [*items(game_of()), *items(game_of("<Architect> hello", "<Builder> hello"))] == []


def test_the_metadata_of_a_game_and_of_its_first_step_are_the_item_s():
    game = game_of("<Architect> one", "place red 0 1 0", "place red 1 1 0")
    (item,) = items(game)
    assert item.metadata == {"source": "test", "step": 1}
    assert (game.metadata, game.events[1].metadata) == ({"source": "test"}, {"step": 1})  # untouched


def test_only_the_empty_board_items_of_simulated_games_have_multiple_interpretations():
    game = game_of("<Architect> one", "place red 0 1 0", "<Architect> two", "place red 0 2 0")
    assert [item.interpretations for item in items(game)] == ["unique", "unique"]
    simulated = replace(game, metadata={"source": "simulated"})
    assert [item.interpretations for item in items(simulated)] == ["multiple", "unique"]


def game_of(*events: str) -> Game:
    pose = Pose(0.0, 1.0, 0.0, 0.0, 0.0)
    return Game(
        "game",
        "train",
        Structure(),
        tuple(
            Utterance.parse(event)
            if event.startswith("<")
            else Step(pose, (parse_action(event, anywhere=True),), {"step": number})
            for number, event in enumerate(events)
        ),
        {"source": "test"},
    )


# --- Laws.
def test_nothing_of_a_game_is_lost_or_repeated(games):
    """History, dialogue and actions of an item are the game's events from the start to the end of its run."""
    for game in games:
        texts = lines(game.events)
        for item in items(game):
            parts = [*item.history, *item.dialogue, *map(format_action, item.actions)]
            assert texts[: len(parts)] == parts
            assert all(line.startswith("<") for line in item.dialogue)
            assert not item.history or not item.history[-1].startswith("<")
            assert len(texts) == len(parts) or texts[len(parts)].startswith("<")  # a run is maximal


def test_every_run_of_actions_is_an_item_or_skipped(games):
    for game in games:
        skipped = []
        kept = len(list(items(game, skipped)))
        runs = sum(is_run for is_run, _ in groupby(isinstance(event, Step) for event in game.events))
        assert kept + len(skipped) == runs


def test_an_item_begins_with_the_structure_that_the_one_before_left_unless_a_run_was_skipped(games):
    continued = 0
    for game in games:
        last = None
        for item in items(game):
            if last is None and not item.history:
                assert item.before == Structure()
            elif last is not None and len(item.history) == sum(map(len, (last.history, last.dialogue, last.actions))):
                assert format_structure(item.before) == format_structure(last.after)
                continued += 1
            last = item
    assert continued


def test_executing_the_actions_of_a_feasible_item_gives_after(games):
    feasible = 0
    for game in games:
        for item in items(game):
            result = execute(item.before, item.actions)
            assert result.infeasible == item.infeasible_actions
            if not result.infeasible:
                assert result.after == item.after
                feasible += 1
    assert feasible


def test_everything_in_an_item_is_inside_the_region(games):
    for game in games:
        for item in items(game):
            cells = [block.cell for structure in (item.before, item.after) for block in structure]
            assert all(cell.in_region for cell in [*cells, *(action.cell for action in item.actions)])


def test_indices_count_from_0_and_yaws_are_in_range(games):
    for game in games:
        game_items = list(items(game))
        assert [item.index for item in game_items] == list(range(len(game_items)))
        assert all(-180 <= item.pose.yaw < 180 and -90 <= item.pose.pitch <= 90 for item in game_items)
