"""Many games: files are resumed, other games are refused, and the measures are those of the results."""

import json
from dataclasses import replace

import pytest

from bap_v2_dataset.games.play import Games, PlayError, check_result
from bap_v2_dataset.games.tables import measures, systems_of
from bap_v2_dataset.predictions.files import are_games


def test_a_file_that_was_cut_off_is_resumed_to_the_same_bytes(tmp_path):
    whole, cut = tmp_path / "whole.jsonl", tmp_path / "cut.jsonl"
    games = Games("dss", "symbolic_err25", 4)
    records = list(games.records(whole))
    cut.write_bytes(whole.read_bytes()[:-30])
    assert list(games.records(cut)) == records
    assert cut.read_bytes() == whole.read_bytes()


def test_a_file_of_other_games_is_refused(tmp_path):
    path = tmp_path / "games.jsonl"
    list(Games("dss", "symbolic", 1).records(path))
    with pytest.raises(PlayError, match="line 1"):
        list(Games("dss", "random", 1).records(path))


def test_the_measures_are_those_of_the_results(few_are_enough):
    one = {"completed": True, "tp": 3, "fp": 0, "fn": 0, "turns": 3, "repairs": 1, "questions": 0, "infeasible": 0,
           "unparsed": 0}  # fmt: skip
    other = {**one, "completed": False, "tp": 0, "fp": 1, "fn": 3, "turns": 7}
    table = measures([one, other], n_resamples=100)
    assert table["completed"]["value"] == 0.5
    assert table["f1"]["value"] == pytest.approx(6 / 10)
    assert table["turns"] == {"value": 5.0, "low": 3.0, "high": 7.0}
    assert table["repairs"]["low"] == table["repairs"]["high"] == 1.0


@pytest.mark.parametrize("text", ["my notes", "line 1\nmy notes, last line", '{"id": "x"}\n'])
def test_a_file_that_is_no_file_of_games_stays_as_it_is(tmp_path, text):
    path = tmp_path / "notes.txt"
    path.write_text(text)
    with pytest.raises(PlayError, match="choose another file"):
        list(Games("dss", "symbolic", 1).records(path))
    assert path.read_text() == text


def test_a_result_that_the_answers_do_not_give_is_refused(tmp_path):
    (game,) = Games("dss", "stack", 1).records()
    check_result(game)
    better = {**game.metadata, "result": {**game.metadata["result"], "completed": True}}
    for metadata, message in (
        (better, "another result"),
        ({**game.metadata, "game_version": "0.1"}, "version 0.1 of the rules"),
        ({"result": {"completed": True}, "simulator": "dss"}, "it lacks"),
    ):
        with pytest.raises(PlayError, match=message):
            check_result(replace(game, metadata=metadata))


def test_one_system_has_each_game_once_whatever_the_spaces_in_the_file(tmp_path):
    path = tmp_path / "games.jsonl"
    list(Games("dss", "symbolic", 2).records(path))
    spaced = tmp_path / "spaced.jsonl"
    spaced.write_text("".join(json.dumps(json.loads(line)) + "\n" for line in path.read_text().splitlines()))
    assert are_games(path) and are_games(spaced)
    assert len(systems_of([("a", path), ("b", spaced)])) == 2
    with pytest.raises(PlayError, match="A=FILE B=FILE"):
        systems_of([(None, path), (None, spaced)])


def test_answers_that_no_file_can_hold_are_kept_as_far_as_they_can():
    (game,) = Games("dss", "mine", 1).records(answers=lambda rows: ["<Builder> where\ud800?"] * len(rows))
    assert game.to_json()
