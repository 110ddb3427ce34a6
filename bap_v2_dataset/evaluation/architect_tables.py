"""Tables of Architect generation: what `bap-v2 score` and `bap-v2 report` show of what a Builder built on the words."""

from collections.abc import Sequence

from rich.console import Group as Shown
from rich.text import Text

from bap_v2_dataset.architect.utterances import is_cut, spoken
from bap_v2_dataset.evaluation.architect_tests import against_table, paired_tests
from bap_v2_dataset.evaluation.fitted_tables import fitted
from bap_v2_dataset.evaluation.report import Report
from bap_v2_dataset.evaluation.resampling_units import over
from bap_v2_dataset.evaluation.score_tables import Fitting
from bap_v2_dataset.evaluation.scoring import USUAL_RESAMPLING, Resampling, Result
from bap_v2_dataset.evaluation.table_cells import NO_VALUE, Cell, Line, Score, ScoreTable
from bap_v2_dataset.paper import ROWS
from bap_v2_dataset.sentences import counted

HEADINGS = {
    "reads_f1": "Reads F1",
    "reads_precision": "Reads precision",
    "reads_recall": "Reads recall",
    "progress": "Progress",
    "right_actions": "Right actions",
    "built": "Built",
}
LEGEND = (
    "Reads: what the Builder built on these words, against what was built in the game. Progress: the share of its net "
    "actions that is right with regard to the target, wherever that fits best. Right actions: of an item, on average. "
    "Built: items in which it did anything."
)
_DIGITS = {"right_actions": 2}  # it is no share; the others are in percent


def score_table(results: Sequence[Result], title: str, labels: str, resampling: Resampling = USUAL_RESAMPLING) -> Shown:
    """Everything that `bap-v2 score` prints: scores, tests, and how they were made."""
    parts = [fitted(_scores(results, "scores", title)), Text()]
    if len(results) > 1 and resampling.n:
        parts += [comparison(results, resampling), Text()]
    parts += [Text(line) for line in _remarks_on(results, labels, resampling)]
    for signature in dict.fromkeys(result.signature for result in results):
        parts.append(Text(f"signature: {signature}", style="dim", no_wrap=True, overflow="ignore"))
    return Shown(*parts)


def comparison(systems: Sequence[Result], resampling: Resampling) -> Fitting:
    """The tests of all systems against the first: what `Evaluation.compare` prints too."""
    return fitted(against_table(systems[1:], systems[0], resampling))


def score_tables(report: Report) -> list[ScoreTable]:
    """The tables of `bap-v2 score` as Markdown and LaTeX."""
    shown = []
    for test in report.tests:
        results = [result for _, result in report.on(test)]
        shown.append(_scores(results, f"scores_{test.file_name}", f"Scores on {test.title}"))
        if len(results) > 1 and report.resampling.n:
            shown.append(against_table(results[1:], results[0], report.resampling))
    return shown


def tables(report: Report) -> list[ScoreTable]:
    """The tables of `bap-v2 report`: all scores by test set and system, and tests."""
    lines = [
        Line([test.title, system.title, *(_cell(result, "", key) for key in HEADINGS)], opens=not position)
        for test in report.tests
        for position, (system, result) in enumerate(report.on(test))
    ]
    heads = ("Test set", "System", *HEADINGS.values())
    shown = [ScoreTable("architect", "Architect generation", heads, lines, 2)]
    if tests := paired_tests(report):
        shown.append(tests)
    return shown


def remarks(report: Report, paper: bool = True) -> list[str]:
    """What a report needs to be understood."""
    return [LEGEND]


def _scores(results: Sequence[Result], name: str, title: str) -> ScoreTable:
    """The scores of systems on one test set, by board."""
    several = len(results) > 1
    lines = []
    for group, board in ROWS.items():
        for position, result in enumerate(results):
            start = [board, result.name] if several else [board]
            items = f"{result.scores[f'{group}n_items']:,.0f}"
            cells = [_cell(result, group, key) for key in HEADINGS]
            lines.append(Line([*start, items, *cells], opens=not position and several))
    heads = ("Board", *(["System"] if several else []), "Items", *HEADINGS.values())
    return ScoreTable(name, title, heads, lines, 1 + several)


def _cell(result: Result, group: str, key: str) -> Cell:
    if not result.scores[f"{group}n_items"]:
        return NO_VALUE
    times, digits = (1, _DIGITS[key]) if key in _DIGITS else (100, 1)
    key = f"{group}{key}"
    value = times * result.scores[key]
    if result.runs:
        return Score(value, deviation=times * result.deviations[key], digits=digits)
    return Score(value, *(times * bound for bound in result.intervals.get(key, ())), digits=digits)


def _remarks_on(results: Sequence[Result], labels: str, resampling: Resampling) -> list[str]:
    """What stands below the tables of `bap-v2 score`: a line each."""
    lines = [LEGEND, "EB, NEB: items that start from an empty, a non-empty board."]
    for result in results:
        runs = result.runs or [result]
        notes = [f"in {len(runs)} runs"] if result.runs else []
        texts = [text for run in runs for text in run.texts]
        notes.append(f"says nothing in {counted(sum(not spoken(text) for text in texts), 'item')}")
        if cut := sum(map(is_cut, texts)):
            notes.append(f"{counted(cut, 'answer')} cut at a line of the Builder")
        if infeasible := sum(run.scores["infeasible_actions"] for run in runs):
            notes.append(counted(infeasible, "infeasible action"))
        if result.missing:
            notes.append(f"{counted(result.missing, 'item')} without a prediction, scored as empty")
        lines.append(f"{result.name}: {', '.join(notes)}")
    how = "in percent, right actions excepted; micro-averaged"
    if any(result.runs for result in results):
        how += "; ±: standard deviation over the runs"
    if resampling.n:
        how += (
            f"; intervals: {100 * resampling.confidence:g}% percentile bootstrap {over(resampling, results)}, "
            f"{counted(resampling.n, 'resample')}, seed {resampling.seed}"
        )
    return [*lines, how, f"labels: {labels}"]
