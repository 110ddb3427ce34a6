"""Which landmarks denote a block; `landmarks` tells what each kind means."""

from collections.abc import Collection, Iterator
from itertools import combinations

from bap_v2_metric.blocks import Cell, Color
from bap_v2_simulators.language.arrangements import (
    LARGEST_ORDINAL,
    SHORTEST_LINE,
    enclosing,
    line_just_built,
    line_name,
    middle_of,
    neighbors_in_line,
    of_color,
    only_line,
    only_plane,
    parts_of_a_line,
    parts_of_a_plane,
    plane_name,
    ranks,
)
from bap_v2_simulators.language.landmarks import (
    ALL_KINDS,
    Between,
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
from bap_v2_simulators.wording import landmarks as wording


def landmarks(cell: Cell, scene: Scene, kinds: Collection[str] = ALL_KINDS) -> list[Landmark]:
    """The landmarks of some kinds that denote this block; none for the only block of its color, which needs none."""
    color = scene.board.get(cell)
    if color is None or not kinds:
        return []
    cells = of_color(color, scene)
    if len(cells) < 2:
        return []
    return [mark for there, mark in _near(cell, color, cells, scene, kinds) if there == cell and mark.kind in kinds]


def _near(
    cell: Cell, color: Color, cells: tuple[Cell, ...], scene: Scene, kinds: Collection[str]
) -> Iterator[tuple[Cell, Landmark]]:
    """The landmarks of these kinds that denote the block, and some of other kinds and blocks.

    Most blocks are in the middle of nothing. What touches the block tells what is worth to be looked for.
    """
    if len(cells) >= SHORTEST_LINE:
        around = [one_side + other_side for one_side, other_side in neighbors_in_line(cell, scene)]
        straight = around[: len(STRAIGHT)]
        inside, in_a_line = 2 in around, any(around)
        if "middle" in kinds and (inside or len(cells) == SHORTEST_LINE):
            middle = middle_of(cells, scene)
            if middle is not None:
                yield middle, OfColor(color)
        if "second" in kinds:
            for side, ranked in ranks(cells, scene).items():
                for number, there in enumerate(ranked[:LARGEST_ORDINAL], 1):
                    if 1 < number < len(cells):
                        yield there, OfColor(color, side, number)
        if (inside and not {"middle", "second"}.isdisjoint(kinds)) or (in_a_line and "end" in kinds):
            yield from _in_lines(color, scene)
        if ("middle" in kinds and straight.count(2) == 2) or ("corner" in kinds and straight.count(1) == 2):
            plane = only_plane(color, scene)
            if plane is not None:
                for corner, there in parts_of_a_plane(plane, scene):
                    yield there, InPlane(color, plane_name(plane), corner)
        if "corner" in kinds and straight.count(1) == 2:
            yield from _denoted(CornerOfL(color), scene)
    elif "other" in kinds:
        yield from _denoted(OtherOfTwo(color), scene)
    if "either" in kinds:
        for other in enclosing(cell, scene, FLAT):
            if other is not color:
                yield from _denoted(BothSides(color, other), scene)
    if "between" in kinds:
        for others in _around(cell, color, scene):
            yield from _denoted(Between(color, others), scene)


def _in_lines(color: Color, scene: Scene) -> Iterator[tuple[Cell, Landmark]]:
    lines = {(color, name): only_line(color, name, scene) for name in wording.LINES}
    if scene.last_color is color and (just_built := line_just_built(scene)):
        lines[None, line_name(just_built)] = just_built
    for (of, name), line in lines.items():
        if line is not None:
            for part, side, number, cell in parts_of_a_line(line, scene):
                yield cell, InLine(of, name, part, side, number)


def _denoted(mark: Landmark, scene: Scene) -> Iterator[tuple[Cell, Landmark]]:
    try:
        yield mark.denotes(scene), mark
    except LanguageError:
        return


def _around(cell: Cell, color: Color, scene: Scene) -> Iterator[tuple[Color, Color]]:
    """The colors of two blocks of which the block is the middle, on a straight line or not."""
    by_color: dict[Color, list[Cell]] = {}
    for other, its_color in scene.board.items():
        by_color.setdefault(its_color, []).append(other)
    del by_color[color]
    x, y, z = (2 * part for part in cell)
    alone = []
    for other, cells in by_color.items():
        if len(cells) == 2:
            a, b = cells
            if a[0] + b[0] == x and a[1] + b[1] == y and a[2] + b[2] == z:
                yield other, other
        elif len(cells) == 1:
            alone.append((other, cells[0]))
    for (first, a), (second, b) in combinations(alone, 2):
        if a[0] + b[0] == x and a[1] + b[1] == y and a[2] + b[2] == z:
            yield first, second
