"""Models that learned dialogues: further tokens, adapters and records; play.py takes them as they are, and they win."""

import json

import pytest
from click.testing import Result
from fabricated_items import TINY
from paths import ROOT
from plancraft_package import needs_package
from transformers import AutoTokenizer
from typer.testing import CliRunner

from bap_v2_dataset.cli import app
from bap_v2_dataset.tasks.plancraft.rows import oracle_row, task_row
from bap_v2_dataset.tasks.plancraft.task_files import records
from bap_v2_simulators.plancraft.turns import N_SLOTS
from bap_v2_training import play, predict, train_sft
from bap_v2_training.decoding.predict_settings import parse_arguments as predict_arguments
from bap_v2_training.errors import UsageError
from bap_v2_training.games.episode_arguments import parse_arguments
from bap_v2_training.learning.chats import CHAT_TEMPLATE, plain_text
from bap_v2_training.models.new_llama import save_new_llama

needs_package()

LLAMA = {**TINY, "vocab_size": 600, "max_position_embeddings": 2048, "tie_word_embeddings": False}
QUICK = ["--max_steps", "2", "--disable_tqdm", "true", "--max_length", "1500", "--per_device_train_batch_size", "2",
         "--report_to", "none", "--save_strategy", "no", "--activation_checkpointing", "false"]  # fmt: skip


@pytest.fixture(scope="module")
def rows():
    """Short tasks that can be solved."""
    tasks = [task_row(record) for record in records("validation_small") if record["optimal_path"]]
    return sorted(tasks, key=lambda task: len(task["observation"]) * (task["oracle_length"] + 1))[:4]


@pytest.fixture(scope="module")
def files(rows, tmp_path_factory):
    """Tasks and dialogues as own data."""
    folder = tmp_path_factory.mktemp("own")
    for name, own in (("tasks", rows), ("dialogues", [oracle_row(row) for row in rows])):
        (folder / f"{name}.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in own))
    return folder


@pytest.fixture(scope="module")
def base(rows, tmp_path_factory):
    """A model as a Hub model would lie on this machine: no template, and none of the slots is a token."""
    folder = tmp_path_factory.mktemp("base") / "base"
    save_new_llama(folder, [plain_text(oracle_row(row)["messages"]) for row in rows], LLAMA, seed=2)
    return folder


def trained(files, base, out, *more):
    data = ["--data", str(files / "dialogues.jsonl"), "--model_name_or_path", str(base), "--output_dir", str(out)]
    return train_sft.main(*train_sft.parse_arguments([*data, *QUICK, *more]))


@pytest.mark.slow
def test_an_adapter_with_further_tokens_is_trained_and_plays(files, base, tmp_path):
    lora = ["--use_peft", "true", "--lora_r", "4", "--lora_target_modules", "q_proj", "v_proj",
            "--lora_modules_to_save", "embed_tokens", "lm_head", "--added_tokens", "slots"]  # fmt: skip
    run = trained(files, base, tmp_path / "adapter", *lora)
    assert run["representation"] == "chat" and run["train"]["sources"] == {"own": 4}
    tokenizer, before = AutoTokenizer.from_pretrained(tmp_path / "adapter"), AutoTokenizer.from_pretrained(base)
    assert len(tokenizer) == len(before) + N_SLOTS
    assert len(tokenizer("[I17]", add_special_tokens=False)["input_ids"]) == 1
    assert tokenizer.chat_template == CHAT_TEMPLATE
    output = tmp_path / "episodes.jsonl"
    options = ["--data", str(files / "tasks.jsonl"), "--max_steps", "2", "--max_new_tokens", "6", "--out", str(output)]
    play.main(parse_arguments(["--model", str(tmp_path / "adapter"), *options]))
    settings = json.loads((tmp_path / "episodes.jsonl.settings.json").read_text())
    assert len(output.read_text().splitlines()) == 4
    assert settings["few_shot"] is False and settings["tools"] == "M S" and settings["model_finished"]


def test_tasks_are_played_and_neither_learned_nor_predicted(base, tmp_path):
    settings = ["--dataset_config", "plancraft", "--model_name_or_path", str(base), "--output_dir", str(tmp_path / "x")]
    with pytest.raises(UsageError, match=r"learn plancraft_oracle, and play with `bap-v2 play-games plancraft`"):
        train_sft.parse_arguments([*settings, *QUICK])
    command = ["--model", str(base), "--dataset_config", "plancraft", "--out", str(tmp_path / "x.jsonl")]
    with pytest.raises(UsageError, match="play with `bap-v2 play-games plancraft`"):
        predict.main(predict_arguments(command))


def test_a_dry_run_counts_what_is_learned(files, capsys):
    config = "plancraft_smoke"
    numbers = train_sft.main(
        *train_sft.parse_arguments(["--config", config, "--data", str(files / "dialogues.jsonl"), "--dry_run", "true"])
    )
    assert numbers["items"]["train"]["all"]["items"] == 4 and numbers["tokens"]["completion and EOS"]["mean"] > 5
    assert "dry run" in capsys.readouterr().out


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
    play.main(parse_arguments(["--model", str(model), "--data", str(tasks), "--out", str(output), "--batch_size", "4"]))
    lines = output.read_text().splitlines()
    assert len(lines) == 4 and sum('"success": true' in line for line in lines) == 4
