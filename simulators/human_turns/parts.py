"""Parts of what stands there, and what is done to them: a selector of cells, an operation, and words for both.

"a red block on each corner of it", "take out the middle one", "connect the two towers", "two more towards the middle".
A row of parts.json says what is asked for how often; the words are tables of phrases.json, by selector and operation.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import resources
from itertools import permutations
from random import Random
from typing import NamedTuple

from bap_v2_metric.blocks import Cell, Color
from bap_v2_simulators.human_turns import requests
from bap_v2_simulators.human_turns.selectors import Selection, Spot, fits, spots_of
from bap_v2_simulators.human_turns.things import Thing, line_of
from bap_v2_simulators.language.references import Scene
from bap_v2_simulators.language.sentences import article, typed_number
from bap_v2_simulators.language.words import Words
from bap_v2_simulators.shapes import DOWN, LEVEL, UP, Vector, moved, opposite
from bap_v2_simulators.targets import COLORS
from bap_v2_simulators.view import Direction

# The ways from each spot in which blocks are placed.
OPERATIONS: Mapping[str, Callable[[Spot, Vector | None], Sequence[Vector]]] = {
    "outwards": lambda spot, _: (spot.way,),
    "on top": lambda spot, _: (UP,),
    "at": lambda spot, _: (UP,),
    "below": lambda spot, _: (DOWN,),
    "beside": lambda spot, way: (way,),
    "sticking out": lambda spot, way: (way,),
    "both sides": lambda spot, way: (way, opposite(way)),
    "four sides": lambda spot, _: LEVEL,
}


class Row(NamedTuple):
    """What is asked for, and how often among its kind."""

    kind: str
    selector: str
    operation: str
    weight: int
    ways: Sequence[Vector] = (None,)
    counts: Sequence[int] = (1,)  # blocks at each place, or in all
    own: float = 0.4  # how often they have the color of the thing
    of: str = "thing"  # or "two" things, the "last" blocks, a "pair" of a color, the "grid"


_PLACES, _COMPLETION = "several places", "completion"
_MOST = 9  # blocks that fill something
_WAYS = {  # of a row of parts.json
    "up": (UP,), "level": LEVEL, "axes": LEVEL[::2], "each": (*LEVEL, UP, DOWN), "any": (*LEVEL, UP, DOWN, DOWN),
    "diagonal": tuple((x, 0, z) for x in (-1, 1) for z in (-1, 1)),
}  # fmt: skip
_COUNTS = {"few": (1, 1, 1, 1, 2, 2, 3), "all": (0,)}  # likewise; all: as many as it takes


def _rows() -> Iterator[Row]:
    """Yield the rows of parts.json: by kind, selector, operation and weight, and then what is not as in most rows."""
    text = resources.files(__package__).joinpath("parts.json").read_text(encoding="utf-8")
    for kind, rows in json.loads(text).items():
        for selector, operation, weight, *others in rows:
            more = dict(others[0]) if others else {}
            for name, known in (("ways", _WAYS), ("counts", _COUNTS)):
                if isinstance(more.get(name), str):
                    more[name] = known[more[name]]
            yield Row(kind, selector, operation, weight, **more)


ROWS = tuple(_rows())
_KIND_OF = {(row.selector, row.operation): row.kind for row in ROWS}


@dataclass(frozen=True, slots=True)
class Parts(requests.Request):
    """Some cells, selected by geometry, and what is done there."""

    selector: str
    operation: str
    way: Vector | None = None  # that it names
    count: int = 1
    color: Color | None = None  # None: that of the thing
    pair: tuple[Color, str] | None = None  # color and kind of two things

    @property
    def kind(self) -> str:
        return _KIND_OF[self.selector, self.operation]

    @property
    def ways(self) -> tuple[Vector, ...]:
        return () if self.way is None else (self.way,)

    @property
    def counts_all(self) -> bool:
        """Whether the count is that of all blocks that fill something."""
        return self.selector in ("gap", "pair", "hollow", "open side", "hole", "corner of an l")

    def change(
        self, thing: Thing | None, pivot: Thing | None, heard: requests.DialogueContext
    ) -> requests.Change | None:
        # The cells that are meant.
        spots = spots_of(self.selector, Selection(thing, pivot, heard, self.way, self.count, self.pair))
        if not spots:
            return None
        cells = [spot.cell for spot in spots]
        own = thing.color if thing is not None else heard.board.get(cells[0])
        # What goes, moves, or fills them.
        if self.operation == "remove":
            return None if thing is not None and set(cells) >= set(thing.cells) else requests.Change(tuple(cells))
        if self.operation == "move":
            return requests.Change(
                thing.cells, tuple((moved(cell, spots[0].way, self.count), own) for cell in thing.cells)
            )
        if self.operation == "fill":
            if len(cells) > _MOST or (self.counts_all and self.count not in (0, len(cells))):
                return None
            return requests.Change((), tuple((cell, self.color or own) for cell in cells))
        # What is placed from there.
        if self.operation == "out":  # of the end of a line, or of a block
            spots = spots[:1]
            if len(thing.cells) > 1 and line_of(thing.cells) not in (spots[0].way, opposite(spots[0].way)):
                return None
        ways = OPERATIONS["outwards" if self.operation == "out" else self.operation]
        placed = [
            moved(spot.cell, way, times)
            for spot in spots for way in ways(spot, self.way) for times in range(1, self.count + 1)
        ]  # fmt: skip
        if self.color is own or len(set(placed)) < len(placed):
            return None
        return requests.Change((), tuple((cell, self.color or own) for cell in placed))

    def said(self, words: Words, named: requests.ReferenceNames, omitted: str | None) -> requests.RequestText:
        blanks = self._blanks(words, named)
        just_built = named.is_it or not named.thing  # it need not be named
        one, own = self.count == 1, "same" if self.color is None else "color"

        def picked(name: str, each: bool = False) -> str:
            return words.pick(f"{_FAMILIES[each, just_built]}.{name}").format(**blanks)

        # What is removed, moved or filled.
        if self.operation == "remove":
            blanks["v"] = words.pick("PARTS.REMOVE_VERBS")
            blanks["np"] = picked(f"{self.selector}.{'removed' if one else 'several'}")
            return requests.RequestText((requests.clause(words.pick("PARTS.REMOVED").format(**blanks)),))
        if self.operation in ("fill", "move"):
            name = self.selector if self.operation == "fill" else "move"
            return requests.RequestText((requests.clause(article(picked(f"{name}.{own}"))),))
        # What is placed; of some, all in one sentence.
        whose = "up" if self.operation == "at" and not one else "last" if own == "same" and just_built else own
        blanks["np"] = words.pick(f"PARTS.{'one' if one else 'several'}.{whose}").format(**blanks)
        whole = f"{self.selector}.{self.operation}.{own}"
        if self.operation == "out":
            return requests.RequestText((requests.clause(article(picked(f"out.{own}"))),))
        if whole in _WHOLE and (one or self.selector == "ends") and words.chance(0.4):
            return requests.RequestText((requests.clause(article(picked(whole))),))
        # And where: "two on both sides" might be two in all, "two on each side" are not.
        each, sides = not one and self.kind == _PLACES, "sides" in self.operation
        blanks["m"] = picked(f"{self.selector}.each", each and not sides)
        where = _FAMILIES[each and sides, True]
        blanks["pp"] = words.pick(f"{where}.{self._operation_seen(named)}").format(**blanks)
        return requests.RequestText((requests.clause(article(words.pick("PARTS.PLACED").format(**blanks))),))

    def _blanks(self, words: Words, named: requests.ReferenceNames) -> dict[str, str]:
        """Return the words for the blanks of the tables."""
        number = str(self.count) if self.selector == "squared" else typed_number(words, self.count)
        blanks = {"r": named.thing, "p": named.pivot, "n": number, "b": requests.plural("block", self.count)}
        blanks |= {"v": words.pick("PARTS.PLACE_VERBS"), "c": "" if self.color is None else self.color.value}
        if self.pair is not None:
            blanks["p"] = f"{self.pair[0].value} {requests.plural(words.pick(f'THING_NAMES.{self.pair[1]}'), 2)}"
        # Sides and ways, as the Builder sees them.
        if self.way is not None:
            directions = named.offset(self.way).directions
            blanks["s"] = " ".join(_SIDES[direction] for direction in reversed(directions))
            blanks["d"] = blanks["s"].replace("back", "far").replace("front", "near")
            if len(directions) == 1:
                blanks["o"] = words.pick(f"PARTS.ORDINALS.{self.count}") if self.selector == "nth" else ""
                blanks["e"] = words.pick(f"ENDS.{directions[0].value}")
                blanks["to"] = words.pick(f"PLAIN_WAYS.{directions[0].value}")
        elif self.operation in ("out", "move"):
            blanks["to"] = words.pick(f"PARTS.{self.selector}.to").format(**blanks)
        return blanks

    def _operation_seen(self, named: requests.ReferenceNames) -> str:
        """Return the operation as the Builder sees it."""
        if self.operation == "beside":
            return f"beside.{named.direction(self.way).value}"
        if self.operation == "both sides":
            across = named.direction(self.way) in (Direction.LEFT, Direction.RIGHT)
            return f"both sides.{'across' if across else 'along'}"
        ends = self.operation == "on top" and self.selector == "ends"  # "on each end" goes on in its line
        return "on top.ends" if ends else self.operation


def chosen(kind: str, rng: Random, scene: Scene, things: Sequence[Thing], apart: bool):
    """Return a request of this kind with its things, at random; None if there is nothing."""
    plain = scene.last_steps == 1 and not scene.last_removed and scene.last_kind in _LEAVES_THOSE
    rows = [row for row in ROWS if row.kind == kind and (plain or row.of != "last")]
    rows.sort(key=lambda row: rng.random() ** (1.0 / row.weight), reverse=True)  # Efraimidis and Spirakis
    asked = (_asked(row, rng, scene, things, way) for row in rows for way in rng.sample(row.ways, len(row.ways)))
    return next(filter(None, asked), None)


def _asked(row: Row, rng: Random, scene: Scene, things: Sequence[Thing], way: Vector | None):
    """Return what a row asks for, and of which things; None if that can be done to none."""
    color = None if row.operation in ("remove", "move") or rng.random() < row.own else rng.choice(COLORS)
    count = rng.choice(row.counts)
    pair = None
    if row.of == "pair":
        looks = [(thing.color, thing.kind) for thing in things]
        pairs = [look for look in dict.fromkeys(looks) if looks.count(look) == 2 and look[1] in _PAIRED]
        pair = rng.choice(pairs) if pairs else None
    # The things for which that can be done, the last one more often than others.
    sets: Sequence[tuple[Thing | None, Thing | None]] = [(None, None)]
    if row.of in ("thing", "two"):
        things = [thing for thing in things if fits(row.selector, thing)]
        sets = [*permutations(things, 2)] if row.of == "two" else [(thing, None) for thing in things]
    if not sets:
        return None
    request = Parts(row.selector, row.operation, way, count, color, pair)
    heard = requests.DialogueContext(scene.board, scene.last_cells)
    able = [(*both, request.change(*both, heard)) for both in sets]
    able = [chosen for chosen in able if _is_possible(chosen[2], scene.board)]
    if not able:
        return None
    last = [chosen for chosen in able if chosen[0] is not None and scene.last in chosen[0].cells]
    thing, pivot, change = rng.choice(last if last and rng.random() < _LAST else able)
    if request.counts_all:
        request = replace(request, count=len(change.placed))
    return request, thing, pivot


def _is_possible(change: requests.Change | None, board: Mapping[Cell, Color]) -> bool:
    return change is not None and all(
        cell.in_region and (cell not in board or cell in change.removed) for cell, _ in change.placed
    )


# The families of tables: whether each place is meant by itself, and whether the thing need not be named.
_FAMILIES = {
    (False, True): "PARTS", (False, False): "PARTS_NAMED", (True, True): "PARTS_EACH", (True, False): "PARTS_EACH_NAMED"
}  # fmt: skip
_LAST = 0.7
_LEAVES_THOSE = ("new", "again", "mirror", _PLACES, _COMPLETION)  # after which it is plain what "those" are
_PAIRED = ("block", "tower", "row")
_WHOLE = ("ends.outwards.same", "each.on top.same", "each.on top.color")  # in sentences of their own, too
_SIDES = {
    Direction.LEFT: "left", Direction.RIGHT: "right", Direction.TOP: "top", Direction.BOTTOM: "bottom",
    Direction.FRONT: "front", Direction.BEHIND: "back",
}  # fmt: skip
