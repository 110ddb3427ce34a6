"""The complete row of an Architect's item that a user brings: what can be derived is filled in, what is wrong is named.

An item needs `id`, `utterances`, `before`, `target`, and `after` or `actions`. Prompts also take `history` and `pose`.
"""

from collections.abc import Mapping
from typing import Any

from bap_v2_dataset.tasks.architect.prompts import completion, render
from bap_v2_dataset.tasks.architect.rows import spoken
from bap_v2_dataset.tasks.building import own_rows as building
from bap_v2_dataset.tasks.own_values import OwnRowError, text_of
from bap_v2_metric.errors import UserError, shortened
from bap_v2_metric.notation import parse_structure

_OF_ITEMS = (
    "id", "game_id", "history", "pose", "before", "target", "after", "actions", "interpretations", "metadata",
)  # fmt: skip


def own_row(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return the row of an item of Architect generation, with all columns of the dataset.

    Derived where they are missing: as for an item of Builder Action Prediction (see `own_rows`), `completion` (the
    utterances), and `prompt`, if the pose is known. An utterance may lack its `<Architect> `.

    Raises:
        OwnRowError: for a column that is needed, and for a value of the wrong type or form.

    >>> row = own_row({"id": "mine/0", "utterances": ["a red one"], "before": [], "after": ["red 0 1 0"],
    ...                          "target": ["red 0 1 0", "red 0 2 0"]})
    >>> row["completion"], row["actions"], row["prompt"]
    ('<Architect> a red one', ['place red 0 1 0'], None)
    """
    # The words, and the item that they are said in.
    given = record.get("utterances")
    if not isinstance(given, (list, tuple)) or not all(isinstance(line, str) for line in given):
        raise OwnRowError(f"utterances is {shortened(given)} (expected a list of what the Architect says)")
    item = building.own_row({name: record.get(name) for name in _OF_ITEMS})
    if not item["target"]:
        raise OwnRowError("target is missing: an Architect needs the blocks that are to be built")
    try:
        parse_structure(item["target"])
    except UserError as error:
        raise OwnRowError(f"target: {error}") from None
    # What follows from the given columns.
    row = {name: item[name] for name in _OF_ITEMS} | {"utterances": spoken("\n".join(given))}
    row["completion"] = text_of(record, "completion")
    if row["completion"] is None:
        row["completion"] = completion(row["utterances"])
    row["prompt"] = text_of(record, "prompt")
    if row["prompt"] is None and row["pose"] is not None:
        row["prompt"] = render(row)
    return row
