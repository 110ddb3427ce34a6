"""From which block of the last shape the next one is placed: "starting behind the middle of the red row"."""

from bap_v2_metric.blocks import Cell, Color
from bap_v2_simulators.language.landmark_search import landmarks
from bap_v2_simulators.language.landmarks import Landmark
from bap_v2_simulators.language.landmarks_in_use import KINDS
from bap_v2_simulators.language.references import Scene
from bap_v2_simulators.language.words import Words
from bap_v2_simulators.view import clear_up_to, manhattan, off_cardinal
from bap_v2_simulators.viewpoint import sees

_OFTEN = {kind: 0.6 * part for kind, part in KINDS.items()} | {"end": 0.3}  # a shape of this corpus has many ends


def landmark_before(
    words: Words, start: Cell, last: Cell, color: Color, scene: Scene, rate: float
) -> tuple[Landmark, Cell] | None:
    """A landmark of the last shape and its block, if the way from there to the start is shorter; mostly None.

    The paper names the last block placed (10.4). What is built is the same, and no more depth is named.

    Args:
        start: where the new shape starts.
        last: the last block placed.
        color: of the new shape: a landmark of that color could be one of its own.
        rate: how often those are used that people speak of most.
    """
    share = words.random() / rate if rate else 1.0
    kinds = [kind for kind, part in _OFTEN.items() if share < part]
    if not kinds or scene.last_color is color:
        return None
    named, off_grid = scene.view.offset(last, start), off_cardinal(scene.pose.yaw)
    best: tuple[tuple[int, int], list[tuple[Landmark, Cell]]] = ((len(named.directions), manhattan(last, start)), [])
    for cell in scene.last_cells:
        offset = scene.view.offset(cell, start)
        cost = (len(offset.directions), manhattan(cell, start))
        if cell == last or cost > best[0] or (offset.away and not named.away):
            continue
        if off_grid <= clear_up_to([scene.view.vector(offset)]) and sees(scene.pose, cell, scene.board):
            marks = [(mark, cell) for mark in landmarks(cell, scene, kinds) if _is_clear(mark)]
            if marks and (cost < best[0] or best[1]):
                best = (cost, best[1] + marks if cost == best[0] else marks)
    return words.pick(best[1]) if best[1] else None


def _is_clear(mark: Landmark) -> bool:
    """Not "that row", which could be the new one, nor "the other block"."""
    return getattr(mark, "color", None) is not None and mark.kind != "other"
