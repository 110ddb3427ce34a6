"""`bap-v2 show`: an item or a game as a picture."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from bap_v2_dataset.cli.options import Baselines
from bap_v2_dataset.cli.terminal import app, console, errors, widen
from bap_v2_metric.errors import UserError

if TYPE_CHECKING:
    from bap_v2_dataset.loading.lookup import Found
    from bap_v2_dataset.pictures.columns import Column

FORMATS = (".png", ".svg", ".html")


@app.command(rich_help_panel="Look")
def show(
    item_id: Annotated[
        str | None, typer.Argument(metavar="ID", help="Of an item, GAME/NUMBER, of any config.", show_default=False)
    ] = None,
    predictions: Annotated[
        list[str] | None,
        typer.Option(help="A file of predictions to show beside the result (repeatable). NAME=FILE names the model."),
    ] = None,
    baseline: Baselines = None,
    out: Annotated[
        Path | None, typer.Option(help="Write a figure (.png, .svg) or an interactive page (.html).")
    ] = None,
    game: Annotated[str | None, typer.Option(help="A game instead; with --out FILE.html an animated replay.")] = None,
    config: Annotated[str | None, typer.Option(help="Where the item is. Default: as the id says.")] = None,
    split: Annotated[str | None, typer.Option(help="train, validation or test. Default: where the id is.")] = None,
    labels: Annotated[
        str | None, typer.Option(help="Labels of the test items of mdc_v2. Default: those of the last set-up.")
    ] = None,
) -> None:
    """Show an item, what was said and built and what models predict: in the terminal, as a figure, as a page."""
    if (item_id is None) == (game is None):
        raise typer.BadParameter("name an item, e.g. dss-test-0/1, or a game with --game")
    if out is not None:
        _check_output(out, (".html",) if game else FORMATS)
    if game is not None:
        _show_game(game, out)
        return
    import datasets

    from bap_v2_dataset.evaluation.system_predictions import read_files
    from bap_v2_dataset.evaluation.systems import baseline_predictions
    from bap_v2_dataset.loading import lookup as sources
    from bap_v2_dataset.pictures.columns import item_columns

    datasets.disable_progress_bars()
    answers = read_files(predictions or ())
    holding = [its for its in answers if item_id in its.predictions]
    found = sources.item(item_id, config or (holding[0].config if holding else None), split, labels)
    texts = {its.system: its.predictions[item_id] for its in holding}
    for its in answers:
        if its not in holding:
            errors.print(f"{its.path} has no prediction for {item_id}", style="yellow", highlight=False, soft_wrap=True)
    texts |= {name: baseline_predictions(name, [found.row])[0] for name in baseline or ()}
    columns = item_columns(found.row, texts, found.earlier)
    several = ", several interpretations" if found.row["interpretations"] == "multiple" else ""
    whose = found.row["metadata"].get("annotation", {}).get("labels")
    subtitle = f"{found.config}, {found.split}{several}" + (f" · labels: {whose}" if whose else "")
    if out is None:
        _print_item(found, columns, subtitle)
    elif out.suffix.lower() == ".html":
        with _needing("plotly"):
            from bap_v2_dataset.pictures.page import page
        _write(out, page(columns, item_id, subtitle).encode())
    else:
        with _needing("matplotlib"):
            from bap_v2_dataset.pictures.figure import image
        _write(out, image(columns, item_id, subtitle, out.suffix.lower()[1:]))


def _print_item(found: "Found", columns: "list[Column]", subtitle: str) -> None:
    from bap_v2_dataset.pictures.text import item_text

    widen(100)
    console.print(Text(found.row["id"], "bold"), Text(subtitle, "dim"))
    for part in item_text(found.row, columns, console.width, console.color_system is not None):
        console.print(part, highlight=False)


def _show_game(name: str, out: Path | None) -> None:
    from bap_v2_dataset.loading import lookup as sources

    game = sources.game(name)
    if out is None:
        from bap_v2_dataset.pictures.text import game_text

        widen(100)
        for part in game_text(game, console.width, console.color_system is not None):
            console.print(part, highlight=False)
        return
    with _needing("plotly"):
        from bap_v2_dataset.pictures.replay import replay
    _write(out, replay(game).encode())


def _check_output(out: Path, suffixes: Sequence[str]) -> None:
    if out.suffix.lower() not in suffixes:
        raise typer.BadParameter(f"{out}: the name has to end in {' or '.join(suffixes)}", param_hint="--out")
    if not out.absolute().parent.is_dir():
        raise typer.BadParameter(f"there is no directory {out.absolute().parent}", param_hint="--out")
    if out.is_dir():
        raise typer.BadParameter(f"{out} is a directory: name a file", param_hint="--out")


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
    """Writes the file in one step: what is half-written is never taken for whole."""
    unfinished = out.with_name(f"{out.name}.unfinished")
    try:
        unfinished.write_bytes(data)
        os.replace(unfinished, out)
    finally:
        unfinished.unlink(missing_ok=True)
    errors.print(f"{out}: {len(data) / 1000:,.0f} kB", highlight=False, soft_wrap=True)
