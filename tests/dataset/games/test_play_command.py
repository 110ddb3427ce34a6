"""`bap-v2 play` and `play-games`, as a user types it."""

import json

from typer.testing import CliRunner

from bap_v2_dataset.cli import app
from bap_v2_dataset.games.builders import BuilderError
from bap_v2_dataset.games.play import PlayError


def test_the_measures_are_printed_and_the_games_written(tmp_path):
    out = tmp_path / "games.jsonl"
    result = CliRunner().invoke(app, ["play-games", "dss", "--games", "3", "--out", str(out), "--json"])
    assert result.exit_code == 0
    (system,) = json.loads(result.stdout)["systems"]
    assert (system["builder"], system["games"], system["measures"]["completed"]["value"]) == ("symbolic", 3, 1.0)
    assert len(out.read_text().splitlines()) == 3
    assert "100.0" in CliRunner().invoke(app, ["play-games", "dss", "--games", "3"]).stdout
    # The same from the file, and beside another Builder.
    other = tmp_path / "stack.jsonl"
    CliRunner().invoke(app, ["play-games", "dss", "--builder", "stack", "--games", "3", "--out", str(other)])
    scored = CliRunner().invoke(app, ["score", str(out), f"mine={other}", "--format", "json"])
    assert json.loads(scored.stdout)["systems"][0] == system
    assert "| mine |" in CliRunner().invoke(app, ["score", f"mine={other}", "--format", "markdown"]).stdout
    refused = CliRunner().invoke(app, ["score", str(out), "--config", "dss"])
    assert "--config is for predictions" in str(refused.exception)


def test_a_game_that_was_played_is_shown_with_its_end(tmp_path):
    out = tmp_path / "games.jsonl"
    CliRunner().invoke(app, ["play-games", "dss", "--builder", "stack", "--games", "2", "--out", str(out)])
    text = CliRunner().invoke(app, ["show", "--played", str(out), "--game", "dss-full-test-1"]).stdout
    assert "played by stack: not completed" in text
    page = tmp_path / "game.html"
    CliRunner().invoke(app, ["show", "--played", str(out), "--out", str(page)])
    assert "played by stack: not completed" in page.read_text()
    missing = CliRunner().invoke(app, ["show", "--played", str(out), "--game", "dss-full-test-9"])
    assert isinstance(missing.exception, PlayError) and "dss-full-test-1" in str(missing.exception)


def test_a_person_plays_in_the_terminal(tmp_path):
    out = tmp_path / "mine.jsonl"
    typed = "where?\n\nplace yelow 0 1 0\nplace red 9 1 0\nplace red 0 1 0\nquit\n"
    result = CliRunner().invoke(app, ["play", "dr", "--out", str(out)], input=typed)
    assert result.exit_code == 0
    assert "Turns: 2, repairs" in result.stdout and "questions: 1" in result.stdout  # what cannot be done is no turn
    assert "outside the BuildRegion" in result.stderr and "yelow" in result.stderr
    assert "played by person" in CliRunner().invoke(app, ["show", "--played", str(out)]).stdout
    for options in (["--out", str(out)], ["--browser", "--out", "x.jsonl"]):
        refused = CliRunner().invoke(app, ["play", "dr", *options], input="quit\n")
        assert isinstance(refused.exception, PlayError), options


def test_an_unknown_builder_is_an_error_with_the_names():
    result = CliRunner().invoke(app, ["play-games", "dr", "--builder", "nobody"])
    assert isinstance(result.exception, BuilderError)


def test_what_is_for_models_alone_or_not_for_them_is_refused():
    for options, message in (
        (["--samples", "4"], "--samples: there is no such option without --model"),
        (["--model", "runs/x"], "name the file that the games are written to"),
        (["--model", "runs/x", "--out", "x.jsonl", "--builder", "stack"], "--builder is not for --model"),
    ):
        result = CliRunner().invoke(app, ["play-games", "dss", *options])
        assert isinstance(result.exception, PlayError) and message in str(result.exception), options
