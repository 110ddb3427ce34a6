"""Our test sets as tasks of evaluation harnesses, with the scores of the metric."""

from importlib.resources import files
from pathlib import Path

from bap_v2_metric.errors import UserError

HARNESSES = {"lm-eval": "lm_eval", "lighteval": "lighteval_tasks.py", "inspect": "inspect_tasks.py"}


def harness_path(name: str) -> Path:
    """Return the path that the harness of this name is given: of a folder of tasks, or a module.

    Raises:
        UserError: for an unknown name.

    >>> harness_path("lm-eval").name
    'lm_eval'
    """
    if name not in HARNESSES:
        raise UserError(f"there are no tasks for {name!r} (expected one of {', '.join(HARNESSES)})")
    return Path(str(files("bap_v2_dataset"))) / "harnesses" / HARNESSES[name]
