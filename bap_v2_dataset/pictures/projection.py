"""A board as polygons on a page, in the order in which a painter paints them.

A cube can only hide another if it is at least as near on each of the three axes. So going from far to near, axis by
axis, is exact: no polygon has to be cut, and none hides one that is painted later.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property

from bap_v2_dataset.pictures import drawing
from bap_v2_dataset.pictures.camera import ELEVATION, best_seen, hidden, in_sight, is_turned_to, side_of_mark
from bap_v2_dataset.pictures.cubes import Cube, Look
from bap_v2_dataset.pictures.figurine import FEET, HEAD, NECK, figurine
from bap_v2_metric.blocks import Y_MIN, Cell, Color
from bap_v2_simulators.pose import Pose, perspective_coordinates

Flat = tuple[float, float]  # to the right, up; cells, as large as they are at the focus
GROUND, GRID, RIM, SHADOW = (242, 243, 245), (205, 209, 214), (140, 146, 153), (216, 219, 223)
BUILDER, BEAM, INK = (43, 58, 74), (91, 127, 166), (28, 28, 28)
STANDS_OUT = (199, 0, 110)  # no color of a block
_FAINT = 0.3
_MANY = 8  # missed blocks whose marks would be too much in full strength


@dataclass(frozen=True)
class Camera:
    """Behind and above the Builder: it looks along its yaw, at a focus."""

    focus: drawing.Point
    yaw: float  # degrees
    elevation: float = ELEVATION  # degrees that it looks down
    distance: float = 26.0  # cells from the focus; with less, cubes at the edges look crooked

    @cached_property
    def pose(self) -> Pose:
        """Place and direction of the camera."""
        level = self.distance * math.cos(math.radians(self.elevation))
        rise = self.distance * math.sin(math.radians(self.elevation))
        (fx, fz), (x, y, z) = drawing.forward(self.yaw), self.focus
        return Pose(x - level * fx, y + rise, z - level * fz, self.yaw, self.elevation)

    @property
    def eye(self) -> drawing.Point:
        """Its place."""
        return self.pose.x, self.pose.y, self.pose.z

    def on_page(self, point: drawing.Point) -> Flat:
        """Return the place of a point on the page."""
        left, up, away = perspective_coordinates(point, self.pose)
        return -left * self.distance / away, up * self.distance / away

    def sees(self, face: drawing.Face) -> bool:
        """Return whether a face is turned to the camera."""
        return is_turned_to(face, self.eye)

    def depth(self, point: drawing.Point) -> tuple[int, int, int]:
        """Larger is farther: the cells between the point and the camera, axis by axis."""
        eye = self.pose
        return tuple(abs(math.floor(p) - math.floor(e)) for p, e in zip(point, (eye.x, eye.y, eye.z)))  # type: ignore


@dataclass(frozen=True)
class Stroke:
    """A polygon, or a line, on the page."""

    points: Sequence[Flat]
    fill: drawing.Rgb | None = None  # None: a line
    edge: drawing.Rgb | None = None
    width: float = 1.0  # of the edge or line; 1.0 is an edge of a cube
    of: Cube | drawing.Face | None = None  # what it belongs to
    alpha: float = 1.0
    framed: bool = True  # whether a picture has to show it all; not of the ground


def painted(
    cubes: Sequence[Cube],
    camera: Camera,
    builder: Pose | None = None,
    ground: drawing.Ground = drawing.BOARD,
    elsewhere: Pose | None = None,
) -> list[Stroke]:
    """Return the board with its ground, from far to near, and the marks in the end.

    An outline, which hides nothing, is also seen faintly through what is before it. A block has one mark, on the face
    that is seen best; if that is in sight, the mark is over everything. What is wrong or missed but hidden behind other
    blocks is drawn once more, over them. Below floating blocks the ground is in the shade.

    Args:
        elsewhere: where the Builder stands in another board that this one is compared with: drawn faintly.
    """
    # Solid cubes, with marks on those faces that are seen best.
    parts: list[tuple[tuple, int, list[Stroke]]] = []  # depth, rank within a cell, what to paint
    marks: list[Stroke] = []
    solid = [cube for cube in cubes if cube.solid]
    seen = [face for face in drawing.faces(cubes, camera.yaw) if camera.sees(face)]
    marked = best_seen(seen, cubes, camera.eye)
    for face in seen:
        square, *lines = _face(face, camera)
        on_top = in_sight(face.at(0.5, 0.5, 0.01), solid, camera.eye)
        lines = lines if face in marked else []
        parts.append((camera.depth(face.cube.cell), 0, [square] if on_top else [square, *lines]))
        marks += lines if on_top else []
    # Outlines of what is missing or was taken away.
    outlines = list(_outlines(cubes, camera))
    behind = hidden(cubes, camera.eye)
    for cube, dashes, mark in outlines:
        parts.append((camera.depth(cube.cell), 1, dashes))
        marks = ([] if cube in behind else mark) + marks  # below those on solid blocks
    # The Builder, and another one faintly.
    if elsewhere is not None:
        for depth, rank, shapes in _builder(elsewhere, camera):
            parts.append((depth, rank, [replace(shape, alpha=_FAINT * shape.alpha) for shape in shapes]))
    if builder is not None:
        parts += _builder(builder, camera)
    # The ground first, then everything from the farthest to the nearest.
    strokes = [replace(stroke, framed=False) for stroke in _ground(camera, _shadows({c.cell for c in solid}), ground)]
    for _, _, shapes in sorted(parts, key=lambda part: (*(-d for d in part[0]), part[1])):
        strokes += shapes
    # What is hidden shows through.
    for _, dashes, _ in outlines:
        strokes += [replace(stroke, alpha=0.3) for stroke in dashes if not stroke.fill]
    strokes += marks
    for cube in behind:
        strokes += _ghost(cube, camera, side_of_mark(cube, cubes))
    return strokes


def edged(cells: Iterable[Cell], camera: Camera, dashes: bool = False) -> Iterator[Stroke]:
    """The edges of these cells in a color that no block has, over everything: all as dashes, else those in view."""
    for cell in cells:
        block = Cube(cell, Color.RED, Look.NEW)  # whatever its color
        seen = [face for face in drawing.faces([block], camera.yaw) if camera.sees(face)]
        edges = {
            frozenset(edge): edge for face in seen for edge in zip(face.corners, [*face.corners[1:], face.corners[0]])
        }
        for edge in drawing.cube_edges(cell, 0.0) if dashes else edges.values():
            for start, end in drawing.dashed(*edge) if dashes else [edge]:
                line = [camera.on_page(start), camera.on_page(end)]
                yield Stroke(line, edge=(255, 255, 255), width=4.4)
                yield Stroke(line, edge=STANDS_OUT, width=2.4)


def _face(face: drawing.Face, camera: Camera) -> Iterator[Stroke]:
    corners = [camera.on_page(corner) for corner in face.corners]
    yield Stroke(corners, face.rgb, drawing.edge_rgb(face.cube), of=face)
    lines = [[camera.on_page(point) for point in line] for line in face.strokes()]
    if abs(_area(corners)) > 0.5:  # seen from the side a mark is a blot
        yield from (Stroke(line, edge=face.rgb, width=4.6) for line in lines)  # what lies under it ends before it
        yield from (Stroke(line, edge=drawing.ink_on(face.rgb), width=2.2) for line in lines)


def _outlines(cubes: Sequence[Cube], camera: Camera) -> Iterator[tuple[Cube, list[Stroke], list[Stroke]]]:
    """Of each outline that is not inside of others: its dashes, and its mark on the face that is seen best.

    Where outlines touch, there is nothing between them, as between solid blocks.
    """
    # The faces of each cube that are turned to the camera.
    in_solid = {cube.cell for cube in cubes if cube.solid}
    many = sum(cube.look is Look.MISSED for cube in cubes) > _MANY
    by_cube: dict[Cube, list[drawing.Face]] = {}
    for face in drawing.faces(cubes, camera.yaw, solid=False):
        if camera.sees(face):
            by_cube.setdefault(face.cube, []).append(face)
    # Each edge once, dashed; a mark on the largest face.
    drawn: set[frozenset[drawing.Point]] = set()
    for cube, faces_of_cube in by_cube.items():
        color, strokes = drawing.edge_rgb(cube), []
        for face in faces_of_cube:
            if cube.mark:
                corners = [camera.on_page(corner) for corner in face.corners]
                strokes.append(Stroke(corners, drawing.rgb_of(cube), width=0.0, of=cube, alpha=0.1))
            for edge in zip(face.corners, [*face.corners[1:], face.corners[0]]):
                if frozenset(edge) not in drawn:
                    drawn.add(frozenset(edge))
                    for dash in drawing.dashed(*edge):
                        line = [camera.on_page(point) for point in dash]
                        strokes.append(Stroke(line, edge=color, width=1.3 if many else 2.0, of=cube))
        best = max(faces_of_cube, key=lambda face: abs(_area([camera.on_page(corner) for corner in face.corners])))
        yield cube, strokes, _mark_of_outline(cube, best, camera, cube.cell in in_solid, 1.3 if many else 2.0)


def _mark_of_outline(cube: Cube, face: drawing.Face, camera: Camera, in_solid: bool, width: float) -> list[Stroke]:
    """Return the mark on a face, or above a block in the same cell."""
    if in_solid:
        x, y, z = cube.cell
        right, up = camera.on_page((x + 0.5, y + 1.4, z + 0.5))
        lines = [[(right + r - 0.5, up + u - 0.5) for r, u in line] for line in drawing.mark_strokes(cube.mark)]
    else:
        lines = [[camera.on_page(point) for point in line] for line in face.strokes()]
    halo = [Stroke(line, edge=(255, 255, 255), width=width + 1.4, alpha=0.8, of=cube) for line in lines]
    return halo + [Stroke(line, edge=INK, width=width, of=cube) for line in lines]


def _ghost(cube: Cube, camera: Camera, side: int) -> Iterator[Stroke]:
    """Draw a hidden cube through everything: its edges as dashes, and its mark in a white disk, on this side."""
    for edge in drawing.cube_edges(cube.cell, 0.0):
        for dash in drawing.dashed(*edge):
            line = [camera.on_page(point) for point in dash]
            yield Stroke(line, edge=(255, 255, 255), width=3.2, of=cube)
            yield Stroke(line, edge=drawing.edge_rgb(replace(cube, look=Look.REMOVED)), width=1.6, of=cube)
    x, y, z = cube.cell
    right, up = camera.on_page((x + 0.5, y + 0.5, z + 0.5))
    right += 0.42 * side
    turns = [math.tau * step / 24 for step in range(24)]
    disk = [(right + 0.4 * math.cos(turn), up + 0.4 * math.sin(turn)) for turn in turns]
    yield Stroke(disk, (255, 255, 255), drawing.edge_rgb(replace(cube, look=Look.REMOVED)), of=cube)
    for line in drawing.mark_strokes(cube.mark):
        yield Stroke([(right + r - 0.5, up + u - 0.5) for r, u in line], edge=INK, width=2.0, of=cube)


def _ground(camera: Camera, shadows: Iterable[Cell], ground: drawing.Ground) -> Iterator[Stroke]:
    """Yield a part of the floor: its edges are dark where the BuildRegion ends."""
    # The ground and the shadows on it.
    x0, z0, x1, z1 = ground

    def flat(*corners: tuple[int, int]) -> list[Flat]:
        return [camera.on_page((x, Y_MIN, z)) for x, z in corners]

    corners = ((x0, z0), (x1, z0), (x1, z1), (x0, z1))
    yield Stroke(flat(*corners), GROUND)
    for x, _, z in shadows:
        yield Stroke(flat((x, z), (x + 1, z), (x + 1, z + 1), (x, z + 1)), SHADOW)
    # The grid, and a rim where the region ends.
    for x in range(x0, x1 + 1):
        yield Stroke(flat((x, z0), (x, z1)), edge=GRID, width=0.7)
    for z in range(z0, z1 + 1):
        yield Stroke(flat((x0, z), (x1, z)), edge=GRID, width=0.7)
    ends = (z0 == drawing.BOARD.z0, x1 == drawing.BOARD.x1, z1 == drawing.BOARD.z1, x0 == drawing.BOARD.x0)
    for start, end, is_end in zip(corners, [*corners[1:], corners[0]], ends):
        if is_end:
            yield Stroke(flat(start, end), edge=RIM, width=1.2)


def _shadows(solid: set[Cell]) -> set[Cell]:
    """Return the ground below floating blocks."""
    ground = {Cell(cell.x, Y_MIN, cell.z) for cell in solid}
    return ground - solid


def _builder(pose: Pose, camera: Camera) -> Iterator[tuple[tuple, int, list[Stroke]]]:
    """Yield the figure and its beam, and dots below the feet of a Builder who flies; with their depths."""
    # The line from the ground to its feet, in dashes.
    builder = figurine(asdict(pose))
    x, bottom, z = builder.ground
    for number in range(0, math.ceil((builder.feet[1] - bottom) / 0.1), 2):
        start, end = bottom + number * 0.1, min(bottom + (number + 1) * 0.1, builder.feet[1])
        line = [camera.on_page((x, y, z)) for y in (start, end)]
        yield camera.depth((x, start, z)), 2, [Stroke(line, edge=(110, 122, 134), width=1.4)]
    # The body in three pieces, each at its depth.
    low, high, pieces = builder.feet[1], builder.neck[1], 3
    for piece in range(pieces):
        heights = [low + (high - low) * share / pieces for share in (piece, piece + 1)]
        radii = [FEET + (NECK - FEET) * share / pieces for share in (piece, piece + 1)]
        (left_x, left_y), (right_x, right_y) = (camera.on_page((x, height, z)) for height in heights)
        body = [
            (left_x - radii[0], left_y), (left_x + radii[0], left_y),
            (right_x + radii[1], right_y), (right_x - radii[1], right_y),
        ]  # fmt: skip
        yield camera.depth((x, heights[0], z)), 3, [Stroke(body, BUILDER, BUILDER, 0.5)]
    # The head with the beam, and the eyes unless it is seen from behind.
    turns = [math.tau * step / 24 for step in range(24)]
    right, up = camera.on_page(builder.head)
    head = [(right + HEAD * math.cos(turn), up + HEAD * math.sin(turn)) for turn in turns]
    beam = Stroke(_hull([camera.on_page(point) for point in builder.beam]), BEAM, alpha=0.35)
    from_behind = (
        perspective_coordinates(builder.beam[1], camera.pose)[2] > perspective_coordinates(builder.head, camera.pose)[2]
    )
    shapes = [Stroke(head, BUILDER, BUILDER, 0.5)]
    if from_behind:
        shapes = [beam, *shapes]
    else:
        eyes = (camera.on_page(point) for point in builder.eyes)
        dots = [[(r + 0.05 * math.cos(turn), u + 0.05 * math.sin(turn)) for turn in turns] for r, u in eyes]
        shapes += [*(Stroke(dot, (255, 255, 255)) for dot in dots), beam]
    yield camera.depth(builder.head), 4, shapes


def _hull(points: Iterable[Flat]) -> list[Flat]:
    """Return the convex hull, counterclockwise (Andrew's monotone chain)."""
    ordered = sorted(set(points))
    halves = []
    for sequence in (ordered, ordered[::-1]):
        half: list[Flat] = []
        for point in sequence:
            while len(half) > 1 and _area([half[-2], half[-1], point]) <= 0:
                half.pop()
            half.append(point)
        halves += half[:-1]
    return halves


def _area(points: Sequence[Flat]) -> float:
    """Of a polygon, positive if its corners go round counterclockwise; twice that."""
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(points, [*points[1:], points[0]]))
