"""What the Architect says when something else was built than what it asked for."""

from collections.abc import Mapping, Sequence

from bap_v2_metric.blocks import Cell, Color
from bap_v2_simulators.language.block_instructions import block_instruction
from bap_v2_simulators.language.references import Scene, referring_expression
from bap_v2_simulators.language.words import Words
from bap_v2_simulators.number_words import NUMBER_WORDS
from bap_v2_simulators.simulator import DialogueSettings, Turn
from bap_v2_simulators.view import Offset, manhattan
from bap_v2_simulators.wording import corrections

Board = Mapping[Cell, Color]
_PLAIN = DialogueSettings(clarification=0.0, confirmation=0.0, verification=0.0, ellipsis=0.0, landmarks=0.0)


def correction(wanted: Board, scene: Scene, placed: Sequence[Cell], words: Words) -> str | None:
    """A line that brings the board nearer to what is wanted; None if blocks are only missing: say it once more.

    Args:
        wanted: what the board should be.
        scene: what it is, with the Builder's pose and the last block.
        placed: the blocks of the turn before that are still there.
    """
    board = scene.board
    extra = [cell for cell, color in board.items() if wanted.get(cell) is not color]
    missing = [cell for cell, color in wanted.items() if board.get(cell) is not color]
    if not extra:
        return None
    if len(extra) == len(missing) == 1 and board[extra[0]] is wanted[missing[0]]:
        name = _name(extra[0], scene, words)
        if name is not None:
            return _moved(name, extra[0], missing[0], scene, words)
    asked_for = [cell for cell in wanted if cell in placed or cell not in board]
    if len(placed) > 1 and set(extra) <= set(placed) and _is_moved(placed, asked_for, wanted, board):
        return _moved(words.pick(corrections.ALL_OF_IT), min(placed), min(asked_for), scene, words)
    if len(set(placed) & set(extra)) > 1:
        return _said(words.pick(corrections.ALL_TAKEN_AWAY), words)
    for cell in extra:
        name = _name(cell, scene, words)
        if name is not None:
            return _said(words.pick(corrections.TAKEN_AWAY).format(r=name), words)
    return _said(words.pick(corrections.ALL_TAKEN_AWAY), words) if placed else None


def addition(wanted: Board, scene: Scene, words: Words) -> list[str] | None:
    """Lines that ask for one missing block, beside one that can be named; None if there is no such block."""
    for cell, color in wanted.items():
        if cell in scene.board:
            continue
        beside = [other for other in scene.board if max(abs(a - b) for a, b in zip(cell, other, strict=True)) == 1]
        for other in sorted(beside, key=lambda one: manhattan(one, cell)):
            if manhattan(other, cell) < 3 and referring_expression(other, scene) is not None:
                turn = Turn(color, (cell,), False, (), (other,))
                lines = block_instruction(turn, other, scene, words, _PLAIN).dialogue(words, scene)
                return [f"<Architect> {text}" for speaker, _, text in lines if speaker == "Architect"]
    return None


def _said(text: str, words: Words) -> str:
    return words.pick(corrections.NOT_RIGHT).format(x=text)


def _is_moved(placed: Sequence[Cell], asked_for: Sequence[Cell], wanted: Board, board: Board) -> bool:
    """Whether the blocks that were asked for are the placed ones, all moved by the same way."""
    if len(placed) != len(asked_for):
        return False
    pairs = list(zip(sorted(placed), sorted(asked_for), strict=True))
    ways = {(b[0] - a[0], b[1] - a[1], b[2] - a[2]) for a, b in pairs}
    return len(ways) == 1 and all(board[a] is wanted[b] for a, b in pairs)


def _name(cell: Cell, scene: Scene, words: Words) -> str | None:
    """How to refer to a block so that no other can be meant; None if there is no way."""
    expression = referring_expression(cell, scene)
    return None if expression is None else expression.phrase(words, scene)


def _moved(name: str, start: Cell, end: Cell, scene: Scene, words: Words) -> str:
    left, up, away = scene.view.offset(start, end)
    parts = [
        words.pick(corrections.FURTHER[step.relation]).format(n=NUMBER_WORDS[abs(number)])
        for step, number in (
            (Offset(left, 0, 0).step, left),
            (Offset(0, 0, away).step, away),
            (Offset(0, up, 0).step, up),
        )
        if number
    ]
    return _said(words.pick(corrections.MOVED).format(r=name, at=" and ".join(parts)), words)
