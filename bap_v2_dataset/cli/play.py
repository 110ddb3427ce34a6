"""`bap-v2 play` and `play-games`: full games with a simulated Architect that sees the board and corrects."""

import sys
from collections.abc import Collection, Mapping
from contextlib import redirect_stdout
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from bap_v2_dataset.cli.models import PASSED_ON, run_script
from bap_v2_dataset.cli.terminal import app, console, counting, errors, print_plain, say, typed_lines
from bap_v2_dataset.interface.table import TASKS

if TYPE_CHECKING:
    from bap_v2_dataset.games.tables import Systems
    from bap_v2_simulators.full_games.build_game import BuildGame

PLAYED = tuple(next(iter(task.configs)) for task in TASKS.values() if task.played)  # turn by turn, by models
_HELP = (
    "You are the Builder (▲, it looks up the page). Type actions, several with semicolons: "
    "place red 0 1 0; pick 0 1 0. where? asks the Architect for other words, help shows this, quit ends the game."
)


@app.command()
def play(
    simulator: str,
    seed: int = 0,
    out: Path | None = None,
    browser: bool = False,
    port: int | None = None,
    host: str = "127.0.0.1",
) -> None:
    """Build yourself, with an Architect that sees the board and corrects: in the terminal or the browser."""
    from bap_v2_dataset.games.play import PlayError

    if browser and out:
        raise PlayError("--out is for games in the terminal: leave it out")
    if browser:
        _play_in_browser(simulator, seed, port, host)
    else:
        _play_yourself(simulator, seed, out)


@app.command("play-games", words={"PLAYED": ", ".join(PLAYED)}, context_settings=PASSED_ON)  # to the script of a model
def play_games(
    context: typer.Context,
    simulator: str,
    builder: str = "symbolic",
    model: str | None = None,
    games: int = 100,
    seed: int = 0,
    out: str | None = None,
    json: bool = False,
) -> None:
    """Let a rule or a model play full games: an Architect sees the board and corrects, until the structure stands."""
    from bap_v2_dataset.games.play import Games, PlayError
    from bap_v2_dataset.games.tables import games_json, games_table, systems_of
    from bap_v2_dataset.tables.fitted import fitted, print_report

    if simulator.startswith("-"):
        raise PlayError(f"{simulator} stands before the simulator: bap-v2 play-games dsb {simulator} ...")
    given = {name for name in context.params if context.get_parameter_source(name).name == "COMMANDLINE"}
    first_seed = seed if "seed" in given else None

    # Episodes of Plancraft: a script plays and prints.
    if simulator in PLAYED:
        _play_by_script(
            "play", context, {"model": model, "seed": first_seed, "out": out}, given & {"builder", "games", "json"},
            simulator,
        )  # fmt: skip
        return

    # Full games: a script plays with a model, rules play here.
    if model is not None or any(word.partition("=")[0] == "--config" for word in context.args):
        if out is None:
            raise PlayError("name the file that the games are written to: --out games.jsonl")
        out += "/" * ("," in simulator and not out.endswith("/"))
        options = {
            "model": model, "dataset-config": simulator, "games": games if "games" in given else None,
            "first-seed": first_seed, "out": out,
        }  # fmt: skip
        with redirect_stdout(sys.stderr):  # the standard output has the measures alone
            _play_by_script("play_games", context, options, given & {"builder"}, "--model")
        written = sorted(Path(out).glob("*.jsonl")) if Path(out).is_dir() else [Path(out)]
        systems: Systems = systems_of((None, path) for path in written)
    else:
        if context.args:
            raise PlayError(f"{context.args[0]}: there is no such option without --model")
        file = Path(out, f"{simulator}.jsonl") if out and out.endswith("/") else Path(out) if out else None
        with counting() as progress:
            records = Games(simulator, builder, games, seed).records(file)
            systems = {(simulator, builder): list(progress.track(records, total=games, description="playing"))}

    if json:
        print_plain(games_json(systems))
    else:
        print_report(fitted(games_table(systems, "Full games")), console)


def _play_by_script(
    name: str, context: typer.Context, options: Mapping[str, Any], refused: Collection[str], what: str
) -> None:
    """Run a script of bap_v2_training that lets a model play, with these options and what else was given.

    Args:
        refused: parameters that were given, and are not for `what`.
    """
    from bap_v2_dataset.games.play import PlayError

    if refused:
        raise PlayError(f"--{min(refused)} is not for {what}: leave it out")
    given = [word for option, value in options.items() if value is not None for word in (f"--{option}", str(value))]
    run_script(name, [*given, *context.args], shown="play-games")


def _play_in_browser(simulator: str, seed: int, port: int | None, host: str) -> None:
    """Serve the page of the game until Ctrl-C."""
    from bap_v2_dataset.cli.explore import serve_until_ctrl_c
    from bap_v2_dataset.explorer import server
    from bap_v2_dataset.games.play import Session

    first = Session(simulator, seed)
    first.game()  # of an unknown simulator nothing is served
    serve_until_ctrl_c(partial(server.serve_games, first), port, host)


def _play_yourself(simulator: str, seed: int, out: Path | None) -> None:
    """Play in the terminal until the game is over, the input ends or somebody types quit; it is then written."""
    from bap_v2_dataset.games.play import Games, PlayError, Session
    from bap_v2_simulators.atomic_files import check_file
    from bap_v2_simulators.game import write_games

    if out is not None:
        check_file(out)
        if out.exists():
            raise PlayError(f"{out} exists: choose another --out")
    game, answers = Session(simulator, seed).game(), []
    console.print(_HELP, style="dim", highlight=False)

    # Each turn: what is new in the game, the board, and what is typed.
    printed = 0  # lines of the game
    while not game.is_over:
        lines = [*game.row["history"], *game.row["dialogue"]]
        console.print("\n".join(lines[printed:]), markup=False, highlight=False)
        printed = len(lines)
        _print_board(game)
        text = _typed(game)
        if text is None:
            break
        game.play(text)
        answers.append(text)

    # The end: what became of it, and the file.
    _print_end(game)
    if out is not None:
        write_games([Games(simulator, "person", 1, seed).record(game, answers)], out)
        say(f"{out}: bap-v2 show --played {out}", to=errors)


def _typed(game: "BuildGame") -> str | None:
    """Read the next turn; None at the end. What cannot be done is said, and asked for again."""
    from bap_v2_dataset.games.play import problems_of

    for line in typed_lines():
        # A word that is no turn, or a question without its speaker.
        text = "\n".join(part.strip() for part in line.split(";") if part.strip())
        if text.lower() in ("quit", "exit"):
            return None
        if text.lower() in ("help", "?"):
            console.print(_HELP, style="dim", highlight=False)
            continue
        if text.endswith("?") and not text.startswith("<"):
            text = f"<Builder> {text}"

        # A turn is played if all of it can be carried out.
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
