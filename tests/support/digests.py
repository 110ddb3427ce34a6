"""Digests of published rows and of scores: a change of one byte anywhere shows."""

import hashlib
from collections.abc import Iterable, Mapping

import orjson


def digest_of(records: Iterable[Mapping]) -> str:
    """SHA-256 of records as JSON lines with sorted keys; their order counts."""
    digest = hashlib.sha256()
    for record in records:
        digest.update(orjson.dumps(record, option=orjson.OPT_SORT_KEYS | orjson.OPT_APPEND_NEWLINE))
    return digest.hexdigest()
