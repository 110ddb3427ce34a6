"""A talk as somebody has it, in headless Chromium, from the files of its Space alone; the model has random weights."""

import json
import re
import shutil
import sys

import pytest
from browser import WITHOUT_PICTURES, accessible, canvas_is_not_blank, focus_stops, screenshot, served, tab_to
from paths import ROOT
from small_builders import save_builder

pytest.importorskip("gradio", reason="its extra is not installed")

from bap_v2_dataset.explorer.talk_page import LEAST, considered_cubes
from bap_v2_dataset.games.talk import EXAMPLES, Reply, Talk, Talker
from bap_v2_dataset.pictures.cubes import Look
from bap_v2_dataset.pictures.plotly_traces import cube_traces
from bap_v2_dataset.publishing.hub import Repository
from bap_v2_dataset.publishing.spaces import talk_of
from bap_v2_simulators.game import Game, Step

PHONE = {"width": 390, "height": 844}
TURNS = (
    *EXAMPLES, "put a green block on the floor at the left", "no, to the left of it", "now a zork on top",
    "make a yellow row", "what about orange", "take away the last one", "a purple tower of three",
)  # fmt: skip


def test_what_was_considered_is_faint_and_says_how_likely_it_was():
    likely = {
        "place red 0 1 0": 0.8, "place blue 0 1 0": 0.1, "place blue 2 1 0": 0.3, "place red 2 1 0": 0.2,
        "place red 4 1 0": LEAST / 2, "pick 1 1 0": 0.4,
    }  # fmt: skip
    replies = iter([Reply("place green 1 1 0"), Reply("place red 0 1 0", (), likely)])
    talker = Talker("two", lambda row: next(replies))
    cubes = considered_cubes(Talk.begun(talker).said("green", talker).said("red", talker))
    said = {(cube.cell.x, cube.look): cube.words for cube in cubes}
    assert said == {
        (0, Look.NEW): "placed, likelihood 80%",
        (1, Look.CONSIDERED): "not taken away, likelihood 40%",
        (2, Look.CONSIDERED): "not placed, likelihood 30%",
    }
    (faint,) = (trace for trace in cube_traces(cubes) if "opacity" in trace)
    assert faint["opacity"] < 0.5 and set(faint["hovertext"]) == {"blue 2 1 0<br>not placed, likelihood 30%"}


def test_the_space_requires_what_the_extras_do():
    folder, extras = (
        ROOT / "hub_cards",
        (ROOT / "setup.py").read_text() + (ROOT / "hub_cards/space/requirements.txt").read_text(),
    )
    required = (folder / "talk" / "requirements.txt").read_text().split()
    assert set((folder / "space" / "requirements.txt").read_text().split()) < set(required)
    assert [line for line in required if line not in extras] == []


@pytest.fixture(scope="module")
def address(browser, tmp_path_factory):
    folder = tmp_path_factory.mktemp("space")
    model = save_builder(tmp_path_factory.mktemp("model"), "bap_pointer")
    for file in talk_of(Repository("tester/talk", "space"), str(model)).files_beside(None):
        path = folder / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(file.content) if isinstance(file.content, bytes) else shutil.copy(file.content, path)
    assert not (folder / "bap_v2_dataset" / "cli").exists()
    env = {"GRADIO_SERVER_NAME": "127.0.0.1", "HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"}
    with served(sys.executable, "app.py", cwd=folder, env=env, seconds=400) as address:
        yield address


def opened(page, address, script=""):
    page.add_init_script(script)
    page.goto(address)
    page.locator("#said textarea").wait_for()
    return page


def say(page, text: str) -> None:
    page.locator("#said textarea").fill(text)
    page.keyboard.press("Enter")
    page.wait_for_function("text => document.querySelector('#talk').innerText.includes(text)", arg=text)


def game_of(page) -> Game:
    with page.expect_download() as download:
        page.locator("#save").click()
    assert re.fullmatch(r"talk-\w+\.jsonl", download.value.suggested_filename)
    return Game.from_json(download.value.path().read_bytes())


@pytest.mark.slow
def test_a_game_of_ten_turns_is_played_taken_back_answered_otherwise_and_saved(page, address):
    opened(page, address)
    assert canvas_is_not_blank(page)
    for text in EXAMPLES:
        page.get_by_role("button", name=text).click()
        page.wait_for_function("text => document.querySelector('#talk').innerText.includes(text)", arg=text)
    for text in TURNS[3:]:
        say(page, text)
        assert page.locator("#said textarea").input_value() == ""
    game = game_of(page)
    assert [event.text for event in game.events if not isinstance(event, Step)][1:] == list(TURNS)
    # Unknown words, how sure it was, and other answers.
    assert "zork" in page.locator("#talk mark").all_inner_texts()
    page.locator("#sure summary").click()
    assert re.search(r"\d+% (place|pick)", page.locator("#sure").inner_text())
    accessible(page)
    screenshot(page, "talk")
    state = page.locator("#talk-state textarea, #talk-state input")
    turns = lambda: json.loads(state.input_value())["turns"]  # noqa: E731
    before = turns()
    page.locator("#other").click()
    page.wait_for_function("text => document.querySelector('#talk-state textarea, #talk-state input').value != text",
                           arg=state.input_value())  # fmt: skip
    assert turns()[-1]["reply"]["text"] == before[-1]["reply"]["others"][0] and turns()[:-1] == before[:-1]
    page.locator("#back-turn").click()
    page.wait_for_function("text => !document.querySelector('#talk').innerText.includes(text)", arg=TURNS[-1])
    assert turns() == before[:-1]


@pytest.mark.slow
def test_a_target_is_shown_and_what_is_none_is_said(page, address):
    opened(page, address)
    page.locator("#target-id input, #target-id textarea").fill("dss-test-3")
    page.keyboard.press("Enter")
    page.locator("#state", has_text="distance 8").wait_for()
    assert canvas_is_not_blank(page, "#target-built canvas")
    page.locator("#target-id input, #target-id textarea").fill("TEST0001")
    page.locator("#new-talk").click()
    page.locator("[data-testid=toast-body]", has_text="TEST0001").wait_for()
    assert "distance 8" in page.locator("#state").inner_text()


@pytest.mark.slow
def test_everything_is_reached_and_done_by_the_keyboard_alone(page, address):
    opened(page, address, WITHOUT_PICTURES)
    assert {"Say what to build", "Say it", "Turn left", "Save", *EXAMPLES} <= set(focus_stops(page))
    tab_to(page, EXAMPLES[0])
    page.keyboard.press("Enter")
    page.locator("#talk", has_text=EXAMPLES[0]).wait_for()
    tab_to(page, "Back one turn")
    page.keyboard.press("Space")
    page.locator("#talk", has_text="nothing was said yet").wait_for()


@pytest.mark.slow
def test_a_phone_shows_the_board_and_what_to_say_on_one_screen(new_page, address):
    page = opened(new_page(PHONE), address)
    say(page, TURNS[3])
    assert canvas_is_not_blank(page)
    camera = "document.querySelector('#built .js-plotly-plot')._fullLayout.scene.camera.eye.x"
    seen = page.evaluate(camera)
    page.locator("#turn-left").click()
    assert page.evaluate(camera) != seen
    boxes = [page.locator(part).bounding_box() for part in ("#built", "#talk .talk", "#said", "#say")]
    assert all(box["x"] >= 0 and box["x"] + box["width"] <= PHONE["width"] for box in boxes)
    assert boxes[-1]["y"] + boxes[-1]["height"] <= PHONE["height"]
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    accessible(page)
    screenshot(page, "talk-phone")
