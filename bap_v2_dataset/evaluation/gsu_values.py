"""The scores of GSU as cells of tables, in the units of the paper's: walks in 0..1, all else in percent."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from bap_v2_dataset.evaluation.scoring import Result
from bap_v2_dataset.evaluation.table_cells import NO_VALUE, Cell, Score

WALKS = ("follower", "instructor", "card2ego")
DIRECTIONS = ("localization", "combined")
STRUCTURES = ("structure",)
FAMILIES = {"walks": WALKS, "directions": DIRECTIONS, "structures": STRUCTURES}
# Of the tasks of each family: the name of a measure, without that of the task, and its heading.
MEASURES = {
    "walks": {"accuracy": "Accuracy", "distance": "Distance (cells)", "reached": "Reached"},
    "directions": {"overlap": "Overlap %", "exact": "Exact %"},
    "structures": {
        "spatial": "Spatial %",
        "composite_spatial": "Composite spatial %",
        "color": "Color %",
        "number": "Number %",
        "shape": "Shape %",
        "exact": "Exact %",
    },
}
_CLASSES = ("simple", "cohesive", "composite")
_FRAMES = ("cardinal", "egocentric", "allocentric", "viewer")


class Group(NamedTuple):
    """Items that a line of a table is about."""

    task: str
    name: str = ""  # in the scores' `groups`, after the task; "": all items of the task

    @property
    def title(self) -> str:
        """`all items`, `1 step`, `facing +y`, `composite`."""
        if not self.name:
            return "all items"
        if self.name.isdecimal():
            return f"{self.name} step{'' if self.name == '1' else 's'}"
        return f"facing {self.name}" if self.name[0] in "+-" else self.name


def family_of(task: str) -> str:
    """In which of FAMILIES a task is."""
    return next(name for name, tasks in FAMILIES.items() if task in tasks)


def tasks_of(results: Sequence[Result]) -> list[str]:
    """The tasks that items are of, in the order of FAMILIES."""
    return [task for tasks in FAMILIES.values() for task in tasks if f"{task}_n_items" in results[0].scores]


def groups_of(results: Sequence[Result], task: str) -> list[Group]:
    """The groups that a task's items fall into, without those that have all of them; at the end all items."""
    groups: Mapping[str, Mapping[str, float]] = results[0].scores["groups"]
    n_items = results[0].scores[f"{task}_n_items"]
    names = [name.partition("/")[2] for name in groups if name.startswith(f"{task}/")]
    parts = [name for name in names if groups[f"{task}/{name}"]["n_items"] < n_items]
    return [*(Group(task, name) for name in sorted(parts, key=_place)), Group(task)]


def _place(name: str) -> tuple[bool, int, str]:
    """Numbers by size, classes from simple to composite, other groups by name, frames last."""
    number = int(name) if name.isdecimal() else _CLASSES.index(name) if name in _CLASSES else 0
    return name in _FRAMES, number, name


def sized(result: Result, group: Group) -> str:
    """How many items a group has."""
    scores = result.scores
    n = scores["groups"][f"{group.task}/{group.name}"]["n_items"] if group.name else scores[f"{group.task}_n_items"]
    return f"{n:,.0f}"


def measured(result: Result, group: Group, measure: str) -> Cell:
    """A measure of a group; of all items with its interval, or the spread over runs."""
    family = family_of(group.task)
    if measure not in MEASURES[family] or (measure == "reached" and group.task == "follower"):
        return NO_VALUE
    if group.name:
        value = result.scores["groups"][f"{group.task}/{group.name}"].get(measure)
        return NO_VALUE if value is None else in_unit(family, value)
    key = f"{group.task}_{measure}"
    if key not in result.scores:
        return NO_VALUE
    return _with_spread(result, key, family)


def headline(result: Result) -> Cell:
    """The mean over all items, whatever their tasks, in percent."""
    return _with_spread(result, "score", "")


def headline_of(result: Result, task: str) -> Cell:
    """What `score` is of the items of one task: the accuracy, the overlap, or the mean of a structure's four scores."""
    family = family_of(task)
    if family != "structures":
        return measured(result, Group(task), next(iter(MEASURES[family])))
    if tasks_of([result]) == [task]:
        return _with_spread(result, "score", family)
    return in_unit(family, structure_mean(result.scores, "structure_"))


def headline_of_group(result: Result, group: Group) -> Cell:
    """The same of a group of items."""
    if not group.name:
        return headline_of(result, group.task)
    family = family_of(group.task)
    scores = result.scores["groups"].get(f"{group.task}/{group.name}")
    if scores is None:
        return NO_VALUE
    if family == "structures":
        return in_unit(family, structure_mean(scores))
    return in_unit(family, scores[next(iter(MEASURES[family]))])


def structure_mean(scores: Mapping[str, float], start: str = "") -> float:
    """The mean of a structure's four scores."""
    names = ("spatial", "color", "number", "shape")
    return sum(scores[f"{start}{name}"] for name in names) / len(names)


def _with_spread(result: Result, key: str, family: str) -> Cell:
    value = result.scores[key]
    if result.runs:
        return in_unit(family, value, deviation=result.deviations[key])
    return in_unit(family, value, *result.intervals.get(key, ()))


def in_unit(
    family: str, value: float, low: float | None = None, high: float | None = None, deviation: float | None = None
) -> Score:
    """A score, a fraction or a distance, as the tables print it: walks as they are, with two decimals, else percent.

    >>> in_unit("walks", 0.5).value, in_unit("structures", 0.5).value
    (0.5, 50.0)
    """
    times, digits = (1, 2) if family == "walks" else (100, 1)
    scaled = (None if number is None else times * number for number in (low, high, deviation))
    return Score(times * value, *scaled, digits=digits)


def titles(groups: Iterable[Group]) -> list[str]:
    """Their titles, with the task where there are several."""
    groups = list(groups)
    several = len({group.task for group in groups}) > 1
    return [f"{group.task}: {group.title}" if several else group.title for group in groups]
