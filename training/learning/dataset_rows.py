"""Rows of a BAP dataset, published or own, as training and prediction take them."""

from collections import Counter
from collections.abc import Sequence
from functools import partial
from itertools import compress
from operator import ne
from typing import Any

from datasets import Dataset, DatasetDict, concatenate_datasets, load_dataset

from bap_v2_dataset.interface.table import all_configs, task_of_columns, unknown_config
from bap_v2_dataset.items.rows import noted
from bap_v2_dataset.items.versions import ROW_REPRESENTATIONS
from bap_v2_dataset.labels.readings import UNDONE, clear_reading_of

# Importing the package also registers the name "bap_v2" with datasets.
from bap_v2_dataset.loading.own_data import DataError, completed, read_data, read_splits
from bap_v2_dataset.loading.own_files import JsonFile, opened
from bap_v2_dataset.loading.sampling import fixed_subset
from bap_v2_dataset.tasks.building.task import Building
from bap_v2_training.errors import UsageError

BUILT, REPAIRS, READINGS = LEARNED_ANSWERS = ("built", "repairs", "readings")  # of human items
_READ = {"history", "completion", *(f"prompt_{representation}" for representation in ROW_REPRESENTATIONS)}


def load_rows(
    dataset_config: str | None,
    split: str,
    dataset_path: str | None = None,
    max_items: int | None = None,
) -> Dataset:
    """Return the rows of one split, or a fixed random subset of them.

    Args:
        dataset_config: a config of `load_dataset("bap_v2", ...)`, for example "mdc".
        split: a split of that config, or several, `original+spl`. A file in `dataset_path` is one split, whatever its
            name.
        dataset_path: own data, used instead if given: a folder written by `save_to_disk` or by `bap-v2 mix`, a file
            of JSON lines or Parquet, or USER/NAME[:CONFIG] on the Hub. Prompts that they lack are rendered.
        max_items: at most this many rows, drawn at random but always the same ones, in dataset order. A smaller
            number draws from a larger one's.

    Raises:
        UsageError: there is no such config, folder or file, or it has no such split.
        bap_v2_metric.errors.UserError: the corpus of a config is not set up.
    """
    if dataset_config is None and dataset_path is None:
        raise UsageError("set dataset_config (for example mdc) or dataset_path (own data)")
    rows = _published_rows(dataset_config, split) if dataset_path is None else _own_rows(dataset_path, split)
    if max_items is not None and max_items < 1:
        raise UsageError(f"max_items is {max_items}: expected a positive number, or no value for all items")
    if max_items is not None and max_items < len(rows):
        rows = rows.select(fixed_subset(len(rows), max_items))
    if not len(rows):
        raise UsageError(f"split {split!r} of {dataset_path or dataset_config} has no rows")
    return rows


def config_and_split(name: str, split: str = "validation") -> tuple[str, str]:
    """Read a config and perhaps a split of it, by default the given one.

    >>> config_and_split("mdc"), config_and_split("mdc_v2:validation_clear")
    (('mdc', 'validation'), ('mdc_v2', 'validation_clear'))

    Raises:
        UsageError: it is a test split, from which nothing is learned or chosen.
    """
    config, _, named = name.partition(":")
    if named.startswith("test"):
        raise UsageError(f"{name}: nothing is learned from test items, and nothing chosen by them")
    return config, named or split


def check_columns(rows: Dataset, needed: Sequence[str]) -> None:
    """Raises: UsageError if the rows lack one of these columns."""
    if missing := [name for name in needed if name not in rows.column_names]:
        raise UsageError(f"the data have no column {', '.join(missing)}; they have {', '.join(rows.column_names)}")


def complete_rows(rows: Dataset, needed: Sequence[str], others: Sequence[str] = ()) -> list[dict[str, Any]]:
    """Columns of the rows as plain Python objects, for models that read the items themselves.

    Args:
        needed: `id`, and what every item must have.
        others: columns that are taken along if they are there.
    Raises:
        UsageError: the rows lack one of the needed columns, or an item has none of what stands there.
    """
    check_columns(rows, needed)
    taken = [*needed, *(name for name in others if name in rows.column_names)]
    complete = rows.select_columns(taken).to_list()
    for name in needed:
        if lacking := [row["id"] for row in complete if row[name] is None]:
            raise UsageError(f"{len(lacking)} items have no {name}, e.g. {lacking[0]}: this model reads it")
    return complete


def with_readings(rows: Dataset, which: str) -> tuple[Dataset, dict[str, dict[str, float]]]:
    """Return rows with a larger model's clear readings (docs/data/readings.md) as completions, not what was built.

    On an empty board what was built stays: a reading may be in another place, and is no other answer.

    Args:
        which: READINGS, all of them, or REPAIRS, those of turns that the next one undoes, wholly or partly.
    Returns:
        The rows, and by source which share of them has which answer.
    Raises:
        UsageError: none of the rows has such a reading.
    """
    check_columns(rows, ["before", "completion", "metadata"])
    read = rows.map(partial(_with_reading, which=which), desc="Readings")
    sources, others = sources_of(rows), map(ne, rows["completion"][:], read["completion"][:])
    number_read = Counter(compress(sources, others))
    if not number_read:
        raise UsageError(f"learned_answers is {which}, but no item has such a reading; those of mdc, split train, have")
    shares = {}
    for source, number in sources_in(sources).items():
        share = number_read[source] / number
        shares[source] = {"built": round(1 - share, 4), "reading": round(share, 4)}
    return read, shares


def sources_of(rows: Dataset) -> list[str]:
    """Return the source of each row: `human`, the name of its simulator, or `own` where the rows do not say."""
    if "metadata" not in rows.column_names:
        return ["own"] * len(rows)
    return [
        "human" if (metadata or {}).get("source") == "human" else (metadata or {}).get("simulator", "own")
        for metadata in rows["metadata"][:]
    ]


def sources_in(sources: Sequence[str]) -> dict[str, int]:
    """Count the items of each source, in the order of their names."""
    return dict(sorted(Counter(sources).items()))


def _with_reading(row: dict[str, Any], which: str) -> dict[str, str]:
    taken = row["before"] and (which == READINGS or noted(row, "annotation").get("next_turn") in UNDONE)
    reading = clear_reading_of(row) if taken else None
    return {"completion": row["completion"] if reading is None else reading}


def _published_rows(dataset_config: str, split: str) -> Dataset:
    if dataset_config not in all_configs():
        raise UsageError(unknown_config(dataset_config))
    return _split_of(load_dataset("bap_v2", dataset_config), split, f"config {dataset_config!r}")


def _own_rows(source: str, split: str) -> Dataset:
    """The rows as they are; if they are items that lack a column that training or prediction reads, completed."""
    try:
        columns = own_columns(source, split)
        task = task_of_columns(columns)
        items = "before" in columns and (task is None or isinstance(task, Building))
        # What other tasks note in `metadata` has no type that could be read off JSON: their tasks know it.
        data = (read_splits if task is None or items else read_data)(source, split)
        rows = data.splits[data.split_named(split)]
        if items and not _READ.issubset(rows.column_names):
            rows = completed(rows, source)
    except DataError as error:
        raise UsageError(str(error)) from error
    return rows


def own_columns(source: str, split: str) -> list[str]:
    """Return the columns of own data, of their first row if they are JSON. Raises: DataError if they cannot be read."""
    parts = opened(source).parts
    part = parts[split] if split in parts else next(iter(parts.values()))
    if isinstance(part, JsonFile):
        return list(next(part.records(), ("", {}))[1])
    return part.column_names


def _split_of(splits: DatasetDict, split: str, name: str) -> Dataset:
    """Return the rows of a split, or of several whose names are joined with `+`."""
    names = split.split("+")
    if unknown := [one for one in names if one not in splits]:
        raise UsageError(f"{name} has no split {unknown[0]!r} (expected one of {', '.join(splits)})")
    if len(names) == 1:
        return splits[split]
    rows = concatenate_datasets([splits[one] for one in names])
    if len(set(rows["id"][:])) < len(rows):
        raise UsageError(f"the splits {split} of {name} share items: name each item's split once")
    return rows
