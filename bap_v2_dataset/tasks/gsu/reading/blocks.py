"""The blocks of a question, in all four forms that the paper compares, and the boxes among them (GSU, 3.1.3)."""

import re
from collections.abc import Collection, Mapping
from itertools import product
from typing import NamedTuple

from bap_v2_dataset.tasks.gsu.reading.phrases import POSITION, GsuQuestionError, found

_WHOLE = r"-?\d+"
_BLOCK = re.compile(
    rf"an? (?P<text>\w+) block at (?P<at>{POSITION})"
    rf"|\((?P<set>[a-z]+)(?P<of_set>(?:, {_WHOLE}){{2,3}})\)"
    rf"|\(color = (?P<dict>[a-z]+)(?P<of_dict>(?:, [xyz] = {_WHOLE}){{2,3}})\)"
    rf"|(?P<plain>[a-z]+)(?P<of_plain>(?: {_WHOLE}){{2,3}})"
)
_FORMS = {"text": "at", "set": "of_set", "dict": "of_dict", "plain": "of_plain"}

Cell = tuple[int, int, int]  # z is 0 on a grid of two dimensions
FACES = tuple(step for step in product((-1, 0, 1), repeat=3) if sum(map(abs, step)) == 1)
CORNERS = tuple(step for step in product((-1, 0, 1), repeat=3) if any(step))  # faces and edges too


def read_blocks(question: str) -> dict[Cell, str]:
    """Return the color of each block that a question names, by its cell.

    Raises:
        GsuQuestionError: for something in the list that is not a block, and for two blocks in one cell.
    """
    # The list of blocks, in either form.
    text = found(r"(?:There is |\nBlocks: | Blocks: )([^\n]*)\.\n", question, "the blocks")[1]
    blocks: dict[Cell, str] = {}
    at = 0
    for match in _BLOCK.finditer(text):
        # Nothing but separators may stand between two blocks.
        _check_between(text[at : match.start()])
        form = next(form for form in _FORMS if match[form])
        x, y, *z = map(int, re.findall(_WHOLE, match[_FORMS[form]]))
        cell = (x, y, z[0] if z else 0)
        if cell in blocks:
            raise GsuQuestionError(f"two blocks at {cell}: expected one block per cell")
        blocks[cell] = match[form]
        at = match.end()
    _check_between(text[at:])
    if not blocks:
        raise GsuQuestionError(f"cannot find a block in {text[:80]!r}")
    return blocks


def _check_between(text: str) -> None:
    if not re.fullmatch(r"(?:,? and |, )?", text):
        raise GsuQuestionError(f"{text[:80]!r} between blocks: expected a comma or 'and'")


class Bounds(NamedTuple):
    """The smallest box around some blocks."""

    low: Cell
    high: Cell

    @property
    def sides(self) -> tuple[int, ...]:
        """The numbers of blocks along x, y and z."""
        return tuple(high - low + 1 for low, high in zip(self.low, self.high))

    @property
    def sizes(self) -> list[int]:
        """The sides that are more than one block long."""
        return [side for side in self.sides if side > 1]

    @property
    def volume(self) -> int:
        """Number of blocks that there is room for."""
        x, y, z = self.sides
        return x * y * z

    @property
    def kind(self) -> str:
        """What a box of this size is called; a lying prism, which no question has, is called a tower."""
        long = len(self.sizes)
        if long <= 1:
            return "column" if self.sides[2] > 1 else "row"
        if long == 2:
            return "plane"
        return "cube" if len(set(self.sides)) == 1 else "tower"


def bounds_of(cells: Collection[Cell]) -> Bounds:
    """Return the smallest box around cells."""
    xs, ys, zs = zip(*cells)
    return Bounds((min(xs), min(ys), min(zs)), (max(xs), max(ys), max(zs)))


def is_box(cells: Collection[Cell]) -> bool:
    """Return whether cells fill a box.

    >>> is_box([(0, 0, 0), (1, 0, 0)]), is_box([(0, 0, 0), (1, 1, 0)])
    (True, False)
    """
    return bounds_of(cells).volume == len(cells)


def pieces(blocks: Mapping[Cell, str], neighbors: Collection[Cell] = FACES) -> list[dict[Cell, str]]:
    """Blocks of one color that hang together, in the order in which they are first named.

    Args:
        neighbors: which cells are next to each other, as steps.
    """
    left, result = dict(blocks), []
    while left:
        first = next(iter(left))
        color = left.pop(first)
        piece, waiting = {first: color}, [first]
        while waiting:
            x, y, z = waiting.pop()
            for dx, dy, dz in neighbors:
                cell = (x + dx, y + dy, z + dz)
                if left.get(cell) == color:
                    piece[cell] = left.pop(cell)
                    waiting.append(cell)
        result.append(piece)
    return result


def boxes(blocks: Mapping[Cell, str], neighbors: Collection[Cell] = FACES) -> list[tuple[str, Bounds]]:
    """Return the color and size of every piece. Raises: GsuQuestionError, for a piece that is not a box."""
    result = []
    for piece in pieces(blocks, neighbors):
        color = next(iter(piece.values()))
        if not is_box(piece):
            raise GsuQuestionError(f"the {len(piece)} {color} blocks around {next(iter(piece))} fill no box")
        result.append((color, bounds_of(piece)))
    return result


def touch(one: Bounds, other: Bounds) -> bool:
    """Return whether two boxes lie face to face."""
    gaps = [max(low - high2, low2 - high) for low, high, low2, high2 in zip(*one, *other)]
    return sorted(gap > 0 for gap in gaps) == [False, False, True] and max(gaps) == 1
