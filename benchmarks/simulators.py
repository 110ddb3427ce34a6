"""How fast the simulators are, where the time goes, and what it costs to make more: a table for each question.

python benchmarks/simulators.py [--largest 100000]

The baseline beside each speed is the aim: 3,000 items per second on one core.
"""

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from itertools import pairwise

import orjson
from rich.console import Console
from rich.table import Table

from bap_v2_dataset.items.item import items
from bap_v2_dataset.items.rows import row
from bap_v2_simulators.corpora import SIMULATORS, simulator_of
from bap_v2_simulators.simulation import plan_of, play

AIM = 3000  # items per second and core
_SAMPLE = {"dr": 300, "dsb": 400, "dss": 2000}  # games
_ROUNDS = 3


def items_of(name: str, number: int) -> int:
    """Plays games until they have so many items; returns how many games it took."""
    simulator = simulator_of(name)
    made = 0
    index = -1
    while made < number:
        index += 1
        made += sum(1 for _ in items(play(simulator, "train", index)))
    return index + 1


def speeds(name: str) -> dict[str, float]:
    """Games and items per second of CPU time, and the share of it that goes into plans, into games, and into rows."""
    simulator = simulator_of(name)
    games = range(_SAMPLE[name])
    clock = [time.process_time()]
    for index in games:
        plan_of(simulator, "train", index)
    clock.append(time.process_time())
    played = [play(simulator, "train", index) for index in games]
    clock.append(time.process_time())
    made = [item for game in played for item in items(game)]
    clock.append(time.process_time())
    for item in made:
        row(item)
    clock.append(time.process_time())
    plan, whole, windows, rows = (b - a for a, b in pairwise(clock))
    seconds = whole + windows
    return {
        "games": len(games) / seconds,
        "items": len(made) / seconds,
        "plan": plan / seconds,
        "poses and language": (whole - plan) / seconds,
        "items from games": windows / seconds,
        "rows": len(made) / (seconds + rows),
    }


def in_a_process(*what: str) -> dict[str, float]:
    """What `measured` gives in a process of its own."""
    child = subprocess.run([sys.executable, __file__, "--child", *what], check=True, capture_output=True)
    return orjson.loads(child.stdout)


def cost(name: str, number: int) -> tuple[float, float]:
    """(microseconds per item, peak memory in MB) of making so many items, in a process of its own."""
    child = in_a_process("cost", name, str(number))
    return child["seconds"] / number * 1e6, child["peak"] / 1024


def set_up(processes: int) -> float:
    """Seconds of `bap-v2 setup` with an empty cache: the metric and the three corpora of the paper's sizes."""
    with tempfile.TemporaryDirectory() as home:
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("BAP_V2_")}
        command = [sys.executable, "-m", "bap_v2_dataset.cli", "setup", "--num-proc", str(processes)]
        started = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True, env={**inherited, "HF_HOME": home})
        return time.perf_counter() - started


def measured(what: str, name: str, number: str) -> dict[str, float]:
    """What a process of its own measures: `speeds`, or the time and the memory of making so many items."""
    if what == "speed":
        return speeds(name)
    started = time.perf_counter()
    items_of(name, int(number))
    seconds = time.perf_counter() - started
    return {"seconds": seconds, "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--largest", type=int, default=100_000, help="items of the last column of the second table")
    parser.add_argument("--child", nargs=3, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.child:
        sys.stdout.buffer.write(orjson.dumps(measured(*arguments.child)))
        return
    console = Console()
    console.width = max(console.width, 120)
    table = Table(
        title=f"On one core, in seconds of CPU time (aim: {AIM:,} items per second)",
        title_justify="left",
        header_style="bold",
    )
    headings = ("", "games/s", "items/s", "of the aim", "plans", "poses, language", "items", "rows/s with prompts")
    for heading in headings:
        table.add_column(heading, justify="right" if heading else "left")
    for name in SIMULATORS:
        rounds = [in_a_process("speed", name, "0") for _ in range(_ROUNDS)]
        speed = {key: statistics.median(one[key] for one in rounds) for key in rounds[0]}
        table.add_row(
            name, f"{speed['games']:,.0f}", f"{speed['items']:,.0f}", f"{speed['items'] / AIM:.0%}",
            f"{speed['plan']:.0%}", f"{speed['poses and language']:.0%}", f"{speed['items from games']:.0%}",
            f"{speed['rows']:,.0f}",
        )  # fmt: skip
    console.print(table)
    sizes = list(dict.fromkeys(size for size in (1_000, 10_000, arguments.largest) if size <= arguments.largest))
    table = Table(title="Time per item, and peak memory of the process", title_justify="left", header_style="bold")
    table.add_column("")
    for size in sizes:
        table.add_column(f"{size:,} items", justify="right")
    for name in SIMULATORS:
        costs = [cost(name, size) for size in sizes]
        table.add_row(name, *(f"{micro:.0f} us, {peak:.0f} MB" for micro, peak in costs))
    console.print(table)
    table = Table(title="Setup of the three corpora (aim: 30 s)", title_justify="left", header_style="bold")
    for heading in ("processes", "seconds"):
        table.add_column(heading, justify="right")
    for processes in (1, 2):
        table.add_row(str(processes), f"{set_up(processes):.1f}")
    console.print(table)


if __name__ == "__main__":
    main()
