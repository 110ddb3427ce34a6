"""`bap-v2 show`: an item or a game as a picture."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from bap_v2_dataset.cli.options import Baselines, Data
from bap_v2_dataset.cli.terminal import app, console, counting, errors, hide_progress_bars, widen
from bap_v2_metric.errors import UserError
from bap_v2_simulators.whole_files import OutputError, check_file, write_whole

if TYPE_CHECKING:
    from bap_v2_dataset.evaluation.systems_of_files import SystemPredictions
    from bap_v2_dataset.loading.own_splits import OwnData
    from bap_v2_dataset.pictures.columns import Column
    from bap_v2_dataset.tasks.building.lookup import LocatedItem
    from bap_v2_dataset.tasks.gsu.lookup import LocatedGsuItem
    from bap_v2_dataset.tasks.plancraft.lookup import LocatedTask

FORMATS = (".png", ".svg", ".pdf", ".html")
OF_GAMES = (".html", ".gif")
ALL_FORMATS = (*FORMATS, ".gif")


@app.command(rich_help_panel="Look")
def show(
    item_id: Annotated[
        str | None,
        typer.Argument(
            metavar="ID",
            help="Id of an item, GAME/NUMBER, of a variant, GAME~FAMILY-VARIANT/NUMBER, of an item of GSU, "
            "CONFIG-SPLIT-NUMBER, or of a task of Plancraft, TEST0000.",
            show_default=False,
        ),
    ] = None,
    predictions: Annotated[
        list[str] | None,
        typer.Option(help="A file of predictions to show beside the result (repeatable). NAME=FILE names the system."),
    ] = None,
    baseline: Baselines = None,
    data: Data = None,
    out: Annotated[
        Path | None,
        typer.Option(
            help="Write a figure (.png, .svg, .pdf) or an interactive page (.html); of Plancraft also an animation "
            "(.gif)."
        ),
    ] = None,
    game: Annotated[
        str | None, typer.Option(help="Show a whole game; with --out as a replay (.html) or an animation (.gif).")
    ] = None,
    played: Annotated[
        Path | None,
        typer.Option(
            help="A file of `bap-v2 play`: show its first game, or the one that --game names.",
            dir_okay=False,
        ),
    ] = None,
    config: Annotated[str | None, typer.Option(help="The config of the item. Default: read from the id.")] = None,
    split: Annotated[str | None, typer.Option(help="The split of the item. Default: the one that has the id.")] = None,
    labels: Annotated[
        str | None, typer.Option(help="Labels of the test items of mdc_v2. Default: those of the last setup.")
    ] = None,
) -> None:
    """Show an item with its dialogue, boards and model predictions: in the terminal, as a figure or a page."""
    is_game = game is not None or played is not None
    if (item_id is None) != is_game:
        raise typer.BadParameter("pass either an item, e.g. dss-test-0/1, or a game with --game or --played")
    if out is not None:
        _check_output(out, OF_GAMES if is_game else FORMATS if not _may_be_played(item_id, data) else ALL_FORMATS)
    if data is not None and (is_game or config or labels):
        raise typer.BadParameter("--data shows items of your own: leave out --game, --played, --config and --labels")
    if is_game:
        _show_game(game, played, out)
        return
    if data is None and _is_gsu(item_id):
        from bap_v2_dataset.tasks.gsu.lookup import gsu_item

        if labels is not None:
            raise typer.BadParameter("items of GSU have no labels: leave out --labels")
        _show_gsu(gsu_item(item_id, config, split), predictions or [], baseline or [], out)
        return
    if data is None and _may_be_played(item_id, data):
        from bap_v2_dataset.tasks.plancraft.lookup import plancraft_task

        if labels is not None:
            raise typer.BadParameter("tasks of Plancraft have no labels: leave out --labels")
        _show_plancraft(plancraft_task(item_id, config, split), predictions or [], baseline or [], out)
        return
    _show_item(item_id, predictions or [], baseline or [], config, split, labels, data, out)


def _may_be_played(item_id: str | None, data: str | None) -> bool:
    """Whether an id is one of Plancraft, or own data are given, which may be tasks of it."""
    if data is not None:
        return True
    from bap_v2_dataset.tasks.plancraft.ids import split_of_id

    return item_id is not None and split_of_id(item_id) is not None


def _show_plancraft(task: "LocatedTask", files: list[str], baselines: list[str], out: Path | None) -> None:
    from bap_v2_dataset.tasks.plancraft import show as show_plancraft

    if out is None:
        show_plancraft.task_text(task, files, baselines)
        return
    show_plancraft.check_output(out)
    with _needing("matplotlib"):
        data = show_plancraft.task_picture(task, files, baselines, out.suffix.lower())
    _write(out, data)


def _is_gsu(item_id: str) -> bool:
    """Whether an id is one of GSU. Nothing of it is imported for other ids."""
    if not item_id.startswith("gsu"):
        return False
    from bap_v2_dataset.tasks.gsu.lookup import is_gsu

    return is_gsu(item_id)


def _show_gsu(item: "LocatedGsuItem", files: list[str], baselines: list[str], out: Path | None) -> None:
    from bap_v2_dataset.tasks.gsu import show as show_gsu

    if out is None:
        show_gsu.item_text(item, files, baselines)
        return
    show_gsu.check_output(out)
    with _needing("matplotlib"):
        data = show_gsu.item_image(item, files, baselines, out.suffix.lower()[1:])
    _write(out, data)


def _show_item(
    item_id: str, files: list[str], baselines: list[str], config: str | None, split: str | None, labels: str | None,
    data: str | None, out: Path | None,
) -> None:  # fmt: skip
    from bap_v2_dataset.pictures.columns import item_columns
    from bap_v2_dataset.tasks.building import lookup

    own = _own_data(data, split)
    if own is not None and own.is_of("gsu"):
        from bap_v2_dataset.tasks.gsu.lookup import LocatedGsuItem

        located = lookup.own_item(own, item_id, split)
        _show_gsu(LocatedGsuItem(located.row, located.config, located.split, True), files, baselines, out)
        return
    if own is not None and own.is_of("plancraft"):
        from bap_v2_dataset.tasks.plancraft.lookup import LocatedTask

        located = lookup.own_item(own, item_id, split)
        _show_plancraft(LocatedTask(located.row, located.config, located.split), files, baselines, out)
        return
    if out is not None:
        _check_output(out, FORMATS)
    texts, answered = _predictions(files, item_id, own)
    own = own or (answered.data if answered and not config else None)
    if own is not None:
        item = _with_a_pose(lookup.own_item(own, item_id, split))
    else:
        item = lookup.item(item_id, config or (answered.config if answered else None), split, labels)
    texts |= _baseline_predictions(baselines, item.row)
    if item.parent is not None:
        _show_variant(item, texts, _of_parent(files, baselines, item.parent), out)
        return
    columns = item_columns(item.row, texts, item.earlier)
    if out is None:
        _print_item(item, columns, _subtitle(item))
    else:
        _draw(columns, item_id, _subtitle(item), out)


def _show_variant(item: "LocatedItem", texts: dict[str, str], of_parent: dict[str, str], out: Path | None) -> None:
    """A variant beside its parent; both boards are drawn from the parent's side."""
    from bap_v2_dataset.tasks.robustness.pictures.columns import variant_columns

    columns = variant_columns(item.parent, item.row, texts, of_parent)
    if out is not None:
        _draw(columns, item.row["id"], _subtitle(item), out, item.parent["pose"]["yaw"])
        return
    from bap_v2_dataset.pictures.terminal_colors import palette_of
    from bap_v2_dataset.pictures.text import variant_text

    widen(100)
    console.print(Text(item.row["id"], "bold"), Text(_subtitle(item), "dim"))
    for part in variant_text(item.parent, item.row, columns, console.width, palette_of(console)):
        console.print(part, highlight=False)


def _subtitle(item: "LocatedItem") -> str:
    several = ", multiple interpretations" if item.row["interpretations"] == "multiple" else ""
    annotation = item.row["metadata"].get("annotation")
    labels_name = annotation.get("labels") if isinstance(annotation, Mapping) else None
    return f"{item.config}, {item.split}{several}" + (f" · labels: {labels_name}" if labels_name else "")


def _draw(columns: "list[Column]", title: str, subtitle: str, out: Path, yaw: float | None = None) -> None:
    if out.suffix.lower() == ".html":
        with _needing("plotly"):
            from bap_v2_dataset.pictures.page import page
        _write(out, page(columns, title, subtitle, yaw=yaw).encode())
    else:
        with _needing("matplotlib"):
            from bap_v2_dataset.pictures.figure import image
        _write(out, image(columns, title, subtitle, out.suffix.lower()[1:], yaw=yaw))


def _of_parent(files: list[str], baselines: list[str], parent: Mapping[str, Any]) -> dict[str, str]:
    """By system the predictions for the parent of a variant, where the files have them."""
    texts = {}
    if files:
        from bap_v2_dataset.evaluation.systems_of_files import read_files

        texts = {
            file.label: file.predictions[parent["id"]] for file in read_files(files) if parent["id"] in file.predictions
        }
    return texts | _baseline_predictions(baselines, parent)


def _own_data(source: str | None, split: str | None) -> "OwnData | None":
    if source is None:
        return None
    from bap_v2_dataset.loading.own_data import read_data

    hide_progress_bars()
    return read_data(source, split)


def _with_a_pose(item: "LocatedItem") -> "LocatedItem":
    """The same, seen from the front if it is not known from where the Builder sees it."""
    from bap_v2_dataset.tasks.building.own_rows import VIEWPOINT

    if item.row["pose"] is None:
        errors.print("the item has no pose: the Builder is drawn at the front, looking at the board", style="yellow")
    rows = [row and {**row, "pose": row["pose"] or VIEWPOINT} for row in (item.row, item.earlier, item.parent)]
    return replace(item, row=rows[0], earlier=rows[1], parent=rows[2])


def _predictions(
    files: list[str], item_id: str, data: "OwnData | None"
) -> "tuple[dict[str, str], SystemPredictions | None]":
    """By system the predictions for the item, and the first file that has one."""
    if not files:
        return {}, None
    from bap_v2_dataset.evaluation.systems_of_files import read_files

    texts, first = {}, None
    for file in read_files(files, data):
        if item_id in file.predictions:
            texts[file.label] = file.predictions[item_id]
            first = first or file
        else:
            note = f"{file.path} has no prediction for {item_id}"
            errors.print(note, style="yellow", highlight=False, soft_wrap=True)
    return texts, first


def _baseline_predictions(names: list[str], row: Mapping[str, Any]) -> dict[str, str]:
    if not names:
        return {}
    from bap_v2_dataset.evaluation.scoring import baseline_predictions
    from bap_v2_dataset.tasks.building.task import BUILDING

    return {name: baseline_predictions(name, [row], BUILDING)[0] for name in names}


def _print_item(item: "LocatedItem", columns: "list[Column]", subtitle: str) -> None:
    from bap_v2_dataset.pictures.terminal_colors import palette_of
    from bap_v2_dataset.pictures.text import item_text

    widen(100)
    console.print(Text(item.row["id"], "bold"), Text(subtitle, "dim"))
    for part in item_text(item.row, columns, console.width, palette_of(console)):
        console.print(part, highlight=False)


def _show_game(name: str | None, played: Path | None, out: Path | None) -> None:
    """Shows a game, of a file of played ones or by its id."""
    from bap_v2_dataset.games.playing import in_words, played_game
    from bap_v2_dataset.tasks.building import lookup

    if played is None:
        game, note = lookup.game(name), ""
    else:
        game, of = played_game(played, name)
        note = in_words(game)
        if of > 1 and name is None:
            errors.print(f"the first of {of:,} games; --game ID shows another", style="dim", highlight=False)
    if out is None:
        from bap_v2_dataset.pictures.terminal_colors import palette_of
        from bap_v2_dataset.pictures.text import game_text

        widen(100)
        for part in game_text(game, console.width, palette_of(console)):
            console.print(part, highlight=False)
        if note:
            console.print(note, highlight=False, markup=False, style="bold")
        return
    if out.suffix.lower() == ".gif":
        with _needing("matplotlib"):
            from bap_v2_dataset.pictures.animation import animation
        with counting() as progress:
            task = progress.add_task("drawing frames", total=0)
            data = animation(game, lambda done, of: progress.update(task, completed=done, total=of))
        _write(out, data)
        return
    with _needing("plotly"):
        from bap_v2_dataset.pictures.replay import replay
    _write(out, replay(game, note).encode())


def _check_output(out: Path, suffixes: Sequence[str]) -> None:
    if out.suffix.lower() not in suffixes:
        listed = f"{', '.join(suffixes[:-1])} or {suffixes[-1]}"
        raise typer.BadParameter(f"{out}: the name has to end in {listed}", param_hint="--out")
    try:
        check_file(out)
    except OutputError as error:
        raise typer.BadParameter(str(error), param_hint="--out") from None


@contextmanager
def _needing(library: str) -> Iterator[None]:
    """Says how to get a library of the extra `pictures`."""
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] != library:
            raise
        raise UserError(f'this needs {library}: pip install "bap-v2[pictures]"') from None


def _write(out: Path, data: bytes) -> None:
    write_whole(out, data)
    errors.print(f"{out}: {len(data) / 1000:,.0f} kB", highlight=False, soft_wrap=True)
