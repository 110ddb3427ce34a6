"""A game as frames: the start, then every utterance and every action."""

from collections.abc import Iterator
from dataclasses import dataclass

from bap_v2_dataset.pictures.cubes import Cube, best_fit, change
from bap_v2_metric.blocks import Cell, Color, Structure
from bap_v2_metric.notation import format_action
from bap_v2_simulators.game import Game, Step
from bap_v2_simulators.pose import Pose

_ACTION, _LEAST, _LETTER, _MOST = 450, 700, 28, 3500  # milliseconds


@dataclass(frozen=True)
class GameFrame:
    """A moment of a game. Blocks of the last run of actions are in full color, those of earlier ones pale."""

    text: str
    speaker: str  # Architect or Builder; empty for actions
    cubes: tuple[Cube, ...]
    pose: Pose  # of the Builder where it was last seen: logs tell it for actions only

    @property
    def milliseconds(self) -> int:
        """Time enough to read it."""
        return min(_LEAST + _LETTER * len(self.text), _MOST) if self.speaker else _ACTION


def frames(game: Game) -> Iterator[GameFrame]:
    """The frames of a game. Several actions between two looks at the board, whose order is unknown, are one frame."""
    pose = next((event.pose for event in game.events if isinstance(event, Step)), Pose(0.5, 1.0, -5.0, 0.0, 0.0))
    yield GameFrame("the game starts", "", (), pose)
    board: dict[Cell, Color] = {}
    start, running = Structure(), False  # of the run of actions
    for event in game.events:
        if isinstance(event, Step):
            start, running = (start if running else Structure.from_colors(board)), True
            event.apply_to(board)
            pose, speaker, text = event.pose, "", " + ".join(map(format_action, event.actions))
        else:
            running, speaker, text = False, event.speaker, event.text
        cubes = change(start, Structure.from_colors(board))
        shown = tuple(cube for cube in cubes if cube.solid or running)  # what is gone is not named
        yield GameFrame(text, speaker, shown, pose)


def fitted_target(game: Game) -> Structure:
    """Return the target, turned and moved to where it fits the last board best; empty if none is known."""
    board: dict[Cell, Color] = {}
    for event in game.events:
        if isinstance(event, Step):
            event.apply_to(board)
    return best_fit(game.target, Structure.from_colors(board)) if game.target else Structure()
