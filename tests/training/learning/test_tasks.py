"""What training knows of tasks: a task without texts of its own is learned and asked by the prompts of its rows."""

import dataclasses

import pytest
from case_tables import cases_of
from datasets import Dataset

from bap_v2_dataset.interface import table
from bap_v2_dataset.interface.task import Config, Task
from bap_v2_training import train_sft
from bap_v2_training.decoding.predict_settings import parse_arguments, settings_of
from bap_v2_training.errors import UsageError
from bap_v2_training.learning.training_data import learned_items, tokenizer_texts
from bap_v2_training.models.new_llama import new_tokenizer
from bap_v2_training.tasks.settings import TaskArguments
from bap_v2_training.tasks.table import LEARNED_TASKS, task_asked, training_task

ROWS = [{"id": f"s-{word}", "prompt": f"Spell {word}.\n", "completion": " ".join(word)} for word in ("red", "green")]


class Spelling(Task):
    name, title, configs = "spelling", "Spelling", {"spelling": Config()}


@pytest.fixture
def spelling(monkeypatch):
    monkeypatch.setitem(table.TASKS, "spelling", Spelling())


def test_a_task_without_a_room_is_learned_by_its_prompts(spelling, tmp_path):
    words = ["--new_model", "{}", "--dataset_config", "spelling", "--output_dir", str(tmp_path), "--max_length", "99"]
    bap, training, _ = train_sft.parse_arguments(words)
    assert (bap.task, bap.representation) == ("spelling", "prompt")
    rows = Dataset.from_list(ROWS)
    tokenizer = new_tokenizer(tokenizer_texts(rows, bap)[0], 300, 256)
    items = learned_items(rows, bap, training, tokenizer)
    for row, example in zip(ROWS, items.examples, strict=True):
        learned = [token for token in example["labels"] if token != -100]
        assert tokenizer.decode(learned) == row["completion"] + tokenizer.eos_token


def test_a_task_without_a_room_is_asked_by_its_prompts(spelling):
    words = ["--backend", "openai", "--base_url", "http://localhost:9/v1", "--model", "x", "--out", "x.jsonl"]
    arguments = parse_arguments([*words, "--dataset_config", "spelling"])
    assert settings_of(arguments)["prompt_version"] == "of the rows" and arguments.task == "spelling"
    (first, _) = training_task("spelling").questions(arguments, Dataset.from_list(ROWS))
    assert first.messages == [{"role": "user", "content": "Spell red.\n"}]


def test_every_task_has_a_line_and_names_are_its_own():
    assert LEARNED_TASKS.keys() == table.TASKS.keys()
    for task in LEARNED_TASKS.values():
        assert training_task(task.name) is task and task.usual in (task.representations or [task.usual])
        assert bool(task.rewards) == bool(task.usual_rewards)
    for name, task in table.TASKS.items():
        for config in task.configs:
            assert config == "plancraft" or task_asked(config, None, "train") is LEARNED_TASKS[name]
    assert all(field.default in (None, False) for field in dataclasses.fields(TaskArguments))


@pytest.mark.parametrize(
    ("words", "expected"),  # task, representation, shots, reasoning, history_lines
    [
        ("smoke", ("bap", "n_posb_s", None, None, None)),
        ("gsu_smoke --representation dict", ("gsu", "dict", 0, True, None)),
        ("architect_small", ("architect", "ego", None, None, 2)),
        (
            "smoke --dataset_config architect_dss --representation structures",
            ("architect", "structures", None, None, None),
        ),
    ],
)
def test_the_settings_of_a_training_are_completed_for_its_task(words, expected):
    bap, _, _ = train_sft.parse_arguments(["--config", *words.split()])
    assert (bap.task, bap.representation, bap.shots, bap.reasoning, bap.history_lines) == expected


@pytest.mark.parametrize(
    ("config", "changes", "message"),
    [*cases_of(__file__, "refused_settings"), ("plancraft_smoke", ["--added_tokens", "names"], None)],
)
def test_settings_that_a_task_does_not_have_are_refused(config, changes, message):
    with pytest.raises(SystemExit if message is None else UsageError, match=message):
        train_sft.parse_arguments(["--config", config, *changes])
