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

CSS = "\n" + asset(__package__, "page.css") + GAME_CSS + asset(__package__, "talk.css")


# Is called with the query that names the item that is shown, or "". A new item is a new entry in the browser's history;
# the one that a page without an item in its address opens with, and one that the history itself led to, is not: also if
# the history has led further before the server showed it.
SHOW_LINK = asset(__package__, "show_link.js").rstrip("\n")

# Runs once, when the page is opened.
#   back and forward: the query goes into the hidden box `visited`, which the server listens to
#   pictures: those of an item turn together
#   a dialogue shows its end first
#   a game is played on its map (`play.js`)
START = f"() => {{\n{asset(__package__, 'play.js')}\n{asset(__package__, 'start.js')}{ROTATE_TOGETHER}}}"
