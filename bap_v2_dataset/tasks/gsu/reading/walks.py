"""Questions about walks: where instructions lead, and which instructions lead along a path."""

import re
from decimal import Decimal
from itertools import pairwise
from typing import NamedTuple

from bap_v2_dataset.tasks.gsu.reading import phrases

_UP, _DOWN = phrases.way_of("positive z"), phrases.way_of("negative z")
_COMPASS = {
    "north": phrases.way_of("positive y"),
    "east": phrases.way_of("positive x"),
    "south": phrases.way_of("negative y"),
    "west": phrases.way_of("negative x"),
    "up": _UP,
    "down": _DOWN,
}
_STEP = rf"(\w+) ({phrases.NUMBER})"

Steps = tuple[tuple[str, Decimal], ...]  # directions in words, and how far
Moves = tuple[tuple[phrases.Vector, Decimal], ...]  # ways of length 1, and how far


class WalkQuestion(NamedTuple):
    """The facts of a walk in a question: its instructions, or where it led."""

    dims: int
    turns: bool  # whether one turns to go left, right or backward
    start: phrases.Axes  # where ahead and to the right are before the first step
    steps: Steps = ()
    moves: Moves = ()

    @property
    def answer(self) -> str:
        """The end of the instructions; without instructions those of the moves."""
        if self.steps:
            return f"({', '.join(phrases.number_text(value) for value in self.end[: self.dims])})"
        return ", ".join(f"{word} {phrases.number_text(length)}" for word, length in self.instructions)

    @property
    def end(self) -> phrases.Vector:
        """The end of the instructions from the origin. Raises: GsuQuestionError, for an unknown direction."""
        return self.walked[0]

    @property
    def walked(self) -> tuple[phrases.Vector, phrases.Axes]:
        """The end of the instructions from the origin, and how one stands there."""
        (x, y, z), axes = (Decimal(0),) * 3, self.start
        for word, length in self.steps:
            ways = _ways(axes)
            if word not in ways:
                raise phrases.GsuQuestionError(f"unknown direction {word!r}: expected one of {', '.join(ways)}")
            dx, dy, dz = way = ways[word]
            x, y, z = x + dx * length, y + dy * length, z + dz * length
            axes = axes.facing(way) if self.turns else axes
        return (x, y, z), axes

    @property
    def instructions(self) -> Steps:
        """The instructions that lead along the moves."""
        result, axes = [], self.start
        for way, length in self.moves:
            result.append((next(word for word, other in _ways(axes).items() if other == way), length))
            axes = axes.facing(way) if self.turns else axes
        return tuple(result)


def read_walk(question: str) -> WalkQuestion:
    """Return the walk that a question is about.

    Raises:
        GsuQuestionError: for a text that is not such a question.
    """
    # Card2Ego: the path is in directions of the compass.
    if "you face north" in question:
        path = phrases.found(r"\nPath: (.*)\.\n", question, "the path")[1]
        steps = _steps(path)
        words = _directions(question)
        start = phrases.Axes(_COMPASS["north"], _COMPASS["east"])
        for word, _ in steps:
            if word not in _COMPASS:
                raise phrases.GsuQuestionError(f"unknown direction {word!r}: expected one of {', '.join(_COMPASS)}")
        return WalkQuestion(
            len(words) // 2, True, start, moves=tuple((_COMPASS[word], length) for word, length in steps)
        )
    # Follower and instructor: instructions, or the positions of a path.
    dims = phrases.found(r"A position is \(([^)]*)\)", question, "what a position is")[1].count(",") + 1
    turns, start = _start(question)
    if "\nInstructions: " in question:
        return WalkQuestion(dims, turns, start, steps=read_instructions(question))
    path = phrases.found(rf"\nPath: ({phrases.POSITION}(?:, {phrases.POSITION})*)\.\n", question, "the path")[1]
    positions = [phrases.position_of(text) for text in re.findall(phrases.POSITION, path)]
    return WalkQuestion(dims, turns, start, moves=tuple(_move(here, there) for here, there in pairwise(positions)))


def read_instructions(question: str) -> Steps:
    """Return the steps of the line of instructions."""
    line = phrases.found(r"\nInstructions: (.*)\.\n", question, "the instructions")[1]
    steps = []
    for clause in line.split(", then "):
        step = re.fullmatch(rf"move {_STEP}", clause)
        if step is None:
            raise phrases.GsuQuestionError(f"unknown instruction {clause!r}: expected 'move DIRECTION NUMBER'")
        steps.append((step[1], Decimal(step[2])))
    return tuple(steps)


def read_own_start(question: str) -> phrases.Axes:
    """Return which way somebody faces at the start, and what is on the right then."""
    start = phrases.found(
        rf"facing ({phrases.WAY}), with ({phrases.WAY}) to your right", question, "which way you face"
    )
    return phrases.Axes(phrases.way_of(start[1]), phrases.way_of(start[2]))


def _start(question: str) -> tuple[bool, phrases.Axes]:
    """Return whether one turns, and what is ahead and to the right at the start."""
    if "Directions are your own" in question:
        return True, read_own_start(question)
    fixed = phrases.found(r"Directions are fixed: ([^.]*)\.", question, "what the directions are")[1]
    ways = {word: phrases.way_of(way) for word, way in re.findall(rf"(\w+) is ({phrases.WAY})", fixed)}
    if not {"forward", "right"} <= ways.keys() or any(
        _ways(phrases.Axes(ways["forward"], ways["right"]))[word] != way for word, way in ways.items()
    ):
        raise phrases.GsuQuestionError(f"directions {fixed!r}: expected forward, right and their opposites")
    return False, phrases.Axes(ways["forward"], ways["right"])


def _steps(text: str) -> Steps:
    steps = []
    for clause in text.split(", "):
        step = re.fullmatch(_STEP, clause)
        if step is None:
            raise phrases.GsuQuestionError(f"unknown step {clause!r}: expected 'DIRECTION NUMBER'")
        steps.append((step[1], Decimal(step[2])))
    return tuple(steps)


def _directions(question: str) -> list[str]:
    return phrases.found(r"in your own directions \(([\w, ]+)\)", question, "the directions")[1].split(", ")


def _move(here: phrases.Vector, there: phrases.Vector) -> tuple[phrases.Vector, Decimal]:
    changes = [b - a for a, b in zip(here, there)]
    length = sum(map(abs, changes), Decimal(0))
    if sum(map(bool, changes)) != 1:
        raise phrases.GsuQuestionError(f"no straight way between two positions of the path, {here} and {there}")
    x, y, z = (change / length for change in changes)
    return (x, y, z), length


def _ways(axes: phrases.Axes) -> dict[str, phrases.Vector]:
    """Return which way each direction leads."""
    ahead, right = axes
    return {
        "left": phrases.opposite(right),
        "right": right,
        "forward": ahead,
        "backward": phrases.opposite(ahead),
        "up": _UP,
        "down": _DOWN,
    }
