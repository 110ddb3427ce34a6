"""What a notebook shows of `bap.show(..., interactive=True)`: boards in a frame, with plotly.js from its server."""

import re

import pytest
from browser import screenshot

import bap_v2_dataset as bap

offline = pytest.importorskip("plotly.offline", reason="the extra `pictures` is not installed")
pytestmark = pytest.mark.slow
NOTEBOOK = "<!DOCTYPE html><html><body><p>In [1]:</p>{}<p>In [2]:</p></body></html>"


def notebook_with_an_item() -> str:
    data, _ = bap.show("dss-test-0/1", baseline="stack", interactive=True)._repr_mimebundle_()
    return NOTEBOOK.format(data["text/html"])


def test_the_boards_are_drawn_in_a_frame_that_is_as_high_as_they_are(new_page):
    page = new_page({"width": 1000, "height": 900})
    requested = []

    def plotly_server(route):
        requested.append(route.request.url)
        route.fulfill(body=offline.get_plotlyjs(), content_type="text/javascript; charset=utf-8")

    page.route(re.compile(r"https://cdn\.plot\.ly/.*"), plotly_server)
    page.set_content(notebook_with_an_item())
    frame = page.frame_locator("iframe")
    frame.locator("body[data-ready]").wait_for(timeout=120_000)
    assert requested == [f"https://cdn.plot.ly/plotly-{offline.get_plotlyjs_version()}.min.js"]
    assert frame.locator("canvas").count() >= 4
    page.wait_for_function(
        "() => { const frame = document.querySelector('iframe'), inner = frame.contentDocument.documentElement;"
        " return frame.clientHeight >= inner.scrollHeight; }"
    )
    screenshot(page, "notebook-item")


def test_without_a_network_it_is_said_what_is_missing(browser):
    context = browser.new_context(offline=True)
    page = context.new_page()
    page.set_content(notebook_with_an_item())
    frame = page.frame_locator("iframe")
    frame.get_by_text("plotly.js, which draws the boards, comes from the network").wait_for(timeout=60_000)
    assert "place an orange stack" in frame.locator("body").inner_text()
    context.close()
