"""The console command `bap-v2`."""

import errno
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table

if TYPE_CHECKING:
    from bap_v2_dataset import publish
    from bap_v2_simulators.simulation import Simulator

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
        str | None,
        typer.Option(
            help="The Minecraft Dialogue Corpus: a directory, an archive, or [bold]auto[/bold] to download it. "
            "Default: $BAP_V2_MDC."
        ),
    ] = None,
    labels: Annotated[
        Path | None,
        typer.Option(help="Labels of the test items for mdc_v2: .jsonl or .csv. Default: the project's own."),
    ] = None,
    config: Annotated[
        list[str] | None, typer.Option(help="Only this config (repeatable). Default: all that can be set up.")
    ] = None,
    num_proc: Annotated[int | None, typer.Option(help="Processes that build rows. Default: one a core.", min=1)] = None,
    rebuild: Annotated[bool, typer.Option("--rebuild", help="Build synthetic configs again that are there.")] = False,
    mdc_url: Annotated[
        str | None, typer.Option(help="For --mdc auto: a git repository with the corpus. Default: the public one.")
    ] = None,
) -> None:
    """Make load_dataset("bap_v2", ...) and evaluate.load("bap_v2") work from any directory, also offline."""
    from bap_v2_dataset import install
    from bap_v2_dataset.builder import CONFIGS, HUMAN_CONFIGS
    from bap_v2_dataset.mixture import SOURCES

    started = time.perf_counter()
    if unknown := set(config or ()) - {*CONFIGS}:
        raise typer.BadParameter(f"unknown config {min(unknown)!r} (expected one of {', '.join(CONFIGS)})")
    wanted = [name for name in CONFIGS if not config or name in config or ("all" in config and name in SOURCES)]
    if labels is not None and not {"mdc_v2", "all"} & set(wanted):
        raise typer.BadParameter("--labels are those of mdc_v2 and all, and neither is set up")
    processes = num_proc or _one_a_core()
    table = Table(title="Set up", title_justify="left", header_style="bold")
    for heading in ("call", "what it loads", "where"):
        table.add_column(heading, overflow="fold")
    table.add_row('evaluate.load("bap_v2")', "the metric", str(install.install_metric()))

    def synthetic() -> None:
        for name in wanted:
            if name not in HUMAN_CONFIGS:
                folder = None if rebuild else install.installed(name)
                _add_config(table, name, folder or install.install_dataset(name, processes if processes > 1 else None))

    notes = []
    human = [name for name in wanted if name in HUMAN_CONFIGS]
    if human:
        corpus = _downloaded(mdc_url) if mdc == "auto" else mdc
        notes = _set_up_human(table, human, corpus, labels, processes, bool(config), synthetic)
    else:
        synthetic()
    console.print(table)
    for note in notes:
        (errors if note.startswith("[yellow]") else console).print(note, highlight=False, soft_wrap=True)
    if Path("bap_v2").is_dir():
        errors.print(
            "[yellow]There is a folder called bap_v2 in this directory: it shadows both names here. "
            "Rename it, or work elsewhere.[/yellow]"
        )
    console.print(f"{time.perf_counter() - started:.1f} s", style="dim", highlight=False)


def _downloaded(url: str | None) -> str:
    """The corpus from its public repository; says what is downloaded before it is."""
    from bap_v2_dataset import download

    with Progress(
        TextColumn("{task.description}"), BarColumn(), TextColumn("{task.completed:,} of {task.total:,} files"),
        TimeElapsedColumn(), TimeRemainingColumn(), console=errors, transient=True,
    ) as progress:  # fmt: skip
        task = progress.add_task("downloading", total=len(download.manifest()))
        folder = download.downloaded(
            url or download.URL,
            announce=lambda text: console.print(text, highlight=False, soft_wrap=True),
            progress=lambda done: progress.update(task, completed=done),
        )
    return str(folder)


def _set_up_human(
    table: Table, wanted: list[str], mdc: str | None, labels: Path | None, processes: int, required: bool,
    synthetic: Callable[[], None],
) -> list[str]:  # fmt: skip
    """Sets up the configs with human games, and the synthetic ones before the joint one; returns what was left out."""
    from bap_v2_dataset import game_store, install
    from bap_v2_dataset.annotations import OUR_LABELS, AnnotationError, labels_name, read_labels
    from bap_v2_dataset.corpus_files import CorpusError
    from bap_v2_dataset.stats import PUBLISHED_ITEMS, clean_test_counts

    with game_store.only_set_up():
        try:
            with _progress() as progress:
                task = progress.add_task("reading games", total=None)
                games = game_store.mdc_games(mdc, progress=lambda size: progress.advance(task, size))
        except CorpusError:
            if mdc is not None or os.environ.get(game_store.CORPUS_VARIABLE) or required:
                raise
            synthetic()
            return [
                "The human corpus was not set up: pass [bold]--mdc PATH[/bold] or [bold]--mdc auto[/bold] for the "
                "configs [bold]mdc_v2[/bold], [bold]mdc[/bold] and [bold]all[/bold]."
            ]
        # A corpus and labels that are named are read first: what is wrong with them is said before the long work.
        notes = []
        path = labels or OUR_LABELS
        if {"mdc_v2", "all"} & set(wanted):
            try:
                clean_test_counts(games, read_labels(path))
                notes.append(f"The test items of mdc_v2 have the labels: {escape(labels_name(path))}.")
            except AnnotationError as problem:
                if labels is not None or required:
                    raise
                wanted = ["mdc"] if "mdc" in wanted else []
                notes.append(f"[yellow]mdc_v2 and all were not set up: {escape(str(problem))}. Pass --labels.[/yellow]")
        arguments = (processes if processes > 1 else None, mdc, str(path))
        human = {name: install.install_dataset(name, *arguments) for name in wanted if name != "all"}
        for name, folder in human.items():
            rows = _add_config(table, name, folder)
            if name == "mdc" and rows != PUBLISHED_ITEMS:
                notes.append(
                    f"[yellow]This corpus is not the published one: it gives {rows}, that one {PUBLISHED_ITEMS}. "
                    "`bap-v2 stats` shows what was dropped.[/yellow]"
                )
        synthetic()
        if "all" in wanted:
            _add_config(table, "all", install.install_dataset("all", *arguments))
        game_store.choose(games, labels)  # last: until the rows are there, an earlier set-up stays
    return notes


def _add_config(table: Table, name: str, folder: Path) -> dict[str, int]:
    import datasets

    rows = {split: info.num_examples for split, info in datasets.DatasetInfo.from_directory(str(folder)).splits.items()}
    sizes = " / ".join(f"{n:,} {split}" for split, n in rows.items())
    table.add_row(f'load_dataset("bap_v2", "{name}")', sizes, str(folder))
    return rows


@app.command()
def generate(
    simulator: Annotated[str, typer.Argument(help="dr, dsb or dss.")],
    output: Annotated[
        Path | None, typer.Argument(help="The file to write: .jsonl or .parquet. With --engine datatrove: a folder.")
    ] = None,
    games: Annotated[int | None, typer.Option(help="How many games.", min=1)] = None,
    items: Annotated[int | None, typer.Option(help="Or how many items.", min=1)] = None,
    split: Annotated[str, typer.Option(help="train, validation or test: they share no target structure.")] = "train",
    seed: Annotated[int, typer.Option(help="Another seed, other games.")] = 0,
    setting: Annotated[
        list[str] | None,
        typer.Option("--set", help="A setting of the simulator, e.g. talk.clarification=0.5 (repeatable)."),
    ] = None,
    logs: Annotated[bool, typer.Option("--logs", help="Write whole games, one a line, instead of rows.")] = False,
    num_proc: Annotated[
        int | None,
        typer.Option(help="Processes. Default: one a core. On Slurm and Ray: tasks at once. Default: all.", min=1),
    ] = None,
    settings: Annotated[bool, typer.Option("--settings", help="Show the settings and write nothing.")] = False,
    engine: Annotated[
        str | None, typer.Option(help="datatrove: a folder of Parquet files, made by one machine or by many.")
    ] = None,
    executor: Annotated[str, typer.Option(help="Of datatrove: local, slurm or ray.")] = "local",
    tasks: Annotated[
        int | None,
        typer.Option(help="Parts of the work; the files are the same for any. Default, local: --num-proc.", min=1),
    ] = None,
    shard_games: Annotated[
        int | None, typer.Option(help="Games of a file. Default: those with about 16,000 items.", min=1)
    ] = None,
    logging_dir: Annotated[
        Path | None, typer.Option(help="For datatrove's logs. Default: .generation in the folder.")
    ] = None,
    slurm: Annotated[
        list[str] | None,
        typer.Option(help="An option of sbatch, e.g. partition=cpu, time=02:00:00, account=me (repeatable)."),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show the Slurm script and write nothing.")] = False,
) -> None:
    """Write any number of simulated games as JSON lines or Parquet; goes on where a killed run stopped."""
    from bap_v2_dataset.generation import GenerationError, write_simulated
    from bap_v2_simulators.corpora import simulator_of
    from bap_v2_simulators.settings import settings_of

    chosen = simulator_of(simulator, _pairs("--set", setting))
    if settings:
        for name, value in settings_of(chosen).items():
            console.print(f"{name}={value}", highlight=False)
        return
    if output is None:
        raise GenerationError("name the file to write: .jsonl or .parquet")
    started = time.perf_counter()
    if engine is not None:
        if engine != "datatrove":
            raise GenerationError(f"--engine {engine}: expected datatrove, or no --engine")
        if logs:
            raise GenerationError("--logs: whole games are written without --engine")
        request = {"split": split, "games": games, "n_items": items, "seed": seed, "shard_games": shard_games}
        options = _pairs("--slurm", slurm)
        _generate_shards(chosen, output, request, executor, tasks, num_proc, logging_dir, options, dry_run)
        return
    if executor != "local" or tasks or shard_games or logging_dir or slurm or dry_run:
        raise GenerationError(
            "--executor, --tasks, --shard-games, --logging-dir, --slurm and --dry-run need --engine datatrove"
        )
    processes = num_proc or _one_a_core()
    with _counted() as progress:
        task = progress.add_task("items" if items else "games", total=items or games or 1)
        n_games, n_items = write_simulated(
            chosen, output, split=split, games=games, n_items=items, seed=seed, kind="games" if logs else "rows",
            num_proc=processes, progress=lambda g, i: progress.advance(task, i if items else g),
        )  # fmt: skip
    seconds = time.perf_counter() - started
    speed = f"{seconds:.1f} s ({n_items / seconds:,.0f} items a second)"
    console.print(f"{output}: {n_items:,} items of {n_games:,} games in {speed}", highlight=False, soft_wrap=True)


def _generate_shards(
    simulator: "Simulator",
    folder: Path,
    request: dict[str, Any],
    executor: str,
    tasks: int | None,
    num_proc: int | None,
    logging_dir: Path | None,
    slurm: dict[str, str],
    dry_run: bool,
) -> None:
    """`generate --engine datatrove`."""
    from bap_v2_dataset.generation import GenerationError

    try:
        from bap_v2_dataset import scale_out
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "datatrove":
            raise
        raise GenerationError('datatrove is not installed: pip install "datatrove>=0.10"') from None
    if executor not in scale_out.EXECUTORS:
        raise GenerationError(f"--executor {executor}: expected one of {', '.join(scale_out.EXECUTORS)}")
    if executor != "slurm" and (slurm or dry_run):
        raise GenerationError(f"{'--slurm' if slurm else '--dry-run'} is for --executor slurm")
    if executor == "local":
        tasks = tasks or num_proc or _one_a_core()
    elif tasks is None:
        raise GenerationError(f"say into how many parts the work is split: --executor {executor} --tasks N")
    logs = scale_out.logs_of(folder, tasks, logging_dir)
    kept = scale_out.request_for(simulator, folder, **request)
    if executor == "slurm":
        script = scale_out.slurm_script(tasks, num_proc, logs, slurm)  # also says what is wrong with the options
        if dry_run:
            sys.stdout.write(script)
            return
    scale_out.check_executor(executor)
    started = time.perf_counter()
    with _counted() as progress:
        unit = "items" if request["n_items"] else "games"
        task = progress.add_task("counting games", total=request["n_items"] or request["games"])

        def count(games: int, items: int) -> None:
            progress.advance(task, items if unit == "items" else games)

        plan = scale_out.plan_of_request(simulator, folder, kept, _one_a_core(), count)
        before = len(plan.there())
        progress.reset(task, description=unit)
        scale_out.log_to_file(logs)
        if executor == "slurm":
            job = scale_out.submit_to_slurm(plan, tasks, num_proc, logs, slurm)
        elif executor == "ray":
            manifest = scale_out.run_on_ray(plan, tasks, num_proc, logs, count)
        else:
            manifest = scale_out.run_here(plan, tasks, num_proc or _one_a_core(), logs, count)
    if executor == "slurm":
        said = f"{plan.shards} files of {plan.games:,} games"
        if job is None:
            said += ": all of them are there"
        else:
            said += f", {before} of them there; job {job} makes the others, and manifest.json last. Logs: {logs}"
    else:
        seconds = time.perf_counter() - started
        speed = f"{before} of the files were there" if before else f"{manifest['items'] / seconds:,.0f} items a second"
        said = f"{manifest['items']:,} items of {plan.games:,} games in {plan.shards} files, "
        said += f"{manifest['bytes'] / 1e6:,.1f} MB, in {seconds:.1f} s ({speed})"
    console.print(f"{folder}: {said}", highlight=False, soft_wrap=True)


@app.command()
def mix(
    output: Annotated[Path, typer.Argument(help="The folder to write: train.parquet, validation.parquet, mix.json.")],
    mdc_v2: Annotated[str, typer.Option(help="Items of mdc_v2, or all.")] = "0",
    mdc: Annotated[str, typer.Option(help="Items of mdc, or all.")] = "0",
    dr: Annotated[str, typer.Option(help="Items of dr, or all; also more than are published.")] = "0",
    dsb: Annotated[str, typer.Option(help="Items of dsb, likewise.")] = "0",
    dss: Annotated[str, typer.Option(help="Items of dss, likewise.")] = "0",
    seed: Annotated[int, typer.Option(help="Of the order, and of the part of a human corpus that is taken.")] = 0,
    num_proc: Annotated[int | None, typer.Option(help="Processes. Default: one a core.", min=1)] = None,
) -> None:
    """Write a mix of the corpora of your own, with validation items in the same proportions."""
    import datasets

    from bap_v2_dataset.mix import MixError, write_mix

    started = time.perf_counter()
    amounts: dict[str, int | None] = {}
    for name, text in {"mdc_v2": mdc_v2, "mdc": mdc, "dr": dr, "dsb": dsb, "dss": dss}.items():
        if text != "all" and not text.isdecimal():
            raise MixError(f"--{name.replace('_', '-')} {text}: expected a number of items, or all")
        amounts[name] = None if text == "all" else int(text)
    with console.status("mixing"):
        datasets.disable_progress_bars()
        found = write_mix(output, amounts, seed=seed, num_proc=num_proc or _one_a_core())
    table = Table(title=str(output), title_justify="left", header_style="bold")
    table.add_column("items of")
    for split in found:
        table.add_column(split, justify="right")
    for name in found["train"]:
        table.add_row(name, *(f"{parts[name]:,}" for parts in found.values()))
    table.add_section()
    table.add_row("all", *(f"{sum(parts.values()):,}" for parts in found.values()))
    console.print(table)
    said = f'load_dataset("{output}") reads it; {time.perf_counter() - started:.1f} s'
    console.print(said, style="dim", highlight=False, soft_wrap=True)


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
def augment(
    game_ids: Annotated[
        list[str] | None, typer.Argument(help="Games of the human corpus. Default: random ones.")
    ] = None,
    games: Annotated[int, typer.Option(help="How many random games of the train split.", min=1)] = 2,
    seed: Annotated[int, typer.Option(help="Of the random games.")] = 0,
    mdc: Annotated[
        Path | None, typer.Option(help="The human corpus. Default: $BAP_V2_MDC, else the one that was set up.")
    ] = None,
) -> None:
    """Show human games beside their augmented variants: turned, in other colours, in other words."""
    from bap_v2_dataset import game_store
    from bap_v2_dataset.gallery import chosen_games, side_by_side

    with _progress(errors) as progress:
        task = progress.add_task("reading games", total=None)
        kept = game_store.mdc_games(mdc, progress=lambda size: progress.advance(task, size))
    _widen(170)
    width = max(24, (console.width - 9) // 4)  # four columns, three bars; a narrow terminal folds the lines
    for game in chosen_games(kept, game_ids or (), games, seed):
        console.print(side_by_side(game, width) + "\n", markup=False, highlight=False, soft_wrap=True)


@app.command()
def stats(
    mdc: Annotated[
        Path | None, typer.Option(help="The corpus. Default: $BAP_V2_MDC, else the one that was set up.")
    ] = None,
    labels: Annotated[
        Path | None, typer.Option(help="Labels of the test items: .jsonl or .csv. Default: those of the last set-up.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")] = False,
) -> None:
    """Show what the human corpus holds, what was dropped and why, and its clean test set beside the paper's."""
    import orjson

    from bap_v2_dataset import game_store
    from bap_v2_dataset.annotations import AnnotationError, labels_name, read_labels
    from bap_v2_dataset.builder import labels_path
    from bap_v2_dataset.stats import clean_test_counts, clean_test_report, corpus_report, to_dict

    with _progress(errors) as progress:
        task = progress.add_task("reading games", total=None)
        games = game_store.mdc_games(mdc, progress=lambda size: progress.advance(task, size))
    path = labels or labels_path()
    source = labels_name(path)
    clean = problem = None
    try:
        clean = clean_test_counts(games, read_labels(path))
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
        str | None,
        typer.Option(help="The config. Default: what the predictions were made for, else mdc_v2, or mdc without it."),
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

    from bap_v2_dataset import install, scoreboard

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
    default = "mdc_v2" if install.is_set_up("mdc_v2") else "mdc"
    config, split = scoreboard.made_for(list(files), config, split, an_id, default)
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
    labels = scoreboard.labels_of(rows, config)
    title = f"{config}, {split}: {', '.join(system.name for system in systems)}"
    if len(rows) < n_rows:
        title += f" (a subset: {len(rows):,} of {n_rows:,} items)"
    scoreboard.print_report(scoreboard.report(systems, title, labels, resamples, confidence, seed), console)
    if json:
        settings = {"config": config, "split": split, "items": len(rows), "split_items": n_rows, "labels": labels}
        settings |= {"resamples": resamples, "confidence": confidence, "seed": seed}
        json.write_bytes(scoreboard.to_json(systems, **settings))


@app.command()
def push(
    repo_id: Annotated[str, typer.Option(help="The dataset repository: USER/bap_v2.")],
    config: Annotated[
        list[str] | None, typer.Option(help="Only this config (repeatable). Default: all synthetic ones, or all.")
    ] = None,
    human: Annotated[
        bool, typer.Option("--human", help="Also the configs with human dialogues, with the corpus's licence.")
    ] = False,
    metric_space: Annotated[str | None, typer.Option(help="Also the metric, as this Space: USER/bap_v2.")] = None,
    private: Annotated[bool, typer.Option("--private", help="Make the repositories private.")] = False,
    revision: Annotated[str, typer.Option(help="The branch; it is made if it does not exist.")] = "main",
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would go where, and send nothing.")] = False,
) -> None:
    """Publish the configs and the metric on the Hugging Face Hub; the token comes from HF_TOKEN or `hf auth login`."""
    import datasets

    from bap_v2_dataset import publish

    configs = publish.chosen_configs(config or (), human)
    dataset = publish.Repository(publish.checked_id(repo_id), "dataset", private, revision)
    space = metric_space and publish.Repository(publish.checked_id(metric_space), "space", private, revision)
    hub = publish.Hub()
    if not dry_run:
        hub.log_in()
    datasets.disable_progress_bars()
    with (
        errors.status("writing Parquet files") as status,
        publish.staged(configs, lambda name: status.update(f"writing {name}")) as rows,
    ):
        status.stop()
        publications = [publish.dataset_of(dataset, rows, metric_space)]
        if space:
            publications.append(publish.metric_of(space))
        if dry_run:
            _show_plans([hub.preview(publication) for publication in publications])
            return
        for publication in publications:
            _show_outcome(hub.push(publication))


def _show_plans(plans: "list[publish.Plan]") -> None:
    table = Table(title="Would be published", title_justify="left", header_style="bold")
    table.add_column("where")
    table.add_column("file", overflow="fold")
    for heading in ("rows", "bytes"):
        table.add_column(heading, justify="right")
    table.add_column("")
    for plan in plans:
        for change in plan.changes:
            rows = "" if change.rows is None else f"{change.rows:,}"
            table.add_row(plan.repository.name, change.path, rows, f"{change.size:,}", change.state)
        table.add_section()
    _widen(120)
    console.print(table, highlight=False)
    for plan in plans:
        if plan.note:
            unknown = f"What is there is not known: {escape(plan.note)}"
            errors.print(unknown, style="yellow", soft_wrap=True, highlight=False)
        elif plan.is_new:
            console.print(f"There is no {plan.repository.name} (that can be seen): it would be made.", highlight=False)
    console.print("Nothing was sent.")


def _show_outcome(outcome: "publish.Outcome") -> None:
    repository = outcome.plan.repository
    if outcome.commit_url is None:
        console.print(f"{repository}: nothing to do, all of it is there", highlight=False, soft_wrap=True)
        return
    sent = [change for change in outcome.plan.changes if change.state in ("new", "changed")]
    old = sum(change.state == "old" for change in outcome.plan.changes)
    size = sum(change.size for change in sent) / 1e6
    said = f"{len(sent)} new or changed files ({size:.1f} MB)" + (f", {old} old ones deleted" if old else "")
    console.print(f"{repository}: {said}: {repository.url}", highlight=False, soft_wrap=True)


def _pairs(option: str, texts: list[str] | None) -> dict[str, str]:
    """The names and values of a repeatable option."""
    from bap_v2_dataset.generation import GenerationError

    found: dict[str, str] = {}
    for text in texts or ():
        name, equals, value = text.partition("=")
        if not equals:
            raise GenerationError(f"{option} {text}: expected NAME=VALUE")
        found[name.strip()] = value.strip()
    return found


def _counted() -> Progress:
    return Progress(
        TextColumn("{task.description}"), BarColumn(), TextColumn("{task.completed:,} of {task.total:,}"),
        TimeElapsedColumn(), TimeRemainingColumn(), console=errors, transient=True, disable=not errors.is_terminal,
    )  # fmt: skip


@app.command()
def annotate(
    output: Annotated[Path, typer.Argument(help="The file of labels: .jsonl. What it holds already is kept.")],
    game: Annotated[list[str] | None, typer.Option(help="Only this game (repeatable). Default: all.")] = None,
    only: Annotated[
        str,
        typer.Option(help="unlabelled; all: also those that have a label; disagreements: of --from and --other."),
    ] = "unlabelled",
    earlier: Annotated[
        Path | None, typer.Option("--from", help="Labels to check: they are offered, and Enter accepts them.")
    ] = None,
    other: Annotated[Path | None, typer.Option(help="Labels that are compared with those of --from.")] = None,
    annotator: Annotated[str | None, typer.Option(help="A name that is written with every answer.")] = None,
    split: Annotated[str, typer.Option(help="train, validation or test.")] = "test",
    mdc: Annotated[
        Path | None, typer.Option(help="The corpus. Default: $BAP_V2_MDC, else the one that was set up.")
    ] = None,
) -> None:
    """Label the items of human games by hand, or check labels; every answer is saved at once."""
    from bap_v2_dataset import annotating, game_store
    from bap_v2_dataset.annotations import AnnotationError
    from bap_v2_dataset.mdc import SPLITS
    from bap_v2_simulators.game import read_games

    if split not in SPLITS.values():
        raise AnnotationError(f"unknown split {split!r} (expected one of {', '.join(SPLITS.values())})")
    with _progress(errors) as progress:
        task = progress.add_task("reading games", total=None)
        games = game_store.mdc_games(mdc, progress=lambda size: progress.advance(task, size))
    _widen(100)
    annotating.annotate(
        list(read_games(games.file(split))), output, console, annotating.keys,
        game_ids=game or (), only=only, earlier=earlier, other=other, annotator=annotator,
    )  # fmt: skip


@app.command()
def agreement(
    first: Annotated[
        Path | None,
        typer.Argument(help="Labels: .jsonl or .csv. Default: the two annotators of this project's labels."),
    ] = None,
    second: Annotated[
        Path | None, typer.Argument(help="Other labels of the same items. Default: this project's.")
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="List all disagreements.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")] = False,
) -> None:
    """Compare the labels of two annotators: raw agreement, Cohen's kappa, and where they differ."""
    import orjson

    from bap_v2_dataset.agreement import agreement_report, annotators_of, compared
    from bap_v2_dataset.annotations import OUR_LABELS, read_labels

    if first is None:
        found, names = annotators_of(), ("annotator A", "annotator B")
    else:
        found = tuple(read_labels(path, half_answered=True) for path in (first, second or OUR_LABELS))
        names = (first.name, "our labels" if second is None else second.name)
        if names[0] == names[1]:
            names = (str(first), str(second))
    comparison = compared(*found)
    if json:
        numbers = {"first": names[0], "second": names[1], **comparison.to_dict()}
        sys.stdout.buffer.write(orjson.dumps(numbers, option=orjson.OPT_INDENT_2) + b"\n")
    else:
        _widen(120)
        console.print(agreement_report(comparison, names, everything), highlight=False)


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
        sentence = None if os.environ.get("BAP_V2_TRACEBACK") else _sentence(error)
        if sentence is None:
            raise
        errors.print(f"[red]error:[/red] {escape(sentence)}", soft_wrap=True, highlight=False)
        sys.exit(1)


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """The error, what it came from, and so on."""
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _follows_an_interrupt(error: BaseException) -> bool:
    """Whether it failed only because of Ctrl-C: pools of processes answer that with errors of their own."""
    return any(isinstance(cause, KeyboardInterrupt) for cause in _causes(error))


def _sentence(error: Exception) -> str | None:
    """What the user can mend; None if it is an error of ours. Libraries hide the cause under errors of their own."""
    causes = list(_causes(error))
    own = next((cause for cause in causes if isinstance(cause, (ValueError, OSError))), None)
    named = next(filter(None, (getattr(c, "filename2", None) or getattr(c, "filename", None) for c in causes)), None)
    where = f" (writing {named})" if named else ""
    codes = {cause.errno for cause in causes if isinstance(cause, OSError)}
    # Of an error in another process only the text arrives.
    if codes & {errno.ENOSPC, errno.EDQUOT} or any(os.strerror(errno.ENOSPC) in str(cause) for cause in causes):
        return f"the disk is full{where}: free some space, or set HF_HOME to a folder on another disk"
    if codes & {errno.EROFS, errno.EACCES, errno.EPERM}:
        return f"{own}: it cannot be written or read; mend its permissions, or set HF_HOME to a folder of yours"
    return None if own is None else str(own)


def _say_stopped() -> None:
    if sys.argv[1:2] in (["generate"], ["annotate"]):
        errors.print("stopped; the same command goes on where it was")
    elif sys.argv[1:2] == ["push"]:
        errors.print("stopped; a repository is as it was or complete, and the same command sends the rest")
    else:
        errors.print("stopped; nothing unfinished was kept, and the same command starts anew")


if __name__ == "__main__":
    main()
