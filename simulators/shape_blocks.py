"""D_sb: shapes, built block by block and run by run (BAP v2, 5.4.2 and 10.3).

The Architect plans shape by shape, in connected steps and as linearly as possible. Whatever lies in one line from the
reference block and has the same color is asked for in one instruction.
"""

from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, ClassVar

from bap_v2_metric.actions import Action
from bap_v2_metric.blocks import Cell, Color
from bap_v2_simulators.building import has_the_blocks, placement, supports
from bap_v2_simulators.corpus_table import VERSIONS
from bap_v2_simulators.language import block_instructions
from bap_v2_simulators.language.comments import comment_on
from bap_v2_simulators.language.references import Scene
from bap_v2_simulators.language.repairs import repaired_block
from bap_v2_simulators.language.words import Words
from bap_v2_simulators.settings import SettingsError, check_rates
from bap_v2_simulators.shapes import Shape, difference, moved
from bap_v2_simulators.simulator import DialogueSettings, Plan, Simulator, Turn
from bap_v2_simulators.targets import (
    NEIGHBORHOOD,
    TargetSettings,
    colors_of,
    neighborhood_of,
    sample_target,
)
from bap_v2_simulators.view import manhattan

_TARGETS_TRIED = 300
_PLANS_PER_TARGET = 4  # a plan may run into a block that cannot be told apart


@dataclass(frozen=True, slots=True)
class ShapeBlocks(Simulator):
    """The simulator of D_sb."""

    name: ClassVar[str] = "dsb"
    version: ClassVar[str] = VERSIONS["dsb"]
    target: TargetSettings = field(default_factory=TargetSettings)
    depth: float = 0.15  # the weight of views in which front or behind is named; 1: all alike, as in the paper
    oblique: float = 0.5  # the weight of yaws 30 to 45 degrees off the grid, where that is clear; 0: none
    ground: float = 1.0  # of the share of people that stand on the ground; 0: they are anywhere at that distance
    talk: DialogueSettings = field(default_factory=DialogueSettings)

    def __post_init__(self) -> None:
        check_rates(depth=self.depth, oblique=self.oblique, ground=self.ground)

    def plan(self, rng: Random, split: str) -> Plan:
        """A target of the split, and all turns (step 1). A target that cannot be explained is replaced by another."""
        for _ in range(_TARGETS_TRIED):
            shapes = sample_target(rng, self.target, split)
            for _ in range(_PLANS_PER_TARGET):
                turns = _Planner(rng, shapes, self.talk.corners).turns()
                if turns is not None:
                    return Plan(colors_of(shapes), turns, shapes)
        raise SettingsError(f"none of {_TARGETS_TRIED} targets can be explained block by block: {self.target}")

    def instruction(
        self, turn: Turn, reference: Cell | None, scene: Scene, words: Words
    ) -> block_instructions.BlockInstruction:
        instruction = block_instructions.block_instruction(turn, reference, scene, words, self.talk)
        if instruction.omitted is not None:
            return instruction
        return replace(instruction, comment=comment_on(words, turn.shape, turn.cells, scene))

    def repaired(self, instruction, scene: Scene, words: Words):
        return repaired_block(instruction, scene, words, self.talk.repairs * 2 / 3)

    def metadata(
        self, turn: Turn, reference: Cell | None, instruction: block_instructions.BlockInstruction
    ) -> dict[str, Any]:
        """Return the plan of the turn, and the shapes that it belongs to."""
        metadata = {**block_instructions.block_metadata(turn, instruction), **turn.shape.metadata}
        if turn.further_shapes:
            metadata["further_shapes"] = [shape.metadata for shape in turn.further_shapes]
        return metadata


class _Planner:
    """The plan of one game while it is made."""

    def __init__(self, rng: Random, shapes: tuple[Shape, ...], corners: bool):
        self.rng, self.corners = rng, corners
        self.shape_of: dict[Cell, Shape] = {
            cell: shape for shape in shapes for cell in shape.cells
        }  # still to be placed
        self.board: dict[Cell, Color] = {}
        self.beside_the_board: set[tuple[int, int, int]] = set()
        self.last: Cell | None = None
        self.direction: tuple[int, int, int] | None = None

    def turns(self) -> list[Turn] | None:
        """Return all turns, or None if some block cannot be referred to or supported with the blocks of its color."""
        # The first block, anywhere on the ground.
        on_the_ground = [cell for cell in self.shape_of if cell[1] == 1]
        first = on_the_ground[self.rng.randrange(len(on_the_ground))]  # 10.2, start of dialogue
        turns = [self._turn([first], ())]
        shape = turns[0].shape
        while self.shape_of:
            # The blocks of this shape, or of the next one if it is finished.
            left = [cell for cell, owner in self.shape_of.items() if owner is shape]
            if not left:
                shape = self._next_shape(shape)
                left = [cell for cell, owner in self.shape_of.items() if owner is shape]
            # A run from the best next block.
            chosen = self._next_block(left)
            if chosen is None:
                return None
            cell, reference = chosen
            turn = self._turn(self._run(cell, reference, shape.color), (reference,))
            if turn is None:
                return None
            turns.append(turn)
        return turns

    def _next_shape(self, finished: Shape) -> Shape:
        """Return a shape that touches what is built: beside the last block, of the same color, if there is one."""
        touching = [cell for cell in self.shape_of if cell in self.beside_the_board]
        preferred = min(
            touching,
            key=lambda cell: (
                cell not in neighborhood_of(self.last),
                self.shape_of[cell].color is not finished.color,
                self.rng.random(),
            ),
        )
        return self.shape_of[preferred]

    def _next_block(self, left: list[Cell]) -> tuple[Cell, Cell] | None:
        """Return the next block of the shape, and its reference."""
        # Rank the blocks that touch the board.
        ranked = []
        for cell in left:
            if cell not in self.beside_the_board:
                continue
            step = difference(self.last, cell)
            beside_last = step in _NEIGHBORS
            ranked.append(
                (
                    not beside_last,
                    step != self.direction,  # continue in the same line
                    sum(map(abs, step)) if beside_last else 0,  # straight rather than diagonally
                    len(supports(cell, self.board)),
                    sum(map(self.shape_of.__contains__, neighborhood_of(cell))),
                    self.rng.random(),
                    cell,
                )
            )
        # Take the first that has a reference: the last block, or one beside it.
        ranked.sort()
        for beside_last, *_, cell in ranked:
            if not beside_last:  # False sorts first: it is beside the last block
                return cell, self.last
            references = block_instructions.references_beside(self.rng, cell, self.board, self.last, self.corners)
            if references:
                return cell, min(references, key=lambda other: manhattan(cell, other))
        return None

    def _run(self, cell: Cell, reference: Cell, color: Color) -> list[Cell]:
        """Return the block, and all others of its color that follow without a gap in the same direction."""
        step = difference(reference, cell)
        run = [cell]
        while True:
            following = moved(run[-1], step)
            shape = self.shape_of.get(following)
            if shape is None or shape.color is not color:
                self.direction = step
                return run
            run.append(following)

    def _turn(self, run: list[Cell], references: tuple[Cell, ...]) -> Turn | None:
        """Return the turn that places the run; the board is brought up to date. None if the color runs out."""
        shape, *further = dict.fromkeys(self.shape_of[cell] for cell in run)
        actions: list[Action] = []
        for cell in run:
            one = placement(shape.color, cell, self.board, run)
            if not has_the_blocks(one, shape.color, self.board):
                return None
            actions += one
            self.board[cell] = shape.color
            self.beside_the_board.update(neighborhood_of(cell))
            del self.shape_of[cell]
        self.last = run[-1]
        return Turn(shape.color, tuple(run), False, tuple(actions), references, shape, tuple(further))


_NEIGHBORS = frozenset(NEIGHBORHOOD)
