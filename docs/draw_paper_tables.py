"""docs/pictures/paper-table-4.png, -6.png and -7.png: tables of the BAP v2 paper, with ours beside them.

    python docs/draw_paper_tables.py

The numbers, with where they are from, are in docs/pictures/paper-tables.toml. The pictures are four inches wide,
so that they can be read in a column of print and on a phone; marks differ in their shapes, not in colors alone.
"""

import tomllib
from pathlib import Path

from matplotlib import pyplot

from bap_v2_dataset.tasks.building import paper

PICTURES = Path(__file__).parent / "pictures"
MARKS = {  # by the beginning of a series' name, the first that fits: shape, size, and what it is filled with
    "paper, Nebula": ("s", 5.0, "white", "black"),
    "paper": ("s", 5.0, "black", "black"),
    "ours, turned": ("D", 4.5, "#9ecae1", "#084594"),
    "ours, pointer": ("^", 5.5, "#9ecae1", "#084594"),
    "ours, ensemble": ("D", 4.5, "#084594", "#084594"),
    "ours": ("o", 5.0, "#4292c6", "#084594"),
}
HEAD, TEXT = 0.4, 0.137  # inches: of what is above a panel, and of a line of text


def check(tables: dict) -> None:
    """Compare the paper's numbers with those that scores are shown beside. Raises: ValueError if one differs."""
    of_series = {(key, series["name"]): series["values"] for key in tables for series in tables[key]["series"]}
    for key, name, models in (("table-4", "paper, GRU", paper.TABLE_4), ("table-6", "paper, Llama 8B", paper.TABLE_6)):
        values = [[model.test[test] for model in models] for test in paper.JOINT]
        if values != [row[: len(models)] for row in of_series[key, name]]:
            raise ValueError(f"{key}: {name} is {of_series[key, name]}, in paper.py {values}")
    for name, model in (("paper, Nebula", paper.NEBULA), ("paper, Llama-CRAFTS", paper.LLAMA_CRAFTS)):
        values = [[*model.boards[board]] for board in ("", "eb_", "neb_")]
        if values != of_series["table-7", name]:
            raise ValueError(f"table-7: {name} is {of_series['table-7', name]}, in paper.py {values}")


def spread(value: float | list | dict) -> tuple[float, float, float] | None:
    """Return a value with the ends of its line; None: not measured."""
    if isinstance(value, dict):
        return value["mean"], value["mean"] - value["deviation"], value["mean"] + value["deviation"]
    if isinstance(value, list):
        return tuple(value) if value else None
    return value, value, value


def draw(key: str, table: dict) -> None:
    """Draw one table: a panel for each test set or kind of board, a row for each model or measure."""
    # The room: title, panels, legend and note from top to bottom, in inches
    panels, rows, series = table["panels"], table["rows"], table["series"]
    high = (0.15 + 0.04 * len(series)) * len(rows)  # of a panel
    note = table["note"].strip()
    below = 0.45 + 0.17 * ((len(series) + 1) // 2) + TEXT * (note.count("\n") + 1)
    height, top = 0.35 + len(panels) * (HEAD + high) + below, 0.35
    figure = pyplot.figure(figsize=(4.0, height))
    left, width = 0.27, 0.69 - 0.105 * len(table["numbers"])

    # A panel: marks with their lines, and numbers beside them
    for number, title in enumerate(panels):
        top += HEAD
        axes = figure.add_axes(box := [left, 1 - (top + high) / height, width, high / height])
        top += high
        for at, one in enumerate(series):
            shape, size, fill, edge = next(mark for name, mark in MARKS.items() if one["name"].startswith(name))
            offset = (at - (len(series) - 1) / 2) * 0.66 / len(series)
            for row, value in enumerate(one["values"][number]):
                if (ends := spread(value)) is None:
                    continue
                if ends[1] < ends[2]:
                    axes.plot(ends[1:], [row + offset] * 2, "|-", color=edge, markersize=5, linewidth=1.3, zorder=2)
                label = one["name"] if (number, row) == (0, 0) else None
                axes.plot(ends[0], row + offset, shape, markersize=size, markerfacecolor=fill, markeredgecolor=edge,
                          markeredgewidth=0.9, zorder=3, label=label)  # fmt: skip
        numbered(axes, table, number)
        axes.set(xlim=(0, 100), ylim=(len(rows) - 0.5, -0.5), xticks=range(0, 101, 25), yticks=range(len(rows)))
        axes.set_yticklabels(rows, fontsize=8)
        axes.tick_params(length=2, labelsize=8, pad=2)
        if number < len(panels) - 1:
            axes.set_xticklabels([])
        axes.grid(axis="x", color="#d0d0d0", linewidth=0.6)
        for line in range(len(rows) - 1):
            axes.axhline(line + 0.5, color="#ececec", linewidth=0.6, zorder=0)
        figure.text(0.02, box[1] + box[3] + 0.05 / height, title, fontsize=8.5, fontweight="bold")

    # What stands above and below
    figure.text(0.02, 1 - 0.16 / height, table["title"], fontsize=9.5, fontweight="bold", va="center")
    figure.text(0.02, 1 - 0.35 / height, f"F1 in percent; {table['subtitle']}", fontsize=8, va="center")
    handles, names = figure.axes[0].get_legend_handles_labels()
    legend_top = 1 - (top + 0.22) / height
    figure.legend(handles, names, loc="upper left", bbox_to_anchor=(0.0, legend_top), ncols=2, fontsize=8,
                  frameon=False, handletextpad=0.2, columnspacing=1.2, borderaxespad=0.0, borderpad=0.3)  # fmt: skip
    figure.text(0.02, 0.08 / height, note, fontsize=7.6, va="bottom", linespacing=1.25)
    figure.savefig(PICTURES / f"paper-{key}.png", dpi=200, metadata={"Software": None})
    pyplot.close(figure)


def numbered(axes: pyplot.Axes, table: dict, panel: int) -> None:
    """Write the values of some series right of a panel, in columns."""
    for column, name in enumerate(table["numbers"]):
        values = next(one["values"][panel] for one in table["series"] if one["name"] == name)
        step = 0.105 / axes.get_position().width
        for row, value in enumerate(values):
            text = f"{spread(value)[0]:.1f}" if spread(value) else "–"
            axes.text(1 + step * (column + 0.98), row, text, transform=axes.get_yaxis_transform(), fontsize=7.6,
                      ha="right", va="center", fontweight="normal" if name.startswith("paper") else "bold")  # fmt: skip
        axes.text(1 + step * (column + 0.98), 1.03, table["heads"][column], transform=axes.transAxes, fontsize=7.6,
                  ha="right", va="bottom")  # fmt: skip


def main() -> None:
    tables = tomllib.loads((PICTURES / "paper-tables.toml").read_text())
    check(tables)
    for key, table in tables.items():
        draw(key, table)


if __name__ == "__main__":
    main()
