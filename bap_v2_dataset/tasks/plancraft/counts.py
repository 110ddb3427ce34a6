"""What is counted for one episode of Plancraft: whether it succeeds, what its turns do, how long it takes.

An episode is one try at one task; several episodes with the same id are runs of that task. Success is what the
environment says of moves and smelts: this module has no recipes, and holds what it is told against the turns.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from bap_v2_metric.errors import InputError, shortened
from bap_v2_metric.scoring import check_lists
from bap_v2_simulators.plancraft.lenient import turn_of
from bap_v2_simulators.plancraft.turns import (
    ALWAYS,
    INVALID,
    MAX_STEPS,
    READINGS,
    TOOLS,
    tools_of,
)

DIFFICULTIES = ("easy", "easy", "medium", "hard", "hard", "impossible")  # by bin of complexity
SOLVABLE = ("easy", "medium", "hard")
RECIPE_TYPES = ("smelting", "shapeless", "shaped", "mixed")
GIVES_UP = "impossible"
COUNTED = (*TOOLS[2:], INVALID)  # kinds of turns whose mean number is told
Fields = Sequence[tuple[str, Callable[[Any], bool], str]]
PREDICTION = {"turns": ["string"], "success": "bool", "tokens": "int64"}
REFERENCE = {
    "id": "string",
    "impossible": "bool",
    "complexity_bin": "int64",
    "oracle_length": "int64",
    "recipe_type": "string",
}


def check_items(predictions: Sequence[Mapping], references: Sequence[Mapping]) -> None:
    """Raises: InputError for episodes and tasks that cannot be scored, naming the episode and the field.

    What only the turns can tell, such as more turns than an episode has, is found by `score_items`.
    """
    check_lists(predictions, references)
    for index, (prediction, reference) in enumerate(zip(predictions, references)):
        _check_prediction(prediction, index)
        _check_reference(reference, index)


def score_items(
    predictions: Sequence[Mapping],
    references: Sequence[Mapping],
    tools: str | Sequence[str] = TOOLS,
    reading: str = "package",
    max_steps: int = MAX_STEPS,
) -> list[dict]:
    """Return the counts of every episode, in order.

    Args:
        predictions: episodes: `turns`, what the model wrote in each turn; `success`, as the environment told it;
            `tokens` of all prompts and answers, or None.
        references: the columns `id`, `impossible`, `complexity_bin`, `oracle_length` and `recipe_type` of dataset rows.
        tools: that were in use, by name or in the letters of the paper ("M S T").
        reading: "package" or "lenient", as in the environment that the episodes are of.
        max_steps: turns after which an episode ended.
    Returns:
        For each episode `id`, `difficulty`, `recipe_type`, `success` (0 or 1), `turns`, `actions` (moves and smelts),
        the number of turns that `think`, `search`, give up (`impossible`) or are `invalid`, `gave_up` (1 if the last
        turn does), `unfinished` (1 if the episode has no end), `oracle_length` and `tokens`.
    Raises:
        InputError: as for `check_items`; too many turns; a success that the turns cannot have; one id with two tasks.

    >>> task = {"id": "VAL0", "impossible": False, "complexity_bin": 0, "oracle_length": 1, "recipe_type": "smelting"}
    >>> turns = ["think: smelt it", "smelt: from [I3] to [I4] with quantity 1"]
    >>> (item,) = score_items([{"turns": turns, "success": True, "tokens": None}], [task])
    >>> item["success"], item["turns"], item["actions"]
    (1, 2, 1)
    """
    check_items(predictions, references)
    tools = tools_of(tools)
    if reading not in READINGS:
        raise InputError(f"reading={reading!r} (expected {' or '.join(READINGS)})")
    if isinstance(max_steps, bool) or not isinstance(max_steps, int) or max_steps < 1:
        raise InputError(f"max_steps={max_steps!r} (expected a number of turns, 1 or more)")
    tasks: dict[str, dict] = {}
    items = []
    for index, (prediction, reference) in enumerate(zip(predictions, references)):
        task = {name: reference.get(name) for name in REFERENCE}
        if tasks.setdefault(task["id"], task) != task:
            raise InputError(f"episode {index}: {task['id']} is another task than in an episode before")
        items.append(_counts(prediction, task, tools, reading, max_steps, index))
    return items


def kinds_of(turns: Sequence[str], tools: Sequence[str] = TOOLS, reading: str = "package") -> list[str]:
    """Return what each turn does, one of TOOLS or "invalid".

    >>> kinds_of(["search: bread", "I give up"])
    ['search', 'invalid']
    """
    return [turn_of(text, tools, reading).kind for text in turns]


def _counts(prediction: Mapping, task: Mapping, tools: Sequence[str], reading: str, max_steps: int, index: int) -> dict:
    turns, success = prediction["turns"], prediction["success"]
    where = f"episode {index} ({task['id']})"
    # An episode played with other settings would be counted wrong: refuse it.
    if len(turns) > max_steps:
        raise InputError(f"{where} has {len(turns)} turns, and max_steps is {max_steps}: pass the max_steps of the run")
    kinds = kinds_of(turns, tools, reading)
    last = kinds[-1] if kinds else ""
    if task["impossible"] and bool(success) != (last == GIVES_UP):
        said = "gives up" if last == GIVES_UP else "does not give up"
        raise InputError(
            f"{where}: success is {bool(success)}, but the last turn {said} and the task is impossible: pass the tools "
            "and the reading of the run"
        )
    # Only a move or a smelt can complete a task.
    if success and not task["impossible"] and last not in ALWAYS:
        raise InputError(
            f"{where}: success is True, but the last turn is neither a move nor a smelt: pass the tools and the "
            "reading of the run"
        )
    # What all scores of the episode are made of.
    return {
        "id": task["id"],
        "difficulty": DIFFICULTIES[task["complexity_bin"]],
        "recipe_type": task["recipe_type"] or "",
        "success": int(success),
        "turns": len(turns),
        "actions": sum(kind in ALWAYS for kind in kinds),
        **{kind: kinds.count(kind) for kind in COUNTED},
        "gave_up": int(last == GIVES_UP),
        "unfinished": int(not success and last != GIVES_UP and len(turns) < max_steps),
        "oracle_length": task["oracle_length"],
        "tokens": prediction.get("tokens"),
    }


def _is_truth(value: object) -> bool:
    return isinstance(value, bool) or (isinstance(value, int) and value in (0, 1))


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


# Of episodes and of tasks: the field, what has to hold of its value, and what an error says of that.
_PREDICTION_FIELDS: Fields = (
    (
        "turns",
        lambda turns: isinstance(turns, (list, tuple)) and all(isinstance(turn, str) for turn in turns),
        "a list with the text of each turn",
    ),
    ("success", _is_truth, "True or False"),
    ("tokens", lambda tokens: tokens is None or _is_number(tokens), "a number from 0, or None"),
)
_REFERENCE_FIELDS: Fields = (
    ("id", lambda name: isinstance(name, str), "a string, e.g. 'TEST0000'"),
    ("impossible", _is_truth, "True or False"),
    (
        "complexity_bin",
        lambda number: not isinstance(number, bool) and number in range(len(DIFFICULTIES)),
        f"0 to {len(DIFFICULTIES) - 1}",
    ),
    ("oracle_length", _is_number, "a number of actions"),
    (
        "recipe_type",
        lambda kind: not kind or kind in (*RECIPE_TYPES, "impossible"),
        f"one of {', '.join(RECIPE_TYPES)}",
    ),
)


def _check_fields(record: Mapping, fields: Fields, index: int) -> None:
    for name, holds, expected in fields:
        if not holds(record.get(name)):
            raise InputError(f"episode {index}, field '{name}': {shortened(record.get(name))} (expected {expected})")


def _check_prediction(prediction: object, index: int) -> None:
    if not isinstance(prediction, Mapping):
        raise InputError(
            f"episode {index}: the prediction is {shortened(prediction)} "
            "(expected {'turns': [...], 'success': True or False, 'tokens': a number or None})"
        )
    _check_fields(prediction, _PREDICTION_FIELDS, index)


def _check_reference(reference: object, index: int) -> None:
    if not isinstance(reference, Mapping):
        raise InputError(f"episode {index}: the reference is {shortened(reference)} (expected a row of plancraft)")
    for name in REFERENCE:
        if reference.get(name) is None and name != "recipe_type":
            raise InputError(
                f"episode {index}: the reference has no field '{name}' (it has {shortened(list(reference))})"
            )
    _check_fields(reference, _REFERENCE_FIELDS, index)
    complexity, impossible = reference["complexity_bin"], bool(reference["impossible"])
    if (DIFFICULTIES[complexity] == "impossible") != impossible:
        raise InputError(f"episode {index}, field 'complexity_bin': {complexity}, but impossible is {impossible}")
