"""What of the data is published: configs as Parquet files, their card, and licenses.

    datasets/USER/bap_v2     data/<config>/<split>-00000-of-00001.parquet, README.md, licenses

The configs of the repository that are not pushed stay, and the new card describes them too.
"""

import re
import shutil
import tempfile
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from importlib.resources import files
from pathlib import Path

import datasets
import pyarrow
import pyarrow.parquet as pq
from datasets.info import DatasetInfosDict  # outside the API: guarded by test_canaries.py
from huggingface_hub import DatasetCard

from bap_v2_dataset.human.corpus_files import CorpusError
from bap_v2_dataset.interface.table import unknown_config
from bap_v2_dataset.interface.task import Task
from bap_v2_dataset.loading import install
from bap_v2_dataset.publishing.dataset_card import cards_of, dataset_card, published_configs
from bap_v2_dataset.publishing.hub import File, Publication, PublishError, Repository
from bap_v2_simulators.atomic_files import OutputError, only_writer

_LINKED_SPACE = re.compile(r'evaluate\.load\("([^"/]+/[^"]+)"\)')  # in the card
_SHARD_BYTES = 300_000_000  # of rows in memory; a file is about a quarter of that
_ROWS_PER_GROUP = 1_000  # what a reader that streams holds at once
_LICENSE = Path(str(files("bap_v2_dataset") / "data" / "LICENSE"))


@dataclass(frozen=True)
class Rows:
    """A config that is to be published, as Parquet files."""

    info: datasets.DatasetInfo
    splits: Mapping[str, datasets.Dataset]
    files: Sequence[File]


def chosen_configs(configs: Sequence[str], human: bool, tasks: Collection[Task] = ()) -> list[str]:
    """Return the configs to publish, in the usual order; by default those of building, human ones only if `human`.

    Args:
        tasks: with each config, that of such a task which is made of it, if there is one; of a task that is made of
            nothing else all configs, and nothing else, if nothing else is named.
    Raises:
        PublishError: for a config that does not exist, or one with human dialogues without `human`.
    """
    # What is named must exist, and people's words must be meant.
    published = published_configs()
    if unknown := [name for name in configs if name not in published]:
        raise PublishError(unknown_config(unknown[0], published))
    if not human and (with_dialogues := [name for name in configs if _is_human(name)]):
        raise PublishError(
            f"the config {with_dialogues[0]} holds dialogues of the human corpus: pass --human to publish them, "
            "with the corpus's license"
        )
    # The configs that are named, or the default ones, unless a task stands for itself.
    chosen = set(configs)
    derived = [task for task in tasks if _is_made_of_others(task)]
    if not configs and (human or derived or not tasks):
        chosen = {name for name in published if published[name].by_default and (human or not _is_human(name))}
    # With them those that are made of them, and whole tasks.
    for task in derived:
        chosen |= {name for name, config in task.configs.items() if chosen & set(config.made_of)}
    for task in tasks:
        chosen |= set() if task in derived else set(task.configs)
    return [name for name in published if name in chosen]


def _is_human(config: str) -> bool:
    """Return whether a config that can be published holds human dialogues."""
    return "mdc" in published_configs()[config].arguments


def _is_made_of_others(task: Task) -> bool:
    """Return whether each config of a task is made of rows of another task."""
    return all(set(config.made_of) - set(task.configs) for config in task.configs.values())


@contextmanager
def staged(configs: Sequence[str], progress: Callable[[str], None] | None = None) -> Iterator[dict[str, Rows]]:
    """Write the rows of the configs as Parquet files, in a folder beside the caches that is deleted at the end.

    A config that is not set up is built first. The bytes depend on the rows alone (and the version of pyarrow).

    Args:
        configs: their names.
        progress: called with the name of each before it is written.
    Raises:
        PublishError: if another push of this user is running, or the files cannot be written.
        bap_v2_dataset.human.corpus_files.CorpusError: if the human corpus is needed and not set up.
    """
    # Only one push of a user writes; what a killed one left goes first.
    root = Path(datasets.config.HF_CACHE_HOME).expanduser() / "bap_v2_push"
    with ExitStack() as stack:
        try:
            root.mkdir(parents=True, exist_ok=True)
            stack.enter_context(only_writer(root, lock=root / ".lock"))
        except OutputError:
            raise PublishError(f"another push is running (it holds {root}/.lock): wait for it") from None
        except OSError as error:
            raise _not_written(root, error) from None
        for leftover in root.glob("unfinished-*"):  # of a push that was killed
            shutil.rmtree(leftover, ignore_errors=True)
        folder = stack.enter_context(
            tempfile.TemporaryDirectory(prefix="unfinished-", dir=root, ignore_cleanup_errors=True)
        )
        # A config that fails leaves nothing: the folder is deleted on the way out.
        rows = {}
        for config in configs:
            if progress is not None:
                progress(config)
            splits = install.rows_of(config)
            try:
                rows[config] = _written(config, splits, Path(folder))
            except OSError as error:
                raise _not_written(root, error) from None
        yield rows


def dataset_of(repository: Repository, staged: Mapping[str, Rows], metric_space: str | None = None) -> Publication:
    """Return the dataset: configs, their card, and licenses. Other configs of the repository stay, in the card too.

    Args:
        repository: where they go.
        staged: the configs that are pushed, with their files.
        metric_space: named in the card.
    """
    folders = tuple(f"data/{name}/" for name in staged)
    files_beside = partial(_dataset_files, repository, staged, metric_space)
    return Publication(repository, files_beside, lambda path: path.startswith(folders))


def _not_written(folder: Path, error: OSError) -> PublishError:
    return PublishError(
        f"cannot write the Parquet files to {folder} ({error.strerror or error}): make room there, or name another "
        "place with HF_HOME"
    )


def _written(config: str, splits: Mapping[str, datasets.Dataset], folder: Path) -> Rows:
    parquet_files = []
    for split, rows in splits.items():
        shards = max(1, -(-rows.data.nbytes // _SHARD_BYTES))
        for index in range(shards):
            name = f"data/{config}/{split}-{index:05d}-of-{shards:05d}.parquet"
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            shard = rows.shard(shards, index, contiguous=True)
            with pyarrow.OSFile(str(path), "wb") as file:  # not a file of Python's: Ctrl-C inside one makes Arrow abort
                _write_plain(shard, file)
            parquet_files.append(File(name, path, len(shard)))
    info = next(iter(splits.values())).info.copy()
    for name, feature in info.features.items():
        if isinstance(feature, datasets.Json):
            info.features[name] = datasets.Value("string")
    info.download_size = sum(file.size for file in parquet_files)
    return Rows(info, splits, parquet_files)


def _write_plain(rows: datasets.Dataset, file: pyarrow.NativeFile) -> None:
    """Write rows as Parquet in types that every reader knows: JSON as text, and no features of `datasets` beside them.

    Versions of `datasets` before 4.7 do not read its JSON, and those before 4.0 not its lists.
    """
    table = rows.with_format("arrow")[:]
    for number, column in enumerate(table.columns):
        if isinstance(column.type, pyarrow.BaseExtensionType):
            text = pyarrow.chunked_array([chunk.storage for chunk in column.chunks], column.type.storage_type)
            table = table.set_column(number, table.column_names[number], text)
    pq.write_table(
        table.replace_schema_metadata(), file, row_group_size=_ROWS_PER_GROUP, use_content_defined_chunking=True,
        write_page_index=True,
    )  # fmt: skip # as `Dataset.to_parquet`


def _dataset_files(
    repository: Repository, staged: Mapping[str, Rows], metric_space: str | None, card: str | None
) -> list[File]:
    """Return all files that a push of these configs is answerable for, where the README.md is `card`."""
    # The configs of the repository after the push: those that are pushed, and those that its card describes.
    remaining_infos, remaining_patterns = _remaining(repository, card, staged)
    infos = {**remaining_infos, **{name: rows.info for name, rows in staged.items()}}
    patterns = {
        **remaining_patterns,
        **{name: {split: f"data/{name}/{split}-*.parquet" for split in rows.splits} for name, rows in staged.items()},
    }
    # The rows that the card describes; human ones that are not here cannot be described.
    splits = {name: rows.splits for name, rows in staged.items()}
    for name, info in remaining_infos.items():
        if local := _local_rows(name, info):
            splits[name] = local
        elif _is_human(name):
            raise PublishError(
                f"{repository} also holds the config {name}, and the same rows are not set up here to describe it: "
                f"push it too (--human --config {name}), or set up the corpus and the labels it was made from"
            )
    # The card, with the Space that the old one names, the licenses, and the rows.
    if metric_space is None and card and (link := _LINKED_SPACE.search(card)):
        metric_space = link[1]
    new_card = dataset_card(
        repository.repo_id,
        infos,
        patterns,
        default=next(name for name in published_configs() if name in infos),
        rows=splits,
        metric_space=metric_space,
    )
    configs = published_configs()
    beside = [File("README.md", str(new_card).encode()), File("LICENSE", _LICENSE)]
    for card, names in cards_of(list(staged)).items():
        beside += [
            File(name, license) for name, license in card.license_files({name: configs[name] for name in names}).items()
        ]
    return [*beside, *(file for rows in staged.values() for file in rows.files)]


def _remaining(
    repository: Repository, card: str | None, staged: Mapping[str, Rows]
) -> tuple[dict[str, datasets.DatasetInfo], dict[str, dict[str, str]]]:
    """Read what a card says of the configs that are not pushed now: infos, and patterns of files by split."""
    if card is None:
        return {}, {}
    # A card that cannot be read, or that describes something else, is not overwritten.
    fix = "fix or delete its README.md"
    try:
        data = DatasetCard(card, ignore_metadata_errors=False).data
        infos = DatasetInfosDict.from_dataset_card_data(data)
        data_files = {config["config_name"]: config.get("data_files") for config in data.get("configs") or ()}
    except Exception as error:  # whatever YAML and its readers raise
        raise PublishError(f"the card of {repository} cannot be read ({type(error).__name__}): {fix}") from None
    if unknown := [name for name in (*data_files, *infos) if name not in published_configs()]:
        raise PublishError(
            f"{repository} holds something else, the config {unknown[0]!r}: name another repository, or {fix}"
        )
    # Of each other config the files by split, which must be those of its info.
    patterns = {}
    for name in [name for name in data_files if name not in staged]:
        try:
            patterns[name] = {entry["split"]: str(entry["path"]) for entry in data_files[name]}
            if set(infos[name].splits) != set(patterns[name]):
                raise KeyError(name)
        except (KeyError, TypeError):
            raise PublishError(
                f"the card of {repository} does not say what the splits of {name} are: push it too (--config {name})"
            ) from None
    return {name: infos[name] for name in patterns}, patterns


def _local_rows(config: str, info: datasets.DatasetInfo) -> Mapping[str, datasets.Dataset] | None:
    """Return the rows of a config that is set up here, if they are as many and as large as `info` says."""
    with suppress(CorpusError):
        if install.installed(config):
            splits = install.rows_of(config)
            if _sizes(next(iter(splits.values())).info) == _sizes(info):
                return splits
    return None


def _sizes(info: datasets.DatasetInfo) -> dict[str, tuple[int, int]]:
    return {name: (split.num_examples, split.num_bytes) for name, split in info.splits.items()}
