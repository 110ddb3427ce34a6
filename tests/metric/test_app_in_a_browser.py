"""The page of the metric's Space in a browser: what its users click, type, hear and see."""

import csv
import json
import re

import pytest
from browser import PHONE, accessible, canvas_is_not_blank, focus_stops, screenshot, tab_to
from space_alone import served_alone

import bap_v2_metric

pytest.importorskip("gradio")
from bap_v2_metric.app import EXAMPLE_LABELS

expect = pytest.importorskip("playwright.sync_api", reason="needs Playwright: pip install playwright").expect
expect.set_options(timeout=60_000)
pytestmark = pytest.mark.slow  # a server and a browser are started

ROWS = [
    {"id": "g/0", "before": [], "after": ["red 0 1 0", "red 0 2 0"], "interpretations": "multiple"},
    {"id": "g/1", "before": ["red 0 1 0"], "after": ["red 0 1 0", "blue 1 1 0"],
     "pose": {"x": 0.5, "y": 1.0, "z": -4.5, "yaw": 0.0, "pitch": 20.0},
     "dialogue": ["<Architect> a blue one beside it"]},
    {"id": "g/2", "before": ["red 0 1 0"], "after": []},
]  # fmt: skip
PREDICTIONS = {"g/0": "place red 3 1 -2\nplace red 3 2 -2", "g/1": "place blue 1 1 0\nplace green 1 2 0", "g/2": "hm"}
JUDGED = ".js-plotly-plot >> nth=2 >> canvas"  # of the third picture


@pytest.fixture(scope="module")
def address(browser, tmp_path_factory):
    with served_alone(tmp_path_factory.mktemp("space")) as address:
        yield address


@pytest.fixture
def files(tmp_path):
    predictions, references = tmp_path / "predictions.jsonl", tmp_path / "rows.jsonl"
    lines = [{"id": name, "prediction": text} for name, text in PREDICTIONS.items()]
    predictions.write_text("\n".join(map(json.dumps, lines)))
    references.write_text("\n".join(map(json.dumps, ROWS)))
    return predictions, references


def status(page, text: str):
    """The sentence that says what came out, once it holds a text."""
    sentence = page.get_by_role("status").filter(has_text=text)
    sentence.wait_for()
    return sentence.inner_text()


def open_page(page, address: str):
    page.goto(address)
    page.get_by_role("button", name="Score this item").wait_for()
    expect(page.get_by_text("Loading...", exact=True)).to_have_count(0)  # gradio's own, over the finished page


def upload(page, *files):
    page.get_by_role("tab", name="Many items").click()
    for file in files:
        page.locator("input[type=file]").first.set_input_files(file)  # one that has its file is gone
        page.get_by_text(file.name).wait_for()
    page.get_by_role("button", name="Score these items").click()


def in_view(page, locator) -> bool:
    """Whether all of it can be seen without scrolling."""
    box, size = locator.bounding_box(), page.viewport_size
    return box["y"] >= 0 and box["y"] + box["height"] <= size["height"] and box["x"] + box["width"] <= size["width"]


def test_the_page_opens_with_an_example_scored_and_its_result_in_view(new_page, address):
    page = new_page({"width": 1400, "height": 900})
    open_page(page, address)
    headline = page.get_by_text(re.compile(r"^Overall \(fairer F1\): \d"))
    headline.wait_for()
    assert canvas_is_not_blank(page, JUDGED)
    page.evaluate("window.scrollTo(0, 0)")
    assert in_view(page, headline) and in_view(page, page.get_by_role("grid").first)
    unparsed = page.get_by_label("Unparsed lines, the most frequent first")
    expect(unparsed).to_have_value("1 × I think that is all.")
    assert in_view(page, unparsed)
    page.get_by_label("Prediction", exact=True).fill("place blue 1 1 0")
    page.get_by_role("button", name="Score this item").click()
    page.get_by_text("Overall (fairer F1): 100.0").wait_for()
    assert page.evaluate("window.scrollY") == 0 and in_view(page, page.get_by_role("grid").first)
    screenshot(page, "metric-space-open")


def test_where_columns_do_not_fit_beside_each_other_the_result_comes_into_view(new_page, address):
    page = new_page({"width": 800, "height": 600})
    open_page(page, address)
    page.get_by_text(re.compile(r"^Overall \(fairer F1\): \d")).wait_for()
    page.get_by_label("Prediction", exact=True).fill("place blue 1 1 0")
    page.get_by_role("button", name="Score this item").click()
    headline = page.get_by_text("Overall (fairer F1): 100.0")
    headline.wait_for()
    page.wait_for_function("window.scrollY > 0")
    assert in_view(page, headline)


def test_an_example_is_scored_and_drawn_at_one_click(page, address):
    open_page(page, address)
    page.get_by_role("button", name="A block too many").click()
    assert bap_v2_metric.SIGNATURE in status(page, "Items: 1")
    verdict = page.get_by_label("Its net actions, judged")
    expect(verdict).to_have_value(re.compile("✗ place green 1 2 0: placed, which is wrong"))
    assert canvas_is_not_blank(page, JUDGED)
    assert not page.get_by_role("heading", name="Items", exact=True).is_visible()  # there is but one
    screenshot(page, "metric-space-example")
    accessible(page)


def test_an_upload_is_scored_sorted_looked_at_and_downloaded(page, address, files):
    open_page(page, address)
    upload(page, *files)
    assert "Items: 3 (1 on an empty board). Unparsed lines: 1" in status(page, "Items: 3")
    chosen, prediction = page.get_by_label("Item, the worst first"), page.get_by_label("Its prediction")
    expect(chosen).to_have_value("g/2 (line 3)")
    expect(prediction).to_have_value("hm")

    page.get_by_role("gridcell", name="g/1").click()  # a row
    expect(prediction).to_have_value(PREDICTIONS["g/1"])
    expect(chosen).to_have_value("g/1 (line 2)")
    expect(page.get_by_label("Dialogue")).to_have_value("<Architect> a blue one beside it")
    assert canvas_is_not_blank(page, JUDGED)

    items = page.get_by_role("grid").nth(1)
    first = items.get_by_role("gridcell").nth(1)
    expect(first).to_have_text("g/2")
    items.get_by_role("columnheader").first.get_by_role("button").click()
    page.get_by_role("menuitem", name="Sort ascending").click()
    expect(first).to_have_text("g/0")
    first.click()  # what is shown is what is clicked, also in another order
    expect(chosen).to_have_value("g/0 (line 1)")

    with page.expect_download() as download:
        page.get_by_role("button", name=re.compile("Download the counts")).click()
    with download.value.path().open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["item"] for row in rows] == list(PREDICTIONS)
    counts = bap_v2_metric.score_items(list(PREDICTIONS.values()), ROWS)
    assert [int(row["fairer_tp"]) for row in rows] == [item["fairer"]["tp"] for item in counts]
    screenshot(page, "metric-space-upload")
    accessible(page, except_rules={"aria-prohibited-attr": "gradio's arrow beside the name of a sorted column"})


def test_a_bad_upload_is_answered_with_a_sentence(page, address, files):
    predictions, references = files
    references.write_text(references.read_text().replace('"blue 1 1 0"', '"pink 1 1 0"'))
    open_page(page, address)
    upload(page, predictions, references)
    assert status(page, "Cannot be scored") == (
        "Cannot be scored: references, line 2, field 'after': unknown color 'pink' "
        "(expected one of red, orange, yellow, green, blue, purple)"
    )
    assert not page.get_by_label("Its prediction").is_visible()
    screenshot(page, "metric-space-error")


def test_what_is_pasted_is_shown_as_it_is(page, address):
    open_page(page, address)
    page.get_by_role("tab", name="Many items").click()
    page.get_by_label("Predictions", exact=True).fill('["<img src=x onerror=alert(1)> **a**"]')
    page.get_by_role("button", name="Score these items").click()
    assert '["<img src=x onerror=alert(1)> **a**"]' in status(page, "Cannot be scored")


def test_the_keyboard_is_enough(page, address):
    open_page(page, address)
    tab_to(page, "Many items")
    page.keyboard.press("Enter")
    for label, lines in (
        ("Predictions", [{"prediction": text} for text in PREDICTIONS.values()]),
        ("References", ROWS),
    ):
        tab_to(page, label)
        page.keyboard.insert_text("\n".join(map(json.dumps, lines)))
    tab_to(page, "Score these items")
    page.keyboard.press("Enter")
    status(page, "Items: 3")
    tab_to(page, "Item, the worst first")
    page.keyboard.type("g/1")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Its prediction")).to_have_value(PREDICTIONS["g/1"])
    stops = ["Predictions", "References", "Score these items", "Three items", "Item, the worst first"]
    assert [stop for stop in focus_stops(page, 25) if stop in stops] == stops


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_screen_readers_and_weak_eyes_are_served_when_the_page_opens(new_page, address, scheme):
    page = new_page(color_scheme=scheme)
    open_page(page, address)
    assert canvas_is_not_blank(page, JUDGED)  # of the example
    accessible(page)
    stops = ["One item", "Prediction", "Reference: board before", "Reference: board after", "unique", "multiple",
              "Score this item", *EXAMPLE_LABELS]  # fmt: skip
    assert [stop for stop in focus_stops(page) if stop in stops] == stops
    page.get_by_role("tab", name="Many items").click()
    page.get_by_label("References", exact=True).wait_for()
    accessible(page)


def test_on_a_phone_everything_fits_the_width(new_page, address):
    page = new_page(PHONE)
    open_page(page, address)
    page.get_by_role("tab", name="Many items").click()
    page.get_by_role("button", name="Three items").click()
    status(page, "Items: 3")
    assert canvas_is_not_blank(page, JUDGED)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    for label in ("Predictions", "Its prediction"):
        assert page.get_by_label(label, exact=True).bounding_box()["width"] > 0.7 * PHONE["width"]
    screenshot(page, "metric-space-phone")
