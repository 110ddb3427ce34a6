"""benchmarks/gpu.py in small, on a CPU: each row runs, or lacks what only a GPU has."""

import json
import subprocess
import sys

import pytest
from datasets import load_from_disk
from paths import ROOT

sys.path.append(str(ROOT / "benchmarks"))
import gpu

ONLY_ON_A_GPU = ("flash-attn", "torch_varlen", "flex_attention")


@pytest.mark.slow
def test_each_row_of_the_benchmark_runs_in_small(data, tmp_path):
    load_from_disk(data)["train"].to_json(tmp_path / "items.jsonl")
    # In a process of its own: compilers leave another os.environ behind.
    files = ["--items", tmp_path / "items.jsonl", "--out", tmp_path / "gpu.jsonl"]
    command = [sys.executable, gpu.__file__, "--small", *files]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    rows = {(line := json.loads(text)).get("row"): line for text in (tmp_path / "gpu.jsonl").read_text().splitlines()}
    parts = (*gpu.TRAININGS.values(), gpu.TOKENIZING, gpu.ANSWERS)
    assert rows.pop(None)["small"] and rows.keys() == {name for part in parts for name in part}
    failed = {name: row["error"] for name, row in rows.items() if "error" in row}
    assert all(any(part in name for part in ONLY_ON_A_GPU) == (name in failed) for name in rows), failed
    assert all(row["tokens_per_second"] > 0 for name, row in rows.items() if name not in failed)


def test_a_row_that_fails_or_takes_too_long_says_so_and_the_next_begins():
    def measure(seconds: float, until: float) -> dict:
        gpu.time.sleep(seconds)
        raise ValueError("two\nlines")

    gpu.signal.signal(gpu.signal.SIGALRM, gpu.stop)
    assert gpu.measured(measure, 0.0, 60)["error"] == "ValueError: two lines"
    assert gpu.measured(measure, 60.0, 0.05)["error"].startswith("TimeoutError: not done")
    assert gpu.measured(lambda *_: {"tokens_per_second": 2.0}, None, 60) == {"tokens_per_second": 2.0}


def test_cards_are_known_by_the_names_that_drivers_give():
    names = {"NVIDIA H100 80GB HBM3": 989, "NVIDIA H100 PCIe": 756, "NVIDIA A100-SXM4-80GB": 312, "NVIDIA L4": 121,
             "Tesla T4": 65, "NVIDIA GeForce RTX 4090": 165, "NVIDIA L40S": None}  # fmt: skip
    assert {name: gpu.peak_of(name) for name in names} == names
