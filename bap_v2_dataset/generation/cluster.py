"""Simulated rows as many Parquet files, made by datatrove.

    FOLDER/dss-train-00000.parquet ...   the shards: runs of equally many games
    FOLDER/manifest.json                 comes last: the request, and games, items, bytes and SHA-256 of each shard
    FOLDER/.generation/                  the request, the shards that are being written, and datatrove's logs

What is in a shard follows from the request alone, so the bytes are the same for any number of tasks, processes and
machines. A shard gets its name when it is whole, and one that is whole is not made again. `write_shards` uses this
machine; datatrove's executors for Slurm and Ray run the step `WriteShards` on many, which must all see the folder.
"""

import hashlib
import os
import shutil
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

import orjson
import pyarrow.parquet as pq
from datatrove.executor import LocalPipelineExecutor
from datatrove.pipeline.base import PipelineStep

from bap_v2_dataset.generation.plan import OWN_FOLDER, ShardPlan, folder_lock, read_record, rows_in
from bap_v2_dataset.generation.resumable_chunks import table_of
from bap_v2_dataset.generation.simulated import chunks, rows_of
from bap_v2_dataset.generation.workers import pool_map
from bap_v2_dataset.items.features import FEATURES
from bap_v2_simulators.atomic_files import atomic_path, atomic_write


def write_shards(
    plan: ShardPlan, num_proc: int, progress: Callable[[int, int], None] = lambda games, items: None
) -> dict[str, Any]:
    """Make what is missing with processes of this machine, and return the manifest.

    Args:
        num_proc: processes; the shards are the same for any number.
        progress: called with the games and items of shards that are whole.
    Raises:
        GenerationError: if a process was killed.
        bap_v2_simulators.atomic_files.OutputError: if another process writes the folder.
    """
    logs = plan.folder / OWN_FOLDER
    # A task for each shard. Which are finished the shards themselves say, not datatrove's marks.
    executor = LocalPipelineExecutor([WriteShards(plan)], plan.shards, logging_dir=str(logs), skip_completed=False)
    with folder_lock(plan.folder):
        finished = plan.finished()
        for shard in finished:
            progress(len(plan.planned(shard)), rows_in(plan.path(shard)))
        missing = sorted(set(range(plan.shards)) - set(finished))
        if missing:
            (plan.folder / "manifest.json").unlink(missing_ok=True)
        # Processes of ours: datatrove's outlive a command that is killed, and answer Ctrl-C at length. `_run_for_rank`
        # is not public, but it is what datatrove tells every executor to call; rank 0 would report to the screen.
        run = partial(executor._run_for_rank, local_rank=1)
        for shard, _ in zip(missing, pool_map(run, missing, num_proc, _silence), strict=True):
            progress(len(plan.planned(shard)), rows_in(plan.path(shard)))
        return _finish(plan)


class WriteShards(PipelineStep):
    """The step of datatrove's pipeline: task r of n makes the shards r, r + n, ...; the last one, the manifest too."""

    name = "simulated games"
    type = "BAP v2"

    def __init__(self, plan: ShardPlan):
        super().__init__()
        self.plan = plan

    def run(self, data: Any = None, rank: int = 0, world_size: int = 1) -> None:
        for shard in range(rank, self.plan.shards, world_size):
            if rows_in(self.plan.path(shard)) is None:
                with self.track_time("shard"):
                    items = _write_shard(self.plan, shard)
                self.stat_update("items", value=items, unit="shard")
        _finish(self.plan)


def _silence() -> None:
    """Discard what datatrove prints of errors; they are in its log file too, and the first one ends the command."""
    sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 (as long as the process lives)


def _write_shard(plan: ShardPlan, shard: int) -> int:
    """Play the games of a shard, a chunk at a time, and return the number of its items."""
    writing = plan.folder / OWN_FOLDER / "writing"
    writing.mkdir(exist_ok=True)
    items = 0
    with (
        atomic_path(plan.path(shard), folder=writing) as unfinished,
        pq.ParquetWriter(unfinished, FEATURES.arrow_schema, compression="zstd") as writer,
    ):
        for chunk in chunks(plan.planned(shard)):
            rows = rows_of(plan.simulator, plan.split, plan.seed, chunk)
            writer.write_table(table_of(rows))
            items += len(rows)
    return items


def _finish(plan: ShardPlan) -> dict[str, Any] | None:
    """Return the manifest, which is written as soon as all shards are whole; until then None."""
    file = plan.folder / "manifest.json"
    if file.is_file():
        return orjson.loads(file.read_bytes())
    # The last shard is mostly the last one made: a quick look, since every task ends with this.
    paths = [plan.path(shard) for shard in range(plan.shards)]
    if not paths[-1].is_file() or None in (rows := [rows_in(path) for path in paths]):
        return None
    # Describe each file.
    shards = []
    for number, path in enumerate(paths):
        with open(path, "rb") as opened:
            digest = hashlib.file_digest(opened, "sha256").hexdigest()
        games = len(plan.planned(number))
        sizes = {"games": games, "items": rows[number], "bytes": path.stat().st_size}
        shards.append({"file": path.name, **sizes, "sha256": digest})
    # Add what they have in all, and remove what killed tasks left.
    manifest = {
        "request": read_record(plan.folder)["request"],
        "games": plan.games,
        "items": sum(shard["items"] for shard in shards),
        "bytes": sum(shard["bytes"] for shard in shards),
        "shards": shards,
    }
    atomic_write(file, orjson.dumps(manifest, option=orjson.OPT_INDENT_2))
    shutil.rmtree(plan.folder / OWN_FOLDER / "writing", ignore_errors=True)
    return manifest
