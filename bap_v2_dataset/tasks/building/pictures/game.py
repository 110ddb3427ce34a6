"""A game as frames, and as a picture: a replay, an animation, or text."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from rich.console import RenderableType
from rich.text import Text

from bap_v2_dataset.pictures.cubes import Cube, best_fit, change
from bap_v2_dataset.pictures.picture import Picture, Progress
from bap_v2_dataset.pictures.terminal_colors import Palette
from bap_v2_dataset.tasks.building.pictures.text import game_text
from bap_v2_metric.blocks import Cell, Color, Structure
from bap_v2_metric.notation import format_action
from bap_v2_simulators.game import Game, Step
from bap_v2_simulators.pose import Pose

_ACTION, _LEAST, _LETTER, _MOST = 450, 700, 28, 3500  # milliseconds


@dataclass(frozen=True)
class Frame:
    """A moment of a game. Blocks of the last run of actions are in full color, those of earlier ones pale."""

    text: str
    speaker: str  # Architect or Builder; empty for actions
    cubes: tuple[Cube, ...]
    pose: Pose  # of the Builder where it was last seen: logs tell it for actions only

    @property
    def milliseconds(self) -> int:
        """Time enough to read it."""
        return min(_LEAST + _LETTER * len(self.text), _MOST) if self.speaker else _ACTION


def frames(game: Game) -> Iterator[Frame]:
    """The frames of a game. Several actions between two looks at the board, whose order is unknown, are one frame."""
    pose = next((event.pose for event in game.events if isinstance(event, Step)), Pose(0.5, 1.0, -5.0, 0.0, 0.0))
    yield Frame("the game starts", "", (), pose)
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
        yield Frame(text, speaker, shown, pose)


def fitted_target(game: Game) -> Structure:
    """The target, turned and moved to where it fits the last board best; empty if none is known."""
    board: dict[Cell, Color] = {}
    for event in game.events:
        if isinstance(event, Step):
            event.apply_to(board)
    return best_fit(game.target, Structure.from_colors(board)) if game.target else Structure()


@dataclass(frozen=True, repr=False)
class GamePicture(Picture):
    """A game, and what is said about it in the end."""

    game: Game
    note: str = ""
    formats: ClassVar = (".html", ".gif")

    @property
    def title(self) -> str:
        return self.game.game_id

    def text(self, width: int, colors: Palette | None) -> Iterable[RenderableType]:
        yield from self.parts(width, colors)
        if self.note:
            yield Text(self.note, "bold")

    def parts(self, width: int, colors: Palette | None) -> Iterable[RenderableType]:
        return game_text(self.game, width, colors)

    def drawn(self, format: str, notebook: bool = False, progress: Progress = lambda done, of: None) -> bytes:
        if format == "gif":
            from bap_v2_dataset.tasks.building.pictures.animation import animation

            return animation(self.game, progress)
        from bap_v2_dataset.tasks.building.pictures.replay import replay

        return replay(self.game, self.note).encode()
