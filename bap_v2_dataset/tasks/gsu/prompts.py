"""Prompts of GSU: the question of a row after some solved train items, with or without their reasoning (GSU, 4.2).

All forms are made from one row: 0 to 3 shots, with or without reasoning, blocks in one of four representations.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from bap_v2_dataset.items.rows import noted
from bap_v2_dataset.tasks.gsu.blocks import REPRESENTATIONS, format_block, format_blocks, parse_blocks
from bap_v2_dataset.tasks.gsu.ids import parse_id
from bap_v2_dataset.tasks.gsu.solved import Solved, solved
from bap_v2_metric.errors import UserError
from bap_v2_simulators.gsu.configs import config_of

MOST_SHOTS = 3
USUAL_SHOTS = {"structure": 3}  # in Table 1; 1 for the other tasks
_EVERY = 12  # items after which number of steps, heading and class have all gone round


class GsuPromptError(UserError):
    """A form of a prompt that does not exist, or a row that lacks what a prompt is made of."""


def usual_form(task: str) -> tuple[int, bool]:
    """Return how many shots, and whether with reasoning: that of Table 1, which the column `prompt` has.

    >>> usual_form("follower"), usual_form("structure")
    ((1, True), (3, False))
    """
    return USUAL_SHOTS.get(task, 1), task != "structure"


def render(
    row: Mapping[str, Any], shots: int | None = None, reasoning: bool | None = None, representation: str = "text"
) -> str:
    """Return the prompt of a row.

    Args:
        row: of the dataset.
        shots: solved train items before the question, 0 to 3; by default as in Table 1 of the paper.
        reasoning: whether the shots reason before they answer; by default as in Table 1. Structures never do.
        representation: of the blocks, one of `blocks.REPRESENTATIONS`.
    Raises:
        GsuPromptError: for another number of shots, reasoning about structures, and an unknown representation.
    """
    # What is not given is as in Table 1.
    usual_shots, usual_reasoning = usual_form(row["task"])
    shots = usual_shots if shots is None else shots
    reasoning = usual_reasoning if reasoning is None else reasoning
    if not 0 <= shots <= MOST_SHOTS:
        raise GsuPromptError(f"shots is {shots}: expected 0 to {MOST_SHOTS}")
    if reasoning and row["task"] == "structure":
        raise GsuPromptError("reasoning is True: expected False, for structures have no reasoning traces")
    # Without shots the question is all.
    question = question_in(row, representation)
    if not shots:
        return f"{question}\n"
    item = parse_id(row["id"])
    if item is None:
        raise GsuPromptError(f"the id {row['id']} does not say of which config the shots are: pass shots=0")
    # The shots are early train items, never the row itself.
    own = item.index if item.split == "train" and not item.seed else -1  # a row is never its own shot
    first = 0 if item.config == "gsu_structure" else 1  # one structure of each class; walks of 2, 3 and 4 steps
    indexes = tuple(index + _EVERY * (index == own) for index in range(first, first + shots))
    settings = tuple(sorted((name, str(value)) for name, value in noted(row, "settings").items()))
    return f"{_examples(item.config, settings, indexes, reasoning, representation)}Your turn\n{question}\n"


def question_in(row: Mapping[str, Any], representation: str = "text") -> str:
    """The question of a row with its blocks in another representation. Raises: GsuPromptError, for an unknown one."""
    if representation not in REPRESENTATIONS:
        known = ", ".join(REPRESENTATIONS)
        raise GsuPromptError(f"unknown representation {representation!r} (expected one of {known})")
    if representation == "text" or not row["blocks"]:
        return row["question"]
    blocks = parse_blocks(", ".join(row["blocks"]), "plain")
    text, other = format_blocks(blocks, "text"), format_blocks(blocks, representation)
    return (
        row["question"]
        .replace(f"There is {text}.", f"Blocks: {other}.")
        .replace(f"Blocks: {text}.", f"Blocks: {other}.")
    )


@lru_cache(maxsize=512)
def _examples(
    config: str, settings: tuple[tuple[str, str], ...], indexes: tuple[int, ...], reasoning: bool, representation: str
) -> str:
    """Return the shots before a question: these train items."""
    of_config = config_of(config, dict(settings))
    return "".join(_example(solved(of_config, "train", 0, index), reasoning, representation) for index in indexes)


def _example(item: Solved, reasoning: bool, representation: str) -> str:
    row = {"question": item.question, "blocks": list(map(format_block, item.blocks))}
    thought = f"{item.reasoning}\n" if reasoning else ""
    return f"Example\n{question_in(row, representation)}\n{thought}{item.completion}\n\n"
