"""A Builder made of rules: it understands an instruction by its words alone and works out what to build.

It sees what a model sees (dialogue, history, pose, board) and knows nothing of how simulated Architects choose their
words, except that directions are the Builder's (BAP v2, 5.2.2) and that a block which is not named is the last one
(10.2). On simulated corpora it is the proof that every instruction can be understood, on human ones a baseline.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from bap_v2_dataset.baselines.symbolic_grammar import (
    AWAY,
    DOWN,
    LEFT,
    RIGHT,
    TOWARDS,
    UP,
    Form,
    ParsedReference,
    Step,
    Token,
    Way,
    tokens,
)
from bap_v2_metric.actions import Action, Place, Remove
from bap_v2_metric.blocks import EYE_HEIGHT, X_MAX, X_MIN, Z_MAX, Z_MIN, Cell, Color
from bap_v2_metric.notation import format_action, parse_action, parse_block
from bap_v2_simulators.building import placement
from bap_v2_simulators.pose import Pose, perspective_coordinates

_NEW = ("color", "noun", "number", "form", "size", "extent")  # kinds of tokens that speak of what is not there yet


def symbolic(row: Mapping) -> str:
    """The prediction of the reader as text: one action per line."""
    return "\n".join(map(format_action, read(row)))


def read(row: Mapping) -> list[Action]:
    """The actions that the dialogue of a row asks for, in an order in which they can be carried out.

    Args:
        row: with `dialogue`, `history` and `before`; without a `pose` the Builder looks along +z.
    Returns:
        What was understood; nothing if that is nothing.

    >>> read({"dialogue": ["<Architect> now two red ones on top of it"], "history": [], "before": ["blue 0 1 0"]})
    [Place(color=<Color.RED: 'red'>, cell=Cell(x=0, y=2, z=0)), Place(color=<Color.RED: 'red'>, cell=Cell(x=0, y=3, z=0))]
    """  # noqa: E501
    utterances = [
        utterance
        for line in row["dialogue"]
        if line.startswith("<Architect>") and (utterance := tokens(line.removeprefix("<Architect>")))
    ]
    if not utterances:
        return []
    world = _World.of(row)
    kinds = {token.kind for line in utterances for token in line}
    # Whatever one does to "the red block behind that one", it is not placed.
    nothing_new = utterances[0][0].kind == "reference" and kinds.isdisjoint(_NEW)
    if "removal" in kinds or nothing_new:
        return _removal(utterances, world)
    return _construction(utterances, world)


# --- the world


@dataclass(frozen=True, slots=True)
class _World:
    """What the Builder knows before it listens."""

    board: Mapping[Cell, Color]
    pose: Pose
    last: Cell | None  # the block placed last of those that are still there
    removed: Cell | None  # where a block was taken away last, supports aside

    @classmethod
    def of(cls, row: Mapping) -> "_World":
        board = {block.cell: block.color for block in map(parse_block, row["before"])}
        pose = row.get("pose") or {"x": 0.0, "y": 1.0, "z": -6.0, "yaw": 0.0}
        last, removed = _last_changes(row["history"], board)
        return cls(board, Pose(pose["x"], pose["y"], pose["z"], pose["yaw"], 0.0), last, removed)

    def cell(self, start: Cell, way: Way) -> Cell:
        """Where one is after going this way from a cell."""
        dx, dy, dz = self.vector(way)
        return Cell(start.x + dx, start.y + dy, start.z + dz)

    def vector(self, way: Way) -> tuple[int, int, int]:
        """The way along the axes of the grid."""
        (lx, lz), (ax, az) = _axes(self.pose.yaw)
        return way.left * lx + way.away * ax, way.up, way.left * lz + way.away * az

    def block(self, reference: ParsedReference | None) -> Cell | None:
        """The cell that a reference means; without one, that of the last placed block."""
        if reference is None:
            return self.last
        if reference.rule == "removed" and self.removed is not None:
            return self.removed
        color = reference.color
        candidates = [cell for cell, other in self.board.items() if color is None or other is color]
        if not candidates or (reference.rule != "described" and self.last in candidates):
            return self.last
        if not reference.extremes:
            return self.last if color is None else candidates[-1]
        return max(candidates, key=lambda cell: self._extreme(reference.extremes, cell))

    def _extreme(self, extremes: tuple[str, ...], cell: Cell) -> float:
        """How far the cell is to the left, or near the top left corner, or whatever the extremes are."""
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
        ends = (zip(_ENDS[extreme], seen, strict=True) for extreme in extremes)
        return sum(part * coordinate for end in ends for part, coordinate in end)


_ENDS = {"left": LEFT, "right": RIGHT, "top": UP, "bottom": DOWN, "back": AWAY, "front": TOWARDS}


def _last_changes(history: Sequence[str], board: Mapping[Cell, Color]) -> tuple[Cell | None, Cell | None]:
    """Where the last block was placed that is still there, and where the last one was removed that was no support."""
    last = next(reversed(board), None)
    removed = None
    placed_in_turn: set[Cell] = set()
    for line in history:
        if line.startswith("<"):
            placed_in_turn.clear()
            continue
        action = parse_action(line, anywhere=True)
        if isinstance(action, Place):
            placed_in_turn.add(action.cell)
            if action.cell in board:
                last = action.cell
        elif action.cell not in placed_in_turn:
            removed = action.cell
    return last, removed


@lru_cache(maxsize=4_096)
def _axes(yaw: float) -> tuple[tuple[int, int], tuple[int, int]]:
    """(dx, dz) of the directions of the grid that are nearest to the Builder's left and to straight away from it."""
    pose = Pose(0.0, 0.0, 0.0, yaw, 0.0)
    seen = {(x, z): perspective_coordinates((x, 0, z), pose) for x, z in ((1, 0), (-1, 0), (0, 1), (0, -1))}
    return max(seen, key=lambda axis: seen[axis][0]), max(seen, key=lambda axis: seen[axis][2])


# --- taking away


def _removal(utterances: list[tuple[Token, ...]], world: _World) -> list[Action]:
    """Takes away what is behind that one, if "the red block behind that one" is asked for; else the block named."""
    telling = [line for line in utterances if _values(line, "step")]
    telling = telling or [line for line in utterances if _values(line, "reference")]
    line = telling[-1] if telling else utterances[0]  # the answer, if there was a question
    kinds = [token.kind for token in line]
    references, steps = _values(line, "reference"), _values(line, "step")
    colors = _values(line, "color")
    named = ParsedReference("described", colors[0]) if colors else None
    if references and (not steps or kinds.index("reference") < kinds.index("step")):
        named = references.pop(0)
    cell = world.block(named)
    if steps:
        anchor = world.block(references[0] if references else None)
        beside = None if anchor is None else world.cell(anchor, _sum(steps))
        cell = beside if beside in world.board else cell
    return [Remove(cell)] if cell in world.board else []


# --- building


@dataclass(slots=True)
class _Request:
    """What the Architect says about blocks that are to be placed."""

    color: Color | None = None
    number: int | None = None
    size: tuple[int, int] | None = None
    along: int | None = None
    tall: int | None = None
    deep: int | None = None
    form: Form | None = None
    noun: bool = False
    reference: ParsedReference | None = None
    place: list[Step] = field(default_factory=list)  # from the reference to the first block
    course: list[Step] = field(default_factory=list)  # from block to block

    @classmethod
    def of(cls, utterances: Iterable[Sequence[Token]]) -> "_Request":
        request = cls()
        for line in utterances:
            request._read_what(line)
            request._read_where(line)
        if not (request.noun or request.number or request.along or request.tall or request.size or request.two_sides):
            request._count_from_steps()
        return request

    @property
    def two_sides(self) -> bool:
        return self.form is not None and self.form.two_sides

    def _read_what(self, line: Sequence[Token]) -> None:
        for kind, value in line:
            if kind == "color":
                self.color = self.color or value
            elif kind == "number":
                self.number = self.number or value
            elif kind == "size":
                self.size = value
            elif kind == "extent" and value.side == "tall":
                self.tall = value.number
            elif kind == "extent" and value.side == "deep":
                self.deep = value.number
            elif kind == "extent":
                self.along = value.number
            elif kind == "form":
                known = self.form or value
                self.form = Form(known.two_sides or value.two_sides, known.upright or value.upright)
            elif kind == "noun":
                self.noun = True

    def _read_where(self, line: Sequence[Token]) -> None:
        """Directions that lead to a reference say where; the others say which way the blocks follow one another."""
        open_steps: list[Step] = []
        side_to_come = False  # "next to the last block, on the left side", "from the last block going up and left"
        for kind, value in line:
            if kind == "start":
                self.course += open_steps
                open_steps = []
            elif kind == "reference":
                self.reference = value
                side_to_come = not open_steps
                self.place, open_steps = open_steps, []
            elif kind == "step" and side_to_come:
                self.place.append(value)
            elif kind == "step":
                open_steps.append(value)
        self.course += open_steps

    def _count_from_steps(self) -> None:
        """Takes the number of blocks from a step that is counted in blocks: "three blocks behind it"."""
        for steps in (self.place, self.course):
            for position, step in enumerate(steps):
                if step.in_blocks:
                    self.number = step.count
                    steps[position] = Step(step.way)
                    return


def _construction(utterances: list[tuple[Token, ...]], world: _World) -> list[Action]:
    request = _Request.of(utterances)
    color = request.color or world.board.get(world.last)
    if color is None:
        return []
    anchor = world.block(request.reference)
    if anchor is not None and not request.place:  # "two more to the left": of the block placed last
        request.place = [Step(step.way) for step in request.course] or [Step(UP)]
        if request.form is None:
            request.course = []
    cells = _shape(request, world)
    if anchor is None:
        cells = _on_the_ground(cells)
    else:
        first = world.cell(anchor, _sum(request.place))
        cells = [Cell(first.x + x, first.y + y, first.z + z) for x, y, z in cells]
    actions: list[Action] = []
    board = dict(world.board)
    for cell in cells:
        if cell.in_region and cell not in board:
            actions += placement(color, cell, board)
            board[cell] = color
    return actions


def _shape(request: _Request, world: _World) -> list[Cell]:
    """The cells, counted from the first one."""
    sides = _sides(request) if request.two_sides else [_line(request)]
    cells = [Cell(0, 0, 0)]
    for length, way in sides:
        dx, dy, dz = world.vector(way)
        length = max(1, min(length, 11))
        cells = [Cell(x + i * dx, y + i * dy, z + i * dz) for i in range(length) for x, y, z in cells]
    return cells


def _line(request: _Request) -> tuple[int, Way]:
    """The number of blocks of a line and the way from one to the next."""
    length = request.number or request.along or request.tall or (request.size or (1,))[0]
    way = _sign(_sum(Step(step.way) for step in request.course))
    upright = request.form is not None and request.form.upright
    if upright and not way.up and not (way == _NOWHERE and request.place == [Step(DOWN)]):  # "in a column below it"
        way = Way(way.left, 1, way.away)
    if way == _NOWHERE:
        way = _sign(_sum(request.place))
    return length, LEFT if way == _NOWHERE else way


def _sides(request: _Request) -> list[tuple[int, Way]]:
    """The two sides of a plane: the number of blocks and the way of each, upwards last."""
    level = [step for step in request.course if not step.way.up]
    first, second = request.size or (None, None)
    size = request.number or 3
    if request.form.upright or len(level) < len(request.course):
        tall = request.tall or second or size
        way = level[0].way if level else LEFT
        return [(request.along or first or size, way), (tall, UP)]
    used = {bool(step.way.left): step for step in level}
    left, away = used.get(True, Step(LEFT)), used.get(False, Step(AWAY))
    return [
        (left.count or request.along or first or size, left.way),
        (away.count or request.deep or second or size, away.way),
    ]


def _on_the_ground(cells: list[Cell]) -> list[Cell]:
    """The shape where it fits, as near to the middle of the ground as it can be."""
    xs, ys, zs = ([cell[axis] for cell in cells] for axis in range(3))
    dx = min(max(0, X_MIN - min(xs)), X_MAX - max(xs))
    dz = min(max(0, Z_MIN - min(zs)), Z_MAX - max(zs))
    return [Cell(x + dx, y + 1 - min(ys), z + dz) for x, y, z in cells]


_NOWHERE = Way(0, 0, 0)


def _values(line: Iterable[Token], kind: str) -> list:
    return [token.value for token in line if token.kind == kind]


def _sum(steps: Iterable[Step]) -> Way:
    """All steps, one after the other; a step without a number is one cell."""
    ways = [[(step.count or 1) * part for part in step.way] for step in steps]
    return Way(*map(sum, zip(*ways, strict=True))) if ways else _NOWHERE


def _sign(way: Way) -> Way:
    """One cell in each direction of the way."""
    return Way(*((part > 0) - (part < 0) for part in way))
