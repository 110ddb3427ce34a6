"""What the page of the Space shows of what is typed or uploaded: the values of its parts, in their order."""

import csv
import json
import os
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import gradio as gr

from . import SIGNATURE, InputError, aggregate, bootstrap, score_item, signature
from .actions import execute
from .answers import most_frequent_unparsed
from .board_figure import plotly_figures
from .counts import Counts
from .cubes import Cube, change, judged
from .notation import parse_structure, read_prediction, storable
from .scoring import MEASURES, check_items
from .uploads import Item, joined, read_board, read_lines

MEASURE_LABELS = {"fairer": "Overall (fairer F1)"} | {name: name.capitalize() for name in MEASURES if name != "fairer"}
SCORE_COLUMNS = ["measure", "F1", "precision", "recall", "EB F1", "NEB F1"]
ITEM_COLUMNS = [
    "line", "item", "right ✓", "wrong ✗", "missed ○", "fairer F1",
    *(f"{name} F1" for name in MEASURES if name != "fairer"), "unparsed", "infeasible",
]  # fmt: skip
FEWEST = 20  # items with intervals: of fewer, a bootstrap says little
RESAMPLES = 1000
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
        + ("" if intervals else f"Intervals: shown from {FEWEST} items on. ")
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


def clicked(items: Sequence[Item], event: gr.SelectData) -> list:
    """The item of the row that is clicked, whatever the table is sorted by."""
    index = next((index for index, item in enumerate(items) if str(item.line) == str(event.row_value[0])), None)
    return [index, *show(items, index)]
