"""Systems and how they did on test sets: counts and scores of models and baselines, over runs, and in bins."""

import hashlib
import re
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import fsum
from statistics import stdev
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import orjson

from bap_v2_dataset.predictions.builder_kinds import BUILDER_KINDS, BuilderKind
from bap_v2_dataset.sentences import counted
from bap_v2_metric.errors import InputError, NothingInCommonError
from bap_v2_metric.resampling import SEED, check_resampling
from bap_v2_metric.scorer import Scorer

if TYPE_CHECKING:
    from bap_v2_dataset.interface.task import Task


UNITS = ("item", "target")  # that a resample may draw
_NAMES = ("id", "parent", "family", "variant")  # in counts: of which item they are
RUNS_TEST = "Tests take the mean counts of each item over the runs of a system; p leaves out the spread between runs"


@dataclass(frozen=True)
class Resampling:
    """The settings of intervals and tests: see `bootstrap` of the metric."""

    n: int = 1000  # 0: no intervals and no tests
    confidence: float = 0.95
    seed: int = SEED
    unit: str | None = None  # what is drawn: "item", or "target" with all its items; None: `Task.default_unit`

    def __post_init__(self) -> None:
        """Raise InputError before anything is asked or scored."""
        if self.unit is not None and self.unit not in UNITS:
            raise InputError(f"unit is {self.unit!r} (expected {' or '.join(UNITS)})")
        if self.n:
            check_resampling(self.n, self.confidence)

    def on(self, test: "ScoredSplit") -> "Resampling":
        """Return the settings with the unit that this test set is resampled by."""
        return self if self.unit else replace(self, unit=test.task.default_unit(test.config, test.split))

    @property
    def settings(self) -> dict[str, Any]:
        """The settings that are written beside scores."""
        return {"resamples": self.n, "confidence": self.confidence, "seed": self.seed, "unit": self.unit}


USUAL_RESAMPLING = Resampling()


@dataclass(frozen=True)
class Result:
    """The scores of a system on a test set."""

    name: str  # of the system
    items: list[dict]  # the counts of the metric's `score_items`, in the order of the rows
    scores: dict[str, Any]  # of its `aggregate`
    intervals: dict[str, tuple[float, float]]  # of its `bootstrap`; empty without resampling
    missing: int = 0  # rows without a prediction, scored as empty ones
    signature: str = ""  # how the scores and intervals were made
    texts: Sequence[str] = ()  # the predictions, in the order of the rows
    runs: Sequence["Result"] = ()  # of which this is the mean (see `mean_of_runs`), by their names; () for a single one
    deviations: Mapping[str, float] = field(default_factory=dict)  # of the scores: sample standard deviations
    unit: str = "item"  # of `Resampling`: what intervals and tests draw
    clusters: Sequence[Hashable] | None = None  # for each item what it is drawn with, e.g. its target; None: alone
    left_out: frozenset[int] = (
        frozenset()
    )  # positions of items that do not count for this system (see `robust_scoring`)
    too_few: Mapping[str, tuple[int, int | None]] = field(default_factory=dict)  # of its `too_few`
    warnings: Sequence[str] = ()  # about the answers, as sentences
    facts: Mapping[str, Any] = field(default_factory=dict)  # how the predictions were made, as the task's tables say it

    @property
    def has_intervals(self) -> bool:
        """True if it, or each of its runs, has any."""
        return any(run.intervals for run in self.runs or [self])

    @property
    def drawn(self) -> str:
        """The units that intervals and tests draw, with the number of targets: `39 targets`; "" for items."""
        return "" if self.clusters is None else counted(len(set(self.clusters)), self.unit)

    @property
    def counted_items(self) -> list[dict]:
        """The counts that the scores are made of."""
        return [item for position, item in enumerate(self.items) if position not in self.left_out]


class Answers(NamedTuple):
    """The answers of a system, or one of its runs, to the rows of a test set, and how they are scored."""

    system: str
    texts: Sequence[str]  # the predictions, in the order of the rows; "" for none
    taken: Sequence[Any]  # what the scorer takes for them
    options: Mapping[str, Any] = MappingProxyType({})  # of the scorer
    label: str = ""  # the system with its run; "": the system
    missing: int = 0  # as in `Result`, and so on
    left_out: frozenset[int] = frozenset()
    facts: Mapping[str, Any] = MappingProxyType({})
    marks: Sequence[Mapping[str, Any]] = ()  # for each row what its counts say besides


@dataclass(frozen=True)
class System:
    """A system, and how it did on each test set."""

    name: str
    model: str | None = None  # folder or name on the Hub
    train: tuple[str, ...] | None = None  # configs, or files, that it learned from; None: not recorded
    train_items: int | None = None
    larger_model: str = ""  # what was learned of a larger language model; "": nothing, or not recorded
    representation: str | None = None
    model_type: str | None = None  # of BUILDER_KINDS; None: a language model, or unknown
    seeds: tuple[int, ...] = ()  # of training, or of decoding
    baseline: bool = False
    results: Mapping[tuple[str, str], Result] = field(default_factory=dict)  # by config and split

    @property
    def builder_kind(self) -> BuilderKind | None:
        """The kind of a learned Builder; None: a language model, a rule, or unknown."""
        return BUILDER_KINDS.get(self.model_type or "")

    @property
    def title(self) -> str:
        """Its name and, if its scores are means of several runs, of how many."""
        runs = max((len(result.runs) for result in self.results.values()), default=0)
        noun = "seed" if len(self.seeds) == runs else "run"
        return f"{self.name} ({counted(runs, noun)})" if runs else self.name


@dataclass(frozen=True)
class ScoredSplit:
    """The items of a test set that are scored."""

    task: "Task"
    config: str  # or the name of own data
    split: str
    rows: Sequence[Mapping]
    split_items: int  # of the split, of which `rows` may be a part
    source: str = ""  # where own data are from, as it was passed; "" for a config of ours

    @property
    def key(self) -> tuple[str, str]:
        return self.config, self.split

    @cached_property
    def labels(self) -> str:
        """The name of the labels that say which items count."""
        return self.task.dataset.labels_of(self.rows, self.config)

    @cached_property
    def labels_sha256(self) -> str:
        """Of the items and their right answers: an item or label that differs changes it."""
        scorer = self.task.scores.scorer
        return digest({"id": row["id"], **scorer.reference_of(row)} for row in self.rows)

    @property
    def signed(self) -> str:
        """The part of a signature that names a test set: `config:mdc_v2|split:test|labels:8e7b6d84|items:4c3a6bb8`.

        Of labels the start of the SHA-256 that `labels` names, if it does; of items that of ids and right answers.
        """
        config, split = (re.sub(r"[^\w.+/-]+", "_", name) for name in self.key)
        labels = "".join(f"|labels:{sha256}" for sha256 in re.findall(r"SHA-256 ([0-9a-f]{8})", self.labels))
        return f"config:{config}|split:{split}{labels}|items:{self.labels_sha256[:8]}"

    @property
    def settings(self) -> dict[str, Any]:
        """The settings that are written beside scores."""
        own = {"data": self.source} if self.source else {}
        return {"config": self.config, **own, "split": self.split, "items": len(self.rows),
                "split_items": self.split_items, "labels": self.labels}  # fmt: skip

    @property
    def is_subset(self) -> bool:
        """True if only a part of the split was scored."""
        return len(self.rows) != self.split_items

    @property
    def title(self) -> str:
        """`dss`, `dss validation`, `dss (200 of 1,000 items)`."""
        part = f" ({len(self.rows):,} of {self.split_items:,} items)" if self.is_subset else ""
        return f"{self.task.title_of(self.config, self.split)}{part}"

    @property
    def file_name(self) -> str:
        """`dss`, `dss_validation`, `USER_NAME` of own data on the Hub."""
        name = self.config if self.split == "test" else f"{self.config}_{self.split}"
        return re.sub(r"[^\w.+-]+", "_", name).strip("_.")


@dataclass(frozen=True)
class Report:
    """All that the tables are made of."""

    tests: Sequence[ScoredSplit]
    systems: Sequence[System]
    against: str  # the system that the others are compared with
    resampling: Resampling
    notes: Sequence[str] = ()

    def of_task(self, task: "Task") -> "Report":
        """Return the report with the test sets of one task alone."""
        return replace(self, tests=[test for test in self.tests if test.task == task])

    @property
    def signatures(self) -> list[str]:
        """The signatures of the scores: one for each test set."""
        return list(dict.fromkeys(result.signature for test in self.tests for _, result in self.on(test)))

    def on(self, test: ScoredSplit) -> list[tuple[System, Result]]:
        """Return the systems that were tested on a test set, with their results there."""
        return [(system, system.results[test.key]) for system in self.systems if test.key in system.results]


def digest(records: Iterable[Mapping[str, Any]]) -> str:
    """Return the SHA-256 of records, whatever the order of their keys."""
    sha256 = hashlib.sha256()
    for record in records:
        sha256.update(orjson.dumps(record, option=orjson.OPT_SORT_KEYS | orjson.OPT_APPEND_NEWLINE, default=str))
    return sha256.hexdigest()


def scored(
    answers: Answers, references: Sequence[Mapping], scorer: Scorer, resampling: Resampling = USUAL_RESAMPLING,
    clusters: Sequence[Hashable] | None = None, signed: str = "",
) -> Result:  # fmt: skip
    """Return a system's counts, scores and, unless there are no resamples, confidence intervals.

    Args:
        scorer: of the task.
        clusters: for each item what it is drawn with, if that is another unit than items.
        signed: what the signature names besides, `ScoredSplit.signed`.
    """
    # The scores of the items that count.
    items = scorer.score_items(answers.taken, references, **answers.options)
    counting = [position for position in range(len(items)) if position not in answers.left_out]
    counted_items = [items[position] for position in counting]

    # How sure they are, and how they were made.
    drawn = None if clusters is None else [clusters[position] for position in counting]
    n, seed = resampling.n, resampling.seed
    unit = "item" if clusters is None else resampling.unit or "item"
    intervals = scorer.bootstrap(counted_items, n, resampling.confidence, seed, drawn) if n else {}
    few = scorer.too_few(counted_items, drawn) if n else {}
    how = answers.options if clusters is None else {"unit": unit, **answers.options}
    signature = scorer.signature(n if intervals else 0, seed, **how, **scorer.signed_facts(counted_items))
    return Result(
        answers.label or answers.system, items, scorer.aggregate(counted_items), intervals, answers.missing,
        "|".join(filter(None, [signature, signed])), answers.texts, unit=unit, clusters=clusters,
        left_out=answers.left_out, too_few=few, facts=answers.facts,
    )  # fmt: skip


def mean_of_runs(name: str, runs: Sequence[Result]) -> Result:
    """Return the means of the scores of several runs on the same items, and their standard deviations.

    Its counts are those of all runs, added up for every item; it has no intervals, for its runs have their own.
    """
    numbers = [key for key in runs[0].scores if all(isinstance(run.scores.get(key), (int, float)) for run in runs)]
    scores = _means([run.scores for run in runs])
    sizes = ("n_items", "n_variants")
    deviations = {key: stdev([run.scores[key] for run in runs]) for key in numbers if not key.endswith(sizes)}
    items = [_added(counts) for counts in zip(*(run.items for run in runs))]
    missing, one = max(run.missing for run in runs), runs[0]
    return Result(
        name, items, scores, {}, missing, one.signature, (), runs, deviations, one.unit, one.clusters,
        one.left_out, one.too_few, [text for run in runs for text in run.warnings], one.facts,
    )  # fmt: skip


def _means(scores: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the means of scores, and of those inside them; whatever else the first has stays as it is."""
    means = dict(scores[0])
    for key, first in scores[0].items():
        values = [each.get(key) for each in scores]
        if isinstance(first, Mapping) and all(isinstance(value, Mapping) for value in values):
            means[key] = _means(values)
        elif all(isinstance(value, (int, float)) for value in values):
            means[key] = _mean(values)
    return means


def _mean(values: Sequence[float]) -> float:
    return values[0] if len(set(values)) == 1 else fsum(values) / len(values)  # exact where nothing differs


def _added(counts: Sequence[Any]) -> Any:
    """Add up counts of the same item, number by number; what is not a number is the same in all."""
    first = counts[0]
    if isinstance(first, Mapping):
        return {
            key: value if key in _NAMES else _added([count[key] for count in counts]) for key, value in first.items()
        }
    numbers = all(isinstance(count, (int, float)) and not isinstance(count, bool) for count in counts)
    return sum(counts) if numbers else first


def paired_test(scorer: Scorer, result: Result, base: Result, resampling: Resampling) -> dict[str, dict[str, float]]:
    """Return the paired bootstrap tests of two systems, on the items that count for both, each with all of its runs.

    So items, or targets, are what is drawn, and the spread between the runs is no part of the p-value. Scores are those
    of the summed counts, which need not be the means of the runs' scores. Empty where the systems have nothing in
    common that could differ.
    """
    places = [place for place in range(len(base.items)) if place not in base.left_out | result.left_out]
    runs, of_base = ([[run.items[place] for place in places] for run in one.runs or [one]] for one in (result, base))
    clusters = None if result.clusters is None else [result.clusters[place] for place in places]
    how = resampling
    try:
        return scorer.paired_bootstrap_of_runs(runs, of_base, how.n, how.confidence, how.seed, clusters)
    except NothingInCommonError:
        return {}


Labels = tuple[str, ...]  # the bins that an item is in: none, one, or several


@dataclass(frozen=True)
class Dimension:
    """One way to put items into bins."""

    name: str  # of files and in code
    title: str
    bins: Callable[[Mapping], Labels]  # from a row
    order: Labels  # of the bins; others follow in alphabetical order
    overlapping: bool = False  # an item can be in several bins


@dataclass(frozen=True)
class Bin:
    """The scores of all systems on the items of a bin."""

    dimension: Dimension
    label: str
    n_items: int
    f1: tuple[float, ...]  # fairer F1, 0..1, one per system
    intervals: tuple[tuple[float, float], ...]  # empty without resampling, and for too few items
