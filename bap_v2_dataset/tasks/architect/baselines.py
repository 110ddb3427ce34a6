"""Simple Architects: what the scores mean before any model is there.

A baseline is a function from a row to what is said. `gold` is the answer itself: how well the reader understands it.
"""

from collections.abc import Mapping
from random import Random
from typing import Any

from bap_v2_dataset.tasks.architect.prompts import placed_target
from bap_v2_dataset.tasks.architect.rows import spoken
from bap_v2_metric.actions import is_supported
from bap_v2_metric.blocks import Y_MIN, Cell, Color
from bap_v2_metric.notation import parse_action, parse_structure
from bap_v2_simulators.full_games.corrections import addition, begun, correction
from bap_v2_simulators.language.references import Scene
from bap_v2_simulators.language.words import Words
from bap_v2_simulators.pose import Pose
from bap_v2_simulators.view import View, manhattan


def gold(row: Mapping[str, Any]) -> str:
    """Return the words of the game's Architect."""
    return "\n".join(row["utterances"])


def silent(row: Mapping[str, Any]) -> str:
    """Nothing: the Builder has what was said before."""
    return ""


def repeat(row: Mapping[str, Any]) -> str:
    """Return the last line of the Architect once more."""
    lines = (line for line in reversed(row["history"]) if line.startswith("<Architect>"))
    return next((line for line in lines if spoken(line)), "")


def next_block(row: Mapping[str, Any]) -> str:
    """One block: of those that are wrong one to take away, else of those that are missing the one nearest to the last.

    It knows the target, which it turns and moves to where it matches the board best, and speaks as the Architect of
    full games does. It says nothing if nothing is missing, or if the board is empty and no block of the target is on
    the ground.
    """
    # What the Architect sees.
    before = parse_structure(row["before"])
    target = placed_target(before, parse_structure(row["target"]))
    board, pose = before.colors(), Pose(**row["pose"])
    last = _last(row["history"], board)
    color = board.get(last) if last else None
    cells = (last,) if last else ()
    scene = Scene(board, pose, View.of(pose.yaw), last, color, False, len(cells), cells, (cells,) if cells else ())
    # What was built wrong is corrected first.
    words = Words(Random(f"architect {row['id']}"))
    lines = begun(correction(target, scene, [], words, most=1), words)
    if lines:
        return lines[0]
    # Then the next block that is missing: supported, and near the last one.
    missing = {cell: color for cell, color in target.items() if cell not in board}
    if not missing or (not board and not any(cell.y == Y_MIN for cell in missing)):
        return ""

    def rank(cell: Cell) -> tuple[bool, int, Cell]:
        return not is_supported(cell, board), manhattan(cell, last) if last else 0, cell

    in_order = {cell: missing[cell] for cell in sorted(missing, key=rank)}
    return "\n".join(addition({**in_order, **board}, scene, words, most=1))


def _last(history: list[str], board: Mapping[Cell, Color]) -> Cell | None:
    """Return the block placed last of those that are still there."""
    for line in reversed(history):
        if line.startswith("place") and (cell := parse_action(line, anywhere=True).cell) in board:
            return cell
    return next(reversed(board), None)


BASELINES = {"gold": gold, "next-block": next_block, "repeat": repeat, "silent": silent}
