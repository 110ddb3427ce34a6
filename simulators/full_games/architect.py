"""The Architect of a full game: it gives the instructions of a plan, looks at the board, and corrects."""

from dataclasses import replace
from functools import partial
from random import Random

from bap_v2_metric.actions import ActionType, NetAction
from bap_v2_metric.alignment import largest_overlap
from bap_v2_metric.blocks import Cell, Color
from bap_v2_simulators.full_games.anchoring import STAYS, anchored, moved_pose
from bap_v2_simulators.full_games.corrections import DRAWS, addition, begun, clearly, correction, nearest, removal
from bap_v2_simulators.game import MISSION, Utterance
from bap_v2_simulators.language.likeness import UNLIKE
from bap_v2_simulators.language.references import ELLIPSIS, LanguageError, Scene, referring_expression
from bap_v2_simulators.language.shape_instructions import ShapeInstruction
from bap_v2_simulators.language.words import Words
from bap_v2_simulators.pose import Pose
from bap_v2_simulators.simulation import plan_of, played_turns, streams
from bap_v2_simulators.simulator import Instruction, Simulator
from bap_v2_simulators.view import View

Board = dict[Cell, Color]


class CorrectingArchitect:
    """The speaker that knows the target; says one instruction after the other, and what is wrong.

    Args:
        simulator: whose plan and words these are. Its scripted Builder keeps silent: a real one plays.
        split, seed: of the plan: see `bap_v2_simulators.simulation.streams`.
        patience: how many turns may leave the board no better than it was before, until it is better than ever in
            this instruction, or the Architect gives up; three times as many questions.
    Raises:
        SettingsError: for an unknown split, or a seed that is none.
    """

    def __init__(self, simulator: Simulator, split: str, seed: int, patience: int):
        talk = replace(simulator.talk, clarification=0.0, confirmation=0.0, verification=0.0, repairs=0.0)
        simulator = replace(simulator, talk=talk)
        _, poses, language = streams(simulator, split, seed, 0)
        plan = plan_of(simulator, split, 0, seed)
        self.target: Board = dict(plan.target)
        self.repairs = 0
        self.gave_up = False
        self._turns = played_turns(simulator, plan, poses, language)
        self._cells = [action.cell for turn in plan.turns for action in turn.actions]
        self._words = Words(Random(f"{simulator.name} {simulator.version} {split} {seed} corrections"))
        self._moves = STAYS
        self._patience = patience
        self._board: Board = {}
        self._last: Cell | None = None  # the block placed last of those that are there
        self._placed: list[Cell] = []  # by the last turn that changed something, and still there
        self._removed: Cell | None = None  # the only block that this turn took away, if it placed none
        self._steps = 1  # of this turn: 2 if it took away and placed
        self._begin()
        self._said.update(self.instruction())

    @property
    def is_done(self) -> bool:
        """True when it says nothing more: all is built, or it gave up."""
        return self.gave_up or self._turn is None

    @property
    def _is_first(self) -> bool:
        """True while the present instruction is the first one, which any place will do for."""
        return not self._turn.scene.board and self._turn.instruction.denotes(self._turn.scene) is None

    @property
    def pose(self) -> Pose:
        """Pose of the Builder while it listens."""
        return moved_pose(self._turn.scene.pose, self._moves)

    @property
    def goal(self) -> Board:
        """Board that this instruction leads to."""
        return {self._moves(cell): color for cell, color in self._goal.items()}

    def instruction(self) -> list[str]:
        """Return the lines of the present instruction."""
        return [str(line) for line in self._turn.dialogue if line.speaker == "Architect" or line == MISSION]

    def again(self) -> list[str]:
        """Return what is to be done in other words than before, and by names: "the red block" rather than "it"."""
        self._asked += 1
        self.gave_up = self._asked > 3 * (self._patience + 1)  # who only asks is told often, but not for ever
        return [] if self.gave_up else self._in_new_words(self._scene(False))

    def answer(self, board: Board, order: list[Cell], placed: list[Cell], acted: bool) -> list[str]:
        """Return its lines on a board: the next instruction, a correction, or nothing any more.

        Args:
            board: as it is now.
            order: its blocks in the order in which they were placed.
            placed: the blocks of the last turn that are there.
            acted: the Builder did something in this turn, even if it came to nothing.
        """
        # See what was changed, and where the structure stands.
        changed, removed = board != self._board, self._board.keys() - board.keys()
        if changed:
            self._removed = removed.pop() if len(removed) == 1 and not placed else None
            self._steps = 2 if self._board.items() - board.items() else 1
        self._board, self._last, self._placed = dict(board), order[-1] if order else None, placed
        if self._is_first or not self.goal.items() & board.items():
            self._moves = anchored(self._goal, board, self._cells, STAYS if self._is_first else self._moves)

        # All is right: go on with the next instruction.
        wrong = len(self.goal.items() ^ board.items())
        if not wrong:
            self._begin()
            if self._turn is not None:
                self._spoken = self._on_this_board(self._scene(changed))
                self._said.update(self._spoken)
            return self._spoken

        # Something is wrong: give up after too many turns that did not help, else correct.
        if wrong < self._best:
            self._best, self._failures, self._asked = wrong, 0, 0
        elif wrong >= self._wrong:
            self._failures += 1
        self._wrong = wrong
        if self._failures > self._patience:
            self.gave_up = True
            return []
        # What is built first may stand anywhere: it is no error if only the rest has no room there.
        built, goal = ([(color, cell) for cell, color in each.items()] for each in (board, self._goal))
        in_place = board.items() <= self.goal.items()
        crowded = self._is_first and not in_place and largest_overlap(built, goal) == len(built)
        self._why = "NO_ROOM" if crowded else "NOT_RIGHT"
        self.repairs += not crowded
        # The same in other words would sound like one more instruction: at first it waits whether this one is answered.
        if acted or self._failures:
            self._repeats += in_place
            self._in_new_words(self._scene(changed))
        return self._spoken

    def _in_new_words(self, scene: Scene) -> list[str]:
        """Return a correction, the instruction, or a part of it: what was not said yet, as far as there are words."""
        for in_pieces in (False,) * DRAWS + (True,) * DRAWS:
            lines = clearly(partial(self._what_to_do, scene, in_pieces))
            if self._said.isdisjoint(lines):
                break
        self._spoken = lines
        self._said.update(lines)
        return lines

    def _what_to_do(self, scene: Scene, in_pieces: bool) -> list[str]:
        """Return a correction, the instruction once more, or (at any rate if `in_pieces`) a part of it."""
        texts = correction(self.goal, scene, [] if in_pieces else self._placed, self._words)
        if texts:
            return begun(texts, self._words, self._why)
        if in_pieces or self._repeats > 1 or any(self.goal.get(cell) is self._board[cell] for cell in self._placed):
            return addition(self.goal, scene, self._words)
        return self._on_this_board(scene)

    def _scene(self, points: bool) -> Scene:
        """Return the scene that both know now; unless it points, "it" is no word for what the last turn left there."""
        cells = tuple(self._placed) if points else ()
        return Scene(
            self._board, self.pose, View.of(self.pose.yaw), self._last, self._board[self._last] if cells else None,
            False, len(cells), cells, (cells,) if cells else (), last_steps=self._steps,
        )  # fmt: skip

    def _on_this_board(self, scene: Scene) -> list[str]:
        """Return the present instruction; in other words if another block was placed last than the plan has it.

        The instruction fits if what it asks for here is what is still missing.
        """
        instruction, goal, board = self._turn.instruction, self.goal, scene.board
        changes = frozenset(
            NetAction(ActionType.PLACE if cell in goal else ActionType.REMOVE, color, cell)
            for cell, color in goal.items() ^ board.items()
        )
        one = scene.last_count < 2 or scene.last in goal  # of several, "it" cannot be removed
        if (_asks_for(instruction, scene) == changes and one) or (not board and self._is_first):
            return self._planned(scene)

        # A shape may start from the block that was really placed last, or from one with a name.
        first = self._moves(self._turn.turn.cells[0])
        if isinstance(instruction, ShapeInstruction) and board and first not in board:
            start = scene.last if scene.last_count else nearest((first,), scene)[0]
            way, name = scene.view.offset(start, first), referring_expression(start, scene)
            instruction = replace(instruction, start=way, expression=name, reference=start, likeness=UNLIKE)
            if _asks_for(instruction, scene) == changes:  # nothing of it is built yet
                return self._worded(instruction, scene)

        # An instruction about the cell of a removed block fits if that cell is the last one.
        if self._turn.scene.last_removed and self._removed:
            scene_then = replace(scene, last=self._removed, last_removed=True, last_count=1)
            if _asks_for(self._turn.instruction, scene_then) == changes:
                return self._planned(scene_then)

        # Otherwise it asks for some of what differs.
        extra = [cell for cell in board if cell not in goal]
        if extra:
            return [str(Utterance("Architect", text)) for text in removal(extra, scene, self._words)]
        return addition(goal, scene, self._words)

    def _planned(self, scene: Scene) -> list[str]:
        """Return the present instruction; in new words if it was said, or if "it" would be several blocks now."""
        lines = [line for line in self.instruction() if line != str(MISSION)]
        if self._said.isdisjoint(lines) and (scene.last_count < 2 or self._turn.scene.last_count > 1):
            return lines
        instruction = self._turn.instruction
        if instruction.expression == ELLIPSIS:
            instruction = replace(instruction, expression=referring_expression(scene.last, scene))
        return self._worded(instruction, scene)

    def _worded(self, instruction: Instruction, scene: Scene) -> list[str]:
        """Return the lines of an instruction, without greetings and praise."""
        lines = instruction.dialogue(self._words, scene)
        return [str(Utterance("Architect", text)) for _, act, text in lines if act == "instruction"]

    def _begin(self) -> None:
        """Take the next turn of the plan."""
        self._turn = next(self._turns, None)
        self._wrong = self._best = 1_000  # blocks, after the last turn and after the best one
        self._failures = self._asked = 0  # turns since then that made it no better, and questions
        self._repeats = 0  # of this instruction
        self._why = "ASKED"  # how a correction begins: nothing is wrong yet
        self._spoken: list[str] = []  # last
        self._said: set[str] = set()  # since this instruction began
        if self._turn is not None:
            self._goal = dict(self._turn.scene.board)
            for action in self._turn.turn.actions:
                if hasattr(action, "color"):
                    self._goal[action.cell] = action.color
                else:
                    self._goal.pop(action.cell)


def _asks_for(instruction: Instruction, scene: Scene) -> frozenset[NetAction] | None:
    """Return the net actions that are asked for; none if that means nothing there, None if any place will do."""
    try:
        return instruction.denotes(scene if scene.last_count else replace(scene, last=None))
    except LanguageError:
        return frozenset()
