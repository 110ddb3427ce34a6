"""D_ss: a whole shape for each instruction (BAP v2, 5.4.3 and 10.4).

The Architect says what shape, how big, of which colour, which way it goes with the Builder as the anchor, and where it
starts from the last block. The Builder works out the blocks and their order.
"""

import re
from dataclasses import dataclass, field
from random import Random
from typing import Any, ClassVar

from bap_v2_metric.actions import Action, ActionType, NetAction
from bap_v2_metric.blocks import Cell, Color
from bap_v2_simulators import wording
from bap_v2_simulators.building import is_supported, placement
from bap_v2_simulators.language import (
    LanguageError,
    Scene,
    Words,
    beside,
    going_to,
    number_word,
    opened,
    punctuated,
    sentence,
    steps_away,
    typed,
)
from bap_v2_simulators.shapes import Shape, ShapeKind, Vector, cells_of
from bap_v2_simulators.simulation import DialogueSettings, Plan, SettingsError, Turn
from bap_v2_simulators.targets import BLOCKS_PER_COLOR, TargetSettings, colors_of, sample_target
from bap_v2_simulators.view import Direction, Offset

_TARGETS_TRIED = 300
WHOLE_KINDS = (ShapeKind.ROW, ShapeKind.DIAGONAL, ShapeKind.PLANE)


@dataclass(frozen=True, slots=True)
class WholeShapes:
    """The simulator of D_ss."""

    name: ClassVar[str] = "dss"
    version: ClassVar[str] = "1.0.0"
    target: TargetSettings = field(default_factory=lambda: TargetSettings(kinds=WHOLE_KINDS, shapes=2, largest=6))
    talk: DialogueSettings = field(default_factory=DialogueSettings)

    def __post_init__(self) -> None:
        if others := set(self.target.kinds) - set(WHOLE_KINDS):
            names = ", ".join(sorted(kind.value for kind in others))
            raise SettingsError(f"kinds={names}: whole shapes are rows, diagonals and planes")

    def plan(self, rng: Random, split: str) -> Plan:
        """A target of the split, and step 1 for all turns: one for each shape."""
        for _ in range(_TARGETS_TRIED):
            shapes = sample_target(rng, self.target, split)
            turns = _turns(rng, shapes)
            if turns is not None:
                return Plan(colors_of(shapes), turns, shapes)
        raise SettingsError(f"none of {_TARGETS_TRIED} targets can be built with twenty blocks a colour: {self.target}")

    def number_of_turns(self, rng: Random, split: str) -> int:
        """How many turns the plan of any stream has."""
        return self.target.shapes

    def tells_apart(self, reference: Cell, scene: Scene) -> bool:
        """Always: the reference is the last placed block."""
        return True

    def instruction(self, turn: Turn, reference: Cell | None, scene: Scene, words: Words) -> "ShapeInstruction":
        """Step 3."""
        shape: _Started = turn.shape
        offsets = [scene.view.offset(_ORIGIN, Cell(*step)) for step in shape.steps]
        start = None if reference is None else scene.view.offset(reference, turn.cells[0])
        omitted = None
        if words.chance(self.talk.clarification):
            details = ["color", "size", "orientation"] + ["location"] * (reference is not None)
            if shape.kind is ShapeKind.ROW and offsets[0].up:
                details.remove("orientation")  # a column leaves nothing to ask
            omitted = words.pick(details)
        return ShapeInstruction(
            shape.kind, turn.color, shape.size, tuple(offsets), start, shape.floats, omitted
        )  # fmt: skip

    def metadata(self, turn: Turn, reference: Cell | None, scene: Scene, said: "ShapeInstruction") -> dict[str, Any]:
        """The plan of the turn, in plain values."""
        shape: _Started = turn.shape
        return {
            "action": "place",
            "color": turn.color.value,
            "blocks": len(turn.cells),
            "shape": shape.kind.value,
            "shape_orientation": "vertical" if any(step[1] for step in shape.steps) else "horizontal",
            "shape_size": list(shape.size),
            "directions": [step.relation for step in said.steps],
            "relation": said.start.relation if said.start else None,
            "relation_type": f"{len(said.start.directions)}D" if said.start else None,
            "reference_rule": "last" if reference else "none",
            "reference": list(reference) if reference else None,
            "build_order": shape.order,
            "floating": said.floating,
            "omitted": said.omitted,
        }


@dataclass(frozen=True, slots=True)
class _Started:
    """A shape from the block with which the Builder starts."""

    kind: ShapeKind
    start: Cell
    size: tuple[int, ...]  # blocks along each step
    steps: tuple[Vector, ...]
    order: str = "line"  # how the Builder goes through the cells
    floats: bool = False  # nothing that is there, nor the ground, holds any of its blocks


@dataclass(frozen=True, slots=True)
class ShapeInstruction:
    """Build a row, a diagonal or a plane: size, colour, directions, and where it starts."""

    kind: ShapeKind
    color: Color
    size: tuple[int, ...]  # blocks along each of `steps`
    steps: tuple[Offset, ...]  # one cell on in each direction, as the Builder sees it
    start: Offset | None  # from the last placed block; None: anywhere on the ground
    floating: bool
    omitted: str | None  # "color", "size", "orientation" or "location", to be asked for

    def denotes(self, scene: Scene, anywhere: Cell | None = None) -> frozenset[NetAction]:
        """The net actions that it asks for.

        Args:
            anywhere: the starting block of the first shape, which the instruction leaves open.
        Raises:
            LanguageError: if there is no last block, or the shape does not fit.
        """
        if self.start is not None and scene.last is not None:
            anywhere = scene.view.cell(scene.last, self.start)
        if anywhere is None:
            raise LanguageError("there is no last block")
        cells = cells_of(anywhere, self.size, tuple(scene.view.vector(step) for step in self.steps))
        if any(cell in scene.board for cell in cells):
            raise LanguageError("there is a block already")
        return frozenset(NetAction(ActionType.PLACE, self.color, cell) for cell in cells)

    def dialogue(self, words: Words, scene: Scene) -> list[tuple[str, str, str]]:
        """(speaker, dialogue act, text) of each utterance."""
        np, orientation, names_up = self._shape(words)
        where = None if self.start is None else self._start(words, scene)
        clauses = []
        if self.start is None:
            clauses.append(words.pick(wording.ON_THE_GROUND))
        if orientation:
            clauses.append(orientation)
        alone = None
        if where is not None and self.omitted != "location":
            if words.chance(0.35):
                alone = words.pick(wording.STARTS_ALONE).format(at=where)
            else:
                clauses.append(words.pick(wording.STARTING).format(at=where))
        relative = [clause.startswith(("that ", "which ", "whose ")) for clause in clauses]
        if len(clauses) == 2 and not any(relative) and words.chance(0.3):
            clauses.reverse()
        first = self.start is None
        pp = (", " if words.chance(0.5) else " ").join(clauses)
        text = sentence(
            words, verbs=wording.BUILD_VERBS, np=np, pp=pp, singular=np[0] == "a", first=first, after=any(relative)
        )  # fmt: skip
        follows = ""
        if alone is not None and words.chance(0.5):  # as often in one line as in two
            follows = typed(words, punctuated(words, alone))
        elif alone is not None:
            text = text if text[-1] in ".!?" else text + "."
            text = f"{text} {punctuated(words, alone)}"
        turns = [("Architect", "instruction", typed(words, opened(words, text, first)))]
        if follows:
            turns.append(("Architect", "instruction", follows))
        if self.omitted is not None:
            question, answer = self._exchange(words, where, names_up)
            turns += [("Builder", "clarification question", question), ("Architect", "answer", answer)]
        return turns

    @property
    def _upright(self) -> bool:
        return any(step.up for step in self.steps)

    def _shape(self, words: Words) -> tuple[str, str | None, bool]:
        """What is to be built, which way it goes, and whether its name says that it goes up."""
        directions = [step.directions for step in self.steps]
        plain, upward = wording.SHAPE_NAMES[self.kind.value, self._upright]
        if self.kind is ShapeKind.PLANE and self.size[0] == self.size[1] and words.chance(0.3):
            squares = wording.EQUAL_SIDES[self._upright]
            plain, upward = (squares[:1], squares[1:]) if self._upright else (squares, ())
        unsaid = self.omitted == "orientation"
        names_up = bool(upward) and (unsaid or words.chance(0.75))
        name = words.pick(upward if names_up else plain)
        orientation: str | None = None
        template = self._template(words)
        if not unsaid and not (self._column and names_up and words.chance(0.5)):
            shown = directions[0] if len(directions) == 1 else (*directions[1], *directions[0])
            if (
                names_up
                and not self._column
                and (self.kind is ShapeKind.PLANE or words.chance(0.3))
                and words.chance(0.6)
            ):
                shown = tuple(direction for direction in shown if direction is not Direction.TOP)
            orientation = words.pick(wording.EXTENDING).format(to=going_to(words, shown))
        return self._named(words, template, name), orientation, names_up

    def _template(self, words: Words) -> str:
        if self.omitted == "size":
            return words.pick(wording.UNSIZED)
        if self.kind is ShapeKind.PLANE:
            if self.size[0] == self.size[1]:
                return words.pick(wording.SQUARES)
            return words.pick(wording.UPRIGHT if self._upright else wording.FLAT)
        if self.kind is ShapeKind.DIAGONAL and words.chance(0.2):
            return words.pick(wording.STEPPED)
        return words.pick(wording.LINES_OF_BLOCKS)

    def _named(self, words: Words, template: str, name: str) -> str:
        color = "" if self.omitted == "color" else self.color.value
        floating = words.pick(wording.FLOATING) if self.floating and words.chance(0.6) else ""
        in_words = words.chance(0.6) and "x{" not in template
        along, up = self._two_sizes()
        text = template.format(
            d="a", f=floating, c=color, s=name, n=number_word(along) if in_words else along,
            m=number_word(up) if in_words else up, l=words.pick(wording.TALL if self._column else wording.LONG),
        )  # fmt: skip
        text = text.removesuffix(" in ").removesuffix(" in") if not color else text
        return _with_articles(" ".join(text.split()).replace(" ,", ","))

    @property
    def _column(self) -> bool:
        return self.kind is ShapeKind.ROW and self._upright

    def _two_sizes(self) -> tuple[int, int]:
        """Length along the ground and height; of flat planes width and depth; for lines twice the length."""
        if len(self.size) == 1:
            return self.size[0], self.size[0]
        if self.steps[0].up or (not self._upright and self.steps[0].away):
            return self.size[1], self.size[0]
        return self.size

    def _start(self, words: Words, scene: Scene) -> str:
        reference = words.pick(wording.LAST_OF_SHAPE).format(c=scene.last_color.value)
        if self.start == self.start.step and len(self.start.directions) < 3 and words.chance(0.6):
            return beside(words, self.start, reference)
        return steps_away(words, self.start, reference)

    def _exchange(self, words: Words, where: str | None, names_up: bool) -> tuple[str, str]:
        """What the Builder asks and the Architect answers."""
        if self.omitted == "color":
            return words.pick(wording.ASK_COLOR), words.pick(wording.ANSWER_COLOR).format(c=self.color.value)
        if self.omitted == "location":
            return words.pick(wording.ASK_START), words.pick(wording.ANSWER_START).format(at=where)
        if self.omitted == "orientation":
            shown = [direction for step in self.steps for direction in step.directions]
            if names_up and words.chance(0.5):
                shown = [direction for direction in shown if direction is not Direction.TOP]
            return words.pick(wording.ASK_DIRECTION), words.pick(wording.ANSWER_DIRECTION).format(
                to=going_to(words, shown)
            )
        in_words = words.chance(0.6)
        along, up = (number_word(number) if in_words else number for number in self._two_sizes())
        if self.kind is not ShapeKind.PLANE:
            question, length = (
                (wording.ASK_HEIGHT, wording.TALL) if self._column else (wording.ASK_LENGTH, wording.LONG)
            )
            return words.pick(question), words.pick(wording.ANSWER_LENGTH).format(n=along, l=words.pick(length))
        unequal = wording.ANSWER_UPRIGHT if self._upright else wording.ANSWER_FLAT
        answer = words.pick(wording.ANSWER_SQUARE if along == up else unequal)
        if "x{" in answer:  # "4x4", never "fourxfour"
            along, up = self._two_sizes()
        return words.pick(wording.ASK_SIZE), answer.format(n=along, m=up)


_ORIGIN = Cell(0, 0, 0)


def _turns(rng: Random, shapes: tuple[Shape, ...]) -> list[Turn] | None:
    """One turn for each shape, from the bottom up; None if supports would need more blocks than a colour has."""
    order = list(shapes)
    rng.shuffle(order)
    order.sort(key=lambda shape: shape.floor > 1)  # what stands on the ground comes first
    board: dict[Cell, Color] = {}
    last: Cell | None = None
    turns = []
    for position, shape in enumerate(order):
        starts = _starts(shape)
        rng.shuffle(starts)
        if last is None:
            others = [cell for other in order[1:] for cell in other.cells]
            start = max(starts, key=lambda one: min((_manhattan(one.start, cell) for cell in others), default=0))
        else:
            start = min(starts, key=lambda one: _manhattan(one.start, last))
        name, cells = _build_order(rng, start)
        floats = not any(is_supported(cell, board) for cell in cells)
        actions: list[Action] = []
        used = sum(its is shape.color for its in board.values())
        for number, cell in enumerate(cells):
            one = placement(shape.color, cell, board)
            if len(one) > 1 and used + number + (len(one) + 1) // 2 > BLOCKS_PER_COLOR:
                return None
            actions += one
            board[cell] = shape.color
        started = _Started(start.kind, start.start, start.size, start.steps, name, floats)
        references = () if position == 0 else (last,)
        turns.append(Turn(shape.color, tuple(cells), False, tuple(actions), references, started))
        last = cells[-1]
    return turns


def _starts(shape: Shape) -> list[_Started]:
    """The shape seen from each of its bottom corners."""
    (x, y, z), floor = shape.origin, shape.floor
    ends = [(0,) * len(shape.size)]
    for axis, length in enumerate(shape.size):
        ends += [(*end[:axis], length - 1, *end[axis + 1 :]) for end in ends]
    found = []
    for end in ends:
        corner = Cell(
            x + sum(times * step[0] for times, step in zip(end, shape.steps, strict=True)),
            y + sum(times * step[1] for times, step in zip(end, shape.steps, strict=True)),
            z + sum(times * step[2] for times, step in zip(end, shape.steps, strict=True)),
        )
        if corner[1] == floor:
            steps = tuple(
                (-step[0], -step[1], -step[2]) if times else step for times, step in zip(end, shape.steps, strict=True)
            )
            found.append(_Started(shape.kind, corner, shape.size, steps))
    return found


def _build_order(rng: Random, shape: _Started) -> tuple[str, list[Cell]]:
    """How the Builder goes about it: a plane line by line, along either side, perhaps in zigzag."""
    if len(shape.steps) == 1:
        return "line", list(cells_of(shape.start, shape.size, shape.steps))
    across = rng.random() < 0.5
    zigzag = rng.random() < 0.5
    size, steps = (shape.size[::-1], shape.steps[::-1]) if across else (shape.size, shape.steps)
    cells = list(cells_of(shape.start, size, steps))
    lines = [cells[i : i + size[0]] for i in range(0, len(cells), size[0])]
    if zigzag:
        lines[1::2] = [line[::-1] for line in lines[1::2]]
    upward = steps[0][1] != 0
    name = ("column by column" if upward or (across and not steps[1][1]) else "row by row") + (
        ", zigzag" if zigzag else ""
    )
    return name, [cell for line in lines for cell in line]


def _manhattan(a: Cell, b: Cell) -> int:
    return abs(a[0] - b[0]) + abs(a[1] - b[1]) + abs(a[2] - b[2])


def _with_articles(text: str) -> str:
    """`a orange` becomes `an orange`, `a eight` `an eight`."""
    return _BEFORE_A_VOWEL.sub("an", text)


_BEFORE_A_VOWEL = re.compile(r"\ba(?= [aeiou8])(?! u-)")
