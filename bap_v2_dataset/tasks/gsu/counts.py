"""What is counted for one answer of GSU: whether it is right, how far away it ends, how much of it is right.

Counts of items are added up first and divided last; `n` is the number of answers that they are of.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import hypot, sqrt
from typing import Any

from bap_v2_dataset.tasks.gsu.answers.chains import read_chain
from bap_v2_dataset.tasks.gsu.answers.descriptions import Terms, read_description
from bap_v2_dataset.tasks.gsu.answers.overlaps import multiset_overlap, set_overlap, shape_overlap
from bap_v2_dataset.tasks.gsu.answers.points import read_point
from bap_v2_dataset.tasks.gsu.answers.relations import read_relations
from bap_v2_metric.chat_marks import answer_of
from bap_v2_metric.errors import InputError, shortened
from bap_v2_metric.scoring import check_lists
from bap_v2_simulators.gsu.walks import CARDINAL, EGOCENTRIC, Position, WalkStep, end_of

FOLLOWER, INSTRUCTOR, CARD2EGO = "follower", "instructor", "card2ego"
LOCALIZATION, STRUCTURE, COMBINED = "localization", "structure", "combined"
# Of each task what is counted: `distance` in cells, the others in 0..1.
MEASURES = {
    FOLLOWER: ("accuracy", "distance"),
    INSTRUCTOR: ("accuracy", "distance", "reached"),
    CARD2EGO: ("accuracy", "distance", "reached"),
    LOCALIZATION: ("overlap", "exact"),
    COMBINED: ("overlap", "exact"),
    STRUCTURE: ("spatial", "color", "number", "shape", "exact"),
}
FRAMES = {
    FOLLOWER: (CARDINAL, EGOCENTRIC),
    INSTRUCTOR: (CARDINAL, EGOCENTRIC),
    CARD2EGO: (EGOCENTRIC,),
    LOCALIZATION: (EGOCENTRIC, "allocentric"),
    COMBINED: ("allocentric",),
    STRUCTURE: ("viewer",),
}
REFERENCE = {"task": "string", "frame": "string", "dims": "int64", "group": "string", "answer": "string"}
COMPOSITE = "composite"  # the group of structures of several shapes
PENALTY = 20  # cells on each axis, for an answer without a position: 28.28 and 34.64 in the paper


def check_items(predictions: Sequence[str], references: Sequence[Mapping]) -> None:
    """Raises: InputError for predictions and references that cannot be scored, naming the item and the field."""
    check_lists(predictions, references)
    for index, (prediction, reference) in enumerate(zip(predictions, references)):
        _checked(prediction, reference, index)


def score_items(predictions: Sequence[str], references: Sequence[Mapping]) -> list[dict]:
    """Return the counts of every item, in order.

    Args:
        predictions: what the model wrote, any text.
        references: the columns `task`, `frame`, `dims`, `group` and `answer` of dataset rows.
    Returns:
        For each item `task`, `frame`, `group`, `n` (1), the MEASURES of its task, `score` (accuracy, overlap, or the
        mean of spatial, color, number and shape) and `unparsed` (1 if nothing was read). For walks as answers also
        `unread`, the number of clauses that are no step. For structures `composite` (1 if they have relations) and
        `composite_spatial` (`spatial` of those, else 0).
    Raises:
        InputError: as for `check_items`.

    >>> reference = {"task": "follower", "frame": "egocentric", "dims": 2, "group": "2", "answer": "(3, 0)"}
    >>> (item,) = score_items(["Answer: (3, 4)"], [reference])
    >>> item["accuracy"], item["distance"]
    (0, 4.0)
    """
    check_lists(predictions, references)
    items = []
    for index, (prediction, reference) in enumerate(zip(predictions, references)):
        task, frame, dims, group, right = _checked(prediction, reference, index)
        counts = _counts(answer_of(prediction), task, frame, dims, group, right)
        items.append({"task": task, "frame": frame, "group": group, "n": 1, **counts})
    return items


def _counts(prediction: str, task: str, frame: str, dims: int, group: str, right: Any) -> dict:
    if task == FOLLOWER:
        return _of_point(prediction, dims, right)
    if task in (INSTRUCTOR, CARD2EGO):
        return _of_chain(prediction, frame, right)
    if task == STRUCTURE:
        return _of_structure(prediction, group, right)
    return _of_relations(prediction, right)


def _of_point(prediction: str, dims: int, right: Position) -> dict:
    point = read_point(prediction, dims)
    accuracy = int(point == right)
    distance = PENALTY * sqrt(dims) if point is None else _distance(point, right)
    return {"accuracy": accuracy, "distance": distance, "score": accuracy, "unparsed": int(point is None)}


def _of_chain(prediction: str, frame: str, right: Sequence[WalkStep]) -> dict:
    """Count a chain: one without steps stays at the origin; steps up and down leave a grid of two dimensions."""
    chain = read_chain(prediction)
    distance = _distance(end_of(chain.steps, frame, 3), end_of(right, frame, 3))
    accuracy = int(chain.steps == right)
    return {
        "accuracy": accuracy,
        "distance": distance,
        "reached": int(distance == 0),
        "score": accuracy,
        "unparsed": int(not chain.steps),
        "unread": chain.unread,
    }


def _of_relations(prediction: str, right: frozenset[str]) -> dict:
    relations = read_relations(prediction)
    overlap = set_overlap(relations, right)
    return {
        "overlap": overlap, "exact": int(relations == right), "score": overlap, "unparsed": int(not relations),
    }  # fmt: skip


def _of_structure(prediction: str, group: str, right: Terms) -> dict:
    # One overlap for each kind of term.
    terms = read_description(prediction)
    spatial = set_overlap(terms.relations, right.relations)
    color = multiset_overlap(terms.colors, right.colors)
    number = set_overlap(terms.numbers, right.numbers)
    shape = shape_overlap(terms.shapes, right.shapes)
    # The relations of composite structures have a score of their own.
    composite = int(group == COMPOSITE or bool(right.relations))
    return {
        "spatial": spatial,
        "color": color,
        "number": number,
        "shape": shape,
        "exact": int(spatial == color == number == shape == 1),
        "composite": composite,
        "composite_spatial": spatial if composite else 0.0,
        "score": (spatial + color + number + shape) / 4,
        "unparsed": int(terms.is_empty),
    }


def _distance(a: Position, b: Position) -> float:
    return 0.0 if a == b else hypot(*(float(here - there) for here, there in zip(a, b)))


@lru_cache(maxsize=65_536)
def _right(task: str, dims: int, answer: str) -> Any:
    """Return the position, steps, terms or relations that a right answer says; None if it is not one of its task."""
    if task == FOLLOWER:
        return read_point(answer, dims)
    if task in (INSTRUCTOR, CARD2EGO):
        steps, unread = read_chain(answer)
        flat = dims == 2 and any(step.direction in ("up", "down") for step in steps)
        return None if unread or flat else steps or None
    if task == STRUCTURE:
        terms = read_description(answer)
        return terms if terms.colors and terms.shapes else None
    return read_relations(answer) or None


_EXAMPLES = {
    FOLLOWER: "a position of as many numbers as there are dimensions, e.g. '(3, 0)' or '(3, 0, 1)'",
    INSTRUCTOR: "steps in the dimensions of the item, e.g. 'right 2, forward 1'",
    CARD2EGO: "steps in the dimensions of the item, e.g. 'right 2, forward 1'",
    LOCALIZATION: "directions, e.g. 'left, front'",
    COMBINED: "directions, e.g. 'left, front'",
    STRUCTURE: "a description with a color and a shape, e.g. 'a 3 x 3 x 3 green cube'",
}


def _checked(prediction: object, reference: object, index: int) -> tuple[str, str, int, str, Any]:
    """Return the fields of a reference, and what its answer says. Raises: InputError."""
    # Both sides are there, with all fields.
    if not isinstance(prediction, str):
        raise InputError(f"item {index}: the prediction is {shortened(prediction)} (expected a string)")
    if not isinstance(reference, Mapping):
        raise InputError(f"item {index}: the reference is {shortened(reference)} (expected a row of a GSU config)")
    for name in REFERENCE:
        if reference.get(name) is None and name != "group":
            raise InputError(f"item {index}: the reference has no field '{name}' (it has {shortened(list(reference))})")
    # Each field has a value that its task knows.
    task, frame, dims, answer = reference["task"], reference["frame"], reference["dims"], reference["answer"]
    group = reference.get("group")
    where = f"item {index}, field"
    if not isinstance(task, str) or task not in MEASURES:
        raise InputError(f"{where} 'task': {shortened(task)} (expected one of {', '.join(MEASURES)})")
    if frame not in FRAMES[task]:
        raise InputError(f"{where} 'frame': {shortened(frame)} (expected {' or '.join(FRAMES[task])} for {task})")
    if not isinstance(dims, int) or dims not in (2, 3):
        raise InputError(f"{where} 'dims': {shortened(dims)} (expected 2 or 3)")
    if not isinstance(group, str) and group is not None:
        raise InputError(
            f"{where} 'group': {shortened(group)} (expected a string, e.g. a number of steps or a heading)"
        )
    # The answer can be read, for a score needs it.
    right = _right(task, dims, answer) if isinstance(answer, str) else None
    if right is None:
        raise InputError(f"{where} 'answer': {shortened(answer)} (expected {_EXAMPLES[task]})")
    return task, frame, dims, group or "", right
