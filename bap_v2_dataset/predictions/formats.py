"""The forms in which predictions come, recognized by what a file holds.

    texts           JSON lines, JSON, CSV, TSV, batches, conversations, lines: see `bap_v2_metric.prediction_files`
    Parquet         a table with the columns of such a text
    lm-eval         the `samples_*.jsonl` of `--log_samples`: see `eval_logs`
    inspect         `.eval` and `.json` logs: see `eval_logs`
    LightEval       the `details_*.parquet` of `--save-details`: see `eval_logs`

All of them also compressed with gzip, bzip2, xz or Zstandard.
"""

import json
from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any

from bap_v2_dataset.predictions import eval_logs
from bap_v2_dataset.predictions.entries import AUTOMATIC, Content, Fields, PredictionError
from bap_v2_metric.prediction_files import records, uncompressed
from bap_v2_metric.prediction_records import ID_FIELDS, entries

_COMPRESSED = (".gz", ".bz2", ".xz", ".zst")
_ZSTANDARD = b"\x28\xb5\x2f\xfd"


def without_compression(path: Path) -> Path:
    """Return the name that a file has when it is not compressed.

    >>> without_compression(Path("runs/answers.jsonl.zst")).name
    'answers.jsonl'
    """
    return path.with_suffix("") if path.suffix in _COMPRESSED else path


def content(data: bytes, source: str, fields: Fields = AUTOMATIC) -> Content:
    """Read the bytes of a file, whatever their form.

    Args:
        source: what to call the file in an error.
    Raises:
        PredictionError: here or from the entries, for anything that is not in one of the forms.
    """
    data = _unzstd(data, source) if data.startswith(_ZSTANDARD) else uncompressed(data, source)
    if data.startswith(b"PK\x03\x04"):
        return eval_logs.inspect_archive(data, source)
    values = _rows_of_parquet(data, source) if data.startswith(b"PAR1") else records(data, source, fields)
    place, first = next(values, ("", None))
    values = chain([(place, first)] if place else [], values)
    if eval_logs.is_lighteval_row(first):
        return eval_logs.lighteval_details(values, source)
    if eval_logs.is_inspect_log(first):
        return eval_logs.inspect_log(first, source)
    if eval_logs.is_lm_eval_record(first) and fields.prediction is None:
        return Content(eval_logs.lm_eval_entries(values, source, fields.id or "id"))
    cut = not data.startswith(b"PAR1") and not data.lstrip().startswith((b"[", b"{"))
    cut = cut and not data.endswith((b"\n", b"\r", b"\0", b'"'))
    note = f"{source} does not end with a line break: if it was cut off, its last text is not whole"
    return Content(entries(values, source, fields), notes=[note] * cut)


def table_content(table: Any, source: str, fields: Fields = AUTOMATIC) -> Content:
    """Read what a session holds: a table of pandas, polars, Arrow or datasets, a list of objects, or texts by id."""
    if hasattr(table, "reset_index"):  # of pandas; ids may be its index
        named = table.index.name in ID_FIELDS
        rows = table.to_dict() if table.ndim == 1 else (table.reset_index() if named else table).to_dict("records")
    else:
        own = next((how for how in ("to_pylist", "to_dicts", "to_list") if hasattr(table, how)), None)
        rows = getattr(table, own)() if own else table if isinstance(table, Mapping) else list(table)
    return content(json.dumps(rows, default=str).encode(), source, fields)


def _unzstd(data: bytes, source: str) -> bytes:
    import pyarrow

    try:
        return pyarrow.input_stream(pyarrow.py_buffer(data), compression="zstd").read()
    except OSError as error:
        raise PredictionError(f"{source} is not a whole Zstandard file ({error}): compress it again") from None


def _rows_of_parquet(data: bytes, source: str) -> Iterator[tuple[str, Any]]:
    import pyarrow
    import pyarrow.parquet

    try:
        file = pyarrow.parquet.ParquetFile(pyarrow.BufferReader(data))
        details = [name for name in eval_logs.LIGHTEVAL_COLUMNS if name in file.schema_arrow.names]
        rows = file.read(details if len(details) > 1 else None).to_pylist()
    except (pyarrow.ArrowException, OSError) as error:
        raise PredictionError(f"{source} is not a whole Parquet file ({error})") from None
    yield from ((f"row {number}", row) for number, row in enumerate(rows, start=1))
