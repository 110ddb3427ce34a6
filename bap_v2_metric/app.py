"""The page of the metric's Space: scores predictions that are typed, pasted or uploaded, and shows what they built.

python app.py          # with requirements.txt and this folder alone, whatever the folder's name
"""

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

try:
    import gradio as gr
except ModuleNotFoundError as error:
    if __name__ != "__main__" or error.name != "gradio":
        raise
    sys.exit('error: the page needs gradio: pip install "bap-v2[explore]", or -r requirements.txt of this folder')

if not __package__:  # run as a file: the folder is made the package that the relative imports need
    __package__ = "bap_v2_metric"
    _spec = spec_from_file_location(__package__, Path(__file__).parent / "__init__.py")
    sys.modules[__package__] = module_from_spec(_spec)
    _spec.loader.exec_module(sys.modules[__package__])

from .board_figure import LEGEND, ROTATE_TOGETHER
from .cubes import Look, legend
from .page_results import ITEM_COLUMNS, SCORE_COLUMNS, clicked, score_many, score_one, show
from .scoring import INTERPRETATIONS

EXAMPLES = [
    ["place red 3 1 -2\nplace red 3 2 -2", "", "red 0 1 0\nred 0 2 0", "multiple"],
    ["place blue 1 1 0\nplace green 1 2 0\nI think that is all.", "red 0 1 0", "red 0 1 0\nblue 1 1 0", "unique"],
    ["pick 0 1 0\nplace yellow 5 9 5", "red 0 1 0\nblue 1 1 0", "blue 1 1 0", "unique"],
]
EXAMPLE_LABELS = ["Right, but elsewhere", "A block too many", "An infeasible action"]
FIRST = EXAMPLES[1]  # is shown when the page opens
LINES = """\
{"id": "a tower", "prediction": "place red 3 1 -2\\nplace red 3 2 -2"}
{"id": "a row", "prediction": "place blue 1 1 0\\nplace blue 2 1 0\\nplace green 3 1 0"}
{"id": "a removal", "prediction": "pick 0 2 0"}
"""
REFERENCES = """\
{"id": "a tower", "before": [], "after": ["red 0 1 0", "red 0 2 0"], "interpretations": "multiple"}
{"id": "a row", "before": ["red 0 1 0"], "after": ["red 0 1 0", "blue 1 1 0", "blue 2 1 0", "blue 3 1 0"], \
"pose": {"x": 1.5, "y": 1.0, "z": -3.5, "yaw": -10.0, "pitch": 25.0}}
{"id": "a removal", "before": ["red 0 1 0", "red 0 2 0"], "after": ["red 0 2 0"]}
"""

# What is small is dark enough to be read, and what has the focus is seen to have it.
THEME = gr.themes.Default(
    primary_hue="blue", font=["system-ui", "sans-serif"], font_mono=["ui-monospace", "monospace"]
).set(
    body_text_color_subdued="*neutral_600",
    button_primary_background_fill="*primary_600",
    button_primary_background_fill_hover="*primary_700",
)  # fmt: skip
CSS = """
:focus-visible { outline: 3px solid #1d4ed8 !important; outline-offset: 1px; }
.dark :focus-visible { outline-color: #93c5fd !important; }
body:not(.dark) button[role=tab][aria-selected=true] { color: #1d4ed8 !important; }
#headline * { font-size: 1.6rem !important; font-weight: 700; }
#status { min-height: 1.5em; overflow-wrap: anywhere; }
#headline .html-container, #status .html-container { padding: 0; }
#items .cell-menu-button {  /* else it comes, over the name, when it is pointed at */
    display: flex !important; position: static !important; transform: none !important; border: 0 !important;
    width: 1em !important; min-width: 1em !important; margin: 0 !important;
}
footer .divider:last-child { display: none; }
"""
SCRIPT = f"""() => {{
    document.getElementById("status").setAttribute("role", "status");  // is read aloud when it changes
    {ROTATE_TOGETHER}
}}"""
# Where the columns stand below each other, the result is below what is typed.
TO_THE_RESULT = """() => {
    const result = document.getElementById("status");
    if (result.getBoundingClientRect().bottom > window.innerHeight) { result.scrollIntoView({block: "center"}); }
}"""


def page() -> gr.Blocks:
    """The page; its two buttons are also the calls `/score_one` and `/score_many` of its API."""
    lines = {"lines": 5, "max_lines": 8}
    files = {"file_types": [".jsonl", ".json", ".txt"], "height": 130}
    with gr.Blocks(
        title="BAP v2: scores", analytics_enabled=False, delete_cache=(3_600, 86_400), fill_width=True
    ) as blocks:
        gr.Markdown(
            "# Builder Action Prediction v2: scores\nWhich blocks does the Builder place and remove next? Actions are "
            "`place COLOR X Y Z` and `pick X Y Z`, blocks of a board `COLOR X Y Z`, one per line; x and z in "
            "-5..5, y in 1..9 (up)."
        )
        with gr.Row():
            with gr.Column(scale=5, min_width=480):
                with gr.Tab("One item"):
                    with gr.Row():
                        prediction = gr.Textbox(FIRST[0], label="Prediction", **lines, min_width=150)
                        before = gr.Textbox(FIRST[1], label="Reference: board before", **lines, min_width=150)
                        after = gr.Textbox(FIRST[2], label="Reference: board after", **lines, min_width=150)
                    interpretations = gr.Radio(
                        INTERPRETATIONS, value=FIRST[3], label="Interpretations of the instruction"
                    )
                    one = gr.Button("Score this item", variant="primary")
                    one_examples = gr.Column()
                with gr.Tab("Many items"):
                    gr.Markdown(
                        "JSON lines. A line of the predictions has a `prediction` and the `id` of a reference; "
                        "references are rows of the dataset (`before`, `after`; `interpretations`, `pose` and "
                        "`dialogue` if you have them). Rows that have a `prediction` need no references."
                    )
                    with gr.Row():
                        with gr.Column(min_width=200):
                            text = gr.Textbox(label="Predictions", **lines)
                            file = gr.File(label="or a file of predictions", **files)
                        with gr.Column(min_width=200):
                            references = gr.Textbox(label="References", **lines)
                            references_file = gr.File(label="or a file of references", **files)
                    many = gr.Button("Score these items", variant="primary")
                    many_examples = gr.Column()
            with gr.Column(scale=6, min_width=480):
                headline = gr.HTML(html_template="{{value}}", elem_id="headline")
                status = gr.HTML(html_template="{{value}}", elem_id="status")
                with gr.Column(visible=False) as scored:
                    scores = gr.Dataframe(
                        headers=SCORE_COLUMNS, label="Scores in percent", interactive=False, elem_id="scores"
                    )
                    unparsed = gr.Textbox(
                        label="Unparsed lines, the most frequent first", interactive=False, lines=1, max_lines=5,
                        visible=False,
                    )  # fmt: skip
        items = gr.State([])
        with gr.Column(visible=False) as shown:
            with gr.Column() as several:
                gr.Markdown(
                    "## Items\nNet actions that are right, wrong and missed (fairer), and F1 in percent; the worst "
                    "item first. ⋮ beside a column's name sorts and filters; a click on a row shows the item."
                )
                rows = gr.Dataframe(
                    headers=ITEM_COLUMNS, datatype=["number", "str", *["number"] * (len(ITEM_COLUMNS) - 2)],
                    label="Items", interactive=False, max_height=260, elem_id="items",
                )  # fmt: skip
                with gr.Row():
                    chosen = gr.Dropdown(label="Item, the worst first", interactive=True)
                    download = gr.DownloadButton("Download the counts of all items (CSV)")
            dialogue = gr.Textbox(label="Dialogue", interactive=False, lines=2)
            with gr.Row():
                pictures = [
                    gr.Plot(label=label, min_width=250) for label in ("Before", "Reference", "Prediction, judged")
                ]
            with gr.Row():
                raw = gr.Textbox(label="Its prediction", interactive=False, lines=4, min_width=300)
                verdict = gr.Textbox(label="Its net actions, judged", interactive=False, lines=4, min_width=300)
            keys = [words for look, words in legend().items() if look is not Look.TARGET]  # it is not drawn here
            gr.Markdown("In the pictures: " + "; ".join([*keys, LEGEND]) + ".")
        one_item = [chosen, dialogue, raw, verdict, *pictures]
        outputs = [headline, status, scores, unparsed, rows, download, scored, shown, several, items, *one_item]
        one_inputs = [prediction, before, after, interpretations]
        many_inputs = [text, file, references, references_file]
        hidden = {"api_visibility": "private"}
        one.click(score_one, one_inputs, outputs, api_name="score_one").then(None, js=TO_THE_RESULT, **hidden)
        many.click(score_many, many_inputs, outputs, api_name="score_many").then(None, js=TO_THE_RESULT, **hidden)
        blocks.load(score_one, one_inputs, outputs, **hidden)
        with one_examples:
            examples = gr.Examples(EXAMPLES, one_inputs, example_labels=EXAMPLE_LABELS)
            loaded = examples.load_input_event.then(score_one, one_inputs, outputs, **hidden)
            loaded.then(None, js=TO_THE_RESULT, **hidden)
        with many_examples:
            examples = gr.Examples([[LINES, None, REFERENCES, None]], many_inputs, example_labels=["Three items"])
            loaded = examples.load_input_event.then(score_many, many_inputs, outputs, **hidden)
            loaded.then(None, js=TO_THE_RESULT, **hidden)
        chosen.input(show, [items, chosen], one_item[1:], **hidden)
        rows.select(clicked, [items], one_item, **hidden)
    return blocks


if __name__ == "__main__":
    page().launch(theme=THEME, css=CSS, js=SCRIPT, footer_links=["api", "gradio"], max_file_size="100mb")
