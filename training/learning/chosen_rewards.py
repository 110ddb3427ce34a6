"""The rewards that the settings of a run choose, for answers in the representation that the model writes."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from transformers import PreTrainedTokenizerBase

from bap_v2_training.errors import UsageError
from bap_v2_training.learning import rewards
from bap_v2_training.learning.item_texts import BAP, GSU, ItemTexts

Reward: TypeAlias = Callable[..., list[float]]

ENDED = "ended"
OF_TEXT: Mapping[str, Mapping[str, Reward]] = {
    BAP: {
        "fairer_f1": rewards.fairer_f1,
        "micro_gain": rewards.micro_gain,
        "feasible": rewards.feasible,
        "well_formed": rewards.well_formed,
        "clean": rewards.clean,
    },
    GSU: {"gsu_score": rewards.gsu_score},
}
USUAL_REWARDS = {BAP: "fairer_f1=1,clean=0.5,ended=0.5", GSU: "gsu_score=1,ended=0.5"}


def reward_weights(chosen: str | None, task: str = BAP) -> dict[str, float]:
    """The names of rewards with their weights, as the setting `rewards` says; by default those of the task.

    Raises:
        UsageError: for a name that the task does not have, and for a weight that is not a number.

    >>> reward_weights("fairer_f1,clean=0.5")
    {'fairer_f1': 1.0, 'clean': 0.5}
    """
    weights = {}
    names = [*OF_TEXT[task], ENDED]
    for part in (USUAL_REWARDS[task] if chosen is None else chosen).split(","):
        name, _, weight = part.strip().partition("=")
        if name not in names or name in weights:
            raise UsageError(f"rewards: {part.strip()!r} (expected each of {', '.join(names)} once at most, as NAME=1)")
        try:
            weights[name] = float(weight or 1)
        except ValueError as error:
            raise UsageError(f"rewards: the weight of {name} is {weight!r} (expected a number)") from error
    return weights


def chosen_rewards(
    names: Sequence[str], task: str, texts: ItemTexts, tokenizer: PreTrainedTokenizerBase, end_ids: Sequence[int] = ()
) -> list[Reward]:
    """The reward functions of these names, for TRL.

    Args:
        texts: how the model writes; answers are read as predict.py reads them.
        end_ids: further tokens that end an answer, besides that of the tokenizer.
    """
    ends = [token for token in (tokenizer.eos_token_id, *end_ids) if token is not None]
    return [rewards.Ended(ends) if name == ENDED else Predicted(OF_TEXT[task][name], texts) for name in names]


class Predicted:
    """A reward that reads of each answer what predict.py would write as the prediction."""

    def __init__(self, reward: Reward, texts: ItemTexts) -> None:
        self.reward, self.texts = reward, texts
        self.__name__ = reward.__name__  # TRL logs it under this name

    def __call__(self, completions: Sequence[rewards.Completion], **columns: Any) -> list[float]:
        there = [name for name in ("pose", "history") if name in columns]
        rows = [{name: columns[name][index] for name in there} for index in range(len(completions))]
        predictions = [self.texts.prediction(rewards.text_of(one), row) for one, row in zip(completions, rows)]
        return self.reward(completions=predictions, **columns)
