"""What a language model reads and writes: rows of a BAP dataset as prompts that fit its context.

`train_sft.py` and `predict.py` both take their prompts from here, so a model is asked what it was taught.
"""

import random
from collections.abc import Callable, Sequence
from pathlib import Path

from datasets import Dataset, DatasetDict, load_dataset, load_from_disk
from transformers import PreTrainedTokenizerBase

# Importing the package also registers the name "bap_v2" with datasets.
from bap_v2_dataset.prompts import REPRESENTATIONS

_SUBSET_SEED = "max_items"  # the same items for training and prediction, whatever the training seed


class UsageError(ValueError):
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
        dataset_path: own data with the same columns, taken instead if given: a folder written by `save_to_disk`, a
            Parquet file, or a file of JSON lines.
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


def _published_rows(dataset_config: str, split: str) -> Dataset:
    try:
        splits = load_dataset("bap_v2", dataset_config)
    except Exception as error:  # of a dozen kinds; each says what to set up
        raise UsageError(f'load_dataset("bap_v2", "{dataset_config}") failed: {error}') from error
    return _split_of(splits, split, f"config {dataset_config!r}")


def _own_rows(path: Path, split: str) -> Dataset:
    if path.is_dir():
        try:
            data = load_from_disk(str(path))
        except FileNotFoundError as error:
            raise UsageError(f"{path} was not written by save_to_disk: {error}") from error
        return _split_of(data, split, str(path)) if isinstance(data, DatasetDict) else data
    readers = {".parquet": Dataset.from_parquet, ".jsonl": Dataset.from_json, ".json": Dataset.from_json}
    if path.suffix not in readers or not path.is_file():
        raise UsageError(f"{path} is no save_to_disk folder, .parquet file or .jsonl file")
    return readers[path.suffix](str(path))


def _split_of(splits: DatasetDict, split: str, name: str) -> Dataset:
    if split not in splits:
        raise UsageError(f"{name} has no split {split!r} (expected one of {', '.join(splits)})")
    return splits[split]
