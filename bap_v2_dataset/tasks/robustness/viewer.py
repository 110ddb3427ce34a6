"""A variant by its id, made again from the item that it was made of, and the two beside each other."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from rich.console import RenderableType

from bap_v2_dataset.interface.task import Row
from bap_v2_dataset.interface.viewer import ItemLocation, ItemQuery, NotFoundError, Predicted, row_of
from bap_v2_dataset.items.rows import perturbation_of
from bap_v2_dataset.pictures.picture import Picture
from bap_v2_dataset.pictures.terminal_colors import Palette
from bap_v2_dataset.sentences import unknown_name
from bap_v2_dataset.tasks.building.pictures.item import ItemPicture, subtitle_of, with_a_pose
from bap_v2_dataset.tasks.building.viewer import BuildingViewer
from bap_v2_dataset.tasks.robustness.families import FAMILIES, variants_of
from bap_v2_dataset.tasks.robustness.pictures.columns import variant_columns, variant_text
from bap_v2_dataset.tasks.robustness.task import BASE_OF
from bap_v2_dataset.tasks.robustness.variant_rows import VariantName, variant_name
from bap_v2_metric.errors import UserError
from bap_v2_simulators.game import Game

if TYPE_CHECKING:
    from bap_v2_dataset.loading.own_splits import OwnData


class RobustnessViewer(BuildingViewer):
    """Items, and variants of them."""

    def locate(self, wanted: ItemQuery) -> ItemLocation:
        """A variant is made again from its parent, of whatever split; the config and split may be the parent's, too."""
        item_id, config, split, *_ = wanted
        if name := variant_name(item_id):
            return self._variant(wanted, name)
        if config in BASE_OF:  # the items that variants are made of
            if split not in (None, "original", "probe", "test"):
                raise NotFoundError(
                    f"{item_id} is no variant, and {split} of {config} holds those of one family: leave out --split, "
                    f"or name a variant, e.g. {_variant_id(item_id, split)}"
                )
            wanted = wanted._replace(config=BASE_OF[config], split="test")
        return super().locate(wanted)

    def _variant(self, wanted: ItemQuery, name: VariantName) -> ItemLocation:
        """It is in the same config that the parent's test set has."""
        item_id, config, split, *_ = wanted
        # The family of the name, and the split that was asked for.
        if name.family not in FAMILIES:
            raise NotFoundError(f"there is no item {item_id}: {unknown_name('family', name.family, FAMILIES)}")
        if split in FAMILIES and split != name.family:
            raise NotFoundError(
                f"{item_id} is a variant of the family {name.family}, not of {split}: leave out --split"
            )
        # The original, and its variants of this family.
        of_parent = None if split in (*FAMILIES, "original", "probe") else split
        parent = super().locate(
            wanted._replace(item_id=name.parent, config=BASE_OF.get(config or "", config), split=of_parent)
        )
        variants = variants_of(parent.row, name.family, config=parent.config)
        rows = {row["metadata"]["perturbation"]["variant"]: row for row in variants}
        if name.number not in rows:
            ids = ", ".join(row["id"] for row in variants)
            problem = f"it has {ids}" if ids else f"the item {name.parent} has no variant of {name.family}"
            raise NotFoundError(f"there is no item {item_id}: {problem}")
        # Where the variant is published, if it is.
        robust = next((robust for robust, base in BASE_OF.items() if base == parent.config), None)
        in_test = parent.split == "test" and not parent.note
        published = robust is not None and in_test and name.family in self.task.configs[robust].splits
        place = (robust, name.family) if published else (parent.config, parent.split)
        return ItemLocation(rows[name.number], *place, parent.note, parent=parent.row)

    def locate_own(self, data: "OwnData", item_id: str, split: str | None = None) -> ItemLocation:
        """Find an item, and of a variant the parent: among the data, or in its config; else it is shown alone."""
        item = super().locate_own(data, item_id, split)
        parent = perturbation_of(item.row).get("parent")
        if not isinstance(parent, str):
            return item
        for rows in data.splits.values():
            if (row := row_of(rows, parent)) is not None:
                return replace(item, parent=row)
        try:
            return replace(item, parent=self.locate(ItemQuery(parent)).row)
        except UserError:  # it is from other own data, or the corpus is not here
            return item

    def game(self, name: str) -> Game:
        if variant := variant_name(name.partition("/")[0]):
            raise NotFoundError(
                f"{name} is no game: variants are made of single items. Show one of them, {name}/NUMBER, or the game "
                f"of the items, --game {variant.parent}"
            )
        return super().game(name)

    def picture(self, item: ItemLocation, predictions: Mapping[str, Predicted], interactive: bool = False) -> Picture:
        return (ItemPicture if item.parent is None else VariantPicture).of(item, predictions, interactive)

    def compared_html(self, parent: Row, place: tuple[str, str], row: Row) -> tuple[str, str]:
        from bap_v2_dataset.tasks.robustness.pictures.explorer import changes_html, pair_html

        return pair_html(parent, row), changes_html(parent, place, row)


@dataclass(frozen=True, repr=False)
class VariantPicture(ItemPicture):
    """A variant beside the item that it was made of; both boards are drawn from the parent's side."""

    parent: Mapping[str, Any] | None = None

    @classmethod
    def of(
        cls, item: ItemLocation, predictions: Mapping[str, Predicted], interactive: bool = False
    ) -> "VariantPicture":
        parent, row = with_a_pose(item.parent), with_a_pose(item.row)
        texts = {name: predicted.text for name, predicted in predictions.items()}
        of_parent = {name: one.of_parent for name, one in predictions.items() if one.of_parent is not None}
        columns = variant_columns(parent, row, texts, of_parent)
        return cls(row, columns, row["id"], subtitle_of(item), interactive, parent["pose"]["yaw"], parent)

    def parts(self, width: int, colors: Palette | None) -> Iterable[RenderableType]:
        return variant_text(self.parent, self.row, self.columns, width, colors)


def _variant_id(item_id: str, family: str) -> str:
    """Return the id of an item's first variant.

    >>> _variant_id("dss-test-0/1", "sa_turn")
    'dss-test-0~sa_turn-1/1'
    """
    game_id, _, number = item_id.rpartition("/")
    return f"{game_id}~{family}-1/{number}"


VIEWER = RobustnessViewer  # what `Task.viewer` makes
