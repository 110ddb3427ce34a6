"""select_hard_variants.py: of each parent the variants whose gold answer has the highest loss; resumed."""

import json
from pathlib import Path

import pytest
import torch
from datasets import Dataset, load_dataset
from small_builders import save_builder
from small_test_sets import SPLITS
from transformers import AutoModelForCausalLM, AutoTokenizer

from bap_v2_dataset.items.features import FEATURES
from bap_v2_dataset.items.prompts import render
from bap_v2_dataset.items.rows import perturbation_of
from bap_v2_dataset.tasks.robustness.families import variants_of
from bap_v2_metric.errors import UserError
from bap_v2_training import select_hard_variants
from bap_v2_training.errors import UsageError
from bap_v2_training.learning import gold_losses
from bap_v2_training.learning.options import parsed

ROWS = SPLITS["dsb", "test"][:12]
VARIANTS = [variant for row in ROWS for variant in variants_of(row, "sa_color")]

torch.set_num_threads(1)


@pytest.fixture(scope="module")
def file(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("variants") / "sa_color.parquet"
    Dataset.from_list(VARIANTS, features=FEATURES).to_parquet(path)
    return path


@pytest.fixture(scope="module")
def language_model(tiny, tmp_path_factory) -> Path:
    """A language model with random weights, with the record that train_sft.py leaves."""
    folder = tmp_path_factory.mktemp("model") / "llama"
    folder.mkdir()
    for path in tiny.iterdir():
        (folder / path.name).write_bytes(path.read_bytes())
    settings = {"bap": {"representation": "n_posb_s", "max_prompt_tokens": 400}, "training": {"max_length": 460},
                "model": {"use_peft": False}}  # fmt: skip
    (folder / "training_run.json").write_text(json.dumps({"arguments": settings, "finished": "today"}))
    return folder


def kept(file: Path, model: Path, output: Path, *changes: str) -> list[dict]:
    command = ["--model", str(model), "--rows", str(file), "--out", str(output), *changes]
    select_hard_variants.main(parsed(select_hard_variants.HardestArguments, command))
    return load_dataset("parquet", data_files=str(output), split="train").to_list()


@pytest.mark.parametrize("model_type", ["bap_gru", "bap_pointer"])
def test_the_variant_with_the_highest_loss_of_each_parent_is_kept(model_type, file, tmp_path):
    model = save_builder(tmp_path / "model", model_type)
    rows = kept(file, model, tmp_path / "out.parquet", "--batch_size", "5")
    alone = gold_losses.loss_function(str(model))
    losses = {row["id"]: alone([row])[0] for row in VARIANTS}  # not in batches: padding must not count
    written = {line["id"]: line["loss"] for line in map(json.loads, (tmp_path / "out.parquet.losses.jsonl").open())}
    assert written == pytest.approx(losses, rel=1e-4)
    assert [perturbation_of(row)["parent"] for row in rows] == [row["id"] for row in ROWS]  # in the order of the file
    for row in rows:
        parent = perturbation_of(row)["parent"]
        own = [losses[one["id"]] for one in VARIANTS if perturbation_of(one)["parent"] == parent]
        assert losses[row["id"]] == pytest.approx(max(own), rel=1e-4) and len(own) == 3
    assert len({perturbation_of(row)["variant"] for row in rows}) > 1
    two = kept(file, model, tmp_path / "out2.parquet", "--keep", "2")
    assert len(two) == 2 * len(ROWS) and {row["id"] for row in rows} < {row["id"] for row in two}


def test_the_loss_of_a_language_model_is_that_of_its_completion_and_the_end(language_model):
    tokenizer = AutoTokenizer.from_pretrained(language_model)
    model = AutoModelForCausalLM.from_pretrained(language_model, dtype=torch.float32).eval()
    rows = sorted(VARIANTS, key=lambda row: len(row["prompt_n_posb_s"]))[:4]
    found = gold_losses.loss_function(str(language_model))(rows)
    for row, loss in zip(rows, found):
        prompt = tokenizer(row["prompt_n_posb_s"])["input_ids"]
        whole = tokenizer(row["prompt_n_posb_s"] + row["completion"] + tokenizer.eos_token)["input_ids"]
        labels = [-100] * len(prompt) + whole[len(prompt) :]
        with torch.inference_mode():
            mean = model(input_ids=torch.tensor([whole]), labels=torch.tensor([labels])).loss.item()
        assert loss == pytest.approx(mean * (len(whole) - len(prompt)), rel=1e-4)


def test_what_is_too_long_for_a_language_model_is_left_out(language_model, file, tmp_path):
    tokenizer = AutoTokenizer.from_pretrained(language_model)
    shortest = [len(tokenizer(render({**row, "history": []}, "n_posb_s"))["input_ids"]) for row in VARIANTS]
    settings = json.loads((language_model / "training_run.json").read_text())
    settings["arguments"]["bap"]["max_prompt_tokens"] = sorted(shortest)[len(VARIANTS) // 2]
    short = tmp_path / "short"
    short.mkdir()
    for path in language_model.iterdir():
        (short / path.name).write_bytes(path.read_bytes())
    (short / "training_run.json").write_text(json.dumps(settings))
    rows = kept(file, short, tmp_path / "out.parquet")
    record = json.loads((tmp_path / "out.parquet.settings.json").read_text())
    assert 0 < record["too_long_left_out"] < len(VARIANTS)
    assert len(rows) == record["kept"] == record["parents"] <= len(ROWS)
    losses = [json.loads(line) for line in (tmp_path / "out.parquet.losses.jsonl").open()]
    assert sum(line["loss"] is None for line in losses) == record["too_long_left_out"]


def test_a_killed_run_is_resumed_and_other_settings_are_refused(file, tmp_path, monkeypatch):
    model, output = save_builder(tmp_path / "model", "bap_gru"), tmp_path / "out.parquet"
    whole = kept(file, model, output, "--batch_size", "4")
    losses = output.with_name("out.parquet.losses.jsonl")
    lines = losses.read_text().splitlines(keepends=True)
    losses.write_text("".join(lines[:10]) + lines[10][:7])  # killed within a line
    output.unlink()
    asked = []

    def counted(model, dtype):
        real = loss_function(model, dtype)
        return lambda rows: (asked.extend(row["id"] for row in rows), real(rows))[1]

    loss_function = select_hard_variants.loss_function
    monkeypatch.setattr(select_hard_variants, "loss_function", counted)
    assert kept(file, model, output, "--batch_size", "4") == whole
    assert sorted(asked) == sorted(json.loads(line)["id"] for line in lines[10:])
    record = json.loads(output.with_name("out.parquet.settings.json").read_text())
    assert (record["variants"], record["parents"], record["kept"]) == (len(VARIANTS), len(ROWS), len(ROWS))
    assert record["mean_loss_kept"] > record["mean_loss"]
    other = save_builder(tmp_path / "other", "bap_gru", seed=4)
    with pytest.raises(UserError, match="model was"):
        kept(file, other, output)
    assert kept(file, other, output, "--overwrite", "true") != whole


def test_what_is_wrong_is_said_before_a_model_is_loaded(file, tmp_path, monkeypatch):
    monkeypatch.setattr(select_hard_variants, "loss_function", lambda model, dtype: pytest.fail("loaded"))
    originals = tmp_path / "rows.parquet"
    Dataset.from_list(ROWS, features=FEATURES).to_parquet(originals)
    with pytest.raises(UsageError, match=r"is not a variant; `bap-v2 perturb`"):
        kept(originals, tmp_path, tmp_path / "out.parquet")
    with pytest.raises(UsageError, match="keep is 0"):
        kept(file, tmp_path, tmp_path / "out.parquet", "--keep", "0")
    with pytest.raises(UsageError, match=r"ends with \.parquet"):
        kept(file, tmp_path, tmp_path / "out.jsonl")
    with pytest.raises(UserError, match="there is no directory"):
        kept(file, tmp_path, tmp_path / "nowhere" / "out.parquet")
