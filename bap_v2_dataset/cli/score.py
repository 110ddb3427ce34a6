"""`bap-v2 score`."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bap_v2_dataset.cli.options import (
    BASELINES,
    Baselines,
    Confidence,
    Data,
    IdField,
    Partial,
    PredictionField,
    Resamples,
    ResamplingSeed,
    Subset,
    Unit,
    among,
    with_score_options,
)
from bap_v2_dataset.cli.report import print_tables
from bap_v2_dataset.cli.terminal import app, console, errors, hide_progress_bars, print_plain, say, warn_of
from bap_v2_dataset.interface.table import TASKS
from bap_v2_metric.scoring import SEED

if TYPE_CHECKING:
    from bap_v2_dataset.evaluation.results import Resampling, Result, ScoredSplit
    from bap_v2_dataset.evaluation.runs import SystemPredictions
    from bap_v2_dataset.loading.own_splits import OwnData
    from bap_v2_dataset.predictions.entries import Fields

    TestSet = tuple[str, str, list[SystemPredictions]]
    Scored = tuple[ScoredSplit, list[Result], list[SystemPredictions]]

FORMATS = ("terminal", "markdown", "latex", "csv", "json")


_OUTPUT = {"rich_help_panel": "Output"}


@app.command()
@with_score_options
def score(
    context: typer.Context,
    predictions: Annotated[
        list[str] | None,
        typer.Argument(
            help="Files with ids and predictions (JSON lines, JSON, CSV, TSV, Parquet, output of batch APIs, logs of "
            "lm-eval or inspect), a folder that bap-v2 predict filled or of logs, or - for the standard input. Several "
            "are compared with the first. NAME=FILE names the system; files of one NAME are its runs.",
            show_default=False,
        ),
    ] = None,
    baseline: Baselines = None,
    data: Data = None,
    config: Annotated[
        str | None,
        typer.Option(
            help="The config. Default: the one that the predictions were made for, else mdc_v2 (mdc if that is not "
            "set up)."
        ),
    ] = None,
    split: Annotated[
        str | None,
        typer.Option(
            help="A split of the config, such as test, or several: spl+sa_turn. Default: what the predictions were "
            "made for."
        ),
    ] = None,
    labels: Annotated[
        str | None,
        typer.Option(
            help="Score on the human test set of each of these labels, and say whether systems change places: "
            "published, a, b, intersection, all, or files of labels, joined by commas. Needs predictions for mdc."
        ),
    ] = None,
    id_field: IdField = None,
    prediction_field: PredictionField = None,
    subset: Subset = False,
    partial: Partial = False,
    resamples: Resamples = 1000,
    confidence: Confidence = 0.95,
    seed: ResamplingSeed = SEED,
    unit: Unit = None,
    format: Annotated[
        str,
        typer.Option(
            help="What is printed: terminal, markdown, latex, csv or json.", autocompletion=among(FORMATS), **_OUTPUT
        ),
    ] = "terminal",
    brief: Annotated[
        bool, typer.Option("--brief", help="Print one line per system: its headline in percent.", **_OUTPUT)
    ] = False,
    json: Annotated[
        bool, typer.Option("--json", help="Print JSON instead of tables; scores are fractions of 1.", **_OUTPUT)
    ] = False,
    out: Annotated[Path | None, typer.Option(help="Also write the scores to this file, as JSON.", **_OUTPUT)] = None,
    per_item: Annotated[
        Path | None,
        typer.Option(help="Also write the scores of every item to this file (.jsonl or .csv).", **_OUTPUT),
    ] = None,
    fail_under: Annotated[
        float | None,
        typer.Option(help="Exit with code 3 if the headline F1 of a system is below this percentage.", **_OUTPUT),
    ] = None,
    options: Mapping[str, Any] = MappingProxyType({}),
) -> None:
    """Print the score table of the paper for prediction files and baselines, in percent.

    Files for several test sets, or the folder of a run, get the tables of bap-v2 report.
    """
    from bap_v2_dataset.evaluation.results import Resampling
    from bap_v2_dataset.evaluation.score_formats import check_output
    from bap_v2_dataset.evaluation.systems_of_files import named_file
    from bap_v2_dataset.predictions.entries import Fields, PredictionError

    given = {name for name in context.params if context.get_parameter_source(name).name == "COMMANDLINE"}
    if not predictions and not baseline:
        raise PredictionError(f"nothing to score: pass a prediction file, or --baseline with one of {BASELINES}")
    if subset and not predictions:
        raise PredictionError("--subset scores the items of a prediction file, but none was passed")
    if format not in FORMATS:
        raise PredictionError(f"--format {format}: expected one of {', '.join(FORMATS)}")
    forms = [*(["--json"] * json), *(["--brief"] * brief), *([f"--format {format}"] * (format != "terminal"))]
    if len(forms) > 1:
        raise PredictionError(f"{forms[0]} and {forms[1]} are mutually exclusive: pass one")
    form = "json" if json else "brief" if brief else format
    for option in (option for task in TASKS.values() for option in task.score_options):
        if option.choices and (value := options.get(option.name)) not in (None, *option.choices):
            raise PredictionError(f"{option.typed} {value}: expected one of {', '.join(option.choices)}")
    if out and per_item and out.absolute() == per_item.absolute():
        raise PredictionError(f"--out and --per-item name the same file, {out}: name two")
    if fail_under is not None and not 0 <= fail_under <= 100:
        raise PredictionError(f"--fail-under {fail_under:g}: expected a percentage, 0 to 100")
    predictions = _with_games(predictions or ())
    further = [argument for value in options.values() if isinstance(value, list) for argument in value]
    paths = [named_file(argument)[1] for argument in (*predictions, *further)]
    if _are_games(paths):
        if refused := sorted(given - _OF_GAMES):
            raise PredictionError(
                f"{_option(refused[0])} is for predictions, and {paths[0]} holds full games: leave it out"
            )
        named = [named_file(argument) for argument in predictions]
        _score_games(named, resamples, seed, confidence, form, out)
        return
    if out:
        check_output(out, paths)
    if per_item:
        from bap_v2_dataset.evaluation.score_formats import check_item_output

        check_item_output(per_item, paths)
    hide_progress_bars()
    resampling = Resampling(resamples, confidence, seed, unit)
    if labels is not None:
        if refused := sorted(given - _OF_LABELS):
            option = _option(refused[0])
            raise PredictionError(f"--labels and {option} are mutually exclusive: labels choose the test set")
        _score_on_labels(predictions, baseline or (), labels.split(","), resampling, partial, form, out)
        return
    fields, baselines = Fields(id_field, prediction_field), list(dict.fromkeys(baseline or ()))
    with errors.status("reading predictions"):
        own, test_sets = _read(predictions, config, split, data, fields)
    if len(test_sets) > 1:
        single = [*map(_option, options), *(["--out"] * bool(out)), *(["--per-item"] * bool(per_item))]
        if single := single + (forms if form == "json" else []):
            names = " and ".join(", ".join(answered[:2]) for answered in test_sets)
            one = f"{single[0]} is for one test set"
            raise PredictionError(
                f"{one}, and these are the answers to {names}: pass one of them (of a folder: --config)"
            )
        if form not in ("csv", "brief"):
            files = [file for *_, files in test_sets for file in files]
            _score_together(files, baselines, own, resampling, form, fail_under, subset=subset, partial=partial)
            return
    scored = _scored(test_sets, baselines, own, fields, resampling, options, subset=subset, partial=partial)
    for test, results, _ in scored:
        _write(test, results, resampling.on(test), options, out, per_item)
    measure = options.get("measure", "")
    _print(scored, resampling, form, measure)
    if fail_under is not None:
        for test, results, files in scored:
            headline = test.task.scores.headline_of(measure)
            _check_threshold(results, {file.system for file in files}, headline, fail_under)


# What may be passed with full games, and with --labels.
_OF_GAMES = {"predictions", "resamples", "seed", "confidence", "format", "json", "out"}
_OF_LABELS = _OF_GAMES | {"baseline", "labels", "partial", "id_field", "prediction_field", "unit"}


def _option(parameter: str) -> str:
    return f"--{parameter.replace('_', '-')}"


def _read(
    predictions: Sequence[str], config: str | None, split: str | None, data: str | None, fields: "Fields"
) -> "tuple[OwnData | None, list[TestSet]]":
    """The own data that were passed, and the test sets that files answer, in most cases one."""
    from bap_v2_dataset.evaluation.systems_of_files import read_test_sets
    from bap_v2_dataset.loading.own_data import read_data

    own = read_data(data, split) if data is not None else None
    return own, read_test_sets(predictions, config, split, own, fields)


def _scored(
    test_sets: "Sequence[TestSet]", baselines: Sequence[str], own: "OwnData | None", fields: "Fields",
    resampling: "Resampling", options: Mapping[str, Any], **how: bool,
) -> "list[Scored]":  # fmt: skip
    """The scores on each test set; says what was left out."""
    from bap_v2_dataset.evaluation.scoring import scored_split
    from bap_v2_dataset.evaluation.systems_of_files import read_plain
    from bap_v2_dataset.interface.table import task_of_test
    from bap_v2_dataset.predictions.entries import PredictionError

    scored, notes = [], []
    with errors.status("scoring") as status:
        for name, part, files in test_sets:
            items = own or next((file.data for file in files), None)
            task = task_of_test(name, items)
            for option in options.keys() - {option.name for option in task.score_options}:
                others = [other for other in TASKS.values() if option in {one.name for one in other.score_options}]
                known = " or ".join(other.of_items for other in others)
                raise PredictionError(f"{_option(option)} is for {known}, and {name} is none")
            files, further = task.scores.prepared_for(
                files, baselines, options, lambda arguments: read_plain(arguments, fields)
            )
            status.update(f"scoring {name}, {part}")
            test, results, left_out = scored_split(
                task, name, part, files, baselines, resampling=resampling, hint="pass --split with one of", data=items,
                **how, **further,
            )  # fmt: skip
            scored.append((test, results, files))
            notes += left_out
    for note in notes:
        say(note, "yellow", errors)
    for _, results, _ in scored:
        for result in results:
            warn_of(result)
    return scored


def _score_together(
    files: "list[SystemPredictions]", baselines: Sequence[str], own: "OwnData | None", resampling: "Resampling",
    form: str, fail_under: float | None, **how: bool,
) -> None:  # fmt: skip
    """Prints the tables of `bap-v2 report`."""
    from bap_v2_dataset.evaluation.report import scored_report
    from bap_v2_dataset.evaluation.report_tables import report_tables

    with errors.status("scoring") as status:
        report = scored_report(
            files, baselines, data=own, resampling=resampling, **how,
            progress=lambda test: status.update(f"scoring {test}"),
        )  # fmt: skip
        tables = report_tables(report)
    print_tables(report, tables, form)
    if fail_under is not None:
        systems = {file.system for file in files}
        for test in report.tests:
            results = [result for _, result in report.on(test)]
            _check_threshold(results, systems, test.task.scores.headline_of(""), fail_under)


def _write(
    test: "ScoredSplit", results: "Sequence[Result]", resampling: "Resampling", options: Mapping[str, Any],
    out: Path | None, per_item: Path | None,
) -> None:  # fmt: skip
    """Writes the files that were asked for."""
    from bap_v2_dataset.evaluation.score_formats import as_bytes, item_records, to_json
    from bap_v2_simulators.atomic_files import atomic_write

    if out:
        atomic_write(out, to_json(results, **test.settings, **resampling.settings))
    if per_item:
        atomic_write(per_item, as_bytes(item_records(test, results), per_item.suffix))
    for path, content in test.task.scores.extra_outputs(test, results, options).items():
        atomic_write(path, content)


def _with_games(predictions: Sequence[str]) -> list[str]:
    """The arguments; in place of a folder that holds full games alone stand its files."""
    from bap_v2_dataset.evaluation.systems_of_files import files_of, games_of, named_file
    from bap_v2_dataset.predictions.entries import PredictionError
    from bap_v2_dataset.sentences import counted

    arguments = []
    for argument in predictions:
        name, path = named_file(argument)
        games = games_of(path) if path.is_dir() else []
        try:
            alone = not (games and files_of(path))
        except PredictionError:  # no predictions
            alone = True
        if not alone:
            left_out = counted(len(games), "file")
            say(f"{path}: {left_out} of full games left out: score them by their names", "yellow", errors)
        arguments += [f"{name}={game}" if name else str(game) for game in games] if alone and games else [argument]
    return arguments


def _are_games(paths: Sequence[Path]) -> bool:
    """Whether all files hold full games. Raises: PredictionError if only some do."""
    from bap_v2_dataset.games.tables import are_games
    from bap_v2_dataset.predictions.entries import PredictionError

    games = [path for path in paths if are_games(path)]
    if games and len(games) < len(paths):
        other = next(path for path in paths if path not in games)
        raise PredictionError(f"{games[0]} holds full games, and {other} does not: score them separately")
    return bool(games)


def _score_games(
    named: "Sequence[tuple[str | None, Path]]",
    resamples: int,
    seed: int,
    confidence: float,
    form: str,
    out: Path | None,
) -> None:
    """Prints the measures of full games."""
    from bap_v2_dataset.games.tables import games_json, games_signature, games_table, print_games, systems_of
    from bap_v2_dataset.predictions.entries import PredictionError
    from bap_v2_dataset.tables import formats
    from bap_v2_simulators.atomic_files import atomic_write

    if form in ("csv", "brief"):
        option = "--brief" if form == "brief" else "--format csv"
        raise PredictionError(f"{option} is for predictions: full games have terminal, markdown, latex and json")
    with errors.status("playing the games again"):
        systems = systems_of(named)
    record = games_json(systems, resamples, seed, confidence)
    if out:
        atomic_write(out, record)
    if form == "json":
        print_plain(record)
        return
    table = games_table(systems, "Full games", resamples, seed, confidence)
    if form == "terminal":
        print_games(table, console)
    else:
        print_plain(getattr(formats, form)([table], (), (games_signature(systems),)))


def _score_on_labels(
    predictions: Sequence[str],
    baselines: Sequence[str],
    names: Sequence[str],
    resampling: "Resampling",
    partial: bool,
    form: str,
    out: Path | None,
) -> None:
    """Prints the scores on the test set of each of these labels."""
    import orjson

    from bap_v2_dataset.evaluation.systems_of_files import read_files_for
    from bap_v2_dataset.predictions.entries import PredictionError
    from bap_v2_dataset.tables.fitted import print_report
    from bap_v2_dataset.tasks.building.label_sensitivity import label_sensitivity, sensitivity_table
    from bap_v2_simulators.atomic_files import atomic_write

    if form not in ("terminal", "json"):
        raise PredictionError(f"--labels with --format {form}: expected terminal or json")
    with errors.status("reading predictions") as status:
        files = read_files_for(predictions, "mdc", "test")[2] if predictions else []
        status.update("scoring on every test set")
        names = [name.strip() for name in names]
        found = label_sensitivity(files, list(dict.fromkeys(baselines)), names, resampling, partial)
    text = orjson.dumps(resampling.settings | found.to_dict(), option=orjson.OPT_INDENT_2) + b"\n"
    if out:
        atomic_write(out, text)
    if form == "json":
        print_plain(text)
    else:
        print_report(sensitivity_table(found, "The human test set by its labels"), console)


def _print(scored: "Sequence[Scored]", resampling: "Resampling", form: str, measure: str) -> None:
    """Prints the scores; in the forms for programs nothing else stands in the output."""
    if form == "csv":
        from bap_v2_dataset.evaluation.score_formats import scores_csv

        print_plain(scores_csv((test, result) for test, results, _ in scored for result in results))
        return
    for test, results, files in scored:
        if form == "terminal":
            from bap_v2_dataset.evaluation.score_tables import score_report
            from bap_v2_dataset.tables.fitted import print_report

            print_report(score_report(test, results, resampling.on(test), measure), console)
        elif form == "json":
            from bap_v2_dataset.evaluation.score_formats import to_json

            print_plain(to_json(results, **test.settings, **resampling.on(test).settings) + b"\n")
        elif form == "brief":
            from bap_v2_dataset.evaluation.score_formats import brief

            if len(scored) > 1:
                results = [replace(result, name=f"{result.name} on {test.title}") for result in results]
            print_plain(brief(results, test.task.scores.headline_of(measure)))
        else:
            from bap_v2_dataset.evaluation.report import report_of
            from bap_v2_dataset.evaluation.report_tables import remarks
            from bap_v2_dataset.evaluation.score_tables import tables_of_scores, with_unit
            from bap_v2_dataset.tables import formats

            report = report_of(test, results, files, resampling.on(test))
            tables = with_unit(tables_of_scores(report, measure), report)
            write = getattr(formats, form)
            print_plain(write(tables, remarks(report, paper=False), report.signatures))


def _check_threshold(results: "list[Result]", systems: set[str], key: str, least: float) -> None:
    """Ends with code 3 if a system, or a baseline where there is no system, scores below the threshold."""
    low = [result for result in results if not systems or result.name in systems]
    low = [result for result in low if 100 * result.scores.get(key, -1) < least - 1e-9]  # 100 * 0.57 is less than 57
    for result in low:
        score = f"{100 * result.scores[key]:.2f} is below" if key in result.scores else "is not known: it fails"
        note = f"{result.name}: {key} {score} --fail-under {least:g}"
        say(note, "red", errors)
    if low:
        raise typer.Exit(3)
