"""A GSU item as a notebook or a Python prompt shows it: a picture, or text."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import RenderableType

from bap_v2_dataset.pictures.notebook_picture import WIDTH, NotebookPicture
from bap_v2_dataset.tasks.building.item_picture import PictureError, without_library
from bap_v2_dataset.tasks.gsu.pictures.answers import Answer
from bap_v2_dataset.tasks.gsu.pictures.item import title
from bap_v2_simulators.whole_files import write_whole

FORMATS = (".png", ".svg", ".pdf")


@dataclass(frozen=True, repr=False)
class GsuPicture(NotebookPicture):
    """An item of GSU with the answers of systems: a picture in a notebook, text when printed.

    Attributes:
        row: of the item.
        answers: of systems (`gsu_answers.answered`).
        subtitle: where the item is from.
    """

    row: Mapping[str, Any]
    answers: Sequence[Answer] = ()
    subtitle: str = ""
    dots = (144, 100)

    def save(self, path: str | Path) -> Path:
        """Writes the picture, .png, .svg or .pdf; returns its path.

        Raises:
            PictureError: for another suffix, or if matplotlib is not installed.
        """
        path = Path(path)
        suffix = path.suffix.lower()
        if suffix not in FORMATS:
            raise PictureError(f"{path}: the name has to end in .png, .svg or .pdf; items of GSU have no pages")
        write_whole(path, self._image(suffix[1:]))
        return path

    def heading(self) -> tuple[str, str]:
        return self.row["id"], " · ".join(filter(None, (title(self.row), self.subtitle)))

    def parts(self) -> Iterable[RenderableType]:
        from bap_v2_dataset.tasks.gsu.pictures.text import item_text

        return item_text(self.row, self.answers, WIDTH, None)

    def png(self) -> bytes:
        return self._image("png")

    def _image(self, format: str) -> bytes:
        try:
            from bap_v2_dataset.tasks.gsu.pictures.figure import image
        except ModuleNotFoundError as error:
            raise without_library(error, "matplotlib") from error
        return image(self.row, self.answers, self.subtitle, format, dpi=self.dots[0])
