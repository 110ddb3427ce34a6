"""The Architect of a full game: it gives the instructions of a plan, looks at the board, and corrects."""

from dataclasses import replace
from random import Random

from bap_v2_metric.actions import ActionType, NetAction
from bap_v2_metric.blocks import Cell, Color
from bap_v2_simulators.full_games.anchoring import STAYS, anchored, moved_pose
from bap_v2_simulators.full_games.corrections import addition, clearly, correction, removal
from bap_v2_simulators.game import MISSION, Utterance
from bap_v2_simulators.language.likeness import UNLIKE
from bap_v2_simulators.language.references import LanguageError, ReferringExpression, Scene
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
        patience: how many corrections in a row may leave the board no better before it gives up.
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
        self._before: Board = {}  # the Builder's last turn
        self._removed: Cell | None = None  # where a block was taken away last
        self._begin({})

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
        """Return what it said last, once more: a correction or the instruction."""
        return self._spoken or self._instruction_again()

    def _instruction_again(self) -> list[str]:
        return [line for line in self.instruction() if line != str(MISSION)]

    def answer(self, board: Board, last: Cell | None, placed: list[Cell]) -> list[str]:
        """Return its lines on a board: the next instruction, a correction, or nothing any more.

        Args:
            board: as it is now.
            last: the block placed last of those that are there.
            placed: the blocks of the last turn that are there.
        """
        # See what was taken away, and where the structure stands.
        removed = self._before.keys() - board.keys()
        if removed:
            self._removed = removed.pop() if len(removed) == 1 else None
        self._before = dict(board)
        if self._is_first or not self.goal.items() & board.items():
            self._moves = anchored(self._goal, board, self._cells, STAYS if self._is_first else self._moves)

        # All is right: go on with the next instruction.
        wrong = len(self.goal.items() ^ board.items())
        if not wrong:
            self._begin(board)
            if self._turn is not None:
                self._spoken = self._on_this_board(self._scene(board, last, placed))
            return self._spoken

        # Something is wrong: give up after too many corrections that did not help, else correct.
        self._failures = 0 if wrong < self._wrong else self._failures + 1
        self._wrong = wrong
        if self._failures > self._patience:
            self.gave_up = True
            return []
        self.repairs += 1
        # The same in other words would sound like one more instruction: at first it waits whether this one is answered.
        if self._seen != board or self._failures:
            self._seen, self._spoken = dict(board), self._on_what_is_wrong(board, last, placed)
        return self._spoken

    def _on_what_is_wrong(self, board: Board, last: Cell | None, placed: list[Cell]) -> list[str]:
        """Return a correction, the instruction once more, or one block of it. Arguments as for `answer`."""
        goal, scene = self.goal, self._scene(board, last, placed)
        lines = clearly(lambda: correction(goal, scene, placed, self._words))
        if lines:
            return lines
        self._repeats += 1
        begun = any(goal.get(cell) is board[cell] for cell in placed)
        if begun or self._repeats > 1:
            return clearly(lambda: addition(goal, scene, self._words, []))
        return self._on_this_board(scene)

    def _scene(self, board: Board, last: Cell | None, placed: list[Cell]) -> Scene:
        """Return the scene that both know now. Arguments as for `answer`."""
        color = board.get(last)
        cells = (tuple(placed) or (last,)) if color else ()
        view = View.of(self.pose.yaw)
        return Scene(board, self.pose, view, last, color, False, len(cells), cells, (cells,) if cells else ())

    def _on_this_board(self, scene: Scene) -> list[str]:
        """Return the present instruction; in other words if another block was placed last than the plan has it.

        The instruction fits if what it asks for here is what is still missing.
        """
        instruction, changes = self._turn.instruction, self._changes(scene.board)
        if _asks_for(instruction, scene) == changes or (not scene.board and self._is_first):
            return self._instruction_again()

        # A shape may start from the block that was really placed last.
        if isinstance(instruction, ShapeInstruction) and scene.last in scene.board:
            start = scene.view.offset(scene.last, self._moves(self._turn.turn.cells[0]))
            instruction = replace(
                instruction, start=start, expression=ReferringExpression("last"), reference=scene.last, likeness=UNLIKE
            )
            if _asks_for(instruction, scene) == changes:  # nothing of it is built yet
                lines = instruction.dialogue(self._words, scene)
                return [f"<Architect> {text}" for speaker, _, text in lines if speaker == "Architect"]

        # An instruction about the cell of a removed block fits if that cell is the last one.
        planned: list[str] = []
        if self._turn.scene.last_removed and self._removed:
            scene_then = replace(scene, last=self._removed, last_removed=True)
            if _asks_for(self._turn.instruction, scene_then) == changes:
                planned = self._instruction_again()

        # Otherwise it asks for some of what differs.
        extra = [cell for cell in scene.board if cell not in self.goal]
        if extra:
            return planned or [str(Utterance("Architect", text)) for text in removal(extra, scene, self._words)]
        return addition(self.goal, scene, self._words, planned)

    def _changes(self, board: Board) -> frozenset[NetAction]:
        """Return the net actions that are still missing for this instruction."""
        goal = self.goal
        return frozenset(
            NetAction(ActionType.PLACE if cell in goal else ActionType.REMOVE, color, cell)
            for cell, color in goal.items() ^ board.items()
        )

    def _begin(self, board: Board) -> None:
        """Take the next turn of the plan, on this board."""
        self._turn = next(self._turns, None)
        self._failures, self._wrong = 0, 1_000
        self._repeats = 0  # of this instruction
        self._seen = dict(board)  # when it spoke last
        self._spoken: list[str] = []  # last
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
        return instruction.denotes(scene)
    except LanguageError:
        return frozenset()
