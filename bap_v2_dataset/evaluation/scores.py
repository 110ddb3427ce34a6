"""The scores of a task: a list of entries, each with its key, heading, unit and direction. Tables and tests follow.

What a table shows is a block: some groups of items (its lines) by some scores (its columns). `Scores` is all that a
task says of them; its room has one subclass.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from bap_v2_dataset.evaluation.results import Answers, Resampling, Result, ScoredSplit, mean_of_runs
from bap_v2_dataset.tables.cells import NO_VALUE, Cell, ScoreTable, Value
from bap_v2_metric.scorer import Scorer

if TYPE_CHECKING:
    from bap_v2_dataset.evaluation.results import Bin, Report
    from bap_v2_dataset.evaluation.runs import SystemPredictions

Row = Mapping[str, Any]


class Unit(NamedTuple):
    """The form in which a score is printed."""

    scale: float = 1  # of the score that is computed
    digits: int = 2  # behind the point
    text: Callable[[float], str] | None = None  # in place of a number with an interval

    def cell(self, value: float, *bounds: float, deviation: float | None = None) -> Cell:
        """Return a score with its interval, if it has one, or with the spread of several runs."""
        if self.text is not None:
            return self.text(value)
        low, high = (self.scale * bound for bound in bounds) if bounds else (None, None)
        spread = None if deviation is None else self.scale * deviation
        return Value(self.scale * value, low, high, spread, self.digits)

    def signed(self, difference: float) -> str:
        """Format a difference: `+1.2`."""
        return f"{self.scale * difference:+.{self.digits}f}"


PERCENT = Unit(100, 1)  # of a share from 0 to 1
PLAIN = Unit()  # a share from 0 to 1 as it is, or a number of cells, of turns
COUNT = Unit(text=lambda value: f"{value:,.0f}")
RANK = Unit(text=lambda value: f"{value:.1f}".removesuffix(".0"))


@dataclass(frozen=True)
class Score:
    """A score of a task."""

    key: str  # in what the scorer returns, behind the prefix of a group
    heading: str
    unit: Unit = PERCENT
    tested: bool = False  # between systems, by `bap-v2 score`
    reported: bool = False  # of the tested ones: by `bap-v2 report` too
    lower_is_better: bool = False
    test: str = ""  # its key among the tests, if that is not the group's prefix and the key


N_ITEMS = Score("n_items", "Items", COUNT)


class ItemGroup(NamedTuple):
    """Items that a line of a table is about."""

    title: str
    prefix: str = ""  # in front of the keys of its scores
    within: str = ""  # in which of the scores' `groups` they are; "": in none
    tested: bool = True  # between systems
    label: str = ""  # in tests, if that is not the title


class ScoreBlock(NamedTuple):
    """A table: a line for each group, and of it for each system; a column for each score."""

    groups: Sequence[ItemGroup]
    scores: Sequence[Score]
    heading: str = ""  # of the column of groups; "": there is none
    title: str = ""
    name: str = ""  # in the names of files and labels


def cell(result: Result, group: ItemGroup, score: Score) -> Cell:
    """Return a score of a group, with its interval or spread over runs; NO_VALUE without items, or the score."""
    scores = _scores(result, group)
    value = scores.get(f"{group.prefix}{score.key}")
    if value is None or (score is not N_ITEMS and not scores.get(f"{group.prefix}{N_ITEMS.key}", True)):
        return NO_VALUE
    if group.within:
        return score.unit.cell(value)
    key = f"{group.prefix}{score.key}"
    if result.runs:
        return score.unit.cell(value, deviation=result.deviations.get(key))
    return score.unit.cell(value, *result.intervals.get(key, ()))


def cells(result: Result, group: ItemGroup, scores: Sequence[Score]) -> list[Cell]:
    """Return several scores of a group."""
    return [cell(result, group, score) for score in scores]


def _scores(result: Result, group: ItemGroup) -> Mapping[str, Any]:
    return result.scores["groups"].get(group.within, {}) if group.within else result.scores


class Scores:
    """Rules by which the predictions of a task are scored, and what tables show; by default as for most tasks."""

    scorer: ClassVar[Scorer]
    name: ClassVar[str]  # of the task
    headline: ClassVar[str]  # the key of the score that is said where only one is
    measures: ClassVar[tuple[str, ...]] = ()  # that its tables can show, besides the usual one
    drawn: ClassVar[str] = "items"  # by a resample, in words
    item: ClassVar[str] = "item"  # and one of them
    answer: ClassVar[str] = "a prediction, scored as empty"  # that an item may lack
    expected: ClassVar[str] = "an answer in the form that its prompt asks for"

    # --- What is scored.
    join_predictions: Callable | None = None  # in place of that of `evaluation.scoring`, with its arguments

    def answers(self, rows: Sequence[Row], texts: Sequence[str], system: str, **further: Any) -> Answers:
        """Return what a system wrote for each row, as the scorer takes it.

        Args:
            further: options of the task's own, from the command line.
        """
        return Answers(system, texts, texts)

    def cluster_keys(self, rows: Sequence[Row]) -> Sequence[Row]:
        """Return for each row the one whose cluster it is in: itself, where rows do not depend on others."""
        return rows

    def is_read(self, item: Mapping[str, Any], text: str) -> bool:
        """Return whether anything could be read of an answer, or it may be empty; `item` are its counts."""
        return True

    def mean_of_runs(self, system: str, runs: Sequence[Result]) -> Result:
        """Return the mean of a system's runs."""
        return mean_of_runs(system, runs)

    def notes_on_rows(self, rows: Sequence[Row], config: str) -> list[str]:
        """Return sentences about rows before they are scored."""
        return []

    def prepared_for(
        self,
        files: Sequence["SystemPredictions"],
        baselines: Sequence[str],
        options: Mapping[str, Any],
        read: Callable[[Sequence[str]], Sequence["SystemPredictions"]],
    ) -> tuple[Sequence["SystemPredictions"], Mapping[str, Any]]:
        """Return the files as they are scored, and arguments of `join_predictions` or `answers`.

        Args:
            options: of the task's `score_options`, those that were passed.
            read: reads other files of predictions.
        """
        return files, {}

    def extra_outputs(
        self, test: ScoredSplit, results: Sequence[Result], options: Mapping[str, Any]
    ) -> Mapping[Path, bytes]:
        """Return what else these options ask to be written, by its path."""
        return {}

    def unknown_thoughts(self, text: Any) -> str:
        """Return the mark of what seems to be thoughts in a prediction, and is read as its answer; "" without."""
        return ""

    # --- What `bap-v2 score` shows.
    def blocks(self, results: Sequence[Result], measure: str = "") -> list[ScoreBlock]:
        """Return the tables of scores: groups of items by scores."""
        raise NotImplementedError

    def shown(self, result: Result, measure: str = "") -> Result:
        """Return a result as tables show it: with scores that follow from others, without those that say nothing."""
        return result

    def headline_of(self, measure: str = "") -> str:
        """Return the key of the headline of a measure."""
        return self.headline

    def settings_of(self, result: Result) -> Mapping[str, str]:
        """Return columns of the score table that say how a system answered."""
        return {}

    def place(self, config: str, split: str) -> str:
        """Return the name of a test set in the title of a score table."""
        return f"{config}, {split}"

    def further_tests(self, results: Sequence[Result], resampling: Resampling, measure: str) -> list[ScoreTable]:
        """Return tests of single systems."""
        return []

    def item_record(self, row: Row, item: Mapping[str, Any], prediction: str) -> dict[str, Any]:
        """Return what `--per-item` says of an item besides its id and the system; `item` are its counts."""
        return dict(item)

    # --- Sentences below the tables.
    def legend(self, results: Sequence[Result]) -> list[str]:
        """Return sentences about what the scores mean."""
        return []

    def notes_on(self, result: Result) -> list[str]:
        """Return what was unusual about the answers of a system, in a few words each."""
        return []

    def lines_on(self, result: Result) -> list[str]:
        """Return more about the answers of a system, in lines of their own."""
        return []

    def how(self, measure: str = "") -> list[str]:
        """Return in which unit scores are, and how they were averaged."""
        return []

    # --- What `bap-v2 report` shows.
    def tables(self, report: "Report") -> list[ScoreTable] | None:
        """Return the tables of a report, but for tests, if they are not those of `bap-v2 score`.

        The report holds test sets of this task alone.
        """
        return None

    def remarks(self, report: "Report", paper: bool = True) -> list[str]:
        """Return sentences below the tables of a report.

        Args:
            paper: whether numbers of a paper stand in the tables.
        """
        return []

    def error_bins(self, report: "Report") -> dict[tuple[str, str], list["Bin"]]:
        """Return the error analysis of each test set, by config and split."""
        return {}

    def plots(self, report: "Report", bins: Mapping[tuple[str, str], Sequence["Bin"]]) -> list[tuple[str, str, Any]]:
        """Draw pictures of a report: title, name, bytes by suffix. Raises: ImportError without matplotlib."""
        return []
