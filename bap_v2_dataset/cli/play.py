"""`bap-v2 play`: full games with a simulated Architect that sees the board and corrects."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bap_v2_dataset.cli.options import Host, Port
from bap_v2_dataset.cli.terminal import app, console, counting, errors, say

if TYPE_CHECKING:
    from bap_v2_simulators.full_games.build_game import BuildGame

_HELP = (
    "You are the Builder (▲, it looks up the page). Type actions, several with semicolons: "
    "place red 0 1 0; pick 0 1 0. where? asks the Architect to say it again, help shows this, quit ends the game."
)


@app.command(rich_help_panel="Scores")
def play(
    simulator: Annotated[str, typer.Argument(help="Whose targets and words: dr, dsb or dss.", show_default=False)],
    builder: Annotated[
        str,
        typer.Option(help="Who builds: symbolic, symbolic_err25, stack, random, nothing, or you yourself: person."),
    ] = "symbolic",
    games: Annotated[int | None, typer.Option(help="Number of games. Default: 100; 1 for a person.", min=1)] = None,
    seed: Annotated[int, typer.Option(help="Seed of the first game; the others have the next ones.", min=0)] = 0,
    output: Annotated[
        Path | None, typer.Option(help="A .jsonl file for the games, one per line; it is resumed if it exists.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
    browser: Annotated[bool, typer.Option("--browser", help="Build yourself, on a page in the browser.")] = False,
    port: Port = None,
    host: Host = "127.0.0.1",
) -> None:
    """Play full games: an Architect that sees the board and corrects, until the structure stands or it gives up."""
    from bap_v2_dataset.games.playing import Games, PlayError
    from bap_v2_dataset.games.tables import games_json, games_table, print_games

    if browser or builder == "person":
        unused = {"--games": games not in (None, 1), "--json": json, "--output": browser and output,
                  "--builder": browser and builder not in ("symbolic", "person")}  # fmt: skip
        if given := [name for name, value in unused.items() if value]:
            raise PlayError(f"{given[0]} is not for {'--browser' if browser else 'a person'}: leave it out")
        if browser:
            _play_in_browser(simulator, seed, port, host)
        else:
            _play_yourself(simulator, seed, output)
        return
    games = games or 100
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


def _play_in_browser(simulator: str, seed: int, port: int | None, host: str) -> None:
    """Serves the page of the game until Ctrl-C."""
    from bap_v2_dataset.cli.explore import check_place, stay
    from bap_v2_dataset.explorer import server
    from bap_v2_dataset.games.playing import Session

    check_place(port, host)
    first = Session(simulator, seed)
    first.game()  # of an unknown simulator nothing is served
    with errors.status("loading gradio"):
        address = server.serve_games(first, server.free_port(port, host), host)
    stay(address, None)


def _play_yourself(simulator: str, seed: int, output: Path | None) -> None:
    """A game in the terminal, until it is over, the input ends or somebody types quit; it is then written."""
    from bap_v2_dataset.games.playing import Games, PlayError, Session
    from bap_v2_simulators.game import write_games
    from bap_v2_simulators.whole_files import check_file

    if output is not None:
        check_file(output)
        if output.exists():
            raise PlayError(f"{output} exists: choose another --output")
    game, answers = Session(simulator, seed).game(), []
    console.print(_HELP, style="dim", highlight=False)
    heard = 0  # lines of the game that were printed
    while not game.is_over:
        lines = [*game.row["history"], *game.row["dialogue"]]
        console.print("\n".join(lines[heard:]), markup=False, highlight=False)
        heard = len(lines)
        _print_board(game)
        text = _typed(game)
        if text is None:
            break
        game.play(text)
        answers.append(text)
    _print_end(game)
    if output is not None:
        write_games([Games(simulator, "person", 1, seed).record(game, answers)], output)
        say(f"{output}: bap-v2 show --played {output}", to=errors)


def _typed(game: "BuildGame") -> str | None:
    """The next turn that somebody types; None at the end. What cannot be done is said, and asked for again."""
    from bap_v2_dataset.games.playing import problems_of

    def asked() -> str:
        console.print("> ", end="", style="bold")
        return sys.stdin.readline()

    for line in iter(asked, ""):
        text = "\n".join(part.strip() for part in line.split(";") if part.strip())
        if text.lower() in ("quit", "exit"):
            return None
        if text.lower() in ("help", "?"):
            console.print(_HELP, style="dim", highlight=False)
            continue
        if text.endswith("?") and not text.startswith("<"):
            text = f"<Builder> {text}"
        problems = problems_of(text, game.row["before"])
        for problem in problems:
            say(problem, "yellow", errors)
        if text and not problems:
            return text
        errors.print("nothing was played: type the turn again", style="dim", highlight=False)
    return None


def _print_end(game: "BuildGame") -> None:
    result = game.result()
    blocks = f"{result.tp} of {result.tp + result.fn} blocks of the target stand, {result.fp} are wrong."
    gave_up = "The Architect gave up: several corrections in a row did not help. " if game.is_over else ""
    end = "You built the target." if result.completed else f"{gave_up}{blocks}"
    console.print(
        f"{end} Turns: {result.turns}, repairs: {result.repairs}, questions: {result.questions}.", highlight=False
    )


def _print_board(game: "BuildGame") -> None:
    from bap_v2_dataset.pictures.terminal_board import board, builder_in_words
    from bap_v2_dataset.pictures.terminal_colors import palette_of
    from bap_v2_metric.blocks import Structure

    now = Structure.from_colors(game.board)
    say(builder_in_words(game.pose), "dim")
    console.print(board(now, now, game.pose, console.width, palette_of(console)), highlight=False)
