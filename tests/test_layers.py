"""The structure of the project: imports point up the layers, names stay out of each other's way, examples run."""

import ast
import doctest
import importlib
import pkgutil
import sys
from pathlib import Path

import pytest
from paths import ROOT

FOLDERS = {"bap_v2_metric": "bap_v2_metric", "bap_v2_simulators": "simulators", "bap_v2_dataset": "bap_v2_dataset",
           "bap_v2_training": "training"}  # fmt: skip
LAYERS = list(FOLDERS)
NO_EXAMPLES = ("bap_v2_metric.bap_v2", "bap_v2_metric.app")
EXTRAS = {  # modules that need a package of an extra
    "bap_v2_dataset.generation.cluster": "datatrove",
    "bap_v2_dataset.evaluation.plots": "matplotlib",
    "bap_v2_dataset.pictures.figure": "matplotlib",
    "bap_v2_dataset.pictures.page": "plotly",
    "bap_v2_dataset.pictures.replay": "plotly",
    "bap_v2_dataset.explorer.handlers": "gradio",
    "bap_v2_dataset.explorer.layout": "gradio",
    "bap_v2_dataset.explorer.page": "gradio",
    "bap_v2_dataset.explorer.panels": "gradio",
}
SPACE_FILES = ("bap_v2.py", "app.py")  # may use evaluate, datasets and gradio


def imported_packages(path: Path) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names.add(node.module.split(".")[0])
    return names


@pytest.mark.parametrize("package", LAYERS)
def test_imports_point_to_a_layer_above(package):
    allowed = set(LAYERS[: LAYERS.index(package) + 1])
    for path in (ROOT / FOLDERS[package]).rglob("*.py"):
        assert imported_packages(path) & set(LAYERS) <= allowed, path


def test_the_metric_kernel_imports_only_the_standard_library():
    for path in (ROOT / "bap_v2_metric").glob("*.py"):
        if path.name not in SPACE_FILES:
            assert imported_packages(path) <= set(sys.stdlib_module_names), path


def test_the_metric_script_imports_every_sibling_that_evaluate_must_copy():
    # evaluate copies only what the script itself imports, and reads the import lines with a regular expression.
    from evaluate.loading import get_imports

    script = ROOT / "bap_v2_metric" / "bap_v2.py"
    page = {"app", "board_figure", "cubes", "drawing"}
    siblings = {path.stem for path in script.parent.glob("*.py")} - {"__init__", "bap_v2", *page}
    assert {name for kind, name, *_ in get_imports(str(script)) if kind == "internal"} == siblings


def test_nothing_in_the_project_is_called_bap_v2():
    # A directory of that name in the working directory would shadow load_dataset("bap_v2").
    assert not (ROOT / "bap_v2").exists()


def modules():
    # Training scripts import torch and have no examples of their own.
    for package in LAYERS[:3]:
        module = importlib.import_module(package)
        yield package
        for found in pkgutil.walk_packages(module.__path__, f"{package}."):
            if found.name not in NO_EXAMPLES and not found.name.startswith("bap_v2_dataset.cli"):
                yield found.name


@pytest.mark.parametrize("name", list(modules()))
def test_the_examples_in_docstrings_run(name):
    if name in EXTRAS:
        pytest.importorskip(EXTRAS[name], reason="its extra is not installed")
    assert doctest.testmod(importlib.import_module(name)).failed == 0
