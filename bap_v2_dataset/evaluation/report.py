"""A report: several systems on several test sets, scored as `bap-v2 score` does it. Its tables: `report_tables`."""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from bap_v2_dataset.evaluation.results import USUAL_RESAMPLING, Report, Resampling, Result, ScoredSplit, System
from bap_v2_dataset.evaluation.runs import SystemPredictions
from bap_v2_dataset.evaluation.score_formats import to_json
from bap_v2_dataset.evaluation.scoring import check_names, scored_split
from bap_v2_dataset.interface.table import TASKS, task_of, task_of_test
from bap_v2_dataset.interface.task import Task
from bap_v2_dataset.loading import install
from bap_v2_dataset.predictions.entries import PredictionError
from bap_v2_dataset.predictions.model_records import facts_of_all
from bap_v2_dataset.sentences import unknown_name

if TYPE_CHECKING:
    from bap_v2_dataset.loading.own_splits import OwnData


def scored_report(
    files: Sequence[SystemPredictions],
    baselines: Sequence[str] = (),
    *,
    data: "OwnData | None" = None,
    against: str | None = None,
    subset: bool = False,
    partial: bool = False,
    resampling: Resampling = USUAL_RESAMPLING,
    progress: Callable[[str], None] = lambda test: None,
) -> Report:
    """Score all systems on all test sets.

    Predictions for the legacy test set `mdc` are also scored on `mdc_v2`, whose items are among its items and have the
    same prompts. Baselines are tested on the test sets of the files whose task has them; without files on the own data,
    else on the configs of the first task that has them all, if they are set up (`Task.reported`).

    Args:
        data: own data that baselines are tested on if there are no files.
        against: the system that the others are compared with; by default the first.
        subset: score only the items that have predictions.
        partial: score items without a prediction as if it were empty.
        progress: called with what is being scored.
    Raises:
        PredictionError: predictions that do not fit their test set, an unknown baseline or system.
    """
    # The test sets: those of the files, or where the baselines are tested.
    for task in TASKS.values():
        files = task.joined(files)
    by_test = _by_test(files, baselines, data)
    own = {file.config: file.data for file in files if file.data is not None}
    if not files and data is not None:
        own[data.name] = data
    ranks = {name: rank for rank, name in enumerate(name for task in TASKS.values() for name in task.reported)}

    # The systems, with what is recorded of them.
    check_names(files, baselines)
    if tested := {task.name: task for config, _ in by_test if (task := task_of(config))}:
        _check_baselines(baselines, tested.values())
    facts: dict[str, dict[str, Any]] = {
        name: facts_of_all((file.path, file.settings) for file in files if file.system == name)
        for name in dict.fromkeys(file.system for file in files)
    }
    facts |= {name: {"baseline": True} for name in baselines}
    if against is not None and against not in facts:
        raise PredictionError(f"--against {against}: there is no such system (there are {', '.join(facts)})")

    # The scores, in the order of the tasks' reports.
    tests: list[ScoredSplit] = []
    notes: dict[str, None] = {}
    results: dict[str, dict[tuple[str, str], Result]] = {name: {} for name in facts}
    for config, split in sorted(by_test, key=lambda key: (ranks.get(key[0], len(ranks)), key)):
        progress(f"{config}, {split}")
        known_here = [name for name in baselines if name in task.baselines] if (task := task_of(config)) else baselines
        test, scored, left_out = scored_split(
            task_of_test(config, own.get(config)), config, split, by_test[config, split], known_here, subset=subset,
            partial=partial, resampling=resampling, data=own.get(config),
        )  # fmt: skip
        tests.append(test)
        notes |= dict.fromkeys(left_out)  # of a file for several test sets once
        for result in scored:
            results[result.name][test.key] = result
    if not tests:
        option = f" {_task_of_baselines(baselines).setup_option}".rstrip()
        raise PredictionError(f"no test set is set up: run `bap-v2 setup{option}`")
    systems = [System(name, **known, results=results[name]) for name, known in facts.items()]
    return Report(tests, systems, against or next(iter(facts)), resampling, list(notes))


def _by_test(
    files: Sequence[SystemPredictions], baselines: Sequence[str], data: "OwnData | None"
) -> dict[tuple[str, str], list[SystemPredictions]]:
    """Return the files for each test set, by config and split; without files those of the baselines."""
    if not files and data is not None:
        return {(data.name, data.split_named()): []}
    if not files:
        return {(name, "test"): [] for name in _task_of_baselines(baselines).reported if install.is_set_up(name)}
    by_test: dict[tuple[str, str], list[SystemPredictions]] = {}
    for file in files:
        by_test.setdefault((file.config, file.split), []).append(file)
    if (legacy := by_test.get(("mdc", "test"))) and install.is_set_up("mdc_v2"):
        tested = {file.system for file in by_test.get(("mdc_v2", "test"), ())}
        by_test.setdefault(("mdc_v2", "test"), []).extend(file for file in legacy if file.system not in tested)
    return by_test


def _check_baselines(names: Sequence[str], tasks: Iterable[Task]) -> None:
    """Raise PredictionError for a name that is a baseline of none of the tasks."""
    known = list(dict.fromkeys(name for task in tasks for name in task.baselines))
    if unknown := [name for name in names if name not in known]:
        raise PredictionError(unknown_name("baseline", unknown[0], known))


def _task_of_baselines(names: Sequence[str]) -> Task:
    """Return the first task that has all of these baselines. Raises: PredictionError if none has."""
    for task in TASKS.values():
        if task.reported and set(names) <= set(task.baselines):
            return task
    known = {name: list(task.baselines) for name, task in TASKS.items() if task.reported}
    every = dict.fromkeys(name for of_task in known.values() for name in of_task)
    if unknown := [name for name in names if name not in every]:
        raise PredictionError(unknown_name("baseline", unknown[0], every))
    each = "; ".join(f"{task}: {', '.join(of_task)}" for task, of_task in known.items())
    raise PredictionError(f"no task has the baselines {' and '.join(names)} together: choose those of one ({each})")


def report_of(
    test: ScoredSplit, results: Sequence[Result], files: Sequence[SystemPredictions], resampling: Resampling
) -> Report:
    """Return the report of systems on one test set, scored already; names that no file has are baselines."""
    systems = []
    for result in results:
        files_of_system = [(file.path, file.settings) for file in files if file.system == result.name]
        facts = facts_of_all(files_of_system) if files_of_system else {"baseline": True}
        systems.append(System(result.name, **facts, results={test.key: result}))
    return Report([test], systems, results[0].name, resampling)


def score_files(report: Report) -> Iterable[tuple[str, bytes]]:
    """Yield for each system and test set a path and the content, as `bap-v2 score --out` writes it."""
    slugs: dict[str, str] = {}
    for system in report.systems:
        slug = re.sub(r"[^\w.+-]+", "_", system.name).strip("._") or "system"
        while slug in slugs.values():
            slug += "_"
        slugs[system.name] = slug
    for test in report.tests:
        for system, result in report.on(test):
            own_or_config = re.sub(r"[^\w.+-]+", "_", test.config)
            name = f"scores/{slugs[system.name]}/{own_or_config}-{test.split}.json"
            yield name, to_json([result], **test.settings, **report.resampling.on(test).settings)
