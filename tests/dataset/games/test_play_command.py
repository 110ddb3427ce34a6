"""`bap-v2 play`, as a user types it."""

import json

from typer.testing import CliRunner

from bap_v2_dataset.cli import app
from bap_v2_dataset.games.builders import BuilderError


def test_the_measures_are_printed_and_the_games_written(tmp_path):
    out = tmp_path / "games.jsonl"
    result = CliRunner().invoke(app, ["play", "dss", "--games", "3", "--output", str(out), "--json"])
    assert result.exit_code == 0
    assert json.loads(result.stdout)["measures"]["turns"]["value"] >= 2
    assert len(out.read_text().splitlines()) == 3
    assert "completed" in CliRunner().invoke(app, ["play", "dss", "--games", "3"]).stdout


def test_a_person_plays_in_the_terminal():
    result = CliRunner().invoke(app, ["play", "dr", "--builder", "person"], input="<Builder> where?\nplace red 0 1 0\n")
    assert result.exit_code == 0
    assert "questions: 1" in result.stdout


def test_an_unknown_builder_is_an_error_with_the_names():
    result = CliRunner().invoke(app, ["play", "dr", "--builder", "nobody"])
    assert isinstance(result.exception, BuilderError)
