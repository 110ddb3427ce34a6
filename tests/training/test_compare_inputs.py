"""The comparison of the paper's inputs, at very small scale."""

import os
import subprocess
import sys
from pathlib import Path

import orjson
import pytest
from in_process import use_home
from paths import ROOT
from rich.progress import Progress

pytest.importorskip("trl", reason="the training extra is not installed")
pytest.importorskip("matplotlib", reason="the extra `report` is not installed")

from bap_v2_dataset.loading import install
from bap_v2_metric.errors import UserError
from bap_v2_simulators.corpora import SIZES
from bap_v2_training import compare_inputs

SCRIPT = ROOT / "training" / "compare_inputs.py"
SMALL = ["--items", "60", "--max-test-items", "4", "--test", "dss"]
PLAIN = ["--set", "torch_compile=false", "--set", "logging_steps=1"]  # to compile would take longer than to train


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """An HF_HOME in which dss is set up with few items."""
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        use_home(patch, home)
        patch.setitem(SIZES, "dss", {"train": 10, "validation": 10, "test": 10})
        install.install_dataset("dss")
    return home


def environment(home: Path) -> dict[str, str]:
    return {"HF_HOME": str(home), "BAP_V2_MDC": "", "HF_HUB_OFFLINE": "1", "COLUMNS": "200"}


def compared(home: Path, out: Path, *options: str) -> subprocess.CompletedProcess:
    command = [sys.executable, str(SCRIPT), "--out", str(out), *SMALL, *PLAIN, *options]
    return subprocess.run(command, capture_output=True, text=True, env=os.environ | environment(home), check=False)


@pytest.mark.slow
def test_three_inputs_are_learned_from_the_same_items_and_compared(home, tmp_path):
    out = tmp_path / "inputs"
    done = compared(home, out)
    assert done.returncode == 0, done.stdout + done.stderr
    runs = {name: orjson.loads((out / name / "training_run.json").read_bytes()) for name in ("n", "n_posb", "n_posb_s")}
    for name, run in runs.items():
        assert run["representation"] == name
        assert run["train"]["sources"] == {"dr": 24, "dsb": 24, "dss": 12}
        assert run["train"]["too_long_left_out"] == 0
    assert len({run["steps"] for run in runs.values()}) == 1
    assert len({run["train"]["sha256"] for run in runs.values()}) == 3, "the inputs do not differ"
    report = (out / "report" / "report.md").read_text()
    assert all(f"| {name} |" in report for name in ("N", "N+PosB", "N+PosB+S"))
    assert (out / "report" / "curves.png").stat().st_size > 5000

    # The same again for one input, of which some answers are missing: only those are written, and nothing is trained.
    folder, answers = out / "n_posb", out / "n_posb" / "dss.jsonl"
    lines = answers.read_text().splitlines(keepends=True)
    assert len(lines) == 4
    answers.write_text("".join(lines[:2]))
    before = (folder / "model.safetensors").stat().st_mtime_ns
    trained_again = [sys.executable, "-c", "raise SystemExit('it is trained again')"]
    predictions = {"dss": compare_inputs.prediction_command(folder, "dss", 4, 256)}
    with Progress(disable=True) as progress:
        compare_inputs.train_and_test("N+PosB", folder, trained_again, predictions, environment(home), progress)
    assert (folder / "model.safetensors").stat().st_mtime_ns == before
    assert answers.read_text() == "".join(lines)
    assert "2 of 4 items to answer" in (folder / "dss.log").read_text()


def test_a_step_that_fails_is_named_with_the_end_of_its_log(tmp_path):
    command = [sys.executable, "-c", "print('there is no setting learning_rat'); raise SystemExit(3)"]
    with Progress(disable=True) as progress, pytest.raises(UserError) as raised:
        compare_inputs.run_step(command, tmp_path / "n" / "train.log", {}, progress, progress.add_task("N: learns"))
    assert "ended with 3" in str(raised.value) and "learning_rat" in str(raised.value)
    assert "train.log ends" in str(raised.value)
