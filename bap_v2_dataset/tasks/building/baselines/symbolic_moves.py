"""Reads the corrections of full games: "move the red block two further to your left", "undo all of that"."""

import re
from collections.abc import Mapping

from bap_v2_dataset.tasks.building.baselines.symbolic_grammar import tokens
from bap_v2_dataset.tasks.building.baselines.symbolic_meanings import ENDS, Reference, Way
from bap_v2_dataset.tasks.building.baselines.symbolic_reader import read
from bap_v2_dataset.tasks.building.baselines.symbolic_world import World
from bap_v2_metric.actions import Action, Remove
from bap_v2_metric.blocks import Cell
from bap_v2_metric.notation import format_action
from bap_v2_simulators.building import placement
from bap_v2_simulators.number_words import NUMBER_WORDS

_NUMBER = "|".join(NUMBER_WORDS)
_MORE = (
    r"further to your (?:left|right)|more to the (?:left|right)|further (?:up|down|away from you|back)|more towards you"
)
_STEP = rf"(?:{_NUMBER}) (?:higher|lower|closer to you|{_MORE})"
_MOVE = re.compile(
    rf"(?:^|, )(?:move (?P<a>.+?)|(?P<b>[^,]+?) should (?:be|go)) (?P<steps>{_STEP}(?: and {_STEP})*)[.!]?$",
    re.IGNORECASE,
)
_UNDO = re.compile(r"\b(?:take away all that you just placed|undo all of that)\b", re.IGNORECASE)
_ENDS = {
    "left": "left", "right": "right", "higher": "top", "up": "top", "lower": "bottom", "down": "bottom",
    "closer": "front", "towards": "front", "away": "back", "back": "back",
}  # fmt: skip


def symbolic_with_corrections(row: Mapping) -> str:
    """Return the prediction of the symbolic reader, which here also understands corrections."""
    return "\n".join(map(format_action, read_with_corrections(row)))


def read_with_corrections(row: Mapping) -> list[Action]:
    """Return the actions that the dialogue of a row asks for: see `symbolic_reader.read`.

    >>> row = {"dialogue": ["<Architect> no, move it one more to the left"], "history": [], "before": ["red 0 1 0"]}
    >>> [format_action(action) for action in read_with_corrections(row)]
    ['pick 0 1 0', 'place red 1 1 0']
    """
    said = row["dialogue"][-1].removeprefix("<Architect> ") if row["dialogue"] else ""
    if _UNDO.search(said):
        return [Remove(cell) for cell in reversed(_just_placed(World.of(row)))]
    match = _MOVE.search(said)
    if match is None:
        return read(row)
    world = World.of(row)
    name = match["a"] or match["b"]
    cells = _just_placed(world) if name.lower().startswith("all ") else [_block(name, world)]
    cells = [cell for cell in cells if cell in world.board]
    return _moved(cells, _way(match["steps"]), world)


def _just_placed(world: World) -> list[Cell]:
    return [cell for cell in world.run if cell in world.board]


def _block(name: str, world: World) -> Cell | None:
    said = tokens(name)
    references = [token.value for token in said if token.kind == "reference"]
    colors = [token.value for token in said if token.kind == "color"]
    return world.block(references[0] if references else Reference("described", colors[0]) if colors else None)


def _way(text: str) -> Way:
    left = up = away = 0
    for step in text.lower().split(" and "):
        number = NUMBER_WORDS.index(step.split()[0])
        way = next(ENDS[end] for word, end in _ENDS.items() if word in step.split()[1:])
        left, up, away = left + number * way.left, up + number * way.up, away + number * way.away
    return Way(left, up, away)


def _moved(cells: list[Cell], way: Way, world: World) -> list[Action]:
    """Takes the blocks away and places them elsewhere."""
    board = dict(world.board)
    actions: list[Action] = [Remove(cell) for cell in reversed(cells)]
    for cell in cells:
        del board[cell]
    ends = [world.cell(cell, way) for cell in cells]
    for cell, end in zip(cells, ends, strict=True):
        if end.in_region and end not in board:
            actions += placement(world.board[cell], end, board, ends)
            board[end] = world.board[cell]
    return actions
