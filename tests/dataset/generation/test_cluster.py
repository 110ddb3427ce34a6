"""`bap-v2 generate --engine datatrove`: what is in the shards follows from the request alone, also after a kill."""

import inspect
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import datasets
import orjson
import pyarrow.parquet as pq
import pytest
from case_tables import cases_of
from processes import children, is_running

from bap_v2_dataset import cli
from bap_v2_dataset.generation import simulated
from bap_v2_dataset.generation.plan import ShardPlan, plan_shards, rows_in
from bap_v2_dataset.generation.simulated import write_simulated
from bap_v2_dataset.generation.workers import GenerationError, _ctrl_c_blocked, pool_map
from bap_v2_dataset.items.features import FEATURES
from bap_v2_metric.errors import UserError
from bap_v2_simulators.corpora import SIMULATORS, simulator_of

pytest.importorskip("datatrove", reason="the extra `scale` is not installed")
from datatrove.executor.base import PipelineExecutor

from bap_v2_dataset.generation.cluster import WriteShards

SMALL = {"n_items": 140, "shard_games": 3}


def planned(folder: Path, name: str = "dr", settings: dict | None = None, **request) -> ShardPlan:
    simulator = simulator_of(name, settings)
    return plan_shards(simulator, folder, **request)


def made(folder: Path, tasks: int = 1, name: str = "dr", **request) -> Path:
    """All shards, made by tasks one after the other in this process."""
    plan = planned(folder, name, **request)
    for rank in reversed(range(tasks)):
        WriteShards(plan).run(rank=rank, world_size=tasks)
    return folder


def contents(folder: Path) -> dict[str, bytes]:
    """What is published: not how it came about."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def rows_of(folder: Path) -> list[dict]:
    files = [str(path) for path in sorted(folder.glob("*.parquet"))]
    cache = folder.with_name(f"{folder.name}-cache")
    return datasets.load_dataset("parquet", data_files=files, split="train", cache_dir=str(cache)).to_list()


def command(*arguments: object) -> list[str]:
    return [sys.executable, "-m", "bap_v2_dataset.cli", "generate", *map(str, arguments), "--engine", "datatrove"]


def ran(*arguments: object, **options) -> subprocess.CompletedProcess:
    return subprocess.run(command(*arguments), capture_output=True, text=True, **options)


def wait_for(condition: Callable[[], object], process: subprocess.Popen | None = None) -> None:
    until = time.monotonic() + 60
    while not condition():
        assert process is None or process.poll() is None, "it ended too early"
        assert time.monotonic() < until
        time.sleep(0.005)


# --- What is in the shards.


@pytest.mark.slow
@pytest.mark.parametrize("name", SIMULATORS)
@pytest.mark.parametrize("amount", [{"n_items": 61}, {"games": 9}])
def test_the_rows_are_those_of_the_single_file(name, amount, tmp_path, monkeypatch):
    monkeypatch.setattr(simulated, "_GAMES_PER_CHUNK", 2)  # several chunks in a shard
    folder = made(tmp_path / "shards", 2, name, split="test", seed=3, shard_games=4, **amount)
    n_games, n_items = write_simulated(simulator_of(name), tmp_path / "a.jsonl", split="test", seed=3, **amount)
    rows = [json.loads(line) for line in (tmp_path / "a.jsonl").read_text(encoding="utf-8").splitlines()]
    assert rows_of(folder) == rows and len(rows) == n_items
    manifest = orjson.loads((folder / "manifest.json").read_bytes())
    assert (manifest["games"], manifest["items"]) == (n_games, n_items)


def test_bytes_are_the_same_for_any_number_of_tasks(tmp_path):
    folders = [made(tmp_path / str(tasks), tasks, **SMALL) for tasks in (1, 2, 5)]
    one, two, five = map(contents, folders)
    assert one == two == five and len(one) == 5  # 4 shards and the manifest


def test_the_manifest_describes_the_files_and_comes_last(tmp_path):
    plan = planned(tmp_path / "a", **SMALL)
    WriteShards(plan).run(rank=0, world_size=2)
    assert not (tmp_path / "a" / "manifest.json").exists()
    WriteShards(plan).run(rank=1, world_size=2)
    manifest = orjson.loads((tmp_path / "a" / "manifest.json").read_bytes())
    assert manifest["request"]["items"] == manifest["items"] == sum(shard["items"] for shard in manifest["shards"])
    assert manifest["games"] == sum(shard["games"] for shard in manifest["shards"]) == plan.games
    for shard in manifest["shards"]:
        data = (tmp_path / "a" / shard["file"]).read_bytes()
        assert (shard["bytes"], shard["sha256"]) == (len(data), sha256(data).hexdigest())
        assert shard["items"] == pq.read_metadata(tmp_path / "a" / shard["file"]).num_rows


def test_datasets_reads_files_and_folder_with_the_columns_of_the_published_configs(tmp_path):
    folder = made(tmp_path / "a", **SMALL)
    cache = str(tmp_path / "cache")
    rows = datasets.load_dataset("parquet", data_files=str(folder / "*.parquet"), split="train", cache_dir=cache)
    assert rows.features == FEATURES
    assert rows[7]["metadata"]["plan"]["action"] == "place" and len(rows) == 140
    whole = datasets.load_dataset(str(folder), cache_dir=cache)
    assert whole.num_rows == {"train": 140} and whole["train"].features == FEATURES
    stream = datasets.load_dataset(str(folder), split="train", streaming=True)
    assert next(iter(stream)) == rows[0]


# --- Whole shards are not made again, all others are.


def test_half_a_shard_and_other_leftovers_are_not_shards(tmp_path):
    whole = contents(made(tmp_path / "whole", **SMALL))
    plan = planned(tmp_path / "a", **SMALL)
    (tmp_path / "a" / ".generation" / "writing").mkdir()
    (tmp_path / "a" / ".generation" / "writing" / "dr-train-00001.parquet.0123").write_bytes(b"half")
    plan.path(0).write_bytes(whole["dr-train-00000.parquet"][:-7])
    plan.path(2).touch()
    assert [rows_in(plan.path(shard)) for shard in (0, 2, 3)] == [None] * 3
    WriteShards(plan).run()
    assert contents(tmp_path / "a") == whole
    assert not (tmp_path / "a" / ".generation" / "writing").exists()


def test_an_error_leaves_nothing_behind_and_names_the_file(tmp_path, monkeypatch):
    plan = planned(tmp_path / "a", **SMALL)

    class Full(pq.ParquetWriter):
        def write_table(self, table):
            raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(pq, "ParquetWriter", Full)
        with pytest.raises(OSError, match=r"No space left on device.*dr-train-00000\.parquet"):
            WriteShards(plan).run()
    assert contents(tmp_path / "a") == {} and not list((tmp_path / "a" / ".generation" / "writing").iterdir())


@pytest.mark.slow
def test_a_killed_command_is_resumed_and_its_processes_end_with_it(tmp_path):
    arguments = ("dr", "--games", 900, "--shard-games", 15, "--num-proc", 2)
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    process = subprocess.Popen(command(*arguments, tmp_path / "a"), **quiet)
    wait_for(lambda: len(list(tmp_path.glob("a/*.parquet"))) >= 3, process)
    workers = children(process)
    process.send_signal(signal.SIGKILL)
    process.wait()
    finished = {path.name: path.stat().st_mtime_ns for path in tmp_path.glob("a/*.parquet")}
    assert 3 <= len(finished) < 60 and not (tmp_path / "a" / "manifest.json").exists()
    wait_for(lambda: not any(map(is_running, workers)))
    assert len(workers) >= 2
    done = ran(*arguments, tmp_path / "a")
    assert done.returncode == 0 and "60 files" in done.stdout and " of the files were finished" in done.stdout, done
    assert done.stderr == ""  # nothing of datatrove's
    assert {name: (tmp_path / "a" / name).stat().st_mtime_ns for name in finished} == finished
    assert contents(tmp_path / "a") == contents(made(tmp_path / "b", games=900, shard_games=15))


def kill_oneself(number: int) -> int:
    if number == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


@pytest.mark.slow
def test_a_worker_that_is_killed_is_an_error_that_says_how_to_resume():
    with pytest.raises(GenerationError, match="the same command resumes where it stopped"):
        list(pool_map(kill_oneself, range(3), 1))


def test_canary_datatrove_tells_executors_to_call_run_for_rank():
    """`write_shards` does. If this fails, see how `LocalPipelineExecutor.run` runs a task now."""
    assert "_run_for_rank" in PipelineExecutor.run.__doc__
    assert list(inspect.signature(PipelineExecutor._run_for_rank).parameters)[:3] == ["self", "rank", "local_rank"]


# --- What is refused.
def test_a_folder_is_of_one_request(tmp_path):
    made(tmp_path / "a", **SMALL)
    with pytest.raises(GenerationError, match=r"is of another request \(items 140, not 141, seed 0, not 2\)"):
        planned(tmp_path / "a", n_items=141, seed=2, shard_games=3)
    with pytest.raises(GenerationError, match=r"\(removal 0\.1, not 0\.3\)"):
        planned(tmp_path / "a", settings={"removal": "0.3"}, **SMALL)
    with pytest.raises(GenerationError, match=r"\(simulator dr, not dss"):
        planned(tmp_path / "a", "dss", **SMALL)
    assert planned(tmp_path / "a", **SMALL).shards == 4


@pytest.mark.parametrize(
    ("name", "request_", "complaint"),
    cases_of(__file__, "no_sense"),
)
def test_a_request_that_makes_no_sense_is_refused_and_nothing_is_written(name, request_, complaint, tmp_path):
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").touch()
    (tmp_path / "file").touch()
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(UserError, match=complaint):
        planned(tmp_path / name, **request_)
    assert sorted(tmp_path.rglob("*")) == before


@pytest.fixture
def bap(tmp_path, monkeypatch, capsys):
    """Runs the command in this process and returns (exit code, output, errors); it must not write anything."""

    def run(*arguments: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["bap-v2", "generate", *map(str, arguments)])
        with pytest.raises(SystemExit) as stop:
            cli.main()
        assert list(tmp_path.iterdir()) == []
        return stop.value.code or 0, *capsys.readouterr()

    monkeypatch.chdir(tmp_path)
    return run


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (("--engine", "spark"), "--engine spark: expected datatrove"),
        (("--engine", "datatrove", "--logs"), "whole games are written without --engine"),
        (("--shard-games", "3"), "--shard-games needs --engine datatrove"),
    ],
)
def test_options_that_make_no_sense_are_refused(options, complaint, bap):
    code, out, err = bap("dr", "a", "--games", 5, *options)
    assert (code, out) == (1, "") and err.startswith("error: ") and complaint in err


def test_without_datatrove_the_command_says_what_to_install(bap, monkeypatch):
    monkeypatch.setitem(sys.modules, "datatrove", None)
    for name in [name for name in sys.modules if name.startswith("datatrove.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.delitem(sys.modules, "bap_v2_dataset.generation.cluster")
    monkeypatch.delattr("bap_v2_dataset.generation.cluster")
    code, _, err = bap("dr", "a", "--games", 5, "--engine", "datatrove")
    assert code == 1 and 'error: datatrove is not installed: pip install "datatrove' in err


def test_ctrl_c_waits_until_a_process_has_started_whichever_thread_gets_it():
    ended = threading.Event()
    other = threading.Thread(target=ended.wait)  # a progress bar has one
    other.start()
    try:
        reached = False
        with pytest.raises(KeyboardInterrupt), _ctrl_c_blocked():
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.05)
            reached = True
        assert reached and signal.getsignal(signal.SIGINT) is signal.default_int_handler
        assert not signal.pthread_sigmask(signal.SIG_BLOCK, ())
    finally:
        ended.set()
        other.join()
