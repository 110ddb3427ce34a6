"""`bap-v2 push-model` of Builders that are not language models: their card, and that they answer from the Hub."""

import json
import os
from pathlib import Path

import pytest
from huggingface_hub import ModelCard
from in_process import pushing
from small_cards import assert_well_formed, code_of
from small_test_sets import SPLITS

pytest.importorskip("trl", reason="the training extra is not installed")
os.environ.setdefault("HF_HUB_OFFLINE", "1")  # before transformers is imported

from small_builders import save_builder

from bap_v2_dataset import cli
from bap_v2_dataset.predictions.model_records import LEARNED_BUILDERS
from bap_v2_dataset.publishing.hub import PublishError
from bap_v2_dataset.publishing.model import model_of
from bap_v2_dataset.publishing.model_card import BUILDERS, model_card
from bap_v2_training import predict
from bap_v2_training.decoding import learned_builder

REPO = "tester/x"


@pytest.fixture(params=LEARNED_BUILDERS)
def folder(request, tmp_path) -> Path:
    """A run's folder."""
    folder = save_builder(tmp_path / "machine_of_mine" / "run", request.param)
    training = {
        "output_dir": str(folder), "max_steps": -1, "num_train_epochs": 6, "learning_rate": 1e-3, "weight_decay": 0.1,
    }  # fmt: skip
    own = {"dataset_config": "dss", "dataset_path": None, "representation": None, "mix": None}
    record = {
        "model_type": request.param, "started": "2026-11-22", "finished": "2026-11-22", "dataset": {"config": "dss"},
        "dataset_version": "0.2.0", "train": {"split": "train", "items": 11_868}, "representation": None, "seed": 3,
        "trained_parameters": 200, "steps": 40, "seconds": 60.0, "final": {"loss": 1.5}, "log": [], "device": "cpu",
        "processes": 1, "versions": {"torch": "2.13.0"},
        "arguments": {"bap": own, "model": {"hidden": 300}, "training": training},
    }  # fmt: skip
    (folder / "training_run.json").write_text(json.dumps(record))
    (folder / "checkpoint-1").mkdir()
    return folder


@pytest.fixture
def hub(tmp_path, monkeypatch):
    with pushing(monkeypatch, HF_HUB_CACHE=str(tmp_path / "reader")) as hub:
        yield hub


def push(folder: Path, *options: str) -> None:
    cli.app(["push-model", str(folder), "--repo-id", REPO, *options], standalone_mode=False)


def test_every_kind_has_a_class_and_a_card():
    assert BUILDERS.keys() == LEARNED_BUILDERS.keys() == learned_builder._CLASSES.keys()


def test_from_the_hub_it_answers_to_the_bit_as_its_folder_does(hub, folder, tmp_path):
    push(folder)
    data = tmp_path / "items.jsonl"
    data.write_text("".join(f"{json.dumps(row)}\n" for row in SPLITS["dss", "test"]))
    texts = []
    for model in (str(folder), REPO):
        output = tmp_path / "answers.jsonl"
        arguments = ["--model", model, "--data", str(data), "--output", str(output), "--overwrite"]
        predict.main(predict.parse_arguments(arguments))
        texts.append(output.read_bytes())
    assert texts[0] == texts[1] and b"place" in texts[0]
    assert predict.parse_arguments(["--model", REPO, "--output", "x"]).dataset_config == "dss"  # its record came along


def test_the_words_and_no_tokenizer_are_sent(hub, folder):
    push(folder)
    files = hub.files("model", REPO)
    assert set(files) == {
        ".gitattributes", "README.md", "config.json", "model.safetensors", "vocabulary.json", "training_run.json",
    }  # fmt: skip
    record = json.loads(files["training_run.json"])
    assert record["model_type"] == json.loads(files["config.json"])["model_type"] and record["train"]["items"] == 11_868
    assert not [path for path, data in files.items() if b"machine_of_mine" in data]


def test_its_card_says_how_it_is_loaded_what_it_learned_and_what_it_cannot_do(folder):
    card = model_card(model_of(REPO, folder).facts)
    assert_well_formed(card.text)
    kind = json.loads((folder / "config.json").read_text())["model_type"]
    for text in ('load_builder("tester/x")', "`vocabulary.json`", f"import {BUILDERS[kind].module}",
                 f"python training/{BUILDERS[kind].script} --config settings.yaml", "| trained parameters | 200 |",
                 "| `dss` | 11,868 |", "hidden: 300\n", "learning_rate: 0.001\n", "seed: 3\n", "It was not scored.",
                 "simulated dialogues only", "--dataset_config dss --split test --output"):  # fmt: skip
        assert text in card.text, text
    assert not [word for word in ("okenizer.from", "representation", "unparsed", "prompts") if word in card.text]
    assert ("temporary supports of floating blocks are planned" in card.text) == (kind == "bap_pointer")
    data = ModelCard(str(card)).data
    assert (data.library_name, data.base_model, data.license) == ("transformers", None, "apache-2.0")
    compile(code_of(card.text), "card", "exec")


def test_without_its_words_it_is_not_published(folder):
    (folder / "vocabulary.json").unlink()
    with pytest.raises(PublishError, match=r"has no vocabulary\.json: did its training"):
        model_of(REPO, folder)


def test_it_takes_the_place_of_an_earlier_model(hub, folder):
    push(folder)
    (folder / "config.json").write_text(
        (folder / "config.json").read_text().replace('"max_actions": 4', '"max_actions": 5')
    )
    push(folder)
    assert b'"max_actions": 5' in hub.files("model", REPO)["config.json"]
