"""What the panels around an item show of a view: the filters, the totals, the results, and the charts.

Each function returns changes: for the names of controls (`layout`) their new values, or what `gr.update` changes.
"""

import json
from typing import Any

import gradio as gr

from bap_v2_dataset.explorer import charts, texts
from bap_v2_dataset.explorer.index import Query
from bap_v2_dataset.explorer.view import FACET_CONTROLS, NO_MODEL, PageView
from bap_v2_dataset.sentences import counted
from bap_v2_metric.counts import Counts

Changes = dict[str, Any]
# How events of the page are answered; `LATEST`: what was typed or chosen meanwhile is looked at next.
QUIET = {"show_progress": "hidden", "api_visibility": "private", "concurrency_limit": 4}
LATEST = {"trigger_mode": "always_last"}

ITEMS_ON_A_PAGE = 10

# What the functions may change.
RESULTS = ("totals", "status", "unanswered", "items", "results_page", "previous_page", "next_page")
CHARTS = ("items_chart", "f1_chart", "scores_chart", "numbers")
TOAST = "toast"  # no control: a message that is shown for some seconds


def filters_panel(view: PageView) -> Changes:
    """Show the bins of each facet that are in the split, and the models; one bin alone filters nothing."""
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


def results_panel(view: PageView, page: int, chosen: int | None = None) -> Changes:
    """Show a page of the results.

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
    missing = 0 if view.without_prediction is None else int(view.without_prediction.sum())
    return {
        "totals": _totals(view),
        "unanswered": gr.update(label=f"also {counted(missing, 'item')} without a prediction", visible=missing > 0),
        "status": texts.alert_html(results.problem) if results.problem else texts.status_html(summary),
        "items": gr.update(choices=choices, value=str(chosen) if chosen in positions else None),
        "results_page": page,
        "previous_page": gr.update(interactive=page > 0),
        "next_page": gr.update(interactive=page < last),
    }


def _totals(view: PageView) -> str:
    positions, everything = view.results.positions, view.split.index.matching(Query())
    totals = {
        model.name: (scores.total(everything), scores.total(positions))
        for model, scores in zip(view.chosen, view.chosen_scores)
        if scores is not None
    }
    return texts.totals_html(len(everything), len(positions), totals)


def results_with(view: PageView, position: int | None) -> Changes:
    """Show the page of the results that holds an item, marked; the first page if none does."""
    rank = None if position is None else view.results.rank(position)
    return results_panel(view, 0 if rank is None else rank // ITEMS_ON_A_PAGE, position)


def _result(view: PageView, number: int, position: int) -> str:
    """Return the line of an item in the list of results."""
    index = view.split.index
    actions = int(index.column("net_actions")[position])
    notes = [counted(actions, "action")]
    for model, scores in zip(view.chosen, view.chosen_scores):
        if scores is not None:
            item = scores.items.get(position)
            notes.append(f"{model.name} {texts.f1_text(Counts.of(item)) if item else 'no prediction'}")
    dialogue = texts.snippet(index.table["words"][position].as_py())
    return f"{number:,}. {dialogue or '(no dialogue)'} [{', '.join(notes)}]"


def charts_panel(view: PageView) -> Changes:
    """Show the charts of the items that match; nothing while they are not looked at."""
    if not view.charts_open:
        return {}
    positions, scores = view.results.positions, view.scores
    bars = charts.bars(view.split, positions, view.chart_by, scores)
    changes: Changes = {"items_chart": plot(charts.items_figure(bars)), "numbers": charts.numbers_html(bars)}
    for name, figure in (
        ("f1_chart", charts.f1_figure(bars)),
        ("scores_chart", charts.scores_figure(charts.score_bars(positions, scores))),
    ):
        changes[name] = gr.update(value=plot(figure), visible=True) if scores else gr.update(visible=False)
    return changes


def plot(figure: dict, height: int | None = None) -> Any:
    """Return the value of a gr.Plot that shows a figure, without the package plotly."""
    if height is not None:
        figure = {**figure, "layout": {**figure["layout"], "height": height}}
    return gr.Plot.data_model(type="plotly", plot=json.dumps(figure))
