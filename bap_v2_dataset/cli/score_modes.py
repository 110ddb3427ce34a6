"""The modes of `bap-v2 score`: with predictions, with full games, and on the test sets of several labels."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson
import typer

from bap_v2_dataset.cli.report import print_tables
from bap_v2_dataset.cli.terminal import console, errors, print_json, print_plain, say, warn_of
from bap_v2_dataset.evaluation import score_formats, systems
from bap_v2_dataset.evaluation.answered_splits import AnsweredSplit, by_split
from bap_v2_dataset.evaluation.report import report_of, scored_report
from bap_v2_dataset.evaluation.report_tables import remarks, report_tables
from bap_v2_dataset.evaluation.results import Resampling, Result, ScoredSplit
from bap_v2_dataset.evaluation.runs import SystemPredictions
from bap_v2_dataset.evaluation.score_tables import score_report, tables_of_scores, with_unit
from bap_v2_dataset.evaluation.scoring import scored_split
from bap_v2_dataset.evaluation.system_files import files_of, games_of, read_systems
from bap_v2_dataset.evaluation.system_names import named_file
from bap_v2_dataset.interface.table import TASKS, task_of_test
from bap_v2_dataset.interface.task import Task
from bap_v2_dataset.loading.own_data import read_data
from bap_v2_dataset.predictions.entries import Fields, PredictionError
from bap_v2_dataset.predictions.files import are_games
from bap_v2_dataset.sentences import counted
from bap_v2_dataset.tables import formats
from bap_v2_dataset.tables.fitted import fitted, print_report
from bap_v2_simulators.atomic_files import atomic_write

if TYPE_CHECKING:
    from bap_v2_dataset.loading.own_splits import OwnData

Scored = tuple[ScoredSplit, list[Result], Sequence[SystemPredictions]]


@dataclass(frozen=True)
class ScoreRequest:
    """The options of a command line, but for those that say what is scored."""

    baselines: Sequence[str]
    fields: Fields
    resampling: Resampling
    form: str  # that is printed: terminal, markdown, latex, csv, json or brief
    typed_form: str  # the option that says so; "" by default
    options: Mapping[str, Any]  # of `Task.score_options`, those that were passed
    out: Path | None
    per_item: Path | None
    fail_under: float | None  # percent
    subset: bool
    partial: bool
    beside: Sequence[str] = ()  # systems of the package
    pack: str | None = None  # the name that the answers get there

    @property
    def measure(self) -> str:
        return self.options.get("measure", "")


def score_predictions(
    arguments: Sequence[str], config: str | None, split: str | None, data: str | None, request: ScoreRequest
) -> None:
    """Score prediction files and baselines: read the files, assign them to test sets, check, score, show."""
    with errors.status("reading predictions"):
        own = None if data is None else read_data(data, split)
        files = read_systems(arguments, request.fields)
        groups = by_split(files, config, split, own)
        read, tests = [file for *_, same in groups for file in same], [group[:2] for group in groups]
        packed = systems.answers_of(request.beside, tests, read, request.subset, request.baselines)
        answered = [(*test, [*same, *_on(packed, test)]) for test, (*_, same) in zip(tests, groups)]
    tasks = check_options(answered, own, request)
    if len(answered) > 1 and request.form not in ("csv", "brief") and not request.pack:
        show_report([file for *_, files in answered for file in files], own, request)
        return
    scored = score_splits(tasks, answered, own, request)
    for test, results, files in scored if request.pack else ():
        size = systems.pack(request.pack, test, results, files)
        say(f"{request.pack}: answers to {test.title} packed, {size:,} bytes in all", to=errors)
    show_scores(scored, request)


def _on(packed: Sequence[SystemPredictions], test: tuple[str, str]) -> list[SystemPredictions]:
    return [file for file in packed if (file.config, file.split) == test]


def show_systems(form: str) -> None:
    """Print the systems of the package: their scores, and how each was made."""
    if form not in ("terminal", "json"):
        raise PredictionError(f"--systems with --format {form}: expected terminal or json")
    if form == "json":
        print_json(systems.catalog())
        return
    print_report(fitted(systems.table_of_systems()), console)
    for name in systems.catalog():
        console.print(f"\n{systems.told_of(name)}", highlight=False, markup=False)


def check_options(answered: Sequence[AnsweredSplit], own: "OwnData | None", request: ScoreRequest) -> list[Task]:
    """Return the task of each test set.

    Raises:
        PredictionError: for options that its task does not have, or that are for one test set where there are several.
    """
    # Several test sets have no one file or JSON object.
    if len(answered) > 1:
        outputs = [*(["--out"] * bool(request.out)), *(["--per-item"] * bool(request.per_item))]
        single = [*map(typed, request.options), *outputs, *([request.typed_form] * (request.form == "json"))]
        if single:
            names = " and ".join(", ".join(one[:2]) for one in answered)
            raise PredictionError(
                f"{single[0]} is for one test set, and these are the answers to {names}: pass one of them (of a "
                "folder: --config)"
            )

    # The options of each task.
    tasks = []
    for name, _, files in answered:
        task = task_of_test(name, _data_of(files, own))
        for option in request.options.keys() - {option.name for option in task.score_options}:
            others = [other for other in TASKS.values() if option in {one.name for one in other.score_options}]
            known = " or ".join(other.of_items for other in others)
            raise PredictionError(f"{typed(option)} is for {known}, and {name} is none")
        tasks.append(task)
    return tasks


def _data_of(files: Sequence[SystemPredictions], own: "OwnData | None") -> "OwnData | None":
    """Return the own data of a test set: those that were passed, else those that its files name."""
    return own or next((file.data for file in files), None)


def score_splits(
    tasks: Sequence[Task], answered: Sequence[AnsweredSplit], own: "OwnData | None", request: ScoreRequest
) -> list[Scored]:
    """Score what answers each test set, and say what was left out."""
    # Each test set, of whose task other files may be part.
    scored, notes = [], []
    with errors.status("scoring") as status:
        for task, (name, part, files) in zip(tasks, answered):
            data = _data_of(files, own)
            files, further = task.scores.prepared_for(
                files, request.baselines, request.options, lambda arguments: read_systems(arguments, request.fields)
            )
            status.update(f"scoring {name}, {part}")
            test, results, left_out = scored_split(
                task, name, part, files, request.baselines, subset=request.subset, partial=request.partial,
                resampling=request.resampling, hint="pass --split with one of",
                data=data, **further,
            )  # fmt: skip
            scored.append((test, results, files))
            notes += left_out

    # Warnings after all of them.
    for note in notes:
        say(note, "yellow", errors)
    for _, results, _ in scored:
        for result in results:
            warn_of(result)
    return scored


def show_scores(scored: Sequence[Scored], request: ScoreRequest) -> None:
    """Write and print scores; in the forms for programs nothing else stands in the output."""
    # To files.
    measure, results_of = request.measure, [(test, results) for test, results, _ in scored]
    for test, results in results_of:
        _write(test, results, request)

    # To the standard output.
    if request.form == "csv":
        print_plain(score_formats.scores_csv((test, result) for test, results in results_of for result in results))
    for test, results, files in scored if request.form != "csv" else ():
        resampling = request.resampling.on(test)
        if request.form == "terminal":
            print_report(score_report(test, results, resampling, measure), console)
            if lines := score_formats.register(test, results, files):
                heading = "For a register of readings of people's test items, with your reason in place of why:"
                say("\n".join([heading, *lines]), "dim", errors)
        elif request.form == "json":
            print_plain(_as_json(test, results, resampling) + b"\n")
        elif request.form == "brief":
            if len(scored) > 1:
                results = [replace(result, name=f"{result.name} on {test.title}") for result in results]
            print_plain(score_formats.brief(results, test.task.scores.headline_of(measure)))
        else:
            report = report_of(test, results, files, resampling)
            tables = with_unit(tables_of_scores(report, measure), report)
            write = getattr(formats, request.form)
            print_plain(write(tables, remarks(report, paper=False), report.signatures))

    # As the exit code.
    for test, results, files in scored:
        check_threshold(results, files, test.task.scores.headline_of(measure), request.fail_under)


def _write(test: ScoredSplit, results: Sequence[Result], request: ScoreRequest) -> None:
    """Write the files that were asked for."""
    if path := request.out:
        atomic_write(path, _as_json(test, results, request.resampling.on(test)))
    if path := request.per_item:
        atomic_write(path, score_formats.as_bytes(score_formats.item_records(test, results), path.suffix))
    for path, content in test.task.scores.extra_outputs(test, results, request.options).items():
        atomic_write(path, content)


def _as_json(test: ScoredSplit, results: Sequence[Result], resampling: Resampling) -> bytes:
    return score_formats.to_json(results, **test.settings, **resampling.settings)


def show_report(files: Sequence[SystemPredictions], own: "OwnData | None", request: ScoreRequest) -> None:
    """Score the answers to several test sets, and print the tables of `bap-v2 report`."""
    with errors.status("scoring") as status:
        report = scored_report(
            files, request.baselines, data=own, resampling=request.resampling, subset=request.subset,
            partial=request.partial, progress=lambda test: status.update(f"scoring {test}"),
        )  # fmt: skip
        tables = report_tables(report)
    print_tables(report, tables, request.form)
    for test in report.tests:
        results = [result for _, result in report.on(test)]
        check_threshold(results, files, test.task.scores.headline_of(), request.fail_under)


def check_threshold(
    results: Sequence[Result], files: Sequence[SystemPredictions], key: str, least: float | None
) -> None:
    """End with code 3 if a system, or a baseline where there is no system, scores below the threshold."""
    if least is None:
        return
    own = {file.system for file in files if not file.packed}
    low = [result for result in results if not own or result.name in own]
    low = [result for result in low if 100 * result.scores.get(key, -1) < least - 1e-9]  # 100 * 0.57 is less than 57
    for result in low:
        score = f"{100 * result.scores[key]:.2f} is below" if key in result.scores else "is not known: it fails"
        say(f"{result.name}: {key} {score} --fail-under {least:g}", "red", errors)
    if low:
        raise typer.Exit(3)


def typed(parameter: str) -> str:
    """Return a parameter as it is typed.

    >>> typed("fail_under")
    '--fail-under'
    """
    return f"--{parameter.replace('_', '-')}"


# --- Full games.
def with_games(arguments: Sequence[str]) -> list[str]:
    """Return the arguments; in place of a folder that holds full games alone stand its files."""
    files = []
    for argument in arguments:
        name, path = named_file(argument)
        games = games_of(path)
        try:
            alone = not (games and files_of(path))
        except PredictionError:  # no predictions
            alone = True
        if not alone:
            left_out = counted(len(games), "file")
            say(f"{path}: {left_out} of full games left out: score them by their names", "yellow", errors)
        files += [f"{name}={game}" if name else str(game) for game in games] if alone and games else [argument]
    return files


def all_games(paths: Sequence[Path]) -> bool:
    """Return whether the files hold full games. Raises: PredictionError if only some do."""
    games = [path for path in paths if are_games(path)]
    if games and len(games) < len(paths):
        other = next(path for path in paths if path not in games)
        raise PredictionError(f"{games[0]} holds full games, and {other} does not: score them separately")
    return bool(games)


def score_games(arguments: Sequence[str], resampling: Resampling, form: str, out: Path | None) -> None:
    """Print the measures of full games."""
    from bap_v2_dataset.games.tables import games_json, games_signature, games_table, systems_of

    # Playing the games again proves their results.
    if form in ("csv", "brief"):
        option = "--brief" if form == "brief" else "--format csv"
        raise PredictionError(f"{option} is for predictions: full games have terminal, markdown, latex and json")
    with errors.status("playing the games again"):
        played = systems_of(map(named_file, arguments))

    # The measures, to a file and to the standard output.
    how = resampling.n, resampling.seed, resampling.confidence
    record = games_json(played, *how)
    if out:
        atomic_write(out, record)
    if form == "json":
        print_plain(record)
        return
    table = games_table(played, "Full games", *how)
    if form == "terminal":
        print_report(fitted(table), console)
    else:
        print_plain(getattr(formats, form)([table], (), (games_signature(played),)))


# --- The test sets of several labels.
def score_on_labels(arguments: Sequence[str], labels: Sequence[str], request: ScoreRequest) -> None:
    """Print the scores on the human test set of each of these labels."""
    from bap_v2_dataset.tasks.building.label_sensitivity import label_sensitivity, sensitivity_table

    if request.form not in ("terminal", "json"):
        raise PredictionError(f"--labels with --format {request.form}: expected terminal or json")
    # The scores on each test set.
    with errors.status("reading predictions") as status:
        files = read_systems(arguments, request.fields)
        files = by_split(files, "mdc", "test")[0][2] if files else []
        status.update("scoring on every test set")
        names = [name.strip() for name in labels]
        sensitivity = label_sensitivity(files, request.baselines, names, request.resampling, request.partial)

    # To a file and to the standard output.
    settings = request.resampling.settings
    text = orjson.dumps(settings | sensitivity.to_dict(), option=orjson.OPT_INDENT_2) + b"\n"
    if request.out:
        atomic_write(request.out, text)
    if request.form == "json":
        print_plain(text)
    else:
        print_report(sensitivity_table(sensitivity, "The human test set by its labels"), console)
