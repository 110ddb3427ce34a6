"""The comparison of the paper's inputs, in very small."""

import os
import subprocess
import sys
from pathlib import Path

import orjson
import pytest
from in_process import use_home
from paths import ROOT

pytest.importorskip("trl", reason="the training extra is not installed")
pytest.importorskip("matplotlib", reason="the extra `report` is not installed")

from bap_v2_dataset.loading import install
from bap_v2_simulators.corpora import SIZES

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


def compared(home: Path, out: Path, *options: str) -> subprocess.CompletedProcess:
    env = os.environ | {"HF_HOME": str(home), "BAP_V2_MDC": "", "HF_HUB_OFFLINE": "1", "COLUMNS": "200"}
    command = [sys.executable, str(SCRIPT), "--out", str(out), *SMALL, *PLAIN, *options]
    return subprocess.run(command, capture_output=True, text=True, env=env, check=False)


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

    (out / "n_posb" / "dss.jsonl").unlink()
    kept = [out / "n" / "model.safetensors", out / "n" / "dss.jsonl", out / "n_posb" / "model.safetensors"]
    before = [path.stat().st_mtime_ns for path in kept]
    again = compared(home, out)
    assert again.returncode == 0, again.stdout + again.stderr
    assert [path.stat().st_mtime_ns for path in kept] == before, "what was done is done again"
    assert len((out / "n_posb" / "dss.jsonl").read_text().splitlines()) == 4


@pytest.mark.slow
def test_a_step_that_fails_is_named_with_the_end_of_its_log(home, tmp_path):
    done = compared(home, tmp_path / "inputs", "--set", "learning_rat=1")
    assert done.returncode == 1
    assert "learning_rat" in done.stderr and "train.log ends" in done.stderr
