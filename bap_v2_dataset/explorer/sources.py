"""Where the explorer's rows come from: the configs that are set up here, data of the user's own, or the Hub."""

import functools
from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import datasets

from bap_v2_dataset.evaluation.test_sets import split_rows
from bap_v2_dataset.interface.table import TASKS, all_configs, require_task, task_of, unknown_config
from bap_v2_dataset.interface.task import Task
from bap_v2_dataset.loading import install
from bap_v2_dataset.loading.own_files import with_metadata
from bap_v2_dataset.registration import DATASET_NAME
from bap_v2_metric.errors import UserError

if TYPE_CHECKING:
    from bap_v2_dataset.loading.own_splits import OwnData


_CONFIGS = [config for task in TASKS.values() if task.explored for config in task.configs]
ORIGINAL = "original"  # the split with the parents of variants, in a config that has some


class SourceError(UserError):
    """Rows that do not exist; the message says how to get them."""


class RowSource(ABC):
    """Configs, their splits, and the rows of these."""

    title: str
    configs: Sequence[str]
    keeps_index = True  # whether an index of the rows may be kept beside them
    data: "OwnData | None" = None  # data of the user's own, if it shows those

    @abstractmethod
    def splits(self, config: str) -> list[str]:
        """Return the names of its splits. Raises: SourceError if there is no such config."""

    @abstractmethod
    def rows(self, config: str, split: str) -> datasets.Dataset:
        """Read all of a split. Raises: SourceError if there is none."""

    def start(self, config: str, split: str) -> tuple[str, str]:
        """Return the config and split; instead of "" the split test, or the first there is. Raises: SourceError."""
        splits = self.splits(config)
        split = split or ("test" if "test" in splits else splits[0])
        if split not in splits:
            raise SourceError(f"the config {config} has no split {split!r} (it has {', '.join(splits)})")
        return config, split


def _check_task(task: Task | None, name: str) -> None:
    """Raises: SourceError for the name of a config, or of own data, whose items have no boards."""
    if task is not None and not task.explored:
        titles = " and ".join(task.title for task in TASKS.values() if task.explored)
        raise SourceError(
            f"the explorer shows items of {titles}, and {name} has items of {task.title}: see them one by one, with "
            f"their predictions, with `bap-v2 show {task.example_id or 'ID'}`"
        )


class InstalledSource(RowSource):
    """The configs in the cache of this machine."""

    title = "this machine"

    @functools.cached_property
    def configs(self) -> list[str]:
        """Those in the cache; whether a config is up to date is checked when it is opened."""
        root = Path(datasets.config.HF_DATASETS_CACHE).expanduser() / DATASET_NAME
        configs = [name for name in _CONFIGS if any((root / name).glob("*/*/dataset_info.json"))]
        if not configs:
            raise SourceError(
                "no config is set up: run `bap-v2 setup` (human dialogues too: `bap-v2 setup --mdc PATH`)"
            )
        return configs

    @functools.cache  # noqa: B019 (one source lives as long as the process)
    def splits(self, config: str) -> list[str]:
        """Raises: SourceError if the config is not set up as this version makes it: nothing is built here."""
        _check_task(task_of(config), config)
        if config not in _CONFIGS:
            raise SourceError(unknown_config(config, _CONFIGS))
        folder = install.installed(config)
        if folder is None:
            command = require_task(config).setup_command(config)
            raise SourceError(f"the config {config} is not set up, or not as this version makes it: run `{command}`")
        return list(datasets.DatasetInfo.from_directory(str(folder)).splits)

    def rows(self, config: str, split: str) -> datasets.Dataset:
        return split_rows(*self.start(config, split))


class OwnSource(RowSource):
    """Data of the user's own, as one config."""

    keeps_index = False

    def __init__(self, data: "OwnData"):
        _check_task(data.task, data.name)
        self.data = data
        self.title = data.source or data.name
        self.configs = [data.name]

    def splits(self, config: str) -> list[str]:
        if config != self.data.name:
            raise SourceError(f"there is no config {config!r} here: the page shows {self.data.name} alone")
        return list(self.data.splits)

    def rows(self, config: str, split: str) -> datasets.Dataset:
        _, split = self.start(config, split)
        return self.data.splits[split]


class HubSource(RowSource):
    """The configs of a dataset on the Hub.

    Args:
        repo_id: USER/NAME.
    """

    def __init__(self, repo_id: str):
        self.repo_id = repo_id
        self.title = repo_id

    @functools.cached_property
    def configs(self) -> list[str]:
        published = datasets.get_dataset_config_names(self.repo_id)
        others = [name for name in published if name not in all_configs()]
        configs = [name for name in _CONFIGS if name in published] + others
        if not configs:
            _check_task(task_of(published[0]), published[0])
        return configs

    @functools.cache  # noqa: B019
    def splits(self, config: str) -> list[str]:
        _check_task(task_of(config), config)
        if config not in self.configs:
            raise SourceError(f"{self.repo_id} has no config {config!r} (it has {', '.join(self.configs)})")
        return datasets.get_dataset_split_names(self.repo_id, config)

    def rows(self, config: str, split: str) -> datasets.Dataset:
        config, split = self.start(config, split)
        return with_metadata(datasets.load_dataset(self.repo_id, config, split=split))
