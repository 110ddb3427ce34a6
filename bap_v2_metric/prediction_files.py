"""The forms of predictions that the standard library can read, recognized by what a file holds.

    JSON lines      one object per line: {"id": "dss-test-0/0", "prediction": "place red 0 1 0"}
    JSON            a list of such objects, an object {"dss-test-0/0": "place red 0 1 0", ...}, or columns, as pandas
                    and datasets write them: {"id": {"0": ...}, "prediction": {"0": ...}}
    CSV, TSV        a line that names the columns, then one line per item; commas, semicolons or tabs
    batches         of OpenAI, vLLM and Anthropic: "custom_id" with "response" or "result"
    conversations   the answer is the last of "messages", or of a "completion" that is a list of messages
    texts           a JSON list of texts, or lines, one per item in the order of the items

What a record says is read by `prediction_records`.
Line ends of any system; UTF-8, or UTF-16 with its mark; compressed with gzip, bzip2 or xz.
"""

import bz2
import codecs
import csv
import gzip
import io
import json
import lzma
import re
import sys
import zlib
from collections.abc import Iterator, Mapping
from typing import Any

from .prediction_records import (
    AUTOMATIC,
    FORM,
    ID_FIELDS,
    KEEP_ONE,
    PREDICTION_FIELDS,
    Fields,
    PredictionError,
    answers_in,
    excerpt,
    is_request_output,
    names_of,
)

_BEGINNING = 1024  # bytes that tell a text from a picture or a program
_BLANKS = " \r\n"  # before a table; a tab is an empty heading, as pandas writes that of the index
_DELIMITERS = {"\t": "tabs", ",": "commas", ";": "semicolons"}
_COMPRESSIONS = {  # by the first bytes
    b"\x1f\x8b": ("gzip", gzip.decompress),
    b"BZh": ("bzip2", bz2.decompress),
    b"\xfd7zXZ\0": ("xz", lzma.decompress),
}
_LINE_END = re.compile(rb"\r\n|\r|\n")  # JSON has none inside a text


def uncompressed(data: bytes, source: str) -> bytes:
    """Decompress gzip, bzip2 and xz; return other bytes as they are. Raises: PredictionError if they are damaged."""
    for start, (name, decompress) in _COMPRESSIONS.items():
        if data.startswith(start):
            try:
                return decompress(data)
            except (OSError, EOFError, ValueError, zlib.error, lzma.LZMAError) as error:
                raise PredictionError(f"{source} is not a whole {name} file ({error}): compress it again") from None
    return data


def records(data: bytes, source: str, fields: Fields = AUTOMATIC) -> Iterator[tuple[str, Any]]:
    """Read the bytes of a text file: objects or, without ids, the answers themselves, each with its place.

    Args:
        source: what to call the file in an error.
    Raises:
        PredictionError: here or while iterating, for anything that is not in one of the forms.
    """
    data = _as_utf8(data, source)
    if b"\0" in data[:_BEGINNING]:
        raise PredictionError(f"{source} is not a text file: name a file of predictions, or write it as UTF-8")
    start = data.lstrip()
    if start[:1] in (b"{", b"["):
        return _json(data, source, fields)
    if start[:1] == b'"' and isinstance(_loaded(_LINE_END.split(start, 1)[0]), str):
        return _loaded_lines(data, source)
    text = data.decode(errors="replace")
    told = re.match(r'"?sep=(.)"?(\r\n|\r|\n)', text)  # by Excel
    above = told.end() if told else 0
    delimiter = _delimiter(text[above:], source, fields, told[1] if told else "")
    return _table(data, source, fields, delimiter, above) if delimiter else _lines(data, source)


def _as_utf8(data: bytes, source: str) -> bytes:
    """Return the bytes without a byte order mark; text of PowerShell (UTF-16) as UTF-8."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        try:
            return data.decode("utf-16").encode()
        except UnicodeError as error:
            raise PredictionError(f"{source} is not UTF-16 ({error}): write it as UTF-8") from None
    return data.removeprefix(codecs.BOM_UTF8)


# --- JSON
class _Object(dict):
    """An object that remembers a key that it had twice, with different values."""

    twice: str | None = None


def _object(pairs: list[tuple[str, Any]]) -> _Object:
    value = _Object(pairs)
    if len(value) < len(pairs):
        value.twice = next((key for key, other in pairs if other != value[key]), None)
    return value


def _json(data: bytes, source: str, fields: Fields) -> Iterator[tuple[str, Any]]:
    first, *rest = _LINE_END.split(data.lstrip(), 1)
    several = bool(rest and rest[0].strip())
    if several and _loaded(first) is not None:
        return _loaded_lines(data, source)
    try:
        value = json.loads(data, object_pairs_hook=_object)
    except (ValueError, RecursionError) as error:
        if data.lstrip().startswith(b"["):
            raise PredictionError(f"{source} is not a whole JSON list ({error}): write it again, up to its ]") from None
        if several and first.strip() == b"{":
            raise PredictionError(f"{source} is not JSON ({error}): {FORM}") from None
        return _loaded_lines(data, source)  # which names the line
    if isinstance(value, list):
        return ((f"entry {number}", _of_pair(record)) for number, record in enumerate(value, start=1))
    return _of_object(value, source, fields)


def _of_pair(value: Any) -> Any:
    """Return the record of an id, GAME/NUMBER, and a prediction, as pandas writes "values"; anything else as it is.

    >>> _of_pair(["dss-test-0/0", "pick 0 1 0"]), _of_pair(["pick 0 1 0", "pick 0 2 0"])  # lines of answers have blanks
    ({'id': 'dss-test-0/0', 'prediction': 'pick 0 1 0'}, ['pick 0 1 0', 'pick 0 2 0'])
    """
    pair = isinstance(value, list) and len(value) == 2 and re.fullmatch(r"\S+/\S+", str(value[0]))
    return dict(zip(("id", "prediction"), value)) if pair else value


def _of_object(value: _Object, source: str, fields: Fields) -> Iterator[tuple[str, Any]]:
    """Return the records of one object: itself, or those that it has as columns, as rows or by id."""
    # What the object looks like.
    rows, names, inner = value.get("data"), value.get("columns"), list(value.values())
    ids = next((value[name] for name in (fields.id, *ID_FIELDS) if name in value), None)
    one = is_request_output(value) or not isinstance(value.get(PREDICTION_FIELDS[0], {}), Mapping)  # without an id
    # A table that pandas wrote, by rows or by columns, or a single record.
    if isinstance(rows, list) and isinstance(names, list):  # pandas, "split"
        found = [dict(zip(names, cells)) for cells in rows]
    elif isinstance(rows, list) and "schema" in value:  # pandas, "table"
        found = rows
    elif isinstance(ids, (list, dict)):
        found = _of_columns({name: cells for name, cells in value.items() if isinstance(cells, type(ids))}, source)
    elif fields != AUTOMATIC or ids is not None or isinstance(value.get("doc", value.get("eval")), Mapping) or one:
        return iter([("line 1", value)])
    elif inner and all(isinstance(record, Mapping) and not record.keys().isdisjoint(ID_FIELDS) for record in inner):
        found = inner  # pandas, "index"
    else:
        by_id = value.get(PREDICTION_FIELDS[0]) if len(value) == 1 else None  # pandas, with the ids as index
        return _mapped(by_id if isinstance(by_id, _Object) else value, source)
    # Rows are counted from 1.
    return ((f"row {number}", record) for number, record in enumerate(found, start=1))


def _of_columns(columns: Mapping[str, Any], source: str) -> list[dict[str, Any]]:
    keyed = {name: dict(enumerate(cells)) if isinstance(cells, list) else cells for name, cells in columns.items()}
    (first, rows), *others = keyed.items()
    for name, cells in others:
        if cells.keys() != rows.keys():
            raise PredictionError(
                f"{source}: the columns {first!r} and {name!r} are not of the same rows ({len(rows):,} and "
                f"{len(cells):,}): write every column in full, or leave it out"
            )
    return [{name: cells[key] for name, cells in keyed.items()} for key in rows]


def _mapped(value: _Object, source: str) -> Iterator[tuple[str, Any]]:
    if value.twice is not None:
        raise PredictionError(f"{source}: duplicate prediction for {value.twice}: {KEEP_ONE}")
    for row_id, prediction in value.items():
        if answers_in(prediction) is None and not (isinstance(prediction, Mapping) and "turns" in prediction):
            raise PredictionError(
                f"{source}: the prediction for {row_id!r} is {excerpt(json.dumps(prediction))} (expected a string; an "
                'object maps ids to predictions: {"dss-test-0/0": "place red 0 1 0", ...})'
            )
        yield f"entry {row_id}", {"id": row_id, "prediction": prediction}


def _loaded(line: bytes) -> Any:
    """Return the value of a line; None if it is not JSON."""
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _loaded_lines(data: bytes, source: str) -> Iterator[tuple[str, Any]]:
    for number, line in enumerate(_LINE_END.split(data), start=1):
        if not line.strip():
            continue
        try:
            yield f"line {number}", _of_pair(json.loads(line))  # not orjson: models write lone surrogates
        except (ValueError, RecursionError) as error:
            raise PredictionError(f"{source}, line {number} is not JSON ({error}): {FORM}") from None


# --- Tables, and lines without ids
def _delimiter(text: str, source: str, fields: Fields, told: str) -> str | None:
    """Return the delimiter of the columns; None if the first line does not name the columns of a table.

    Args:
        told: what the file itself says; "" if it does not.
    Raises:
        PredictionError: for a file that is called a table and is none.
    """
    heading = re.split(r"[\r\n]", text.lstrip(_BLANKS), maxsplit=1)[0]
    for delimiter in filter(None, (told, *_DELIMITERS)):
        cells = next(csv.reader([heading], delimiter=delimiter), [])
        if len(cells) > 1 and {fields.id, *(() if fields.id else ID_FIELDS)} & set(cells):
            return delimiter
    if not re.search(r"\.[ct]sv(\.\w+)?$", source.lower()) or not text.strip():
        return None
    example = f"{fields.id or 'id'},{fields.prediction or 'prediction'}"
    raise PredictionError(
        f"{source}, line 1 does not name the columns ({excerpt(heading)}): begin with a line such as {example} "
        f"(separated by {' or '.join(_DELIMITERS.values())}), or name the columns with --id-field and "
        "--prediction-field"
    )


def _decoded(data: bytes, source: str, what: str) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = len(_LINE_END.split(data[: error.start]))
        raise PredictionError(f"{source}, line {line} is not UTF-8: save the {what} as UTF-8") from None


def _table(data: bytes, source: str, fields: Fields, delimiter: str, above: int) -> Iterator[tuple[str, Any]]:
    limit = csv.field_size_limit(sys.maxsize)  # of the whole process: other tables keep theirs
    try:
        yield from _rows_of_table(data, source, fields, delimiter, above)
    finally:
        csv.field_size_limit(limit)


def _rows_of_table(data: bytes, source: str, fields: Fields, delimiter: str, above: int) -> Iterator[tuple[str, Any]]:
    # The text without blank lines above the heading.
    text = _decoded(data, source, "table")[above:]
    blanks = text[: len(text) - len(text.lstrip(_BLANKS))]
    reader = csv.reader(io.StringIO(text.lstrip(_BLANKS), newline=""), delimiter=delimiter, strict=True)
    above = bool(above) + len(re.findall(r"\r\n|\r|\n", blanks))  # lines
    # The columns that were named have to be there once.
    heading = next(reader)
    for name, option in zip(names_of(heading, fields, f"{source}, line 1"), ("--id-field", "--prediction-field")):
        if heading.count(name) != 1:
            problem = "no column" if name not in heading else "several columns"
            columns = ", ".join(heading)
            raise PredictionError(f"{source} has {problem} {name!r} (it has {columns}): name the column with {option}")
    # A row for each line, with as many cells as the heading.
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
                f'{_DELIMITERS.get(delimiter, delimiter)} or line ends between double quotes ("...")'
            )
        yield f"line {line}", dict(zip(heading, cells))


def _lines(data: bytes, source: str) -> Iterator[tuple[str, Any]]:
    """Texts, one per line; a line end inside a text is written as \\n."""
    lines = re.split(r"\r\n|\r|\n", _decoded(data, source, "file"))
    if any(line.lstrip().startswith("{") for line in lines):  # of JSON, which something stands before
        yield from _loaded_lines(data, source)
        return
    if any(map(str.strip, lines)):
        lines = lines if lines[-1] else lines[:-1]
        yield from ((f"line {number}", line.replace("\\n", "\n")) for number, line in enumerate(lines, start=1))
