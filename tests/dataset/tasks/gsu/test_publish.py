"""GSU on the Hub: what is pushed loads as it is here, the card says what it is, and so does the card of a model."""

import ast
import json
import os
import re
import subprocess
import sys
from dataclasses import replace

import datasets
import huggingface_hub
import pytest
from in_process import pushing, use_home
from small_cards import assert_well_formed, card_of, code_of, files_of, infos_of, simulated

from bap_v2_dataset import cli
from bap_v2_dataset.explorer.sources import InstalledSource, SourceError
from bap_v2_dataset.loading import install
from bap_v2_dataset.publishing.dataset import chosen_configs
from bap_v2_dataset.publishing.dataset_card import dataset_card
from bap_v2_dataset.publishing.hub import PublishError
from bap_v2_dataset.publishing.model import model_of
from bap_v2_dataset.publishing.model_card import model_card
from bap_v2_dataset.publishing.model_facts import SplitResult, facts_of_run
from bap_v2_dataset.publishing.template import CardError
from bap_v2_dataset.tasks.gsu import scorer as gsu_scoring
from bap_v2_dataset.tasks.gsu.card import GSU_CONFIGS
from bap_v2_dataset.tasks.gsu.features import GSU_FEATURES
from bap_v2_dataset.tasks.gsu.rows import GSU_DATA_VERSION, row_of
from bap_v2_simulators import corpora
from bap_v2_simulators.gsu import configs as gsu_configs
from bap_v2_simulators.gsu.configs import CONFIGS

REPO = "tester/bap_v2"
DATA = ("dataset", REPO)
SMALL = {"train": 9, "validation": 3, "test": 6}
PUSHED = ("gsu_card2ego_2d", "gsu_structure")


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """An HF_HOME in which two configs of GSU and dss are set up, with few items."""
    home = tmp_path_factory.mktemp("publish_gsu") / "home"
    with pytest.MonkeyPatch.context() as patch:
        use_home(patch, home)
        patch.setitem(corpora.SIZES, "dss", {"train": 5, "validation": 5, "test": 5})
        for split, size in SMALL.items():
            patch.setitem(gsu_configs.SIZES, split, size)
        for name in (*PUSHED, "dss"):
            install.install_dataset(name)
    return home


@pytest.fixture
def hub(home, monkeypatch):
    use_home(monkeypatch, home)
    with pushing(monkeypatch) as hub:
        yield hub


@pytest.fixture
def push(hub, capsys):
    def push(*names: str, options: tuple[str, ...] = ()) -> str:
        cli.app(["push", "--repo-id", REPO, *(f"--config={name}" for name in names), *options], standalone_mode=False)
        return capsys.readouterr().out

    return push


def rows_of(config: str) -> dict[str, datasets.Dataset]:
    return {
        split: datasets.Dataset.from_list([row_of(CONFIGS[config], split, i) for i in range(size)], GSU_FEATURES)
        for split, size in SMALL.items()
    }


# --- Data.
def test_configs_of_gsu_are_pushed_only_if_that_is_said():
    assert chosen_configs([], human=False, gsu=True) == list(GSU_CONFIGS) and len(GSU_CONFIGS) == 21
    assert chosen_configs([], human=False) == ["dr", "dsb", "dss"]
    assert chosen_configs(["dss"], human=False, gsu=True) == ["dss", *GSU_CONFIGS]
    assert chosen_configs([], human=True, gsu=True)[:3] == ["mdc_v2", "mdc", "dr"]
    assert chosen_configs(["gsu_structure", "dr"], human=False) == ["dr", "gsu_structure"]
    with pytest.raises(PublishError, match=r"did you mean gsu_structure\?"):
        chosen_configs(["gsu_structures"], human=False)


def test_what_was_pushed_loads_as_it_is_here(push, hub, home, tmp_path, monkeypatch):
    assert "data/gsu_structure/test-00000-of-00001.parquet" in push(*PUSHED, options=("--dry-run",))
    push(*PUSHED)
    files = hub.files(*DATA)
    assert set(files) == {".gitattributes", "README.md", "LICENSE"} | {
        f"data/{name}/{split}-00000-of-00001.parquet" for name in PUSHED for split in SMALL
    }
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", home / "datasets")
    folder = tmp_path / "published"
    for path, data in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(data)
    for name in PUSHED:
        loaded = datasets.load_dataset(str(folder), name, cache_dir=str(tmp_path / "cache"))
        assert loaded["test"].features == GSU_FEATURES
        assert {split: rows.to_list() for split, rows in loaded.items()} == {
            split: rows.to_list() for split, rows in rows_of(name).items()
        }


def test_building_and_gsu_share_a_repository_whatever_comes_first(push, hub):
    push("gsu_structure")
    alone = huggingface_hub.DatasetCard(hub.files(*DATA)["README.md"].decode())
    assert alone.data["pretty_name"] == "Grid Spatial Understanding (GSU)" and "Minecraft" not in alone.text
    push("dss")
    both = hub.files(*DATA)
    card = huggingface_hub.DatasetCard(both["README.md"].decode())
    assert [entry["config_name"] for entry in card.data["configs"]] == ["dss", "gsu_structure"]
    assert (
        card.text.lstrip().startswith("# Builder Action Prediction")
        and "## Grid Spatial Understanding (GSU)" in card.text
    )
    assert "| `gsu_structure` | what blocks form | yes | 9 | 3 | 6 |" in card.text
    assert "nothing to do" in push("gsu_structure")
    assert hub.files(*DATA) == both


READER = """
import json, sys
import datasets, evaluate
repo = sys.argv[1]
loaded = {name: datasets.load_dataset(repo, name) for name in sys.argv[2:]}
results = {name: {split: rows.to_list() for split, rows in splits.items()} for name, splits in loaded.items()}
row = results[sys.argv[2]]["train"][0]
reference = {key: row[key] for key in ("task", "frame", "dims", "group", "answer")}
results["score"] = evaluate.load(repo, "gsu").compute(predictions=[row["completion"]], references=[reference])["score"]
results["ours"] = sorted(name for name in sys.modules if name.startswith("bap_v2_"))
print(json.dumps(results))
"""


@pytest.mark.slow
def test_the_joint_config_and_the_metric_load_from_the_hub(home, hub, push, tmp_path, monkeypatch):
    for split, size in SMALL.items():
        monkeypatch.setitem(gsu_configs.SIZES, split, size)
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", home / "datasets")
    local = {split: rows.to_list() for split, rows in install.rows_of("gsu").items()}
    assert len(local["train"]) == 8 * SMALL["train"] and len(local) == 10
    push("gsu", options=("--metric-space", REPO))
    assert "test_gsu_follower_ego_2d" in hub.files(*DATA)["README.md"].decode()
    env = {name: value for name, value in os.environ.items() if not name.startswith(("HF_", "BAP_V2_"))}
    env |= {"HF_HOME": str(tmp_path / "reader"), "HF_ENDPOINT": hub.url, "HF_HUB_DISABLE_XET": "1", "HF_TOKEN": ""}
    done = subprocess.run(
        [sys.executable, "-c", READER, REPO, "gsu"], env=env, cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    results = json.loads(done.stdout)
    assert results["gsu"] == local and results["score"] == 1.0 and results["ours"] == []


# --- The card of the data.
@pytest.mark.parametrize("names", [("gsu_allo_y_random",), ("gsu_combined", "gsu_ego_random_distractors"), PUSHED])
def test_a_card_is_well_formed_and_its_code_runs(names):
    parts = {name: rows_of(name) for name in names}
    infos = {name: with_columns(info) for name, info in infos_of(parts).items()}
    for space in (None, "USER/metric"):
        card = dataset_card("USER/bap_v2", infos, files_of(parts), rows=parts, default=names[0], metric_space=space)
        assert_well_formed(card.text)
        ast.parse(code_of(card.text))
        assert card.data["license"] == ["apache-2.0"] and "synthetic" in card.data["tags"]
        assert f"data {GSU_DATA_VERSION}, " in card.text and "sidhu2026gsu" in card.text
        assert gsu_scoring.signature() in card.text and f'evaluate.load("{space or "bap_v2"}", "gsu")' in card.text
        assert all(f"| `{name}` |" in card.text for name in names)
        assert all(f"| `{column}` |" in card.text for column in GSU_FEATURES)


def test_a_card_of_both_tasks_is_well_formed():
    building = {"dss": {split: simulated("dss", split) for split in ("train", "test")}}
    parts = {"gsu_structure": rows_of("gsu_structure")}
    infos = infos_of(building) | {"gsu_structure": with_columns(infos_of(parts)["gsu_structure"])}
    rows = building | parts
    card = dataset_card("USER/bap_v2", infos, files_of(rows), rows=rows, default="dss")
    assert_well_formed(card.text)
    headings = re.findall(r"^(#+) (.*)$", re.sub(r"```.*?```", "", card.text, flags=re.DOTALL), re.MULTILINE)
    assert [level for level, _ in headings].count("#") == 1 and len({name for _, name in headings}) == len(headings)
    assert "Grid Spatial" not in card_of(building, "dss").text


def with_columns(info: datasets.DatasetInfo) -> datasets.DatasetInfo:
    return datasets.DatasetInfo(features=GSU_FEATURES, splits=info.splits, download_size=1)


def test_the_explorer_says_where_items_of_gsu_are_shown():
    for config in ("gsu", "gsu_structure"):
        with pytest.raises(SourceError, match="`bap-v2 show gsu_structure-test-0`"):
            InstalledSource().splits(config)


# --- The card of a model.
RUN = {
    "arguments": {
        "bap": {"task": "gsu", "dataset_config": "gsu_card2ego_2d", "dataset_path": None, "train_split": "train",
                "representation": "text", "shots": 0, "reasoning": True, "new_model": None, "tokenizer_pieces": "words",
                "max_prompt_tokens": None},
        "model": {"use_peft": True, "load_in_4bit": False, "dtype": "bfloat16", "model_revision": "main", "lora_r": 64,
                  "lora_alpha": 8, "lora_dropout": 0.0, "lora_target_modules": ["all-linear"],
                  "lora_modules_to_save": None, "model_name_or_path": "meta-llama/Llama-3.1-8B-Instruct"},
        "training": {"num_train_epochs": 4, "per_device_train_batch_size": 8, "gradient_accumulation_steps": 1,
                     "learning_rate": 1e-4, "lr_scheduler_type": "cosine", "warmup_steps": 10, "weight_decay": 0.0,
                     "max_grad_norm": 1.0, "optim": "adamw_torch", "max_length": 512, "packing": False, "bf16": True,
                     "fp16": False, "max_steps": -1},
    },
    "dataset": {"config": "gsu_card2ego_2d"},
    "train": {"items": 3000, "sources": {"gsu_card2ego_2d": 3000}},
    "representation": "text", "prompt_version": "1.1", "model": "meta-llama/Llama-3.1-8B-Instruct", "seed": 1,
    "seconds": 60.0, "device": "one GPU", "processes": 1, "versions": {"torch": "2.13.0"}, "dataset_version": "1.0.0",
    "metric_signature": "none",
}  # fmt: skip


@pytest.fixture
def run(tmp_path):
    folder = tmp_path / "runs" / "walks"
    folder.mkdir(parents=True)
    (folder / "training_run.json").write_text(json.dumps(RUN))
    (folder / "adapter_config.json").write_text('{"base_model_name_or_path": "meta-llama/Llama-3.1-8B-Instruct"}')
    (folder / "adapter_model.safetensors").write_bytes(b"weights")
    return folder


def scores_file(folder, config: str = "gsu_card2ego_2d", **more):
    rows = [row_of(CONFIGS[config], "test", index) for index in range(4)]
    references = [{name: row[name] for name in gsu_scoring.REFERENCE} for row in rows]
    texts = [row["completion"] for row in rows[:3]] + ["no idea"]
    counts = gsu_scoring.score_items(texts, references)
    settings = {"config": config, "split": "test", "items": 4, "split_items": 4, "labels": "none needed",
                "confidence": 0.95}  # fmt: skip
    system = {
        "name": "walks",
        "scores": gsu_scoring.aggregate(counts) | more,
        "confidence_intervals": gsu_scoring.bootstrap(counts, 20),
    }
    path = folder / f"{config}.json"
    path.write_text(json.dumps({"settings": settings, "systems": [system]}))
    return path


@pytest.mark.parametrize("config", PUSHED)
def test_the_card_of_a_model_has_its_scores_by_their_keys(run, tmp_path, config):
    facts = facts_of_run("tester/Llama-walks", run, [scores_file(tmp_path, config)])
    card = model_card(facts)
    assert_well_formed(card.text)
    ast.parse(code_of(card.text))
    assert (facts.task, facts.kind, facts.data) == ("gsu", "adapter", {"gsu_card2ego_2d": 3000})
    scores = facts.results[0].scores
    for key in (
        "score",
        *(name for name in scores if name.startswith(f"{CONFIGS[config].task}_") and "n_items" not in name),
    ):
        assert re.search(rf"\| 4 \| `{key}` \| ", card.text), key
    assert {entry.metric_type: entry.metric_value for entry in card.data.eval_results}["score"] == scores["score"]
    assert card.data.eval_results[0].metric_type == "score"
    assert "shots: 0" in card.text and "reasoning: true" in card.text and "tokenizer_pieces" not in card.text
    assert "Minecraft" not in card.text and gsu_scoring.signature() in card.text


def test_a_model_without_scores_has_a_card(run):
    for base in ("meta-llama/Llama-3.1-8B-Instruct", None):
        card = model_card(replace(facts_of_run("tester/walks", run), base_model=base))
        assert_well_formed(card.text)
        assert "It was not scored." in card.text and '"gsu_card2ego_2d", split="test"' in card.text


def test_a_model_is_published_with_its_results(run, tmp_path):
    model = model_of("tester/Llama-walks", run, [scores_file(tmp_path)], dataset_repo=REPO)
    files = {file.path: file.content for file in model.files}
    assert (
        b"value: 75.0" in files[".eval_results/bap_v2.yaml"]
        and b"score in percent" in files[".eval_results/bap_v2.yaml"]
    )
    record = json.loads(files["training_run.json"])
    assert record["arguments"]["bap"]["task"] == "gsu" and record["arguments"]["bap"]["reasoning"] is True
    assert model.unlisted == []


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"representation": "n_posb_s"}, "representation='n_posb_s': expected one of plain, set, dict, text"),
        ({"results": [SplitResult("dss", "test", {}, "none")]}, "the scores on dss are of another task"),
        (
            {"results": [SplitResult("gsu_structure", "test", {"score": 1.0}, "none")]},
            "lack n_items, signature, unparsed",
        ),
    ],
)
def test_what_makes_no_card_of_a_model_is_refused(run, change, message):
    with pytest.raises(CardError, match=message):
        model_card(replace(facts_of_run("tester/walks", run), **change))


def test_scores_of_gsu_are_not_taken_for_those_of_building(facts, tmp_path):
    result = SplitResult("gsu_structure", "test", {"score": 1.0}, "none")
    with pytest.raises(CardError, match="the scores on gsu_structure are of GSU"):
        model_card(replace(facts, results=[result]))
