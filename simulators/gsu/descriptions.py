"""Structures in words: the one canonical answer, and completions that say the same in other words (GSU, 3.1.3).

The numbers of an answer are the sides that are longer than one block, in the order x, y, z.
"""

from random import Random

from bap_v2_simulators.gsu.boxes import COLUMN, CUBE, PLANE, ROW, TOWER, Box
from bap_v2_simulators.gsu.structure import ALTERNATING, FAR, ColoredBox, Composition, Pattern

_ENDS = {FAR: (("left", "right"), ("back", "front"), ("bottom", "top"))}  # where a coordinate is smallest, and largest
_ENDS["near"] = (("left", "right"), ("front", "back"), ("bottom", "top"))
_RELATIONS = {
    "left": ("to the left of it", "on its left"),
    "right": ("to the right of it", "on its right"),
    "front": ("in front of it",),
    "behind": ("behind it",),
    "above": ("above it",),
    "below": ("below it", "underneath it"),
}


def answer_of(composition: Composition, front: str = FAR) -> str:
    """Return the canonical description.

    Args:
        front: FAR or NEAR, which side of a structure is its front.
    """
    return _described(composition, front, None)


def completion_of(composition: Composition, rng: Random, front: str = FAR) -> str:
    """Return a description in words that are drawn: the same shapes, colors, sizes and relations."""
    return _described(composition, front, rng)


def _described(composition: Composition, front: str, rng: Random | None) -> str:
    first, *others = composition.shapes
    if composition.pattern is not None:
        return f"{_shape(first, rng)} with {_pattern(first, composition.pattern, front, rng)}"
    if not others:
        return _shape(first, rng)
    placed = [
        f"{_shape(shape, rng)} {_pick(rng, _RELATIONS[word])}" for shape, word in zip(others, composition.relations)
    ]
    return f"{_shape(first, rng)}, with {' and '.join(placed)}"


def _shape(shape: ColoredBox, rng: Random | None) -> str:
    """Return a shape with its size, and with its color unless it has two: `a 4 x 7 red plane`."""
    box, colors = shape
    color = f"{colors[0]} " if len(colors) == 1 else ""
    sides = [side for side in box.extents if side > 1]
    noun = _pick(rng, _nouns(box))
    if box.kind in (ROW, COLUMN):
        (length,) = sides
        measure = "long" if box.kind == ROW else "high"
        forms = [f"{color}{noun} {length} blocks {measure}", f"{noun} of {length} {color}blocks"]
    elif box.kind == CUBE:
        forms = [f"{' x '.join(map(str, sides))} {color}{noun}", f"{color}{noun} {sides[0]} blocks wide"]
    else:
        forms = [f"{' x '.join(map(str, sides))} {color}{noun}"]
    return _with_article(_pick(rng, forms))


def _nouns(box: Box) -> list[str]:
    """Return what a box may be called, the canonical noun first."""
    if box.kind == ROW:
        return ["row", "line"]
    if box.kind == COLUMN:
        return ["column", "vertical line"]
    if box.kind == TOWER:
        return ["tower", "rectangular prism", "pillar"]
    if box.kind == PLANE:
        side, other = (side for side in box.extents if side > 1)
        return ["plane", "square" if side == other else "rectangle", "platform" if box.extents[2] == 1 else "wall"]
    return ["cube"]


def _pattern(shape: ColoredBox, pattern: Pattern, front: str, rng: Random | None) -> str:
    box, (first, second) = shape
    if pattern.kind == ALTERNATING:
        parts = "blocks" if box.kind in (ROW, COLUMN) else "layers"
        return _pick(
            rng, [f"alternating {first} and {second} {parts}", f"{parts} that alternate between {first} and {second}"]
        )
    low, high = _ENDS[front][pattern.axis]
    forms = [(first, low, second, high), (second, high, first, low)]
    color, end, other, other_end = _pick(rng, forms)
    return f"{_with_article(color)} {end} half and {_with_article(other)} {other_end} half"


def _with_article(words: str) -> str:
    """Return the words with `a`, or with `an` where that is said: before orange and 8."""
    return f"{'an' if words[0] in 'aeo8' else 'a'} {words}"


def _pick(rng: Random | None, forms):
    """Return one of the forms; the first, canonical one without a stream."""
    return forms[0] if rng is None else forms[int(rng.random() * len(forms))]
