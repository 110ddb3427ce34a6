"""Reads turns that fill, connect or complete something, up to a total too, and those told by other frames of reference:
towards another thing, the middle or the edge of the grid.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from bap_v2_dataset.tasks.building.baselines.symbolic_changes import Effect, changed
from bap_v2_dataset.tasks.building.baselines.symbolic_meanings import AWAY, LEFT, RIGHT, TOWARDS, UP, Way
from bap_v2_dataset.tasks.building.baselines.symbolic_phrases import COLOR, COLORS, NUMBER, number_of, one_line
from bap_v2_dataset.tasks.building.baselines.symbolic_things import THING, Cells, look, thing, things
from bap_v2_dataset.tasks.building.baselines.symbolic_world import World
from bap_v2_metric.blocks import X_MAX, Cell
from bap_v2_simulators.shapes import LEVEL, along, moved

Step = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Said:
    """What a line says: its words with R for things, X for what is placed, N for numbers and W for ways."""

    text: str
    names: tuple[str, ...]  # of the things
    numbers: tuple[int, ...]
    color: str | None
    way: Way | None
    pair: tuple[str, str] | None  # the color and the name of two things

    def things(self, world: World) -> list[Cells | None]:
        """Return the things that are named, or the last one."""
        if self.pair is not None:
            kind = next(kind for kind, words in _PAIRS.items() if re.fullmatch(words, self.pair[1]))
            alike = [cells for cells in things(world) if look(cells) == kind]
            return [cells for cells in alike if world.board[cells[0]] is COLORS[self.pair[0]]]
        return [thing(name, world) for name in dict.fromkeys(self.names or ("it",))]

    @property
    def number(self) -> int:
        return self.numbers[0] if self.numbers else 1


def completion_effect(text: str, *, begun: bool = False) -> Effect | None:
    """Return what a line of these turns does; None if it is none, or is about what was begun."""
    said = _said(text)
    if begun and said.names and all(name in _PRONOUNS for name in said.names):
        return None
    return next((_effect(cells, said) for words, cells in _RULES if re.fullmatch(words, said.text)), None)


def _said(text: str) -> Said:
    """Put signs for the things, blocks, squares and ways that a line names."""
    names: list[str] = []
    numbers: list[int] = []
    found: dict[str, str] = {}

    def signed(sign: str) -> Callable[[re.Match], str]:
        def take(match: re.Match) -> str:
            if sign == "R" or match.groupdict().get("thing"):
                names.append(match.groupdict().get("thing", match[0]))
            elif match.groupdict().get("n"):
                numbers.append(number_of(match["n"]))
            found.update({key: word for key, word in match.groupdict().items() if word})
            return sign

        return take

    for words, sign in _SIGNS:
        text = re.sub(words, signed(sign), text)
    if re.fullmatch(f"(?:keep going )?{_PUT}X {_FRAME}", text):  # of what was just built
        names.insert(0, "it")
    first, *others = names or [None]
    ways = [way for way, words in _WAYS.items() if re.fullmatch(words, found.get("way", ""))]
    return Said(
        text,
        tuple(name for name in (first, *others) if name and (name is first or name not in _PRONOUNS)),
        tuple(numbers),
        found.get("color"),
        ways[0] if ways else None,
        (found["of"], found["pair"]) if "pair" in found else None,
    )


def _effect(cells: Callable[[Said, World], Iterable[Cell] | None], said: Said) -> Effect:
    def effect(world: World, _at):
        own = said.things(world)
        if None in own or not own:
            return None
        if cells is _moved:
            step = _goes(said, world, line=False)
            there = step and [(moved(cell, step, said.number), world.board[cell]) for cell in own[0]]
            return changed(world, own[0], there) if there else None
        placed = list(cells(said, world) or ())
        color = COLORS[said.color] if said.color else world.board[own[0][0]]
        return changed(world, (), [(cell, color) for cell in placed]) if placed else None

    return effect


# --- what is missing


def _gap(said: Said, world: World):
    both = said.things(world)
    if len(both) != 2:
        return None
    ends = [[max(cells)] if all(map(_is_tower, both)) else cells for cells in both]
    gaps = [gap for a in ends[0] for b in ends[1] if (gap := _between(a, b, world))]
    return gaps[0] if len(gaps) == 1 else None


def _so_many_between(said: Said, world: World):
    gap = _gap(said, world)
    return gap if gap and len(gap) == said.number else None


def _is_tower(cells: Cells) -> bool:
    return look(cells) == "tower"


def _between(a: Cell, b: Cell, world: World) -> list[Cell]:
    apart = [y - x for x, y in zip(a, b, strict=True)]
    if sum(map(bool, apart)) != 1:
        return []
    far = sum(map(abs, apart))
    cells = [moved(a, tuple(part // far for part in apart), times) for times in range(1, far)]
    return [] if any(cell in world.board for cell in cells) else cells


def _bounds(cells: Cells) -> list[tuple[int, int]]:
    return [(min(part), max(part)) for part in zip(*cells, strict=True)]


def _missing(said: Said, world: World):
    cells = said.things(world)[0]
    xs, ys, zs = (range(a, b + 1) for a, b in _bounds(cells))
    return [Cell(x, y, z) for y in ys for x in xs for z in zs if (x, y, z) not in cells]


def _open_side(said: Said, world: World):
    missing = _missing(said, world)
    for axis, (low, high) in enumerate(_bounds(said.things(world)[0])):
        for end in (low, high):
            if low < high and (side := [cell for cell in missing if cell[axis] == end]):
                return side
    return None


def _up_to(said: Said, world: World):
    cells = said.things(world)[0]
    step = world.vector(said.way or UP)
    far = max(along(cell, step) for cell in cells)
    long = far - min(along(cell, step) for cell in cells) + 1
    face = [cell for cell in cells if along(cell, step) == far]
    return [moved(cell, step, times) for times in range(1, said.number - long + 1) for cell in face]


def _next_to(said: Said, world: World):
    near = [{moved(cell, step) for cell in cells for step in LEVEL} for cells in said.things(world)]
    free = [cell for cell in set.intersection(*near) if cell.in_region and cell not in world.board]
    return free if len(free) == 1 else None


# --- where something goes


def _goes(said: Said, world: World, *, line: bool = True) -> Step | None:
    """Return the step towards another thing, or the middle or the edge of the grid."""
    own, *others = said.things(world)
    bounds, axes = _bounds(own), {}
    for axis in (0, 2):
        (low, high), (start, end) = bounds[axis], _bounds(others[0])[axis] if others else (0, 0)
        if high < start or end < low:
            axes[axis] = 1 if high < start else -1
    if not others and line and look(own) == "line":
        axes = {axis: sign for axis, sign in axes.items() if bounds[axis][0] < bounds[axis][1]}
    if len(axes) != 1:
        return None
    ((axis, sign),) = axes.items()
    sign = -sign if re.search(_FROM, said.text) else sign
    return tuple(sign if i == axis else 0 for i in range(3))


def _moved(said: Said, world: World):
    """Stand for all blocks of a thing, which go the same way."""


def _out(said: Said, world: World):
    step = _goes(said, world)
    if step is None:
        return None
    end = max(said.things(world)[0], key=lambda cell: along(cell, step))
    return [moved(end, step, times) for times in range(1, said.number + 1)]


def _sticking_out(said: Said, world: World):
    top = max(said.things(world)[0])
    return [moved(top, world.vector(said.way), times) for times in range(1, said.number + 1)] if said.way else None


def _on_the_grid(said: Said, world: World):
    """Return places above the ground at the middle, an edge or a corner of the grid."""
    x, z = _sides(said, world)
    return [Cell(X_MAX * x, height, X_MAX * z) for height in range(1, said.number + 1)]


def _on_the_edge(said: Said, world: World):
    (x, z), (own, _, other) = _sides(said, world), said.things(world)[0][0]
    return [Cell(X_MAX * x if x else own, 1, X_MAX * z if z else other)]


def _sides(said: Said, world: World) -> tuple[int, int]:
    """Return the step to the edge or the corner that is named, along x and z."""
    x = z = 0
    for words in re.search(rf"((?:(?:{_ANY_SIDE}) )*)(?:edge|side|corner|$)", said.text)[1].split():
        (dx, _, dz) = world.vector(next(way for way, names in _SIDES.items() if re.fullmatch(names, words)))
        x, z = x + dx, z + dz
    return x, z


# --- the words

_PRONOUNS = ("it", "that", "this", "them", "those", "they")
_PAIRS = {"block": "blocks|bricks", "tower": "towers|columns|stacks", "line": "rows|lines"}
_B = "(?: (?:blocks?|bricks?|ones?))?"
_A = rf"(?:an extra|a single|(?:another )?(?P<n>{NUMBER})|another|an?)"
_SIDES: dict[Way, str] = {LEFT: "left", RIGHT: "right", AWAY: "back|far", TOWARDS: "front|near"}
_WAYS: dict[Way, str] = {
    LEFT: "(?:to (?:the |your ))?left", RIGHT: "(?:to (?:the |your ))?right", AWAY: "back|away from you",
    TOWARDS: "towards? you|closer to you",
}  # fmt: skip
_ANY_SIDE = "|".join(_SIDES.values())
_ANY_WAY = "|".join(_WAYS.values())
_SIGNS = (  # X: what is placed, or a number; R: a thing; W: a way
    (r",? (?:to connect them|so they(?:'re connected| connect))$", ""),
    (r"\bfor a total of\b", "to total"),
    (rf"(?:the two|the 2|the|both) (?P<of>{COLOR}) (?P<pair>{'|'.join(_PAIRS.values())})\b", "R and R"),
    (r"\b(?:an? )?(?:full )?(?P<n>\d+) ?(?:x|by) ?\d+(?: square)?", "SQUARE"),
    (r"\ba (?:full )?square\b", "SQUARE"),
    (rf"\bthe (?:top|highest)(?: block| one)?(?: of (?P<thing>{THING}))?(?![\w'])", "TOP"),
    (rf"(?<![\w'])(?:{THING})(?![\w']| (?:left |right )?(?:corner|edge|side))", "R"),
    (rf"\ban? (?P<color>{COLOR}) (?:stack|tower|column) (?:of )?(?P<n>{NUMBER})(?: high| tall)?\b", "X"),
    (rf"\ba (?:stack|tower|column) of (?P<n>{NUMBER}) (?P<color>{COLOR}){_B}\b", "X"),
    (rf"\b(?:{_A} )?(?P<color>{COLOR})s?{_B}\b", "X"),
    (rf"\b{_A}(?: more)?{_B}\b", "X"),
    (rf"\b(?:going |extending )?(?P<way>{_ANY_WAY})\b(?! (?:left |right )?(?:edge|side|corner)| in| next)", "W"),
)
_GRID = "(?:whole )?(?:grid|board|space)"
_MIDDLE = "(?:very |exact )?(?:middle|center)"
_FROM = r"away from|opposite|outwards?|edge|outside|out from the"
_FRAME = one_line(rf"""
    (?:going )?(?:(?:in |out )?(?:straight )?(?:towards?|into|closer to) the
    [ ](?:(?:{_MIDDLE}|edge)(?: of the {_GRID})?|outside)
    |inwards?|outwards?|(?:away|out) from the {_MIDDLE}
    |(?:straight )?(?:towards?|closer to|in the direction of|away from|in the opposite direction of) R)
""")
_PUT = "(?:(?:put|place|add|do|build|make) )?"
_HOLE = "(?:the )?(?:inside|middle|rest|hole|gap|empty space|empty spot|missing block|missing spot|missing one|corner)"
_WITH = "(?: with (?:the same color|X))?"
_TOTAL = "(?:,? in)?(?: total)?"
_OUT = "(?:sticking|coming|poking|extending|hanging)"
_STICKING = f"(?:{_OUT} )?(?:(?:out of|off of|off|out) (?:R|TOP) W|out W from (?:R|TOP))"
_PLACE = one_line(rf"""
    (?=.*\b(?:edge|grid|board|space)\b)(?:all the way |right )?(?:in|at|on|along) the
    [ ](?:{_MIDDLE}|(?:(?:very|back|far|front|near|left|right) )*(?:corner|edge|side))(?: square)?
    (?: of the (?:{_GRID}|(?:left|right|back|front|far|near) (?:edge|side)(?: of the {_GRID})?))?
    (?:,? (?:right )?in the middle)?
""")
_LINED_UP = (
    rf"(?:all the way )?(?:on|at|by) the (?:{_ANY_SIDE}) edge(?: of the {_GRID})?,?"
    " (?:straight )?(?:in line|lined up) with R"
)
_NEXT = "(?:(?:right )?next to|beside|adjacent to|in the (?:free|only open) spot next to|touching|that's next to)"
_TWO = "(?:both )?R and (?:also next to )?R(?: on the side)?"
_GROWN = (
    "extend|make|continue|keep|add|to|until|so|it's|is|long|by|adding|in|total|should|be|more|turn|fill|complete|into|of"
    "|building"
)
_RULES = (
    # connected, filled, closed
    ("(?:connect|join|link|bridge) (?:both )?R (?:and|to) R (?:with|using) X", _gap),
    ("(?:fill|close|bridge)(?: in)?(?: the (?:gap|space))? between R and R with X", _gap),
    ("(?:use X to (?:connect|join) R (?:and|to) R|R and R should be connected (?:by|with) X)", _gap),
    (f"{_PUT}X between R and R", _so_many_between),
    (f"(?:fill(?: in)?|complete|finish) R(?: in)?(?: completely)?{_WITH}", _missing),
    (f"fill(?: in)? {_HOLE}(?: (?:of|in|inside) R)?{_WITH}", _missing),
    (
        f"{_PUT}X (?:to fill the (?:inside of|gap in) R|to complete R|inside R to fill R|in the missing spot of R)",
        _missing,
    ),
    ("use X to fill in R|the inside of R should be X|put X where R is missing X|R is missing X, fill R in", _missing),
    (f"(?:make|turn|complete) R(?: into| to)? SQUARE{_WITH}", _missing),
    (f"fill in R{_WITH} (?:to make R|so it's) SQUARE", _missing),
    (f"fill the corner of R{_WITH} so it's SQUARE|{_PUT}X (?:in the corner of|on) R to make(?: R)? SQUARE", _missing),
    (f"(?:close|finish)(?: off| up)?(?: the (?:open side|opening)(?: of)?)?(?: R)?(?: off)?{_WITH}", _open_side),
    (f"{_PUT}X on the open side of R to close R|complete R{_WITH} so it's closed all around", _open_side),
    ("use X to close R", _open_side),
    # up to a total
    (
        r"(?=.*\b(?:tall|high|total)$)(?:(?:make|build|bring|extend|(?:keep )?stack(?:ing)? on|go up on) )?R"
        rf"(?: up)?(?: should be| needs to be| to be| to| until it's)? X(?: tall| high)?{_TOTAL}",
        _up_to,
    ),
    (rf"(?=.*\bR\b)(?=.*\bW\b)(?=.*\bX\b)(?=.*(?:long|total|to X))(?:(?:{_GROWN}|R|X|W)\b,? ?)+", _up_to),
    (rf"(?=.*\bR\b)(?=.*\bW\b)(?=.*\bSQUARE\b)(?:(?:{_GROWN}|R|W|SQUARE)\b,? ?)+", _up_to),
    # other frames of reference
    (f"(?:move|shift|bring) R(?: X)? {_FRAME}(?:(?: by)? X)?|R should be X {_FRAME}", _moved),
    (f"(?:extend|make|continue) R(?: go)?(?: by)? X(?: longer| further)? {_FRAME}", _out),
    (f"(?:extend|continue) R {_FRAME} (?:by|for|with) X|add X to R {_FRAME}|(?:keep going )?{_PUT}X {_FRAME}", _out),
    (f"{_PUT}X (?:{_OUT} )?(?:out )?(?:on|of|from|next to) R,? {_FRAME}|from R,? (?:go )?{_PUT}X {_FRAME}", _out),
    (f"{_PUT}X {_STICKING}|{_STICKING},? {_PUT}X", _sticking_out),
    (f"{_PUT}X {_LINED_UP}|{_LINED_UP},? {_PUT}X", _on_the_edge),
    (f"{_PUT}X {_PLACE}|{_PLACE},? {_PUT}X", _on_the_grid),
    (f"{_PUT}X {_NEXT} (?:R|{_TWO})|{_NEXT} (?:R|{_TWO}),? {_PUT}X", _next_to),
)
