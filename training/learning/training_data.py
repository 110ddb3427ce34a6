"""What a run learns from: the rows that its settings name, as examples in tokens, with counts of what did not fit."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from datasets import Dataset, Features, List, Value, config
from filelock import FileLock
from transformers import PreTrainedTokenizerBase, TrainingArguments
from trl import SFTConfig

from bap_v2_dataset.interface.table import item_configs
from bap_v2_dataset.labels.label_file import labels_name, labels_path
from bap_v2_dataset.loading.builder import rows_hash
from bap_v2_dataset.loading.mix import write_mix
from bap_v2_dataset.tasks.building.task import CONFIGS
from bap_v2_simulators.atomic_files import acquired
from bap_v2_training.errors import UsageError
from bap_v2_training.learning.data_settings import DataArguments
from bap_v2_training.learning.dataset_rows import load_rows, sources_in
from bap_v2_training.learning.training_settings import SENTENCES, BapArguments
from bap_v2_training.models.new_llama import common_sentences
from bap_v2_training.tasks.table import task_asked, texts_of, training_task

_LENGTHS = {"prompt_tokens": Value("int32"), "completion_tokens": Value("int32"), "dropped_lines": Value("int32")}
_TOKENS = {
    "input_ids": List(Value("int32")),
    "labels": List(Value("int32")),
    "length": Value("int32"),
    "sha256": Value("string"),
}
_OF_TOKENIZER = 3_000  # items of each further config that a tokenizer is trained on
_MANY = 10_000  # items; to start processes for fewer takes longer than they save


class LearnedItems(NamedTuple):
    """The items that fit, in tokens."""

    examples: Dataset  # what `examples_of` gives
    sources: list[str]  # of each example: human, own, or a simulator
    counts: dict  # items, sources, what was shortened or left out, and sha256 of the text learned


def load_training_rows(bap: DataArguments, split: str, max_items: int | None, training: TrainingArguments) -> Dataset:
    """Return the rows of a split of the data that the settings name.

    Raises:
        UsageError: there are none.
        bap_v2_dataset.loading.mix.MixError: there is no such mix.
    """
    path = bap.dataset_path
    if bap.mix is not None:
        folder, amounts = mix_in_cache(bap.mix)
        path = str(folder)
        with training.main_process_first(local=False, desc="mix"):
            if training.process_index == 0:
                folder.parent.mkdir(parents=True, exist_ok=True)
                with acquired(FileLock(f"{folder}.waiting")):  # several trainings may start: one writes, others wait
                    write_mix(folder, amounts)
    return load_rows(bap.dataset_config, split, path, max_items)


def mix_in_cache(mix: str) -> tuple[Path, dict[str, int | None]]:
    """Return the folder in the Hugging Face cache of a mix such as "mdc_v2=all,dr=8000", and its amounts (None: all).

    Raises:
        UsageError: it is not written like that.
    """
    amounts: dict[str, int | None] = {}
    for part in sorted(mix.split(",")):
        name, _, amount = part.strip().partition("=")
        if amount != "all" and not amount.isdecimal():
            raise UsageError(
                f"mix: {part.strip()!r} is not an amount of a config (expected for example dr=8000 or dr=all)"
            )
        if name in amounts:
            raise UsageError(f"mix: {name} stands twice in {mix!r}: leave one out")
        amounts[name] = None if amount == "all" else int(amount)
    rows = [rows_hash(name) for name in amounts if name in CONFIGS]  # of other rows, another folder
    digest = hashlib.sha256(" ".join([json.dumps(amounts), *rows]).encode()).hexdigest()[:8]
    readable = "_".join(f"{name}-{'all' if amount is None else amount}" for name, amount in amounts.items())
    return Path(config.HF_CACHE_HOME) / "bap_v2_mixes" / f"{readable}_{digest}", amounts


def revision_of(bap: DataArguments, rows: Dataset) -> dict:
    """Return what to record of the source of rows, besides the digest of their text."""
    if bap.mix is not None:
        record = json.loads((mix_in_cache(bap.mix)[0] / "mix.json").read_bytes())
        return {"dataset": {"mix": bap.mix}, "dataset_version": record["request"]["data_version"], "mix": record}
    if bap.dataset_path is not None:
        return {"dataset": {"path": bap.dataset_path}, "dataset_version": None}
    return {
        "dataset": {"config": bap.dataset_config},
        "dataset_version": str(rows.info.version),
        # The folder of the cache is named for everything the rows depend on.
        "dataset_revision": Path(rows.cache_files[0]["filename"]).parent.name,
        **({"labels": labels_name(labels_path())} if bap.dataset_config in item_configs("labels") else {}),
    }


def tokenizer_texts(rows: Dataset, bap: BapArguments) -> tuple[Iterator[str], list[str]]:
    """Collect what a new tokenizer learns from, and the sentences that `tokenizer_pieces` may ask to be tokens.

    That is all that a model reads and writes of these rows, and of some of `tokenizer_configs`.

    Raises:
        UsageError: there is no such config, or it has no such representation.
    """
    parts = [texts_of(bap).prompted(rows, ["completion"])]
    for part in filter(None, (bap.tokenizer_configs or "").split(",")):
        config, _, representation = part.strip().partition(":")
        own = load_rows(config, "train", max_items=_OF_TOKENIZER)
        further = replace(bap, representation=representation or None)
        further.task = task_asked(config, None, "train").name
        parts.append(texts_of(further).prompted(own, ["completion"]))
    texts = (text for part in parts for column in ("prompt", "completion") for text in part[column])
    added = [f" {text}" for text in bap.added_texts]  # with the blank before it: what follows an item is its slot
    if bap.tokenizer_pieces != SENTENCES:
        return texts, added
    return texts, [*added, *common_sentences(text for part in parts for text in part["prompt"])]


def examples_of(
    rows: Dataset,
    bap: BapArguments,
    training: SFTConfig,
    tokenizer: PreTrainedTokenizerBase,
    lengths_only: bool = False,
) -> Dataset:
    """One example a row: tokens, labels only where something is learned (the completion and its EOS), and `length`.

    Also `prompt_tokens`, `completion_tokens` (what is learned, with EOS), and `dropped_lines`: how many of the oldest
    history lines or messages did not fit; -1 if the item does not fit even without. TRL takes examples with labels as
    they are: it neither cuts nor drops any.

    Args:
        lengths_only: only these three columns, and nothing written to the cache.
    """
    texts, longest, template = texts_of(bap), (bap.max_prompt_tokens, training.max_length), tokenizer.chat_template

    # `datasets` names the cache file by all that this function refers to: it refers to nothing that does not matter.
    def in_tokens(batch: dict) -> dict:
        assert template == tokenizer.chat_template  # so it belongs to the name of the cache file
        examples = texts.tokenized(batch, tokenizer, *longest)
        prompt_tokens = [example.labels.count(-100) for example in examples]
        tokens = {
            "input_ids": [example.input_ids for example in examples],
            "labels": [example.labels for example in examples],
            "length": [len(example.input_ids) for example in examples],
            "sha256": [hashlib.sha256(example.text.encode()).hexdigest() for example in examples],
        }
        return {
            "prompt_tokens": prompt_tokens,
            "completion_tokens": [len(example.input_ids) - n for example, n in zip(examples, prompt_tokens)],
            "dropped_lines": [example.dropped for example in examples],
            **({} if lengths_only else tokens),
        }

    # The first process writes the cache, the others read it
    with training.main_process_first(desc="tokens"):
        rows = texts.learned(rows)
        return rows.map(
            in_tokens,
            batched=True,
            remove_columns=rows.column_names,
            features=Features(_LENGTHS if lengths_only else _LENGTHS | _TOKENS),
            num_proc=training.dataset_num_proc if len(rows) >= _MANY else None,
            keep_in_memory=lengths_only,
            desc="Tokenizing",
        )


def learned_items(
    rows: Dataset, bap: BapArguments, training: SFTConfig, tokenizer: PreTrainedTokenizerBase
) -> LearnedItems:
    """Return the rows in tokens, without those that are too long even without their history.

    Raises:
        UsageError: no item fits.
    """
    # Those that fit
    task, examples = training_task(bap.task), examples_of(rows, bap, training, tokenizer)
    sources = task.sources(rows, len(examples), own=not bap.dataset_config)
    dropped_lines = examples["dropped_lines"][:]
    fitting = [index for index, dropped in enumerate(dropped_lines) if dropped >= 0]
    if not fitting:
        raise UsageError("no item fits: raise max_length or max_prompt_tokens")
    selected, sources = examples.select(fitting), [sources[index] for index in fitting]

    # What became of the rows
    counts = {
        "items": len(selected),
        "sources": sources_in(sources),
        "too_long_left_out": len(examples) - len(selected),
        **(_lost_history(dropped_lines) if task.has_history else {}),
        # Of the text learned: the same data, prompts and limits give the same
        "sha256": hashlib.sha256("".join(selected["sha256"][:]).encode()).hexdigest(),
    }
    return LearnedItems(selected, sources, counts)


def _lost_history(dropped_lines: Sequence[int]) -> dict[str, int]:
    """Count the items that lost history lines to fit, and these lines."""
    return {
        "shortened": sum(dropped > 0 for dropped in dropped_lines),
        "history_lines_dropped": sum(dropped for dropped in dropped_lines if dropped > 0),
    }
