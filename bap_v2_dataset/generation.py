"""Simulated games and their rows as files: any number, of any simulator, with any settings.

Games are played in chunks by several processes and each chunk is kept as soon as it is complete, so that a run that is
killed goes on where it stopped; memory does not grow with the number of games. The file appears when it is complete.
"""

import shutil
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from multiprocessing import get_context
from pathlib import Path

import orjson
import pyarrow as pa
import pyarrow.parquet as pq

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
    parts = _parts_of(output, request)
    total_games = total_items = 0
    done: list[Path] = []
    for path, n_games, made in _chunks(simulator, split, seed, kind, planned, parts, suffix, num_proc):
        done.append(path)
        total_games += n_games
        total_items += made
        if progress is not None:
            progress(n_games, made)
    joined = parts / f"joined{suffix}"
    _join(done, joined)
    joined.replace(output)
    shutil.rmtree(parts)
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
    if not output.absolute().parent.is_dir():
        raise GenerationError(f"there is no directory {output.absolute().parent}")


def _parts_of(output: Path, request: dict) -> Path:
    """The folder of the finished chunks; those of another request are deleted."""
    parts = output.with_name(output.name + ".unfinished")
    record = parts / "request.json"
    text = orjson.dumps(request, option=orjson.OPT_SORT_KEYS | orjson.OPT_INDENT_2)
    if not record.is_file() or record.read_bytes() != text:
        shutil.rmtree(parts, ignore_errors=True)
        parts.mkdir()
        record.write_bytes(text)
    return parts


def _chunks(
    simulator: Simulator,
    split: str,
    seed: int,
    kind: str,
    planned: Iterator[Planned],
    parts: Path,
    suffix: str,
    num_proc: int,
) -> Iterator[tuple[Path, int, int]]:
    """(file, games, items) of each chunk, in order."""
    chunks = enumerate(iter(lambda: tuple(islice(planned, _GAMES_PER_CHUNK)), ()))
    if num_proc == 1:
        for number, chunk in chunks:
            yield _write_chunk(simulator, split, seed, kind, chunk, parts / f"{number:06d}{suffix}")
        return
    with ProcessPoolExecutor(num_proc, get_context("spawn"), _leave_interrupts_to_the_parent) as pool:
        waiting: list = []
        try:
            for number, chunk in chunks:
                path = parts / f"{number:06d}{suffix}"
                waiting.append(pool.submit(_write_chunk, simulator, split, seed, kind, chunk, path))
                if len(waiting) > 2 * num_proc:
                    yield waiting.pop(0).result()
            while waiting:
                yield waiting.pop(0).result()
        finally:
            for future in waiting:
                future.cancel()


def _leave_interrupts_to_the_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _write_chunk(
    simulator: Simulator, split: str, seed: int, kind: str, chunk: Sequence[Planned], path: Path
) -> tuple[Path, int, int]:
    """Plays the games of a chunk and keeps them; a chunk that is there already is not played again."""
    count = path.with_suffix(".count")
    if path.is_file() and count.is_file():
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
    unfinished.replace(path)
    count.write_text(str(made))
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
