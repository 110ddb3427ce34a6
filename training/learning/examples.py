"""What a language model reads and writes: rows of a BAP dataset as prompts that fit its context.

`train_sft.py` and `predict.py` both take their prompts from here, so a model is asked what it was taught.
"""

import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from datasets import Dataset, DatasetDict, load_dataset, load_from_disk
from transformers import BatchEncoding, PreTrainedTokenizerBase

# Importing the package also registers the name "bap_v2" with datasets.
from bap_v2_dataset.prompts import REPRESENTATIONS
from bap_v2_metric.errors import UserError

_SUBSET_SEED = "max_items"  # the same items for training and prediction, whatever the training seed


class UsageError(UserError):
    """What was asked for cannot be done; the message says what to change."""


class PromptTooLong(UsageError):
    """A prompt that does not fit even without any history; `shortest` is that prompt."""

    def __init__(self, shortest: str):
        super().__init__("the prompt is too long even without its history")
        self.shortest = shortest


def load_rows(
    dataset_config: str | None,
    split: str,
    dataset_path: str | None = None,
    max_items: int | None = None,
) -> Dataset:
    """The rows of one split, or a fixed random subset of them.

    Args:
        dataset_config: a config of `load_dataset("bap_v2", ...)`, for example "mdc".
        split: a split of that config. A file in `dataset_path` is one split, whatever its name.
        dataset_path: own data with the same columns, taken instead if given: a folder written by `save_to_disk` or by
            `bap-v2 mix`, a Parquet file, or a file of JSON lines.
        max_items: at most this many rows, drawn at random but always the same ones, in dataset order. A smaller
            number draws from a larger one's.

    Raises:
        UsageError: the data are not there, or have no such split.
    """
    if dataset_config is None and dataset_path is None:
        raise UsageError("name the data: dataset_config (for example mdc) or dataset_path (own data)")
    rows = _published_rows(dataset_config, split) if dataset_path is None else _own_rows(Path(dataset_path), split)
    if max_items is not None and max_items < 1:
        raise UsageError(f"max_items is {max_items}: expected a positive number, or no value for all items")
    if max_items is not None and max_items < len(rows):
        order = list(range(len(rows)))
        random.Random(_SUBSET_SEED).shuffle(order)
        rows = rows.select(sorted(order[:max_items]))
    if not len(rows):
        raise UsageError(f"split {split!r} of {dataset_path or dataset_config} has no rows")
    return rows


def prompt_column(rows: Dataset, representation: str, others: Sequence[str] = ()) -> str:
    """The name of the column with the prompts of `representation`, after a check that all needed columns are there."""
    if representation not in REPRESENTATIONS:
        raise UsageError(f"unknown representation {representation!r} (expected one of {', '.join(REPRESENTATIONS)})")
    column = f"prompt_{representation}"
    missing = [name for name in ("id", "history", column, *others) if name not in rows.column_names]
    if missing:
        raise UsageError(f"the data have no column {', '.join(missing)}; they have {', '.join(rows.column_names)}")
    return column


def fitting_prompt(prompt: str, history: Sequence[str], fits: Callable[[str], bool]) -> tuple[str, int]:
    """The prompt with as many of its newest history lines as fit, and the number of oldest ones left out.

    TRL and tokenizers cut a long text at its end, which here would remove the dialogue, the pose, the structure and
    the place where the answer starts. The oldest history is what an item can best do without, so only that is dropped.

    Args:
        prompt: a rendered prompt: the instruction line, the history, and everything that must stay.
        history: the item's history, one string per entry, as it stands in the prompt.
        fits: says whether a prompt is short enough. It must not refuse a prompt that is shorter than one it accepts.

    Raises:
        PromptTooLong: the prompt does not fit even without history.
        UsageError: the prompt does not hold the history after its first line.

    >>> fitting_prompt("Predict:\\n<Builder> hi\\npick 0 1 0\\n<Architect> red\\n### AS:\\n",
    ...     ["<Builder> hi", "pick 0 1 0"], lambda prompt: len(prompt) <= 50)
    ('Predict:\\npick 0 1 0\\n<Architect> red\\n### AS:\\n', 1)
    """
    if fits(prompt):
        return prompt, 0
    instruction, _, rest = prompt.partition("\n")
    lines = [f"{entry}\n" for entry in history]
    if not rest.startswith("".join(lines)):
        raise UsageError("the history does not follow the prompt's first line: was it rendered by another version?")
    kept = rest[sum(map(len, lines)) :]

    def without(dropped: int) -> str:
        return f"{instruction}\n{''.join(lines[dropped:])}{kept}"

    too_few, enough = 0, len(lines)
    if not fits(without(enough)):
        raise PromptTooLong(without(enough))
    while enough - too_few > 1:
        middle = (too_few + enough) // 2
        if fits(without(middle)):
            enough = middle
        else:
            too_few = middle
    return without(enough), enough


def token_count(tokenizer: PreTrainedTokenizerBase, text: str) -> int:
    """The length of `text` in tokens, BOS included."""
    # Quiet, because a text that is too long is measured in order to be shortened.
    return len(tokenizer(text, verbose=False)["input_ids"])


class Example(NamedTuple):
    """One item in tokens. Without history that would fit, `input_ids` is empty and `dropped_lines` is -1."""

    prompt: str
    input_ids: list[int]  # prompt, completion, EOS
    prompt_tokens: int  # how many of input_ids are the prompt's
    dropped_lines: int  # the oldest history lines, that did not fit


def tokenized(
    prompts: Sequence[str],
    histories: Sequence[Sequence[str]],
    completions: Sequence[str],
    tokenizer: PreTrainedTokenizerBase,
    max_prompt_tokens: int | None = None,
    max_length: int | None = None,
) -> list[Example]:
    """The examples to learn: each prompt as `fitting_prompt` would shorten it, its completion, and EOS.

    Each text is tokenized whole, as one batch on all cores, and only those that are too long again: about how many of
    their lines are too many is read off the places of their tokens, and then made exact.

    Args:
        max_prompt_tokens: the longest prompt.
        max_length: the longest prompt and completion with EOS.

    Raises:
        UsageError: a prompt does not hold its history, or the tokenizer cannot tell where a prompt ends.
    """
    too_few = [-1] * len(prompts)  # so many lines less, and still too long
    fitting: list[Example | None] = [None] * len(prompts)  # with the fewest lines less that were seen to do
    guesses = dict.fromkeys(range(len(prompts)), 0)
    while guesses:
        texts = {i: _without(prompts[i], histories[i], dropped) for i, dropped in guesses.items()}
        encoded = _encoded(tokenizer, [text + completions[i] + tokenizer.eos_token for i, text in texts.items()])
        next_guesses = {}
        for row, (i, dropped) in enumerate(guesses.items()):
            ids = encoded["input_ids"][row]
            n_prompt = _prompt_tokens(encoded, row, texts[i], ids, tokenizer)
            excess = max(n_prompt - (max_prompt_tokens or n_prompt), len(ids) - (max_length or len(ids)))
            if excess <= 0:
                fitting[i] = Example(texts[i], ids, n_prompt, dropped)
                if dropped - 1 > too_few[i]:
                    next_guesses[i] = dropped - 1
            else:
                too_few[i] = dropped
                if fitting[i] is None:
                    lines = _lines_holding(excess, encoded, row, texts[i], histories[i][dropped:])
                    if lines:
                        next_guesses[i] = dropped + lines
                    else:
                        fitting[i] = Example("", [], 0, -1)
        guesses = next_guesses
    return fitting


def sources_of(rows: Dataset) -> list[str]:
    """Where each row comes from: `human`, the name of its simulator, or `own` where the rows do not say."""
    if "metadata" not in rows.column_names:
        return ["own"] * len(rows)
    return [
        "human" if (its or {}).get("source") == "human" else (its or {}).get("simulator", "own")
        for its in rows["metadata"][:]
    ]


def _encoded(tokenizer: PreTrainedTokenizerBase, texts: Sequence[str]) -> BatchEncoding:
    if not tokenizer.is_fast:
        raise UsageError(f"{type(tokenizer).__name__} does not know which characters a token stands for")
    return tokenizer(list(texts), verbose=False)


def _prompt_tokens(
    encoded: BatchEncoding, row: int, prompt: str, ids: list[int], tokenizer: PreTrainedTokenizerBase
) -> int:
    """How many tokens of a prompt with its completion are the prompt's."""
    first = encoded.char_to_token(row, len(prompt))
    if first is None or encoded.token_to_chars(row, first).start != len(prompt) or ids[-1] != tokenizer.eos_token_id:
        raise UsageError(
            f"{tokenizer.name_or_path or type(tokenizer).__name__} does not split a text where its prompt ends, or "
            f"does not read {tokenizer.eos_token!r} as its end: it cannot learn from prompts and completions"
        )
    return first


def _lines_holding(excess: int, encoded: BatchEncoding, row: int, prompt: str, history: Sequence[str]) -> int:
    """How many of the oldest history lines hold so many tokens; all, if they hold fewer."""
    start = at = prompt.index("\n") + 1
    for number, line in enumerate(history, 1):
        at += len(line) + 1
        if encoded.char_to_token(row, at) - encoded.char_to_token(row, start) >= excess:
            return number
    return len(history)


def _without(prompt: str, history: Sequence[str], dropped: int) -> str:
    """The prompt without so many of its oldest history lines."""
    if not dropped:
        return prompt
    instruction, _, rest = prompt.partition("\n")
    if not rest.startswith("".join(f"{line}\n" for line in history)):
        raise UsageError("the history does not follow the prompt's first line: was it rendered by another version?")
    return f"{instruction}\n{rest[sum(len(line) + 1 for line in history[:dropped]) :]}"


def _published_rows(dataset_config: str, split: str) -> Dataset:
    try:
        splits = load_dataset("bap_v2", dataset_config)
    except Exception as error:  # of a dozen kinds; each says what to set up
        raise UsageError(f'load_dataset("bap_v2", "{dataset_config}") failed: {error}') from error
    return _split_of(splits, split, f"config {dataset_config!r}")


def _own_rows(path: Path, split: str) -> Dataset:
    if path.is_dir():
        parts = sorted(path.glob("*.parquet"))  # as `bap-v2 mix` writes them
        if parts:
            if not (path / f"{split}.parquet").is_file():
                names = ", ".join(part.stem for part in parts)
                raise UsageError(f"{path} has no split {split!r} (expected one of {names})")
            return Dataset.from_parquet(str(path / f"{split}.parquet"))
        try:
            data = load_from_disk(str(path))
        except FileNotFoundError as error:
            raise UsageError(f"{path} was written neither by save_to_disk nor by bap-v2 mix: {error}") from error
        return _split_of(data, split, str(path)) if isinstance(data, DatasetDict) else data
    readers = {".parquet": Dataset.from_parquet, ".jsonl": Dataset.from_json, ".json": Dataset.from_json}
    if path.suffix not in readers or not path.is_file():
        raise UsageError(f"{path} is no save_to_disk folder, folder of bap-v2 mix, .parquet file or .jsonl file")
    return readers[path.suffix](str(path))


def _split_of(splits: DatasetDict, split: str, name: str) -> Dataset:
    if split not in splits:
        raise UsageError(f"{name} has no split {split!r} (expected one of {', '.join(splits)})")
    return splits[split]
