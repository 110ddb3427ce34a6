"""Simulated rows as many Parquet files, made by datatrove on this machine, on a Slurm cluster or on Ray.

    FOLDER/dss-train-00000.parquet ...   the shards: runs of equally many games
    FOLDER/manifest.json                 comes last: the request, and games, items, bytes and SHA-256 of each shard
    FOLDER/.generation/                  the request, the shards that are being written, and datatrove's logs

What is in a shard follows from the request alone, so the bytes are the same for any number of tasks, processes and
machines. Task r of n makes the shards r, r + n, r + 2n, ... A shard gets its name when it is whole, and one that
is whole is not made again. Tasks have nothing in common but the folder, which all machines must see.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import orjson
import pyarrow.parquet as pq
from datatrove.executor import LocalPipelineExecutor, RayPipelineExecutor, SlurmPipelineExecutor
from datatrove.pipeline.base import PipelineStep
from datatrove.utils.logging import logger
from datatrove.utils.stats import PipelineStats

from bap_v2_dataset.generation.plan import OWN_FOLDER, ShardPlan, alone, recorded, rows_in
from bap_v2_dataset.generation.resumable_chunks import table_of
from bap_v2_dataset.generation.simulated import chunks, rows_of
from bap_v2_dataset.generation.workers import GenerationError, pool_map
from bap_v2_dataset.items.features import FEATURES
from bap_v2_simulators.atomic_files import atomic_path, atomic_write

EXECUTORS = ("local", "slurm", "ray")
# Options of the executor; all others go to sbatch by their names there.
_SLURM_OPTIONS = {"venv": str, "condaenv": str, "env-command": str, "max-array-size": int, "tasks-per-job": int}
_NOT_FOR_SBATCH = {
    "array": "pass --tasks",
    "mem": "pass mem-per-cpu, which is that of a task unless there are more cpus-per-task",
    "output": "pass --logging-dir",
    "error": "pass --logging-dir",
}


def run_here(
    plan: ShardPlan, tasks: int, num_proc: int, logs: Path, progress: Callable[[int, int], None] | None = None
) -> dict[str, Any]:
    """Makes what is missing with processes of this machine, and returns the manifest.

    Args:
        tasks: the parts that are skipped as a whole if they are finished.
        num_proc: processes; the shards are the same for any number of either.
        logs: the folder of datatrove's logs, statistics and marks of finished tasks, see `logs_of`.
        progress: called with the games and items of shards that are whole.
    Raises:
        GenerationError: if a process was killed.
        bap_v2_simulators.atomic_files.OutputError: if another process writes the folder.
    """
    executor = _Here([WriteShards(plan)], tasks=tasks, workers=num_proc, logging_dir=str(logs))
    with alone(plan.folder):
        return _run(plan, executor, progress)


def run_on_ray(
    plan: ShardPlan, tasks: int, at_once: int | None, logs: Path, progress: Callable[[int, int], None] | None = None
) -> dict[str, Any]:
    """Makes what is missing on the Ray cluster of RAY_ADDRESS, else on one of this machine; returns the manifest.

    Args:
        at_once: tasks; None: as many as there is room for.
    Raises:
        GenerationError: if Ray is not installed, or if tasks failed.
    """
    check_executor("ray")
    import ray

    own = not ray.is_initialized()
    if own:
        ray.init(logging_level="ERROR", log_to_driver=False, include_dashboard=False)
    try:
        steps = [WriteShards(plan)]
        executor = RayPipelineExecutor(
            steps, tasks=tasks, workers=at_once or -1, logging_dir=str(logs), mem_per_cpu_gb=1
        )
        with alone(plan.folder):
            return _run(plan, executor, progress)
    finally:
        if own:
            ray.shutdown()


def submit_to_slurm(
    plan: ShardPlan, tasks: int, at_once: int | None, logs: Path, options: Mapping[str, str]
) -> str | None:
    """Submits a job for what is missing and returns its number; None if nothing is.

    Args:
        at_once: tasks; None: as many as there is room for.
        options: see `slurm_script`.
    Raises:
        GenerationError: if there is no sbatch, or if it refuses.
    """
    check_executor("slurm")
    executor = _slurm([WriteShards(plan)], tasks, at_once, logs, options)
    with alone(plan.folder):
        _prepare(plan, tasks, logs)
        try:
            executor.launch_job()
        except subprocess.CalledProcessError as error:
            raise GenerationError(
                f"sbatch refused the job (its reason is above): {' '.join(map(str, error.cmd))}"
            ) from None
    return None if executor.job_id == -1 else executor.job_id


def check_executor(name: str) -> None:
    """Raises GenerationError if what an executor needs is not installed."""
    if name == "ray" and find_spec("ray") is None:
        raise GenerationError('Ray is not installed: pip install "ray[default]"')
    if name == "slurm" and shutil.which("sbatch") is None:
        raise GenerationError(
            "there is no sbatch on the PATH: run this where Slurm's commands are; --dry-run shows the script anywhere"
        )


def slurm_script(tasks: int, at_once: int | None, logs: Path, options: Mapping[str, str]) -> str:
    """The script that `submit_to_slurm` would give to sbatch; nothing is written.

    Args:
        options: by their long names those of sbatch ("partition", "time", "mem-per-cpu", "account", ...), and of
            datatrove: "venv" (by default the one of this command), "condaenv" or "env-command"; "max-array-size";
            "tasks-per-job".
    Raises:
        GenerationError: for options that make no sense.
    """
    executor = _slurm([], tasks, at_once, logs, options)
    missing = len(executor.get_incomplete_ranks())
    jobs = min(-(-missing // executor.tasks_per_job), executor.max_array_size)
    slurm_logs = str(executor.slurm_logs_folder)
    with tempfile.TemporaryDirectory() as elsewhere:  # datatrove makes this folder
        executor.slurm_logs_folder = elsewhere
        arguments = executor.get_sbatch_args(max(jobs, 1))
    for name in ("output", "error"):
        arguments[name] = arguments[name].replace(elsewhere, slurm_logs)
    pickled = executor.logging_dir.resolve_paths("executor.pik")
    return executor.get_launch_file_contents(arguments, f"srun  -l -n 1 launch_pickled_pipeline {pickled}")


def logs_of(folder: Path, tasks: int, chosen: Path | None = None) -> Path:
    """The folder of datatrove's logs; which tasks are finished says something only about this number of tasks."""
    return (chosen or folder / OWN_FOLDER).absolute() / f"tasks-{tasks}"


def log_to_file(logs: Path) -> None:
    """Sends datatrove's messages in this process to a file instead of the screen."""
    logger.remove()
    logger.add(logs / "launch.log")


class WriteShards(PipelineStep):
    """The step of datatrove's pipeline: every task makes its shards, and the last one writes the manifest."""

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


class _Here(LocalPipelineExecutor):
    """datatrove's, with processes of ours: its own outlive a command that is killed, and answer Ctrl-C at length.

    `_run_for_rank` is not public, but it is what datatrove tells the `run` of every executor to call.
    """

    def run(self) -> None:
        ranks = self.get_incomplete_ranks()
        if not ranks:
            return
        self.save_executor_as_json()
        run = partial(self._run_for_rank, local_rank=1)  # 0 would be the one that reports to the screen
        stats = sum(pool_map(run, ranks, self.workers, _silence), start=PipelineStats())
        with self.logging_dir.open("stats.json", "wt") as file:
            stats.save_to_disk(file)


def _silence() -> None:
    """datatrove prints the errors of a task; they are in its log file too, and the first one ends the command."""
    sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 (as long as the process lives)


def _slurm(steps: list, tasks: int, at_once: int | None, logs: Path, options: Mapping[str, str]) -> Any:
    chosen = dict(options)
    for name, instead in _NOT_FOR_SBATCH.items():
        if name in chosen:
            raise GenerationError(f"--slurm {name}={chosen[name]}: {instead}")
    if not chosen.get("partition"):
        raise GenerationError("name the partition of the job: --slurm partition=NAME")
    own = {}
    for name in _SLURM_OPTIONS.keys() & chosen.keys():
        text = chosen.pop(name)
        if _SLURM_OPTIONS[name] is int and not (text.isdecimal() and int(text) > 0):
            raise GenerationError(f"--slurm {name}={text}: expected a whole number, at least 1")
        own[name.replace("-", "_")] = _SLURM_OPTIONS[name](text)
    venv = own.pop("venv", None)
    if venv is None and sys.prefix != sys.base_prefix and not {"condaenv", "env_command"} & own.keys():
        venv = sys.prefix
    if venv is not None:
        own["venv_path"] = Path(venv).absolute() / "bin" / "activate"
    return SlurmPipelineExecutor(
        steps,
        tasks,
        time=chosen.pop("time", "04:00:00"),
        partition=chosen.pop("partition"),
        job_name=chosen.pop("job-name", "bap-v2"),
        qos=chosen.pop("qos", None),
        workers=at_once or -1,
        logging_dir=str(logs),
        sbatch_args=chosen,
        **own,
    )


def _run(plan: ShardPlan, executor: Any, progress: Callable[[int, int], None] | None) -> dict[str, Any]:
    _prepare(plan, executor.tasks, Path(executor.logging_dir.path))
    with _watched(plan, progress):
        executor.run()
    manifest = _finish(plan)
    if manifest is None:
        missing = sum(not plan.path(shard).is_file() for shard in range(plan.shards))
        logs = executor.logging_dir.resolve_paths("logs")
        raise GenerationError(
            f"{missing} of {plan.shards} shards are missing: {logs} says why, and the same command makes them"
        )
    return manifest


def _prepare(plan: ShardPlan, tasks: int, logs: Path) -> None:
    """Deletes the marks of tasks that are not finished any more, e.g. because shards were deleted."""
    missing = set(range(plan.shards)) - set(plan.finished())
    for shard in missing:
        plan.path(shard).unlink(missing_ok=True)
    for rank in {shard % tasks for shard in missing}:
        (logs / "completions" / f"{rank:05d}").unlink(missing_ok=True)
    if missing:
        (plan.folder / "manifest.json").unlink(missing_ok=True)


def _finish(plan: ShardPlan) -> dict[str, Any] | None:
    """The manifest, which is written as soon as all shards are whole; until then None."""
    file = plan.folder / "manifest.json"
    if file.is_file():
        return orjson.loads(file.read_bytes())
    paths = [plan.path(shard) for shard in range(plan.shards)]
    rows = [rows_in(path) for path in paths]
    if None in rows:
        return None
    shards = []
    for number, path in enumerate(paths):
        with open(path, "rb") as opened:
            digest = hashlib.file_digest(opened, "sha256").hexdigest()
        games = len(plan.planned(number))
        sizes = {"games": games, "items": rows[number], "bytes": path.stat().st_size}
        shards.append({"file": path.name, **sizes, "sha256": digest})
    manifest = {
        "request": recorded(plan.folder)["request"],
        "games": plan.games,
        "items": sum(shard["items"] for shard in shards),
        "bytes": sum(shard["bytes"] for shard in shards),
        "shards": shards,
    }
    atomic_write(file, orjson.dumps(manifest, option=orjson.OPT_INDENT_2))
    shutil.rmtree(plan.folder / OWN_FOLDER / "writing", ignore_errors=True)  # what killed tasks left
    return manifest


def _write_shard(plan: ShardPlan, shard: int) -> int:
    """Plays the games of a shard, a chunk at a time, and returns the number of its items."""
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


@contextmanager
def _watched(plan: ShardPlan, progress: Callable[[int, int], None] | None) -> Iterator[None]:
    """Reports shards as they appear, whoever makes them, from a thread."""
    if progress is None:
        yield
        return
    missing = set(range(plan.shards))
    stop = threading.Event()

    def look() -> None:
        names = set(os.listdir(plan.folder))
        for shard in [shard for shard in missing if plan.path(shard).name in names]:
            missing.discard(shard)
            progress(len(plan.planned(shard)), rows_in(plan.path(shard)) or 0)

    def watch() -> None:
        while not stop.wait(0.3):
            look()

    look()
    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        stop.set()
        watcher.join()
        look()
