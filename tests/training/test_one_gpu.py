"""One process takes one GPU. Only the number of GPUs is made up: there need not be one here."""

import os
import subprocess
import sys

import pytest
import torch
from paths import ROOT

from bap_v2_training.one_gpu import take_one_gpu


@pytest.mark.parametrize(
    ("gpus", "environment", "visible"),
    [
        (8, {}, "0"),
        (1, {}, None),
        (0, {}, None),
        (8, {"CUDA_VISIBLE_DEVICES": "5"}, "5"),
        (4, {"CUDA_VISIBLE_DEVICES": "2,3,5,7"}, "2"),
        (2, {"CUDA_VISIBLE_DEVICES": "GPU-a,GPU-b"}, "GPU-a"),
        (2, {"CUDA_VISIBLE_DEVICES": "0,1", "WORLD_SIZE": "2"}, "0,1"),
        (8, {"WORLD_SIZE": "8", "LOCAL_RANK": "3"}, None),
    ],
)
def test_only_one_process_with_several_gpus_has_to_choose(monkeypatch, capsys, gpus, environment, visible):
    monkeypatch.setattr(torch.cuda, "device_count", lambda: gpus)
    for name in ("CUDA_VISIBLE_DEVICES", "WORLD_SIZE", "LOCAL_RANK"):
        monkeypatch.setenv(name, "")  # so that what the call sets is removed afterwards
        monkeypatch.delenv(name)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    take_one_gpu()
    assert os.environ.get("CUDA_VISIBLE_DEVICES") == visible
    chosen = visible is not None and visible != environment.get("CUDA_VISIBLE_DEVICES")
    assert (f"one process, {gpus} GPUs: the first one is used" in capsys.readouterr().out) == chosen


EIGHT_GPUS = """
import os, sys
import torch

def is_available():  # the first question that starts CUDA: what it would see
    if sys.argv[0].endswith("train_sft.py"):
        with open(os.environ["ASKED"], "a") as asked:
            asked.write(os.environ.get("CUDA_VISIBLE_DEVICES", "all") + "\\n")
    return False

torch.cuda.device_count, torch.cuda.is_available = lambda: 8, is_available
"""


@pytest.mark.slow
def test_the_gpu_is_chosen_before_any_library_starts_cuda(tmp_path):
    (tmp_path / "sitecustomize.py").write_text(EIGHT_GPUS)
    environment = os.environ | {"PYTHONPATH": str(tmp_path), "ASKED": str(tmp_path / "asked"), "OMP_NUM_THREADS": "1"}
    for name in ("CUDA_VISIBLE_DEVICES", "WORLD_SIZE", "LOCAL_RANK"):
        environment.pop(name, None)
    config = ["--config_file", str(ROOT / "training" / "accelerate" / "one_gpu.yaml")]
    script = str(ROOT / "training" / "train_sft.py")
    command = [sys.executable, "-m", "accelerate.commands.launch", *config, script, "--config", "missing.yaml"]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert "missing.yaml" in done.stderr, done.stderr[-3000:]
    assert "one process, 8 GPUs" in done.stdout
    assert set((tmp_path / "asked").read_text().split()) == {"0"}
