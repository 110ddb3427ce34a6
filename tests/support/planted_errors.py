"""Builders that understand every word and still err once or now and then: what the Architect has to put right."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from random import Random

from bap_v2_dataset.tasks.building.baselines.symbolic_moves import read_with_corrections
from bap_v2_metric.actions import Action, Remove, execute
from bap_v2_metric.blocks import Cell, Color, Structure
from bap_v2_metric.notation import format_action, parse_structure
from bap_v2_simulators.building import placement
from bap_v2_simulators.corpora import simulator_of
from bap_v2_simulators.full_games.build_game import BuildGame

Board = dict[Cell, Color]
_NOISE, _NOISY_TURNS = 0.3, 20  # so often an error, in the first turns
_ALL, _ALL_BUT_ONE = 1_000, -1


def played(simulator: str, seed: int, kind: str, rng: Random, new: Callable = BuildGame) -> BuildGame:
    """A game in which the symbolic Builder errs in one turn, or at first in some; kind: one of `KINDS`."""
    turns = right_turns(simulator, seed)
    if kind == "noise":
        errors = {turn: [rng.choice(tuple(ERRORS))] for turn in range(_NOISY_TURNS) if rng.random() < _NOISE}
    else:
        errors = {rng.randrange(turns): rng.sample(tuple(ERRORS), 2) if kind == "two of them" else [kind]}
    return _play(new(simulator_of(simulator), seed), errors, rng)


@cache
def right_turns(simulator: str, seed: int) -> int:
    """The turns of a Builder that is always right."""
    return _play(BuildGame(simulator_of(simulator), seed), {}, Random()).result().turns


def _play(game: BuildGame, errors: Mapping[int, Sequence[str]], rng: Random) -> BuildGame:
    """The game with these errors by the number of the turn, from 0; several come one after the other."""
    turn = 0
    while not game.is_over:
        actions = _spoiled(game.row, read_with_corrections(game.row), errors.get(turn, ()), rng)
        game.play("\n".join(map(format_action, actions)))
        turn += 1
    return game


def _spoiled(row: Mapping, actions: Sequence[Action], errors: Sequence[str], rng: Random) -> Sequence[Action]:
    if not errors:
        return actions
    before = parse_structure(row["before"])
    end = execute(before, actions).after.colors()
    placed = [cell for cell in end if before.colors().get(cell) is not end[cell]]
    for name in errors:
        if name == "nothing done":
            end, placed = before.colors(), []
        else:
            alter, candidates, number = ERRORS[name]
            alter(end, candidates(end, [cell for cell in placed if cell in end]), number, rng)
    return _way(before, end)


def _way(before: Structure, end: Board) -> list[Action]:
    """Actions from one board to another."""
    board = before.colors()
    actions: list[Action] = [Remove(cell) for cell in board if end.get(cell) is not board[cell]]
    for action in actions:
        del board[action.cell]
    for cell, color in end.items():
        if cell not in board:
            actions += placement(color, cell, board, end)
            board[cell] = color
    return actions


def _some(cells: Sequence[Cell], number: int, rng: Random) -> list[Cell]:
    if number == _ALL_BUT_ONE:
        number = max(len(cells) - 1, 1)
    return rng.sample(sorted(cells), min(number, len(cells)))


def _remove(board: Board, cells: Sequence[Cell], number: int, rng: Random) -> None:
    for cell in _some(cells, number, rng):
        del board[cell]


def _recolor(board: Board, cells: Sequence[Cell], number: int, rng: Random) -> None:
    colors = tuple(Color)
    shift = rng.randrange(1, len(colors))
    for cell in _some(cells, number, rng):
        board[cell] = colors[(colors.index(board.pop(cell)) + shift) % len(colors)]


def _shift(board: Board, cells: Sequence[Cell], number: int, rng: Random) -> None:
    moved = {cell: board.pop(cell) for cell in _some(cells, number, rng)}
    dx, dz = rng.choice(((1, 0), (-1, 0), (0, 1), (0, -1)))
    for cell, color in moved.items():
        end = Cell(cell[0] + dx, cell[1], cell[2] + dz)
        board[end if end.in_region and end not in board else cell] = color


def _add(board: Board, cells: Sequence[Cell], number: int, rng: Random) -> None:
    for _ in range(number):
        cell = Cell(rng.randint(-5, 5), rng.randint(1, 4), rng.randint(-5, 5))
        board.setdefault(cell, rng.choice(tuple(Color)))


def _all(board: Board, placed: Sequence[Cell]) -> list[Cell]:
    return list(board)


def _new(board: Board, placed: Sequence[Cell]) -> Sequence[Cell]:
    return placed


def _old(board: Board, placed: Sequence[Cell]) -> list[Cell]:
    return [cell for cell in board if cell not in placed]


# What changes the board that is right after the turn, which of its blocks, and how many.
ERRORS: Mapping[str, tuple[Callable, Callable, int]] = {
    "nothing done": (_remove, _new, 0),  # all of the turn: see `_spoiled`
    "one block removed": (_remove, _all, 1),
    "two blocks removed": (_remove, _all, 2),
    "all removed": (_remove, _all, _ALL),
    "one block left out": (_remove, _new, 1),
    "one block built": (_remove, _new, _ALL_BUT_ONE),
    "one block in a wrong color": (_recolor, _new, 1),
    "all in a wrong color": (_recolor, _new, _ALL),
    "one block shifted": (_shift, _new, 1),
    "all shifted": (_shift, _new, _ALL),
    "one block more": (_add, _new, 1),
    "three blocks more": (_add, _new, 3),
    "an old block shifted": (_shift, _old, 1),
    "an old block in a wrong color": (_recolor, _old, 1),
}
KINDS = (*ERRORS, "two of them", "noise")
