"""What a notebook or a Python prompt shows of an item: a picture, or the text of `bap-v2 show`."""

import base64
import io
from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any

from rich.console import Console, RenderableType
from rich.text import Text

from bap_v2_dataset.tasks.building.item_picture import PictureError, few_colors

WIDTH = 100  # characters of the text


class NotebookPicture(ABC):
    """An item that is a picture in a notebook, and text when printed."""

    dots: tuple[int, int]  # of an inch: in the picture, and as a notebook shows it (sharp screens have more pixels)

    @abstractmethod
    def heading(self) -> tuple[str, str]:
        """The id, and what the item is about."""

    @abstractmethod
    def parts(self) -> Iterable[RenderableType]:
        """What the terminal shows below it, WIDTH characters wide and without colors."""

    @abstractmethod
    def png(self) -> bytes:
        """The picture. Raises: PictureError if a library is not installed."""

    def __str__(self) -> str:
        """What `bap-v2 show` prints, without colors."""
        text = io.StringIO()
        console = Console(file=text, width=WIDTH, force_jupyter=False)  # else rich shows it in the notebook itself
        console.print(*map(Text, self.heading()))
        for part in self.parts():
            console.print(part, highlight=False)
        return "\n".join(line.rstrip() for line in text.getvalue().rstrip().splitlines())

    __repr__ = __str__

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> tuple[dict[str, Any], dict[str, Any]]:
        """What a notebook shows, and its size; text if a library is not installed."""
        bundle: dict[str, Any] = {"text/plain": str(self)}
        try:
            picture = few_colors(self.png())
        except PictureError:
            return bundle, {}
        drawn, shown = self.dots
        width = int.from_bytes(picture[16:20], "big") * shown // drawn  # of the header of a PNG
        return bundle | {"image/png": base64.b64encode(picture).decode()}, {"image/png": {"width": width}}
