"""The complete row of an item that a user brings: what can be derived is filled in, what is wrong is named.

An item needs `id`, `before`, and `after` or `actions`. Pictures and prompts also take `dialogue`, `history` and `pose`.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from bap_v2_dataset.items.prompts import REPRESENTATIONS, completion, render
from bap_v2_dataset.items.versions import ROW_REPRESENTATIONS
from bap_v2_dataset.tasks.own_values import OwnRowError, lines_of, metadata_of, text_of
from bap_v2_metric.actions import Place, Remove, execute, is_supported
from bap_v2_metric.blocks import Structure
from bap_v2_metric.errors import UserError, shortened
from bap_v2_metric.notation import format_action, format_structure, parse_action, parse_structure
from bap_v2_metric.scoring import INTERPRETATIONS
from bap_v2_simulators.game import Utterance, one_line
from bap_v2_simulators.pose import Pose

VIEWPOINT = {"x": 0.0, "y": 1.0, "z": -6.5, "yaw": 0.0, "pitch": 0.0}  # of pictures where the pose is not known
_POSE = ("x", "y", "z", "yaw", "pitch")


def own_row(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return the row of an item of Builder Action Prediction, with all columns of the dataset.

    Derived where they are missing: `after` (from `actions`), `actions` (the net ones, removals first), `completion`,
    `game_id` (the id up to its last slash), and the prompts, if there is a dialogue and, for those that need it, a
    pose. `interpretations` is "unique"; lists are empty; a pose stays unknown.

    Raises:
        OwnRowError: for a column that is needed, and for a value of the wrong type or form.

    >>> row = own_row({"id": "mine/0", "before": ["red 0 1 0"], "after": ["blue 0 1 0"]})
    >>> row["game_id"], row["actions"], row["interpretations"], row["prompt_n"]
    ('mine', ['pick 0 1 0', 'place blue 0 1 0'], 'unique', None)
    """
    # What was said, done and seen before
    row: dict[str, Any] = {"id": _id(record)}
    row["game_id"] = text_of(record, "game_id") or row["id"].rpartition("/")[0] or row["id"]
    for name in ("history", "dialogue"):
        row[name] = list(map(one_line, lines_of(record, name)))
    _check_each(row, "history", _history_line)
    _check_each(row, "dialogue", Utterance.parse)
    row["pose"] = _pose(record)

    # The structures, and the actions between them
    before = _structure(record, "before", needed=True)
    row["before"] = lines_of(record, "before")
    if record.get("actions") is None and isinstance(record.get("completion"), str):
        record = {**record, "actions": [line for line in record["completion"].split("\n") if line.strip()]}
    row["after"], row["actions"] = _outcome(record, before)
    _structure(record, "target")
    row["target"] = lines_of(record, "target")
    row["interpretations"] = text_of(record, "interpretations") or INTERPRETATIONS[0]
    if row["interpretations"] not in INTERPRETATIONS:
        raise OwnRowError(f"interpretations is {row['interpretations']!r} (expected {' or '.join(INTERPRETATIONS)})")

    # The texts, rendered where they are missing and what they are made of is known
    for representation in ROW_REPRESENTATIONS:
        name = f"prompt_{representation}"
        row[name] = text_of(record, name)
        is_known = row["pose"] is not None or not REPRESENTATIONS[representation].pose
        if row[name] is None and is_known and (row["dialogue"] or row["history"]):
            row[name] = render(row, representation)
    text = text_of(record, "completion")
    row["completion"] = completion(row["actions"]) if text is None else text
    row["metadata"] = metadata_of(record)
    return row


def _outcome(record: Mapping[str, Any], before: Structure) -> tuple[list[str], list[str]]:
    """`after` and `actions`, each from the other where it is missing."""
    # What the user gives
    lines = lines_of(record, "actions")
    try:
        actions = [parse_action(line, anywhere=True) for line in lines]
    except UserError as error:
        raise OwnRowError(f"actions: {error}") from None
    if record.get("after") is not None:
        after = _structure(record, "after")
        if record.get("actions") is None:
            lines = _in_order(before, after)
        return lines_of(record, "after"), lines

    # The end of the actions is `after`
    if record.get("actions") is None:
        raise OwnRowError("after is missing: an item needs after, the blocks that stand at its end, or actions")
    result = execute(before, actions)
    if result.infeasible:
        wrong = result.failures[0]
        raise OwnRowError(
            f"after is missing, and action {wrong.index + 1}, {lines[wrong.index]!r}, cannot be carried out "
            f"({wrong.reason.value}): give after"
        )
    return format_structure(result.after), lines


def _in_order(before: Structure, after: Structure) -> list[str]:
    """Return the net actions: removals from the top down, then placements, each as soon as it has a support."""
    board, remaining = before.colors(), after.colors()
    gone = [cell for cell, color in board.items() if remaining.get(cell) != color]
    lines = [format_action(Remove(cell)) for cell in sorted(gone, key=lambda cell: -cell.y)]
    for cell in gone:
        del board[cell]
    remaining = {cell: color for cell, color in remaining.items() if cell not in board}
    while remaining:
        cell = next((cell for cell in remaining if is_supported(cell, board)), next(iter(remaining)))
        board[cell] = remaining.pop(cell)
        lines.append(format_action(Place(board[cell], cell)))
    return lines


def _id(record: Mapping[str, Any]) -> str:
    row_id = record.get("id")
    if not isinstance(row_id, str) or not row_id.strip():
        shown = "missing" if row_id is None else shortened(row_id)
        raise OwnRowError(f'id is {shown} (expected a text of its own for each item, e.g. "game-1/0")')
    return row_id


def _structure(record: Mapping[str, Any], name: str, needed: bool = False) -> Structure:
    if needed and record.get(name) is None:
        raise OwnRowError(f"{name} is missing: the blocks that stand there, e.g. ['red 0 1 0'], or [] for none")
    try:
        return parse_structure(lines_of(record, name), anywhere=name == "target")
    except OwnRowError:
        raise
    except UserError as error:
        raise OwnRowError(f"{name}: {error}") from None


@lru_cache(maxsize=4096)  # the history of an item begins with that of the item before
def _history_line(line: str) -> None:
    if line.startswith("<"):
        Utterance.parse(line)
    else:
        parse_action(line, anywhere=True)


def _check_each(row: Mapping[str, Any], name: str, parse: Callable[[str], object]) -> None:
    for number, line in enumerate(row[name], start=1):
        try:
            parse(line)
        except UserError as error:
            raise OwnRowError(f"{name}, entry {number}: {error}") from None


def _pose(record: Mapping[str, Any]) -> dict[str, float] | None:
    """x, y, z, yaw and pitch, from an object or a list of these five; None if it is not known."""
    pose = record.get("pose")
    if isinstance(pose, Sequence) and not isinstance(pose, str) and len(pose) == len(_POSE):
        pose = dict(zip(_POSE, pose))
    if pose is None or (isinstance(pose, Mapping) and pose and all(value is None for value in pose.values())):
        return None
    try:
        if not isinstance(pose, Mapping) or any(isinstance(pose[name], (bool, str)) for name in _POSE):
            raise TypeError
        values = {name: float(pose[name]) for name in _POSE}
        Pose(**values)
    except (KeyError, TypeError, ValueError):
        raise OwnRowError(f"pose is {shortened(pose)} (expected the numbers {', '.join(_POSE)})") from None
    return values
