"""Items as numbers: the words read, and for each step the board, the last cells, the last action and the next one."""

import math
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bap_v2_dataset.items.frame import WORLD, Frame, frame_of
from bap_v2_metric.actions import Action, Place, Remove, is_supported
from bap_v2_metric.blocks import Cell, Color, Structure
from bap_v2_metric.notation import parse_action, parse_structure
from bap_v2_simulators.pose import Pose
from bap_v2_training.gru.window import SPECIAL, window_tokens
from bap_v2_training.learning.cells import CELLS, DEPTH, HEIGHT, WIDTH, cell_number, coordinates
from bap_v2_training.learning.net_actions import COLORS, NUMBER_OF_COLOR, numbers_of
from bap_v2_training.learning.vocabulary import Vocabulary

EMPTY = len(COLORS)  # on a board, what is in an empty cell
KINDS = len(COLORS) + 1  # of actions in a cell: place one of six colors, or remove
STOP = CELLS * KINDS  # 7,623: the answer ends
ACTION_NUMBERS = 2 + len(COLORS) + 3  # in the vector of an action
RECENT = 5  # last cells that the model is shown
FRAMES = ("world", "builder")  # in which an item is read: as the game names cells, or turned with the Builder
COLUMNS = ("history", "dialogue", "pose", "before")  # that features are made of; and `actions`, to learn from


def action_index(action: Action) -> int:
    """Return the class of an action in the BuildRegion, 0 to 7,622.

    >>> action_index(Remove(Cell(-5, 1, -5))), action_index(Place(COLORS[1], Cell(-5, 1, -4)))
    (6, 8)
    """
    kind, *cell = numbers_of(action)
    return cell_number(*cell) * KINDS + kind


def action_of(index: int) -> Action:
    """Return the inverse of `action_index`."""
    cell, kind = divmod(index, KINDS)
    place = Cell(*coordinates(cell))
    return Remove(place) if kind == EMPTY else Place(COLORS[kind], place)


def action_vector(action: Action) -> list[float]:
    """Return an action as 11 numbers: place, remove, six colors (zero for a removal), x, y, z."""
    vector = [0.0] * ACTION_NUMBERS
    if isinstance(action, Remove):
        vector[1] = 1.0
    else:
        vector[0] = vector[2 + NUMBER_OF_COLOR[action.color]] = 1.0
    vector[-3:] = map(float, action.cell)
    return vector


@dataclass(frozen=True, slots=True)
class Steps:
    """B items and their S decoder steps, flat: item i has the steps from `starts[i]` to `starts[i + 1]`.

    The last step of an item is that at which it stops.
    """

    tokens: np.ndarray  # int32, the words of all items, one after the other
    token_starts: np.ndarray  # int64 [B + 1]
    poses: np.ndarray  # float32 [B, 5]: x, y, z, yaw and pitch in radians
    starts: np.ndarray  # int64 [B + 1]
    boards: np.ndarray  # uint8 [S, 1089]: number of the color, or EMPTY
    recent: np.ndarray  # int16 [S, 5]: the cells of the last actions of the game, the newest first; -1 for none
    actions: np.ndarray  # float32 [S, 11]: the vector of the action before; zeros at the first step
    targets: np.ndarray  # int64 [S]: class of the action, or STOP

    def __len__(self) -> int:
        return len(self.starts) - 1

    @property
    def levels(self) -> np.ndarray:
        """Int64 [S], 1 to 9: how many levels of the board matter at each step: those with blocks and one more.

        A placement higher up has no support. One that was logged nevertheless raises the levels of its step.
        """
        filled = np.zeros((len(self.boards), HEIGHT), bool)
        for first in range(0, len(self.boards), 4096):  # in parts: the comparison is as large as the boards
            boards = self.boards[first : first + 4096].reshape(-1, WIDTH, HEIGHT, DEPTH)
            filled[first : first + 4096] = (boards != EMPTY).any(axis=(1, 3))
        highest = np.where(filled.any(1), HEIGHT - filled[:, ::-1].argmax(1), 0)
        targeted = np.where(self.targets == STOP, 1, self.targets // KINDS // DEPTH % HEIGHT + 1)
        return np.maximum(np.minimum(highest + 1, HEIGHT), targeted)


class GridWorld:
    """The state that an item's actions change: the board, and the last cells.

    As the metric executes actions (`bap_v2_metric.actions.execute`), kept as numbers as well.
    """

    def __init__(self, before: Structure, history: Iterable[str], frame: Frame = WORLD):
        """The world before the first action.

        Args:
            before: blocks in the BuildRegion.
            history: utterances and actions of the game so far.
            frame: in which cells are named from now on.
        """
        self.colors: dict[Cell, Color] = {frame.cell(cell): color for cell, color in before.colors().items()}
        self.board = np.full(CELLS, EMPTY, np.uint8)
        for cell, color in self.colors.items():
            self.board[cell_number(*cell)] = NUMBER_OF_COLOR[color]
        self._recent: deque[int] = deque(maxlen=RECENT)
        lines: list[str] = []
        for line in reversed(history if isinstance(history, Sequence) else list(history)):
            if not line.startswith("<"):
                lines.append(line)
                if len(lines) == RECENT:
                    break
        for line in reversed(lines):
            cell = frame.cell(parse_action(line, anywhere=True).cell)
            self._recent.appendleft(cell_number(*cell) if cell.in_region else -1)

    @property
    def recent(self) -> list[int]:
        """The numbers of the last five cells, the newest first; -1 for none, or for one outside the BuildRegion."""
        return [*self._recent, *[-1] * (RECENT - len(self._recent))]

    def apply(self, action: Action) -> bool:
        """Carry out an action; False, and nothing changes, if it is infeasible."""
        cell = action.cell
        if isinstance(action, Remove):
            if self.colors.pop(cell, None) is None:
                return False
            kind = EMPTY
        else:
            if not cell.in_region or cell in self.colors or not is_supported(cell, self.colors):
                return False
            self.colors[cell] = action.color
            kind = NUMBER_OF_COLOR[action.color]
        index = cell_number(*cell)
        self.board[index] = kind
        self._recent.appendleft(index)
        return True


def frame_in(row: Mapping[str, Any], frame: str) -> Frame:
    """Return how the world of a row is turned. Args: frame: one of FRAMES."""
    return frame_of(row["pose"]["yaw"]) if frame == "builder" else WORLD


def world_of(row: Mapping[str, Any], frame: Frame = WORLD) -> GridWorld:
    """Return the world of a row before its first action."""
    return GridWorld(parse_structure(row["before"]), row["history"], frame)


def pose_numbers(pose: Mapping[str, float], frame: Frame = WORLD) -> list[float]:
    """x, y, z in cells, yaw and pitch in radians."""
    seen = Pose(**pose) if frame == WORLD else frame.pose(Pose(**pose))
    return [seen.x, seen.y, seen.z, math.radians(seen.yaw), math.radians(seen.pitch)]


def vocabulary_of(rows: Iterable[Mapping[str, Any]], window: str = "h3") -> Vocabulary:
    """Return the special tokens, and the words that the windows of these rows have twice or more."""
    return Vocabulary.of((window_tokens(row, window) for row in rows), SPECIAL)


@dataclass(frozen=True, slots=True)
class Features:
    """Turns rows of a dataset into numbers. Only what a row says enters: no prompt, and no later action."""

    vocabulary: Vocabulary
    window: str = "h3"
    frame: str = "world"

    def of(self, rows: Iterable[Mapping[str, Any]]) -> Steps:
        """Return the items as numbers, with the steps of their actions. A row needs COLUMNS and `actions`."""
        tokens: list[int] = []
        token_starts, starts, poses, steps = [0], [0], [], []
        for row in rows:
            # What the item says of itself
            tokens += self.vocabulary.ids(window_tokens(row, self.window))
            token_starts.append(len(tokens))
            frame = frame_in(row, self.frame)
            poses.append(pose_numbers(row["pose"], frame))
            # A step for each of its actions, and one at which it stops
            world, before = world_of(row, frame), [0.0] * ACTION_NUMBERS
            for line in row["actions"]:
                action = parse_action(line)
                action = action._replace(cell=frame.cell(action.cell))
                steps.append((world.board.copy(), world.recent, before, action_index(action)))
                before = action_vector(action)
                world.apply(action)
            steps.append((world.board, world.recent, before, STOP))
            starts.append(len(steps))
        boards, recent, actions, targets = zip(*steps)
        return Steps(
            np.array(tokens, np.int32), np.array(token_starts), np.array(poses, np.float32), np.array(starts),
            np.stack(boards), np.array(recent, np.int16), np.array(actions, np.float32), np.array(targets),
        )  # fmt: skip
