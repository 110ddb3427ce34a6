"""The structure of the project: imports point one way, all is packed, and examples run."""

import ast
import doctest
import fnmatch
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
# The rooms of bap_v2_dataset from the ground: a room imports only from those in front of it.
ROOMS = (
    "sentences", "registration", "caches", "streams", "failures", "tables", "pictures", "items",
    "human", "generation", "augmentation", "chat", "interface", "predictions", "labels", "loading",
    "publishing", "evaluation", "tasks.own_values", "tasks.building", "games", "explorer", "tasks.robustness",
    "tasks.gsu", "tasks.plancraft", "tasks.architect", "tasks.shown", "harnesses", "api", "prompts", "cli", "__main__",
)  # fmt: skip
UPWARDS = 5  # arrows against this order, at most
FIRST_TASK = "building"  # whose rows, prompts and baselines the other tasks are made of
SPACE_FILES = ("bap_v2.py", "app.py")  # may use evaluate, datasets and gradio
BY_NAME = ("bap_v2_metric.bap_v2", "bap_v2_metric.app")  # run as a script and as a page: tests/metric
OF_EXTRAS = {"datatrove", "gradio", "gymnasium", "inspect_ai", "matplotlib", "plotly"}
LOG = ROOT / "training" / "LOG.md"  # of the checkout alone
EXAMPLES = 75  # at least: fewer, and a module has lost its own


def module_name(path: Path, package: str) -> str:
    """The name under which a file of a layer is imported."""
    parts = path.relative_to(ROOT / FOLDERS[package]).with_suffix("").parts
    return ".".join((package, *parts)).removesuffix(".__init__")


MODULES = {
    module_name(path, package): path for package, folder in FOLDERS.items() for path in (ROOT / folder).rglob("*.py")
}


def imported_modules(path: Path) -> set[str]:
    """What a file imports by absolute names, also in functions: `a.b` for `from a import b` if that is a module."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            submodules = {f"{node.module}.{alias.name}" for alias in node.names}
            names |= (submodules & MODULES.keys()) or {node.module}
    return names


def imported_packages(path: Path) -> set[str]:
    return {name.split(".")[0] for name in imported_modules(path)}


@pytest.mark.slow
@pytest.mark.parametrize("package", LAYERS)
def test_imports_point_to_a_layer_above(package):
    allowed = set(LAYERS[: LAYERS.index(package) + 1])
    for path in (ROOT / FOLDERS[package]).rglob("*.py"):
        assert imported_packages(path) & set(LAYERS) <= allowed, path


IMPORTS = {module: imported_modules(path) & MODULES.keys() for module, path in MODULES.items()}


def room_of(module: str) -> str:
    """The room of a module of the dataset: `evaluation`, or `tasks.gsu`; "" for others, and for packages of rooms."""
    package, room, *inner = [*module.split("."), "", ""]
    return "" if package != "bap_v2_dataset" else f"tasks.{inner[0]}".rstrip(".") if room == "tasks" else room


def test_rooms_import_downwards_but_for_a_few():
    arrows = {(room_of(module), room_of(other)) for module in MODULES for other in IMPORTS[module]}
    arrows = {(room, other) for room, other in arrows if {room, other}.isdisjoint({"", "tasks"}) and room != other}
    assert {room for arrow in arrows for room in arrow} <= set(ROOMS), "give each room its place in ROOMS"
    upwards = {(room, other) for room, other in arrows if ROOMS.index(other) > ROOMS.index(room)}
    assert len(upwards) <= UPWARDS, upwards


def test_a_task_imports_no_task_but_the_first():
    tasks = {f"tasks.{path.parent.name}" for path in (ROOT / "bap_v2_dataset/tasks").glob("*/task.py")}
    for module in MODULES:
        if (room := room_of(module)) in tasks:
            assert set(map(room_of, IMPORTS[module])) & tasks <= {room, f"tasks.{FIRST_TASK}"}, module


def test_at_most_two_modules_import_each_other():
    reachable: dict[str, set[str]] = {}
    for module in MODULES:
        found, ahead = set(), [module]
        while ahead:
            ahead += (new := IMPORTS[ahead.pop()] - found)
            found |= new
        reachable[module] = found
    for module, found in reachable.items():
        circle = {other for other in found if module in reachable[other]} | {module}
        assert len(circle) <= 2, sorted(circle)


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
        and path != LOG
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
    try:
        module = importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name not in OF_EXTRAS:
            raise
        pytest.skip(f"needs {error.name}, of an extra")
    results = doctest.testmod(module)
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
