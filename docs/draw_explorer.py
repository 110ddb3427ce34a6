"""Screenshots of pages, made in headless Chromium: `explorer.png`, `play.png` and `talk.png` in docs/pictures.

python docs/draw_explorer.py             # the explorer with two baselines on human items: needs their corpus
python docs/draw_explorer.py play        # a full game that a person plays
python docs/draw_explorer.py talk=MODEL  # a talk with a Builder
"""

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import datasets
from playwright.sync_api import Page, sync_playwright

import bap_v2_dataset  # noqa: F401 (registers the name)
from bap_v2_dataset.tasks.building.task import BUILDING

ITEM = "B36-A25-C148-1524179747169/8"  # that of docs/pictures/comparison.png
SAID = (  # of the target of dss-test-5
    "form an orange row on the ground, it's 6 long going right",
    "then perhaps a green column of four starting one up and two to the left of the last block",
)  # fmt: skip
FLAGS = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"]  # no graphics card


def main(*names: str) -> None:
    folder = Path("docs/pictures")
    if "explorer" in (names or ("explorer",)):
        draw_explorer(folder / "explorer.png")
    if "play" in (names or ("play",)):
        with served("play", "dss", "--seed", "36", "--browser") as address:
            draw(address, folder / "play.png", play)
    for name in names:
        if name.startswith("talk="):
            options = ("--model", name.removeprefix("talk="), "--target", "dss-test-5")
            with served("talk", "--browser", *options) as address:
                draw(address, folder / "talk.png", talk)


def draw_explorer(picture: Path) -> None:
    rows = datasets.load_dataset("bap_v2", "mdc_v2", split="test").to_list()
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for name in ("symbolic", "stack"):
            file = Path(folder, f"{name}.jsonl")
            predictions = zip(rows, map(BUILDING.baseline(name), rows))
            file.write_text("\n".join(json.dumps({"id": row["id"], "prediction": text}) for row, text in predictions))
            files.append(f"{name}={file}")
        with served("explore", "--no-open", *files) as address:
            draw(f"{address}/?config=mdc_v2&split=test&item={ITEM}", picture, look)


@contextmanager
def served(*arguments: str) -> Iterator[str]:
    """The address of a page that a command serves."""
    command = [sys.executable, "-c", "from bap_v2_dataset.cli import main; main()", *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            yield re.match(r"\S+", server.stdout.readline())[0]
        finally:
            server.terminate()


def draw(address: str, picture: Path, until: Callable[[Page], None]) -> None:
    """Writes a screenshot of the page when `until` has done something with it."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=FLAGS)
        page = browser.new_page(viewport={"width": 1400, "height": 900})
        page.set_default_timeout(120_000)  # machines are busy
        page.goto(address)
        until(page)
        page.wait_for_timeout(8_000)  # the pictures are drawn
        page.screenshot(path=picture)
        browser.close()


def look(page: Page) -> None:
    page.locator("#title h2", has_text=ITEM).wait_for()


def play(page: Page) -> None:
    """Builds what is asked for first, and types what comes next without playing it."""
    page.locator("#turn textarea").fill("\n".join(f"place green 0 {y} 0" for y in range(1, 5)))
    page.locator("#build").click()
    page.locator("#state", has_text="turn 2").wait_for()
    page.locator("#turn textarea").fill("place yellow 0 1 -1\nplace yellow 0 1 -2")
    page.locator("#map button[data-action='pick 0 1 -2']").wait_for()


def talk(page: Page) -> None:
    """Says what to build, and opens how sure the Builder was."""
    for text in SAID:
        page.locator("#said textarea").fill(text)
        page.keyboard.press("Enter")
        page.wait_for_function("text => document.querySelector('#talk').innerText.includes(text)", arg=text)
    page.locator("#sure summary").click()


if __name__ == "__main__":
    main(*sys.argv[1:])
