"""What the page does in the browser itself: its address and history, and one camera for all pictures of an item."""

from bap_v2_dataset.explorer.board_map import PRESSED
from bap_v2_dataset.pictures.board_figure import ROTATE_TOGETHER

# Is called with the query that names the item that is shown, or "". A new item is a new entry in the browser's history;
# the one that a page without an item in its address opens with, and one that the history itself led to, is not: also if
# the history has led further before the server showed it.
SHOW_LINK = """(query) => {
    if (!query) return "";
    const shown = new URLSearchParams(query), now = new URLSearchParams(location.search);
    const names = ["config", "split", "item"];
    const differs = (other) => names.some((name) => shown.get(name) !== other.get(name));
    const visits = window.bapVisits ?? [];
    const recent = ({ time }) => Date.now() - time < 10000;
    const visit = visits.findIndex((visit) => recent(visit) && !differs(new URLSearchParams(visit.query)));
    if (visit >= 0) {
        visits.splice(0, visit + 1);
    } else if (differs(now)) {
        const first = !now.has("item");
        names.forEach((name) => now.set(name, shown.get(name)));
        history[first ? "replaceState" : "pushState"](null, "", "?" + now);
    }
    return location.href;
}"""

# Runs once, when the page is opened.
#   back and forward: the query goes into the hidden box `visited`, which the server listens to
#   pictures: those of an item turn together
#   a dialogue shows its end first
#   pressing a cell of a game's map types its action
START = (
    """() => {
    let visits = 0;
    window.bapVisits = [];  // to which the history has led, and the server has not shown yet
    window.addEventListener("popstate", () => {
        const box = document.querySelector("#visited textarea, #visited input");
        if (!box) return;
        window.bapVisits.push({ query: location.search, time: Date.now() });
        box.value = JSON.stringify([location.search, ++visits]);
        box.dispatchEvent(new Event("input", { bubbles: true }));
    });
    const read = new WeakMap();
    const look = () => {
        for (const talk of document.querySelectorAll("#dialogue .talk, #talk .talk")) {
            if (read.get(talk) === talk.textContent) continue;
            read.set(talk, talk.textContent);
            talk.scrollTop = talk.scrollHeight;
        }
    };
    let waiting = false;
    new MutationObserver(() => {
        if (waiting) return;
        waiting = true;
        requestAnimationFrame(() => { waiting = false; look(); });
    }).observe(document.body, { childList: true, subtree: true });
"""
    + PRESSED
    + ROTATE_TOGETHER
    + "}"
)
