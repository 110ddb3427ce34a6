"""An item or a game as it is shown: text in a terminal, a file, and in a notebook a picture."""

import base64
import io
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, ClassVar

from rich.console import RenderableType
from rich.text import Text

from bap_v2_dataset.pictures.terminal_colors import Palette
from bap_v2_dataset.tables.console import Console
from bap_v2_metric.errors import UserError
from bap_v2_simulators.atomic_files import atomic_write

Progress = Callable[[int, int], None]  # called with the number of frames drawn and of all
_WIDTH = 100  # characters of the text in Python
_LIBRARIES = ("matplotlib", "plotly")  # of the extra `pictures`


class PictureError(UserError):
    """A picture that cannot be made; the message names what is missing."""


class Picture(ABC):
    """The result of `bap_v2_dataset.show`, which `bap-v2 show` prints or writes: a picture in a notebook, else text."""

    title: str  # the id
    subtitle: str  # what it is about, and where it is from
    formats: ClassVar[tuple[str, ...]] = ()  # suffixes of the files that it can be written to
    dots: ClassVar[tuple[int, int]] = (144, 100)  # of an inch: in a notebook's picture, and as it shows it

    @abstractmethod
    def parts(self, width: int, colors: Palette | None) -> Iterable[RenderableType]:
        """Return the parts below the title in a terminal of this width."""

    def drawn(self, format: str, notebook: bool = False, progress: Progress = lambda done, of: None) -> bytes:
        """The file.

        Args:
            format: a suffix without its dot.
            notebook: whether a notebook shows it: a png of `dots`, and not too wide.
        """
        raise PictureError(f"{self.title} is shown as text alone")

    def remark(self, suffix: str) -> str:
        """Name what a file of this format leaves out; "" for nothing."""
        return ""

    def save(self, path: str | Path) -> Path:
        """Writes the picture in the format that the suffix names, one of `formats`; returns its path.

        Raises:
            PictureError: for another suffix, or if matplotlib or plotly is not installed.
        """
        path = Path(path)
        atomic_write(path, self.data(checked_suffix(path, self.formats)))
        return path

    def data(self, suffix: str, notebook: bool = False, progress: Progress = lambda done, of: None) -> bytes:
        """Return the bytes that `save` writes. Raises: PictureError if matplotlib or plotly is not installed."""
        try:
            return self.drawn(suffix[1:], notebook, progress)
        except ModuleNotFoundError as error:
            library = (error.name or "").partition(".")[0]
            if library not in _LIBRARIES:
                raise
            raise PictureError(f'this needs {library}: pip install "bap-v2[pictures]"') from error

    def text(self, width: int, colors: Palette | None) -> Iterable[RenderableType]:
        """Yield the title and the parts, as the terminal shows them."""
        yield Text.assemble((self.title, "bold"), " ", (self.subtitle, "dim"))
        yield from self.parts(width, colors)

    def __str__(self) -> str:
        """Return the text that `bap-v2 show` prints, without colors."""
        text = io.StringIO()
        console = Console(file=text, width=_WIDTH, force_jupyter=False)  # else rich shows it in the notebook itself
        for part in self.text(_WIDTH, None):
            console.print(part, highlight=False)
        return "\n".join(line.rstrip() for line in text.getvalue().rstrip().splitlines())

    __repr__ = __str__

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return a picture for a notebook, and its size; text if a library is not installed."""
        bundle: dict[str, Any] = {"text/plain": str(self)}
        drawn, shown = self.dots
        try:
            picture = _few_colors(self.data(".png", notebook=True))
        except PictureError:
            return bundle, {}
        width = int.from_bytes(picture[16:20], "big") * shown // drawn  # of the header of a PNG
        return bundle | {"image/png": base64.b64encode(picture).decode()}, {"image/png": {"width": width}}


def checked_suffix(path: Path, formats: Iterable[str]) -> str:
    """Return the suffix of a path. Raises: PictureError if there is no such format."""
    *others, last = formats or ("",)
    suffix = path.suffix.lower()
    if not last:
        raise PictureError(f"{path}: this item is shown as text alone")
    if suffix not in (*others, last):
        raise PictureError(f"{path}: the name has to end in {', '.join(others)}{' or ' * bool(others)}{last}")
    return suffix


def _few_colors(png: bytes) -> bytes:
    """Return the picture in a third of the size: notebooks keep all they show."""
    from PIL import Image  # matplotlib needs it

    smaller = io.BytesIO()
    with Image.open(io.BytesIO(png)) as picture:
        picture.convert("RGB").quantize(256, dither=Image.Dither.NONE).save(smaller, "PNG", optimize=True)
    return smaller.getvalue()
