"""Full games in the browser: a person is the Builder, and may let a simple Builder take a turn.

The game is in the browser (`play.js`): its map is drawn there, and every request has all turns up to now.
"""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import gradio as gr

from bap_v2_dataset.explorer import texts
from bap_v2_dataset.explorer.panels import QUIET, Changes, plot
from bap_v2_dataset.games.builders import BUILDERS, builder_of, usual_builder
from bap_v2_dataset.games.play import Session, problems_of
from bap_v2_dataset.items.verdict import LONGEST
from bap_v2_dataset.pictures.board_figure import plotly_figure, plotly_figures
from bap_v2_dataset.pictures.cubes import Look, best_fit, change, target_cubes
from bap_v2_dataset.pictures.drawing import RGB, ink_on
from bap_v2_dataset.pictures.html_document import asset
from bap_v2_dataset.sentences import counted
from bap_v2_metric.actions import execute
from bap_v2_metric.blocks import Y_MAX, Y_MIN, Color, Structure
from bap_v2_metric.errors import UserError
from bap_v2_metric.notation import format_structure, read_prediction
from bap_v2_simulators.corpus_table import PUBLISHED
from bap_v2_simulators.full_games.build_game import BuildGame, chat_and_actions

_SWATCHES = "\n".join(
    f"#color label:nth-of-type({number}) {{ border-left: 14px solid rgb{RGB[color]}; }}\n"
    f"#map button.{color.value} {{ background: rgb{RGB[color]}; color: rgb{ink_on(RGB[color])}; }}"
    for number, color in enumerate(Color, 1)
)
CSS = asset(__package__, "play.css") + _SWATCHES

START = Session("dss", 0)
ASPECT = 1.25  # of the 3D board, which `rotate_together.js` fits into what is narrower
_GIVEN_UP = "The Architect gave up: several corrections in a row did not help"
_LEGEND = (
    "▲ you: it points where you look · letters: blocks, pressing one takes it away · darker: a block below · "
    "dashes: not built yet · ✗: impossible · arrow keys lead from cell to cell"
)
_SHOWN = ("answer", "talk", "board", "problems", "state", "target")


def draw_game_tab(first: Session = START) -> None:
    """Draw the controls into the page that is open, and connect them."""
    controls = _layout(first)

    def answered(request: str) -> dict:
        try:
            return {controls[name]: change for name, change in answer(json.loads(request)).items()}
        except UserError as error:
            raise gr.Error(str(error)) from None

    # One request is answered after the other; the browser is told when it is, also after an error.
    outputs = [controls[name] for name in _SHOWN]
    event = controls["request"].change(answered, controls["request"], outputs, **QUIET, trigger_mode="multiple")
    for ended in (event.success, event.failure):
        ended(None, controls["answer"], None, js="(answer) => bapPlay.answered(answer)", **QUIET)


def answer(request: Mapping[str, Any]) -> Changes:
    """Return what the page shows after a request; `play.js` says what is in one, and in its answer.

    A turn of which a part cannot be carried out is not used up: it is typed again.

    Raises:
        SettingsError: for an unknown simulator, or a seed that is none.
        BuilderError: for an unknown Builder.
    """
    # The game up to now, and the turn that is asked for.
    session = Session(request["simulator"], int(request["seed"]), tuple(request["answers"]))
    game, turn, typed, problems = session.game(), request["turn"], request["typed"], []
    if request["builder"]:
        turn = builder_of(request["builder"], session.seed + len(session.answers))(game.row)
    elif turn is not None:
        turn = turn[:LONGEST]
        problems = (
            problems_of(turn, game.row["before"]) if turn.strip() else ["press cells of the map, or type actions"]
        )
    if turn is not None and game.is_over:
        problems = ["the game is over"]

    # It is played, or typed again.
    if turn is not None and not problems:
        game.play(turn)
        session = session.played(turn)
    elif problems:
        typed = "\n".join(filter(None, [turn.rstrip("\n"), typed]))

    # What is typed now, and what it would do.
    board = Structure.from_colors(game.board)
    after = execute(board, read_prediction(chat_and_actions(typed[:LONGEST])[1]).actions).after
    refused, pose = bool(problems), game.row["pose"]
    problems = ["nothing was built", *problems] if refused else problems_of(typed[:LONGEST], game.row["before"])
    told = {
        "number": request["number"], "simulator": session.simulator, "seed": str(session.seed),
        "answers": session.answers, "typed": typed, "refused": refused, "over": game.is_over,
        "board": format_structure(board), "after": format_structure(after), "pose": pose,
    }  # fmt: skip
    return {
        "answer": json.dumps(told),
        "board": plot(_figure(board, after, pose)),
        "problems": texts.problems_html(problems) if problems else "",
        "talk": _talk(game.row),
        "state": _state(session, game),
        "target": _target(game) if game.is_over else gr.update(visible=False),
    }


def _figure(board: Structure, after: Structure, pose: Mapping[str, float]) -> dict:
    cubes = [replace(cube, look=Look.NEW) if cube.look is Look.OLD else cube for cube in change(board, after)]
    (figure,) = plotly_figures([cubes], pose=pose, aspect=ASPECT)
    figure["layout"]["meta"]["aspect"] = ASPECT
    return figure


def _talk(row: Mapping[str, Any]) -> str:
    lines = [*row["history"], *row["dialogue"]]
    return (
        "<div class='talk' tabindex='0' role='region' aria-label='The game so far'>"
        f"{texts.lines_html(lines, 'nothing was said yet')}</div>"
    )


def _state(session: Session, game: BuildGame) -> str:
    """Say the goal, how much of it stands, and in the end how it ended."""
    result = game.result()
    blocks = result.tp + result.fn
    standing = f"{result.tp} of {counted(blocks, 'block')} stand" + f", {result.fp} wrong" * bool(result.fp)
    numbers = {"turn": result.turns if game.is_over else 0, "repair": result.repairs, "question": result.questions}
    counts = ", ".join([standing, *(counted(number, name) for name, number in numbers.items() if number)])
    end = "You built the target" if result.completed else _GIVEN_UP
    text = f"{end if game.is_over else f'{session.simulator}, game {session.seed}, turn {result.turns + 1}'}: {counts}."
    return texts.goal_html(blocks, result.tp, text)


def _target(game: BuildGame) -> Any:
    fitted = best_fit(game.target, Structure.from_colors(game.board))
    figure = plotly_figure(target_cubes(fitted), pose=game.row["pose"])
    return gr.update(value=plot(figure), visible=True)


def _layout(session: Session) -> dict[str, Any]:
    # Three columns: what was said | the board | what to do.
    first = answer(
        {"number": 0, "simulator": session.simulator, "seed": session.seed, "answers": session.answers, "turn": None,
         "builder": None, "typed": ""}
    )  # fmt: skip
    controls: dict[str, Any] = {
        "request": gr.Textbox(visible="hidden", elem_id="request"),
        "answer": gr.Textbox(first["answer"], visible="hidden", elem_id="answer"),
    }
    mine = {"interactive": True}  # what no event of the server has as its input
    with gr.Row(elem_id="game"):
        with gr.Column(elem_id="play-said"):
            controls["state"] = gr.HTML(first["state"], elem_id="state")
            controls["talk"] = gr.HTML(first["talk"], elem_id="talk")
            gr.Button("Ask: say that again", size="sm", elem_id="ask")
        with gr.Column(elem_id="play-board"):
            controls |= {
                "board": gr.Plot(first["board"], label="The board, and what you are about to do", elem_id="built"),
                "target": gr.Plot(
                    label="The target, which only the Architect saw", visible=False, elem_id="target-built"
                ),
            }
        with gr.Column(elem_id="play-to-do"):
            # The map types actions, the buttons play them.
            gr.Radio(
                [color.value for color in Color], value=Color.RED.value, label="Color", container=False,
                show_label=False, elem_id="color", **mine,
            )  # fmt: skip
            gr.Slider(Y_MIN, Y_MAX, value=Y_MIN, step=1, label="Level (y)", elem_id="level", **mine)
            gr.HTML("<div class='map'></div>", elem_id="map")
            gr.HTML(f"<p>{_LEGEND}</p>", elem_id="map-legend")
            with gr.Row():
                gr.Button("Build", variant="primary", size="sm", elem_id="build", min_width=80)
                gr.Button("Undo a line", size="sm", elem_id="undo", min_width=80, interactive=False)
                gr.Button("Undo a turn", size="sm", elem_id="back", min_width=80, interactive=False)
            controls["problems"] = gr.HTML(elem_id="problems")
            gr.Textbox(
                lines=3, elem_id="turn", label="Your turn: press cells of the map, or type actions",
                placeholder="place red 0 1 0\npick 0 1 0", **mine,
            )  # fmt: skip
        # A Builder that takes a turn, and another game.
        with gr.Column(elem_id="play-other"):
            with gr.Row():
                gr.Dropdown(
                    list(dict.fromkeys([usual_builder(lambda why: None), *BUILDERS])), value="symbolic",
                    label="Let another Builder", min_width=110, elem_id="builder", **mine,
                )  # fmt: skip
                gr.Button("play this turn", size="sm", elem_id="let")
            with gr.Row():
                gr.Dropdown(
                    [*PUBLISHED], value=session.simulator, label="Simulator", min_width=120, elem_id="simulator", **mine
                )
                gr.Number(session.seed, label="Game", precision=0, min_width=70, elem_id="seed", **mine)
                gr.Button("New game", size="sm", elem_id="new")
    return controls


def play_page(first: Session | None = None) -> gr.Blocks:
    """Return a page that has nothing but the game."""
    with gr.Blocks(title="BAP v2: build with an Architect", analytics_enabled=False, fill_width=True) as blocks:
        gr.Markdown(
            "# Build with an Architect\nYou are the Builder. The Architect knows the target, tells you what to build, "
            "sees what you built, and corrects it. [Builder Action Prediction v2](https://arxiv.org/abs/2501.10836)",
            elem_id="play-title",
        )
        draw_game_tab(first or START)
    return blocks
