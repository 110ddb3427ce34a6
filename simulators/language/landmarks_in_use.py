"""Which landmarks are said, and how often."""

from collections.abc import Sequence

from bap_v2_metric.blocks import Cell
from bap_v2_simulators.language.landmark_search import landmarks
from bap_v2_simulators.language.landmarks import Landmark
from bap_v2_simulators.language.references import Scene
from bap_v2_simulators.language.words import Words
from bap_v2_simulators.simulator import Turn
from bap_v2_simulators.targets import NEIGHBORHOOD
from bap_v2_simulators.view import clear_up_to, manhattan, off_cardinal
from bap_v2_simulators.viewpoint import sees

# How often a landmark of each kind is used, against the middle, which people speak of most. Set so that the words come
# as near to their share in the instructions of the human train split (per thousand: middle and center 88, corner 50,
# second and third 37, other 22, end 18, either and both 13, between 10) as the boards allow: every row has ends.
KINDS = {"middle": 1.0, "between": 1.0, "either": 1.0, "second": 0.5, "corner": 0.8, "other": 0.4, "end": 0.08}


def kinds_in_use(share: float, rate: float) -> tuple[str, ...]:
    """The kinds of landmarks that are used for a random number in [0, 1), those of the least rate for the lowest."""
    return tuple(kind for kind, part in KINDS.items() if share < rate * part)


def landmark_beside(turn: Turn, reference: Cell, scene: Scene, words: Words, rate: float) -> Landmark | None:
    """A landmark for the reference block, or one for another block beside a single new one, if there is any.

    The plan takes no block that 10.2 has no words for, such as the middle of a row. Here it is named after all, if the
    way from there is as short and the Builder sees it; what is built is the same.
    """
    kinds = kinds_in_use(words.random(), rate)
    if not kinds or scene.continuing:  # what was asked for a moment ago is not there yet
        return None
    choice = landmarks(reference, scene, kinds)
    # "a red one on top of the other red block" could be other than the new one.
    choice = [mark for mark in choice if mark.kind != "other" or mark.color is not turn.color]
    if len(turn.cells) == 1 and not turn.removes:
        choice += _landmarks_beside(turn.cells[0], reference, scene, [kind for kind in kinds if kind in _WORTH_A_LOOK])
    most = max((KINDS[mark.kind] for mark in choice), default=None)  # "the middle one" rather than "the second one"
    return words.pick([mark for mark in choice if KINDS[mark.kind] == most]) if choice else None


_WORTH_A_LOOK = ("middle", "second", "corner", "between", "either")


def _landmarks_beside(cell: Cell, reference: Cell, scene: Scene, kinds: Sequence[str]) -> list[Landmark]:
    """Landmarks of other blocks beside the cell, no farther from it than the reference."""
    x, y, z = cell
    board, named = scene.board, scene.view.offset(reference, cell)
    farthest, off_grid = manhattan(cell, reference), off_cardinal(scene.pose.yaw)
    marks: list[Landmark] = []
    for dx, dy, dz in NEIGHBORHOOD:
        if (x + dx, y + dy, z + dz) not in board or abs(dx) + abs(dy) + abs(dz) > farthest:
            continue
        other = Cell(x + dx, y + dy, z + dz)
        if other == reference:
            continue
        # How often depth is named is a setting of the poses; a middle, of which people speak most, is worth one more.
        more_depth = scene.view.offset(other, cell).away and not named.away
        if off_grid <= clear_up_to([(dx, dy, dz)]):
            there = landmarks(other, scene, [kind for kind in kinds if kind == "middle"] if more_depth else kinds)
            if there and sees(scene.pose, other, board):
                marks += there
    return marks
