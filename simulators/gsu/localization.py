"""Blocks around a viewer: where is one of them relative to the viewer, or to another block (GSU, 3.1.2)?

Egocentric: the viewer stands somewhere on the grid, and the target lies somewhere relative to it. Allocentric: the
viewer stands at the origin, the reference block lies ahead, and the target lies relative to the reference as the viewer
sees it. By construction the target lies ahead too, so that "towards the viewer" is one thing only.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from random import Random
from typing import Any, ClassVar, NamedTuple

from bap_v2_metric.blocks import Color
from bap_v2_simulators.gsu.grid import AHEAD, seen_from
from bap_v2_simulators.gsu.streams import drawn, split_of, stream
from bap_v2_simulators.gsu.walks import HEADINGS
from bap_v2_simulators.settings import SettingsError

EGOCENTRIC, ALLOCENTRIC = "egocentric", "allocentric"
ADJACENT, RANDOM = "adjacent", "random"
# Whose sides the sides of a reference block are: see `words_of`.
MIRROR, ROTATED, VIEWER = "mirror", "rotated", "viewer"
SIDES = {EGOCENTRIC: (EGOCENTRIC,), ALLOCENTRIC: (MIRROR, ROTATED, VIEWER)}
RELATIONS = ("left", "right", "front", "behind", "above", "below")
EXTENTS = {EGOCENTRIC: 10, ALLOCENTRIC: 15}  # coordinates from -10 to 10, or -15 to 15: fits the paper's distances
MOST_DISTRACTORS = 4
_TRIES = 100_000
_COLORS = tuple(color.value for color in Color)
# The words of each axis as somebody sees it, for less than nothing, nothing, and more: of (right, ahead, up).
WORDS_OF_AXES = {
    EGOCENTRIC: (("left", "", "right"), ("behind", "", "front"), ("below", "", "above")),
    MIRROR: (("left", "", "right"), ("front", "", "behind"), ("below", "", "above")),
    ROTATED: (("right", "", "left"), ("front", "", "behind"), ("below", "", "above")),
    VIEWER: (("left", "", "right"), ("behind", "", "front"), ("below", "", "above")),
}

Place = tuple[int, ...]  # (x, y) or (x, y, z)


class GridScene(NamedTuple):
    """One item: who looks where, and what stands there."""

    heading: str  # of the viewer, one of HEADINGS
    viewer: Place
    reference: Place | None  # None: the target is asked for relative to the viewer
    target: Place
    distractors: tuple[Place, ...]
    blocks: tuple[tuple[str, Place], ...]  # color and place of all, in the order in which they are named
    answer: tuple[str, ...]  # of RELATIONS, in their order

    def color_of(self, place: Place) -> str:
        """Return the color of the block at a place; no two blocks share one."""
        return next(color for color, other in self.blocks if other == place)

    @property
    def facts(self) -> dict[str, Any]:
        """The facts for a row."""
        return {
            "viewer": list(self.viewer),
            "heading": self.heading,
            "reference": None if self.reference is None else list(self.reference),
            "target": list(self.target),
            "distractors": list(map(list, self.distractors)),
        }


def words_of(heading: str, start: Sequence[int], end: Sequence[int], sides: str) -> tuple[str, ...]:
    """Return where `end` lies relative to `start`, for a viewer with this heading: one word for each axis that differs.

    Args:
        sides: `egocentric`: front is ahead of the viewer, who is at `start`. `mirror`: the front of what is at `start`
            is the side towards the viewer, its left and right are the viewer's. `rotated`: the front is towards the
            viewer, and left and right are those of somebody who looks at the viewer. `viewer`: all are the viewer's.

    >>> words_of("-x", (1, -4, 0), (3, -4, 2), "egocentric"), words_of("-x", (1, -4, 0), (3, -4, 2), "mirror")
    (('behind', 'above'), ('front', 'above'))
    """
    return _named(seen_from(heading, start, end), WORDS_OF_AXES[sides])


def _named(seen: Sequence[int], words: Sequence[Sequence[str]]) -> tuple[str, ...]:
    return tuple(of_axis[(value > 0) - (value < 0) + 1] for value, of_axis in zip(seen, words) if value)


@dataclass(frozen=True)
class Localization:
    """Scenes in which a block is to be located."""

    name: ClassVar[str] = "localization"
    version: ClassVar[str] = "1.0.0"

    kind: str = EGOCENTRIC  # or ALLOCENTRIC
    distance: str = ADJACENT  # target and base are neighbors (faces, edges or corners); or RANDOM: anywhere
    heading: str = "any"  # in turn all four; "y": +y; "reference": in turn all four, the reference exactly ahead
    distractors: bool = False  # 1 to 4 further blocks; allocentric scenes always have them
    dims: int = 3
    sides: str = ""  # of SIDES; "": egocentric, or mirror

    def __post_init__(self) -> None:
        """Raises: SettingsError for settings that do not exist, or do not go together."""
        for setting, value, known in (
            ("kind", self.kind, tuple(SIDES)),
            ("distance", self.distance, (ADJACENT, RANDOM)),
            ("dims", self.dims, (2, 3)),
        ):
            if value not in known:
                raise SettingsError(f"{setting}={value}: expected {' or '.join(map(str, known))}")
        headings = ("any",) if self.kind == EGOCENTRIC else ("y", "reference")
        if self.heading not in headings:
            raise SettingsError(f"heading={self.heading}: expected {' or '.join(headings)} for kind={self.kind}")
        if self.sides not in ("", *SIDES[self.kind]):
            raise SettingsError(f"sides={self.sides}: expected one of {', '.join(SIDES[self.kind])}")
        if self.kind == ALLOCENTRIC and not self.distractors:
            raise SettingsError("distractors=False: expected True, for allocentric scenes always have further blocks")

    @property
    def extent(self) -> int:
        """The largest coordinate; the smallest is its negative."""
        return EXTENTS[self.kind]

    @property
    def frame_of_sides(self) -> str:
        """The owner of the sides, of SIDES."""
        return self.sides or SIDES[self.kind][0]

    def item(self, split: str, seed: int, index: int) -> GridScene:
        """Return a scene, a function of the settings and the arguments.

        Raises:
            SettingsError: as `streams.stream`.
        """
        # Places and colors have streams of their own.
        variant = f"{self.kind} {self.distance} {self.heading} {self.dims}"
        places = stream(self.name, self.version, variant, split, seed, index, "places")
        colors = stream(self.name, self.version, variant, split, seed, index, "colors")
        heading = "+y" if self.heading == "y" else HEADINGS[index % 4]
        # A scene that belongs to this split.
        for _ in range(_TRIES):
            viewer, reference, target = self._places(places, heading)
            if split_of(f"{self.kind} {heading} {viewer} {reference} {target}") == split:
                break
        else:
            raise AssertionError(f"no scene for {split} ({self})")
        # The blocks: those that are named and distractors, in any order.
        base = viewer if reference is None else reference
        named = [target] if reference is None else [target, reference]
        others = self._distractors(colors, base, {viewer, *named}) if self.distractors else []
        n = len(named) + len(others)
        blocks = zip(drawn(colors, _COLORS, n), drawn(colors, (*named, *others), n))
        answer = _named(seen_from(heading, base, target), WORDS_OF_AXES[self.frame_of_sides])
        return GridScene(heading, viewer, reference, target, tuple(others), tuple(blocks), answer)

    def _places(self, rng: Random, heading: str) -> tuple[Place, Place | None, Place]:
        """Viewer, reference and target."""
        # Egocentric: the target is anywhere but at the viewer, or next to them.
        if self.kind == EGOCENTRIC:
            if self.distance == ADJACENT:
                viewer = self._anywhere(rng, self.extent - 1)
                return viewer, None, self._neighbor(rng, viewer)
            viewer = self._anywhere(rng, self.extent)
            target = self._anywhere(rng, self.extent)
            while target == viewer:
                target = self._anywhere(rng, self.extent)
            return viewer, None, target
        # Allocentric: the reference and the target lie ahead of the viewer, who is at the origin.
        viewer = (0,) * self.dims
        axis, sign = AHEAD[heading]
        while True:
            reference = self._reference(rng, axis, sign)
            if self.distance == ADJACENT:
                return viewer, reference, self._neighbor(rng, reference)
            target = self._anywhere(rng, self.extent)
            if sign * target[axis] >= 1 and target != reference:
                return viewer, reference, target

    def _reference(self, rng: Random, axis: int, sign: int) -> Place:
        """Return a place at least 2 ahead of the viewer at the origin; for `reference` exactly ahead, at any height."""
        most = self.extent - 1 if self.distance == ADJACENT else self.extent
        place = list(self._anywhere(rng, most))
        place[axis] = sign * (2 + int(rng.random() * (most - 1)))
        if self.heading == "reference":
            place[1 - axis] = 0
        return tuple(place)

    def _anywhere(self, rng: Random, most: int) -> Place:
        width, draw = 2 * most + 1, rng.random
        return tuple([int(draw() * width) - most for _ in range(self.dims)])

    def _neighbor(self, rng: Random, place: Place) -> Place:
        offsets = _NEIGHBORS[self.dims]
        offset = offsets[int(rng.random() * len(offsets))]
        return tuple([a + b for a, b in zip(place, offset)])

    def _distractors(self, rng: Random, base: Place, taken: set[Place]) -> list[Place]:
        """1 to 4 further places: near the base where the target is, else anywhere."""
        near, result = self.distance == ADJACENT, []
        for _ in range(1 + int(rng.random() * MOST_DISTRACTORS)):
            place = base
            while place in taken:
                place = self._near(rng, base) if near else self._anywhere(rng, self.extent)
            taken.add(place)
            result.append(place)
        return result

    def _near(self, rng: Random, base: Place) -> Place:
        """Within 2 cells along every axis, and on the grid."""
        while True:
            place = tuple([a + int(rng.random() * 5) - 2 for a in base])
            if max(map(abs, place)) <= self.extent:
                return place


_NEIGHBORS = {dims: tuple(offset for offset in product((-1, 0, 1), repeat=dims) if any(offset)) for dims in (2, 3)}
