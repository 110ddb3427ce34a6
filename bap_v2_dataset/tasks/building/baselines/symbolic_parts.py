"""Reads turns about parts of what stands there: several places at once, and what is removed from within.

A grammar of its own: a place is an operation ("on top of") and the parts where it is done ("each corner of the wall").
"""

import re
from collections.abc import Callable, Sequence

from bap_v2_dataset.tasks.building.baselines.symbolic_changes import Effect, changed
from bap_v2_dataset.tasks.building.baselines.symbolic_completions import completion_effect
from bap_v2_dataset.tasks.building.baselines.symbolic_meanings import AWAY, DOWN, LEFT, RIGHT, TOWARDS, UP, Way
from bap_v2_dataset.tasks.building.baselines.symbolic_phrases import (
    COLOR,
    COLORS,
    NUMBER,
    RANK,
    RANKS,
    number_of,
    one_line,
)
from bap_v2_dataset.tasks.building.baselines.symbolic_things import THING, Cells, look, thing
from bap_v2_dataset.tasks.building.baselines.symbolic_world import World
from bap_v2_metric.blocks import Cell
from bap_v2_simulators.shapes import along, moved

Said = dict[str, str | None]
Members = Callable[[Said, World], Sequence[tuple[Cell, tuple[int, int, int]]] | None]  # cells, and the ways out there


def parts_effect(text: str, *, begun: bool = False) -> Effect | None:
    """Return what a line about parts of things does; None if it is none.

    Args:
        begun: something was asked for before, and is not built yet: "make it 5 high" would be about that.
    """
    for words, plain in _SAME_WORDS:
        text = re.sub(words, plain, text)
    for pattern, members in _REMOVALS:
        if match := re.fullmatch(f"{_REMOVE} (?:{pattern})", text):
            return _removal(members, match.groupdict())
    for pattern, members, ways in _WHOLE:
        if match := re.fullmatch(pattern, text):
            return _placement(members, ways, {"color": None} | match.groupdict())
    for frame in _FRAMES:
        if match := frame.fullmatch(text):
            for words, ways, kinds in _OPERATIONS:
                place = re.match(f"{words} ", match["pp"])
                effect = place and _at(match["pp"][place.end() :], ways, kinds, match.groupdict())
                if effect:
                    return effect
    return completion_effect(text, begun=begun)


def _at(part: str, ways: "Ways", kinds: str, said: Said) -> Effect | None:
    for pattern, members, kind in _MEMBERS:
        if kind in kinds.split() and (match := re.fullmatch(pattern, part)):
            return _placement(members, ways, said | match.groupdict())
    return None


def _placement(members: Members, ways: "Ways", said: Said) -> Effect:
    def effect(world: World, _at):
        spots = members(said, world)
        if not spots:
            return None
        number = _count(said, "times")
        named = _any(said, "color")
        color = COLORS[named] if named else world.board[spots[0][0]]
        cells = [
            moved(cell, way, times)
            for cell, out in spots
            for way in ways(said, world, out)
            for times in range(1, number + 1)
        ]
        if any(cell in world.board or not cell.in_region for cell in cells):
            return None
        return changed(world, (), [(cell, color) for cell in cells])

    return effect


def _removal(members: Members, said: Said) -> Effect:
    def effect(world: World, _at):
        spots = members(said, world)
        return changed(world, [cell for cell, _ in spots], []) if spots else None

    return effect


def _count(said: Said, name: str = "n") -> int:
    return number_of(_any(said, name))


def _named(said: Said, world: World) -> Cells | None:
    """Return the thing that is named, or the last one."""
    return thing(_any(said, "thing") or "it", world)


def _any(said: Said, name: str) -> str | None:
    """Return what was said under a name: "thing", or "thing2" in another form of the phrase."""
    return next((text for key, text in said.items() if text and re.fullmatch(rf"{name}\d*", key)), None)


# --- the parts of a thing


def _of(parts: Callable[[Cells, World, Said], Sequence[Cell] | None]) -> Members:
    """Return the members of a thing that is named, or of the last one."""

    def members(said: Said, world: World):
        cells = _named(said, world)
        chosen = None if cells is None else parts(cells, world, said)
        return None if chosen is None else [(cell, (0, 0, 0)) for cell in chosen]

    return members


def _ends(said: Said, world: World):
    cells = sorted(_named(said, world) or ())
    if len(cells) < 2 or look(tuple(cells)) not in ("line", "diagonal"):
        return None
    step = tuple(b - a for a, b in zip(*cells[:2], strict=True))
    return [(cells[0], tuple(-part for part in step)), (cells[-1], step)]


def _extremes(cells: Cells) -> tuple[list[int], list[int]]:
    return [min(part) for part in zip(*cells, strict=True)], [max(part) for part in zip(*cells, strict=True)]


def _corners(cells: Cells, world: World, said: Said):
    low, high = _extremes(cells)
    corners = [cell for cell in cells if all(c in (a, b) for a, b, c in zip(low, high, cell, strict=True))]
    if look(cells) not in ("plane", "frame"):
        return None
    if _any(said, "side"):
        corners.sort(key=lambda cell: -along(cell, world.vector(_side(_any(said, "side")))))
        return corners[:2]
    return corners


def _middle(cells: Cells, world: World, said: Said):
    ends = list(zip(*_extremes(cells), strict=True))
    middle = [cell for cell in cells if all(abs(2 * c - a - b) < 2 for (a, b), c in zip(ends, cell, strict=True))]
    return middle if len(middle) == (2 if said.get("two") else 1) and len(cells) > 1 else None


def _in_order(cells: Cells, world: World, said: Said) -> list[Cell]:
    """Return the blocks from the side that is named."""
    return sorted(cells, key=lambda cell: -along(cell, world.vector(_side(_any(said, "side")))))


def _every_other(cells: Cells, world: World, said: Said):
    return _in_order(cells, world, said)[::2]


def _at_the_end(cells: Cells, world: World, said: Said):
    return _in_order(cells, world, said)[: _count(said)]


def _border(cells: Cells) -> list[Cell]:
    low, high = _extremes(cells)
    return [
        cell for cell in cells if any(a < b and c in (a, b) for a, b, c in zip(low, high, cell, strict=True))
    ]  # fmt: skip


def _beneath(cells: Cells, world: World, said: Said):
    own = {(cell.x, cell.z) for cell in cells}
    low = min(cell.y for cell in cells)
    return [cell for cell in world.board if (cell.x, cell.z) in own and cell.y < low]


def _just_beneath(cells: Cells, world: World, said: Said):
    low = min(cells, key=lambda cell: cell.y)
    below = Cell(low.x, low.y - 1, low.z)
    return [below] if below in world.board else None


def _inner(cells: Cells, world: World, said: Said):
    return sorted(cells)[1:-1] if look(cells) in ("line", "tower", "diagonal") else None


def _run(said: Said, world: World):
    return [(cell, (0, 0, 0)) for cell in world.run]


def _side(text: str) -> Way:
    return next(way for way, words in _SIDES.items() if re.fullmatch(words, text))


# --- where it is done

Ways = Callable[[Said, World, tuple[int, int, int]], Sequence[tuple[int, int, int]]]


def _ways(*ways: Way) -> Ways:
    return lambda said, world, out: [world.vector(way) for way in ways]


_T = rf"(?P<thing>{THING})"
_SIDES: dict[Way, str] = {
    LEFT: "left(?:most)?", RIGHT: "right(?:most)?", UP: "top(?:most)?|highest", DOWN: "bottom|lowest",
    TOWARDS: "front|closest|nearest", AWAY: "back|furthest|farthest",
}  # fmt: skip
_SIDE = f"(?P<side>{'|'.join(_SIDES.values())})"
_OF = f"(?: (?:of|in) {_T})?"
_EACH = "(?:each|every|either|both|all)(?: of)?(?: the)?"
_B = "(?:blocks?|ones?|bricks?)"
_START = "start(?:ing|s)? (?:with|from|on|at)"
_EVERY_OTHER = rf"every (?:other|second) {_B}{_OF},? {_START} the {_SIDE}(?: (?:one|end))?"
_MIDDLE = "(?:very )?(?:middle|center)"
_CENTER = f"the {_MIDDLE}(?: {_B})?{_OF}|the {_B} in the {_MIDDLE}(?: of {_T.replace('<thing>', '<thing2>')})?"
_RUN = one_line(r"""
    (?:(?:each|every|all|every one|each one)(?: of)? )?(?:(?:the )?(?:blocks|ones) you(?: just)? (?:placed|built)
    |those(?: blocks)?|them|these(?: blocks)?)|each one
""")
_MEMBERS: tuple[tuple[str, Members, str], ...] = (
    (f"(?:{_EACH}|the(?: two| 2)?) ends?{_OF}", _ends, "ends"),
    (f"(?:{_EACH}|the)(?: four| 4)? corners?{_OF}", _of(_corners), "corners"),
    (f"(?:{_EACH}|the)(?: two| 2)? {_SIDE} corners?{_OF}", _of(_corners), "corners"),
    (_CENTER, _of(_middle), "block"),
    (f"the {_SIDE}(?: {_B})?{_OF}", _of(_at_the_end), "block"),
    (f"the (?P<side>top|bottom|lowest) block on (?:the )?(?:top|bottom) of {_T}", _of(_at_the_end), "block"),
    (f"the base of {_T}", _of(lambda cells, world, said: [min(cells)]), "block"),
    (_EVERY_OTHER, _of(_every_other), "every"),
    (_RUN, _run, "each"),
    (f"{_EACH} {_B} (?:of|in) {_T}", _of(lambda cells, world, said: cells), "each"),
    (_T, _of(lambda cells, world, said: cells if len(cells) == 1 else None), "block"),
)
_BESIDE = "ends corners each every"
_OPERATIONS: tuple[tuple[str, Ways, str], ...] = (
    ("(?:on|to|at|onto)", lambda said, world, out: [out], "ends"),
    ("(?:on ?top of|on the top of|above|on)", _ways(UP), "corners each every"),
    ("(?:on ?top of|on the top of|above)", _ways(UP), "ends"),
    ("(?:under|below|underneath|beneath)", _ways(DOWN), "ends " + _BESIDE),
    ("(?:(?:to|on) the )?left(?: side)? of", _ways(LEFT), _BESIDE),
    ("(?:(?:to|on) the )?right(?: side)? of", _ways(RIGHT), _BESIDE),
    ("(?:in|on the) front of", _ways(TOWARDS), _BESIDE),
    ("(?:behind|(?:on the|in) back of)", _ways(AWAY), _BESIDE),
    (
        r"(?:(?:on|to|at) (?:each|both|either) sides? of|(?:(?:to|on) the )?left and (?:to the )?right(?: sides?)? of)",
        _ways(LEFT, RIGHT), "block",
    ),
    (
        "(?:in front(?: of)? and behind|behind and in front of|on the (?:front and back|near and far sides?) of)",
        _ways(TOWARDS, AWAY), "block",
    ),
    (
        "(?:(?:on|around) (?:all|each of the) (?:of the )?(?:four|4) sides of|on every side of)",
        _ways(LEFT, RIGHT, TOWARDS, AWAY), "block",
    ),
)  # fmt: skip
_PUT = "(?:put|place|add|do|build|make|lay)"
_NP = one_line(rf"""
    (?:(?:(?:an?|one|a single|another|(?P<times>{NUMBER}))[ ])?(?P<color>{COLOR})s?(?: (?:block|one|brick)s?)?
    |(?:one|a|another|an extra|(?:another )?(?P<times2>{NUMBER}))(?: more)?(?: (?:block|one|brick)s?)?)
""")
_PREPOSITION = "(?:on|to|at|above|under|below|beneath|directly|right|left|in|all|ontop|behind|beside|around)"
_FRAMES = tuple(
    re.compile(frame)
    for frame in (
        rf"(?:{_PUT} )?{_NP} (?P<pp>{_PREPOSITION}.*)",
        rf"(?P<pp>{_PREPOSITION}.*?),? (?:{_PUT} )?{_NP}",
    )
)  # fmt: skip
_SIDEWAYS, _BY = "(?:left|right)", r"\b(?:(?:right )?next to|beside)"
_SAME_WORDS = (  # other words for the same
    (r"^(?:(?:just|please|and|can you|you can|we need|there should be|let's|i want|you're going to) )+", ""),
    (r"^take (.*) (?:out|away|off)$", r"remove \1"),
    (r"^(.*) (?:can|should|needs to|has to|need to) (?:be removed|go)$", r"remove \1"),
    (r"on (?:each|either) side of (.*), (?:in )?front and (?:back|behind)\b", r"on the front and back of \1"),
    (rf"{_BY} (.*?),? on the ({_SIDEWAYS})(?: side)?\b", r"\2 of \1"),
    (rf"{_BY} (.*?),? (?:in front|on the front side)\b", r"in front of \1"),
    (rf"{_BY} (.*?), behind it\b", r"behind \1"),
    (rf"{_BY} (.*) on (?:both|each|either) sides?\b", r"on each side of \1"),
    (
        rf"\b(?:(?:to|on) the )?{_SIDEWAYS} of (.*) and (?:one|another|another one) (?:(?:to|on) the )?{_SIDEWAYS}"
        r"(?: of it)?\b",
        r"on each side of \1",
    ),
    (r"\bon one side of (.*) and one on the other side\b", r"on each side of \1"),
    (r"\b(?:in front of|behind) (.*) and (?:one|another) (?:behind|in front of) it\b", r"on the front and back of \1"),
    (r"all around (.*), one on each side", r"on all four sides of \1"),
    (r"(?<!what's )\b(?:directly|right) (?=left|right|in front|behind|under|below|beneath|above)", ""),
)
_MORE_LAYERS = "(?:another|a second|one more) layer"
_ANY_LAYER = rf"{_MORE_LAYERS}|an? (?P<color>{COLOR}) layer|a layer of (?P<color2>{COLOR})"
_LAYER_ALONE = rf"{_MORE_LAYERS}|a layer of (?P<color6>{COLOR})"  # "a red layer" may be a new one
_WHOLE: tuple[tuple[str, Members, Ways], ...] = (
    (
        rf"(?:extend|make|lengthen)(?: both ends of)? {_T}(?: longer)?(?: by)? (?P<times>{NUMBER})(?: longer)?"
        r"(?: (?:on|at|in) (?:both|each|either) (?:ends?|directions))?",
        _ends, lambda said, world, out: [out],
    ),
    (
        rf"(?:(?:add|build|put|do) )?(?:(?:{_ANY_LAYER})(?: (?:on top of|on|to) {_T}| on top)|{_LAYER_ALONE})"
        rf"|(?P<thing2>{THING}) needs another layer on top|copy (?P<thing3>{THING}) up one"
        rf"|cover (?P<thing4>{THING}) (?:with|in) (?P<color3>{COLOR})(?: blocks)?"
        rf"|(?P<color4>{COLOR}) on top of all of (?P<thing5>{THING})",
        _of(lambda cells, world, said: cells), _ways(UP),
    ),
)  # fmt: skip
_REMOVE = (
    "(?:remove|delete|destroy|break|erase|get rid of|punch(?: out)?|knock out|take (?:out|away|off)|we don't need)"
)
_BUT = "(?:but|except(?: for)?)"
_REMOVALS: tuple[tuple[str, Members], ...] = (
    (_CENTER, _of(_middle)),
    (f"the (?P<two>two|2) {_MIDDLE}(?: {_B})?{_OF}", _of(_middle)),
    (f"the {_MIDDLE} (?P<two>two|2)(?: {_B})?{_OF}", _of(_middle)),
    (f"the (?P<two>two|2) in the {_MIDDLE}(?: of {_T})?", _of(_middle)),
    (f"(?:{_EACH}|the)(?: four| 4)? corners?(?: {_B})?{_OF}", _of(_corners)),
    (
        f"(?:{_EACH}|the)(?: two| 2)? ends?(?: {_B})?{_OF}|(?:one|the {_B}) (?:from|on|at) (?:each|both) ends?"
        f"(?: of {_T.replace('<thing>', '<thing2>')})?",
        _ends,
    ),
    (f"(?:all|everything|all the {_B})(?: (?:of|in) {_T})? {_BUT} the(?: two)? ends", _of(_inner)),
    (f"all {_BUT} the(?: two)? ends of {_T}|everything {_BUT} the ends of {_T.replace('<thing>', '<thing2>')}"
     f"|everything between the ends of {_T.replace('<thing>', '<thing3>')}", _of(_inner)),
    (
        rf"(?:the |the whole )?(?:inside|middle)(?: of {_T})? so (?:only the outline is left|it's hollow)"
        rf"|the (?:whole )?inside(?: of {_T.replace('<thing>', '<thing2>')})?"
        rf"|everything inside the border of {_T.replace('<thing>', '<thing3>')}"
        rf"|all {_BUT} the (?:outer edge|outside) of {_T.replace('<thing>', '<thing4>')}",
        _of(lambda cells, world, said: [cell for cell in cells if cell not in _border(cells)]),
    ),
    (_EVERY_OTHER, _of(_every_other)),
    (
        rf"the (?P<rank>{RANK})(?: {_B})? from the {_SIDE}{_OF}",
        _of(lambda cells, world, said: _in_order(cells, world, said)[RANKS[said["rank"]] - 1 :][:1]),
    ),
    (
        rf"the (?:(?P<n>{NUMBER}) )?{_SIDE}(?: (?P<n2>{NUMBER}))?(?: {_B})?{_OF}"
        rf"|the (?:(?P<n3>{NUMBER})|{_B})(?: {_B})? (?:at|on) the {_SIDE.replace('<side>', '<side2>')} end"
        f"(?: of {_T.replace('<thing>', '<thing2>')})?",
        _of(_at_the_end),
    ),
    (
        rf"(?:the (?:block|one)|what's right)(?: right)? (?:under|below|underneath|beneath) (?P<thing>{THING})"
        rf"|the block (?P<thing2>{THING}) is standing on",
        _of(_just_beneath),
    ),
    (
        r"(?:the|all the)(?: supports?| supporting)?(?: blocks| supports)? (?:under|below|holding up)"
        rf" (?P<thing>{THING})|(?:everything|what's|whatever is) (?:under|below) (?P<thing2>{THING})",
        _of(_beneath),
    ),
)  # fmt: skip
