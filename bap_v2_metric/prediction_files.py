"""The forms of predictions that the standard library can read, recognized by what a file holds.

    JSON lines      one object per line: {"id": "dss-test-0/0", "prediction": "place red 0 1 0"}
    JSON            a list of such objects, an object {"dss-test-0/0": "place red 0 1 0", ...}, or columns, as pandas
                    and datasets write them: {"id": {"0": ...}, "prediction": {"0": ...}}
    CSV, TSV        a line that names the columns, then one line per item; commas, semicolons or tabs
    batches         of OpenAI, vLLM and Anthropic: "custom_id" with "response" or "result"
    conversations   the answer is the last of "messages", or of a "completion" that is a list of messages
    texts           a JSON list of texts, or lines, one per item in the order of the items

A prediction is a text, a list of its lines, or what an API answers; several choices are several runs, and so are
the texts in a list of "outputs", "choices" or "generated_text". Of a task that is played it is an episode,
{"turns": [...], "success": ..., "tokens": ...}, which becomes JSON, and a line may say which "run" of its item it is,
from 1. A failed request and a null are entries without a prediction.
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
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from .errors import UserError

ID_FIELDS = ("custom_id", "id", "item_id")  # of a batch "id" is that of the request
# "prediction" where it is there, otherwise the only one of the others, otherwise a conversation. Not "completion" or
# "text": rows of the dataset have a "completion", which is the right answer.
PREDICTION_FIELDS = ("prediction", "response", "output", "generated_text")
_OF_APIS = {"result": Mapping, "outputs": list, "choices": list}  # usual names of what is no text
_CONVERSATIONS = ("completion", "messages")
# Texts that may stand beside a conversation; any other may be the answer.
_BESIDE = {*ID_FIELDS, *_CONVERSATIONS, "prompt", "model", "before", "after", "interpretations"}
_SEVERAL = {"outputs", "choices", "generated_text"}  # texts under these names are choices, elsewhere lines
# Where a text stands in what an API answers; "output" before "text", which in the responses API is a format.
_INSIDE = ("body", "message", "choices", "outputs", "output", "content", "text", "generated_text")
_TEXTS = {"text", "output_text"}  # types of parts of a message; others are thoughts, calls and pictures
FORM = 'write one object per line, e.g. {"id": "dss-test-0/0", "prediction": "place red 0 1 0"}'
_BEGINNING = 1024  # bytes that tell a text from a picture or a program
_BLANKS = " \r\n"  # before a table; a tab is an empty heading, as pandas writes that of the index
_DELIMITERS = {"\t": "tabs", ",": "commas", ";": "semicolons"}
_COMPRESSIONS = {  # by the first bytes
    b"\x1f\x8b": ("gzip", gzip.decompress),
    b"BZh": ("bzip2", bz2.decompress),
    b"\xfd7zXZ\0": ("xz", lzma.decompress),
}
_LINE_END = re.compile(rb"\r\n|\r|\n")  # JSON has none inside a text
_SHOWN = 80  # characters of what an error quotes


class PredictionError(UserError):
    """A prediction file that cannot be scored; the message names the file, the line and the fix."""


class Entry(NamedTuple):
    """A prediction, and where it stands."""

    place: str  # `line 3`
    row_id: str | None  # None: its item is known by the order
    prediction: str | None  # None: there is none
    run: int = 0  # of several answers of one model to an item
    why: str = "null"  # there is no prediction
    record: Any = None  # that it was read from


@dataclass(frozen=True)
class Fields:
    """The names under which ids and predictions stand; None: the usual ones.

    A name with dots that is not a field itself leads into objects and lists: `doc.id`, `choices.0.text`, `choices[0]`.
    """

    id: str | None = None
    prediction: str | None = None


AUTOMATIC = Fields()


def excerpt(text: str) -> str:
    """Return the beginning of a text, for an error, as any terminal can print it.

    >>> excerpt("place red \\ud83d")
    'place red ?'
    """
    text = text.encode(errors="replace").decode()
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def reasons(why: Iterable[str]) -> str:
    """Name the reasons why predictions are missing, with counts.

    >>> reasons(["null", "expired", "null"])
    '2 × null, 1 × expired'
    """
    return ", ".join(f"{n:,} × {reason}" for reason, n in Counter(why).most_common())


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


def entries(
    values: Iterable[tuple[str, Any]], source: str, fields: Fields = AUTOMATIC, by_id: bool = True
) -> Iterator[Entry]:
    """The predictions of `records`, all under the names that the first object has.

    Args:
        by_id: whether objects have to have ids. Without, other ids than strings are taken too.
    Raises:
        PredictionError: while iterating, for a record without an id or a prediction that can be read.
    """
    names: tuple[str, str] | None = None
    ordered: bool | None = None
    last = -1  # number of a request
    for place, record in values:
        # The id of the record and its answer, or why it has none.
        where = f"{source}, {place}"
        if isinstance(record, Mapping):
            names = names or _names(record, fields, where)
            if names[1] in _CONVERSATIONS:  # the answer may be null in the first record
                _names(record, fields, where)
            row_id, (there, value), why = _found(record, names[0])[1], _found(record, names[1]), _failure(record)
            # Without ids objects are in order only where nobody could give them one: a name may be misspelled.
            in_order = row_id is None and (not by_id or (fields.id is None and _is_request_output(record)))
            if in_order and _is_request_output(record):
                last = _number(record, last, where)
        else:
            row_id, there, value, why, in_order = None, True, record, "", True
        # One answer or several; an episode is one.
        row_id, run = row_id if by_id or row_id is None else str(row_id), 0
        if isinstance(value, Mapping) and "turns" in value:  # an episode
            texts, run = [json.dumps(value)], _run(record, where)
        else:
            texts = [None] if why else _answers(value, names[1] if names else "") if there else None
        # A record that is not a prediction is refused, as is one without an id among others with one.
        if texts is None or not (in_order or isinstance(row_id, str)) or (by_id and ordered not in (None, in_order)):
            id_field, prediction_field = names or (ID_FIELDS[1], PREDICTION_FIELDS[0])
            hint = "" if fields != AUTOMATIC or not by_id else " (or name other fields: --id-field, --prediction-field)"
            text = excerpt(json.dumps(record, ensure_ascii=False, default=str))
            needed = f'the strings "{id_field}" and "{prediction_field}"' if by_id else f'a text "{prediction_field}"'
            raise PredictionError(f"{where} needs {needed}{hint}: {text}")
        ordered = in_order
        for number, answer in enumerate(texts, start=run):
            yield Entry(place, row_id, answer if answer is None else _plain(answer), number, why or "null", record)


def _as_utf8(data: bytes, source: str) -> bytes:
    """The bytes without a byte order mark; text of PowerShell (UTF-16) as UTF-8."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        try:
            return data.decode("utf-16").encode()
        except UnicodeError as error:
            raise PredictionError(f"{source} is not UTF-16 ({error}): write it as UTF-8") from None
    return data.removeprefix(codecs.BOM_UTF8)


# --- What one record says
def _names(names: Iterable[str], fields: Fields, where: str) -> tuple[str, str]:
    """Under which of the names of a record, or of a heading, the ids and the predictions stand."""
    record = names if isinstance(names, Mapping) else {}
    names = list(names)
    usual = [name for name in PREDICTION_FIELDS if name in names]
    usual += [name for name, kind in _OF_APIS.items() if isinstance(record.get(name), kind)]
    if fields.prediction is None and len(usual) > 1 and usual[0] != "prediction":
        raise PredictionError(f"{where} has {' and '.join(usual)}: name the one to score with --prediction-field")
    if not usual and (usual := [name for name in _CONVERSATIONS if isinstance(record.get(name), list)]):
        others = [name for name in names if name not in {fields.id, *_BESIDE} and _may_be_answer(record[name])]
        if fields.prediction is None and (others or len(usual) > 1):
            problem = f"{where} has {' and '.join(usual + others)}"
            raise PredictionError(f"{problem}: name the one to score with --prediction-field")
    return (
        fields.id or next((name for name in ID_FIELDS if name in names), "id"),
        fields.prediction or (usual or PREDICTION_FIELDS)[0],
    )


def _may_be_answer(value: Any) -> bool:
    return isinstance(value, str) or any(_answers(value) or ())


def _found(record: Any, name: str) -> tuple[bool, Any]:
    """Return whether a record has a name, if only with nothing on the way to it, and what stands there."""
    if isinstance(record, Mapping) and name in record:
        return True, record[name]
    for step in re.sub(r"\[(\d+)\]", r".\1", name).split("."):
        if isinstance(record, list) and step.isdigit() and int(step) < len(record):
            record = record[int(step)]
        elif isinstance(record, Mapping) and step in record:
            record = record[step]
        else:
            return record is None or record == [], None
    return True, record


def _failure(record: Mapping[str, Any]) -> str:
    """Return why a request of a batch has no answer; "" if it has one, and for other records."""
    if "custom_id" not in record:
        return ""
    response, result, error = record.get("response"), record.get("result"), record.get("error")
    if isinstance(result, Mapping) and result.get("type") in ("errored", "canceled", "expired"):
        return result["type"]
    if isinstance(response, Mapping) and response.get("status_code", 200) != 200:
        return f"status {response['status_code']}"
    if error:
        code = error.get("code") or error.get("message") if isinstance(error, Mapping) else error
        return excerpt(str(code or "error"))
    return ""


def _is_request_output(record: Mapping[str, Any]) -> bool:
    """Return whether it is one of vLLM, which numbers the prompts in their order, and knows no other ids."""
    return isinstance(record.get("outputs"), list) and "request_id" in record and record.keys().isdisjoint(ID_FIELDS)


def _number(record: Mapping[str, Any], last: int, where: str) -> int:
    """The number of a request of vLLM, which is after the last one."""
    number = str(record["request_id"])
    if not number.isdecimal() or int(number) <= last:
        raise PredictionError(
            f'{where}: "request_id" is {excerpt(json.dumps(record["request_id"]))} (outputs without ids are in the '
            'order of the rows, numbered upwards): sort them so, or add the field "id"'
        )
    return int(number)


def _answers(value: Any, name: str = "") -> list[str | None] | None:
    """The texts of a prediction, several of several choices; None for anything else.

    Args:
        name: under which it stands, which says whether a list of texts is of choices or of lines.

    >>> _answers({"choices": [{"message": {"role": "assistant", "content": "pick 0 1 0"}}]})
    ['pick 0 1 0']
    >>> _answers(["pick 0 1 0", "pick 0 2 0"])
    ['pick 0 1 0\\npick 0 2 0']
    >>> _answers(["pick 0 1 0", "pick 0 2 0"], "outputs")
    ['pick 0 1 0', 'pick 0 2 0']
    """
    # No answer, or plain text.
    if value is None or value != value:  # nan
        return [None]
    if isinstance(value, str):
        return [value]
    # An object of an API holds the answer in one of its fields.
    if isinstance(value, Mapping):
        if value.get("content", "") is None and isinstance(value.get("refusal"), str):
            return [value["refusal"]]
        name = next((name for name in _INSIDE if name in value), None)
        if name is None:
            return None
        return _answers(value[name], name) if value[name] != [] or name == "content" else [None]
    # A list: of texts, of messages, of parts of one message, or of several answers.
    if not isinstance(value, list):
        return None
    if all(isinstance(part, str) for part in value):
        return (value or [None]) if name.rpartition(".")[2] in _SEVERAL else ["\n".join(value)]
    if not all(isinstance(part, Mapping) for part in value):
        return None
    if messages := [part for part in value if "role" in part]:  # others are thoughts and calls
        return _answers(messages[-1]) if messages[-1]["role"] in ("assistant", "model") else [None]
    if all(isinstance(part.get("type"), str) for part in value):
        texts = [part.get("text") if part["type"] in _TEXTS else part.get("refusal") for part in value]
        texts = [text for text in texts if isinstance(text, str)]
        return ["".join(texts) if texts else None]
    several = [_answers(part) for part in value]
    return None if None in several else [text for texts in several for text in texts]


def _plain(text: str) -> str:
    """The text with line ends where Excel has written those of Windows as `_x000D_`."""
    return re.sub(r"_x000D_(\r\n|\r|\n)?", "\n", text) if "_x000D_" in text else text


def _run(record: Mapping[str, Any], where: str) -> int:
    """Read the number of an episode among the runs of its item, from 0."""
    run = record.get("run", 1)
    if isinstance(run, bool) or not isinstance(run, int) or run < 1:
        raise PredictionError(f'{where}: "run" is {excerpt(json.dumps(run))} (expected the number of the run, from 1)')
    return run - 1


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
    """The record of an id, GAME/NUMBER, and a prediction, as pandas writes "values"; anything else as it is.

    >>> _of_pair(["dss-test-0/0", "pick 0 1 0"]), _of_pair(["pick 0 1 0", "pick 0 2 0"])  # lines of answers have blanks
    ({'id': 'dss-test-0/0', 'prediction': 'pick 0 1 0'}, ['pick 0 1 0', 'pick 0 2 0'])
    """
    pair = isinstance(value, list) and len(value) == 2 and re.fullmatch(r"\S+/\S+", str(value[0]))
    return dict(zip(("id", "prediction"), value)) if pair else value


def _of_object(value: _Object, source: str, fields: Fields) -> Iterator[tuple[str, Any]]:
    """The records of one object: itself, or those that it has as columns, as rows or by id."""
    # What the object looks like.
    rows, names, inner = value.get("data"), value.get("columns"), list(value.values())
    ids = next((value[name] for name in (fields.id, *ID_FIELDS) if name in value), None)
    one = _is_request_output(value) or not isinstance(value.get(PREDICTION_FIELDS[0], {}), Mapping)  # without an id
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
        raise PredictionError(f"{source}: duplicate prediction for {value.twice}")
    for row_id, prediction in value.items():
        if _answers(prediction) is None and not (isinstance(prediction, Mapping) and "turns" in prediction):
            raise PredictionError(
                f"{source}: the prediction for {row_id!r} is {excerpt(json.dumps(prediction))} (expected a string; an "
                'object maps ids to predictions: {"dss-test-0/0": "place red 0 1 0", ...})'
            )
        yield f"entry {row_id}", {"id": row_id, "prediction": prediction}


def _loaded(line: bytes) -> Any:
    """The value of a line; None if it is not JSON."""
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
    for name, option in zip(_names(heading, fields, f"{source}, line 1"), ("--id-field", "--prediction-field")):
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
