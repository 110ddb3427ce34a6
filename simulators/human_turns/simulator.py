"""D_h, ours: the turns that the paper's three simulators leave out, as often as people take them.

People remove and correct, do the same again, mirror, extend, name letters and shapes, ask for two things at once, and
speak of what was built some turns ago.
"""

from dataclasses import dataclass, field
from random import Random
from typing import Any, ClassVar

from bap_v2_metric.actions import is_supported
from bap_v2_metric.blocks import Cell
from bap_v2_simulators.corpus_table import VERSIONS
from bap_v2_simulators.human_turns.drawn import DrawnInstruction
from bap_v2_simulators.human_turns.instruction import HumanInstruction, human_instruction, human_metadata
from bap_v2_simulators.human_turns.planner import Planner
from bap_v2_simulators.human_turns.remainders import Remainder
from bap_v2_simulators.human_turns.remarks import Remarked, apart_from_the_last, with_remarks
from bap_v2_simulators.human_turns.short_blocks import ShortBlocks
from bap_v2_simulators.human_turns.turns import HumanTurn
from bap_v2_simulators.human_turns.typing import as_typed, with_small_talk
from bap_v2_simulators.language.block_instructions import BlockInstruction, block_instruction, block_metadata
from bap_v2_simulators.language.places import near_the_middle
from bap_v2_simulators.language.references import NO_REFERENCE, Scene, referring_expression
from bap_v2_simulators.language.repairs import repaired_block, repaired_shape
from bap_v2_simulators.language.shape_instructions import ShapeInstruction
from bap_v2_simulators.language.turns import Line
from bap_v2_simulators.language.words import Words
from bap_v2_simulators.settings import SettingsError, check_rates
from bap_v2_simulators.simulator import DialogueSettings, Instruction, Plan, Simulator
from bap_v2_simulators.targets import split_of
from bap_v2_simulators.view import offset_metadata
from bap_v2_simulators.whole_shapes import shape_metadata

_GAMES_TRIED = 200


@dataclass(frozen=True, slots=True)
class HumanTurns(Simulator):
    """The simulator of D_h. Each kind of turn has its share of the turns after the third."""

    name: ClassVar[str] = "dh"
    version: ClassVar[str] = VERSIONS["dh"]
    least_turns: int = 6
    most_turns: int = 20
    removal: float = 0.07  # what was just built, a thing, or an end of it goes
    correction: float = 0.08  # another color, another place, too many, too few
    repetition: float = 0.13  # the same again
    mirror: float = 0.11
    extension: float = 0.05  # longer
    places: float = 0.21  # several at once: ends, corners, sides, each block of the last turn
    within: float = 0.08  # the middle, the corners, what is under a thing goes
    completion: float = 0.11  # a gap, the inside or a missing part is filled, or something grows to a total
    frames: float = 0.15  # towards the middle, the edge or another thing; places of the grid
    more: float = 0.34  # where it is plain which block is the last: one or a few more from there
    named: float = 0.42  # of what is new: letters and other shapes with a name
    two_steps: float = 0.12  # of the turns
    errors: float = 0.22  # of the turns are built wrongly at first
    unfinished: float = 0.1  # of the others are built in part at first
    slips: float = 0.08  # of the turns have a word that is mistyped
    small_talk: float = 0.1  # of the turns have some
    objects: float = 0.25  # of the games begin with one that has parts: a table, a bridge, a snake; others come later
    remarks: float = 0.1  # of the other new shapes are compared to something: "it should look like a door"
    depth: float = 0.05  # the weight of views in which front or behind is named; 1: all alike
    oblique: float = 0.6  # the weight of yaws 30 to 45 degrees off the grid, where that is clear; 0: none
    ground: float = 1.0  # of the share of people that stand on the ground; 0: they are anywhere at that distance
    talk: DialogueSettings = field(
        default_factory=lambda: DialogueSettings(clarification=0.19, repairs=0.1, proposals=0.3)
    )

    def __post_init__(self) -> None:
        rates = {name: getattr(self, name) for name in _KINDS}
        check_rates(**rates, **{name: getattr(self, name) for name in _OTHERS})
        check_rates(slips=self.slips, small_talk=self.small_talk, remarks=self.remarks)
        check_rates(depth=self.depth, oblique=self.oblique, ground=self.ground)
        if sum(rates.values()) > 1.0:
            raise SettingsError(f"{' + '.join(rates)} is {sum(rates.values()):g}: expected at most 1")
        if not 1 <= self.least_turns <= self.most_turns:
            raise SettingsError(
                f"least_turns={self.least_turns}, most_turns={self.most_turns}: expected 1 <= least <= most"
            )

    def plan(self, rng: Random, split: str) -> Plan:
        """Return a game whose target belongs to the split, and all its turns (step 1)."""
        rates = {name: getattr(self, name) for name in _KINDS}
        for _ in range(_GAMES_TRIED):
            planner = Planner(rng, rates, **{name: getattr(self, name) for name in _OTHERS})
            turns = planner.turns(rng.randint(self.least_turns, self.most_turns))
            if turns is not None and split_of(planner.scene.board) == split:
                return Plan(dict(planner.scene.board), turns)
        raise SettingsError(f"no target of the split {split!r} was found in {_GAMES_TRIED} games ({self})")

    def instruction(self, turn: HumanTurn, reference: Cell | None, scene: Scene, words: Words) -> Instruction:
        if turn.remainder is not None:
            return Remainder(*turn.remainder)
        instruction = self._plain(turn, reference, scene, words)
        return with_remarks(turn, instruction, scene, words, self.remarks)

    def _plain(self, turn: HumanTurn, reference: Cell | None, scene: Scene, words: Words) -> Instruction:
        if turn.request is not None:
            return human_instruction(turn, scene, words, self.talk.clarification)
        heard = apart_from_the_last(scene) if turn.apart else scene
        if turn.drawing is not None:
            plain = self._drawn(turn, reference, heard, words)
        elif turn.build_order is not None:
            plain = self._shape(turn, reference, heard, words)
        else:
            plain = ShortBlocks.of(block_instruction(turn, reference, heard, words, self.talk))
        return Remarked(plain, apart=True) if turn.apart else plain

    def _drawn(self, turn: HumanTurn, reference: Cell | None, scene: Scene, words: Words) -> DrawnInstruction:
        start = None if reference is None else scene.view.offset(reference, turn.cells[0])
        expression = NO_REFERENCE if reference is None else referring_expression(reference, scene)
        omitted = "color" if words.chance(self.talk.clarification) else None
        return DrawnInstruction(
            turn.drawing, turn.color, turn.size, turn.upright, turn.cells, start, expression, reference, omitted
        )  # fmt: skip

    def _shape(self, turn: HumanTurn, reference: Cell | None, scene: Scene, words: Words) -> ShapeInstruction:
        shape = turn.shape
        offsets = tuple(scene.view.offset(Cell(0, 0, 0), Cell(*step)) for step in shape.steps)
        start = None if reference is None else scene.view.offset(reference, turn.cells[0])
        expression = NO_REFERENCE if reference is None else referring_expression(reference, scene)
        omitted = words.pick(("color", "size")) if words.chance(self.talk.clarification) else None
        floating = not any(is_supported(cell, scene.board) for cell in turn.cells)
        return ShapeInstruction(
            shape.kind, turn.color, shape.size, offsets, start, floating, omitted, expression=expression,
            reference=reference, near_the_middle=reference is None and near_the_middle(words, turn.cells),
        )  # fmt: skip

    def repaired(self, instruction: Instruction, scene: Scene, words: Words) -> Instruction:
        rate = self.talk.repairs * 2 / 3
        if isinstance(instruction, BlockInstruction):
            return repaired_block(instruction, scene, words, rate)
        if isinstance(instruction, ShapeInstruction):
            return repaired_shape(instruction, scene, words, rate)
        return instruction

    def as_typed(self, words: Words, lines: list[Line], *, asked: bool) -> list[Line]:
        """Return the lines of a turn as people type them, with small talk."""
        return as_typed(words, with_small_talk(words, lines, self.small_talk, asked=asked), self.slips)

    def metadata(self, turn: HumanTurn, reference: Cell | None, instruction: Instruction) -> dict[str, Any]:
        # What belongs to an object says so.
        if isinstance(instruction, Remarked):
            told = {"remark": instruction.kind} | ({"object": turn.object, "part": turn.part} if turn.object else {})
            return self.metadata(turn, reference, instruction.plain) | (told if instruction.kind else {})
        # Instructions that other simulators have, too, are told as there.
        if isinstance(instruction, HumanInstruction | Remainder):
            return human_metadata(turn, instruction)
        if isinstance(instruction, BlockInstruction):
            return {"kind": "blocks", **block_metadata(turn, instruction)}
        if isinstance(instruction, ShapeInstruction):
            return {"kind": "shape", **shape_metadata(turn, instruction)}
        # A drawn shape.
        return {
            "action": "place",
            "color": turn.color.value,
            "blocks": len(turn.cells),
            "kind": "named shape",
            "shape": turn.drawing,
            "shape_size": list(turn.size),
            **offset_metadata(instruction.start),
            "reference_rule": instruction.expression.rule,
            "reference": list(instruction.reference) if instruction.reference else None,
            "omitted": instruction.omitted,
        }


_KINDS = ("removal", "correction", "repetition", "mirror", "extension", "places", "within", "completion", "frames")
_OTHERS = ("named", "two_steps", "more", "errors", "unfinished", "objects")
