"""How the blocks of a color lie together, as the Builder sees them: lines, planes and their parts, ranks, middles."""

from collections.abc import Collection, Iterator, Sequence

from bap_v2_metric.blocks import Cell, Color
from bap_v2_simulators.language.lines import (
    DIAGONAL,
    FLAT,
    STRAIGHT,
    UPRIGHT,
    Line,
    component,
    direction_of,
    has_a_face_neighbor,
    has_a_square,
    is_maximal,
    rectangle,
    runs,
)
from bap_v2_simulators.language.references import CLEARLY_AHEAD, Scene, nearer, seen_offsets

# The sides of what is seen: the axis of `Offset` (left, up, away), and which way along it.
SIDES = {"left": (0, 1), "right": (0, -1), "top": (1, 1), "bottom": (1, -1), "back": (2, 1), "front": (2, -1)}
SHORTEST_LINE = 3  # blocks
LARGEST_ORDINAL = 4
_SIDES_OF_AXES = (("left", "right"), ("top", "bottom"), ("back", "front"))


def of_color(color: Color | None, scene: Scene) -> tuple[Cell, ...]:
    """Return the blocks of a color."""
    return tuple(cell for cell, other in scene.board.items() if other is color)


def only_line(color: Color, name: str, scene: Scene) -> Line | None:
    """Return the row, column or diagonal of a color, if there is exactly one."""
    cells = frozenset(of_color(color, scene))
    if name == "diagonal":
        lines = [
            line
            for line in runs(cells, DIAGONAL)
            if len(line) >= SHORTEST_LINE and not any(has_a_face_neighbor(cell, cells) for cell in line)
        ]
    else:
        lines = list(runs(cells, FLAT if name == "row" else UPRIGHT))
    return lines[0] if len(lines) == 1 and len(lines[0]) >= SHORTEST_LINE else None


def line_just_built(scene: Scene) -> Line | None:
    """Return the line that the last turn placed, if it is a whole one: no block of its color continues it."""
    line = scene.last_cells
    if scene.last_removed or len(line) < SHORTEST_LINE:
        return None
    step = direction_of(line)
    return line if step and is_maximal(line, step, frozenset(of_color(scene.last_color, scene))) else None


def line_name(line: Line) -> str:
    """`row`, `column` or `diagonal`."""
    moved = [a != b for a, b in zip(line[0], line[-1], strict=True)]
    return "diagonal" if sum(moved) > 1 else "column" if moved[1] else "row"


def parts_of_a_line(line: Line, scene: Scene) -> Iterator[tuple[str, str, int, Cell]]:
    """(part, side, number, cell) of everything that has a name in a line; see `InLine`."""
    if len(line) % 2:
        yield "middle", "", 0, line[len(line) // 2]
    for side, cells in _sides_of_a_line(line, scene):
        yield "end", side, 0, cells[0]
        for number in range(2, min(LARGEST_ORDINAL, len(cells) - 1) + 1):
            yield "second", side, number, cells[number - 1]
    first, last = line[0], line[-1]
    if line_name(line) != "column":
        for near, far in ((first, last), (last, first)):
            if nearer(near, (far,), scene):
                yield "end", "closest", 0, near
                yield "end", "furthest", 0, far
    if scene.last in (first, last) and not scene.last_removed:
        yield "end", "other", 0, last if scene.last == first else first


def _sides_of_a_line(line: Line, scene: Scene) -> Iterator[tuple[str, Line]]:
    """The two ends by name, each with the line from there on: top and bottom before left and right, then depth."""
    grid = scene.view.offset(line[0], line[-1])
    (seen,) = seen_offsets(line[0], line[-1:], scene.pose)
    for axis in (1, 0, 2):
        if grid[axis] and seen[axis] * (1 if grid[axis] > 0 else -1) >= CLEARLY_AHEAD:
            positive, negative = _SIDES_OF_AXES[axis] if grid[axis] < 0 else _SIDES_OF_AXES[axis][::-1]
            yield positive, line
            yield negative, line[::-1]
            return


def only_plane(color: Color, scene: Scene) -> frozenset[Cell] | None:
    """Return the filled rectangle of a color, if there is exactly one; nothing else of the color may look like one."""
    left = set(of_color(color, scene))
    if not has_a_square(left):
        return None
    planes = []
    while left:
        part = component(next(iter(left)), left)
        left -= part
        if has_a_square(part):
            planes.append(part)
    return frozenset(planes[0]) if len(planes) == 1 and rectangle(planes[0]) else None


def plane_name(plane: Collection[Cell]) -> str:
    """`square`, `rectangle` (both flat) or `wall`."""
    low, high = rectangle(plane)
    if high[1] > low[1]:
        return "wall"
    return "square" if high[0] - low[0] == high[2] - low[2] else "rectangle"


def parts_of_a_plane(plane: Collection[Cell], scene: Scene) -> Iterator[tuple[str, Cell]]:
    """(corner, cell) of the four corners, by their names in SUPERLATIVES, and of the center, whose name is empty."""
    low, high = rectangle(plane)
    if all((a + b) % 2 == 0 for a, b in zip(low, high, strict=True)) and len(plane) % 2:
        yield "", Cell(*((a + b) // 2 for a, b in zip(low, high, strict=True)))
    spread = scene.view.offset(low, high)
    axes = [axis for axis in (1, 2, 0) if spread[axis]]  # as in the names of corners: height first, sideways last
    for cell in plane:
        away = scene.view.offset(low, cell)
        if all(away[axis] in (0, spread[axis]) for axis in axes):
            ends = []
            for axis in axes:
                is_positive = (away[axis] != 0) == (spread[axis] > 0)
                ends.append(f"{_SIDES_OF_AXES[axis][not is_positive]}most")
            yield "+".join(ends), cell


def ranks(cells: Sequence[Cell], scene: Scene) -> dict[str, list[Cell]]:
    """From each side on, the cells as far as each is clearly ahead of all that follow, on the grid and for the eye."""
    start = cells[0]
    grid = [scene.view.offset(start, cell) for cell in cells]
    seen = seen_offsets(start, cells, scene.pose)
    by_side: dict[str, list[Cell]] = {}
    for side, (axis, sign) in SIDES.items():
        left = sorted(((sign * a[axis], sign * b[axis], cell) for a, b, cell in zip(grid, seen, cells, strict=True)))
        clear = by_side[side] = []
        while left:
            ahead, looks_ahead, cell = left.pop()
            if left and (left[-1][0] == ahead or any(looks > looks_ahead - CLEARLY_AHEAD for _, looks, _ in left)):
                break
            clear.append(cell)
    return by_side


def middle_of(cells: Collection[Cell], scene: Scene) -> Cell | None:
    """Return the middle one of an odd number of blocks: of a straight line of them, or of three wherever they are.

    Of three, the middle one is between the others from side to side, in height and in depth, on the grid and for the
    eye, and clearly so in one of these.
    """
    if len(cells) < SHORTEST_LINE or len(cells) % 2 == 0:
        return None
    ordered = sorted(cells)
    if direction_of(tuple(ordered)):
        return ordered[len(ordered) // 2]
    if len(cells) > SHORTEST_LINE:
        return None
    middles = []
    for n, cell in enumerate(ordered):
        first, second = (other for m, other in enumerate(ordered) if m != n)
        if _is_between(cell, first, second, scene):
            middles.append(cell)
    return middles[0] if len(middles) == 1 else None


def _is_between(cell: Cell, first: Cell, second: Cell, scene: Scene) -> bool:
    clearly = False
    for a, b, c, d in zip(
        scene.view.offset(cell, first),
        scene.view.offset(cell, second),
        *seen_offsets(cell, (first, second), scene.pose),
        strict=True,
    ):
        if a * b > 0 or (min(c, d) > CLEARLY_AHEAD or max(c, d) < -CLEARLY_AHEAD):
            return False
        # On this axis one is ahead and the other behind, on the grid and for the eye.
        clearly |= a * b < 0 and c * d < 0 and min(abs(c), abs(d)) >= CLEARLY_AHEAD and (a > 0) == (c > 0)
    return clearly


def halfway(first: Cell, second: Cell) -> Cell | None:
    """Return the cell in the middle of the straight line from one to the other, if there is one."""
    way = [b - a for a, b in zip(first, second, strict=True)]
    lengths = {abs(part) for part in way if part}
    if len(lengths) != 1 or lengths.pop() % 2:
        return None
    return Cell(*(a + part // 2 for a, part in zip(first, way, strict=True)))


def is_alone_between(cell: Cell, color: Color, ends: tuple[Cell, Cell], scene: Scene) -> bool:
    """Return whether it is the only block of its color in the box that the two others span."""
    first, second = ends
    return [
        other
        for other in of_color(color, scene)
        if all(min(a, b) <= part <= max(a, b) for a, b, part in zip(first, second, other, strict=True))
    ] == [cell]


def neighbors_in_line(cell: Cell, scene: Scene) -> list[tuple[bool, bool]]:
    """Return whether a block of its color touches it on the one and on the other side, along each of the 13
    directions."""
    x, y, z = cell
    board = scene.board
    color = board[cell]
    return [
        (board.get((x + dx, y + dy, z + dz)) is color, board.get((x - dx, y - dy, z - dz)) is color)
        for dx, dy, dz in STRAIGHT + DIAGONAL
    ]


def enclosing(cell: Cell, scene: Scene, directions: Collection[tuple[int, int, int]]) -> list[Color]:
    """Return the colors that it touches on two opposite sides, along any of these directions."""
    x, y, z = cell
    board = scene.board
    pairs = ((board.get((x + dx, y + dy, z + dz)), board.get((x - dx, y - dy, z - dz))) for dx, dy, dz in directions)
    return list(dict.fromkeys(a for a, b in pairs if a is not None and a is b))
