"""Walk, then look: where is a structure relative to another one, as seen at the end of a walk (GSU, 4.3 and E.6)?"""

from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any, ClassVar, NamedTuple

from bap_v2_metric.blocks import Color
from bap_v2_simulators.gsu.boxes import Box, Place, gap_between
from bap_v2_simulators.gsu.grid import AHEAD, RIGHT
from bap_v2_simulators.gsu.localization import MIRROR, WORDS_OF_AXES
from bap_v2_simulators.gsu.navigation import Navigation
from bap_v2_simulators.gsu.streams import drawn, split_of, stream
from bap_v2_simulators.gsu.structure import sample_extents
from bap_v2_simulators.gsu.walks import EGOCENTRIC, WalkStep, chain_text, path_of, turned, way_of
from bap_v2_simulators.settings import SettingsError

BOXES = 4
MOST_BLOCKS = 27  # of a box
REACH = 10  # cells from the viewer on every axis
_COLORS = tuple(color.value for color in Color)
_TRIES = 10_000


class NamedBox(NamedTuple):
    """A box that its color and kind name, as no other in the item."""

    color: str
    box: Box

    @property
    def name(self) -> str:
        """`red tower`."""
        return f"{self.color} {self.box.kind}"


class Outlook(NamedTuple):
    """One item: a walk, and what stands around its end."""

    steps: tuple[WalkStep, ...]
    heading: str  # at the end
    position: Place  # at the end
    target: NamedBox
    reference: NamedBox
    boxes: tuple[NamedBox, ...]  # all four, in the order in which their blocks are named
    answer: tuple[str, ...]

    @property
    def blocks(self) -> tuple[tuple[str, Place], ...]:
        """The blocks of all boxes."""
        return tuple((color, cell) for color, box in self.boxes for cell in box.cells())

    @property
    def facts(self) -> dict[str, Any]:
        """The facts for a row."""
        path = path_of(self.steps, EGOCENTRIC, 3)
        return {
            "steps": [list(step) for step in self.steps],
            "path": [list(position) for position in path],
            "viewer": list(self.position),
            "heading": self.heading,
            "target": self.target.name,
            "reference": self.reference.name,
            "shapes": [box.facts(color) for color, box in self.boxes],
        }


def words_between(heading: str, box: Box, other: Box) -> tuple[str, ...] | None:
    """Return where `box` lies relative to `other` for a viewer with this heading, front towards the viewer.

    A word applies where the whole of one lies beyond the whole of the other.

    Returns:
        None if that is not plain: on some axis the two overlap, and neither lies within the other.
    """
    signs = []
    for (low, high), (other_low, other_high) in zip(box.spans, other.spans):
        if low > other_high:
            signs.append(1)
        elif high < other_low:
            signs.append(-1)
        elif (low >= other_low and high <= other_high) or (other_low >= low and other_high <= high):
            signs.append(0)
        else:
            return None
    (right, right_sign), (ahead, ahead_sign) = RIGHT[heading], AHEAD[heading]
    seen = (right_sign * signs[right], ahead_sign * signs[ahead], signs[2])
    return tuple(words[sign + 1] for sign, words in zip(seen, WORDS_OF_AXES[MIRROR]) if sign)


@dataclass(frozen=True)
class Combined:
    """Walks of one's own directions on the ground, with four boxes around their end."""

    name: ClassVar[str] = "combined"
    version: ClassVar[str] = "1.0.0"
    dims: ClassVar[int] = 3

    most_steps: int = 4

    def __post_init__(self) -> None:
        """Raises: SettingsError for values that make no walks."""
        if not isinstance(self.most_steps, int) or not 1 <= self.most_steps <= 1000:
            raise SettingsError(f"most_steps={self.most_steps}: expected a whole number from 1 to 1000")

    @cached_property
    def _walks(self) -> Navigation:
        return Navigation(2, most_steps=self.most_steps)

    def item(self, split: str, seed: int, index: int) -> Outlook:
        """Return an item, a function of the settings and the arguments. Raises: SettingsError, as `streams.stream`."""
        # A walk that belongs to this split.
        rng = stream(self.name, self.version, "3", split, seed, index, "item")
        n = 1 + index % self.most_steps
        for _ in range(_TRIES):
            steps = self._walks.sample(rng, n)
            if split_of(chain_text(steps)) == split:
                break
        else:
            raise AssertionError(f"no walk for {split}")
        # Where it ends, and which way one faces there.
        heading = "+y"
        for direction, _ in steps:
            heading = turned(heading, way_of(direction, heading, EGOCENTRIC))
        position = path_of(steps, EGOCENTRIC, 3)[-1]
        # The structures around that place, in any order.
        target, reference, answer = _seen(rng, heading, position)
        boxes = _with_others(rng, position, [target, reference])
        boxes = drawn(rng, boxes, BOXES)
        return Outlook(steps, heading, position, target, reference, tuple(boxes), answer)


def _seen(rng: Random, heading: str, position: Place) -> tuple[NamedBox, NamedBox, tuple[str, ...]]:
    """Target and reference, both wholly ahead, and how they lie."""
    while True:
        target, reference = (_sample(rng, position, heading) for _ in range(2))
        if target.name != reference.name and gap_between(target.box, reference.box) >= 1:
            answer = words_between(heading, target.box, reference.box)
            if answer:
                return target, reference, answer


def _with_others(rng: Random, position: Place, boxes: list[NamedBox]) -> list[NamedBox]:
    """Return the boxes and further ones with other names, none next to another or to the viewer."""
    viewer = Box(position, (1, 1, 1))
    boxes = list(boxes)
    while len(boxes) < BOXES:
        other = _sample(rng, position)
        if all(other.name != box.name for box in boxes) and all(
            gap_between(other.box, box) >= 1 for box in (viewer, *(box for _, box in boxes))
        ):
            boxes.append(other)
    return boxes


def _sample(rng: Random, position: Place, heading: str | None = None) -> NamedBox:
    """Return a box within reach of a position, on the ground or above it; wholly ahead, if a heading is given."""
    # Color and size.
    draw = rng.random
    color = _COLORS[int(draw() * len(_COLORS))]
    while True:
        extents = sample_extents(rng)
        if extents[0] * extents[1] * extents[2] <= MOST_BLOCKS:
            break
    # The smallest coordinates within reach, ahead if a heading is given.
    low, high = [-REACH, -REACH, 0], [REACH + 1 - side for side in extents]  # of the smallest coordinates
    if heading is not None:
        axis, sign = AHEAD[heading]
        if sign > 0:
            low[axis] = 1
        else:
            high[axis] = -extents[axis]
    start = (*position[:2], 0)
    origin = tuple([at + a + int(draw() * (b - a + 1)) for at, a, b in zip(start, low, high)])
    return NamedBox(color, Box(origin, extents))
