"""The settings of a pointer transformer's training with rewards."""

from dataclasses import dataclass
from typing import ClassVar

from bap_v2_training.errors import UsageError
from bap_v2_training.learning.options import check_choices, option
from bap_v2_training.learning.rewards import reward_weights
from bap_v2_training.tasks.building import BUILDING

USUAL_SAMPLES = 8


@dataclass
class PolicyArguments:
    """What sampled answers are rewarded for. Without `rewards` a training is a supervised one."""

    group: ClassVar[str] = "rewards"

    rewards: str | None = option(
        None,
        "Learn from the model's own sampled answers, rewarded for these, with weights: fairer_f1=1, or micro_gain=1, "
        "by which test sets are scored. The names: fairer_f1, micro_gain, clean, ended; all that this model says is "
        "feasible and well formed.",
    )
    samples: int = option(USUAL_SAMPLES, "With rewards: answers to each item, at least 2.")
    advantage: str = option(
        "leave_one_out",
        "With rewards: what a sample is compared with: `leave_one_out`, the mean of the item's others, or `scaled`, "
        "as GRPO, which also divides by the deviation.",
        choices=["leave_one_out", "scaled"],
    )
    supervised_weight: float = option(
        0.0, "With rewards: the weight of the usual loss, on the same items, beside them."
    )

    @property
    def reward_weights(self) -> dict[str, float]:
        """The weights of rewards by their names; none in a supervised training."""
        return reward_weights(self.rewards, BUILDING) if self.rewards is not None else {}

    def check_rewards(self) -> None:
        """Raises: UsageError for settings that do not go together."""
        check_choices(self)
        reward_weights(self.rewards, BUILDING)
        if self.samples < 2:
            raise UsageError(f"samples is {self.samples}: expected at least 2, which are compared with one another")
        if self.supervised_weight < 0:
            raise UsageError(f"supervised_weight is {self.supervised_weight}: expected 0 or more")
        if self.rewards is None and (self.samples != USUAL_SAMPLES or self.supervised_weight):
            raise UsageError("samples and supervised_weight are for a training with rewards: set rewards: fairer_f1=1")
