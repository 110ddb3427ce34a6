"""How many full games the symbolic Builder plays in a minute on one core: `python benchmarks/full_games.py [GAMES]`."""

import sys
import time

from bap_v2_dataset.games.playing import Games
from bap_v2_simulators.corpora import SIMULATORS


def main() -> None:
    """Prints a table, by CPU time."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    print("| simulator | games a minute and core | turns a second and core |\n|---|---|---|")
    for name in SIMULATORS:
        started = time.process_time()
        turns = sum(game.metadata["result"]["turns"] for game in Games(name, "symbolic", games).records())
        seconds = time.process_time() - started
        print(f"| {name} | {60 * games / seconds:,.0f} | {turns / seconds:,.0f} |")


if __name__ == "__main__":
    main()
