"""What a user's own data are: a file, a folder, or a dataset on the Hub, and the splits in it, as they lie there.

items.jsonl  items.jsonl.gz  items.json  items.parquet     one split, "test", whatever it is asked for as
FOLDER                           of `save_to_disk`, or of files named for their splits: train.parquet, test.jsonl
USER/NAME  USER/NAME:CONFIG      on the Hub
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import datasets
import pyarrow
import pyarrow.parquet as pq

from bap_v2_dataset.generation.json_records import json_records
from bap_v2_dataset.interface.table import all_configs
from bap_v2_dataset.items.rows import metadata_of
from bap_v2_dataset.loading.own_splits import LONE_SPLIT, DataError
from bap_v2_dataset.predictions.model_records import TRAINING_RUN

_HUB_ID = re.compile(r"(?P<repo>[\w.-]+/[\w.-]+)(?::(?P<config>[\w.-]+))?")
_JSON = (".jsonl", ".json", ".ndjson", ".jsonl.gz", ".json.gz", ".ndjson.gz")
_SUFFIXES = (".parquet", *_JSON)
_SPLIT_WORDS = ("train", "validation", "test")
_MODEL_FILES = ("config.json", "adapter_config.json", TRAINING_RUN, "tokenizer.json")
EXPECTED = (
    "a file (.jsonl, .json, .jsonl.gz, .parquet), a folder (of save_to_disk, or with files like train.parquet and "
    "test.jsonl), or a dataset on the Hub (USER/NAME or USER/NAME:CONFIG)"
)


class JsonFile(NamedTuple):
    """A file of JSON lines, or of one list of objects."""

    path: Path

    def records(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Return where each object stands, and the object. Raises: DataError for anything else."""
        return json_records(self.path, DataError)


class ParquetFiles(NamedTuple):
    """The Parquet files of a split."""

    paths: tuple[Path, ...]

    @property
    def column_names(self) -> list[str]:
        """Of the first file; no rows are read. Raises: DataError if it is not Parquet."""
        try:
            return pq.read_schema(self.paths[0]).names
        except pyarrow.ArrowException as error:
            raise DataError(f"{self.paths[0]} cannot be read as Parquet: {error}") from error

    def dataset(self) -> datasets.Dataset:
        """Their rows. Raises: DataError if they are not Parquet."""
        path = self.paths[0]
        try:
            for path in self.paths:
                pq.read_schema(path)
            return datasets.Dataset.from_parquet([str(path) for path in self.paths])
        except (pyarrow.ArrowException, datasets.exceptions.DatasetGenerationError) as error:
            cause = error.__cause__ or error
            if isinstance(cause, OSError) and cause.errno:
                raise
            raise DataError(f"{path} cannot be read as Parquet: {cause}") from error


def with_metadata(rows: datasets.Dataset) -> datasets.Dataset:
    """Return rows whose metadata are JSON again, if they are a text of it, as in what is published."""
    if rows.features.get("metadata") != datasets.Value("string") or not metadata_of(rows[0] if len(rows) else {}):
        return rows
    return rows.cast_column("metadata", datasets.Json())


Part = JsonFile | ParquetFiles | datasets.Dataset  # one split


class Opened(NamedTuple):
    """Own data as they lie there."""

    name: str
    parts: Mapping[str, Part]
    alone: bool  # one split that serves whatever split is asked for


def opened(source: str) -> Opened:
    """Return the name and the splits of own data.

    Raises:
        DataError: if there is nothing there, or nothing that holds rows; the message says what may be there.
    """
    if not source.strip():
        raise DataError(f"the name of the data is empty: expected {EXPECTED}")
    path = Path(source).expanduser()
    if path.is_file():
        return Opened(
            _own_name(_stem(path) if _suffix(path) else path.name, path.name), {LONE_SPLIT: _part([path])}, True
        )
    if path.is_dir():
        name = _own_name(path.resolve().name, f"{path.resolve().parent.name}/{path.resolve().name}")
        return _folder(name, path)
    if "/" in source and (match := _HUB_ID.fullmatch(source)) and not source.endswith(_SUFFIXES):
        return Opened(source, _on_the_hub(source, match["repo"], match["config"]), False)
    raise DataError(f"there is no {source}: expected {EXPECTED}")


def _own_name(name: str, longer: str) -> str:
    """Return the name of data, never that of a config: scores tell them apart by it."""
    return name if name not in all_configs() else longer if longer not in all_configs() else f"own {name}"


def _suffix(path: Path) -> str:
    """Return the suffix by which its content is read; "" for that of another kind of file."""
    return next((suffix for suffix in sorted(_SUFFIXES, key=len, reverse=True) if path.name.endswith(suffix)), "")


def _stem(path: Path) -> str:
    return path.name.removesuffix(_suffix(path))


def _part(paths: list[Path]) -> Part:
    suffix = _suffix(paths[0])
    if not suffix:
        raise DataError(f"{paths[0]} has a suffix that is not read as data: expected {EXPECTED}")
    if suffix == ".parquet":
        return ParquetFiles(tuple(paths))
    if len(paths) > 1:
        raise DataError(f"{paths[0]} and {paths[1]} are the same split: join them, or name one of them")
    return JsonFile(paths[0])


def _folder(name: str, folder: Path) -> Opened:
    # A folder of save_to_disk.
    if (folder / "dataset_dict.json").is_file() or (folder / "state.json").is_file():
        try:
            data = datasets.load_from_disk(str(folder))
        except (OSError, ValueError, KeyError) as error:
            raise DataError(f"{folder} cannot be read as a folder of save_to_disk: {error}") from error
        if isinstance(data, datasets.DatasetDict):
            return Opened(name, dict(data), False)
        return Opened(name, {LONE_SPLIT: data}, True)
    # Files of rows, one split each or several by their names.
    for place in (folder, folder / "data"):
        for suffixes in ((".parquet",), (".jsonl", ".jsonl.gz", ".ndjson", ".ndjson.gz")):
            files = sorted(file for file in place.glob("*") if file.is_file() and _suffix(file) in suffixes)
            if files:
                return Opened(name, {split: _part(paths) for split, paths in _by_split(files).items()}, False)
    # A folder of something else.
    if any((folder / file).is_file() for file in _MODEL_FILES):
        raise DataError(f"{folder} holds a model, not data: expected {EXPECTED}")
    inner = sorted(path.name for path in folder.iterdir() if path.is_dir() and any(path.glob("*.parquet")))
    hint = f": name one of its folders, e.g. {folder / inner[0]}" if inner else f": expected {EXPECTED}"
    raise DataError(f"{folder} holds no data{hint}")


def _by_split(files: list[Path]) -> dict[str, list[Path]]:
    """Return the files of each split: train-00000-of-00002.parquet and dss-train-00001.parquet are of train."""
    stems: dict[str, list[Path]] = {}
    for file in files:
        stems.setdefault(re.sub(r"-\d{5}(-of-\d{5})?$", "", _stem(file)), []).append(file)
    short = [stem.rpartition("-")[2] if stem.rpartition("-")[2] in _SPLIT_WORDS else stem for stem in stems]
    names = short if len(set(short)) == len(short) else list(stems)
    order = {word: rank for rank, word in enumerate(_SPLIT_WORDS)}
    splits = dict(zip(names, stems.values()))
    return {name: splits[name] for name in sorted(splits, key=lambda name: (order.get(name, 3), name))}


def _on_the_hub(source: str, repo: str, config: str | None) -> Mapping[str, datasets.Dataset]:
    try:
        return dict(datasets.load_dataset(repo, config))
    except ValueError as error:  # what configs there are cannot be asked offline: only if it is wrong
        raise DataError(_wrong_config(repo, config) or _not_on_the_hub(source, error)) from error
    except (OSError, datasets.exceptions.DatasetsError) as error:  # also offline, gated, no data files
        raise DataError(_not_on_the_hub(source, error)) from error


def _wrong_config(repo: str, config: str | None) -> str | None:
    """Return the sentence for a config that is missing or unknown; None if that is not what is wrong."""
    try:
        configs = datasets.get_dataset_config_names(repo)
    except (OSError, ValueError, datasets.exceptions.DatasetsError):
        return None
    names = ", ".join(configs)
    if config is None:
        return f"{repo} has several configs ({names}): name one, e.g. {repo}:{configs[0]}" if len(configs) > 1 else None
    return None if config in configs else f"{repo} has no config {config!r} (it has {names})"


def _not_on_the_hub(source: str, error: Exception) -> str:
    cause = str(error).strip().split("\n")[0]
    return f"{source} is neither here nor a dataset on the Hub that can be read ({cause}): expected {EXPECTED}"
