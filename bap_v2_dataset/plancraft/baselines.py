"""The policies as baselines of `bap-v2 score`: a task is played by the rules, and the episode is the prediction."""

import json
from collections.abc import Mapping
from typing import Any

from bap_v2_dataset.plancraft.policies import POLICIES
from bap_v2_simulators.plancraft.episode import Episode


def oracle(task: Mapping[str, Any]) -> str:
    """The gold plan, or that there is none."""
    return _episode("oracle", task)


def batched(task: Mapping[str, Any]) -> str:
    """The recipes of the gold plan in fewer actions."""
    return _episode("batched", task)


def one_recipe(task: Mapping[str, Any]) -> str:
    """The gold plan of one recipe, else impossible."""
    return _episode("one-recipe", task)


def always_impossible(task: Mapping[str, Any]) -> str:
    """Impossible."""
    return _episode("always-impossible", task)


def random_moves(task: Mapping[str, Any]) -> str:
    """Random moves; of an impossible task no turns, because they cannot give it up."""
    return _episode("random", task)


def _episode(name: str, task: Mapping[str, Any]) -> str:
    """An episode as JSON, with the fields of a prediction."""
    policy = POLICIES[name]
    if task["impossible"] and "impossible" not in policy.tools:
        return json.dumps({"turns": [], "success": False, "tokens": None})
    episode = Episode(task, policy.tools)
    for turn in policy.turns(task):
        if not episode.ended:
            episode.take(turn)
    return json.dumps({"turns": episode.turns, "success": episode.success, "tokens": None})
