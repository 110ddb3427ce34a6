"""The page of the metric's Space: scores predictions that are typed, pasted or uploaded, and shows what they built.

python app.py          # with requirements.txt and this folder alone, whatever the folder's name
"""

import csv
import json
import os
import sys
import tempfile
from collections.abc import Mapping, Sequence
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

from . import SIGNATURE, InputError, aggregate, bootstrap, score_item, signature
from .actions import execute
from .answers import most_frequent_unparsed
from .board_figure import LEGEND, ROTATE_TOGETHER, plotly_figures
from .counts import Counts
from .cubes import Cube, change, judged, legend
from .notation import parse_structure, read_prediction, storable
from .scoring import INTERPRETATIONS, MEASURES, check_items
from .uploads import Item, joined, read_board, read_lines

MEASURE_LABELS = {"fairer": "Overall (fairer F1)"} | {name: name.capitalize() for name in MEASURES if name != "fairer"}
SCORE_COLUMNS = ["measure", "F1", "precision", "recall", "EB F1", "NEB F1"]
ITEM_COLUMNS = [
    "line", "item", "right ✓", "wrong ✗", "missed ○", "fairer F1",
    *(f"{name} F1" for name in MEASURES if name != "fairer"), "unparsed", "infeasible",
]  # fmt: skip
FEWEST = 20  # items with intervals: of fewer, a bootstrap says little
RESAMPLES = 1000
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
FAILED = "Cannot be scored: "
FIGURE_HEIGHT = 300  # pixels


def score_one(prediction: str, before: str, after: str, interpretations: str) -> list:
    """The results of one item; structures have one block per line."""
    try:
        boards = {"before": read_board("board before", before), "after": read_board("board after", after)}
        reference = {**boards, "interpretations": interpretations}
        check_items([""], [reference])
    except InputError as error:
        return failed(str(error).removeprefix("item 0, "))
    return results([Item(1, "1", storable(prediction), reference)])


def score_many(text: str, file: "str | None", references: str = "", references_file: "str | None" = None) -> list:
    """The results of JSON lines; an uploaded file goes before pasted text.

    A line of the predictions has a `prediction` and either what a reference has (a row of the dataset) or the `id` of
    one. If no line has an id, references belong to predictions in order.
    """
    try:
        predictions = read_lines("predictions", text, file)
        if not predictions:
            return failed("", "Nothing to score: paste or upload predictions, one JSON object per line.")
        return results(joined(predictions, read_lines("references", references, references_file)))
    except InputError as error:
        return failed(str(error))


def results(items: list[Item]) -> list:
    """What the page shows: the headline, a sentence, scores in percent, the items, the worst first, and one of them."""
    counts = [score_item(item.prediction, item.reference) for item in items]
    result = aggregate(counts)
    intervals = bootstrap(counts, RESAMPLES) if len(items) >= FEWEST else {}

    def shown(measure: str, group: str, statistic: str) -> str:
        return f"{100 * result[f'{group}{measure}_{statistic}']:.1f}" if result[f"{group}n_items"] else "–"

    def interval(measure: str) -> str:
        return "–".join(f"{100 * end:.1f}" for end in intervals[f"{measure}_f1"])

    columns = [("", "f1"), ("", "precision"), ("", "recall"), ("eb_", "f1"), ("neb_", "f1")]
    table = {
        "headers": SCORE_COLUMNS + ["95% of F1"] * bool(intervals),
        "data": [
            [label, *(shown(measure, *column) for column in columns)] + ([interval(measure)] if intervals else [])
            for measure, label in MEASURE_LABELS.items()
        ],
    }
    order = sorted(range(len(items)), key=lambda index: _badness(counts[index]))
    rows = [_row(items[index], counts[index]) for index in order]
    labels = sorted({item.labels for item in items} - {""})
    headline = f"{MEASURE_LABELS['fairer']}: {shown('fairer', '', 'f1')}"
    if intervals:
        headline += f" (95% interval {interval('fairer')})"
    status = (
        f"Items: {result['n_items']} ({result['eb_n_items']} on an empty board). Unparsed lines: "
        f"{result['unparsed_lines']}. Infeasible actions: {result['infeasible_actions']}. "
        + ("" if intervals else f"Intervals: from {FEWEST} items on. ")
        + f"Signature: {signature(RESAMPLES if intervals else 0)}"
        + (f". Labels of the test items: {', '.join(labels)}" if labels else "")
    )
    frequent = most_frequent_unparsed((item.prediction for item in items), 5)
    unparsed = gr.update(value="\n".join(f"{n} × {line}" for line, n in frequent), visible=bool(frequent))
    choices = [(f"{items[index].name} (line {items[index].line})", index) for index in order]
    chosen = gr.update(choices=choices, value=order[0])
    parts = [gr.update(visible=True), gr.update(visible=True), gr.update(visible=len(items) > 1)]
    parts += [items, chosen, *show(items, order[0])]
    return [headline, status, table, unparsed, rows, _file(items, counts), *parts]


def failed(problem: str, status: str = "") -> list:
    """What the page shows when there is nothing to show but a sentence."""
    hidden, none = gr.update(visible=False), gr.update(choices=[], value=None)
    unparsed = gr.update(value="", visible=False)
    return ["", status or f"{FAILED}{problem}", [], unparsed, [], None, *[hidden] * 3, [], none, *show([], None)]


def show(items: Sequence[Item], index: "int | None") -> list:
    """Of an item: the dialogue, the prediction, what is judged of it, and pictures of before, reference, prediction."""
    if index is None or not items:
        return [gr.update(value="", visible=False), "", "", None, None, None]
    item = items[index]
    before, after = (parse_structure(item.reference[field]) for field in ("before", "after"))
    interpretations = item.reference.get("interpretations") or "unique"
    predicted = execute(before, read_prediction(item.prediction).actions).after
    verdict = judged(before, predicted, after, interpretations)
    lines = [f"{cube.mark} {_action(cube)}: {cube.words}" for cube in verdict if cube.mark]
    if interpretations == "multiple" and predicted != after:
        lines.append("(aligned: place and orientation were left open)")
    return [
        gr.update(value=item.dialogue, visible=bool(item.dialogue)),
        item.prediction,
        "\n".join(lines) or "Nothing to do, and nothing done.",
        *_pictures([change(before, before), change(before, after), verdict], item.pose),
    ]


def _pictures(boards: Sequence[Sequence[Cube]], pose: "Mapping | None") -> list[gr.Plot.data_model]:
    """All seen from the same place, in the form in which gr.Plot sends them: the package plotly is not needed."""
    figures = plotly_figures(boards, pose=pose)
    for figure in figures:
        figure["layout"] |= {"height": FIGURE_HEIGHT, "autosize": True}
    return [gr.Plot.data_model(type="plotly", plot=json.dumps(figure)) for figure in figures]


def _action(cube: Cube) -> str:
    color, (x, y, z) = cube.color.value, cube.cell
    return f"{'pick' if cube.removal else 'place'} {color} {x} {y} {z}"


def _nothing_to_do(item: Mapping) -> bool:
    """Whether there was nothing to do and nothing was done: F1 is 0/0, and nothing is wrong."""
    return Counts.of(item, "strict") == Counts()


def _badness(item: Mapping) -> tuple:
    """Small for what is bad: a low fairer F1, then many mistakes."""
    fairer = Counts.of(item, "fairer")
    return _nothing_to_do(item), fairer.f1, -fairer.fp - fairer.fn


def _row(item: Item, counts: Mapping) -> list:
    idle = _nothing_to_do(counts)
    f1 = {name: None if idle else round(100 * Counts.of(counts, name).f1, 1) for name in MEASURES}
    fairer = Counts.of(counts, "fairer")
    return [
        item.line, item.name, fairer.tp, fairer.fp, fairer.fn, f1.pop("fairer"), *f1.values(),
        counts["unparsed_lines"], counts["infeasible_actions"],
    ]  # fmt: skip


def _file(items: Sequence[Item], counts: Sequence[Mapping]) -> str:
    """The path of a CSV of the counts of every item, in the order of the predictions."""
    # In the folder of gradio's temporary files, from which it deletes old ones (`delete_cache` of the page).
    folder = Path(os.environ.get("GRADIO_TEMP_DIR") or Path(tempfile.gettempdir(), "gradio")).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    path = Path(tempfile.mkdtemp(dir=folder), "bap_v2_items.csv")
    kinds = [(measure, count) for measure in MEASURES for count in ("tp", "fp", "fn")]
    totals = ("unparsed_lines", "infeasible_actions")
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        names = (f"{measure}_{count}" for measure, count in kinds)
        writer.writerow(["line", "item", "empty_board", *names, *totals, "signature"])
        for item, of_item in zip(items, counts):
            numbers = [of_item[measure][count] for measure, count in kinds] + [of_item[name] for name in totals]
            writer.writerow([item.line, item.name, of_item["empty_board"], *numbers, SIGNATURE])
    return str(path)


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
            gr.Markdown("In the pictures: " + "; ".join([*legend().values(), LEGEND]) + ".")
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


def clicked(items: Sequence[Item], event: gr.SelectData) -> list:
    """The item of the row that is clicked, whatever the table is sorted by."""
    index = next((index for index, item in enumerate(items) if str(item.line) == str(event.row_value[0])), None)
    return [index, *show(items, index)]


if __name__ == "__main__":
    page().launch(theme=THEME, css=CSS, js=SCRIPT, footer_links=["api", "gradio"], max_file_size="100mb")
