"""How long commands and the calls of the README take, each time in a new process, offline.

    python benchmarks/startup.py

Sets up the config dss first if it is not set up. CPU seconds are those of the process and its children; of the calls
below `python -c pass`, which is Python itself, imports are not counted.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

import datasets
from rich.console import Console
from rich.table import Table

import bap_v2_dataset  # noqa: F401 (registers the name)

RUNS = 7
BAP = str(Path(sys.executable).with_name("bap-v2"))
COMMANDS = {
    "bap-v2 --help": [BAP, "--help"],
    "typer and rich alone": [sys.executable, "-c", "import typer, rich.console, rich.table"],
    "bap-v2 score --help": [BAP, "score", "--help"],
    "bap-v2 info": [BAP, "info"],
    "bap-v2 --version": [BAP, "--version"],
    "bap-v2 show dss-test-0/1": [BAP, "show", "dss-test-0/1"],
    "bap-v2 score --config dss --baseline stack": [BAP, "score", "--config", "dss", "--baseline", "stack"],
    "import bap_v2_dataset": [sys.executable, "-c", "import bap_v2_dataset"],
    'bap.load("dss")': [sys.executable, "-c", "import bap_v2_dataset as bap; bap.load('dss')"],
    "python -c pass": [sys.executable, "-c", "pass"],
}
CALLS = {  # by what is imported before
    'load_dataset("bap_v2", "dss")': ("import datasets", 'datasets.load_dataset("bap_v2", "dss")["test"][0]'),
    "load_dataset, with import bap_v2_dataset": (
        "import datasets, bap_v2_dataset", 'datasets.load_dataset("bap_v2", "dss")["test"][0]'),
    "load_dataset of a Parquet folder of these rows": ("import datasets", 'datasets.load_dataset("rows")["test"][0]'),
    'evaluate.load("bap_v2")': ("import evaluate", 'evaluate.load("bap_v2")'),
}  # fmt: skip
PROGRAM = """
import time
{imports}
start, cpu = time.perf_counter(), time.process_time()
{call}
print(time.perf_counter() - start, time.process_time() - cpu)
"""


def seconds(command: list[str], folder: str) -> tuple[float, float]:
    """Wall and CPU seconds of a command."""
    start, before = time.perf_counter(), os.times()
    environment = {**os.environ, "HF_HUB_OFFLINE": "1"}
    subprocess.run(command, cwd=folder, env=environment, stdout=subprocess.DEVNULL, check=True)
    after = os.times()
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return time.perf_counter() - start, cpu


def seconds_of_call(name: str, folder: str) -> tuple[float, float]:
    """Wall and CPU seconds of a call, without its imports."""
    imports, call = CALLS[name]
    program = [sys.executable, "-c", PROGRAM.format(imports=imports, call=call)]
    environment = {**os.environ, "HF_HUB_OFFLINE": "1", "HF_EVALUATE_OFFLINE": "1"}
    done = subprocess.run(program, capture_output=True, text=True, cwd=folder, env=environment, check=True)
    wall, cpu = map(float, done.stdout.split()[-2:])
    return wall, cpu


def main() -> None:
    subprocess.run([BAP, "setup", "--config", "dss"], stdout=subprocess.DEVNULL, check=True)
    table = Table(title=f"Commands and calls, medians of {RUNS} new processes", title_justify="left")
    table.add_column("command", no_wrap=True)
    for heading in ("wall s", "min", "max", "CPU s"):
        table.add_column(heading, justify="right")
    with tempfile.TemporaryDirectory() as folder:
        for split, rows in datasets.load_dataset("bap_v2", "dss").items():
            rows.to_parquet(Path(folder, "rows", f"{split}.parquet"))
        for name in (*COMMANDS, *CALLS):
            one = partial(seconds_of_call, name) if name in CALLS else partial(seconds, COMMANDS[name])
            walls, cpus = zip(*(one(folder) for _ in range(RUNS)))
            numbers = (statistics.median(walls), min(walls), max(walls), statistics.median(cpus))
            table.add_row(name, *(f"{number:.2f}" for number in numbers))
    Console().print(table)


if __name__ == "__main__":
    main()
