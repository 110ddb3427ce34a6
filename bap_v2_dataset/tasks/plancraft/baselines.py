"""The policies as baselines of `bap-v2 score`: a task is played by the rules, and the episode is the prediction."""

import json
from collections.abc import Mapping
from functools import partial
from typing import Any

from bap_v2_dataset.tasks.plancraft.policies import POLICIES
from bap_v2_simulators.plancraft.episode import Episode


def played_by(name: str, task: Mapping[str, Any]) -> str:
    """An episode as JSON, as predictions are; without turns if the policy cannot give up what is impossible.

    Args:
        name: of a policy.
    """
    policy = POLICIES[name]
    if task["impossible"] and "impossible" not in policy.tools:
        return json.dumps({"turns": [], "success": False, "tokens": None})
    episode = Episode(task, policy.tools)
    for turn in policy.turns(task):
        if not episode.ended:
            episode.take(turn)
    return json.dumps({"turns": episode.turns, "success": episode.success, "tokens": None})


BASELINES = {name: partial(played_by, name) for name in POLICIES}
