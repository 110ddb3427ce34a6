"""An item of GSU with its question, its reasoning trace and its answer."""

from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Any

from bap_v2_dataset.tasks.gsu.blocks import PositionedBlock
from bap_v2_dataset.tasks.gsu.questions import question_of
from bap_v2_dataset.tasks.gsu.traces import reasoning_of
from bap_v2_simulators.gsu.combined import Outlook
from bap_v2_simulators.gsu.configs import CONFIGS, GsuConfig, GsuSimulator
from bap_v2_simulators.gsu.descriptions import answer_of, completion_of
from bap_v2_simulators.gsu.localization import Scene
from bap_v2_simulators.gsu.structure import Composition
from bap_v2_simulators.gsu.walks import Position, Step, chain_text, end_of, path_of, position_text
from bap_v2_simulators.settings import settings_of


@dataclass(frozen=True, slots=True)
class Solved:
    """What an item asks and what is right."""

    group: str  # what scores are broken down by
    question: str
    reasoning: str  # "" for structures
    answer: str  # canonical, without `Answer:`
    completion: str  # `Answer: ` and the answer; for structures in other words
    blocks: tuple[PositionedBlock, ...]
    facts: dict[str, Any]  # of the metadata


def solved(config: GsuConfig, split: str, seed: int, index: int) -> Solved:
    """An item of a config, a function of the arguments. Raises: SettingsError, for an unknown split or seed."""
    item = config.simulator.item(split, seed, index)
    question, reasoning = question_of(config, item), reasoning_of(config, item)
    if isinstance(item, Scene):
        return _of_scene(item, question, reasoning)
    if isinstance(item, Composition):
        front, words = config.simulator.front, config.simulator.language(split, seed, index)
        answer, completion = answer_of(item, front), completion_of(item, words, front)
        return Solved(
            item.structure_class, question, reasoning, answer, f"Answer: {completion}", item.blocks, item.facts
        )
    if isinstance(item, Outlook):
        answer = ", ".join(item.answer)
        group = str(len(item.steps))
        return Solved(group, question, reasoning, answer, f"Answer: {answer}", item.blocks, item.facts)
    return _of_walk(config, item, question, reasoning)


def _of_walk(config: GsuConfig, steps: tuple[Step, ...], question: str, reasoning: str) -> Solved:
    if config.task == "follower":
        answer = position_text(end_of(steps, config.frame, config.dims))
    else:
        answer = chain_text(steps)
    path = path_of(steps, config.frame, config.dims)
    facts = {"steps": [_as_json(step) for step in steps], "path": [_as_json(position) for position in path]}
    return Solved(str(len(steps)), question, reasoning, answer, f"Answer: {answer}", (), facts)


def _of_scene(scene: Scene, question: str, reasoning: str) -> Solved:
    answer = ", ".join(scene.answer)
    facts = {
        "viewer": list(scene.viewer),
        "heading": scene.heading,
        "reference": None if scene.reference is None else list(scene.reference),
        "target": list(scene.target),
        "distractors": list(map(list, scene.distractors)),
    }
    return Solved(scene.heading, question, reasoning, answer, f"Answer: {answer}", scene.blocks, facts)


def _as_json(values: Step | Position) -> list[str | int | float]:
    """A step or a position, whose numbers that are not whole are floats in JSON."""
    return [float(value) if isinstance(value, Decimal) else value for value in values]


def own_settings(config: GsuConfig) -> dict[str, Any]:
    """The settings of a config's simulator that are not the published ones."""
    return _own_settings(config.name, config.simulator)


@lru_cache(maxsize=256)
def _own_settings(name: str, simulator: GsuSimulator) -> dict[str, Any]:
    usual = settings_of(CONFIGS[name].simulator)
    return {name: value for name, value in settings_of(simulator).items() if value != usual[name]}
