"""The settings of a training with rewards: which items, as which text, rewarded for what."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from trl import GRPOConfig, ModelConfig

from bap_v2_training.decoding.trained_model import learned_texts, training_run
from bap_v2_training.errors import UsageError
from bap_v2_training.learning.chosen_rewards import USUAL_REWARDS, reward_weights
from bap_v2_training.learning.config_files import check_choices
from bap_v2_training.learning.data_settings import DataArguments
from bap_v2_training.learning.item_texts import (
    ARCHITECT,
    BAP,
    CHAT,
    GSU,
    USUAL_REPRESENTATION,
    check_gsu_texts,
    task_asked,
)
from bap_v2_training.learning.training_settings import settings_of


@dataclass
class GrpoArguments(DataArguments):
    """Which items are sampled, as which text, and what their answers are rewarded for."""

    task: str = field(default=BAP, init=False)  # of the items
    representation: str | None = field(
        default=None,
        metadata={
            "help": "Input: n, n_posb, n_posb_s (Table 5) or ego; GSU: plain, set, dict or text. Default, as for the "
            "other settings of texts: as train_sft.py taught the model."
        },
    )
    shots: int | None = field(
        default=None, metadata={"help": "GSU: solved train items before each question, 0 to 3. Default: 0."}
    )
    reasoning: bool | None = field(
        default=None, metadata={"help": "GSU: ask for the reasoning before each answer. Default: true."}
    )
    history_lines: int | None = field(
        default=None, metadata={"help": "Show at most this many of the newest lines of the history."}
    )
    max_prompt_tokens: int | None = field(
        default=None,
        metadata={
            "help": "Longest prompt in tokens. Longer ones lose their oldest history lines; what does not fit without "
            "them is left out."
        },
    )
    rewards: str | None = field(
        default=None,
        metadata={
            "help": "What answers are rewarded for, with weights: fairer_f1=1,clean=0.5,ended=0.5. The names: "
            "fairer_f1, micro_gain, feasible, well_formed, clean and ended; for GSU gsu_score and ended. "
            f"Default: {USUAL_REWARDS[BAP]}; GSU: {USUAL_REWARDS[GSU]}."
        },
    )


def parse_arguments(args: Sequence[str] | None = None) -> tuple[GrpoArguments, GRPOConfig, ModelConfig]:
    """The settings of `--config FILE.yaml`, overridden by the command line, made to fit this machine.

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
    _fill_in_task(grpo, model.model_name_or_path)
    training.reward_weights = list(reward_weights(grpo.rewards, grpo.task).values())
    if grpo.max_prompt_tokens is None:
        raise UsageError("set max_prompt_tokens: a corpus game can outgrow any context")
    return grpo, training, model


def _fill_in_task(grpo: GrpoArguments, model: str) -> None:
    """The task of the items, and how the model has learned to read them.

    Raises:
        UsageError: for settings of another task, and for a representation that the model has not learned.
    """
    if grpo.mix is None:
        grpo.task = task_asked(grpo.dataset_config, grpo.dataset_path, grpo.train_split)
    if grpo.task == CHAT:
        raise UsageError(
            "dialogues are played, turn by turn: give the rewards of learning/plancraft_rewards.py to TRL's own script"
        )
    if grpo.task == ARCHITECT:
        raise UsageError("no reward reads what an Architect says: train_grpo.py is for items of BAP and GSU")
    learned = learned_texts(training_run(model)).get(grpo.task, {})
    for name, value in learned.items():
        if getattr(grpo, name) is None:
            setattr(grpo, name, value)
    if learned.get("representation") not in (None, grpo.representation):
        raise UsageError(
            f"representation is {grpo.representation!r}, but {model} has learned {learned['representation']!r}: leave "
            "it out"
        )
    if grpo.task == GSU:
        check_gsu_texts(grpo)
        grpo.shots = grpo.shots or 0
        grpo.reasoning = True if grpo.reasoning is None else grpo.reasoning
    elif grpo.shots is not None or grpo.reasoning is not None:
        raise UsageError("shots and reasoning are for GSU")
    grpo.representation = grpo.representation or USUAL_REPRESENTATION[grpo.task]
