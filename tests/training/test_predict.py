"""Predictions of models that run here: the same whatever the batch, only the notation if asked, and resumable."""

import json
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import torch
import vllm_stand_in
from answer_lines import lines_by_id
from case_tables import cases_of
from datasets import Dataset
from fabricated_items import TINY
from paths import ROOT
from small_adapters import save_adapter, save_record
from transformers import AutoModelForCausalLM, AutoTokenizer

from bap_v2_dataset.items.prompts import render
from bap_v2_dataset.items.versions import ROW_REPRESENTATIONS
from bap_v2_metric.notation import read_prediction
from bap_v2_training import predict
from bap_v2_training.errors import UsageError
from bap_v2_training.models.new_llama import EOS, save_new_llama

LLAMA = {
    **TINY, "vocab_size": 400, "hidden_size": 64, "intermediate_size": 128, "num_attention_heads": 4,
    "num_key_value_heads": 2, "max_position_embeddings": 1024, "initializer_range": 0.05,
}  # fmt: skip

torch.set_num_threads(1)  # models this small lose more by waiting for a second thread than they gain


def towers() -> list[dict]:
    """32 items whose answers follow from few words, with histories from nothing to a hundred tokens."""
    rows = []
    for number in range(32):
        rng = random.Random(f"towers/{number}")
        color, height, x, z = (
            rng.choice(["red", "blue", "green"]),
            rng.randint(1, 3),
            rng.randint(-5, 5),
            number % 11 - 5,
        )
        actions = [f"place {color} {x} {y} {z}" for y in range(1, height + 1)]
        if number % 4 == 0:
            actions.append(f"pick {x} {height} {z}")
        row = {
            "id": f"towers-{number}/0",
            "game_id": f"towers-{number}",
            "history": ["<Builder> what next?", "<Architect> wait"] * rng.randint(0, 6),
            "dialogue": [f"<Architect> number {number}: {color}, {height} tall at {x} {z}"],
            "pose": {"x": 0.5, "y": 1.0, "z": -3.0, "yaw": 0.0, "pitch": 20.0},
            "before": [],
            "actions": actions,
            "completion": "\n".join(actions),
        }
        rows.append(row | {f"prompt_{name}": render(row, name) for name in ROW_REPRESENTATIONS})
    return rows


@pytest.fixture(scope="module")
def data(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("towers") / "towers.jsonl"
    Dataset.from_list(towers()).to_json(path)
    return path


@pytest.fixture(scope="module")
def untrained(tmp_path_factory) -> Path:
    """A Llama that knows nothing and never stops."""
    folder = tmp_path_factory.mktemp("models") / "untrained"
    texts = [text for row in towers() for text in (row["prompt_n"], row["completion"])]
    save_new_llama(folder, texts, LLAMA, seed=1)
    return folder


@pytest.fixture(scope="module")
def trained(untrained, tmp_path_factory) -> Path:
    """The same after some seconds on the towers: most of its answers are right."""
    tokenizer = AutoTokenizer.from_pretrained(untrained, padding_side="left")
    model = AutoModelForCausalLM.from_pretrained(untrained, dtype="float32")
    prompts = [row["prompt_n"] for row in towers()]
    texts = [prompt + row["completion"] + EOS for prompt, row in zip(prompts, towers())]
    batch = tokenizer(texts, return_tensors="pt", padding=True)
    answers = [len(tokenizer(row["completion"] + EOS, add_special_tokens=False)["input_ids"]) for row in towers()]
    labels = batch["input_ids"].clone()
    for row, length in zip(labels, answers):
        row[: len(row) - length] = -100
    optimizer = torch.optim.AdamW(model.parameters(), lr=5e-3)
    order = list(range(len(texts)))
    for epoch in range(60):
        random.Random(f"order/{epoch}").shuffle(order)
        for start in range(0, len(order), 8):
            chosen = order[start : start + 8]
            longest = int(batch["attention_mask"][chosen].sum(1).max())
            part = {name: values[chosen, -longest:] for name, values in batch.items()}
            model(**part, labels=labels[chosen, -longest:]).loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad()
    folder = tmp_path_factory.mktemp("models") / "trained"
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def adapter(trained, tmp_path_factory) -> Path:
    """An adapter of the trained model, as train_sft.py leaves one that it trained in 4 bits."""
    folder = save_adapter(tmp_path_factory.mktemp("models") / "adapter", trained)
    save_record(folder, trained, max_prompt_tokens=900)
    return folder


def command(model: Path, data: Path, output: Path, *changes: str) -> list[str]:
    return [
        *("--model", str(model), "--dataset_path", str(data), "--representation", "n", "--out", str(output)),
        *("--max_new_tokens", "48", *changes),
    ]


def predicted(model: Path, data: Path, output: Path, *changes: str) -> dict[str, dict]:
    """The lines that predict.py writes, by id."""
    predict.main(predict.parse_arguments(command(model, data, output, *changes)))
    return lines_by_id(output)


# --- Batches.


@pytest.mark.slow
@pytest.mark.parametrize("changes", [(), ("--constrained",)], ids=["free", "constrained"])
def test_answers_are_the_same_one_by_one_and_32_at_a_time(trained, data, tmp_path, changes):
    one = predicted(trained, data, tmp_path / "1.jsonl", "--batch_size", "1", *changes)
    many = predicted(trained, data, tmp_path / "32.jsonl", "--batch_size", "32", *changes)
    assert one == many and len(one) == 32
    right = sum(one[row["id"]]["prediction"] == row["completion"] for row in towers())
    assert right > 24, "the model has not learned enough for this test to mean something"


@pytest.mark.slow
def test_samples_of_a_language_model_choose_its_answer(trained, data, tmp_path):
    """The same whatever the batch, and right where greedy answers are; others with another seed."""
    one = predicted(trained, data, tmp_path / "1.jsonl", "--samples", "6", "--batch_size", "1")
    assert one == predicted(trained, data, tmp_path / "9.jsonl", "--samples", "6", "--batch_size", "9")
    assert sum(one[row["id"]]["prediction"] == row["completion"] for row in towers()) > 12
    settings = json.loads((tmp_path / "1.jsonl.settings.json").read_text())
    assert (settings["samples"], settings["temperature"], settings["seed"]) == (6, 1.0, 0)
    with pytest.raises(ValueError, match="was made with other settings"):
        predicted(trained, data, tmp_path / "1.jsonl", "--samples", "7")
    hot = ["--samples", "2", "--temperature", "9", "--constrained", "--max_items", "8"]
    first, second = (predicted(trained, data, tmp_path / f"hot{n}.jsonl", *hot, "--seed", n) for n in "12")
    assert first != second


def test_samples_that_cannot_be(untrained, data, tmp_path):
    for options, message in (
        (["--samples", "4", "--backend", "vllm"], "--samples is for --backend transformers"),
        (["--temperature", "2"], "--temperature is for --samples"),
    ):
        with pytest.raises(UsageError, match=message):
            predict.parse_arguments(command(untrained, data, tmp_path / "x.jsonl", *options))
    asked = ["--model", str(untrained), "--out", "x.jsonl", "--dataset_config", "gsu_structure", "--samples", "4"]
    with pytest.raises(UsageError, match="samples is for answers that are actions"):
        predict.parse_arguments(asked)


@pytest.mark.slow
def test_4_bit_weights_answer_whatever_the_batch(trained, data, tmp_path):
    changes = ["--load_in_4bit", "true", "--max_items", "12", "--constrained"]
    one = predicted(trained, data, tmp_path / "1.jsonl", "--batch_size", "1", *changes)
    assert one == predicted(trained, data, tmp_path / "12.jsonl", "--batch_size", "12", *changes) and len(one) == 12


# What files of models on the Hub hold, and what `generate` would take from there.
POISON = {
    "repetition_penalty": 1.5, "no_repeat_ngram_size": 2, "min_length": 400, "suppress_tokens": [*range(259, 380)],
    "forced_eos_token_id": 5, "temperature": 0.6, "top_p": 0.9, "do_sample": True,
}  # fmt: skip


@pytest.mark.parametrize("names", [*([name] for name in list(POISON)[:4]), list(POISON)], ids=lambda names: names[-1])
def test_greedy_is_greedy_whatever_the_models_generation_config_says(trained, data, tmp_path, names):
    folder = Path(shutil.copytree(trained, tmp_path / "poisoned"))
    file = folder / "generation_config.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | {name: POISON[name] for name in names}))
    poisoned = predicted(folder, data, tmp_path / "poisoned.jsonl", "--max_items", "12")
    assert poisoned == predicted(trained, data, tmp_path / "clean.jsonl", "--max_items", "12")


# --- Nothing but the notation.


@pytest.mark.parametrize("max_new_tokens", ["5", "31", "100"])
def test_constrained_an_untrained_model_writes_nothing_that_cannot_be_read(untrained, data, tmp_path, max_new_tokens):
    changes = ["--max_items", "16", "--max_new_tokens", max_new_tokens, "--batch_size", "16"]
    free = predicted(untrained, data, tmp_path / "free.jsonl", *changes)
    assert sum(read_prediction(line["prediction"]).unparsed_lines for line in free.values()) > 0
    only = predicted(untrained, data, tmp_path / "only.jsonl", *changes, "--constrained")
    read = [read_prediction(line["prediction"]) for line in only.values()]
    assert [one.unparsed_lines for one in read] == [0] * 16
    assert max_new_tokens == "5" or sum(len(one.actions) for one in read) >= 16


def test_constrained_a_trained_models_good_answers_stay_as_they_are(trained, data, tmp_path):
    free = predicted(trained, data, tmp_path / "free.jsonl")
    only = predicted(trained, data, tmp_path / "only.jsonl", "--constrained")
    finished = [(name, line["prediction"]) for name, line in free.items() if line["finished"]]
    good = [name for name, text in finished if not read_prediction(text).unparsed]
    assert len(good) > 24 and all(only[name] == free[name] for name in good)


# --- Other ways to run it.


@pytest.fixture
def vllm(monkeypatch) -> list[vllm_stand_in.VllmStandIn]:
    """The models that were loaded with vLLM's stand-in."""
    return vllm_stand_in.installed(monkeypatch)


@pytest.mark.slow
def test_vllm_is_given_the_same_prompts_and_its_answers_are_read_the_same(trained, data, tmp_path, vllm):
    lines = predicted(trained, data, tmp_path / "vllm.jsonl", "--backend", "vllm")
    assert lines == predicted(trained, data, tmp_path / "here.jsonl") and len(lines) == 32
    tokenizer = AutoTokenizer.from_pretrained(trained)
    longest = max(len(tokenizer(row["prompt_n"])["input_ids"]) for row in towers())
    assert [model.max_model_len for model in vllm] == [longest + 48]  # no memory for the whole context


def test_vllm_answers_with_an_adapter_that_was_trained_in_4_bits_on_its_whole_base(adapter, data, tmp_path, vllm):
    lines = predicted(adapter, data, tmp_path / "vllm.jsonl", "--backend", "vllm", "--max_items", "12")
    assert lines == predicted(adapter, data, tmp_path / "here.jsonl", "--max_items", "12")
    assert [(Path(model.path).name, model.max_lora_rank) for model in vllm] == [("trained", 8)]
    for output in ("vllm", "here"):
        assert json.loads((tmp_path / f"{output}.jsonl.settings.json").read_text())["load_in_4bit"] is False
    with pytest.raises(UsageError, match="--load-in-4bit is for --backend transformers"):
        predicted(adapter, data, tmp_path / "x.jsonl", "--backend", "vllm", "--load_in_4bit", "true")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"modules_to_save": ["lm_head"]}, r"modules_to_save is \['lm_head'\]"),
        ({"use_dora": True}, "use_dora is True"),
        ({"alpha_pattern": {"q_proj": 8}}, "alpha_pattern is"),
        ({"r": 1024}, "its rank is 1024"),
        ({}, "it holds base_model.model.model.embed_tokens.weight"),
    ],
)
def test_an_adapter_that_vllm_does_not_take_is_to_be_merged(adapter, data, tmp_path, vllm, changes, message):
    from safetensors.torch import load_file, save_file

    folder = Path(shutil.copytree(adapter, tmp_path / "special"))
    settings = json.loads((folder / "adapter_config.json").read_text())
    (folder / "adapter_config.json").write_text(json.dumps(settings | changes))
    if not changes:  # tokens of its own
        weights = load_file(folder / "adapter_model.safetensors")
        weights["base_model.model.model.embed_tokens.weight"] = torch.zeros(2, 2)
        save_file(weights, folder / "adapter_model.safetensors")
    with pytest.raises(UsageError, match=rf"{message}.*bap-v2 merge {folder} OUT"):
        predicted(folder, data, tmp_path / "x.jsonl", "--backend", "vllm")
    assert vllm == []


def test_vllm_is_asked_for_by_name_if_it_is_not_there(trained, data, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "vllm", None)
    with pytest.raises(UsageError, match=r'pip install "bap-v2\[training,vllm\]"'):
        predicted(trained, data, tmp_path / "vllm.jsonl", "--backend", "vllm")


@pytest.mark.parametrize(
    ("changes", "message"),
    cases_of(__file__, "wrong_settings"),
)
def test_wrong_settings_are_errors_that_name_the_fix(trained, data, tmp_path, changes, message):
    with pytest.raises(UsageError, match=message):
        predicted(trained, data, tmp_path / "x.jsonl", *changes)


@pytest.mark.parametrize(("accelerator", "expected"), [(True, (32, "bfloat16")), (False, (8, "float32"))])
def test_the_defaults_fit_the_machine_and_the_longest_answer(adapter, monkeypatch, accelerator, expected):
    monkeypatch.setattr(torch.accelerator, "is_available", lambda: accelerator)
    arguments = predict.parse_arguments(["--model", str(adapter), "--out", "x"])
    assert (arguments.batch_size, arguments.dtype) == expected
    assert not arguments.load_in_4bit  # although it was trained so
    assert arguments.max_new_tokens >= 576  # of a validation item of the human corpus
    assert predict.parse_arguments(["--model", str(adapter), "--out", "x", "--load_in_4bit", "true"]).load_in_4bit


@pytest.mark.slow
def test_after_a_sigkill_the_same_command_ends_with_the_same_answers(trained, data, tmp_path):
    output = tmp_path / "killed.jsonl"
    arguments = command(trained, data, output, "--batch_size", "1")
    script = [sys.executable, str(ROOT / "training" / "predict.py"), *arguments]
    killed = subprocess.Popen(script, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while killed.poll() is None and not (output.is_file() and output.read_bytes().count(b"\n") >= 3):
        time.sleep(0.005)
    killed.send_signal(signal.SIGKILL)
    killed.wait()
    before = output.read_bytes()
    assert 3 <= before.count(b"\n") < 32
    unbroken = predicted(trained, data, tmp_path / "unbroken.jsonl", "--batch_size", "1")
    assert predicted(trained, data, output, "--batch_size", "1") == unbroken
    assert output.read_bytes().startswith(before[: before.rfind(b"\n") + 1])
