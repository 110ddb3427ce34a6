"""Policies that play without learning: bounds and floors for scores, and the baselines of `bap-v2 score`.

A policy gives all turns of an episode at once: none needs to read what the environment answers but random moves, which
follow the slots by playing the rules.
"""

import json
from collections.abc import Callable, Mapping
from functools import partial
from random import Random
from typing import Any, NamedTuple

from bap_v2_dataset.tasks.plancraft.plans import steps_of
from bap_v2_dataset.tasks.plancraft.short_plans import short_plan
from bap_v2_simulators.plancraft.environment import INVENTORY
from bap_v2_simulators.plancraft.episode import Episode, inventory_of
from bap_v2_simulators.plancraft.turns import ALWAYS, MAX_STEPS, written

GIVE_UP = "impossible: no recipe leads there"


def oracle(task: Mapping[str, Any]) -> list[str]:
    """Plays the gold plan, and says impossible where there is none: a bound."""
    return list(task["plan"]) or [GIVE_UP]


def batched(task: Mapping[str, Any]) -> list[str]:
    """Plays the recipes of the gold plan in fewer actions (see `short_plans`): a bound below AE 0."""
    if task["impossible"]:
        return [GIVE_UP]
    found = short_plan(steps_of(task), inventory_of(task))
    return found if len(found) < len(task["plan"]) else list(task["plan"])


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


class Policy(NamedTuple):
    """A policy, and the tools that it plays with."""

    turns: Callable[[Mapping[str, Any]], list[str]]
    tools: tuple[str, ...] = (*ALWAYS, "impossible")


POLICIES = {
    "oracle": Policy(oracle),
    "batched": Policy(batched),
    "one-recipe": Policy(one_recipe),
    "always-impossible": Policy(always_impossible),
    "random": Policy(random_moves, ALWAYS),
}


def played_by(name: str, task: Mapping[str, Any]) -> str:
    """Return an episode as JSON, as predictions are; without turns if the policy cannot give up what is impossible.

    Args:
        name: of a policy.
    """
    policy = POLICIES[name]
    if task["impossible"] and "impossible" not in policy.tools:
        return json.dumps({"turns": [], "success": False, "tokens": None})
    episode = Episode(task, policy.tools).play(policy.turns(task))
    return json.dumps({"turns": episode.turns, "success": episode.success, "tokens": None})


BASELINES = {name: partial(played_by, name) for name in POLICIES}
