"""Reads turns about parts of what stands there: several places at once, and what is removed from within.

A grammar of its own: a place is an operation ("on top of") and the parts where it is done ("each corner of the wall").
"""

import re
from collections.abc import Callable, Sequence

from bap_v2_dataset.tasks.building.baselines.symbolic_changes import Effect, changed
from bap_v2_dataset.tasks.building.baselines.symbolic_completions import completion_effect
from bap_v2_dataset.tasks.building.baselines.symbolic_meanings import ENDS, Way
from bap_v2_dataset.tasks.building.baselines.symbolic_phrases import COLORS, RANKS, number_of, phrases, ways
from bap_v2_dataset.tasks.building.baselines.symbolic_things import Cells, look, thing
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
    for plain, words in _P.SAME_WORDS:
        text = re.sub(words, plain, text)
    for members, pattern in _P.REMOVALS:
        if match := re.fullmatch(f"{_P.REMOVE} (?:{pattern})", text):
            return _removal(_MEMBERS[members], match.groupdict())
    for members, goes, pattern in _P.WHOLE:
        if match := re.fullmatch(pattern, text):
            return _placement(_MEMBERS[members], goes, {"color": None} | match.groupdict())
    for (frame,) in _P.FRAMES:
        if match := re.fullmatch(frame, text):
            for goes, kinds, words in _P.OPERATIONS:
                place = re.match(f"{words} ", match["pp"])
                effect = place and _at(match["pp"][place.end() :], goes, kinds, match.groupdict())
                if effect:
                    return effect
    return completion_effect(text, begun=begun)


def _at(part: str, goes: str, kinds: str, said: Said) -> Effect | None:
    for members, kind, pattern in _P.MEMBERS:
        if kind in kinds.split() and (match := re.fullmatch(pattern, part)):
            return _placement(_MEMBERS[members], goes, said | match.groupdict())
    return None


def _placement(members: Members, goes: str, said: Said) -> Effect:
    """Return what is placed at the members: outwards, or in the directions that `goes` names."""

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
            for way in ([out] if goes == "out" else [world.vector(ENDS[end]) for end in goes.split()])
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
    return next(way for way, words in ways(_P.SIDES).items() if re.fullmatch(words, text))


_P = phrases("parts")
_MEMBERS: dict[str, Members] = {
    "ends": _ends,
    "each": _run,
    "corners": _of(_corners),
    "middle": _of(_middle),
    "every other": _of(_every_other),
    "at the end": _of(_at_the_end),
    "base": _of(lambda cells, world, said: [min(cells)]),
    "all": _of(lambda cells, world, said: cells),
    "single": _of(lambda cells, world, said: cells if len(cells) == 1 else None),
    "all but the ends": _of(_inner),
    "inside": _of(lambda cells, world, said: [cell for cell in cells if cell not in _border(cells)]),
    "one from the end": _of(lambda cells, world, said: _in_order(cells, world, said)[RANKS[said["rank"]] - 1 :][:1]),
    "just beneath": _of(_just_beneath),
    "beneath": _of(_beneath),
}
