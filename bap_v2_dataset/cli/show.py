"""`bap-v2 show`: an item or a game as a picture."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from bap_v2_dataset.cli.terminal import app, console, counting, errors, hide_progress_bars, say
from bap_v2_dataset.interface.table import TASKS, task_of_item, task_of_test
from bap_v2_dataset.items.prompts import REPRESENTATIONS
from bap_v2_dataset.sentences import visible
from bap_v2_simulators.atomic_files import OutputError, atomic_write, check_file

if TYPE_CHECKING:
    from bap_v2_dataset.evaluation.runs import SystemPredictions
    from bap_v2_dataset.interface.viewer import ItemLocation, Predicted
    from bap_v2_dataset.loading.own_splits import OwnData
    from bap_v2_dataset.pictures.picture import Picture

_RANDOM_OF = "dss"  # which needs no download
_EXAMPLES = ", ".join(f"{task.example_id} ({task.title})" for task in TASKS.values() if task.example_id)


@app.command(words={"EXAMPLES": _EXAMPLES, "RANDOM_OF": _RANDOM_OF, "INPUTS": ", ".join(REPRESENTATIONS)})
def show(
    item_id: str | None = None,
    predictions: list[str] | None = None,
    baseline: list[str] | None = None,
    data: str | None = None,
    out: Path | None = None,
    game: str | None = None,
    played: Path | None = None,
    config: str | None = None,
    split: str | None = None,
    labels: str | None = None,
    random: bool = False,
    prompt: str | None = None,
) -> None:
    """Show an item with its dialogue, boards and model predictions: in the terminal, as a figure or a page."""
    # Options that make sense together.
    is_game = game is not None or played is not None
    if (item_id is not None) + is_game + random != 1:
        raise typer.BadParameter(
            "pass an item, e.g. dss-test-0/1, or --random, or a game with --game or --played (one of these)"
        )
    if random and (data is not None or predictions):
        raise typer.BadParameter("--random shows an item of --config: leave out --data and --predictions")
    if prompt is not None and (is_game or out is not None or predictions or baseline):
        raise typer.BadParameter("--prompt prints the prompt of an item alone: leave out games, answers and --out")
    if data is not None and (is_game or config or labels):
        raise typer.BadParameter("--data shows items of your own: leave out --game, --played, --config and --labels")
    # A game, the prompt of an item, or an item.
    if is_game:
        from bap_v2_dataset.tasks.building.pictures.game import GamePicture

        _check_output(out, GamePicture.formats)
        _present(GamePicture(*_read_game(game, played)), out)
        return
    if random:
        config = config or _RANDOM_OF
        item_id = task_of_test(config).viewer.random_id(config, split)
        say(f"bap-v2 show {item_id} --config {config}", "dim", errors)
    if prompt is not None:
        from bap_v2_dataset.tasks.shown import located_item

        task, item = located_item(item_id, config, split, labels, _own_items(data, split))
        print(visible(task.viewer.prompt(item.row, prompt)), end="")
        return
    task = task_of_item(item_id, config)
    if data is None and labels is not None and not task.viewer.labeled:
        raise typer.BadParameter(f"items of {task.title} have no labels: leave out --labels")
    tasks = [task] if data is None else TASKS.values()
    _check_output(out, dict.fromkeys(suffix for task in tasks for suffix in task.viewer.formats))
    _present(_picture(item_id, predictions or [], baseline or [], config, split, labels, data, out), out)


def _picture(
    item_id: str, arguments: list[str], baselines: list[str], config: str | None, split: str | None,
    labels: str | None, data: str | None, out: Path | None,
) -> "Picture":  # fmt: skip
    """Draw the item with what files and baselines predict."""
    from bap_v2_dataset.tasks.shown import located_item, picture_of

    # Read the files; one that lacks the item is named.
    items = _own_items(data, split)
    files = []
    if arguments:
        from bap_v2_dataset.evaluation.answered_splits import read_files

        files = read_files(arguments, items)
    answering = [file for file in files if item_id in file.predictions]
    for file in files:
        if file not in answering:
            why = file.missing.get(item_id, "")
            note = f"{file.path} has no prediction for {item_id}{why and f' ({why})'}"
            say(note, "yellow", errors)
    # Find the item: what its id does not tell, the files do.
    if answering and config is None:
        items = items or answering[0].data
        if task_of_item(item_id).split_of_id(item_id) is None:
            config = answering[0].config
    task, item = located_item(item_id, config, split, labels, items)
    _check_output(out, task.viewer.formats)
    return picture_of(task, item, _predicted(files, item), baselines)


def _own_items(data: str | None, split: str | None) -> "OwnData | None":
    if data is None:
        return None
    from bap_v2_dataset.loading.own_data import read_data

    hide_progress_bars()
    return read_data(data, split)


def _predicted(files: "list[SystemPredictions]", item: "ItemLocation") -> "Mapping[str, Predicted]":
    """Return what systems predict for an item, and for the parent of a variant."""
    from bap_v2_dataset.interface.viewer import Predicted

    item_id, parent_id = item.row["id"], item.parent and item.parent["id"]
    of_parent = {file.label: file.predictions[parent_id] for file in files if parent_id in file.predictions}
    return {
        file.label: Predicted(file.predictions[item_id], of_parent.get(file.label), file.settings)
        for file in files
        if item_id in file.predictions
    }


def _read_game(name: str | None, played: Path | None) -> tuple:
    """Read a game, of a file of played ones or by its id; return it, and the note of its picture."""
    if played is None:
        game, note = task_of_item(name).viewer.game(name), ""
    else:
        from bap_v2_dataset.games.play import in_words, read_game

        game, of = read_game(played, name)
        note = in_words(game)
        if of > 1 and name is None:
            errors.print(f"the first of {of:,} games; --game ID shows another", style="dim", highlight=False)
    return game, note


def _present(picture: "Picture", out: Path | None) -> None:
    """Print or write a picture."""
    # In the terminal.
    if out is None:
        from bap_v2_dataset.pictures.terminal_colors import palette_of

        for part in picture.text(console.width, palette_of(console)):
            console.print(part, highlight=False)
        return
    # Or to a file, with a bar while frames are drawn.
    if remark := picture.remark(out.suffix.lower()):
        say(remark, "yellow", errors)
    with counting() as progress:

        def advance(done: int, of: int) -> None:
            if not progress.tasks:
                progress.add_task("drawing frames")
            progress.update(progress.tasks[0].id, completed=done, total=of)

        data = picture.data(out.suffix.lower(), progress=advance)
    atomic_write(out, data)
    say(f"{out}: {len(data) / 1000:,.0f} kB", to=errors)


def _check_output(out: Path | None, formats: Iterable[str]) -> None:
    if out is None:
        return
    from bap_v2_dataset.pictures.picture import PictureError, checked_suffix

    try:
        checked_suffix(out, formats)
        check_file(out)
    except (OutputError, PictureError) as error:
        raise typer.BadParameter(str(error), param_hint="--out") from None
