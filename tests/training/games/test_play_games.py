"""Models as Builders of full games: learned Builders, language models and endpoints; files are resumed."""

import json
import re
import sys

import pytest
from chat_stand_in import ChatStandIn, Fault
from fabricated_items import TINY, fabricated_rows
from small_builders import save_builder
from typer.testing import CliRunner

from bap_v2_dataset.cli import app
from bap_v2_dataset.predictions.entries import PredictionError
from bap_v2_dataset.tasks.building.baselines.symbolic_moves import symbolic_with_corrections
from bap_v2_simulators.game import read_games
from bap_v2_training import play_games
from bap_v2_training.decoding.predict_settings import parse_arguments
from bap_v2_training.errors import UsageError
from bap_v2_training.models.new_llama import save_new_llama
from bap_v2_training.play_games import GameArguments


def played(*options: str):
    path = play_games.main(parse_arguments(["--dataset_config", "dss", *options], GameArguments))
    return list(read_games(path)) if path.is_file() else path


@pytest.mark.parametrize("kind", ["bap_pointer", "bap_gru"])
def test_a_learned_builder_plays_and_a_file_that_was_cut_off_is_resumed_to_the_same_games(kind, tmp_path):
    model, whole = str(save_builder(tmp_path / kind, kind)), tmp_path / "whole.jsonl"
    games = played("--model", model, "--games", "3", "--batch_size", "2", "--out", str(whole))
    assert [game.metadata["seed"] for game in games] == [0, 1, 2]
    assert all(game.metadata["builder"] == model and game.metadata["result"]["turns"] for game in games)
    lines = whole.read_bytes()
    whole.write_bytes(lines[: len(lines) // 2])
    again = played("--model", model, "--games", "3", "--batch_size", "2", "--out", str(whole))
    assert [game.metadata for game in again] == [game.metadata for game in games]


def test_the_command_plays_with_a_model_and_prints_the_measures(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "argv", sys.argv)  # which the command changes
    model, out = str(save_builder(tmp_path / "model", "bap_pointer")), tmp_path / "games.jsonl"
    options = ["--games", "2", "--seed", "3", "--batch-size", "2", "--out", str(out), "--json"]
    result = CliRunner().invoke(app, ["play-games", "dss", "--model", model, *options])
    assert result.exit_code == 0, result.exception
    (system,) = json.loads(result.stdout)["systems"]
    assert (system["builder"], system["games"]) == (model, 2)
    assert [game.metadata["seed"] for game in read_games(out)] == [3, 4]


def test_samples_of_a_pointer_transformer_are_those_of_their_turn_whoever_plays_beside(tmp_path):
    model = str(save_builder(tmp_path / "model", "bap_pointer"))
    options = ["--model", model, "--games", "2", "--samples", "3"]
    together = played(*options, "--out", str(tmp_path / "together.jsonl"))
    alone = played(*options, "--batch_size", "1", "--out", str(tmp_path / "alone.jsonl"))
    assert [game.metadata["answers"] for game in together] == [game.metadata["answers"] for game in alone]


@pytest.mark.parametrize("representation", ["n_posb_s", "ego"])
def test_a_language_model_plays(representation, tmp_path):
    rows = fabricated_rows(2)
    save_new_llama(tmp_path / "tiny", rows["prompt_n_posb_s"][:] + rows["completion"][:], TINY, seed=1)
    options = ["--model", str(tmp_path / "tiny"), "--representation", representation, "--max_new_tokens", "4"]
    (game,) = played(*options, "--games", "1", "--out", str(tmp_path / "games.jsonl"))
    assert len(game.metadata["answers"]) == game.metadata["result"]["turns"] >= 7


def row_of_message(text: str) -> dict:
    """What a message says, as a row: the game so far, the pose and the board (N+PosB+S)."""
    before_pose, _, rest = text.partition("\nBuilder's current position is ")
    lines = before_pose.splitlines()[1:]
    said_from = 1 + max((number for number, line in enumerate(lines) if not line.startswith("<")), default=-1)
    x, y, z, yaw = map(float, re.findall(r"-?\d+\.\d", rest.splitlines()[0]))
    return {
        "history": lines[:said_from],
        "dialogue": lines[said_from:],
        "pose": {"x": x, "y": y, "z": z, "yaw": yaw, "pitch": 0.0},
        "before": [line for line in rest.splitlines()[2:] if not line.startswith("#")],
    }


def test_a_chat_model_is_sent_all_that_a_builder_has_to_know(tmp_path):
    """A reader of the messages alone completes games; what has no answer is said, and the games before are kept."""
    output = tmp_path / "games.jsonl"
    with ChatStandIn(lambda messages: symbolic_with_corrections(row_of_message(messages[-1]["content"]))) as endpoint:
        options = ["--backend", "openai", "--base_url", endpoint.url, "--model", "reader", "--shots", "0"]
        games = played(*options, "--games", "2", "--out", str(output))
        assert all(game.metadata["result"]["completed"] for game in games)
        endpoint.faults += [Fault(status=400, message="too long")]
        with pytest.raises(UsageError, match="1 turn got no answer"):
            played(*options, "--games", "3", "--out", str(output))
    assert list(read_games(output)) == games


def test_a_file_of_other_settings_and_what_is_for_items_are_refused(tmp_path):
    model = str(save_builder(tmp_path / "model", "bap_pointer"))
    output = str(tmp_path / "games.jsonl")
    played("--model", model, "--games", "1", "--out", output)
    with pytest.raises(PredictionError, match="samples was None, now 2"):
        played("--model", model, "--games", "1", "--samples", "2", "--out", output)
    for options, message in (
        (["--max_items", "3"], "are for items"),
        (["--dataset_config", "mdc_v2"], "games are those of dr, dsb, dss"),
        (["--games", "0"], "expected at least 1"),
    ):
        with pytest.raises(UsageError, match=message):
            played("--model", model, "--out", output, *options)
    assert json.loads((tmp_path / "games.jsonl.settings.json").read_text())["game_version"]
