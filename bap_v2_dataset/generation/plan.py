"""The plan of a folder of shards, which games each holds, and the request from which it follows."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import orjson
import pyarrow as pa
import pyarrow.parquet as pq

from bap_v2_dataset.generation.simulated import request_of
from bap_v2_dataset.generation.workers import GenerationError, pool_map
from bap_v2_simulators.atomic_files import atomic_write, check_parent, only_writer
from bap_v2_simulators.corpora import GameSpec, whole_games
from bap_v2_simulators.simulation import turns_of_game
from bap_v2_simulators.simulator import Simulator

OWN_FOLDER = ".generation"  # a name that `datasets` does not look into
_ITEMS_PER_SHARD = 16_000  # about; 6 to 8 MB
_GAMES_PER_COUNT = 1_000
_FEW_ITEMS = 100_000  # counted sooner than processes are started


@dataclass(frozen=True)
class ShardPlan:
    """The games of each shard: all that a task has to know."""

    folder: Path
    simulator: Simulator
    split: str
    seed: int
    games: int  # in all: 0, 1, 2, ..., whole, and then
    last: tuple[GameSpec, ...]  # those that make the number of items exact
    shard_games: int  # games of a shard

    @property
    def shards(self) -> int:
        """Their number."""
        return -(-self.games // self.shard_games)

    def path(self, shard: int) -> Path:
        """Return the path of a shard, which is there when it is whole."""
        return self.folder / f"{self.simulator.name}-{self.split}-{shard:05d}.parquet"

    def finished(self) -> list[int]:
        """Return the shards that are whole."""
        return [shard for shard in range(self.shards) if rows_in(self.path(shard)) is not None]

    def planned(self, shard: int) -> list[GameSpec]:
        """Return the games of a shard."""
        first, in_order = shard * self.shard_games, self.games - len(self.last)
        positions = range(first, min(first + self.shard_games, self.games))
        return [GameSpec(n, -1) if n < in_order else self.last[n - in_order] for n in positions]


def plan_shards(
    simulator: Simulator,
    folder: Path,
    *,
    split: str = "train",
    games: int | None = None,
    n_items: int | None = None,
    seed: int = 0,
    shard_games: int | None = None,
    num_proc: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> ShardPlan:
    """Return the plan of a request, recorded in the folder, which from then on belongs to the request.

    How many games have so many items is counted by drawing every game's number of turns. That takes 1 (dr), 9 (dss) or
    80 seconds (dsb, where the whole game must be planned) a million items and core; nothing for a number of games.

    Args:
        simulator: with its settings, e.g. `simulator_of("dr", {"removal": "0.3"})`.
        folder: of the shards; made if it does not exist.
        split: whose targets are used.
        games: how many games; or
        n_items: how many items, to the last one.
        seed: any integer.
        shard_games: games of a shard; by default those that have about 16,000 items.
        num_proc: processes that count.
        progress: called with the games and items that were counted since the last call.
    Raises:
        GenerationError: if the request makes no sense, or if the folder holds something else.
        bap_v2_simulators.atomic_files.OutputError: if the folder cannot be made.
    """
    request = request_of(simulator, split, games, n_items, seed)
    if shard_games is not None and shard_games < 1:
        raise GenerationError(f"{shard_games} games per shard: expected at least 1")
    request["shard_games"] = shard_games or usual_shard_games(simulator, split, seed)
    # The folder has the plan, or nothing.
    if folder.suffix in (".jsonl", ".parquet") or folder.is_file():
        raise GenerationError(f"{folder}: name a folder, not a file: there will be many files")
    check_parent(folder)
    if record := _check_folder(folder, request):
        counted = record["counted"]
    else:
        # Count, and record. That takes a while, and another command may have been first.
        total, last = (
            (games, ()) if n_items is None else count_games(simulator, split, seed, n_items, num_proc, progress)
        )
        counted = {"games": total, "last": [list(game) for game in last]}
        file = _record_file(folder)
        file.parent.mkdir(parents=True, exist_ok=True)
        with folder_lock(folder):
            _check_folder(folder, request)
            atomic_write(file, orjson.dumps({"request": request, "counted": counted}, option=orjson.OPT_INDENT_2))
    last = tuple(GameSpec(*game) for game in counted["last"])
    return ShardPlan(folder.absolute(), simulator, split, seed, counted["games"], last, request["shard_games"])


def rows_in(shard: Path) -> int | None:
    """Return the number of items of a shard; None if it does not exist, or is not whole."""
    try:
        return pq.read_metadata(shard).num_rows
    except (OSError, pa.ArrowInvalid):
        return None


def folder_lock(folder: Path) -> AbstractContextManager[None]:
    """Hold the lock of a folder of shards. Raises: OutputError if another process does."""
    return only_writer(folder, folder / OWN_FOLDER / "lock")


def read_record(folder: Path) -> dict[str, Any] | None:
    """Return what the folder records: the `request`, and the games `counted` for it; None if there is no record."""
    file = _record_file(folder)
    return orjson.loads(file.read_bytes()) if file.is_file() else None


def _record_file(folder: Path) -> Path:
    return folder / OWN_FOLDER / "request.json"


def _check_folder(folder: Path, request: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return what the folder records. Raises: GenerationError if it holds something else."""
    record = read_record(folder)
    if record is None:
        if folder.is_dir() and any(entry.name != OWN_FOLDER for entry in folder.iterdir()):
            raise GenerationError(f"{folder} has files that are not of this command: name another folder")
    elif record["request"] != request:
        old, new = ({**values, **values["settings"], "settings": None} for values in (record["request"], request))
        differ = ", ".join(f"{key} {old.get(key)}, not {new[key]}" for key in new if old.get(key) != new[key])
        raise GenerationError(f"{folder} is of another request ({differ}): name another folder, or delete that one")
    return record


def usual_shard_games(simulator: Simulator, split: str, seed: int) -> int:
    """Return games with about as many items as a shard should have: a round number, the same for most seeds."""
    mean = sum(turns_of(simulator, split, seed, 200, 0)) / 200
    return max(100 * round(_ITEMS_PER_SHARD / mean / 100), 100)


def turns_of(simulator: Simulator, split: str, seed: int, games: int, first: int) -> list[int]:
    """Return the number of turns of each of some games, in order."""
    return [turns_of_game(simulator, split, index, seed) for index in range(first, first + games)]


def count_games(
    simulator: Simulator,
    split: str,
    seed: int,
    n_items: int,
    num_proc: int,
    progress: Callable[[int, int], None] | None,
) -> tuple[int, tuple[GameSpec, ...]]:
    """Return the number of games with so many items, and the last of them: before those are 0, 1, 2, ..., all whole."""
    starts = count(0, _GAMES_PER_COUNT)
    work = partial(turns_of, simulator, split, seed, _GAMES_PER_COUNT)
    in_one = num_proc == 1 or n_items < _FEW_ITEMS

    # The turns of all games, an item each; there is no end to them.
    def turns() -> Iterator[int]:
        for counted in map(work, starts) if in_one else pool_map(work, starts, num_proc):
            yield from counted
            if progress is not None:
                progress(len(counted), sum(counted))

    # The games that make up the number: those in order need no list.
    in_order, last = 0, []
    for game in whole_games(turns(), n_items):
        if game.index == in_order and not last:
            in_order, final = in_order + 1, game
        else:
            last.append(game)
    if not last:  # the final one may be cut
        in_order, last = in_order - 1, [final]
    return in_order + len(last), tuple(last)
