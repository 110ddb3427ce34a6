"""The ids of Plancraft: of which split a task is."""

import re

_ID = re.compile(r"(TRAIN|VAL|TEST)[0-9]{4}")
_SPLITS = {"TRAIN": "train", "VAL": "validation", "TEST": "test"}


def split_of_id(row_id: str) -> tuple[str, str] | None:
    """The config and the whole split of a task; small and easy splits have some of its tasks. None for another id.

    >>> split_of_id("TEST0000"), split_of_id("dss-test-0/0")
    (('plancraft', 'test'), None)
    """
    match = _ID.fullmatch(row_id)
    return ("plancraft", _SPLITS[match[1]]) if match else None
