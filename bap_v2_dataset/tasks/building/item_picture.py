"""An item as a notebook or a Python prompt shows it: a picture, a page to rotate, or text."""

import base64
import html
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from bap_v2_dataset.pictures.columns import Column
from bap_v2_metric.errors import UserError
from bap_v2_simulators.whole_files import write_whole

FORMATS = (".png", ".svg", ".pdf", ".html")
_WIDTH = 100  # characters of the text
_DPI = 144
_SHOWN_DPI = 100  # in a notebook: the picture has more pixels, for sharp screens
_IN_A_ROW = 4  # boards that fit into a notebook side by side, with text that can be read
_FRAME = 640  # pixels that a page is high where no script may measure it


class PictureError(UserError):
    """A picture that cannot be made; the message names what is missing."""


@dataclass(frozen=True, repr=False)
class ItemPicture:
    """An item with its dialogue, boards and models: a picture in a notebook, text when printed.

    Attributes:
        row: of the item.
        columns: the boards, from left to right.
        title, subtitle: above them.
        interactive: whether a notebook shows boards to rotate, which need the network for plotly.js, in place of the
            picture.
        parent: of a variant, which is shown beside it: then the columns are those of `variant_columns`.
    """

    row: Mapping[str, Any]
    columns: Sequence[Column]
    title: str
    subtitle: str = ""
    interactive: bool = False
    parent: Mapping[str, Any] | None = None

    def save(self, path: str | Path) -> Path:
        """Writes the picture, .png, .svg or .pdf, or an .html page that needs no network; returns its path.

        Raises:
            PictureError: for another suffix, or if matplotlib or plotly is not installed.
        """
        path = Path(path)
        suffix = path.suffix.lower()
        if suffix not in FORMATS:
            raise PictureError(f"{path}: the name has to end in {', '.join(FORMATS[:-1])} or {FORMATS[-1]}")
        write_whole(path, self._page().encode() if suffix == ".html" else self._image(suffix[1:]))
        return path

    def __str__(self) -> str:
        """What `bap-v2 show` prints, without colors."""
        from bap_v2_dataset.pictures.text import item_text, variant_text

        text = io.StringIO()
        console = Console(file=text, width=_WIDTH, force_jupyter=False)  # else rich shows it in the notebook itself
        console.print(Text(self.title), Text(self.subtitle))
        columns = list(self.columns)
        parts = (
            item_text(self.row, columns, _WIDTH, colors=None)
            if self.parent is None
            else variant_text(self.parent, self.row, columns, _WIDTH, colors=None)
        )
        for part in parts:
            console.print(part, highlight=False)
        return "\n".join(line.rstrip() for line in text.getvalue().rstrip().splitlines())

    __repr__ = __str__

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> tuple[dict[str, Any], dict[str, Any]]:
        """What a notebook shows, and its size; text if matplotlib is not installed."""
        bundle: dict[str, Any] = {"text/plain": str(self)}
        if self.interactive:
            return bundle | {"text/html": self._frame()}, {}
        try:
            picture = few_colors(self._image("png", in_a_row=_IN_A_ROW))
        except PictureError:
            return bundle, {}
        width = int.from_bytes(picture[16:20], "big") * _SHOWN_DPI // _DPI  # of the header of a PNG
        return bundle | {"image/png": base64.b64encode(picture).decode()}, {"image/png": {"width": width}}

    def _image(self, format: str, **options: int) -> bytes:
        try:
            from bap_v2_dataset.pictures.figure import image
        except ModuleNotFoundError as error:
            raise without_library(error, "matplotlib") from error
        return image(self.columns, self.title, self.subtitle, format, dpi=_DPI, yaw=self._yaw, **options)

    def _page(self, from_network: bool = False) -> str:
        try:
            from bap_v2_dataset.pictures.page import page
        except ModuleNotFoundError as error:
            raise without_library(error, "plotly") from error
        return page(self.columns, self.title, self.subtitle, from_network, self._yaw)

    @property
    def _yaw(self) -> float | None:
        """Of the camera: a variant is seen from the parent's side."""
        return None if self.parent is None else self.parent["pose"]["yaw"]

    def _frame(self) -> str:
        """The page in a frame of its own: its styles and scripts touch nothing else of the notebook."""
        measured = "this.style.height=this.contentDocument.documentElement.scrollHeight+8+'px'"
        return (
            f'<iframe srcdoc="{html.escape(self._page(from_network=True))}" onload="{measured}" '
            f'style="width:100%;height:{_FRAME}px;border:0" title="{html.escape(self.title)}"></iframe>'
        )


def few_colors(png: bytes) -> bytes:
    """The same picture in a third of the size: notebooks keep all they show."""
    from PIL import Image  # matplotlib needs it

    smaller = io.BytesIO()
    with Image.open(io.BytesIO(png)) as picture:
        picture.convert("RGB").quantize(256, dither=Image.Dither.NONE).save(smaller, "PNG", optimize=True)
    return smaller.getvalue()


def without_library(error: ModuleNotFoundError, library: str) -> Exception:
    """What to raise for a library of the extra `pictures` that is not installed."""
    if error.name is None or error.name.partition(".")[0] != library:
        return error
    return PictureError(f'this needs {library}: pip install "bap-v2[pictures]"')
