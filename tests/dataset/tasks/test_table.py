"""The table of tasks: all that it names exists, and one entry is all that a new task needs besides its room."""

import ast
import json
import os
import re
import subprocess
import sys
from dataclasses import fields

import pytest
import toy_task
from paths import GOLDEN, ROOT

from bap_v2_dataset.loading.builder import BapV2
from bap_v2_dataset.loading.sampling import SOURCES
from bap_v2_dataset.tasks.building.paper import JOINT
from bap_v2_dataset.tasks.building.task import CONFIGS
from bap_v2_dataset.tasks.table import HUMAN_CONFIGS, TASKS, all_configs, task_of
from bap_v2_metric.tasks import SCORERS
from bap_v2_simulators.corpora import SIMULATORS, SIZES

FUNCTIONS = (
    "description", "info", "shards", "depends_on", "split_of_id", "labels", "score_table", "tables", "error_bins",
    "own_row", "score_tables", "item_record", "scored_split", "scored_predictions", "paired_test", "comparison",
    "remarks", "generated",
)  # fmt: skip


def test_the_configs_of_building_are_the_human_ones_the_simulators_and_their_union():
    assert ("mdc_v2", "mdc", *SIMULATORS, "all") == CONFIGS
    assert HUMAN_CONFIGS == ("mdc_v2", "mdc", "all", "robust_mdc_v2")
    assert set(SOURCES) == set(JOINT)  # the joint corpus has the parts of the paper's
    assert [config.name for config in BapV2.BUILDER_CONFIGS] == list(all_configs())
    for name in SIMULATORS:
        assert all_configs()[name].splits == tuple(SIZES[name])


def test_published_configs_have_the_splits_of_the_table():
    digests = json.loads((GOLDEN / "published_digests.json").read_text())
    splits = {name: tuple(of_config) for name, of_config in digests.items()}
    assert splits == {name: config.splits for name, config in TASKS["bap"].configs.items()}


@pytest.mark.parametrize("task", TASKS.values(), ids=TASKS)
def test_all_that_the_table_names_exists(task):
    assert task.scorer in SCORERS
    assert {field.name for field in fields(task)} == {
        *FUNCTIONS,
        "configs",
        "scorer",
        "headline",
        "baselines",
        "own_columns",
        "reported",
        "setup_option",
        "units",
    }
    for name in (*(getattr(task, function) for function in FUNCTIONS), *task.baselines.values()):
        assert not name or callable(part(name)), name
    assert all(callable(part(name)) for name in task.units.values())


def test_every_config_belongs_to_one_task():
    names = [name for task in TASKS.values() for name in task.configs]
    assert len(set(names)) == len(names)
    assert task_of("dss") is TASKS["bap"] and task_of("nothing") is None


def test_columns_and_references_are_those_of_the_task():
    for name in set(all_configs()) - {"plancraft_oracle"}:  # dialogues to learn from: nothing is scored on them
        columns = part(task_of(name).info)(name).features
        scorer = SCORERS[task_of(name).scorer]
        of_metadata = {"parent", "family", "variant", "transform"} if scorer is SCORERS["robust"] else set()
        assert set(scorer.reference) - of_metadata <= set(columns)


# --- A task that is nothing but an entry. In a process of its own: `datasets` asks a builder once which configs it has.
PROGRAM = """
import toy_task
from bap_v2_dataset.tasks.table import TASKS
from bap_v2_metric.tasks import SCORERS

TASKS["spelling"], SCORERS["spelling"] = toy_task.TASK, toy_task.SCORER

import datasets
from bap_v2_dataset import cli

cli.app(["setup", "--config", "spelling", "--num-proc", "2"], standalone_mode=False)
print("\f")
rows = datasets.load_dataset("bap_v2", "spelling")
print({split: rows[split].to_list() for split in rows}, "\f")
options = ["run/spelling-probe.jsonl", "--baseline", "silent"]
cli.app(["score", *options, "--json", "scores.json"], standalone_mode=False)
print("\f")
cli.app(["report", *options, "--errors", "--out", "tables"], standalone_mode=False)
print("\f")
cli.app(["score", *options, "--format", "markdown", "--per-item", "items.jsonl"], standalone_mode=False)
cli.app(["score", f"a={options[0]}", "a=run/2.jsonl", "--brief"], standalone_mode=False)
"""


def test_a_new_task_needs_no_other_change(tmp_path):
    """Setup, load_dataset, score and report, with other columns, splits, scores and tables."""
    predictions = [
        {"id": f"spelling-probe-{index}", "prediction": " ".join(word)[:9]}
        for index, word in enumerate(toy_task.WORDS["probe"])
    ]
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "spelling-probe.jsonl").write_text("\n".join(map(json.dumps, predictions)))
    (tmp_path / "run" / "2.jsonl").write_text(json.dumps({each["id"]: "" for each in predictions}))
    environment = {**os.environ, "HF_HOME": str(tmp_path / "home"), "BAP_V2_MDC": "", "COLUMNS": "200"}
    environment["PYTHONPATH"] = str(ROOT / "tests" / "support")
    command = [sys.executable, "-c", PROGRAM]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    set_up, loaded, scored, reported, others = done.stdout.split("\f")

    assert "2 original / 3 probe" in set_up
    rows = ast.literal_eval(loaded.strip())
    assert [row["answer"] for row in rows["probe"]] == ["b l u e", "p u r p l e", "o r a n g e"]
    assert rows["original"][1] == {"id": "spelling-original-1", "question": "Spell green.", "answer": "g r e e n"}

    assert "spelling, probe: run, silent" in scored  # the folder's name: the file's says only the test set
    assert "run: 33% spelled right" in scored and "silent: 0% spelled right" in scored
    assert "signature: spelling|version:1.0.0|bs:1000|seed:20260" in scored
    scores = json.loads((tmp_path / "scores.json").read_text())
    assert scores["settings"]["config"] == "spelling" and scores["systems"][0]["scores"]["accuracy"] == 1 / 3

    assert "Spelling: accuracy" in reported and re.search(r"spelling probe +│ run +│ +33\.3", reported)
    assert "Table 7" not in reported and "Source paper" not in reported
    assert (tmp_path / "tables" / "scores" / "run" / "spelling-probe.json").exists()

    assert "| spelling probe | run | 33.3 |" in others and "accuracy 16.7 ± 23.6 (2 runs) a" in others
    (first, *_) = map(json.loads, (tmp_path / "items.jsonl").read_text().splitlines())
    assert first == {"id": "spelling-probe-0", "system": "run", "right": True}
