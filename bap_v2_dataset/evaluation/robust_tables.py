"""Tables of robust scores: what `bap-v2 score` and `bap-v2 report` show of the robustness configs."""

from collections.abc import Callable, Iterable, Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from bap_v2_dataset.evaluation import report_formats
from bap_v2_dataset.evaluation.report import Report
from bap_v2_dataset.evaluation.robust_remarks import LEGEND, remarks_on
from bap_v2_dataset.evaluation.robust_tests import against_table, loss_table
from bap_v2_dataset.evaluation.robust_values import (
    ALL,
    degradation,
    families_of,
    kind_score,
    mean_ranks,
    rank_of,
    share,
    sized,
    title_of,
)
from bap_v2_dataset.evaluation.score_tables import Fitting
from bap_v2_dataset.evaluation.scoring import USUAL_RESAMPLING, Resampling, Result
from bap_v2_dataset.evaluation.table_cells import NO_VALUE, Cell, Line, Score, ScoreTable
from bap_v2_dataset.evaluation.test_sets import ScoredSplit
from bap_v2_dataset.paper_robustness import ROBUSTNESS_TABLE_1, ROBUSTNESS_TABLE_2, ROBUSTNESS_TABLE_3, Comparison
from bap_v2_metric.robust_scores import PLAIN

_NAME_WIDTHS = (32, 24, 16)
_SCORES = ("Standard", "Perturbed", "Robust")
_LOSSES = ("Degradation %", "Rank", "Consistency")


def score_table(
    results: Sequence[Result], title: str, labels: str, resampling: Resampling = USUAL_RESAMPLING, measure: str = PLAIN
) -> Group:
    """Everything that `bap-v2 score` prints about robust scores: tables, tests, and how the numbers were made."""
    parts: list[RenderableType] = [_fitting(results, title, measure), Text()]
    for table in _tests(results, measure, resampling):
        parts += [_tests_fitting(table), Text()]
    parts += [Text(line) for line in remarks_on(results, labels, resampling, measure)]
    signatures = dict.fromkeys(result.signature for result in results)
    parts += [Text(f"signature: {text}", style="dim", no_wrap=True, overflow="ignore") for text in signatures]
    return Group(*parts)


def _tests(results: Sequence[Result], measure: str, resampling: Resampling) -> list[ScoreTable]:
    if not resampling.n:
        return []
    losses = loss_table(results, measure, resampling)
    against = [against_table(results[1:], results[0], measure, resampling)] if len(results) > 1 else []
    return [*([losses] if losses else []), *against]


def comparison(systems: Sequence[Result], resampling: Resampling) -> Fitting:
    """What `Evaluation.compare` prints: the robust F1 of the last system against that of the first."""
    return _tests_fitting(against_table(systems[1:], systems[0], PLAIN, resampling))


def _fitting(results: Sequence[Result], title: str, measure: str) -> Fitting:
    """The table in the terminal; in a narrow one names are folded, and the columns stand in two tables."""
    whole = scores_table(results, "scores", title, measure)
    counts = scores_table(results, "scores", title, measure, ("Items", "Variants", *_SCORES))
    losses = scores_table(results, "scores", "", measure, _LOSSES)
    widths = _widths([result.name for result in results])
    layouts: list[RenderableType] = [
        report_formats.grid(whole, compact, width, True) for compact in (False, True) for width in widths
    ]
    for width in widths:
        layouts.append(Group(*(report_formats.grid(part, True, width, True) for part in (counts, losses))))
    layouts.append(Group(*(report_formats.grid(part, True, widths[-1], False) for part in (counts, losses))))
    return Fitting(layouts)


def _tests_fitting(table: ScoreTable) -> Fitting:
    widths = _widths(str(line.cells[0]) for line in table.lines)
    return Fitting([report_formats.grid(table, compact, width, True) for compact in (False, True) for width in widths])


def _widths(names: Iterable[str]) -> list[int]:
    """Widths for the column of names, the widest first; that of families and intervals needs the least one."""
    longest = max(map(len, [*names, " " * _NAME_WIDTHS[-1]]))
    return [longest, *(width for width in _NAME_WIDTHS if width < longest)]


def scores_table(
    results: Sequence[Result], name: str, title: str, measure: str = PLAIN, columns: Sequence[str] = ()
) -> ScoreTable:
    """A line for each family and All; with several systems a block of lines for each.

    Args:
        columns: of the numbers; by default all.
    """
    cells: dict[str, Callable[[Result, str], Cell]] = {
        "Items": lambda result, family: sized(result, family, "n_items"),
        "Variants": lambda result, family: sized(result, family, "n_variants"),
        "Standard": lambda result, family: kind_score(result, family, "standard", measure),
        "Perturbed": lambda result, family: kind_score(result, family, "perturbed", measure),
        "Robust": lambda result, family: kind_score(result, family, "robust", measure),
        "Degradation %": lambda result, family: degradation(result, family, measure),
        "Rank": lambda result, family: rank_of(result, family, measure),
        "Consistency": lambda result, family: share(result, family, "consistency"),
    }
    columns = columns or tuple(cells)
    several = len(results) > 1
    lines = []
    for family in families_of(results):
        for position, result in enumerate(results):
            start = [title_of(family), result.name] if several else [title_of(family)]
            numbers = [cells[column](result, family) for column in columns]
            lines.append(Line([*start, *numbers], opens=not position and (several or family == ALL)))
    headings = ("Family", *(["System"] if several else []), *columns)
    return ScoreTable(name, title, headings, lines, 1 + several)


def score_tables(report: Report) -> list[ScoreTable]:
    """The tables of `bap-v2 score` as Markdown and LaTeX."""
    tables = []
    for test in report.tests:
        results = [result for _, result in report.on(test)]
        measure = report.measure
        tables.append(scores_table(results, f"robust_{test.file_name}", f"Robust scores on {_title(test)}", measure))
        tables += _tests(results, measure, report.resampling)
    return tables


def tables(report: Report) -> list[ScoreTable]:
    """The tables of `bap-v2 report`, and after them what Dan et al. (2021) report, which is another measure."""
    shown = []
    for test in report.tests:
        results = [(system.title, result) for system, result in report.on(test)]
        shown.append(_robustness(report, test, results))
        base = next((result for _, result in results if result.name == report.against), None)
        others = [result for _, result in results if result.name != report.against]
        if base is not None and others and report.resampling.n:
            shown.append(against_table(others, base, report.measure, report.resampling, test))
    return [*shown, *reported()]


def _title(test: ScoredSplit) -> str:
    """`dss`, `dss probe`, `dss (500 of 3,000 items)`."""
    base = test.config.removeprefix("robust_")
    probe = " (probe)" if test.split == "probe" else ""
    part = f" ({len(test.rows):,} of {test.split_items:,} items)" if test.is_subset else ""
    return f"{base}{probe}{part}"


def _robustness(report: Report, test: ScoredSplit, results: Sequence[tuple[str, Result]]) -> ScoreTable:
    """Systems and families: robust F1 with the standard F1 in brackets, degradation and rank."""
    measure, lines = report.measure, []
    families = families_of([result for _, result in results])
    for name, result in results:
        for position, family in enumerate(families):
            robust, standard = (kind_score(result, family, kind, measure) for kind in ("robust", "standard"))
            both = f"{robust.value:.1f} ({standard.value:.1f})" if isinstance(robust, Score) else NO_VALUE
            loss = degradation(result, family, measure)
            cells = [name, title_of(family), sized(result, family, "n_items"), both,
                     f"{loss.value:.1f}" if isinstance(loss, Score) else loss, rank_of(result, family, measure),
                     share(result, family, "consistency")]  # fmt: skip
            lines.append(Line([*cells[:-1], _plain(cells[-1])], opens=not position))
    if len(results) > 1:
        ranks = mean_ranks([result for _, result in results], measure)
        for position, (family, mean) in enumerate(ranks.items()):
            blank = [NO_VALUE] * 3
            lines.append(Line(["mean rank", title_of(family), *blank, f"{mean:.1f}", NO_VALUE], opens=not position))
    return ScoreTable(
        f"robustness_{test.file_name}",
        f"Robustness on {_title(test)}",
        ("System", "Family", "Items", "Robust F1 (standard)", "Degradation %", "Rank", "Consistency"),
        lines,
        2,
        LEGEND,
    )


def _plain(cell: Cell) -> Cell:
    return f"{cell.value:.1f}" if isinstance(cell, Score) else cell


def reported() -> list[ScoreTable]:
    """Tables 1 to 3 of Dan et al. (2021), under headings that say what they are."""
    return [
        _reported_table(number, lines, about)
        for number, lines, about in (
            (1, ROBUSTNESS_TABLE_1, "standard and robust training"),
            (2, ROBUSTNESS_TABLE_2, "one and two permutations"),
            (3, ROBUSTNESS_TABLE_3, "blocks removed and added"),
        )
    ]


def _reported_table(number: int, comparisons: Sequence[Comparison], about: str) -> ScoreTable:
    lines = []
    for position, one in enumerate(comparisons):
        scores = (*one.published, *one.trained, one.improvement)
        numbers = [f"{score:.2f}" for score in scores]
        opens = not position or comparisons[position - 1].perturbation != one.perturbation
        lines.append(Line([one.perturbation, one.measure, *numbers], paper=True, opens=opens))
    return ScoreTable(
        f"dan_2021_table_{number}",
        f"Reported, Blocks World, other measure: Dan et al. (2021), Table {number}, {about}",
        ("P", "Measure", "M_std Std.", "M_std Rob.", "M_rob Std.", "M_rob Rob.", "RI"),
        lines,
        2,
        "Not comparable with the scores above: other data, other models, other scores. Acc: accuracy of the source in "
        "percent, higher is better; BD: distance in blocks, lower is better. RI: how much better M_rob is than M_std, "
        "in percent of its robust score.",
    )
