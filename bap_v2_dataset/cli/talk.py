"""`bap-v2 talk`: a person is the Architect, and a Builder answers, in the terminal or on a page."""

import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from bap_v2_dataset.cli.explore import check_place, serve_until_ctrl_c
from bap_v2_dataset.cli.models import PASSED_ON
from bap_v2_dataset.cli.terminal import app, console, errors, say, typed_lines
from bap_v2_metric.errors import UserError

if TYPE_CHECKING:
    from bap_v2_dataset.games.talk import Talk, Talker
    from bap_v2_metric.blocks import Structure

_HELP = (
    "Type what the Builder (▲, it looks up the page) shall build: put a red block in the middle. /back takes a turn "
    "back, /other shows another answer to the same words, /save FILE writes the game, /help shows this, /quit ends."
)
_print = partial(console.print, highlight=False, markup=False)  # folded to the terminal's width


@app.command(context_settings=PASSED_ON)
def talk(
    context: typer.Context,
    model: str | None = None,
    target: str | None = None,
    browser: bool = False,
    port: int | None = None,
    host: str = "127.0.0.1",
) -> None:
    """Tell a Builder what to build, turn by turn, and see what it does: in the terminal or the browser."""
    from bap_v2_dataset.explorer import server
    from bap_v2_dataset.games.builders import usual_builder
    from bap_v2_dataset.games.talk import Talk, Talker, talker_of

    # The target comes first: to load a model takes longer.
    model = model or usual_builder(partial(say, to=errors))
    begun = Talk.begun(Talker(model, lambda row: NotImplemented), target or "")
    if browser:
        server.import_gradio()
        check_place(port, host)
    with errors.status("loading libraries and the model"):
        talker = talker_of(model, context.args)
    if browser:
        serve_until_ctrl_c(partial(server.serve_talk, talker, begun), port, host)
        return
    try:
        _talk_here(talker, begun)
    except KeyboardInterrupt:
        console.print()


def _talk_here(talker: "Talker", talk: "Talk") -> None:
    """Talk in the terminal until the input ends or somebody types /quit. What cannot be done is said."""
    _print(_HELP, style="dim")
    _print_board(talk, talk.board)
    for line in typed_lines():
        if not sys.stdin.isatty():
            say(line)  # of a pipe, too
        before, (command, _, file) = talk, line.strip().partition(" ")
        try:
            if command == "/quit":
                break
            if command == "/help":
                _print(_HELP, style="dim")
            elif command == "/save":
                try:
                    _save(talk, file.strip())
                except (OSError, RuntimeError) as error:  # the disk is full, or it is in nobody's home
                    raise UserError(f"{file}: {error}") from error
            elif command in ("/back", "/other"):
                talk = talk.back() if command == "/back" else talk.other()
            elif command.startswith("/"):
                raise UserError(f"unknown command {command} (expected /back, /other, /save FILE, /help or /quit)")
            else:
                talk = talk.said(line, talker)
        except UserError as error:
            say(str(error), "yellow", errors)
        except KeyboardInterrupt:
            say("stopped: nothing was built; /quit ends the talk", "yellow", errors)
        if talk is not before:
            _print_turn(talk, is_new=len(talk.turns) > len(before.turns))


def _save(talk: "Talk", file: str) -> None:
    from bap_v2_simulators.atomic_files import check_file
    from bap_v2_simulators.game import write_games

    path = Path(file).expanduser()
    if not file or path.exists():
        raise UserError(f"{file} exists: choose another name" if file else "name the file: /save talk.jsonl")
    check_file(path)
    write_games([talk.game], path)
    say(f"{path}: bap-v2 show --played {path}", to=errors)


def _print_turn(talk: "Talk", is_new: bool) -> None:
    """Print what the last turn has done, and the board. Args: is_new: its words are looked at for the first time."""
    from rich.text import Text

    from bap_v2_simulators.full_games.build_game import chat_and_actions

    if not talk.turns:
        _print_board(talk, talk.board)
        return
    # Words that the Builder has never seen are underlined, also where there are no styles; then what it says.
    turn, outcome = talk.turns[-1], talk.outcomes[-1]
    if turn.unseen and is_new:
        words = enumerate(turn.words.split(), 1)
        _print(*(Text(f"_{word}_", "underline") if place in turn.unseen else word for place, word in words))
    for line in chat_and_actions(turn.reply.text)[0]:
        _print(line)
    # What it does.
    _print(outcome.sentence, style="bold")
    if outcome.before != outcome.after or not is_new:
        _print_board(talk, outcome.before)


def _print_board(talk: "Talk", before: "Structure") -> None:
    """Print the board with what has changed since `before`, beside or below the target, and how far it is from that."""
    from rich.table import Table

    from bap_v2_dataset.pictures.terminal_board import LEVEL, board, builder_in_words, only_blocks
    from bap_v2_dataset.pictures.terminal_colors import palette_of

    palette, width, shown = palette_of(console), console.width, []
    if talk.target:
        target = only_blocks(talk.shown, talk.pose, max(LEVEL, width // 2), palette)
        shown, taken = [target], max(line.cell_len for line in target.split()) + 2
        width = width - taken if width - taken >= LEVEL else width
    shown.insert(0, board(before, talk.board, talk.pose, width, palette))
    if width < console.width:
        beside = Table.grid(padding=(0, 2, 0, 0))
        beside.add_row(*shown)
        shown = [beside]
    elif talk.target:
        shown.insert(1, "The target:")
    _print(builder_in_words(talk.pose) + "; the target is at the right" * (width < console.width), style="dim")
    for part in filter(None, [*shown, talk.distance]):
        _print(part)
