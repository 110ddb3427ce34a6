"""A chat in tokens, without its oldest messages where the model's context does not hold it."""

from collections.abc import Sequence
from typing import NamedTuple

from transformers import PreTrainedTokenizerBase

from bap_v2_dataset.tasks.plancraft.prompts import Message
from bap_v2_training.errors import UsageError


class FittedChat(NamedTuple):
    """A chat as a model is given it."""

    ids: list[int]
    dropped: int  # messages that did not fit


def fitted_chat(tokenizer: PreTrainedTokenizerBase, messages: Sequence[Message], longest: int) -> FittedChat:
    """The chat in the template of the tokenizer, up to where the answer begins.

    The system text and the newest message stay; of the others the oldest go first, an observation with its answer.

    Args:
        longest: in tokens.
    Raises:
        UsageError: even these two do not fit.
    """
    system, others = list(messages[:1]), list(messages[1:])
    for dropped in range(0, len(others), 2):
        text = tokenizer.apply_chat_template([*system, *others[dropped:]], tokenize=False, add_generation_prompt=True)
        ids = tokenizer(text, add_special_tokens=False, verbose=False)["input_ids"]  # the template has BOS
        if len(ids) <= longest:
            return FittedChat(ids, dropped)
    raise UsageError(
        f"the context of the model holds {longest} tokens besides an answer, and the system text and one message have "
        f"{len(ids)}: lower --max_new_tokens, or play with another model"
    )


def check_template(tokenizer: PreTrainedTokenizerBase) -> None:
    """Raises: UsageError: the tokenizer has no chat template."""
    if tokenizer.chat_template is None:
        raise UsageError(
            f"{tokenizer.name_or_path} has no chat template: play with a model that has learned chats, such as those "
            "of plancraft_oracle"
        )
