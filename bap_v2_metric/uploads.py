"""What is typed, pasted or uploaded on the page of the Space: read into items, or refused with a line and a reason."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from .notation import NotationError, parse_block, storable
from .scoring import InputError, check_items

POSE = ("x", "y", "z", "yaw", "pitch")


class Item(NamedTuple):
    """What is scored and shown of an item."""

    line: int  # of the predictions, from 1
    name: str
    prediction: str
    reference: dict
    pose: "dict | None" = None
    dialogue: str = ""
    labels: str = ""  # whose, if it is of the clean test set


def read_lines(what: str, text: str, file: "str | None") -> list[tuple[int, dict]]:
    """Line numbers and the objects on the lines. Raises: InputError, which names the line."""
    try:
        lines = (Path(file).read_text(encoding="utf-8-sig") if file else text).split("\n")
    except UnicodeDecodeError:
        raise InputError(f"the file of {what} is not a text in UTF-8") from None
    objects = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except json.JSONDecodeError as error:
            problem = f"{error.msg} at character {error.pos + 1}"
            raise InputError(f"{what}, line {number} is not JSON ({problem}): {_shown(line)}") from None
        except ValueError as error:  # a number with thousands of digits
            raise InputError(f"{what}, line {number} cannot be read ({error}): {_shown(line)}") from None
        except RecursionError:
            raise InputError(f"{what}, line {number} is nested too deeply: {_shown(line)}") from None
        if not isinstance(value, dict):
            raise InputError(f"{what}, line {number} is not a JSON object, but {_shown(line)}")
        objects.append((number, value))
    return objects


def joined(predictions: list[tuple[int, dict]], references: list[tuple[int, dict]]) -> list[Item]:
    """The items: predictions with their references, which are rows of their own or the predictions' own fields.

    Raises:
        InputError: which names the line.
    """
    if not references:
        for number, record in predictions:
            if "before" not in record and "after" not in record:
                raise InputError(
                    f"predictions, line {number} has no board, and no references are given: {_shown(record)}"
                )
        return [_item(number, record, number, record, "predictions") for number, record in predictions]
    if not any("id" in record for _, record in predictions):
        if len(predictions) != len(references):
            raise InputError(
                f"{len(predictions)} predictions but {len(references)} references: give every line an id, or one of "
                "each for every item"
            )
        return [_item(*prediction, *reference) for prediction, reference in zip(predictions, references)]
    by_id: dict[str, tuple[int, dict]] = {}
    for number, record in references:
        if "id" not in record:
            raise InputError(f"references, line {number} has no id, as the predictions have: {_shown(record)}")
        if (first := by_id.setdefault(str(record["id"]), (number, record)))[0] != number:
            raise InputError(f"references, lines {first[0]} and {number} have the same id: {_shown(record['id'])}")
    items, answered = [], {}
    for number, record in predictions:
        name = str(record.get("id"))
        if name not in by_id:
            raise InputError(f"predictions, line {number}: no reference has the id {_shown(record.get('id'))}")
        if (first := answered.setdefault(name, number)) != number:
            raise InputError(f"predictions, lines {first} and {number} have the same id: {_shown(name)}")
        items.append(_item(number, record, *by_id[name]))
    if missing := sorted(by_id.keys() - answered.keys()):
        more = f" (nor have {len(missing) - 1} others)" if len(missing) > 1 else ""
        raise InputError(f"references, line {by_id[missing[0]][0]} has no prediction: {_shown(missing[0])}{more}")
    return items


def _item(line: int, record: Mapping, reference_line: int, row: Mapping, source: str = "references") -> Item:
    if not isinstance(record.get("prediction"), str):
        raise InputError(f'predictions, line {line} needs a text called "prediction": {_shown(record)}')
    reference = {key: row[key] for key in ("before", "after", "interpretations") if key in row}
    try:
        check_items([""], [reference])
    except InputError as error:
        raise InputError(str(error).replace("item 0", f"{source}, line {reference_line}", 1)) from None
    pose = row.get("pose")
    if pose is not None and not (isinstance(pose, Mapping) and all(_is_number(pose.get(name)) for name in POSE)):
        raise InputError(f"{source}, line {reference_line}, field 'pose': {_shown(pose)} (expected numbers {POSE})")
    dialogue, metadata = row.get("dialogue"), row.get("metadata")
    annotation = metadata.get("annotation") if isinstance(metadata, dict) else None
    return Item(
        line,
        storable(str(record.get("id", row.get("id", line)))),
        storable(record["prediction"]),
        reference,
        pose,
        storable("\n".join(map(str, dialogue))) if isinstance(dialogue, list) else "",
        storable(str(annotation.get("labels"))) if isinstance(annotation, dict) else "",
    )


def read_board(name: str, text: str) -> list[str]:
    """The blocks of a text, one per line. Raises: InputError, which names the line."""
    blocks = []
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                parse_block(line.strip())
            except NotationError as error:
                raise InputError(f"{name}, line {number}: {error}") from None
            blocks.append(line.strip())
    return blocks


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < 1e9  # no NaN either


def _shown(value: object) -> str:
    text = storable(value.strip() if isinstance(value, str) else json.dumps(value, ensure_ascii=False))
    return text if len(text) <= 80 else f"{text[:79]}…"
