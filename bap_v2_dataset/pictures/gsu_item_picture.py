"""A GSU item as a notebook or a Python prompt shows it: a picture, or text."""

import base64
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from bap_v2_dataset.pictures.gsu_answers import Answer
from bap_v2_dataset.pictures.gsu_item import title
from bap_v2_dataset.pictures.item_picture import PictureError, few_colors, without_library
from bap_v2_simulators.whole_files import write_whole

FORMATS = (".png", ".svg", ".pdf")
_WIDTH = 100  # characters of the text
_DPI, _SHOWN_DPI = 144, 100  # of a picture; and as a notebook shows it: sharp screens have more pixels


@dataclass(frozen=True, repr=False)
class GsuPicture:
    """An item of GSU with the answers of systems: a picture in a notebook, text when printed.

    Attributes:
        row: of the item.
        answers: of systems (`gsu_answers.answered`).
        subtitle: where the item is from.
    """

    row: Mapping[str, Any]
    answers: Sequence[Answer] = ()
    subtitle: str = ""

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

    def __str__(self) -> str:
        """What `bap-v2 show` prints, without colors."""
        from bap_v2_dataset.pictures.gsu_text import item_text

        text = io.StringIO()
        console = Console(file=text, width=_WIDTH, force_jupyter=False)  # else rich shows it in the notebook itself
        console.print(Text(self.row["id"]), Text(" · ".join(filter(None, (title(self.row), self.subtitle)))))
        for part in item_text(self.row, self.answers, _WIDTH, None):
            console.print(part, highlight=False)
        return "\n".join(line.rstrip() for line in text.getvalue().rstrip().splitlines())

    __repr__ = __str__

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> tuple[dict[str, Any], dict[str, Any]]:
        """What a notebook shows, and its size; text if matplotlib is not installed."""
        bundle: dict[str, Any] = {"text/plain": str(self)}
        try:
            picture = few_colors(self._image("png"))
        except PictureError:
            return bundle, {}
        width = int.from_bytes(picture[16:20], "big") * _SHOWN_DPI // _DPI  # of the header of a PNG
        return bundle | {"image/png": base64.b64encode(picture).decode()}, {"image/png": {"width": width}}

    def _image(self, format: str) -> bytes:
        try:
            from bap_v2_dataset.pictures.gsu_figure import image
        except ModuleNotFoundError as error:
            raise without_library(error, "matplotlib") from error
        return image(self.row, self.answers, self.subtitle, format, dpi=_DPI)
