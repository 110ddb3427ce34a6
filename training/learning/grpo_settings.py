"""The settings of a training with rewards: which items, as which text, rewarded for what."""

from collections.abc import Sequence
from dataclasses import dataclass

from trl import GRPOConfig, ModelConfig

from bap_v2_training.decoding.trained_model import learned_texts, training_run
from bap_v2_training.errors import UsageError
from bap_v2_training.learning.data_settings import TextArguments
from bap_v2_training.learning.options import check_choices, option
from bap_v2_training.learning.rewards import ENDED, reward_weights
from bap_v2_training.learning.training_settings import settings_of
from bap_v2_training.tasks.settings import GsuArguments
from bap_v2_training.tasks.table import LEARNED_TASKS
from bap_v2_training.tasks.training_task import TrainingTask

REWARDED = {task.name: task for task in LEARNED_TASKS.values() if task.rewards}
_NAMES = "; ".join(f"of {task.title} {', '.join(task.rewards)}" for task in REWARDED.values())
_USUAL = "; ".join(f"{task.title} {task.usual_rewards}" for task in REWARDED.values())


@dataclass
class GrpoArguments(GsuArguments, TextArguments):
    """The items that are sampled, their text (by default as train_sft.py taught the model), and what is rewarded."""

    rewards: str | None = option(
        None,
        "What answers are rewarded for, with weights: fairer_f1=1,clean=0.5,ended=0.5. The names: "
        f"{ENDED}; {_NAMES}. Default: {_USUAL}.",
    )


def parse_arguments(args: Sequence[str] | None = None) -> tuple[GrpoArguments, GRPOConfig, ModelConfig]:
    """Return the settings of `--config FILE.yaml`, overridden by the command line, made to fit this machine.

    Raises:
        UsageError: no such file or setting, or values that do not go together.
    """
    grpo, training, model = settings_of((GrpoArguments, GRPOConfig, ModelConfig), args, cpu=("--bf16", "--fp16"))
    check_choices(grpo)
    grpo.check()
    if grpo.robust:
        raise UsageError("robust training is for train_sft.py: with rewards, set robust: false")
    if model.model_name_or_path is None:
        raise UsageError("set model_name_or_path: rewards improve a model that train_sft.py has taught already")
    if training.reward_weights is not None:
        raise UsageError("reward_weights is set, but weights stand in rewards: rewards: fairer_f1=1,clean=0.5")
    task = _fill_in_task(grpo, model.model_name_or_path)
    training.reward_weights = list(reward_weights(grpo.rewards, task).values())
    if grpo.max_prompt_tokens is None:
        raise UsageError("set max_prompt_tokens: a corpus game can outgrow any context")
    return grpo, training, model


def _fill_in_task(grpo: GrpoArguments, model: str) -> TrainingTask:
    """Return the task of the items, and how the model has learned to read them.

    Raises:
        UsageError: for settings of another task, and for a representation that the model has not learned.
    """
    task = grpo.find_task()
    if not task.rewards:
        raise UsageError(task.unrewarded)
    learned = learned_texts(training_run(model)).get(grpo.task, {})
    for name, value in learned.items():
        if getattr(grpo, name) is None:
            setattr(grpo, name, value)
    if learned.get("representation") not in (None, grpo.representation):
        raise UsageError(
            f"representation is {grpo.representation!r}, but {model} has learned {learned['representation']!r}: leave "
            "it out"
        )
    task.complete_training(grpo)
    return task
