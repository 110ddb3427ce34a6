"""The objects of a file of JSON lines, or of one list of objects; also compressed with gzip, and with a BOM."""

import gzip
import zlib
from codecs import BOM_UTF8
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import orjson

from bap_v2_metric.errors import UserError


def json_records(
    path: Path, error: type[UserError], progress: Callable[[int], None] = lambda size: None
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each object and its place, `FILE, line 3`. Lines are read one at a time, a list at once.

    Args:
        error: is raised for anything else.
        progress: called with the bytes of the file that were read since the last call.
    """
    try:
        yield from _records(path, error, progress)
    except (EOFError, gzip.BadGzipFile, zlib.error) as cause:
        raise error(f"{path} cannot be read as gzip: {cause}") from None


def _records(
    path: Path, error: type[UserError], progress: Callable[[int], None]
) -> Iterator[tuple[str, dict[str, Any]]]:
    with ExitStack() as files:
        raw = file = files.enter_context(open(path, "rb"))
        if path.suffix == ".gz":
            file = files.enter_context(gzip.GzipFile(fileobj=raw))
        # One list is read at once.
        first = file.read(4096).removeprefix(BOM_UTF8).lstrip()
        file.seek(0)
        if first.startswith(b"["):
            for number, record in enumerate(_parse_json(file.read(), str(path), error), start=1):
                yield _require_object(f"{path}, object {number}", record, error)
            progress(raw.tell())
            return
        # Lines one at a time.
        at = 0
        for number, line in enumerate(file, start=1):
            progress(raw.tell() - at)
            at = raw.tell()
            if line.strip():
                place = f"{path}, line {number}"
                further = ": write one object per line, or one list of objects"
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
