"""Items that are made one by one as files of rows: any number, by their index, with any settings.

A run that is killed resumes where it stopped (`resumable_chunks`). Items of games are in `simulated`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from bap_v2_dataset.generation.resumable_chunks import write_chunks
from bap_v2_dataset.generation.workers import GenerationError
from bap_v2_simulators.settings import check_seed
from bap_v2_simulators.simulation import SPLITS

_ITEMS_PER_CHUNK = 1000


@dataclass(frozen=True)
class ItemSource:
    """The maker of the items of a config."""

    facts: Mapping[str, Any]  # all that the rows depend on besides split, seed and index: names, versions, settings
    settings: Mapping[str, Any]  # by name, as a user sets them
    rows: Callable[[str, int, range], list[dict]]  # (split, seed, indices): can be sent to other processes
    columns: str  # the features of the rows, as `module:name`


def write_items(
    source: ItemSource,
    output: Path,
    *,
    n_items: int | None,
    split: str = "train",
    seed: int = 0,
    num_proc: int = 1,
    overwrite: bool = False,
    progress: Callable[[int], None] | None = None,
) -> None:
    """Write the first items of a split to a file; `<output>.settings.json` beside it says what they are.

    Args:
        output: .jsonl or .parquet. If it holds these items already, it is left as it is.
        n_items: how many.
        seed: a whole number of at most 64 bits.
        num_proc: processes; the bytes are the same for any number.
        overwrite: replace a file that holds anything else.
        progress: called with the items that were finished since the last call.
    Raises:
        GenerationError: for a request that makes no sense, and for a file that holds something else.
        bap_v2_simulators.settings.SettingsError: for a seed that is none.
        bap_v2_simulators.atomic_files.OutputError: for a file that cannot be made, or that another process writes.
    """
    if n_items is None or n_items < 1:
        raise GenerationError("pass the number of items: --items, at least 1")
    if split not in SPLITS:
        raise GenerationError(f"unknown split {split!r} (expected one of {', '.join(SPLITS)})")
    check_seed(seed)
    starts = range(0, n_items, _ITEMS_PER_CHUNK)
    write_chunks(
        Path(output), {**source.facts, "split": split, "items": n_items, "seed": seed},
        partial(_make_rows, source, split, seed),
        (range(start, min(start + _ITEMS_PER_CHUNK, n_items)) for start in starts), kind="items",
        columns=source.columns, num_proc=num_proc, overwrite=overwrite,
        progress=progress and (lambda counts: progress(counts["items"])),
    )  # fmt: skip


def _make_rows(source: ItemSource, split: str, seed: int, indices: range) -> tuple[list[dict], dict[str, int]]:
    return source.rows(split, seed, indices), {"items": len(indices)}
