"""Where people and simulators build: in the middle or far out."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from comparison.turns import Turn, middle


def positions(turns: Iterable[Turn]) -> dict[str, Any]:
    """Where the blocks of some games are, whose turns follow one another.

    Returns:
        `first_block`, the share of games whose first lasting block lies within one cell of the middle; `board`, of
        those whose last board's middle does; `out_0_1`, `out_2_3`, `out_4_5`, shares of the placed blocks by the larger
        of |x| and |z|; `x_sd`, `z_sd` of the placed blocks (cells).
    """
    games: dict[str, list[Turn]] = {}
    for turn in turns:
        games.setdefault(turn.game, []).append(turn)
    firsts = [next((cell for turn in game for cell in turn.placed), (9, 9, 9)) for game in games.values()]
    boards = [middle(game[-1].after) for game in games.values()]
    cells = np.array([cell for game in games.values() for turn in game for cell in turn.placed]).reshape(-1, 3)
    out = np.abs(cells[:, [0, 2]]).max(axis=1)
    return {
        "first_block": float(np.mean([max(abs(x), abs(z)) <= 1 for x, _, z in firsts])),
        "board": float(np.mean([max(abs(x), abs(z)) <= 1 for x, z in boards])),
        **{f"out_{low}_{low + 1}": float(np.mean((out == low) | (out == low + 1))) for low in (0, 2, 4)},
        "x_sd": float(cells[:, 0].std()),
        "z_sd": float(cells[:, 2].std()),
    }


POSITIONS = {
    "first_block": "first block of a game within 1 cell of the middle",
    "board": "middle of the last board within 1 cell",
    "out_0_1": "placed blocks with max(|x|, |z|) of 0 or 1",
    "out_2_3": "  2 or 3",
    "out_4_5": "  4 or 5",
    "x_sd": "standard deviation of x (cells)",
    "z_sd": "  of z",
}
