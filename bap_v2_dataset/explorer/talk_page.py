"""A person is the Architect on a page: they type, a Builder builds, and the page says how sure it was.

The whole talk is on the page, and comes back with every request: nothing of a visitor is kept here.
"""

from dataclasses import asdict, replace
from typing import Any

import gradio as gr
import msgspec

from bap_v2_dataset.explorer import texts
from bap_v2_dataset.explorer.game_tab import ASPECT
from bap_v2_dataset.explorer.panels import QUIET, Changes, plot
from bap_v2_dataset.games.talk import EXAMPLES, Talk, Talker
from bap_v2_dataset.pictures.board_figure import plotly_figures
from bap_v2_dataset.pictures.cubes import Cube, Look, change, target_cubes
from bap_v2_dataset.pictures.html_document import asset
from bap_v2_dataset.sentences import counted
from bap_v2_metric.actions import Action, Place, Remove
from bap_v2_metric.blocks import Cell
from bap_v2_metric.errors import UserError
from bap_v2_metric.notation import format_action, parse_action
from bap_v2_simulators.full_games.build_game import chat_and_actions

_SHOWN = ("talk-state", "log", "state", "talk", "built", "target-built", "sure", "back", "other")
_SAVE = """(log) => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([log + "\\n"]));
    link.download = `${JSON.parse(log).game_id}.jsonl`;
    link.click();
}"""
_CLEARED = """(state, typed) => {
    const said = typed.trim().split(/\\s+/).join(" ");
    return said && JSON.parse(state).turns.at(-1)?.words === said ? "" : typed;
}"""  # what was typed while the Builder thought stays
_TURN = asset(__package__, "turn_boards.js")


def talk_page(talker: Talker, first: Talk) -> gr.Blocks:
    """Return the page. Args: talker: who builds. first: the talk that it opens with."""
    with gr.Blocks(title="BAP v2: talk to a Builder", analytics_enabled=False, fill_width=True) as blocks:
        gr.Markdown(
            f"# Talk to a Builder\nYou are the Architect: say what to build, in small steps. The Builder is "
            f"`{talker.name}`. [Builder Action Prediction v2](https://arxiv.org/abs/2501.10836)",
            elem_id="play-title",
        )
        controls = _layout(first)
        _wire(controls, talker)
    return blocks


def shown(talk: Talk) -> Changes:
    """Return what the page shows of a talk."""
    boards = [considered_cubes(talk), target_cubes(talk.shown)]
    figures = plotly_figures(boards, pose=asdict(talk.pose), aspect=ASPECT)
    for figure in figures:
        figure["layout"]["meta"]["aspect"] = ASPECT
    board, target = map(plot, figures)
    return {
        "talk-state": msgspec.json.encode(talk).decode(),
        "log": talk.game.to_json().decode(),
        "state": _state(talk),
        "talk": _said(talk),
        "built": board,
        "target-built": {"value": target, "visible": bool(talk.target)},
        "sure": _sure(talk),
        "back": gr.update(interactive=bool(talk.turns)),
        "other": gr.update(interactive=bool(talk.turns and talk.turns[-1].reply.others)),
    }


def considered_cubes(talk: Talk) -> list[Cube]:
    """Return the board after the last turn, with how likely what was done was, and what else the Builder considered."""
    if not talk.turns:
        return []
    outcome, likely = talk.outcomes[-1], _likelihoods(talk)
    cubes = []
    for cube in change(outcome.before, outcome.after):
        there, removal = cube.look is Look.OLD, Remove(cube.cell)
        share = likely.get(Place(cube.color, cube.cell) if cube.look is Look.NEW else removal)
        look = Look.CONSIDERED if there and share else cube.look
        cubes.append(replace(cube, look=look, removal=cube.removal or bool(there and share), likelihood=share))
    # Of several blocks for a cell the likeliest.
    free: dict[Cell, Cube] = {}
    for action, share in likely.items():
        if isinstance(action, Place) and outcome.after.color_at(action.cell) is None:
            free.setdefault(action.cell, Cube(action.cell, action.color, Look.CONSIDERED, likelihood=share))
    return [*cubes, *free.values()]


def _likelihoods(talk: Talk) -> dict[Action, float]:
    """Return the likelihoods of the last turn, the highest first."""
    ordered = sorted(talk.turns[-1].reply.likelihoods.items(), key=lambda one: -one[1])
    return {parse_action(line): share for line, share in ordered}


def _state(talk: Talk) -> str:
    did = f"{talk.outcomes[-1].sentence}. " if talk.turns else ""
    text = f"{did}{talk.distance or counted(len(talk.turns), 'turn')}."
    return texts.goal_html(len(talk.target), talk.standing, text) if talk.target else texts.status_html(text)


def _said(talk: Talk) -> str:
    """Format a line for each turn, and what it did; words that the Builder has never seen are underlined."""
    lines, marked = [], []
    for turn, outcome in zip(talk.turns, talk.outcomes, strict=True):
        chat = chat_and_actions(turn.reply.text)[0]
        lines += [f"<Architect> {turn.words}", *chat, outcome.sentence]
        marked += [turn.unseen, *[()] * len(chat), ()]
    note = "<p><i>Underlined: words that the Builder has never seen.</i></p>" * any(marked)
    return (
        "<div class='talk' tabindex='0' role='region' aria-label='The talk so far'>"
        f"{texts.lines_html(lines, 'nothing was said yet', marked)}{note}</div>"
    )


def _sure(talk: Talk) -> str:
    """List the likelihoods of the last turn: what the faint blocks say when they are pressed, for all to read."""
    if not talk.turns:
        return ""
    lines = []
    for action, share in _likelihoods(talk).items():
        done = talk.board.color_at(action.cell) == (action.color if isinstance(action, Place) else None)
        lines.append(f"<li>{share:.0%} <code>{format_action(action)}</code>{' (done)' * done}</li>")
    if not lines:
        return "<p>This Builder does not say how sure it is.</p>"
    title = f"How sure it was: {counted(len(lines), 'action')}"
    return f"<details><summary>{title}</summary><ul>{''.join(lines)}</ul></details>"


def _layout(first: Talk) -> dict[str, Any]:
    # The board | what was said, and what to say | the target, and other things.
    values = shown(first)
    mine = {"interactive": True}
    controls: dict[str, Any] = {
        name: gr.Textbox(values[name], visible="hidden", elem_id=name) for name in ("talk-state", "log")
    }
    with gr.Row(elem_id="talk-page"):
        with gr.Column(elem_id="talk-board"):
            controls["state"] = gr.HTML(values["state"], elem_id="state")
            controls["built"] = gr.Plot(values["built"], label="The board, and what it considered", elem_id="built")
            with gr.Row():
                controls["left"] = gr.Button("Turn left", size="sm", elem_id="turn-left")
                controls["right"] = gr.Button("Turn right", size="sm", elem_id="turn-right")
            controls["sure"] = gr.HTML(values["sure"], elem_id="sure")
        with gr.Column(elem_id="talk-said"):
            controls["talk"] = gr.HTML(values["talk"], elem_id="talk")
            controls["said"] = gr.Textbox(label="Say what to build", lines=1, max_lines=4, elem_id="said", **mine)
            controls["say"] = gr.Button("Say it", size="sm", elem_id="say")
            with gr.Row():
                controls["back"] = gr.Button("Back one turn", size="sm", elem_id="back-turn", interactive=False)
                controls["other"] = gr.Button("Other answer", size="sm", elem_id="other", interactive=False)
                controls["save"] = gr.Button("Save", size="sm", elem_id="save")
            gr.HTML("<p>To begin, press one after the other:</p>")
            controls["examples"] = [
                gr.Button(text, size="sm", elem_id=f"example-{number}", elem_classes="example")
                for number, text in enumerate(EXAMPLES)
            ]
        with gr.Column(elem_id="talk-more"):
            target = values["target-built"]
            controls["target-built"] = gr.Plot(label="The target", elem_id="target-built", **target)
            controls["target"] = gr.Textbox(
                first.target_id, label="Target: the id of a game, or empty", placeholder="dss-test-3",
                elem_id="target-id", **mine,
            )  # fmt: skip
            controls["new"] = gr.Button("New talk", size="sm", elem_id="new-talk")
    return controls


def _wire(controls: dict[str, Any], talker: Talker) -> None:
    """Connect what is pressed and typed to the talk: one event, so that nothing begins while the Builder thinks."""
    say = dict.fromkeys((controls["said"], controls["say"]), lambda talk, said, target: talk.said(said, talker))
    new = dict.fromkeys((controls["target"], controls["new"]), lambda talk, said, target: Talk.begun(talker, target))
    examples = {
        button: lambda talk, said, target, words=words: talk.said(words, talker)
        for button, words in zip(controls["examples"], EXAMPLES, strict=True)
    }
    turned = {
        controls["back"]: lambda talk, said, target: talk.back(),
        controls["other"]: lambda talk, said, target: talk.other(),
    }
    changes = say | new | examples | turned

    def changed(event: gr.EventData, state: str, said: str, target: str) -> dict:
        pressed = event.target.elem_id  # it is a copy, where the control was changed since
        change = next(change for control, change in changes.items() if control.elem_id == pressed)
        try:
            after = shown(change(msgspec.json.decode(state, type=Talk), said, target))
        except UserError as error:
            raise gr.Error(str(error)) from None
        after |= {"target-built": gr.update(**after["target-built"])}
        return {controls[name]: value for name, value in after.items()}

    gr.on(
        [each.submit if isinstance(each, gr.Textbox) else each.click for each in changes],
        changed, [controls[name] for name in ("talk-state", "said", "target")], [controls[name] for name in _SHOWN],
        trigger_mode="once", show_progress_on=controls["state"], **QUIET | {"show_progress": "minimal"},
    ).success(None, [controls["talk-state"], controls["said"]], controls["said"], js=_CLEARED, **QUIET)  # fmt: skip
    controls["save"].click(None, controls["log"], None, js=_SAVE, **QUIET)
    controls["left"].click(None, None, None, js=f"() => ({_TURN})(30)", **QUIET)
    controls["right"].click(None, None, None, js=f"() => ({_TURN})(-30)", **QUIET)
