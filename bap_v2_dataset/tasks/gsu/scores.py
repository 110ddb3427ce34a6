"""The scores of GSU: what is said of them in tables, tests, reports and files.

Units are the paper's: walks in 0..1 and cells, all else in percent.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from bap_v2_dataset.evaluation.results import Report, Result, ScoredSplit
from bap_v2_dataset.evaluation.scores import N_ITEMS, PLAIN, ItemGroup, Score, ScoreBlock, Scores, cell, cells
from bap_v2_dataset.sentences import counted
from bap_v2_dataset.tables.cells import NO_VALUE, Line, ScoreTable
from bap_v2_dataset.tasks.gsu import report_tables
from bap_v2_dataset.tasks.gsu.paper import COLUMNS, NOTES
from bap_v2_dataset.tasks.gsu.scorer import SCORER

FAMILIES = {
    "walks": ("follower", "instructor", "card2ego"),
    "directions": ("localization", "combined"),
    "structures": ("structure",),
}
# Of the tasks of each family; the first, or of structures the last, is what `score` is of their items.
SCORES_OF = {
    "walks": (
        Score("accuracy", "Accuracy", PLAIN, tested=True, reported=True),
        Score("distance", "Distance (cells)", PLAIN, tested=True, lower_is_better=True),
        Score("reached", "Reached", PLAIN, tested=True),
    ),
    "directions": (
        Score("overlap", "Overlap %", tested=True, reported=True),
        Score("exact", "Exact %", tested=True),
    ),
    "structures": (
        *(
            Score(key, f"{key.replace('_', ' ').capitalize()} %", tested=True)
            for key in ("spatial", "composite_spatial", "color", "number", "shape", "exact")
        ),
        Score("mean", "Score %", tested=True, reported=True, test="score"),
    ),
}
_ALL_TASKS = Score("score", "Score %", tested=True, reported=True)
_MEAN = ("spatial", "color", "number", "shape")  # of which `mean` is the mean
_CLASSES = ("simple", "cohesive", "composite")
_FRAMES = ("cardinal", "egocentric", "allocentric", "viewer")
_TITLES = {"walks": "Walks", "directions": "Directions", "structures": "Structures"}
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
_NOT_SAID = ("n", "score", "composite", "composite_spatial")  # of single items


class GsuScores(Scores):
    scorer = SCORER
    name = "gsu"
    headline = "score"

    def is_read(self, item: Mapping[str, Any], text: str) -> bool:
        return not item["unparsed"]

    def blocks(self, results: Sequence[Result], measure: str = "") -> list[ScoreBlock]:
        """Return a table for each task that the items are of, a line for each group of its items."""
        tasks = tasks_of(results)
        several = len(tasks) > 1
        blocks = []
        for task in tasks:
            groups = groups_of(results, task, label=task if several else "")
            scores = [score for score in SCORES_OF[family_of(task)] if _is_told(results, task, score)]
            if several:
                scores = [replace(score, reported=False, tested=score.key != "mean") for score in scores]
            heading = task.capitalize() if task != "card2ego" else "Card2Ego"
            title = f"Scores of {task}" if several else ""
            blocks.append(ScoreBlock(groups, (N_ITEMS, *scores), heading, title, f"_{task}" if several else ""))
        if several:
            blocks.append(ScoreBlock([ItemGroup("all items")], (N_ITEMS, _ALL_TASKS), title="All tasks"))
        return blocks

    def shown(self, result: Result, measure: str = "") -> Result:
        """With the mean of the four scores of structures."""
        if "structure_n_items" not in result.scores:
            return result
        scores = dict(result.scores)
        scores["structure_mean"] = _mean(scores, "structure_")
        scores["groups"] = {
            name: {**group, "mean": _mean(group)} if name.startswith("structure/") else group
            for name, group in scores["groups"].items()
        }
        intervals, deviations = dict(result.intervals), dict(result.deviations)
        if tasks_of([result]) == ["structure"]:  # then it is that of all items
            scores["structure_mean"] = scores["score"]
            for values in (intervals, deviations):
                if "score" in values:
                    values["structure_mean"] = values["score"]
        return replace(result, scores=scores, intervals=intervals, deviations=deviations)

    def item_record(self, row: Mapping[str, Any], item: Mapping[str, Any], prediction: str) -> dict[str, Any]:
        """`right`, whether all of the answer is; `score`; the measures of the task; `answer`, the right one."""
        names = ("task", "frame", "group")
        return {
            **{name: item[name] for name in names},
            "right": bool(item["accuracy"] if "accuracy" in item else item["exact"]),
            "score": item["score"],
            **{name: value for name, value in item.items() if name not in (*names, *_NOT_SAID)},
            "answer": row["answer"],
        }

    def legend(self, results: Sequence[Result]) -> list[str]:
        present = {family_of(task) for result in results for task in tasks_of([result])}
        return [LEGENDS[family] for family in FAMILIES if family in present]

    def notes_on(self, result: Result) -> list[str]:
        return [counted(sum(run.scores["unparsed"] for run in result.runs or [result]), "unparsed answer")]

    def tables(self, report: Report) -> list[ScoreTable]:
        """Return the tables of the paper, all measures, and scores by group."""
        measures = [table for family in FAMILIES if (table := _measures(report, family))]
        groups = _by_group(report)
        return [*report_tables.tables(report, _paper_cell), *measures, *([groups] if groups else [])]

    def remarks(self, report: Report, paper: bool = True) -> list[str]:
        sentences = self.legend([result for test in report.tests for _, result in report.on(test)])
        if paper and not all(test.source for test in report.tests):
            tested = {test.config for test in report.tests if test.split == "test"}
            if tested & {column.config for column in COLUMNS}:
                sentences.append(_SOURCES)
            sentences += [note.text for note in NOTES if tested & set(note.configs)]
        return sentences


def family_of(task: str) -> str:
    """Return in which of FAMILIES a task is."""
    return next(name for name, tasks in FAMILIES.items() if task in tasks)


def tasks_of(results: Sequence[Result]) -> list[str]:
    """Return the tasks that items are of, in the order of FAMILIES."""
    return [task for tasks in FAMILIES.values() for task in tasks if f"{task}_n_items" in results[0].scores]


def groups_of(results: Sequence[Result], task: str, label: str = "") -> list[ItemGroup]:
    """Return the groups that a task's items fall into, without those that have all of them; at the end all items."""
    groups: Mapping[str, Mapping[str, float]] = results[0].scores["groups"]
    n_items = results[0].scores[f"{task}_n_items"]
    names = [name.partition("/")[2] for name in groups if name.startswith(f"{task}/")]
    parts = sorted((name for name in names if groups[f"{task}/{name}"]["n_items"] < n_items), key=_place)
    return [
        *(ItemGroup(_title(name), within=f"{task}/{name}") for name in parts),
        ItemGroup("all items", f"{task}_", label=label),
    ]


def _title(name: str) -> str:
    """`1 step`, `facing +y`, `composite`."""
    if name.isdecimal():
        return f"{name} step{'' if name == '1' else 's'}"
    return f"facing {name}" if name[0] in "+-" else name


def _place(name: str) -> tuple[bool, int, str]:
    """Numbers by size, classes from simple to composite, other groups by name, frames last."""
    number = int(name) if name.isdecimal() else _CLASSES.index(name) if name in _CLASSES else 0
    return name in _FRAMES, number, name


def _is_told(results: Sequence[Result], task: str, score: Score) -> bool:
    """Of a position as answer, `reached` is the accuracy; structures without relations have no composite spatial."""
    if score.key == "reached" and task == "follower":
        return False
    return score.key == "mean" or f"{task}_{score.key}" in results[0].scores


def _mean(scores: Mapping[str, float], start: str = "") -> float:
    return sum(scores[f"{start}{name}"] for name in _MEAN) / len(_MEAN)


def _paper_cell(result: Result, key: str) -> Any:
    """Return a score by its key, `follower_accuracy`, in the unit of its task."""
    task, _, name = key.partition("_")
    score = next(score for score in SCORES_OF[family_of(task)] if score.key == name)
    return cell(result, ItemGroup("", f"{task}_"), score)


def _measures(report: Report, family: str) -> ScoreTable | None:
    """Return all measures of the tasks of a family, by test set and system."""
    # The measures that some result of the family has.
    parts = [(test, task) for test, task in _parts(report) if family_of(task) == family]
    scores = [
        score
        for score in SCORES_OF[family]
        if any(_is_told([result], task, score) for test, task in parts for _, result in report.on(test))
    ]
    # A line for each test set and system.
    lines = []
    for test, task in parts:
        for position, (system, result) in enumerate(report.on(test)):
            told = [score if _is_told([result], task, score) else None for score in scores]
            group, shown = ItemGroup("all items", f"{task}_"), SCORES.shown(result)
            numbers = [cell(shown, group, score) if score else NO_VALUE for score in told]
            start = [_part_title(test, task), system.title, cell(shown, group, N_ITEMS)]
            lines.append(Line([*start, *numbers], opens=not position))
    if not lines:
        return None
    headings = ("Test set", "System", "Items", *(score.heading for score in scores))
    return ScoreTable(f"gsu_{family}", f"{_TITLES[family]}: all measures", headings, lines, 2)


def _by_group(report: Report) -> ScoreTable | None:
    """Return the score of every group of items: a column for each system; None where all items are of one group."""
    # The systems that have a result are the columns.
    systems = [system for system in report.systems if any(test.key in system.results for test in report.tests)]
    lines = []
    for test, task in _parts(report):
        results = {system.name: SCORES.shown(result) for system, result in report.on(test)}
        first = next(iter(results.values()))
        (score,) = [score for score in SCORES_OF[family_of(task)] if score.reported]
        # A line for each group of a test set, with the score that is reported.
        for position, group in enumerate(groups_of([first], task)):
            numbers = [
                cell(results[system.name], group, score) if system.name in results else NO_VALUE for system in systems
            ]
            start = [_part_title(test, task), group.title, *cells(first, group, [N_ITEMS])]
            lines.append(Line([*start, *numbers], opens=not position))
    # Test sets of one group each have nothing to compare.
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


def _parts(report: Report) -> Iterable[tuple[ScoredSplit, str]]:
    """Return the test sets, each with the tasks that it has items of."""
    return [(test, task) for test in report.tests for task in tasks_of([result for _, result in report.on(test)])]


def _part_title(test: ScoredSplit, task: str) -> str:
    return test.title if len({row["task"] for row in test.rows}) == 1 else f"{test.title}: {task}"


SCORES = GsuScores()
