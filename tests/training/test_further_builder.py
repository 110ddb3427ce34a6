"""A further learned Builder is one entry: the page's example is trained, answers, is scored, a member, and pushed."""

import importlib.util
import json
import re
import sys
from dataclasses import replace
from pathlib import Path

import datasets
import pytest
from in_process import command
from paths import ROOT
from small_builders import ROWS, save_builder
from transformers import AutoModel

from bap_v2_dataset.predictions.builder_kinds import BUILDER_KINDS
from bap_v2_dataset.publishing.model import model_of
from bap_v2_dataset.publishing.model_card import model_card
from bap_v2_training import make_ensemble, predict
from bap_v2_training.ensemble.builder import check_member
from bap_v2_training.errors import UsageError
from bap_v2_training.learning.gold_losses import gold_losses
from bap_v2_training.learning.options import parsed

PAGE = (ROOT / "docs" / "how_to" / "extend.md").read_text(encoding="utf-8")
PAGE = PAGE.partition("\n## Add a Builder\n")[2].partition("\n## Add a task\n")[0]
(ENTRY,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


@pytest.fixture
def bap(monkeypatch, capsys, tmp_path):
    return command(monkeypatch, capsys, tmp_path / "home", tmp_path, 120)


@pytest.fixture
def kind(monkeypatch):
    """The entry of the page, beside its example."""
    names: dict = {}
    exec(ENTRY, names)
    entry = names["entry"]
    spec = importlib.util.spec_from_file_location(entry.network, ROOT / "docs" / "how_to" / "train_color.py")
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, entry.network, module)
    spec.loader.exec_module(module)
    monkeypatch.setitem(BUILDER_KINDS, entry.model_type, entry)
    return entry


@pytest.fixture
def items(tmp_path) -> Path:
    path = tmp_path / "items.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in ROWS))
    return path


@pytest.fixture
def run(kind, items, tmp_path, monkeypatch) -> Path:
    """A trained one."""
    monkeypatch.setenv("ACCELERATE_MIXED_PRECISION", "no")
    module, folder = sys.modules[kind.network], tmp_path / "run"
    options = ["--data", str(items), "--train_split", "train", "--learning_rate", "0.1", "--output_dir", str(folder),
               "--disable_tqdm", "true", "--use_cpu", "true", "--save_strategy", "no"]  # fmt: skip
    module.main(*module.parse_arguments(options))
    assert json.loads((folder / "training_run.json").read_text())["model_type"] == kind.model_type
    return folder


def answer(run: Path, items: Path, out: Path, *options: str) -> Path:
    return predict.main(
        predict.parse_arguments(["--model", str(run), "--data", str(items), "--out", str(out), *options])
    )


def test_one_entry_is_trained_answers_is_scored_and_pushed(run, kind, items, bap, tmp_path):
    greedy = answer(run, items, tmp_path / "greedy.jsonl")
    drawn = answer(run, items, tmp_path / "drawn.jsonl", "--samples", "8", "--min-probability", "0.2")
    assert b"place" in greedy.read_bytes() != drawn.read_bytes()
    settings = json.loads(drawn.with_name("drawn.jsonl.settings.json").read_text())
    assert settings["model_type"] == kind.model_type and "probability_version" not in settings
    code, table, _ = bap("score", greedy, drawn, "--data", items)
    assert code == 0 and "F1 in percent" in table
    assert max(gold_losses(str(run), ROWS)) > min(gold_losses(str(run), ROWS)) > 0

    code, report, _ = bap("push-model", run, "--repo-id", "tester/color", "--dry-run")
    assert code == 0 and "model.safetensors" in report and "vocabulary.json" not in report
    card = model_card(model_of("tester/color", run).facts).text
    assert f"{kind.sentence}" in card and f"`{kind.command} --config settings.yaml`" in card and "vocabul" not in card


def test_it_is_a_member_of_an_ensemble(run, tmp_path, monkeypatch):
    rows = datasets.Dataset.from_list(ROWS[::2])
    monkeypatch.setattr(make_ensemble, "load_rows", lambda *arguments: rows)
    options = ["--members", str(run), str(run), "--samples", "4", "--out", str(tmp_path / "both")]
    folder = make_ensemble.main(parsed(make_ensemble.EnsembleArguments, options))
    assert (folder / "member-2" / "model.safetensors").is_file()


def test_every_folder_on_the_page_is_made_before_it_is_read():
    made: set[str] = set()
    for line in re.search(r"```text\n(.*?)```", PAGE, re.DOTALL)[1].splitlines():
        assert made.issuperset(re.findall(r"runs/\w+", re.sub(r"--out\S* \S+", "", line))), line
        made.update(re.findall(r"--output-dir (\S+)", line))


def test_one_without_samples_is_asked_for_none(run, kind, items, tmp_path, monkeypatch):
    monkeypatch.setitem(BUILDER_KINDS, kind.model_type, replace(kind, samples=False))
    with pytest.raises(UsageError, match=r"--samples is for Builders that give samples, and \S+ is a color model"):
        answer(run, items, tmp_path / "x.jsonl", "--samples", "4")
    with pytest.raises(UsageError, match="is a color model, which gives no samples to weigh"):
        check_member(str(run), str(run))


def test_entries_name_what_there_is(kind, tmp_path):
    for model_type, entry in BUILDER_KINDS.items():
        if entry.network is None or model_type == kind.model_type:
            continue
        network = AutoModel.from_pretrained(save_builder(tmp_path / model_type, model_type))
        assert type(network).__module__ == entry.network and network.config.model_type == model_type
