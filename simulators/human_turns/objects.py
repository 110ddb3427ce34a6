"""Objects that are built part by part: a table with its legs, a bridge, a snake. What they consist of is data.

objects.json holds recipes: names, the first part with its form ("plane 3 3", "tower 2,3,4"), and further parts, each as
"name, of which part, place, how many blocks"; a part with a question mark is often left out.
"""

import json
from dataclasses import dataclass
from functools import cache
from importlib import resources
from random import Random
from typing import ClassVar, NamedTuple

from bap_v2_metric.blocks import Cell, Color
from bap_v2_simulators.human_turns import requests
from bap_v2_simulators.human_turns.changes import extent
from bap_v2_simulators.human_turns.selectors import Selection, spots_of
from bap_v2_simulators.human_turns.things import Thing
from bap_v2_simulators.language.sentences import article, typed_number
from bap_v2_simulators.language.words import Words
from bap_v2_simulators.shapes import DOWN, UP, Vector, moved, opposite

_AROUND = ((1, 0, 0), (0, 0, 1), (-1, 0, 0), (0, 0, -1))
_LEFT_OUT = 0.5  # of the parts with a question mark
_WAYS = {  # places that name a way, and how
    "edge-up": "end", "end-up": "end", "end-out": "end", "end-down": "end", "tip-out": "out", "twin": "out",
    "tip-both": "both", "middle-both": "both", "bar": "both",
}  # fmt: skip


_APART = ("one ", "a ", "3", "three", "just", "the ", "as ", "from ")  # places after a comma


class Part(NamedTuple):
    """A further part of an object."""

    name: str
    of: str  # the part that it is attached to
    place: str
    count: int


class PlannedObject(NamedTuple):
    """An object as it is planned: its parts, and their sizes."""

    name: str
    first: str  # part
    form: str  # "plane", "row", "tower", "wall" or a drawing
    size: tuple[int, ...]
    parts: tuple[Part, ...]

    @property
    def raised(self) -> int:
        """How many cells below the first part are left for what hangs from it."""
        return max(
            (part.count for part in self.parts if part.of == self.first and part.place[-4:] == "down"), default=0
        )


@cache
def _recipes() -> list[dict]:
    return json.loads(resources.files(__package__).joinpath("objects.json").read_text(encoding="utf-8"))


def drawn_object(rng: Random) -> PlannedObject:
    """Return one of the recipes, with sizes."""

    def one_of(numbers: str) -> int:
        return int(rng.choice(numbers.split(",")))

    recipe = rng.choice(_recipes())
    form, *size = recipe["form"].split()
    parts = []
    for text in recipe["parts"]:
        if not text.startswith("?") or rng.random() > _LEFT_OUT:
            name, of, place, counts = text.removeprefix("?").split()
            parts.append(Part(name, of, place, one_of(counts)))
    return PlannedObject(rng.choice(recipe["names"]), recipe["part"], form, tuple(map(one_of, size)), tuple(parts))


def part_cells(place: str, cells: tuple[Cell, ...], way: Vector, count: int) -> list[Cell] | None:
    """Return the cells of a part from those that it is attached to; None if that has no such place.

    A place is counted at the top of the other part: its corners, ends, middle, edge or tip.
    """
    # Another one beside it.
    if place == "twin":
        return [moved(cell, way, extent(cells, way) + count) for cell in cells]
    top = max(cell[1] for cell in cells)
    layer = sorted(cell for cell in cells if cell[1] == top)
    # From the top of one to the top of another.
    if place == "span":
        if len(layer) != 2 or len([axis for axis in (0, 2) if layer[0][axis] != layer[1][axis]]) != 1:
            return None
        step = tuple((b > a) - (b < a) for a, b in zip(*layer, strict=True))
        return [moved(moved(layer[0], UP), step, n) for n in range(extent(cells, step))]
    # A bar or a square with its middle on a tip.
    if place in ("bar", "square"):
        if len(layer) != 1:
            return None
        across = [moved(moved(layer[0], UP), way, n) for n in (-1, 0, 1)]
        aside = (way[2], 0, way[0])
        return across if place == "bar" else [moved(cell, aside, n) for n in (-1, 0, 1) for cell in across]
    # So many blocks from each of some blocks.
    chosen, goes = place.split("-")
    spots = spots_of(chosen, Selection(Thing(None, tuple(layer)), None, None, way, 1))
    out = None if chosen == "ends" else way  # None: as the line goes there
    steps = {"up": (UP,), "down": (DOWN,), "out": (out,), "both": (way, opposite(way)), "around": _AROUND}[goes]
    pairs = [(spot.cell, step or spot.way) for spot in spots for step in steps]
    return [moved(cell, step, n) for cell, step in pairs for n in range(1, count + 1)] or None


@dataclass(frozen=True, slots=True)
class PartAdded(requests.Request):
    """A further part of an object, at a place of one that is there."""

    part: Part
    way: Vector  # level; named if the place needs one
    color: Color | None  # None: that of the other part
    kind: ClassVar[str] = "part"

    @property
    def ways(self) -> tuple[Vector, ...]:
        group = _WAYS.get(self.part.place)
        return (self.way, opposite(self.way)) if group == "both" else (self.way,) if group else ()

    def change(self, thing: Thing, pivot: Thing | None, heard: requests.DialogueContext) -> requests.Change | None:
        cells = part_cells(self.part.place, thing.cells, self.way, self.part.count)
        if not cells or any(cell in heard.board or not cell.in_region for cell in cells):
            return None
        return requests.Change((), tuple((cell, self.color or thing.color) for cell in cells))

    def said(self, words: Words, named: requests.ReferenceNames, omitted: str | None) -> requests.RequestText:
        # The part: with its color, if it is another.
        name, of, place, count = self.part
        several = (
            "twin" if place == "twin" else "several" if name[-1] == "s" and place not in ("span", "all-up") else "one"
        )
        color = (self.color or named.color).value
        np = words.pick(f"PART.{several}{'' if self.color else ' alike'}").format(p=name, c=color)
        # The place, and how far it goes.
        group = _WAYS.get(place)
        to = words.pick(f"PART_WAY.{group}.{named.direction(self.way).value}") if group else ""
        number = typed_number(words, count)
        pp = words.pick(f"PART_PLACE.{place}").format(r=of, to=to, n=number, s="" if count == 1 else "s")
        size = place.partition("-")[2] if count > 1 else ""
        if size:
            pp += words.pick(f"PART_SIZE.{size}").format(n=number)
        joint = ", " if pp.startswith(_APART) else words.pick((" ", " ", ", "))
        return requests.RequestText(
            (requests.clause(article(words.pick("PART_FRAME").format(np=np, pp=f"{joint}{pp}"))),)
        )
