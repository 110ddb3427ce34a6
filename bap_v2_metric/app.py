"""The page of the metric's Space: the widget of `evaluate` drops empty predictions, and fails with gradio 4 and later.

python app.py          # with requirements.txt and this folder alone, whatever the folder's name
"""

import csv
import io
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import ModuleType

try:
    import gradio as gr
except ModuleNotFoundError as error:
    if __name__ != "__main__" or error.name != "gradio":
        raise
    sys.exit('error: the page needs gradio: pip install "bap-v2[explore]", or -r requirements.txt of this folder')
if not __package__:  # run as a file: the folder is made the package that the relative imports need
    __package__ = "bap_v2_metric"
    sys.modules[__package__] = ModuleType(__package__)
    sys.modules[__package__].__path__ = [str(Path(__file__).parent)]

from . import scoring
from .answers import most_frequent_unparsed
from .errors import UserError
from .notation import format_block, parse_block, storable
from .prediction_files import records as prediction_records
from .prediction_files import uncompressed
from .prediction_records import AUTOMATIC, Fields, entries, reasons
from .scoring import MEASURES, InputError

RESAMPLES, MOST = 1000, 100  # for intervals; items that are judged in words
COLUMNS = {"F1": "{}_f1", "EB F1": "eb_{}_f1", "NEB F1": "neb_{}_f1",
           "precision": "{}_precision", "recall": "{}_recall"}  # fmt: skip
TOTALS = ("empty_board", "unparsed_lines", "infeasible_actions")
ABOUT = """# Builder Action Prediction v2: scores
Actions are `place COLOR X Y Z` and `pick X Y Z`, blocks `COLOR X Y Z`, one per line; x and z in -5..5, y in 1..9 (up).
Many items are JSON lines with `id` and `prediction`, and references with `id`, `before`, `after`, `interpretations`;
predictions may also be a JSON list, CSV, the output of a batch API, or texts in the order of the references."""
EXAMPLE = {"Prediction": "place blue 2 1 0\nDone", "Board before": "red 0 1 0", "Board after": "red 0 1 0\nblue 1 1 0"}
THEME = gr.themes.Default(primary_hue="blue", font="system-ui", font_mono="ui-monospace").set(
    body_text_color_subdued="*neutral_600", button_primary_background_fill="*primary_600"
)
CSS = ".divider {display: none} [role=tab] {color: inherit!important} :focus-visible {outline: solid #3b82f6!important}"
SENTENCE = "<p style='font-size: 1.2em; overflow-wrap: anywhere'>{{value}}</p>"
DOWNLOAD = """{{#if value}}<a download="bap_v2_items.csv" href="data:text/csv,${encodeURIComponent(value)}">
Download the counts of all items (CSV)</a>{{/if}}"""


def score_one(prediction: str, before: str, after: str, interpretations: str) -> list:
    """Score one item for the page; a board has one block per line."""
    item: dict = {"interpretations": interpretations}
    try:
        for field, text in (("before", before), ("after", after)):
            item[field] = [format_block(block) for block in blocks_of(f"board {field}", text)]
        return results([counted("the item", "the item", prediction, "the item", item)])
    except InputError as error:
        return [f"Cannot be scored: {error}", [], "", ""]


def score_many(text: str, file: str | None, references: str = "", references_file: str | None = None) -> list:
    """Score predictions (of a file, if there is one) for the page; without references, objects that are both."""
    try:
        # The predictions: of several answers to an item, the first.
        predictions, missing, others = {}, [], 0
        for entry in entries(values_of("predictions", text, file), "predictions", by_id=False):
            if entry.run:
                others += 1
                continue
            add(predictions, entry.row_id, f"predictions, {entry.place}", (entry.prediction or "", entry.record))
            missing += [entry.why] * (entry.prediction is None)
        # The references: of their own file, or beside the predictions.
        if references or references_file:
            rows = {}
            for place, row in values_of("references", references, references_file):
                add(rows, row.get("id") if isinstance(row, dict) else None, f"references, {place}", row)
        else:
            rows = {name: (where, record) for name, (where, (_, record)) in predictions.items()}
        # Each id has to be in both.
        for name, (where, _) in (predictions | rows).items():
            if name not in predictions or name not in rows:
                raise InputError(f"{where}: the id {name!r} is not in both, predictions and references")
        # The table, and what was left out.
        items = [counted(name, where, said[0], *rows[name]) for name, (where, said) in predictions.items()]
        sentence, *rest = results(items)
        note = f"Missing predictions: {reasons(missing)}, scored as empty. " if missing else ""
        note += f"Further answers to the same items, not scored: {others:,}. " if others else ""
        return [note + sentence, *rest]
    except UserError as error:
        return [f"Cannot be scored: {error}", [], "", ""]


def values_of(what: str, text: str, file: str | None) -> Iterator[tuple]:
    """Read the records of a text or file, each with its place (see `prediction_files`). Raises: PredictionError."""
    data = uncompressed(Path(file).read_bytes(), what) if file else text.encode(errors="surrogatepass")
    return prediction_records(data, what, AUTOMATIC if what == "predictions" else Fields(id="id"))


def add(records: dict[str, tuple], own_id: object, where: str, value: object) -> None:
    """Adds what an item has, by its id, or by number without one. Raises: InputError for an id that is there."""
    name = storable(str(len(records) + 1 if own_id is None else own_id))
    if records.setdefault(name, (where, value))[0] != where:
        raise InputError(f"{records[name][0]} and {where} have the same id {name!r}")


def blocks_of(what: str, text: str) -> Iterator:
    """Yield the blocks of the lines that are not blank. Raises: InputError, with line and value."""
    for number, line in enumerate(text.split("\n"), 1):
        try:
            if line.strip():
                yield parse_block(line)
        except ValueError as error:
            raise InputError(f"{what}, line {number}: {error}") from None


def counted(name: str, place: str, prediction: str, where: str, row: object) -> dict:
    """The counts of an item, its name, prediction and judged net actions. Raises: InputError, with line and value."""
    if not isinstance(row, dict):
        raise InputError(f"{where}: {row!r:.80} is not a JSON object with before and after")
    try:
        attempt = scoring.attempt_at(prediction, row)
    except InputError as error:
        raise InputError(
            str(error).replace("item 0", where if where == place else f"{place}, and {where}", 1)
        ) from None
    gold, fair = attempt.gold, attempt.fair
    judged = [f"{name}:" + " (aligned: place and orientation were left open)" * (fair != attempt.predicted)]
    for mark, actions in ("✓ right", fair & gold), ("✗ wrong", fair - gold), ("○ missed", gold - fair):
        judged += [f"{mark}: {action.value} {color.value} {x} {y} {z}" for action, color, (x, y, z) in sorted(actions)]
    return {"item": name, "prediction": prediction, "judged": "\n".join(judged), **attempt.counts()}


def results(items: Sequence[dict]) -> list:
    """A sentence, scores in percent, judged net actions of the items with most mistakes, and a CSV of all counts."""
    # Scores and intervals in percent.
    if not items:
        raise InputError("there are no predictions: paste or upload JSON lines")
    total, scores = scoring.aggregate(items), scoring.statistics(items)[""].scores
    intervals = scoring.bootstrap(items, RESAMPLES)
    ends = {key: f" ({100 * low:.1f}–{100 * high:.1f})" for key, (low, high) in intervals.items() if "_f1" in key}
    percent = {key: f"{100 * score:.1f}{ends.get(key, '')}" for key, score in scores.items() if score is not None}
    table = [[name, *(percent.get(key.format(name), "–") for key in COLUMNS.values())] for name in MEASURES]
    # The sentence above the table.
    unparsed = "".join(f"; {n} × {line!r}" for line, n in most_frequent_unparsed(item["prediction"] for item in items))
    sentence = (
        f"Fairer F1: {percent['fairer_f1']}. Items: {len(items)} ({total['eb_n_items']} on an empty board). Infeasible "
        f"actions: {total['infeasible_actions']}. Unparsed lines: {total['unparsed_lines']}{unparsed}. "
        f"Signature: {scoring.signature(RESAMPLES * bool(ends))}"
    )
    # The items with most mistakes, and a file of all counts.
    worst = sorted(items, key=lambda item: -item["fairer"]["fp"] - item["fairer"]["fn"])[:MOST]
    counts = [(measure, kind) for measure in MEASURES for kind in ("tp", "fp", "fn")]
    lines = [[item["item"], *(item[name][kind] for name, kind in counts), *map(item.get, TOTALS)] for item in items]
    csv.writer(file := io.StringIO()).writerows([["item", *map("_".join, counts), *TOTALS], *lines])
    return [sentence, table, "\n".join(item["judged"] for item in worst), file.getvalue()]


def page() -> gr.Blocks:
    """Return the page; its two buttons are also the calls `/score_one` and `/score_many` of its API."""
    one = [gr.Textbox(text, label=label, lines=4, max_lines=8) for label, text in EXAMPLE.items()]
    one.append(gr.Radio(scoring.INTERPRETATIONS, value="unique", label="Interpretations of the instruction"))
    many = [part for name in ("Predictions", "References") for part in (
        gr.Textbox(label=name, lines=4, max_lines=8), gr.File(label=f"or a file: {name}", height=140))]  # fmt: skip
    with gr.Blocks(title="BAP v2: scores", analytics_enabled=False, delete_cache=(3_600, 86_400)) as blocks:
        gr.Markdown(ABOUT)
        for name, score, inputs in ("one item", score_one, one), ("many items", score_many, many):
            with gr.Tab(name.capitalize()):
                gr.Interface(score, inputs, [
                    gr.HTML(html_template=SENTENCE, js_on_load="element.role = 'status'"),
                    gr.Dataframe(headers=["measure", *COLUMNS], label="Scores in percent", interactive=False),
                    gr.Textbox(label=f"Net actions; most mistakes first, at most {MOST} items", max_lines=12),
                    gr.HTML(html_template=DOWNLOAD),
                ], flagging_mode="never", api_name=score.__name__, submit_btn=f"Score {name}")  # fmt: skip
    return blocks


if __name__ == "__main__":
    page().launch(theme=THEME, css=CSS, footer_links=["api"], max_file_size="100mb")
