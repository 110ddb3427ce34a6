"""Policies without a model, as players."""

from collections.abc import Callable, Mapping
from typing import Any

from bap_v2_dataset.plancraft import policies
from bap_v2_training.playing.games import Answer, Game

POLICIES: dict[str, Callable[[Mapping[str, Any]], list[str]]] = {
    "oracle": policies.oracle,
    "one-recipe": policies.one_recipe,
    "always-impossible": policies.always_impossible,
    "random": policies.random_moves,
}


def play_policy(game: Game, policy: Callable[[Mapping[str, Any]], list[str]]) -> None:
    """Plays a whole episode. A turn that the tools do not allow is played as it is, and counts as invalid."""
    for turn in policy(game.episode.task):
        if game.episode.ended:
            break
        game.take(Answer(turn))
