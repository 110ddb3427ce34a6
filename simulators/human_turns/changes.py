"""Removals and corrections: what is there goes, gets another color or moves."""

from dataclasses import dataclass
from typing import ClassVar

from bap_v2_metric.blocks import Cell, Color
from bap_v2_simulators.human_turns import requests
from bap_v2_simulators.human_turns.things import Thing, line_of
from bap_v2_simulators.language.sentences import removal, typed_number
from bap_v2_simulators.language.words import Words
from bap_v2_simulators.shapes import Vector, along, moved

_UNDO = 0.25  # of the removals of all that was just built


@dataclass(frozen=True, slots=True)
class Removed(requests.Request):
    """A whole thing goes."""

    kind: ClassVar[str] = "removal"

    def change(self, thing: Thing, pivot: Thing | None, heard: requests.DialogueContext) -> requests.Change | None:
        return requests.Change(thing.cells)

    def said(self, words: Words, named: requests.ReferenceNames, omitted: str | None) -> requests.RequestText:
        return requests.RequestText(removal(words, verbs="REMOVE_VERBS_OF_THINGS", np=named.thing))


@dataclass(frozen=True, slots=True)
class LastRemoved(requests.Request):
    """What the last turn placed goes, or the last blocks of it."""

    count: int | None  # None: all
    kind: ClassVar[str] = "removal"
    corrects: ClassVar[bool] = True

    def change(
        self, thing: Thing | None, pivot: Thing | None, heard: requests.DialogueContext
    ) -> requests.Change | None:
        if self.count is not None and self.count >= len(heard.last_cells):
            return None
        return requests.Change(heard.last_cells[-(self.count or 0) :])

    def said(self, words: Words, named: requests.ReferenceNames, omitted: str | None) -> requests.RequestText:
        if self.count is None and words.chance(_UNDO):
            return requests.RequestText((requests.clause(words.pick("UNDO")),))
        if self.count is None:
            np = words.pick("ALL_OF_THE_LAST")
        elif self.count == 1:
            np = words.pick("LAST_OF_THE_LAST")
        else:
            np = words.pick("SOME_OF_THE_LAST").format(n=typed_number(words, self.count))
        return requests.RequestText(removal(words, verbs="REMOVE_VERBS_OF_THINGS", np=np))


@dataclass(frozen=True, slots=True)
class TooMany(requests.Request):
    """The last blocks of a line that was just built go: there are too many."""

    count: int
    kind: ClassVar[str] = "too many"
    corrects: ClassVar[bool] = True

    def change(
        self, thing: Thing | None, pivot: Thing | None, heard: requests.DialogueContext
    ) -> requests.Change | None:
        if len(heard.last_cells) < self.count + 2 or line_of(heard.last_cells) is None:
            return None
        return requests.Change(heard.last_cells[-self.count :])

    def said(self, words: Words, named: requests.ReferenceNames, omitted: str | None) -> requests.RequestText:
        too_many = words.pick("TOO_MANY").format(n=typed_number(words, self.count), p="s" if self.count > 1 else "")
        first = requests.clause(too_many)._replace(joint=",")
        if self.count > 1 or words.chance(0.5):
            return requests.RequestText((first,))
        return requests.RequestText((first, requests.clause(words.pick("TAKE_THE_END"))))


@dataclass(frozen=True, slots=True)
class Recolored(requests.Request):
    """A thing gets another color."""

    color: Color
    kind: ClassVar[str] = "recolor"
    corrects: ClassVar[bool] = True
    details: ClassVar[tuple[str, ...]] = ("color",)

    def change(self, thing: Thing, pivot: Thing | None, heard: requests.DialogueContext) -> requests.Change | None:
        if thing.color is self.color:
            return None
        return requests.Change(thing.cells, tuple((cell, self.color) for cell in thing.cells))

    def said(self, words: Words, named: requests.ReferenceNames, omitted: str | None) -> requests.RequestText:
        color = self.color.value
        if omitted == "color":
            later = words.pick("OTHER_COLOR_LATER").format(r=named.thing)
            answer = words.pick("ANSWER_COLOR").format(c=color)
            return requests.RequestText((requests.clause(later),), words.pick("ASK_COLOR"), answer)
        if named.is_it and words.chance(0.35):
            return requests.RequestText((requests.clause(words.pick("LAST_RECOLORED").format(c=color)),))
        return requests.RequestText((requests.clause(words.pick("RECOLORED").format(r=named.thing, c=color)),))


@dataclass(frozen=True, slots=True)
class Shifted(requests.Request):
    """A thing moves along one axis."""

    way: Vector
    count: int
    kind: ClassVar[str] = "move"
    corrects: ClassVar[bool] = True
    details: ClassVar[tuple[str, ...]] = ("size",)

    @property
    def ways(self) -> tuple[Vector, ...]:
        return (self.way,)

    def change(self, thing: Thing, pivot: Thing | None, heard: requests.DialogueContext) -> requests.Change | None:
        return requests.Change(
            thing.cells, tuple((moved(cell, self.way, self.count), thing.color) for cell in thing.cells)
        )

    def said(self, words: Words, named: requests.ReferenceNames, omitted: str | None) -> requests.RequestText:
        ways = "WAYS" if named.is_it else "PLAIN_WAYS"
        number, to = typed_number(words, self.count), words.pick(f"{ways}.{named.direction(self.way).value}")
        if omitted == "size":
            later = words.pick("SHIFTED_LATER").format(r=named.thing, to=to)
            return requests.RequestText(
                (requests.clause(later),), words.pick("ASK_HOW_FAR"), _so_many(words, self.count, "space")
            )
        units = requests.plural(words.pick("SHIFT_UNITS"), self.count)
        last = named.is_it and words.chance(0.35)
        text = words.pick("LAST_SHIFTED" if last else "SHIFTED")
        return requests.RequestText((requests.clause(text.format(r=named.thing, n=number, u=units, to=to)),))


def _so_many(words: Words, number: int, noun: str) -> str:
    return words.pick("SO_MANY").format(n=typed_number(words, number), u=requests.plural(noun, number))


def extent(cells: tuple[Cell, ...], way: Vector) -> int:
    """Return how many cells a thing takes up along an axis."""
    places = [along(cell, way) for cell in cells]
    return max(places) - min(places) + 1
