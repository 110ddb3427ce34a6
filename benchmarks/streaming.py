"""Items that workers deliver to the pointer transformer in ready batches, from Parquet shards and played on the fly.

    bap-v2 generate dss FOLDER --items 1000000 --engine datatrove
    python benchmarks/streaming.py FOLDER [--few 50000] [--items 60000] [--workers 1 2]
    python benchmarks/streaming.py FOLDER --duplicates          how often targets and prompts come in them

Each row is a process of its own. CPU time is that of the workers, per item, and tells more than items/s where other
programs run on the same cores. `--few` compares with the first so many items of FOLDER: what time and memory owe to
the number of items. The last row is the step that learns, for comparison. Needs Linux for the memory.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from hashlib import blake2b
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from process_costs import cpu_seconds, peak_memory
from rich.console import Console
from rich.table import Table

BATCH = 64
SIMULATED, HELD = "simulated", "held in memory"


def delivered(kind: str, folder: Path, workers: int, items: int) -> dict[str, float]:
    """What it took to get so many items in batches, in this process and its workers."""
    from torch.utils.data import DataLoader

    from bap_v2_training.pointer.stream import Chunks, Sources, Stream, StreamSettings

    started = time.perf_counter()
    settings = StreamSettings(
        {"dss": 1.0} if kind == SIMULATED else {"big": 1.0}, seed=1, batch_size=BATCH,
        rows={} if kind == SIMULATED else {"big": str(folder)}, streaming=kind != SIMULATED and kind != HELD,
    )  # fmt: skip
    sources = Sources(settings)
    ready = time.perf_counter() - started
    words = sources.vocabulary(2_000, least=1)
    started = time.perf_counter()
    stream = Stream(Chunks(sources, words))
    loader = iter(
        DataLoader(
            stream, batch_size=None, num_workers=workers, prefetch_factor=2, collate_fn=lambda batch: batch
        )
    )  # fmt: skip
    next(loader)
    first = time.perf_counter() - started
    pids = [worker.pid for worker in loader._workers]
    a_chunk_each = settings.batches_per_chunk * workers
    for _ in range(a_chunk_each - 1):  # from here on whole chunks: the workers are as far ahead at the end as now
        next(loader)
    began, cpu, count = time.perf_counter(), sum(map(cpu_seconds, pids)), 0
    while count < items:
        count += sum(len(next(loader)["words"]) for _ in range(a_chunk_each))
    seconds = time.perf_counter() - began
    return {
        "items": len(sources.shards["big"]) if sources.shards else 0, "ready": ready, "first": first,
        "rate": count / seconds, "cpu": (sum(map(cpu_seconds, pids)) - cpu) / count,
        "worker": max(map(peak_memory, pids)), "main": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }  # fmt: skip


def learned(folder: Path, updates: int) -> dict[str, float]:
    """CPU time per item of the step that learns, of pointer.yaml's model, on one core."""
    import torch
    from torch.utils._python_dispatch import TorchDispatchMode
    from torch.utils.flop_counter import FlopCounterMode

    from bap_v2_training.pointer.features import tensors
    from bap_v2_training.pointer.stream import Chunks, Sources, StreamSettings
    from bap_v2_training.train_pointer import new_model, parse_arguments

    class Operators(TorchDispatchMode):
        count = 0

        def __torch_dispatch__(self, operator, types, args=(), kwargs=None):
            self.count += 1
            return operator(*args, **(kwargs or {}))

    torch.set_num_threads(1)
    config = Path(__file__).parent.parent / "training" / "configs" / "pointer.yaml"
    pointer, _ = parse_arguments(["--config", str(config), "--rows", "{}", "--output_dir", str(folder / ".unused")])
    sources = Sources(StreamSettings({"big": 1.0}, 1, BATCH, rows={"big": str(folder)}, streaming=True))
    words = sources.vocabulary(2_000, least=1)
    model = new_model(pointer, words).train()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    batches = [tensors(batch) for batch, _ in zip(Chunks(sources, words).chunk(0), range(updates + 2))]
    started = 0.0
    for number, batch in enumerate(batches):
        if number == 2:
            started = time.process_time()
        with torch.autocast("cpu", torch.bfloat16):
            loss = model(**batch).loss
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    cpu = (time.process_time() - started) / (updates * BATCH)
    with FlopCounterMode(display=False) as flops, Operators() as operators, torch.autocast("cpu", torch.bfloat16):
        model(**batches[0]).loss.backward()
        optimizer.step()
    return {
        "cpu": cpu, "parameters": model.num_parameters(), "flops": flops.get_total_flops() / BATCH,
        "operators": operators.count,
    }  # fmt: skip


def duplicates(folder: Path) -> dict[str, int]:
    """How many items, and different targets, boards with their answers, and inputs there are in the shards."""
    kinds = {
        "games": ("id",),
        "targets": ("target",),
        "boards with what is done on them": ("before", "after"),
        "dialogues": ("history", "dialogue"),
        "inputs (dialogue, board and pose)": ("history", "dialogue", "before", "pose"),
    }
    counts: dict[str, Counter] = {kind: Counter() for kind in kinds}
    items = 0
    for path in sorted(folder.glob("*.parquet")):
        for group in pq.ParquetFile(path).iter_batches(
            batch_size=2_000, columns=["id", "target", "history", "dialogue", "before", "after", "pose"]
        ):
            rows = group.to_pylist()
            items += len(rows)
            for kind, names in kinds.items():
                counts[kind].update(
                    int.from_bytes(blake2b(repr([_form(row[name]) for name in names]).encode(), digest_size=8).digest())
                    for row in rows
                )
    return {"items": items, **{kind: len(count) for kind, count in counts.items()}}


def _form(value: object) -> object:
    if isinstance(value, str):  # an id
        return value.rpartition("/")[0]
    return sorted(value) if isinstance(value, list) and value and not str(value[0]).startswith("<") else value


def first_items(folder: Path, items: int, into: Path) -> Path:
    """The first shards of a folder with at least so many items, as links; the last is cut."""
    into.mkdir()
    for path in sorted(folder.glob("*.parquet")):
        rows = pq.read_metadata(path).num_rows
        if rows <= items:
            (into / path.name).symlink_to(path.resolve())
        else:
            table = pq.read_table(path).slice(0, items)
            pq.write_table(table, into / path.name, compression="zstd", row_group_size=500)
        items -= min(rows, items)
        if not items:
            break
    return into


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--few", type=int, default=50_000)
    parser.add_argument("--items", type=int, default=60_000, help="items that are waited for")
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--updates", type=int, default=30, help="of the step that learns")
    parser.add_argument("--duplicates", action="store_true")
    parser.add_argument("--only", help=argparse.SUPPRESS)  # one measurement, as JSON: of a process of its own
    chosen = parser.parse_args()
    if chosen.only:
        kind, workers = json.loads(chosen.only)
        result = (
            learned(chosen.folder, chosen.updates)
            if kind == "learned"
            else delivered(kind, chosen.folder, workers, chosen.items)
        )
        print(json.dumps(result))
        return
    console = Console()
    console.width = max(console.width, 130)
    if chosen.duplicates:
        for name, number in duplicates(chosen.folder).items():
            console.print(f"{name}: {number:,}", highlight=False)
        return
    table = Table(title=f"batches of {BATCH} items", title_justify="left", header_style="bold")
    for heading in ("from", "items there", "workers", "opened in s", "first batch s", "items/s", "CPU µs/item",
                    "items/s and core", "peak of a worker MB", "of the main process MB"):  # fmt: skip
        table.add_column(heading, justify="left" if heading == "from" else "right")
    with tempfile.TemporaryDirectory() as elsewhere:
        few = first_items(chosen.folder, chosen.few, Path(elsewhere) / "few")
        rows = [(HELD, few, 1), *(("streamed", few, workers) for workers in chosen.workers)]
        rows += [("streamed", chosen.folder, workers) for workers in chosen.workers]
        rows += [(SIMULATED, chosen.folder, workers) for workers in chosen.workers]
        for kind, folder, workers in rows:
            result = _apart(folder, [kind, workers], chosen.items)
            there = result["items"] or (chosen.few if kind == HELD else 0)
            table.add_row(
                kind, f"{there:,}" if there else "no end", str(workers), f"{result['ready']:.1f}",
                f"{result['first']:.1f}", f"{result['rate']:,.0f}", f"{1e6 * result['cpu']:.0f}",
                f"{1 / result['cpu']:,.0f}", f"{result['worker']:,.0f}", f"{result['main']:,.0f}",
            )  # fmt: skip
        step = _apart(few, ["learned", 0], chosen.updates)
    console.print(table)
    console.print(
        f"a step of pointer.yaml's model ({step['parameters']:,} parameters) takes {1e6 * step['cpu']:,.0f} µs of CPU "
        f"time per item: {1 / step['cpu']:,.0f} items per second and core\n"
        f"it has {step['flops'] / 1e9:.2f} GFLOP per item, and {step['operators']:,.0f} operators per step",
        highlight=False, soft_wrap=True,
    )  # fmt: skip


def _apart(folder: Path, what: list, items: int) -> dict[str, float]:
    command = [sys.executable, __file__, str(folder), "--only", json.dumps(what), "--items", str(items)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(done.stderr)
    return json.loads(done.stdout.splitlines()[-1])


if __name__ == "__main__":
    pa.set_cpu_count(1)
    main()
