"""An item as the measures of likeness see it: what was said, and what changed on the board.

Turns are made from items that are played, and from rows: both have the columns that are needed.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

from bap_v2_dataset.items.item import Item
from bap_v2_dataset.items.rows import last_turn, noted
from bap_v2_metric.notation import format_structure

Cell = tuple[int, int, int]  # x, y, z
Board = Mapping[Cell, str]  # the color of each block

_ARCHITECT_OF_A_HUMAN_GAME = re.compile(r"^B\d+-(A\d+)-")
_SIX = ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1))
_ALL = tuple(step for step in product((-1, 0, 1), repeat=3) if any(step))


@dataclass(frozen=True)
class Turn:
    """One item."""

    game: str
    number: int  # of the item in its game
    architect: tuple[str, ...]  # what the Architect said since the last action
    builder: tuple[str, ...]
    dialogue: tuple[str, ...]  # both, with names
    last_said: str  # by the Architect before the last run of actions
    last_placed: frozenset[Cell]  # in the last run of actions
    last_gone: frozenset[Cell]
    before: Board
    after: Board
    kind: str  # as the simulator names it; "" of people's

    @classmethod
    def of(cls, columns: Mapping[str, Any], number: int) -> "Turn":
        """The turn of a row, or of what an item shares with it."""
        lines = tuple(columns["dialogue"])
        said, done = last_turn(columns["history"])
        net = {_cell(action): action.startswith("place") for action in done}
        return cls(
            game=columns["game_id"],
            number=number,
            architect=tuple(_lines_of("<Architect> ", lines)),
            builder=tuple(_lines_of("<Builder> ", (line for line in lines if "Mission has started" not in line))),
            dialogue=lines,
            last_said="\n".join(_lines_of("<Architect> ", said)),
            last_placed=frozenset(cell for cell, there in net.items() if there),
            last_gone=frozenset(cell for cell, there in net.items() if not there),
            before={_cell(block): block.split()[0] for block in columns["before"]},
            after={_cell(block): block.split()[0] for block in columns["after"]},
            kind=noted(columns, "plan").get("kind", ""),
        )

    @property
    def architect_id(self) -> str:
        """Who the Architect is in human games; the game itself in others."""
        match = _ARCHITECT_OF_A_HUMAN_GAME.match(self.game)
        return match[1] if match else self.game

    @cached_property
    def said(self) -> str:
        """The Architect's lines as one text."""
        return "\n".join(self.architect)

    @cached_property
    def placed(self) -> Board:
        """The net placements."""
        return {cell: color for cell, color in self.after.items() if self.before.get(cell) != color}

    @cached_property
    def removed(self) -> Board:
        """The net removals."""
        return {cell: color for cell, color in self.before.items() if self.after.get(cell) != color}

    @cached_property
    def spots(self) -> int:
        """In how many separate places blocks are placed: not even corners touch."""
        return len(_parts(self.placed, _ALL))

    @cached_property
    def shape(self) -> str:
        """What the placed blocks make: one of `SHAPES`."""
        return _shape(self.placed)

    @cached_property
    def touching(self) -> bool:
        """Whether a placed block shares a face with a block that stood there before."""
        return any(_moved(cell, step) in self.before for cell in self.placed for step in _SIX)


SHAPES = (
    "nothing", "single", "row", "column", "plane", "cuboid", "line with gaps", "flat figure", "upright figure",
    "3D figure", "disconnected",
)  # fmt: skip


def turns_of_items(items: Iterable[Item]) -> Iterator[Turn]:
    """The turns of items."""
    for item in items:
        columns = {
            "game_id": item.game_id,
            "dialogue": item.dialogue,
            "history": item.history,
            "before": format_structure(item.before),
            "after": format_structure(item.after),
            "metadata": item.metadata,
        }
        yield Turn.of(columns, item.index)


def middle(cells: Iterable[Cell]) -> tuple[float, float]:
    """The x and z half way between the outermost blocks; (0, 0) of no blocks."""
    xs, _, zs = zip(*cells, strict=True) if (cells := list(cells)) else ((0,), (), (0,))
    return (min(xs) + max(xs)) / 2, (min(zs) + max(zs)) / 2


def _cell(notation: str) -> Cell:
    """The cell of "place red 0 1 0", "pick 0 1 0", "red 0 1 0"."""
    x, y, z = notation.split()[-3:]
    return int(x), int(y), int(z)


def _lines_of(who: str, lines: Iterable[str]) -> Iterator[str]:
    return (line.removeprefix(who) for line in lines if line.startswith(who))


def _moved(cell: Cell, step: Cell) -> Cell:
    return cell[0] + step[0], cell[1] + step[1], cell[2] + step[2]


def _parts(cells: Iterable[Cell], steps: Sequence[Cell]) -> list[set[Cell]]:
    left, parts = set(cells), []
    while left:
        part, ahead = set(), [left.pop()]
        while ahead:
            cell = ahead.pop()
            part.add(cell)
            near = {_moved(cell, step) for step in steps} & left
            left -= near
            ahead += near
        parts.append(part)
    return parts


def _shape(cells: Iterable[Cell]) -> str:
    cells = set(cells)
    if len(cells) < 2:
        return "single" if cells else "nothing"
    x, y, z = (max(values) - min(values) + 1 for values in zip(*cells, strict=True))
    long = sum(size > 1 for size in (x, y, z))
    if x * y * z == len(cells):
        return "column" if long == 1 and y > 1 else ("row", "plane", "cuboid")[long - 1]
    if long == 1:
        return "line with gaps"
    if len(_parts(cells, _ALL)) > 1:
        return "disconnected"
    return "3D figure" if long == 3 else "flat figure" if y == 1 else "upright figure"
