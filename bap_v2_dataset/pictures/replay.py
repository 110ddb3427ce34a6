"""A game as an HTML page that plays it: every utterance and every action a frame, the dialogue beside the board."""

import html
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from bap_v2_dataset.pictures.page import document
from bap_v2_dataset.sentences import counted
from bap_v2_metric.blocks import Cell, Color, Structure
from bap_v2_metric.board_figure import camera, plotly_figure
from bap_v2_metric.cubes import Cube, change
from bap_v2_metric.notation import format_action
from bap_v2_metric.plotly_traces import builder_traces, cube_traces
from bap_v2_simulators.game import Game, Step
from bap_v2_simulators.pose import Pose

_BODY = """\
<main>
<h1>{title}</h1>
<p class='where'>{where}</p>
<div class='controls' role='group' aria-label='Replay'>
<button id='previous' aria-label='Previous frame'>◀</button>
<button id='play' aria-label='Play'>▶ play</button>
<button id='next' aria-label='Next frame'>▶</button>
<input id='frame' type='range' min='0' max='{last}' value='0' aria-label='Frame'>
<output id='count' for='frame'></output>
<label>speed <select id='speed'>
<option>0.5</option><option selected>1</option><option>2</option><option>4</option>
</select></label>
<label><input id='follow' type='checkbox'> follow the Builder</label>
</div>
<div class='replay'>
<div class='board' id='board' role='group' aria-label='The board'></div>
<ol id='events' aria-label='Dialogue and actions'>
{lines}
</ol>
</div>
<p class='legend'>space: play or stop · ← →: previous or next frame · Home, End: first or last frame ·
pale: built in earlier turns · dark arrow: where the Builder stands and looks</p>
</main>"""


def replay(game: Game) -> str:
    """The page. Blocks of the last run of actions are in full color, those of earlier ones pale.

    Several actions between two looks at the board, whose order is unknown, are one frame. The Builder is where it was
    last seen: logs say it for actions only.
    """
    pose = next((event.pose for event in game.events if isinstance(event, Step)), Pose(0.5, 1.0, -5.0, 0.0, 0.0))
    lines = [_line("action", "the game starts")]
    shown: list[tuple[list[Cube], Pose]] = [([], pose)]
    board: dict[Cell, Color] = {}
    start = Structure()  # of the run
    running = False
    for event in game.events:
        if isinstance(event, Step):
            start, running = (start if running else Structure.from_colors(board)), True
            event.apply_to(board)
            pose = event.pose
            lines.append(_line("action", " + ".join(map(format_action, event.actions))))
        else:
            running = False
            lines.append(_line(event.speaker.lower(), event.text, event.speaker))
        cubes = change(start, Structure.from_colors(board))
        shown.append(([cube for cube in cubes if cube.solid or running], pose))  # what is gone is not named
    data = _data(shown)
    actions = sum(len(event.actions) for event in game.events if isinstance(event, Step))
    where = f"{game.split} · {len(game.events) - sum(isinstance(event, Step) for event in game.events)} utterances, "
    body = _BODY.format(
        title=html.escape(game.game_id), where=f"{where}{actions} actions", last=len(shown) - 1, lines="\n".join(lines)
    )
    return document(f"{game.game_id}: replay", body, data, "replay.js")


def _line(kind: str, text: str, speaker: str = "") -> str:
    name = f"<b>{speaker}</b> " if speaker else ""
    return f"<li><button class='{kind}'>{name}{html.escape(text)}</button></li>"


def _data(shown: Sequence[tuple[list[Cube], Pose]]) -> dict[str, Any]:
    """What the page plays. The traces of a cube or a Builder are stored once; a frame lists which of them it has."""
    numbers: dict[Any, int] = {}
    pieces: list[list[dict]] = []

    def number(thing: Cube | Pose) -> int:
        if thing not in numbers:
            numbers[thing] = len(pieces)
            pieces.append(list(cube_traces([thing]) if isinstance(thing, Cube) else builder_traces(asdict(thing))))
        return numbers[thing]

    every = {cube for cubes, _ in shown for cube in cubes}
    base = plotly_figure(())
    frames = [
        {
            "pieces": [*map(number, cubes), number(pose)],
            "camera": camera(every, pose.yaw),
            "words": counted(sum(cube.solid for cube in cubes), "block"),
        }
        for cubes, pose in shown
    ]
    return {"base": base["data"], "layout": base["layout"], "pieces": pieces, "frames": frames}
