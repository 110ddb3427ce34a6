"""Systems that need no training: what a score of GSU means before any model is there.

A baseline is a function from a dataset row to a prediction, raw text as a model would write it. All read the question
only, never the answer. Each is defined for every task: where its idea has no meaning, it does what its docstring says.
Their exact expected scores are in tests/dataset/tasks/gsu/test_baselines.py.
"""

import zlib
from collections.abc import Mapping
from random import Random
from typing import Any

from bap_v2_dataset.tasks.gsu.reader import Question, parse, read
from bap_v2_dataset.tasks.gsu.reading.blocks import bounds_of, is_box
from bap_v2_dataset.tasks.gsu.reading.phrases import way_of
from bap_v2_dataset.tasks.gsu.reading.scenes import OutlookQuestion, SceneQuestion, Sides
from bap_v2_dataset.tasks.gsu.reading.structures import StructureQuestion, shape_text
from bap_v2_dataset.tasks.gsu.reading.walks import WalkQuestion
from bap_v2_simulators.gsu.boxes import KINDS
from bap_v2_simulators.gsu.localization import RELATIONS
from bap_v2_simulators.gsu.walks import DIRECTIONS

_FRONT_BEHIND = {"front": "behind", "behind": "front", "forward": "backward", "backward": "forward"}
_LEFT_RIGHT = {"left": "right", "right": "left"}


def symbolic(row: Mapping[str, Any]) -> str:
    """Return what the independent reader answers: it understands every question."""
    return f"Answer: {read(row['question'])}"


def empty(row: Mapping[str, Any]) -> str:
    """Nothing: what scores give away for no answer at all."""
    return ""


def constant(row: Mapping[str, Any]) -> str:
    """Return the best answer that is the same for all: (1, 0), no instruction, one word for each axis, a tower."""
    if row["task"] == "follower":
        return f"Answer: ({', '.join(['1', *'00'[: row['dims'] - 1]])})"
    if row["task"] in ("localization", "combined"):
        return f"Answer: {', '.join(RELATIONS[1 : 2 * row['dims'] : 2]).replace('behind', 'front')}"
    return "Answer: a tower" if row["task"] == "structure" else "Answer:"


def random_answer(row: Mapping[str, Any]) -> str:
    """Any answer of the right form: one of the 26 (8) of localization, as many steps as asked for, a colored shape.

    A function of the question.
    """
    question = parse(row["question"])
    rng = Random(zlib.crc32(row["question"].encode()))
    if isinstance(question, WalkQuestion):
        n = len(question.steps or question.moves)
        steps = tuple((rng.choice(DIRECTIONS[: 2 * question.dims]), rng.randint(1, 10)) for _ in range(n))
        if question.steps:
            return f"Answer: {question._replace(steps=steps).answer}"
        return f"Answer: {', '.join(f'{word} {length}' for word, length in steps)}"
    if isinstance(question, StructureQuestion):
        return f"Answer: a {rng.choice(sorted(set(question.blocks.values())))} {rng.choice(KINDS)}"
    words: list[str] = []
    while not words:
        pairs = zip(RELATIONS[: 2 * row["dims"] : 2], RELATIONS[1 : 2 * row["dims"] : 2])
        words = [word for pair in pairs for word in [rng.choice([*pair, ""])] if word]
    return f"Answer: {', '.join(words)}"


def all_words(row: Mapping[str, Any]) -> str:
    """Return all words of direction that the question allows; for structures only if there is more than one shape.

    Elsewhere as `constant`.
    """
    if row["task"] in ("localization", "combined"):
        return f"Answer: {', '.join(RELATIONS[: 2 * row['dims']])}"
    if row["task"] == "structure" and not is_box(_blocks(parse(row["question"]))):
        return f"Answer: a tower; {', '.join(RELATIONS)}"
    return constant(row)


def cardinal_reader(row: Mapping[str, Any]) -> str:
    """Walks in the wrong frame: one's own directions are taken as fixed, fixed ones as one's own.

    Whoever takes them as fixed sees the grid as if facing positive y: for localization and the combined task as
    `facing_y`. Structures have no second frame: as `symbolic`.
    """
    question = parse(row["question"])
    if isinstance(question, WalkQuestion):
        return f"Answer: {question._replace(turns=not question.turns).answer}"
    return facing_y(row)


def facing_y(row: Mapping[str, Any]) -> str:
    """Return the right answer for somebody who always faces positive y, and never turns."""
    question = parse(row["question"])
    if isinstance(question, WalkQuestion):
        question = question._replace(turns=False)
    elif isinstance(question, OutlookQuestion):
        question = question._replace(walk=question.walk._replace(turns=False))
    elif isinstance(question, SceneQuestion):
        question = question._replace(viewer=question.viewer.facing(way_of("positive y")))
    return f"Answer: {question.answer}"


def front_behind_exchanged(row: Mapping[str, Any]) -> str:
    """Return the right answer with front and behind exchanged; for walks forward and backward."""
    return f"Answer: {_exchanged(parse(row['question']), _FRONT_BEHIND)}"


def both_exchanged(row: Mapping[str, Any]) -> str:
    """The right answer with front and behind, left and right exchanged, as if a block were a person who faces one."""
    return f"Answer: {_exchanged(parse(row['question']), _FRONT_BEHIND | _LEFT_RIGHT)}"


def colors(row: Mapping[str, Any]) -> str:
    """Return a tower, with each color of the structure once; elsewhere as `constant`."""
    if row["task"] != "structure":
        return constant(row)
    return f"Answer: a {' and '.join(dict.fromkeys(_blocks(parse(row['question'])).values()))} tower"


def groups(row: Mapping[str, Any]) -> str:
    """Return the blocks of each color, named as the smallest box around them; elsewhere as `constant`."""
    if row["task"] != "structure":
        return constant(row)
    blocks = _blocks(parse(row["question"]))
    shapes = [
        shape_text(color, bounds_of([cell for cell, other in blocks.items() if other == color]))
        for color in dict.fromkeys(blocks.values())
    ]
    return f"Answer: {' and '.join(shapes)}"


def _exchanged(question: Question, words: Mapping[str, str]) -> str:
    """Return the answer with words exchanged for others, in what is told if the answer has none."""
    if isinstance(question, WalkQuestion) and question.steps:
        steps = tuple((words.get(word, word), length) for word, length in question.steps)
        return question._replace(steps=steps).answer
    if isinstance(question, WalkQuestion):
        return ", ".join(
            " ".join([words.get(word, word), n]) for word, n in map(str.split, question.answer.split(", "))
        )
    if isinstance(question, StructureQuestion):
        return question._replace(ways={words.get(word, word): way for word, way in question.ways.items()}).answer
    if isinstance(question, OutlookQuestion):
        question = question.scene
    sides = Sides(*(words.get(side, side) for side in question.sides))
    return question._replace(sides=sides).answer


def _blocks(question: Question) -> dict[tuple[int, int, int], str]:
    assert isinstance(question, StructureQuestion)
    return question.blocks


BASELINES = {
    "symbolic": symbolic,
    "empty": empty,
    "constant": constant,
    "random": random_answer,
    "all-words": all_words,
    "cardinal-reader": cardinal_reader,
    "facing-y": facing_y,
    "front-behind-exchanged": front_behind_exchanged,
    "both-exchanged": both_exchanged,
    "colors": colors,
    "groups": groups,
}
