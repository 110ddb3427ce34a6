"""Simulated games and their rows as files: any number, of any simulator, with any settings.

Games are played in chunks by several processes and each chunk is kept as soon as it is complete, so that a run that is
killed resumes where it stopped; memory does not grow with the number of games. The file appears when it is complete.
Two runs never write the same file at once.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from bap_v2_dataset.generation.kept_chunks import (
    check_suffix,
    finished_settings,
    parts_of,
    put_together,
    write_rows,
)
from bap_v2_dataset.generation.workers import GenerationError, pool_map
from bap_v2_dataset.tasks.building.items import items
from bap_v2_dataset.tasks.building.prompts import PROMPT_VERSION
from bap_v2_dataset.tasks.building.rows import DATA_VERSION, row
from bap_v2_simulators.corpora import GameSpec, games_of
from bap_v2_simulators.game import Game
from bap_v2_simulators.settings import settings_of
from bap_v2_simulators.simulation import SPLITS, play
from bap_v2_simulators.simulator import Simulator
from bap_v2_simulators.whole_files import check_file, only_writer, replacing, write_whole

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
        settings = finished_settings(output, request, overwrite, "games")
        if settings is None:
            parts = parts_of(output, request)
            write = partial(_write_chunk, simulator, split, seed, kind)
            written, n_games, n_items = _write(write, planned, parts, suffix, num_proc, progress)
            settings = {"request": request, "games": n_games, "items": n_items}
            put_together(written, parts, output, settings)
    return settings["games"], settings["items"]


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


def _write(
    write: Callable[[tuple[Sequence[GameSpec], Path]], tuple[Path, int, int]],
    planned: Iterator[GameSpec],
    parts: Path,
    suffix: str,
    num_proc: int,
    progress: Callable[[int, int], None] | None,
) -> tuple[list[Path], int, int]:
    """Writes all chunks and returns their files, games and items."""
    total_games = total_items = 0
    written: list[Path] = []
    for path, n_games, n_items in _chunks(write, planned, parts, suffix, num_proc):
        written.append(path)
        total_games += n_games
        total_items += n_items
        if progress is not None:
            progress(n_games, n_items)
    return written, total_games, total_items


def _check(output: Path, kind: str) -> None:
    check_suffix(output)
    if kind not in KINDS:
        raise GenerationError(f"kind={kind!r}: expected one of {', '.join(KINDS)}")
    if kind == "games" and output.suffix == ".parquet":
        raise GenerationError(f"{output}: games are written as .jsonl (rows also as .parquet)")
    check_file(output)


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
            write_rows(rows, unfinished, path.suffix)
        write_whole(count, str(n_items).encode())  # first: a chunk that is there has its count
    return path, len(chunk), n_items
