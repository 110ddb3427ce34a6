"""Episodes of Plancraft in a browser: a task is replayed turn by turn, many are listed and filtered."""

import json
import urllib.request

import pytest
from browser import accessible, canvas_is_not_blank, screenshot
from plancraft_package import needs_package

from bap_v2_dataset.explorer.server import free_port, serve_page
from bap_v2_dataset.tasks.plancraft.pictures.frames import EpisodeError, gold_episode, shown_episode
from bap_v2_dataset.tasks.plancraft.pictures.replay import gallery, replay
from bap_v2_dataset.tasks.plancraft.policies import BASELINES
from bap_v2_dataset.tasks.plancraft.rows import task_row
from bap_v2_dataset.tasks.plancraft.task_files import records

needs_package()


@pytest.fixture(scope="module")
def tasks():
    """Every tenth of the small validation set."""
    return [task_row(record) for record in records("validation_small")][::10]


@pytest.fixture(scope="module")
def pages(tasks):
    """Addresses of a page with one task, and of one with all."""
    systems = {name: BASELINES[name] for name in ("oracle", "one-recipe")}
    played = [(task, [shown_episode(task, play(task), name) for name, play in systems.items()]) for task in tasks]
    one = max(played, key=lambda pair: pair[0]["oracle_length"])
    contents = {"one": replay(*one, "validation_small"), "all": gallery(played, "validation_small")}
    host = "127.0.0.1"
    return {name: serve_page(content.encode(), free_port(None, host), host) for name, content in contents.items()}


def opened(page, address):
    page.goto(address)
    page.wait_for_selector("body[data-ready]")


@pytest.mark.slow
def test_a_task_is_replayed(page, pages, tasks):
    opened(page, pages["one"])
    longest = max(task["oracle_length"] for task in tasks)
    assert page.text_content("#count") == f"{longest} of {longest}"
    assert page.text_content("#verdict") == f"success after {longest} turns" and canvas_is_not_blank(page)
    end = page.get_attribute("#table", "aria-label")
    page.keyboard.press("Home")
    start = page.get_attribute("#table", "aria-label")
    assert (
        page.text_content("#count") == f"0 of {longest}" and start != end and start.startswith("The crafting table: [I")
    )
    page.keyboard.press("ArrowRight")
    assert page.text_content("#events [aria-current]").startswith("1. ")
    page.select_option("#system", "one-recipe")
    assert "given up after 1 turn: wrong, it can be made" in page.text_content("#verdict")
    accessible(page)
    screenshot(page, "crafting-episode")


@pytest.mark.slow
def test_tasks_are_listed_and_filtered(page, pages, tasks):
    opened(page, pages["all"])
    assert page.locator("#tasks button").count() == len(tasks)
    solved = sum(len(task["recipes"]) == 1 or task["impossible"] for task in tasks)
    assert page.text_content("#found").endswith(f"oracle {len(tasks)}, one-recipe {solved}")
    page.select_option("#outcome", "differ")
    assert page.locator("#tasks button").count() == len(tasks) - solved
    page.select_option("#outcome", "")
    page.fill("#search", tasks[3]["id"].lower())
    assert page.locator("#tasks button").count() == 1 and tasks[3]["target"] in page.text_content("#where")
    page.fill("#search", "")
    page.locator("#tasks button").first.click()
    page.keyboard.press("ArrowDown")
    assert tasks[1]["id"] in page.url and page.text_content("#tasks [aria-current]").endswith(tasks[1]["target"])
    accessible(page)
    screenshot(page, "crafting-tasks")


@pytest.mark.slow
def test_a_phone_has_no_need_to_scroll_sideways(new_page, pages):
    page = new_page({"width": 390, "height": 800})
    for address in pages.values():
        opened(page, address)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        assert canvas_is_not_blank(page)


def test_nothing_else_is_served(pages):
    with urllib.request.urlopen(pages["one"]) as response:
        assert response.headers["Content-Type"].startswith("text/html")
    with pytest.raises(urllib.error.HTTPError):
        urllib.request.urlopen(f"{pages['one']}/other")


def test_frames_say_what_came_of_every_turn(tasks):
    task = next(task for task in tasks if task["oracle_length"] > 3)
    turns = [
        "think: hm",
        "move: from [I36] to [0] with quantity 1",
        "move: from [I36] to [A1] with quantity 1",
        "go",
        *task["plan"],
    ]
    empty = 45 not in {item["slot"] for item in task["inventory"]}
    shown = shown_episode(task, json.dumps({"turns": turns}), "mine")
    assert [frame.kind for frame in shown.frames[:5]] == ["", "think", "invalid", "move", "invalid"] and shown.success
    assert not empty or shown.frames[3].words == "nothing changes"
    assert shown.frames[4].words and shown.frames[-1].words.endswith("done")
    assert shown.frames[0].state != shown.frames[-1].state and shown.frames[3].slots == (45, 1)
    assert gold_episode(task).verdict == f"success after {task['oracle_length']} turns"
    for text in ("move: from", '{"turns": 3}', "{}"):
        with pytest.raises(EpisodeError, match="mine"):
            shown_episode(task, text, "mine")
