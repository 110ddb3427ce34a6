"""What the panels of the page show of a view: the filters, the results, an item, and the charts.

Each function returns changes: for the names of controls (`layout`) their new values, or what `gr.update` changes.
"""

import json
from typing import Any

import gradio as gr

from bap_v2_dataset.explorer import charts, texts
from bap_v2_dataset.explorer.by_hand import attempt
from bap_v2_dataset.explorer.index import Query
from bap_v2_dataset.explorer.layout import COLUMNS
from bap_v2_dataset.explorer.view import FACET_CONTROLS, NO_MODEL, View
from bap_v2_dataset.prompts import REPRESENTATIONS
from bap_v2_dataset.sentences import counted
from bap_v2_metric.actions import execute
from bap_v2_metric.blocks import Structure
from bap_v2_metric.board_figure import plotly_figure
from bap_v2_metric.counts import Counts
from bap_v2_metric.cubes import change, judged
from bap_v2_metric.notation import parse_structure, read_prediction, storable

Changes = dict[str, Any]

ITEMS_ON_A_PAGE = 10
_HEIGHT = 400  # pixels of a picture

# What each function may change.
RESULTS = ("status", "items", "results_page", "previous_page", "next_page")
ITEM = (
    "title", "previous_in_game", "next_in_game", "previous_result", "next_result", "reference", "model-1", "model-2",
    "scores", "dialogue", "history", "about", "typed", "verdict", "typed_picture", "raw-1", "raw-2",
    *(f"column_{name}" for name in COLUMNS), *(f"prompt_{name}" for name in REPRESENTATIONS), "metadata", "item_id",
    "address", "position",
)  # fmt: skip
CHARTS = ("items_chart", "f1_chart", "scores_chart", "numbers")
TYPED = ("verdict", "typed_picture")


def filters_panel(view: View) -> Changes:
    """The bins of each facet that are in the split, and the models; one bin alone filters nothing."""
    index = view.split.index
    everything = index.matching(Query())
    changes: Changes = {}
    for control, facet in FACET_CONTROLS.items():
        choices = [(f"{label} ({n:,})", label) for label, n in index.sizes(facet, everything).items() if n]
        chosen = [label for _, label in choices if label in view.bins.get(facet, ())]
        changes[control] = gr.update(choices=choices, value=chosen, visible=len(choices) > 1)
    for control, model in zip(("first", "second"), view.chosen):
        changes[control] = model.name if model else NO_MODEL
    return changes


def results_panel(view: View, page: int, chosen: int | None = None) -> Changes:
    """A page of the results.

    Args:
        page: its number, from 0; beyond the last page it is the last.
        chosen: the position of the item that is marked, if it is on the page.
    """
    results = view.results
    last = max(0, -(-len(results.positions) // ITEMS_ON_A_PAGE) - 1)
    page = min(max(page, 0), last)
    first = page * ITEMS_ON_A_PAGE
    positions = [int(position) for position in results.positions[first : first + ITEMS_ON_A_PAGE]]
    choices = [(_result(view, first + n, position), str(position)) for n, position in enumerate(positions, 1)]
    summary = f"{len(results.positions):,} of {len(view.split.index):,} items, page {page + 1:,} of {last + 1:,}"
    return {
        "status": texts.alert_html(results.problem) if results.problem else texts.status_html(summary),
        "items": gr.update(choices=choices, value=str(chosen) if chosen in positions else None),
        "results_page": page,
        "previous_page": gr.update(interactive=page > 0),
        "next_page": gr.update(interactive=page < last),
    }


def results_with(view: View, position: int | None) -> Changes:
    """The page of the results that holds an item, marked; the first page if none does."""
    rank = None if position is None else view.results.rank(position)
    return results_panel(view, 0 if rank is None else rank // ITEMS_ON_A_PAGE, position)


def _result(view: View, number: int, position: int) -> str:
    """An item in the list of results."""
    index = view.split.index
    actions = int(index.column("net_actions")[position])
    notes = [counted(actions, "action")]
    for model, scores in zip(view.chosen, view.chosen_scores):
        if scores is not None:
            item = scores.items.get(position)
            notes.append(f"{model.name} {texts.f1_text(Counts.of(item)) if item else 'no prediction'}")
    dialogue = texts.snippet(index.table["words"][position].as_py())
    return f"{number:,}. {dialogue or '(no dialogue)'} [{', '.join(notes)}]"


def item_panel(view: View, position: int | None) -> Changes:
    """All of an item."""
    if position is None or not 0 <= position < len(view.split.index):
        return {"title": "## No item", "position": -1, "address": ""}
    row = view.split.row(position)
    before, after = _boards(row)
    return {
        "title": f"## {row['id']}",
        **_step_buttons(view, position),
        "reference": _plot(plotly_figure(change(before, after), pose=row["pose"]), _HEIGHT),
        **_words(view, position, row),
        "typed": "",
        "verdict": "",
        "typed_picture": gr.update(visible=False),
        "metadata": json.dumps(row["metadata"], indent=2, ensure_ascii=False),
        "item_id": row["id"],
        "address": texts.permalink(*view.split.key, row["id"]),
        "position": position,
        **{f"column_{name}": "\n".join(row[name]) for name in COLUMNS},
        **{f"prompt_{name}": row[f"prompt_{name}"] for name in REPRESENTATIONS},
        **_chosen_models(view, row),
    }


def _boards(row: dict) -> tuple[Structure, Structure]:
    return parse_structure(row["before"]), parse_structure(row["after"])


def _step_buttons(view: View, position: int) -> Changes:
    game = view.split.index.game(position)
    place, rank = game.index(position), view.results.rank(position)
    rank = -1 if rank is None else rank
    return {
        "previous_in_game": gr.update(interactive=place > 0),
        "next_in_game": gr.update(interactive=place + 1 < len(game)),
        "previous_result": gr.update(interactive=rank > 0),
        "next_result": gr.update(interactive=rank + 1 < len(view.results.positions)),
    }


def _words(view: View, position: int, row: dict) -> Changes:
    game = view.split.index.game(position)
    counts = {name: scores.items.get(position) for name, scores in view.scores.items()}
    title = "Models, F1 in percent; ✓ ✗ ○: correct, wrong and missed net actions"
    return {
        "scores": texts.scores_html(title, counts) if counts else "",
        "dialogue": f"<div class='talk'>{texts.lines_html(row['dialogue'], 'no utterances')}</div>",
        "history": "<div class='talk' tabindex='0' role='region' aria-label='History'>"
        f"{texts.lines_html(row['history'], 'none: the game starts here')}</div>",
        "about": texts.about_html(row, game.index(position) + 1, len(game)),
    }


def _chosen_models(view: View, row: dict) -> Changes:
    """The pictures and the raw texts of the chosen models."""
    changes: Changes = {}
    before, after = _boards(row)
    for number, model in enumerate(view.chosen, 1):
        picture, raw = f"model-{number}", f"raw-{number}"
        text = model and model.prediction(view.split.key, row["id"])
        if text is None:
            changes[picture] = changes[raw] = gr.update(visible=False)
            continue
        predicted = execute(before, read_prediction(text).actions).after
        cubes = judged(before, predicted, after, row["interpretations"])
        figure = _plot(plotly_figure(cubes, pose=row["pose"]), _HEIGHT)
        changes[picture] = gr.update(value=figure, label=model.name, visible=True)
        changes[raw] = gr.update(value=storable(text), label=model.name, visible=True)
    return changes


def typed_panel(view: View, position: int, text: str) -> Changes:
    """What a typed prediction does to an item, and its scores."""
    if position < 0 or not text.strip():
        return {"verdict": "", "typed_picture": gr.update(visible=False)}
    row = view.split.row(position)
    outcome = attempt(text, row)
    before, after = _boards(row)
    cubes = judged(before, outcome.after, after, row["interpretations"])
    table = texts.scores_html("Your prediction, F1 in percent", {"typed": outcome.counts})
    figure = _plot(plotly_figure(cubes, pose=row["pose"]), _HEIGHT)
    return {
        "verdict": texts.problems_html(outcome.problems) + table,
        "typed_picture": gr.update(value=figure, visible=True),
    }


def charts_panel(view: View) -> Changes:
    """The charts of the items that match; nothing while they are not looked at."""
    if not view.charts_open:
        return {}
    positions, scores = view.results.positions, view.scores
    bars = charts.bars(view.split, positions, view.chart_by, scores)
    changes: Changes = {"items_chart": _plot(charts.items_figure(bars)), "numbers": charts.numbers_html(bars)}
    for name, figure in (
        ("f1_chart", charts.f1_figure(bars)),
        ("scores_chart", charts.scores_figure(charts.score_bars(positions, scores))),
    ):
        changes[name] = gr.update(value=_plot(figure), visible=True) if scores else gr.update(visible=False)
    return changes


def _plot(figure: dict, height: int | None = None) -> Any:
    """The value of a gr.Plot that shows a figure, without the package plotly."""
    if height is not None:
        figure = {**figure, "layout": {**figure["layout"], "height": height}}
    return gr.Plot.data_model(type="plotly", plot=json.dumps(figure))
