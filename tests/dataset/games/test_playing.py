"""Many games: files are resumed, other games are refused, and the measures are those of the results."""

import pytest

from bap_v2_dataset.games.measures import measures
from bap_v2_dataset.games.playing import Games, PlayError


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


def test_the_measures_are_those_of_the_results():
    one = {"completed": True, "tp": 3, "fp": 0, "fn": 0, "turns": 3, "repairs": 1, "questions": 0, "infeasible": 0,
           "unparsed": 0}  # fmt: skip
    other = {**one, "completed": False, "tp": 0, "fp": 1, "fn": 3, "turns": 7}
    table = measures([one, other], n_resamples=100)
    assert table["completed"]["value"] == 0.5
    assert table["f1"]["value"] == pytest.approx(6 / 10)
    assert table["turns"] == {"value": 5.0, "low": 3.0, "high": 7.0}
    assert table["repairs"]["low"] == table["repairs"]["high"] == 1.0
