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
    "bap_v2_dataset/tasks/table.py": "the table of tasks",
    "bap_v2_dataset/cli/perturb.py": "a command that only this task has",
    "bap_v2_metric/bap_v2.py": "the Space of the metric scores variants, and names the modules that it needs",
    "bap_v2_metric/robust*.py": "the scorer of variants, which the Space of the metric has too",
    "bap_v2_metric/tasks.py": "the table of the scorers that the Space of the metric has",
    "training/gru/window.py": "the role: who speaks",
}
TO_DO = (  # temporary: these still name tasks
    "bap_v2_dataset/api.py",
    "bap_v2_dataset/cli/explore.py",
    "bap_v2_dataset/cli/look.py",
    "bap_v2_dataset/cli/push.py",
    "bap_v2_dataset/cli/push_model.py",
    "bap_v2_dataset/cli/score.py",
    "bap_v2_dataset/cli/show.py",
    "bap_v2_dataset/explorer/item_panels.py",
    "bap_v2_dataset/explorer/sources.py",
    "bap_v2_dataset/harnesses/lm_eval/utils.py",
    "bap_v2_dataset/harnesses/scores.py",
    "bap_v2_dataset/harnesses/task_table.py",
    "bap_v2_dataset/leaderboard/submission.py",
    "bap_v2_dataset/pictures/text.py",
    "bap_v2_dataset/predictions/eval_logs.py",
    "bap_v2_dataset/publishing/dataset.py",
    "bap_v2_dataset/publishing/dataset_card.py",
    "bap_v2_dataset/publishing/model.py",
    "bap_v2_dataset/publishing/model_card.py",
    "bap_v2_dataset/publishing/other_tasks.py",
    "training/decoding/predict_arguments.py",
    "training/decoding/predict_settings.py",
    "training/gru/adversary.py",
    "training/gru/learned_items.py",
    "training/gru/settings.py",
    "training/hardest.py",
    "training/in_context/chat_settings.py",
    "training/learning/chosen_rewards.py",
    "training/learning/data_settings.py",
    "training/learning/dry_run.py",
    "training/learning/grpo_settings.py",
    "training/learning/item_texts.py",
    "training/learning/plancraft_rewards.py",
    "training/learning/rewards.py",
    "training/learning/robust_rows.py",
    "training/learning/robust_settings.py",
    "training/learning/training_data.py",
    "training/learning/training_settings.py",
    "training/play.py",
    "training/playing/fitting.py",
    "training/playing/games.py",
    "training/playing/local_player.py",
    "training/playing/play_arguments.py",
    "training/playing/policies.py",
    "training/pointer/settings.py",
    "training/pointer/sources.py",
    "training/pointer/stream.py",
    "training/studies/plan.py",
    "training/studies/tables.py",
    "training/train_gru.py",
    "training/train_pointer.py",
    "training/train_sft.py",
)
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
    allowed = (*ROOMS, *EXCEPTIONS, *TO_DO)
    offenders = {}
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.py")):
            name = path.relative_to(ROOT).as_posix()
            if not any(fnmatch(name, pattern) for pattern in allowed) and (named := list(named_in(path))):
                offenders[name] = named
    lines = [f"{name}:{line}: {text}" for name, named in offenders.items() for line, text in named]
    assert not lines, "ask the task (`bap_v2_dataset/tasks/task.py`) in place of:\n" + "\n".join(lines)


def test_exceptions_are_needed():
    for pattern in EXCEPTIONS:
        assert any(list(named_in(path)) for path in ROOT.glob(pattern)), f"{pattern} names no task: no exception"
