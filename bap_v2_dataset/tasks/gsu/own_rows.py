"""The complete row of a GSU item that a user brings: what can be derived is filled in, what is wrong is named.

An item needs `id`, `task`, `question` and `answer`; walks also `frame` and `dims`.
"""

from collections.abc import Mapping
from typing import Any

from bap_v2_dataset.tasks.building.own_rows import OwnRowError
from bap_v2_dataset.tasks.gsu.counts import MEASURES
from bap_v2_dataset.tasks.gsu.scorer import SCORER
from bap_v2_metric.errors import UserError

_FRAMES = {"card2ego": "egocentric", "structure": "viewer", "combined": "allocentric"}  # the only ones of their tasks
_TEXTS = ("group", "prompt", "reasoning", "completion")


def gsu_own_row(record: Mapping[str, Any]) -> dict[str, Any]:
    """The row of an item of GSU, with all columns of the dataset.

    Derived where they are missing: `frame` where a task has only one, `dims` (3), `prompt` (the question without
    shots), `completion` (`Answer: ` and the answer); `group` and `reasoning` are empty, and so are `blocks`.

    Raises:
        OwnRowError: for a column that is needed, and for a value of the wrong type or form.

    >>> row = gsu_own_row({"id": "mine-0", "task": "combined", "question": "Where is it?", "answer": "left, front"})
    >>> row["frame"], row["dims"], row["prompt"], row["completion"]
    ('allocentric', 3, 'Where is it?\\n', 'Answer: left, front')
    """
    row = {name: _text(record, name, needed=True) for name in ("id", "task", "question", "answer")}
    if row["task"] not in MEASURES:
        raise OwnRowError(f"task is {row['task']!r} (expected one of {', '.join(MEASURES)})")
    row["frame"] = _text(record, "frame") or _FRAMES.get(row["task"])
    if row["frame"] is None:
        raise OwnRowError(f"frame is missing: an item of the task {row['task']} needs it, e.g. egocentric")
    row["dims"] = 3 if record.get("dims") is None else record["dims"]
    row |= {name: _text(record, name) or "" for name in _TEXTS}
    row["prompt"] = row["prompt"] or f"{row['question']}\n"
    row["completion"] = row["completion"] or f"Answer: {row['answer']}"
    row["blocks"] = [] if record.get("blocks") is None else list(record["blocks"])
    row["metadata"] = {} if record.get("metadata") is None else record["metadata"]
    if not isinstance(row["metadata"], Mapping):
        raise OwnRowError(f"metadata is {str(row['metadata'])[:80]!r} (expected an object)")
    try:
        SCORER.check_items([""], [SCORER.reference_of(row)])
    except UserError as error:
        raise OwnRowError(str(error).removeprefix("item 0, ")) from None
    return row


def _text(record: Mapping[str, Any], name: str, needed: bool = False) -> str | None:
    value = record.get(name)
    if value is None or (needed and value == ""):
        if needed:
            raise OwnRowError(f"{name} is missing: an item of GSU needs id, task, question and answer")
        return None
    if not isinstance(value, str):
        raise OwnRowError(f"{name} is {str(value)[:80]!r} (expected text)")
    return value
