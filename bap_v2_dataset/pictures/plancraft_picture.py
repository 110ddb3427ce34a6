"""A task of Plancraft with episodes, as a notebook or a Python prompt shows it: a strip of pictures, or text."""

import base64
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from bap_v2_dataset.pictures.item_picture import PictureError, few_colors, without_library
from bap_v2_dataset.pictures.plancraft_frames import Shown
from bap_v2_dataset.pictures.plancraft_text import task_text, title
from bap_v2_simulators.whole_files import write_whole

FORMATS = (".png", ".svg", ".pdf", ".gif", ".html")
_WIDTH = 100  # characters of the text
_DPI, _SHOWN_DPI = 110, 90  # of a picture; and as a notebook shows it


@dataclass(frozen=True, repr=False)
class PlancraftPicture:
    """A task of Plancraft with episodes of systems: pictures of every turn in a notebook, text when printed.

    Attributes:
        row: of the task.
        episodes: of systems (`plancraft_frames.shown_episode`).
        subtitle: where the task is from.
    """

    row: Mapping[str, Any]
    episodes: Sequence[Shown]
    subtitle: str = ""

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

    def __str__(self) -> str:
        """What `bap-v2 show` prints, without colors."""
        text = io.StringIO()
        console = Console(file=text, width=_WIDTH, force_jupyter=False)  # else rich shows it in the notebook itself
        console.print(Text(self.row["id"]), Text(" · ".join(filter(None, (title(self.row), self.subtitle)))))
        for part in task_text(self.row, self.episodes):
            console.print(part, highlight=False)
        return "\n".join(line.rstrip() for line in text.getvalue().rstrip().splitlines())

    __repr__ = __str__

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> tuple[dict[str, Any], dict[str, Any]]:
        """What a notebook shows, and its size; text if matplotlib is not installed."""
        bundle: dict[str, Any] = {"text/plain": str(self)}
        try:
            picture = few_colors(self._file(".png"))
        except PictureError:
            return bundle, {}
        width = int.from_bytes(picture[16:20], "big") * _SHOWN_DPI // _DPI  # of the header of a PNG
        return bundle | {"image/png": base64.b64encode(picture).decode()}, {"image/png": {"width": width}}

    def _file(self, suffix: str) -> bytes:
        name = " · ".join(filter(None, (self.row["id"], self.subtitle)))
        if suffix == ".html":
            from bap_v2_dataset.pictures.plancraft_replay import replay

            return replay(self.row, self.episodes, self.subtitle or "own task").encode()
        try:
            from bap_v2_dataset.pictures.plancraft_animation import animation, strip
        except ModuleNotFoundError as error:
            raise without_library(error, "matplotlib") from error
        if suffix == ".gif":
            return animation(self.episodes[0], self.row["id"])
        return strip(self.episodes, name, suffix[1:], _DPI)
