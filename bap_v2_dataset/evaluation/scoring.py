"""Systems and how they score: a model or a baseline, its predictions for the rows of a test set, and their counts."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import fsum, lcm
from statistics import stdev
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from bap_v2_dataset.evaluation import test_sets
from bap_v2_dataset.evaluation.resampling_units import clusters_of
from bap_v2_dataset.evaluation.systems_of_files import SystemPredictions
from bap_v2_dataset.evaluation.test_sets import ScoredSplit, scored_rows
from bap_v2_dataset.predictions.files import PredictionError, matched, rows_with_predictions
from bap_v2_dataset.rows import perturbation_of
from bap_v2_dataset.sentences import counted
from bap_v2_dataset.tasks import TASKS, Task, part, resampling_units, task_of, task_of_columns
from bap_v2_metric.resampling import check_resampling, paired_bootstrap
from bap_v2_metric.scoring import SEED, InputError
from bap_v2_metric.tasks import SCORERS

if TYPE_CHECKING:
    from bap_v2_dataset.loading.own_data import OwnData


@dataclass(frozen=True)
class Resampling:
    """How sure scores are: see `bootstrap` of the metric."""

    n: int = 1000  # 0: no intervals and no tests
    confidence: float = 0.95
    seed: int = SEED
    unit: str = "item"  # what is drawn; or "target": all items of a target together

    def __post_init__(self) -> None:
        """Raises: InputError, before anything is asked or scored."""
        if self.unit not in (known := resampling_units()):
            raise InputError(f"unit is {self.unit!r} (expected {' or '.join(known)})")
        if self.n:
            check_resampling(self.n, self.confidence)

    @property
    def settings(self) -> dict[str, Any]:
        """What is written beside scores."""
        return {"resamples": self.n, "confidence": self.confidence, "seed": self.seed, "unit": self.unit}


USUAL_RESAMPLING = Resampling()
_NAMES = ("id", "parent", "family", "variant")  # in counts: of which item they are
RUNS_TEST = "Tests take the mean counts of each item over the runs of a system; p leaves out the spread between runs"


@dataclass(frozen=True)
class Result:
    """How a system did on a test set."""

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
    facts: Mapping[str, Any] = field(default_factory=dict)  # how the predictions were made, as the task's tables say it

    @property
    def counted_items(self) -> list[dict]:
        """The counts that the scores are made of."""
        return [item for position, item in enumerate(self.items) if position not in self.left_out]


@dataclass(frozen=True)
class System:
    """A system, and how it did on each test set."""

    name: str
    model: str | None = None  # folder or name on the Hub
    train: tuple[str, ...] | None = None  # configs, or files, that it learned from; None: not recorded
    train_items: int | None = None
    representation: str | None = None
    model_type: str | None = None  # of `model_records.LEARNED_BUILDERS`; None: a language model, or unknown
    seeds: tuple[int, ...] = ()  # of training, or of decoding
    baseline: bool = False
    results: Mapping[tuple[str, str], Result] = field(default_factory=dict)  # by config and split

    @property
    def title(self) -> str:
        """Its name and, if its scores are means of several runs, of how many."""
        runs = max((len(result.runs) for result in self.results.values()), default=0)
        noun = "seed" if len(self.seeds) == runs else "run"
        return f"{self.name} ({counted(runs, noun)})" if runs else self.name


def scored(
    name: str,
    predictions: Sequence[Any],
    references: Sequence[Mapping],
    n_resamples: int = 1000,
    confidence: float = 0.95,
    seed: int = SEED,
    missing: int = 0,
    scorer: str = "bap",
    unit: str = "item",
    clusters: Sequence[Hashable] | None = None,
    left_out: frozenset[int] = frozenset(),
    options: Mapping[str, Any] = MappingProxyType({}),
) -> Result:
    """A system's counts, scores and, unless n_resamples is 0, confidence intervals.

    Args:
        scorer: of `bap_v2_metric.tasks.SCORERS`.
        unit, clusters: what is drawn, and `clusters_of` of it.
        left_out: positions of items that have counts and are in no score.
        options: of the scorer.
    """
    of_task = SCORERS[scorer]
    items = of_task.score_items(predictions, references, **options)
    taken = [position for position in range(len(items)) if position not in left_out]
    counted_items = [items[position] for position in taken]
    drawn = {} if clusters is None else {"clusters": [clusters[position] for position in taken]}
    intervals = of_task.bootstrap(counted_items, n_resamples, confidence, seed, **drawn) if n_resamples else {}
    drawn_unit = {} if clusters is None else {"unit": unit}
    signature = of_task.signature(n_resamples, seed, **drawn_unit, **options, **of_task.signed_facts(counted_items))
    return Result(
        name, items, of_task.aggregate(counted_items), intervals, missing, signature, predictions,
        unit=unit, clusters=clusters, left_out=left_out,
    )  # fmt: skip


def scorer_input(
    task: Task, rows: Sequence[Mapping], texts: Sequence[Any], system: str, **further: Any
) -> tuple[Sequence[Any], Mapping[str, Any]]:
    """What the scorer of a task takes for what a system wrote, and options of the scorer: mostly the texts as they are.

    Args:
        further: of the task's `scored_predictions`.
    """
    if not task.scored_predictions:
        return texts, {}
    return part(task.scored_predictions)(rows, texts, system, **further)


def mean_of_runs(name: str, runs: Sequence[Result]) -> Result:
    """How a system did in several runs on the same items: the means of its scores, and their standard deviations.

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
        one.left_out, one.facts,
    )  # fmt: skip


def _means(scores: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The means of scores, and of those inside them; whatever else the first has stays as it is."""
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
    """Counts of the same item, number by number; what is not a number is the same in all."""
    first = counts[0]
    if isinstance(first, Mapping):
        return {
            key: value if key in _NAMES else _added([count[key] for count in counts]) for key, value in first.items()
        }
    numbers = all(isinstance(count, (int, float)) and not isinstance(count, bool) for count in counts)
    return sum(counts) if numbers else first


def paired_test(result: Result, base: Result, resampling: Resampling) -> dict[str, dict[str, float]]:
    """The paired bootstrap test of two systems; of one with several runs every item has the mean of its counts.

    So items, or targets, are what is drawn, and the spread between the runs is no part of the p-value. F1 is that of
    the mean counts, which need not be the mean of the runs' F1.
    """
    items, base_items = as_many_runs(result, base)
    how = resampling
    return paired_bootstrap(items, base_items, how.n, how.confidence, how.seed, clusters=result.clusters)


def as_many_runs(result: Result, base: Result) -> tuple[list[dict], list[dict]]:
    """The counts of two systems, those of the one with fewer runs several times: of as many runs, in whole numbers."""
    n_runs, n_base = max(len(result.runs), 1), max(len(base.runs), 1)
    multiple = lcm(n_runs, n_base)
    items, base_items = (
        [_added([item] * times) for item in items] if times > 1 else items
        for items, times in ((result.items, multiple // n_runs), (base.items, multiple // n_base))
    )
    return items, base_items


def baseline_predictions(name: str, rows: Sequence[Mapping], task: Task = TASKS["bap"]) -> list[str]:
    """What a baseline predicts for each row. Raises: PredictionError for an unknown name."""
    if name not in task.baselines:
        known = ", ".join(task.baselines) or "none: this task has no baselines"
        raise PredictionError(f"unknown baseline {name!r} (expected one of {known})")
    baseline = part(task.baselines[name])
    return [baseline(row) for row in rows]


def scored_split(
    config: str,
    split: str,
    files: Sequence[SystemPredictions],
    baselines: Sequence[str] = (),
    *,
    subset: bool = False,
    partial: bool = False,
    resampling: Resampling = USUAL_RESAMPLING,
    hint: str = "it has",
    data: "OwnData | None" = None,
    **further: Any,
) -> tuple[ScoredSplit, list[Result], list[str]]:
    """The scores of systems and baselines on one split: what `bap-v2 score` prints, and `bap-v2 report` for each split.

    Args:
        files: predictions for its rows; those that were made for another split may have more.
        baselines: names; scored after the files.
        subset: score only the rows that have predictions.
        partial: score rows without a prediction as if it were empty.
        hint: what an error says before the names of the splits that there are.
        data: own data that have the split, in place of a config.
        further: options of the task's own `scored_split` or `scored_predictions`, if it has one.
    Returns:
        The rows, the results in order, and what was left out, as sentences.
    Raises:
        PredictionError: predictions that do not fit the rows, an unknown config, split or baseline, a system and a
            baseline of the same name, `subset` together with `partial`, and rows that do not know the unit of the
            resampling.
    """
    if subset and partial:
        raise PredictionError("--subset and --partial are mutually exclusive: pass one")
    check_names(files, baselines)
    known = task_of(config) if data is None else task_of_columns(data.splits[split].column_names)
    if known and known.scored_split:
        own = {} if data is None else {"data": data}
        return part(known.scored_split)(
            config, split, files, baselines, subset=subset, partial=partial, resampling=resampling, hint=hint, **own,
            **further,
        )  # fmt: skip
    rows: Sequence[Mapping] = scored_rows(data.splits[split] if data else test_sets.split_rows(config, split, hint))
    n_rows, notes = len(rows), []
    ids = [row["id"] for row in rows]
    predictions = {file.source: file.predictions for file in files}
    for file in files:
        if file.config != config:
            predictions[file.source] = {
                row_id: file.predictions[row_id] for row_id in ids if row_id in file.predictions
            }
    if subset and predictions:
        rows = rows_with_predictions(rows, predictions)
        ids = [row["id"] for row in rows]
        inside = set(ids)
        if left_out := len(next(iter(predictions.values())).keys() - inside):
            notes.append(f"{config}, {split}: left out {counted(left_out, 'prediction')} of items that it lacks")
        predictions = {name: {key: texts[key] for key in texts.keys() & inside} for name, texts in predictions.items()}
    texts = [
        (file.system, file.label, matched(predictions[file.source], ids, file.source, partial, f"{config}, {split}"),
         len(ids) - len(predictions[file.source]))
        for file in files
    ]  # fmt: skip
    test = ScoredSplit(config, split, rows, n_rows, data.source if data else "")
    task = test.task
    texts += [(name, name, baseline_predictions(name, rows, task), 0) for name in baselines]
    references = [SCORERS[task.scorer].reference_of(row) for row in rows]
    if variants := sum(map(bool, map(perturbation_of, rows))):
        notes.append(f"{config}: {variants:,} of {counted(len(rows), 'item')} are variants, and count as any item: for "
                     'robust scores of own data use evaluate.load("bap_v2", "robust")')  # fmt: skip
    how, unit = (resampling.n, resampling.confidence, resampling.seed), resampling.unit
    clusters = clusters_of(rows, unit, task, f"{config}, {split}") if resampling.n else None
    runs: dict[str, list[Result]] = {}
    for system, name, predicted, missing in texts:
        taken, options = scorer_input(task, rows, predicted, system, **further)
        result = scored(name, taken, references, *how, missing, task.scorer, unit, clusters, options=options)
        runs.setdefault(system, []).append(replace(result, texts=predicted))
    results = [same[0] if len(same) == 1 else mean_of_runs(system, same) for system, same in runs.items()]
    return test, results, notes


def check_names(files: Sequence[SystemPredictions], baselines: Sequence[str]) -> None:
    """Raises: PredictionError for a system and a baseline of the same name."""
    for name in baselines:
        if any(file.system == name for file in files):
            raise PredictionError(f"a system and a baseline are both called {name}: name the file, NAME=FILE")
