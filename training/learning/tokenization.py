"""What a language model reads and writes: prompts that fit its context, and their completions, in tokens.

`train_sft.py` and `predict.py` both shorten their prompts here, so a model is asked what it was taught.
"""

import json
from collections.abc import Callable, Sequence
from typing import NamedTuple

from transformers import BatchEncoding, PreTrainedTokenizerBase

from bap_v2_training.errors import UsageError


class PromptTooLong(UsageError):
    """A prompt that does not fit even without any history; `shortest` is that prompt."""

    def __init__(self, shortest: str):
        super().__init__("the prompt is too long even without its history")
        self.shortest = shortest


def fitting_prompt(prompt: str, history: Sequence[str], fits: Callable[[str], bool]) -> tuple[str, int]:
    """Return the prompt with as many of its newest history lines as fit, and the number of oldest ones left out.

    TRL and tokenizers cut a long text at its end, which here would remove the dialogue, the pose, the structure and
    the place where the answer starts. The oldest history is what an item can best do without, so only that is dropped.

    Args:
        prompt: a rendered prompt: the instruction line, the history, and everything that must stay.
        history: the item's history, one string per entry, as it stands in the prompt.
        fits: whether a prompt is short enough. It must not refuse a prompt that is shorter than one it accepts.

    Raises:
        PromptTooLong: the prompt does not fit even without history.
        UsageError: the prompt does not hold the history after its first line.

    >>> fitting_prompt("Predict:\\n<Builder> hi\\npick 0 1 0\\n<Architect> red\\n### AS:\\n",
    ...     ["<Builder> hi", "pick 0 1 0"], lambda prompt: len(prompt) <= 50)
    ('Predict:\\npick 0 1 0\\n<Architect> red\\n### AS:\\n', 1)
    """
    if fits(prompt):
        return prompt, 0
    too_few, enough = 0, len(history)
    shortest = _without(prompt, history, enough)
    if not fits(shortest):
        raise PromptTooLong(shortest)
    while enough - too_few > 1:
        middle = (too_few + enough) // 2
        if fits(_without(prompt, history, middle)):
            enough = middle
        else:
            too_few = middle
    return _without(prompt, history, enough), enough


def token_count(tokenizer: PreTrainedTokenizerBase, text: str) -> int:
    """Return the length of `text` in tokens, BOS included."""
    # Quiet, because a text that is too long is measured in order to be shortened.
    return len(tokenizer(text, verbose=False)["input_ids"])


class LearnedText(NamedTuple):
    """An item of any task as it is learned. If it does not fit, `input_ids` is empty and `dropped` is -1."""

    input_ids: list[int]
    labels: list[int]  # -100 where nothing is learned
    dropped: int  # the oldest lines or messages, which did not fit
    text: str  # that makes it what it is


def tokenized(
    prompts: Sequence[str],
    histories: Sequence[Sequence[str]],
    completions: Sequence[str],
    tokenizer: PreTrainedTokenizerBase,
    max_prompt_tokens: int | None = None,
    max_length: int | None = None,
) -> list[LearnedText]:
    """Return the examples to learn: each prompt as `fitting_prompt` would shorten it, its completion, and EOS.

    All texts are tokenized whole, as one batch on all cores. Only those that are too long are tokenized again: the
    positions of their tokens tell about how many lines are too many, and further rounds make that number exact.

    Args:
        max_prompt_tokens: the longest prompt.
        max_length: the longest prompt and completion with EOS.

    Raises:
        UsageError: a prompt does not hold its history, or the tokenizer cannot tell where a prompt ends.
    """
    too_few = [-1] * len(prompts)  # lines dropped, and still too long
    # With the fewest lines dropped so far: tokens, those of the prompt, lines dropped, and the prompt
    fitting: list[tuple[list[int], int, int, str] | None] = [None] * len(prompts)
    guesses = dict.fromkeys(range(len(prompts)), 0)
    while guesses:
        # All that are not settled, without as many lines as guessed
        texts = {i: _without(prompts[i], histories[i], dropped) for i, dropped in guesses.items()}
        encoded = _encoded(tokenizer, [text + completions[i] + tokenizer.eos_token for i, text in texts.items()])
        next_guesses = {}

        # One that fits may fit with a line more; one that does not loses as many lines as hold what is too much
        for row, (i, dropped) in enumerate(guesses.items()):
            ids = encoded["input_ids"][row]
            n_prompt = _prompt_tokens(encoded, row, texts[i], ids, tokenizer)
            excess = max(n_prompt - (max_prompt_tokens or n_prompt), len(ids) - (max_length or len(ids)))
            if excess <= 0:
                fitting[i] = ids, n_prompt, dropped, texts[i]
                if dropped - 1 > too_few[i]:
                    next_guesses[i] = dropped - 1
            else:
                too_few[i] = dropped
                if fitting[i] is None:
                    if lines := _lines_holding(excess, encoded, row, texts[i], histories[i][dropped:]):
                        next_guesses[i] = dropped + lines
                    else:
                        fitting[i] = [], 0, -1, ""
        guesses = next_guesses
    return [
        LearnedText(ids, [-100] * n_prompt + ids[n_prompt:], dropped, json.dumps([prompt, completion]))
        for (ids, n_prompt, dropped, prompt), completion in zip(fitting, completions, strict=True)
    ]


def _encoded(tokenizer: PreTrainedTokenizerBase, texts: Sequence[str]) -> BatchEncoding:
    if not tokenizer.is_fast:
        raise UsageError(
            f"{type(tokenizer).__name__} does not know which characters a token stands for: take a fast tokenizer"
        )
    return tokenizer(list(texts), verbose=False)


def _prompt_tokens(
    encoded: BatchEncoding, row: int, prompt: str, ids: list[int], tokenizer: PreTrainedTokenizerBase
) -> int:
    """Count the tokens of a prompt with its completion that are the prompt's."""
    first = encoded.char_to_token(row, len(prompt))
    if first is None or encoded.token_to_chars(row, first).start != len(prompt) or ids[-1] != tokenizer.eos_token_id:
        raise UsageError(
            f"{tokenizer.name_or_path or type(tokenizer).__name__} does not split a text where its prompt ends, or "
            f"does not read {tokenizer.eos_token!r} as its end: it cannot learn from prompts and completions"
        )
    return first


def _lines_holding(excess: int, encoded: BatchEncoding, row: int, prompt: str, history: Sequence[str]) -> int:
    """Count the oldest history lines that hold `excess` tokens; all, if they hold fewer."""
    start = at = prompt.index("\n") + 1
    for number, line in enumerate(history, 1):
        at += len(line) + 1
        if encoded.char_to_token(row, at) - encoded.char_to_token(row, start) >= excess:
            return number
    return len(history)


def _without(prompt: str, history: Sequence[str], dropped: int) -> str:
    """Return the prompt without its `dropped` oldest history lines."""
    if not dropped:
        return prompt
    instruction, _, rest = prompt.partition("\n")
    if not rest.startswith("".join(f"{line}\n" for line in history)):
        raise UsageError("the history does not follow the prompt's first line: was it rendered by another version?")
    return f"{instruction}\n{rest[sum(len(line) + 1 for line in history[:dropped]) :]}"
