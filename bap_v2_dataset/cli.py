"""The console command `bap-v2`."""

import os
import signal
import sys
import time
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table

app = typer.Typer(
    name="bap-v2",
    help="Builder Action Prediction v2: data, metric and scores.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
console = Console()
errors = Console(stderr=True)
_MOST_PROCESSES = 16  # a split has as many shards


def _show_versions(asked: bool) -> None:
    if not asked:
        return
    from bap_v2_dataset.builder import DATA_VERSION
    from bap_v2_dataset.prompts import PROMPT_VERSION
    from bap_v2_metric.scoring import METRIC_VERSION
    from bap_v2_simulators.corpora import SIMULATORS

    simulators = ", ".join(f"{name} {simulator.version}" for name, simulator in SIMULATORS.items())
    versions = f"data {DATA_VERSION}, prompts {PROMPT_VERSION}, metric {METRIC_VERSION}, simulators {simulators}"
    console.print(versions, highlight=False, soft_wrap=True)
    raise typer.Exit


@app.callback()
def _common(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_versions, is_eager=True, help="Show the versions and leave.")
    ] = False,
) -> None:
    """Builder Action Prediction v2: data, metric and scores."""


@app.command()
def setup(
    mdc: Annotated[
        Path | None,
        typer.Option(help="The Minecraft Dialogue Corpus: a directory or an archive. Default: $BAP_V2_MDC."),
    ] = None,
    config: Annotated[
        list[str] | None, typer.Option(help="Only this config (repeatable). Default: all that can be set up.")
    ] = None,
    num_proc: Annotated[int | None, typer.Option(help="Processes that build rows. Default: one a core.", min=1)] = None,
    rebuild: Annotated[bool, typer.Option("--rebuild", help="Build synthetic configs again that are there.")] = False,
) -> None:
    """Make load_dataset("bap_v2", ...) and evaluate.load("bap_v2") work from any directory, also offline."""
    from bap_v2_dataset import install
    from bap_v2_simulators.corpora import SIMULATORS

    started = time.perf_counter()
    if unknown := set(config or ()) - {*SIMULATORS, "mdc"}:
        raise typer.BadParameter(f"unknown config {min(unknown)!r} (expected one of {', '.join((*SIMULATORS, 'mdc'))})")
    processes = num_proc or _one_a_core()
    table = Table(title="Set up", title_justify="left", header_style="bold")
    for heading in ("call", "what it loads", "where"):
        table.add_column(heading, overflow="fold")
    table.add_row('evaluate.load("bap_v2")', "the metric", str(install.install_metric()))
    # A corpus that is named is read first: what is wrong with it is said before the long work.
    missing = False
    if not config or "mdc" in config:
        missing = not _set_up_mdc(table, mdc, processes, required=bool(config))
    for name in SIMULATORS:
        if not config or name in config:
            folder = None if rebuild else install.installed(name)
            _add_config(table, name, folder or install.install_dataset(name, processes if processes > 1 else None))
    console.print(table)
    if missing:
        console.print(
            "The human corpus was not set up: pass [bold]--mdc PATH[/bold] for the config [bold]mdc[/bold].",
            highlight=False,
        )
    if Path("bap_v2").is_dir():
        errors.print(
            "[yellow]There is a folder called bap_v2 in this directory: it shadows both names here. "
            "Rename it, or work elsewhere.[/yellow]"
        )
    console.print(f"{time.perf_counter() - started:.1f} s", style="dim", highlight=False)


def _set_up_mdc(table: Table, mdc: Path | None, processes: int, required: bool) -> bool:
    """Sets up the human corpus; False if there is none and none was asked for."""
    from bap_v2_dataset import game_store, install
    from bap_v2_dataset.corpus_files import CorpusError
    from bap_v2_dataset.stats import PUBLISHED_ITEMS

    with game_store.only_set_up():
        try:
            with _progress() as progress:
                task = progress.add_task("reading games", total=None)
                games = game_store.mdc_games(mdc, progress=lambda size: progress.advance(task, size))
        except CorpusError:
            if mdc is not None or os.environ.get(game_store.CORPUS_VARIABLE) or required:
                raise
            return False
        folder = install.install_dataset("mdc", processes if processes > 1 else None, str(mdc) if mdc else None)
        game_store.choose(games)  # last: until the rows are there, an earlier set-up stays
    rows = _add_config(table, "mdc", folder)
    if rows != PUBLISHED_ITEMS:
        errors.print(
            f"[yellow]This corpus is not the published one: it gives {rows}, that one {PUBLISHED_ITEMS}. "
            "`bap-v2 stats` shows what was dropped.[/yellow]"
        )
    return True


def _add_config(table: Table, name: str, folder: Path) -> dict[str, int]:
    import datasets

    rows = {split: info.num_examples for split, info in datasets.DatasetInfo.from_directory(str(folder)).splits.items()}
    sizes = " / ".join(f"{n:,} {split}" for split, n in rows.items())
    table.add_row(f'load_dataset("bap_v2", "{name}")', sizes, str(folder))
    return rows


@app.command()
def generate(
    simulator: Annotated[str, typer.Argument(help="dr, dsb or dss.")],
    output: Annotated[Path | None, typer.Argument(help="The file to write: .jsonl or .parquet.")] = None,
    games: Annotated[int | None, typer.Option(help="How many games.", min=1)] = None,
    items: Annotated[int | None, typer.Option(help="Or how many items.", min=1)] = None,
    split: Annotated[str, typer.Option(help="train, validation or test: they share no target structure.")] = "train",
    seed: Annotated[int, typer.Option(help="Another seed, other games.")] = 0,
    setting: Annotated[
        list[str] | None,
        typer.Option("--set", help="A setting of the simulator, e.g. talk.clarification=0.5 (repeatable)."),
    ] = None,
    logs: Annotated[bool, typer.Option("--logs", help="Write whole games, one a line, instead of rows.")] = False,
    num_proc: Annotated[int | None, typer.Option(help="Processes. Default: one a core.", min=1)] = None,
    settings: Annotated[bool, typer.Option("--settings", help="Show the settings and write nothing.")] = False,
) -> None:
    """Write any number of simulated games as JSON lines or Parquet; goes on where a killed run stopped."""
    from bap_v2_dataset.generation import GenerationError, write_simulated
    from bap_v2_simulators.corpora import simulator_of
    from bap_v2_simulators.settings import settings_of

    changes: dict[str, str] = {}
    for text in setting or ():
        name, equals, value = text.partition("=")
        if not equals:
            raise GenerationError(f"--set {text}: expected NAME=VALUE")
        changes[name.strip()] = value.strip()
    chosen = simulator_of(simulator, changes)
    if settings:
        for name, value in settings_of(chosen).items():
            console.print(f"{name}={value}", highlight=False)
        return
    if output is None:
        raise GenerationError("name the file to write: .jsonl or .parquet")
    started = time.perf_counter()
    processes = num_proc or _one_a_core()
    with Progress(
        TextColumn("{task.description}"), BarColumn(), TextColumn("{task.completed:,} of {task.total:,}"),
        TimeElapsedColumn(), TimeRemainingColumn(), console=errors, transient=True,
    ) as progress:  # fmt: skip
        task = progress.add_task("items" if items else "games", total=items or games or 1)
        n_games, n_items = write_simulated(
            chosen, output, split=split, games=games, n_items=items, seed=seed, kind="games" if logs else "rows",
            num_proc=processes, progress=lambda g, i: progress.advance(task, i if items else g),
        )  # fmt: skip
    seconds = time.perf_counter() - started
    speed = f"{seconds:.1f} s ({n_items / seconds:,.0f} items a second)"
    console.print(f"{output}: {n_items:,} items of {n_games:,} games in {speed}", highlight=False, soft_wrap=True)


@app.command()
def compare(
    games: Annotated[int, typer.Option(help="Games of each simulator.", min=1)] = 400,
    seed: Annotated[int, typer.Option(help="Of the games.")] = 0,
    sample: Annotated[int, typer.Option(help="Instructions of each corpus whose wording is compared.", min=10)] = 1500,
    mdc: Annotated[
        Path | None, typer.Option(help="The human corpus. Default: $BAP_V2_MDC, else the one that was set up.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")] = False,
) -> None:
    """Compare simulated games with human ones: where Builders stand, how Architects talk, and what occurs how often."""
    import orjson

    from bap_v2_dataset import game_store
    from bap_v2_dataset.comparison import comparison, human_games, report, simulated_games
    from bap_v2_dataset.corpus_files import CorpusError

    corpora = {}
    try:
        corpora["human"] = human_games(game_store.mdc_games(mdc))
    except CorpusError:
        if mdc is not None or os.environ.get(game_store.CORPUS_VARIABLE):
            raise
        errors.print("The human corpus is not set up: only the simulated ones are shown.", style="yellow")
    numbers = comparison({**corpora, **simulated_games(games, seed=seed)}, sample)
    if json:
        sys.stdout.buffer.write(orjson.dumps(numbers, option=orjson.OPT_INDENT_2) + b"\n")
    else:
        _widen(130)
        console.print(report(numbers), highlight=False)


@app.command()
def stats(
    mdc: Annotated[
        Path | None, typer.Option(help="The corpus. Default: $BAP_V2_MDC, else the one that was set up.")
    ] = None,
    labels: Annotated[
        Path | None, typer.Option(help="Labels of the test items: .jsonl or .csv. Default: the project's own.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")] = False,
) -> None:
    """Show what the human corpus holds, what was dropped and why, and what its clean test set would be."""
    import orjson

    from bap_v2_dataset import game_store
    from bap_v2_dataset.annotations import OUR_LABELS, AnnotationError, read_labels
    from bap_v2_dataset.stats import clean_test_counts, clean_test_report, corpus_report, to_dict

    with _progress(errors) as progress:
        task = progress.add_task("reading games", total=None)
        games = game_store.mdc_games(mdc, progress=lambda size: progress.advance(task, size))
    source = "our labels" if labels is None else labels.name
    clean = problem = None
    try:
        clean = clean_test_counts(games, read_labels(labels or OUR_LABELS))
    except AnnotationError as error:
        if labels is not None:
            raise
        problem = error  # a corpus of somebody's own
    if json:
        found = {**to_dict(games), "clean_test": clean and {"labels": source, **clean}}
        sys.stdout.buffer.write(orjson.dumps(found, option=orjson.OPT_INDENT_2) + b"\n")
        return
    _widen(120)
    console.print(corpus_report(games), highlight=False)
    if clean is None:
        errors.print(f"No v2 test set: {escape(str(problem))}", style="yellow", highlight=False)
    else:
        console.print(clean_test_report(clean, source), highlight=False)


@app.command()
def score(
    predictions: Annotated[
        list[Path] | None,
        typer.Argument(help='JSON lines with "id" and "prediction". Several files are compared with the first.'),
    ] = None,
    baseline: Annotated[
        list[str] | None, typer.Option(help="Also score do-nothing, stack, symbolic, first-ten or replay (repeatable).")
    ] = None,
    config: Annotated[
        str | None, typer.Option(help="The config. Default: what the predictions were made for, else mdc.")
    ] = None,
    split: Annotated[
        str | None, typer.Option(help="train, validation or test. Default: what the predictions were made for.")
    ] = None,
    subset: Annotated[bool, typer.Option("--subset", help="Score only the items that have predictions.")] = False,
    partial: Annotated[bool, typer.Option("--partial", help="Score items without a prediction as empty.")] = False,
    resamples: Annotated[int, typer.Option(help="Bootstrap resamples of the items; 0 for none.", min=0)] = 1000,
    confidence: Annotated[float, typer.Option(help="The share inside the intervals.", min=0.01, max=0.999)] = 0.95,
    seed: Annotated[int, typer.Option(help="Of the resampling.")] = 20260,
    json: Annotated[Path | None, typer.Option(help="Also write the scores to this file.")] = None,
) -> None:
    """Print the score table of the paper for prediction files and baselines."""
    import datasets

    from bap_v2_dataset import scoreboard

    if not predictions and not baseline:
        raise scoreboard.PredictionError(
            "nothing to score: pass a prediction file, or --baseline with one of " + ", ".join(scoreboard.BASELINES)
        )
    if subset and not predictions:
        raise scoreboard.PredictionError("--subset scores the items of a prediction file, but none was passed")
    if len(set(predictions or ())) < len(predictions or ()):
        raise scoreboard.PredictionError("a prediction file was passed twice")
    if json and not json.absolute().parent.is_dir():
        raise scoreboard.PredictionError(f"--json: there is no directory {json.absolute().parent}")
    files = {path: scoreboard.read_predictions(path) for path in predictions or ()}
    an_id = next((row_id for found in files.values() for row_id in found), "")
    config, split = scoreboard.made_for(list(files), config, split, an_id)
    datasets.disable_progress_bars()
    rows = scoreboard.scored_rows(datasets.load_dataset("bap_v2", config, split=split))
    n_rows = len(rows)
    if subset and files:
        rows = scoreboard.rows_with_predictions(rows, files)
    references = [{key: row[key] for key in ("before", "after", "interpretations")} for row in rows]
    ids = [row["id"] for row in rows]
    names = scoreboard.distinct_names(list(files))
    texts = [
        (names[path], scoreboard.matched(found, ids, str(path), partial), len(set(ids) - found.keys()))
        for path, found in files.items()
    ]
    texts += [(name, scoreboard.baseline_predictions(name, rows), 0) for name in baseline or ()]
    systems = [
        scoreboard.scored(name, found, references, resamples, confidence, seed, missing)
        for name, found, missing in texts
    ]
    labels = "legacy MDC, every item has a unique interpretation" if config == "mdc" else "of the config"
    title = f"{config}, {split}: {', '.join(system.name for system in systems)}"
    if len(rows) < n_rows:
        title += f" (a subset: {len(rows):,} of {n_rows:,} items)"
    scoreboard.print_report(scoreboard.report(systems, title, labels, resamples, confidence, seed), console)
    if json:
        settings = {"config": config, "split": split, "items": len(rows), "split_items": n_rows, "labels": labels}
        settings |= {"resamples": resamples, "confidence": confidence, "seed": seed}
        json.write_bytes(scoreboard.to_json(systems, **settings))


def _one_a_core() -> int:
    return min(os.cpu_count() or 1, _MOST_PROCESSES)


def _widen(least: int) -> None:
    """Tables that are written to a file or a pipe are not folded."""
    if not console.is_terminal:
        console.width = max(console.width, least)


def _progress(target: Console | None = None) -> Progress:
    return Progress(
        TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeElapsedColumn(),
        console=target or console, transient=True,
    )  # fmt: skip


def main() -> None:
    """Runs the command; errors that the user can mend are printed as sentences, without a traceback."""
    own = os.getpid()

    def interrupted(number: int, frame: object) -> None:
        if os.getpid() == own:  # forked workers inherit this; the parent stops them
            raise KeyboardInterrupt

    signal.signal(signal.SIGINT, interrupted)
    try:
        app()
    except SystemExit as stop:
        if stop.code == 130:  # typer's answer to Ctrl-C
            _say_stopped()
        raise
    except Exception as error:
        if _follows_an_interrupt(error):
            _say_stopped()
            sys.exit(130)
        if os.environ.get("BAP_V2_TRACEBACK") or not isinstance(error, (ValueError, OSError)):
            raise
        errors.print(f"[red]error:[/red] {escape(str(error))}", soft_wrap=True, highlight=False)
        sys.exit(1)


def _follows_an_interrupt(error: BaseException | None) -> bool:
    """Whether it failed only because of Ctrl-C: pools of processes answer that with errors of their own."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__context__
    return error is not None


def _say_stopped() -> None:
    if sys.argv[1:2] == ["generate"]:
        errors.print("stopped; the same command goes on where it was")
    else:
        errors.print("stopped; nothing unfinished was kept, and the same command starts anew")


if __name__ == "__main__":
    main()
