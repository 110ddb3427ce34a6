"""D_ss: a whole shape for each instruction (BAP v2, 5.4.3 and 10.4).

The Architect says what shape, how big, of which color, which way it goes with the Builder as the anchor, and where it
starts from the last block. The Builder works out the blocks and their order.
"""

from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, ClassVar

from bap_v2_metric.actions import Action, is_supported
from bap_v2_metric.blocks import Cell, Color
from bap_v2_simulators.building import has_the_blocks, placement
from bap_v2_simulators.corpus_table import VERSIONS
from bap_v2_simulators.language.landmark_search import landmark_before
from bap_v2_simulators.language.likeness import UNLIKE, spoken_likeness
from bap_v2_simulators.language.places import near_the_middle
from bap_v2_simulators.language.references import Scene
from bap_v2_simulators.language.repairs import repaired_shape
from bap_v2_simulators.language.shape_instructions import ShapeInstruction
from bap_v2_simulators.language.shape_phrases import ShapeForm
from bap_v2_simulators.language.words import Words
from bap_v2_simulators.settings import SettingsError, check_rates
from bap_v2_simulators.shapes import Shape, ShapeKind, cells_of, opposite
from bap_v2_simulators.simulator import DialogueSettings, Plan, Simulator, Turn
from bap_v2_simulators.targets import TargetSettings, colors_of, sample_target
from bap_v2_simulators.view import manhattan, offset_metadata

_TARGETS_TRIED = 300
WHOLE_KINDS = (ShapeKind.ROW, ShapeKind.DIAGONAL, ShapeKind.PLANE)


@dataclass(frozen=True, slots=True)
class WholeShapes(Simulator):
    """The simulator of D_ss."""

    name: ClassVar[str] = "dss"
    version: ClassVar[str] = VERSIONS["dss"]
    target: TargetSettings = field(default_factory=lambda: TargetSettings(kinds=WHOLE_KINDS, shapes=2, largest=6))
    depth: float = 0.05  # the weight of views in which front or behind is named; 1: all alike, as in the paper
    oblique: float = 0.9  # the weight of yaws 30 to 45 degrees off the grid, where that is clear; 0: none
    ground: float = 1.0  # of the share of people that stand on the ground; 0: they are anywhere at that distance
    # Half of the turns begin a game: nothing was built of which the Builder could ask whether it is right.
    talk: DialogueSettings = field(default_factory=lambda: DialogueSettings(clarification=0.16))

    def __post_init__(self) -> None:
        check_rates(depth=self.depth, oblique=self.oblique, ground=self.ground)
        if others := set(self.target.kinds) - set(WHOLE_KINDS):
            names = ", ".join(sorted(kind.value for kind in others))
            raise SettingsError(f"kinds={names}: whole shapes are rows, diagonals and planes")

    def plan(self, rng: Random, split: str) -> Plan:
        """Return a target of the split, and all turns (step 1): one for each shape."""
        for _ in range(_TARGETS_TRIED):
            shapes = sample_target(rng, self.target, split)
            turns = _turns(rng, shapes)
            if turns is not None:
                return Plan(colors_of(shapes), turns, shapes)
        raise SettingsError(f"none of {_TARGETS_TRIED} targets can be built with 20 blocks of a color: {self.target}")

    def number_of_turns(self, rng: Random, split: str) -> int:
        """Return how many turns the plan of any stream has."""
        return self.target.shapes

    def tells_apart(self, reference: Cell, scene: Scene) -> bool:
        """Always: the reference is the last placed block."""
        return True

    def instruction(self, turn: Turn, reference: Cell | None, scene: Scene, words: Words) -> ShapeInstruction:
        # The shape and its start as the Builder sees them.
        shape = turn.shape
        offsets = [scene.view.offset(_ORIGIN, Cell(*step)) for step in shape.steps]
        start = None if reference is None else scene.view.offset(reference, turn.cells[0])
        # What is left for the Builder to ask.
        omitted = None
        if words.chance(self.talk.clarification):
            details = ["color", "size", "orientation"] + ["location"] * (reference is not None)
            if shape.kind is ShapeKind.ROW and offsets[0].up:
                details.remove("orientation")  # a column leaves nothing to ask
            omitted = words.pick(details)
        # What else is said: likeness to the last shape, the middle of the ground.
        floating = not any(is_supported(cell, scene.board) for cell in turn.cells)
        form = ShapeForm(shape.kind, shape.size, tuple(offsets))
        likeness = UNLIKE if reference is None else spoken_likeness(words, form, scene, omitted)
        near = reference is None and near_the_middle(words, turn.cells)
        instruction = ShapeInstruction(
            form.kind, turn.color, form.size, form.steps, start, floating, omitted, likeness, reference=reference,
            near_the_middle=near,
        )  # fmt: skip
        if reference is None or scene.continuing:
            return instruction
        # A landmark may take the place of the reference.
        named = landmark_before(words, turn.cells[0], reference, turn.color, scene, self.talk.landmarks)
        if named is None:
            return instruction
        landmark, cell = named
        start = scene.view.offset(cell, turn.cells[0])
        return replace(instruction, start=start, expression=landmark, reference=cell)

    def repaired(self, instruction, scene: Scene, words: Words):
        return repaired_shape(instruction, scene, words, self.talk.repairs * 2 / 3)

    def metadata(self, turn: Turn, reference: Cell | None, instruction: ShapeInstruction) -> dict[str, Any]:
        return shape_metadata(turn, instruction)


def shape_metadata(turn: Turn, instruction: ShapeInstruction) -> dict[str, Any]:
    """Return the plan behind an instruction about a whole shape."""
    return {
        "action": "place",
        "color": turn.color.value,
        "blocks": len(turn.cells),
        **turn.shape.metadata,
        "directions": [step.relation for step in instruction.steps],
        **offset_metadata(instruction.start),
        "reference_rule": instruction.expression.rule if instruction.reference else "none",
        "reference": list(instruction.reference) if instruction.reference else None,
        "build_order": turn.build_order,
        "floating": instruction.floating,
        "omitted": instruction.omitted,
    }


_ORIGIN = Cell(0, 0, 0)


def _turns(rng: Random, shapes: tuple[Shape, ...]) -> list[Turn] | None:
    """Return one turn for each shape, from the bottom up; None if supports would need more blocks than a color has."""
    # The shapes in random order, those on the ground first.
    order = list(shapes)
    rng.shuffle(order)
    order.sort(key=lambda shape: shape.floor > 1)  # what stands on the ground comes first
    board: dict[Cell, Color] = {}
    last: Cell | None = None
    turns = []
    for position, shape in enumerate(order):
        # Start far from what comes next, or near what was built last.
        starts = from_bottom_corners(shape)
        rng.shuffle(starts)
        if last is None:
            others = [cell for other in order[1:] for cell in other.cells]
            start = max(starts, key=lambda one: min((manhattan(one.origin, cell) for cell in others), default=0))
        else:
            start = min(starts, key=lambda one: manhattan(one.origin, last))
        # Place the blocks with their supports, if the color has enough.
        build_order, cells = build_order_of(rng, start)
        actions: list[Action] = []
        for cell in cells:
            one = placement(shape.color, cell, board, cells)
            if not has_the_blocks(one, shape.color, board):
                return None
            actions += one
            board[cell] = shape.color
        references = () if position == 0 else (last,)
        turns.append(Turn(shape.color, tuple(cells), False, tuple(actions), references, start, build_order=build_order))
        last = cells[-1]
    return turns


def from_bottom_corners(shape: Shape) -> list[Shape]:
    """Return the same shape with each of its bottom corners as the origin: where a Builder may start."""
    (x, y, z), floor = shape.origin, shape.floor
    ends = [(0,) * len(shape.size)]
    for axis, length in enumerate(shape.size):
        ends += [(*end[:axis], length - 1, *end[axis + 1 :]) for end in ends]
    shapes = []
    for end in ends:
        corner = Cell(
            x + sum(times * step[0] for times, step in zip(end, shape.steps, strict=True)),
            y + sum(times * step[1] for times, step in zip(end, shape.steps, strict=True)),
            z + sum(times * step[2] for times, step in zip(end, shape.steps, strict=True)),
        )
        if corner[1] == floor:
            steps = tuple(opposite(step) if times else step for times, step in zip(end, shape.steps, strict=True))
            shapes.append(replace(shape, origin=corner, steps=steps))
    return shapes


def build_order_of(rng: Random, shape: Shape) -> tuple[str, list[Cell]]:
    """A name and the cells in that order: a plane is built line by line, along either side, perhaps in zigzag."""
    if len(shape.steps) == 1:
        return "line", list(cells_of(shape.origin, shape.size, shape.steps))
    across = rng.random() < 0.5
    zigzag = rng.random() < 0.5
    size, steps = (shape.size[::-1], shape.steps[::-1]) if across else (shape.size, shape.steps)
    cells = list(cells_of(shape.origin, size, steps))
    lines = [cells[i : i + size[0]] for i in range(0, len(cells), size[0])]
    if zigzag:
        lines[1::2] = [line[::-1] for line in lines[1::2]]
    upward = steps[0][1] != 0
    name = ("column by column" if upward or (across and not steps[1][1]) else "row by row") + (
        ", zigzag" if zigzag else ""
    )
    return name, [cell for line in lines for cell in line]
