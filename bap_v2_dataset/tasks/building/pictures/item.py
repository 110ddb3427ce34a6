"""An item with its dialogue, boards and models as a picture: a figure, a page to rotate, or text."""

import html
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from rich.console import RenderableType

from bap_v2_dataset.interface.viewer import ItemLocation, Predicted
from bap_v2_dataset.items.rows import metadata_of
from bap_v2_dataset.pictures.picture import Picture, Progress
from bap_v2_dataset.pictures.terminal_colors import Palette
from bap_v2_dataset.tasks.building.own_rows import VIEWPOINT
from bap_v2_dataset.tasks.building.pictures.columns import BoardColumn, item_columns
from bap_v2_dataset.tasks.building.pictures.text import item_text

FORMATS = (".png", ".svg", ".pdf", ".html")
_IN_A_ROW = 4  # boards that fit into a notebook side by side, with text that can be read
_FRAME = 640  # pixels that a page is high where no script may measure it


@dataclass(frozen=True, repr=False)
class ItemPicture(Picture):
    """An item with its dialogue, boards and models: a picture in a notebook, text when printed.

    Attributes:
        row: of the item.
        columns: the boards, from left to right.
        interactive: whether a notebook shows boards to rotate, which need the network for plotly.js, in place of the
            picture. The page that `.save("item.html")` writes needs none.
        yaw: of the camera, in degrees; None: from the side of the Builder in the last column.
    """

    row: Mapping[str, Any]
    columns: Sequence[BoardColumn]
    title: str
    subtitle: str = ""
    interactive: bool = False
    yaw: float | None = None
    formats: ClassVar = FORMATS

    @classmethod
    def of(cls, item: ItemLocation, predictions: Mapping[str, Predicted], interactive: bool = False) -> Self:
        """Return the picture of an item; where nobody knows where the Builder stands, it is drawn at the front."""
        row = with_a_pose(item.row)
        texts = {name: predicted.text for name, predicted in predictions.items()}
        columns = item_columns(row, texts, item.earlier and with_a_pose(item.earlier))
        return cls(row, columns, row["id"], subtitle_of(item), interactive)

    def parts(self, width: int, colors: Palette | None) -> Iterable[RenderableType]:
        return item_text(self.row, self.columns, width, colors)

    def drawn(self, format: str, notebook: bool = False, progress: Progress = lambda done, of: None) -> bytes:
        if format == "html":
            return self._page().encode()
        from bap_v2_dataset.tasks.building.pictures.figure import image

        options = {"dpi": self.dots[0], "in_a_row": _IN_A_ROW} if notebook else {}
        return image(self.columns, self.title, self.subtitle, format, yaw=self.yaw, **options)

    def _page(self, from_network: bool = False) -> str:
        from bap_v2_dataset.tasks.building.pictures.page import page

        return page(self.columns, self.title, self.subtitle, from_network, self.yaw)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> tuple[dict[str, Any], dict[str, Any]]:
        """Show the picture; boards to rotate in a frame of their own, whose styles and scripts touch nothing else."""
        if not self.interactive:
            return super()._repr_mimebundle_(include, exclude)
        measured = "this.style.height=this.contentDocument.documentElement.scrollHeight+8+'px'"
        frame = (
            f'<iframe srcdoc="{html.escape(self._page(from_network=True))}" onload="{measured}" '
            f'style="width:100%;height:{_FRAME}px;border:0" title="{html.escape(self.title)}"></iframe>'
        )
        return {"text/plain": str(self), "text/html": frame}, {}


def with_a_pose(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return the row, seen from the front if nobody knows where the Builder stands."""
    return {**row, "pose": row["pose"] or VIEWPOINT}


def subtitle_of(item: ItemLocation) -> str:
    """Name the place of an item, and what is special about it: `mdc_v2, test · labels: ours`."""
    facts = [item.place.removesuffix(item.note).strip()]
    if item.row["interpretations"] == "multiple":
        facts.append("multiple interpretations")
    if item.row["pose"] is None:
        facts.append("the pose is not known: the Builder is drawn at the front")
    annotation = metadata_of(item.row).get("annotation")
    labels = annotation.get("labels") if isinstance(annotation, Mapping) else None
    return " ".join(filter(None, (", ".join(filter(None, facts)), item.note))) + (
        f" · labels: {labels}" if labels else ""
    )
