"""Time and memory to read the human corpus into items, against orjson.loads of the same bytes; and to augment it.

    BAP_V2_MDC=PATH python benchmarks/corpus.py

PATH is the unpacked corpus (an archive is unpacked to a temporary folder first, untimed). Each measurement runs in a
process of its own, in turn, so that peak memory can be told apart.
"""

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

from rich.console import Console
from rich.table import Table

RUNS = 9


def parse_only(corpus: Path) -> None:
    """The baseline: every log of the three splits is read and parsed with orjson, one at a time."""
    import orjson

    (splits,) = corpus.rglob("splits.json")
    targets = {target for split in orjson.loads(splits.read_bytes()).values() for target in split}
    logs = sorted(corpus.rglob("postprocessed-observations.json"))
    paths = [path for path in logs if path.parent.name.split("-")[2] in targets]  # the 519 that ours reads too
    start = time.perf_counter(), time.process_time()
    states = 0
    for path in paths:
        states += len(orjson.loads(path.read_bytes())["WorldStates"])
    _result(start, len(paths), states)


def read_items(corpus: Path) -> None:
    """Ours: games and their items, one game at a time."""
    from bap_v2_dataset.human.mdc import read_corpus
    from bap_v2_dataset.items.item import items

    start = time.perf_counter(), time.process_time()
    games = n_items = 0
    for game in read_corpus(corpus):
        games += 1
        n_items += sum(1 for _ in items(game))
    _result(start, games, n_items)


def read_kept(corpus: Path, variants: int = 0) -> None:
    """The games of train as they are kept, and that many augmented variants of each, cut into items."""
    from bap_v2_dataset.augmentation.variants import augmented
    from bap_v2_dataset.human.game_store import mdc_games
    from bap_v2_dataset.items.item import items
    from bap_v2_simulators.game import read_games

    kept = mdc_games(corpus).file("train")
    start = time.perf_counter(), time.process_time()
    games = n_items = 0
    for game in read_games(kept):
        for version in (game, *(augmented(game, number) for number in range(1, variants + 1))):
            games += 1
            n_items += sum(1 for _ in items(version))
    _result(start, games, n_items)


def _result(start: tuple[float, float], logs: int, count: int) -> None:
    wall, cpu = time.perf_counter() - start[0], time.process_time() - start[1]
    print(wall, cpu, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, logs, count)


def nothing(corpus: Path) -> None:
    """What the interpreter and the imports take."""
    import orjson  # noqa: F401

    import bap_v2_dataset.human.mdc
    import bap_v2_dataset.items.item  # noqa: F401

    _result((time.perf_counter(), time.process_time()), 0, 0)


WORKERS = {
    "orjson.loads": parse_only, "games and items": read_items, "imports only": nothing,
    "train, kept": read_kept, "train, with three variants": partial(read_kept, variants=3),
}  # fmt: skip


def main(corpus: Path) -> None:
    measured = {name: [] for name in WORKERS}
    for _ in range(RUNS):
        for name in WORKERS:
            done = subprocess.run(
                [sys.executable, __file__, name, str(corpus)], capture_output=True, text=True, check=True
            )
            measured[name].append([float(word) for word in done.stdout.split()])
    table = Table(title=f"Reading the corpus, median of {RUNS} runs", title_justify="left")
    for heading in ("what", "wall s", "CPU s", "peak MB", "games", "gives"):
        table.add_column(heading, justify="left" if heading == "what" else "right")
    for name, runs in measured.items():
        wall, cpu, peak, logs, count = (statistics.median(column) for column in zip(*runs))
        gives = f"{count:,.0f} {'states' if name == 'orjson.loads' else 'items'}" if count else ""
        table.add_row(name, f"{wall:.2f}", f"{cpu:.2f}", f"{peak:,.0f}", f"{logs:,.0f}" if logs else "", gives)
    console = Console()
    console.print(table)
    ratios = [ours[1] / base[1] for ours, base in zip(measured["games and items"], measured["orjson.loads"])]
    console.print(f"ours / orjson.loads, CPU seconds, pair by pair: median {statistics.median(ratios):.2f} "
                  f"({min(ratios):.2f} to {max(ratios):.2f})")  # fmt: skip


if __name__ == "__main__":
    if len(sys.argv) == 3:
        WORKERS[sys.argv[1]](Path(sys.argv[2]))
    else:
        path = Path(os.environ.get("BAP_V2_MDC") or sys.exit("set BAP_V2_MDC to the corpus"))
        if path.is_dir():
            main(path)
        elif path.suffix == ".zip":
            sys.exit("unpack the .zip first: this measures a directory")
        else:
            with tempfile.TemporaryDirectory() as folder:
                # In another process: on Linux the peak of a process counts that of the one that started it.
                subprocess.run([sys.executable, "-m", "tarfile", "--filter", "data", "-e", path, folder], check=True)
                main(Path(folder))
