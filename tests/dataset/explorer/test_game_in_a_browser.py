"""Full games as somebody plays them, in headless Chromium, from the files of its Space alone."""

import shutil
import sys

import pytest
from browser import accessible, canvas_is_not_blank, screenshot, served

from bap_v2_dataset.publishing.hub import Repository
from bap_v2_dataset.publishing.spaces import games_of

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def address(browser, tmp_path_factory):
    folder = tmp_path_factory.mktemp("space")
    for file in games_of(Repository("tester/games", "space")).files_beside(None):
        path = folder / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(file.content) if isinstance(file.content, bytes) else shutil.copy(file.content, path)
    with served(sys.executable, "app.py", cwd=folder, env={"GRADIO_SERVER_NAME": "127.0.0.1"}) as address:
        yield address


def test_cells_are_pressed_the_architect_answers_and_another_builder_ends_the_game(page, address):
    page.goto(address)
    page.locator("#map button[data-action='place red 0 1 0']").click()
    page.locator("#map button[data-action='pick 0 1 0']").wait_for()  # it is shown before it is played
    assert page.locator("#turn textarea").input_value() == "place red 0 1 0"
    assert canvas_is_not_blank(page)
    page.locator("#build").click()
    page.locator("#state", has_text="turn 2").wait_for()
    assert "place red 0 1 0" in page.locator("#talk").inner_text()
    accessible(page)
    screenshot(page, "game")
    for turn in (3, 4, 5):
        if "built the target" in page.locator("#state").inner_text():
            break
        page.get_by_role("button", name="play this turn").click()
        page.locator("#state").get_by_text(f"turn {turn}.").or_(page.get_by_text("You built the target.")).wait_for()
    page.get_by_text("You built the target.").wait_for()
    screenshot(page, "game-won")


def test_a_phone_shows_the_dialogue_the_map_and_the_button_at_once(new_page, address):
    phone = {"width": 390, "height": 800}
    page = new_page(phone)
    page.goto(address)
    page.locator("#map button").first.wait_for()
    for part in ("#talk .talk", "#color", "#map table", "#build"):
        box = page.locator(part).bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= phone["width"], part
        assert box["y"] >= 0 and box["y"] + box["height"] <= phone["height"], part
    screenshot(page, "game-phone")
