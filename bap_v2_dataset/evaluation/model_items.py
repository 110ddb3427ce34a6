"""The items that a function is asked about: those of a config, of own data, or rows that are in memory."""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import datasets

from bap_v2_dataset.evaluation.test_sets import ScoredSplit, split_rows
from bap_v2_dataset.loading.own_data import completed, read_data
from bap_v2_dataset.loading.registration import DATASET_NAME
from bap_v2_dataset.loading.sampling import fixed_subset
from bap_v2_dataset.tasks import all_configs
from bap_v2_metric.errors import UserError


class ItemsError(UserError):
    """Items that are named in two ways."""


def items_of(
    config: str | None, split: str, data: "str | Path | datasets.Dataset | Sequence[Mapping[str, Any]] | None"
) -> tuple[ScoredSplit, dict[str, str | None]]:
    """The rows of a test set, and where they are from, as prediction files record it.

    Args:
        config, data: at most one of them; by default the config dss.
    Raises:
        ItemsError: for both.
        UserError: for an unknown config or split, or data that cannot be read.
    """
    if data is None:
        config = config or "dss"
        rows = split_rows(config, split)
        return ScoredSplit(config, split, rows.to_list(), len(rows)), {"dataset_config": config, "dataset_path": None}
    if config is not None:
        raise ItemsError("pass a config or data=, not both")
    if isinstance(data, (str, Path)):
        own = read_data(str(data), split)
        split = own.split_named(split)
        rows = own.splits[split]
        test = ScoredSplit(own.name, split, rows.to_list(), len(rows), own.source)
        return test, {"dataset_config": None, "dataset_path": own.source}
    rows = data if isinstance(data, datasets.Dataset) else datasets.Dataset.from_list([dict(row) for row in data])
    info, splits = rows.info, rows.info.splits
    if info.dataset_name == DATASET_NAME and info.config_name in all_configs() and rows.split is not None and splits:
        config, split = info.config_name, re.split(r"\W", str(rows.split))[0]  # of "test[:20]"
        test = ScoredSplit(config, split, rows.to_list(), splits[split].num_examples)
        return test, {"dataset_config": config, "dataset_path": None}
    rows = completed(rows, "data")
    return ScoredSplit("data", split, rows.to_list(), len(rows), "rows"), {"dataset_config": None, "dataset_path": None}


def limited(test: ScoredSplit, max_items: int | None) -> ScoredSplit:
    """At most this many of the items: always the same ones."""
    if max_items is None or max_items >= len(test.rows):
        return test
    return replace(test, rows=[test.rows[position] for position in fixed_subset(len(test.rows), max_items)])


def digest(rows: Sequence[Mapping[str, Any]]) -> str:
    """Of what models read: a file of answers to other rows is not resumed."""
    read = [[row[name] for name in ("id", "history", "dialogue", "pose", "before")] for row in rows]
    return hashlib.sha256(json.dumps(read).encode()).hexdigest()
