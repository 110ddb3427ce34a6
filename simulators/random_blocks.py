"""D_r: block by block, the target comes out of the game (BAP v2, 5.3 and 10.2).

Each turn places or removes a single block beside those on the board; the reference is any block beside it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any, ClassVar

from bap_v2_metric.actions import Remove
from bap_v2_metric.blocks import X_MAX, X_MIN, Y_MIN, Z_MAX, Z_MIN, Cell, Color
from bap_v2_simulators.building import has_the_blocks, placement
from bap_v2_simulators.corpus_table import VERSIONS
from bap_v2_simulators.language import block_instructions
from bap_v2_simulators.language.references import Scene
from bap_v2_simulators.language.repairs import repaired_block
from bap_v2_simulators.language.words import Words
from bap_v2_simulators.settings import SettingsError, check_rates
from bap_v2_simulators.shapes import difference, moved
from bap_v2_simulators.simulator import DialogueSettings, Plan, Simulator, Turn
from bap_v2_simulators.targets import BLOCKS_PER_COLOR, COLORS, is_connected, neighborhood_of, split_of

_MOST_DRAWS = 20_000
_FIRST_PLACEMENTS = 4  # 10.2: the first four actions are placements


@dataclass(frozen=True, slots=True)
class RandomBlocks(Simulator):
    """The simulator of D_r."""

    name: ClassVar[str] = "dr"
    version: ClassVar[str] = VERSIONS["dr"]
    least_turns: int = 6
    most_turns: int = 24
    removal: float = 0.10  # of the actions after the first four
    depth: float = 0.05  # the weight of views in which front or behind is named; 1: all alike, as in the paper
    oblique: float = 0.7  # the weight of yaws 30 to 45 degrees off the grid, where that is clear; 0: none
    ground: float = 1.0  # of the share of people that stand on the ground; 0: they are anywhere at that distance
    talk: DialogueSettings = field(default_factory=DialogueSettings)

    def __post_init__(self) -> None:
        whole = all(isinstance(turns, int) for turns in (self.least_turns, self.most_turns))
        if not whole or not 1 <= self.least_turns <= self.most_turns <= 80:
            raise SettingsError(
                f"least_turns={self.least_turns}, most_turns={self.most_turns}: expected 1 <= least <= most <= 80"
            )
        check_rates(depth=self.depth, oblique=self.oblique, ground=self.ground)
        if not 0.0 <= self.removal <= 0.5:
            raise SettingsError(f"removal={self.removal}: expected a rate between 0 and 0.5")

    def plan(self, rng: Random, split: str) -> Plan:
        """Return the plans of all turns (step 1). The last action is drawn until the target belongs to the split."""
        # The number of turns is drawn first.
        board: dict[Cell, Color] = {}
        turns: list[Turn] = []
        last: Cell | None = None
        number_of_turns = self.number_of_turns(rng, split)
        draws = 0
        while len(turns) < number_of_turns:
            draws += 1
            if draws > _MOST_DRAWS:
                raise SettingsError(f"no target of the split {split!r} was found in {draws:,} draws ({self})")
            # Draw an action, and again if it is not possible.
            removes = len(turns) >= _FIRST_PLACEMENTS and rng.random() < self.removal
            turn = (_removal if removes else _placement)(rng, board, last, self.talk.corners)
            if turn is None:
                continue
            after = dict(board)
            if turn.removes:
                del after[turn.cells[0]]
            else:
                after[turn.cells[0]] = turn.color
            # The last action decides to which split the target belongs.
            if len(turns) == number_of_turns - 1 and split_of(after) != split:
                continue
            board, last = after, turn.cells[0]
            turns.append(turn)
        return Plan(board, turns)

    def number_of_turns(self, rng: Random, split: str) -> int:
        """Return how many turns the plan of this stream has, without making it."""
        return rng.randint(self.least_turns, self.most_turns)

    def instruction(
        self, turn: Turn, reference: Cell | None, scene: Scene, words: Words
    ) -> block_instructions.BlockInstruction:
        return block_instructions.block_instruction(turn, reference, scene, words, self.talk)

    def repaired(self, instruction, scene: Scene, words: Words):
        return repaired_block(instruction, scene, words, self.talk.repairs * 2 / 3)

    def metadata(
        self, turn: Turn, reference: Cell | None, instruction: block_instructions.BlockInstruction
    ) -> dict[str, Any]:
        return block_instructions.block_metadata(turn, instruction)


def _placement(rng: Random, board: Mapping[Cell, Color], last: Cell | None, corners: bool) -> Turn | None:
    """A block of a random color in a random cell of the connected neighborhood; on an empty board, on the ground."""
    color = COLORS[rng.randrange(len(COLORS))]
    if sum(other is color for other in board.values()) >= BLOCKS_PER_COLOR:
        return None
    if not board:
        cell = Cell(rng.randint(X_MIN, X_MAX), Y_MIN, rng.randint(Z_MIN, Z_MAX))
        return Turn(color, (cell,), False, tuple(placement(color, cell, board)), ())
    beside = dict.fromkeys(cell for block in board for cell in neighborhood_of(block))
    candidates = [cell for cell in beside if cell not in board]
    for _ in range(20):
        cell = Cell(*candidates[rng.randrange(len(candidates))])
        if cell.in_region and (references := block_instructions.references_beside(rng, cell, board, last, corners)):
            actions = placement(color, cell, board)
            if has_the_blocks(actions, color, board):
                return Turn(color, (cell,), False, tuple(actions), references)
    return None


def _removal(rng: Random, board: Mapping[Cell, Color], last: Cell | None, corners: bool) -> Turn | None:
    """Return a random block without which the structure is still connected and on the ground (10.1), or None."""
    # The blocks in random order.
    cells = list(board)
    rng.shuffle(cells)
    for cell in cells:
        # The rest must stay on the ground and in one piece.
        rest = [other for other in cells if other != cell]
        if not any(other[1] == 1 for other in rest) or not is_connected(rest):
            continue
        if cell == last:  # the first special case of 10.2: "remove that block"
            return Turn(board[cell], (cell,), True, (Remove(cell),), ())
        # The block must be told apart by a neighbor.
        references = [
            reference
            for reference in block_instructions.references_beside(rng, cell, board, last, corners)
            if not _has_a_double(cell, reference, board)
        ]
        if references:
            return Turn(board[cell], (cell,), True, (Remove(cell),), tuple(references))
    return None


def _has_a_double(cell: Cell, reference: Cell, board: Mapping[Cell, Color]) -> bool:
    """Return whether another block of the color lies farther off the same way: "to the left of" the reference too."""
    way = difference(reference, cell)
    return any(board.get(moved(cell, way, n)) is board[cell] for n in range(1, X_MAX - X_MIN + 1))
