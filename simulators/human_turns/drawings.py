"""Letters and other shapes that have a name, drawn as one reads them: u to the right, v up."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

Drawn = list[tuple[int, int]]


class Drawing(NamedTuple):
    """The form of a shape in any size; its first block is the left one of the bottom row."""

    draw: Callable[[int, int], Drawn]
    least: tuple[int, int]  # width and height
    odd: tuple[bool, bool] = (False, False)  # whether the width and the height have a middle
    equal: bool = False  # as high as wide
    flat: bool = True  # whether it is also laid on the ground

    def allows(self, width: int, height: int) -> bool:
        """Return whether it can be drawn in this size."""
        middles = all(side % 2 or not odd for side, odd in zip((width, height), self.odd, strict=True))
        return width >= self.least[0] and height >= self.least[1] and middles and (width == height or not self.equal)


def _bottom(width: int, _: int) -> Drawn:
    return [(u, 0) for u in range(width)]


def _top(width: int, height: int) -> Drawn:
    return [(u, height - 1) for u in range(width)]


def _left(_: int, height: int) -> Drawn:
    return [(0, v) for v in range(height)]


def _right(width: int, height: int) -> Drawn:
    return [(width - 1, v) for v in range(height)]


def _stem(width: int, height: int) -> Drawn:
    return [(width // 2, v) for v in range(height)]


def _bar(width: int, height: int) -> Drawn:
    return [(u, height // 2) for u in range(width)]


def _both_diagonals(width: int, height: int) -> Drawn:
    return [(u, u) for u in range(width)] + [(u, height - 1 - u) for u in range(width)]


def _of(*strokes: Callable[[int, int], Drawn]) -> Callable[[int, int], Drawn]:
    return lambda width, height: list(dict.fromkeys(block for stroke in strokes for block in stroke(width, height)))


DRAWINGS: Mapping[str, Drawing] = {
    "l": Drawing(_of(_bottom, _left), (2, 2)),
    "t": Drawing(_of(_stem, _top), (3, 3), odd=(True, False)),
    "u": Drawing(_of(_bottom, _left, _right), (3, 2)),
    "c": Drawing(_of(_bottom, _left, _top), (2, 3), flat=False),
    "h": Drawing(_of(_left, _bar, _right), (3, 3), odd=(False, True)),
    "i": Drawing(_of(_bottom, _stem, _top), (3, 3), odd=(True, False), flat=False),
    "x": Drawing(_of(_both_diagonals), (3, 3), odd=(True, True), equal=True),
    "plus": Drawing(_of(_stem, _bar), (3, 3), odd=(True, True)),
    "frame": Drawing(_of(_bottom, _left, _right, _top), (3, 3)),
    "arch": Drawing(_of(_left, _top, _right), (3, 2), flat=False),
}
