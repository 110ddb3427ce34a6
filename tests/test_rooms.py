"""Engines know no task by name: outside its room, its generators and its settings in training, no code names a task.

A new task is then a room and a line in the table. The Architect is also a role in the dialogues (`<Architect>`): only
what must be the task counts, which is imports, and strings such as "architect" and "architect_dr".
"""

import ast
import re
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

from paths import ROOT

FOLDERS = ("bap_v2_dataset", "bap_v2_metric", "training")
ROOMS = ("bap_v2_dataset/tasks/*/*", "training/tasks/*")
EXCEPTIONS = {
    "bap_v2_dataset/interface/table.py": "the table of tasks",
    "bap_v2_dataset/cli/perturb.py": "a command that only this task has",
    "bap_v2_metric/bap_v2.py": "the Space of the metric scores variants, and names the modules that it needs",
    "bap_v2_metric/robust*.py": "the scorer of variants, which the Space of the metric has too",
    "bap_v2_metric/tasks.py": "the table of the scorers that the Space of the metric has",
    "training/gru/window.py": "the role: who speaks",
    "training/play.py": "the command that plays Plancraft, the one task of turns",
    "training/games/episode*.py": "the same",
    **dict.fromkeys(
        (
            "training/gru/*.py",
            "training/pointer/*.py",
            "training/train_*.py",
            "training/learning/data_settings.py",
            "training/learning/dry_run.py",
            "training/learning/grpo_settings.py",
        ),
        "training on variants is a way of training (robust_mode), not only a task",
    ),
}
NAMED = re.compile(r"(?<![a-z])(gsu|plancraft|robust|robustness)(?![a-z])", re.IGNORECASE)
ARCHITECT = re.compile(r"(--)?architect(_\w+)?|.*\.architect(\..*)?")


def named_in(path: Path) -> Iterator[tuple[int, str]]:
    """The line and the text of each identifier, string and import that names a task; docstrings may."""
    tree = ast.parse(path.read_text())
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef))
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if id(node) in docstrings:
            continue
        for text, is_value in texts_of(node):
            if NAMED.search(text) or (is_value and ARCHITECT.fullmatch(text)):
                yield getattr(node, "lineno", 0), text.strip().split("\n")[0][:60]


def texts_of(node: ast.AST) -> Iterator[tuple[str, bool]]:
    """What a node is called or says, and whether it is a string or a module."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value, True
    for field in ("id", "attr", "name", "arg", "module"):
        text = getattr(node, field, None)
        if isinstance(text, str):
            yield text, isinstance(node, (ast.ImportFrom, ast.Import))


def test_no_module_outside_its_room_names_a_task():
    allowed = (*ROOMS, *EXCEPTIONS)
    offenders = {}
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.py")):
            name = path.relative_to(ROOT).as_posix()
            if not any(fnmatch(name, pattern) for pattern in allowed) and (named := list(named_in(path))):
                offenders[name] = named
    lines = [f"{name}:{line}: {text}" for name, named in offenders.items() for line, text in named]
    assert not lines, "ask the task (`bap_v2_dataset/interface/task.py`) in place of:\n" + "\n".join(lines)


def test_exceptions_are_needed():
    for pattern in EXCEPTIONS:
        assert any(list(named_in(path)) for path in ROOT.glob(pattern)), f"{pattern} names no task: no exception"
