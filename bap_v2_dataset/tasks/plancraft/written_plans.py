"""A plan that is written at once, one turn on each line, and played by the environment."""

from collections.abc import Iterable, Mapping
from typing import Any

from bap_v2_dataset.tasks.plancraft.prompts import system_text
from bap_v2_metric.chat_marks import answer_of
from bap_v2_simulators.plancraft.episode import Episode
from bap_v2_simulators.plancraft.turns import ALWAYS, MAX_STEPS, TOOLS

_ASKED = f"Write all actions at once, in order: one on each line, at most {MAX_STEPS}, and nothing else."


def plan_prompt(task: Mapping[str, Any]) -> str:
    """Return what is asked: the package's system text for moving, smelting and giving up, and the task.

    Args:
        task: a row of `plancraft`.
    """
    return f"{system_text((*ALWAYS, 'impossible'))}\n\n{_ASKED}\n\n{task['observation']}\n\n"


def turns_of(text: str) -> list[str]:
    """Return the turns of an answer: its lines, without thoughts.

    >>> turns_of("<think>Coal?</think>move: from [I2] to [B1] with quantity 1\\n\\nimpossible: no coal")
    ['move: from [I2] to [B1] with quantity 1', 'impossible: no coal']
    """
    return [line for line in answer_of(text).splitlines() if line.strip()]


def played(task: Mapping[str, Any], turns: Iterable[str]) -> Episode:
    """Return the episode of these turns, with all tools; what was written after its end is not played.

    Raises:
        PlancraftMissing: without the package.
    """
    return Episode(task, TOOLS, MAX_STEPS).play(turns)
