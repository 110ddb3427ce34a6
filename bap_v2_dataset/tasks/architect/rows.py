"""The rows of Architect generation, each made of an item of Builder Action Prediction.

A moment at which the Architect speaks and the Builder then acts. What the Architect says there is its last turn before
the actions: the last of its lines that no line of the Builder divides. What was said before that turn is history; what
the Builder says between the turn and its actions is left out. An item before which the Architect says nothing since the
last action has no row.
"""

from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import Any

from bap_v2_dataset.tasks.architect.ids import id_of
from bap_v2_dataset.tasks.architect.prompts import completion, render
from bap_v2_metric.chat_marks import answer_of

_ARCHITECT, _BUILDER = "<Architect>", "<Builder>"
_SAME = ("game_id", "pose", "before", "target", "after", "actions", "interpretations", "metadata")


def architect_row(item: Mapping[str, Any], config: str, split: str) -> dict[str, Any] | None:
    """Return the row that is made of an item; None if the Architect says nothing before it.

    Args:
        item: a row of Builder Action Prediction.
        config, split: of the new row.
    """
    dialogue = item["dialogue"]
    start, end = turn_of_the_architect(dialogue)
    utterances = spoken("\n".join(dialogue[start:end]))  # without empty ones
    if not utterances:
        return None
    columns: dict[str, Any] = {"id": id_of(item["id"], config, split), "history": [*item["history"], *dialogue[:start]]}
    columns |= {name: item[name] for name in _SAME}
    columns |= {"utterances": utterances, "completion": completion(utterances)}
    columns["metadata"] = {**(item["metadata"] or {}), "item": item["id"]}
    columns["metadata"].pop("annotation", None)  # it knows the next turn, which is the answer here
    columns["prompt"] = render(columns)
    return columns


def builder_item(row: Mapping[str, Any], text: str) -> dict[str, Any]:
    """Return the item of Builder Action Prediction in which a Builder reads other words: own data, for any Builder.

    Args:
        row: of the dataset.
        text: what is said in place of the gold utterances.

    >>> row = {"id": "architect_dsb-test-0/1", "history": ["<Architect> hi", "place red 0 1 0", "<Builder> and now?"],
    ...        "before": ["red 0 1 0"], "after": ["red 0 1 0", "red 0 2 0"], "actions": ["place red 0 2 0"]}
    >>> item = builder_item(row, "one more on top")
    >>> item["history"], item["dialogue"]
    (['<Architect> hi', 'place red 0 1 0'], ['<Builder> and now?', '<Architect> one more on top'])
    """
    start = since_the_last_action(row["history"])
    same = {name: row[name] for name in ("id", *_SAME) if row.get(name) is not None}
    return same | {"history": row["history"][:start], "dialogue": [*row["history"][start:], *spoken(text)]}


def spoken(text: str) -> list[str]:
    """Return the utterances of a prediction, each with `<Architect> ` in front; blank lines are none.

    A model may go on with the game: what follows a line of the Builder is not read, nor is that line.

    >>> spoken("a red one on top\\n<Architect> and a blue one\\n<Builder> ok\\nplace red 0 2 0")
    ['<Architect> a red one on top', '<Architect> and a blue one']
    """
    lines = []
    for line in answer_of(text).splitlines():
        if _is_of_builder(line):
            break
        if words := line.strip().removeprefix(_ARCHITECT).strip():
            lines.append(f"{_ARCHITECT} {words}")
    return lines


def is_cut(text: str) -> bool:
    """Return whether a prediction has a line of the Builder, from which on it is not read.

    >>> is_cut("a red one\\n<Builder> ok"), is_cut("a red one")
    (True, False)
    """
    return any(map(_is_of_builder, answer_of(text).splitlines()))


def turn_of_the_architect(dialogue: Sequence[str]) -> tuple[int, int]:
    """Return the range of the Architect's last lines in a row; an empty one if it says nothing.

    >>> turn_of_the_architect(["<Architect> a block", "<Builder> which?", "<Architect> a red one", "<Builder> ok"])
    (2, 3)
    """
    end = len(dialogue)
    while end and not dialogue[end - 1].startswith(_ARCHITECT):
        end -= 1
    start = end
    while start and dialogue[start - 1].startswith(_ARCHITECT):
        start -= 1
    return start, end


def since_the_last_action(history: Sequence[str]) -> int:
    """Return the position of the first line of chat after the last action.

    >>> since_the_last_action(["<Architect> hi", "place red 0 1 0", "<Architect> good"])
    2
    """
    chat = takewhile(lambda line: line.startswith("<"), reversed(history))
    return len(history) - sum(1 for _ in chat)


def _is_of_builder(line: str) -> bool:
    return line.strip().startswith(_BUILDER)
