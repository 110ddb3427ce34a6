"""The page of full games: what the server answers to the requests of the browser, which draws the map itself."""

import json

import pytest

pytest.importorskip("gradio", reason="its extra is not installed")

from bap_v2_dataset.explorer import game_tab
from bap_v2_dataset.games.play import Session
from bap_v2_metric.errors import UserError
from bap_v2_simulators.settings import SettingsError


def asked(simulator="dr", seed=1, answers=(), turn=None, builder=None, typed="") -> tuple[dict, dict]:
    """The answer to the browser, and all that is shown."""
    shown = game_tab.answer(
        {"number": 7, "simulator": simulator, "seed": seed, "answers": list(answers), "turn": turn, "builder": builder,
         "typed": typed}
    )  # fmt: skip
    return json.loads(shown["answer"]), shown


def test_a_person_builds_what_is_said_and_the_goal_the_progress_and_in_the_end_the_target_are_shown():
    game, shown = asked("dss", 0)
    assert shown["target"]["visible"] is False
    blocks = len(Session("dss", 0).game().target)
    assert f"the Architect's structure of {blocks} blocks" in shown["state"] and "value='0'" in shown["state"]
    while not game["over"]:
        game, shown = asked("dss", 0, game["answers"], builder="symbolic")
    assert "You built the target" in shown["state"] and f"max='{blocks}' value='{blocks}'" in shown["state"]
    assert shown["target"]["visible"] is True
    assert Session("dss", 0, tuple(game["answers"])).game().result().completed
    late, shown = asked("dss", 0, game["answers"], turn="place red 5 1 5")
    assert late["refused"] and late["typed"] == "place red 5 1 5" and "the game is over" in shown["problems"]


def test_wrong_blocks_are_counted_beside_those_that_stand():
    wrong = "\n".join(f"place {color} {x} 1 5" for x, color in enumerate(["red", "blue", "green", "purple"]))
    result = Session("dss", 0, (wrong,)).game().result()
    assert (
        f"{result.tp} of {result.tp + result.fn} blocks stand, {result.fp} wrong"
        in asked("dss", 0, [wrong])[1]["state"]
    )


def test_what_is_typed_is_shown_before_it_is_played_and_changes_nothing():
    game, shown = asked(typed="place(color='red', x=0, y=1, z=0)\nplace red 5 5 5\nhello")
    assert (game["board"], game["after"], game["answers"]) == ([], ["red 0 1 0"], [])
    assert shown["problems"].count("<li>") == 2


def test_a_turn_that_cannot_be_carried_out_says_why_and_is_typed_again_before_what_is_typed():
    for text in ("place red 5 5 5\nhello\npick 1 1 1", "place red 0 1 0\nplace red 5 9 5", "  "):
        game, shown = asked(turn=text, typed="place red 1 1 1")
        assert (game["answers"], game["typed"], game["refused"]) == ([], f"{text}\nplace red 1 1 1", True)
        assert "nothing was built" in shown["problems"] and shown["problems"].count("<li>") >= 2
    assert asked(turn="<Builder> what?")[0]["answers"] == ["<Builder> what?"]


def test_a_turn_is_played_after_those_before_it_and_what_is_typed_meanwhile_stays():
    game, shown = asked(answers=["place red 0 1 0"], turn="place red 1 1 0", typed="pick 0 1 0")
    assert game["answers"] == ["place red 0 1 0", "place red 1 1 0"] and game["number"] == 7
    assert (game["board"], game["after"]) == (["red 0 1 0", "red 1 1 0"], ["red 1 1 0"])
    assert "turn 3" in shown["state"]


def test_what_there_is_not_is_an_error_that_names_it():
    for request in ({"simulator": "dx"}, {"seed": str(10**20)}, {"builder": "nobody"}):
        with pytest.raises(UserError, match=next(iter(request.values()))):
            asked(**request)
    assert asked(seed=2**62 + 1)[0]["seed"] == str(2**62 + 1)  # numbers of browsers have 53 bits


def test_equal_sessions_are_equal_games():
    session = Session("dss", 2).played("place red 0 1 0").played("<Builder> what?")
    assert session.game().row == session.game().row
    with pytest.raises(SettingsError, match="unknown simulator"):
        Session("dx", 0).game()
