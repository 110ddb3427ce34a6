"""Policies without a model, as players."""

from functools import partial

from bap_v2_dataset.tasks.plancraft.policies import POLICIES, random_moves
from bap_v2_training.playing.games import Answer, Game


def play_policy(game: Game, name: str) -> None:
    """Plays a whole episode. Args: name: of POLICIES; random moves differ from run to run."""
    policy = POLICIES[name].turns
    if policy is random_moves:
        policy = partial(random_moves, seed=game.rules.seed + game.run - 1, max_steps=game.rules.max_steps)
    for turn in policy(game.episode.task):
        if game.episode.ended:
            break
        game.take(Answer(turn))
