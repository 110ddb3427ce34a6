"""What is put into the Spaces of the explorer and of full games: their page, and our packages, which run there."""

import subprocess
import sys
from pathlib import Path

import pytest

from bap_v2_dataset.publishing.hub import Repository
from bap_v2_dataset.publishing.spaces import explorer_of, games_of

SPACE = Repository("tester/look", "space")
LOOKS = """
import importlib, pkgutil
from bap_v2_dataset import explorer
from bap_v2_dataset.interface.table import TASKS

assert explorer.__file__.startswith({folder!r}), explorer.__file__
for module in pkgutil.walk_packages(explorer.__path__, explorer.__name__ + "."):
    importlib.import_module(module.name)
for task in TASKS.values():
    task.dataset, task.scores
"""


@pytest.mark.parametrize("publication", [explorer_of(SPACE, "tester/bap_v2"), games_of(SPACE)])
def test_a_space_holds_its_page_and_our_packages(publication):
    paths = {file.path for file in publication.files_beside(None)}
    assert {"README.md", "app.py", "requirements.txt", "LICENSE"} <= paths
    assert {path.partition("/")[0] for path in paths if "/" in path} == {
        "bap_v2_dataset", "bap_v2_metric", "bap_v2_simulators"
    }  # fmt: skip
    left_out = ("bap_v2_dataset/data/", "bap_v2_dataset/cli/")
    assert not [path for path in paths if path.startswith(left_out) or path.endswith(".pyc")]


@pytest.mark.slow
def test_the_packages_in_a_space_need_nothing_that_is_left_out(tmp_path):
    pytest.importorskip("gradio", reason="the explore extra is not installed")
    for file in explorer_of(SPACE, "tester/bap_v2").files_beside(None):
        path = tmp_path / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(file.content.read_bytes() if isinstance(file.content, Path) else file.content)
    command = [sys.executable, "-c", LOOKS.format(folder=str(tmp_path))]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
