"""`bap-v2 show` of a GSU item: in the terminal, or as a figure."""

from pathlib import Path
from typing import TYPE_CHECKING

import typer
from rich.text import Text

from bap_v2_dataset.cli.terminal import console, errors, widen

if TYPE_CHECKING:
    from bap_v2_dataset.tasks.gsu.lookup import LocatedGsuItem

FORMATS = (".png", ".svg", ".pdf")
_LEAST_WIDTH = 80


def check_output(out: Path) -> None:
    """Raises: BadParameter, for a format that GSU has no pictures in."""
    if out.suffix.lower() not in FORMATS:
        raise typer.BadParameter(
            f"{out}: items of GSU are drawn as .png, .svg or .pdf; interactive pages are for items of building",
            param_hint="--out",
        )


def item_text(item: "LocatedGsuItem", files: list[str], baselines: list[str]) -> None:
    """Prints an item with its map and the answers of systems."""
    from bap_v2_dataset.pictures.terminal_colors import palette_of
    from bap_v2_dataset.tasks.gsu.pictures import text as gsu_text
    from bap_v2_dataset.tasks.gsu.pictures.answers import answered
    from bap_v2_dataset.tasks.gsu.pictures.item import check_drawable, title

    check_drawable(item.row)
    answers = answered(item.row, _predictions(item, files, baselines))
    widen(_LEAST_WIDTH)
    console.print(Text(item.row["id"], "bold"), Text(f"{title(item.row)} · {_where(item)}", "dim"))
    for part in gsu_text.item_text(item.row, answers, console.width, palette_of(console)):
        console.print(part, highlight=False)


def item_image(item: "LocatedGsuItem", files: list[str], baselines: list[str], format: str) -> bytes:
    """The figure of an item with the answers of systems. Args: format: png, svg or pdf."""
    from bap_v2_dataset.tasks.gsu.pictures.answers import answered
    from bap_v2_dataset.tasks.gsu.pictures.figure import image
    from bap_v2_dataset.tasks.gsu.pictures.item import check_drawable

    check_drawable(item.row)
    return image(item.row, answered(item.row, _predictions(item, files, baselines)), _where(item), format)


def _where(item: "LocatedGsuItem") -> str:
    """Where an item is from: `gsu_structure, test`."""
    note = "" if item.published else " (made from its id: the published rows do not have it)"
    return f"{item.config}, {item.split}{note}"


def _predictions(item: "LocatedGsuItem", files: list[str], baselines: list[str]) -> dict[str, str]:
    """By system what it answers."""
    texts = {}
    if files:
        from bap_v2_dataset.evaluation.systems_of_files import named_file, read_systems

        answering = read_systems(files, item.row["id"])
        for file in answering:
            texts[file.label] = file.predictions[item.row["id"]]
        for _, path in map(named_file, files):
            if not any(path in (file.path, *file.path.parents) for file in answering):
                note = f"{path} has no prediction for {item.row['id']}"
                errors.print(note, style="yellow", highlight=False, soft_wrap=True)
    if baselines:
        from bap_v2_dataset.evaluation.scoring import baseline_predictions
        from bap_v2_dataset.tasks.table import TASKS

        task = TASKS["gsu"]
        texts |= {name: baseline_predictions(name, [item.row], task)[0] for name in baselines}
    return texts
