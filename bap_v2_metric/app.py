"""The page of the metric's Space: scores predictions that are typed, pasted or uploaded.

python app.py          # with requirements.txt and this folder alone, whatever the folder's name
"""

import json
import sys
from collections.abc import Sequence
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import gradio as gr

if not __package__:  # run as a file: the folder is made the package that the relative imports need
    __package__ = "bap_v2_metric"
    _spec = spec_from_file_location(__package__, Path(__file__).parent / "__init__.py")
    sys.modules[__package__] = module_from_spec(_spec)
    _spec.loader.exec_module(sys.modules[__package__])

from . import InputError, aggregate, score_items
from .scoring import INTERPRETATIONS, MEASURES

SCORE_COLUMNS = ["measure", "precision", "recall", "F1", "F1, empty board", "F1, other boards"]
ITEM_COLUMNS = ["item", *MEASURES, "unparsed lines", "infeasible actions"]
EXAMPLES = [
    ["place red 3 1 -2\nplace red 3 2 -2", "", "red 0 1 0\nred 0 2 0", "multiple"],
    ["place blue 1 1 0\nplace green 1 2 0\nI think that is all.", "red 0 1 0", "red 0 1 0\nblue 1 1 0", "unique"],
    ["pick 0 1 0\nplace yellow 5 9 5", "red 0 1 0\nblue 1 1 0", "blue 1 1 0", "unique"],
]
LINES = """\
{"id": "a", "prediction": "place red 0 1 0", "before": [], "after": ["red 0 1 0"], "interpretations": "multiple"}
{"id": "b", "prediction": "pick 0 1 0", "before": ["red 0 1 0", "blue 1 1 0"], "after": ["red 0 1 0"]}
"""
Tables = tuple[str, list[list], list[list]]  # a sentence, rows of SCORE_COLUMNS, rows of ITEM_COLUMNS


def score_one(prediction: str, before: str, after: str, interpretations: str) -> Tables:
    """The scores of one item; structures have a block a line."""
    reference = {"before": _lines(before), "after": _lines(after), "interpretations": interpretations}
    return scored([prediction], [reference], ["1"])


def score_many(text: str, file: str | None) -> Tables:
    """The scores of JSON lines: rows of the dataset with a `prediction`; an uploaded file goes before pasted text."""
    predictions, references, names = [], [], []
    labels = set()  # whose, of rows of the clean test set
    try:
        lines = (Path(file).read_text(encoding="utf-8") if file else text).split("\n")
        for number, line in enumerate(lines, 1):
            if line.strip():
                item = json.loads(line)
                if not isinstance(item, dict):
                    raise InputError(f"line {number} is not a JSON object, but {line[:80]!r}")
                predictions.append(item.get("prediction"))
                references.append({key: item[key] for key in ("before", "after", "interpretations") if key in item})
                names.append(str(item.get("id", number)))
                annotation = item["metadata"].get("annotation") if isinstance(item.get("metadata"), dict) else None
                labels.add(str(annotation.get("labels")) if isinstance(annotation, dict) else "")
    except json.JSONDecodeError as error:
        return f"Cannot be scored: line {number} is not JSON ({error.msg} at character {error.pos + 1})", [], []
    except UnicodeDecodeError:
        return "Cannot be scored: the file is not a text in UTF-8", [], []
    except InputError as error:
        return f"Cannot be scored: {error}", [], []
    if not names:
        return "Nothing to score: paste or upload a JSON object a line", [], []
    said, *tables = scored(predictions, references, names)
    whose = f". Labels of the test items: {', '.join(sorted(labels - {''}))}" if labels - {""} else ""
    return (said + whose, *tables)


def scored(predictions: Sequence[str], references: Sequence[dict], names: Sequence[str]) -> Tables:
    """Scores in per cent and counts; for input that cannot be scored, a sentence that names the item and the value."""
    try:
        items = score_items(predictions, references)
    except InputError as error:
        return f"Cannot be scored: {error} (items are counted from 0)", [], []
    result = aggregate(items)
    columns = [("", "precision"), ("", "recall"), ("", "f1"), ("eb_", "f1"), ("neb_", "f1")]

    def shown(measure: str, group: str, statistic: str) -> str:
        return f"{100 * result[f'{group}{measure}_{statistic}']:.1f}" if result[f"{group}n_items"] else "no items"

    scores = [[measure, *(shown(measure, *column) for column in columns)] for measure in MEASURES]
    rows = [
        [name, *(_counts(item[measure]) for measure in MEASURES), item["unparsed_lines"], item["infeasible_actions"]]
        for name, item in zip(names, items)
    ]
    said = (
        f"Items: {result['n_items']} ({result['eb_n_items']} on an empty board); lines that are no action: "
        f"{result['unparsed_lines']}; actions that are not feasible: {result['infeasible_actions']}. "
        f"Signature: `{result['signature']}`"
    )
    return said, scores, rows


def _counts(measure: dict) -> str:
    return f"{measure['tp']} / {measure['fp']} / {measure['fn']}"


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.split("\n") if line.strip()]


def page() -> gr.Blocks:
    """The page; its two buttons are also the calls `/score_one` and `/score_many` of its API."""
    with gr.Blocks(title="BAP v2: scores", analytics_enabled=False) as blocks:
        gr.Markdown(
            "# Builder Action Prediction v2\nWhich blocks does the Builder place and remove next? Actions are "
            "`place COLOUR X Y Z` and `pick X Y Z`, blocks of a structure `COLOUR X Y Z`, one a line; x and z in "
            "-5..5, y in 1..9 (up)."
        )
        with gr.Tab("One item"):
            with gr.Row():
                prediction = gr.Textbox(label="Prediction", lines=6)
                before = gr.Textbox(label="Reference: board before", lines=6)
                after = gr.Textbox(label="Reference: board after", lines=6)
            interpretations = gr.Radio(INTERPRETATIONS, value="unique", label="Interpretations of the instruction")
            one = gr.Button("Score", variant="primary")
            gr.Examples(EXAMPLES, [prediction, before, after, interpretations])
        with gr.Tab("Many items"):
            text = gr.Textbox(LINES, label="JSON lines: rows of the dataset with a prediction", lines=8)
            file = gr.File(label="or a file of them", file_types=[".jsonl", ".json", ".txt"])
            many = gr.Button("Score", variant="primary")
        said = gr.Markdown()
        scores = gr.Dataframe(headers=SCORE_COLUMNS, label="Scores in per cent", interactive=False)
        rows = gr.Dataframe(headers=ITEM_COLUMNS, label="Net actions: right / wrong / missed", interactive=False)
        outputs = [said, scores, rows]
        one.click(score_one, [prediction, before, after, interpretations], outputs, api_name="score_one")
        many.click(score_many, [text, file], outputs, api_name="score_many")
    return blocks


if __name__ == "__main__":
    page().launch()
