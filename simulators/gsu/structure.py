"""Structures of boxes to describe: one shape, one shape in two colors, or three shapes (GSU, 3.1.3 and A.0.3).

How often each kind is drawn, and how large, follows the counts that the paper prints (Table 5 and A.0.3).
"""

from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Any, ClassVar, NamedTuple

from bap_v2_metric.blocks import Color
from bap_v2_simulators.gsu.boxes import COLUMN, CUBE, PLANE, ROW, TOWER, Box, Place, gap_between
from bap_v2_simulators.gsu.streams import drawn, split_of, stream
from bap_v2_simulators.settings import SettingsError

SIMPLE, COHESIVE, COMPOSITE = CLASSES = ("simple", "cohesive", "composite")
HALVES, ALTERNATING = "halves", "alternating"
FAR, NEAR = "far", "near"
MOST_BLOCKS = 199
_WEIGHTS = {ROW: 4, COLUMN: 2, PLANE: 3, TOWER: 5, CUBE: 6}
_KINDS = tuple(kind for kind, weight in _WEIGHTS.items() for _ in range(weight))
_COLORS = tuple(color.value for color in Color)
_PLACES = 10  # the smallest x and y lie from -10 to 10
_TRIES = 100_000


class ColoredBox(NamedTuple):
    """A shape and its color; two colors, along the axis of a pattern."""

    box: Box
    colors: tuple[str, ...]


class Pattern(NamedTuple):
    """How the two colors of a shape lie: along an axis, the first one begins where the coordinate is smallest."""

    axis: int  # 0 to 2
    kind: str  # HALVES or ALTERNATING (layer by layer)


class Composition(NamedTuple):
    """A structure."""

    structure_class: str  # of CLASSES
    shapes: tuple[ColoredBox, ...]  # of a composite structure the hub first, which touches both others
    relations: tuple[str, ...]  # where the others are relative to the hub: left, right, front, behind, above, below
    pattern: Pattern | None
    blocks: tuple[tuple[str, Place], ...]

    @property
    def facts(self) -> dict[str, Any]:
        """The facts for a row."""
        return {
            "class": self.structure_class,
            "shapes": [box.facts(*colors) for box, colors in self.shapes],
            "relations": list(self.relations),
            "pattern": None if self.pattern is None else {"axis": "xyz"[self.pattern.axis], "kind": self.pattern.kind},
        }


@dataclass(frozen=True)
class Structures:
    """Structures whose class goes round: simple, cohesive, composite."""

    name: ClassVar[str] = "structure"
    version: ClassVar[str] = "1.0.0"

    front: str = FAR  # front is +y; NEAR: it is -y, the side towards a viewer who looks along +y
    scrambled: bool = False  # the order of the blocks is drawn, instead of shape by shape

    def __post_init__(self) -> None:
        """Raises: SettingsError for a value that does not exist."""
        if self.front not in (FAR, NEAR):
            raise SettingsError(f"front={self.front}: expected {FAR} or {NEAR}")
        if not isinstance(self.scrambled, bool):  # the text "false" would be true
            raise SettingsError(f"scrambled={self.scrambled}: expected true or false")

    def item(self, split: str, seed: int, index: int) -> Composition:
        """A structure, a function of the settings and the arguments. Raises: SettingsError, as `streams.stream`."""
        rng = self._stream(split, seed, index, "structure")
        structure_class = CLASSES[index % len(CLASSES)]
        for _ in range(_TRIES):
            shapes, ways, pattern = _DRAWN[structure_class](rng)
            if split_of(_key(structure_class, shapes, pattern)) == split:
                break
        else:
            raise AssertionError(f"no structure for {split}")
        shapes = _placed(rng, shapes)
        blocks = [block for shape in shapes for block in _blocks(shape, pattern)]
        if self.scrambled:
            self._stream(split, seed, index, "order").shuffle(blocks)
        words = _WORDS[self.front]
        return Composition(structure_class, shapes, tuple(words[way] for way in ways), pattern, tuple(blocks))

    def language(self, split: str, seed: int, index: int) -> Random:
        """Return the stream of how the completion of an item is worded."""
        return self._stream(split, seed, index, "language")

    def _stream(self, split: str, seed: int, index: int, name: str) -> Random:
        return stream(self.name, self.version, "3", split, seed, index, name)


# The word of each axis and sign, for a viewer who looks along +y.
_WORDS = {
    FAR: {(0, -1): "left", (0, 1): "right", (1, 1): "front", (1, -1): "behind", (2, 1): "above", (2, -1): "below"},
    NEAR: {(0, -1): "left", (0, 1): "right", (1, -1): "front", (1, 1): "behind", (2, 1): "above", (2, -1): "below"},
}
_WAYS = tuple(_WORDS[FAR])
_Drawn = tuple[tuple[ColoredBox, ...], tuple[tuple[int, int], ...], Pattern | None]


def sample_extents(rng: Random) -> Place:
    """Return the extents of a box of 2 to 199 blocks."""
    draw = rng.random
    while True:
        # Kinds are drawn by their weights, sides within bounds.
        kind = _KINDS[int(draw() * len(_KINDS))]
        if kind in (ROW, COLUMN):
            extents = [1, 1, 1]
            extents[2 if kind == COLUMN else int(draw() * 2)] = 2 + int(draw() * 8)
        elif kind == PLANE:
            extents = [2 + int(draw() * 6) for _ in range(3)]
            extents[int(draw() * 3)] = 1
        elif kind == CUBE:
            extents = [2 + int(draw() * 4)] * 3
        else:
            x, y = 2 + int(draw() * 4), 2 + int(draw() * 4)
            most = max(x, y)
            extents = [x, y, most + 1 + int(draw() * (9 - most))]
        # Too large a box is drawn again.
        if extents[0] * extents[1] * extents[2] <= MOST_BLOCKS:
            return tuple(extents)


def _simple(rng: Random) -> _Drawn:
    box = Box((0, 0, 0), sample_extents(rng))
    return (ColoredBox(box, (_COLORS[int(rng.random() * 6)],)),), (), None


def _cohesive(rng: Random) -> _Drawn:
    """Return a box with two colors, half of its blocks each: along an axis with an even number of layers.

    With two layers, halves and alternating layers would be the same.
    """
    while True:
        extents = sample_extents(rng)
        patterns = [
            Pattern(axis, kind)
            for axis, layers in enumerate(extents)
            if layers % 2 == 0
            for kind in ((HALVES, ALTERNATING) if layers >= 4 else (HALVES,))
        ]
        if patterns:
            pattern = patterns[int(rng.random() * len(patterns))]
            return (ColoredBox(Box((0, 0, 0), extents), tuple(drawn(rng, _COLORS, 2))),), (), pattern


def _composite(rng: Random) -> _Drawn:
    """A hub and two boxes face to face with it, on two of its six sides; nothing else touches, not even edges."""
    draw = rng.random
    while True:
        hub = Box((0, 0, 0), sample_extents(rng))
        ways = drawn(rng, _WAYS, 2)
        first, second = (_beside(rng, hub, *way) for way in ways)
        if gap_between(first, second) < 1 or hub.size + first.size + second.size > MOST_BLOCKS:
            continue
        if _is_box((hub, first, second)):
            continue
        color = _COLORS[int(draw() * 6)]
        others = [other for other in _COLORS if other != color]
        colors = (color, others[int(draw() * 5)], others[int(draw() * 5)])
        shapes = tuple(ColoredBox(box, (of,)) for box, of in zip((hub, first, second), colors))
        return shapes, tuple(ways), None


def _beside(rng: Random, hub: Box, axis: int, sign: int) -> Box:
    """Return a box that lies against one side of the hub, and overlaps it on the two other axes."""
    extents = sample_extents(rng)
    origin = [
        (hub.extents[a] if sign > 0 else -extents[a])
        if a == axis
        else 1 - extents[a] + int(rng.random() * (extents[a] + hub.extents[a] - 1))
        for a in range(3)
    ]
    return Box(tuple(origin), extents)


def _is_box(boxes: tuple[Box, ...]) -> bool:
    """Return whether boxes that do not overlap fill one together."""
    volume = 1
    for spans in zip(*(box.spans for box in boxes)):
        volume *= max(high for _, high in spans) - min(low for low, _ in spans) + 1
    return volume == sum(box.size for box in boxes)


_DRAWN = {SIMPLE: _simple, COHESIVE: _cohesive, COMPOSITE: _composite}


def _key(structure_class: str, shapes: tuple[ColoredBox, ...], pattern: Pattern | None) -> str:
    """Return what a structure is, wherever it stands: its first shape is at the origin."""
    parts = [f"{box.kind} {box.extents} {box.origin} {colors}" for box, colors in shapes]
    return f"{structure_class} {' '.join(parts)} {tuple(pattern) if pattern else None}"


def _placed(rng: Random, shapes: tuple[ColoredBox, ...]) -> tuple[ColoredBox, ...]:
    """Return the same somewhere on the ground: the lowest block at z = 0, the smallest x and y from -10 to 10."""
    low = [min(box.origin[axis] for box, _ in shapes) for axis in range(3)]
    x, y = (int(rng.random() * (2 * _PLACES + 1)) - _PLACES for _ in range(2))
    return tuple(ColoredBox(box.moved(x - low[0], y - low[1], -low[2]), colors) for box, colors in shapes)


def _blocks(shape: ColoredBox, pattern: Pattern | None) -> list[tuple[str, Place]]:
    """Return the blocks of a shape, by x, then y, then z."""
    box, colors = shape
    if pattern is None:
        color = colors[0]
        return [(color, cell) for cell in box.cells()]
    axis, start = pattern.axis, box.origin[pattern.axis]
    of_layer = _layers(colors, pattern.kind, box.extents[axis])
    return [(of_layer[cell[axis] - start], cell) for cell in box.cells()]


@lru_cache(maxsize=1024)
def _layers(colors: tuple[str, ...], kind: str, layers: int) -> tuple[str, ...]:
    """Return the color of each layer."""
    first, second = colors
    half = layers // 2
    return (first,) * half + (second,) * half if kind == HALVES else (first, second) * half
