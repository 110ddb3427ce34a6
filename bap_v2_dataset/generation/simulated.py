"""Simulated games and their rows as files: any number, of any simulator, with any settings.

A run that is killed resumes where it stopped (`resumable_chunks`).
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from bap_v2_dataset.generation.resumable_chunks import write_chunks
from bap_v2_dataset.generation.workers import GenerationError
from bap_v2_dataset.items.item import items
from bap_v2_dataset.items.rows import row
from bap_v2_dataset.items.versions import DATA_VERSION, PROMPT_VERSION
from bap_v2_simulators.corpora import GameSpec, games_of
from bap_v2_simulators.game import Game
from bap_v2_simulators.settings import settings_of
from bap_v2_simulators.simulation import SPLITS, play
from bap_v2_simulators.simulator import Simulator

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
    """Write games to a file and returns (games, items); `<output>.settings.json` beside it says what they are.

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
        bap_v2_simulators.atomic_files.OutputError: for a file that cannot be made, or that another process writes.
    """
    output = Path(output)
    if kind not in KINDS:
        raise GenerationError(f"kind={kind!r}: expected one of {', '.join(KINDS)}")
    if kind == "games" and output.suffix == ".parquet":
        raise GenerationError(f"{output}: games are written as .jsonl (rows also as .parquet)")
    # Say what is requested, and which games that is.
    request = {**request_of(simulator, split, games, n_items, seed), "kind": kind}
    if n_items is None:
        planned: Iterator[GameSpec] = (GameSpec(index, -1) for index in range(games))
    else:
        planned = games_of(simulator, split, n_items, seed)
    # Play and write them, a chunk at a time.
    settings = write_chunks(
        output, request, partial(_make_chunk, simulator, split, seed, kind), chunks(planned), kind="games",
        num_proc=num_proc, overwrite=overwrite,
        progress=progress and (lambda counts: progress(counts["games"], counts["items"])),
    )  # fmt: skip
    return settings["games"], settings["items"]


def request_of(simulator: Simulator, split: str, games: int | None, n_items: int | None, seed: int) -> dict[str, Any]:
    """Return all that the rows depend on.

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
    """Return the games in runs that are played and kept together."""
    games = iter(planned)
    return iter(lambda: tuple(islice(games, _GAMES_PER_CHUNK)), ())


def rows_of(simulator: Simulator, split: str, seed: int, chunk: Sequence[GameSpec]) -> list[dict]:
    """Play games and return the rows of their items, in order."""
    return [row(item) for game in _play_all(simulator, split, seed, chunk) for item in items(game)]


def _play_all(simulator: Simulator, split: str, seed: int, chunk: Sequence[GameSpec]) -> Iterator[Game]:
    for index, turns in chunk:
        yield play(simulator, split, index, seed, turns=None if turns < 0 else turns)


def _make_chunk(
    simulator: Simulator, split: str, seed: int, kind: str, chunk: Sequence[GameSpec]
) -> tuple[list[dict] | list[bytes], dict[str, int]]:
    """Return what is written of a chunk, and its games and items."""
    if kind == "games":
        games = list(_play_all(simulator, split, seed, chunk))
        return [game.to_json() for game in games], {
            "games": len(games),
            "items": sum(1 for game in games for _ in items(game)),
        }
    rows = rows_of(simulator, split, seed, chunk)
    return rows, {"games": len(chunk), "items": len(rows)}
