"""Builders that understand every word and still err once or now and then: what the Architect has to put right."""

from collections.abc import Callable, Mapping, Sequence
from random import Random

from bap_v2_dataset.games.builders import Builder
from bap_v2_dataset.tasks.building.baselines.symbolic_moves import read_with_corrections
from bap_v2_metric.actions import Action, Remove, execute
from bap_v2_metric.blocks import Cell, Color, Structure
from bap_v2_metric.notation import format_action, parse_structure
from bap_v2_simulators.building import placement
from bap_v2_simulators.corpora import simulator_of
from bap_v2_simulators.full_games.build_game import BuildGame

Board = dict[Cell, Color]
# From the board that is right after the turn, and the blocks that the turn placed.
Error = Callable[[Board, Sequence[Cell], Random], None]
_NOISE, _NOISY_TURNS = 0.3, 20  # so often an error, in the first turns


def with_errors(errors: Mapping[int, Sequence[str]], rng: Random) -> Builder:
    """The symbolic Builder, but some of its turns end on another board.

    Args:
        errors: names of `ERRORS` by the number of the turn, from 0; several come one after the other.
    """
    turn = -1

    def answer(row: Mapping) -> str:
        nonlocal turn
        turn += 1
        actions = read_with_corrections(row)
        return "\n".join(map(format_action, _spoiled(row, actions, errors.get(turn, ()), rng)))

    return answer


def played(simulator: str, seed: int, kind: str, rng: Random) -> BuildGame:
    """A game in which the Builder errs in one turn, or at first in some.

    Args:
        simulator: dr, dsb or dss.
        kind: one of `KINDS`.
    """
    turns = 0
    game, builder = BuildGame(simulator_of(simulator), seed), with_errors({}, rng)
    while not game.is_over:
        game.play(builder(game.row))
        turns += 1
    if kind == "noise":
        errors = {turn: [rng.choice(tuple(ERRORS))] for turn in range(_NOISY_TURNS) if rng.random() < _NOISE}
    else:
        errors = {rng.randrange(turns): rng.sample(tuple(ERRORS), 2) if kind == "two of them" else [kind]}
    game, builder = BuildGame(simulator_of(simulator), seed), with_errors(errors, rng)
    while not game.is_over:
        game.play(builder(game.row))
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
            ERRORS[name](end, [cell for cell in placed if cell in end], rng)
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
    cells = sorted(cells)
    return rng.sample(cells, min(number, len(cells)))


def _remove(number: int | None) -> Error:
    def error(board: Board, placed: Sequence[Cell], rng: Random) -> None:
        for cell in _some(board, len(board) if number is None else number, rng):
            del board[cell]

    return error


def _recolor(of_placed: bool, number: int | None = 1) -> Error:
    def error(board: Board, placed: Sequence[Cell], rng: Random) -> None:
        cells = placed if of_placed else [cell for cell in board if cell not in placed]
        shift = rng.randrange(1, len(Color))
        for cell in _some(cells, len(cells) if number is None else number, rng):
            board[cell] = tuple(Color)[(tuple(Color).index(board.pop(cell)) + shift) % len(Color)]

    return error


def _shift(of_placed: bool, number: int | None = 1) -> Error:
    def error(board: Board, placed: Sequence[Cell], rng: Random) -> None:
        cells = placed if of_placed else [cell for cell in board if cell not in placed]
        cells = _some(cells, len(cells) if number is None else number, rng)
        moved = {cell: board.pop(cell) for cell in cells}
        dx, dz = rng.choice(((1, 0), (-1, 0), (0, 1), (0, -1)))
        for cell, color in moved.items():
            end = Cell(cell[0] + dx, cell[1], cell[2] + dz)
            board[end if end.in_region and end not in board else cell] = color

    return error


def _add(number: int) -> Error:
    def error(board: Board, placed: Sequence[Cell], rng: Random) -> None:
        for _ in range(number):
            cell = Cell(rng.randint(-5, 5), rng.randint(1, 4), rng.randint(-5, 5))
            board.setdefault(cell, rng.choice(tuple(Color)))

    return error


def _leave_out(number: int | None) -> Error:
    def error(board: Board, placed: Sequence[Cell], rng: Random) -> None:
        for cell in _some(placed, max(len(placed) - 1, 1) if number is None else number, rng):
            del board[cell]

    return error


ERRORS: Mapping[str, Error] = {
    "nothing done": lambda board, placed, rng: None,
    "one block removed": _remove(1),
    "two blocks removed": _remove(2),
    "all removed": _remove(None),
    "one block left out": _leave_out(1),
    "one block built": _leave_out(None),
    "one block in a wrong color": _recolor(True),
    "all in a wrong color": _recolor(True, None),
    "one block shifted": _shift(True),
    "all shifted": _shift(True, None),
    "one block more": _add(1),
    "three blocks more": _add(3),
    "an old block shifted": _shift(False),
    "an old block in a wrong color": _recolor(False),
}
KINDS = (*ERRORS, "two of them", "noise")
