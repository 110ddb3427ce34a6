"""The cells of a row, a diagonal or a plane that a request describes, counted from its first block."""

from collections.abc import Iterable

from bap_v2_dataset.tasks.building.baselines.symbolic_meanings import AWAY, DOWN, LEFT, NOWHERE, UP, Shift, Way
from bap_v2_dataset.tasks.building.baselines.symbolic_requests import ParsedRequest
from bap_v2_dataset.tasks.building.baselines.symbolic_world import World
from bap_v2_metric.blocks import X_MAX, X_MIN, Z_MAX, Z_MIN, Cell

_LONGEST = 11  # blocks that fit on the board in a row


def shape(request: ParsedRequest, world: World) -> list[Cell]:
    """Return the cells, counted from the first one."""
    if "same all" in request.marks and "opposite" not in request.marks and world.run:
        first = world.run[0]
        return [Cell(*(a - b for a, b in zip(cell, first, strict=True))) for cell in world.run]
    sides = _sides(request, world) if request.two_sides else [_line(request, world)]
    cells = [Cell(0, 0, 0)]
    for length, way in sides:
        dx, dy, dz = world.vector(way)
        length = max(1, min(length, _LONGEST))
        cells = [Cell(x + i * dx, y + i * dy, z + i * dz) for i in range(length) for x, y, z in cells]
    if request.marks & {"hollow", "corners"} and len(sides) == 2:
        return _rim(cells, sides, world, corners="corners" in request.marks)
    return cells


def _rim(cells: list[Cell], sides: list[tuple[int, Way]], world: World, *, corners: bool) -> list[Cell]:
    """Return the cells at the ends of one side of a rectangle, or, for its corners, of both."""
    ends = []
    for _, way in sides:
        vector = world.vector(way)
        along = {cell: sum(a * b for a, b in zip(cell, vector, strict=True)) for cell in cells}
        outer = {min(along.values()), max(along.values())}
        ends.append({cell for cell, distance in along.items() if distance in outer})
    kept = ends[0] & ends[1] if corners else ends[0] | ends[1]
    return [cell for cell in cells if cell in kept]


def _line(request: ParsedRequest, world: World) -> tuple[int, Way]:
    """Return the number of blocks of a line and the way from one to the next."""
    # How long it is.
    length = request.number or max(request.extents.values(), default=0) or (request.size or (1,))[0]
    if request.marks & {"same length", "same all"}:
        length = len(world.run)
    # Which way it goes: as said, as the last line, upright, or as its place lies.
    way = sign(total(Shift(step.way) for step in request.course))
    if way == NOWHERE and len(world.run) > 1:
        before = sign(world.way(world.run[0], world.run[-1]))
        if "same way" in request.marks:
            way = before
        elif "same back" in request.marks:
            way = Way(-before.left, before.up, -before.away)
    upright = request.form is not None and request.form.upright
    if upright and not way.up and not (way == NOWHERE and request.place == [Shift(DOWN)]):  # "in a column below it"
        way = Way(way.left, 1, way.away)
    if way == NOWHERE:
        way = sign(total(request.place))
    return length, LEFT if way == NOWHERE else way


def _sides(request: ParsedRequest, world: World) -> list[tuple[int, Way]]:
    """Return the two sides of a plane: the number of blocks and the way of each, upwards last."""
    # All numbers that were said, for the sides that they were said of.
    level = [step for step in request.course if not step.way.up]
    first, second = request.size or (None, None)
    size = request.number or 1
    wide, long, deep, tall = (request.extents.get(side) for side in ("wide", "long", "deep", "tall"))
    if "same length" in request.marks and world.run:
        left, up, away = (abs(part) + 1 for part in world.way(min(world.run), max(world.run)))
        wide, deep, tall = (max(left, away), None, up) if request.form.upright else (left, away, None)
    # An upright plane has a width and a height, a lying one a side each way.
    if request.form.upright or len(level) < len(request.course):
        way = level[0].way if level else LEFT
        return [(wide or long or deep or first or size, way), (tall or second or size, UP)]
    used = {bool(step.way.left): step for step in level}
    left, away = used.get(True, Shift(LEFT)), used.get(False, Shift(AWAY))
    return [
        (left.count or wide or (long if deep else None) or first or size, left.way),
        (away.count or deep or long or second or size, away.way),
    ]


def on_the_ground(cells: list[Cell], origin: Cell) -> list[Cell]:
    """Return the shape where it fits, its first block as near to the origin as it can be."""
    moved = [Cell(x + origin.x, y, z + origin.z) for x, y, z in cells]
    dx, dy, dz = shift_into_the_region(moved)
    return [Cell(x + dx, y + dy, z + dz) for x, y, z in moved]


def shift_into_the_region(cells: list[Cell]) -> Cell:
    """Return by how much cells have to be moved to stand on the ground and inside the region."""
    xs, ys, zs = ([cell[axis] for cell in cells] for axis in range(3))
    dx = min(max(0, X_MIN - min(xs)), X_MAX - max(xs))
    dz = min(max(0, Z_MIN - min(zs)), Z_MAX - max(zs))
    return Cell(dx, 1 - min(ys), dz)


def total(steps: Iterable[Shift]) -> Way:
    """Return all steps, one after the other; a step without a number is one cell."""
    ways = [[(step.count or 1) * part for part in step.way] for step in steps]
    return Way(*map(sum, zip(*ways, strict=True))) if ways else NOWHERE


def sign(way: Way) -> Way:
    """Return one cell in each direction of the way."""
    return Way(*((part > 0) - (part < 0) for part in way))
