"""An item of GSU with its question, its reasoning trace and its answer."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from bap_v2_dataset.tasks.gsu.blocks import PositionedBlock
from bap_v2_dataset.tasks.gsu.questions import question_of
from bap_v2_dataset.tasks.gsu.traces import reasoning_of
from bap_v2_simulators.gsu.combined import Outlook
from bap_v2_simulators.gsu.configs import GsuConfig
from bap_v2_simulators.gsu.descriptions import answer_of, completion_of
from bap_v2_simulators.gsu.localization import GridScene
from bap_v2_simulators.gsu.structure import Composition
from bap_v2_simulators.gsu.walks import Position, WalkStep, chain_text, path_of, position_text


@dataclass(frozen=True, slots=True)
class Solved:
    """The question of an item and its right answer."""

    group: str  # what scores are broken down by
    question: str
    reasoning: str  # "" for structures
    answer: str  # canonical, without `Answer:`
    completion: str  # `Answer: ` and the answer; for structures in other words
    blocks: tuple[PositionedBlock, ...]
    facts: dict[str, Any]  # of the metadata


def solved(config: GsuConfig, split: str, seed: int, index: int) -> Solved:
    """Return an item of a config, a function of the arguments. Raises: SettingsError, for an unknown split or seed."""
    item = config.simulator.item(split, seed, index)
    completion, blocks = "", ()
    if isinstance(item, Composition):
        front, words = config.simulator.front, config.simulator.language(split, seed, index)
        group, blocks, facts = item.structure_class, item.blocks, item.facts
        answer, completion = answer_of(item, front), completion_of(item, words, front)
    elif isinstance(item, GridScene | Outlook):
        group = item.heading if isinstance(item, GridScene) else str(len(item.steps))
        answer, blocks, facts = ", ".join(item.answer), item.blocks, item.facts
    else:
        path = path_of(item, config.frame, config.dims)
        group, answer = str(len(item)), position_text(path[-1]) if config.task == "follower" else chain_text(item)
        facts = {"steps": list(map(_as_json, item)), "path": list(map(_as_json, path))}
    question, reasoning = question_of(config, item), reasoning_of(config, item)
    return Solved(group, question, reasoning, answer, f"Answer: {completion or answer}", blocks, facts)


def _as_json(values: WalkStep | Position) -> list[str | int | float]:
    """Return a step or a position, whose numbers that are not whole are floats in JSON."""
    return [float(value) if isinstance(value, Decimal) else value for value in values]
