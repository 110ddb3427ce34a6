"""More of what is there: longer, on both ends, on top of each block, the same again, and its mirror image."""

from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

from bap_v2_metric.blocks import Cell, Color
from bap_v2_simulators.human_turns import requests
from bap_v2_simulators.human_turns.changes import extent
from bap_v2_simulators.human_turns.things import Thing, box_of, line_of
from bap_v2_simulators.language.sentences import typed_number
from bap_v2_simulators.language.words import Words
from bap_v2_simulators.shapes import Vector, along, moved, opposite


@dataclass(frozen=True, slots=True)
class Lengthened(requests.Request):
    """A line goes on at one end."""

    way: Vector  # out of the line, at that end
    count: int
    on: bool  # the way is not said: it goes on as it was just built
    short: bool = False  # said as a correction
    kind: ClassVar[str] = "longer"

    @property
    def corrects(self) -> bool:
        return self.short

    @property
    def details(self) -> tuple[str, ...]:
        return () if self.way[1] else ("size",)  # "make it 2 blocks taller" always says how many

    @property
    def ways(self) -> tuple[Vector, ...]:
        return () if self.on else (self.way,)

    def change(self, thing: Thing, pivot: Thing | None, heard: requests.DialogueContext) -> requests.Change | None:
        step = line_of(thing.cells)
        if step is None or step not in (self.way, opposite(self.way)):
            return None
        if self.on and not self.way[1] and not _goes_on(thing, heard, self.way):
            return None
        end = max(thing.cells, key=lambda cell: along(cell, self.way))
        return requests.Change((), tuple((moved(end, self.way, n), thing.color) for n in range(1, self.count + 1)))

    def said(self, words: Words, named: requests.ReferenceNames, omitted: str | None) -> requests.RequestText:
        number, blocks = typed_number(words, self.count), requests.plural("block", self.count)
        if self.way[1]:
            return requests.RequestText(
                (requests.clause(words.pick("HEIGHTENED").format(r=named.thing, n=number, b=blocks)),)
            )
        to = "" if self.on else words.pick(f"PLAIN_WAYS.{named.direction(self.way).value}")
        if omitted == "size":
            ways = "LENGTHENED_LATER" if self.on else "LENGTHENED_TO_LATER"
            later = words.pick(ways).format(r=named.thing, to=to)
            answer = words.pick("SO_MANY").format(n=number, u=blocks)
            return requests.RequestText((requests.clause(later),), words.pick("ASK_HOW_MANY"), answer)
        if self.short:
            ways = "TOO_FEW"
        else:
            ways = "LENGTHENED" if self.on else "LENGTHENED_TO"
        return requests.RequestText(
            (requests.clause(words.pick(ways).format(r=named.thing, n=number, b=blocks, to=to)),)
        )


def _goes_on(thing: Thing, heard: requests.DialogueContext, way: Vector) -> bool:
    """Return whether the last blocks of a line were placed one after the other in this direction, up to its end."""
    last = heard.last_cells
    if len(last) < 2 or any(moved(a, way) != b for a, b in pairwise(last)):
        return False
    return moved(last[-1], way) not in thing.cells


@dataclass(frozen=True, slots=True)
class Copied(requests.Request):
    """The same once more, beside or on top of it."""

    way: Vector
    gap: int  # empty cells in between
    color: Color | None  # None: the same
    kind: ClassVar[str] = "again"
    details: ClassVar[tuple[str, ...]] = ("location",)

    @property
    def ways(self) -> tuple[Vector, ...]:
        return (self.way,)

    def change(self, thing: Thing, pivot: Thing | None, heard: requests.DialogueContext) -> requests.Change | None:
        far = extent(thing.cells, self.way) + self.gap
        color = self.color or thing.color
        return requests.Change((), tuple((moved(cell, self.way, far), color) for cell in thing.cells))

    def said(self, words: Words, named: requests.ReferenceNames, omitted: str | None) -> requests.RequestText:
        color = "" if self.color is None else self.color.value
        if named.is_it:
            ways = "COPIED" if self.color is None else "COPIED_IN"
        else:
            ways = "LIKE" if self.color is None else "LIKE_IN"
        say = words.pick(ways)
        pp = self._where(words, named)
        if omitted == "location":
            later = say.replace(", {pp}", "").replace(" {pp}", "").format(r=named.thing, c=color)
            answer = words.pick("ANSWER_WHERE").format(pp=pp)
            return requests.RequestText((requests.clause(later),), words.pick("ASK_WHERE"), answer)
        return requests.RequestText((requests.clause(say.format(r=named.thing, c=color, pp=pp)),))

    def _where(self, words: Words, named: requests.ReferenceNames) -> str:
        pp = words.pick(f"AGAIN_WHERE.{named.direction(self.way).value}")
        if not self.gap:
            if self.way[1]:
                return pp
            ways = "NO_GAP_TO_A_SIDE" if pp.startswith(("to ", "on ")) else "NO_GAP"
            return words.pick(ways).format(pp=pp)
        ways = "ONE_SPACE" if self.gap == 1 else "SPACES"
        return words.pick(ways).format(pp=pp, n=typed_number(words, self.gap))


@dataclass(frozen=True, slots=True)
class Mirrored(requests.Request):
    """The mirror image on the other side of another thing."""

    same: bool  # it is its own mirror image, and called the same
    kind: ClassVar[str] = "mirror"
    details: ClassVar[tuple[str, ...]] = ("location",)

    def change(self, thing: Thing, pivot: Thing, heard: requests.DialogueContext) -> requests.Change | None:
        axis = side_of(thing, pivot)
        if axis is None:
            return None
        if self.same and not is_own_mirror_image(thing, axis):
            return None
        return requests.Change((), tuple((cell, thing.color) for cell in _images(thing, axis, pivot)))

    def said(self, words: Words, named: requests.ReferenceNames, omitted: str | None) -> requests.RequestText:
        say = words.pick("SAME_ACROSS" if self.same and named.is_new else "MIRRORED")
        if omitted == "location":
            later = words.pick("MIRRORED_LATER").format(r=named.thing)
            answer = words.pick("ACROSS").format(p=named.pivot)
            return requests.RequestText((requests.clause(later),), words.pick("ASK_WHERE"), answer)
        return requests.RequestText((requests.clause(say.format(r=named.thing, p=named.pivot)),))


def side_of(thing: Thing, pivot: Thing) -> int | None:
    """The level axis along which all of a thing is on one side of another; None if there is none, or if both are."""
    (low, high), (other_low, other_high) = box_of(thing.cells), box_of(pivot.cells)
    axes = [axis for axis in (0, 2) if high[axis] < other_low[axis] or low[axis] > other_high[axis]]
    return axes[0] if len(axes) == 1 else None


def is_own_mirror_image(thing: Thing, axis: int) -> bool:
    """Return whether a thing looks the same in a mirror across an axis."""
    return all(cell in thing.cells for cell in _images(thing, axis, thing))


def _images(thing: Thing, axis: int, pivot: Thing) -> list[Cell]:
    """Return the blocks of a thing in a mirror through the middle of another one."""
    places = [cell[axis] for cell in pivot.cells]
    both = min(places) + max(places)
    return [Cell(*(both - part if i == axis else part for i, part in enumerate(cell))) for cell in thing.cells]
