"""The pages of items and games in Chromium: boards are drawn, turn together, and a replay obeys the keyboard."""

import sys
from pathlib import Path

import numpy as np
import pytest
from browser import accessible, canvas_is_not_blank, focus_stops, screenshot, served
from simulated_rows import row_of

from bap_v2_dataset.pictures.board_figure import plotly_camera
from bap_v2_dataset.pictures.camera import LineOfSight
from bap_v2_dataset.tasks.building.pictures.columns import item_columns
from bap_v2_simulators.corpora import simulator_of
from bap_v2_simulators.simulation import play

pytest.importorskip("plotly", reason="the extra `pictures` is not installed")
from bap_v2_dataset.tasks.building.pictures.page import page as item_page
from bap_v2_dataset.tasks.building.pictures.replay import replay

pytestmark = pytest.mark.slow
SERVER = """
import functools, http.server, sys
files = functools.partial(http.server.SimpleHTTPRequestHandler, directory=sys.argv[1])
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), files)
print(f"http://127.0.0.1:{server.server_port}")
server.serve_forever()
"""
CAMERA = "number => document.getElementById(`board-${number}`)._fullLayout.scene._scene.getCamera().eye"


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    folder: Path = tmp_path_factory.mktemp("pages")
    row = row_of("dss-test-6/0")
    (folder / "item.html").write_text(item_page(item_columns(row), row["id"], "dss"), encoding="utf-8")
    (folder / "game.html").write_text(replay(play(simulator_of("dss"), "test", 6)), encoding="utf-8")
    with served(sys.executable, "-c", SERVER, folder) as address:
        yield address


def opened(page, address: str):
    page.goto(address, wait_until="commit", timeout=120_000)
    page.wait_for_selector("body[data-ready]", timeout=120_000)
    return page


def test_the_boards_of_an_item_are_drawn_and_rotate_together(new_page, address):
    page = opened(new_page({"width": 800, "height": 500}), f"{address}/item.html")
    assert canvas_is_not_blank(page, "#board-0 canvas") and canvas_is_not_blank(page, "#board-1 canvas")
    screenshot(page, "item")
    before = page.evaluate(CAMERA, 1)
    page.evaluate("""async () => {
        const board = document.getElementById("board-0"), camera = board.layout.scene.camera;
        await Plotly.relayout(board, {"scene.camera": {...camera, eye: {x: 1, y: 1, z: 1}}});
    }""")
    page.wait_for_function(f"() => Math.abs(({CAMERA})(1).x - 1) < 0.01", timeout=120_000)
    assert before["x"] != pytest.approx(1, abs=0.1)
    accessible(page)


def test_a_narrow_replay_shows_all_coordinates_also_as_it_follows_the_builder(new_page, address):
    page = opened(new_page({"width": 390, "height": 844}), f"{address}/game.html")
    for _ in range(2):
        page.wait_for_timeout(500)
        view = page.evaluate("document.getElementById('board')._fullLayout.scene.camera")
        box = page.locator("#board").bounding_box()
        points = page.evaluate("""() => document.getElementById("board").data
            .find((trace) => trace.text && trace.text.includes("<b>x</b>"))""")
        ticks = [(x, y, z) for z, x, y in zip(points["x"], points["y"], points["z"])]
        assert len(ticks) == 24 and all(abs(part) < 0.98 for tick in ticks for part in on_screen(tick, view, box))
        page.get_by_label("follow the Builder").check()
        page.get_by_role("button", name="Previous frame").click()
    screenshot(page, "replay-390")


def on_screen(point, view, box) -> tuple[float, float]:
    """Where plotly's camera sees a point: -1..1 from left to right and from below to above."""
    at = np.array(list(plotly_camera(LineOfSight(point, point))["eye"].values()))
    eye, center = (np.array([view[name][axis] for axis in "xyz"]) for name in ("eye", "center"))
    ahead = (center - eye) / np.linalg.norm(center - eye)
    right = np.cross(ahead, (0, 0, 1)) / np.linalg.norm(np.cross(ahead, (0, 0, 1)))
    up, away, slope = np.cross(right, ahead), (at - eye) @ ahead, np.tan(np.radians(45.0) / 2)
    return (at - eye) @ right / away / slope / (box["width"] / box["height"]), (at - eye) @ up / away / slope


def test_a_replay_is_played_with_the_keyboard(new_page, address):
    page = opened(new_page({"width": 820, "height": 500}), f"{address}/game.html")
    frames = int(page.get_attribute("#frame", "max"))
    assert page.text_content("#count") == f"{frames} of {frames}"  # it opens with what was built
    assert canvas_is_not_blank(page, "#target canvas")
    page.keyboard.press("End")
    assert page.text_content("#count") == f"{frames} of {frames}"
    assert canvas_is_not_blank(page)
    screenshot(page, "replay")
    page.keyboard.press("ArrowLeft")
    assert page.text_content("#count") == f"{frames - 1} of {frames}"
    assert page.locator("#events [aria-current]").count() == 1
    page.keyboard.press("Home")
    assert page.text_content("#count") == f"0 of {frames}"
    page.select_option("#speed", "4")
    page.locator("h1").click()
    page.keyboard.press("Space")  # plays by itself
    page.wait_for_function("() => Number(document.getElementById('frame').value) >= 2", timeout=120_000)
    page.keyboard.press("Space")
    assert page.get_attribute("#play", "aria-label") == "Play"
    assert {"Previous frame", "Play", "Next frame", "Frame"} <= set(focus_stops(page, 12))
    accessible(page)


@pytest.mark.parametrize(("width", "height"), [(1400, 900), (800, 600)])
def test_a_replay_fills_the_window_and_needs_no_scrolling(new_page, address, width, height):
    page = opened(new_page({"width": width, "height": height}), f"{address}/game.html")
    assert page.title() == "dss-test-6: replay of the game — bap_v2"
    assert page.evaluate("document.documentElement.scrollHeight") <= height
    board, target = (page.locator(name).bounding_box() for name in ("#board", "#target"))
    assert board["width"] > 0.6 * width and board["height"] > 0.7 * height
    assert target["y"] + target["height"] <= height and target["x"] > board["x"] + board["width"]
    assert canvas_is_not_blank(page, "#board canvas")
    screenshot(page, f"replay-{width}")
