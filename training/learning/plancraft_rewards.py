"""Rewards for answers to tasks of Plancraft: the environment plays them, and says whether they succeed.

They are reward functions of TRL, as those of `rewards`, and read the columns of the config plancraft. An answer is a
dialogue, whose assistant messages are the turns, or a text with one turn on each line: a plan.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bap_v2_dataset.tasks.plancraft import written_plans
from bap_v2_dataset.tasks.plancraft.counts import kinds_of
from bap_v2_simulators.plancraft.episode import Episode
from bap_v2_simulators.plancraft.turns import INVALID
from bap_v2_training.errors import UsageError
from bap_v2_training.learning.rewards import Completion, LogMetric, text_of

_COLUMNS = ("id", "target", "impossible", "inventory")


def plancraft_success(
    completions: Sequence[Completion], log_metric: LogMetric | None = None, **columns: Any
) -> list[float]:
    """1 for an answer that crafts the target, or gives up an impossible one; else 0 (Plancraft, 3).

    Args:
        columns: those of rows of plancraft.
    Raises:
        UsageError: naming a column that is missing.
        PlancraftMissing: without the package.
    """
    rewards = [float(episode.success) for episode in _played(completions, columns)]
    if log_metric and rewards:
        log_metric("plancraft_success", sum(rewards) / len(rewards))
    return rewards


def plancraft_valid(completions: Sequence[Completion], **columns: Any) -> list[float]:
    """Minus the share of turns that no tool reads, in -1..0; -1 for an answer without a turn."""
    rewards = []
    for episode in _played(completions, columns):
        kinds = kinds_of(episode.turns)
        rewards.append(-kinds.count(INVALID) / len(kinds) if kinds else -1.0)
    return rewards


def turns_of(completion: Completion) -> list[str]:
    """The turns of an answer.

    >>> turns_of("move: from [I2] to [B1] with quantity 1\\n\\nimpossible: no coal")
    ['move: from [I2] to [B1] with quantity 1', 'impossible: no coal']
    """
    if isinstance(completion, str):
        return written_plans.turns_of(completion)
    return [text_of([message]) for message in completion if message.get("role") == "assistant"]


def _played(completions: Sequence[Completion], columns: Mapping[str, Sequence]) -> Iterator[Episode]:
    """An episode of each answer; what was written after its end is not played."""
    if missing := [name for name in _COLUMNS if name not in columns]:
        raise UsageError(f"the Plancraft rewards need the column {missing[0]!r}: train on rows of the config plancraft")
    for index, completion in enumerate(completions):
        task = {name: columns[name][index] for name in _COLUMNS}
        yield written_plans.played(task, turns_of(completion))
