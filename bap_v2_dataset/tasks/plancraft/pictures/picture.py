"""A task of Plancraft with episodes, as a notebook or a Python prompt shows it: a strip of pictures, or text."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import RenderableType

from bap_v2_dataset.pictures.notebook_picture import NotebookPicture
from bap_v2_dataset.tasks.building.item_picture import PictureError, without_library
from bap_v2_dataset.tasks.plancraft.pictures.frames import Shown
from bap_v2_dataset.tasks.plancraft.pictures.text import task_text, title
from bap_v2_simulators.whole_files import write_whole

FORMATS = (".png", ".svg", ".pdf", ".gif", ".html")


@dataclass(frozen=True, repr=False)
class PlancraftPicture(NotebookPicture):
    """A task of Plancraft with episodes of systems: pictures of every turn in a notebook, text when printed.

    Attributes:
        row: of the task.
        episodes: of systems (`plancraft_frames.shown_episode`).
        subtitle: where the task is from.
    """

    row: Mapping[str, Any]
    episodes: Sequence[Shown]
    subtitle: str = ""
    dots = (110, 90)

    def save(self, path: str | Path) -> Path:
        """Writes a strip of all turns (.png, .svg, .pdf), an animation of the first episode (.gif) or a page (.html).

        Raises:
            PictureError: for another suffix, or if matplotlib is not installed.
        """
        path = Path(path)
        suffix = path.suffix.lower()
        if suffix not in FORMATS:
            raise PictureError(f"{path}: the name has to end in {', '.join(FORMATS[:-1])} or {FORMATS[-1]}")
        write_whole(path, self._file(suffix))
        return path

    def heading(self) -> tuple[str, str]:
        return self.row["id"], " · ".join(filter(None, (title(self.row), self.subtitle)))

    def parts(self) -> Iterable[RenderableType]:
        return task_text(self.row, self.episodes)

    def png(self) -> bytes:
        return self._file(".png")

    def _file(self, suffix: str) -> bytes:
        if suffix == ".html":
            from bap_v2_dataset.tasks.plancraft.pictures.replay import replay

            return replay(self.row, self.episodes, self.subtitle or "own task").encode()
        try:
            from bap_v2_dataset.tasks.plancraft.pictures.animation import animation, strip
        except ModuleNotFoundError as error:
            raise without_library(error, "matplotlib") from error
        if suffix == ".gif":
            return animation(self.episodes[0], self.row["id"])
        name = " · ".join(filter(None, (self.row["id"], self.subtitle)))
        return strip(self.episodes, name, suffix[1:], self.dots[0])
