"""What augmenting the train split costs, against reading its games and cutting them into items.

BAP_V2_MDC=PATH python benchmarks/augmentation.py
"""

import statistics
import time
from collections.abc import Callable

from rich.console import Console
from rich.table import Table

from bap_v2_dataset.augmentation.variants import VARIANTS, augmented
from bap_v2_dataset.human import game_store
from bap_v2_dataset.tasks.building.items import items
from bap_v2_simulators.game import Game, read_games

ROUNDS = 5


def cost(variants: Callable[[Game], list[Game]]) -> tuple[int, int, float]:
    """(games, items, CPU seconds of the median round): kept games are read, varied and cut into items."""
    kept = game_store.mdc_games()
    seconds = []
    for _ in range(ROUNDS):
        games = n_items = 0
        started = time.process_time()
        for game in read_games(kept.file("train")):
            for variant in variants(game):
                games += 1
                n_items += sum(1 for _ in items(variant))
        seconds.append(time.process_time() - started)
    return games, n_items, statistics.median(seconds)


def main() -> None:
    table = Table(title=f"The train split on one core, median of {ROUNDS} rounds", title_justify="left")
    for heading in ("", "games", "items", "CPU s", "games/s", "items/s"):
        table.add_column(heading, justify="right" if heading else "left")
    ways = {
        "without augmentation": lambda game: [game],
        "with three variants": lambda game: [game, *(augmented(game, n) for n in range(1, VARIANTS + 1))],
    }
    for name, variants in ways.items():
        games, n_items, seconds = cost(variants)
        table.add_row(
            name, f"{games:,}", f"{n_items:,}", f"{seconds:.2f}", f"{games / seconds:,.0f}", f"{n_items / seconds:,.0f}"
        )
    Console().print(table)


if __name__ == "__main__":
    main()
