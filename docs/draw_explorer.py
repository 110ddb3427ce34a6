"""docs/pictures/explorer.png: the explorer with two baselines on the human test items, in headless Chromium.

python docs/draw_explorer.py        # needs the human corpus, Playwright and Chromium
"""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import datasets
from playwright.sync_api import sync_playwright

import bap_v2_dataset  # noqa: F401 (registers the name)
from bap_v2_dataset.evaluation.scoring import baseline_predictions

ITEM = "B36-A25-C148-1524179747169/8"  # that of docs/pictures/comparison.png
FLAGS = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"]  # no graphics card


def main(picture: Path) -> None:
    rows = datasets.load_dataset("bap_v2", "mdc_v2", split="test").to_list()
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for name in ("symbolic", "stack"):
            file = Path(folder, f"{name}.jsonl")
            predictions = zip(rows, baseline_predictions(name, rows))
            file.write_text("\n".join(json.dumps({"id": row["id"], "prediction": text}) for row, text in predictions))
            files.append(f"{name}={file}")
        command = [sys.executable, "-c", "from bap_v2_dataset.cli import main; main()", "explore", "--no-open", *files]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            try:
                draw(re.match(r"\S+", server.stdout.readline())[0], picture)
            finally:
                server.terminate()


def draw(address: str, picture: Path) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=FLAGS)
        page = browser.new_page(viewport={"width": 1400, "height": 900})
        page.goto(f"{address}/?config=mdc_v2&split=test&item={ITEM}")
        page.locator("#title h2", has_text=ITEM).wait_for()
        page.wait_for_timeout(8_000)  # the pictures are drawn
        page.screenshot(path=picture)
        browser.close()


if __name__ == "__main__":
    main(Path(*sys.argv[1:]) if sys.argv[1:] else Path("docs/pictures/explorer.png"))
