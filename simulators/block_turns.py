"""Turns about blocks, which D_r and D_sb share: which block is the reference, and what is said (BAP v2, 10.2)."""

from collections.abc import Mapping
from random import Random
from typing import Any

from bap_v2_metric.blocks import Cell, Color
from bap_v2_simulators.language import (
    ELLIPSIS,
    NO_REFERENCE,
    BlockInstruction,
    Reference,
    Scene,
    Words,
    could_be_told_apart,
    reference_to,
)
from bap_v2_simulators.simulation import DialogueSettings, Turn
from bap_v2_simulators.targets import NEIGHBORHOOD


def references_beside(rng: Random, cell: Cell, board: Mapping[Cell, Color], last: Cell | None) -> tuple[Cell, ...]:
    """The blocks beside the cell that an instruction can refer to, in random order; the last removed one counts."""
    x, y, z = cell
    beside = [Cell(x + dx, y + dy, z + dz) for dx, dy, dz in NEIGHBORHOOD]
    found = [other for other in beside if (other in board or other == last) and could_be_told_apart(other, board, last)]
    rng.shuffle(found)
    return tuple(found)


def block_instruction(
    turn: Turn, reference: Cell | None, scene: Scene, words: Words, talk: DialogueSettings
) -> BlockInstruction:
    """What is said to have some blocks placed or one removed."""
    step = None
    name: Reference = NO_REFERENCE
    if reference is not None:
        step = scene.view.offset(reference, turn.cells[0])
        name = reference_to(reference, scene)
        one_by_one = len(turn.cells) == scene.last_count == 1  # after a run, "on top" could mean on top of all of it
        may_be_left_unsaid = name.rule == "last" and not scene.last_removed and not turn.removes and one_by_one
        if may_be_left_unsaid and words.chance(talk.ellipsis):
            name = ELLIPSIS
    omitted = None
    if words.chance(talk.clarification):
        if not turn.removes:
            omitted = "location" if reference and words.chance(0.5) else "color"
        elif reference and sum(color is turn.color for color in scene.board.values()) > 1:
            omitted = "location"  # the colour of a removed block only helps to find it, and one block needs no question
    return BlockInstruction(turn.removes, turn.color, len(turn.cells), step, name, turn.supports > 0, omitted)


def block_metadata(turn: Turn, reference: Cell | None, said: BlockInstruction) -> dict[str, Any]:
    """The plan behind an instruction about blocks."""
    return {
        "action": "remove" if turn.removes else "place",
        "color": turn.color.value,
        "blocks": len(turn.cells),
        "relation": said.step.relation if said.step else None,
        "relation_type": f"{len(said.step.directions)}D" if said.step else None,
        "reference_rule": said.reference.rule,
        "reference": list(reference) if reference else None,
        "floating": said.floating,
        "omitted": said.omitted,
    }
