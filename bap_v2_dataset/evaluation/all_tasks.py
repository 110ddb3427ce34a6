"""What a report shows of every task that it has test sets of: each makes its own tables and its own error analysis."""

from bap_v2_dataset.evaluation.error_analysis import Bin
from bap_v2_dataset.evaluation.paper_tables import ScoreTable
from bap_v2_dataset.evaluation.report import Report
from bap_v2_dataset.evaluation.resampling_units import with_unit
from bap_v2_dataset.tasks import TASKS, Task, part


def tables_of_all_tasks(report: Report) -> list[ScoreTable]:
    """The tables of every task that the report has test sets of."""
    tables = [table for task, own in _by_task(report) for table in part(task.tables)(own)]
    return with_unit(tables, report.resampling)


def error_bins_of_all_tasks(report: Report) -> dict[tuple[str, str], list[Bin]]:
    """The error analysis of every test set whose task has one, by its key."""
    return {
        key: bins
        for task, own in _by_task(report)
        if task.error_bins
        for key, bins in part(task.error_bins)(own).items()
    }


def _by_task(report: Report) -> list[tuple[Task, Report]]:
    parts = [(task, report.of_task(task)) for task in TASKS.values()]
    return [(task, own) for task, own in parts if own.tests]
