"""From where boards are seen: a camera that has all in view, and what it does not see because blocks are in the way."""

import math
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from bap_v2_dataset.pictures.cubes import Cube, Look
from bap_v2_dataset.pictures.drawing import Face, Point, faces, forward

ELEVATION = 35.0  # degrees that cameras look down; with less, blocks hide each other
_SAMPLES = (0.15, 0.5, 0.85)  # of a face, in both directions
_TURNED = 30.0  # degrees, to the side of a Builder that sees a wall from its edge
_EDGE_ON = 4  # blocks of a board that are behind others, from which on it is seen so
_GRAZING = 0.2  # the sine of the angle below which a face is no more than an edge
_SEEN = 0.15  # the share of what a cube shows that has to be in sight


class LineOfSight(NamedTuple):
    """An eye and the point it looks at, in cells."""

    eye: Point
    focus: Point


def fitted_camera(points: Iterable[Point], yaw: float, field: float, aspect: float = 1.0) -> LineOfSight:
    """Return the nearest camera, from behind and above a Builder with this yaw, that has all points in view.

    Args:
        points: at least one.
        field: degrees from the lower to the upper edge of the picture.
        aspect: the width of the picture by its height.
    """
    # The axes of the picture, and the points along them.
    points = list(points)
    (fx, fz), down = forward(yaw), math.radians(ELEVATION)
    ahead = (math.cos(down) * fx, -math.sin(down), math.cos(down) * fz)
    right = (-fz, 0.0, fx)
    over = (math.sin(down) * fx, math.cos(down), math.sin(down) * fz)
    across, upward, away = ([_dot(point, axis) for point in points] for axis in (right, over, ahead))
    # A point is in view where |across - eye| <= slope * (away - eye): lines, one for each edge of the picture.
    slope = math.tan(math.radians(field) / 2)
    (low_x, high_x), (low_y, high_y) = (
        (max(v - s * d for v, d in zip(values, away)), min(v + s * d for v, d in zip(values, away)))
        for values, s in ((across, slope * aspect), (upward, slope))
    )
    back = min((high_x - low_x) / (2 * slope * aspect), (high_y - low_y) / (2 * slope))
    place = ((low_x + high_x) / 2, (low_y + high_y) / 2, back)
    eye = _point(place, right, over, ahead)
    middle = (min(away) + max(away)) / 2
    return LineOfSight(eye, _point((*place[:2], middle), right, over, ahead))


def clear_yaw(boards: Iterable[Sequence[Cube]], yaw: float, eye_of: Callable[[float], Point]) -> float:
    """Return the yaw, or one 30 degrees beside it that shows at least half of the many blocks that are behind others.

    Args:
        eye_of: where the eye of a camera with this yaw is.
    """
    solid = [[cube for cube in cubes if cube.solid] for cubes in boards]

    def behind(yaw: float) -> int:
        """Return the most blocks of a board no face of which has its middle in sight."""
        eye = eye_of(yaw)
        return max((len(cubes) - len(_seen_from(eye, cubes)) for cubes in solid), default=0)

    straight = behind(yaw)
    if straight < _EDGE_ON:
        return yaw
    least, turn = min((behind(yaw + turn), turn) for turn in (_TURNED, -_TURNED))
    return yaw + turn if 2 * least <= straight else yaw


def turn_in_words(yaw: float, builder: float) -> list[str]:
    """Name, for a legend, the turn of a camera that `clear_yaw` has turned away from a Builder with this yaw.

    >>> turn_in_words(120.0, 90.0), turn_in_words(90.0, 90.0)
    (["seen from 30° to the Builder's left"], [])
    """
    side = {_TURNED: "left", -_TURNED: "right"}.get(round(yaw - builder, 6))
    return [f"seen from {_TURNED:.0f}° to the Builder's {side}"] if side else []


def _seen_from(eye: Point, solid: Sequence[Cube]) -> set[Cube]:
    turned = (face for face in faces(solid, 0.0) if _turned(face, eye) > _GRAZING)
    return {face.cube for face in turned if in_sight(face.at(0.5, 0.5, 0.01), solid, eye)}


def hidden(cubes: Sequence[Cube], eye: Point) -> list[Cube]:
    """Return the wrong and missed cubes that are, seen from `eye`, behind other blocks, but for a seventh at most.

    The mark of an outline in the cell of a block is above that block: another one there hides it.
    """
    solid = [cube for cube in cubes if cube.solid]
    cells = {cube.cell for cube in solid}

    def is_covered(cube: Cube) -> bool:
        x, y, z = cube.cell
        return not cube.solid and cube.cell in cells and (x, y + 1, z) in cells

    mistakes = [cube for cube in cubes if cube.look in (Look.WRONG, Look.MISSED)]
    return [cube for cube in mistakes if is_covered(cube) or not _is_seen(cube, solid, eye)]


def side_of_mark(cube: Cube, cubes: Iterable[Cube]) -> int:
    """Return the side, left (-1), middle or right, of a hidden cube's mark: both of a recolored cell are to be seen."""
    if not any(other.cell == cube.cell and other.solid != cube.solid for other in cubes):
        return 0
    return -1 if cube.solid else 1


def _is_seen(cube: Cube, solid: Sequence[Cube], eye: Point) -> bool:
    others = [other.cell for other in solid if other.cell != cube.cell]
    area = seen = 0.0  # as large as they look, about
    for axis in range(3):
        for side in (0.0, 1.0):
            before = (2 * side - 1) * (eye[axis] - cube.cell[axis] - side)
            if before <= 0:  # the face is turned away
                continue
            for one in _SAMPLES:
                for other in _SAMPLES:
                    shares = {axis: side, (axis + 1) % 3: one, (axis + 2) % 3: other}
                    point = tuple(cube.cell[i] + shares[i] for i in range(3))
                    area += before
                    seen += before * (not any(_meets(eye, point, cell) for cell in others))  # type: ignore
    return seen > _SEEN * area


def in_sight(point: Point, solid: Sequence[Cube], eye: Point) -> bool:
    """Return whether no block is between the eye and a point; one that only touches it is not."""
    return not any(_meets(eye, point, cube.cell) for cube in solid)


def is_turned_to(face: Face, eye: Point) -> bool:
    """Return whether a face is turned to the eye."""
    return _turned(face, eye) > 0


def _turned(face: Face, eye: Point) -> float:
    """Return the sine of the angle at which the eye sees a face; negative if it is turned away."""
    away = [e - m for e, m in zip(eye, face.at(0.5, 0.5))]
    return _dot(away, face.normal) / math.hypot(*away)


def best_seen(turned: Iterable[Face], cubes: Sequence[Cube], eye: Point) -> set[Face]:
    """Of the faces that are turned to the eye the one of each cube that looks largest.

    Those with nothing before them come first, then those with no more than an outline with a mark.
    """
    solid = [cube for cube in cubes if cube.solid]
    drawn = [*solid, *(cube for cube in cubes if cube.mark and not cube.solid)]
    best: dict[Cube, tuple[bool, bool, float, Face]] = {}
    for face in turned:
        looks = _turned(face, eye)
        before = face.at(0.5, 0.5, 0.01)
        found = (in_sight(before, drawn, eye), in_sight(before, solid, eye), looks, face)
        if face.cube not in best or found[:3] > best[face.cube][:3]:
            best[face.cube] = found
    return {face for *_, face in best.values()}


def _meets(start: Point, end: Point, cell: Sequence[int]) -> bool:
    """Return whether a line from point to point goes through a cell before its end."""
    enters, leaves = 0.0, 1.0 - 1e-6
    for s, e, low in zip(start, end, cell):
        step = e - s
        if abs(step) < 1e-12:
            if not low < s < low + 1:
                return False
            continue
        a, b = sorted(((low - s) / step, (low + 1 - s) / step))
        enters, leaves = max(enters, a), min(leaves, b)
        if enters >= leaves - 1e-9:
            return False
    return True


def _point(place: Sequence[float], *axes: Point) -> Point:
    return tuple(sum(value * axis[i] for value, axis in zip(place, axes)) for i in range(3))  # type: ignore


def _dot(a: Sequence[float], b: Sequence[float]) -> float:
    return sum(x * y for x, y in zip(a, b))
