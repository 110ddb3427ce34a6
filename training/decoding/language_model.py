"""A language model that runs here, as a function from prompts to answers."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from transformers import AutoConfig, AutoTokenizer, PreTrainedConfig, PreTrainedTokenizerBase

from bap_v2_training.decoding.constrained import Notation, notation_of
from bap_v2_training.decoding.local import answers, loaded_model, notation_table
from bap_v2_training.decoding.predict_arguments import PredictArguments
from bap_v2_training.decoding.prompt_format import PromptFormat
from bap_v2_training.decoding.trained_model import base_of, base_revision, tokenizer_folder
from bap_v2_training.decoding.vllm import Vllm
from bap_v2_training.errors import UsageError
from bap_v2_training.learning.chats import template_facts
from bap_v2_training.learning.tokenization import PromptTooLong, fitting_prompt
from bap_v2_training.models.gguf import model_folder

_VLLM_ITEMS = 512  # given to vLLM at a time; a kill can lose as many


def tokenizer_and_config(model: str) -> tuple[PreTrainedTokenizerBase, PreTrainedConfig]:
    """Load what a model reads with, padding on the left, and how it is built.

    Raises:
        UsageError: it is no model, or its training did not end.
    """
    try:
        tokenizer = AutoTokenizer.from_pretrained(model_folder(tokenizer_folder(model)), padding_side="left")
        base = base_of(model)
        config = config_of_base(base, base_revision(model)) if base else AutoConfig.from_pretrained(model)
    except (OSError, ValueError) as error:
        if isinstance(error, UsageError):
            raise
        raise UsageError(
            f"{model} is neither the folder of a model nor a model available on the Hub: {error}"
        ) from error
    if tokenizer.pad_token is None:
        tokenizer.pad_token = tokenizer.eos_token
    return tokenizer, config.get_text_config()


def template_facts_of(model: str) -> dict[str, str]:
    """Return what to record of the chat template of a model."""
    return template_facts(tokenizer_and_config(model)[0])


def how_to_get(model: str) -> str:
    """Say what may be done about a model that cannot be loaded: a folder of this machine is not on the Hub.

    >>> how_to_get("runs/base/new_model")
    'there is no such folder; if it was moved, put it back'
    """
    levels = model.count("/")
    if levels > 1 or model.startswith((".", "/", "~")) or (levels and Path(model).parent.is_dir()):
        return "there is no such folder; if it was moved, put it back"
    return "if it is gated, accept its license on the Hub and set HF_TOKEN to a token of that account"


def config_of_base(base: str, revision: str) -> PreTrainedConfig:
    """Load how the base model of an adapter is built. Raises: UsageError, if it is not available."""
    try:
        return AutoConfig.from_pretrained(model_folder(base), revision=revision)
    except (OSError, ValueError) as error:
        raise UsageError(
            f"{base}, which adapter_config.json names as the base model, is not available: {how_to_get(base)}"
        ) from error


def loaded_backend(
    arguments: PredictArguments, tokenizer: PreTrainedTokenizerBase, config: PreTrainedConfig, longest_prompt: int
) -> tuple[Callable[[Sequence[str]], list[tuple[str, bool]]], int]:
    """Return the loaded model as a function from prompts to answers, and the number of prompts to give it at a time.

    Args:
        longest_prompt: in tokens, of all that it will be given.
    """
    folder, new_tokens = arguments.model_folder, arguments.max_new_tokens
    if arguments.backend == "vllm":
        form = PromptFormat(arguments.prompt_format, arguments.bos_tokens)
        served = Vllm(folder, tokenizer, config, arguments.dtype, longest_prompt + new_tokens, _permitted(arguments))
        return (
            lambda texts: served.answers(form.input_ids(tokenizer, texts), new_tokens),
            max(arguments.batch_size, _VLLM_ITEMS),
        )
    return loaded_here(arguments, tokenizer), arguments.batch_size


def loaded_here(
    arguments: PredictArguments, tokenizer: PreTrainedTokenizerBase
) -> Callable[..., list[tuple[str, bool]]]:
    """The model in transformers, from prompts to answers: `local.answers`, with its `seeds` and `temperature`."""
    form, notation = PromptFormat(arguments.prompt_format, arguments.bos_tokens), _permitted(arguments)
    model = loaded_model(arguments.model_folder, tokenizer, arguments.dtype, arguments.load_in_4bit)
    table = None if notation is None else notation_table(model, tokenizer, notation)

    def answered(texts: Sequence[str], **sampling: Any) -> list[tuple[str, bool]]:
        ids = form.input_ids(tokenizer, texts)
        return answers(model, tokenizer, ids, arguments.max_new_tokens, table, **sampling)

    return answered


def _permitted(arguments: PredictArguments) -> Notation | None:
    """Return the notation that alone is permitted; None: whatever the model writes."""
    return notation_of(arguments.representation) if arguments.constrained else None


class Prompt(NamedTuple):
    """The text that a model reads of one item."""

    id: str
    text: str  # before it is brought into the form of a PromptFormat
    tokens: int  # length of text as the model reads it
    history_lines_dropped: int  # the oldest ones, which did not fit


def prompts_of(
    arguments: PredictArguments, rows: Iterable[dict], tokenizer: PreTrainedTokenizerBase, context: int
) -> list[Prompt]:
    """Return the prompts of `rows`, shortened as in training to `max_prompt_tokens`, the longest first.

    Training leaves out an item that is too long even without its history; here every item gets an answer, as long as
    its prompt without history and `max_new_tokens` more fit the `context` (in tokens).

    Args:
        rows: of `ItemTexts.prompted`.
    """
    # Lengths are those of what the model reads
    form = PromptFormat(arguments.prompt_format, arguments.bos_tokens)

    def tokens(text: str) -> int:
        return len(form.input_ids(tokenizer, [text])[0])

    # Each prompt as long as was asked for; a longer one if it has no more history to lose
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
                    f"{arguments.max_new_tokens} new ones in a context of {context}; lower --max-new-tokens or use a "
                    "model with a longer context"
                ) from error
        prompts.append(Prompt(row["id"], text, tokens(text), dropped))
    # Batches of equally long prompts need little padding. With the longest first, a lack of memory shows at once.
    return sorted(prompts, key=lambda prompt: (-prompt.tokens, prompt.id))
