"""docs/pictures/metric-space.png: the page of the metric with its example scored, in headless Chromium.

python docs/draw_metric_page.py     # needs Playwright and Chromium; no data
"""

import os
import re
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

APP = Path(__file__).parent.parent / "bap_v2_metric" / "app.py"


def main(picture: Path) -> None:
    environment = {**os.environ, "PYTHONUNBUFFERED": "1", "GRADIO_ANALYTICS_ENABLED": "False"}
    with subprocess.Popen([sys.executable, str(APP)], stdout=subprocess.PIPE, text=True, env=environment) as server:
        try:
            address = next(filter(None, (re.search(r"http://\S+", line) for line in server.stdout)))[0]
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path="/usr/bin/chromium")
                page = browser.new_page(viewport={"width": 1280, "height": 900})
                page.goto(address)
                page.get_by_role("button", name="Score one item").click()
                page.get_by_role("status").filter(has_text="Fairer F1").first.wait_for()
                page.get_by_role("link", name="Download the counts").wait_for()
                page.screenshot(path=picture, full_page=True)
                browser.close()
        finally:
            server.terminate()


if __name__ == "__main__":
    main(Path(*sys.argv[1:]) if sys.argv[1:] else Path("docs/pictures/metric-space.png"))
