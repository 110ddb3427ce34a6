"""Dialogues that a tiny model learned by heart are played to success: template, tokens and window fit together."""

import pytest
from click.testing import Result
from paths import ROOT
from plancraft_package import needs_package
from typer.testing import CliRunner

from bap_v2_dataset.cli import app
from bap_v2_training import play, train_sft
from bap_v2_training.playing.play_arguments import parse_arguments

needs_package()


def generated(config: str, path) -> Result:
    command = ["generate", config, str(path), "--items", "4", "--set", "difficulties=easy", "--num-proc", "1"]
    return CliRunner().invoke(app, command)


@pytest.mark.slow
def test_what_was_learned_by_heart_is_played_to_success(tmp_path):
    dialogues, tasks, model = tmp_path / "dialogues.jsonl", tmp_path / "tasks.jsonl", tmp_path / "model"
    assert generated("plancraft_oracle", dialogues).exit_code == generated("plancraft", tasks).exit_code == 0
    settings = ["--config", str(ROOT / "training" / "configs" / "plancraft_memorise.yaml"), "--data", str(dialogues)]
    run = train_sft.main(
        *train_sft.parse_arguments(
            [*settings, "--output_dir", str(model), "--disable_tqdm", "true", "--num_train_epochs", "90",
             "--per_device_train_batch_size", "4"]
        )
    )  # fmt: skip
    assert run["representation"] == "chat" and run["train"]["items"] == 4 and not run["train"]["too_long_left_out"]
    output = tmp_path / "episodes.jsonl"
    play.main(
        parse_arguments(["--model", str(model), "--data", str(tasks), "--output", str(output), "--batch_size", "4"])
    )
    lines = output.read_text().splitlines()
    assert len(lines) == 4 and sum('"success": true' in line for line in lines) == 4
