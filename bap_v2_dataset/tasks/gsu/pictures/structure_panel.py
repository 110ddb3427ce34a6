"""Structures of GSU in three dimensions, wherever they stand and however large they are, with their coordinates."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from bap_v2_dataset.pictures.cubes import Cube, Look
from bap_v2_dataset.pictures.drawing import BOARD, Ground, Point
from bap_v2_dataset.pictures.figures import paint
from bap_v2_dataset.pictures.projection import Camera, painted
from bap_v2_dataset.tasks.gsu.pictures.item import PicturedBlock, Place, blocks_of, heading_of, shape_name, walk_of
from bap_v2_dataset.tasks.gsu.pictures.panels import AXIS_LINE, QUIET, SMALL, Canvas, Panel, signed, tick_step
from bap_v2_metric.blocks import Color
from bap_v2_simulators.gsu.grid import YAWS, to_board
from bap_v2_simulators.pose import Pose

_TURNED = -28.0  # degrees of the camera beside the line of sight of the viewer: one side more is seen
_MARGIN = 1  # cells of ground around a structure


def structure_panels(row: Mapping[str, Any]) -> list[Panel]:
    """Return a structure from the side of its viewer, and from the opposite side."""
    blocks = blocks_of(row)
    return [
        _solid_panel(blocks, "from the side of the viewer, who looks along +y", _TURNED, None),
        _solid_panel(blocks, "from the opposite side", _TURNED + 180.0, None),
    ]


def outlook_panel(row: Mapping[str, Any]) -> Panel:
    """Return the structures at the end of a walk, from behind the viewer."""
    walk, heading = walk_of(row), heading_of(row)
    assert walk is not None
    name = f"from behind you at the end of the walk; you face {signed(heading)}"
    facts = row["metadata"]
    names = []
    for shape in facts["shapes"]:
        words, role = shape_name(shape, facts)
        middle = tuple(low + (side - 1) / 2 for low, side in zip(shape["origin"], shape["extents"]))
        names.append((role or words, middle))
    return _solid_panel(blocks_of(row), name, YAWS[heading], (walk.path[-1], YAWS[heading]), names)


def _solid_panel(
    blocks: Sequence[PicturedBlock],
    name: str,
    yaw: float,
    viewer: tuple[Place, float] | None,
    names: Sequence[tuple[str, tuple[float, ...]]] = (),
) -> Panel:
    """Blocks on the ground.

    Args:
        yaw: of the camera.
        viewer: where somebody stands on the ground, and a yaw.
        names: words, and what they name.
    """
    # The blocks on the board of the other pictures, with a margin of ground.
    places = [block.place for block in blocks] + ([viewer[0]] if viewer else [])
    low, high = ([int(pick(place[axis] for place in places)) for axis in range(3)] for pick in (min, max))
    shift = _shift(low, high, viewer and viewer[0])
    cubes = [Cube(to_board(*_moved(block.place, shift)), Color(block.color), Look.NEW) for block in blocks]
    corner, other = (to_board(*_moved((x, y, 0), shift)) for x, y in ((low[0], low[1]), (high[0], high[1])))
    ground = Ground(other.x - _MARGIN, corner.z - _MARGIN, corner.x + 1 + _MARGIN, other.z + 1 + _MARGIN)
    # A camera that is far enough away to see all of it.
    top = high[2] - low[2] + 2.0
    focus = ((ground.x0 + ground.x1) / 2, 1.0 + top / 2, (ground.z0 + ground.z1) / 2)
    size = math.hypot(ground.x1 - ground.x0, ground.z1 - ground.z0, top)
    camera = Camera(focus, yaw, distance=max(26.0, 2.4 * size))
    pose = None
    if viewer:
        cell = to_board(*_moved(viewer[0], shift))
        pose = Pose(cell.x + 0.5, float(cell.y), cell.z + 0.5, viewer[1], 0.0)
    # The frame holds every stroke and the numbers at the edges.
    strokes = painted(cubes, camera, pose, ground)
    edges = [(x, 1.0, z) for x in (ground.x0, ground.x1) for z in (ground.z0, ground.z1)]
    points = [camera.on_page(point) for point in (*edges, *(point for _, point, _ in _ticks(camera, ground, shift, 1)))]
    points += [point for stroke in strokes if stroke.framed for point in stroke.points]
    (left, right), (bottom, up) = ((min(values), max(values)) for values in zip(*points))
    frame = (left - 0.07 * (right - left) - 0.3, bottom - 0.4, right + 0.4, up + 0.4)  # heights are written at the left

    def draw(canvas: Canvas) -> None:
        paint(canvas.axes, strokes, 1 / canvas.scale)
        _draw_ticks(canvas, camera, ground, shift, high[2])
        canvas.taken += [canvas.inches(point) for stroke in strokes if stroke.of for point in stroke.points]
        named = [*names, *([("you", (*viewer[0][:2], viewer[0][2] + 0.6))] if viewer else [])]
        for words, (x, y, z) in named:
            at = camera.on_page((-(x + shift[0]) + 0.5, z + 1.5, y + shift[1] + 0.5))
            canvas.name(words, at, SMALL, bold=words in ("target", "reference"), away=0.12)

    return Panel(name, frame, draw, ", ".join(f"{color} at {place}" for color, place, _ in blocks))


def _shift(low: Sequence[int], high: Sequence[int], viewer: Place | None) -> Place:
    """By how much places are moved, so that a viewer is at the middle of the board, where figures are drawn as they
    stand, and no edge of the ground looks like that of the board.
    """
    x, y = (viewer[0], viewer[1]) if viewer else ((low[0] + high[0]) // 2 + 40, (low[1] + high[1]) // 2 + 40)
    for more in range(8):
        sides = {
            x + more - high[0] - _MARGIN: BOARD.x0,
            x + more - low[0] + 1 + _MARGIN: BOARD.x1,
            low[1] - y - more - _MARGIN: BOARD.z0,
            high[1] - y - more + 1 + _MARGIN: BOARD.z1,
        }
        if all(side != edge for side, edge in sides.items()):
            return -x - more, -y - more, 0
    return -x, -y, 0


def _moved(place: Place, shift: Place) -> tuple[int, int, int]:
    return tuple(int(a) + int(b) for a, b in zip(place, shift))  # type: ignore


def _draw_ticks(canvas: Canvas, camera: Camera, ground: Ground, shift: Place, highest: int) -> None:
    """The coordinates of GSU along the two near edges of the ground, and heights at one corner."""
    # Numbers along the edges, as many as can be read.
    scale = 0.24 / canvas.scale  # cells that a number needs
    step = next(step for step in (1, 2, 5, 10, 20, 50) if step >= min(scale, 50))
    for text, point, bold in _ticks(camera, ground, shift, step):
        right, up = camera.on_page(point)
        style = {"fontsize": 7.0, "fontweight": "bold"} if bold else {"fontsize": 6.0}
        canvas.axes.text(right, up, text, ha="center", va="center", color=QUIET, zorder=0.5, **style)
    # Heights at the corner that is seen farthest to the left.
    corners = [(x, z) for x in (ground.x0, ground.x1) for z in (ground.z0, ground.z1)]
    x, z = min(corners, key=lambda corner: camera.on_page((corner[0], 1.0, corner[1]))[0])
    heights = range(0, highest + 1, tick_step(highest / (canvas.scale / 0.16)) if canvas.scale < 0.16 else 1)
    canvas.line([camera.on_page((x, height, z)) for height in (1.0, highest + 2.0)], AXIS_LINE, 0.8, 0.4)
    gap = canvas.cells(0.05)
    for height in heights:
        right, up = camera.on_page((x, height + 1.5, z))
        canvas.axes.text(right - gap, up, f"{height}", ha="right", va="center", fontsize=6.0, color=QUIET, zorder=0.5)
    right, up = camera.on_page((x, highest + 2.0, z))
    canvas.axes.text(right - gap, up + gap, "z", ha="right", va="bottom", fontsize=7.0, color=QUIET, fontweight="bold")


def _ticks(camera: Camera, ground: Ground, shift: Place, step: int) -> Iterator[tuple[str, Point, bool]]:
    """Numbers, where they stand, and whether they are names: along the near edges, of two at the sides the right."""
    # The near edge along each axis.
    middle_x, middle_z = (ground.x0 + ground.x1) / 2, (ground.z0 + ground.z1) / 2
    turn = math.radians(camera.yaw)
    ahead = (-math.sin(turn), math.cos(turn))

    def edge(low: int, high: int, along_view: float, point: Callable[[float], Point]) -> float:
        if abs(along_view) > 1e-6:
            return low - 0.6 if along_view > 0 else high + 0.6
        return max((low - 0.6, high + 0.6), key=lambda side: camera.on_page(point(side))[0])

    x = edge(ground.x0, ground.x1, ahead[0], lambda side: (side, 1.0, middle_z))
    z = edge(ground.z0, ground.z1, ahead[1], lambda side: (middle_x, 1.0, side))
    # The numbers along both, and the names of the axes.
    for cell in range(ground.x0, ground.x1):
        value = -cell - int(shift[0])
        if value % step == 0:
            yield signed(value), (cell + 0.5, 1.0, z), False
    for cell in range(ground.z0, ground.z1):
        value = cell - int(shift[1])
        if value % step == 0:
            yield signed(value), (x, 1.0, cell + 0.5), False
    yield "x", (middle_x, 1.0, middle_z + 1.14 * (z - middle_z) + math.copysign(0.5, z - middle_z)), True
    yield "y", (middle_x + 1.14 * (x - middle_x) + math.copysign(0.5, x - middle_x), 1.0, middle_z), True
