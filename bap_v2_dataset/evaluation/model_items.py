"""The items that a function is asked about: those of a config, of own data, or rows that are in memory."""

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import datasets

from bap_v2_dataset.evaluation.model_arguments import ArgumentError
from bap_v2_dataset.evaluation.results import ScoredSplit
from bap_v2_dataset.evaluation.test_sets import split_rows
from bap_v2_dataset.interface.table import all_configs, require_task, task_of_columns
from bap_v2_dataset.loading.own_data import completed, completed_records, read_data
from bap_v2_dataset.loading.sampling import fixed_subset
from bap_v2_dataset.registration import DATASET_NAME


def items_of(
    config: str | None, split: str, data: "str | Path | datasets.Dataset | Sequence[Mapping[str, Any]] | None"
) -> tuple[ScoredSplit, dict[str, str | None]]:
    """Return the rows of a test set, and where they are from, as prediction files record it.

    Args:
        config, data: at most one of them; by default the config dss.
    Raises:
        ArgumentError: for both, and for no items.
        UserError: for an unknown config or split, or data that cannot be read.
    """
    test, origin = _items_of(config, split, data)
    if not test.rows:
        raise ArgumentError(f"{test.config}, {test.split} has no rows")
    return test, origin


def _items_of(config: str | None, split: str, data: Any) -> tuple[ScoredSplit, dict[str, str | None]]:
    # Of a config.
    if data is None:
        config = config or "dss"
        rows = split_rows(config, split)
        return _of_config(config, split, rows.to_list(), len(rows))
    if config is not None:
        raise ArgumentError("pass a config or data=, not both")

    # In a file, a folder or a repository, or in memory.
    if isinstance(data, (str, Path)):
        own = read_data(str(data), split)
        split, rows = own.rows(split)
        test = ScoredSplit(own.task, own.name, split, rows.to_list(), len(own.splits[split]), own.source)
        return test, {"dataset_config": None, "dataset_path": own.source}
    if not isinstance(data, datasets.Dataset):
        if isinstance(data, Mapping) or not isinstance(data, Iterable):
            raise ArgumentError(
                f"data is of type {type(data).__name__}: expected FILE, FOLDER, USER/NAME, a datasets.Dataset, or a "
                "list of rows"
            )
        return _in_memory(completed_records(data, "data"), split)

    # In memory, of `load_dataset("bap_v2", ...)`.
    info, splits = data.info, data.info.splits
    if info.dataset_name == DATASET_NAME and info.config_name in all_configs() and data.split is not None and splits:
        config, split = info.config_name, re.split(r"\W", str(data.split))[0]  # of "test[:20]"
        task = require_task(config)
        columns = task.dataset.info(config).features
        needed = [name for name in ("id", *task.scores.scorer.reference, "metadata") if name in columns]
        if missing := [name for name in needed if name not in data.column_names]:
            raise ArgumentError(
                f"these rows of {config} have no column {', '.join(missing)}: to score, keep {', '.join(needed)}"
            )
        return _of_config(config, split, data.to_list(), splits[split].num_examples)
    return _in_memory(completed(data, "data").to_list(), split)


def _of_config(config: str, split: str, rows: list[dict], split_items: int) -> tuple[ScoredSplit, dict]:
    test = ScoredSplit(require_task(config), config, split, rows, split_items)
    return test, {"dataset_config": config, "dataset_path": None}


def _in_memory(rows: list[dict[str, Any]], split: str) -> tuple[ScoredSplit, dict[str, str | None]]:
    task = task_of_columns(rows[0])
    assert task is not None  # the rows are complete
    return ScoredSplit(task, "data", split, rows, len(rows), "rows"), {"dataset_config": None, "dataset_path": None}


def limited(test: ScoredSplit, max_items: int | None) -> ScoredSplit:
    """Return at most this many of the items: always the same ones."""
    if max_items is None or max_items >= len(test.rows):
        return test
    return replace(test, rows=[test.rows[position] for position in fixed_subset(len(test.rows), max_items)])


def digest(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return a digest of what models read: a file of answers to other rows is not resumed."""
    names = ("id", "history", "dialogue", "pose", "before")
    further = ("question", "prompt")  # of items that are no dialogues
    read = [[*map(row.get, names), *(row[name] for name in further if name in row)] for row in rows]
    return hashlib.sha256(json.dumps(read).encode()).hexdigest()
