"""The objects of a file of JSON lines, or of one list of objects; also compressed with gzip, and with a BOM."""

import gzip
import zlib
from codecs import BOM_UTF8
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import orjson

from bap_v2_metric.errors import UserError


def json_records(path: Path, error: type[UserError]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each object and its place, `FILE, line 3`. Lines are read one at a time, a list at once.

    Args:
        error: is raised for anything else.
    """
    try:
        with (gzip.open if path.suffix == ".gz" else open)(path, "rb") as file:
            first = file.read(4096).removeprefix(BOM_UTF8).lstrip()
            file.seek(0)
            yield from (_listed if first.startswith(b"[") else _lines)(file, path, error)
    except (EOFError, gzip.BadGzipFile, zlib.error) as cause:
        raise error(f"{path} cannot be read as gzip: {cause}") from None


def _listed(file: IO[bytes], path: Path, error: type[UserError]) -> Iterator[tuple[str, dict[str, Any]]]:
    for number, record in enumerate(_parse_json(file.read(), str(path), error), start=1):
        yield _require_object(f"{path}, object {number}", record, error)


def _lines(file: IO[bytes], path: Path, error: type[UserError]) -> Iterator[tuple[str, dict[str, Any]]]:
    further = ": write one object per line, or one list of objects"
    for number, line in enumerate(file, start=1):
        if line.strip():
            place = f"{path}, line {number}"
            yield _require_object(place, _parse_json(line, place, error, further), error)


def _parse_json(data: bytes, place: str, error: type[UserError], further: str = "") -> Any:
    try:
        return orjson.loads(data.removeprefix(BOM_UTF8))
    except ValueError as cause:
        raise error(f"{place} is not JSON ({cause}){further}") from None


def _require_object(place: str, record: object, error: type[UserError]) -> tuple[str, dict[str, Any]]:
    if not isinstance(record, dict):
        raise error(f"{place} is not a JSON object: {str(record)[:80]}")
    return place, record
