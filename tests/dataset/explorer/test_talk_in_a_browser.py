"""A talk as somebody has it, with the Builder of the package, in headless Chromium, from the files of its Space."""

import re
import shutil
import sys

import pytest
from browser import accessible, canvas_is_not_blank, focus_stops, screenshot, served, tab_to
from paths import ROOT

pytest.importorskip("gradio", reason="its extra is not installed")

from bap_v2_dataset.explorer.talk_page import considered_cubes
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
_FAINT = """document.querySelector("#built .js-plotly-plot").data.filter(one => one.opacity < 0.5)
    .flatMap(one => one.hovertext)"""  # what a press on each faint block says


def test_what_was_considered_is_faint_and_says_how_likely_it_was():
    likely = {"place red 0 1 0": 0.8, "place blue 0 1 0": 0.1, "place blue 2 1 0": 0.3, "place red 2 1 0": 0.2}
    replies = iter([Reply("place green 1 1 0"), Reply("place red 0 1 0", (), {**likely, "pick 1 1 0": 0.4})])
    talker = Talker("two", lambda row: next(replies))
    cubes = considered_cubes(Talk.begun(talker).said("green", talker).said("red", talker))
    assert {(cube.cell.x, cube.look): cube.words for cube in cubes} == {
        (0, Look.NEW): "placed, likelihood 80%",
        (1, Look.CONSIDERED): "not taken away, likelihood 40%",
        (2, Look.CONSIDERED): "not placed, likelihood 30%",
    }
    (faint,) = (trace for trace in cube_traces(cubes) if "opacity" in trace)
    assert faint["opacity"] < 0.5 and set(faint["hovertext"]) == {"blue 2 1 0<br>not placed, likelihood 30%"}


@pytest.fixture(scope="module")
def address(browser, tmp_path_factory):
    folder = tmp_path_factory.mktemp("space")
    for file in talk_of(Repository("tester/talk", "space"), "compact").files_beside(None):
        path = folder / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(file.content) if isinstance(file.content, bytes) else shutil.copy(file.content, path)
    assert {*(ROOT / "hub_cards/space/requirements.txt").open()} < {*(folder / "requirements.txt").open()}
    env = {"GRADIO_SERVER_NAME": "127.0.0.1", "HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"}
    with served(sys.executable, "app.py", cwd=folder, env=env, seconds=400) as address:
        yield address


def says(page, text: str) -> None:
    page.wait_for_function("text => document.querySelector('#talk').innerText.includes(text)", arg=text)
    page.wait_for_function("!document.querySelector('#state [data-testid=status-tracker]:not(.hide)')")  # all is shown


def say(page, text: str) -> None:
    page.locator("#said textarea").fill(text)
    page.keyboard.press("Enter")
    says(page, text)


def saved(page) -> list[str]:
    with page.expect_download() as download:
        page.locator("#save").click()
    return [str(event.text) for event in Game.from_json(download.value.path().read_bytes()).events[1:]
            if not isinstance(event, Step)]  # fmt: skip


@pytest.mark.slow
def test_a_game_of_ten_turns_is_played_taken_back_answered_otherwise_and_saved(page, address):
    page.goto(address)
    page.get_by_role("button", name="Say it").wait_for()
    assert {"Say what to build", "Say it", "Turn left", "Save", *EXAMPLES} <= set(focus_stops(page))
    tab_to(page, EXAMPLES[0])
    page.keyboard.press("Enter")
    says(page, EXAMPLES[0])
    says(page, "placed 3 red")
    faint = page.evaluate(_FAINT)
    for text in EXAMPLES[1:]:
        page.get_by_role("button", name=text).click()
        says(page, text)
        faint += page.evaluate(_FAINT)
    for text in TURNS[3:]:
        say(page, text)
        faint += page.evaluate(_FAINT)
    assert any(re.search("not placed, likelihood [0-9]+%", text) for text in faint)
    assert saved(page) == list(TURNS) and page.locator("#said textarea").input_value() == ""
    # Unknown words, how sure it was, another answer, and back.
    assert "zork" in page.locator("#talk mark").all_inner_texts() and canvas_is_not_blank(page)
    page.locator("#sure summary").click()
    assert re.search(r"\d+% (place|pick)", page.locator("#sure").inner_text())
    accessible(page)
    screenshot(page, "talk")
    sure = page.locator("#sure").inner_text()
    page.locator("#other").click()
    page.wait_for_function("text => document.querySelector('#sure').innerText != text", arg=sure)  # others are done
    page.locator("#back-turn").click()
    page.wait_for_function("text => !document.querySelector('#talk').innerText.includes(text)", arg=TURNS[-1])
    assert saved(page) == list(TURNS[:-1])


@pytest.mark.slow
def test_a_phone_shows_the_board_and_what_to_say_on_one_screen_and_a_target_below(new_page, address):
    page = new_page(PHONE)
    page.goto(address)
    say(page, TURNS[3])
    assert canvas_is_not_blank(page)
    camera = "document.querySelector('#built .js-plotly-plot')._fullLayout.scene.camera.eye.x"
    seen = page.evaluate(camera)
    page.locator("#turn-left").click()
    page.wait_for_function(f"seen => {camera} != seen", arg=seen)
    boxes = [page.locator(part).bounding_box() for part in ("#built", "#talk .talk", "#said", "#say")]
    assert all(box["x"] >= 0 and box["x"] + box["width"] <= PHONE["width"] for box in boxes)
    assert boxes[-1]["y"] + boxes[-1]["height"] <= PHONE["height"]
    for target, shown in (("dss-test-3", "#state"), ("TEST0001", "[data-testid=toast-body]")):
        page.locator("#target-id input, #target-id textarea").fill(target)
        page.locator("#new-talk").click()
        page.locator(shown, has_text={"#state": "distance 8"}.get(shown, target)).wait_for()
    assert canvas_is_not_blank(page, "#target-built canvas")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    accessible(page)
    screenshot(page, "talk-phone")
