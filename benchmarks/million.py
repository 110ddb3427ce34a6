"""One million simulated items with `bap-v2 generate --engine datatrove` on this machine: speed, memory, file sizes.

    python benchmarks/million.py [--config dr] [--items 1000000] [--num-proc 2]

The baseline is `generate` without the engine, which writes one file, for a number of items that it is meant for; the
engine makes as many first, so that what more of them cost can be seen. Needs 0.5 GB of disk, and Linux for the memory.
"""

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from process_costs import peak_memory
from rich.console import Console
from rich.table import Table

from bap_v2_simulators.corpora import SIMULATORS


class Cost(NamedTuple):
    """What a command took."""

    seconds: float
    cpu_seconds: float  # of all its processes
    peak: float  # MB, of the largest of its worker processes
    peak_of_main: float  # MB


def run(arguments: list[str]) -> Cost:
    """Runs `bap-v2 generate`, and looks at the memory of its processes ten times per second."""
    peaks: dict[int, float] = {}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = time.perf_counter()
    process = subprocess.Popen([sys.executable, "-m", "bap_v2_dataset.cli", "generate", *arguments])
    while process.poll() is None:
        for pid in _family(process.pid):
            peaks[pid] = max(peaks.get(pid, 0.0), peak_memory(pid))
        time.sleep(0.1)
    seconds = time.perf_counter() - started
    if process.returncode:
        sys.exit(process.returncode)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    main = peaks.pop(process.pid, 0.0)
    return Cost(seconds, cpu, max(peaks.values(), default=main), main)


def _family(pid: int) -> list[int]:
    """A process and those that it started, and so on."""
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        children = []
    return [pid, *(one for child in children for one in _family(int(child)))]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--config", default="dr", choices=SIMULATORS)
    parser.add_argument("--items", type=int, default=1_000_000)
    parser.add_argument("--baseline", type=int, default=50_000, help="items of the baseline")
    parser.add_argument("--num-proc", type=int, default=2)
    chosen = parser.parse_args()
    table = Table(
        title=f"{chosen.config}, {chosen.num_proc} processes, zstd Parquet", title_justify="left", header_style="bold"
    )
    table.add_column("")
    headings = (
        "items",
        "s",
        "items/s",
        "items/CPU s",
        "peak of a worker",
        "of the command",
        "files",
        "MB",
        "bytes/item",
    )
    for heading in headings:
        table.add_column(heading, justify="right")

    def add(name: str, items: int, cost: Cost, paths: list[Path]) -> None:
        size = sum(path.stat().st_size for path in paths)
        table.add_row(
            name, f"{items:,}", f"{cost.seconds:,.1f}", f"{items / cost.seconds:,.0f}",
            f"{items / cost.cpu_seconds:,.0f}", f"{cost.peak:,.0f} MB", f"{cost.peak_of_main:,.0f} MB",
            f"{len(paths):,}", f"{size / 1e6:,.1f}", f"{size / items:,.0f}",
        )  # fmt: skip

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "one.parquet"

        def command(output: Path, items: int) -> list[str]:
            return [chosen.config, str(output), "--items", str(items), "--num-proc", str(chosen.num_proc)]

        add("without engine", chosen.baseline, run(command(file, chosen.baseline)), [file])
        for items in (chosen.baseline, chosen.items):
            shards = Path(folder) / str(items)
            engine = [*command(shards, items), "--engine", "datatrove"]
            add("datatrove", items, run(engine), sorted(shards.glob("*.parquet")))
        again = run(engine)
    console = Console()
    console.width = max(console.width, 130)
    console.print(table)
    console.print(f"the last command once more, with everything there: {again.seconds:.1f} s", highlight=False)


if __name__ == "__main__":
    main()
