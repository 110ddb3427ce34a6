"""Simulated games and their rows as files: any number, of any simulator, with any settings.

Games are played in chunks by several processes and each chunk is kept as soon as it is complete, so that a run that is
killed goes on where it stopped; memory does not grow with the number of games. The file appears when it is complete.
Two runs never write the same file at once.
"""

import glob
import hashlib
import os
import shutil
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from itertools import islice
from multiprocessing import active_children, get_context, parent_process
from multiprocessing.connection import wait
from pathlib import Path
from typing import Any, TypeVar

import orjson
import pyarrow as pa
import pyarrow.parquet as pq
from filelock import FileLock, Timeout

from bap_v2_dataset.features import FEATURES
from bap_v2_dataset.items import items
from bap_v2_dataset.prompts import PROMPT_VERSION
from bap_v2_dataset.rows import DATA_VERSION, row
from bap_v2_metric.errors import UserError
from bap_v2_simulators.corpora import GameSpec, games_of
from bap_v2_simulators.game import Game
from bap_v2_simulators.settings import settings_of
from bap_v2_simulators.simulation import SPLITS, Simulator, play

_GAMES_PER_CHUNK = 250
KINDS = ("rows", "games")
T = TypeVar("T")


class GenerationError(UserError):
    """A request that cannot be carried out; the message says what to change."""


def write_simulated(
    simulator: Simulator,
    output: Path,
    *,
    split: str = "train",
    games: int | None = None,
    n_items: int | None = None,
    seed: int = 0,
    kind: str = "rows",
    num_proc: int = 1,
    overwrite: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[int, int]:
    """Writes games to a file and returns (games, items); `<output>.settings.json` beside it says what they are.

    Args:
        simulator: with its settings, e.g. `simulator_of("dr", {"removal": "0.3"})`.
        output: .jsonl or .parquet. If it is there with these games already, it is left as it is.
        split: whose targets are used.
        games: how many games; or
        n_items: how many items, to the last one.
        seed: any integer.
        kind: "rows" (a row for each item, as in `load_dataset`) or "games" (whole logs; .jsonl only).
        num_proc: processes; the bytes are the same for any number.
        overwrite: replace a file that holds anything else.
        progress: called with the games and items that were written since the last call.
    Raises:
        GenerationError: for a request that makes no sense, and for a file that holds something else.
    """
    output = Path(output)
    suffix = output.suffix
    _check(output, kind)
    request = {**request_of(simulator, split, games, n_items, seed), "kind": kind, "suffix": suffix}
    if n_items is None:
        planned: Iterator[GameSpec] = (GameSpec(index, -1) for index in range(games))
    else:
        planned = games_of(simulator, split, n_items, seed)
    lock = FileLock(f"{output}.lock", timeout=0)
    try:
        with lock:
            made = _there(output, request, overwrite)
            if made is None:
                parts = _parts_of(output, request)
                write = partial(_write_chunk, simulator, split, seed, kind)
                made = _write(write, planned, parts, suffix, num_proc, progress)
                _write_settings(parts / "settings.json", request, made)
                (parts / f"joined{suffix}").replace(output)
                _finish(output, parts)
            Path(lock.lock_file).unlink(missing_ok=True)
    except Timeout:
        raise GenerationError(f"another process is writing {output}: wait for it, or choose another name") from None
    return made


def _there(output: Path, request: dict, overwrite: bool) -> tuple[int, int] | None:
    """(games, items) of the file if it holds what is asked for; None if it is to be written."""
    parts = _parts_folder(output, request)
    if (parts / "settings.json").is_file() and not (parts / f"joined{output.suffix}").exists():
        _finish(output, parts)  # killed between the last steps
    if overwrite or not output.exists():
        return None
    try:
        found = orjson.loads(_settings_file(output).read_bytes())
        there = {name: found["request"].get(name) for name in request}
    except (OSError, ValueError, KeyError, AttributeError):
        raise GenerationError(
            f"{output} is there already, and nothing says what it holds: choose another name, or pass --overwrite"
        ) from None
    if there != request:
        other = "; ".join(f"{n} {there[n]!r}, not {value!r}" for n, value in request.items() if there[n] != value)
        raise GenerationError(f"{output} holds other games ({other}): choose another name, or pass --overwrite")
    return found["games"], found["items"]


def _finish(output: Path, parts: Path) -> None:
    (parts / "settings.json").replace(_settings_file(output))
    shutil.rmtree(parts)


def _settings_file(output: Path) -> Path:
    return output.with_name(f"{output.name}.settings.json")


def _write_settings(path: Path, request: dict, made: tuple[int, int]) -> None:
    record = {"request": request, "games": made[0], "items": made[1]}
    unfinished = path.with_suffix(".writing")
    unfinished.write_bytes(orjson.dumps(record, option=orjson.OPT_INDENT_2))
    unfinished.replace(path)


def request_of(simulator: Simulator, split: str, games: int | None, n_items: int | None, seed: int) -> dict[str, Any]:
    """All that the rows depend on.

    Raises:
        GenerationError: for an unknown split, or an amount that makes no sense.
    """
    if split not in SPLITS:
        raise GenerationError(f"unknown split {split!r} (expected one of {', '.join(SPLITS)})")
    if (games is None) == (n_items is None) or (games or n_items or 0) < 1:
        raise GenerationError("say how many games or how many items: one of them, at least 1")
    return {
        "simulator": simulator.name,
        "version": simulator.version,
        "settings": settings_of(simulator),
        "split": split,
        "games": games,
        "items": n_items,
        "seed": seed,
        "data_version": DATA_VERSION,
        "prompt_version": PROMPT_VERSION,
    }


def chunks(planned: Iterable[GameSpec]) -> Iterator[tuple[GameSpec, ...]]:
    """The games in runs that are played and kept together."""
    games = iter(planned)
    return iter(lambda: tuple(islice(games, _GAMES_PER_CHUNK)), ())


def rows_of(simulator: Simulator, split: str, seed: int, chunk: Sequence[GameSpec]) -> list[dict]:
    """Plays games and returns the rows of their items, in order."""
    return [row(item) for game in _played(simulator, split, seed, chunk) for item in items(game)]


def table_of(rows: Sequence[dict]) -> pa.Table:
    """Rows as Arrow; written as Parquet, the table carries the features with it."""
    # Of `FEATURES.encode_example` only the metadata needs something, and that is a fifth of the time of everything.
    encode = FEATURES["metadata"].encode_example
    encoded = [{**one, "metadata": encode(one["metadata"])} for one in rows]
    return pa.Table.from_pylist(encoded, schema=FEATURES.arrow_schema)


def pool_map(
    work: Callable[[T], Any], jobs: Iterable[T], num_proc: int, prepare: "Callable[[], None] | None" = None
) -> Iterator[Any]:
    """The results of the jobs, in order, from several processes; few jobs are taken from the iterator in advance.

    The processes end at once if the caller stops or is interrupted, and also if it is killed.

    Args:
        prepare: called in each process before its first job; a function of a module.
    Raises:
        GenerationError: if a process was killed.
    """
    others = set(active_children())
    with ProcessPoolExecutor(num_proc, get_context("spawn"), _follow_the_parent, (prepare,)) as pool:
        waiting: deque[Future] = deque()
        try:
            for job in jobs:
                waiting.append(pool.submit(work, job))
                if len(waiting) > 2 * num_proc:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        except BrokenProcessPool:
            raise GenerationError(
                "a process was killed, perhaps because memory ran out: the same command resumes where it stopped; "
                "fewer processes (--num-proc) need less"
            ) from None
        except BaseException:
            for future in waiting:
                future.cancel()
            for process in set(active_children()) - others:
                process.terminate()
            raise


def _write(
    write: Callable[[tuple[Sequence[GameSpec], Path]], tuple[Path, int, int]],
    planned: Iterator[GameSpec],
    parts: Path,
    suffix: str,
    num_proc: int,
    progress: Callable[[int, int], None] | None,
) -> tuple[int, int]:
    """Writes all chunks, joins them, and returns (games, items)."""
    total_games = total_items = 0
    done: list[Path] = []
    for path, n_games, n_items in _chunks(write, planned, parts, suffix, num_proc):
        done.append(path)
        total_games += n_games
        total_items += n_items
        if progress is not None:
            progress(n_games, n_items)
    _join(done, parts / f"joined{suffix}")
    return total_games, total_items


def _check(output: Path, kind: str) -> None:
    if output.suffix not in (".jsonl", ".parquet"):
        raise GenerationError(f"{output}: the name must end in .jsonl or .parquet")
    if kind not in KINDS:
        raise GenerationError(f"kind={kind!r}: expected one of {', '.join(KINDS)}")
    if kind == "games" and output.suffix == ".parquet":
        raise GenerationError(f"{output}: games are written as .jsonl (rows also as .parquet)")
    if output.is_dir():
        raise GenerationError(f"{output} is a directory: name a file")
    if not output.absolute().parent.is_dir():
        raise GenerationError(f"there is no directory {output.absolute().parent}")


def _parts_folder(output: Path, request: dict) -> Path:
    """The folder of the finished chunks. Its name tells requests apart."""
    digest = hashlib.sha256(orjson.dumps(request, option=orjson.OPT_SORT_KEYS)).hexdigest()[:12]
    return output.with_name(f"{output.name}.{digest}.unfinished")


def _parts_of(output: Path, request: dict) -> Path:
    """The same, made; those of other requests are deleted."""
    parts = _parts_folder(output, request)
    for other in output.parent.glob(f"{glob.escape(output.name)}.*.unfinished"):
        if other != parts:
            shutil.rmtree(other, ignore_errors=True)
    parts.mkdir(exist_ok=True)
    return parts


def _chunks(
    write: Callable[[tuple[Sequence[GameSpec], Path]], tuple[Path, int, int]],
    planned: Iterator[GameSpec],
    parts: Path,
    suffix: str,
    num_proc: int,
) -> Iterator[tuple[Path, int, int]]:
    """(file, games, items) of each chunk, in order."""
    jobs = ((chunk, parts / f"{number:06d}{suffix}") for number, chunk in enumerate(chunks(planned)))
    yield from map(write, jobs) if num_proc == 1 else pool_map(write, jobs, num_proc)


def _follow_the_parent(prepare: "Callable[[], None] | None") -> None:
    """Leaves Ctrl-C to the parent process, and ends when that one ends, however it does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def end_with_the_parent() -> None:
        wait([parent_process().sentinel])
        os._exit(1)

    threading.Thread(target=end_with_the_parent, daemon=True).start()
    if prepare is not None:
        prepare()


def _played(simulator: Simulator, split: str, seed: int, chunk: Sequence[GameSpec]) -> Iterator[Game]:
    for index, turns in chunk:
        yield play(simulator, split, index, seed, turns=None if turns < 0 else turns)


def _write_chunk(
    simulator: Simulator, split: str, seed: int, kind: str, job: tuple[Sequence[GameSpec], Path]
) -> tuple[Path, int, int]:
    """Plays the games of a chunk and keeps them; a chunk that is there already is not played again."""
    chunk, path = job
    count = path.with_suffix(".count")
    if path.is_file():
        return path, len(chunk), int(count.read_text())
    unfinished = path.with_suffix(".writing")
    if kind == "games":
        games = list(_played(simulator, split, seed, chunk))
        made = sum(1 for game in games for _ in items(game))
        unfinished.write_bytes(b"".join(game.to_json() + b"\n" for game in games))
    else:
        rows = rows_of(simulator, split, seed, chunk)
        made = len(rows)
        if path.suffix == ".jsonl":
            unfinished.write_bytes(b"".join(orjson.dumps(one) + b"\n" for one in rows))
        else:
            pq.write_table(table_of(rows), unfinished, compression="zstd")
    counted = path.with_suffix(".counting")
    counted.write_text(str(made))
    counted.replace(count)
    unfinished.replace(path)
    return path, len(chunk), made


def _join(parts: Sequence[Path], joined: Path) -> None:
    if joined.suffix == ".jsonl":
        with open(joined, "wb") as file:
            for part in parts:
                with open(part, "rb") as source:
                    shutil.copyfileobj(source, file)
        return
    with pq.ParquetWriter(joined, FEATURES.arrow_schema, compression="zstd") as writer:
        for part in parts:
            writer.write_table(pq.read_table(part))
