"""A Builder made of rules: it understands an instruction by its words alone and works out what to build.

It sees what a model sees (dialogue, history, pose, board) and knows nothing of how simulated Architects choose their
words, except that directions are the Builder's (BAP v2, 5.2.2) and that a block which is not named is the last one
(10.2). On simulated corpora it is the proof that every instruction can be understood, on human ones a baseline.

A line becomes tokens (`symbolic_grammar`, with the phrases of `symbolic_phrases`), the tokens of a dialogue become
clauses (`symbolic_clauses`) and requests (`symbolic_requests`), and each request becomes actions on the board
(`symbolic_world`, `symbolic_shapes`) that those before it leave.
"""

import copy
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace

from bap_v2_dataset.tasks.building.baselines.symbolic_clauses import requests
from bap_v2_dataset.tasks.building.baselines.symbolic_grammar import tokens
from bap_v2_dataset.tasks.building.baselines.symbolic_lines import beside_both
from bap_v2_dataset.tasks.building.baselines.symbolic_meanings import LEFT, RIGHT, UP, Reference, Shift, Token, Way
from bap_v2_dataset.tasks.building.baselines.symbolic_objects import asks
from bap_v2_dataset.tasks.building.baselines.symbolic_repairs import remainder, settled
from bap_v2_dataset.tasks.building.baselines.symbolic_requests import ParsedRequest
from bap_v2_dataset.tasks.building.baselines.symbolic_shapes import (
    on_the_ground,
    shape,
    shift_into_the_region,
    sign,
    total,
)
from bap_v2_dataset.tasks.building.baselines.symbolic_turns import ParsedTurn, turns
from bap_v2_dataset.tasks.building.baselines.symbolic_typing import read_through
from bap_v2_dataset.tasks.building.baselines.symbolic_world import World
from bap_v2_metric.actions import Action, Place, Remove
from bap_v2_metric.blocks import Cell, Color
from bap_v2_metric.notation import format_action
from bap_v2_simulators.building import placement

_QUESTION = re.compile(r"\b(?:what|which|where|how|who)\b", re.IGNORECASE)  # also without a question mark


def symbolic(row: Mapping) -> str:
    """Return the prediction of the reader as text: one action per line."""
    return "\n".join(map(format_action, read(row)))


def read(row: Mapping) -> list[Action]:
    """Return the actions that the dialogue of a row asks for, in an order in which they can be carried out.

    Args:
        row: with `dialogue`, `history` and `before`; without a `pose` the Builder looks along +z.
    Returns:
        What was understood; nothing if that is nothing.

    >>> read({"dialogue": ["<Architect> now two red ones on top of it"], "history": [], "before": ["blue 0 1 0"]})
    [Place(color=<Color.RED: 'red'>, cell=Cell(x=0, y=2, z=0)), Place(color=<Color.RED: 'red'>, cell=Cell(x=0, y=3, z=0))]
    """  # noqa: E501
    row = {**row, "dialogue": settled(read_through(row["dialogue"])), "history": read_through(row["history"])}
    left = remainder(row, read)
    if left is not None:
        return left
    world = World.of(row)
    lines = [line for line in row["dialogue"] if not line.startswith("<Architect>") or asks(line)]
    steps = turns(lines, world.names)
    if not any(isinstance(step, ParsedTurn) for step in steps):
        return _plain(lines, world)
    actions: list[Action] = []
    for step in steps:
        done = _plain(step, world) if isinstance(step, list) else step.effect(world, _cell_at)
        if done is None:  # what it speaks of is not there: a single block may be meant
            done = _plain(step.lines, world)
        actions += done
        world = _after(world, done)
    return actions


def _plain(lines: Iterable[str], world: World) -> list[Action]:
    """Return the actions of lines that place or remove blocks and shapes."""
    # Questions of the Builder are kept as None: the next line answers them.
    utterances = []
    for line in lines:
        if line.startswith("<Architect>"):
            utterances.append(tokens(line.removeprefix("<Architect>")))
        elif "?" in line or _QUESTION.search(line):
            utterances.append(None)
    # Shapes on an empty board begin where all of them fit.
    asked_for = requests(utterances)
    if not asked_for:
        return []
    if not world.board and len(asked_for) > 1:
        world = replace(world, origin=_origin(asked_for, world))
    # Each request is carried out on the board that the one before leaves.
    actions: list[Action] = []
    for number, request in enumerate(asked_for):
        done = _removal(request, world) if request.removes else _construction(request, world)
        actions += done
        if number + 1 < len(asked_for):
            world = _after(world, done)
    return actions


def _cell_at(place: str, world: World) -> Cell | None:
    """Return the cell of a single block at this place."""
    asked_for = requests([tokens(f"put a red block {place}")])
    cells = _cells(asked_for[0], world) if asked_for else []
    return cells[0] if cells else None


def _origin(asked_for: list[ParsedRequest], world: World) -> Cell:
    """Return where to begin on an empty board so that all that is asked for fits."""
    wanted: list[Cell] = []
    begun = world
    for request in map(copy.deepcopy, asked_for):
        if not request.removes and (cells := _cells(request, begun)):
            wanted += cells
            color = request.color or Color.RED
            begun = replace(
                begun, board={**begun.board, **dict.fromkeys(cells, color)}, last=cells[-1], run=tuple(cells)
            )
    return shift_into_the_region(wanted) if wanted else world.origin


def _after(world: World, actions: list[Action]) -> World:
    """Return the world when a request was carried out."""
    # Carry out the actions; a support leaves no removed place.
    if not actions:
        return world
    board = dict(world.board)
    removed, placed = world.removed, []
    for action in actions:
        if isinstance(action, Place):
            board[action.cell] = action.color
            placed.append(action.cell)
        else:
            del board[action.cell]
            if action.cell in placed:
                placed.remove(action.cell)
            else:
                removed = action.cell
    # The last block and the last run, as far as they still stand.
    last = placed[-1] if placed else world.last if world.last in board else next(reversed(board), None)
    run = tuple(placed) or tuple(cell for cell in world.run if cell in board)
    return replace(world, board=board, last=last, run=run, removed=removed)


# --- taking away


def _removal(request: ParsedRequest, world: World) -> list[Action]:
    """Takes away what is behind that one, if "the red block behind that one" is asked for; else the block named."""
    # The clause that says which block: the last one with steps, or with a reference.
    telling = [clause for clause in request.clauses if _values(clause, "step")]
    telling = telling or [clause for clause in request.clauses if _values(clause, "reference")]
    clause = telling[-1] if telling else request.clauses[0]  # the answer, if there was a question
    kinds = [token.kind for token in clause]
    # The block that is named, by a reference before the steps or by its color.
    references, steps = _values(clause, "reference"), _values(clause, "step")
    colors = _values(clause, "color")
    named = Reference("described", colors[0]) if colors else None
    if references and (not steps or kinds.index("reference") < kinds.index("step")):
        named = references.pop(0)
    if named is not None and named.every and not steps:
        return [Remove(cell) for cell in world.blocks(named) if cell in world.board]
    # With steps the block lies there, if there is one.
    cell = world.block(named)
    if steps:
        anchor = world.block(references[0] if references else None)
        beside = None if anchor is None else world.cell(anchor, total(steps))
        cell = beside if beside in world.board else cell
    return [Remove(cell)] if cell in world.board else []


# --- building


def _construction(request: ParsedRequest, world: World) -> list[Action]:
    color = request.color or world.board.get(world.last)
    if color is None:
        return []
    actions: list[Action] = []
    board = dict(world.board)
    for cell in _cells(request, world):
        if cell.in_region and cell not in board:
            actions += placement(color, cell, board)
            board[cell] = color
    return actions


def _cells(request: ParsedRequest, world: World) -> list[Cell]:
    """Return where blocks are to be placed, in that order; perhaps outside the region."""
    starts = _special_starts(request, world)
    anchors = [] if starts else _anchors(request, world)
    if anchors and not request.place:  # "two more to the left": of the block placed last
        request.place = [Shift(step.way) for step in request.course] or [Shift(UP)]
        if request.form is None:
            request.course = []
    if request.gap and request.place:
        first, *others = request.place
        request.place = [Shift(first.way, (first.count or 1) + request.gap), *others]
    cells = shape(request, world)
    starts = starts or [world.cell(anchor, total(request.place)) for anchor in anchors]
    if not starts:
        return on_the_ground(cells, world.origin)
    return [Cell(at.x + x, at.y + y, at.z + z) for at in starts for x, y, z in cells]


def _anchors(request: ParsedRequest, world: World) -> list[Cell]:
    """Return the blocks from which the place is counted: mostly one, none on an empty board."""
    reference = request.references[0] if request.references else None
    if reference is not None and reference.every and (cells := world.blocks(reference)):
        request.number = None  # "two blocks, one on top of each"
        return cells
    anchor = world.block(reference, sign(total(request.place or request.course)))
    return [] if anchor is None else [anchor]


def _special_starts(request: ParsedRequest, world: World) -> list[Cell]:
    """Return the first cells where no step leads to them: between two blocks, on the other side, on both sides."""
    # Between two blocks: the corner or the middle.
    reference = request.references[0] if request.references else None
    if "between" in request.marks and reference is not None:
        ends = [world.block(each) for each in request.references]
        if len(ends) == 1:
            ends = world.blocks(reference)[:2]
        if len(ends) == 2 and None not in ends:
            corners = [cell for cell in beside_both(*ends) if cell not in world.board]
            middle = Cell(*((a + b) // 2 for a, b in zip(*ends, strict=True)))
            return corners[:1] if corners and middle not in corners else [middle]
    # On both sides: one block each.
    if "sides" in request.marks:
        ways = [step.way for step in (request.place or [Shift(LEFT), Shift(RIGHT)])]
        ways += [Way(*(-part for part in way)) for way in ways[:1]] if len(ways) == 1 else []
        request.number = None
        anchors = [(world.block(reference, way), way) for way in ways]
        return [world.cell(anchor, way) for anchor, way in anchors if anchor is not None]
    # On the opposite side, or at the other end.
    at_an_end = reference is not None and reference.rule == "other" and reference.part == "end"
    at_an_end = at_an_end and not request.place and not request.course
    if "opposite" in request.marks or at_an_end:
        way = sign(total(request.place or request.course))
        if not way.left and not way.away and (beyond := _opposite(reference, world)):
            cell, way = beyond
            request.course = request.course or [Shift(way)]
            return [cell]
    return []


def _opposite(reference: Reference | None, world: World) -> tuple[Cell, Way] | None:
    """Return the cell on the far side of a block or a row, from the block that was placed last, and the way there."""
    last = world.last
    through = None if reference is None else world.block(reference)
    ways = [Way(*way) for way in ((1, 0, 0), (-1, 0, 0), (0, 0, 1), (0, 0, -1), (0, 1, 0), (0, -1, 0))]
    if len(world.run) > 1:
        ways = [sign(world.way(world.run[-1], world.run[0])), *ways]
    if through is not None and through != last:
        ways = [sign(world.way(last, through))]
    for way in ways:
        cell = world.cell(last, way)
        if cell not in world.board:
            continue
        while cell in world.board:
            cell = world.cell(cell, way)
        return cell, way
    return None


def _values(clause: Iterable[Token], kind: str) -> list:
    return [token.value for token in clause if token.kind == kind]
