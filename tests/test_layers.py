"""The structure of the project: imports point up the layers and down the floors, all is packed, examples run."""

import ast
import doctest
import fnmatch
import graphlib
import importlib
import pkgutil
import re
import runpy
import sys
from pathlib import Path

import pytest
import setuptools
from paths import ROOT

from bap_v2_dataset.loading.install import PAGE_MODULES

FOLDERS = {"bap_v2_metric": "bap_v2_metric", "bap_v2_simulators": "simulators", "bap_v2_dataset": "bap_v2_dataset",
           "bap_v2_training": "training"}  # fmt: skip
LAYERS = list(FOLDERS)
# Rooms are the folders and the single modules of bap_v2_dataset; the other layers are one room each. From the ground:
FLOORS = (
    {"bap_v2_metric"},
    {"bap_v2_simulators"},
    {
        "paper",
        "paper_robustness",
        "sentences",
        "failures",
        "caches",
        "tasks",
        "frame",
        "ego",
        "prompts",
        "items",
        "rows",
        "features",
    },
    {"human", "labels", "augmentation", "baselines", "gsu", "plancraft", "architect", "pictures", "chat"},
    {"analysis", "generation", "predictions", "robustness", "harnesses"},
    {"loading"},
    {"evaluation"},
    {"leaderboard", "games"},
    {"publishing"},
    {"explorer"},
    {"api"},
    {"cli"},
    {"bap_v2_training"},
)
SPACE_FILES = ("bap_v2.py", "app.py")  # may use evaluate, datasets and gradio
BY_NAME = ("bap_v2_metric.bap_v2", "bap_v2_metric.app")  # run as a script and as a page: tests/metric
EXTRAS = {  # modules that need a package of an extra
    "bap_v2_dataset.games.environment": "gymnasium",
    "bap_v2_dataset.harnesses.inspect_tasks": "inspect_ai",
    "bap_v2_dataset.generation.cluster": "datatrove",
    "bap_v2_dataset.tasks.building.plots": "matplotlib",
    "bap_v2_dataset.tasks.building.pictures.animation": "matplotlib",
    "bap_v2_dataset.tasks.building.pictures.figure": "matplotlib",
    "bap_v2_dataset.pictures.figures": "matplotlib",
    **{
        f"bap_v2_dataset.pictures.gsu_{name}": "matplotlib"
        for name in ("figure", "labels", "panels", "scene_panel", "structure_panel", "walk_panel")
    },
    "bap_v2_dataset.tasks.building.pictures.page": "plotly",
    "bap_v2_dataset.tasks.building.pictures.replay": "plotly",
    "bap_v2_dataset.tasks.building.pictures.text_below": "matplotlib",
    "bap_v2_dataset.explorer.handlers": "gradio",
    "bap_v2_dataset.explorer.layout": "gradio",
    "bap_v2_dataset.explorer.page": "gradio",
    "bap_v2_dataset.explorer.panels": "gradio",
    "bap_v2_dataset.explorer.play_tab": "gradio",
}
STUDIES, LOG = ROOT / "training" / "studies", ROOT / "training" / "LOG.md"  # of the checkout alone
EXAMPLES = 75  # at least: fewer, and a module has lost its own


def module_name(path: Path, package: str) -> str:
    """The name under which a file of a layer is imported."""
    parts = path.relative_to(ROOT / FOLDERS[package]).with_suffix("").parts
    return ".".join((package, *parts)).removesuffix(".__init__")


MODULES = {
    module_name(path, package): path for package, folder in FOLDERS.items() for path in (ROOT / folder).rglob("*.py")
}


def imported_modules(path: Path) -> set[str]:
    """What a file imports by absolute names, in functions too: `a.b` for `from a import b` if that is a module."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            submodules = {f"{node.module}.{alias.name}" for alias in node.names}
            names |= (submodules & MODULES.keys()) or {node.module}
    return names


def imported_packages(path: Path) -> set[str]:
    return {name.split(".")[0] for name in imported_modules(path)}


@pytest.mark.parametrize("package", LAYERS)
def test_imports_point_to_a_layer_above(package):
    allowed = set(LAYERS[: LAYERS.index(package) + 1])
    for path in (ROOT / FOLDERS[package]).rglob("*.py"):
        assert imported_packages(path) & set(LAYERS) <= allowed, path


def room_of(module: str) -> str | None:
    """The room of a module; None for `bap_v2_dataset` itself, which only registers the name."""
    package, *inner = module.split(".")
    return package if package != "bap_v2_dataset" else inner[0] if inner else None


@pytest.fixture(scope="module")
def arrows() -> dict[str, set[str]]:
    """For each room the rooms that it imports from."""
    rooms = {}
    for module, path in MODULES.items():
        if room := room_of(module):
            imported = {room_of(name) for name in imported_modules(path) if name.split(".")[0] in LAYERS}
            rooms.setdefault(room, set()).update(imported - {room, None})
    return rooms


def test_every_room_has_a_floor_and_imports_nothing_from_a_floor_above(arrows):
    floor_of = {room: number for number, floor in enumerate(FLOORS) for room in floor}
    for room, others in arrows.items():
        assert room in floor_of, f"add {room} to FLOORS"
        for other in others:
            assert floor_of[other] <= floor_of[room], f"{room} imports from {other}, which is on a floor above"


def test_no_rooms_import_from_each_other_in_a_circle(arrows):
    graphlib.TopologicalSorter(arrows).prepare()  # raises CycleError with the rooms


def test_the_metric_kernel_imports_only_the_standard_library():
    for path in (ROOT / "bap_v2_metric").glob("*.py"):
        if path.name not in SPACE_FILES:
            assert imported_packages(path) <= set(sys.stdlib_module_names), path


def test_the_metric_script_imports_every_sibling_that_evaluate_must_copy():
    # evaluate copies only what the script itself imports, and reads the import lines with a regular expression.
    from evaluate.loading import get_imports

    script = ROOT / "bap_v2_metric" / "bap_v2.py"
    siblings = {path.stem for path in script.parent.glob("*.py")} - {"__init__", "bap_v2", *PAGE_MODULES}
    assert {name for kind, name, *_ in get_imports(str(script)) if kind == "internal"} == siblings


def test_nothing_in_the_project_is_called_bap_v2():
    # A directory of that name in the working directory would shadow load_dataset("bap_v2").
    assert not (ROOT / "bap_v2").exists()


# --- what is installed


@pytest.fixture
def packed(monkeypatch) -> dict:
    """What setup.py says to setuptools."""
    arguments = {}
    monkeypatch.setattr(setuptools, "setup", lambda **given: arguments.update(given))
    monkeypatch.chdir(ROOT)
    runpy.run_path("setup.py")
    return arguments


def test_every_folder_with_code_is_a_package_of_the_wheel(packed):
    folders = {**FOLDERS, "bap_v2_hub_cards": "hub_cards"}
    assert packed["package_dir"] == {name: folder for name, folder in folders.items() if name != folder}
    tree = {
        ".".join((name, *path.parent.relative_to(ROOT / folder).parts))
        for name, folder in folders.items()
        for path in (ROOT / folder).rglob("*.py")
        if path.parent.parent != ROOT / "hub_cards"  # the pages of Spaces: data of the cards
        and path.parent != STUDIES
    }
    assert sorted(packed["packages"]) == sorted(tree)
    assert [name for name in tree if not (folder_of(name, packed) / "__init__.py").is_file()] == []


def folder_of(package: str, packed: dict) -> Path:
    top, *inner = package.split(".")
    return ROOT.joinpath(packed["package_dir"].get(top, top), *inner)


def test_every_file_that_is_not_code_is_in_the_wheel(packed):
    patterns = {
        f"{folder_of(package, packed).relative_to(ROOT).as_posix()}/{pattern}"
        for package, patterns in packed["package_data"].items()
        for pattern in patterns
    }
    code = {folder_of(package, packed) for package in packed["packages"]}
    files = {
        path.relative_to(ROOT).as_posix()
        for folder in {folder_of(package.split(".")[0], packed) for package in packed["packages"]}
        for path in folder.rglob("*")
        if path.is_file()
        and not {LOG, STUDIES} & {path, path.parent}
        and "__pycache__" not in path.parts
        and not (path.suffix == ".py" and path.parent in code)
    }
    assert sorted(name for name in files if not any(fnmatch.fnmatch(name, pattern) for pattern in patterns)) == []
    assert sorted(pattern for pattern in patterns if not fnmatch.filter(files, pattern)) == []


# --- examples


def examples_in(module: str) -> int:
    return len(re.findall(r"^\s*>>> ", MODULES[module].read_text(encoding="utf-8"), re.MULTILINE))


WITH_EXAMPLES = sorted(name for name in MODULES if name not in BY_NAME and examples_in(name))


@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_the_examples_in_docstrings_run(name):
    if name in EXTRAS:
        pytest.importorskip(EXTRAS[name], reason="its extra is not installed")
    results = doctest.testmod(importlib.import_module(name))
    assert (results.failed, results.attempted) == (0, examples_in(name))


def test_no_module_has_lost_its_examples():
    assert sum(map(examples_in, WITH_EXAMPLES)) >= EXAMPLES


def test_every_module_in_the_folders_can_be_imported_by_its_name():
    names = {
        found.name
        for package in LAYERS
        for found in pkgutil.walk_packages([str(ROOT / FOLDERS[package])], f"{package}.", onerror=print)
    }
    assert names | set(LAYERS) == set(MODULES)
