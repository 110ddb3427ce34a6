"""Which landmarks denote a block, and which are said, how often; `landmarks` tells what each kind means."""

from collections.abc import Collection, Iterator, Sequence
from itertools import combinations

from bap_v2_metric.blocks import Cell, Color
from bap_v2_simulators.language import arrangements
from bap_v2_simulators.language.landmarks import (
    ALL_KINDS,
    BetweenLandmark,
    BothSides,
    CornerOfL,
    InLine,
    InPlane,
    Landmark,
    OfColor,
    OtherOfTwo,
)
from bap_v2_simulators.language.lines import FLAT, STRAIGHT
from bap_v2_simulators.language.references import LanguageError, Scene
from bap_v2_simulators.language.words import Words
from bap_v2_simulators.simulator import Turn
from bap_v2_simulators.targets import NEIGHBORHOOD
from bap_v2_simulators.view import clear_up_to, manhattan, off_cardinal
from bap_v2_simulators.viewpoint import sees


def landmarks(cell: Cell, scene: Scene, kinds: Collection[str] = ALL_KINDS) -> list[Landmark]:
    """The landmarks of some kinds that denote this block; none for the only block of its color, which needs none."""
    color = scene.board.get(cell)
    if color is None or not kinds:
        return []
    cells = arrangements.of_color(color, scene)
    if len(cells) < 2:
        return []
    return [mark for there, mark in _near(cell, color, cells, scene, kinds) if there == cell and mark.kind in kinds]


def _near(
    cell: Cell, color: Color, cells: tuple[Cell, ...], scene: Scene, kinds: Collection[str]
) -> Iterator[tuple[Cell, Landmark]]:
    """Yield the landmarks of these kinds that denote the block, and some of other kinds and blocks.

    Most blocks are in the middle of nothing. What touches the block tells what is worth to be looked for.
    """
    # Blocks in lines and planes of their color.
    if len(cells) >= arrangements.SHORTEST_LINE:
        around = [one_side + other_side for one_side, other_side in arrangements.neighbors_in_line(cell, scene)]
        straight = around[: len(STRAIGHT)]
        inside, in_a_line = 2 in around, any(around)
        if "middle" in kinds and (inside or len(cells) == arrangements.SHORTEST_LINE):
            middle = arrangements.middle_of(cells, scene)
            if middle is not None:
                yield middle, OfColor(color)
        if "second" in kinds:
            for side, ranked in arrangements.ranks(cells, scene).items():
                for number, there in enumerate(ranked[: arrangements.LARGEST_ORDINAL], 1):
                    if 1 < number < len(cells):
                        yield there, OfColor(color, side, number)
        if (inside and not {"middle", "second"}.isdisjoint(kinds)) or (in_a_line and "end" in kinds):
            yield from _in_lines(color, scene)
        if ("middle" in kinds and straight.count(2) == 2) or ("corner" in kinds and straight.count(1) == 2):
            plane = arrangements.only_plane(color, scene)
            if plane is not None:
                for corner, there in arrangements.parts_of_a_plane(plane, scene):
                    yield there, InPlane(color, arrangements.plane_name(plane), corner)
        if "corner" in kinds and straight.count(1) == 2:
            yield from _denoted(CornerOfL(color), scene)
    elif "other" in kinds:
        yield from _denoted(OtherOfTwo(color), scene)
    # Blocks between others.
    if "either" in kinds:
        for other in arrangements.enclosing(cell, scene, FLAT):
            if other is not color:
                yield from _denoted(BothSides(color, other), scene)
    if "between" in kinds:
        for others in _around(cell, color, scene):
            yield from _denoted(BetweenLandmark(color, others), scene)


def _in_lines(color: Color, scene: Scene) -> Iterator[tuple[Cell, Landmark]]:
    lines = {(color, name): arrangements.only_line(color, name, scene) for name in ("row", "column", "diagonal")}
    if scene.last_color is color and (just_built := arrangements.line_just_built(scene)):
        lines[None, arrangements.line_name(just_built)] = just_built
    for (of, name), line in lines.items():
        if line is not None:
            for part, side, number, cell in arrangements.parts_of_a_line(line, scene):
                yield cell, InLine(of, name, part, side, number)


def _denoted(mark: Landmark, scene: Scene) -> Iterator[tuple[Cell, Landmark]]:
    try:
        yield mark.denotes(scene), mark
    except LanguageError:
        return


def _around(cell: Cell, color: Color, scene: Scene) -> Iterator[tuple[Color, Color]]:
    """Yield the colors of two blocks of which the block is the middle, on a straight line or not."""
    # The other blocks by color; coordinates are doubled, since a middle may lie between cells.
    by_color: dict[Color, list[Cell]] = {}
    for other, its_color in scene.board.items():
        by_color.setdefault(its_color, []).append(other)
    del by_color[color]
    x, y, z = (2 * part for part in cell)
    alone = []
    for other, cells in by_color.items():
        # Two of one color, or one each of two.
        if len(cells) == 2:
            a, b = cells
            if a[0] + b[0] == x and a[1] + b[1] == y and a[2] + b[2] == z:
                yield other, other
        elif len(cells) == 1:
            alone.append((other, cells[0]))
    for (first, a), (second, b) in combinations(alone, 2):
        if a[0] + b[0] == x and a[1] + b[1] == y and a[2] + b[2] == z:
            yield first, second


# How often a landmark of each kind is used, against the middle, which people speak of most. Set so that the words come
# as near to their share in the instructions of the human train split (per thousand: middle and center 88, corner 50,
# second and third 37, other 22, end 18, either and both 13, between 10) as the boards allow: every row has ends.
KINDS = {"middle": 1.0, "between": 1.0, "either": 1.0, "second": 0.5, "corner": 0.8, "other": 0.4, "end": 0.08}


def kinds_in_use(share: float, rate: float) -> tuple[str, ...]:
    """The kinds of landmarks that are used for a random number in [0, 1), those of the least rate for the lowest."""
    return tuple(kind for kind, part in KINDS.items() if share < rate * part)


def landmark_beside(turn: Turn, reference: Cell, scene: Scene, words: Words, rate: float) -> Landmark | None:
    """Return a landmark for the reference block, or one for another block beside a single new one, if there is any.

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
    # The blocks around the cell that are no farther than the reference.
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
        # They must be in sight, and their directions clear.
        if off_grid <= clear_up_to([(dx, dy, dz)]):
            there = landmarks(other, scene, [kind for kind in kinds if kind == "middle"] if more_depth else kinds)
            if there and sees(scene.pose, other, board):
                marks += there
    return marks


_OFTEN = {kind: 0.6 * part for kind, part in KINDS.items()} | {"end": 0.3}  # a shape of this corpus has many ends


def landmark_before(
    words: Words, start: Cell, last: Cell, color: Color, scene: Scene, rate: float
) -> tuple[Landmark, Cell] | None:
    """Return a landmark of the last shape and its block, if the way from there to the start is shorter; mostly None.

    The paper names the last block placed (10.4). What is built is the same, and no more depth is named.

    Args:
        start: where the new shape starts.
        last: the last block placed.
        color: of the new shape: a landmark of that color could be one of its own.
        rate: how often those are used that people speak of most.
    """
    # How often landmarks of each kind are used.
    share = words.random() / rate if rate else 1.0
    kinds = [kind for kind, part in _OFTEN.items() if share < part]
    if not kinds or scene.last_color is color:
        return None
    # The nearest block of the last shape with a landmark, if it is nearer than the last block.
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
