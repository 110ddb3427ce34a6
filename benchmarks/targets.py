"""How many different targets the simulators have: from the targets that come twice among many games.

    python benchmarks/targets.py [--games 200000]

Games are planned, not played. Of n games whose targets were drawn evenly from N, n (n - 1) / 2N pairs would be equal;
N is estimated from the pairs that are. Targets are not drawn evenly (small ones come more often): so many even targets
would repeat as often, and there are more. Without an equal pair, one with which fewer than three would be expected is
printed (95% sure).
"""

import argparse
import math
import time
from collections import Counter
from hashlib import blake2b

from rich.console import Console
from rich.table import Table

from bap_v2_simulators.corpora import SIMULATORS, simulator_of
from bap_v2_simulators.simulation import plan_of
from bap_v2_simulators.simulator import Simulator

LATER = (1_000_000, 10_000_000, 100_000_000)  # games


def target_digest(simulator: Simulator, index: int, split: str) -> bytes:
    """What tells targets apart: the blocks, in any order."""
    target = plan_of(simulator, split, index).target
    return blake2b(
        repr(sorted((*cell, color.value) for cell, color in target.items())).encode(), digest_size=8
    ).digest()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=200_000)
    parser.add_argument("--split", default="train")
    chosen = parser.parse_args()
    table = Table(title=f"{chosen.games:,} games, {chosen.split}", title_justify="left", header_style="bold")
    later = [f"new in the {games:,}th" for games in LATER]
    for heading in ("", "targets", "equal pairs", "as even targets", *later, "CPU µs/game"):
        table.add_column(heading, justify="right" if heading else "left")
    for name in SIMULATORS:
        simulator = simulator_of(name)
        started = time.process_time()
        counts = Counter(target_digest(simulator, index, chosen.split) for index in range(chosen.games))
        cost = (time.process_time() - started) / chosen.games
        pairs = sum(count * (count - 1) // 2 for count in counts.values())
        even = chosen.games * (chosen.games - 1) / 2 / pairs if pairs else math.inf
        new = [
            f"{math.exp(-games / even):.0%}" if pairs else "–" for games in LATER
        ]  # a game of which the others have not drawn it
        known = f"{even:,.0f}" if pairs else f"over {chosen.games**2 / 6:,.0f}"
        table.add_row(name, f"{len(counts):,}", f"{pairs:,}", known, *new, f"{1e6 * cost:.0f}")
    console = Console()
    console.width = max(console.width, 130)
    console.print(table)


if __name__ == "__main__":
    main()
