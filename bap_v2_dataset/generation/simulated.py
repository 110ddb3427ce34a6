"""Simulated games and their rows as files: any number, of any simulator, with any settings.

Games are played in chunks by several processes and each chunk is kept as soon as it is complete, so that a run that is
killed resumes where it stopped; memory does not grow with the number of games. The file appears when it is complete.
Two runs never write the same file at once.
"""

import glob
import hashlib
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import orjson
import pyarrow as pa
import pyarrow.parquet as pq

from bap_v2_dataset.generation.workers import GenerationError, pool_map
from bap_v2_dataset.items import items
from bap_v2_dataset.prompts import PROMPT_VERSION
from bap_v2_dataset.rows import DATA_VERSION, row
from bap_v2_simulators.corpora import GameSpec, games_of
from bap_v2_simulators.game import Game
from bap_v2_simulators.settings import settings_of
from bap_v2_simulators.simulation import SPLITS, play
from bap_v2_simulators.simulator import Simulator
from bap_v2_simulators.whole_files import check_file, only_writer, put, replacing, write_whole

_GAMES_PER_CHUNK = 250
KINDS = ("rows", "games")


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
        output: .jsonl or .parquet. If it holds these games already, it is left as it is.
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
        bap_v2_simulators.whole_files.OutputError: for a file that cannot be made, or that another process writes.
    """
    output = Path(output)
    suffix = output.suffix
    _check(output, kind)
    request = {**request_of(simulator, split, games, n_items, seed), "kind": kind, "suffix": suffix}
    if n_items is None:
        planned: Iterator[GameSpec] = (GameSpec(index, -1) for index in range(games))
    else:
        planned = games_of(simulator, split, n_items, seed)
    with only_writer(output):
        counts = _counts_of_output(output, request, overwrite)
        if counts is None:
            parts = _parts_of(output, request)
            write = partial(_write_chunk, simulator, split, seed, kind)
            counts = _write(write, planned, parts, suffix, num_proc, progress)
            settings = {"request": request, "games": counts[0], "items": counts[1]}
            write_whole(parts / "settings.json", orjson.dumps(settings, option=orjson.OPT_INDENT_2))
            put(parts / f"joined{suffix}", output)
            _finish(output, parts)
    return counts


def _counts_of_output(output: Path, request: dict, overwrite: bool) -> tuple[int, int] | None:
    """(games, items) of the file if it holds what is requested; None if it is to be written."""
    parts = _parts_folder(output, request)
    if (parts / "settings.json").is_file() and not (parts / f"joined{output.suffix}").exists():
        _finish(output, parts)  # killed between the last steps
    if overwrite or not output.exists():
        return None
    try:
        settings = orjson.loads(_settings_file(output).read_bytes())
        earlier = {name: settings["request"].get(name) for name in request}
    except (OSError, ValueError, KeyError, AttributeError):
        raise GenerationError(
            f"{output} exists, and nothing says what it holds: choose another name, or pass --overwrite"
        ) from None
    if earlier != request:
        other = "; ".join(f"{n} {earlier[n]!r}, not {value!r}" for n, value in request.items() if earlier[n] != value)
        raise GenerationError(f"{output} holds other games ({other}): choose another name, or pass --overwrite")
    return settings["games"], settings["items"]


def _finish(output: Path, parts: Path) -> None:
    (parts / "settings.json").replace(_settings_file(output))
    shutil.rmtree(parts)


def _settings_file(output: Path) -> Path:
    return output.with_name(f"{output.name}.settings.json")


def request_of(simulator: Simulator, split: str, games: int | None, n_items: int | None, seed: int) -> dict[str, Any]:
    """All that the rows depend on.

    Raises:
        GenerationError: for an unknown split, or an amount that makes no sense.
    """
    if split not in SPLITS:
        raise GenerationError(f"unknown split {split!r} (expected one of {', '.join(SPLITS)})")
    if (games is None) == (n_items is None) or (games or n_items or 0) < 1:
        raise GenerationError("pass exactly one of --games and --items, at least 1")
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
    from bap_v2_dataset.features import FEATURES  # imports datasets, which JSON lines do without

    # Of `FEATURES.encode_example` only the metadata needs something, and that is a fifth of the time of everything.
    encode = FEATURES["metadata"].encode_example
    encoded = [{**columns, "metadata": encode(columns["metadata"])} for columns in rows]
    return pa.Table.from_pylist(encoded, schema=FEATURES.arrow_schema)


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
    written: list[Path] = []
    for path, n_games, n_items in _chunks(write, planned, parts, suffix, num_proc):
        written.append(path)
        total_games += n_games
        total_items += n_items
        if progress is not None:
            progress(n_games, n_items)
    _join(written, parts / f"joined{suffix}")
    return total_games, total_items


def _check(output: Path, kind: str) -> None:
    if output.suffix not in (".jsonl", ".parquet"):
        raise GenerationError(f"{output}: the name must end in .jsonl or .parquet")
    if kind not in KINDS:
        raise GenerationError(f"kind={kind!r}: expected one of {', '.join(KINDS)}")
    if kind == "games" and output.suffix == ".parquet":
        raise GenerationError(f"{output}: games are written as .jsonl (rows also as .parquet)")
    check_file(output)


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


def _played(simulator: Simulator, split: str, seed: int, chunk: Sequence[GameSpec]) -> Iterator[Game]:
    for index, turns in chunk:
        yield play(simulator, split, index, seed, turns=None if turns < 0 else turns)


def _write_chunk(
    simulator: Simulator, split: str, seed: int, kind: str, job: tuple[Sequence[GameSpec], Path]
) -> tuple[Path, int, int]:
    """Plays the games of a chunk and keeps them; a chunk that an earlier run has kept is not played again."""
    chunk, path = job
    count = path.with_suffix(".count")
    if path.is_file():
        return path, len(chunk), int(count.read_text())
    with replacing(path) as unfinished:
        if kind == "games":
            games = list(_played(simulator, split, seed, chunk))
            n_items = sum(1 for game in games for _ in items(game))
            unfinished.write_bytes(b"".join(game.to_json() + b"\n" for game in games))
        else:
            rows = rows_of(simulator, split, seed, chunk)
            n_items = len(rows)
            if path.suffix == ".jsonl":
                unfinished.write_bytes(b"".join(orjson.dumps(columns) + b"\n" for columns in rows))
            else:
                pq.write_table(table_of(rows), unfinished, compression="zstd")
        write_whole(count, str(n_items).encode())  # first: a chunk that is there has its count
    return path, len(chunk), n_items


def _join(parts: Sequence[Path], joined: Path) -> None:
    if joined.suffix == ".jsonl":
        with open(joined, "wb") as file:
            for part in parts:
                with open(part, "rb") as source:
                    shutil.copyfileobj(source, file)
        return
    from bap_v2_dataset.features import FEATURES

    with pq.ParquetWriter(joined, FEATURES.arrow_schema, compression="zstd") as writer:
        for part in parts:
            writer.write_table(pq.read_table(part))
