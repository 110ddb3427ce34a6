"""`bap-v2 setup`."""

import os
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from bap_v2_dataset import caches
from bap_v2_dataset.cli.options import MdcToSetUp
from bap_v2_dataset.cli.terminal import app, console, errors, one_a_core, read_human_games, widen
from bap_v2_dataset.sentences import counted
from bap_v2_dataset.tasks.robustness.task import BASE_OF as BASE_OF_ROBUST
from bap_v2_dataset.tasks.table import TASKS, all_configs, unknown_config
from bap_v2_dataset.tasks.task import Config

# Measured.
_MEGABYTES_OF_VARIANTS = {"robust_mdc_v2": 180, "robust_dr": 160, "robust_dsb": 160, "robust_dss": 70}
_MEGABYTES_OF_GSU = {"gsu_structure": 64, "gsu_combined": 32, "gsu": 114}
_MEGABYTES_OF_WALKS = 7  # and of each of the other configs of GSU
_MEGABYTES_OF_ARCHITECT = {"architect_dr": 66, "architect_dsb": 44, "architect_dss": 32, "architect_mdc": 30}
_MEGABYTES_OF_PLANCRAFT = {"plancraft": 6, "plancraft_oracle": 9}


@app.command(rich_help_panel="Data")
def setup(
    mdc: MdcToSetUp = None,
    labels: Annotated[
        str | None,
        typer.Option(
            help="Labels of the test items for mdc_v2: .jsonl or .csv, or [bold]ours[/bold]. "
            "Default: those of the last setup, else ours."
        ),
    ] = None,
    config: Annotated[
        list[str] | None,
        typer.Option("--config", "--configs", help="Only this config (repeatable). Default: all that can be set up."),
    ] = None,
    robust: Annotated[
        bool,
        typer.Option(
            "--robust", help="The configs of variants, robust_*, and those whose test items they are made of."
        ),
    ] = False,
    gsu: Annotated[bool, typer.Option("--gsu", help="The configs of Grid Spatial Understanding: gsu, gsu_*.")] = False,
    plancraft: Annotated[
        bool,
        typer.Option("--plancraft", help="The configs of Plancraft: plancraft, plancraft_oracle. Needs its package."),
    ] = False,
    architect: Annotated[
        bool,
        typer.Option(
            "--architect", help="The configs of the Architect's next utterance, architect_*, and what they are made of."
        ),
    ] = False,
    num_proc: Annotated[
        int | None, typer.Option(help="Processes that build rows. Default: one per core.", min=1)
    ] = None,
    rebuild: Annotated[bool, typer.Option("--rebuild", help="Build configs again that are set up already.")] = False,
    mdc_url: Annotated[
        str | None, typer.Option(help="For --mdc auto: a git repository with the corpus. Default: the public one.")
    ] = None,
) -> None:
    """Make load_dataset("bap_v2", ...) and evaluate.load("bap_v2") work from any directory, also offline."""
    import datasets

    from bap_v2_dataset.labels.label_file import read_labels
    from bap_v2_dataset.loading import install
    from bap_v2_dataset.loading.shards import SHARDS_PER_SPLIT
    from bap_v2_dataset.tasks.building.dataset import labels_path
    from bap_v2_metric import METRIC_VERSION

    started = time.perf_counter()
    if not errors.is_terminal:
        datasets.disable_progress_bars()
    known = all_configs()
    if unknown := set(config or ()) - known.keys():
        raise typer.BadParameter(unknown_config(min(unknown)))
    options = {"robust": robust, "gsu": gsu, "plancraft": plancraft, "architect": architect}
    chosen = {*(config or ()), *(name for task, given in options.items() if given for name in TASKS[task].configs)}
    chosen = chosen or {name for name in known if known[name].by_default}
    chosen.update(source for name in list(chosen) for source in known[name].made_of)
    configs = {name: known[name] for name in known if name in chosen}
    for option, value in (("labels", labels), ("mdc", mdc)):
        if value is not None and not any(option in config.arguments for config in configs.values()):
            users = ", ".join(name for name in known if option in known[name].arguments)
            raise typer.BadParameter(f"--{option} is for the configs {users}, and none of them is set up")
    if mdc_url is not None and mdc != "auto":
        raise typer.BadParameter("--mdc-url is for --mdc auto")
    if labels is not None:
        read_labels(labels_path(labels))  # errors in them appear before the long work
    processes = num_proc or min(one_a_core(), SHARDS_PER_SPLIT)
    table = Table(title="Set up", title_justify="left", header_style="bold")
    for heading in ("call", "what it loads"):
        table.add_column(heading, overflow="fold")
    if variants := [name for name in configs if name in BASE_OF_ROBUST]:
        size = sum(_MEGABYTES_OF_VARIANTS[name] for name in variants)
        note = "; robust_mdc_v2 needs the human corpus" if "robust_mdc_v2" in variants else ""
        console.print(
            f"Variants of test items: about {size} MB, and some minutes{note}.", highlight=False, soft_wrap=True
        )
    if grids := [name for name in configs if name in TASKS["gsu"].configs]:
        size = sum(_MEGABYTES_OF_GSU.get(name, _MEGABYTES_OF_WALKS) for name in grids)
        console.print(
            f"Grid Spatial Understanding: {counted(len(grids), 'config')}, about {size} MB.", highlight=False,
            soft_wrap=True,
        )  # fmt: skip
    changed: list[str] = []
    if crafts := [name for name in configs if name in TASKS["plancraft"].configs]:
        from bap_v2_dataset.tasks.plancraft.task_files import changed_files, digests

        changed = changed_files(digests())  # an error in the package appears before the long work
        size = sum(_MEGABYTES_OF_PLANCRAFT[name] for name in crafts)
        console.print(f"Plancraft: {counted(len(crafts), 'config')}, about {size} MB.", highlight=False, soft_wrap=True)
    if speakers := [name for name in configs if name in TASKS["architect"].configs]:
        size = sum(_MEGABYTES_OF_ARCHITECT[name] for name in speakers)
        note = "; architect_mdc needs the human corpus" if "architect_mdc" in speakers else ""
        console.print(
            f"Architect generation: {counted(len(speakers), 'config')}, about {size} MB{note}.", highlight=False,
            soft_wrap=True,
        )  # fmt: skip
    install.install_metric()
    table.add_row('evaluate.load("bap_v2")', f"the metric, version {METRIC_VERSION}")

    def synthetic() -> None:
        for name in configs:
            if "mdc" not in configs[name].arguments:
                folder = None if rebuild else install.installed(name)
                _add_config(table, name, folder or install.install_dataset(name, processes))

    notes: list[str] = []
    human = {name: of_config for name, of_config in configs.items() if "mdc" in of_config.arguments}
    if human:
        corpus = _downloaded(mdc_url) if mdc == "auto" else mdc
        notes = _set_up_human(table, human, corpus, labels, processes, bool(config), rebuild, synthetic)
    else:
        synthetic()
    widen(200)
    console.print(table)
    console.print(Text(f"in {caches.home()}"), soft_wrap=True)
    console.print(
        "Scripts: import bap_v2_dataset first, and neither call asks the Hub for the name.",
        style="dim", highlight=False, soft_wrap=True,
    )  # fmt: skip
    for note in [*notes, *(f"[yellow]{sentence}[/yellow]" for sentence in changed)]:
        (errors if note.startswith("[yellow]") else console).print(note, highlight=False, soft_wrap=True)
    if Path("bap_v2").is_dir():
        errors.print(
            "[yellow]There is a folder called bap_v2 in this directory: it shadows both names here. "
            "Rename it, or work elsewhere.[/yellow]"
        )
    console.print(f"{time.perf_counter() - started:.1f} s", style="dim", highlight=False)


def _downloaded(url: str | None) -> str:
    """The corpus from its public repository; says what is downloaded before it is."""
    from bap_v2_dataset.human import download

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
    table: Table, configs: Mapping[str, Config], mdc: str | None, labels: str | None, processes: int, required: bool,
    rebuild: bool, synthetic: Callable[[], None],
) -> list[str]:  # fmt: skip
    """Sets up the configs with human games, and the synthetic ones before the joint one; returns what was left out."""
    from bap_v2_dataset.analysis.stats import clean_test_counts
    from bap_v2_dataset.human import game_store
    from bap_v2_dataset.human.corpus_files import CorpusError
    from bap_v2_dataset.labels.label import AnnotationError
    from bap_v2_dataset.labels.label_file import OUR_LABELS, labels_name, read_labels
    from bap_v2_dataset.loading import install
    from bap_v2_dataset.tasks.building.dataset import labels_path
    from bap_v2_dataset.tasks.building.paper import PUBLISHED_ITEMS

    with game_store.only_set_up():
        try:
            games = read_human_games(mdc, console)
        except CorpusError:
            if mdc is not None or os.environ.get(game_store.CORPUS_VARIABLE) or required:
                raise
            synthetic()
            return [
                "The human corpus was not set up: pass [bold]--mdc PATH[/bold] or [bold]--mdc auto[/bold] for "
                f"{'the config' if len(configs) == 1 else 'the configs'} "
                f"{_listed([f'[bold]{name}[/bold]' for name in configs])}."
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
                    f"[yellow]{_listed(labeled)} were not set up: {escape(str(problem))}. Pass --labels.[/yellow]"
                )

        def folder_of(name: str) -> Path:
            folder = None if rebuild else install.installed(name, mdc, str(path))
            return folder or install.install_dataset(name, processes, mdc, str(path))

        for name in configs:
            if name == "all":
                continue
            rows = _add_config(table, name, folder_of(name))
            if name == "mdc" and rows != PUBLISHED_ITEMS:
                notes.append(
                    f"[yellow]This corpus is not the published one: it gives {rows}, that one {PUBLISHED_ITEMS}. "
                    "`bap-v2 stats` shows what was dropped.[/yellow]"
                )
        synthetic()
        if "all" in configs:
            _add_config(table, "all", folder_of("all"))
        game_store.choose(games, None if path == OUR_LABELS else path)  # last: until then the earlier choice stays
        if stale := install.discard_stale():
            notes.append(
                f"[yellow]Removed, because made with other games or labels: {', '.join(stale)}. "
                f"`bap-v2 setup{' --robust' if set(stale) <= set(BASE_OF_ROBUST) else ''}` makes them again.[/yellow]"
            )
    return notes


def _listed(names: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if names[1:] else names)


def _add_config(table: Table, name: str, folder: Path) -> dict[str, int]:
    import datasets

    rows = {split: info.num_examples for split, info in datasets.DatasetInfo.from_directory(str(folder)).splits.items()}
    sizes = " / ".join(f"{n:,} {split}" for split, n in rows.items())
    table.add_row(f'load_dataset("bap_v2", "{name}")', sizes)
    return rows
