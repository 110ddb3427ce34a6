"""Items of GSU as a page to look through: each as a figure, and as `bap-v2 show` prints it.

python docs/draw_gsu_gallery.py runs/gsu_gallery         # ten test items of each config
python docs/draw_gsu_gallery.py runs/gsu_gallery 3 gsu_structure
"""

import html
import io
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rich.console import Console

from bap_v2_dataset.tasks.gsu.baselines import cardinal_reader
from bap_v2_dataset.tasks.gsu.pictures.answers import answered
from bap_v2_dataset.tasks.gsu.pictures.figure import image
from bap_v2_dataset.tasks.gsu.pictures.item import title
from bap_v2_dataset.tasks.gsu.pictures.text import item_text
from bap_v2_dataset.tasks.gsu.task import GSU
from bap_v2_simulators.gsu.configs import CONFIGS

ITEMS = 10
_WIDTH, _DPI = 80, 110
_STYLE = "body{font-family:sans-serif} pre{font-size:11px;line-height:1.15} img{max-width:100%}"


def text_of(row: Mapping[str, Any]) -> str:
    """What a terminal of 80 columns shows of an item."""
    text = io.StringIO()
    console = Console(file=text, width=_WIDTH)
    for part in item_text(row, _answers(row), _WIDTH, None):
        console.print(part, highlight=False)
    return "\n".join(line.rstrip() for line in text.getvalue().splitlines())


def _answers(row: Mapping[str, Any]) -> list:
    """A reader in the wrong frame, to see a wrong answer beside the right one."""
    return answered(row, {"cardinal-reader": cardinal_reader(row)})


def main(folder: Path, items: int = ITEMS, *configs: str) -> None:
    """Writes the figures, and a page with all of them."""
    folder.mkdir(parents=True, exist_ok=True)
    sections = []
    for config in configs or CONFIGS:
        for index in range(items):
            row = GSU.viewer.locate(f"{config}-test-{index}").row
            (folder / f"{row['id']}.png").write_bytes(image(row, _answers(row), f"{config}, test", dpi=_DPI))
            heading = html.escape(f"{row['id']}: {title(row)}")
            text = html.escape(text_of(row))
            sections.append(f"<section><h2>{heading}</h2><img src='{row['id']}.png' alt=''><pre>{text}</pre></section>")
        print(f"{config}: {items} items")
    page = "<!DOCTYPE html><meta charset='utf-8'><title>Items of GSU</title><style>" + _STYLE + "</style>"
    (folder / "index.html").write_text(page + "\n".join(sections), encoding="utf-8")


if __name__ == "__main__":
    folder, number, *names = [*sys.argv[1:], *("runs/gsu_gallery", ITEMS)[len(sys.argv) - 1 :]]
    main(Path(folder), int(number), *names)
