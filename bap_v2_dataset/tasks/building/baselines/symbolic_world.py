"""The board as the Builder of the symbolic reader knows it: directions, and which block a reference means."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from bap_v2_dataset.tasks.building.baselines.symbolic_lines import corners_of_ls, enclosed, lines, planes
from bap_v2_dataset.tasks.building.baselines.symbolic_meanings import AWAY, ENDS, LEFT, UP, Reference, Way
from bap_v2_dataset.tasks.building.baselines.symbolic_objects import names
from bap_v2_metric.actions import Place
from bap_v2_metric.blocks import EYE_HEIGHT, Cell, Color
from bap_v2_metric.notation import parse_action, parse_block
from bap_v2_simulators.pose import Pose, perspective_coordinates

Axis = tuple[int, int, int]
_MIDDLE = Cell(0, 1, 0)


@dataclass(frozen=True, slots=True)
class World:
    """The knowledge of the Builder before it listens."""

    board: Mapping[Cell, Color]
    pose: Pose
    last: Cell | None  # the block placed last of those that are still there
    run: tuple[Cell, ...]  # the blocks placed in the turn before, in that order
    removed: Cell | None  # where a block was taken away last, supports aside
    names: Mapping[str, tuple[Cell, ...]] = field(default_factory=dict)  # parts of objects, and their blocks
    origin: Cell = _MIDDLE  # where to begin on an empty board

    @classmethod
    def of(cls, row: Mapping) -> "World":
        board = {block.cell: block.color for block in map(parse_block, row["before"])}
        pose = row.get("pose") or {"x": 0.0, "y": 1.0, "z": -6.0, "yaw": 0.0}
        last, run, removed = _last_changes(row["history"], board)
        seen_from = Pose(pose["x"], pose["y"], pose["z"], pose["yaw"], 0.0)
        return cls(board, seen_from, last, run, removed, names(row["history"], board))

    def cell(self, start: Cell, way: Way) -> Cell:
        """Return where one is after going this way from a cell."""
        dx, dy, dz = self.vector(way)
        return Cell(start.x + dx, start.y + dy, start.z + dz)

    def vector(self, way: Way) -> Axis:
        """Return the way along the axes of the grid."""
        (lx, lz), (ax, az) = _axes(self.pose.yaw)
        return way.left * lx + way.away * ax, way.up, way.left * lz + way.away * az

    def way(self, start: Cell, end: Cell) -> Way:
        """Return how one gets from a cell to another, as the Builder sees it."""
        dx, dy, dz = (b - a for a, b in zip(start, end, strict=True))
        (lx, lz), (ax, az) = _axes(self.pose.yaw)
        return Way(dx * lx + dz * lz, dy, dx * ax + dz * az)

    # --- references

    def block(self, reference: Reference | None, way: Way | None = None) -> Cell | None:
        """Return the cell that a reference means; without one, that of the last placed block.

        Args:
            way: where one goes from there; it decides which block of a row or tower is meant ("on top of the tower").
        """
        # References to what was changed last, and to parts of shapes.
        if reference is None or reference.rule in ("it", "there"):
            return self.last
        if reference.rule == "removed" and self.removed is not None:
            return self.removed
        if reference.part or reference.rank is not None or reference.shape or (reference.count or 1) > 1:
            return self._part(reference, way)
        # Single blocks by color, and by the colors that they stand between.
        color = reference.color
        candidates = self._colored(color)
        if reference.between:
            sides = [self._colored(each) for each in (reference.between * 2)[:2]]
            candidates = enclosed(candidates, *sides) or candidates
        # Of several the last, another one, or the most extreme.
        if not candidates or (reference.rule == "last" and self.last in candidates):
            return self.last
        if reference.rule == "other":
            candidates = [cell for cell in candidates if cell != self.last] or candidates
        if not reference.extremes:
            return self.last if color is None and reference.rule != "other" else candidates[-1]
        return max(candidates, key=lambda cell: self.extreme(reference.extremes, cell))

    def blocks(self, reference: Reference) -> list[Cell]:
        """Return all blocks that "each of the last three blocks" or "the two red blocks" means."""
        if reference.shape and (shapes := self._shapes(reference)):
            return list(shapes[0])
        if reference.rule in ("last", "it") or (reference.color is None and not reference.extremes):
            cells = list(self.run) if len(self.run) > 1 or reference.rule in ("last", "it") else list(self.board)
            return cells[-reference.count :] if reference.count else cells
        candidates = self._colored(reference.color)
        if reference.extremes and reference.extremes[0] in ENDS and candidates:
            best = max(self._along(reference.extremes[0], cell) for cell in candidates)
            candidates = [cell for cell in candidates if self._along(reference.extremes[0], cell) == best]
        return candidates

    def _colored(self, color: Color | None) -> list[Cell]:
        return [cell for cell, other in self.board.items() if color is None or other is color]

    def extreme(self, extremes: tuple[str, ...], cell: Cell) -> float:
        """Return how far the cell is to the left, or near the top left corner, or whatever the extremes are."""
        if extremes[0] in ("closest", "furthest"):
            x, y, z = cell
            gap = (
                (x + 0.5 - self.pose.x) ** 2 + (y + 0.5 - self.pose.y - EYE_HEIGHT) ** 2 + (z + 0.5 - self.pose.z) ** 2
            )
            return -gap if extremes[0] == "closest" else gap
        if len(extremes) == 1:
            seen = perspective_coordinates(cell, self.pose)
        else:  # corners are those of the grid
            seen = [sum(a * b for a, b in zip(cell, self.vector(way), strict=True)) for way in (LEFT, UP, AWAY)]
        ends = (zip(ENDS[extreme], seen, strict=True) for extreme in extremes if extreme in ENDS)
        return sum(part * coordinate for end in ends for part, coordinate in end)

    def _along(self, extreme: str, cell: Cell) -> int:
        """Return the grid coordinate of the cell towards an end."""
        return sum(a * b for a, b in zip(cell, self.vector(ENDS[extreme]), strict=True))

    # --- rows, towers, and their parts

    def _part(self, reference: Reference, way: Way | None) -> Cell | None:
        # Blocks by their rank, and corners where two lines meet.
        if reference.rank is not None:
            return self._ranked(reference)
        if reference.part == "corner" and not reference.extremes:
            colors = [reference.color] if reference.color else dict.fromkeys(self.board.values())
            corners = [corner for color in colors for corner in corners_of_ls(self._colored(color))]
            if self.last is None or not corners:
                return self.last
            return min(corners, key=lambda cell: sum(abs(a - b) for a, b in zip(cell, self.last, strict=True)))
        # The part of the likeliest shape that is named.
        shapes = self._shapes(reference)
        if not shapes:
            return self.last
        cells = shapes[0]
        if reference.part == "middle":
            return self._middle(cells)
        if reference.part == "end":
            cells = (cells[0], cells[-1])
        if reference.extremes and reference.extremes[0] not in ("closest", "furthest"):
            return max(cells, key=lambda cell: sum(self._along(extreme, cell) for extreme in reference.extremes))
        if reference.extremes:
            return max(cells, key=lambda cell: self.extreme(reference.extremes, cell))
        if reference.rule == "other" and self.last is not None:
            return max(cells, key=lambda cell: sum(abs(a - b) for a, b in zip(cell, self.last, strict=True)))
        # Without a name, the block from which the way leads out of the shape.
        if way is not None and any(way):
            vector = self.vector(way)
            ahead = [sum(a * b for a, b in zip(cell, vector, strict=True)) for cell in cells]
            first = [cell for cell, distance in zip(cells, ahead, strict=True) if distance == max(ahead)]
            return self.last if self.last in first else first[-1]
        return self.last if self.last in cells else cells[-1]

    def _middle(self, cells: Sequence[Cell]) -> Cell:
        """The middle of a line or a rectangle; of scattered blocks, that with as many on its left as on its right."""
        ordered = sorted(cells)
        middle = Cell(*((a + b) / 2 for a, b in zip(ordered[0], ordered[-1], strict=True)))
        if middle in cells:
            return next(cell for cell in cells if cell == middle)
        for extreme in ("left", "top", "back"):
            if len({self._along(extreme, cell) for cell in cells}) == len(cells):
                ordered = sorted(cells, key=lambda cell, extreme=extreme: self._along(extreme, cell))
                break
        return ordered[len(ordered) // 2]

    def _ranked(self, reference: Reference) -> Cell | None:
        """Return the second from the left; of the row placed last, the second that was placed."""
        # Count within the likeliest shape, or among all blocks of the color.
        if reference.shape is not None or reference.count or reference.rule == "last":
            shapes = self._shapes(reference)
            candidates = list(shapes[0]) if shapes else []
        else:
            candidates = self._colored(reference.color)
        if not candidates:
            return self.last
        # Without a direction in the order of placement.
        if not reference.extremes:
            return candidates[min(reference.rank, len(candidates)) - 1]
        # With one by distance; blocks at the same distance have the same rank.
        (extreme, *others) = reference.extremes
        if extreme in ENDS:
            if others and others[-1] in ENDS:
                extreme = others[-1]
            distances = sorted({self._along(extreme, cell) for cell in candidates}, reverse=True)
            level = distances[min(reference.rank, len(distances)) - 1]
            return next(cell for cell in reversed(candidates) if self._along(extreme, cell) == level)
        ordered = sorted(candidates, key=lambda cell: self.extreme(reference.extremes, cell), reverse=True)
        return ordered[min(reference.rank, len(ordered)) - 1]

    def _shapes(self, reference: Reference) -> list[tuple[Cell, ...]]:
        """Return the rows, towers or groups that a reference may mean, the likeliest first."""
        # The run placed last, if it has the color.
        color, form, count = reference.color, reference.shape, reference.count
        recent = reference.rule in ("last", "it") and len(self.run) > 1
        if recent and (color is None or self.board[self.run[-1]] is color):
            return [self.run[-count:] if count else self.run]
        # Planes, and groups of the right number.
        candidates = self._colored(color)
        if not candidates:
            return []
        if form is not None and form.two_sides:
            found = planes(candidates)
            upright = [cells for cells in found if cells[0].y != cells[-1].y]
            return (upright if form.upright else found) or found or [tuple(candidates)]
        if count and len(candidates) == count and form is None:
            return [tuple(candidates)]
        # Lines that fit the form and the number, as far as any do.
        found = self._lines(color, slanted=form is not None and form.slanted)
        if form is not None and form.upright:
            found = [line for line in found if line[0].y != line[-1].y] or found
        elif form is not None and not form.slanted:
            found = [line for line in found if line[0].y == line[-1].y] or found
        if count:
            found = [line for line in found if len(line) == count] or found
        if reference.part == "middle":
            found = [line for line in found if len(line) % 2]
            if not found:
                found = planes(candidates) or ([tuple(candidates)] if len(candidates) % 2 else [])
        # Longer than two blocks first, then the one with the last block.
        found.sort(key=lambda line: (len(line) > 2, self.last in line, len(line)), reverse=True)
        return found or [tuple(candidates)]

    def _lines(self, color: Color | None, *, slanted: bool) -> list[tuple[Cell, ...]]:
        colors = tuple(dict.fromkeys(self.board.values())) if color is None else (color,)
        return [line for each in colors for line in lines(self._colored(each), slanted=slanted)]


def _last_changes(
    history: Sequence[str], board: Mapping[Cell, Color]
) -> tuple[Cell | None, tuple[Cell, ...], Cell | None]:
    """Return the block placed last of those that are still there, those of the last turn, and the last removed place.

    Supports, removed in the turn in which they were placed, do not count.
    """
    # Without a history the last block of the board.
    last = next(reversed(board), None)
    removed = None
    placed_in_turn: dict[Cell, None] = {}
    run: dict[Cell, None] = {}
    # Each line of the dialogue begins a new turn.
    for line in history:
        if line.startswith("<"):
            placed_in_turn = {}
            continue
        action = parse_action(line, anywhere=True)
        if isinstance(action, Place):
            placed_in_turn[action.cell] = None
            run = placed_in_turn
            if action.cell in board:
                last = action.cell
        elif action.cell not in placed_in_turn:
            removed = action.cell
    return last, tuple(cell for cell in run if cell in board), removed


def _axes(yaw: float) -> tuple[tuple[int, int], tuple[int, int]]:
    """(dx, dz) of the directions of the grid that are nearest to the Builder's left and to straight away from it.

    >>> _axes(0.0), _axes(80.0)
    (((1, 0), (0, 1)), ((0, 1), (-1, 0)))
    """
    return _QUARTER_TURNS[round(yaw / 90) % 4]


_QUARTER_TURNS = (((1, 0), (0, 1)), ((0, 1), (-1, 0)), ((-1, 0), (0, -1)), ((0, -1), (1, 0)))
