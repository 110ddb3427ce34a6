"""`bap-v2 play`: full games with a simulated Architect that sees the board and corrects."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bap_v2_dataset.cli.terminal import app, console, counting, errors, widen

if TYPE_CHECKING:
    from bap_v2_simulators.full_games.build_game import BuildGame

_HELP = (
    "You are the Builder (▲, it looks up the page). Type actions, several with semicolons: "
    "place red 0 1 0; pick 0 1 0. <Builder> where? asks the Architect to say it again. Ctrl-D ends the game."
)


@app.command(rich_help_panel="Scores")
def play(
    simulator: Annotated[str, typer.Argument(help="Whose targets and words: dr, dsb or dss.", show_default=False)],
    builder: Annotated[
        str,
        typer.Option(help="Who builds: symbolic, symbolic_err25, stack, random, nothing, or you yourself: person."),
    ] = "symbolic",
    games: Annotated[int, typer.Option(help="Number of games.", min=1)] = 100,
    seed: Annotated[int, typer.Option(help="Seed of the first game; the others have the next ones.")] = 0,
    output: Annotated[
        Path | None, typer.Option(help="A .jsonl file for the games, one per line; it is resumed if it exists.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
    browser: Annotated[bool, typer.Option("--browser", help="Build yourself, on a page in the browser.")] = False,
) -> None:
    """Play full games: an Architect that sees the board and corrects, until the structure stands or it gives up."""
    from bap_v2_dataset.games.playing import Games
    from bap_v2_dataset.games.tables import games_json, games_table, print_games

    if browser:
        _play_in_browser(simulator, seed)
        return
    if builder == "person":
        _play_yourself(simulator, seed)
        return
    played = []
    with counting() as progress:
        task = progress.add_task("playing", total=games)
        for game in Games(simulator, builder, games, seed).records(output):
            played.append(game)
            progress.advance(task)
    systems = {(simulator, builder): played}
    if json:
        sys.stdout.buffer.write(games_json(systems))
    else:
        print_games(games_table(systems, "Full games"), console)


def _play_in_browser(simulator: str, seed: int) -> None:
    """Serves the page of the game until Ctrl-C."""
    from bap_v2_dataset.cli.explore import stay
    from bap_v2_dataset.explorer import server
    from bap_v2_dataset.games.session import Session

    first = Session(simulator, seed)
    first.game()  # of an unknown simulator nothing is served
    with errors.status("loading gradio"):
        address = server.serve_games(first, server.free_port(None))
    stay(address, None)


def _play_yourself(simulator: str, seed: int) -> None:
    """A game in the terminal: actions or `<Builder> ...`, several separated by semicolons; it ends with the input."""
    from bap_v2_dataset.games.session import Session

    session = Session(simulator, seed)
    game = session.game()
    widen(100)
    console.print(_HELP, style="dim", highlight=False, soft_wrap=True)
    heard = 0  # lines of the game that were printed
    while not game.is_over:
        row = game.row
        said = [*row["history"], *row["dialogue"]]
        console.print("\n".join(said[heard:]), markup=False, highlight=False, soft_wrap=True)
        heard = len(said)
        _print_board(game)
        line = sys.stdin.readline()
        if not line:
            break
        game.play(line.replace(";", "\n"))
    result = game.result()
    end = "The structure is built." if result.completed else "The structure is not built."
    console.print(f"{end} Turns: {result.turns}, repairs: {result.repairs}, questions: {result.questions}.")


def _print_board(game: "BuildGame") -> None:
    from bap_v2_dataset.pictures.terminal_board import board, builder_in_words
    from bap_v2_dataset.pictures.terminal_colors import palette_of
    from bap_v2_metric.blocks import Structure

    now = Structure.from_colors(game.board)
    console.print(builder_in_words(game.pose), style="dim", highlight=False, soft_wrap=True)
    console.print(board(now, now, game.pose, console.width, palette_of(console)), highlight=False)
