"""How long the command line takes to start and to answer, each time in a new process.

    python benchmarks/startup.py

Sets up the config dss first if it is not set up. CPU seconds are those of the process and its children; the last line
is Python itself.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from rich.console import Console
from rich.table import Table

RUNS = 7
BAP = str(Path(sys.executable).with_name("bap-v2"))
COMMANDS = {
    "bap-v2 --help": [BAP, "--help"],
    "bap-v2 score --help": [BAP, "score", "--help"],
    "bap-v2 info": [BAP, "info"],
    "bap-v2 --version": [BAP, "--version"],
    "bap-v2 show dss-test-0/1": [BAP, "show", "dss-test-0/1"],
    "bap-v2 score --config dss --baseline stack": [BAP, "score", "--config", "dss", "--baseline", "stack"],
    "import bap_v2_dataset": [sys.executable, "-c", "import bap_v2_dataset"],
    'bap.load("dss")': [sys.executable, "-c", "import bap_v2_dataset as bap; bap.load('dss')"],
    "python -c pass": [sys.executable, "-c", "pass"],
}


def seconds(command: list[str], folder: str) -> tuple[float, float]:
    """Wall and CPU seconds of a command."""
    start, before = time.perf_counter(), os.times()
    environment = {**os.environ, "HF_HUB_OFFLINE": "1"}
    subprocess.run(command, cwd=folder, env=environment, stdout=subprocess.DEVNULL, check=True)
    after = os.times()
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return time.perf_counter() - start, cpu


def main() -> None:
    subprocess.run([BAP, "setup", "--config", "dss"], stdout=subprocess.DEVNULL, check=True)
    table = Table(title=f"Start of the command line, medians of {RUNS} new processes", title_justify="left")
    table.add_column("command", no_wrap=True)
    for heading in ("wall s", "min", "max", "CPU s"):
        table.add_column(heading, justify="right")
    with tempfile.TemporaryDirectory() as folder:
        for name, command in COMMANDS.items():
            walls, cpus = zip(*(seconds(command, folder) for _ in range(RUNS)))
            numbers = (statistics.median(walls), min(walls), max(walls), statistics.median(cpus))
            table.add_row(name, *(f"{number:.2f}" for number in numbers))
    Console().print(table)


if __name__ == "__main__":
    main()
