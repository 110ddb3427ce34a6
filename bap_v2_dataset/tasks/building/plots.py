"""The pictures of a report, as PNG, SVG and PDF: F1 with its interval, a mark for each system, and the paper's.

Colors are those of Okabe and Ito, which people with color blindness can tell apart too, and every system has a mark of
its own. The same report gives the same bytes.
"""

import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import matplotlib

matplotlib.use("Agg")  # no window, also where there is a screen
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from bap_v2_dataset.evaluation.results import Bin, Report, ScoredSplit, System
from bap_v2_dataset.evaluation.score_tables import drawn_in
from bap_v2_dataset.tasks.building import paper
from bap_v2_dataset.tasks.building.paper import COLUMNS, HEADLINE

COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#F0E442")
MARKS = ("o", "s", "^", "D", "v", "P", "X", "*")
_PAPER = (("x", "Nebula (paper)", paper.NEBULA), ("+", "Llama-CRAFTS (paper)", paper.LLAMA_CRAFTS))
STYLE = {
    "font.size": 9,
    "axes.titlesize": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.grid.axis": "x",
    "axes.axisbelow": True,
    "grid.color": "#dddddd",
    "text.parse_math": False,  # names of systems may hold dollars
    "svg.hashsalt": "bap_v2",
    "svg.fonttype": "path",
    "pdf.fonttype": 42,  # letters that can be selected; journals ask for it
}
_WIDTH = 7.5  # inches
_STEP = 0.17  # inches from one system to the next
_GAP = 0.16  # inches between groups


@dataclass(frozen=True)
class _PlotGroup:
    """The scores at one place of an axis."""

    label: str
    scores: Sequence[tuple[float, Sequence[float]] | None]  # for each system F1 and its interval, in percent
    paper: Sequence[float | None] = ()  # as _PAPER


def drawn(report: Report, bins: Mapping[tuple[str, str], Sequence[Bin]]) -> Iterator[tuple[str, str, dict[str, bytes]]]:
    """Title, name, and the bytes by suffix ("png", "svg", "pdf") of every picture: of Builder Action Prediction."""
    with matplotlib.rc_context(STYLE):
        # All test sets in one picture
        names = list(map(_in_legend, report.systems))
        panels = [("", [_overall(report, test) for test in report.tests])]
        title = f"{HEADLINE} by test set (percent{_over(report)})"
        yield title, "overall", _images(title, panels, names)

        # The measures of each, and then its bins
        for test in report.tests:
            if test.config != "mdc":
                over = _over(replace(report, tests=[test]))
                title = f"All measures on {test.title} (F1 in percent{over})"
                yield title, f"measures_{test.file_name}", _images(title, [("", _measures(report, test))], names)
        for test in report.tests:
            if parts := bins.get(test.key):
                columns = [number for number, system in enumerate(report.systems) if test.key in system.results]
                over = _over(replace(report, tests=[test]))
                title = f"Error analysis on {test.title}: {HEADLINE} (percent{over})"
                panels = _error_panels(parts, columns, len(names))
                yield title, f"errors_{test.file_name}", _images(title, panels, names)


def _over(report: Report) -> str:
    """Say what intervals draw, if that is more than items."""
    clusters = any(result.clusters for test in report.tests for _, result in report.on(test))
    return f"; intervals {drawn_in(report)}" if clusters else ""


def _overall(report: Report, test: ScoredSplit) -> _PlotGroup:
    key, strict = ("strict_f1", " (strict F1)") if test.config == "mdc" else ("fairer_f1", "")
    paper = [model.test.get(test.config) if test.split == "test" else None for _, _, model in _PAPER]
    items = "" if test.is_subset else f"\n{len(test.rows):,} items"  # the title of a part says how many
    return _PlotGroup(f"{test.title}{strict}{items}", _scores(report, test, key), paper)


def _measures(report: Report, test: ScoredSplit) -> list[_PlotGroup]:
    groups = []
    for position, (measure, heading) in enumerate(COLUMNS.items()):
        paper = [model.boards[""][position] if test.key == ("mdc_v2", "test") else None for _, _, model in _PAPER]
        groups.append(_PlotGroup(heading, _scores(report, test, f"{measure}_f1"), paper))
    return groups


def _in_legend(system: System) -> str:
    """Its name; of a system with several runs also what the line through its mark is."""
    return f"{system.name} (runs: mean ± sd)" if any(one.runs for one in system.results.values()) else system.name


def _scores(report: Report, test: ScoredSplit, key: str) -> list[tuple[float, Sequence[float]] | None]:
    scores: list[tuple[float, Sequence[float]] | None] = []
    for system in report.systems:
        result = system.results.get(test.key)
        if result is None:
            scores.append(None)
            continue
        bounds = result.intervals.get(key, ())
        if result.runs:
            bounds = (result.scores[key] - result.deviations[key], result.scores[key] + result.deviations[key])
        scores.append((100 * result.scores[key], [100 * bound for bound in bounds]))
    return scores


def _error_panels(bins: Sequence[Bin], columns: Sequence[int], n_systems: int) -> list[tuple[str, list[_PlotGroup]]]:
    panels: dict[str, list[_PlotGroup]] = {}
    for part in bins:
        scores: list[tuple[float, Sequence[float]] | None] = [None] * n_systems
        for position, column in enumerate(columns):
            bounds = part.intervals[position] if part.intervals else ()
            scores[column] = (100 * part.f1[position], [100 * bound for bound in bounds])
        panels.setdefault(part.dimension.title, []).append(_PlotGroup(f"{part.label}  (n={part.n_items:,})", scores))
    return list(panels.items())


def _images(title: str, panels: Sequence[tuple[str, list[_PlotGroup]]], names: Sequence[str]) -> dict[str, bytes]:
    """Return a picture with a panel below the other, or in two columns if there are many."""
    # The systems that stand in it, and its legend
    groups = [group for _, panel in panels for group in panel]
    shown = [position for position in range(len(names)) if any(group.scores[position] is not None for group in groups)]
    papers = [
        number
        for number in range(len(_PAPER))
        if any(group.paper and group.paper[number] is not None for group in groups)
    ]
    handles = [Line2D([], [], label=_short(names[position]), markersize=5, **_look(position)) for position in shown]
    handles += [Line2D([], [], label=_PAPER[number][1], markersize=6, **_paper_look(number)) for number in papers]
    per_row = max(1, min(4, 90 // max(len(str(handle.get_label())) + 8 for handle in handles)))
    rows = len(shown) + len(papers)
    band = max(rows * _STEP * min(1.0, 6 / rows) + _GAP, 0.36)  # inches of a group; two lines of a label fit

    # The size of the picture in inches, with the title and the legend above
    columns = _columns(panels, 2 if len(panels) > 3 else 1)
    tall = [[len(panel) * band + (0.75 if heading else 0.4) for heading, panel in column] for column in columns]
    above = (0.45 if panels[0][0] else 0.35) + 0.22 * -(-len(handles) // per_row)
    width, height = (_WIDTH if len(columns) == 1 else 11.0), max(map(sum, tall)) + above
    figure = Figure(figsize=(width, height))
    figure.text(0.01, 1 - 0.08 / height, title, ha="left", va="top", fontsize=12, fontweight="bold")
    figure.legend(
        handles=handles, loc="upper left", bbox_to_anchor=(0.0, 1 - 0.28 / height), ncols=per_row, frameon=False
    )

    # The panels from top to bottom, with space for their labels
    for number, column in enumerate(columns):
        longest = max(len(line) for _, panel in column for group in panel for line in group.label.split("\n"))
        left = (0.075 * longest + 0.25) / width
        low = height - above
        for (heading, panel), inches in zip(column, tall[number]):
            low -= inches
            box = (number / len(columns) + left, (low + 0.35) / height,
                   1 / len(columns) - left - 0.25 / width, len(panel) * band / height)  # fmt: skip
            _draw(figure.add_axes(box), heading, panel, shown, papers, band)
    return image_files(figure)


def image_files(figure: Figure) -> dict[str, bytes]:
    """Return a picture's bytes by suffix; the same picture gives the same bytes."""
    images = {}
    formats: dict[str, dict[str, Any]] = {
        "png": {"dpi": 160, "metadata": {"Software": None}},
        "svg": {"metadata": {"Date": None, "Creator": None}},
        "pdf": {"metadata": {"CreationDate": None, "Creator": None, "Producer": None}},
    }
    for suffix, options in formats.items():
        data = io.BytesIO()
        figure.savefig(data, format=suffix, facecolor="white", **options)
        images[suffix] = data.getvalue()
    return images


def _columns(panels: Sequence[tuple[str, list[_PlotGroup]]], number: int) -> list[list[tuple[str, list[_PlotGroup]]]]:
    """Return the panels in order, in one column, or in two of about the same height."""
    if number == 1:
        return [list(panels)]
    sizes = [len(groups) + 1.5 for _, groups in panels]
    cut = min(range(1, len(panels)), key=lambda at: max(sum(sizes[:at]), sum(sizes[at:])))
    return [list(panels[:cut]), list(panels[cut:])]


def _short(name: str) -> str:
    return name if len(name) <= 40 else f"{name[:18]}…{name[-21:]}"


def _look(position: int) -> dict[str, Any]:
    """Color and mark; after eight systems the marks start over, shifted by one."""
    return {
        "color": COLORS[position % len(COLORS)],
        "marker": MARKS[(position + position // len(COLORS)) % len(MARKS)],
        "linestyle": "none",
    }


def _paper_look(number: int) -> dict[str, Any]:
    return {"color": "#555555", "marker": _PAPER[number][0], "linestyle": "none"}


def _draw(
    axes: Axes, heading: str, groups: Sequence[_PlotGroup], shown: Sequence[int], papers: Sequence[int], band: float
) -> None:
    # The axes, with a band for each group
    axes.set_xlim(-1.5, 101.5)
    axes.set_ylim(len(groups) * band, 0)  # inches, the first group on top
    axes.set_yticks([(number + 0.5) * band for number in range(len(groups))], [group.label for group in groups])
    axes.tick_params(axis="y", length=0)
    step = (band - _GAP) / (len(shown) + len(papers))

    # In each band the systems one below the other, then the paper's
    for number, group in enumerate(groups):
        top = number * band
        if number % 2:
            axes.axhspan(top, top + band, color="#f6f6f6", zorder=0, linewidth=0)
        heights = [top + _GAP / 2 + (place + 0.5) * step for place in range(len(shown) + len(papers))]
        for position, y in zip(shown, heights):
            if (score := group.scores[position]) is None:
                continue
            (value, bounds), look = score, _look(position)
            if bounds:
                axes.plot(bounds, [y, y], color=look["color"], linewidth=1.3, solid_capstyle="butt", zorder=2)
            axes.plot([value], [y], markersize=4.5, clip_on=False, zorder=3, **look)
        for position, y in zip(papers, heights[len(shown) :]):
            if group.paper and (value := group.paper[position]) is not None:
                axes.plot([value], [y], markersize=5.5, clip_on=False, zorder=3, **_paper_look(position))
    if heading:
        axes.set_title(heading, loc="left")
