"""`bap-v2 play`: full games with a simulated Architect that sees the board and corrects."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from bap_v2_dataset.cli.terminal import app, console, counting


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
) -> None:
    """Play full games: an Architect that sees the board and corrects, until the structure stands or it gives up."""
    from bap_v2_dataset.games.playing import Games
    from bap_v2_dataset.games.tables import games_json, games_table, print_games

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


def _play_yourself(simulator: str, seed: int) -> None:
    """A game in the terminal: actions or `<Builder> ...`, several separated by semicolons; it ends with the input."""
    from bap_v2_simulators.corpora import simulator_of
    from bap_v2_simulators.full_games.build_game import BuildGame

    game = BuildGame(simulator_of(simulator), seed)
    while not game.is_over:
        row = game.row
        pose = ", ".join(f"{name} {value:.1f}" for name, value in row["pose"].items())
        lines = [*row["dialogue"], f"You stand at {pose}.", "Board: " + ("; ".join(row["before"]) or "empty")]
        console.print("\n".join(lines), markup=False, highlight=False, soft_wrap=True)
        line = sys.stdin.readline()
        if not line:
            break
        game.play(line.replace(";", "\n"))
    result = game.result()
    end = "The structure is built." if result.completed else "The structure is not built."
    console.print(f"{end} Turns: {result.turns}, repairs: {result.repairs}, questions: {result.questions}.")
