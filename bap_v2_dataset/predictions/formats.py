"""The forms in which predictions come: JSON lines, JSON, tables and logs, recognized by what they hold.

    JSON lines      one object per line: {"id": "dss-test-0/0", "prediction": "place red 0 1 0"}
    JSON            a list of such objects, or one object {"dss-test-0/0": "place red 0 1 0", ...}
    CSV, TSV        a line that names the columns, then one line per item; commas, semicolons or tabs
    lm-eval         the `samples_*.jsonl` of `--log_samples`: see `eval_logs`
    inspect         `.eval` and `.json` logs: see `eval_logs`
    LightEval       the `details_*.parquet` of `--save-details`: see `eval_logs`

A prediction is a text; of a task that is played it is an episode, {"turns": [...], "success": ..., "tokens": ...}, and
a line may say which "run" of its item it is, from 1. The prediction is then the episode as JSON.
All of them also compressed with gzip, with Windows line ends, and as UTF-8 or (with its mark) UTF-16.
"""

import codecs
import csv
import gzip
import io
import json
import re
import sys
import zlib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from bap_v2_dataset.predictions import eval_logs
from bap_v2_dataset.predictions.entries import AUTOMATIC, Content, Entry, Fields, PredictionError, shown

ID_FIELDS = ("id", "item_id")
# "prediction" where it is there, otherwise the only one of the others. Not "completion" or "text": rows of the dataset
# have a "completion", which is the right answer.
PREDICTION_FIELDS = ("prediction", "response", "output", "generated_text")
_FORM = 'write one object per line, e.g. {"id": "dss-test-0/0", "prediction": "place red 0 1 0"}'
_BEGINNING = 1024  # bytes that tell a text from a picture or a program
_BLANKS = " \r\n"  # before a table; a tab is an empty heading, as pandas writes that of the index
_DELIMITERS = {"\t": "tabs", ",": "commas", ";": "semicolons"}


def content(data: bytes, source: str, fields: Fields = AUTOMATIC) -> Content:
    """What the bytes of a file hold, whatever their form.

    Args:
        source: what to call the file in an error.
    Raises:
        PredictionError: here or from the entries, for anything that is not in one of the forms.
    """
    if data.startswith(b"\x1f\x8b"):
        try:
            data = gzip.decompress(data)
        except (OSError, EOFError, zlib.error) as error:
            raise PredictionError(f"{source} is not a whole gzip file ({error}): compress it again") from None
    if data.startswith(b"PK\x03\x04"):
        return eval_logs.inspect_archive(data, source)
    if data.startswith(b"PAR1"):
        return eval_logs.lighteval_details(data, source)
    data = _as_utf8(data, source)
    if b"\0" in data[:_BEGINNING]:
        raise PredictionError(f"{source} is not a text file: name a file of predictions, or write it as UTF-8")
    if data.lstrip()[:1] in (b"{", b"["):
        return _json(data, source, fields)
    delimiter = _delimiter(data.decode(errors="replace"), source, fields)
    return Content(
        _table(data, source, fields, delimiter) if delimiter else _records(_loaded_lines(data, source), source, fields)
    )


def _as_utf8(data: bytes, source: str) -> bytes:
    """The bytes without a byte order mark; text of PowerShell (UTF-16) as UTF-8."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        try:
            return data.decode("utf-16").encode()
        except UnicodeError as error:
            raise PredictionError(f"{source} is not UTF-16 ({error}): write it as UTF-8") from None
    return data.removeprefix(codecs.BOM_UTF8)


# --- JSON
class _Object(dict):
    """An object that remembers a key that it had twice."""

    twice: str | None = None


def _object(pairs: list[tuple[str, Any]]) -> _Object:
    value = _Object(pairs)
    if len(value) < len(pairs):
        keys: set[str] = set()
        value.twice = next(key for key, _ in pairs if key in keys or keys.add(key))
    return value


def _json(data: bytes, source: str, fields: Fields) -> Content:
    first, _, rest = data.lstrip().partition(b"\n")
    several = bool(rest.strip())
    if several and (record := _loaded(first)) is not None:
        return Content(_of_records(_loaded_lines(data, source), record, source, fields))
    try:
        value = json.loads(data, object_pairs_hook=_object)
    except (ValueError, RecursionError) as error:
        if data.lstrip().startswith(b"["):
            raise PredictionError(f"{source} is not a whole JSON list ({error}): write it again, up to its ]") from None
        if several and first.strip() == b"{":
            raise PredictionError(f"{source} is not JSON ({error}): {_FORM}") from None
        return Content(_records(_loaded_lines(data, source), source, fields))  # which names the line
    if isinstance(value, list):
        entries = ((f"entry {number}", record) for number, record in enumerate(value, start=1))
        return Content(_of_records(entries, value[0] if value else None, source, fields))
    if eval_logs.is_inspect_log(value):
        return eval_logs.inspect_log(value, source)
    if fields != AUTOMATIC or eval_logs.is_lm_eval_record(value) or any(name in value for name in ID_FIELDS):
        return Content(_of_records([("line 1", value)], value, source, fields))
    return Content(_mapped(value, source))


def _of_records(records: Iterable[tuple[str, Any]], first: Any, source: str, fields: Fields) -> Iterator[Entry]:
    if eval_logs.is_lm_eval_record(first) and fields.prediction is None:
        return eval_logs.lm_eval_entries(records, source, fields.id or "id")
    return _records(records, source, fields)


def _loaded(line: bytes) -> Any:
    """The value of a line; None if it is not JSON."""
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _loaded_lines(data: bytes, source: str) -> Iterator[tuple[str, Any]]:
    for number, line in enumerate(data.split(b"\n"), start=1):
        if not line.strip():
            continue
        try:
            yield f"line {number}", json.loads(line)  # not orjson: models write lone surrogates
        except (ValueError, RecursionError) as error:
            raise PredictionError(f"{source}, line {number} is not JSON ({error}): {_FORM}") from None


def _records(records: Iterable[tuple[str, Any]], source: str, fields: Fields) -> Iterator[Entry]:
    """The predictions of objects, all under the names that the first one has."""
    names: tuple[str, str] | None = None
    for place, record in records:
        if names is None and isinstance(record, dict):
            names = _names(record, fields, f"{source}, {place}")
        id_field, prediction_field = names or ("id", "prediction")
        row_id, prediction, run = _value(record, id_field), _value(record, prediction_field), 0
        if isinstance(prediction, dict) and "turns" in prediction:  # an episode
            prediction, run = json.dumps(prediction), _run(record, f"{source}, {place}")
        if not isinstance(row_id, str) or not isinstance(prediction, str):
            hint = "" if fields != AUTOMATIC else " (or name other fields: --id-field, --prediction-field)"
            text = shown(json.dumps(record, ensure_ascii=False))
            raise PredictionError(
                f'{source}, {place} needs the strings "{id_field}" and "{prediction_field}"{hint}: {text}'
            )
        yield Entry(place, row_id, prediction, run)


def _run(record: Mapping[str, Any], where: str) -> int:
    """Which of the runs of an item an episode is, from 0."""
    run = record.get("run", 1)
    if isinstance(run, bool) or not isinstance(run, int) or run < 1:
        raise PredictionError(f'{where}: "run" is {shown(json.dumps(run))} (expected the number of the run, from 1)')
    return run - 1


def _value(record: Any, name: str) -> Any:
    if not isinstance(record, Mapping):
        return None
    if name in record or "." not in name:
        return record.get(name)
    first, _, rest = name.partition(".")
    return _value(record.get(first), rest)


def _names(names: Iterable[str], fields: Fields, where: str) -> tuple[str, str]:
    """Under which of the names of a record or table the ids and the predictions stand."""
    names = list(names)
    usual = [name for name in PREDICTION_FIELDS if name in names]
    if fields.prediction is None and len(usual) > 1 and usual[0] != "prediction":
        raise PredictionError(f"{where} has {' and '.join(usual)}: name the one to score with --prediction-field")
    return (
        fields.id or next((name for name in ID_FIELDS if name in names), ID_FIELDS[0]),
        fields.prediction or (usual or PREDICTION_FIELDS)[0],
    )


def _mapped(value: _Object, source: str) -> Iterator[Entry]:
    if value.twice is not None:
        raise PredictionError(f"{source}: duplicate prediction for {value.twice}")
    for row_id, prediction in value.items():
        if not isinstance(prediction, str):
            raise PredictionError(
                f"{source}: the prediction for {row_id!r} is {shown(json.dumps(prediction))} (expected a string; an "
                'object maps ids to predictions: {"dss-test-0/0": "place red 0 1 0", ...})'
            )
        yield Entry(f"entry {row_id}", row_id, prediction)


# --- Tables
def _delimiter(text: str, source: str, fields: Fields) -> str | None:
    """What separates the columns; None if the first line does not name the columns of a table.

    Raises:
        PredictionError: for a file that is called a table and is none.
    """
    heading = re.split(r"[\r\n]", text.lstrip(_BLANKS), maxsplit=1)[0]
    for delimiter in _DELIMITERS:
        cells = next(csv.reader([heading], delimiter=delimiter), [])
        if len(cells) > 1 and {fields.id, *(() if fields.id else ID_FIELDS)} & set(cells):
            return delimiter
    if not source.removesuffix(".gz").lower().endswith((".csv", ".tsv")) or not text.strip():
        return None
    example = f"{fields.id or 'id'},{fields.prediction or 'prediction'}"
    raise PredictionError(
        f"{source}, line 1 does not name the columns ({shown(heading)}): begin with a line such as {example} "
        f"(separated by {' or '.join(_DELIMITERS.values())}), or name the columns with --id-field and "
        "--prediction-field"
    )


def _table(data: bytes, source: str, fields: Fields, delimiter: str) -> Iterator[Entry]:
    limit = csv.field_size_limit(sys.maxsize)  # of the whole process: other tables keep theirs
    try:
        yield from _entries_of_table(data, source, fields, delimiter)
    finally:
        csv.field_size_limit(limit)


def _entries_of_table(data: bytes, source: str, fields: Fields, delimiter: str) -> Iterator[Entry]:
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise PredictionError(f"{source}, line {line} is not UTF-8: save the table as UTF-8") from None
    reader = csv.reader(io.StringIO(text.lstrip(_BLANKS), newline=""), delimiter=delimiter, strict=True)
    line = 1 + text[: len(text) - len(text.lstrip(_BLANKS))].count("\n")
    heading = next(reader)
    id_field, prediction_field = _names(heading, fields, f"{source}, line 1")
    for name, option in ((id_field, "--id-field"), (prediction_field, "--prediction-field")):
        if heading.count(name) != 1:
            problem = "no column" if name not in heading else "several columns"
            columns = ", ".join(heading)
            raise PredictionError(f"{source} has {problem} {name!r} (it has {columns}): name the column with {option}")
    positions = heading.index(id_field), heading.index(prediction_field)
    above = line - 1
    while True:
        line = above + reader.line_num + 1
        try:
            cells = next(reader, None)
        except csv.Error as error:
            raise PredictionError(f"{source}, line {line}: {error}: close every quote, and double it inside") from None
        if cells is None:
            return
        if not cells:
            continue
        if len(cells) != len(heading):
            raise PredictionError(
                f"{source}, line {line} has {len(cells)} cells, and the heading {len(heading)}: put predictions with "
                f'{_DELIMITERS[delimiter]} or line ends between double quotes ("...")'
            )
        yield Entry(f"line {line}", cells[positions[0]], cells[positions[1]])
