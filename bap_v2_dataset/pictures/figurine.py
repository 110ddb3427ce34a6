"""The Builder as it is drawn: a small figure with a head, and a beam of light where it looks."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from bap_v2_dataset.pictures.drawing import MIDDLE, TOP, Point, forward
from bap_v2_metric.blocks import EYE_HEIGHT, Y_MIN

REACH = 9.0  # cells from the middle of the board to where the Builder is drawn at most
FEET, NECK, HEAD = 0.34, 0.13, 0.3  # radii of the body below and above, and of the head
_NECK_BELOW_EYES, _BEAM, _BEAM_WIDTH = 0.42, 1.7, 0.42


@dataclass(frozen=True)
class Figurine:
    """The Builder, in cells."""

    ground: Point  # below its feet
    feet: Point
    neck: Point
    head: Point  # the middle of it, at the height of the eyes
    eyes: tuple[Point, Point]
    beam: tuple[Point, ...]  # a pyramid: its tip in the head, then the four corners of its base
    words: str

    @property
    def extent(self) -> list[Point]:
        """Points that a picture of it has to show."""
        x, y, z = self.head
        top = [(x + a * HEAD, y + HEAD, z + b * HEAD) for a in (-1, 1) for b in (-1, 1)]
        return [self.ground, *top, *self.beam]


def figurine(pose: Mapping[str, float]) -> Figurine:
    """The Builder with this pose; far away from the board (9 cells from its middle) it stands nearer than it does."""
    # Inside what is drawn, however far away it is.
    x = min(max(pose["x"], MIDDLE[0] - REACH), MIDDLE[0] + REACH)
    z = min(max(pose["z"], MIDDLE[2] - REACH), MIDDLE[2] + REACH)
    feet = min(pose["y"], TOP - 1.0 - EYE_HEIGHT)
    head = (x, feet + EYE_HEIGHT, z)
    # Where it looks: ahead, to its right, and what is over both.
    (fx, fz), pitch = forward(pose["yaw"]), math.radians(pose["pitch"])
    ahead = (math.cos(pitch) * fx, -math.sin(pitch), math.cos(pitch) * fz)
    right = (-fz, 0.0, fx)
    over = (-right[2] * ahead[1], right[2] * ahead[0] - right[0] * ahead[2], right[0] * ahead[1])  # right x ahead
    # The beam from its eyes.
    front, end = _along(head, ahead, 0.9 * HEAD), _along(head, ahead, _BEAM)
    corners = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    base = (_along(_along(end, right, _BEAM_WIDTH * a), over, _BEAM_WIDTH * b) for a, b in corners)
    return Figurine(
        ground=(x, float(Y_MIN), z),
        feet=(x, feet, z),
        neck=(x, head[1] - _NECK_BELOW_EYES + 0.2, z),
        head=head,
        eyes=(_along(front, right, -0.12), _along(front, right, 0.12)),
        beam=(head, *base),
        words=f"the Builder at {pose['x']:.1f} {pose['y']:.1f} {pose['z']:.1f}, yaw {pose['yaw']:.0f}°, "
        f"pitch {pose['pitch']:.0f}°",
    )


Mesh = tuple[list[Point], list[tuple[int, int, int]]]  # corners, and triangles of their numbers


def body_mesh(figure: Figurine, sides: int = 8) -> Mesh:
    """Return the body and the head, as triangles."""
    rings = [list(_ring(figure.feet, FEET, sides)), list(_ring(figure.neck, NECK, sides))]
    corners, triangles = _joined([[figure.feet], *rings])
    x, y, z = figure.head
    turns = [math.pi * step / 5 for step in range(1, 5)]
    head = [list(_ring((x, y - HEAD * math.cos(turn), z), HEAD * math.sin(turn), sides)) for turn in turns]
    more, others = _joined([[(x, y - HEAD, z)], *head, [(x, y + HEAD, z)]])
    first = len(corners)
    return corners + more, triangles + [(a + first, b + first, c + first) for a, b, c in others]


def _ring(middle: Point, radius: float, sides: int) -> Iterator[Point]:
    for step in range(sides):
        turn = 2 * math.pi * step / sides
        yield middle[0] + radius * math.cos(turn), middle[1], middle[2] + radius * math.sin(turn)


def _joined(rings: Sequence[Sequence[Point]]) -> Mesh:
    """Return a surface through rings of equal size, one above the other; a single point closes it."""
    corners = [point for ring in rings for point in ring]
    triangles, first = [], 0
    for low, high in pairwise(rings):
        second, sides = first + len(low), max(len(low), len(high))
        for step in range(sides):
            after = (step + 1) % sides
            if len(low) > 1:
                triangles.append((first + step, first + after, second + step % len(high)))
            if len(high) > 1:
                triangles.append((second + step, second + after, first + after % len(low)))
        first = second
    return corners, triangles


def _along(point: Point, direction: Sequence[float], length: float) -> Point:
    return tuple(p + length * d for p, d in zip(point, direction))  # type: ignore
