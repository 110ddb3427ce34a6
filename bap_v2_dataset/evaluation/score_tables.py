"""The score table of the paper (BAP v2, Tables 1 and 7) in the terminal, the paired tests, and scores as JSON."""

from collections.abc import Sequence
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

from bap_v2_dataset.evaluation.scoring import USUAL_RESAMPLING, Resampling, Result, paired_test
from bap_v2_dataset.paper import COLUMNS, ROWS
from bap_v2_dataset.sentences import counted

LEGEND = (
    "EB, NEB: items that start from an empty, a non-empty board; row Overall: both; column Overall: fairer F1; "
    "infeasible actions change nothing (human logs hold some too)"
)
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
    """Its name and, where items have no prediction, how many have."""
    if not system.missing:
        return system.name
    predicted = f"{len(system.items) - system.missing:,} of {counted(len(system.items), 'item')} predicted"
    return f"{system.name} ({predicted}, the rest scored as empty)"


def score_table(systems: Sequence[Result], title: str) -> Fitting:
    """F1 in percent: rows EB, NEB and Overall, columns Type, Color, Location, Shape and Overall (fairer F1).

    In a narrow terminal names are folded, then lines between the columns left out; in the end every system has a table
    of its own.
    """
    layouts: list[RenderableType] = [
        _score_grid(systems, title, compact, width) for compact in (False, True) for width in _name_widths(systems)
    ]
    if len(systems) > 1:
        titles = [f"{title}\n\n{systems[0].name}", *(system.name for system in systems[1:])]
        width = len("100.0–100.0") if any(system.intervals for system in systems) else 0  # so that columns line up
        grids = [_score_grid([one], name, compact=True, width=width) for one, name in zip(systems, titles)]
        layouts.append(Group(*grids))
    return Fitting(layouts)


def _score_grid(
    systems: Sequence[Result], title: str, compact: bool = False, name_width: int = 0, width: int = 0
) -> Table:
    table = _table(title, compact)
    table.add_column("Dataset", no_wrap=True)
    if len(systems) > 1:
        table.add_column("System", overflow="fold", max_width=max(name_width, len("System")))
    table.add_column("Items", justify="right", no_wrap=True)
    for heading in COLUMNS.values():
        style = "bold" if heading == "Overall" else ""
        table.add_column(heading, justify="right", style=style, no_wrap=True, min_width=width)
    for position, (group, label) in enumerate(ROWS.items()):
        for number, system in enumerate(systems):
            cells = [label if not number else ""]
            if len(systems) > 1:
                cells.append(escape(system.name))
            cells.append(f"{system.scores[f'{group}n_items']:,}")
            cells += [
                _score_cell(system, f"{group}{measure}_f1") if system.scores[f"{group}n_items"] else "–"
                for measure in COLUMNS
            ]
            table.add_row(*cells, end_section=number == len(systems) - 1 and position < len(ROWS) - 1)
    return table


def _score_cell(system: Result, key: str) -> str:
    value = f"{100 * system.scores[key]:.1f}"
    if system.runs:
        value += f"\n[dim]± {100 * system.deviations[key]:.1f}[/dim]"
    if key in system.intervals:
        low, high = system.intervals[key]
        value += f"\n[dim]{100 * low:.1f}–{100 * high:.1f}[/dim]"
    return value


def comparison_table(systems: Sequence[Result], resampling: Resampling) -> Fitting:
    """Paired bootstrap tests of every system against the first, on Overall (fairer) F1."""
    rows: list[list[str]] = []
    for system in systems[1:]:
        tests = paired_test(system, systems[0], resampling)
        for position, group in enumerate(group for group in ROWS if system.scores[f"{group}n_items"]):
            test = tests[f"{group}fairer_f1"]
            rows.append([
                "" if position else escape(system.name),
                ROWS[group],
                f"{100 * test['a']:.1f}",
                f"{100 * test['difference']:+.1f} [dim]({100 * test['low']:+.1f} to {100 * test['high']:+.1f})[/dim]",
                f"{test['p_value']:.3f}" if test["p_value"] >= 0.001 else "<0.001",
            ])  # fmt: skip

    def grid(compact: bool, name_width: int) -> Table:
        table = _table(f"Against {systems[0].name} (paired bootstrap)", compact)
        table.add_column("System", overflow="fold", max_width=max(name_width, len("System")))
        table.add_column("Dataset", no_wrap=True)
        for heading in ("Overall F1", "Difference", "p"):
            table.add_column(heading, justify="right", no_wrap=True)
        for row in rows:
            table.add_row(*row)
        return table

    return Fitting([grid(compact, width) for compact in (False, True) for width in _name_widths(systems[1:])])


def report(systems: Sequence[Result], title: str, labels: str, resampling: Resampling = USUAL_RESAMPLING) -> Group:
    """Everything that is printed about scores: tables, what could not be read, and how the numbers were made."""
    parts: list = [score_table(systems, title)]
    if len(systems) > 1 and resampling.n:
        parts.append(comparison_table(systems, resampling))
    parts.append(Text(LEGEND))
    for system in systems:
        notes = [
            counted(system.scores["unparsed_lines"], "unparsed line"),
            counted(system.scores["infeasible_actions"], "infeasible action"),
            f"strict F1 {100 * system.scores['strict_f1']:.1f}",
        ]
        if system.missing:
            notes.append(f"{counted(system.missing, 'item')} without a prediction, scored as empty")
        parts.append(Text(f"{system.name}: {', '.join(notes)}"))
    how = "F1 in percent, micro-averaged"
    if resampling.n:
        resamples = counted(resampling.n, "resample")
        how += (
            f"; intervals: {100 * resampling.confidence:g}% percentile bootstrap, {resamples}, seed {resampling.seed}"
        )
    signature = Text(f"signature: {systems[0].signature}", style="dim", no_wrap=True, overflow="ignore")
    parts += [Text(how), Text(f"labels: {labels}"), signature]
    return Group(*parts)


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
