"""Variants of any items as a file of rows: families of perturbations, chosen, and so many variants of each item.

The rows of an item stand together, in the order of the families. They are the same for any number of processes. Chunks
are kept as soon as they are complete, so that a run that is killed resumes where it stopped.
"""

import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import orjson

from bap_v2_dataset.generation.kept_chunks import check_suffix, finished_settings, parts_of, put_together, write_rows
from bap_v2_dataset.generation.workers import GenerationError, pool_map
from bap_v2_dataset.sentences import counted
from bap_v2_dataset.tasks.building.prompts import PROMPT_VERSION
from bap_v2_dataset.tasks.building.rows import DATA_VERSION
from bap_v2_dataset.tasks.robustness.families import FAMILIES, PERTURBATION_VERSION, known_family, variants_in_all
from bap_v2_simulators.whole_files import check_file, only_writer, replacing, write_whole

_PARENTS_PER_CHUNK = 250

Job = tuple[Sequence[Mapping[str, Any]], Path]  # the parents of a chunk, and its file


def write_perturbed(
    parents: Sequence[Mapping[str, Any]],
    output: Path,
    *,
    source: Mapping[str, Any],
    families: Sequence[str] = (),
    most: int | None = None,
    num_proc: int = 1,
    overwrite: bool = False,
    progress: Callable[[int], None] | None = None,
) -> dict[str, int]:
    """Writes the variants of items and returns how many there are by family; families without any have 0.

    Beside the file, `<output>.settings.json` says what it holds.

    Args:
        parents: rows of a config or of own data, as a list or as a split of `datasets`.
        output: .jsonl or .parquet. If it holds these variants already, it is left as it is.
        source: what the parents are, for the settings: `config`, which is that of the variants' metadata if it is one
            of ours, `split`, and what tells their versions apart.
        families: by default all.
        most: variants of an item in each family, up to the family's own number, which is the default.
        num_proc: processes; the bytes are the same for any number.
        overwrite: replace a file that holds anything else.
        progress: called with the parents that were finished since the last call.
    Raises:
        bap_v2_dataset.tasks.robustness.families.PerturbationError: for an unknown family, and parents that are variants.
        GenerationError: for items without a variant, and for a file that holds something else.
        bap_v2_simulators.whole_files.OutputError: for a file that cannot be made, or that another process writes.
    """
    output, suffix = Path(output), Path(output).suffix
    check_suffix(output)
    check_file(output)
    chosen = [name for name in FAMILIES if name in {known_family(each).name for each in families or FAMILIES}]
    if most is not None and most < 1:
        raise GenerationError(f"{counted(most, 'variant')} of an item: request at least 1")
    request = {
        **source, "families": chosen, "variants": most, "perturbation_version": PERTURBATION_VERSION,
        "data_version": DATA_VERSION, "prompt_version": PROMPT_VERSION, "suffix": suffix,
    }  # fmt: skip
    with only_writer(output):
        settings = finished_settings(output, request, overwrite, "variants")
        if settings is None:
            parts = parts_of(output, request)
            write = partial(_write_chunk, tuple(chosen), most, source.get("config"))
            files, counts = [], Counter(dict.fromkeys(chosen, 0))
            for path, size, of_chunk in _chunks(write, parents, parts, suffix, num_proc):
                files.append(path)
                counts.update(of_chunk)
                if progress is not None:
                    progress(size)
            if not counts.total():
                shutil.rmtree(parts, ignore_errors=True)
                raise GenerationError(_without_variants(source, len(parents), chosen))
            settings = {"request": request, "parents": len(parents), "variants": dict(counts)}
            put_together(files, parts, output, settings)
    return settings["variants"]


def _chunks(
    write: Callable[[Job], tuple[Path, int, dict[str, int]]],
    parents: Sequence[Mapping[str, Any]],
    parts: Path,
    suffix: str,
    num_proc: int,
) -> Iterator[tuple[Path, int, dict[str, int]]]:
    """(file, parents, variants by family) of each chunk, in order."""

    def jobs() -> Iterator[Job]:
        for number, start in enumerate(range(0, len(parents), _PARENTS_PER_CHUNK)):
            path = parts / f"{number:06d}{suffix}"
            yield ([] if path.is_file() else _rows(parents, start, start + _PARENTS_PER_CHUNK)), path

    sizes = (min(_PARENTS_PER_CHUNK, len(parents) - start) for start in range(0, len(parents), _PARENTS_PER_CHUNK))
    done = map(write, jobs()) if num_proc == 1 else pool_map(write, jobs(), num_proc)
    for (path, counts), size in zip(done, sizes):
        yield path, size, counts


def _rows(parents: Sequence[Mapping[str, Any]], start: int, stop: int) -> Sequence[Mapping[str, Any]]:
    """A run of the parents; `datasets` gives it column by column."""
    rows = parents[start:stop]
    return rows if not isinstance(rows, Mapping) else [dict(zip(rows, values)) for values in zip(*rows.values())]


def _write_chunk(families: tuple[str, ...], most: int | None, config: str | None, job: Job) -> tuple[Path, dict]:
    """Makes the variants of a chunk and keeps them; a chunk that an earlier run has kept is not made again."""
    parents, path = job
    count = path.with_suffix(".count")
    if path.is_file():
        return path, orjson.loads(count.read_bytes())
    rows = [row for parent in parents for row in variants_in_all(parent, families, most, config)]
    counts = Counter(row["metadata"]["perturbation"]["family"] for row in rows)
    with replacing(path) as unfinished:
        write_rows(rows, unfinished, path.suffix)
        write_whole(count, orjson.dumps(counts))  # first: a chunk that is there has its counts
    return path, counts


def _without_variants(source: Mapping[str, Any], parents: int, families: Sequence[str]) -> str:
    where = ", ".join(str(source[name]) for name in ("config", "data", "split") if source.get(name))
    named = " and ".join(families) if len(families) < 3 else f"the {len(families)} families"
    others = (
        "" if len(families) == len(FAMILIES) else f": choose another family ({', '.join(FAMILIES)}), or other items"
    )
    return f"none of the {counted(parents, 'item')} of {where} has a variant of {named}{others}"
