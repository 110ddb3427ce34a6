"""What a text model reads to speak for the Architect, and what it learns to write.

The Architect knows the target, sees the board and the Builder, and remembers what was said and done. The target is
listed from the ground up, not in the order in which it is built: the order is the Architect's to choose.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from bap_v2_dataset.prompts import pose_line
from bap_v2_metric.blocks import Structure
from bap_v2_metric.notation import format_structure, parse_structure

PROMPT_VERSION = "1"  # raised whenever a prompt changes by a character
_HEADING = "Predict what the Architect says next (US) in the Minecraft excerpt:\n"
_ENDING = "### US:\n"


def render(row: Mapping[str, Any]) -> str:
    """The model input for a row.

    Args:
        row: with `history`, `pose`, `before` and `target`.

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
    lines = [
        *row["history"], pose_line(row["pose"]), "Current built structure is:", *row["before"], "Target structure is:",
        *from_the_ground(row["target"]),
    ]  # fmt: skip
    return _HEADING + "".join(f"{line}\n" for line in lines) + _ENDING


def from_the_ground(structure: Iterable[str]) -> list[str]:
    """The blocks of a structure, the lowest first, whatever the order in which they were placed."""
    blocks = sorted(parse_structure(structure), key=lambda block: (block.cell.y, block.cell.x, block.cell.z))
    return format_structure(Structure(blocks))


def completion(utterances: Iterable[str]) -> str:
    """The model output for the utterances of a row: one per line."""
    return "\n".join(utterances)
