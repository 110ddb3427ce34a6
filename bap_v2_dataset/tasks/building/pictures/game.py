"""A game as a picture: a replay, an animation, or text."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from rich.console import RenderableType
from rich.text import Text

from bap_v2_dataset.pictures.picture import Picture, Progress
from bap_v2_dataset.pictures.terminal_colors import Palette
from bap_v2_dataset.tasks.building.pictures.text import game_text
from bap_v2_simulators.game import Game


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
