"""Where people and simulators build: in the middle or far out.

statistics = PositionStatistics()
for turn in turns_of_items(items(game)):
    statistics.add(turn)
statistics.numbers()["first_block"]
"""

from array import array
from pathlib import Path

import numpy as np
import yaml

from comparison.turns import Turn, middle

POSITIONS = yaml.safe_load(Path(__file__).with_name("labels.yaml").read_text("utf-8"))["positions"]


class PositionStatistics:
    """Where the blocks of some games are, whose turns follow one another."""

    def __init__(self) -> None:
        self._cells = array("b")  # x and z of each block that is placed
        self._first: dict[str, bool] = {}  # of each game: whether its first lasting block is in the middle
        self._board: dict[str, bool] = {}  # whether the middle of its newest board is

    def add(self, turn: Turn) -> None:
        """Takes one more turn in."""
        placed = [(x, z) for x, _, z in turn.placed]
        self._cells.extend(value for cell in placed for value in cell)
        if placed:
            self._first.setdefault(turn.game, _central(placed[0]))
        self._board[turn.game] = _central(middle(turn.after))

    def numbers(self) -> dict[str, float]:
        """The numbers of `POSITIONS`: shares of games, of placed blocks, and standard deviations."""
        if not self._cells:
            return {}
        cells = np.frombuffer(self._cells, dtype=np.int8).reshape(-1, 2).astype(float)
        out = np.abs(cells).max(axis=1)
        return {
            "first_block": float(np.mean(list(self._first.values()))),
            "board": float(np.mean(list(self._board.values()))),
            **{f"out_{low}_{low + 1}": float(np.mean((out == low) | (out == low + 1))) for low in (0, 2, 4)},
            "x_sd": float(cells[:, 0].std()),
            "z_sd": float(cells[:, 1].std()),
        }


def shown_position(key: str, value: float) -> str:
    """A number of `POSITIONS` as it is printed."""
    return f"{value:.2f}" if key.endswith("_sd") else f"{value:.1%}"


def _central(place: tuple[float, float]) -> bool:
    return max(map(abs, place)) <= 1
