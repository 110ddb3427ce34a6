"""Reads data of the user's own, for scores, pictures, pages and training: see `own_files` for what they may be."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

import datasets
import orjson

from bap_v2_dataset.interface.table import TASKS, task_of_columns
from bap_v2_dataset.interface.task import Task
from bap_v2_dataset.items.item import items
from bap_v2_dataset.items.rows import row
from bap_v2_dataset.items.versions import DATA_VERSION, PROMPT_VERSION
from bap_v2_dataset.loading.own_files import JsonFile, Opened, ParquetFiles, Part, opened, with_metadata
from bap_v2_dataset.loading.own_splits import DataError, OwnData, split_of
from bap_v2_metric.errors import UserError
from bap_v2_simulators.game import Game, GameError

__all__ = ["DataError", "OwnData", "completed", "completed_records", "read_data", "read_splits"]


def read_data(source: str, split: str | None = None) -> OwnData:
    """The items of own data, complete and checked: what a row lacks and can be derived is filled in (`own_rows`).

    Args:
        source: FILE, FOLDER, USER/NAME or USER/NAME:CONFIG.
        split: read this one alone, if the data have it; a part such as "test[:100]" will do.
    Raises:
        DataError: with the file, row and column.
    """
    data = _opened(source, split)
    splits = {name: _complete(data, name, each) for name, each in data.parts.items()}
    task = task_of_columns(next(iter(splits.values())).column_names)
    return OwnData(data.name, splits, task, data.alone, source)


def read_splits(source: str, split: str | None = None) -> OwnData:
    """Return the same as it lies there: any columns, nothing checked. Raises: DataError if it cannot be read."""
    data = _opened(source, split)
    splits = {name: _rows(each) for name, each in data.parts.items()}
    return OwnData(data.name, splits, alone=data.alone, source=source)


def _opened(source: str, split: str | None) -> Opened:
    data, split = opened(source), split_of(split)
    return data._replace(parts={split: data.parts[split]}) if split in data.parts else data


def _rows(data: Part) -> datasets.Dataset:
    if isinstance(data, ParquetFiles):
        return with_metadata(data.dataset())
    if not isinstance(data, JsonFile):
        return with_metadata(data)
    try:
        return with_metadata(datasets.Dataset.from_json(str(data.path)))
    except datasets.exceptions.DatasetGenerationError as error:
        for _ in data.records():  # names the line, if that is what is wrong
            pass
        raise DataError(f"{data.path} cannot be read: {error.__cause__ or error}") from error


def _complete(data: Opened, split: str, rows: Part) -> datasets.Dataset:
    if isinstance(rows, JsonFile):
        _, first = next(_of_games(rows.records()), ("", None))
        if first is None:
            raise DataError(
                f"{rows.path} is empty, or of games without items: expected items, one JSON object per line"
            )
        stat = rows.path.stat()
        state = f"{rows.path.resolve()} {stat.st_mtime_ns} {stat.st_size}"
        return _generated(_task(first, str(rows.path)), {"file": rows, "state": state})
    place = str(rows.paths[0]) if isinstance(rows, ParquetFiles) and len(rows.paths) == 1 else f"{data.name}, {split}"
    return completed(_rows(rows), place)


def completed(rows: datasets.Dataset, place: str) -> datasets.Dataset:
    """Rows that were read as they lie, complete and checked. Raises: DataError, naming `place` and the row."""
    if not len(rows):
        raise DataError(f"{place} has no rows")
    task = _task(rows.column_names, place)
    features = _features(task)
    if all(rows.features.get(name) == feature for name, feature in features.items()):
        needed = [name for name in features if not name.startswith("prompt_") and name != "metadata"]
        there = dict.fromkeys([name for name in features if name.startswith("prompt_")], "")  # not rendered again
        for _ in _checked(task, _numbered(rows.select_columns(needed), place, there)):
            pass
        return rows
    return _generated(task, {"rows": rows, "place": place})


def completed_records(records: Iterable[object], place: str) -> list[dict[str, Any]]:
    """Rows in memory, complete and checked. Raises: DataError, naming `place` and the row."""
    rows: list[tuple[str, Mapping[str, Any]]] = []
    for number, record in enumerate(records):
        if not isinstance(record, Mapping):
            raise DataError(f"{place}, row {number} is not a dict with the columns of an item: {str(record)[:80]}")
        rows.append((f"{place}, row {number}", record))
    if not rows:
        raise DataError(f"{place} has no rows")
    return list(_checked(_task(rows[0][1], place), rows))


def _task(columns: Iterable[str], place: str) -> Task:
    """Return the task whose items these are. Raises: DataError if they are something else, which is named."""
    columns = list(columns)
    if task := task_of_columns(columns):
        return task
    if "prediction" in columns:
        raise DataError(f"{place} holds predictions: pass it without --data, and with --data the items they answer")
    needed = next(iter(TASKS.values())).own_columns
    missing = ", ".join(name for name in needed if name not in columns)
    raise DataError(f"{place} holds no items: the column {missing} is missing (it has {', '.join(columns) or 'none'})")


def _features(task: Task) -> datasets.Features:
    return task.dataset.info(next(iter(task.configs))).features


def _generated(task: Task, origin: dict[str, Any]) -> datasets.Dataset:
    """Return the complete rows in the cache of `datasets`, under a name that depends on all that they depend on."""
    try:
        return datasets.Dataset.from_generator(
            _generate,
            features=_features(task),
            gen_kwargs={
                "task": task.name,
                "versions": f"{DATA_VERSION} {PROMPT_VERSION} {_OWN_ROWS_VERSION}",
                **origin,
            },
        )
    except datasets.exceptions.DatasetGenerationError as error:
        if isinstance(error.__cause__, (UserError, OSError)):
            raise error.__cause__ from None
        raise


_OWN_ROWS_VERSION = "2"  # raised whenever the complete row of the same record, or what is refused, changes


def _generate(
    task: str, versions: str, file: JsonFile | None = None, rows: Any = None, place: str = "", state: str = ""
) -> Iterator[dict[str, Any]]:
    """For `datasets`, which names its cache by all of these arguments; lists among them would be shards."""
    records = _of_games(file.records()) if file is not None else _numbered(rows, place)
    yield from _checked(TASKS[task], records)


def _of_games(records: Iterable[tuple[str, Mapping[str, Any]]]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield records as they are, and in place of a game its items, which `bap-v2 convert` would write."""
    for place, record in records:
        if "events" not in record:
            yield place, record
            continue
        try:
            game = Game.from_json(orjson.dumps(record))
        except GameError as error:
            raise DataError(f"{place}: {error}") from None
        yield from ((f"{place}, item {item.index}", row(item)) for item in items(game))


def _numbered(
    rows: datasets.Dataset, place: str, more: Mapping[str, Any] | None = None
) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for start in range(0, len(rows), 1000):
        for number, one in enumerate(rows.select(range(start, min(start + 1000, len(rows)))).to_list(), start=start):
            yield f"{place}, row {number}", {**one, **(more or {})}


def _checked(task: Task, records: Iterable[tuple[str, Mapping[str, Any]]]) -> Iterator[dict[str, Any]]:
    complete, places, seen = task.own_row, {}, set()
    for place, record in records:
        try:
            if (names := tuple(record)) not in seen:
                _check_names(task, names)
                seen.add(names)
            whole = complete(record)
        except UserError as error:
            own_id = record.get("id")
            raise DataError(f"{place}{f' ({own_id})' if isinstance(own_id, str) else ''}: {error}") from None
        first = places.setdefault(whole["id"], place)
        if first != place:
            raise DataError(f"{place}: duplicate id {whole['id']!r}, which is that of {first} too")
        yield whole


def _check_names(task: Task, names: Sequence[str]) -> None:
    """That no column has nearly the name of one that is missing. Raises: DataError."""
    missing = [name for name in _features(task) if name not in names]
    for name in names:
        likely = [known for known in missing if not f"{known}_".startswith(f"{name}_")]  # prompt is not prompt_n
        near = get_close_matches(str(name).lower(), likely, 1, 0.8) if name not in _features(task) else []
        if near and not name.lower().startswith(f"{near[0]}_"):
            raise DataError(f"unknown column {name!r}: rename it {near[0]!r}, or, if it is something else, drop it")
