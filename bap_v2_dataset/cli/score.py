"""`bap-v2 score`."""

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

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
)
from bap_v2_dataset.cli.terminal import app, console, errors, hide_progress_bars, say, warn_of
from bap_v2_dataset.tasks.table import TASKS
from bap_v2_metric.scoring import MEASURES, SEED

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from bap_v2_dataset.evaluation.results import Resampling, Result, ScoredSplit
    from bap_v2_dataset.evaluation.runs import SystemPredictions
    from bap_v2_dataset.predictions.entries import Fields

    Scored = tuple[ScoredSplit, list[Result], list[SystemPredictions]]

FORMATS = ("terminal", "markdown", "latex", "csv", "json")


def _for(option: str) -> str:
    """Of which items an option is, where only those of one task have it."""
    (task,) = (task for task in TASKS.values() if option in task.score_options)
    return f"For {task.of_items.partition(' (')[0]}:"


@app.command(rich_help_panel="Scores")
def score(
    context: typer.Context,
    predictions: Annotated[
        list[str] | None,
        typer.Argument(
            help="Files with ids and predictions (JSON lines, JSON, CSV, TSV, Parquet, output of batch APIs, logs of "
            "lm-eval or inspect, or a folder of logs; - for the standard input). Several are compared with the first. "
            "NAME=FILE names the system; files of one NAME are its runs.",
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
    original: Annotated[
        list[str] | None,
        typer.Option(
            help=f"{_for('original')} the predictions for the items themselves (test of the base config), where "
            "the files have those for variants alone. Repeatable: one for each file, in the same order.",
            metavar="FILE",
        ),
    ] = None,
    variants: Annotated[
        int | None,
        typer.Option(help=f"{_for('variants')} score so many variants of a family. Default: all.", min=1),
    ] = None,
    measure: Annotated[
        str | None,
        typer.Option(
            help=f"{_for('measure')} the F1 that is shown, e.g. strict. Default: fairer.",
            autocompletion=among(MEASURES),
        ),
    ] = None,
    labels: Annotated[
        str | None,
        typer.Option(
            help="Score on the human test set of each of these labels, and say whether systems change places: "
            "published, a, b, intersection, all, or files of labels, joined by commas. Needs predictions for mdc."
        ),
    ] = None,
    built: Annotated[
        list[str] | None,
        typer.Option(
            help=f"{_for('built')} what a Builder did on the words (of predict.py), or a baseline such as "
            "replay, in place of the symbolic reader. SYSTEM=FILE where several systems are scored. Repeatable.",
            metavar="FILE",
        ),
    ] = None,
    builder_items: Annotated[
        Path | None,
        typer.Option(help=f"{_for('builder_items')} also write the items in which a Builder reads the words (.jsonl)."),
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
        typer.Option(help="What is printed: terminal, markdown, latex, csv or json.", autocompletion=among(FORMATS)),
    ] = "terminal",
    brief: Annotated[bool, typer.Option("--brief", help="Print one line per system.")] = False,
    json: Annotated[Path | None, typer.Option(help="Also write the scores to this file.")] = None,
    per_item: Annotated[
        Path | None, typer.Option(help="Also write the scores of every item to this file (.jsonl or .csv).")
    ] = None,
    fail_under: Annotated[
        float | None, typer.Option(help="Exit with code 3 if the headline F1 of a system is below this percentage.")
    ] = None,
) -> None:
    """Print the score table of the paper for prediction files and baselines."""
    from bap_v2_dataset.evaluation.results import Resampling
    from bap_v2_dataset.evaluation.score_formats import check_output
    from bap_v2_dataset.evaluation.systems_of_files import named_file
    from bap_v2_dataset.predictions.entries import Fields, PredictionError

    given = {name for name in context.params if context.get_parameter_source(name).name == "COMMANDLINE"}
    if original and not predictions:
        raise PredictionError("--original is for prediction files, but none was passed")
    if not predictions and not baseline:
        raise PredictionError(f"nothing to score: pass a prediction file, or --baseline with one of {BASELINES}")
    if subset and not predictions:
        raise PredictionError("--subset scores the items of a prediction file, but none was passed")
    if format not in FORMATS:
        raise PredictionError(f"--format {format}: expected one of {', '.join(FORMATS)}")
    if brief and format != "terminal":
        raise PredictionError(f"--brief and --format {format} are mutually exclusive: pass one")
    if measure is not None and measure not in MEASURES:
        raise PredictionError(f"--measure {measure}: expected one of {', '.join(MEASURES)}")
    if json and per_item and json.absolute() == per_item.absolute():
        raise PredictionError(f"--json and --per-item name the same file, {json}: name two")
    if fail_under is not None and not 0 <= fail_under <= 100:
        raise PredictionError(f"--fail-under {fail_under:g}: expected a percentage, 0 to 100")
    paths = [named_file(argument)[1] for argument in (*(predictions or ()), *(original or ()))]
    if _are_games(paths):
        if refused := sorted(given - _OF_GAMES):
            raise PredictionError(
                f"{_option(refused[0])} is for predictions, and {paths[0]} holds full games: leave it out"
            )
        named = [named_file(argument) for argument in predictions or ()]
        _score_games(named, resamples, seed, confidence, format, json)
        return
    if json:
        check_output(json, paths)
    if per_item:
        from bap_v2_dataset.evaluation.score_formats import check_item_output

        check_item_output(per_item, paths)
    hide_progress_bars()
    resampling = Resampling(resamples, confidence, seed, unit)
    if labels is not None:
        if refused := sorted(given - _OF_LABELS):
            option = _option(refused[0])
            raise PredictionError(f"--labels and {option} are mutually exclusive: labels choose the test set")
        _score_on_labels(predictions or (), baseline or (), labels.split(","), resampling, partial, format, json)
        return
    options = {name: value for name, value in context.params.items() if name in _OF_TASKS and value}
    scored = _scored(
        predictions or (), list(dict.fromkeys(baseline or ())), config, split, data, Fields(id_field, prediction_field),
        resampling, options, subset=subset, partial=partial,
    )  # fmt: skip
    if len(scored) > 1 and (json or per_item or format == "json"):
        names = " and ".join(test.title for test, *_ in scored)
        option = "--json" if json else "--per-item" if per_item else "--format json"
        raise PredictionError(f"{option} is for one test set, and these are the answers to {names}: pass --config")
    for test, results, _ in scored:
        _write(test, results, resampling.on(test), options, json, per_item)
    _print(scored, resampling, "brief" if brief else format, measure or "")
    if fail_under is not None:
        for test, results, files in scored:
            headline = test.task.scores.headline_of(measure or "")
            _check_threshold(results, {file.system for file in files}, headline, fail_under)


# What may be passed with full games, and with --labels; options that only some tasks have (`Scores.options`).
_OF_GAMES = {"predictions", "resamples", "seed", "confidence", "format", "json"}
_OF_LABELS = _OF_GAMES | {"baseline", "labels", "partial", "id_field", "prediction_field", "unit"}
_OF_TASKS = ("original", "variants", "measure", "built", "builder_items")


def _option(parameter: str) -> str:
    return f"--{parameter.replace('_', '-')}"


def _scored(
    predictions: "Sequence[str]", baselines: "Sequence[str]", config: str | None, split: str | None, data: str | None,
    fields: "Fields", resampling: "Resampling", options: "Mapping[str, Any]", **how: bool,
) -> "list[Scored]":  # fmt: skip
    """What the files answer, in most cases one test set; says what was left out."""
    from bap_v2_dataset.evaluation.scoring import scored_split
    from bap_v2_dataset.evaluation.systems_of_files import read_plain, read_test_sets
    from bap_v2_dataset.loading.own_data import read_data
    from bap_v2_dataset.predictions.entries import PredictionError
    from bap_v2_dataset.tasks.table import task_of_test

    scored, notes = [], []
    with errors.status("reading predictions") as status:
        own = read_data(data, split) if data is not None else None
        for name, part, files in read_test_sets(predictions, config, split, own, fields):
            items = own or next((file.data for file in files), None)
            task = task_of_test(name, items)
            for option in options:
                if option not in task.score_options:
                    others = " or ".join(other.of_items for other in TASKS.values() if option in other.score_options)
                    raise PredictionError(f"{_option(option)} is for {others}, and {name} is none")
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


def _write(
    test: "ScoredSplit", results: "Sequence[Result]", resampling: "Resampling", options: "Mapping[str, Any]",
    json: Path | None, per_item: Path | None,
) -> None:  # fmt: skip
    """Writes the files that were asked for."""
    from bap_v2_dataset.evaluation.score_formats import as_bytes, item_records, to_json
    from bap_v2_simulators.whole_files import write_whole

    if json:
        write_whole(json, to_json(results, **test.settings, **resampling.settings))
    if per_item:
        write_whole(per_item, as_bytes(item_records(test, results), per_item.suffix))
    for path, content in test.task.scores.further_files(test, results, options).items():
        write_whole(path, content)


def _are_games(paths: "Sequence[Path]") -> bool:
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
    json: Path | None,
) -> None:
    """Prints the measures of full games."""
    from bap_v2_dataset.games.tables import games_json, games_signature, games_table, print_games, systems_of
    from bap_v2_dataset.predictions.entries import PredictionError
    from bap_v2_dataset.tables import formats
    from bap_v2_simulators.whole_files import write_whole

    if form == "csv":
        raise PredictionError("--format csv is for predictions: full games have terminal, markdown, latex and json")
    with errors.status("playing the games again"):
        systems = systems_of(named)
    record = games_json(systems, resamples, seed, confidence)
    if json:
        write_whole(json, record)
    if form == "json":
        sys.stdout.write(record.decode())
        return
    table = games_table(systems, "Full games", resamples, seed, confidence)
    if form == "terminal":
        print_games(table, console)
    else:
        sys.stdout.write(getattr(formats, form)([table], (), (games_signature(systems),)))


def _score_on_labels(
    predictions: "Sequence[str]",
    baselines: "Sequence[str]",
    names: "Sequence[str]",
    resampling: "Resampling",
    partial: bool,
    form: str,
    json: Path | None,
) -> None:
    """Prints the scores on the test set of each of these labels."""
    import orjson

    from bap_v2_dataset.evaluation.systems_of_files import read_files_for
    from bap_v2_dataset.predictions.entries import PredictionError
    from bap_v2_dataset.tables.fitted import print_report
    from bap_v2_dataset.tasks.building.label_sensitivity import label_sensitivity, sensitivity_table
    from bap_v2_simulators.whole_files import write_whole

    if form not in ("terminal", "json"):
        raise PredictionError(f"--labels with --format {form}: expected terminal or json")
    with errors.status("reading predictions") as status:
        files = read_files_for(predictions, "mdc", "test")[2] if predictions else []
        status.update("scoring on every test set")
        names = [name.strip() for name in names]
        found = label_sensitivity(files, list(dict.fromkeys(baselines)), names, resampling, partial)
    text = orjson.dumps(resampling.settings | found.to_dict(), option=orjson.OPT_INDENT_2) + b"\n"
    if json:
        write_whole(json, text)
    if form == "json":
        sys.stdout.write(text.decode())
    else:
        print_report(sensitivity_table(found, "The human test set by its labels"), console)


def _print(scored: "Sequence[Scored]", resampling: "Resampling", form: str, measure: str) -> None:
    """Prints the scores; in the forms for programs nothing else stands in the output."""
    if form == "csv":
        from bap_v2_dataset.evaluation.score_formats import scores_csv

        sys.stdout.write(scores_csv((test, result) for test, results, _ in scored for result in results))
        return
    for test, results, files in scored:
        if form == "terminal":
            from bap_v2_dataset.evaluation.score_tables import score_report
            from bap_v2_dataset.tables.fitted import print_report

            print_report(score_report(test, results, resampling.on(test), measure), console)
        elif form == "json":
            from bap_v2_dataset.evaluation.score_formats import to_json

            sys.stdout.write(to_json(results, **test.settings, **resampling.on(test).settings).decode() + "\n")
        elif form == "brief":
            from bap_v2_dataset.evaluation.score_formats import brief

            if len(scored) > 1:
                results = [replace(result, name=f"{result.name} on {test.title}") for result in results]
            sys.stdout.write(brief(results, test.task.scores.headline_of(measure)))
        else:
            from bap_v2_dataset.evaluation.report import report_of
            from bap_v2_dataset.evaluation.report_tables import remarks
            from bap_v2_dataset.evaluation.score_tables import tables_of_scores, with_unit
            from bap_v2_dataset.tables import formats

            report = report_of(test, results, files, resampling.on(test))
            tables = with_unit(tables_of_scores(report, measure), report)
            write = getattr(formats, form)
            sys.stdout.write(write(tables, remarks(report, paper=False), report.signatures))


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
