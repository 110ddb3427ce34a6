"""What is put into the Space of the explorer: every room that it imports, and no other."""

import ast
import re
from pathlib import Path

import bap_v2_dataset
from bap_v2_dataset.publishing.hub import Repository
from bap_v2_dataset.publishing.spaces import explorer_of

PACKAGES = ("bap_v2_dataset", "bap_v2_metric", "bap_v2_simulators")


def space_modules() -> dict[str, Path]:
    """By dotted name, the modules of the Space."""
    files = explorer_of(Repository("tester/look", "space"), "tester/bap_v2").files_beside(None)
    paths = {file.path: file.content for file in files if file.path.startswith(PACKAGES)}
    return {path.removesuffix(".py").removesuffix("/__init__").replace("/", "."): paths[path] for path in paths}


def imported_names(path: Path) -> set[str]:
    """Everything that a module of ours may import from us, on demand too; `from a import b` gives a and a.b.

    The table of tasks names what it needs as "module:name".
    """
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Constant) and re.fullmatch(r"[\w.]+:\w+", str(node.value)):
            names.add(node.value.partition(":")[0])
    return {name for name in names if name.startswith(PACKAGES)}


def reached_by_the_explorer(modules: dict[str, Path]) -> set[str]:
    """The modules of the explorer, and what they import, directly or through others."""
    names, waiting = set(), {name for name in modules if name.startswith("bap_v2_dataset.explorer")}
    while waiting:
        name = waiting.pop()
        if name in modules and name not in names:
            names.add(name)
            waiting |= imported_names(modules[name])
    return names


def rooms_of(names: set[str]) -> set[str]:
    """The rooms of bap_v2_dataset, and the modules beside them, to which the names belong."""
    return {name.split(".")[1] for name in names if name.startswith("bap_v2_dataset.")}


def test_the_explorer_imports_no_room_that_is_left_out():
    folder = Path(bap_v2_dataset.__file__).parent
    every_room = {path.name for path in folder.iterdir() if (path / "__init__.py").exists()}
    modules = space_modules()
    left_out = every_room - rooms_of(set(modules))
    assert left_out == {"analysis", "cli", "harnesses", "leaderboard", "publishing"}
    for name in reached_by_the_explorer(modules):
        assert not rooms_of(imported_names(modules[name])) & left_out, name


def test_every_room_in_the_space_is_used_by_the_explorer():
    modules = space_modules()
    assert rooms_of(set(modules)) == rooms_of(reached_by_the_explorer(modules))
