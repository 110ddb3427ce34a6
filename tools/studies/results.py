"""How the arms of a study did: their answers scored, with intervals over seeds and items, of people's over targets."""

import json
import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bap_v2_dataset.evaluation.scoring import clusters_of
from bap_v2_dataset.interface.table import TASKS, task_of, task_of_columns
from bap_v2_dataset.predictions.answered_rows import matched
from bap_v2_dataset.predictions.files import read_predictions
from bap_v2_dataset.predictions.model_records import TRAINING_RUN
from bap_v2_dataset.sentences import counted
from bap_v2_metric.scorer import Scorer
from bap_v2_training.learning.dataset_rows import check_columns, load_rows
from studies.plan import Arm, Study, TestSet, run_folder
from studies.seeds import Estimate, SeededCounts, SeededScores, holm

OVERALL = "fairer"


@dataclass(frozen=True)
class Items:
    """The items of a test set, as far as they are scored."""

    ids: Sequence[str]
    references: Sequence[Mapping[str, Any]]
    scorer: Scorer
    unit: str  # that resamples draw: what `bap-v2 score` draws
    clusters: Sequence[Hashable] | None  # for each item what it is drawn with; None: alone


@dataclass(frozen=True)
class Column:
    """One test set, or the mean over a group of them."""

    title: str
    tests: tuple[int, ...]  # their numbers
    is_group: bool


@dataclass(frozen=True)
class ArmScores:
    """One measure of one arm; a value for each column."""

    scores: Sequence[Estimate]
    differences: Sequence[Estimate]  # from the first arm; none for that itself


@dataclass(frozen=True)
class Trained:
    """What the runs of an arm were, of which all but the seed is the same."""

    steps: int
    items: int
    different: Mapping[str, int | None]  # items of each source; None: none came twice
    parameters: int
    minutes: float  # on average
    loss: float  # the last one of training, on average


@dataclass(frozen=True)
class Results:
    """A finished study."""

    study: Study
    columns: Sequence[Column]
    headline: Mapping[str, ArmScores]  # by arm
    overall: Mapping[str, ArmScores]  # fairer F1 on all items; of means the headline again
    groups: Mapping[str, Mapping[str, Sequence[float]]]  # of means: by group of items, and arm, for each test set
    corrected: Mapping[str, Mapping[str, float]]  # by arm, and title of a group: p-values after Holm
    trained: Mapping[str, Trained]
    n_items: Mapping[str, int]  # by test set
    drawn: Mapping[str, str]  # by test set: what resamples draw, "39 targets"
    signature: str  # of the scores

    @property
    def comparisons(self) -> int:
        """How many tests were corrected for one another."""
        return sum(map(len, self.corrected.values()))


def items_of(tests: Sequence[TestSet], max_items: int | None) -> dict[str, Items]:
    """The items of test sets by name. Raises: UsageError, or another UserError, for data that are not there."""
    loaded = {}
    for test in tests:
        rows = load_rows(test.config, test.split, None if test.config else test.name, max_items)
        task = task_of(test.config) if test.config else task_of_columns(rows.column_names)
        scorer = (task or TASKS["bap"]).scorer
        check_columns(rows, ["id", *(name for name in scorer.reference if name not in scorer.defaults)])
        kept = [name for name in rows.column_names if name in ("id", *scorer.reference)]
        listed = rows.select_columns(kept).to_list()
        unit, clusters = "item", None
        if task and test.config:
            unit = task.default_unit(test.config, test.split)
            clusters = clusters_of(rows.to_list(), unit, task, test.title)
        loaded[test.name] = Items([row["id"] for row in listed], listed, scorer, unit, clusters)
    return loaded


def results_of(study: Study, out: Path, items: Mapping[str, Items]) -> Results:
    """The results of a study whose runs are all finished."""
    columns, number = [], 0
    for title, tests in study.tests.items():
        numbers = tuple(range(number, number + len(tests)))
        columns += [Column(title, numbers, True)]
        columns += [Column(test.title, (place,), False) for test, place in zip(tests, numbers) if len(tests) > 1]
        number += len(tests)
    counts = {
        arm.name: [_counts(study, arm, test, out, items[test.name]) for test in study.test_sets]
        for arm in study.compared
    }
    drawn_with = [items[test.name].clusters for test in study.test_sets]
    headline = _scored(study, columns, counts, study.measure, drawn_with)
    groups: dict[str, dict[str, list[float]]] = {}
    if not study.is_f1:
        groups = _by_group(study, counts)
    first = study.compared[0].name
    tested = [(name, place) for name in headline if name != first for place, one in enumerate(columns) if one.is_group]
    p_values = holm([headline[name].differences[place].p_value for name, place in tested])
    corrected: dict[str, dict[str, float]] = {}
    for (name, place), p_value in zip(tested, p_values):
        corrected.setdefault(name, {})[columns[place].title] = p_value
    return Results(
        study,
        columns,
        headline,
        _scored(study, columns, counts, OVERALL, drawn_with) if study.is_f1 else headline,
        groups,
        corrected,
        {arm.name: _trained(study, arm, out) for arm in study.arms},
        {name: len(one.ids) for name, one in items.items()},
        {name: counted(len(set(one.clusters or one.ids)), one.unit) for name, one in items.items()},
        items[study.test_sets[0].name].scorer.signature(),
    )


def _counts(study: Study, arm: Arm, test: TestSet, out: Path, items: Items) -> list[list[dict]]:
    """The counts of a test set's items, by seed."""
    runs = []
    for seed in study.seeds:
        path = run_folder(out, arm, seed) / test.file_name
        texts = matched(read_predictions(path), items.ids, str(path), where=test.name)
        runs.append(items.scorer.score_items(texts, items.references))
    return runs


def _by_group(study: Study, counts: Mapping[str, Sequence[list[list[dict]]]]) -> dict[str, dict[str, list[float]]]:
    """The headline of every group of items, by group and arm, for each test set that has it; means over seeds."""
    values: dict[str, dict[str, list[list[float]]]] = {}
    for arm, sets in counts.items():
        for number, runs in enumerate(sets):
            for item in (item for run in runs for item in run):
                of_arm = values.setdefault(f"{item['task']}/{item['group']}", {}).setdefault(arm, [[] for _ in sets])
                of_arm[number].append(item[study.measure])
    return {
        group: {arm: [sum(one) / len(one) if one else math.nan for one in sets] for arm, sets in by_arm.items()}
        for group, by_arm in sorted(values.items())
    }


def _scored(
    study: Study, columns: Sequence[Column], counts: Mapping[str, Sequence[list[list[dict]]]], name: str,
    drawn_with: Sequence[Sequence[Hashable] | None],
) -> dict[str, ArmScores]:  # fmt: skip
    """The scores of all arms by a measure such as `neb_fairer`; `drawn_with`: for each test set, of its items."""
    group, _, measure = name.rpartition("_")
    seeded = SeededScores(
        {
            arm: [
                (
                    SeededCounts.of(runs, measure, f"{group}_" if group else "")
                    if study.is_f1
                    else SeededCounts.of_means(runs, name)
                ).drawn_with(clusters)
                for runs, clusters in zip(sets, drawn_with)
            ]
            for arm, sets in counts.items()
        }
    )
    first = study.compared[0].name
    return {
        arm: ArmScores(
            [seeded.score(arm, column.tests) for column in columns],
            [] if arm == first else [seeded.difference(arm, first, column.tests) for column in columns],
        )
        for arm in counts
    }


def _trained(study: Study, arm: Arm, out: Path) -> Trained:
    records = [json.loads((run_folder(out, arm, seed) / TRAINING_RUN).read_bytes()) for seed in study.seeds]
    one = records[0]
    items, training = one["train"]["items"], one["arguments"]["training"]
    if study.trainer.trains_language_models:
        items = one["steps"] * training["per_device_train_batch_size"] * training["gradient_accumulation_steps"]
        items *= one["processes"]
    losses = [record["final"].get("loss", record["final"].get("train_loss", 0.0)) for record in records]
    return Trained(
        one["steps"], items, one["train"]["sources"], one["trained_parameters"],
        sum(record["seconds"] for record in records) / 60 / len(records), sum(losses) / len(losses),
    )  # fmt: skip
