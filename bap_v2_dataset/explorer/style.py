"""How the page looks, and what it does in the browser itself.

Its theme, and where its parts stand on screens of different sizes; its address and history, and one camera for all
pictures of an item.

From 1,200 pixels: list | item | details. From 700: list | item, and the details below the item. Below: one under the
other. The list stays on the screen while the item is read, and scrolls by itself.
"""

import gradio as gr

from bap_v2_dataset.explorer.game_tab import CSS as GAME_CSS
from bap_v2_dataset.pictures.board_figure import ROTATE_TOGETHER
from bap_v2_dataset.pictures.html_document import asset

# No font is fetched; small text is dark enough to be read.
THEME = gr.themes.Default(
    primary_hue="blue", font=["system-ui", "sans-serif"], font_mono=["ui-monospace", "monospace"]
).set(body_text_color_subdued="*neutral_600")

_COLUMNS = """
.gradio-container .main.fillable { padding: 8px 14px !important; }
.gradio-container main { padding: 0 !important; }
.gradio-container main > .wrap > .column, .gradio-container main > .column { gap: 8px !important; }
.gradio-container .html-container { padding: 0 !important; }
#top { align-items: center; gap: 6px 14px; }
#top > * { flex: 0 0 auto; min-width: 0; width: auto; margin: 0 !important; }
#top h1 { font-size: 19px; margin: 0; }
#top > :nth-child(2), #top > :nth-child(3) { flex: 0 0 150px !important; }
#totals { flex: 1 1 300px !important; }
#main, #item { display: grid !important; gap: 12px; align-items: start; grid-template-columns: minmax(0, 1fr); }
#main > *, #item > * { min-width: 0 !important; width: auto; }
#list { gap: 6px; }
#list > * { flex: 0 0 auto; }
#list #items { flex: 1 1 0 !important; min-height: 200px; overflow-y: auto !important; }
#list #filters, #list #models { flex: 0 1 auto; min-height: 40px; max-height: 32vh; overflow-y: auto !important; }
#page-steps, #steps { gap: 6px; flex-wrap: nowrap; }
#page-steps button, #steps button { min-width: 0; padding: 4px 2px; font-size: 12px; }
#filters, #models { padding: 7px 12px !important; }
#center, #details { gap: 8px; }
#pictures { display: grid !important; grid-template-columns: repeat(auto-fit, minmax(215px, 1fr)); gap: 8px; }
#pictures:has(> :nth-child(4 of :not(.hide))) { grid-template-columns: repeat(auto-fit, minmax(max(215px, 34%), 1fr)); }
#pictures > * { min-width: 0 !important; gap: 2px; }
#pictures:has(> :not(.hide) #parent) > :has(#target) { order: 1; }
.caption { margin: 0; font-size: 12px; }
#body { gap: 8px; }
.tab-container { min-height: 0; }
.tabitem { padding: 6px 0 0 !important; }
@media (min-width: 700px) {
    #main { grid-template-columns: 220px minmax(0, 1fr); }
    #list { position: sticky; top: 6px; height: calc(100vh - 90px); overflow-y: hidden; flex-wrap: nowrap; }
}
@media (min-width: 1200px) {
    #main { grid-template-columns: 270px minmax(0, 1fr); }
    #list { height: calc(100vh - 64px); }
    #item { grid-template-columns: minmax(0, 1fr) 310px; }
}
@media (max-width: 699px) {
    #list #items { flex: 0 0 auto !important; height: 150px; }
    #top > :first-child { flex: 0 0 100% !important; }
    #steps { flex-wrap: wrap; }
    #steps button { flex: 1 1 45%; }
    #top > :nth-child(2), #top > :nth-child(3) { flex: 1 1 40% !important; }
}
"""
_PARTS = """
#title h2 { font-size: 17px; margin: 0; overflow-wrap: anywhere; }
#notice:not(:has(p)) { display: none; }
#notice p { border-left: 4px solid #b3261e; padding: 4px 10px; margin: 0; overflow-wrap: anywhere; }
.toast-body { overflow-wrap: anywhere; }
.utterance, .action { margin: 2px 0; }
.talk { max-height: 45vh; overflow-y: auto; padding: 4px 10px; border: 1px solid var(--border-color-primary);
    border-radius: 4px; }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(260px, 100%), 1fr)); gap: 8px; }
.pair h4 { font-size: 13px; font-weight: 600; margin: 0; }
mark { background: #ffe066; color: #1c1c1c; padding: 0 1px; }
.facts.changes { margin-bottom: 8px; }
.talk summary { cursor: pointer; color: var(--body-text-color-subdued); }
#order { display: flex; align-items: center; gap: 8px; }
#order::before { content: "Order"; font-size: 13px; padding-left: 10px; }
#order > :last-child { flex: 1; }
#details h3, #center h3 { font-size: 15px; margin: 4px 0 0; }
.totals, .status { margin: 0; font-size: 14px; }
.totals span { white-space: nowrap; margin-right: 14px; }
table.numbers { border-collapse: collapse; margin: 4px 0; white-space: nowrap; font-size: 13px; }
table.numbers caption { text-align: left; font-weight: 600; padding: 2px 0; }
table.numbers th, table.numbers td { border: 1px solid var(--border-color-primary); padding: 1px 7px; }
table.numbers td { text-align: right; }
table.numbers th[scope=row] { text-align: left; font-weight: 500; }
.wide { overflow-x: auto; }
.verdict { font-size: 13px; margin: 6px 0; }
.verdict h4 { font-size: 14px; font-weight: 600; margin: 6px 0 2px; }
.verdict ul, .facts { list-style: none; padding: 0; margin: 0; }
.verdict li, .facts li { margin: 1px 0; overflow-wrap: anywhere; }
.facts { font-size: 13px; }
#items .wrap { flex-direction: column; align-items: stretch; flex-wrap: nowrap; }
#items label { width: 100%; }
#items label span { white-space: normal; text-align: left; }
#items .wrap, .facet .wrap { gap: 3px; }
#items label, .facet label { padding: 2px 6px; font-size: 13px; }
pre { white-space: pre-wrap; font-size: 12px; }
#about p { margin: 8px 0 2px; }
#about pre { white-space: pre; overflow-x: auto; font-size: 11px; }
:focus-visible { outline: 3px solid #1d4ed8 !important; outline-offset: -2px; }
.dark :focus-visible { outline-color: #93c5fd !important; }
"""
CSS = _COLUMNS + _PARTS + GAME_CSS


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
#   a game is played on its map (`play.js`)
START = (
    "() => {\n"
    + asset(__package__, "play.js")
    + """
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
        bapPlay.look();
    };
    let waiting = false;
    new MutationObserver(() => {
        if (waiting) return;
        waiting = true;
        requestAnimationFrame(() => { waiting = false; look(); });
    }).observe(document.body, { childList: true, subtree: true });
"""
    + ROTATE_TOGETHER
    + "}"
)
