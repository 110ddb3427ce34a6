"""The folder of the metric as its Space has it: alone, under another name, with nothing else of the project."""

import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from browser import served

import bap_v2_metric

# What is installed where the tests run and not in the Space, which has only its requirements.
PROJECT = ("bap_v2_dataset", "bap_v2_simulators", "bap_v2_training")
ABSENT = (*PROJECT, "datasets", "evaluate", "matplotlib", "plotly", "torch")


@contextmanager
def served_alone(empty: Path) -> Iterator[str]:
    """The address of the page of a copy of the folder in an empty one."""
    folder = empty / "my metric.v2"
    shutil.copytree(Path(bap_v2_metric.__file__).parent, folder, ignore=shutil.ignore_patterns("__pycache__"))
    (empty / "sitecustomize.py").write_text(f"import sys\nsys.modules.update(dict.fromkeys({ABSENT!r}))\n")
    env = {"PYTHONPATH": str(empty), "GRADIO_SERVER_NAME": "127.0.0.1", "GRADIO_TEMP_DIR": str(empty / "files")}
    with served(sys.executable, "app.py", cwd=folder, env=env) as address:
        yield address
