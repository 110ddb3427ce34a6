"""The scorer of a task: `evaluate.load("bap_v2", TASK)`.

Those of building are here, and all that the Space of the metric has. Those of other tasks are in their rooms in the
package `bap_v2_dataset`, which need not be installed.
"""

from pkgutil import resolve_name

from . import robustness, scoring
from .errors import UserError
from .scorer import Scorer

SCORERS: dict[str, Scorer] = {"bap": scoring.SCORER, "robust": robustness.SCORER}
_TABLE = "bap_v2_dataset.interface.table:TASKS"


class UnknownTaskError(UserError):
    """A task that the metric does not have; the message names those that it has."""


def scorer_of(task: str) -> Scorer:
    """Return the scorer of a task; "default", which is what `evaluate` calls no name, is `bap`.

    Raises:
        UnknownTaskError: naming the tasks that there are, and what to install for others.

    >>> scorer_of("default") is scorer_of("bap")
    True
    """
    # The scorers of this folder.
    name = "bap" if task == "default" else task
    if name in SCORERS:
        return SCORERS[name]
    # Those of the package, if it is installed.
    try:
        others = resolve_name(_TABLE)
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] != "bap_v2_dataset":
            raise
        names, more = SCORERS, "; other tasks need the package: pip install bap-v2"
    else:
        if name in others:
            return others[name].scorer
        names, more = others, ""
    listed = ", ".join(f"'{known}'" for known in names)
    raise UnknownTaskError(
        f"the metric has no task {task!r}: pass one of {listed} to evaluate.load('bap_v2', TASK){more}"
    )
