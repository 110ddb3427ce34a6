"""Studies: what a file may say, runs that are kept and resumed, and tables that say what was measured."""

import json
import os
import subprocess
import sys
from itertools import islice
from pathlib import Path

import pytest
import yaml
from rich.console import Console
from typer.testing import CliRunner

pytest.importorskip("matplotlib", reason="the extra `report` is not installed")

import study as study_script
from killed_trainings import killed_after
from paths import ROOT
from studies import run as one_run
from studies import running
from studies.plan import Study, checked_settings, load_studies, run_folder, run_settings
from studies.results import items_of, results_of
from studies.tables import as_json, drawn, markdown

from bap_v2_dataset.items.item import items
from bap_v2_dataset.items.rows import row
from bap_v2_metric.errors import UserError
from bap_v2_metric.scoring import score
from bap_v2_simulators.corpora import simulator_of
from bap_v2_simulators.simulation import play
from bap_v2_training import train_pointer
from bap_v2_training.errors import UsageError

STUDIES = sorted((ROOT / "tools" / "studies").glob("*.yaml"))
SMALL = {
    "mix": {"dsb": 1.0}, "vocabulary_items": 20, "chunk_items": 32, "max_steps": 4, "save_steps": 2, "logging_steps": 1,
    "model": {"hidden_size": 32, "intermediate_size": 64, "encoder_layers": 1, "decoder_layers": 1,
              "attention_heads": 2, "max_actions": 3},
    "per_device_train_batch_size": 8, "bf16": True, "report_to": "none",
}  # fmt: skip


@pytest.fixture
def write(tmp_path):
    """Writes a study of two arms and one small test set with these changes, and returns its path."""
    played = (item for index in range(9) for item in items(play(simulator_of("dsb"), "validation", index, seed=9)))
    rows = [row(item) for item in islice(played, 12)]
    (tmp_path / "few.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (tmp_path / "base.yaml").write_text(yaml.safe_dump({**SMALL, "output_dir": "elsewhere", "seed": 7}))

    def written(**changes) -> Path:
        plan = {
            "title": "Small", "question": "Does it work?", "base": "base.yaml", "seeds": [1, 2],
            "arms": {"all": {}, "no history": {"features": {"history": False}}},
            "tests": {"own": [str(tmp_path / "few.jsonl")]},
        }  # fmt: skip
        path = tmp_path / "small.yaml"
        path.write_text(yaml.safe_dump({**plan, **changes}, sort_keys=False))
        return path

    return written


def load_study(*arguments) -> Study:
    """The one study of a file without `configs`."""
    (study,) = load_studies(*arguments)
    return study


def broken(write, **changes) -> str:
    with pytest.raises(UsageError) as raised:
        load_study(write(**changes))
    return str(raised.value)


# --- What a file may say


def test_a_study_that_cannot_work_says_where_before_anything_is_trained(write):
    assert "arm 'typo': there is no setting featurs" in broken(write, arms={"all": {}, "typo": {"featurs": {}}})
    said = broken(write, arms={"all": {}, "blind": {"features": {"pose": False}}})
    assert "arm 'blind'" in said and "frame: world" in said
    assert "unknown source 'dsbb'" in broken(write, arms={"all": {}, "typo": {"mix": {"dsbb": 1}}})
    assert "'late' comes after 'first', which is not" in broken(write, arms={"all": {}, "late": {"after": "first"}})
    assert "init_from is set by the study" in broken(write, arms={"all": {}, "own": {"init_from": "runs/x"}})
    assert "the same folder" in broken(write, arms={"a b": {}, "a_b": {}})
    assert "at least two arms" in broken(write, arms={"all": {}, "first": {"stage": True}})
    assert "did you mean arms?" in broken(write, arm={})
    assert "says nothing about seeds" in broken(write, seeds=[])
    assert "different whole numbers" in broken(write, seeds=[1, 1])
    assert "has no x for the axis 'items'" in broken(write, axis="items")
    assert "did you mean neb_fairer?" in broken(write, measure="neb_fair")
    assert "arm 'all' says no max_steps" in broken(write, settings={"max_steps": -1})
    assert "did you mean train_sft?" in broken(write, trainer="train_stf")
    assert "expected settings, not 3" in broken(write, arms={"all": {}, "number": 3})
    with pytest.raises(UsageError, match=r"no study nonsense \(.*inputs"):
        load_study(Path("nonsense"))
    with pytest.raises(UsageError, match="NAME=VALUE"):
        checked_settings(["max_steps"])


def test_settings_of_the_command_line_are_those_of_all_arms(write):
    study = load_study(write(), checked_settings(["max_steps=9", "mix={dsb: 0.5, dr: 0.5}"]), [5])
    assert study.seeds == (5,) and {arm.settings["max_steps"] for arm in study.arms} == {9}
    assert study.arms[0].settings["mix"] == {"dsb": 0.5, "dr": 0.5}


@pytest.fixture
def write_language(write, tmp_path):
    """The same for a study of language models, which learn the few items of its test set."""
    new = {"vocab_size": 400, "hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 1,
           "num_attention_heads": 2, "num_key_value_heads": 2, "max_position_embeddings": 2048}  # fmt: skip
    base = {"dataset_path": str(tmp_path / "few.jsonl"), "representation": "n", "max_length": 1024, "new_model": new,
            "max_steps": 2, "per_device_train_batch_size": 3, "save_strategy": "no", "report_to": "none",
            "activation_checkpointing": False, "output_dir": "elsewhere"}  # fmt: skip

    def written(**changes) -> Path:
        arms = {"ego": {"representation": "ego"}, "n": {}}
        options = {"max_new_tokens": 8, "batch_size": 6}
        path = write(**{"trainer": "train_sft", "predict": options, "arms": arms, **changes})
        (tmp_path / "base.yaml").write_text(yaml.safe_dump(base))
        return path

    return written


def test_a_language_model_that_comes_after_another_is_not_a_new_one(write_language):
    arms = {"n": {}, "first": {"stage": True}, "then": {"after": "first", "representation": "ego"}}
    study = load_study(write_language(arms=arms))
    settings = run_settings(study, study.arms[2], 2, Path("runs"))
    assert settings["model_name_or_path"] == "runs/first/seed-2" and "new_model" not in settings
    tokenized = {"tokenizer_pieces": "sentences", "tokenizer_configs": "dsb:ego"}  # of the first model, not of this one
    study = load_study(write_language(arms=arms, settings=tokenized))
    assert not tokenized.keys() & run_settings(study, study.arms[2], 2, Path("runs")).keys()
    assert tokenized.items() <= run_settings(study, study.arms[1], 2, Path("runs")).items()
    lora = {"n": {"use_peft": True}, "then": {"after": "n", "use_peft": True}}
    assert "comes after an adapter" in broken(write_language, arms=lora)
    named = {"after": "n", "model_name_or_path": "mine"}
    assert "model_name_or_path is set by the study" in broken(write_language, arms={"n": {}, "then": named})


def test_an_arm_that_comes_after_another_starts_from_its_model_of_the_same_seed(write):
    arms = {"all": {}, "first": {"stage": True}, "then": {"after": "first"}}
    study = load_study(write(arms=arms))
    out = Path("runs")
    settings = run_settings(study, study.arms[2], 2, out)
    assert settings["init_from"] == str(run_folder(out, study.arms[1], 2)) == "runs/first/seed-2"
    assert "model" not in settings and settings["seed"] == 2 and settings["output_dir"] == "runs/then/seed-2"
    assert [arm.name for arm in study.compared] == ["all", "then"]


def test_the_command_says_what_is_wrong_in_a_sentence(write, tmp_path):
    path = write(arms={"all": {}, "typo": {"featurs": {}}})
    done = CliRunner().invoke(study_script.app, [str(path), "--out", str(tmp_path / "out")])
    assert done.exit_code == 1 and "study.py: " in done.output and "arm 'typo': there is no setting" in done.output
    assert not (tmp_path / "out").exists()


def test_every_study_is_explained():
    text = (ROOT / "docs" / "studies.md").read_text(encoding="utf-8")
    assert [path.name for path in STUDIES if f"`{path.name}`" not in text] == []


# --- Runs


@pytest.fixture
def stand_in(monkeypatch, tmp_path):
    """Runs that only write the files of a run; `tmp_path/fail` names the folder of one that fails."""
    script = tmp_path / "stand_in.py"
    script.write_text(
        "import json, sys, time\n"
        "from pathlib import Path\n"
        "folder, fail = Path(sys.argv[1]), Path(__file__).with_name('fail')\n"
        "print('  50%| 2/4 [00:01<00:01]', flush=True)\n"
        "if fail.exists() and fail.read_text() in str(folder):\n"
        "    time.sleep(float(sys.argv[2])); sys.exit('no such thing: featurs')\n"
        "with Path(__file__).with_name('order').open('a') as order:\n"
        "    order.write(f'{folder.parent.name}/{folder.name}\\n')\n"
        "(folder / sys.argv[3]).write_text('{}\\n' * 12)\n"
        "(folder / 'training_run.json').write_text('{}')\n"
    )

    def started(run, study):
        with run.log.open("wb") as log:
            command = [sys.executable, str(script), str(run.folder), "0.1", study.test_sets[0].file_name]
            return subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT)

    monkeypatch.setattr(running, "_started", started)
    monkeypatch.setattr(running, "_SECONDS", 0.02)
    return lambda: (tmp_path / "order").read_text().split() if (tmp_path / "order").exists() else []


def run_all(study, out: Path, jobs: int = 1) -> None:
    with open(os.devnull, "w") as nowhere:
        running.run_all(study, out, {study.test_sets[0].name: 12}, jobs, Console(file=nowhere))


def test_what_is_finished_is_kept_and_a_failure_names_its_arm(write, stand_in, tmp_path):
    study = load_study(write())
    study_runs = ["all/seed-1", "no_history/seed-1", "all/seed-2", "no_history/seed-2"]
    (tmp_path / "fail").write_text("no_history/seed-1")
    with pytest.raises(UserError, match=r"(?s)no history, seed 1 ended with 1; .*no such thing: featurs"):
        run_all(study, tmp_path / "out")
    assert stand_in() == study_runs[:1]
    (tmp_path / "fail").unlink()
    run_all(study, tmp_path / "out")
    assert stand_in() == study_runs  # the first was not done again
    (tmp_path / "out" / "all" / "seed-2" / study.test_sets[0].file_name).write_text("{}\n" * 11)  # an answer is missing
    run_all(study, tmp_path / "out")
    assert stand_in() == [*study_runs, "all/seed-2"]
    file = tmp_path / "out" / "all" / "seed-2" / study.test_sets[0].file_name
    file.with_name(f"{file.name}.settings.json").write_text('{"samples": 2}')
    with pytest.raises(UsageError, match=r"answered with samples 2, now 32: remove it"):
        run_all(load_study(write(predict={"samples": 32})), tmp_path / "out")
    with pytest.raises(UsageError, match=r"trained with another learning_rate \(None, now 0.1\)"):
        run_all(load_study(write(), {"learning_rate": 0.1}), tmp_path / "out")


@pytest.mark.parametrize("jobs", [1, 3])
def test_an_arm_waits_for_the_one_that_it_comes_after(write, stand_in, tmp_path, jobs):
    study = load_study(write(arms={"first": {"stage": True}, "all": {}, "then": {"after": "first"}}))
    run_all(study, tmp_path / "out", jobs)
    order = stand_in()
    assert sorted(order) == sorted(f"{arm}/seed-{seed}" for arm in ("first", "all", "then") for seed in (1, 2))
    assert all(order.index(f"first/seed-{seed}") < order.index(f"then/seed-{seed}") for seed in (1, 2))


# --- The whole, very small


@pytest.mark.slow
def test_a_run_that_is_killed_resumes_and_all_runs_end_in_tables(write, tmp_path):
    arms = {"short": {"x": 10}, "long": {"x": 100, "max_steps": 6}, "first": {"stage": True},
            "then": {"after": "first", "x": 50}}  # fmt: skip
    study = load_study(write(axis="actions", arms=arms))
    out = tmp_path / "out"

    # A kill after the first checkpoint
    first = running.runs_of(study, out)[0]
    running.prepare(first, run_settings(study, first.arm, first.seed, out))
    with killed_after(3, train_pointer.PointerTrainer):
        one_run.main(first.folder, study.trainer, study.test_sets)
    assert not (first.folder / "training_run.json").exists()

    # The rest
    tested = items_of(study.test_sets, None)
    for run in running.runs_of(study, out):
        running.prepare(run, run_settings(study, run.arm, run.seed, out))
        one_run.main(run.folder, study.trainer, [] if run.arm.stage else study.test_sets)
        assert running.finished(run, study, {name: len(one.ids) for name, one in tested.items()})
    record = json.loads((first.folder / "training_run.json").read_bytes())
    assert record["resumed_from"].endswith("checkpoint-2")
    assert json.loads((out / "then" / "seed-2" / "training_run.json").read_bytes())["seed"] == 2

    # The tables
    results = results_of(study, out, tested)
    text, numbers = markdown(results, "study.py small"), as_json(results)
    path = out / "long" / "seed-2" / study.test_sets[0].file_name
    answers = {line["id"]: line["prediction"] for line in map(json.loads, path.read_text().splitlines())}
    (one,) = tested.values()
    expected = score([answers[name] for name in one.ids], one.references)
    assert numbers["arms"]["long"]["headline"]["own"]["by_seed"][1] == pytest.approx(expected["neb_fairer_f1"])
    assert numbers["arms"]["long"]["overall"]["own"]["by_seed"][1] == pytest.approx(expected["fairer_f1"])
    assert numbers["comparisons"] == 2 and "2 comparisons" in text
    assert f"| long | {100 * numbers['arms']['long']['headline']['own']['value']:.1f} (" in text
    assert "| first (stage) | 4 | 32 | dsb new |" in text and "| long | 6 | 48 |" in text
    assert "difference from *short*" in text and "Does it work?" in text

    assert drawn(results)["png"].startswith(b"\x89PNG")
