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
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from functools import partial
from itertools import islice
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait
from pathlib import Path

import orjson
import pyarrow as pa
import pyarrow.parquet as pq
from filelock import FileLock, Timeout

from bap_v2_dataset.builder import DATA_VERSION, FEATURES, row
from bap_v2_dataset.items import items
from bap_v2_dataset.prompts import PROMPT_VERSION
from bap_v2_simulators.corpora import Planned, games_of
from bap_v2_simulators.settings import settings_of
from bap_v2_simulators.simulation import SPLITS, Simulator, play

_GAMES_PER_CHUNK = 250
KINDS = ("rows", "games")


class GenerationError(ValueError):
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
    progress: Callable[[int, int], None] | None = None,
) -> tuple[int, int]:
    """Writes games to a file and returns (games, items).

    Args:
        simulator: with its settings, e.g. `simulator_of("dr", {"removal": "0.3"})`.
        output: .jsonl or .parquet; replaced if it exists.
        split: whose targets are used.
        games: how many games; or
        n_items: how many items, to the last one.
        seed: any integer.
        kind: "rows" (a row for each item, as in `load_dataset`) or "games" (whole logs; .jsonl only).
        num_proc: processes; the bytes are the same for any number.
        progress: called with the games and items that were written since the last call.
    Raises:
        GenerationError: for a request that makes no sense.
    """
    output = Path(output)
    suffix = output.suffix
    _check(output, split, games, n_items, kind)
    if n_items is None:
        planned: Iterator[Planned] = (Planned(index, -1) for index in range(games))
    else:
        planned = games_of(simulator, split, n_items, seed)
    request = {
        "simulator": simulator.name,
        "version": simulator.version,
        "settings": settings_of(simulator),
        "split": split,
        "games": games,
        "items": n_items,
        "seed": seed,
        "kind": kind,
        "suffix": suffix,
        "data_version": DATA_VERSION,
        "prompt_version": PROMPT_VERSION,
    }
    lock = FileLock(f"{output}.lock", timeout=0)
    try:
        with lock:
            parts = _parts_of(output, request)
            write = partial(_write_chunk, simulator, split, seed, kind)
            made = _write(write, planned, parts, suffix, num_proc, progress)
            (parts / f"joined{suffix}").replace(output)
            shutil.rmtree(parts)
            Path(lock.lock_file).unlink(missing_ok=True)
    except Timeout:
        raise GenerationError(f"another process is writing {output}: wait for it, or choose another name") from None
    return made


def _write(
    write: Callable[[Sequence[Planned], Path], tuple[Path, int, int]],
    planned: Iterator[Planned],
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


def _check(output: Path, split: str, games: int | None, n_items: int | None, kind: str) -> None:
    if output.suffix not in (".jsonl", ".parquet"):
        raise GenerationError(f"{output}: the name must end in .jsonl or .parquet")
    if kind not in KINDS:
        raise GenerationError(f"kind={kind!r}: expected one of {', '.join(KINDS)}")
    if kind == "games" and output.suffix == ".parquet":
        raise GenerationError(f"{output}: games are written as .jsonl (rows also as .parquet)")
    if split not in SPLITS:
        raise GenerationError(f"unknown split {split!r} (expected one of {', '.join(SPLITS)})")
    if (games is None) == (n_items is None) or (games or n_items or 0) < 1:
        raise GenerationError("say how many games or how many items: one of them, at least 1")
    if output.is_dir():
        raise GenerationError(f"{output} is a directory: name a file")
    if not output.absolute().parent.is_dir():
        raise GenerationError(f"there is no directory {output.absolute().parent}")


def _parts_of(output: Path, request: dict) -> Path:
    """The folder of the finished chunks. Its name tells requests apart; those of others are deleted."""
    digest = hashlib.sha256(orjson.dumps(request, option=orjson.OPT_SORT_KEYS)).hexdigest()[:12]
    parts = output.with_name(f"{output.name}.{digest}.unfinished")
    for other in output.parent.glob(f"{glob.escape(output.name)}.*.unfinished"):
        if other != parts:
            shutil.rmtree(other, ignore_errors=True)
    parts.mkdir(exist_ok=True)
    return parts


def _chunks(
    write: Callable[[Sequence[Planned], Path], tuple[Path, int, int]],
    planned: Iterator[Planned],
    parts: Path,
    suffix: str,
    num_proc: int,
) -> Iterator[tuple[Path, int, int]]:
    """(file, games, items) of each chunk, in order."""
    chunks = (
        (chunk, parts / f"{number:06d}{suffix}")
        for number, chunk in enumerate(iter(lambda: tuple(islice(planned, _GAMES_PER_CHUNK)), ()))
    )
    if num_proc == 1:
        for chunk, path in chunks:
            yield write(chunk, path)
        return
    with ProcessPoolExecutor(num_proc, get_context("spawn"), _follow_the_parent) as pool:
        waiting: list[Future] = []
        try:
            for chunk, path in chunks:
                waiting.append(pool.submit(write, chunk, path))
                if len(waiting) > 2 * num_proc:
                    yield waiting.pop(0).result()
            while waiting:
                yield waiting.pop(0).result()
        finally:
            for future in waiting:
                future.cancel()


def _follow_the_parent() -> None:
    """Leaves Ctrl-C to the parent process, and ends when that one ends, however it does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def end_with_the_parent() -> None:
        wait([parent_process().sentinel])
        os._exit(1)

    threading.Thread(target=end_with_the_parent, daemon=True).start()


def _write_chunk(
    simulator: Simulator, split: str, seed: int, kind: str, chunk: Sequence[Planned], path: Path
) -> tuple[Path, int, int]:
    """Plays the games of a chunk and keeps them; a chunk that is there already is not played again."""
    count = path.with_suffix(".count")
    if path.is_file():
        return path, len(chunk), int(count.read_text())
    rows: list[dict] = []
    lines: list[bytes] = []
    made = 0
    for index, turns in chunk:
        game = play(simulator, split, index, seed, turns=None if turns < 0 else turns)
        found = [row(item) for item in items(game)] if kind == "rows" else list(items(game))
        made += len(found)
        if kind == "games":
            lines.append(game.to_json())
        elif path.suffix == ".jsonl":
            lines += [orjson.dumps(one) for one in found]
        else:
            rows += found
    unfinished = path.with_suffix(".writing")
    if path.suffix == ".jsonl":
        unfinished.write_bytes(b"".join(line + b"\n" for line in lines))
    else:
        encoded = [FEATURES.encode_example(one) for one in rows]
        pq.write_table(pa.Table.from_pylist(encoded, schema=FEATURES.arrow_schema), unfinished, compression="zstd")
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
