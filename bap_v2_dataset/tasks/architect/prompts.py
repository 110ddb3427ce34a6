"""What a text model reads to speak for the Architect, and what it learns to write.

The Architect knows the target, sees the board and the Builder, and remembers what was said and done.

    structures   the excerpt, the Builder's position and yaw, board and target as they are: the column `prompt`
    ego          cells as the Builder sees them (see `items.ego`); of the target what is missing on the board
                 and what on it is wrong, with the target is turned and moved to match the board best

Nothing tells in which order the target is built: the order is the Architect's to choose.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from bap_v2_dataset.items.ego import HEADING as EGO_HEADING
from bap_v2_dataset.items.ego import history_lines, situation_lines, viewpoint_of
from bap_v2_dataset.items.prompts import pose_line
from bap_v2_metric.alignment import align
from bap_v2_metric.blocks import Block, Cell, Structure
from bap_v2_metric.errors import UserError
from bap_v2_metric.notation import format_block, format_structure, parse_structure

STRUCTURES = "structures"
_ASKED = ("Predict the action sequence (AS) for", "Predict what the Architect says next (US) in")
_HEADING = f"{_ASKED[1]} the Minecraft excerpt:\n"
_ENDING = "### US:\n"


def render(row: Mapping[str, Any], representation: str = STRUCTURES, newest: int | None = None) -> str:
    """Return the model input for a row.

    Args:
        row: with `history`, `pose`, `before` and `target`.
        representation: one of REPRESENTATIONS.
        newest: show at most this many lines of the history, the newest; by default all.
    Raises:
        UserError: for another representation.

    >>> row = {"history": ["<Builder> hi"], "before": [], "target": ["red 0 2 0", "red 0 1 0"],
    ...        "pose": {"x": 0.0, "y": 1.0, "z": -4.0, "yaw": 0.0, "pitch": 8.5}}
    >>> print(render(row), end="")
    Predict what the Architect says next (US) in the Minecraft excerpt:
    <Builder> hi
    Builder's current position is 0.0 1.0 -4.0 and orientation (yaw) is 0.0 degrees
    Current built structure is:
    Target structure is:
    red 0 1 0
    red 0 2 0
    ### US:
    """
    heading, lines = representation_of(representation).situation(row)
    shown = (*shown_history(row, representation, newest), *lines)
    return heading + "".join(f"{line}\n" for line in shown) + _ENDING


def shown_history(row: Mapping[str, Any], representation: str = STRUCTURES, newest: int | None = None) -> list[str]:
    """The lines of the history as they stand in a prompt, behind its first line; arguments and errors as `render`."""
    lines = representation_of(representation).history(row["history"])
    return lines if newest is None else lines[max(0, len(lines) - newest) :]


class ArchitectRepresentation(NamedTuple):
    """The parts of a row that a model sees."""

    history: Callable[[Sequence[str]], list[str]]  # its lines as the prompt shows them
    situation: Callable[[Mapping[str, Any]], tuple[str, list[str]]]  # the heading, and the lines behind the history


def _structures(row: Mapping[str, Any]) -> tuple[str, list[str]]:
    board = [pose_line(row["pose"]), "Current built structure is:", *row["before"]]
    return _HEADING, [*board, "Target structure is:", *from_the_ground(row["target"])]


def _ego(row: Mapping[str, Any]) -> tuple[str, list[str]]:
    return EGO_HEADING.replace(*_ASKED), [*situation_lines(row), *_left_to_do(row)]


REPRESENTATIONS = {
    STRUCTURES: ArchitectRepresentation(list, _structures),
    "ego": ArchitectRepresentation(history_lines, _ego),
}


def representation_of(name: str) -> ArchitectRepresentation:
    """Return the representation of this name. Raises: UserError if there is none."""
    if name not in REPRESENTATIONS:
        raise UserError(f"unknown representation {name!r} (expected one of {', '.join(REPRESENTATIONS)})")
    return REPRESENTATIONS[name]


def completion(utterances: Iterable[str]) -> str:
    """Return the model output for the utterances of a row: one per line."""
    return "\n".join(utterances)


def from_the_ground(structure: Sequence[str]) -> list[str]:
    """Return the blocks of a structure, the lowest first, whatever the order in which they were placed."""
    blocks = sorted(parse_structure(structure), key=lambda block: (block.cell.y, block.cell.x, block.cell.z))
    return format_structure(Structure(blocks))


def placed_target(before: Structure, target: Structure) -> dict[Cell, Any]:
    """Return the target where it matches the board best; as it is where nothing stands yet."""
    move = align(target, before) if len(before) else None
    return {move(cell) if move else cell: color for cell, color in target.colors().items()}


def _left_to_do(row: Mapping[str, Any]) -> list[str]:
    """The blocks that are wrong and those that are missing, as the Builder sees them, those near the origin first."""
    before, view = parse_structure(row["before"]), viewpoint_of(row)
    target, board = placed_target(before, parse_structure(row["target"])), before.colors()
    wrong = [Block(color, view.cell(cell)) for cell, color in board.items() if target.get(cell) is not color]
    missing = [Block(color, view.cell(cell)) for cell, color in target.items() if board.get(cell) is not color]

    def near(block: Block) -> tuple[int, Cell]:
        return sum(map(abs, block.cell)), block.cell

    return [
        "Wrong blocks are:",
        *map(format_block, sorted(wrong, key=near)),
        "Missing blocks are:",
        *map(format_block, sorted(missing, key=near)),
    ]
