"""`bap-v2 generate`."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bap_v2_dataset.cli.options import SIMULATORS, Output, Overwrite, among, output_of
from bap_v2_dataset.cli.terminal import app, console, counting, one_a_core, print_plain, say
from bap_v2_dataset.interface.table import TASKS, require_task

if TYPE_CHECKING:
    from bap_v2_dataset.generation.single_items import Source
    from bap_v2_simulators.simulator import Simulator


GENERATED = [name for task in TASKS.values() if task.generates for name in task.configs]  # one item at a time
_CONFIGS = "".join(
    f"; of {task.title} {', '.join(names[:2])}{', ...' if names[2:] else ''}"
    for task in TASKS.values()
    if task.generates
    for names in [[name for name, config in task.configs.items() if not config.made_of]]
)


@app.command()
def generate(
    simulator: Annotated[
        str,
        typer.Argument(
            help=f"dr, dsb, dss or dh{_CONFIGS}.",
            autocompletion=among([*SIMULATORS, *GENERATED]),
        ),
    ],
    output: Output = None,
    out: Annotated[
        Path | None, typer.Option(help="The file to write: .jsonl or .parquet. With --engine datatrove: a folder.")
    ] = None,
    games: Annotated[
        int | None, typer.Option(help="Number of games, of dr, dsb, dss or dh; or pass --items.", min=1)
    ] = None,
    items: Annotated[int | None, typer.Option(help="Number of items; or pass --games.", min=1)] = None,
    split: Annotated[
        str, typer.Option(help="train, validation or test: they share no target structure, no walk and no scene.")
    ] = "train",
    seed: Annotated[int, typer.Option(help="Seed of the games or items: any integer.")] = 0,
    setting: Annotated[
        list[str] | None,
        typer.Option("--set", help="A setting, e.g. talk.clarification=0.5, most_steps=8 (repeatable)."),
    ] = None,
    logs: Annotated[bool, typer.Option("--logs", help="Write whole games, one per line, instead of rows.")] = False,
    num_proc: Annotated[
        int | None,
        typer.Option(help="Processes (default: one per core); on Slurm and Ray, tasks at once (default: all).", min=1),
    ] = None,
    overwrite: Overwrite = False,
    settings: Annotated[bool, typer.Option("--settings", help="Show the settings and write nothing.")] = False,
    engine: Annotated[
        str | None, typer.Option(help="datatrove: write a folder of Parquet files, on one machine or on many.")
    ] = None,
    executor: Annotated[str, typer.Option(help="Where datatrove runs: local, slurm or ray.")] = "local",
    tasks: Annotated[
        int | None,
        typer.Option(help="Parts of the work; any number gives the same files. Default for local: --num-proc.", min=1),
    ] = None,
    shard_games: Annotated[
        int | None, typer.Option(help="Games per file. Default: those with about 16,000 items.", min=1)
    ] = None,
    logging_dir: Annotated[
        Path | None, typer.Option(help="Folder of datatrove's logs. Default: .generation in the output.")
    ] = None,
    slurm: Annotated[
        list[str] | None,
        typer.Option(help="An option of sbatch, e.g. partition=cpu, time=02:00:00, account=me (repeatable)."),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show the Slurm script and write nothing.")] = False,
) -> None:
    """Write any number of simulated games or items as JSON lines or Parquet; a killed run is resumed."""
    from bap_v2_dataset.generation.workers import GenerationError
    from bap_v2_dataset.sentences import unknown_name
    from bap_v2_simulators.corpora import simulator_of
    from bap_v2_simulators.settings import settings_of

    for_games = {"--games": games, "--logs": logs, "--engine": engine}
    for_engine = {
        "--executor": executor != "local", "--tasks": tasks, "--shard-games": shard_games,
        "--logging-dir": logging_dir, "--slurm": slurm, "--dry-run": dry_run,
    }  # fmt: skip
    if simulator in GENERATED:
        for option, given in (for_games | for_engine).items():
            if given:
                raise GenerationError(
                    f"{option} is for games ({', '.join(SIMULATORS)}), and {simulator} has none: leave it out"
                )
        source = require_task(simulator).source(simulator, _pairs("--set", setting))
        values = source.settings
    elif simulator in SIMULATORS:
        source = simulator_of(simulator, _pairs("--set", setting))
        values = settings_of(source)
    else:
        single = [name for name in GENERATED if not require_task(name).configs[name].made_of]
        raise GenerationError(unknown_name("simulator", simulator, [*SIMULATORS, *single]))
    if settings:
        for name, value in values.items():
            console.print(f"{name}={value}", highlight=False)
        return
    if output is None and out is None:
        raise GenerationError("name the file to write: --out FILE.jsonl, or .parquet")
    output = output_of(output, out)
    if engine is not None:
        if engine != "datatrove":
            raise GenerationError(f"--engine {engine}: expected datatrove, or no --engine")
        if logs:
            raise GenerationError("--logs: whole games are written without --engine")
        request = {"split": split, "games": games, "n_items": items, "seed": seed, "shard_games": shard_games}
        options = _pairs("--slurm", slurm)
        _generate_shards(source, output, request, executor, tasks, num_proc, logging_dir, options, dry_run)
        return
    if any(for_engine.values()):
        *names, last = for_engine
        raise GenerationError(f"{', '.join(names)} and {last} need --engine datatrove")
    settings_of_file = {
        "split": split, "n_items": items, "seed": seed, "num_proc": num_proc or one_a_core(), "overwrite": overwrite,
    }  # fmt: skip
    _generate_file(source, output, settings_of_file, None if simulator in GENERATED else games, logs)


def _generate_file(
    source: "Simulator | Source", output: Path, request: dict[str, Any], games: int | None, logs: bool
) -> None:
    """`generate` of one file."""
    from bap_v2_dataset.generation.simulated import write_simulated
    from bap_v2_dataset.generation.single_items import Source, write_items
    from bap_v2_dataset.sentences import counted

    started = time.perf_counter()
    n_items = request["n_items"]
    with counting() as progress:
        task = progress.add_task("items" if n_items or not games else "games", total=n_items or games or 1)
        if isinstance(source, Source):
            write_items(source, output, **request, progress=lambda made: progress.advance(task, made))
            made = counted(n_items, "item")
        else:
            n_games, n_items = write_simulated(
                source, output, **request, games=games, kind="games" if logs else "rows",
                progress=lambda g, i: progress.advance(task, i if request["n_items"] else g),
            )  # fmt: skip
            made = f"{n_items:,} items of {n_games:,} games"
    seconds = time.perf_counter() - started
    speed = f"{seconds:.1f} s ({n_items / seconds:,.0f} items per second)"
    say(f"{output}: {made} in {speed}")


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
    from bap_v2_dataset.generation.plan import plan_of_request, request_for
    from bap_v2_dataset.generation.workers import GenerationError

    try:
        from bap_v2_dataset.generation import cluster
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "datatrove":
            raise
        raise GenerationError('datatrove is not installed: pip install "datatrove>=0.10"') from None
    if executor not in cluster.EXECUTORS:
        raise GenerationError(f"--executor {executor}: expected one of {', '.join(cluster.EXECUTORS)}")
    if executor != "slurm" and (slurm or dry_run):
        raise GenerationError(f"{'--slurm' if slurm else '--dry-run'} is for --executor slurm")
    if executor == "local":
        tasks = tasks or num_proc or one_a_core()
    elif tasks is None:
        raise GenerationError(f"pass the number of parts of the work: --executor {executor} --tasks N")
    logs = cluster.logs_of(folder, tasks, logging_dir)
    recorded = request_for(simulator, folder, **request)
    if executor == "slurm":
        script = cluster.slurm_script(tasks, num_proc, logs, slurm)  # also checks the options
        if dry_run:
            print_plain(script)
            return
    cluster.check_executor(executor)
    started = time.perf_counter()
    with counting() as progress:
        unit = "items" if request["n_items"] else "games"
        task = progress.add_task("counting games", total=request["n_items"] or request["games"])

        def count(games: int, items: int) -> None:
            progress.advance(task, items if unit == "items" else games)

        plan = plan_of_request(simulator, folder, recorded, one_a_core(), count)
        before = len(plan.finished())
        progress.reset(task, description=unit)
        cluster.log_to_file(logs)
        if executor == "slurm":
            job = cluster.submit_to_slurm(plan, tasks, num_proc, logs, slurm)
        elif executor == "ray":
            manifest = cluster.run_on_ray(plan, tasks, num_proc, logs, count)
        else:
            manifest = cluster.run_here(plan, tasks, num_proc or one_a_core(), logs, count)
    if executor == "slurm":
        summary = f"{plan.shards} files of {plan.games:,} games"
        if job is None:
            summary += ": all of them are finished"
        else:
            summary += f", {before} of them finished; job {job} makes the others, and manifest.json last. Logs: {logs}"
    else:
        seconds = time.perf_counter() - started
        speed = (
            f"{before} of the files were finished" if before else f"{manifest['items'] / seconds:,.0f} items per second"
        )
        summary = f"{manifest['items']:,} items of {plan.games:,} games in {plan.shards} files, "
        summary += f"{manifest['bytes'] / 1e6:,.1f} MB, in {seconds:.1f} s ({speed})"
    say(f"{folder}: {summary}")


def _pairs(option: str, texts: list[str] | None) -> dict[str, str]:
    """The names and values of a repeatable option."""
    from bap_v2_dataset.generation.workers import GenerationError

    pairs: dict[str, str] = {}
    for text in texts or ():
        name, equals, value = text.partition("=")
        if not equals:
            raise GenerationError(f"{option} {text}: expected NAME=VALUE")
        pairs[name.strip()] = value.strip()
    return pairs
