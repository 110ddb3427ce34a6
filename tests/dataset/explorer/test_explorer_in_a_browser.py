"""The explorer as somebody uses it: in headless Chromium, on a small synthetic split with the answers of two models."""

import json
import re
import sys
import time
from urllib.parse import parse_qs, urlsplit

import datasets
import pytest
from browser import PHONE, WITHOUT_PICTURES, accessible, canvas_is_not_blank, focus_stops, screenshot, served
from in_process import use_home

import bap_v2_dataset  # noqa: F401 (registers the name)

pytestmark = pytest.mark.slow
EXPLORE = "from bap_v2_dataset.cli import main; main()"


@pytest.fixture(scope="module")
def address(browser, home, tmp_path_factory):
    """Of the page, with two prediction files for the test split of dss."""
    with pytest.MonkeyPatch.context() as patch:
        use_home(patch, home)
        rows = datasets.load_dataset("bap_v2", "dss", split="test").to_list()
    folder = tmp_path_factory.mktemp("predictions")
    for name, keep in (
        ("whole", lambda n, lines: lines),
        ("half", lambda n, lines: lines[: len(lines) * (n % 3) // 2]),
    ):
        lines = [{"id": row["id"], "prediction": "\n".join(keep(n, row["actions"]))} for n, row in enumerate(rows)]
        (folder / f"{name}.jsonl").write_text("\n".join(map(json.dumps, lines)))
    env = {"HF_HOME": str(home), "BAP_V2_MDC": "", "HF_HUB_OFFLINE": "1"}
    files = (folder / "half.jsonl", folder / "whole.jsonl")
    with served(sys.executable, "-c", EXPLORE, "explore", *files, env=env) as address:
        yield address


@pytest.fixture
def in_words(page, address):
    """The page without pictures: to draw them without a graphics card takes most of the time."""
    page.add_init_script(WITHOUT_PICTURES)
    return opened(page, address)


def opened(page, address):
    page.goto(address)
    page.locator("#title h2", has_text="dss-test-0/0").wait_for()
    page.locator("#items input:checked").wait_for(state="attached")
    return page


def waits_for(page, selector, text):
    page.locator(selector, has_text=text).first.wait_for()


def address_names(page, item):
    page.wait_for_function("item => new URLSearchParams(location.search).get('item') == item", arg=item)


def test_it_opens_with_pictures_that_turn_together_and_can_be_used_without_a_mouse_and_by_screen_readers(page, address):
    explorer = opened(page, address)
    for picture in ("#target", "#model-1", "#model-2", "#reference"):
        assert canvas_is_not_blank(explorer, f"{picture} canvas")
    assert_pictures_turn_together(explorer)
    assert "60 of 60 items, page 1 of 6" in explorer.inner_text("#status")
    assert re.search(r"half \d+\.\d on all 60 whole 100\.0 on all 60", explorer.inner_text("#totals"))
    assert explorer.locator("#scores th[scope=col]").all_inner_texts() == ["half", "whole"]
    assert explorer.locator("#scores tr", has_text="Overall (fairer F1)").locator("td").last.inner_text() == "100.0"
    assert "missed: place" in explorer.inner_text("#verdicts")
    screenshot(explorer, "explorer")
    explorer.get_by_role("button", name="Copy reference actions").click()
    assert canvas_is_not_blank(explorer, "#typed-picture canvas")
    accessible(explorer)
    stops = focus_stops(explorer, at_most=7)
    assert {"Config", "Split", "Search in the dialogue", "Filter items", "Models"} <= set(stops), stops


def assert_pictures_turn_together(page):
    from playwright.sync_api import TimeoutError

    eyes = """() => [...new Set([...document.querySelectorAll("#pictures .js-plotly-plot")].map((board) =>
        Object.values(board._fullLayout.scene._scene.getCamera().eye).map((x) => x.toFixed(2)).join()))]"""
    (before,) = page.evaluate(eyes)
    turned = f"before => {{ const eyes = ({eyes})(); return eyes.length == 1 && eyes[0] != before }}"
    until = time.monotonic() + 120
    while True:
        drag_over_frames(page, "#reference canvas", 60, 10)
        try:
            page.wait_for_function(turned, arg=before, timeout=10_000)
            break
        except TimeoutError:  # plotly tells of a camera only when it has drawn it, and a busy machine draws late
            if time.monotonic() > until:
                raise


ABOVE_THE_FOLD = {  # by the size of the window
    (1400, 900): ["#totals", "#items", "#title", "#dialogue", "#pictures", "#scores", "#verdicts"],
    (800, 600): ["#totals", "#items", "#title", "#steps", "#dialogue"],
    (390, 844): ["#totals", "#items", "#title", "#steps"],
}


def test_an_item_is_read_without_scrolling(page, address):
    page.add_init_script(WITHOUT_PICTURES)  # their boxes are as large
    for (width, height), parts in ABOVE_THE_FOLD.items():
        page.set_viewport_size({"width": width, "height": height})
        page.goto(address)
        waits_for(page, "#title h2", "dss-test-0/0")
        page.locator("#model-2 .js-plotly-plot .main-svg").first.wait_for()
        assert page.locator("#model-2").bounding_box()["height"] > 200
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        boxes = {part: page.locator(part).bounding_box() for part in parts}
        assert all(box["y"] >= 0 and box["y"] + box["height"] <= height for box in boxes.values()), boxes
        if width > 700:  # the list is beside the item; below that, the dialogue begins on the first screen
            assert boxes["#items"]["x"] + boxes["#items"]["width"] <= boxes["#title"]["x"]
        assert page.locator("#dialogue .utterance").last.bounding_box()["y"] < height
        page.locator("#items label").nth(1).click()
        waits_for(page, "#title h2", re.compile("dss-test-(?!0/0)"))
        assert page.evaluate("scrollY") == 0 and page.locator("#dialogue").bounding_box()["y"] < height
        screenshot(page, f"explorer-{width}")


def test_filters_search_and_order_say_what_they_leave(in_words):
    in_words.get_by_role("button", name="Filter items").click()
    empty = int(re.search(r"(?<!not )empty \((\d+)\)", in_words.inner_text("#facet-board"))[1])
    in_words.locator("#facet-board").get_by_role("checkbox", name=re.compile(r"^\s*empty")).check()
    waits_for(in_words, "#status", f"{empty} of 60 items")
    waits_for(in_words, "#totals", f"100.0 on the {empty} that match")
    in_words.get_by_label("Net actions", exact=True).fill("many")
    waits_for(in_words, "#status [role=alert]", "'many' is not a valid range")
    in_words.get_by_label("Net actions", exact=True).fill("")
    waits_for(in_words, "#status", f"{empty} of 60 items")
    in_words.get_by_role("button", name="Filter items").click()
    words = in_words.get_by_label("Search in the dialogue")
    words.fill("no such words are said")
    words.press("Enter")
    waits_for(in_words, "#status", "0 of 60 items")
    waits_for(in_words, "#notice [role=alert]", "No items match")  # no item is shown that does not match
    in_words.locator("#dialogue").wait_for(state="hidden")
    screenshot(in_words, "explorer-nothing")
    in_words.locator("#clear-here").click()
    waits_for(in_words, "#status", "60 of 60 items")
    waits_for(in_words, "#title h2", "dss-test-0/0")
    in_words.locator("#notice [role=alert]").wait_for(state="detached")
    chosen(in_words, "Order", "worst first")
    waits_for(in_words, "#items label", re.compile(r"^\s*1\. .*half 0\.0, whole 100\.0"))
    waits_for(in_words, "#scores", re.compile(r"Overall \(fairer F1\)\s*0\.0\s*100\.0"))
    chosen(in_words, "Order", "better than the other")
    waits_for(in_words, "#items label", re.compile(r"^\s*1\. .*half 100\.0, whole 100\.0"))


def test_it_steps_through_games_and_results_and_the_address_follows(in_words, new_page):
    in_words.get_by_role("button", name="Next in game").click()
    waits_for(in_words, "#title h2", "dss-test-0/1")
    in_words.get_by_role("button", name="Previous in game").click()
    waits_for(in_words, "#title h2", "dss-test-0/0")
    assert in_words.get_by_role("button", name="Previous in game").is_disabled()
    in_words.locator("#items label").nth(2).click()
    in_words.wait_for_function("!document.querySelector('#title h2').innerText.includes('dss-test-0/0')")
    third = in_words.inner_text("#title h2")
    in_words.get_by_role("button", name="Previous result").click()
    in_words.wait_for_function("third => document.querySelector('#title h2').innerText != third", arg=third)
    in_words.get_by_role("button", name="Next result").click()
    waits_for(in_words, "#title h2", third)
    address_names(in_words, third)

    by_id = in_words.get_by_label("Go to the item with this id")
    by_id.fill("dss-test-1/0")
    by_id.press("Enter")
    waits_for(in_words, "#title h2", "dss-test-1/0")
    address_names(in_words, "dss-test-1/0")
    assert parse_qs(urlsplit(in_words.url).query) == {"config": ["dss"], "split": ["test"], "item": ["dss-test-1/0"]}
    link = in_words.url
    in_words.wait_for_function("document.querySelector('#link textarea, #link input').value == location.href")
    other = new_page(PHONE)
    other.add_init_script(WITHOUT_PICTURES)
    other.goto(link)
    waits_for(other, "#title h2", "dss-test-1/0")

    # Back and forward lead from item to item, in the same page.
    in_words.evaluate("window.same = true")
    in_words.go_back()
    waits_for(in_words, "#title h2", third)
    in_words.go_forward()
    waits_for(in_words, "#title h2", "dss-test-1/0")
    assert in_words.evaluate("window.same") and in_words.url == link


def test_a_link_to_what_there_is_not_says_so_at_the_heading_and_in_a_toast(page, address):
    page.add_init_script(WITHOUT_PICTURES)
    page.goto(f"{address}/?config=dss&split=test&item=dss-test-0%2F99")
    waits_for(page, "[data-testid=toast-body]", "dss, test has no item 'dss-test-0/99'")
    waits_for(page, "#notice [role=alert]", "dss, test has no item 'dss-test-0/99'. Choose an item in the list.")
    assert page.inner_text("#title h2") == "Not found" and not page.locator("#dialogue").is_visible()
    assert not page.locator("#items input:checked").count()
    screenshot(page, "explorer-bad-link")
    page.locator("#items label").nth(0).click()
    waits_for(page, "#title h2", "dss-test-0/0")
    page.locator("#notice [role=alert]").wait_for(state="detached")
    address_names(page, "dss-test-0/0")
    page.go_back()
    waits_for(page, "#title h2", "Not found")


def test_a_typed_prediction_is_executed_and_scored_and_a_bad_line_explained(in_words):
    in_words.get_by_role("button", name="Copy reference actions").click()
    waits_for(in_words, "#verdict", "Every line was parsed and executed")
    waits_for(in_words, "#verdict td", "100.0")
    in_words.locator("#typed-picture").wait_for()
    text = "place pink 0 1 0\nplace red 0 9 0"
    in_words.locator("#typed textarea").fill(text)
    waits_for(in_words, "#verdict", "line 1: unknown color 'pink'")
    waits_for(in_words, "#verdict", "action 1: place red 0 9 0 changes nothing: it is neither on the ground")
    screenshot(in_words, "explorer-by-hand")
    # It stays when filters and models answer, and is judged for the item that is shown then.
    chosen(in_words, "Order", "most actions first")
    waits_for(in_words, "#items label", re.compile(r"^\s*1\. .*\[[1-9]\d+ actions"))
    assert in_words.locator("#typed textarea").input_value() == text
    waits_for(in_words, "#verdict", "line 1: unknown color 'pink'")
    in_words.get_by_role("button", name="Next result").click()  # another item is another prediction
    in_words.wait_for_function("!document.querySelector('#typed textarea').value")


def drag_over_frames(page, selector: str, right: int, down: int, steps: int = 4) -> None:
    """Drag the mouse from the middle of an element, and draw a frame after each step."""
    box = page.locator(selector).first.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    for step in range(1, steps + 1):
        page.mouse.move(x + right * step / steps, y + down * step / steps)
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    page.mouse.up()


def test_uploads_charts_a_game_in_its_tab_and_splits(in_words):
    in_words.get_by_role("button", name=re.compile("^Models")).click()
    file = in_words.locator("input[type=file]")
    file.set_input_files(upload("other", {"x/0": ""}))
    waits_for(in_words, "[data-testid=toast-body]", "no id of other.jsonl is in dss, test")
    waits_for(in_words, "#notice [role=alert]", "no id of other.jsonl is in dss, test")
    assert "dss-test-0/0" in in_words.inner_text("#title h2")  # the item stays
    screenshot(in_words, "explorer-bad-upload")
    file.set_input_files(upload("mine", {"dss-test-0/0": "pick 0 1 0"}))
    waits_for(in_words, "#scores th", "mine")
    in_words.locator("#notice [role=alert]").wait_for(state="detached")
    waits_for(in_words, "#totals", re.compile(r"mine 0\.0 on 1 of 60"))
    in_words.get_by_role("tab", name="Charts").click()
    in_words.locator("#items-chart .bars path").first.wait_for()
    waits_for(in_words, "#numbers thead", re.compile(r"half\s*whole\s*mine"))
    numbers = [int(cell) for cell in in_words.locator("#numbers tbody td:nth-child(2)").all_inner_texts()]
    assert sum(numbers) == 60
    screenshot(in_words, "explorer-charts")
    in_words.get_by_role("tab", name="Play a game").click()
    in_words.locator("#map button[data-action='place red 0 1 0']").click()
    in_words.locator("#build").click()
    waits_for(in_words, "#state", "turn 2")
    in_words.get_by_role("tab", name="Item").click()
    in_words.get_by_role("tab", name="Play a game").click()
    in_words.locator("#map button[data-action='pick 0 1 0']").wait_for()
    screenshot(in_words, "explorer-game")
    in_words.get_by_role("tab", name="Item").click()
    chosen(in_words, "Split", "validation")
    waits_for(in_words, "#title h2", "dss-validation-0/0")
    waits_for(in_words, "#status", "10 of 10 items")
    in_words.locator("#model-1").wait_for(state="hidden")  # nobody answered these


def chosen(page, label: str, option: str) -> None:
    """Take an option of the box with this label, from its own list: the list of another box may still be fading out."""
    box = page.get_by_label(label, exact=True)
    box.click()
    options = page.locator(f"[id='{box.get_attribute('aria-controls')}']")
    options.get_by_role("option", name=option, exact=True).click()
    options.wait_for(state="detached")


def upload(name: str, predictions: dict[str, str]) -> dict:
    lines = [json.dumps({"id": item, "prediction": text}) for item, text in predictions.items()]
    return {"name": f"{name}.jsonl", "mimeType": "text/plain", "buffer": "\n".join(lines).encode()}
