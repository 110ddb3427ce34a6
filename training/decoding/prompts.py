"""Prompts that fit a model's context, the longest first."""

from collections.abc import Iterable
from typing import NamedTuple

from transformers import PreTrainedTokenizerBase

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


def prompts_of(
    arguments: PredictArguments, rows: Iterable[dict], tokenizer: PreTrainedTokenizerBase, context: int
) -> list[Prompt]:
    """The prompts of `rows`, shortened as in training to `max_prompt_tokens`, the longest first.

    Training leaves out an item that is too long even without its history; here every item gets an answer, as long as
    its prompt without history and `max_new_tokens` more fit the `context` (in tokens).

    Args:
        rows: of `ItemTexts.prompted`.
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
                without = " even without its history" if row["history"] else ""
                raise UsageError(
                    f"item {row['id']} has {tokens(text)} tokens{without}, which leaves no room for "
                    f"{arguments.max_new_tokens} new ones in a context of {context}; lower --max_new_tokens or use a "
                    "model with a longer context"
                ) from error
        prompts.append(Prompt(row["id"], text, tokens(text), dropped))
    # Batches of equally long prompts need little padding. With the longest first, a lack of memory shows at once.
    return sorted(prompts, key=lambda prompt: (-prompt.tokens, prompt.id))
