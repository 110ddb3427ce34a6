"""Values of an item that a user brings, checked: what is wrong is named, with what was expected."""

import json
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from bap_v2_metric.errors import UserError, shortened
from bap_v2_metric.scorer import Scorer


class OwnRowError(UserError):
    """An item that cannot be scored or shown; the message names the column, the value and what was expected."""


def text_of(record: Mapping[str, Any], name: str, needed: str = "") -> str | None:
    """A text, None if it is missing. Raises: OwnRowError for anything else, and where it is `needed`: it says what is.

    >>> text_of({"id": "mine/0"}, "id", needed="an item needs id and before")
    'mine/0'
    """
    value = record.get(name)
    if needed and value in (None, ""):
        raise OwnRowError(f"{name} is missing: {needed}")
    if not isinstance(value, str | None):
        raise OwnRowError(f"{name} is {shortened(value)} (expected a text)")
    return value


def lines_of(record: Mapping[str, Any], name: str) -> list[str]:
    """Return the texts of a list; none if it is missing. Raises: OwnRowError for anything else."""
    value = record.get(name)
    if value is None:
        return []
    if isinstance(value, str) or not isinstance(value, Sequence) or not all(isinstance(line, str) for line in value):
        raise OwnRowError(f"{name} is {shortened(value)} (expected a list of texts)")
    return list(value)


def metadata_of(record: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the metadata; {} if they are missing. Raises: OwnRowError if they are not an object."""
    value = record.get("metadata")
    if isinstance(value, str):  # as published data have them
        with suppress(ValueError):
            value = json.loads(value)
    if not isinstance(value, Mapping | None):
        raise OwnRowError(f"metadata is {shortened(value)} (expected an object)")
    return {} if value is None else value


def check_reference(scorer: Scorer, row: Mapping[str, Any], prediction: Any) -> None:
    """Raises: OwnRowError for a row that predictions, such as this one, cannot be scored against."""
    try:
        scorer.check_items([prediction], [scorer.reference_of(row)])
    except UserError as error:
        raise OwnRowError(re.sub(r"^\w+ 0, ", "", str(error))) from None
