"""The harness of the browser tests sees what it is there to see."""

from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from browser import accessible, canvas_is_not_blank, focus_stops, note_other_machines

pytestmark = pytest.mark.slow  # a browser is started

PAGE = "<!doctype html><html lang=en><title>A page</title><main><h1>A page</h1>{}</main>"
DRAWN = """<canvas width=200 height=100></canvas><script>
const pen = document.querySelector("canvas").getContext("2d");
for (let i = 0; i < 8; i++) { pen.fillStyle = `hsl(${45 * i} 90% 50%)`; pen.fillRect(20 * i, 10, 20, 60); }
</script>"""


def test_a_canvas_is_blank_until_something_is_drawn(page):
    page.set_content(PAGE.format("<canvas width=200 height=100></canvas>"))
    assert not canvas_is_not_blank(page, seconds=3)
    page.set_content(PAGE.format(DRAWN))
    assert canvas_is_not_blank(page)


def test_what_lies_over_a_canvas_does_not_count(page):
    over = DRAWN.replace("<canvas", "<svg class=over width=200 height=100 style='position:absolute'></svg><canvas")
    drawn_over = over.replace("</svg>", "<circle r=50 fill=red /><circle r=30 fill=blue /></svg>")
    page.set_content(PAGE.format(drawn_over.split("<script>")[0]))
    assert not canvas_is_not_blank(page, seconds=3)


@pytest.mark.parametrize(
    ("html", "rule"),
    [
        ("<input>", "label"),
        ("<p style='color: #aaa'>pale</p>", "color-contrast"),
        ("<h3>too deep</h3>", "heading-order"),
        ("<button></button>", "button-name"),
    ],
)
def test_what_is_not_accessible_is_named(page, html, rule):
    page.set_content(PAGE.format(html))
    with pytest.raises(AssertionError, match=rule):
        accessible(page)
    accessible(page, except_rules={rule: "a reason"})


def test_the_stops_of_the_tab_key_are_seen_or_named(page):
    page.set_content(PAGE.format("<button>One</button><label>Two <input></label><a href='#x'>Three</a>"))
    assert focus_stops(page) == ["One", "Two", "Three"]
    page.add_style_tag(content="input:focus { outline: none }")
    with pytest.raises(AssertionError, match=r"the focus cannot be seen on:\s+Two"):
        focus_stops(page)


def test_other_machines_are_refused_and_noted(browser):
    elsewhere = []
    with HTTPServer(("127.0.0.2", 0), BaseHTTPRequestHandler) as machine, browser.new_page() as page:
        machine.timeout = 1
        note_other_machines(page, elsewhere)
        address = f"http://127.0.0.2:{machine.server_port}/a.png"
        page.set_content(PAGE.format(f"<img src='{address}'>"), wait_until="load")
        assert elsewhere == [address]
        machine.handle_timeout = elsewhere.clear
        machine.handle_request()
    assert elsewhere == [], "the request has arrived"
