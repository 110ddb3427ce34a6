"""The page of the metric's Space, from its folder alone, in a browser: what its users type, upload, hear and see."""

import csv
import json

import pytest
from browser import PHONE, accessible, focus_stops, screenshot
from space_alone import served_alone

import bap_v2_metric

pytest.importorskip("gradio")
pytestmark = pytest.mark.slow  # a server and a browser are started
PREDICTIONS = {"g/0": "place red 3 1 -2", "g/1": "place blue 1 1 0", "g/2": "hm <b>bold</b>"}
ROWS = [
    {"id": "g/0", "before": [], "after": ["red 0 1 0"], "interpretations": "multiple"},
    {"id": "g/1", "before": ["red 0 1 0"], "after": ["red 0 1 0", "blue 1 1 0"]},
    {"id": "g/2", "before": ["red 0 1 0"], "after": []},
]


def test_the_folder_alone_scores_what_is_typed_and_uploaded_on_any_screen(new_page, tmp_path):
    predictions, rows = tmp_path / "predictions.jsonl", tmp_path / "rows.jsonl"
    lines = [{"id": name, "prediction": text} for name, text in PREDICTIONS.items()]
    predictions.write_text("\n".join(map(json.dumps, lines)))
    rows.write_text("\n".join(map(json.dumps, ROWS)))
    with served_alone(tmp_path) as address:
        page = new_page()
        page.goto(address)
        page.get_by_label("Prediction", exact=True).fill("place blue 1 1 0")
        page.get_by_role("button", name="Score one item").click()
        page.get_by_role("status").filter(has_text="Fairer F1: 100.0. Items: 1").wait_for()
        accessible(page)
        stops = ["One item", "Prediction", "Board before", "Board after", "unique", "multiple", "Score one item"]
        assert [stop for stop in focus_stops(page) if stop in stops] == stops
        screenshot(page, "metric-space-one")

        page = new_page(PHONE, color_scheme="dark")
        page.goto(address)
        page.get_by_role("tab", name="Many items").click()
        for file in (predictions, rows):
            page.locator("input[type=file]:not([accept])").first.set_input_files(file)  # one with a file is gone
            page.get_by_text(file.name).wait_for()
        page.get_by_role("button", name="Score many items").click()
        page.get_by_role("status").filter(has_text="Items: 3").filter(has_text="1 × 'hm <b>bold</b>'").wait_for()
        with page.expect_download() as download:
            page.get_by_role("link", name="Download the counts of all items (CSV)").click()
        accessible(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        screenshot(page, "metric-space-phone")
    with download.value.path().open(newline="") as file:
        counts = list(csv.DictReader(file))
    assert [row["item"] for row in counts] == list(PREDICTIONS)
    items = bap_v2_metric.score_items(list(PREDICTIONS.values()), ROWS)
    assert [int(row["fairer_tp"]) for row in counts] == [item["fairer"]["tp"] for item in items]
