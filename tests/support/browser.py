"""Pages in a headless browser: Debian's Chromium, driven by Playwright. All tests know the fixtures.

    from browser import accessible, canvas_is_not_blank, focus_stops, screenshot, served, tab_to

    @pytest.fixture(scope="module")
    def address():
        with served(sys.executable, "app.py", cwd=folder) as address:
            yield address

    def test_the_page_draws(page, address):
        page.goto(address)
        assert canvas_is_not_blank(page)

Tests that use the fixtures skip, and say why, without Playwright or without a Chromium (`apt-get install chromium`).
A page of the fixtures reaches no other machine: requests to others are refused, and the test fails. While they are in
use an event loop runs in this thread, so that such a test module cannot call `asyncio.run`.
"""

import io
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.error import URLError
from urllib.parse import urlsplit

import pytest
from paths import ROOT

DESKTOP = {"width": 1280, "height": 900}
PHONE = {"width": 400, "height": 800}
ADDRESS = re.compile(r"http://(?:127\.0\.0\.1|localhost):\d+[^\s'\"]*")
HERE = ("127.0.0.1", "localhost")
FLAGS = [
    "--use-angle=swiftshader", "--enable-unsafe-swiftshader",  # WebGL without a graphics card, all else without it
    "--disable-gpu-rasterization", "--disable-gpu-compositing",
    f"--host-resolver-rules=MAP * ~NOTFOUND , {' , '.join(f'EXCLUDE {host}' for host in HERE)}",
]  # fmt: skip
# An init script: to draw pictures without a graphics card takes most of the time.
WITHOUT_PICTURES = """
    const context = HTMLCanvasElement.prototype.getContext;
    HTMLCanvasElement.prototype.getContext = function (kind, ...how) {
        return kind.includes("webgl") ? null : context.call(this, kind, ...how);
    };
"""


@pytest.fixture(scope="module")
def browser():
    """A running Chromium."""
    api = pytest.importorskip("playwright.sync_api", reason="needs Playwright: pip install playwright")
    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if program is None:
        pytest.skip("needs a Chromium: apt-get install chromium")
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def visit(browser):
    """A browser context for the pages of a module: what one has loaded, the next finds in the cache."""
    with browser.new_context() as context:
        yield context


@pytest.fixture
def new_page(browser, visit) -> Iterator[Callable]:
    """Opens pages of a given size; asserts in the end that no script has failed and no other machine was requested.

    Pages with further options of a browser context have one of their own.
    """
    elsewhere, errors = [], []
    with ExitStack() as opened:

        def new(viewport: Mapping = DESKTOP, **options):
            context = opened.enter_context(browser.new_context(**options)) if options else visit
            page = opened.enter_context(context.new_page())
            page.set_default_timeout(60_000)  # machines are busy
            page.set_viewport_size(viewport)
            note_other_machines(page, elsewhere)
            page.on("pageerror", lambda error: errors.append(str(error)))
            return page

        yield new
    assert not elsewhere, f"the page requests other machines: {sorted(set(elsewhere))}"
    assert not errors, f"scripts of the page fail: {errors}"


@pytest.fixture
def page(new_page):
    """An empty page of a desktop's size."""
    return new_page()


def note_other_machines(page, requested: list[str]) -> None:
    """Notes the addresses that a page requests in vain of any other machine: the browser's flags refuse them."""

    def note(request):
        address = urlsplit(request.url)
        if address.scheme in ("http", "https") and address.hostname not in HERE:
            requested.append(request.url)

    page.on("requestfailed", note)


@contextmanager
def served(*command: str | Path, env: Mapping[str, str] | None = None, cwd: Path | None = None, seconds: float = 120):
    """The address that a command prints, once it is answered there; the command ends with the context.

    Args:
        env: what to add to this process's environment (of which proxies are left out).
        seconds: how long to wait for the first answer.
    Raises:
        AssertionError: with the command's output, if it ends or prints no address before that.
    """
    environment = {name: value for name, value in os.environ.items() if "proxy" not in name.lower()}
    environment |= {"PYTHONUNBUFFERED": "1", **(env or {})}
    with tempfile.TemporaryFile("w+") as output:
        process = subprocess.Popen(
            list(map(str, command)), env=environment, cwd=cwd, stdout=output, stderr=subprocess.STDOUT,
            start_new_session=True,
        )  # fmt: skip
        try:
            yield _answering(process, output, time.monotonic() + seconds)
        finally:
            try:
                os.killpg(process.pid, signal.SIGTERM)
                process.wait(10)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
            except ProcessLookupError:
                process.wait()


def _answering(process: subprocess.Popen, output: io.TextIOBase, until: float) -> str:
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    while True:
        ended = process.poll() is not None
        printed = os.pread(output.fileno(), 1 << 20, 0).decode(errors="replace")
        address = ADDRESS.search(printed)
        if address and not ended:
            try:
                opener.open(address[0], timeout=10).close()
                return address[0]
            except (URLError, ConnectionError, TimeoutError):
                pass
        assert not ended and time.monotonic() < until, f"{process.args} serves no page:\n{printed}"
        time.sleep(0.05)


def screenshot(page, name: str) -> Path:
    """Keeps what the page looks like, all of its height, in `$BAP_V2_SCREENSHOTS` (runs/screenshots); the file."""
    folder = os.environ.get("BAP_V2_SCREENSHOTS") or ROOT / "runs" / "screenshots"
    path = Path(folder) / f"{name}.png"
    path.parent.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=path, full_page=True, animations="disabled")
    return path


def canvas_is_not_blank(page, selector: str = "canvas", seconds: float = 60) -> bool:
    """Whether something is drawn on the first canvas that matches: several colors, none of them nearly everywhere.

    Waits until it is. What lies over the canvas (titles, buttons) does not count.
    """
    from PIL import Image

    until = time.monotonic() + seconds
    canvas = page.locator(selector).first
    canvas.wait_for(state="visible", timeout=1000 * seconds)
    canvas.scroll_into_view_if_needed()
    while True:
        picture = canvas.screenshot(style="svg, .modebar, .modebar-container { visibility: hidden !important }")
        pixels = Image.open(io.BytesIO(picture)).convert("RGB").quantize(64).convert("RGB")
        colors = Counter({color: count for count, color in pixels.getcolors()})
        (_, most), *others = colors.most_common()
        if len(others) >= 4 and most < 0.995 * colors.total():
            return True
        if time.monotonic() > until:
            return False
        page.wait_for_timeout(200)


# Nothing fades any more: Gradio dims an output while it is made anew, and colors in between have little contrast.
_STILL = """() => !document.querySelector(".pending") && document.getAnimations().every(
    one => one.playState !== "running" || one.effect.getComputedTiming().iterations === Infinity)"""


def accessible(page, except_rules: Mapping[str, str] = {}) -> None:
    """Asserts what axe-core checks of WCAG 2.2 A and AA: names of inputs, order of headings, contrast, roles, ...

    Args:
        except_rules: rules that are not checked, each with the reason; one that holds has to be deleted.
    """
    page.wait_for_function(_STILL)
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="pip install axe-playwright-python").Axe()
    rules = [*("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"), "best-practice"]
    violations = axe.run(page, options={"runOnly": rules, "resultTypes": ["violations"]}).response["violations"]
    wrong = [
        f"{one['id']}: {one['help']}\n    {node['html'][:200]}\n    {node['failureSummary']}"
        for one in violations
        if one["id"] not in except_rules
        for node in one["nodes"]
    ]
    assert not wrong, "\n".join(wrong)
    needless = set(except_rules) - {one["id"] for one in violations}
    assert not needless, f"these rules hold and need no exception: {sorted(needless)}"


# What can be seen to change when something gets the focus: on it, on what it lies in, or on the label beside it.
_LOOK = """element => {
    const around = [element, element.parentElement, element.parentElement?.parentElement, element.nextElementSibling];
    return JSON.stringify(around.filter(Boolean).map(one => {
        const style = getComputedStyle(one);
        const {outlineStyle, outlineWidth, outlineColor} = style;
        return [outlineStyle, outlineStyle == "none" ? "" : outlineWidth + outlineColor, style.boxShadow,
                style.borderColor, style.backgroundColor, style.textDecorationLine];
    }));
}"""
# Tab goes on from what had the focus last, also if that is gone.
_TO_THE_START = """() => {
    const start = document.createElement("button");
    document.body.prepend(start);
    start.focus();
    start.remove();
    window.scrollTo(0, 0);
}"""
_NAME = """element => (element.getAttribute("aria-label") || (element.labels && element.labels[0]?.innerText)
    || element.innerText || element.title || element.placeholder || element.tagName).trim().split("\\n")[0]"""


def focus_stops(page, at_most: int = 100) -> list[str]:
    """The names of what Tab stops at, in order, from the start of the page; asserts that every stop can be seen."""
    page.add_style_tag(content="* { transition: none !important }")
    page.evaluate(_TO_THE_START)
    stops, unseen, first, nowhere = [], [], None, 0
    for _ in range(at_most):
        page.keyboard.press("Tab")
        handle = page.evaluate_handle("document.activeElement").as_element()
        if handle.evaluate("element => element === document.body"):
            nowhere += 1
            if nowhere == 2:  # once is a list of options that closes when it is left
                break
            continue
        nowhere = 0
        if first is not None and handle.evaluate("(element, first) => element === first", first):
            break
        first = first or handle
        stops.append(handle.evaluate(_NAME))
        focused = handle.evaluate(_LOOK)
        handle.evaluate("element => element.blur()")
        if handle.evaluate(_LOOK) == focused:
            unseen.append(f"{stops[-1]}: {handle.evaluate('element => element.outerHTML')[:200]}")
        handle.evaluate("element => element.focus()")
    assert not unseen, "the focus cannot be seen on:\n" + "\n".join(unseen)
    return stops


def tab_to(page, name: str, at_most: int = 100) -> None:
    """Presses Tab until something of this name has the focus."""
    for _ in range(at_most):
        page.keyboard.press("Tab")
        if page.evaluate_handle("document.activeElement").as_element().evaluate(_NAME) == name:
            return
    raise AssertionError(f"Tab does not reach {name!r}")
