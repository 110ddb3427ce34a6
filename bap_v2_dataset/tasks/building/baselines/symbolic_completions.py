"""Reads turns that fill, connect or complete something, up to a total too, and those told by other frames of reference:
towards another thing, the middle or the edge of the grid.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from bap_v2_dataset.tasks.building.baselines.symbolic_changes import Effect, changed
from bap_v2_dataset.tasks.building.baselines.symbolic_meanings import UP, Way
from bap_v2_dataset.tasks.building.baselines.symbolic_phrases import COLORS, number_of, phrases, ways
from bap_v2_dataset.tasks.building.baselines.symbolic_things import PRONOUNS, Cells, look, thing, things
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
            kind = next(kind for kind, words in _P.PAIRS.items() if re.fullmatch(words, self.pair[1]))
            alike = [cells for cells in things(world) if look(cells) == kind]
            return [cells for cells in alike if world.board[cells[0]] is COLORS[self.pair[0]]]
        return [thing(name, world) for name in dict.fromkeys(self.names or ("it",))]

    @property
    def number(self) -> int:
        return self.numbers[0] if self.numbers else 1


def completion_effect(text: str, *, begun: bool = False) -> Effect | None:
    """Return what a line of these turns does; None if it is none, or is about what was begun."""
    said = _said(text)
    if begun and said.names and all(name in PRONOUNS for name in said.names):
        return None
    return next((_effect(_CELLS[name], said) for name, words in _P.RULES if re.fullmatch(words, said.text)), None)


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

    for sign, words in _P.SIGNS:
        text = re.sub(words, signed(sign), text)
    if re.fullmatch(f"(?:keep going )?{_P.PUT}X {_P.FRAME}", text):  # of what was just built
        names.insert(0, "it")
    first, *others = names or [None]
    goes = [way for way, words in ways(_P.WAYS).items() if re.fullmatch(words, found.get("way", ""))]
    return Said(
        text,
        tuple(name for name in (first, *others) if name and (name is first or name not in PRONOUNS)),
        tuple(numbers),
        found.get("color"),
        goes[0] if goes else None,
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
    sign = -sign if re.search(_P.FROM, said.text) else sign
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
    for words in _P.sides.search(said.text)[1].split():
        (dx, _, dz) = world.vector(next(way for way, names in ways(_P.SIDES).items() if re.fullmatch(names, words)))
        x, z = x + dx, z + dz
    return x, z


_P = phrases("completions")
_CELLS = {
    "gap": _gap,
    "so many between": _so_many_between,
    "missing": _missing,
    "open side": _open_side,
    "up to": _up_to,
    "moved": _moved,
    "out": _out,
    "sticking out": _sticking_out,
    "on the edge": _on_the_edge,
    "on the grid": _on_the_grid,
    "next to": _next_to,
}
