"""`bap-v2 generate`."""

import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bap_v2_dataset.cli.options import SIMULATORS, output_of
from bap_v2_dataset.cli.terminal import app, console, counting, one_a_core, say
from bap_v2_dataset.interface.table import TASKS, require_task

if TYPE_CHECKING:
    from bap_v2_dataset.generation.single_items import ItemSource
    from bap_v2_simulators.simulator import Simulator


GENERATED = [name for task in TASKS.values() if task.generates for name in task.configs]  # one item at a time
_CONFIGS = "".join(
    f"; of {task.title} {', '.join(names[:2])}{', ...' if names[2:] else ''}"
    for task in TASKS.values()
    if task.generates
    for names in [[name for name, config in task.configs.items() if not config.made_of]]
)


@app.command(words={"CONFIGS": _CONFIGS, "MADE": [*SIMULATORS, *GENERATED]})
def generate(
    simulator: str,
    output: Path | None = None,
    out: Path | None = None,
    games: int | None = None,
    items: int | None = None,
    split: str = "train",
    seed: int = 0,
    setting: list[str] | None = None,
    logs: bool = False,
    num_proc: int | None = None,
    overwrite: bool = False,
    settings: bool = False,
    engine: str | None = None,
    shard_games: int | None = None,
) -> None:
    """Write any number of simulated games or items as JSON lines or Parquet; a killed run is resumed."""
    from bap_v2_dataset.generation.workers import GenerationError

    # What is made, with the settings that the user chose.
    for_games = {"--games": games, "--logs": logs, "--engine": engine, "--shard-games": shard_games}
    source, values = _source_of(simulator, _settings(setting), for_games)
    if settings:
        for name, value in values.items():
            console.print(f"{name}={value}", highlight=False)
        return
    # Where to.
    if output is None and out is None:
        raise GenerationError("name the file to write: --out FILE.jsonl, or .parquet")
    output = output_of(output, out)
    request = {"split": split, "n_items": items, "seed": seed}
    processes = num_proc or one_a_core()
    if engine is not None:
        if engine != "datatrove":
            raise GenerationError(f"--engine {engine}: expected datatrove, or no --engine")
        if logs:
            raise GenerationError("--logs: whole games are written without --engine")
        _generate_shards(source, output, request | {"games": games, "shard_games": shard_games}, processes)
        return
    if shard_games:
        raise GenerationError("--shard-games needs --engine datatrove")
    request |= {"num_proc": processes, "overwrite": overwrite}
    _generate_file(source, output, request, None if simulator in GENERATED else games, logs)


def _source_of(
    name: str, settings: dict[str, str], for_games: Mapping[str, object]
) -> "tuple[Simulator | ItemSource, Mapping[str, Any]]":
    """Return the simulator, or what makes single items, and its settings.

    Args:
        for_games: options that only a simulator of games has, and what was passed.
    """
    from bap_v2_dataset.generation.workers import GenerationError
    from bap_v2_dataset.sentences import unknown_name
    from bap_v2_simulators.corpora import simulator_of
    from bap_v2_simulators.settings import settings_of

    # A simulator of games.
    if name in SIMULATORS:
        simulator = simulator_of(name, settings)
        return simulator, settings_of(simulator)
    # A config of a task whose items are made one at a time.
    if name not in GENERATED:
        single = [name for name in GENERATED if not require_task(name).configs[name].made_of]
        raise GenerationError(unknown_name("simulator", name, [*SIMULATORS, *single]))
    for option, given in for_games.items():
        if given:
            raise GenerationError(f"{option} is for games ({', '.join(SIMULATORS)}), and {name} has none: leave it out")
    source = require_task(name).source(name, settings)
    return source, source.settings


def _generate_file(
    source: "Simulator | ItemSource", output: Path, request: dict[str, Any], games: int | None, logs: bool
) -> None:
    """Generate one file."""
    from bap_v2_dataset.generation.simulated import write_simulated
    from bap_v2_dataset.generation.single_items import ItemSource, write_items
    from bap_v2_dataset.sentences import counted

    started = time.perf_counter()
    n_items = request["n_items"]
    # Write single items, or games, whose items are counted as they come.
    with counting() as progress:
        task = progress.add_task("items" if n_items or not games else "games", total=n_items or games or 1)
        if isinstance(source, ItemSource):
            write_items(source, output, **request, progress=lambda made: progress.advance(task, made))
            made = counted(n_items, "item")
        else:
            n_games, n_items = write_simulated(
                source, output, **request, games=games, kind="games" if logs else "rows",
                progress=lambda g, i: progress.advance(task, i if request["n_items"] else g),
            )  # fmt: skip
            made = f"{n_items:,} items of {n_games:,} games"
    # Say what was made, and how fast.
    seconds = time.perf_counter() - started
    speed = f"{seconds:.1f} s ({n_items / seconds:,.0f} items per second)"
    say(f"{output}: {made} in {speed}")


def _generate_shards(simulator: "Simulator", folder: Path, request: dict[str, Any], num_proc: int) -> None:
    """Generate a folder of shards by datatrove."""
    from bap_v2_dataset.generation.plan import plan_shards
    from bap_v2_dataset.generation.workers import GenerationError

    try:
        from bap_v2_dataset.generation.cluster import write_shards
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "datatrove":
            raise
        raise GenerationError('datatrove is not installed: pip install "datatrove>=0.10"') from None
    started = time.perf_counter()
    with counting() as progress:
        unit = "items" if request["n_items"] else "games"
        task = progress.add_task("counting games", total=request["n_items"] or request["games"])

        def count(games: int, items: int) -> None:
            progress.advance(task, items if unit == "items" else games)

        # Count the games that have the items; then play them.
        plan = plan_shards(simulator, folder, **request, num_proc=one_a_core(), progress=count)
        before = len(plan.finished())
        progress.reset(task, description=unit)
        manifest = write_shards(plan, num_proc, count)
    # Say what was made, and how fast.
    seconds = time.perf_counter() - started
    speed = f"{before} of the files were finished" if before else f"{manifest['items'] / seconds:,.0f} items per second"
    summary = f"{manifest['items']:,} items of {plan.games:,} games in {plan.shards} files, "
    say(f"{folder}: {summary}{manifest['bytes'] / 1e6:,.1f} MB, in {seconds:.1f} s ({speed})")


def _settings(texts: list[str] | None) -> dict[str, str]:
    """Return the names and values of `--set`."""
    from bap_v2_dataset.generation.workers import GenerationError

    pairs: dict[str, str] = {}
    for text in texts or ():
        name, equals, value = text.partition("=")
        if not equals:
            raise GenerationError(f"--set {text}: expected NAME=VALUE")
        pairs[name.strip()] = value.strip()
    return pairs
