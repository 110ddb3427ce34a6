"""Numbers of many items as bars: figures for plotly as plain dicts, and the same numbers as a table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

import numpy as np

from bap_v2_dataset.explorer.index import FACETS
from bap_v2_dataset.explorer.split import Split, SplitScores
from bap_v2_dataset.explorer.texts import table_html
from bap_v2_metric.counts import Counts

_COLORS = ("#1f5fa8", "#b3541e", "#3b7a3b", "#7a4a9e", "#6b6b6b")  # 4.5 to 1 on white and apart in lightness
_PATTERNS = ("", "/", "x", ".", "-")  # so that models do not differ by color alone
_MANY_ACTIONS = 20
SCORE_LABELS = ("0", "0-20", "20-40", "40-60", "60-80", "80-100", "100")  # F1 of an item in percent
BY_ACTIONS = "net_actions"
TITLES = {BY_ACTIONS: "number of net actions", **{facet.name: facet.title for facet in FACETS}}


@dataclass(frozen=True)
class Bars:
    """Bins, how many items are in each, and what each model scores there."""

    title: str
    labels: Sequence[str]
    n_items: Sequence[int]
    f1: Mapping[str, Sequence[float | None]]  # by model; percent, micro-averaged; None where it has no prediction


def bars(split: Split, positions: np.ndarray, by: str, models: Mapping[str, SplitScores]) -> Bars:
    """Sort the items at these positions into the bins of a facet, or by their net actions; empty bins are left out.

    Args:
        split: of the items.
        positions: of the items.
        by: a key of TITLES.
        models: by name.
    """
    members = _by_actions(split, positions) if by == BY_ACTIONS else _by_facet(split, positions, by)
    members = {label: inside for label, inside in members.items() if len(inside)}
    f1 = {name: [_f1(scores, inside) for inside in members.values()] for name, scores in models.items()}
    return Bars(TITLES[by], list(members), [len(inside) for inside in members.values()], f1)


def score_bars(positions: np.ndarray, models: Mapping[str, SplitScores]) -> dict[str, list[int]]:
    """Count for each model how many predictions for these items have an F1 in each bin of SCORE_LABELS."""
    numbers = {}
    for name, scores in models.items():
        f1 = scores.f1[positions]
        f1 = np.round(f1[~np.isnan(f1)], 6)
        edges = np.digitize(f1, (0.2, 0.4, 0.6, 0.8), right=True) + 1
        edges[f1 == 0.0], edges[(f1 > 0.8) & (f1 < 1.0)], edges[f1 == 1.0] = 0, 5, 6
        numbers[name] = np.bincount(edges, minlength=len(SCORE_LABELS)).tolist()
    return numbers


def _by_facet(split: Split, positions: np.ndarray, facet: str) -> dict[str, np.ndarray]:
    return {label: positions[split.index.mask(facet, [label])[positions]] for label in split.index.bins[facet]}


def _by_actions(split: Split, positions: np.ndarray) -> dict[str, np.ndarray]:
    numbers = np.minimum(split.index.column("net_actions")[positions], _MANY_ACTIONS)
    labels = [*map(str, range(_MANY_ACTIONS)), f"{_MANY_ACTIONS} or more"]
    return {label: positions[numbers == number] for number, label in enumerate(labels)}


def _f1(scores: SplitScores, positions: np.ndarray) -> float | None:
    if not scores.answered[positions].any():
        return None
    return 100.0 * Counts(*scores.counts[positions].sum(axis=0).tolist()).f1


def items_figure(bars: Bars) -> dict:
    """Return the figure of the number of items in each bin."""
    bar = {"type": "bar", "x": list(bars.labels), "y": list(bars.n_items), "marker": {"color": _COLORS[4]}}
    return _figure([bar], f"Items by {bars.title}", "items")


def f1_figure(bars: Bars) -> dict:
    """Return the figure of the F1 of each model in each bin."""
    traces = [
        {"type": "bar", "name": name, "x": list(bars.labels), "y": list(values), **_style(number),
         "customdata": list(bars.n_items), "hovertemplate": "%{y:.1f} on %{customdata:,} items<extra>%{x}</extra>"}
        for number, (name, values) in enumerate(bars.f1.items())
    ]  # fmt: skip
    figure = _figure(traces, f"Fairer F1 by {bars.title}", "F1 in percent")
    figure["layout"]["yaxis"]["range"] = [0, 100]
    return figure


def scores_figure(numbers: Mapping[str, Sequence[int]]) -> dict:
    """Return the figure of the number of items with each F1."""
    traces = [
        {"type": "bar", "name": name, "x": list(SCORE_LABELS), "y": list(values), **_style(number)}
        for number, (name, values) in enumerate(numbers.items())
    ]
    return _figure(traces, "Items by their fairer F1", "items")


def _style(number: int) -> dict:
    place = number % len(_COLORS)
    return {"marker": {"color": _COLORS[place], "pattern": {"shape": _PATTERNS[place], "solidity": 0.25}}}


def _figure(traces: list[dict], title: str, unit: str) -> dict:
    layout = {
        "title": {"text": title, "font": {"size": 15}},
        "barmode": "group", "height": 340, "margin": {"l": 60, "r": 10, "t": 46, "b": 50},
        "showlegend": len(traces) > 1, "legend": {"orientation": "h", "y": -0.25},
        "xaxis": {"type": "category", "automargin": True},
        "yaxis": {"title": {"text": unit}, "rangemode": "tozero", "automargin": True},
        "paper_bgcolor": "#ffffff", "plot_bgcolor": "#f4f5f7", "font": {"color": "#1c1c1c"},
    }  # fmt: skip
    return {"data": traces, "layout": layout}


def numbers_html(bars: Bars) -> str:
    """Return the numbers of the bars as a table."""
    heads = "".join(f"<th scope='col'>{escape(name)}</th>" for name in (bars.title, "items", *bars.f1))
    lines = []
    for place, (label, number) in enumerate(zip(bars.labels, bars.n_items)):
        values = [f1[place] for f1 in bars.f1.values()]
        cells = [f"{number:,}", *("–" if value is None else f"{value:.1f}" for value in values)]
        lines.append(f"<tr><th scope='row'>{escape(label)}</th>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>")
    return table_html("Items" + (", and fairer F1 in percent" if bars.f1 else ""), heads, lines)
