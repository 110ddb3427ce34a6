"""What the Architect says when something else was built than what it asked for."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from bap_v2_metric.blocks import Y_MIN, Cell, Color
from bap_v2_simulators.game import Utterance
from bap_v2_simulators.language.block_instructions import block_instruction
from bap_v2_simulators.language.last_row import OtherEnd, OtherSide
from bap_v2_simulators.language.places import steps_away
from bap_v2_simulators.language.references import LanguageError, Scene, referring_expression
from bap_v2_simulators.language.sentences import article
from bap_v2_simulators.language.words import Words
from bap_v2_simulators.number_words import NUMBER_WORDS
from bap_v2_simulators.shapes import difference
from bap_v2_simulators.simulator import DialogueSettings, Turn
from bap_v2_simulators.targets import BLOCKS_PER_COLOR
from bap_v2_simulators.view import Offset, manhattan
from bap_v2_simulators.wording.phrases import table

Board = Mapping[Cell, Color]
_UNCLEAR = re.compile(
    rf"\bthe (?:left|right) (?:{'|'.join(color.value for color in Color)})\b|\bspaces? (?:behind|in front)\b"
    rf"|^<Architect> (?:{'|'.join((*table('PRAISE'), *table('GREETINGS')))})\b",
    re.IGNORECASE,
)
DRAWS = 20
MOST = 3  # blocks that are to be taken away in one turn
_PLAIN = DialogueSettings(clarification=0.0, confirmation=0.0, verification=0.0, ellipsis=0.0, landmarks=0.0)


def clearly(say: Callable[[], list[str]]) -> list[str]:
    """Return the lines of `say`, drawn again while one could take them for praise or misread "the right red block"."""
    lines = say()
    for _ in range(DRAWS):
        if not any(map(_UNCLEAR.search, lines)):
            break
        lines = say()
    return lines


def correction(goal: Board, scene: Scene, placed: Sequence[Cell], words: Words, most: int = MOST) -> list[str]:
    """Return texts that bring the board nearer to the goal; none if blocks are only missing.

    Nothing that is right is taken away.

    Args:
        goal: what the board should be.
        scene: what it is, with the Builder's pose and the last block.
        placed: the blocks of the turn before that are still there.
        most: blocks that are to be taken away, each in a text of its own.
    """
    board = scene.board
    extra = [cell for cell, color in board.items() if goal.get(cell) is not color]
    missing = [cell for cell, color in goal.items() if board.get(cell) is not color]
    if not extra:
        return []

    # All that was just placed stands beside its place, or one block does: move it.
    asked_for = [cell for cell in goal if cell in placed or cell not in board]
    if len(placed) > 1 < len(extra) and set(extra) <= set(placed) and _is_moved(placed, asked_for, goal, board):
        return [_moved(words.pick("ALL_OF_IT"), min(placed), min(asked_for), scene, words)]
    if len(missing) <= len(extra) <= 2 or len(board) == 1:
        for cell in extra:
            ends = [end for end in missing if goal[end] is board[cell] and end not in board]
            name = _name(cell, scene, words) if ends else None
            if name is not None:
                end = min(ends, key=lambda end: manhattan(cell, end))
                return [_moved(name, cell, end, scene, words)]

    # Otherwise take away all that was just placed, or some blocks.
    if len(placed) > 1 and set(placed) <= set(extra):
        return [words.pick("ALL_TAKEN_AWAY" if scene.last_steps == 1 else "ALL_PLACED")]
    return removal(extra, scene, words, most)


def removal(extra: Sequence[Cell], scene: Scene, words: Words, most: int = MOST) -> list[str]:
    """Ask to take away some of these blocks: by name, else one of them, some steps from one that has a name."""
    # The last block comes first, then those that have a name.
    left, texts = dict(scene.board), []
    for cell in sorted(extra, key=lambda cell: cell != scene.last):
        expression = referring_expression(cell, scene)
        if expression is None or len(texts) == most:
            continue
        try:  # the name has to be right for who first takes away the others, and for who looks before
            if texts and (expression.rule == "last" or expression.denotes(replace(scene, board=left)) != cell):
                continue
        except LanguageError:
            continue
        name = expression.phrase(words, scene)
        ways = "IT_TAKEN_AWAY" if name == "it" else "TAKEN_AWAY"
        texts.append(words.pick(ways).format(r=name))
        del left[cell]

    # None has a name: say how far one is from a block that has.
    if not texts:
        start, cell = nearest(extra, scene)
        at = steps_away(words, scene.view.offset(start, cell), _name(start, scene, words), noun="")
        name = words.pick("BLOCK_AT").format(c=scene.board[cell].value, at=at)
        texts.append(words.pick("PLACE_TAKEN_AWAY").format(r=name))
    return texts


def addition(goal: Board, scene: Scene, words: Words, most: int = BLOCKS_PER_COLOR) -> list[str]:
    """Return lines that ask for some of the missing blocks.

    It is the longest run that goes on from a block that can be named; else one block, some steps from the nearest one
    that can; on an empty board, one block on the ground.

    Args:
        goal: what the board should be; something is missing, and on an empty board a block on the ground.
        most: blocks.
    """
    board = scene.board
    missing = [cell for cell in goal if cell not in board]
    if not board:
        cell = min(cell for cell in missing if cell[1] == Y_MIN)
        return _asked_for((cell,), None, goal[cell], scene, words)

    # The runs of missing blocks beside each block that can be named; the longest is asked for.
    runs = []
    for cell in missing:
        beside = [other for other in board if max(abs(a - b) for a, b in zip(cell, other, strict=True)) == 1]
        for other in sorted(beside, key=lambda one: manhattan(one, cell)):
            if manhattan(other, cell) < 3 and referring_expression(other, scene) is not None:
                runs.append((_run(other, cell, missing, goal)[:most], other))
    if runs:
        cells, other = max(runs, key=lambda run: len(run[0]))
        return _asked_for(cells, other, goal[cells[0]], scene, words)

    # There is none: a block some steps away.
    start, cell = nearest(missing, scene)
    at = steps_away(words, scene.view.offset(start, cell), _name(start, scene, words), noun="")
    block = article(words.pick("BLOCKS").format(c=goal[cell].value))
    return [_line(words.pick("ADDED").format(b=block, at=at))]


def _run(start: Cell, cell: Cell, missing: Sequence[Cell], goal: Board) -> tuple[Cell, ...]:
    """Return the missing blocks of one color from `cell` on, in the direction that leads there from `start`."""
    step = [b - a for a, b in zip(start, cell, strict=True)]
    run, end = [], cell
    while end in missing and goal[end] is goal[cell]:
        run.append(end)
        end = Cell(*(a + b for a, b in zip(end, step, strict=True)))
    return tuple(run)


def _asked_for(cells: tuple[Cell, ...], reference: Cell | None, color: Color, scene: Scene, words: Words) -> list[str]:
    turn = Turn(color, cells, False, (), (reference,) if reference else ())
    instruction = block_instruction(turn, reference, scene, words, _PLAIN)
    if isinstance(instruction.place, OtherEnd | OtherSide):  # of what, after an error?
        instruction = replace(instruction, place=None)
    lines = instruction.dialogue(words, scene)
    return [_line(text) for speaker, _, text in lines if speaker == "Architect"]


def nearest(cells: Sequence[Cell], scene: Scene) -> tuple[Cell, Cell]:
    """Return a block that can be named, and the cell to which it is nearest; the last block always has a name."""
    named = [other for other in scene.board if referring_expression(other, scene) is not None]
    pairs = ((start, cell) for cell in cells for start in named if start != cell)
    return min(pairs, key=lambda pair: manhattan(*pair))


def _line(text: str) -> str:
    return str(Utterance("Architect", text))


def begun(texts: Sequence[str], words: Words, why: str = "NOT_RIGHT") -> list[str]:
    """Return the lines of a correction, with what comes before it."""
    return [_line(text if position else words.pick(why).format(x=text)) for position, text in enumerate(texts)]


def _is_moved(placed: Sequence[Cell], asked_for: Sequence[Cell], goal: Board, board: Board) -> bool:
    """True if the blocks that were asked for are the placed ones, all moved by the same way."""
    if len(placed) != len(asked_for):
        return False
    pairs = list(zip(sorted(placed), sorted(asked_for), strict=True))
    ways = {difference(a, b) for a, b in pairs}
    return len(ways) == 1 and all(board[a] is goal[b] for a, b in pairs)


def _name(cell: Cell, scene: Scene, words: Words) -> str | None:
    """Return an expression that can mean no other block; None if there is none."""
    expression = referring_expression(cell, scene)
    return None if expression is None else expression.phrase(words, scene)


def _moved(name: str, start: Cell, end: Cell, scene: Scene, words: Words) -> str:
    left, up, away = scene.view.offset(start, end)
    ways = ((Offset(left, 0, 0), left), (Offset(0, 0, away), away), (Offset(0, up, 0), up))
    steps = [(f"FURTHER.{way.step.relation}", NUMBER_WORDS[abs(number)]) for way, number in ways if number]
    parts = [words.pick(further).format(n=number) for further, number in steps]
    return words.pick("MOVED").format(r=name, at=" and ".join(parts))
