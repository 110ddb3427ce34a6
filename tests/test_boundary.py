"""The core imports nothing of the rest: counted in fresh interpreters, with rows that are in the cache."""

import os
import subprocess
import sys

LISTED = 'print(*(name for name in sys.modules if name.startswith("bap_v2_")))'


def modules_after(code: str) -> list[str]:
    """Our modules that a fresh interpreter has imported after this code."""
    lines = f"import os, sys\n{code}\n{LISTED}"
    done = subprocess.run([sys.executable, "-c", lines], capture_output=True, text=True, env=os.environ, check=True)
    return done.stdout.splitlines()[-1].split()


def test_cached_rows_are_loaded_without_what_makes_them(tmp_path, monkeypatch):
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    code = (
        "import bap_v2_dataset, datasets\n"
        "from bap_v2_simulators.corpus_table import SIZES\n"
        'SIZES["dss"].update(train=4, validation=2, test=2)\n'
        'rows = datasets.load_dataset("bap_v2", "dss")\nassert len(rows["train"]) == 4'
    )
    made, cached = modules_after(code), modules_after(code)
    assert "bap_v2_simulators.simulation" in made
    assert len(cached) <= 70, cached  # 21 today
    assert not any(name.startswith("bap_v2_simulators.language") or ".tasks.gsu" in name for name in cached)


def test_training_is_imported_without_other_tasks_and_pages():
    imported = modules_after("import bap_v2_training.train_sft")
    assert "bap_v2_training.train_sft" in imported
    assert not [name for name in imported if any(room in name for room in ("explorer", "plancraft", "gsu"))]
