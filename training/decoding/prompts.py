"""Prompts that fit a model's context, the longest first."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from datasets import Dataset
from transformers import PreTrainedTokenizerBase

from bap_v2_dataset.prompts import EGO, to_world
from bap_v2_training.decoding.predict_arguments import PredictArguments
from bap_v2_training.decoding.prompt_format import PromptFormat
from bap_v2_training.errors import UsageError
from bap_v2_training.learning.tokenization import PromptTooLong, fitting_prompt


class Prompt(NamedTuple):
    """What a model reads of one item."""

    id: str
    text: str  # before it is brought into the form of a PromptFormat
    tokens: int  # length of text as the model reads it
    history_lines_dropped: int  # the oldest ones, which did not fit


def answers_in_world(rows: Dataset, representation: str) -> Callable[[str, str], str]:
    """A function from the id of a row and an answer to it to that answer with the cells of the world: `to_world`."""
    if representation != EGO:
        return lambda row_id, text: text
    by_id = {row["id"]: row for row in rows.select_columns(["id", "pose", "history"])}
    return lambda row_id, text: to_world(text, by_id[row_id], representation)


def prompts_of(
    arguments: PredictArguments, rows: Iterable[dict], tokenizer: PreTrainedTokenizerBase, context: int
) -> list[Prompt]:
    """The prompts of `rows` (of `prompted`), shortened as in training to `max_prompt_tokens`, the longest first.

    Training leaves out an item that is too long even without its history; here every item gets an answer, as long as
    its prompt without history and `max_new_tokens` more fit the `context` (in tokens).
    """

    form = PromptFormat(arguments.prompt_format, arguments.bos_tokens)

    def tokens(text: str) -> int:
        return len(form.input_ids(tokenizer, [text])[0])

    longest = context - arguments.max_new_tokens
    preferred = min(longest, arguments.max_prompt_tokens or longest)
    prompts = []
    for row in rows:
        try:
            text, dropped = fitting_prompt(row["prompt"], row["history"], lambda text: tokens(text) <= preferred)
        except PromptTooLong as error:
            text, dropped = error.shortest, len(row["history"])
            if tokens(text) > longest:
                raise UsageError(
                    f"item {row['id']} has {tokens(text)} tokens even without its history, which leaves no room for "
                    f"{arguments.max_new_tokens} new ones in a context of {context}; lower --max_new_tokens or use a "
                    "model with a longer context"
                ) from error
        prompts.append(Prompt(row["id"], text, tokens(text), dropped))
    # Batches of equally long prompts need little padding. With the longest first, a lack of memory shows at once.
    return sorted(prompts, key=lambda prompt: (-prompt.tokens, prompt.id))
