"""What a report shows of every task that it has test sets of: tables, error analysis, and sentences below them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from bap_v2_dataset.evaluation import score_tables
from bap_v2_dataset.evaluation.results import Bin, Report, System
from bap_v2_dataset.interface.table import TASKS
from bap_v2_dataset.interface.task import Task
from bap_v2_dataset.predictions.model_records import input_name
from bap_v2_dataset.sentences import counted
from bap_v2_dataset.tables.cells import Line, ScoreTable, Value

ANALYZED = "Overall (fairer F1)"  # the score of error analyses
_UNUSUAL = {"unparsed_lines": "unparsed line", "infeasible_actions": "infeasible action", "unparsed": "unparsed answer"}


def report_tables(report: Report) -> list[ScoreTable]:
    """Return the tables of every task that the report has test sets of."""
    tables = []
    for task, own in _by_task(report):
        shown = task.scores.tables(own)
        if shown is None:
            shown = score_tables.tables_of_scores(own)
        elif (tests := score_tables.paired_tests(task.scores, own)) is not None:
            shown = [*shown, tests]
        tables += score_tables.with_unit(shown, own)
    return tables


def error_bins(report: Report) -> dict[tuple[str, str], list[Bin]]:
    """Return the error analysis of every test set whose task has one, by its key."""
    return {key: bins for task, own in _by_task(report) for key, bins in task.scores.error_bins(own).items()}


def error_tables(report: Report, bins: Mapping[tuple[str, str], Sequence[Bin]]) -> list[ScoreTable]:
    """Return a table for each test set: the headline of every system in every bin."""
    tables: list[ScoreTable] = []
    for test in report.tests:
        # A line for each bin; those of a dimension stand together.
        parts = bins.get(test.key, ())
        lines: list[Line] = []
        for part, above in zip(parts, [None, *parts]):
            opens = above is None or part.dimension is not above.dimension
            intervals = part.intervals or [()] * len(part.f1)
            scores = [Value(100 * f1, *(100 * bound for bound in bounds)) for f1, bounds in zip(part.f1, intervals)]
            lines.append(Line([part.dimension.title, part.label, f"{part.n_items:,}", *scores], opens=opens))

        # The table around them.
        dimensions = dict.fromkeys(part.dimension for part in parts)
        overlapping = [dimension.title for dimension in dimensions if dimension.overlapping]
        if lines:
            names = [system.name for system, _ in report.on(test)]
            note = f"An item can be in several bins of: {', '.join(overlapping)}." if overlapping else ""
            title = f"Error analysis on {test.title}: {ANALYZED}"
            table = ScoreTable(f"errors_{test.file_name}", title, ("", "", "Items", *names), lines, 2, note)
            tables += score_tables.with_unit([table], replace(report, tests=[test]))
    return tables


def remarks(report: Report, paper: bool = True) -> list[str]:
    """Return all that is needed to judge the tables, as sentences.

    Args:
        paper: whether numbers of papers stand in them.
    """
    sentences = [*report.notes, *(f"{system.name}: {_origin(system)}" for system in report.systems)]
    for test in report.tests:
        # Of each test set its labels and sizes, and what was unusual about the answers.
        scores = test.task.scores
        sentences.append(f"Labels of {test.title}: {test.labels}")
        results = [result for _, result in report.on(test)]
        if few := score_tables.too_few(scores, results, scores.blocks(list(map(scores.shown, results)))):
            sentences.append(f"{test.title}: {few}")
        sentences += [f"Warning: {text}" for result in results for text in result.warnings]
        for system, result in report.on(test):
            runs = result.runs or [result]
            numbers = {noun: sum(run.scores.get(key, 0) for run in runs) for key, noun in _UNUSUAL.items()}
            unusual = [counted(number, noun) for noun, number in numbers.items() if number]
            if result.missing:
                unusual.append(score_tables.missing_items(scores, result))
            if unusual or result.runs:
                mean = [f"the mean of {len(runs)} runs, ± their standard deviation"] if result.runs else []
                sentences.append(f"{system.name} on {test.title}: {', '.join([*mean, *unusual])}")
    # Of all of them what the tasks say, and how sure the scores are.
    for task, own in _by_task(report):
        sentences += task.scores.remarks(own, paper)
    if any(result.has_intervals for test in report.tests for _, result in report.on(test)):
        sentences.append(f"Intervals: {score_tables.bootstrap(score_tables.drawn_in(report), report.resampling)}.")
    return sentences


def _origin(system: System) -> str:
    """Return the model of a system, its training data, and what it reads."""
    # Its model and what that learned.
    parts = []
    if system.model:
        kind = f", {system.builder_kind.with_article}" if system.builder_kind else ""
        parts.append(f"model {system.model}{kind}")
    if system.train:
        items = f"{system.train_items:,} items of " if system.train_items else ""
        parts.append(f"trained on {items}{', '.join(system.train)}")
    elif not system.baseline:
        parts.append("training data unknown (no training_run.json)")
    if system.larger_model:
        parts.append(f"learned from a larger language model: {system.larger_model}")
    # What it reads, and its seeds.
    if system.representation:
        parts.append(f"input {input_name(system.representation)}")
    if system.seeds:
        parts.append(f"seed{'s' if len(system.seeds) > 1 else ''} {', '.join(map(str, system.seeds))}")
    if system.baseline:
        parts.append("a baseline of this project")
    return "; ".join(parts)


def _by_task(report: Report) -> Iterator[tuple[Task, Report]]:
    """Yield the tasks that the report has test sets of, each with the part of the report that is about it."""
    for task in TASKS.values():
        if (own := report.of_task(task)).tests:
            yield task, own
