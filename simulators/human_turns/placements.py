"""What is new in a game of `dh`: blocks, rows and planes as in the other simulators, and drawn shapes.

Where a game begins, how far it reaches and how large shapes are follows counts of the human train split:
built_counts.json, made by `make phrase-counts`.
"""

import json
from collections.abc import Collection, Sequence
from importlib import resources
from itertools import accumulate
from random import Random

from bap_v2_metric.actions import Action
from bap_v2_metric.blocks import Y_MIN, Cell, Color
from bap_v2_simulators.building import has_the_blocks, placement
from bap_v2_simulators.human_turns.drawings import DRAWINGS
from bap_v2_simulators.human_turns.drawn import drawn_cells
from bap_v2_simulators.human_turns.objects import PlannedObject
from bap_v2_simulators.human_turns.things import thing_at, touching
from bap_v2_simulators.human_turns.turns import HumanTurn
from bap_v2_simulators.language.references import Scene, could_be_told_apart
from bap_v2_simulators.shapes import Shape, ShapeKind, moved, sample_shape
from bap_v2_simulators.targets import BLOCKS_PER_COLOR, COLORS, FACES, NEIGHBORHOOD
from bap_v2_simulators.view import View
from bap_v2_simulators.whole_shapes import build_order_of, from_bottom_corners

_MOST_BLOCKS = 9
_DISTANCES = (1, 1, 1, 2, 2, 3)  # from the block from which the start of a shape is told to its first block
_BY_A_FACE = 0.65  # of the blocks beside another

_ASIDE = 0.25  # of the blocks with which a board is no longer in the middle are kept

_SAME_COLOR = 0.7  # of the turns try the color of the last one; many find no place
_KNOWN = 0.3  # of the other colors are on the board

# How people build: see the docstring.
_PEOPLE = json.loads(resources.files(__package__).joinpath("built_counts.json").read_text(encoding="utf-8"))
_FIRST_RINGS = tuple(_PEOPLE["first block"].values())  # games by max(|x|, |z|) of their first block
_IN_A_RING = tuple(max(1, 8 * ring) for ring in range(len(_FIRST_RINGS)))
_DENSITY = tuple(blocks / cells for blocks, cells in zip(_PEOPLE["placed"].values(), _IN_A_RING, strict=True))
_REACH = tuple((density / _DENSITY[1]) ** 0.55 for density in _DENSITY)  # how likely blocks so far out are kept


def _sizes(*names: str, least: tuple[int, ...]) -> tuple[list[tuple[int, ...]], list[int]]:
    """Return the sizes that people build, of at least these sides, with their counts."""
    counts = [(tuple(map(int, text.split("x"))), count) for name in names for text, count in _PEOPLE[name].items()]
    counts = [(size, count) for size, count in counts if size >= least]
    return [size for size, _ in counts], [count for _, count in counts]


_SHAPES = {
    ShapeKind.ROW: _sizes("row", "tower", least=(3,)),
    ShapeKind.DIAGONAL: _sizes("diagonal", least=(3,)),
    ShapeKind.PLANE: _sizes("plane", least=(3, 2)),
}
_OF_A_KIND = tuple(sum(counts) for _, counts in _SHAPES.values())
# Each drawing in each size, two more than people build it.
_DRAWN = {
    (name, width, height): 2 + _PEOPLE["drawn"].get(f"{name} {max(width, height)}x{min(width, height)}", 0)
    for name, drawing in DRAWINGS.items()
    for width in range(2, 6)
    for height in range(2, 6)
    if drawing.allows(width, height) and len(drawing.draw(width, height)) <= _MOST_BLOCKS + 3
}
_DRAWN_UP_TO = tuple(accumulate(_DRAWN.values()))


def kept(rng: Random, cells: Collection[Cell], board: Collection[Cell]) -> bool:
    """Return whether new blocks are kept: seldomer the farther out, or if the whole leaves the middle."""
    if not board:
        return True
    likely = min(_REACH[max(abs(x), abs(z))] for x, _, z in cells)
    if _off_the_middle((*board, *cells)) > max(0.5, _off_the_middle(board)):
        likely *= _ASIDE
    return rng.random() < likely


def _off_the_middle(cells: Collection[Cell]) -> float:
    """Return how far the middle of the smallest box around some blocks is from that of the ground."""
    return max(abs(min(along) + max(along)) / 2 for along in (list(zip(*cells, strict=True))[0::2]))


class Placements:
    """Turns that place something new on a board.

    Args:
        apart: no block is the last one for everybody: it is not used as a reference.
    """

    def __init__(self, rng: Random, scene: Scene, apart: bool):
        self.rng = rng
        self.board = scene.board
        self.last = None if apart or scene.last_removed else scene.last
        self.last_cell = scene.last
        self.last_color = scene.last_color
        self.apart = apart or scene.last_removed

    def blocks(self, first: bool) -> HumanTurn | None:
        """Return one block, or a few in a row, beside another."""
        color = self._color()
        if first:
            return self._turn(color, (self._first_cell(),), ())
        reference = self._reference()
        if color is self.last_color and self.last is not None:
            reference = self.last
        return None if reference is None else self._beside(color, reference)

    def block_after(self, turn: HumanTurn) -> HumanTurn | None:
        """Blocks beside the last block of a turn, or beside one of a color of its own: from wherever one looks."""
        color = self._color()
        if not self.apart and (turn.build_order == "line" or len(turn.cells) == 1):
            return self._beside(color, self.last)
        colors = list(self.board.values())
        alone = [cell for cell, own in self.board.items() if colors.count(own) == 1]
        return self._beside(color, self.rng.choice(alone), apart=True) if alone else None

    def shape(self, first: bool) -> HumanTurn | None:
        """Return a row, a plane or a diagonal."""
        color = self._color()
        (kind,) = self.rng.choices(tuple(_SHAPES), _OF_A_KIND)
        (size,) = self.rng.choices(*_SHAPES[kind])
        return self._shaped(sample_shape(self.rng, kind, color, max(size), size=size), first)

    def first_part(self, first: bool, planned: PlannedObject) -> HumanTurn | None:
        """Return the part with which an object begins, so high that what hangs from it has room."""
        if planned.form in DRAWINGS:
            return self.drawn(first, (planned.form, *planned.size))
        kind = ShapeKind.ROW if len(planned.size) == 1 else ShapeKind.PLANE
        upright = planned.form in ("tower", "wall")
        while True:
            shape = sample_shape(self.rng, kind, self._color(), max(planned.size), size=planned.size)
            if upright == (shape.orientation != "horizontal"):
                return self._shaped(shape, first, planned.raised)

    def _shaped(self, shape: Shape, first: bool, raised: int = 0) -> HumanTurn | None:
        start = self.rng.choice(from_bottom_corners(shape))
        reference = None if first else self._reference()
        if reference is None and not first:
            return None
        at = moved(self._start(start.cells, start.origin, reference), (0, 1, 0), raised)
        start = start.moved(*(a - b for a, b in zip(at, start.origin, strict=True)))
        name, cells = build_order_of(self.rng, start)
        references = () if reference is None else (reference,)
        return self._turn(shape.color, tuple(cells), references, shape=start, build_order=name)

    def drawn(self, first: bool, given: tuple[str, int, int] | None = None) -> HumanTurn | None:
        """Return a letter or the like, so that the Builder can read it: one that is given stands upright."""
        # What is drawn, and in which size.
        color = self._color()
        name, width, height = given or self.rng.choices(tuple(_DRAWN), cum_weights=_DRAWN_UP_TO)[0]
        upright = given is not None or not DRAWINGS[name].flat or self.rng.random() < 0.6
        # The Builder faces it; it starts near the reference.
        reference = None if first else self._reference()
        if reference is None and not first:
            return None
        view = View.of(90.0 * self.rng.randrange(4))
        cells = drawn_cells(name, (width, height), upright, Cell(0, 0, 0), view)
        at = self._start(cells, Cell(0, 0, 0), reference)
        # The turn, with what its instruction names.
        cells = tuple(moved(cell, at) for cell in cells)
        references = () if reference is None else (reference,)
        away = (view.away[0], 0, view.away[1])
        return self._turn(
            color, cells, references, faces=away, drawing=name, size=(width, height), upright=upright
        )  # fmt: skip

    def _color(self) -> Color:
        """Return a color: that of the last turn more often than others, and one of the board than a new one."""
        if self.last_color is not None and self.rng.random() < _SAME_COLOR:
            return self.last_color
        return self.rng.choice(list(self.board.values()) if self.board and self.rng.random() < _KNOWN else COLORS)

    def _reference(self) -> Cell | None:
        """Return a block that can be told apart; the last one more often than others."""
        if self.last is not None and self.rng.random() < 0.4:
            return self.last
        cell = self.rng.choice(list(self.board))
        if cell == self.last_cell:
            return self.last
        return cell if could_be_told_apart(cell, self.board, None) else None

    def _first_cell(self) -> Cell:
        """Return where a game begins, on the ground: as often in the middle as those of people."""
        (ring,) = self.rng.choices(range(len(_FIRST_RINGS)), _FIRST_RINGS)
        along, side = self.rng.randint(-ring, ring), self.rng.choice((-ring, ring))
        x, z = self.rng.choice(((along, side), (side, along)))
        return Cell(x, Y_MIN, z)

    def _start(self, cells: Collection[Cell], first: Cell, reference: Cell | None) -> Cell:
        """Return where the first cell of a shape may go so that the shape stands on the ground, near the reference."""
        down = Y_MIN - min(cell[1] for cell in cells)
        if reference is None:
            x, _, z = self._first_cell()
            return Cell(x, first[1] + down, z)
        if self.rng.random() < 0.3:  # on top of it
            return moved(reference, (0, 1, 0))
        far = self.rng.choice((1, -1)) * self.rng.choice(_DISTANCES)
        aside = 0 if self.rng.random() < 0.8 else self.rng.choice((1, -1)) * self.rng.choice(_DISTANCES)
        dx, dz = self.rng.choice(((far, aside), (aside, far)))
        return Cell(reference[0] + dx, first[1] + down, reference[2] + dz)

    def _beside(self, color: Color, reference: Cell, *, apart: bool = False) -> HumanTurn | None:
        step = self.rng.choice(FACES if self.rng.random() < _BY_A_FACE else NEIGHBORHOOD)
        straight = sum(map(abs, step)) == 1
        number = self.rng.choice((1, 1, 1, 1, 2, 2, 3)) if straight else 1
        if color is self.last_color and reference != self.last:
            return None
        cells = tuple(moved(reference, step, times) for times in range(1, number + 1))
        return self._turn(color, cells, (reference,), apart=apart)

    def _turn(self, color: Color, cells: Sequence[Cell], references: tuple[Cell, ...], **more) -> HumanTurn | None:
        """Return the turn, if there is room for the blocks, and they touch no other thing of their color."""
        # There must be room, not too far out, and no other thing of the color beside it.
        if any(cell in self.board or not cell.in_region for cell in cells) or not kept(self.rng, cells, self.board):
            return None
        own = set(cells)
        if references and references[0] == self.last and self.board[self.last] is color and "build_order" not in more:
            own |= set(thing_at(self.last, self.board).cells)  # more of it
        if any(self.board.get(other) is color and other not in own for cell in cells for other in touching(cell)):
            return None
        # Place the blocks with their supports, if the color has enough.
        board, actions = dict(self.board), list[Action]()
        for cell in cells:
            one = placement(color, cell, board, cells)
            if not has_the_blocks(one, color, board):
                return None
            actions += one
            board[cell] = color
        if sum(other is color for other in board.values()) > BLOCKS_PER_COLOR:
            return None
        return HumanTurn(
            color, tuple(cells), False, tuple(actions), references, apart=more.pop("apart", self.apart), **more
        )  # fmt: skip
