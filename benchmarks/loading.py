"""How long the two calls of the README take after setup, each in a new process, in a directory of its own.

    bap-v2 setup --mdc PATH
    python benchmarks/loading.py

Offline, without any import of ours and with `import bap_v2_dataset`.
"""

import os
import statistics
import subprocess
import sys
import tempfile

from rich.console import Console
from rich.table import Table

RUNS = 5
CALLS = {
    'load_dataset("bap_v2", "mdc")': ("import datasets", 'datasets.load_dataset("bap_v2", "mdc")["test"][0]'),
    'load_dataset, with import bap_v2_dataset': (
        "import datasets, bap_v2_dataset", 'datasets.load_dataset("bap_v2", "mdc")["test"][0]'),
    'evaluate.load("bap_v2")': ("import evaluate", 'evaluate.load("bap_v2")'),
}  # fmt: skip
PROGRAM = """
import time
{imports}
start = time.perf_counter()
{call}
print(time.perf_counter() - start)
"""


def main() -> None:
    table = Table(title=f"After setup, offline, median of {RUNS} new processes", title_justify="left")
    for heading in ("call", "median s", "shortest s", "longest s"):
        table.add_column(heading, justify="left" if heading == "call" else "right")
    environment = {**os.environ, "HF_HUB_OFFLINE": "1", "HF_EVALUATE_OFFLINE": "1"}
    with tempfile.TemporaryDirectory() as folder:
        for name, (imports, call) in CALLS.items():
            times = []
            for _ in range(RUNS):
                done = subprocess.run(
                    [sys.executable, "-c", PROGRAM.format(imports=imports, call=call)],
                    capture_output=True, text=True, cwd=folder, env=environment, check=True,
                )  # fmt: skip
                times.append(float(done.stdout.split()[-1]))
            table.add_row(name, f"{statistics.median(times):.3f}", f"{min(times):.3f}", f"{max(times):.3f}")
    Console().print(table)


if __name__ == "__main__":
    main()
