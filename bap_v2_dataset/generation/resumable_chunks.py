"""Files of rows that are made in chunks, each kept as soon as it is complete: a run that is killed resumes there.

Several processes make them, and memory does not grow with their number. The name of the folder of chunks tells
requests apart, and `<output>.settings.json` says what a finished file holds. The file appears when it is complete; two
runs never write the same file at once.
"""

import glob
import hashlib
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from pkgutil import resolve_name
from typing import Any, TypeVar

import orjson
import pyarrow as pa
import pyarrow.parquet as pq

from bap_v2_dataset.generation.workers import GenerationError, pool_map
from bap_v2_metric.errors import UserError
from bap_v2_simulators.atomic_files import atomic_path, atomic_write, check_file, only_writer, put

Job = TypeVar("Job")

# Of rows, as `module:name`: JSON lines do without them, and without `datasets`, which they import.
COLUMNS = "bap_v2_dataset.items.features:FEATURES"


def table_of(rows: Sequence[dict], columns: str = COLUMNS) -> pa.Table:
    """Return rows as Arrow; written as Parquet, the table carries the features with it.

    Args:
        columns: the features, as `module:name`.
    """
    features = resolve_name(columns)
    # Of its `encode_example` only the metadata needs something, and that is a fifth of the time of everything.
    encoded = rows
    if "metadata" in features:
        encode = features["metadata"].encode_example
        encoded = [{**row, "metadata": encode(row["metadata"])} for row in rows]
    return pa.Table.from_pylist(encoded, schema=features.arrow_schema)


def write_chunks(
    output: Path,
    request: Mapping[str, Any],
    make: Callable[[Job], tuple[Sequence[dict | bytes], Mapping[str, int]]],
    jobs: Iterable[Job],
    *,
    kind: str,
    facts: Callable[[Counter], Mapping[str, Any]] = dict,
    columns: str = COLUMNS,
    num_proc: int = 1,
    overwrite: bool = False,
    progress: Callable[[Mapping[str, int]], None] | None = None,
) -> dict[str, Any]:
    """Write the rows of all jobs to a file, in order, and return what stands in `<output>.settings.json` beside it.

    Args:
        output: .jsonl or .parquet. If it holds what is requested already, it is left as it is.
        request: all that the rows depend on.
        make: the rows of a job (or their JSON), and counts of it; a function that can be sent to other processes.
        kind: what the rows are of, for messages: "games".
        facts: of the counts of all jobs, added up, what the settings say besides the request.
        columns: the features, as `module:name`.
        num_proc: processes; the bytes are the same for any number.
        overwrite: replace a file that holds anything else.
        progress: called with the counts of each chunk.
    Raises:
        GenerationError: for a file that holds something else.
        bap_v2_simulators.atomic_files.OutputError: for a file that cannot be made, or that another process writes.
    """
    check_suffix(output)
    check_file(output)
    request = {**request, "suffix": output.suffix}
    with only_writer(output):
        settings = _finished_settings(output, request, overwrite, kind)
        if settings is not None:
            return settings
        # Make the chunks that are missing, each a file of its own.
        parts = _make_parts_folder(output, request)
        numbered = ((job, parts / f"{number:06d}{output.suffix}") for number, job in enumerate(jobs))
        write = partial(_write_chunk, make, columns)
        chunks, total = [], Counter()
        for path, counts in map(write, numbered) if num_proc == 1 else pool_map(write, numbered, num_proc):
            chunks.append(path)
            total.update(counts)
            if progress is not None:
                progress(counts)
        # Join them.
        try:
            settings = {"request": request, **facts(total)}
        except UserError:
            shutil.rmtree(parts)
            raise
        _put_together(chunks, parts, output, settings, columns)
        return settings


def _write_chunk(
    make: Callable[[Job], tuple[Sequence[dict | bytes], Mapping[str, int]]], columns: str, numbered: tuple[Job, Path]
) -> tuple[Path, dict[str, int]]:
    """Make the rows of a job and keep them; a chunk that an earlier run has kept is not made again."""
    job, path = numbered
    count = path.with_suffix(".count")
    if path.is_file():
        return path, orjson.loads(count.read_bytes())
    rows, counts = make(job)
    with atomic_path(path) as unfinished:
        if path.suffix == ".jsonl":
            lines = (row if isinstance(row, bytes) else orjson.dumps(row) for row in rows)
            unfinished.write_bytes(b"".join(line + b"\n" for line in lines))
        else:
            pq.write_table(table_of(rows, columns), unfinished, compression="zstd")
        atomic_write(count, orjson.dumps(counts))  # first: a chunk that is there has its counts
    return path, dict(counts)


def check_suffix(output: Path) -> None:
    """Raises: GenerationError for a name that does not say how rows are written."""
    if output.suffix not in (".jsonl", ".parquet"):
        raise GenerationError(f"{output}: the name must end in .jsonl or .parquet")


def _finished_settings(output: Path, request: Mapping[str, Any], overwrite: bool, kind: str) -> dict[str, Any] | None:
    """Return what is written beside the file if it holds what is requested; None if it is to be written."""
    # Finish what a run left that was killed between its last steps.
    parts = _parts_folder(output, request)
    if (parts / "settings.json").is_file() and not _joined(parts, output).exists():
        _finish(output, parts)
    if overwrite or not output.exists():
        return None
    # Compare what the file holds with what is requested.
    try:
        settings = orjson.loads(_settings_file(output).read_bytes())
        earlier = {name: settings["request"].get(name) for name in request}
    except (OSError, ValueError, KeyError, AttributeError):
        raise GenerationError(
            f"{output} exists, and nothing says what it holds: choose another name, or pass --overwrite"
        ) from None
    if earlier != request:
        other = "; ".join(f"{n} {earlier[n]!r}, not {value!r}" for n, value in request.items() if earlier[n] != value)
        raise GenerationError(f"{output} holds other {kind} ({other}): choose another name, or pass --overwrite")
    return settings


def _make_parts_folder(output: Path, request: Mapping[str, Any]) -> Path:
    """Make the folder of the finished chunks; those of other requests are deleted."""
    parts = _parts_folder(output, request)
    for other in output.parent.glob(f"{glob.escape(output.name)}.*.unfinished"):
        if other != parts:
            shutil.rmtree(other, ignore_errors=True)
    parts.mkdir(exist_ok=True)
    return parts


def _put_together(chunks: Sequence[Path], parts: Path, output: Path, settings: Mapping[str, Any], columns: str) -> None:
    """Join the chunks and put the file, and what it holds beside it, into place; the folder is deleted."""
    joined = _joined(parts, output)
    _join(chunks, joined, columns)
    atomic_write(parts / "settings.json", orjson.dumps(settings, option=orjson.OPT_INDENT_2))
    put(joined, output)
    _finish(output, parts)


def _parts_folder(output: Path, request: Mapping[str, Any]) -> Path:
    digest = hashlib.sha256(orjson.dumps(request, option=orjson.OPT_SORT_KEYS)).hexdigest()[:12]
    return output.with_name(f"{output.name}.{digest}.unfinished")


def _joined(parts: Path, output: Path) -> Path:
    return parts / f"joined{output.suffix}"


def _finish(output: Path, parts: Path) -> None:
    (parts / "settings.json").replace(_settings_file(output))
    shutil.rmtree(parts)


def _settings_file(output: Path) -> Path:
    return output.with_name(f"{output.name}.settings.json")


def _join(chunks: Sequence[Path], joined: Path, columns: str) -> None:
    if joined.suffix == ".jsonl":
        with open(joined, "wb") as file:
            for chunk in chunks:
                with open(chunk, "rb") as source:
                    shutil.copyfileobj(source, file)
        return
    with pq.ParquetWriter(joined, resolve_name(columns).arrow_schema, compression="zstd") as writer:
        for chunk in chunks:
            writer.write_table(pq.read_table(chunk))
