"""Games of the user's own as rows of the dataset, cut into items by the one rule (`items.item`).

    rows.jsonl, rows.parquet       the items of games of one split
    FOLDER/train.parquet ...       those of any splits, one file each

Games are read one at a time, so memory does not grow with their number. What is written appears when it is complete.
"""

import os
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson
import pyarrow.parquet as pq

from bap_v2_dataset.generation.json_records import json_records
from bap_v2_dataset.generation.resumable_chunks import table_of
from bap_v2_dataset.items.item import Skipped, items
from bap_v2_dataset.items.rows import row
from bap_v2_dataset.sentences import counted
from bap_v2_metric.errors import UserError
from bap_v2_simulators.atomic_files import atomic_path, check_file, check_parent, only_writer
from bap_v2_simulators.game import Game, GameError

_ROWS_PER_GROUP = 1000


class ConversionError(UserError):
    """Games that cannot be made rows, or an output that cannot be written; the message says what to change."""


@dataclass
class Conversion:
    """The items that a file of games makes, and what was left out."""

    games: int = 0
    items: Counter = field(default_factory=Counter)  # by split
    skipped: list[Skipped] = field(default_factory=list)  # runs of actions that are no item
    infeasible: int = 0  # actions that could not be carried out in the order of the log
    without_items: int = 0  # games


def convert_games(source: Path, output: Path, *, overwrite: bool = False) -> Conversion:
    """Write the rows of the games in a file and return what became of them.

    Args:
        source: JSON lines or a list, a `Game` each; also .gz.
        output: .jsonl or .parquet, for games of one split, or a folder.
        overwrite: replace what is there.
    Raises:
        ConversionError: a file without items, a game that occurs twice, several splits for one file, an output that
            exists.
        GameError: with file and line.
        bap_v2_simulators.atomic_files.OutputError: for an output that cannot be made, or that another process writes.
    """
    source, output = Path(source), Path(output)
    one_file = output.suffix in (".jsonl", ".parquet")
    _check_paths(source, output, one_file, overwrite)
    result = Conversion()
    # Rows are written as the games are read.
    with only_writer(output), (_file if one_file else _folder)(output) as write:
        for split, game_items in _convert_each(source, result):
            if one_file and len(result.items | {split: 1}) > 1:
                raise ConversionError(
                    f"{source} holds games of {' and '.join([*result.items, split])}: name a folder, which gets a file "
                    "for each split"
                )
            write(split, game_items)
            result.items[split] += len(game_items)
        # Nothing is left of a file without items: what is written appears at the end of the block.
        if not result.items:
            raise ConversionError(f"{source} makes no items: {_reason_for_no_items(result)}")
    return result


def _reason_for_no_items(result: Conversion) -> str:
    """Return why no game has an item."""
    if not result.games:
        return "it holds no games"
    if not result.skipped:
        return f"no actions in {counted(result.games, 'game')}"
    first = result.skipped[0]
    return (
        f"{counted(len(result.skipped), 'run')} of actions left out, the first in {first.game_id!r}: {first.reason} "
        "(x and z from -5 to 5, y from 1 to 9: is the ground y=1 in these games?)"
    )


def _check_paths(source: Path, output: Path, one_file: bool, overwrite: bool) -> None:
    # The names.
    if not source.is_file():
        raise ConversionError(f"there is no file {source}: expected JSON lines, a game each")
    if one_file:
        check_file(output)
    elif output.suffix and not output.is_dir():
        raise ConversionError(f"{output}: name a file that ends in .jsonl or .parquet, or a folder")
    check_parent(output)
    if output.exists() and output.samefile(source):
        raise ConversionError(f"{output} is the file of games: choose another name")
    # What is there already.
    if output.is_dir() and any(output.iterdir()):
        if not overwrite:
            raise ConversionError(f"{output} is not empty: choose another name, or pass --overwrite")
        if foreign := sorted(path.name for path in output.iterdir() if path.suffix != ".parquet"):
            raise ConversionError(f"{output} holds {foreign[0]}, which --overwrite would delete: choose another name")
    if output.is_file() and not overwrite:
        raise ConversionError(f"{output} exists: choose another name, or pass --overwrite")


def _convert_each(source: Path, result: Conversion) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Yield the split and the rows of each game that has items."""
    places: dict[str, str] = {}
    for place, record in json_records(source, GameError):
        game = _read_game(record, place)
        if (first := places.setdefault(game.game_id, place)) != place:
            raise ConversionError(
                f"{place}: a second game {game.game_id!r} (the first is {first.removeprefix(f'{source}, ')}): ids of "
                "items begin with the id of the game, and each needs its own"
            )
        result.games += 1
        game_items = list(items(game, result.skipped))
        result.infeasible += sum(item.infeasible_actions for item in game_items)
        result.without_items += not game_items
        if game_items:
            yield game.split, [row(item) for item in game_items]


def _read_game(record: dict[str, Any], place: str) -> Game:
    try:
        game = Game.from_dict(record)
    except GameError as error:
        hint = ": these are items already" if "before" in record else ""
        raise GameError(f"{place}: {error}{hint}") from None
    if not game.game_id.strip() or not game.game_id.isprintable():
        raise GameError(f"{place}: game_id is {game.game_id!r} (expected a name of printable characters)")
    if not game.split.replace("_", "").isalnum():
        raise GameError(f"{place}: split is {game.split!r} (expected a name such as train, validation or test)")
    return game


Write = Callable[[str, list[dict[str, Any]]], None]  # of a split, rows


@contextmanager
def _file(output: Path) -> Iterator[Write]:
    jsonl = output.suffix == ".jsonl"
    with atomic_path(output) as path, _lines(path) if jsonl else _parquet(lambda split: path) as write:
        yield write


@contextmanager
def _folder(output: Path) -> Iterator[Write]:
    unfinished, old = (output.with_name(f"{output.name}.{word}") for word in ("unfinished", "old.unfinished"))
    for leftover in (unfinished, old):  # of a killed run
        shutil.rmtree(leftover, ignore_errors=True)
    unfinished.mkdir()
    try:
        with _parquet(lambda split: unfinished / f"{split}.parquet") as write:
            yield write
        if output.exists():
            os.replace(output, old)
        os.replace(unfinished, output)
    finally:
        for leftover in (unfinished, old):
            shutil.rmtree(leftover, ignore_errors=True)


@contextmanager
def _lines(path: Path) -> Iterator[Write]:
    with open(path, "wb") as file:
        yield lambda split, rows: file.writelines(orjson.dumps(columns) + b"\n" for columns in rows)


@contextmanager
def _parquet(path_of: Callable[[str], Path]) -> Iterator[Write]:
    # Rows wait until there are enough of their split for a row group.
    waiting: dict[str, list[dict[str, Any]]] = {}
    files: dict[str, pq.ParquetWriter] = {}

    def flush(split: str) -> None:
        table = table_of(waiting.pop(split))
        if split not in files:
            files[split] = pq.ParquetWriter(path_of(split), table.schema, compression="zstd")
        files[split].write_table(table)

    def write(split: str, rows: list[dict[str, Any]]) -> None:
        waiting.setdefault(split, []).extend(rows)
        if len(waiting[split]) >= _ROWS_PER_GROUP:
            flush(split)

    # At the end the rest is written.
    try:
        yield write
        for split in list(waiting):
            flush(split)
    finally:
        for file in files.values():
            file.close()
