"""Answers to GSU, of models that run here and of chat models: in the form they learned, or as in Table 1."""

import json
from pathlib import Path

import pytest
import torch
from case_tables import cases_of
from gsu_items import gsu_rows, gsu_table, save_rows
from tiny_runs import options

from bap_v2_dataset.tasks.gsu.prompts import render
from bap_v2_metric.tasks import scorer_of
from bap_v2_training import choose_checkpoint, predict, train_sft
from bap_v2_training.decoding.prompt_format import PromptFormat
from bap_v2_training.errors import UsageError
from bap_v2_training.models.new_llama import save_new_llama

WALKS, PLACES, SHAPES = "gsu_follower_ego_2d", "gsu_ego_adjacent_distractors", "gsu_structure"
LLAMA = {
    "vocab_size": 700,
    "hidden_size": 64,
    "intermediate_size": 128,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 4,
    "max_position_embeddings": 2048,
    "tie_word_embeddings": True,
}

torch.set_num_threads(1)  # models this small lose more by waiting for a second thread than they gain


@pytest.fixture(scope="module")
def walks(tmp_path_factory) -> Path:
    return save_rows(tmp_path_factory.mktemp("gsu") / "walks.jsonl", gsu_rows(WALKS, 4))


@pytest.fixture(scope="module")
def run(walks, tmp_path_factory) -> Path:
    """A model that has learned four walks by heart, with checkpoints of the way there."""
    folder = tmp_path_factory.mktemp("runs") / "walks"
    changes = ["--data", str(walks), "--max_steps", "120", "--warmup_steps", "5", "--learning_rate", "5e-3"]
    changes += ["--new_model", json.dumps(LLAMA), "--per_device_train_batch_size", "4", "--eval_strategy", "no"]
    changes += ["--output_dir", str(folder), "--save_strategy", "steps", "--save_steps", "40", "--disable_tqdm", "true"]
    train_sft.main(*train_sft.parse_arguments(["--config", "gsu_smoke", *changes]))
    return folder


@pytest.fixture(scope="module")
def untrained(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("models") / "untrained"
    texts = [row[name] for row in gsu_rows(WALKS, 4) for name in ("prompt", "completion")]
    save_new_llama(folder, texts, LLAMA, seed=1)
    return folder


def settings(*args: str) -> dict:
    return predict.settings_of(predict.parse_arguments([*args, "--out", "x.jsonl"]))


@pytest.mark.slow
def test_a_trained_model_answers_as_it_has_learned(run, walks, tmp_path):
    arguments = ["--model", str(run), "--data", str(walks), "--out", str(tmp_path / "walks.jsonl")]
    output = predict.main(predict.parse_arguments(arguments))
    answers = {line["id"]: line for line in map(json.loads, output.read_text().splitlines())}
    for row in gsu_rows(WALKS, 4):
        line = answers[row["id"]]
        assert line["prediction"] == f"{row['reasoning']}\n{row['completion']}" and line["finished"]
    record = json.loads((tmp_path / "walks.jsonl.settings.json").read_text())
    expected = {"task": "gsu", "shots": 0, "reasoning": True, "representation": "text", "max_new_tokens": 640}
    assert expected.items() <= record.items() and "history_lines" not in record
    trained = json.loads((run / "training_run.json").read_text())
    assert trained["prompt_version"] == record["prompt_version"] and trained["representation"] == "text"


@pytest.mark.slow
def test_the_checkpoint_that_answers_best_is_chosen(run, walks):
    items = choose_checkpoint.items_asked(run, None, None, "train", max_items=4)
    assert items["data"] == str(walks)
    options = {"batch_size": 4, "max_new_tokens": None, "dtype": None}
    result = choose_checkpoint.main(run, items, options)
    scores = {checkpoint["steps"]: checkpoint["score"] for checkpoint in result["checkpoints"]}
    assert list(scores) == [40, 80, 120] and scores[40] < scores[120] == 1
    first = min(steps for steps in scores if scores[steps] == 1)
    assert result["best"] == f"checkpoint-{first}" and result["metric_signature"] == scorer_of("gsu").signature()


@pytest.mark.slow
def test_a_model_that_goes_on_with_bap_is_still_asked_as_it_has_learned_gsu(run, walks, data, tmp_path):
    folder = tmp_path / "then_bap"
    changes = ["--representation", "n", "--max_steps", "1", "--use_peft", "false", "--max_prompt_tokens", "1000"]
    train_sft.main(*train_sft.parse_arguments(options(data, run, folder, *changes)))
    asked = settings("--model", str(folder), "--data", str(walks))
    assert (asked["shots"], asked["reasoning"], asked["representation"]) == (0, True, "text")
    assert asked["max_prompt_tokens"] is None
    asked = settings("--model", str(folder), "--data", str(data), "--split", "validation")
    assert (asked["representation"], asked["max_prompt_tokens"]) == ("n", 1000) and "reasoning" not in asked


def test_a_model_without_a_record_is_shown_the_form_of_table_1(untrained, walks):
    shown = settings("--model", str(untrained), "--data", str(walks))
    assert (shown["shots"], shown["reasoning"], shown["representation"]) == (None, None, "text")
    shown = settings("--model", str(untrained), "--data", str(walks), "--shots", "3", "--reasoning", "false")
    assert (shown["shots"], shown["reasoning"]) == (3, False)


def test_a_model_that_only_continues_texts_is_shown_shots(untrained, walks, tmp_path):
    arguments = ["--model", str(untrained), "--data", str(walks), "--out", str(tmp_path / "a.jsonl"), "--shots", "3"]
    output = predict.main(predict.parse_arguments([*arguments, "--max_items", "1", "--max_new_tokens", "4"]))
    (line,) = map(json.loads, output.read_text().splitlines())
    assert not line["finished"] and line["history_lines_dropped"] == 0


def test_answers_of_another_form_are_not_resumed(run, walks, tmp_path):
    arguments = ["--model", str(run), "--data", str(walks), "--out", str(tmp_path / "a.jsonl"), "--max_items", "1"]
    predict.main(predict.parse_arguments([*arguments, "--max_new_tokens", "4"]))
    with pytest.raises(Exception, match=r"(?s)shots.*overwrite"):
        predict.main(predict.parse_arguments([*arguments, "--max_new_tokens", "4", "--shots", "1"]))


@pytest.mark.parametrize(
    ("place", "changes", "message"),
    cases_of(__file__, "refused_options"),
)
def test_options_of_another_task_or_place_are_named(untrained, walks, place, changes, message):
    given = {
        "here": ["--model", str(untrained), "--data", str(walks)],
        "bap": ["--model", str(untrained), "--dataset_config", "dss", "--representation", "n"],
        "endpoint": ["--model", "toy", "--data", str(walks), "--backend", "openai", "--base_url", "http://localhost:1"],
    }
    with pytest.raises(UsageError, match=message):
        settings(*given[place], *changes)


def test_a_chat_model_reads_a_prompt_in_its_template(untrained):
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(untrained)
    with pytest.raises(UsageError, match="no chat template"):
        PromptFormat("chat").input_ids(tokenizer, ["Where?\n"])
    tokenizer.chat_template = (
        "<{{ messages[0].role }}>{{ messages[0].content }}</>{% if add_generation_prompt %}A:{% endif %}"
    )
    (ids,) = PromptFormat("chat").input_ids(tokenizer, ["Where?\n"])
    assert tokenizer.decode(ids) == "<user>Where?\n</>A:"


# --- Behind an endpoint.


def endpoint():
    """A stand-in for a chat model that reasons before it answers."""
    pytest.importorskip("httpx2", reason="the extra `icl` is not installed")
    from chat_stand_in import ChatStandIn

    return ChatStandIn(answer=lambda messages: f"I think.\nAnswer: ({len(messages)}, 0)")


def asked(data: Path, folder: Path, *changes: str) -> tuple[list[dict], list[str]]:
    """The lines of the answers, and what the endpoint was asked, in the order of the text."""
    with endpoint() as served:
        arguments = ["--backend", "openai", "--base_url", served.url, "--model", "toy", "--data", str(data)]
        arguments += ["--out", str(folder / "chat.jsonl"), "--cache", str(folder / "cache"), *changes]
        output = predict.main(predict.parse_arguments(arguments))
        texts = [message["content"] for request in served.requests for message in request.body["messages"]]
    return [json.loads(line) for line in output.read_text().splitlines()], sorted(texts)


def test_a_chat_model_is_asked_as_in_table_1(walks, tmp_path, no_proxy, capsys):
    lines, texts = asked(walks, tmp_path)
    assert texts == sorted(row["prompt"] for row in gsu_rows(WALKS, 4))
    assert {line["id"] for line in lines} == {row["id"] for row in gsu_rows(WALKS, 4)}
    assert all(line["prediction"] == "I think.\nAnswer: (1, 0)" and line["finished"] for line in lines)
    assert "4 of 4 items to ask, with as many shots as in Table 1" in capsys.readouterr().out
    record = json.loads((tmp_path / "chat.jsonl.settings.json").read_text())
    assert record["max_new_tokens"] == 2048 and "retrieval" not in record and "chat_version" not in record


@pytest.mark.parametrize(("shots", "reasoning"), [("0", "true"), ("2", "false"), ("3", "true")])
def test_a_chat_model_is_asked_with_other_shots(walks, tmp_path, no_proxy, shots, reasoning):
    _, texts = asked(walks, tmp_path, "--shots", shots, "--reasoning", reasoning)
    rows = gsu_rows(WALKS, 4)
    assert texts == sorted(render(row, int(shots), reasoning == "true") for row in rows)


def test_several_configs_are_asked_at_once(tmp_path, no_proxy, monkeypatch):
    tables = {WALKS: gsu_table(WALKS, 2), PLACES: gsu_table(PLACES, 2)}
    monkeypatch.setattr(predict, "load_rows", lambda config, *_: tables[config])
    with endpoint() as served:
        given = ["--backend", "openai", "--base_url", served.url, "--model", "toy", "--cache", str(tmp_path / "cache")]
        folder = tmp_path / "answers"
        folder.mkdir()
        predict.main(predict.parse_arguments([*given, "--dataset_config", f"{WALKS},{PLACES}", "--out", f"{folder}/"]))
    for config, rows in tables.items():
        lines = (folder / f"{config}.jsonl").read_text().splitlines()
        assert {json.loads(line)["id"] for line in lines} == set(rows["id"])


@pytest.mark.parametrize("representation", ["plain", "set", "dict"])
def test_a_chat_model_is_asked_about_blocks_in_any_representation(tmp_path, no_proxy, representation):
    rows = gsu_rows(SHAPES, 2)
    _, texts = asked(save_rows(tmp_path / "shapes.jsonl", rows), tmp_path, "--representation", representation)
    assert texts == sorted(render(row, representation=representation) for row in rows)
