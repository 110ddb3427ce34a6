"""The `datasets` builder of `load_dataset("bap_v2", ...)`: the configs of all tasks, from the table `tasks`.

`import bap_v2_dataset` makes the bare name known to `datasets` (`registration`); without that import the name is served
from the cache that `bap-v2 setup` fills (`install`).
"""

import contextlib
import errno
import hashlib
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import datasets
import pyarrow
from filelock import BaseFileLock

from bap_v2_dataset.generation.workers import forks_end_with_this_process
from bap_v2_dataset.interface.table import all_configs, require_task, task_of, unknown_config
from bap_v2_dataset.interface.task import Task
from bap_v2_dataset.items.versions import hashed
from bap_v2_dataset.loading.config import BapV2Config
from bap_v2_dataset.registration import DATASET_NAME
from bap_v2_metric.errors import UserError
from bap_v2_simulators.atomic_files import acquired
from bap_v2_simulators.settings import check_seed

_SUMS = "files.sha256"  # beside the rows: SHA-256, bytes and name of each file


class ConfigError(UserError):
    """Arguments that a config does not have."""


class DamagedRowsError(UserError):
    """Rows in the cache that cannot be read; the message names their folder and the command that makes them again."""

    def __init__(self, folder: Path, cause: object):
        name = folder.parent.parent.name
        super().__init__(f"the rows of {name} in {folder} are damaged ({cause}): run `bap-v2 setup --config {name}`")
        self.folder, self.cause = folder, cause


@contextlib.contextmanager
def _reads_what_it_cannot_lock() -> Iterator[None]:
    """While the block runs, `datasets` takes no lock where none can be made, as in the cache of another user."""
    lock = datasets.builder.FileLock

    def lock_or_none(path: str) -> contextlib.AbstractContextManager:
        place = path if os.path.exists(path) else os.path.dirname(path)
        held = lock(path) if os.access(place, os.W_OK) else contextlib.nullcontext()
        return acquired(held) if isinstance(held, BaseFileLock) else held  # that of a builder around this one

    datasets.builder.FileLock = lock_or_none
    try:
        yield
    except OSError as error:
        if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
            error.add_note("Set HF_HOME, or HF_DATASETS_CACHE, to a folder that you can write.")
        raise
    finally:
        datasets.builder.FileLock = lock


class _Configs(Mapping[str, BapV2Config]):
    """The configs by name, made when they are asked for: to load one imports the task of no other."""

    def __getitem__(self, name: str) -> BapV2Config:
        if (task := task_of(name)) is None:
            raise KeyError(name)
        return BapV2Config(name=name, description=task.dataset.description(name))

    def __iter__(self) -> Iterator[str]:
        return iter(all_configs())

    def __len__(self) -> int:
        return len(all_configs())


class BapV2(datasets.GeneratorBasedBuilder):
    """Rows of a config, whatever its task."""

    BUILDER_CONFIG_CLASS = BapV2Config
    builder_configs = _Configs()  # in place of what `datasets` makes of a list
    _streams = False

    def __init__(self, *args: Any, hash: str | None = None, **kwargs: Any):
        # The config must be one of ours.
        config = kwargs.get("config_name")
        if config is None:
            names = ", ".join(all_configs())
            raise ConfigError(f'load_dataset("bap_v2") needs a config, one of {names}: load_dataset("bap_v2", "dss")')
        if (task := task_of(config)) is None:
            raise ConfigError(unknown_config(config))
        # The last part of the cache folder: other rows, other folder (hashing the sources would rebuild for a comment).
        own = hash or rows_hash(config, kwargs.get("mdc"), kwargs.get("labels"))
        try:
            with _reads_what_it_cannot_lock():
                super().__init__(*args, hash=own, **kwargs)
        except (ValueError, TypeError, AttributeError, KeyError, NotADirectoryError, IsADirectoryError) as error:
            folder = Path(getattr(self, "_cache_dir", "no folder yet"))
            if not folder.exists() or not damage_of(folder, thorough=True):  # of the arguments
                raise
            raise DamagedRowsError(folder, f"dataset_info.json: {error!r}") from error
        if self.info.splits is None and (Path(self.cache_dir) / "dataset_info.json").exists():
            raise DamagedRowsError(Path(self.cache_dir), "dataset_info.json names no splits")
        # Arguments that the config does not know are refused.
        arguments = task.configs[config].arguments
        if self.config.mdc is not None and "mdc" not in arguments:
            raise ConfigError(f"the config {config} is made without the human corpus: leave out mdc=")
        if self.config.labels is not None and "labels" not in arguments:
            raise ConfigError(f"the config {config} is made without labels: leave out labels=")
        if "seed" not in arguments and self.config.seed != 0:
            raise ConfigError(f"the config {config} has no seed: leave out seed=")
        if "settings" not in arguments and self.config.settings:
            raise ConfigError(f"the config {config} has no settings: leave out settings=")
        check_seed(self.config.seed)

    def download_and_prepare(self, *args: Any, **kwargs: Any) -> None:
        """Makes the rows, unless they are there; those in a cache that cannot be written are used as they are."""
        with _reads_what_it_cannot_lock(), forks_end_with_this_process():
            super().download_and_prepare(*args, **kwargs)

    def as_dataset(self, *args: Any, **kwargs: Any) -> Any:
        """Return the prepared rows. Raises: DamagedRowsError if their files are gone, cut off or cannot be read."""
        folder = Path(self._cache_dir)
        if damage := damage_of(folder):
            raise DamagedRowsError(folder, damage)
        try:
            return super().as_dataset(*args, **kwargs)
        except Exception as error:
            # Not of the disk, nor of the arguments (that of pyarrow has no number).
            of_files = isinstance(error, pyarrow.ArrowException) or getattr(error, "errno", 0) in (None, errno.ENOENT)
            if of_files or damage_of(folder, thorough=True) not in (None, f"{_SUMS} is missing"):
                raise DamagedRowsError(folder, error) from error
            raise

    def _save_info(self) -> None:
        super()._save_info()
        files = sorted(Path(self._output_dir).glob("*"))  # none if that is remote
        sums = "".join(f"{_digest(file)} {file.stat().st_size} {file.name}\n" for file in files)
        for file in files[:1]:
            file.with_name(_SUMS).write_text(sums)

    @property
    def _task(self) -> Task:
        return require_task(self.config.name)

    def _info(self) -> datasets.DatasetInfo:
        return self._task.dataset.info(self.config.name)

    def as_streaming_dataset(self, *args: Any, **kwargs: Any) -> Any:
        """Return the rows, made as they are read."""
        self._streams = True
        return super().as_streaming_dataset(*args, **kwargs)

    def _split_generators(self, dl_manager: Any) -> list[datasets.SplitGenerator]:
        if isinstance(dl_manager, datasets.StreamingDownloadManager) and not self._streams:
            # get_dataset_infos and their like ask for the names alone, and may lack what the rows are made of.
            return [datasets.SplitGenerator(name=split) for split in self._task.configs[self.config.name].splits]
        splits = self._task.shards(self.config, self._rows_of)
        # datasets cannot load an empty split
        return [
            datasets.SplitGenerator(name=split, gen_kwargs={"shards": list(enumerate(shards))})
            for split, shards in splits.items()
            if shards
        ]

    def _rows_of(self, config: str) -> Mapping[str, datasets.Dataset]:
        """Return the splits of another config, made from the same corpus and labels; at once if it is set up."""
        builder = builder_of(config, self.config.mdc, self.config.labels, cache_dir=self._cache_dir_root)
        builder.download_and_prepare()
        return builder.as_dataset()

    def _generate_examples(self, shards: list[tuple[int, Any]]) -> Iterator[tuple[datasets.builder.Key, dict]]:
        for number, shard in shards:
            for index, columns in enumerate(shard.rows()):
                yield datasets.builder.Key(number, index), columns


def damage_of(folder: Path, thorough: bool = False) -> str | None:
    """Return what is wrong with the files of a config in the cache: with their sizes or, thorough, with any byte."""
    if not (folder / _SUMS).exists():  # as older versions left it
        return f"{_SUMS} is missing" if thorough else None
    try:
        for line in (folder / _SUMS).read_text().splitlines():
            digest, size, name = line.split(maxsplit=2)
            if (folder / name).stat().st_size != int(size):
                return f"{name} is not whole"
            if thorough and _digest(folder / name) != digest:
                return f"{name} has changed"
    except (FileNotFoundError, NotADirectoryError, ValueError) as error:
        return str(error)
    return None


def _digest(file: Path) -> str:
    with open(file, "rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def builder_of(config: str, mdc: str | None = None, labels: str | None = None, **kwargs: Any) -> BapV2:
    """Return the builder of a config, whose folder has the same name however the corpus and the labels were named.

    A corpus or labels that the config is made without are left out.
    """
    arguments = require_task(config).configs[config].arguments
    mdc, labels = mdc if "mdc" in arguments else None, labels if "labels" in arguments else None
    builder = BapV2(config_name=config, dataset_name=DATASET_NAME, hash=rows_hash(config, mdc, labels), **kwargs)
    builder.config.mdc, builder.config.labels = mdc, labels  # not arguments: the folder would have another name
    return builder


def rows_hash(config: str, mdc: str | None = None, labels: str | None = None) -> str:
    """Return a name for all that the rows of a config depend on: see `depends_on` of its task."""
    return hashed(require_task(config).dataset.depends_on(config, mdc, labels))
