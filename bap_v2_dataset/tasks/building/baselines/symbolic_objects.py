"""Objects that are built part by part: "we're making a table", "now the legs, one under each corner, 2 high".

Lines that only say what it will be or what it looks like ask for nothing. A part keeps the name that it had when it was
built, which the history tells, until some of its blocks are gone.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from bap_v2_dataset.tasks.building.baselines.symbolic_meanings import AWAY, DOWN, LEFT, RIGHT, TOWARDS, Way
from bap_v2_dataset.tasks.building.baselines.symbolic_phrases import COLOR, COLORS, NUMBER, number_of, one_line
from bap_v2_metric.actions import Place
from bap_v2_metric.blocks import Cell, Color
from bap_v2_metric.notation import parse_action
from bap_v2_simulators.shapes import along, moved

Step = tuple[int, int, int]
_UP = (0, 1, 0)
_NOUNS = """
    apple arm backrest band base basin beak beam bedpost belfry bell belly blade body boom bulb cabin candle candy
    canopy cap chimney coconut crossbar crown cup cushion deck ear facade fin flag flame foot guard hall handle
    hat head headboard hook horn hull icing jet jewel knob leg light mast mattress neck nose pedestal petal pillar
    pivot plank plate pole post rail railing rampart rod roof rope seat shade shaft shell sign prong spire stand statue
    stem stick swing tabletop tail tip trunk turret weight wing
"""
PART = rf"(?:{'|'.join(f'{noun}s|{noun}' for noun in sorted(_NOUNS.split(), key=len, reverse=True))}|leaves)\b"
_LOOKS = (
    r"\b(?:look(?:s|ed|ing)?|kind of|sort of|it's|a bit|something) (?:\w+ (?:of )?){0,2}?like\b"
    r"|^(?:like|so it makes|think of) "
)
_AHEAD = one_line(r"""
    ^(?:(?:so|ok|okay|now|then|today|well),? )*(?:(?:(?:we|you|i)(?:'re| are|'ll be|'ll| will)? |let's |lets )
    (?:(?:going to|gonna|want to) )?(?:make|making|build|building|doing)
    |(?:this|it|that|the whole thing|this one|the structure)(?:'s|'ll| is| will)?(?: be| going to be| supposed to be)?
    |picture|imagine|(?:i )?think it's)[ ](?:kind of |sort of )?an? (?P<what>[a-z -]+)
""")
_ASKED = re.compile(
    rf"\b(?:{COLOR}|{NUMBER}|blocks?|bricks?|ones?|pieces?|cubes?|rows?|lines?|columns?|stacks?|planes?|squares?|layers?"
    r"|diagonals?|rectangles?|platforms?|(?<!bell )towers?|that|it)\b"
)
_FIRST = re.compile(
    r"(?:(?:let's |we'll )?(?:start|begin) (?:with|at) |first |we'll do |let's do |)"
    rf"(?:the|its) (?P<part>{PART})(?: first)?"
)
_CALLED = re.compile(
    rf"(?:so )?(?:that's|this is|that is|that will be|this will be|that's going to be|call that) (?:the|its|our)"
    rf" (?P<part>{PART})(?: of it)?"
)
_PLACES = (  # of a part on, under or beside another, the special ones first
    ("twin", r"first(?: one)?\b.*(?P<gap>\b\w+) spaces?|first one\b.*gap of (?P<gap2>\w+)"),
    ("span", r"\bboth (?!ends|the)|one to the other"),
    ("square", r"3x3|3 by 3"),
    ("bar", r"\b(?:3|three) (?:across|blocks (?:to|from))|bar of (?:3|three)"),
    ("corners", r"corners?\b"),
    ("ends", r"(?:each|both|either) ends?\b"),
    ("around", r"(?:each|all)(?: of the)? four sides|all around"),
    ("edge", r"\b(?P<at>left|right|front|near|back|far)(?: hand)? (?:edge|side)\b"),
    ("end", r"\b(?P<at>left|right|front|near|back|far)(?: hand)? end\b"),
    ("middle", r"\b(?:middle|center)\b"),
    ("all", r"\bwhole\b|all along the top|each of the"),
    ("tip", r"\btop\b"),
)
_DOWN = re.compile(r"\b(?:under|underneath|below|beneath|hanging|dangling)\b")
_OUT = re.compile(r"\b(?:out|off|going on)\b")
_GOES = ((LEFT, "left"), (RIGHT, "right"), (TOWARDS, "towards you|front|near"), (AWAY, "away from you|back|far"))
_COUNT = re.compile(rf"\b(?P<n>{NUMBER})(?: blocks?)? (?:high|tall|long|up|down|out)\b")


def asks(line: str) -> bool:
    """Return whether a line of the Architect may ask for something: not if it names or compares the whole only."""
    text = plain(line)
    if re.match(r".+,? so (?:that )?(?:it|they) looks? like ", text):
        return True
    if (re.search(_LOOKS, text) and not re.search(COLOR, text)) or _FIRST.fullmatch(text) or _CALLED.fullmatch(text):
        return False
    ahead = re.fullmatch(_AHEAD, text)
    return ahead is None or _ASKED.search(ahead["what"]) is not None


def plain(line: str) -> str:
    """Return the text of a line in lower case, without marks at its end."""
    return " ".join(line.partition("> ")[2].lower().replace("\u2019", "'").split()).rstrip(" .!?")


def names(history: Sequence[str], board: Collection[Cell]) -> dict[str, tuple[Cell, ...]]:
    """Return the parts of objects that still stand, each with its blocks, in the order in which they were built."""
    known: dict[str, tuple[Cell, ...]] = {}
    for lines, cells in _turns(history):
        for line in lines if cells else ():
            called = _FIRST.fullmatch(plain(line)) or _CALLED.fullmatch(plain(line))
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
    part = re.search(rf"\b(?P<part>{PART})", text)
    if part is None:
        return None
    rest = text[part.end() :]
    of = re.search(rf"\b(?:the|both)(?: whole)? (?P<of>{'|'.join(known) or '-'})\b", rest)
    for place, pattern in _PLACES:
        where = re.search(pattern, rest)
        if where is None:
            continue
        other = part["part"] if place == "twin" and part["part"] in known else of["of"] if of else None
        if other is None or (other == part["part"]) != (place == "twin"):
            return None
        said = {name: one for name, one in where.groupdict().items() if one}
        color, count = re.search(rf"\b(?:{COLOR})\b", text), _COUNT.search(rest)
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
    vectors = [vector(way) for way, name in _GOES if re.search(rf"\b(?:{name})\b", part.at)]
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
        if _DOWN.search(text):
            steps = [vector(DOWN)]
        elif part.place == "around":
            steps = [vector(way) for way, _ in _GOES]
        elif _OUT.search(text):
            steps = vectors
        pairs = [(start, step) for start in starts for step in steps]
        if part.place == "ends" and _OUT.search(text):
            step = tuple((b > a) - (b < a) for a, b in zip(low, high, strict=True))
            pairs = [(low, tuple(-part for part in step)), (high, step)]
        cells = [moved(start, step, n) for start, step in pairs for n in range(1, part.count + 1)]
    return cells, part.color, own[0]


def _box(one: Cell, other: Cell) -> list[Cell]:
    (x, y, z), (u, v, w) = map(min, one, other), map(max, one, other)
    return [Cell(a, b, c) for a in range(x, u + 1) for b in range(y, v + 1) for c in range(z, w + 1)]
