"""What a reader needs to judge tables of GSU, as sentences."""

from collections.abc import Iterable, Sequence

from bap_v2_dataset.evaluation.gsu_values import FAMILIES, family_of, tasks_of
from bap_v2_dataset.evaluation.report import Report
from bap_v2_dataset.evaluation.resampling_units import over
from bap_v2_dataset.evaluation.scoring import Resampling, Result
from bap_v2_dataset.gsu.paper import COLUMNS, NOTES
from bap_v2_dataset.sentences import counted

LEGENDS = {
    "walks": "Walks, 0 to 1: accuracy, the whole answer is right; reached, its steps end where the right ones do. "
    "Distance: in cells, from where the answer ends to the right end.",
    "directions": "Directions, percent: overlap, of all words of the answer and of the right one those that are in "
    "both; exact, they are the same.",
    "structures": "Structures, percent: how much of the relations, colors, numbers and shapes is right, and the mean "
    "of the four; exact, all is. Spatial gives full marks for no relations where there are none: composite "
    "spatial is of structures that have some.",
}
_SOURCES = (
    "Source ours: computed here. Source paper: as reported, on its authors' test items and with their prompts, which "
    "were not released; ours follow the same recipe."
)


def remarks(report: Report, paper: bool = True) -> list[str]:
    """What a report of GSU needs to be understood.

    Args:
        paper: whether numbers of the paper stand in the tables.
    """
    results = [result for test in report.tests for _, result in report.on(test)]
    sentences = [LEGENDS[family] for family in _families(results)]
    if paper and not all(test.source for test in report.tests):
        tested = {test.config for test in report.tests if test.split == "test"}
        if tested & {column.config for column in COLUMNS}:
            sentences.append(_SOURCES)
        sentences += [note.text for note in NOTES if tested & set(note.configs)]
    return sentences


def remarks_on(results: Sequence[Result], labels: str, resampling: Resampling) -> list[str]:
    """What stands below the tables of `bap-v2 score`: a line each."""
    lines = [LEGENDS[family] for family in _families(results)]
    for result in results:
        runs = result.runs or [result]
        notes = [f"in {len(runs)} runs"] if result.runs else []
        notes.append(counted(sum(run.scores["unparsed"] for run in runs), "unparsed answer"))
        if result.missing:
            notes.append(f"{counted(result.missing, 'item')} without a prediction, scored as empty")
        lines.append(f"{result.name}: {', '.join(notes)}")
    how = []
    if any(result.runs for result in results):
        how.append("±: standard deviation over the runs")
    if resampling.n:
        how.append(
            f"intervals: {100 * resampling.confidence:g}% percentile bootstrap {over(resampling, results)}, "
            f"{counted(resampling.n, 'resample')}, seed {resampling.seed}"
        )
    return [*lines, *(["; ".join(how)] if how else []), f"labels: {labels}"]


def _families(results: Iterable[Result]) -> list[str]:
    """The families of tasks that there are scores of."""
    present = {family_of(task) for result in results for task in tasks_of([result])}
    return [family for family in FAMILIES if family in present]
