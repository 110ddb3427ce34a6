"""The table of tasks: a room and one line are all that a new task needs, and nothing outside its room names it."""

import ast
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import toy_task
from paths import GOLDEN, ROOT

from bap_v2_dataset.cli.set_up import _chosen
from bap_v2_dataset.interface.table import TASKS, all_configs, item_configs, task_of
from bap_v2_dataset.loading.builder import BapV2
from bap_v2_dataset.tasks.building.paper import JOINT
from bap_v2_dataset.tasks.building.task import CONFIGS
from bap_v2_metric.tasks import SCORERS, scorer_of
from bap_v2_simulators.corpora import SIMULATORS
from bap_v2_simulators.corpus_table import SIZES


def test_the_configs_of_building_are_the_human_ones_the_simulators_and_their_union():
    assert ("mdc_v2", "mdc", *SIMULATORS, "written", "all") == tuple(CONFIGS)
    assert item_configs("mdc") == ("mdc_v2", "mdc", "all", "robust_mdc_v2")
    assert set(CONFIGS["all"].made_of) == set(JOINT)  # the joint corpus has the parts of the paper's
    assert list(BapV2.builder_configs) == list(all_configs())
    for name in SIMULATORS:
        assert all_configs()[name].splits == tuple(SIZES[name])


def test_published_configs_have_the_splits_of_the_table():
    digests = json.loads((GOLDEN / "published_digests.json").read_text())
    splits = {name: tuple(of_config) for name, of_config in digests.items()}
    assert splits == {name: config.splits for name, config in TASKS["bap"].configs.items() if config.by_default}


def test_every_config_belongs_to_one_task():
    names = [name for task in TASKS.values() for name in task.configs]
    assert len(set(names)) == len(names)
    assert task_of("dss") is TASKS["bap"] and task_of("nothing") is None


@pytest.mark.parametrize("task", TASKS.values(), ids=TASKS)
def test_what_a_task_says_of_itself_holds_together(task):
    assert TASKS[task.name] is task and scorer_of(task.name) is task.scorer
    for name in task.configs:  # the command that is hinted makes each of them
        options = task.setup_command(name).split()[2:]
        assert options in ([], ["--config", name], [task.setup_option])
        assert name in _chosen(options[1:], [task] * (len(options) == 1))
    assert all(callable(task.baseline(name)) for name in task.baselines)
    assert set(task.reported) <= set(task.configs)
    assert set(task.own_columns) <= set(task.dataset.info(next(iter(task.configs))).features)
    assert {source for config in task.configs.values() for source in config.made_of} <= set(all_configs())


@pytest.mark.parametrize("name", sorted(set(all_configs()) - {"plancraft_oracle"}))  # dialogues: nothing is scored
def test_columns_and_references_are_those_of_the_task(name):
    task = task_of(name)
    of_metadata = {"parent", "family", "variant", "transform"} if task.scorer is SCORERS["robust"] else set()
    assert set(task.scorer.reference) - of_metadata <= set(task.dataset.info(name).features)


# --- A task that is a room and a line. In a process of its own: `datasets` asks a builder once which configs
# it has, and the options of the commands are made when they are imported.
PROGRAM = """
import toy_task
from bap_v2_dataset.interface.table import TASKS

TASKS["spelling"] = toy_task.SPELLING

import datasets, evaluate
from bap_v2_dataset import cli


def bap(line):
    print("\f" + line)
    cli.app(line.split(), standalone_mode=False)


bap("setup --help")
bap("setup --spelling --num-proc 2")
bap("info")
bap("generate spelling more.jsonl --items 3 --seed 4 --num-proc 1")
print("\frows")
rows = datasets.load_dataset("bap_v2", "spelling")
print({split: rows[split].to_list() for split in rows})
print("\fmetric")
metric = evaluate.load("bap_v2", "spelling")
print(metric.compute(predictions=["r e d", ""] * 10, references=rows["original"].to_list() * 10, n_resamples=10))
bap("score run/spelling-probe.jsonl --baseline silent --out scores.json")
bap("report run/spelling-probe.jsonl --baseline silent --errors --out tables")
bap("score run/spelling-probe.jsonl --baseline silent --format markdown --per-item items.jsonl")
bap("score a=run/spelling-probe.jsonl a=run/2.jsonl --brief")
bap("show spelling-probe-1 --predictions run/spelling-probe.jsonl")
bap("push --repo-id USER/words --spelling --dry-run")
"""
# What takes torch; the model is too small to learn anything.
TRAIN = """
import json
import toy_task
from bap_v2_dataset.interface.table import TASKS

TASKS["spelling"] = toy_task.SPELLING

from bap_v2_training import predict, train_sft

sizes = {"hidden_size": 16, "intermediate_size": 16, "num_hidden_layers": 1, "num_attention_heads": 1}
new = json.dumps({"vocab_size": 300, "max_position_embeddings": 128, "num_key_value_heads": 1, **sizes})
options = "--dataset_config spelling --train_split original --output_dir model --max_steps 2 --save_strategy no"
train_sft.main(*train_sft.parse_arguments([*options.split(), "--report_to", "none", "--new_model", new]))
options = "--model model --dataset_config spelling --split probe --out answers.jsonl --max_new_tokens 4"
predict.main(predict.parse_arguments(options.split()))
"""


def run(program: str, folder: Path) -> subprocess.CompletedProcess:
    environment = {**os.environ, "HF_HOME": str(folder / "home"), "BAP_V2_MDC": "", "COLUMNS": "200"}
    environment |= {"PYTHONPATH": str(ROOT / "tests" / "support"), "HF_HUB_OFFLINE": "1"}
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return done


@pytest.fixture(scope="module")
def printed(tmp_path_factory) -> dict[str, str]:
    """What each command of PROGRAM printed; the files lie in the folder that is under "folder"."""
    folder = tmp_path_factory.mktemp("spelling")
    predictions = {f"spelling-probe-{index}": " ".join(word)[:9] for index, word in enumerate(toy_task.WORDS["probe"])}
    (folder / "run").mkdir()
    lines = (json.dumps({"id": row_id, "prediction": text}) for row_id, text in predictions.items())
    (folder / "run" / "spelling-probe.jsonl").write_text("\n".join(lines))
    (folder / "run" / "2.jsonl").write_text(json.dumps(dict.fromkeys(predictions, "")))
    done = run(PROGRAM, folder)
    parts = (part.partition("\n") for part in done.stdout.split("\f")[1:])
    return {"folder": str(folder), "errors": done.stderr, **{name: text for name, _, text in parts}}


@pytest.fixture
def folder(printed):
    return Path(printed["folder"])


@pytest.mark.slow
def test_a_new_task_has_an_option_of_setup_and_is_set_up(printed):
    assert re.search(r"--spelling +The config of words\.", printed["setup --help"])
    assert printed["setup --help"].rstrip().endswith("bap-v2 setup --spelling")
    out = printed["setup --spelling --num-proc 2"]
    assert "Spelling: 1 config, about 1 MB." in out and "2 original / 3 probe" in out
    assert "Capital letters are left out." in printed["errors"]
    assert re.search(r"spelling +2 original / 3 probe", printed["info"])


@pytest.mark.slow
def test_rows_of_a_new_task_are_loaded_and_generated(printed, folder):
    rows = ast.literal_eval(printed["rows"].strip())
    assert [row["answer"] for row in rows["probe"]] == ["b l u e", "p u r p l e", "o r a n g e"]
    assert rows["original"][1] == {
        "id": "spelling-original-1", "prompt": "Spell green.", "completion": "g r e e n", "answer": "g r e e n"
    }  # fmt: skip
    generated = [json.loads(line)["prompt"] for line in (folder / "more.jsonl").read_text().splitlines()]
    assert generated == ["Spell orange.", "Spell red.", "Spell green."]


def test_a_new_task_is_a_config_of_the_metric(printed):
    scores = ast.literal_eval(printed["metric"].strip())
    assert scores["accuracy"] == 0.5 and scores["confidence_intervals"]["accuracy"][0] <= 0.5
    assert scores["signature"] == "spelling|version:1.0.0|bs:10|seed:20260|unit:item"


def test_predictions_for_a_new_task_are_scored(printed, folder):
    out = printed["score run/spelling-probe.jsonl --baseline silent --out scores.json"]
    assert "spelling, probe: run, silent" in out  # the folder's name: the file's says only the test set
    assert re.search(r"run +│ +3 │ +33\.3", out) and re.search(r"silent +│ +3 │ +0\.0", out)
    assert "signature: spelling|version:1.0.0|config:spelling|split:probe|items:" in " ".join(out.split())
    scores = json.loads((folder / "scores.json").read_text())
    assert scores["settings"]["config"] == "spelling" and scores["systems"][0]["scores"]["accuracy"] == 1 / 3

    markdown = printed["score run/spelling-probe.jsonl --baseline silent --format markdown --per-item items.jsonl"]
    assert re.search(r"\| run \| 3 \| 33\.3", markdown)
    (first, *_) = map(json.loads, (folder / "items.jsonl").read_text().splitlines())
    assert first == {"id": "spelling-probe-0", "system": "run", "right": 1}
    assert "accuracy 16.7 ± 23.6 (2 runs) a" in printed["score a=run/spelling-probe.jsonl a=run/2.jsonl --brief"]


def test_a_report_has_tables_of_a_new_task(printed, folder):
    out = printed["report run/spelling-probe.jsonl --baseline silent --errors --out tables"]
    assert re.search(r"run +│ +3 │ +33\.3", out)
    assert "Table 7" not in out and "Source paper" not in out
    assert (folder / "tables" / "scores" / "run" / "spelling-probe.json").exists()


def test_an_item_of_a_new_task_is_shown(printed):
    shown = printed["show spelling-probe-1 --predictions run/spelling-probe.jsonl"].split("\n")
    assert shown[:3] == ["spelling-probe-1 spelling, probe", "prompt", "Spell purple."]
    assert shown[shown.index("run") + 1] == "p u r p l"  # cut off, as in the file


def test_a_new_task_is_published(printed):
    out = printed["push --repo-id USER/words --spelling --dry-run"]
    assert re.search(r"data/spelling/probe-00000-of-00001\.parquet +│ +3 │", out) and "README.md" in out


@pytest.mark.slow
def test_a_new_task_is_trained_and_predicted(printed, folder):
    pytest.importorskip("torch", reason="needs the extra training")
    run(TRAIN, folder)
    answers = [json.loads(line) for line in (folder / "answers.jsonl").read_text().splitlines()]
    assert sorted(answer["id"] for answer in answers) == [f"spelling-probe-{index}" for index in range(3)]
    assert json.loads((folder / "answers.jsonl.settings.json").read_text())["task"] == "spelling"
