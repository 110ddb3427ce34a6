"""The kinds of questions and the tasks of all harnesses by name: those of the tasks' rooms."""

from collections.abc import Mapping

from bap_v2_dataset.interface.question_format import HarnessTask, QuestionFormat
from bap_v2_dataset.interface.table import TASKS

_ROOMS = [task.harness for task in TASKS.values() if task.harness is not None]
QUESTION_FORMATS: dict[str, QuestionFormat] = {
    kind: asked for room in _ROOMS for kind, asked in room.QUESTION_FORMATS.items()
}
GROUPS: dict[str, Mapping[str, HarnessTask]] = {name: group for room in _ROOMS for name, group in room.GROUPS.items()}
HARNESS_TASKS: dict[str, HarnessTask] = {name: task for group in GROUPS.values() for name, task in group.items()}
