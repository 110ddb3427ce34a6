"""Objects that are built part by part: "we're making a table", "now the legs, one under each corner, 2 high".

Lines that only say what it will be or what it looks like ask for nothing. A part keeps the name that it had when it was
built, which the history tells, until some of its blocks are gone.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from bap_v2_dataset.tasks.building.baselines.symbolic_meanings import DOWN, Way
from bap_v2_dataset.tasks.building.baselines.symbolic_phrases import COLOR, COLOR_WORD, COLORS, number_of, phrases, ways
from bap_v2_metric.actions import Place
from bap_v2_metric.blocks import Cell, Color
from bap_v2_metric.notation import parse_action
from bap_v2_simulators.shapes import along, moved

Step = tuple[int, int, int]
_UP = (0, 1, 0)
_P = phrases("objects")
_GOES = ways(_P.GOES)


def asks(line: str) -> bool:
    """Return whether a line of the Architect may ask for something: not if it names or compares the whole only."""
    text = plain(line)
    if re.match(r".+,? so (?:that )?(?:it|they) looks? like ", text):
        return True
    if (_P.looks.search(text) and not re.search(COLOR, text)) or _P.first.fullmatch(text) or _P.called.fullmatch(text):
        return False
    ahead = _P.ahead.fullmatch(text)
    return ahead is None or _P.asked.search(ahead["what"]) is not None


def plain(line: str) -> str:
    """Return the text of a line in lower case, without marks at its end."""
    return " ".join(line.partition("> ")[2].lower().replace("\u2019", "'").split()).rstrip(" .!?")


def names(history: Sequence[str], board: Collection[Cell]) -> dict[str, tuple[Cell, ...]]:
    """Return the parts of objects that still stand, each with its blocks, in the order in which they were built."""
    known: dict[str, tuple[Cell, ...]] = {}
    for lines, cells in _turns(history):
        for line in lines if cells else ():
            called = _P.first.fullmatch(plain(line)) or _P.called.fullmatch(plain(line))
            added = None if called else _added(line, known)
            if called:
                known[called["part"]] = cells
            elif added and added.place == "twin":
                known[f"{added.of}s"] = known.pop(added.of) + cells
            elif added:
                known[added.name] = cells
    return {name: cells for name, cells in known.items() if all(cell in board for cell in cells)}


def _turns(history: Sequence[str]) -> Iterator[tuple[list[str], tuple[Cell, ...]]]:
    """Yield the lines of each turn and the cells that it placed; those that it took away again are supports."""
    lines: list[str] = []
    for said, group in groupby(history, key=lambda line: line.startswith("<")):
        if said:
            lines = [line for line in group if line.startswith("<Architect>")]
            continue
        cells: dict[Cell, None] = {}
        for action in (parse_action(line, anywhere=True) for line in group):
            if isinstance(action, Place):
                cells[action.cell] = None
            else:
                cells.pop(action.cell, None)
        yield lines, tuple(cells)


class _Part(NamedTuple):
    """What a line says of a further part of an object."""

    name: str
    of: str  # the part that it is attached to
    place: str
    at: str  # the words that name a way
    color: Color | None
    count: int  # of blocks, or of spaces to the other one


def _added(line: str, known: Collection[str]) -> _Part | None:
    """Return what a line says of a further part; None if it asks for none."""
    text = plain(line)
    part = _P.piece.search(text)
    if part is None:
        return None
    rest = text[part.end() :]
    of = re.search(rf"\b(?:the|both)(?: whole)? (?P<of>{'|'.join(known) or '-'})\b", rest)
    for place, pattern in _P.PLACES:
        where = re.search(pattern, rest)
        if where is None:
            continue
        other = part["part"] if place == "twin" and part["part"] in known else of["of"] if of else None
        if other is None or (other == part["part"]) != (place == "twin"):
            return None
        said = {name: one for name, one in where.groupdict().items() if one}
        color, count = COLOR_WORD.search(text), _P.count.search(rest)
        number = said.get("gap") or said.get("gap2") or (count["n"] if count else "one")
        number = number_of(number)
        return _Part(part["part"], other, place, said.get("at", rest), color and COLORS[color[0]], number)
    return None


def adds_part(line: str, known: Collection[str]) -> bool:
    """Return whether a line of the Architect asks for a further part of an object of which these parts stand."""
    return line.startswith("<Architect>") and _added(line, known) is not None


def part_added(
    line: str, known: Mapping[str, tuple[Cell, ...]], vector: Callable[[Way], Step]
) -> tuple[list[Cell], Color | None, Cell]:
    """Return the cells of a further part, none if it is unclear; its color, if that is said; a block of the other part.

    Args:
        vector: from a way as the Builder sees it to one along the axes of the grid.
    """
    part = _added(line, known)
    own, text = known[part.of], plain(line)
    vectors = [vector(way) for way, name in _GOES.items() if re.search(rf"\b(?:{name})\b", part.at)]
    top = sorted(cell for cell in own if cell.y == max(other.y for other in own))
    low, high = top[0], top[-1]
    middle = Cell((low.x + high.x) // 2, low.y, (low.z + high.z) // 2)
    if not vectors and part.place in ("twin", "bar", "edge", "end"):  # it names no way
        return [], None, low
    # What has a form of its own.
    if part.place == "twin":
        reach = [along(cell, vectors[0]) for cell in own]
        cells = [moved(cell, vectors[0], max(reach) - min(reach) + 1 + part.count) for cell in own]
    elif part.place == "span":
        cells = _box(moved(low, _UP), moved(high, _UP))
    elif part.place in ("bar", "square"):
        across = vectors[0] if part.place == "bar" else (1, 0, 1)
        cells = _box(moved(moved(middle, _UP), across, -1), moved(moved(middle, _UP), across))
    else:
        # So many blocks from each place: up, down or out.
        starts = {
            "corners": [cell for cell in top if cell.x in (low.x, high.x) and cell.z in (low.z, high.z)],
            "ends": [low, high], "all": top,
        }.get(part.place, [middle])  # fmt: skip
        if part.place in ("edge", "end"):
            starts = [cell for cell in top if along(cell, vectors[0]) == max(along(one, vectors[0]) for one in top)]
        steps = [_UP]
        if _P.down.search(text):
            steps = [vector(DOWN)]
        elif part.place == "around":
            steps = [vector(way) for way in _GOES]
        elif _P.out.search(text):
            steps = vectors
        pairs = [(start, step) for start in starts for step in steps]
        if part.place == "ends" and _P.out.search(text):
            step = tuple((b > a) - (b < a) for a, b in zip(low, high, strict=True))
            pairs = [(low, tuple(-part for part in step)), (high, step)]
        cells = [moved(start, step, n) for start, step in pairs for n in range(1, part.count + 1)]
    return cells, part.color, own[0]


def _box(one: Cell, other: Cell) -> list[Cell]:
    (x, y, z), (u, v, w) = map(min, one, other), map(max, one, other)
    return [Cell(a, b, c) for a in range(x, u + 1) for b in range(y, v + 1) for c in range(z, w + 1)]
