"""How long `bap-v2 explore` takes to open, and how long its filters take in the largest split that is set up.

    bap-v2 setup --mdc PATH
    python benchmarks/explorer.py

Filters and search are compared with `datasets.Dataset.filter` and a Python function that is given only the column it
needs. CPU seconds are those of the server; on a busy machine they tell more than the others.
"""

import json
import os
import re
import statistics
import subprocess
import sys
import time
import urllib.request

import datasets
from process_costs import cpu_seconds
from rich.console import Console
from rich.table import Table

from bap_v2_dataset.explorer.index import Query, index_table, phrases
from bap_v2_dataset.explorer.server import free_port
from bap_v2_dataset.explorer.sources import InstalledSource
from bap_v2_dataset.explorer.split import Split
from bap_v2_dataset.tasks.building.error_analysis import count_net_actions

RUNS = 5
EXPLORE = "from bap_v2_dataset.cli import main; main()"
OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def main() -> None:
    table = Table(title=f"After setup, median of {RUNS} new processes", title_justify="left")
    for heading in ("", "s", "CPU-s"):
        table.add_column(heading, justify="left" if not heading else "right")
    runs = [opened() for _ in range(RUNS)]
    for name in runs[0]:
        table.add_row(name, *(f"{statistics.median(run[name][place] for run in runs):.2f}" for place in range(2)))
    runs = [gradio_imported() for _ in range(RUNS)]
    table.add_row("import gradio", *(f"{statistics.median(run[place] for run in runs):.2f}" for place in range(2)))
    Console().print(table)

    source = InstalledSource()
    key = ("all", "train") if "all" in source.configs else ("dss", "train")
    rows = source.rows(*key)
    split = Split(*key, rows)
    start = time.perf_counter()
    index_table(rows)
    print(f"{', '.join(key)}, {len(rows):,} items: the index is built in {time.perf_counter() - start:.1f} s, once")
    assert len(split.index) == len(rows)  # builds it, if needed
    split = Split(*key, rows)
    start = time.perf_counter()
    assert len(split.index) == len(rows)
    print(f"and read in {1000 * (time.perf_counter() - start):.0f} ms")
    table = Table(title=f"{', '.join(key)}: items that match", title_justify="left")
    for heading in ("filter", "items", "explorer, ms", "datasets.filter, ms"):
        table.add_column(heading, justify="left" if heading == "filter" else "right")
    datasets.disable_caching()
    datasets.disable_progress_bars()
    for name, (query, function, column) in filters().items():
        positions, seconds = timed(lambda query=query: split.index.matching(query))
        start = time.perf_counter()
        filtered = rows.filter(function, input_columns=column)
        baseline = time.perf_counter() - start
        assert len(filtered) == len(positions), name
        table.add_row(name, f"{len(positions):,}", f"{1000 * seconds:.1f}", f"{1000 * baseline:,.0f}")
    Console().print(table)


def filters() -> dict:
    """By name: a query, and a function for datasets.filter with the columns that it is given."""

    def says(text: str):
        return lambda dialogue: all(phrase in "\n".join(dialogue).lower() for phrase in phrases(text))

    def in_range(before: list, after: list) -> bool:
        return 3 <= count_net_actions({"before": before, "after": after}) <= 5

    return {
        "search: red": (Query("red"), says("red"), "dialogue"),
        'search: red "on top"': (Query('red "on top"'), says('red "on top"'), "dialogue"),
        "empty board": (Query(bins={"board": frozenset({"empty"})}), lambda before: not before, "before"),
        "shape: row": (
            Query(bins={"shape": frozenset({"row"})}), lambda data: data.get("plan", {}).get("shape") == "row",
            "metadata",
        ),
        "3 to 5 net actions": (Query(actions=(3, 5)), in_range, ["before", "after"]),
    }  # fmt: skip


def timed(function):
    times = []
    for _ in range(RUNS):
        start = time.perf_counter()
        result = function()
        times.append(time.perf_counter() - start)
    return result, statistics.median(times)


def opened() -> dict[str, tuple[float, float]]:
    """Seconds and CPU seconds from the start of the command."""
    port = free_port(None)
    start = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-c", EXPLORE, "explore", "--port", str(port)],
        stdout=subprocess.DEVNULL, env={**os.environ, "HF_HUB_OFFLINE": "1"},
    )  # fmt: skip
    try:
        address, times = f"http://127.0.0.1:{port}/", {}
        while True:
            try:
                OPENER.open(address).read()
                break
            except OSError:
                assert process.poll() is None, "it ended"
                time.sleep(0.01)
        times["start to page"] = time.perf_counter() - start, cpu_seconds(process.pid)
        first_item(address)
        times["start to first item"] = time.perf_counter() - start, cpu_seconds(process.pid)
    finally:
        process.terminate()
        process.wait()
    return times


def first_item(address: str) -> None:
    """Sends the request of a browser that opens the page, and reads the response."""
    config = json.load(OPENER.open(f"{address}config"))
    values = {component["id"]: component["props"].get("value") for component in config["components"]}
    event = next(event for event in config["dependencies"] if event.get("api_name") == "open")
    request = {
        "data": [values[component] for component in event["inputs"]],
        "fn_index": event["id"],
        "session_hash": "benchmark",
    }
    body = urllib.request.Request(
        f"{address}gradio_api/queue/join", json.dumps(request).encode(), {"Content-Type": "application/json"}
    )
    OPENER.open(body).read()
    answer = OPENER.open(f"{address}gradio_api/queue/data?session_hash=benchmark")
    for line in answer:
        if b'"process_completed"' in line:
            assert b'"success":true' in line.replace(b" ", b""), line[:300]
            assert re.search(rb"<h2[^>]*>[^<]+/[0-9]+<", line), line[:300]
            return
    raise AssertionError("no item")


def gradio_imported() -> tuple[float, float]:
    program = "import time, datasets; w, c = time.perf_counter(), time.process_time(); import gradio; "
    program += "print(time.perf_counter() - w, time.process_time() - c)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    wall, cpu = map(float, done.stdout.split()[-2:])
    return wall, cpu


if __name__ == "__main__":
    main()
