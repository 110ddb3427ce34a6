"""The plot of a study with an axis: the headline score over it, one line for each column, as PNG, SVG and PDF."""

import matplotlib
from matplotlib.figure import Figure

from bap_v2_dataset.tasks.building.plots import COLORS, MARKS, STYLE, image_files
from studies.results import Column, Results
from studies.tables import measure_title


def drawn(results: Results) -> dict[str, bytes]:
    """The bytes of the plot by suffix: means with their intervals, and a small dot for each seed.

    Groups of test sets stand in the left panel, single ones in the right.
    """
    groups = [column for column in results.columns if column.is_group]
    single = [column for column in results.columns if not column.is_group]
    panels = [panel for panel in (groups, single) if panel]
    with matplotlib.rc_context({**STYLE, "axes.grid.axis": "both"}):
        figure = Figure(figsize=(3.6 * len(panels) + 0.4, 3.4), layout="constrained")
        figure.suptitle(results.study.title, x=0.01, ha="left", fontsize=11, fontweight="bold")
        for number, panel in enumerate(panels):
            axes = figure.add_subplot(1, len(panels), number + 1)
            for place, column in enumerate(panel):
                _line(axes, results, column, place + (0 if panel is groups else len(groups)))
            axes.set(xscale="log", xlabel=results.study.axis, ylim=(-2, 102))
            if not number:
                axes.set_ylabel(f"{measure_title(results.study.measure)} (percent)")
            places = sorted({arm.x for arm in results.study.compared if arm.x is not None})
            axes.set_xticks(places, [f"{place:,.0f}" for place in places])
            axes.minorticks_off()
            axes.legend(frameon=False, fontsize=8)
        return image_files(figure)


def _line(axes, results: Results, column: Column, place: int) -> None:
    arms = sorted((arm for arm in results.study.compared if arm.x is not None), key=lambda arm: arm.x)
    estimates = [results.headline[arm.name].scores[results.columns.index(column)] for arm in arms]
    x, y = [arm.x for arm in arms], [100 * one.value for one in estimates]
    color, mark = COLORS[place % len(COLORS)], MARKS[place % len(MARKS)]
    low, high = ([100 * getattr(one, side) for one in estimates] for side in ("low", "high"))
    axes.plot(x, y, color=color, marker=mark, markersize=4.5, linewidth=1.3, label=column.title, zorder=3)
    axes.vlines(x, low, high, color=color, linewidth=1.3, zorder=2)
    for arm_x, one in zip(x, estimates):
        seeds = [100 * value for value in one.by_seed]
        axes.plot([arm_x] * len(seeds), seeds, color=color, marker=".", markersize=2.5, linestyle="none", zorder=2)
