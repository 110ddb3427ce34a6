"""The complete row of a GSU item that a user brings: what can be derived is filled in, what is wrong is named.

An item needs `id`, `task`, `question` and `answer`; walks also `frame` and `dims`.
"""

from collections.abc import Mapping
from typing import Any

from bap_v2_dataset.tasks.gsu.counts import FRAMES, MEASURES
from bap_v2_dataset.tasks.gsu.scorer import SCORER
from bap_v2_dataset.tasks.own_values import OwnRowError, check_reference, metadata_of, text_of

_NEEDED = ("id", "task", "question", "answer")
_TEXTS = ("group", "prompt", "reasoning", "completion")


def own_row(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return the row of an item of GSU, with all columns of the dataset.

    Derived where they are missing: `frame` where a task has only one, `dims` (3), `prompt` (the question without
    shots), `completion` (`Answer: ` and the answer); `group` and `reasoning` are empty, and so are `blocks`.

    Raises:
        OwnRowError: for a column that is needed, and for a value of the wrong type or form.

    >>> row = own_row({"id": "mine-0", "task": "combined", "question": "Where is it?", "answer": "left, front"})
    >>> row["frame"], row["dims"], row["prompt"], row["completion"]
    ('allocentric', 3, 'Where is it?\\n', 'Answer: left, front')
    """
    # The columns that cannot be derived.
    needed = f"an item of GSU needs {', '.join(_NEEDED[:-1])} and {_NEEDED[-1]}"
    row = {name: text_of(record, name, needed) for name in _NEEDED}
    if row["task"] not in MEASURES:
        raise OwnRowError(f"task is {row['task']!r} (expected one of {', '.join(MEASURES)})")
    # The frame, if the task has more than one.
    frames = FRAMES[row["task"]]
    row["frame"] = text_of(record, "frame") or (frames[0] if len(frames) == 1 else None)
    if row["frame"] is None:
        raise OwnRowError(f"frame is missing: an item of the task {row['task']} needs it, e.g. egocentric")
    # Defaults of the others.
    row["dims"] = 3 if record.get("dims") is None else record["dims"]
    row |= {name: text_of(record, name) or "" for name in _TEXTS}
    row["prompt"] = row["prompt"] or f"{row['question']}\n"
    row["completion"] = row["completion"] or f"Answer: {row['answer']}"
    row["blocks"] = [] if record.get("blocks") is None else list(record["blocks"])
    row["metadata"] = metadata_of(record)
    # The scorer has the last word on the values.
    check_reference(SCORER, row, "")
    return row
