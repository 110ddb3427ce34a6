"""Full games as somebody plays them, in headless Chromium, from the files of its Space alone."""

import json
import math
import re
import shutil
import sys

import pytest
from browser import WITHOUT_PICTURES, accessible, canvas_is_not_blank, focus_stops, screenshot, served, tab_to

from bap_v2_dataset.games.play import Session
from bap_v2_dataset.publishing.hub import Repository
from bap_v2_dataset.publishing.spaces import games_of
from bap_v2_metric.blocks import Cell
from bap_v2_simulators.view import Offset, View

pytestmark = pytest.mark.slow
SLOW = """
    const fetched = window.fetch;
    window.fetch = (...how) => String(how[0]?.url ?? how[0]).includes("queue/join")
        ? new Promise((done) => setTimeout(done, 2500)).then(() => fetched(...how)) : fetched(...how);
"""


@pytest.fixture(scope="module")
def address(browser, tmp_path_factory):
    folder = tmp_path_factory.mktemp("space")
    for file in games_of(Repository("tester/games", "space")).files_beside(None):
        path = folder / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(file.content) if isinstance(file.content, bytes) else shutil.copy(file.content, path)
    with served(sys.executable, "app.py", cwd=folder, env={"GRADIO_SERVER_NAME": "127.0.0.1"}) as address:
        yield address


def opened(page, address, script=WITHOUT_PICTURES):
    page.add_init_script(script)
    page.goto(address)
    page.locator("#map button").first.wait_for()
    return page


def press(page, action: str) -> None:
    page.locator(f"#map button[data-action='{action}']").click()


def typed(page) -> str:
    return page.locator("#turn textarea").input_value()


def test_cells_are_pressed_the_architect_answers_and_another_builder_ends_the_game(page, address):
    opened(page, address, "")
    assert canvas_is_not_blank(page)
    assert page.locator("#undo").is_disabled() and page.locator("#build").is_disabled()
    press(page, "place red 0 1 0")
    page.locator("#map button[data-action='pick 0 1 0']").wait_for()  # it is shown before it is played
    assert typed(page) == "place red 0 1 0" and page.locator("#undo").is_enabled()
    page.locator("#build").click()
    page.locator("#state", has_text="turn 2").wait_for()
    assert "place red 0 1 0" in page.locator("#talk").inner_text()
    accessible(page)
    screenshot(page, "game")
    for turn in (3, 4, 5):
        if "built the target" in page.locator("#state").inner_text():
            break
        page.get_by_role("button", name="play this turn").click()
        page.locator("#state").get_by_text(f"turn {turn}:").or_(page.get_by_text("You built the target")).wait_for()
    page.get_by_text("You built the target").wait_for()
    assert page.locator("#build").is_disabled() and page.locator("#map button").first.is_disabled()
    screenshot(page, "game-won")


def test_what_is_pressed_faster_than_the_server_answers_is_done_at_once_and_in_order(page, address):
    opened(page, address, WITHOUT_PICTURES + SLOW)
    # The color and the level that are shown are those of the press.
    press(page, "place red 0 1 0")
    page.locator("#color label", has_text="purple").click()
    press(page, "place purple 1 1 0")
    page.locator("#level input[type=range]").press("ArrowRight")
    press(page, "place purple 1 2 0")
    assert page.locator("#map button.typed").all_inner_texts() == ["P"]
    assert typed(page).split("\n") == ["place red 0 1 0", "place purple 1 1 0", "place purple 1 2 0"]
    page.locator("#undo").click()
    # Two turns and a question before the first is answered, and a line that is not built.
    page.locator("#build").click()
    assert typed(page) == ""
    press(page, "place purple 1 2 0")
    page.locator("#build").click()
    page.locator("#ask").click()
    press(page, "pick 1 2 0")
    page.locator("#state", has_text="turn 4").wait_for()
    game = Session(
        "dss", 0, ("place red 0 1 0\nplace purple 1 1 0", "place purple 1 2 0", "<Builder> can you say that again?")
    )
    lines = [*game.game().row["history"], *game.game().row["dialogue"]]
    assert re.findall(r"place .*|pick .*", page.locator("#talk").inner_text()) == [
        line for line in lines if line.startswith(("place", "pick"))
    ]
    assert "1 question" in page.locator("#state").inner_text() and typed(page) == "pick 1 2 0"


def test_a_turn_that_cannot_be_carried_out_is_typed_again_before_what_was_pressed_meanwhile(page, address):
    opened(page, address, WITHOUT_PICTURES + SLOW)
    page.locator("#turn textarea").fill("place red 0 1 0\nplace pink 0 2 0")
    page.locator("#build").click()
    press(page, "place red 2 1 0")
    page.locator("#build").click()
    press(page, "place red 3 1 0")
    again = "place red 0 1 0\nplace pink 0 2 0\nplace red 2 1 0\nplace red 3 1 0"
    page.wait_for_function("text => document.querySelector('#turn textarea').value == text", arg=again)
    page.get_by_text("unknown color 'pink'").wait_for()
    assert "turn 1" in page.locator("#state").inner_text()


def test_an_error_of_the_server_is_said_and_loses_nothing(page, address):
    opened(page, address)
    page.locator("#seed input").fill(str(10**20))
    page.locator("#new").click()
    page.locator("[data-testid=toast-body]", has_text=str(10**20)).wait_for()
    press(page, "place red 0 1 0")
    page.locator("#build").click()
    page.locator("#state", has_text="game 0, turn 2").wait_for()


@pytest.mark.parametrize("seed", [0, 2])
def test_the_map_is_drawn_from_the_builders_first_side_and_stays_while_the_builder_turns(page, address, seed):
    opened(page, address)
    page.locator("#seed input").fill(str(seed))
    page.locator("#new").click()
    page.locator("#state", has_text=f"game {seed}, turn 1").wait_for()
    first = View.of(Session("dss", seed).game().pose.yaw)
    order = range(5, -6, -1)  # from far to near, and from left to right
    cells = [first.cell(Cell(0, 1, 0), Offset(left, 0, away)) for away in order for left in order]
    edges = [first.away, tuple(-step for step in first.left), tuple(-step for step in first.away), first.left]
    for turn in (1, 2):
        page.locator("#state", has_text=f"turn {turn}:").wait_for()
        buttons = page.locator("#map button").evaluate_all("all => all.map((one) => one.dataset.action)")
        assert [tuple(map(int, action.split()[-3:])) for action in buttons] == cells
        # The words at the edges and the triangle are those of the Builder as it stands now.
        answers = json.loads(page.locator("#answer textarea, #answer input").input_value())["answers"]
        pose = Session("dss", seed, tuple(answers)).game().pose
        now = View.of(pose.yaw)
        words = page.locator("#map .way").all_inner_texts()
        assert words[edges.index(now.away)] == "behind (away)" and words[edges.index(now.left)] == "left"
        under = page.locator("#map .cells").bounding_box() | {"cell": page.locator("#map td").first.bounding_box()}
        mark = page.locator("#map .builder").bounding_box()
        x, y = (mark[axis] + mark[size] / 2 for axis, size in (("x", "width"), ("y", "height")))
        place = first.offset(Cell(0, 1, 0), Cell(math.floor(pose.x), 1, math.floor(pose.z)))
        column, row = ((x - under["cell"]["x"]) / 28, (y - under["cell"]["y"]) / 28)
        assert (math.floor(column), math.floor(row)) == (
            min(max(5 - place.left, -1), 11), min(max(5 - place.away, -1), 11)
        )  # fmt: skip
        page.locator("#let").click()


def test_everything_is_reached_and_done_by_the_keyboard_alone(page, address):
    opened(page, address)
    stops = focus_stops(page)
    assert [stop for stop in stops if stop.startswith("place ")] == ["place red 0 1 0"]  # the map is one stop
    tab_to(page, "place red 0 1 0")
    for key in ("ArrowUp", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    action = typed(page)
    assert re.fullmatch("place red -?1 1 -?1", action)
    page.keyboard.press("Space")  # the focus has stayed
    assert typed(page).split("\n") == [action, action.replace("place red", "pick")]
    page.keyboard.press("Enter")
    tab_to(page, "Build")
    page.keyboard.press("Enter")
    page.locator("#state", has_text="turn 2").wait_for()


def test_a_phone_shows_the_dialogue_the_board_the_map_and_the_button_in_this_order(new_page, address):
    phone = {"width": 390, "height": 844}
    page = opened(new_page(phone), address, "")
    assert canvas_is_not_blank(page)
    boxes = {
        part: page.locator(part).bounding_box() for part in ("#talk .talk", "#built", "#map table", "#build", "#turn")
    }
    for part, box in boxes.items():
        assert box["x"] >= 0 and box["x"] + box["width"] <= phone["width"], part
    assert [*boxes] == sorted(boxes, key=lambda part: boxes[part]["y"])
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    accessible(page)
    screenshot(page, "game-phone")
