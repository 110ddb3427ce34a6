"""A board as polygons on a page, in the order in which a painter paints them.

A cube can only hide another if it is at least as near on each of the three axes. So going from far to near, axis by
axis, is exact: no polygon has to be cut, and none hides one that is painted later.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property

from bap_v2_metric.blocks import X_MAX, X_MIN, Y_MIN, Z_MAX, Z_MIN, Cell
from bap_v2_metric.cubes import Cube
from bap_v2_metric.drawing import (
    Face,
    Point,
    Rgb,
    arrow,
    cube_edges,
    dashed,
    edge_rgb,
    faces,
    forward,
    ink_on,
    mark_strokes,
)
from bap_v2_simulators.pose import Pose, perspective_coordinates

Flat = tuple[float, float]  # to the right, up; cells, as large as they are at the focus
GROUND, GRID, RIM, SHADOW = (242, 243, 245), (205, 209, 214), (140, 146, 153), (216, 219, 223)
BUILDER, INK = (43, 58, 74), (28, 28, 28)
_PYRAMID = ((0, 1, 2), (0, 2, 3), (0, 3, 4), (0, 4, 1), (4, 3, 2, 1))  # of tip and base, clockwise from outside
_SHADES = (0.9, 1.0, 1.25, 1.0, 1.6)


@dataclass(frozen=True)
class Camera:
    """Behind and above the Builder: it looks along its yaw, at a focus."""

    focus: Point
    yaw: float  # degrees
    elevation: float = 35.0  # degrees that it looks down; with less, blocks hide each other
    distance: float = 26.0  # cells from the focus; with less, cubes at the edges look crooked

    @cached_property
    def pose(self) -> Pose:
        """Where the camera is and how it is turned."""
        level = self.distance * math.cos(math.radians(self.elevation))
        rise = self.distance * math.sin(math.radians(self.elevation))
        (fx, fz), (x, y, z) = forward(self.yaw), self.focus
        return Pose(x - level * fx, y + rise, z - level * fz, self.yaw, self.elevation)

    def on_page(self, point: Point) -> Flat:
        """Where a point is seen."""
        left, up, away = perspective_coordinates(point, self.pose)
        return -left * self.distance / away, up * self.distance / away

    def sees(self, face: Face) -> bool:
        """Whether a face is turned to the camera."""
        eye = self.pose
        return sum(n * (e - c) for n, e, c in zip(face.normal, (eye.x, eye.y, eye.z), face.at(0.5, 0.5))) > 0

    def depth(self, point: Point) -> tuple[int, int, int]:
        """Larger is farther: the cells between the point and the camera, axis by axis."""
        eye = self.pose
        return tuple(abs(math.floor(p) - math.floor(e)) for p, e in zip(point, (eye.x, eye.y, eye.z)))  # type: ignore


@dataclass(frozen=True)
class Stroke:
    """A polygon, or a line, on the page."""

    points: Sequence[Flat]
    fill: Rgb | None = None  # None: a line
    edge: Rgb | None = None
    width: float = 1.0  # of the edge or line; 1.0 is an edge of a cube
    of: Cube | Face | None = None  # what it belongs to
    alpha: float = 1.0
    framed: bool = True  # whether a picture has to show it all; not of the ground


def painted(cubes: Sequence[Cube], camera: Camera, builder: Pose | None = None) -> list[Stroke]:
    """The board with its ground, from far to near.

    An outline, which hides nothing, is also seen faintly through what is before it. Below floating blocks the ground
    is in the shade.
    """
    parts: list[tuple[tuple, int, list[Stroke]]] = []  # depth, rank within a cell, what to paint
    for face in faces(cubes, camera.yaw):
        if camera.sees(face):
            parts.append((camera.depth(face.cube.cell), 0, list(_face(face, camera))))
    solid = {cube.cell for cube in cubes if cube.solid}
    outlines = [cube for cube in cubes if not cube.solid]
    for cube in outlines:
        parts.append((camera.depth(cube.cell), 1, list(_outline(cube, camera, cube.cell in solid))))
    if builder is not None:
        parts += _builder(builder, camera)
    strokes = [replace(stroke, framed=False) for stroke in _ground(camera, _shadows(solid))]
    for _, _, shapes in sorted(parts, key=lambda part: (*(-d for d in part[0]), part[1])):
        strokes += shapes
    for cube in outlines:
        strokes += [replace(stroke, alpha=0.3) for stroke in _outline(cube, camera, cube.cell in solid)]
    return strokes


def _face(face: Face, camera: Camera) -> Iterator[Stroke]:
    corners = [camera.on_page(corner) for corner in face.corners]
    yield Stroke(corners, face.rgb, edge_rgb(face.cube), of=face)
    for line in face.strokes() if abs(_area(corners)) > 0.5 else ():  # seen from the side a mark is a blot
        yield Stroke([camera.on_page(point) for point in line], edge=ink_on(face.rgb), width=2.2)


def _outline(cube: Cube, camera: Camera, in_solid: bool) -> Iterator[Stroke]:
    """The dashes of the edges that are not behind the cube, and its mark: in the middle, or above a block there."""
    edges = list(cube_edges(cube.cell, 0.0))
    corners = {point for edge in edges for point in edge}
    farthest = max(corners, key=lambda corner: perspective_coordinates(corner, camera.pose)[2])
    for start, end in edges:
        if farthest not in (start, end):
            for dash in dashed(start, end):
                yield Stroke([camera.on_page(point) for point in dash], edge=edge_rgb(cube), width=2.0, of=cube)
    x, y, z = cube.cell
    right, up = camera.on_page((x + 0.5, y + (1.4 if in_solid else 0.5), z + 0.5))
    for line in mark_strokes(cube.mark):
        yield Stroke([(right + r - 0.5, up + u - 0.5) for r, u in line], edge=INK, width=2.2, of=cube)


def _ground(camera: Camera, shadows: Iterable[Cell]) -> Iterator[Stroke]:
    x0, x1, z0, z1, y = X_MIN, X_MAX + 1, Z_MIN, Z_MAX + 1, Y_MIN

    def flat(*corners: tuple[int, int]) -> list[Flat]:
        return [camera.on_page((x, y, z)) for x, z in corners]

    rim = flat((x0, z0), (x1, z0), (x1, z1), (x0, z1))
    yield Stroke(rim, GROUND)
    for x, _, z in shadows:
        yield Stroke(flat((x, z), (x + 1, z), (x + 1, z + 1), (x, z + 1)), SHADOW)
    for x in range(x0 + 1, x1):
        yield Stroke(flat((x, z0), (x, z1)), edge=GRID, width=0.7)
    for z in range(z0 + 1, z1):
        yield Stroke(flat((x0, z), (x1, z)), edge=GRID, width=0.7)
    yield Stroke([*rim, rim[0]], edge=RIM, width=1.2)


def _shadows(solid: set[Cell]) -> set[Cell]:
    """The ground below floating blocks."""
    ground = {Cell(cell.x, Y_MIN, cell.z) for cell in solid}
    return ground - solid


def _builder(pose: Pose, camera: Camera) -> Iterator[tuple[tuple, int, list[Stroke]]]:
    """The pole, dotted below the feet of a Builder who flies, and the pyramid; with their depths."""
    builder = arrow(asdict(pose))
    for low, high, dots in ((builder.ground, builder.feet, True), (builder.feet, builder.eyes, False)):
        x, bottom, z = low
        step = 0.1 if dots else 0.5
        for number in range(math.ceil((high[1] - bottom) / step)):
            if dots and number % 2:
                continue
            start, end = bottom + number * step, min(bottom + (number + 1) * step, high[1])
            line = [camera.on_page((x, y, z)) for y in (start, end)]
            width = 1.4 if dots else 3.0
            yield camera.depth((x, start, z)), 2, [Stroke(line, edge=(110, 122, 134) if dots else BUILDER, width=width)]
    corners = [camera.on_page(point) for point in (builder.tip, *builder.base)]
    sides = []
    for side, light in zip(_PYRAMID, _SHADES):
        points = [corners[number] for number in side]
        if _area(points) > 0:
            sides.append(Stroke(points, tuple(round(light * value) for value in BUILDER), (15, 20, 26), 0.8))  # type: ignore
    yield camera.depth(builder.eyes), 3, sides


def _area(points: Sequence[Flat]) -> float:
    """Of a polygon, positive if its corners go round counterclockwise; twice that."""
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(points, [*points[1:], points[0]]))
