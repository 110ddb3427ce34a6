"""Questions about structures of boxes: what there is, of which size and color, and where (GSU, 3.1.3)."""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from bap_v2_dataset.tasks.gsu.reading.blocks import Bounds, Cell, bounds_of, boxes, is_box, read_blocks, touch
from bap_v2_dataset.tasks.gsu.reading.phrases import WAY, GsuQuestionError, Vector, found, opposite, way_of

_RELATIONS = {
    "left": "on its left",
    "right": "on its right",
    "front": "in front of it",
    "behind": "behind it",
    "above": "above it",
    "below": "below it",
}
_ENDS = {"front": "front", "behind": "back", "left": "left", "right": "right", "above": "top", "below": "bottom"}


class StructureQuestion(NamedTuple):
    """Blocks, and which way each relation is."""

    blocks: dict[Cell, str]
    ways: dict[str, Vector]  # of left, right, front, behind, above and below

    @property
    def answer(self) -> str:
        """A sentence about the structure. Raises: GsuQuestionError, if it is not made of boxes as the question says."""
        colors = list(dict.fromkeys(self.blocks.values()))
        if is_box(self.blocks):
            bounds = bounds_of(self.blocks)
            if len(colors) == 1:
                return f"This is {shape_text(colors[0], bounds)}."
            return f"This is {shape_text('', bounds)}, {_pattern_text(self.blocks, bounds, self.ways)}."
        (color, hub), others = self.hub_and_others
        named = (f"{shape_text(of, bounds)} {_RELATIONS[self.relation(hub, bounds)]}" for of, bounds in others)
        return f"There is {shape_text(color, hub)} with {' and '.join(named)}."

    @property
    def hub_and_others(self) -> tuple[tuple[str, Bounds], list[tuple[str, Bounds]]]:
        """The shape that touches both others, and these. Raises: GsuQuestionError, unless there are three shapes."""
        shapes = boxes(self.blocks)
        hubs = [one for one in shapes if sum(touch(one[1], other[1]) for other in shapes) == 2]
        if len(shapes) != 3 or len(hubs) != 1:
            raise GsuQuestionError(f"{len(shapes)} shapes, {len(hubs)} of which touch two others: expected 3 and 1")
        return hubs[0], [shape for shape in shapes if shape != hubs[0]]

    def relation(self, hub: Bounds, other: Bounds) -> str:
        """Return where a shape is relative to the hub. Raises: GsuQuestionError, if that is not one direction."""
        beyond = {axis: 1 for axis in range(3) if other.low[axis] > hub.high[axis]}
        beyond |= {axis: -1 for axis in range(3) if other.high[axis] < hub.low[axis]}
        words = [word for word, way in self.ways.items() if beyond == {a: v for a, v in enumerate(way) if v}]
        if len(words) != 1:
            raise GsuQuestionError(f"from {hub} to {other} is not one direction")
        return words[0]


def read_structure(question: str) -> StructureQuestion:
    """Return the structure that a question is about.

    Raises:
        GsuQuestionError: for a text that is not such a question.
    """
    words = found(r"You look along positive y: ([^.]*)\.", question, "what the directions are")[1]
    ways = {word: way_of(way) for word, way in re.findall(rf"(\w+) is ({WAY})", words)}
    if ways.keys() != _RELATIONS.keys():
        raise GsuQuestionError(f"directions {', '.join(ways)}: expected {', '.join(_RELATIONS)}")
    return StructureQuestion(read_blocks(question), ways)


def shape_text(color: str, bounds: Bounds) -> str:
    """Return a box in words, with the sides that are more than one block long.

    >>> shape_text("red", Bounds((0, 0, 0), (1, 1, 7)))
    'one red tower of 2 by 2 by 8 blocks'
    """
    sizes = " by ".join(map(str, bounds.sizes))
    return " ".join(filter(None, ("one", color, bounds.kind, f"of {sizes} blocks")))


def _pattern_text(blocks: Mapping[Cell, str], bounds: Bounds, ways: Mapping[str, Vector]) -> str:
    """Return how two colors share a box: each a half of it, or the layers along an axis by turns."""
    for axis, n in enumerate(bounds.sides):
        layers = [{color for cell, color in blocks.items() if cell[axis] == bounds.low[axis] + i} for i in range(n)]
        colors = [next(iter(layer)) for layer in layers if len(layer) == 1]
        if n % 2 or len(colors) != n:
            continue
        first, last = colors[0], colors[-1]
        if colors == [first] * (n // 2) + [last] * (n // 2):
            low, high = _end_texts(axis, ways)
            return f"its {low} half being {first} and its {high} half {last}"
        if n >= 4 and colors == [first, last] * (n // 2):
            return f"its layers being {first} and {last} by turns"
    raise GsuQuestionError(f"no pattern of {', '.join(sorted(set(blocks.values())))}: expected halves or layers")


def _end_texts(axis: int, ways: Mapping[str, Vector]) -> Sequence[str]:
    """Return what the low and the high end of a box are called."""
    for word, way in ways.items():
        if way[axis] > 0:
            low = next(other for other in ways if ways[other] == opposite(way))
            return _ENDS[low], _ENDS[word]
    raise GsuQuestionError(f"no direction is positive {'xyz'[axis]}")
