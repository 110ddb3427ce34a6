"""A game as an HTML page that plays it: every utterance and every action a frame, the dialogue beside the board."""

import html
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from bap_v2_dataset.pictures.board_figure import LEGEND, board_camera, plotly_camera, plotly_figure
from bap_v2_dataset.pictures.cubes import Cube, target_cubes
from bap_v2_dataset.pictures.html_document import asset
from bap_v2_dataset.pictures.plotly_traces import builder_traces, cube_traces, ground_labels, ground_traces
from bap_v2_dataset.sentences import counted
from bap_v2_dataset.tasks.building.pictures.game_frames import GameFrame, fitted_target, frames
from bap_v2_dataset.tasks.building.pictures.page import document
from bap_v2_metric.blocks import Structure
from bap_v2_simulators.game import Game, Step
from bap_v2_simulators.pose import Pose

_ASPECT = 1.15  # of the board: the width of what has to be in view by its height
_ASPECT_OF_TARGET = 1.05
_BODY = asset(__package__, "replay.html").rstrip("\n")
_TARGET = """\
<h2>target <small>what the Architect sees</small></h2>
<div class='board' id='target' role='group' aria-label='The target'></div>"""


def replay(game: Game, note: str = "") -> str:
    """Return the page. It opens with the last frame, from where `play` starts again.

    Blocks of the last run of actions are in full color, those of earlier ones pale. Several actions between two looks
    at the board, whose order is unknown, are one frame. The Builder is where it was last seen: logs say it for actions
    only.
    """
    # The frames, and their numbers for the heading.
    shown = list(frames(game))
    target = fitted_target(game)
    utterances = sum(bool(frame.speaker) for frame in shown)
    actions = sum(len(event.actions) for event in game.events if isinstance(event, Step))
    # The page around them.
    body = _BODY.format(
        title=html.escape(game.game_id),
        where=html.escape(
            " · ".join(
                filter(None, (game.split, f"{counted(utterances, 'utterance')}, {counted(actions, 'action')}", note))
            )
        ),
        last=len(shown) - 1,
        lines="\n".join(map(_line, shown)),
        target=_TARGET if target else "",
        legend=LEGEND,
    )
    return document(f"{game.game_id}: replay of the game — bap_v2", body, _data(shown, target), "replay.js")


def _line(frame: GameFrame) -> str:
    name = f"<b>{frame.speaker}</b> " if frame.speaker else ""
    kind = frame.speaker.lower() or "action"
    return f"<li><button class='{kind}'>{name}{html.escape(frame.text)}</button></li>"


def _data(shown: Sequence[GameFrame], target: Structure) -> dict[str, Any]:
    """Return the frames of the page. The traces of a cube or a Builder are stored once; a frame lists their numbers."""
    numbers: dict[Any, int] = {}
    pieces: list[list[dict]] = []

    def number(key: Any, traces: Sequence[dict]) -> int:
        if key not in numbers:
            numbers[key] = len(pieces)
            pieces.append(list(traces))
        return numbers[key]

    def of(thing: Cube | Pose) -> int:
        if thing in numbers:
            return numbers[thing]
        return number(thing, list(cube_traces([thing]) if isinstance(thing, Cube) else builder_traces(asdict(thing))))

    def labels(yaw: float) -> int:
        trace = ground_labels(yaw, small=False)
        return number((tuple(trace["x"]), tuple(trace["y"])), [trace])

    # The camera that has the whole game in view.
    every = {cube for frame in shown for cube in frame.cubes}
    poses = list({frame.pose: asdict(frame.pose) for frame in shown}.values())
    last = shown[-1].pose
    view = board_camera(every, last.yaw, poses, _ASPECT)
    # The frames, each with the numbers of its pieces.
    data = {
        "base": list(ground_traces()),
        "layout": plotly_figure((), view=view)["layout"] | {"meta": {"rotates_with": "game", "aspect": _ASPECT}},
        "labels": labels(last.yaw),
        "frames": [
            {
                "pieces": [*map(of, frame.cubes), of(frame.pose)],
                "camera": plotly_camera(board_camera(every, frame.pose.yaw, [asdict(frame.pose)], _ASPECT)),
                "labels": labels(frame.pose.yaw),
                "words": counted(sum(cube.solid for cube in frame.cubes), "block"),
                "milliseconds": frame.milliseconds,
            }
            for frame in shown
        ],
        "pieces": pieces,
    }
    # The target is a figure of its own.
    if target:
        cubes = target_cubes(target)
        figure = plotly_figure(cubes, view=board_camera({*every, *cubes}, last.yaw, [], _ASPECT_OF_TARGET))
        meta = {"rotates_with": "game", "aspect": _ASPECT_OF_TARGET}
        data["target"] = figure | {"layout": figure["layout"] | {"meta": meta}}
    return data
