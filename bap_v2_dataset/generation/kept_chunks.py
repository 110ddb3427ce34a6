"""Files of rows that are made in chunks, each kept as soon as it is complete: a run that is killed resumes there.

The name of the folder of chunks tells requests apart, and `<output>.settings.json` says what a finished file holds. The
file appears when it is complete.
"""

import glob
import hashlib
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

import orjson
import pyarrow as pa
import pyarrow.parquet as pq

from bap_v2_dataset.generation.workers import GenerationError
from bap_v2_simulators.whole_files import put, write_whole

# Of rows, as `module:name`: JSON lines do without them, and without `datasets`, which they import.
COLUMNS = "bap_v2_dataset.tasks.building.features:FEATURES"


def table_of(rows: Sequence[dict], columns: str = COLUMNS) -> pa.Table:
    """Rows as Arrow; written as Parquet, the table carries the features with it.

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


def write_rows(rows: Sequence[dict], path: Path, suffix: str, columns: str = COLUMNS) -> None:
    """Writes rows as JSON lines or Parquet: `.jsonl` or `.parquet`, whatever the unfinished file is called."""
    if suffix == ".jsonl":
        path.write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in rows))
    else:
        pq.write_table(table_of(rows, columns), path, compression="zstd")


def check_suffix(output: Path) -> None:
    """Raises: GenerationError for a name that does not say how rows are written."""
    if output.suffix not in (".jsonl", ".parquet"):
        raise GenerationError(f"{output}: the name must end in .jsonl or .parquet")


def finished_settings(output: Path, request: Mapping[str, Any], overwrite: bool, kind: str) -> dict[str, Any] | None:
    """What is written beside the file if it holds what is requested; None if it is to be written.

    Args:
        kind: what the rows are of, for messages: "games".
    Raises:
        GenerationError: if it holds something else.
    """
    parts = _parts_folder(output, request)
    if (parts / "settings.json").is_file() and not _joined(parts, output).exists():
        _finish(output, parts)  # killed between the last steps
    if overwrite or not output.exists():
        return None
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


def parts_of(output: Path, request: Mapping[str, Any]) -> Path:
    """The folder of the finished chunks, made; those of other requests are deleted."""
    parts = _parts_folder(output, request)
    for other in output.parent.glob(f"{glob.escape(output.name)}.*.unfinished"):
        if other != parts:
            shutil.rmtree(other, ignore_errors=True)
    parts.mkdir(exist_ok=True)
    return parts


def put_together(
    chunks: Sequence[Path], parts: Path, output: Path, settings: Mapping[str, Any], columns: str = COLUMNS
) -> None:
    """Joins the chunks and puts the file, and what it holds beside it, into place; the folder is deleted."""
    joined = _joined(parts, output)
    _join(chunks, joined, columns)
    write_whole(parts / "settings.json", orjson.dumps(settings, option=orjson.OPT_INDENT_2))
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
