"""Full games: how many are played in a minute, and whether the Architect finishes them whatever goes wrong.

python benchmarks/full_games.py [GAMES]            # speed of the symbolic Builder on one core
python benchmarks/full_games.py --errors [GAMES]   # games of each simulator and kind of error: lost, turns, repairs
"""

import argparse
import sys
import time
from pathlib import Path
from random import Random

from bap_v2_dataset.games.play import Games
from bap_v2_simulators.corpus_table import PUBLISHED

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "support"))  # planted_errors


def main() -> None:
    """Prints a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", type=int, nargs="?", default=500)
    parser.add_argument("--errors", action="store_true")
    arguments = parser.parse_args()
    (_errors if arguments.errors else _speed)(arguments.games)


def _speed(games: int) -> None:
    """By CPU time."""
    print("| simulator | games a minute and core | turns a second and core |\n|---|---|---|")
    for name in PUBLISHED:
        started = time.process_time()
        turns = sum(game.metadata["result"]["turns"] for game in Games(name, "symbolic", games).records())
        seconds = time.process_time() - started
        print(f"| {name} | {60 * games / seconds:,.0f} | {turns / seconds:,.0f} |")


def _errors(games: int) -> None:
    from planted_errors import KINDS, played

    print("| simulator | error | games | lost | turns | repairs |\n|---|---|---|---|---|---|", flush=True)
    for name in PUBLISHED:
        for kind in KINDS:
            results = [played(name, seed, kind, Random(f"{name} {seed} {kind}")).result() for seed in range(games)]
            lost = sum(not result.completed for result in results)
            turns, repairs = (sum(each) / games for each in zip(*((r.turns, r.repairs) for r in results), strict=True))
            print(f"| {name} | {kind} | {games:,} | {lost} | {turns:.1f} | {repairs:.2f} |", flush=True)


if __name__ == "__main__":
    main()
