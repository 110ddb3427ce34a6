"""A turn of `dh`: a plain one as the other simulators have them, or one that changes, repeats or extends something."""

from collections.abc import Mapping
from dataclasses import dataclass

from bap_v2_metric.blocks import Cell
from bap_v2_simulators.human_turns.objects import PartAdded
from bap_v2_simulators.human_turns.requests import Request
from bap_v2_simulators.shapes import Vector
from bap_v2_simulators.simulator import Turn


@dataclass(frozen=True, slots=True)
class HumanTurn(Turn):
    """What is planned for one instruction; `cells` are those placed, or removed if nothing is placed."""

    request: Request | None = None  # None: blocks or a shape are placed
    thing: tuple[Cell, ...] | None = None  # that is changed or repeated
    pivot: tuple[Cell, ...] | None = None  # across which it is mirrored
    drawing: str | None = None  # the name of the shape that is drawn
    size: tuple[int, int] = (1, 1)  # of the drawing
    upright: bool = False
    apart: bool = False  # after a turn that leaves no block that everybody calls the last one
    remainder: tuple[str, Vector | None] | None = None  # of the turn before: what was wrong, and which way it should go
    part: str = ""  # of an object, that it builds
    object: str = ""  # what it is a part of
    completes: bool = False  # that object

    @property
    def named(self) -> Mapping[str, tuple[Cell, ...]]:
        """The part that it builds; of two that are alike both together: "the posts"."""
        if not self.part or not isinstance(self.request, PartAdded) or self.request.part.place != "twin":
            return {self.part: self.cells} if self.part else {}
        return {self.part: (), f"{self.part}s": (*self.thing, *self.cells)}

    @property
    def kind(self) -> str:
        """What is done: "new" if something new is placed, else the kind of the request; "repair" or "rest"."""
        if self.remainder is not None:
            return "rest" if self.remainder[0] == "rest" else "repair"
        return "new" if self.request is None else self.request.kind
