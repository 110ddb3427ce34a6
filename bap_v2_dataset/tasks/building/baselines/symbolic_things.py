"""What stands on the board as things: blocks of one color that touch one another, and how people call them."""

import re
from collections.abc import Iterable
from itertools import pairwise

from bap_v2_dataset.tasks.building.baselines.symbolic_phrases import COLORS, by_word, phrases
from bap_v2_dataset.tasks.building.baselines.symbolic_world import World
from bap_v2_metric.blocks import Cell

Cells = tuple[Cell, ...]

_WORDS = phrases("words")
_NAMES, DRAWN = by_word(_WORDS.NAMES), by_word(_WORDS.DRAWN)
_STROKES = {
    "l": "left bottom", "t": "stem top", "u": "left right bottom", "c": "left top bottom", "h": "left right bar",
    "i": "stem top bottom", "plus": "stem bar", "arch": "left right top", "frame": "left right top bottom",
}  # fmt: skip
_LEAST = {"l": (2, 2), "u": (3, 2), "c": (2, 3), "arch": (3, 2)}  # width and height; of others 3 and 3
PRONOUNS = ("it", "that", "this", "them", "those", "they")


def things(world: World) -> list[Cells]:
    """Return all things, in the order in which their first blocks were placed."""
    found: list[list[Cell]] = []
    for cell, color in world.board.items():
        # A block joins all things of its color that it touches, and makes them one.
        near = [
            cells
            for cells in found
            if world.board[cells[0]] is color
            and any(max(abs(a - b) for a, b in zip(cell, other)) == 1 for other in cells)
        ]
        if not near:
            found.append([cell])
            continue
        first, *others = near
        for other in others:
            first += other
            found.remove(other)
        first.append(cell)
    # Their blocks in the order of placement.
    order = {cell: number for number, cell in enumerate(world.board)}
    return [tuple(sorted(cells, key=order.__getitem__)) for cells in found]


def thing(text: str, world: World) -> Cells | None:
    """Return the blocks that a phrase means; None if there is no such thing, or more than one."""
    # "It", and things by their order.
    standing = things(world)
    if (name := text.removeprefix("the ")) in world.names:
        return world.names[name]
    if text in PRONOUNS:
        return next((cells for cells in standing if world.last in cells), None)
    if rank := re.match(r"(?:the|that) (first|second) ", text):
        number = ("first", "second").index(rank[1])
        return standing[number] if number < len(standing) else None
    # Things by color and look; a description must fit exactly one.
    match = phrases("things").described.fullmatch(text)
    if match is None:
        return None
    if match["color"]:
        standing = [cells for cells in standing if world.board[cells[0]] is COLORS[match["color"]]]
    name = match["name"]
    form = _NAMES.get(name, _NAMES.get(name.removeprefix("letter ")))
    if name == "one" and len(standing) > 1:
        form = "block"
    if form is not None:
        standing = [cells for cells in standing if look(cells) == form]
    if len(standing) != 1 or (form == "block" and text.startswith("that") and _is_last_of_more(world, match["color"])):
        return None
    return standing[0]


def _is_last_of_more(world: World, color: str | None) -> bool:
    """Return whether "that red block" is rather the last one that was placed, which is part of a larger thing."""
    alike = color is None or world.board.get(world.last) is COLORS[color]
    return alike and any(world.last in cells and len(cells) > 1 for cells in things(world))


def look(cells: Cells) -> str | None:
    """Return what blocks look like from whatever side, of the values of the names."""
    if len(cells) == 1:
        return "block"
    # Lines: all blocks along one axis, or along a diagonal.
    low = [min(cell[axis] for cell in cells) for axis in range(3)]
    sides = [max(cell[axis] for cell in cells) - low[axis] + 1 for axis in range(3)]
    if sides.count(1) == 2:
        return None if max(sides) != len(cells) else "tower" if sides[1] > 1 else "line"
    if max(sides) == len(cells) == _diagonal_length(cells):
        return "diagonal"
    if 1 not in sides:
        return None
    # Flat things: a full plane, or a letter however it is turned.
    flat = sides.index(1)
    u, v = (axis for axis in range(3) if axis != flat)
    drawn = frozenset((cell[u] - low[u], cell[v] - low[v]) for cell in cells)
    if len(drawn) == sides[u] * sides[v]:
        return "plane"
    for turned in _all_ways(drawn):
        width, height = (max(along) + 1 for along in zip(*turned, strict=True))
        for name in ("l", "t", "u", "h", "x", "plus", "frame"):
            if picture(name, width, height) == turned:
                return name
    return None


def picture(name: str, width: int, height: int) -> frozenset[tuple[int, int]] | None:
    """Return the blocks of a letter in a size, as (right, up); None if it cannot be drawn so."""
    least = _LEAST.get(name, (3, 3))
    if width < least[0] or height < least[1]:
        return None
    if name == "x":
        if width != height or not width % 2:
            return None
        return frozenset((u, v) for u in range(width) for v in range(height) if u in (v, width - 1 - v))
    strokes = _STROKES[name].split()
    if ("stem" in strokes and not width % 2) or ("bar" in strokes and not height % 2):
        return None
    across = {"left": 0, "right": width - 1, "stem": width // 2}
    up = {"bottom": 0, "top": height - 1, "bar": height // 2}
    columns, rows = ({places[one] for one in strokes if one in places} for places in (across, up))
    return frozenset((u, v) for u in range(width) for v in range(height) if u in columns or v in rows)


def _all_ways(drawn: frozenset[tuple[int, int]]) -> Iterable[frozenset[tuple[int, int]]]:
    for _ in range(4):
        high = max(v for _, v in drawn)
        drawn = frozenset((high - v, u) for u, v in drawn)
        yield drawn
        wide = max(u for u, _ in drawn)
        yield frozenset((wide - u, v) for u, v in drawn)


def _diagonal_length(cells: Cells) -> int:
    """Return the number of blocks if they lie on a diagonal, else 0."""
    ordered = sorted(cells)
    steps = {tuple(b - a for a, b in zip(one, other, strict=True)) for one, other in pairwise(ordered)}
    return len(cells) if len(steps) == 1 and max(map(abs, *steps)) == 1 else 0
