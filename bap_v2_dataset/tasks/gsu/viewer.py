"""The GSU item of an id, made again, and its picture: nothing has to be set up, any seed and any index will do."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from rich.console import RenderableType

from bap_v2_dataset.interface.viewer import ItemLocation, ItemQuery, NotFoundError, Predicted, Viewer
from bap_v2_dataset.pictures.picture import Picture, Progress
from bap_v2_dataset.pictures.terminal_colors import Palette
from bap_v2_dataset.sentences import unknown_name
from bap_v2_dataset.tasks.gsu.ids import parse_id
from bap_v2_dataset.tasks.gsu.pictures.answers import Answer, answered
from bap_v2_dataset.tasks.gsu.pictures.item import check_drawable, title
from bap_v2_dataset.tasks.gsu.pictures.text import item_text
from bap_v2_dataset.tasks.gsu.rows import row_of
from bap_v2_dataset.tasks.gsu.task import JOINT, MAIN_CONFIGS
from bap_v2_simulators.gsu.configs import CONFIGS, SIZES
from bap_v2_simulators.simulation import SPLITS

_LIKE = re.compile(r"(?P<config>gsu\w*?)(?:-seed-?\d+)?-(?P<split>[A-Za-z]\w*)(?:-(?P<index>.*))?")
_EXAMPLE = "gsu_follower_ego_2d-test-7, or gsu_follower_ego_2d-seed1-test-7 of another seed"


class GsuViewer(Viewer):
    """Items of GSU, each with its map, question and answer."""

    formats = (".png", ".svg", ".pdf")

    def locate(self, wanted: ItemQuery) -> ItemLocation:
        """Find an item; its config may also be the joint config `gsu`, with its splits.

        Raises:
            NotFoundError: for an id that is not one of GSU, and for another config or split than it says.
            bap_v2_simulators.settings.SettingsError: for a seed of more than 64 bits.
        """
        item_id, config, split, *_ = wanted
        item = parse_id(item_id)
        if item is None:
            raise NotFoundError(_no_such_id(item_id))
        if config == JOINT and item.config not in MAIN_CONFIGS:
            raise NotFoundError(f"{item_id} is not in the joint config {JOINT}: leave out --config")
        if config not in (None, JOINT, item.config):
            raise NotFoundError(f"{item_id} is an item of {item.config}, not of {config}: leave out --config")
        if split not in (None, item.split, *([f"test_{item.config}"] * (config == JOINT and item.split == "test"))):
            raise NotFoundError(f"{item_id} is an item of {item.split}, not of {split}: leave out --split")
        published = not item.seed and item.index < SIZES[item.split]
        note = "" if published else "(made from its id: the published rows do not have it)"
        return ItemLocation(
            row_of(CONFIGS[item.config], item.split, item.index, item.seed), item.config, item.split, note
        )  # fmt: skip

    def picture(self, item: ItemLocation, predictions: Mapping[str, Predicted], interactive: bool = False) -> Picture:
        check_drawable(item.row)
        texts = {name: predicted.text for name, predicted in predictions.items()}
        return GsuPicture(item.row, answered(item.row, texts), item.place)


@dataclass(frozen=True, repr=False)
class GsuPicture(Picture):
    """An item of GSU with the answers of systems: a picture in a notebook, text when printed.

    Attributes:
        row: of the item.
        answers: of systems.
        place: where the item is from.
    """

    row: Mapping[str, Any]
    answers: Sequence[Answer] = ()
    place: str = ""
    formats: ClassVar = GsuViewer.formats

    @property
    def title(self) -> str:
        return self.row["id"]

    @property
    def subtitle(self) -> str:
        return " · ".join(filter(None, (title(self.row), self.place)))

    def parts(self, width: int, colors: Palette | None) -> Iterable[RenderableType]:
        return item_text(self.row, self.answers, width, colors)

    def drawn(self, format: str, notebook: bool = False, progress: Progress = lambda done, of: None) -> bytes:
        from bap_v2_dataset.tasks.gsu.pictures.figure import image

        return image(self.row, self.answers, self.place, format, self.dots[0] if notebook else 160)


def _no_such_id(item_id: str) -> str:
    """Return what is wrong with an id.

    >>> _no_such_id("gsu_structure-dev-3")
    "there is no item gsu_structure-dev-3: unknown split 'dev' (expected one of train, validation, test)"
    """
    like = _LIKE.fullmatch(item_id)
    start = f"there is no item {item_id}"
    if like and like["config"] == JOINT:
        return (
            f"{start}: the joint config {JOINT} has the items of other configs, with ids like {MAIN_CONFIGS[0]}-test-7"
        )
    if like and like["config"] not in CONFIGS:
        return f"{start}: {unknown_name('config', like['config'], CONFIGS)}"
    if like and like["split"] not in SPLITS:
        return f"{start}: {unknown_name('split', like['split'], SPLITS)}"
    return f"{start}: ids of GSU end in the number of the item, like {_EXAMPLE}"


VIEWER = GsuViewer  # what `Task.viewer` makes
