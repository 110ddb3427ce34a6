"""The score table of the paper (BAP v2, Tables 1 and 7) in the terminal, the paired tests, and scores as JSON."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson
from rich import box
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.markup import escape
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from bap_v2_dataset.evaluation.resampling_units import over
from bap_v2_dataset.evaluation.scoring import RUNS_TEST, USUAL_RESAMPLING, Resampling, Result, paired_test
from bap_v2_dataset.evaluation.table_cells import two_lines
from bap_v2_dataset.paper import COLUMNS, HEADLINE, ROWS
from bap_v2_dataset.sentences import counted
from bap_v2_metric.answers import most_frequent_unparsed

LEGEND = (
    "EB, NEB: items that start from an empty, a non-empty board; infeasible actions change nothing (human logs hold "
    "some too)"
)
_SHOWN_LINES = 3  # of those that could not be read
_NAME_WIDTHS = (32, 24, 16)  # in which the names of systems are folded where their table would be too wide
_FULL = 10_000  # columns of a terminal in which everything fits


@dataclass(frozen=True)
class Fitting:
    """The first of the layouts that is no wider than the terminal, or else the last in full: nothing is cut."""

    layouts: Sequence[RenderableType]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for layout in self.layouts:
            width = Measurement.get(console, options.update(max_width=_FULL), layout).minimum
            if width <= options.max_width:
                break
        yield from console.render(layout, options.update(max_width=max(width, options.max_width)))

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        return Measurement.get(console, options, self.layouts[0])


def _table(title: str, compact: bool) -> Table:
    style: dict[str, Any] = {"box": box.HORIZONTALS, "padding": 0} if compact else {}
    return Table(title=escape(title), title_justify="left", header_style="bold", **style)


def _name_widths(systems: Sequence[Result]) -> list[int]:
    """Widths for the column of names, the widest first; the first holds every name on one line."""
    longest = max(cell_len(system.name) for system in systems)
    return [longest, *(width for width in _NAME_WIDTHS if width < longest)]


def titled(system: Result) -> str:
    """Its name, of how many runs it is the mean and, where items have no prediction, how many have."""
    if system.runs:
        return f"{system.name} (mean of {len(system.runs)} runs)"
    if not system.missing:
        return system.name
    predicted = f"{len(system.items) - system.missing:,} of {counted(len(system.items), 'item')} predicted"
    return f"{system.name} ({predicted}, the rest scored as empty)"


def score_table(systems: Sequence[Result], title: str) -> Fitting:
    """F1 in percent: rows EB, NEB and all items, columns Type, Color, Location, Shape and Overall (fairer F1).

    In a narrow terminal names are folded, then lines between the columns left out; in the end every system has a table
    of its own, with a line for each measure.
    """
    layouts: list[RenderableType] = [
        _score_grid(systems, title, compact, width) for compact in (False, True) for width in _name_widths(systems)
    ]
    titles = [title] if len(systems) == 1 else [f"{title}\n\n{systems[0].name}", *(one.name for one in systems[1:])]
    layouts.append(Group(*(_measures_grid(system, name) for system, name in zip(systems, titles))))
    return Fitting(layouts)


def _score_grid(systems: Sequence[Result], title: str, compact: bool = False, name_width: int = 0) -> Table:
    table = _table(title, compact)
    table.add_column("Board", no_wrap=True, min_width=max(map(len, ROWS.values())))
    if len(systems) > 1:
        table.add_column("System", overflow="fold", max_width=max(name_width, len("System")))
    table.add_column("Items", justify="right", no_wrap=True)
    for heading in map(two_lines, COLUMNS.values()):
        style = "bold" if heading == two_lines(HEADLINE) else ""
        table.add_column(heading, justify="right", style=style, no_wrap=True, min_width=_widest(heading))
    for position, (group, label) in enumerate(ROWS.items()):
        for number, system in enumerate(systems):
            cells = [label if not number else ""]
            if len(systems) > 1:
                cells.append(escape(system.name))
            cells.append(f"{system.scores[f'{group}n_items']:,}")
            cells += [_score_cell(system, group, measure) for measure in COLUMNS]
            table.add_row(*cells, end_section=number == len(systems) - 1 and position < len(ROWS) - 1)
    return table


def _measures_grid(system: Result, title: str) -> Table:
    """The same of one system, turned: a line for each measure, a column for each board."""
    table = _table(title, compact=True)
    table.add_column("", no_wrap=True, min_width=max(map(len, COLUMNS.values())))
    for label in ROWS.values():
        least = max(len(label), len("100.0–100.0") if system.intervals else 0)  # so that the tables' columns line up
        table.add_column(label, justify="right", no_wrap=True, min_width=least)
    table.add_row("Items", *(f"{system.scores[f'{group}n_items']:,}" for group in ROWS))
    for measure, heading in COLUMNS.items():
        cells = [_score_cell(system, group, measure) for group in ROWS]
        table.add_row(heading, *cells, style="bold" if heading == HEADLINE else "")
    return table


def _widest(cell: str) -> int:
    """Columns of a terminal that a cell needs: `rich` thinks that what may not be wrapped may be cut at a blank."""
    return max(map(cell_len, cell.split("\n")))


def _score_cell(system: Result, group: str, measure: str) -> str:
    if not system.scores[f"{group}n_items"]:
        return "–"
    key = f"{group}{measure}_f1"
    value = f"{100 * system.scores[key]:.1f}"
    if system.runs:
        value += f"\n[dim]± {100 * system.deviations[key]:.1f}[/dim]"
    if key in system.intervals:
        low, high = system.intervals[key]
        value += f"\n[dim]{100 * low:.1f}–{100 * high:.1f}[/dim]"
    return value


def comparison_table(systems: Sequence[Result], resampling: Resampling) -> Fitting:
    """Paired bootstrap tests of every system against the first, on the headline score."""
    base, *others = systems
    lines = {system.name: _comparison_lines(system, base, resampling) for system in others}
    title = f"Against {base.name} (paired bootstrap {over(resampling, systems)})"
    layouts: list[RenderableType] = [
        _comparison_grid(lines, title, compact, width) for compact in (False, True) for width in _name_widths(others)
    ]
    alone = [
        _comparison_grid({name: rows}, f"{name} against {base.name}", compact=True) for name, rows in lines.items()
    ]
    return Fitting([*layouts, Group(*alone)])


def _comparison_lines(system: Result, base: Result, resampling: Resampling) -> list[list[str]]:
    """Board, F1, difference and p of every board that has items."""
    tests = paired_test(system, base, resampling)
    lines = []
    for group in (group for group in ROWS if system.scores[f"{group}n_items"]):
        test = tests[f"{group}fairer_f1"]
        difference, low, high = (f"{100 * test[key]:+.1f}" for key in ("difference", "low", "high"))
        p_value = f"{test['p_value']:.3f}" if test["p_value"] >= 0.001 else "<0.001"
        lines.append([ROWS[group], f"{100 * test['a']:.1f}", f"{difference} [dim]({low} to {high})[/dim]", p_value])
    return lines


def _comparison_grid(
    lines: Mapping[str, Sequence[Sequence[str]]], title: str, compact: bool, name_width: int = 0
) -> Table:
    """The lines of each system, by its name; without a column of names where there is no width for them."""
    table = _table(title, compact)
    if name_width:
        table.add_column("System", overflow="fold", max_width=max(name_width, len("System")))
    table.add_column("Board", no_wrap=True, min_width=max(map(len, ROWS.values())))
    for position, heading in enumerate((two_lines(HEADLINE), "Difference", "p"), start=1):
        cells = (Text.from_markup(line[position]).cell_len for rows in lines.values() for line in rows)
        table.add_column(heading, justify="right", no_wrap=True, min_width=max(_widest(heading), *cells))
    for name, rows in lines.items():
        for number, line in enumerate(rows):
            table.add_row(*([escape(name) if not number else ""] if name_width else []), *line)
    return table


def report(systems: Sequence[Result], title: str, labels: str, resampling: Resampling = USUAL_RESAMPLING) -> Group:
    """Everything that is printed about scores: tables, what could not be read, and how the numbers were made."""
    parts: list = [score_table(systems, title)]
    if len(systems) > 1 and resampling.n:
        parts.append(comparison_table(systems, resampling))
    parts += [Text(line) for line in remarks(systems, labels, resampling)]
    parts.append(Text(f"signature: {systems[0].signature}", style="dim", no_wrap=True, overflow="ignore"))
    return Group(*parts)


def remarks(systems: Sequence[Result], labels: str, resampling: Resampling) -> list[str]:
    """What stands below the tables: a line each."""
    lines = [f"{LEGEND}."]
    for system in systems:
        runs = system.runs or [system]
        unparsed, infeasible = (
            sum(run.scores[key] for run in runs) for key in ("unparsed_lines", "infeasible_actions")
        )  # fmt: skip
        strict = f"strict F1 {100 * system.scores['strict_f1']:.1f}"
        if system.runs:
            strict += f" ± {100 * system.deviations['strict_f1']:.1f}"
        notes = [counted(unparsed, "unparsed line"), counted(infeasible, "infeasible action"), strict]
        if system.runs:
            notes.insert(0, f"in {len(runs)} runs")
        if system.missing:
            notes.append(f"{counted(system.missing, 'item')} without a prediction, scored as empty")
        lines.append(f"{system.name}: {', '.join(notes)}")
        texts = (text for run in runs for text in run.texts)
        frequent = most_frequent_unparsed(texts, _SHOWN_LINES) if unparsed else []
        lines += [f"    {counted(times, 'time')}: {_printable(line)}" for line, times in frequent]
    several = any(system.runs for system in systems)
    how = "F1 in percent, micro-averaged" + ("; ±: standard deviation over the runs" if several else "")
    if resampling.n:
        resamples = counted(resampling.n, "resample")
        share = f"{100 * resampling.confidence:g}%"
        drawn = over(resampling, systems)
        how += f"; intervals: {share} percentile bootstrap {drawn}, {resamples}, seed {resampling.seed}"
    test = [f"{RUNS_TEST}."] if several and len(systems) > 1 and resampling.n else []
    return [*lines, how, *test, f"labels: {labels}"]


def _printable(line: str) -> str:
    """A line of a model as any terminal can print it: no control characters, no half characters."""
    return "".join(letter if letter.isprintable() else "�" for letter in line)


def to_json(systems: Sequence[Result], **settings: Any) -> bytes:
    """The scores and intervals of all systems, with the settings they were made with.

    The scores of a system with several runs are means; its standard deviations and its runs stand beside them.
    """
    record = {
        "settings": settings,
        "systems": [
            {
                **_record(system),
                **({"standard_deviations": system.deviations, "runs": list(map(_record, system.runs))}
                   if system.runs else {}),
            }
            for system in systems
        ],
    }  # fmt: skip
    return orjson.dumps(record, option=orjson.OPT_INDENT_2)


def _record(system: Result) -> dict[str, Any]:
    return {
        "name": system.name,
        "missing": system.missing,
        "scores": system.scores | {"signature": system.signature},
        "confidence_intervals": system.intervals,
    }


def print_report(group: Group, console: Console | None = None) -> None:
    """Prints a report at full width: a piped table is not folded, and the signature can be copied from any terminal."""
    console = console or Console()
    if not console.is_terminal:
        full = Measurement.get(console, console.options.update(max_width=_FULL), group)
        console.width = max(console.width, 120, full.maximum)
    console.print(group, crop=False)
