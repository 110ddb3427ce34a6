"""Systems and how they score: a model or a baseline, its predictions for the rows of a test set, and their counts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bap_v2_dataset.evaluation import test_sets
from bap_v2_dataset.evaluation.prediction_files import PredictionError, matched, rows_with_predictions
from bap_v2_dataset.evaluation.systems_of_files import SystemPredictions, read_record
from bap_v2_dataset.evaluation.test_sets import ScoredSplit, scored_rows
from bap_v2_dataset.paper import JOINT
from bap_v2_dataset.sentences import counted
from bap_v2_dataset.tasks import TASKS, Task, part
from bap_v2_metric.scoring import SEED
from bap_v2_metric.tasks import SCORERS

if TYPE_CHECKING:
    from bap_v2_dataset.loading.own_data import OwnData


@dataclass(frozen=True)
class Resampling:
    """How sure scores are: see `bootstrap` of the metric."""

    n: int = 1000  # 0: no intervals and no tests
    confidence: float = 0.95
    seed: int = SEED

    @property
    def settings(self) -> dict[str, Any]:
        """What is written beside scores."""
        return {"resamples": self.n, "confidence": self.confidence, "seed": self.seed}


USUAL_RESAMPLING = Resampling()


@dataclass(frozen=True)
class Result:
    """How a system did on a test set."""

    name: str  # of the system
    items: list[dict]  # the counts of the metric's `score_items`, in the order of the rows
    scores: dict[str, Any]  # of its `aggregate`
    intervals: dict[str, tuple[float, float]]  # of its `bootstrap`; empty without resampling
    missing: int = 0  # rows without a prediction, scored as empty ones
    signature: str = ""  # how the scores and intervals were made


@dataclass(frozen=True)
class System:
    """A system, and how it did on each test set."""

    name: str
    model: str | None = None  # folder or name on the Hub
    train: tuple[str, ...] | None = None  # configs, or files, that it learned from; None: not recorded
    train_items: int | None = None
    representation: str | None = None
    seed: int | None = None
    baseline: bool = False
    results: Mapping[tuple[str, str], Result] = field(default_factory=dict)  # by config and split


def scored(
    name: str,
    predictions: Sequence[str],
    references: Sequence[Mapping],
    n_resamples: int = 1000,
    confidence: float = 0.95,
    seed: int = SEED,
    missing: int = 0,
    scorer: str = "bap",
) -> Result:
    """A system's counts, scores and, unless n_resamples is 0, confidence intervals.

    Args:
        scorer: of `bap_v2_metric.tasks.SCORERS`.
    """
    of_task = SCORERS[scorer]
    items = of_task.score_items(predictions, references)
    intervals = of_task.bootstrap(items, n_resamples, confidence, seed) if n_resamples else {}
    return Result(name, items, of_task.aggregate(items), intervals, missing, of_task.signature(n_resamples, seed))


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
) -> tuple[ScoredSplit, list[Result], list[str]]:
    """The scores of systems and baselines on one split: what `bap-v2 score` prints, and `bap-v2 report` for each split.

    Args:
        files: predictions for its rows; those that were made for another split may have more.
        baselines: names; scored after the files.
        subset: score only the rows that have predictions.
        partial: score rows without a prediction as if it were empty.
        hint: what an error says before the names of the splits that there are.
        data: own data that have the split, in place of a config.
    Returns:
        The rows, the results in order, and what was left out, as sentences.
    Raises:
        PredictionError: predictions that do not fit the rows, an unknown config, split or baseline, a system and a
            baseline of the same name, and `subset` together with `partial`.
    """
    if subset and partial:
        raise PredictionError("--subset and --partial are mutually exclusive: pass one")
    check_names(files, baselines)
    rows: Sequence[Mapping] = scored_rows(data.splits[split] if data else test_sets.split_rows(config, split, hint))
    n_rows, notes = len(rows), []
    ids = [row["id"] for row in rows]
    predictions = {file.path: file.predictions for file in files}
    for file in files:
        if file.config != config:
            predictions[file.path] = {row_id: file.predictions[row_id] for row_id in ids if row_id in file.predictions}
    if subset and predictions:
        rows = rows_with_predictions(rows, predictions)
        ids = [row["id"] for row in rows]
        inside = set(ids)
        if left_out := len(next(iter(predictions.values())).keys() - inside):
            notes.append(f"{config}, {split}: left out {counted(left_out, 'prediction')} of items that it lacks")
        predictions = {path: {key: texts[key] for key in texts.keys() & inside} for path, texts in predictions.items()}
    texts = [
        (file.system, matched(predictions[file.path], ids, str(file.path), partial),
         len(ids) - len(predictions[file.path]))
        for file in files
    ]  # fmt: skip
    test = ScoredSplit(config, split, rows, n_rows, data.source if data else "")
    task = test.task
    texts += [(name, baseline_predictions(name, rows, task), 0) for name in baselines]
    fields = SCORERS[task.scorer].reference
    references = [{name: row[name] for name in fields} for row in rows]
    results = [
        scored(name, system, references, resampling.n, resampling.confidence, resampling.seed, missing, task.scorer)
        for name, system, missing in texts
    ]
    return test, results, notes


def check_names(files: Sequence[SystemPredictions], baselines: Sequence[str]) -> None:
    """Raises: PredictionError for a system and a baseline of the same name."""
    for name in baselines:
        if any(file.system == name for file in files):
            raise PredictionError(f"a system and a baseline are both called {name}: name the file, NAME=FILE")


_RUN = {"dataset": dict, "train": dict, "seed": int, "representation": str}


def facts_of(file: SystemPredictions) -> dict[str, Any]:
    """What is recorded of the system that made the predictions: fields of `System`."""
    model = file.settings.get("model")
    if not model:
        return {}
    facts = {"model": str(model), "representation": file.settings.get("representation")}
    beside = file.path.absolute().parent
    folders = [Path(model), *([beside] if beside.name == Path(model).name else [])]  # runs are moved and downloaded
    records = (read_record(folder / "training_run.json", _RUN) for folder in folders)
    if run := next(filter(None, records), {}):
        facts["train"] = learned_from(run)
        items = (run.get("train") or {}).get("items")
        facts["train_items"] = items if isinstance(items, int) else None
        facts["seed"] = run.get("seed")
        facts["representation"] = facts["representation"] or run.get("representation")
    return facts


def learned_from(run: Mapping[str, Any]) -> tuple[str, ...] | None:
    """The configs, or names of own data, in a `training_run.json`; the joint corpus is its parts."""
    dataset = run.get("dataset") or {}
    if mix := dataset.get("mix"):  # mdc_v2=all,dr=8000
        amounts = [part.partition("=") for part in str(mix).split(",")]
        names = [name.strip() for name, _, amount in amounts if amount.strip() != "0"]
    else:
        names = [Path(str(value)).name for key, value in dataset.items() if key in ("config", "path") and value]
    names = [part for name in names for part in (JOINT if name == "all" else (str(name),))]
    ranks = {name: rank for rank, name in enumerate(JOINT)}
    return tuple(sorted(dict.fromkeys(names), key=lambda name: ranks.get(name, len(ranks)))) or None
