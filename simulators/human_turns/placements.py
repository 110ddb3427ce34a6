"""What is new in a game of `dh`: blocks, rows and planes as in the other simulators, and drawn shapes."""

from collections.abc import Collection, Sequence
from random import Random

from bap_v2_metric.actions import Action
from bap_v2_metric.blocks import X_MAX, X_MIN, Y_MIN, Z_MAX, Z_MIN, Cell, Color
from bap_v2_simulators.building import has_the_blocks, placement
from bap_v2_simulators.human_turns.drawings import DRAWINGS
from bap_v2_simulators.human_turns.drawn import drawn_cells
from bap_v2_simulators.human_turns.requests import moved
from bap_v2_simulators.human_turns.things import thing_at, touching
from bap_v2_simulators.human_turns.turns import HumanTurn
from bap_v2_simulators.language.references import Scene, could_be_told_apart
from bap_v2_simulators.shapes import ShapeKind, sample_shape
from bap_v2_simulators.targets import BLOCKS_PER_COLOR, COLORS, NEIGHBORHOOD
from bap_v2_simulators.view import View
from bap_v2_simulators.whole_shapes import build_order_of, from_bottom_corners

_KINDS = (ShapeKind.ROW, ShapeKind.ROW, ShapeKind.ROW, ShapeKind.PLANE, ShapeKind.PLANE, ShapeKind.DIAGONAL)
_LARGEST, _MOST_BLOCKS = 5, 9
_FAR = 3  # cells between a new shape and the block from which its start is told


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
        color = self.rng.choice(COLORS)
        if first:
            cell = Cell(self.rng.randint(X_MIN + 1, X_MAX - 1), Y_MIN, self.rng.randint(Z_MIN + 1, Z_MAX - 1))
            return self._turn(color, (cell,), ())
        reference = self._reference()
        if reference is None:
            return None
        return self._beside(color, reference)

    def block_after(self, turn: HumanTurn) -> HumanTurn | None:
        """Blocks beside the last block of a turn, or beside one of a color of its own: from wherever one looks."""
        color = self.rng.choice(COLORS)
        if not self.apart and (turn.build_order == "line" or len(turn.cells) == 1):
            return self._beside(color, self.last)
        colors = list(self.board.values())
        alone = [cell for cell, own in self.board.items() if colors.count(own) == 1]
        return self._beside(color, self.rng.choice(alone), apart=True) if alone else None

    def shape(self, first: bool) -> HumanTurn | None:
        """Return a row, a plane or a diagonal."""
        color = self.rng.choice(COLORS)
        shape = sample_shape(self.rng, self.rng.choice(_KINDS), color, _LARGEST, _MOST_BLOCKS)
        start = self.rng.choice(from_bottom_corners(shape))
        reference = None if first else self._reference()
        if reference is None and not first:
            return None
        at = self._start(start.cells, start.origin, reference)
        if at is None:
            return None
        start = start.moved(*(a - b for a, b in zip(at, start.origin, strict=True)))
        name, cells = build_order_of(self.rng, start)
        references = () if reference is None else (reference,)
        return self._turn(color, tuple(cells), references, shape=start, build_order=name)

    def drawn(self, first: bool) -> HumanTurn | None:
        """Return a letter or the like, so that the Builder can read it."""
        # What is drawn, and in which size.
        color, name = self.rng.choice(COLORS), self.rng.choice(list(DRAWINGS))
        drawing = DRAWINGS[name]
        upright = not drawing.flat or self.rng.random() < 0.7
        width, height = (self.rng.randint(least, max(least, _LARGEST)) for least in drawing.least)
        width = width if drawing.odd[0] is False or width % 2 else width - 1
        height = width if drawing.equal else height if not drawing.odd[1] or height % 2 else height - 1
        # The Builder faces it; it starts near the reference.
        reference = None if first else self._reference()
        if reference is None and not first:
            return None
        view = View.of(90.0 * self.rng.randrange(4))
        cells = drawn_cells(name, (width, height), upright, Cell(0, 0, 0), view)
        at = self._start(cells, Cell(0, 0, 0), reference)
        if at is None or len(cells) > _MOST_BLOCKS + 3:
            return None
        # The turn, with what its instruction names.
        cells = tuple(moved(cell, at) for cell in cells)
        references = () if reference is None else (reference,)
        away = (view.away[0], 0, view.away[1])
        return self._turn(
            color, cells, references, faces=away, drawing=name, size=(width, height), upright=upright
        )  # fmt: skip

    def _reference(self) -> Cell | None:
        """Return a block that can be told apart; the last one more often than others."""
        if self.last is not None and self.rng.random() < 0.4:
            return self.last
        cell = self.rng.choice(list(self.board))
        if cell == self.last_cell:
            return self.last
        return cell if could_be_told_apart(cell, self.board, None) else None

    def _start(self, cells: Collection[Cell], first: Cell, reference: Cell | None) -> Cell | None:
        """Return where the first cell of a shape may go so that the shape stands on the ground, near the reference."""
        down = Y_MIN - min(cell[1] for cell in cells)
        low_x, high_x = min(cell[0] for cell in cells), max(cell[0] for cell in cells)
        low_z, high_z = min(cell[2] for cell in cells), max(cell[2] for cell in cells)
        if reference is None:
            x, z = self.rng.randint(X_MIN - low_x, X_MAX - high_x), self.rng.randint(Z_MIN - low_z, Z_MAX - high_z)
            return Cell(first[0] + x, first[1] + down, first[2] + z)
        if self.rng.random() < 0.2:  # on top of it
            return moved(reference, (0, 1, 0))
        dx, dz = self.rng.randint(-_FAR, _FAR), self.rng.randint(-_FAR, _FAR)
        if self.rng.random() < 0.7:
            dx, dz = (dx, 0) if self.rng.random() < 0.5 else (0, dz)
        return Cell(reference[0] + dx, first[1] + down, reference[2] + dz)

    def _beside(self, color: Color, reference: Cell, *, apart: bool = False) -> HumanTurn | None:
        step = self.rng.choice(NEIGHBORHOOD)
        straight = sum(map(abs, step)) == 1
        number = self.rng.choice((1, 1, 1, 2, 2, 3)) if straight else 1
        if color is self.last_color and reference != self.last:
            return None
        cells = tuple(moved(reference, step, times) for times in range(1, number + 1))
        return self._turn(color, cells, (reference,), apart=apart)

    def _turn(self, color: Color, cells: Sequence[Cell], references: tuple[Cell, ...], **more) -> HumanTurn | None:
        """Return the turn, if there is room for the blocks, and they touch no other thing of their color."""
        # There must be room, and no other thing of the color beside it.
        if any(cell in self.board or not cell.in_region for cell in cells):
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
