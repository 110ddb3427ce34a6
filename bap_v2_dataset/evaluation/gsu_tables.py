"""Tables of GSU: what `bap-v2 score` and `bap-v2 report` show of walks, directions and structures."""

from collections.abc import Sequence

from rich.console import Group as Shown
from rich.console import RenderableType
from rich.text import Text

from bap_v2_dataset.evaluation import gsu_paper_tables
from bap_v2_dataset.evaluation.fitted_tables import fitted
from bap_v2_dataset.evaluation.gsu_remarks import remarks_on
from bap_v2_dataset.evaluation.gsu_tests import against_table, paired_tests
from bap_v2_dataset.evaluation.gsu_values import (
    FAMILIES,
    MEASURES,
    Group,
    family_of,
    groups_of,
    headline,
    headline_of,
    headline_of_group,
    measured,
    sized,
    tasks_of,
    titles,
)
from bap_v2_dataset.evaluation.report import Report
from bap_v2_dataset.evaluation.score_tables import Fitting
from bap_v2_dataset.evaluation.scoring import USUAL_RESAMPLING, Resampling, Result
from bap_v2_dataset.evaluation.table_cells import NO_VALUE, Cell, Line, ScoreTable
from bap_v2_dataset.evaluation.test_sets import ScoredSplit

_TITLES = {"walks": "Walks", "directions": "Directions", "structures": "Structures"}
SCORE = "Score %"  # the mean of the four of structures, and of all items of several tasks


def score_table(results: Sequence[Result], title: str, labels: str, resampling: Resampling = USUAL_RESAMPLING) -> Shown:
    """Everything that `bap-v2 score` prints: a table for each task, tests, and how the numbers were made."""
    parts: list[RenderableType] = []
    tasks = tasks_of(results)
    for position, task in enumerate(tasks):
        parts += [fitted(scores_table(results, task, "scores", title if not position else "")), Text()]
    if len(tasks) > 1:
        parts += [fitted(_all_tasks(results, "")), Text()]
    if len(results) > 1 and resampling.n:
        parts += [comparison(results, resampling), Text()]
    parts += [Text(line) for line in remarks_on(results, labels, resampling)]
    parts.append(Text(f"signature: {results[0].signature}", style="dim", no_wrap=True, overflow="ignore"))
    return Shown(*parts)


def comparison(systems: Sequence[Result], resampling: Resampling) -> Fitting:
    """The tests of all systems against the first: what `Evaluation.compare` prints too."""
    return fitted(against_table(systems[1:], systems[0], resampling))


def scores_table(results: Sequence[Result], task: str, name: str, title: str) -> ScoreTable:
    """A line for each group of a task's items, and one for all; with several systems a block of lines for each."""
    family = family_of(task)
    several = len(results) > 1
    by_heading = {heading: measure for measure, heading in MEASURES[family].items()}
    headings = [
        "Items",
        *(heading for heading, measure in by_heading.items() if measured(results[0], Group(task), measure) != NO_VALUE),
        *([SCORE] if family == "structures" else []),
    ]

    def cell(result: Result, group: Group, heading: str) -> Cell:
        if heading == "Items":
            return sized(result, group)
        return headline_of_group(result, group) if heading == SCORE else measured(result, group, by_heading[heading])

    groups = groups_of(results, task)
    lines = []
    for group in groups:
        for position, result in enumerate(results):
            start = [group.title, result.name] if several else [group.title]
            numbers = [cell(result, group, heading) for heading in headings]
            lines.append(Line([*start, *numbers], opens=not position and (several or group == groups[-1])))
    first = task.capitalize() if task != "card2ego" else "Card2Ego"
    return ScoreTable(name, title, (first, *(["System"] if several else []), *headings), lines, 1 + several)


def _all_tasks(results: Sequence[Result], name: str) -> ScoreTable:
    """The mean over the items of all tasks."""
    lines = [Line([result.name, f"{result.scores['n_items']:,.0f}", headline(result)]) for result in results]
    return ScoreTable(name, "All tasks", ("System", "Items", SCORE), lines, 1)


def score_tables(report: Report) -> list[ScoreTable]:
    """The tables of `bap-v2 score` as Markdown and LaTeX."""
    shown = []
    for test in report.tests:
        results = [result for _, result in report.on(test)]
        tasks = tasks_of(results)
        for task in tasks:
            on = f"{test.title}: {task}" if len(tasks) > 1 else test.title
            name = f"scores_{test.file_name}" + (f"_{task}" if len(tasks) > 1 else "")
            shown.append(scores_table(results, task, name, f"Scores on {on}"))
        if len(tasks) > 1:
            shown.append(_all_tasks(results, f"scores_{test.file_name}"))
        if len(results) > 1 and report.resampling.n:
            shown.append(against_table(results[1:], results[0], report.resampling))
    return shown


def tables(report: Report) -> list[ScoreTable]:
    """The tables of `bap-v2 report`: those of the paper, all measures, scores by group, and tests."""
    shown = gsu_paper_tables.tables(report)
    shown += [table for family in FAMILIES if (table := _measures(report, family))]
    if groups := _by_group(report):
        shown.append(groups)
    if tests := paired_tests(report):
        shown.append(tests)
    return shown


def _measures(report: Report, family: str) -> ScoreTable | None:
    """All measures of the tasks of a family, by test set and system."""
    lines = []
    parts = [(test, task) for test, task in _parts(report) if family_of(task) == family]
    measures = {
        measure: heading
        for measure, heading in MEASURES[family].items()
        if any(
            measured(result, Group(task), measure) != NO_VALUE for test, task in parts for _, result in report.on(test)
        )
    }
    for test, task in parts:
        for position, (system, result) in enumerate(report.on(test)):
            group = Group(task)
            cells = [measured(result, group, measure) for measure in measures]
            cells += [headline_of(result, task)] if family == "structures" else []
            lines.append(
                Line([_part_title(test, task), system.title, sized(result, group), *cells], opens=not position)
            )
    if not lines:
        return None
    headings = [*measures.values(), *([SCORE] if family == "structures" else [])]
    return ScoreTable(
        f"gsu_{family}", f"{_TITLES[family]}: all measures", ("Test set", "System", "Items", *headings), lines, 2
    )


def _by_group(report: Report) -> ScoreTable | None:
    """The score of every group of items: a column for each system; None where all items are of one group."""
    systems = [system for system in report.systems if any(test.key in system.results for test in report.tests)]
    lines = []
    for test, task in _parts(report):
        results = [result for _, result in report.on(test)]
        groups = groups_of(results, task)
        for position, (group, title) in enumerate(zip(groups, titles(groups))):
            cells: list[Cell] = [
                headline_of_group(system.results[test.key], group) if test.key in system.results else NO_VALUE
                for system in systems
            ]
            lines.append(Line([_part_title(test, task), title, sized(results[0], group), *cells], opens=not position))
    if all(line.opens for line in lines):
        return None
    return ScoreTable(
        "gsu_groups",
        "Scores by number of steps, heading and class",
        ("Test set", "Group", "Items", *(system.name for system in systems)),
        lines,
        2,
        "Walks: accuracy, 0 to 1. Directions: overlap, and structures: the mean of the four scores, in percent.",
    )


def _parts(report: Report) -> list[tuple[ScoredSplit, str]]:
    """The test sets, each with the tasks that it has items of."""
    return [(test, task) for test in report.tests for task in tasks_of([result for _, result in report.on(test)])]


def _part_title(test: ScoredSplit, task: str) -> str:
    return test.title if len({row["task"] for row in test.rows}) == 1 else f"{test.title}: {task}"
