"""Full games in the browser: a person is the Builder, and may let a simple Builder take a turn."""

from collections.abc import Mapping
from dataclasses import replace
from html import escape
from typing import Any

import gradio as gr

from bap_v2_dataset.explorer import texts
from bap_v2_dataset.explorer.panels import LATEST, QUIET, Changes, plot
from bap_v2_dataset.games.builders import BUILDERS, builder_of
from bap_v2_dataset.games.play import Session, problems_of
from bap_v2_dataset.items.verdict import LONGEST
from bap_v2_dataset.pictures.board_figure import plotly_figure, plotly_figures
from bap_v2_dataset.pictures.cubes import Look, best_fit, change, target_cubes
from bap_v2_dataset.pictures.drawing import RGB, ink_on
from bap_v2_metric.actions import Place, Remove, execute
from bap_v2_metric.blocks import X_MAX, X_MIN, Y_MAX, Y_MIN, Cell, Color, Structure
from bap_v2_metric.errors import UserError
from bap_v2_metric.notation import format_action, read_prediction
from bap_v2_simulators.corpus_table import PUBLISHED
from bap_v2_simulators.full_games.build_game import BuildGame, chat_and_actions
from bap_v2_simulators.view import Offset, View

_HALF = X_MAX  # the board is as deep as it is wide, and its center is 0, 0
assert X_MIN == -X_MAX

# A button of the map writes its action on a line of its own into the box, which tells the server.
PRESSED = """
    document.addEventListener("click", (event) => {
        const button = event.target.closest("#map button[data-action]");
        const box = button && document.querySelector("#turn textarea");
        if (!box) return;
        box.value = (box.value ? box.value.replace(/\\n*$/, "\\n") : "") + button.dataset.action;
        box.dispatchEvent(new Event("input", { bubbles: true }));
    });
"""
_SWATCHES = "\n".join(
    f"#color label:nth-of-type({number}) {{ border-left: 14px solid rgb{RGB[color]}; }}"
    for number, color in enumerate(Color, 1)
)
CSS = (
    _SWATCHES
    + """
#game { display: grid !important; gap: 10px; align-items: start; grid-template-columns: minmax(0, 1fr); }
#game > * { min-width: 0 !important; gap: 6px; }
#game .row > button { align-self: center; }
#game #color, #game #level { padding: 2px !important; border: none !important; box-shadow: none; outline: none; }
#color .wrap { gap: 4px; flex-wrap: nowrap; }
#color label { flex: 1 1 auto; padding: 4px 2px; font-size: 12px; border-radius: 3px; justify-content: center; }
#color label span { margin: 0; }
#color label.selected { outline: 2px solid var(--body-text-color); font-weight: 700; }
#color input { position: absolute; opacity: 0; }
#color label:focus-within { outline: 3px solid #1d4ed8; }
#map table { border-collapse: collapse; margin: 0 auto; }
#map table, #map tr { border: none !important; }
#map th { font-size: 11px; font-weight: 400; width: 24px; padding: 0; border: none; text-align: center; }
#map td { padding: 1px; border: none; }
#map button { width: 28px; height: 28px; border: 1px solid #8a9097; border-radius: 3px; font-size: 12px; padding: 0; }
#map button.empty { background: #eef0f2; color: #3d444b; }
#map button.below { background: #d5dadf; }
#map button.typed { outline: 2px dashed #1c1c1c; outline-offset: -4px; }
#map p { font-size: 12px; margin: 2px 0; text-align: center; }
#talk .talk { height: 300px; max-height: none; }
@media (max-width: 699px) {
    #play-title p { display: none; }
    #talk .talk { height: 96px; }
    #map button { width: 27px; height: 27px; }
    #play-to-do { order: -1; }
    #play-said { order: -2; }
}
@media (min-width: 700px) {
    #game { grid-template-columns: minmax(0, 1fr) 350px; }
    #play-to-do { grid-column: 2; grid-row: 1 / span 2; }
}
@media (min-width: 1200px) {
    #game { grid-template-columns: minmax(220px, 1fr) minmax(0, 1.4fr) 350px; }
    #play-to-do { grid-column: 3; grid-row: 1; }
}
"""
)


def map_html(board: Structure, level: int, color: Color, yaw: float, built: Structure | None = None) -> str:
    """Draw a level of the board, from the Builder's side: it looks up the page.

    Args:
        board: as it is after the actions that are typed.
        level: y, from 1.
        color: of the blocks that the buttons of empty cells place.
        yaw: of the Builder, in degrees.
        built: the board before them, where it is another.
    """
    # What the typed actions change.
    view, colors = View.of(yaw), board.colors()
    before = colors if built is None else built.colors()
    typed = {cell for cell in {**before, **colors} if before.get(cell) != colors.get(cell)}

    # Rows from far to near, cells from left to right, and their coordinates at the edges.
    along_z = view.away[1] != 0  # whether the rows differ in z
    rows, cells = [], []
    for away in range(_HALF, -_HALF - 1, -1):
        cells = [view.cell(Cell(0, level, 0), Offset(left, 0, away)) for left in range(_HALF, -_HALF - 1, -1)]
        number = f"<th scope='row'>{cells[0].z if along_z else cells[0].x}</th>"
        rows.append(f"<tr>{number}{''.join(_cell(cell, colors, color, cell in typed) for cell in cells)}</tr>")
    numbers = "".join(f"<th scope='col'>{cell.x if along_z else cell.z}</th>" for cell in cells)
    corner = "<th>z\\x</th>" if along_z else "<th>x\\z</th>"
    return (
        f"<table aria-label='Level {level} from above'>{''.join(rows)}<tr>{corner}{numbers}</tr></table>"
        "<p>▲ you look this way · letters: blocks, pressing one takes it away · dark: a block below · "
        "dashes: not built yet</p>"
    )


def _cell(cell: Cell, colors: dict[Cell, Color], color: Color, typed: bool) -> str:
    there = colors.get(cell)
    action = format_action(Place(color, cell) if there is None else Remove(cell))
    if there is None:
        kind = "empty below" if Cell(cell.x, cell.y - 1, cell.z) in colors else "empty"
        look, letter = f"class='{kind}{' typed' * typed}'", "·"
    else:
        style = f"background:rgb{RGB[there]};color:rgb{ink_on(RGB[there])}"
        look, letter = f"class='{'typed' * typed}' style='{style}'", there.value[0].upper()
    words = escape(action, quote=True)
    return f"<td><button {look} data-action='{words}' title='{words}' aria-label='{words}'>{letter}</button></td>"


START = Session("dss", 0)
_HEIGHT, _ASPECT = 420, 0.84  # fits a phone
_GIVEN_UP = "The Architect gave up: several corrections in a row did not help."
_SHOWN = ("talk", "board", "map", "problems", "state", "target", "turn", "build", "ask", "let", "back")
_PREVIEW = ("board", "map", "problems")


def draw_game_tab(first: Session = START) -> None:
    """Draw the controls into the page that is open, and connect them."""
    controls = _layout(first)
    session = controls["session"]
    view = [session, controls["turn"], controls["color"], controls["level"]]

    # An event calls a handler with the values of some controls; the handler returns what changes.
    def on(event: Any, handler: Any, inputs: list, outputs: tuple[str, ...], **options: Any) -> None:
        def called(*values: Any) -> dict:
            try:
                changes = handler(*values)
            except UserError as error:
                raise gr.Error(str(error)) from None
            return {controls[name]: change for name, change in changes.items()}

        event(called, inputs, [controls[name] for name in outputs], **QUIET, **options)

    # The buttons change the game, what is typed only what is shown of it.
    every = ("session", *_SHOWN)
    on(controls["new"].click, new_game, [controls["simulator"], controls["seed"], *view[2:]], every)
    on(controls["build"].click, build, view, every)
    on(controls["ask"].click, ask, view, every)
    on(controls["let"].click, let_play, [controls["builder"], *view], every)
    on(controls["back"].click, take_back, view, every)
    on(controls["turn"].change, preview, view, _PREVIEW, **LATEST)
    for name in ("color", "level"):
        on(controls[name].input, preview, view, _PREVIEW, **LATEST)
    on(controls["undo"].click, without_last_line, view, ("turn", *_PREVIEW))


def new_game(simulator: str, seed: float | None, color: str, level: int) -> Changes:
    """Show the first turn of a game."""
    return shown(Session(simulator, int(seed or 0)), color, level)


def build(session: Session, text: str, color: str, level: int) -> Changes:
    """Play the turn that is typed, unless a part of it cannot be carried out: then it stays, and is not used up."""
    game, text = session.game(), text[:LONGEST]
    problems = problems_of(text, game.row["before"]) if text.strip() else ["press cells of the map, or type actions"]
    if not problems:
        return shown(session.played(text), color, level)
    return {**shown(session, color, level, text), "problems": texts.problems_html(["nothing was built", *problems])}


def ask(session: Session, text: str, color: str, level: int) -> Changes:
    """Let the Architect say it again; what is typed stays."""
    return shown(session.played("<Builder> can you say that again?"), color, level, text)


def let_play(builder: str, session: Session, text: str, color: str, level: int) -> Changes:
    """Let a simple Builder play this turn."""
    answer = builder_of(builder, session.seed + len(session.answers))(session.game().row)
    return shown(session.played(answer), color, level)


def take_back(session: Session, text: str, color: str, level: int) -> Changes:
    """Take the last turn back; what is typed is lost."""
    return shown(session.taken_back(), color, level)


def without_last_line(session: Session, text: str, color: str, level: int) -> Changes:
    """Take away the last line that is typed."""
    fewer = "\n".join(text.rstrip("\n").split("\n")[:-1])
    return {"turn": fewer, **preview(session, fewer, color, level)}


def preview(session: Session, text: str, color: str, level: int) -> Changes:
    """Show what the typed actions would do: the board, its map, and what cannot be read or carried out."""
    return _preview(session.game(), text, color, level)


def _preview(game: BuildGame, text: str, color: str, level: int) -> Changes:
    board = Structure.from_colors(game.board)
    _, lines = chat_and_actions(text[:LONGEST])
    after = execute(board, read_prediction(lines).actions).after
    problems = problems_of(text[:LONGEST], game.row["before"])
    pose = game.row["pose"]
    cubes = [replace(cube, look=Look.NEW) if cube.look is Look.OLD else cube for cube in change(board, after)]
    (figure,) = plotly_figures([cubes], pose=pose, aspect=_ASPECT)
    return {
        "board": plot(figure, _HEIGHT),
        "map": map_html(after, int(level), Color(color), pose["yaw"], board),
        "problems": texts.problems_html(problems) if problems else "",
    }


def shown(session: Session, color: str, level: int, text: str = "") -> Changes:
    """Show all of a game.

    Args:
        text: of the turn that is typed.
    """
    game = session.game()
    over = game.is_over
    return {
        **_preview(game, text, color, level),
        "session": session,
        "turn": text,
        "talk": _talk(game.row),
        "state": texts.status_html(_state(session, game)),
        "target": _target(game) if over else gr.update(visible=False),
        **{name: gr.update(interactive=not over) for name in ("build", "ask", "let")},
        "back": gr.update(interactive=bool(session.answers)),
    }


def _talk(row: Mapping[str, Any]) -> str:
    lines = [*row["history"], *row["dialogue"]]
    return (
        "<div class='talk' tabindex='0' role='region' aria-label='The game so far'>"
        f"{texts.lines_html(lines, 'nothing was said yet')}</div>"
    )


def _state(session: Session, game: BuildGame) -> str:
    result = game.result()
    if not game.is_over:
        return f"{session.simulator}, game {session.seed}, turn {result.turns + 1}. Repairs so far: {result.repairs}."
    end = "You built the target." if result.completed else _GIVEN_UP
    counts = f"{result.turns} turns, {result.repairs} repairs, {result.questions} questions."
    blocks = "" if result.completed else f" {result.tp} of {result.tp + result.fn} blocks stand, {result.fp} are wrong."
    return f"{end} {counts}{blocks}"


def _target(game: BuildGame) -> Any:
    fitted = best_fit(game.target, Structure.from_colors(game.board))
    figure = plotly_figure(target_cubes(fitted), pose=game.row["pose"])
    return gr.update(value=plot(figure, _HEIGHT), visible=True)


def _layout(session: Session) -> dict[str, Any]:
    # Three columns: what was said | the board | what to do.
    first = shown(session, Color.RED.value, Y_MIN)
    controls: dict[str, Any] = {"session": gr.State(session)}
    with gr.Row(elem_id="game"):
        with gr.Column(elem_id="play-said"):
            controls["state"] = gr.HTML(first["state"], elem_id="state")
            controls["talk"] = gr.HTML(first["talk"], elem_id="talk")
            controls["ask"] = gr.Button("Ask: say that again", size="sm")
        with gr.Column():
            controls |= {
                "board": gr.Plot(first["board"], label="The board, and what you are about to do", elem_id="built"),
                "target": gr.Plot(
                    label="The target, which only the Architect saw", visible=False, elem_id="target-built"
                ),
            }
            # A Builder that takes a turn, and another game.
            with gr.Row():
                controls["builder"] = gr.Dropdown(
                    [*BUILDERS], value="symbolic", label="Let another Builder", min_width=110
                )
                controls["let"] = gr.Button("play this turn", size="sm")
            with gr.Row():
                controls["simulator"] = gr.Dropdown(
                    [*PUBLISHED], value=session.simulator, label="Simulator", min_width=120
                )
                controls["seed"] = gr.Number(session.seed, label="Game", precision=0, min_width=70)
                controls["new"] = gr.Button("New game", size="sm")
        with gr.Column(elem_id="play-to-do"):
            # The map types actions, the buttons play them.
            controls["color"] = gr.Radio(
                [color.value for color in Color], value=Color.RED.value, label="Color", container=False,
                show_label=False, elem_id="color",
            )  # fmt: skip
            controls["level"] = gr.Slider(Y_MIN, Y_MAX, value=Y_MIN, step=1, label="Level (y)", elem_id="level")
            controls["map"] = gr.HTML(first["map"], elem_id="map")
            with gr.Row():
                controls["build"] = gr.Button("Build", variant="primary", size="sm", elem_id="build", min_width=80)
                controls["undo"] = gr.Button("Undo a line", size="sm", min_width=80)
                controls["back"] = gr.Button("Undo a turn", size="sm", interactive=False, min_width=80)
            controls["problems"] = gr.HTML(elem_id="problems")
            controls["turn"] = gr.Textbox(
                lines=3, elem_id="turn", label="Your turn: press cells of the map, or type actions",
                placeholder="place red 0 1 0\npick 0 1 0",
            )  # fmt: skip
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
