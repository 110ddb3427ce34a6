"""The tables of scores of every task, the paired tests between systems, and what stands below them, as sentences."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product

from rich.console import Group

from bap_v2_dataset.evaluation.results import (
    RUNS_TEST,
    USUAL_RESAMPLING,
    Report,
    Resampling,
    Result,
    ScoredSplit,
    paired_test,
)
from bap_v2_dataset.evaluation.scores import ItemGroup, Score, ScoreBlock, Scores, Unit, cells
from bap_v2_dataset.sentences import counted
from bap_v2_dataset.tables.cells import NO_VALUE, Cell, Line, ScoreTable, p_value
from bap_v2_dataset.tables.fitted import terminal
from bap_v2_metric.resampling import FEWEST_CLUSTERS, FEWEST_ITEMS

_NOTE = "p is two-sided, and not corrected for the number of comparisons."


def titled(system: Result) -> str:
    """Return its name, of how many runs it is the mean and, where items have no prediction, how many have."""
    if system.runs:
        return f"{system.name} (mean of {len(system.runs)} runs)"
    if not system.missing:
        return system.name
    predicted = f"{len(system.items) - system.missing:,} of {counted(len(system.items), 'item')} predicted"
    return f"{system.name} ({predicted}, the rest scored as empty)"


def title_of(test: ScoredSplit, results: Sequence[Result]) -> str:
    """Return the title of the scores of some systems on a test set."""
    place = test.task.scores.place(test.config, test.split)
    title = f"{place}: {', '.join(map(titled, results))}"
    if test.is_subset:
        title += f" (a subset: {len(test.rows):,} of {counted(test.split_items, 'item')})"
    return title


def score_report(
    test: ScoredSplit, results: Sequence[Result], resampling: Resampling = USUAL_RESAMPLING, measure: str = ""
) -> Group:
    """Return all that `bap-v2 score` prints in a terminal: tables, tests, and how the numbers were made.

    Args:
        measure: that is shown, of tasks that have several; "": its usual one.
    """
    tables = tables_on(test.task.scores, results, resampling, title_of(test, results), measure)
    signatures = list(dict.fromkeys(result.signature for result in results))
    return terminal(tables, footer(test.task.scores, results, test.labels, resampling, measure), signatures)


def tables_of_scores(report: Report, measure: str = "") -> list[ScoreTable]:
    """Return the tables of `bap-v2 score` for Markdown and LaTeX; the report holds test sets of one task."""
    tables: list[ScoreTable] = []
    for test in report.tests:
        results = [result for _, result in report.on(test)]
        tables += tables_on(
            test.task.scores, results, report.resampling, f"Scores on {test.title}", measure, f"_{test.file_name}"
        )
    return tables


def tables_on(
    scores: Scores, results: Sequence[Result], resampling: Resampling, title: str, measure: str = "", name: str = ""
) -> list[ScoreTable]:
    """Return tables of the scores of systems on a test set, and of tests against the first of them."""
    shown = [scores.shown(result, measure) for result in results]
    blocks = scores.blocks(shown, measure)
    tables = [
        score_table(scores, block, shown, block.title or (title if not position else ""), f"scores{name}{block.name}")
        for position, block in enumerate(blocks)
    ]
    if resampling.n:
        tables += scores.further_tests(results, resampling, measure)
        if len(results) > 1:
            tables.append(against(scores, results[1:], results[0], resampling, measure))
    return tables


def score_table(scores: Scores, block: ScoreBlock, results: Sequence[Result], title: str, name: str) -> ScoreTable:
    """Return the scores of systems: a line for each group of items, and of it for each system."""
    # Groups and systems stand in columns of their own, where there are several.
    several = len(results) > 1 or not block.heading
    lines = []
    for group in block.groups:
        for position, result in enumerate(results):
            start = [*([group.title] if block.heading else []), *([result.name] if several else [])]
            start += scores.settings_of(result).values()
            opens = bool(block.heading) and not position and (len(results) > 1 or group == block.groups[-1])
            lines.append(Line([*start, *cells(result, group, block.scores)], opens=opens))
    # The headings of these columns, and those of the scores.
    headings = [
        *([block.heading] if block.heading else []),
        *(["System"] if several else []),
        *(scores.settings_of(results[0])),
    ]
    bold = next((score.heading for score in block.scores if score.key == scores.headline), "")
    return ScoreTable(
        name, title, (*headings, *(score.heading for score in block.scores)), lines, len(headings),
        too_few(scores, results, [block]), bold=bold,
    )  # fmt: skip


def too_few(scores: Scores, results: Sequence[Result], blocks: Sequence[ScoreBlock]) -> str:
    """Name the groups with too few items, or targets, for intervals and tests; "" if all have enough."""
    # The sizes of the groups, or of single scores, that have too few.
    sizes: dict[str, None] = {}
    for result, block in product(results, blocks):
        for group in block.groups:
            keys = {f"{group.prefix}{score.key}": score.heading for score in block.scores if not group.within}
            few = {key: size for key in keys if (size := result.too_few.get(key)) and size[0]}
            all_of_it = not keys.keys() & result.intervals.keys()
            for key, (n_items, n_units) in few.items():
                label = (group.label or group.title or "all") if all_of_it else keys[key]
                units = "" if n_units is None else f" of {counted(n_units, result.unit)}"
                sizes[f"{label}: {counted(n_items, scores.item)}{units}"] = None
    if not sizes:
        return ""

    # And the least that is enough.
    least = f"{FEWEST_ITEMS} {scores.item}s"
    if (unit := results[0].unit) != "item":
        least += f" of {FEWEST_CLUSTERS} {unit}s"
    return f"No interval and no p below {least} ({', '.join(sizes)})."


def against(
    scores: Scores, others: Sequence[Result], base: Result, resampling: Resampling, measure: str = ""
) -> ScoreTable:
    """Return paired bootstrap tests of systems against another on one test set."""
    tested = _tested(scores, [base, *others], measure)
    lines = [line for result in others for line in _lines([], scores, result, base, resampling, tested)]
    return ScoreTable(
        f"{scores.name}_paired_tests",
        f"Against {base.name} (paired bootstrap {drawn(scores, [*others, base][0])})",
        ("System", _heading(scores, tested, base), _difference(tested), "interval", "p"),
        lines,
        2,
        _note(tested, [*others, base]),
    )


def paired_tests(scores: Scores, report: Report) -> ScoreTable | None:
    """Return tests of every system of a report against one, on the items of both; None if there is nothing to test."""
    # What is compared: on each test set the systems, and the scores that reports test.
    pairs: list[tuple[ScoredSplit, Result, Result]] = []
    for test in report.tests if report.resampling.n else ():
        results = {system.name: result for system, result in report.on(test)}
        if (base := results.pop(report.against, None)) is not None:
            pairs += [(test, result, base) for result in results.values()]
    tested = {
        test.key: [(group, score) for group, score in _tested(scores, [base, result]) if score.reported]
        for test, result, base in pairs
    }

    # A line for each test.
    every = [pair for of_test in tested.values() for pair in of_test]
    lines = [
        line
        for test, result, base in pairs
        for line in _lines([test.title], scores, result, base, report.resampling, tested[test.key], every)
    ]
    if not lines:
        return None
    return ScoreTable(
        f"{scores.name}_paired_tests",
        f"Differences from {report.against}: paired bootstrap {drawn_in(report)}",
        ("Test set", "System", _heading(scores, every, pairs[0][2]), _difference(every), "interval", "p"),
        lines,
        3,
        _note(every, [result for _, *both in pairs for result in both]),
    )


def _tested(scores: Scores, results: Sequence[Result], measure: str = "") -> list[tuple[ItemGroup, Score]]:
    """Return the groups and scores that are tested between systems, in the order of the tables."""
    shown = [scores.shown(result, measure) for result in results]
    return [
        (group, score)
        for block in scores.blocks(shown, measure)
        for group in block.groups
        if group.tested and not group.within
        for score in block.scores
        if score.tested
    ]


def _lines(
    start: Sequence[Cell], scores: Scores, result: Result, base: Result, resampling: Resampling,
    tested: Sequence[tuple[ItemGroup, Score]], every: Sequence[tuple[ItemGroup, Score]] = (),
) -> Iterator[Line]:  # fmt: skip
    """Test each score that both systems have, a line each; `every` is what the whole table tests."""
    tests = paired_test(scores.scorer, result, base, resampling)
    opens = True
    for (group, score), label in zip(tested, _labels(tested, every or tested)):
        test = tests.get(score.test or f"{group.prefix}{score.key}")
        if test is None:
            continue
        yield Line([*start, result.name, label, *test_cells(test, score.unit)], opens=opens)
        opens = False


def test_cells(test: Mapping[str, float], unit: Unit) -> list[str]:
    """Return the difference, its interval and p; the two are NO_VALUE where too few items were scored for a test."""
    if "p_value" not in test:
        return [unit.signed(test["difference"]), NO_VALUE, NO_VALUE]
    difference, low, high = (unit.signed(test[name]) for name in ("difference", "low", "high"))
    return [difference, f"{low} to {high}", p_value(test["p_value"])]


def _labels(tested: Sequence[tuple[ItemGroup, Score]], every: Sequence[tuple[ItemGroup, Score]]) -> list[str]:
    """Name what each test is about: the group, the score, or both where the table has several of each."""
    several_groups = len({group.label or group.title for group, _ in every}) > 1
    several_scores = len({score.heading for _, score in every}) > 1
    labels = []
    for group, score in tested:
        parts = [(group.label or group.title) if several_groups else "", score.heading if several_scores else ""]
        labels.append(": ".join(filter(None, parts)) or group.label or group.title or score.heading)
    return labels


def _difference(tested: Sequence[tuple[ItemGroup, Score]]) -> str:
    """Return the heading of differences; it names the score if all are of one: `Difference (Robust F1)`."""
    headings = list(dict.fromkeys(score.heading for _, score in tested))
    return f"Difference ({headings[0].replace('(', '').replace(')', '')})" if len(headings) == 1 else "Difference"


def _heading(scores: Scores, tested: Sequence[tuple[ItemGroup, Score]], base: Result) -> str:
    if len({score.heading for _, score in tested}) > 1:
        return "Score"
    return next((block.heading for block in scores.blocks([scores.shown(base)]) if block.heading), "Score")


def _note(tested: Iterable[tuple[ItemGroup, Score]], results: Sequence[Result]) -> str:
    lower = list(dict.fromkeys(score.heading for _, score in tested if score.lower_is_better))
    direction = [f"Of {' and '.join(lower)} the smaller is the better."] if lower else []
    return " ".join([_NOTE, *direction, *remark_on_runs(results)])


def with_unit(tables: Sequence[ScoreTable], report: Report) -> list[ScoreTable]:
    """Return the tables; where something else than items was drawn, those with intervals say so below them."""
    if not any(result.clusters for test in report.tests for _, result in report.on(test)):
        return list(tables)
    return [
        replace(table, note=f"{table.note} Intervals {table.drawn or drawn_in(report)}.".strip())
        if any(not isinstance(cell, str) and cell.low is not None for line in table.lines for cell in line.cells)
        else table
        for table in tables
    ]


def drawn(scores: Scores, result: Result) -> str:
    """Name what was drawn: `over items`, `over 39 targets`."""
    return f"over {result.drawn or scores.drawn}"


def drawn_in(report: Report) -> str:
    """Name what was drawn of several test sets: `over items`, `over items (dss, dr) and 39 targets (mdc_v2)`."""
    titles: dict[str, list[str]] = {}
    for test in report.tests:
        for _, result in report.on(test)[:1]:
            titles.setdefault(result.drawn or test.task.scores.drawn, []).append(test.title)
    if len(titles) == 1:
        return f"over {next(iter(titles))}"
    return "over " + " and ".join(f"{units} ({', '.join(names)})" for units, names in titles.items())


def bootstrap(drawn: str, resampling: Resampling) -> str:
    """Describe the intervals: `95% percentile bootstrap over items, 1,000 resamples, seed 20260`."""
    share, resamples = f"{100 * resampling.confidence:g}%", counted(resampling.n, "resample")
    return f"{share} percentile bootstrap {drawn}, {resamples}, seed {resampling.seed}"


def remark_on_runs(results: Sequence[Result]) -> list[str]:
    """Return a sentence on how tests take several runs, if there are any."""
    return [f"{RUNS_TEST}."] if any(result.runs for result in results) else []


def footer(
    scores: Scores, results: Sequence[Result], labels: str, resampling: Resampling, measure: str = ""
) -> list[str]:
    """Return the lines below the tables of `bap-v2 score`."""
    lines = scores.legend(results)
    for result in results:
        runs = [f"in {len(result.runs)} runs"] if result.runs else []
        missing = [missing_items(scores, result)] if result.missing else []
        lines.append(f"{result.name}: {', '.join([*runs, *scores.notes_on(result), *missing])}")
        lines += scores.lines_on(result)
    how = scores.how(measure)
    if any(result.runs for result in results):
        how.append("±: standard deviation over the runs")
    if any(result.has_intervals for result in results):
        how.append(f"intervals: {bootstrap(drawn(scores, results[0]), resampling)}")
    return [*lines, *(["; ".join(how)] if how else []), f"labels: {labels}"]


def missing_items(scores: Scores, result: Result) -> str:
    """Count them: `3 items without a prediction, scored as empty`."""
    return f"{counted(result.missing, scores.item)} without {scores.answer}"
