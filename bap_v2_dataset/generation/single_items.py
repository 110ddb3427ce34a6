"""Items that are made one by one as files of rows: any number, by their index, with any settings.

Chunks are made by several processes, and each is kept as soon as it is complete, so that a run that is killed resumes
where it stopped; memory does not grow with the number of items. Items of games are in `simulated`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from bap_v2_dataset.generation.kept_chunks import check_suffix, finished_settings, parts_of, put_together, write_rows
from bap_v2_dataset.generation.workers import GenerationError, pool_map
from bap_v2_simulators.simulation import SPLITS, check_seed
from bap_v2_simulators.whole_files import check_file, only_writer, replacing

_ITEMS_PER_CHUNK = 1000

Job = tuple[range, Path]  # the indices of a chunk, and its file


@dataclass(frozen=True)
class Source:
    """What makes the items of a config."""

    facts: Mapping[str, Any]  # all that the rows depend on besides split, seed and index: names, versions, settings
    settings: Mapping[str, Any]  # by name, as a user sets them
    rows: Callable[[str, int, range], list[dict]]  # (split, seed, indices): can be sent to other processes
    columns: str  # the features of the rows, as `module:name`


def write_items(
    source: Source,
    output: Path,
    *,
    n_items: int | None,
    split: str = "train",
    seed: int = 0,
    num_proc: int = 1,
    overwrite: bool = False,
    progress: Callable[[int], None] | None = None,
) -> None:
    """Writes the first items of a split to a file; `<output>.settings.json` beside it says what they are.

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
        bap_v2_simulators.whole_files.OutputError: for a file that cannot be made, or that another process writes.
    """
    output, suffix = Path(output), Path(output).suffix
    check_suffix(output)
    check_file(output)
    if n_items is None or n_items < 1:
        raise GenerationError("pass the number of items: --items, at least 1")
    if split not in SPLITS:
        raise GenerationError(f"unknown split {split!r} (expected one of {', '.join(SPLITS)})")
    check_seed(seed)
    request = {**source.facts, "split": split, "items": n_items, "seed": seed, "suffix": suffix}
    with only_writer(output):
        if finished_settings(output, request, overwrite, "items") is None:
            parts = parts_of(output, request)
            starts = enumerate(range(0, n_items, _ITEMS_PER_CHUNK))
            jobs = (
                (range(start, min(start + _ITEMS_PER_CHUNK, n_items)), parts / f"{number:06d}{suffix}")
                for number, start in starts
            )
            write = partial(_write_chunk, source, split, seed)
            files = []
            for path, size in map(write, jobs) if num_proc == 1 else pool_map(write, jobs, num_proc):
                files.append(path)
                if progress is not None:
                    progress(size)
            put_together(files, parts, output, {"request": request, "items": n_items}, source.columns)


def _write_chunk(source: Source, split: str, seed: int, job: Job) -> tuple[Path, int]:
    """Makes the items of a chunk and keeps them; a chunk that an earlier run has kept is not made again."""
    indices, path = job
    if not path.is_file():
        with replacing(path) as unfinished:
            write_rows(source.rows(split, seed, indices), unfinished, path.suffix, source.columns)
    return path, len(indices)
