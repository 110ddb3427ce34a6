"""`bap-v2 setup`."""

import os
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import typer
from rich.markup import escape

from bap_v2_dataset import caches
from bap_v2_dataset.cli.options import with_task_options
from bap_v2_dataset.cli.terminal import app, console, counting, errors, one_a_core, read_human_games, say
from bap_v2_dataset.interface.table import TASKS, all_configs, require_task, unknown_config
from bap_v2_dataset.interface.task import Config, Task
from bap_v2_dataset.sentences import counted, listed
from bap_v2_dataset.tables.fitted import WordTable


@app.command()
@with_task_options(lambda task: task.setup_help)
def setup(
    mdc: str | None = None,
    labels: str | None = None,
    config: list[str] | None = None,
    num_proc: int | None = None,
    rebuild: bool = False,
    mdc_url: str | None = None,
    tasks: Sequence[Task] = (),
) -> None:
    """Make load_dataset("bap_v2", ...) and evaluate.load("bap_v2") work from any directory, also offline."""
    # Check what was passed: errors appear before the long work, and a first line before the long imports.
    started = time.perf_counter()
    configs = _chosen(config or (), tasks)
    _check_options(configs, mdc=mdc, labels=labels)
    if mdc_url is not None and mdc != "auto":
        raise typer.BadParameter("--mdc-url is for --mdc auto")
    say(f"Setting up {counted(len(configs), 'config')}; the first time takes some minutes.", "dim")
    import datasets

    from bap_v2_dataset.labels.label_file import labels_path, read_labels
    from bap_v2_dataset.loading import install
    from bap_v2_dataset.loading.shards import SHARDS_PER_SPLIT
    from bap_v2_metric import METRIC_VERSION

    if not errors.is_terminal:
        datasets.disable_progress_bars()
    if labels is not None:
        read_labels(labels_path(labels))
    notes = list(_announced(configs))
    # Set up the metric and the configs.
    install.install_metric()
    table = WordTable(title="Set up")
    for heading in ("call", "what it loads"):
        table.add_column(heading, overflow="fold")
    table.add_row('evaluate.load("bap_v2")', f"the metric, version {METRIC_VERSION}")

    processes = num_proc or min(one_a_core(), SHARDS_PER_SPLIT)
    human = {name: of_config for name, of_config in configs.items() if "mdc" in of_config.arguments}
    if human:
        corpus = _download(mdc_url) if mdc == "auto" else mdc
        notes += _set_up_human(table, configs, human, corpus, labels, processes, bool(config), rebuild)
    else:
        _set_up(table, configs, processes, rebuild)
    # Say what can be called now, and what is left to do.
    console.print(table)
    say(f"in {caches.home()}")
    say("Scripts: import bap_v2_dataset first; then no call asks the Hub for it.", "dim")
    if Path("bap_v2").is_dir():
        notes.append(
            "[yellow]There is a folder called bap_v2 in this directory: it shadows both names here. "
            "Rename it, or work elsewhere.[/yellow]"
        )
    for note in notes:
        (errors if note.startswith("[yellow]") else console).print(note, highlight=False, soft_wrap=True)
    console.print(f"{time.perf_counter() - started:.1f} s", style="dim", highlight=False)


def _chosen(names: Sequence[str], tasks: Sequence[Task]) -> dict[str, Config]:
    """Return the configs of these names and tasks, or by default, and those that they are made of, in order."""
    configs = all_configs()
    if unknown := set(names) - configs.keys():
        raise typer.BadParameter(unknown_config(min(unknown)))
    chosen = {*names, *(name for task in tasks for name in task.configs)}
    chosen = chosen or {name for name in configs if configs[name].by_default}
    chosen.update(source for name in list(chosen) for source in configs[name].made_of)
    return {name: configs[name] for name in configs if name in chosen}


def _check_options(configs: Mapping[str, Config], **values: str | None) -> None:
    for option, value in values.items():
        if value is not None and not any(option in config.arguments for config in configs.values()):
            users = ", ".join(name for name, config in all_configs().items() if option in config.arguments)
            raise typer.BadParameter(f"--{option} is for the configs {users}, and none of them is set up")


def _announced(configs: Mapping[str, Config]) -> Iterator[str]:
    """Say how much will be set up of tasks that were asked for; notes of theirs are for the end."""
    for task in TASKS.values():
        chosen = {name: config for name, config in task.configs.items() if name in configs and not config.by_default}
        if not chosen:
            continue
        yield from (f"[yellow]{escape(note)}[/yellow]" for note in task.check_setup())
        size = sum(config.megabytes for config in chosen.values())
        sentence = f"{task.title}: {counted(len(chosen), 'config')}, about {size} MB"
        if human := [name for name, config in chosen.items() if "mdc" in config.arguments]:
            sentence += f"; {listed(human)} needs the human corpus"
        say(f"{sentence}.")


def _set_up(
    table: WordTable, configs: Mapping[str, Config], processes: int, rebuild: bool, mdc: str | None = None,
    labels: str | None = None,
) -> dict[str, dict[str, int]]:  # fmt: skip
    """Make what is missing of the configs, add them to the table, and return their rows by split."""
    import datasets

    from bap_v2_dataset.loading import install
    from bap_v2_dataset.loading.builder import DamagedRowsError

    rows = {}
    for number, name in enumerate(configs, start=1):
        # What is there is compared with what was written.
        try:
            folder = None if rebuild else install.installed(name, mdc, labels, thorough=True)
        except DamagedRowsError as damaged:
            folder = None
            say(f"{damaged.folder}: {damaged.cause}", "yellow", errors)
        if folder is None:
            say(f"{number} of {len(configs)}: making the rows of {name} ...", "dim")
            folder = install.install_dataset(name, processes, mdc, labels)
        splits = datasets.DatasetInfo.from_directory(str(folder)).splits.items()
        rows[name] = {split: info.num_examples for split, info in splits}
        sizes = " / ".join(f"{n:,} {split}" for split, n in rows[name].items())
        table.add_row(f'load_dataset("bap_v2", "{name}")', sizes)
    return rows


def _download(url: str | None) -> str:
    """Download the corpus from its public repository; say what is downloaded before it is."""
    from bap_v2_dataset.human import download

    with counting() as progress:
        task = progress.add_task("downloading files", total=len(download.manifest()))
        folder = download.downloaded(
            url or download.URL,
            announce=say,
            progress=lambda done: progress.update(task, completed=done),
        )
    return str(folder)


def _set_up_human(
    table: WordTable, configs: Mapping[str, Config], human: Mapping[str, Config], mdc: str | None, labels: str | None,
    processes: int, required: bool, rebuild: bool,
) -> list[str]:  # fmt: skip
    """Set up configs, some with human games, which are left out without a corpus; return notes for the end."""
    from bap_v2_dataset.human import game_store
    from bap_v2_dataset.human.corpus_files import CorpusError
    from bap_v2_dataset.labels.label import AnnotationError
    from bap_v2_dataset.labels.label_file import OUR_LABELS, labels_name, labels_path, read_labels
    from bap_v2_dataset.loading import install
    from bap_v2_dataset.tasks.building.corpus_stats import clean_test_counts
    from bap_v2_dataset.tasks.building.paper import PUBLISHED_ITEMS

    with game_store.only_set_up():
        # Without a corpus that was asked for, only the others.
        try:
            games = read_human_games(mdc, console, mend=True)
        except CorpusError:
            if mdc is not None or os.environ.get(game_store.CORPUS_VARIABLE) or required:
                raise
            _set_up(table, {name: config for name, config in configs.items() if name not in human}, processes, rebuild)
            names = listed([f"[bold]{name}[/bold]" for name in human])
            return [
                "The human corpus was not set up: pass [bold]--mdc PATH[/bold] or [bold]--mdc auto[/bold] for "
                f"{'the config' if len(human) == 1 else 'the configs'} {names}."
            ]
        # A corpus and labels that are named are read first: errors in them appear before the long work.
        notes = []
        path = labels_path(labels)
        if labeled := [name for name, config in configs.items() if "labels" in config.arguments]:
            try:
                clean_test_counts(games, read_labels(path))
                notes.append(f"The test items of mdc_v2 have the labels: {escape(labels_name(path))}.")
            except AnnotationError as problem:
                if labels is not None or required:
                    raise
                configs = {name: config for name, config in configs.items() if name not in labeled}
                notes.append(
                    f"[yellow]{listed(labeled)} were not set up: {escape(str(problem))}. Pass --labels.[/yellow]"
                )
        # Build the rows.
        rows = _set_up(table, configs, processes, rebuild, mdc, str(path))
        given = {split: number for split, number in rows.get("mdc", {}).items() if split in PUBLISHED_ITEMS}
        if given not in ({}, PUBLISHED_ITEMS):
            notes.append(
                f"[yellow]This corpus is not the published one: it gives {given}, that one {PUBLISHED_ITEMS}. "
                "`bap-v2 stats` shows what was dropped.[/yellow]"
            )
        game_store.choose(games, None if path == OUR_LABELS else path)  # last: until then the earlier choice stays
        if stale := install.discard_stale():
            commands = dict.fromkeys(f"`{require_task(name).setup_command(name)}`" for name in stale)
            notes.append(
                f"[yellow]Removed, because made with other games or labels: {', '.join(stale)}. "
                f"{listed(list(commands))} {'makes' if len(commands) == 1 else 'make'} them again.[/yellow]"
            )
    return notes
