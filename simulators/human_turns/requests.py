"""What a human turn asks for: the blocks that go and come, and the words for it, kind by kind."""

from collections.abc import Mapping
from typing import ClassVar, NamedTuple, Protocol

from bap_v2_metric.blocks import Cell, Color
from bap_v2_simulators.human_turns.things import Thing
from bap_v2_simulators.language.turns import Clause
from bap_v2_simulators.language.words import Words
from bap_v2_simulators.shapes import Vector
from bap_v2_simulators.view import Direction, Offset, View


class Change(NamedTuple):
    """The blocks that are taken away, and those that are placed then, in order."""

    removed: tuple[Cell, ...] = ()
    placed: tuple[tuple[Cell, Color], ...] = ()


class DialogueContext(NamedTuple):
    """The knowledge of both, as far as a request needs it."""

    board: Mapping[Cell, Color]
    last_cells: tuple[Cell, ...]  # of the last turn, in order


class RequestText(NamedTuple):
    """The words of a request."""

    clauses: tuple[Clause, ...]
    question: str = ""  # of the Builder, for what was left out
    answer: str = ""


class ReferenceNames(NamedTuple):
    """The names of the things of a request, and from where they are seen."""

    thing: str
    pivot: str
    view: View
    is_it: bool  # the thing is called so: it is what was built last, and all of it
    is_new: bool  # and was built as a whole
    color: Color | None  # of the thing

    def direction(self, way: Vector) -> Direction:
        """Return the direction of a way along one axis, as the Builder sees it."""
        (direction,) = self.offset(way).directions
        return direction

    def offset(self, way: Vector) -> Offset:
        """Return the way as the Builder sees it."""
        return self.view.offset(Cell(0, 0, 0), Cell(*way))


class Request(Protocol):
    """What is asked for; things are given when it is carried out."""

    __slots__ = ()
    kind: ClassVar[str]  # for the metadata
    corrects: ClassVar[bool] = False  # what was just built was not right
    details: ClassVar[tuple[str, ...]] = ()  # that can be left out, for the Builder to ask
    ways: ClassVar[tuple[Vector, ...]] = ()  # along the axes of the grid, that it names

    def change(self, thing: Thing | None, pivot: Thing | None, heard: DialogueContext) -> Change | None:
        """Return what it does to the board; None if it makes no sense there."""

    def said(self, words: Words, named: ReferenceNames, omitted: str | None) -> RequestText:
        """One way to say it."""


def clause(text: str) -> Clause:
    """Return the text as a clause; a question if it begins like one."""
    return Clause(text, question=text.startswith("can you"))


def plural(noun: str, number: int) -> str:
    """Return the noun for so many."""
    return noun if number == 1 else f"{noun}s"
