"""One full game: an Architect that corrects, a board, and a Builder that acts or asks by text."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from bap_v2_metric.actions import Action, Place, execute
from bap_v2_metric.alignment import largest_overlap
from bap_v2_metric.answers import read_prediction
from bap_v2_metric.blocks import Cell, Color, Structure
from bap_v2_metric.notation import format_action, format_structure
from bap_v2_simulators.full_games.architect import CorrectingArchitect
from bap_v2_simulators.game import Event, Game, Step, Utterance
from bap_v2_simulators.human_turns.simulator import HumanTurns
from bap_v2_simulators.pose import Pose
from bap_v2_simulators.settings import SettingsError
from bap_v2_simulators.simulator import Simulator

GAME_VERSION = "1.3.0"
PATIENCE = 6  # turns that leave the board no better, until it is better than ever in this instruction
MOST_TURNS = 200  # of the Builder
_BUILDER = "<Builder>"
_ASKS = re.compile(
    r"\?|> (?:(?:but|so|sorry|wait|um|hm+)\W+)*(?:what|which|where|how|who|huh|pardon)\b"
    r"|(?:n't|not|dont|cannot) (?:\w+ )?(?:understand|get|follow|know|sure|see|clear)\b"
    r"|\b(?:unclear|confus\w+|mean|repeat|clarify|explain|rephrase|again|once more|lost|help|no idea)\b", re.IGNORECASE,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class GameResult:
    """Outcome of a game. Blocks are compared up to the allowed transforms."""

    completed: bool  # the structure is the target
    tp: int  # blocks of the target that stand
    fp: int  # blocks that do not belong to it
    fn: int  # blocks that are missing
    turns: int  # of the Builder
    repairs: int  # corrections, and instructions said again because of what was built
    questions: int  # turns in which the Builder only asked
    infeasible: int  # actions that changed nothing
    unparsed: int  # lines that are neither actions nor chat

    def to_dict(self) -> dict[str, Any]:
        """Return the counts by name."""
        return asdict(self)


def chat_and_actions(text: str) -> tuple[list[str], str]:
    """Split the text of a turn into its lines of chat, and all others as one text.

    >>> chat_and_actions("place red 0 1 0\\n <Builder>  done?")
    (['<Builder> done?'], 'place red 0 1 0')
    """
    chat, others = [], []
    for line in text.splitlines():
        if line.strip().startswith(_BUILDER):
            chat.append(str(Utterance("Builder", line.strip().removeprefix(_BUILDER).strip())))
        else:
            others.append(line)
    return chat, "\n".join(others)


def carried_out(board: Structure, actions: Sequence[Action]) -> tuple[list[Action], Structure]:
    """Return those of the actions that are feasible, and the board after them."""
    execution = execute(board, actions)
    failed = {failure.index for failure in execution.failures}
    return [action for index, action in enumerate(actions) if index not in failed], execution.after


class BuildGame:
    """A game with a simulated Architect. Equal arguments and equal answers give equal games.

    Args:
        simulator: RandomBlocks(), ShapeBlocks() or WholeShapes().
        seed: of the game.
        split: of the target: train, validation or test.
        patience: see `CorrectingArchitect`.
    Raises:
        SettingsError: for an unknown split, or a seed that is none; or for `dh`, whose Architect changes its mind.
    """

    def __init__(self, simulator: Simulator, seed: int, *, split: str = "test", patience: int = PATIENCE):
        if isinstance(simulator, HumanTurns):
            raise SettingsError("dh has no full games: its Architect changes what was built (expected dr, dsb or dss)")
        self.game_id = f"{simulator.name}-full-{split}-{seed}"
        self.board: dict[Cell, Color] = {}
        self._split = split
        self._events: list[Event] = []
        self.history: list[str] = []  # everything before `dialogue`
        self._architect = CorrectingArchitect(simulator, split, seed, patience)
        self.dialogue: list[str] = []  # what was said since the last action
        self._say(self._architect.instruction())
        self.pose: Pose = self._architect.pose
        self._last: list[Cell] = []  # blocks in the order in which they were placed
        self._placed: list[Cell] = []  # in the last turn that changed something
        self._turns = self._questions = self._infeasible = self._unparsed = 0

    @property
    def is_over(self) -> bool:
        """True when all is built, the Architect gave up, or `MOST_TURNS` turns were played."""
        return self._architect.is_done or self._turns >= MOST_TURNS

    @property
    def target(self) -> Structure:
        """Structure that only the Architect knows."""
        return Structure.from_colors(self._architect.target)

    @property
    def row(self) -> dict[str, Any]:
        """Row with what the Builder knows: dialogue, history, before and pose."""
        pose = {"x": self.pose.x, "y": self.pose.y, "z": self.pose.z, "yaw": self.pose.yaw, "pitch": self.pose.pitch}
        before = format_structure(Structure.from_colors(self.board))
        return {"dialogue": list(self.dialogue), "history": list(self.history), "before": before, "pose": pose}

    def as_game(self, metadata: Mapping[str, Any] | None = None) -> Game:
        """Return the log of what was said and built: one step for each action that changed the board."""
        return Game(self.game_id, self._split, self.target, tuple(self._events), metadata or {})

    def play(self, text: str) -> None:
        """Play one turn of the Builder.

        Args:
            text: actions, one per line; lines that begin with `<Builder>` are chat. Chat alone, with a question mark,
                or with words such as "what" and "repeat", is a question: the Architect says in other words what it said
                last. Actions that are not feasible change nothing.
        """
        if self.is_over:
            return

        # Read the turn, and carry its actions out. If it only asks, it is answered.
        chat, actions = chat_and_actions(text)
        prediction = read_prediction(actions)
        self._turns += 1
        self._unparsed += prediction.unparsed_lines
        self._say(chat)
        done = self._act(prediction.actions)
        if not done and any(map(_ASKS.search, chat)):
            self._questions += 1
            answer = self._architect.again()
        else:
            # What was said before the actions is history from now on. The Architect looks at the board, and speaks.
            if done:
                self.history += self.dialogue + [format_action(action) for action in done]
                self.dialogue = []
                self._events += [Step(self.pose, (action,)) for action in done]
            placed = [cell for cell in self._placed if cell in self.board]
            answer = self._architect.answer(self.board, self._last, placed, bool(done))
        answer = [line for line in answer if line not in self.dialogue]
        if answer:  # what was said in other words before is not asked for twice
            self.history, self.dialogue = self.history + self.dialogue, []
        self._say(answer)
        if not self._architect.is_done:
            self.pose = self._architect.pose

    def result(self) -> GameResult:
        """Return the outcome of the game so far."""
        target = [(color, cell) for cell, color in self._architect.target.items()]
        tp = largest_overlap([(color, cell) for cell, color in self.board.items()], target)
        fp, fn = len(self.board) - tp, len(target) - tp
        return GameResult(
            not fp and not fn, tp, fp, fn, self._turns, self._architect.repairs, self._questions, self._infeasible,
            self._unparsed,
        )  # fmt: skip

    def _say(self, lines: list[str]) -> None:
        self.dialogue += lines
        self._events += map(Utterance.parse, lines)

    def _act(self, actions: tuple) -> list:
        """Carry out what is feasible, and return that."""
        done, after = carried_out(Structure.from_colors(self.board), actions)
        self._infeasible += len(actions) - len(done)
        if done:
            self.board = after.colors()
            self._placed = [action.cell for action in done if isinstance(action, Place)]
            self._last = [cell for cell in self._last + self._placed if cell in self.board]
        return done
