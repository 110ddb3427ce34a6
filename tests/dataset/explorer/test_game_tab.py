"""The page of full games: what its buttons do to a game, and the map whose cells are buttons."""

import re
from html import unescape

import pytest

pytest.importorskip("gradio", reason="its extra is not installed")

from bap_v2_dataset.explorer import game_tab
from bap_v2_dataset.explorer.game_tab import map_html
from bap_v2_dataset.games.play import Session
from bap_v2_metric.actions import Place, Remove
from bap_v2_metric.blocks import Block, Cell, Color, Structure
from bap_v2_metric.notation import parse_action
from bap_v2_simulators.settings import SettingsError
from bap_v2_simulators.view import View

VIEW = ("red", 1)  # color and level


def actions_of(html: str) -> list:
    return [parse_action(unescape(text)) for text in re.findall(r"data-action='([^']*)'", html)]


@pytest.mark.parametrize("yaw", [0.0, 90.0, 180.0, -90.0])
def test_the_map_has_each_cell_once_and_the_builders_left_is_left(yaw):
    board = Structure([Block(Color.BLUE, Cell(2, 3, -4))])
    actions = actions_of(map_html(board, 3, Color.RED, yaw))
    assert {action.cell for action in actions} == {Cell(x, 3, z) for x in range(-5, 6) for z in range(-5, 6)}
    assert [action for action in actions if isinstance(action, Remove)] == [Remove(Cell(2, 3, -4))]
    assert {action.color for action in actions if isinstance(action, Place)} == {Color.RED}
    first, second, below = (actions[number].cell for number in (0, 1, 11))
    view = View.of(yaw)
    assert view.offset(second, first).left == 1  # the first of a row is to the left of the second
    assert view.offset(below, first).away == 1  # the rows above are further away


def test_a_person_builds_what_is_said_and_the_target_is_shown_at_the_end():
    changes = game_tab.new_game("dss", 0, *VIEW)
    assert changes["target"]["visible"] is False
    while changes["build"]["interactive"]:
        changes = game_tab.let_play("symbolic", changes["session"], "", *VIEW)
    assert "You built the target." in changes["state"]
    assert changes["target"]["visible"] is True
    assert changes["session"].game().result().completed


def test_what_is_typed_is_shown_before_it_is_played_and_changes_nothing():
    session = Session("dr", 1)
    changes = game_tab.preview(session, "place red 0 1 0\nplace red 5 5 5\nhello", *VIEW)
    assert "aria-label='pick 0 1 0'" in changes["map"]
    assert changes["problems"].count("<li>") == 2
    assert session.game().board == {}
    fewer = game_tab.without_last_line(session, "place red 0 1 0\nplace red 1 1 0\n", *VIEW)
    assert fewer["turn"] == "place red 0 1 0"


def test_a_turn_that_cannot_be_carried_out_says_why_and_is_not_used_up():
    start = Session("dr", 1)
    for text in ("place red 5 5 5\nhello\npick 1 1 1", "place red 0 1 0\nplace red 5 9 5", "  "):
        changes = game_tab.build(start, text, *VIEW)
        assert (changes["session"], changes["turn"]) == (start, text)
        assert "nothing was built" in changes["problems"] and changes["problems"].count("<li>") >= 2
    assert game_tab.build(start, "<Builder> what?", *VIEW)["session"] != start


def test_what_is_typed_and_not_built_has_dashes():
    built = Session("dr", 1).played("place red 0 1 0")
    shown = game_tab.preview(built, "place blue 1 1 0\npick 0 1 0", *VIEW)["map"]
    assert shown.count("typed") == 2
    assert "typed" not in game_tab.preview(built, "", *VIEW)["map"]


def test_a_turn_can_be_taken_back_and_a_question_leaves_what_is_typed():
    start = game_tab.new_game("dsb", 3, *VIEW)["session"]
    built = game_tab.build(start, "place red 0 1 0", *VIEW)["session"]
    assert len(built.game().board) == 1
    assert game_tab.take_back(built, "", *VIEW)["session"] == start
    asked = game_tab.ask(built, "place red 1 1 0", *VIEW)
    assert (asked["turn"], asked["session"].game().result().questions) == ("place red 1 1 0", 1)


def test_equal_sessions_are_equal_games():
    session = Session("dss", 2).played("place red 0 1 0").played("<Builder> what?")
    assert session.game().row == session.game().row
    with pytest.raises(SettingsError, match="unknown simulator"):
        Session("dx", 0).game()
