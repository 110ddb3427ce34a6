"""Where the words of a map stand: beside what they name, and over nothing else if there is room."""

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from bap_v2_dataset.pictures.figures import width_of

Flat = tuple[float, float]
_HEIGHT = 1.25  # lines of text by the size of letters
_SIDES = (  # to the right and up, as shares of the way from the middle of the label to what it names
    (1, 0), (-1, 0), (0, 1), (0, -1), (1, 0.6), (-1, 0.6), (1, -0.6), (-1, -0.6),
    (0.6, 1), (-0.6, 1), (0.6, -1), (-0.6, -1), (1, 1), (-1, 1), (1, -1), (-1, -1),
)  # fmt: skip
_RINGS = (0.0, 0.07, 0.18, 0.32)  # inches farther away than a label that touches what it names


class MapLabel(NamedTuple):
    """Words that name a point."""

    text: str
    at: Flat  # in inches
    size: float  # of the letters, in points
    color: str = "#1c1c1c"
    bold: bool = False
    away: float = 0.05  # inches that they stand away at least


class Placed(NamedTuple):
    """A label and the middle of it, in inches."""

    label: MapLabel
    middle: Flat
    far: bool  # whether a line has to lead to what it names


def placed(labels: Sequence[MapLabel], taken: Iterable[Flat], frame: Sequence[float]) -> list[Placed]:
    """Return the labels, one after the other, each where it covers least.

    Args:
        taken: points that should stay in sight.
        frame: left, bottom, right and top of the picture.
    """
    points, boxes, result = list(taken), [], []
    for label in labels:
        half_width = width_of(label.text, label.size, label.bold) / 2 + 0.02
        half_height = _HEIGHT * label.size / 72 / 2
        # Try the sides of rings that lie farther and farther away; the cost is what the label would cover.
        best: tuple[float, Flat, int] | None = None
        for ring, farther in enumerate(_RINGS):
            for number, (right, up) in enumerate(_SIDES):
                distance = label.away + farther
                middle = (
                    label.at[0] + right * (half_width + distance),
                    label.at[1] + up * (half_height + distance),
                )
                box = (middle[0] - half_width, middle[1] - half_height, middle[0] + half_width, middle[1] + half_height)
                cost = 1.2 * ring + 0.02 * number + sum(_within(point, box) for point in points)
                cost += sum(40 * _shared(box, other) for other in boxes) + 60 * _outside(box, frame)
                if best is None or cost < best[0]:
                    best = (cost, middle, ring)
        # Later labels keep clear of this one; one far from its place gets a line to it.
        _, middle, ring = best
        boxes.append((middle[0] - half_width, middle[1] - half_height, middle[0] + half_width, middle[1] + half_height))
        result.append(Placed(label, middle, ring >= 2))
    return result


def along(start: Flat, end: Flat, step: float = 0.04) -> list[Flat]:
    """Points of a line, about so many inches apart."""
    number = max(1, round(math.dist(start, end) / step))
    return [
        (start[0] + (end[0] - start[0]) * n / number, start[1] + (end[1] - start[1]) * n / number)
        for n in range(number + 1)
    ]


def _within(point: Flat, box: Sequence[float]) -> bool:
    return box[0] < point[0] < box[2] and box[1] < point[1] < box[3]


def _shared(box: Sequence[float], other: Sequence[float]) -> float:
    """Return the share of the smaller of two boxes that they have in common, and a bit for any."""
    across = min(box[2], other[2]) - max(box[0], other[0])
    upward = min(box[3], other[3]) - max(box[1], other[1])
    if across <= 0 or upward <= 0:
        return 0.0
    return 0.2 + across * upward / min(_area(box), _area(other))


def _area(box: Sequence[float]) -> float:
    return (box[2] - box[0]) * (box[3] - box[1])


def _outside(box: Sequence[float], frame: Sequence[float]) -> float:
    """Return how many inches of a box are not in the frame."""
    over = (frame[0] - box[0], frame[1] - box[1], box[2] - frame[2], box[3] - frame[3])
    return sum(max(0.0, inches) for inches in over) + 0.2 * any(inches > 0 for inches in over)
