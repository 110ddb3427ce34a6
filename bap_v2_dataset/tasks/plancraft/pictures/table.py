"""The crafting table as the package draws it: pictures of items are the package's, read when they are needed."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from PIL import Image, ImageDraw

from bap_v2_simulators.plancraft.package import module

_MARKS = ("#e8710a", "#1a73e8")  # of the slot that something is taken from, and of that it is put into
_LINE = 5  # pixels


def table_image(state: Mapping[int, Mapping[str, Any]], width: int, marked: Sequence[int]) -> Image.Image:
    """Return the table with what is in the slots, drawn whole.

    Args:
        state: by slot `type` and `quantity`.
        width: in pixels.
        marked: slots that are framed: in orange the first, in blue the second.
    Raises:
        PlancraftMissing: without the package.
    """
    table = _table()
    table.clear()
    for slot, item in sorted(state.items()):
        table.add_item_to_slot(item["type"], slot, item["quantity"])
    picture = Image.fromarray(table.frame).convert("RGB")
    draw = ImageDraw.Draw(picture)
    for slot, color in zip(marked, _MARKS):
        left, top = table.crafting_slot_locations[slot]
        size = table.icon_size
        draw.rectangle((left - 3, top - 3, left + size + 2, top + size + 2), outline=color, width=_LINE)
    return picture.resize((width, round(picture.height * width / picture.width)), Image.Resampling.LANCZOS)


class TableParts(NamedTuple):
    """The parts of which a table is drawn."""

    table: Image.Image  # without items
    icons: dict[str, Image.Image]  # by item
    places: list[tuple[int, int]]  # of the slots, in pixels
    icon_size: int


def table_parts(items: Iterable[str]) -> TableParts:
    """Return the empty table, the pictures of these items, and where they go."""
    table = _table()
    icons = {name: table.overlay_images[name].convert("RGBA") for name in items}
    places = [(int(x), int(y)) for x, y in table.crafting_slot_locations]
    return TableParts(table.base_table.convert("RGB"), icons, places, table.icon_size)


@cache
def _table() -> Any:
    """Reads the pictures of all items once."""
    return module("environment.env").CraftingTableGUI()
