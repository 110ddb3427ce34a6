"""Simulated rows as many Parquet files, made by datatrove on this machine, on a Slurm cluster or on Ray.

    FOLDER/dss-train-00000.parquet ...   the shards: runs of equally many games
    FOLDER/manifest.json                 comes last: the request, and games, items, bytes and SHA-256 of each shard
    FOLDER/.generation/                  the request, the shards that are being written, and datatrove's logs

What is in a shard follows from the request alone, so the bytes are the same for any number of tasks, processes and
machines. Task r of n makes the shards r, r + n, r + 2n, ... A shard gets its name when it is whole, and one that is
there is not made again. Tasks have nothing in common but the folder, which all machines must see.
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
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from typing import Any
from uuid import uuid4

import orjson
import pyarrow as pa
import pyarrow.parquet as pq
from datatrove.executor import LocalPipelineExecutor, RayPipelineExecutor, SlurmPipelineExecutor
from datatrove.pipeline.base import PipelineStep
from datatrove.utils.logging import logger
from datatrove.utils.stats import PipelineStats
from filelock import FileLock, Timeout

from bap_v2_dataset.features import FEATURES
from bap_v2_dataset.generation.simulated import GenerationError, chunks, pool_map, request_of, rows_of, table_of
from bap_v2_simulators.corpora import GameSpec
from bap_v2_simulators.simulation import Simulator, streams

EXECUTORS = ("local", "slurm", "ray")
_ITEMS_PER_SHARD = 16_000  # about; 6 to 8 MB
_GAMES_PER_COUNT = 1_000
_FEW_ITEMS = 100_000  # counted sooner than processes are started
_OWN_FOLDER = ".generation"  # a name that `datasets` does not look into
# Options of the executor; whatever else is said goes to sbatch by its name there.
_SLURM_OPTIONS = {"venv": str, "condaenv": str, "env-command": str, "max-array-size": int, "tasks-per-job": int}
_NOT_FOR_SBATCH = {
    "array": "say --tasks",
    "mem": "say mem-per-cpu, which is that of a task unless there are more cpus-per-task",
    "output": "say --logging-dir",
    "error": "say --logging-dir",
}


@dataclass(frozen=True)
class Plan:
    """Which games are in which shard: all that a task has to know."""

    folder: Path
    simulator: Simulator
    split: str
    seed: int
    games: int  # in all
    last_turns: int  # of the last game, that is, items; -1: all
    shard_games: int  # games of a shard

    @property
    def shards(self) -> int:
        """Their number."""
        return -(-self.games // self.shard_games)

    def path(self, shard: int) -> Path:
        """Where a shard is when it is whole."""
        return self.folder / f"{self.simulator.name}-{self.split}-{shard:05d}.parquet"

    def there(self) -> list[int]:
        """The shards that are whole."""
        return [shard for shard in range(self.shards) if rows_in(self.path(shard)) is not None]

    def planned(self, shard: int) -> list[GameSpec]:
        """The games of a shard."""
        first = shard * self.shard_games
        games = [GameSpec(index, -1) for index in range(first, min(first + self.shard_games, self.games))]
        if games[-1].index == self.games - 1:
            games[-1] = GameSpec(self.games - 1, self.last_turns)
        return games


def request_for(
    simulator: Simulator,
    folder: Path,
    *,
    split: str = "train",
    games: int | None = None,
    n_items: int | None = None,
    seed: int = 0,
    shard_games: int | None = None,
) -> dict[str, Any]:
    """The request as its folder keeps it.

    Args:
        simulator: with its settings, e.g. `simulator_of("dr", {"removal": "0.3"})`.
        folder: of the shards; made if it is not there.
        split: whose targets are used.
        games: how many games; or
        n_items: how many items, to the last one.
        seed: any integer.
        shard_games: games of a shard; by default those that have about 16,000 items.
    Raises:
        GenerationError: if it makes no sense, or if the folder holds something else.
    """
    request = request_of(simulator, split, games, n_items, seed)
    if shard_games is not None and shard_games < 1:
        raise GenerationError(f"{shard_games} games a shard: expected at least 1")
    request["shard_games"] = shard_games or _usual_shard_games(simulator, split, seed)
    if folder.suffix in (".jsonl", ".parquet") or folder.is_file():
        raise GenerationError(f"{folder}: name a folder, for there will be many files")
    if not folder.absolute().parent.is_dir():
        raise GenerationError(f"there is no directory {folder.absolute().parent}")
    _check_folder(folder, request)
    return request


def plan_of_request(
    simulator: Simulator,
    folder: Path,
    request: Mapping[str, Any],
    num_proc: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> Plan:
    """The plan of a request of `request_for`; it is kept in the folder, from where on the request belongs to it.

    How many games have so many items is counted by drawing every game's number of turns. That takes 1 (dr), 9 (dss) or
    80 seconds (dsb, where the whole game must be planned) a million items and core; nothing for a number of games.

    Args:
        num_proc: processes that count.
        progress: called with the games and items that were counted since the last call.
    """
    _check_folder(folder, request)
    folder = folder.absolute()
    file = folder / _OWN_FOLDER / "request.json"
    if file.is_file():
        counted = orjson.loads(file.read_bytes())["counted"]
    else:
        games, last_turns = request["games"], -1
        if games is None:
            split, seed, n_items = request["split"], request["seed"], request["items"]
            games, last_turns = _count_games(simulator, split, seed, n_items, num_proc, progress)
        counted = {"games": games, "last_turns": last_turns}
        file.parent.mkdir(parents=True, exist_ok=True)
        with _alone(folder):
            _check_folder(folder, request)  # counting takes a while, and somebody may have come first
            _write_whole(file, orjson.dumps({"request": request, "counted": counted}, option=orjson.OPT_INDENT_2))
    return Plan(folder, simulator, request["split"], request["seed"], **counted, shard_games=request["shard_games"])


def run_here(
    plan: Plan, tasks: int, num_proc: int, logs: Path, progress: Callable[[int, int], None] | None = None
) -> dict[str, Any]:
    """Makes what is missing with processes of this machine, and returns the manifest.

    Args:
        tasks: the parts that are skipped as a whole if they are finished.
        num_proc: processes; the shards are the same for any number of either.
        logs: the folder of datatrove's logs, statistics and marks of finished tasks, see `logs_of`.
        progress: called with the games and items of shards that are there.
    Raises:
        GenerationError: if another process does the same, or if a process was killed.
    """
    executor = _Here([WriteShards(plan)], tasks=tasks, workers=num_proc, logging_dir=str(logs))
    with _alone(plan.folder):
        return _run(plan, executor, progress)


def run_on_ray(
    plan: Plan, tasks: int, at_once: int | None, logs: Path, progress: Callable[[int, int], None] | None = None
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
        with _alone(plan.folder):
            return _run(plan, executor, progress)
    finally:
        if own:
            ray.shutdown()


def submit_to_slurm(plan: Plan, tasks: int, at_once: int | None, logs: Path, options: Mapping[str, str]) -> str | None:
    """Submits a job for what is missing and returns its number; None if nothing is.

    Args:
        at_once: tasks; None: as many as there is room for.
        options: see `slurm_script`.
    Raises:
        GenerationError: if there is no sbatch, or if it refuses.
    """
    check_executor("slurm")
    executor = _slurm([WriteShards(plan)], tasks, at_once, logs, options)
    with _alone(plan.folder):
        _prepare(plan, tasks, logs)
        try:
            executor.launch_job()
        except subprocess.CalledProcessError as error:
            raise GenerationError(
                f"sbatch refused the job (it said why above): {' '.join(map(str, error.cmd))}"
            ) from None
    return None if executor.job_id == -1 else executor.job_id


def check_executor(name: str) -> None:
    """Raises GenerationError if what an executor needs is not here."""
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
    return (chosen or folder / _OWN_FOLDER).absolute() / f"tasks-{tasks}"


def log_to_file(logs: Path) -> None:
    """Sends what datatrove says in this process to a file instead of the screen."""
    logger.remove()
    logger.add(logs / "launch.log")


def rows_in(shard: Path) -> int | None:
    """The items of a shard; None if it is not there, or not whole."""
    try:
        return pq.read_metadata(shard).num_rows
    except (OSError, pa.ArrowInvalid):
        return None


class WriteShards(PipelineStep):
    """The step of datatrove's pipeline: every task makes its shards, and the last one writes the manifest."""

    name = "simulated games"
    type = "BAP v2"

    def __init__(self, plan: Plan):
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
    """datatrove's, with processes of ours: its own outlive a command that is killed, and answer Ctrl-C at length."""

    def run(self) -> None:
        ranks = self.get_incomplete_ranks()
        if not ranks:
            return
        self.save_executor_as_json()
        run = partial(self._run_for_rank, local_rank=1)  # 0 would be the one that reports to the screen
        found = sum(pool_map(run, ranks, self.workers, _say_nothing), start=PipelineStats())
        with self.logging_dir.open("stats.json", "wt") as file:
            found.save_to_disk(file)


def _say_nothing() -> None:
    """datatrove prints the errors of a task; they are in its log file too, and the first one ends the command."""
    sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 (as long as the process lives)


def _slurm(steps: list, tasks: int, at_once: int | None, logs: Path, options: Mapping[str, str]) -> Any:
    chosen = dict(options)
    for name, instead in _NOT_FOR_SBATCH.items():
        if name in chosen:
            raise GenerationError(f"--slurm {name}={chosen[name]}: {instead}")
    if not chosen.get("partition"):
        raise GenerationError("say where the job may run: --slurm partition=NAME")
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


def _run(plan: Plan, executor: Any, progress: Callable[[int, int], None] | None) -> dict[str, Any]:
    _prepare(plan, executor.tasks, Path(executor.logging_dir.path))
    with _watched(plan, progress):
        executor.run()
    manifest = _finish(plan)
    if manifest is None:
        missing = sum(not plan.path(shard).is_file() for shard in range(plan.shards))
        logs = executor.logging_dir.resolve_paths("logs")
        raise GenerationError(
            f"{missing} of {plan.shards} shards are missing: {logs} says why, and the same command goes on"
        )
    return manifest


def _prepare(plan: Plan, tasks: int, logs: Path) -> None:
    """Takes away what is said to be finished and is not, e.g. because shards were deleted."""
    missing = set(range(plan.shards)) - set(plan.there())
    for shard in missing:
        plan.path(shard).unlink(missing_ok=True)
    for rank in {shard % tasks for shard in missing}:
        (logs / "completions" / f"{rank:05d}").unlink(missing_ok=True)
    if missing:
        (plan.folder / "manifest.json").unlink(missing_ok=True)


def _finish(plan: Plan) -> dict[str, Any] | None:
    """The manifest, which is written if it is not there and all shards are; else None."""
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
        "request": _kept_request(plan.folder),
        "games": plan.games,
        "items": sum(shard["items"] for shard in shards),
        "bytes": sum(shard["bytes"] for shard in shards),
        "shards": shards,
    }
    _write_whole(file, orjson.dumps(manifest, option=orjson.OPT_INDENT_2))
    shutil.rmtree(plan.folder / _OWN_FOLDER / "writing", ignore_errors=True)  # what killed tasks left
    return manifest


def _write_shard(plan: Plan, shard: int) -> int:
    """Plays the games of a shard, a chunk at a time, and returns the number of its items."""
    writing = plan.folder / _OWN_FOLDER / "writing"
    writing.mkdir(exist_ok=True)
    unfinished = writing / f"{plan.path(shard).name}.{uuid4().hex}"  # nobody else's, on no machine
    items = 0
    try:
        with pq.ParquetWriter(unfinished, FEATURES.arrow_schema, compression="zstd") as writer:
            for chunk in chunks(plan.planned(shard)):
                rows = rows_of(plan.simulator, plan.split, plan.seed, chunk)
                writer.write_table(table_of(rows))
                items += len(rows)
        _put(unfinished, plan.path(shard))
    except OSError as error:
        if error.filename or not error.errno:
            raise
        raise OSError(error.errno, error.strerror, str(plan.path(shard))) from None  # Arrow does not say which file
    finally:
        unfinished.unlink(missing_ok=True)
    return items


def _write_whole(file: Path, content: bytes) -> None:
    unfinished = file.with_name(f"{file.name}.{uuid4().hex}")
    try:
        unfinished.write_bytes(content)
        _put(unfinished, file)
    finally:
        unfinished.unlink(missing_ok=True)


def _put(unfinished: Path, file: Path) -> None:
    """Gives a file its name when all of it is on the disk: a power cut leaves none that is empty."""
    with open(unfinished, "rb") as opened:
        os.fsync(opened.fileno())
    unfinished.replace(file)


def _kept_request(folder: Path) -> dict[str, Any] | None:
    file = folder / _OWN_FOLDER / "request.json"
    return orjson.loads(file.read_bytes())["request"] if file.is_file() else None


def _check_folder(folder: Path, request: Mapping[str, Any]) -> None:
    """Raises GenerationError if the folder holds something else."""
    kept = _kept_request(folder)
    if kept is None:
        if folder.is_dir() and any(entry.name != _OWN_FOLDER for entry in folder.iterdir()):
            raise GenerationError(f"{folder} has files that are not of this command: name another folder")
    elif kept != request:
        there, here = ({**one, **one["settings"], "settings": None} for one in (kept, request))
        differ = ", ".join(f"{key} {there.get(key)}, not {here[key]}" for key in here if there.get(key) != here[key])
        raise GenerationError(f"{folder} is of another request ({differ}): name another folder, or delete that one")


def _usual_shard_games(simulator: Simulator, split: str, seed: int) -> int:
    """Games with about so many items as a shard shall have: a round number, so that it is the same for most seeds."""
    mean = sum(_turns(simulator, split, seed, 200, 0)) / 200
    return max(100 * round(_ITEMS_PER_SHARD / mean / 100), 100)


def _turns(simulator: Simulator, split: str, seed: int, games: int, first: int) -> list[int]:
    """How many turns each of some games has, in order."""
    return [
        simulator.number_of_turns(streams(simulator, split, seed, index)[0], split)
        for index in range(first, first + games)
    ]


def _count_games(
    simulator: Simulator,
    split: str,
    seed: int,
    n_items: int,
    num_proc: int,
    progress: Callable[[int, int], None] | None,
) -> tuple[int, int]:
    """How many games have so many items together, and how many of them are the last one's (as `games_of` cuts it)."""
    work = partial(_turns, simulator, split, seed, _GAMES_PER_COUNT)
    starts = count(0, _GAMES_PER_COUNT)
    in_one = num_proc == 1 or n_items < _FEW_ITEMS
    games = items = 0
    for found in map(work, starts) if in_one else pool_map(work, starts, num_proc):
        for turns in found:
            games += 1
            if items + turns >= n_items:
                return games, n_items - items
            items += turns
        if progress is not None:
            progress(len(found), sum(found))
    raise AssertionError("there are games without end")


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    try:
        with FileLock(folder / _OWN_FOLDER / "lock", timeout=0):
            yield
    except Timeout:
        raise GenerationError(f"another process is writing {folder}: wait for it, or choose another name") from None


@contextmanager
def _watched(plan: Plan, progress: Callable[[int, int], None] | None) -> Iterator[None]:
    """Reports shards as they appear, whoever makes them, from a thread."""
    if progress is None:
        yield
        return
    missing = set(range(plan.shards))
    stop = threading.Event()

    def look() -> None:
        there = set(os.listdir(plan.folder))
        for shard in [shard for shard in missing if plan.path(shard).name in there]:
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
