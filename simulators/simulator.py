"""What a simulator is: its settings, its plan of turns, and the instructions that it gives (BAP v2, 5.1)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any, Protocol

from bap_v2_metric.actions import Action, NetAction
from bap_v2_metric.blocks import Cell, Color
from bap_v2_simulators.building import board_after
from bap_v2_simulators.language.references import Scene, referring_expression
from bap_v2_simulators.language.turns import Line
from bap_v2_simulators.language.words import DialogueSettings, Words
from bap_v2_simulators.shapes import Shape


@dataclass(frozen=True, slots=True)
class Turn:
    """What the Architect plans for one instruction (step 1) and what the Builder does then (step 4)."""

    color: Color
    cells: tuple[Cell, ...]  # placed or removed, supports aside, in order
    removes: bool
    actions: tuple[Action, ...]  # supports included
    references: tuple[Cell, ...]  # reference blocks that may be used, the preferred one first; none: no reference
    shape: Shape | None = None  # the one being built, if the target is made of shapes
    further_shapes: tuple[Shape, ...] = ()  # those that a run goes over into
    build_order: str | None = None  # how the Builder goes through the cells, if one turn builds a whole shape
    then: "Turn | None" = None  # what is asked for in the same breath, from the last block of this turn
    # What the Builder does in place of all that, a near miss or a part: no item, and the next turn puts it right.
    instead: "Turn | None" = None
    replaced: int = 0  # blocks that are taken away first, if others are placed
    ways: tuple[tuple[int, int, int], ...] = ()  # along the axes of the grid, that its words name besides the reference
    faces: tuple[int, int, int] | None = None  # the way that has to lead away from the Builder

    @property
    def named(self) -> Mapping[str, tuple[Cell, ...]]:
        """The parts of an object that have a name once it is built, each with its blocks."""
        return {}

    @property
    def steps(self) -> "tuple[Turn, ...]":
        """This turn, and what is asked for together with it."""
        return (self,) if self.then is None else (self, self.then)

    @property
    def kind(self) -> str:
        """What is done: "new" if something new is placed or a block removed, else the kind of the request."""
        return "new"

    @property
    def built(self) -> tuple[Action, ...]:
        """The actions of the Builder, those of both steps."""
        steps = self.steps if self.instead is None else (self.instead,)
        return tuple(action for step in steps for action in step.actions)

    def after(self, scene: Scene) -> Scene:
        """Return what both know when it is built."""
        board = board_after(scene.board, self.actions)
        # A part of an object has its name until some of it is gone, or more of it comes.
        named = {**scene.named, **self.named}
        named = {
            name: cells
            for name, cells in named.items()
            if cells and board.keys() >= set(cells) and (self.named or not self._grows(cells, board))
        }
        built = scene.built if self.removes else (*scene.built, self.cells)
        return replace(
            scene, board=board, last=self.cells[-1], last_color=self.color, last_removed=self.removes,
            last_count=len(self.cells), last_cells=self.cells, built=built, asked=False, last_steps=1,
            last_kind=self.kind, named=named, goal=None,
        )  # fmt: skip

    def _grows(self, cells: Sequence[Cell], board: Mapping[Cell, Color]) -> bool:
        """Return whether it places a block of their color that touches some blocks, and is none of them."""
        new = [cell for cell in self.cells if cell in board and cell not in cells]
        return any(
            board[one] is board[other] and max(abs(a - b) for a, b in zip(one, other, strict=True)) == 1
            for one in new
            for other in cells
        )

    @property
    def supports(self) -> int:
        """The number of temporary blocks."""
        return (len(self.actions) - self.replaced - len(self.cells)) // 2


@dataclass(frozen=True, slots=True)
class Plan:
    """A whole game before anyone speaks."""

    target: Mapping[Cell, Color]
    turns: Sequence[Turn]
    shapes: tuple[Shape, ...] = ()  # of the target, if it is made of shapes

    @property
    def items(self) -> Sequence[Turn]:
        """The turns without those that are left out of the items."""
        return [turn for turn in self.turns if turn.instead is None]


class Instruction(Protocol):
    """The words of an Architect: an object that both speaks and computes what it denotes."""

    omitted: str | None  # the detail that it leaves out, for the Builder to ask about

    def denotes(self, scene: Scene) -> frozenset[NetAction] | None:
        """The net actions that it asks for; None if any place on the ground will do. Raises: LanguageError."""

    def dialogue(self, words: Words, scene: Scene) -> list[Line]:
        """(speaker, dialogue act, text) of each utterance."""


class Simulator(Protocol):
    """One of them: its settings, its planning and its language."""

    __slots__ = ()
    name: str
    version: str
    depth: float  # the weight of views in which front or behind is named; 1: all alike, as in the paper
    oblique: float  # the weight of yaws 30 to 45 degrees off the grid, where that is clear; 0: none
    ground: float  # of the share of people that stand on the ground; 0: they are anywhere at that distance
    talk: DialogueSettings

    def plan(self, rng: Random, split: str) -> Plan:
        """A target of the split, and all turns (step 1)."""

    def number_of_turns(self, rng: Random, split: str) -> int:
        """Return how many turns the plan of this stream has, without those that are left out of the items."""
        return len(self.plan(rng, split).items)

    def tells_apart(self, reference: Cell, scene: Scene) -> bool:
        """Return whether the Architect can refer to this block in this scene."""
        return referring_expression(reference, scene, self.talk.corners) is not None

    def instruction(self, turn: Turn, reference: Cell | None, scene: Scene, words: Words) -> Instruction:
        """Return what the Architect says (step 3)."""

    def repaired(self, instruction: Instruction, scene: Scene, words: Words) -> Instruction:
        """The instruction, or one that comes to the same after a correction or a question (`talk.repairs`)."""

    def as_typed(self, words: Words, lines: list[Line], *, asked: bool) -> list[Line]:
        """Return the lines of a turn as they are typed; `asked`: the Builder has just asked whether it is right."""
        return lines

    def metadata(self, turn: Turn, reference: Cell | None, instruction: Instruction) -> dict[str, Any]:
        """The plan of the turn, in plain values."""
