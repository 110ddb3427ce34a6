"""Policies that play without learning: bounds and floors for scores.

A policy gives all turns of an episode at once: none needs to read what the environment answers but random moves, which
follow the slots by playing the rules.
"""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from bap_v2_metric.plancraft_items import MAX_STEPS
from bap_v2_metric.plancraft_turns import written
from bap_v2_simulators.plancraft.environment import INVENTORY
from bap_v2_simulators.plancraft.episode import Episode

GIVE_UP = "impossible: no recipe leads there"


def oracle(task: Mapping[str, Any]) -> list[str]:
    """Plays the gold plan, and says impossible where there is none: a bound."""
    return list(task["plan"]) or [GIVE_UP]


def one_recipe(task: Mapping[str, Any]) -> list[str]:
    """Plays the gold plan if one recipe suffices, else gives up: it knows recipes and chains nothing."""
    return list(task["plan"]) if len(task["recipes"]) == 1 else [GIVE_UP]


def always_impossible(task: Mapping[str, Any]) -> list[str]:
    """Gives up at once."""
    return [GIVE_UP]


def random_moves(task: Mapping[str, Any], seed: int = 0, max_steps: int = MAX_STEPS) -> list[str]:
    """Moves one item from a slot that holds something to another slot, both drawn, until the episode ends."""
    random = Random(f"{seed}/{task['id']}")
    episode = Episode({**task, "impossible": False}, max_steps=max_steps)
    while not episode.ended:
        source = random.choice(sorted(episode.state))
        target = random.choice([slot for slot in range(1, INVENTORY.stop) if slot != source])
        episode.take(written("move", source, target, 1))
    return episode.turns


def played(task: Mapping[str, Any], turns: Sequence[str], tools: str | Sequence[str] = ("move", "smelt")) -> Episode:
    """The episode of these turns; those behind its end are left out."""
    episode = Episode(task, tools)
    for turn in turns:
        if episode.ended:
            break
        episode.take(turn)
    return episode
