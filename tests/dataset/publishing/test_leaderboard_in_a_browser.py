"""The page of the leaderboard's Space in a browser: its folder alone, with a folder of results."""

import sys

import pytest
from browser import PHONE, accessible, screenshot, served
from small_test_sets import use_small_test_sets, write
from space_alone import ABSENT
from typer.testing import CliRunner

from bap_v2_dataset.cli import app
from bap_v2_dataset.leaderboard.board import board_of
from bap_v2_dataset.leaderboard.board import page as page_of
from bap_v2_dataset.publishing.hub import Repository
from bap_v2_dataset.publishing.spaces import leaderboard_of

pytest.importorskip("gradio")
expect = pytest.importorskip("playwright.sync_api", reason="needs Playwright: pip install playwright").expect
expect.set_options(timeout=60_000)
pytestmark = pytest.mark.slow  # a server and a browser are started

NAMES = ("Compact Builder", "A large language model with a long name", "Another one")


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """A folder of checked results on two test sets."""
    folder = tmp_path_factory.mktemp("results")
    with pytest.MonkeyPatch.context() as patch:
        use_small_test_sets(patch)
        for config in ("dr", "dss"):
            for wrong, name in enumerate(NAMES):
                file = write(folder / f"{config}.jsonl", config, wrong)
                more = ["--submitter", "A group", "--link", "https://example.org/model", "--out", str(folder / "out")]
                done = CliRunner().invoke(app, ["submit", file, "--name", name, *more])
                assert done.exit_code == 0, done.output
        assert CliRunner().invoke(app, ["leaderboard", "check", str(folder / "out")]).exit_code == 0
    return folder / "out"


@pytest.fixture(scope="module")
def address(browser, results, tmp_path_factory):
    """The page of the Space's folder, where nothing else of the project can be imported."""
    empty = tmp_path_factory.mktemp("space")
    folder = empty / "space"
    folder.mkdir()
    for file in leaderboard_of(Repository("tester/board", "space"), "tester/results").files_beside(None):
        data = file.content if isinstance(file.content, bytes) else file.content.read_bytes()
        (folder / file.path).write_bytes(data)
    absent = ("bap_v2_metric", "bap_v2_hub_cards", *ABSENT)
    (empty / "sitecustomize.py").write_text(f"import sys\nsys.modules.update(dict.fromkeys({absent!r}))\n")
    env = {"PYTHONPATH": str(empty), "GRADIO_SERVER_NAME": "127.0.0.1", "BAP_V2_RESULTS": str(results)}
    with served(sys.executable, "app.py", cwd=folder, env=env) as address:
        yield address


def test_the_table_is_sorted_and_can_be_filtered(page, address):
    page.goto(address)
    expect(page.locator("table.board")).to_have_count(2)
    systems = page.locator("table.board").first.locator("tbody tr td:nth-child(2)")
    assert systems.all_inner_texts() == list(NAMES)
    screenshot(page, "leaderboard")
    page.get_by_role("combobox", name="Test set").click()
    page.get_by_role("option", name="dss").click()
    expect(page.locator("table.board")).to_have_count(1)
    expect(page.get_by_role("heading", name="dss")).to_be_visible()
    accessible(page)


def test_an_address_names_a_test_set_and_a_phone_shows_it(new_page, address):
    page = new_page(PHONE)
    page.goto(f"{address}?test_set=dr")
    expect(page.locator("table.board")).to_have_count(1)
    expect(page.get_by_role("heading", name="dr")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    screenshot(page, "leaderboard-phone")


def test_the_page_without_a_server(page, results):
    page.set_content(page_of(board_of(results)))
    expect(page.locator("table.board")).to_have_count(2)
    screenshot(page, "leaderboard-file")
    accessible(page)
