"""Publishes the configs and the metric on the Hugging Face Hub, each repository in one commit.

    datasets/USER/bap_v2     data/<config>/<split>-00000-of-00001.parquet, README.md, licences
    spaces/USER/bap_v2       the folder bap_v2_metric
    spaces/USER/explorer     the folder hub_cards/space, and the packages that it needs

A reader sees the old state of a repository or the new one, whenever a push ends. What is there already is not sent
again: files that are equal stay, and large files that a killed push uploaded are known by their SHA-256.
"""

import hashlib
import os
import re
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from urllib.parse import quote

import datasets
import huggingface_hub
from datasets.info import DatasetInfosDict
from datasets.utils.metadata import MetadataConfigs
from filelock import FileLock, Timeout
from huggingface_hub import CommitOperationAdd, CommitOperationDelete, DatasetCard, constants
from huggingface_hub.errors import (
    HfHubHTTPError,
    HFValidationError,
    HTTPError,
    LocalTokenNotFoundError,
    OfflineModeIsEnabled,
    RepositoryNotFoundError,
    RevisionNotFoundError,
)
from huggingface_hub.hf_api import RepoFile
from huggingface_hub.utils import validate_repo_id
from huggingface_hub.utils.sha import git_hash

import bap_v2_dataset
import bap_v2_hub_cards
import bap_v2_metric
import bap_v2_simulators
from bap_v2_dataset.human.corpus_files import CorpusError
from bap_v2_dataset.labels.label_file import labels_name
from bap_v2_dataset.loading import install
from bap_v2_dataset.loading.builder import CONFIGS, HUMAN_CONFIGS, labels_path
from bap_v2_dataset.publishing.dataset_card import dataset_card
from bap_v2_metric.errors import UserError
from bap_v2_simulators.corpora import SIMULATORS

_LINKED_SPACE = re.compile(r'evaluate\.load\("([^"/]+/[^"]+)"\)')  # in the card
_SHARD_BYTES = 300_000_000  # of rows in memory; a file is about a quarter of that
_ROWS_PER_GROUP = 1_000  # what a reader that streams holds at once
_PAUSES = (1.0, 2.0, 4.0)  # seconds before a commit is tried again
_PASSING = (408, 429, 500, 502, 503, 504)  # statuses that another try may not meet
_OVERTAKEN = (409, 412)  # somebody else committed in between
_NOT_IN_SPACE = ("cli", "analysis", "generation", "publishing")  # rooms that the explorer has no use for
_LICENSES = Path(bap_v2_dataset.__file__).parent / "data"


class PublishError(UserError):
    """What cannot be published, or what the Hub refused; the message says what to change. It never holds the token."""


@dataclass(frozen=True)
class Repository:
    """Where something is published."""

    repo_id: str  # "USER/NAME"
    repo_type: str  # "dataset", "space" or "model"
    private: bool = False  # if it is made; one that exists must not be less private
    branch: str = constants.DEFAULT_REVISION

    def __str__(self) -> str:
        return f"the {self.name}"

    @property
    def name(self) -> str:
        return f"{self.repo_type} {self.repo_id}"

    @property
    def url(self) -> str:
        tree = "" if self.branch == constants.DEFAULT_REVISION else f"/tree/{quote(self.branch, safe='')}"
        folder = "" if self.repo_type == "model" else f"{self.repo_type}s/"
        return f"{constants.ENDPOINT}/{folder}{self.repo_id}{tree}"


@dataclass(frozen=True)
class File:
    """A file as it is to be in a repository."""

    path: str
    content: Path | bytes
    rows: int | None = None

    @property
    def size(self) -> int:
        return len(self.content) if isinstance(self.content, bytes) else self.content.stat().st_size

    def equals(self, there: RepoFile) -> bool:
        """Whether the repository holds the same bytes."""
        if there.lfs is None:
            data = self.content if isinstance(self.content, bytes) else self.content.read_bytes()
            return git_hash(data) == there.blob_id
        if isinstance(self.content, bytes):
            return hashlib.sha256(self.content).hexdigest() == there.lfs.sha256
        with open(self.content, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest() == there.lfs.sha256


@dataclass(frozen=True)
class Rows:
    """A config that is to be published, as Parquet files."""

    info: datasets.DatasetInfo
    splits: Mapping[str, datasets.Dataset]
    files: Sequence[File]


@dataclass(frozen=True)
class Publication:
    """What is to be in a repository."""

    repository: Repository
    files_beside: Callable[[str | None], list[File]]  # from the README.md that is there to our files as they are to be
    owns: Callable[[str], bool]  # whether a path that is there, and is none of those files, is an old file of ours


@dataclass(frozen=True)
class Change:
    """What a push does with one file: `state` is new, changed, same, old (it is deleted) or unknown."""

    path: str
    rows: int | None
    size: int
    state: str


@dataclass(frozen=True)
class Plan:
    """What a push does with a repository."""

    repository: Repository
    is_new: bool
    files: Sequence[File]
    changes: Sequence[Change]
    note: str = ""  # why the states are unknown

    @property
    def is_done(self) -> bool:
        return all(change.state == "same" for change in self.changes)


@dataclass(frozen=True)
class Outcome:
    """What a push did."""

    plan: Plan
    commit_url: str | None  # None: everything was there already


def chosen_configs(configs: Sequence[str], human: bool) -> list[str]:
    """The configs to publish, in the usual order; by default all, and those with human dialogues only if `human`.

    Raises:
        PublishError: for a config that does not exist, or with human dialogues that were not asked for.
    """
    if unknown := [name for name in configs if name not in CONFIGS]:
        raise PublishError(f"unknown config {unknown[0]!r} (expected one of {', '.join(CONFIGS)})")
    if not human and (asked := [name for name in configs if name in HUMAN_CONFIGS]):
        raise PublishError(
            f"the config {asked[0]} holds dialogues of the human corpus: pass --human to publish them, "
            "with the corpus's licence"
        )
    return [name for name in CONFIGS if (name in configs if configs else human or name in SIMULATORS)]


def checked_branch(branch: str) -> str:
    """The same name.

    Raises:
        PublishError: if git has no such names.
    """
    if re.fullmatch(r"(?!/|.*(?:\.\.|//|@\{|\.lock$|[/.]$))[^\s~^:?*\[\\]+", branch):
        return branch
    raise PublishError(f"--revision {branch!r} is no name of a branch: no spaces, '..', or any of ~ ^ : ? * [ \\")


def checked_id(repo_id: str) -> str:
    """The same id.

    Raises:
        PublishError: if it is not of the form USER/NAME.
    """
    try:
        validate_repo_id(repo_id)
        user, name = repo_id.split("/")
        if user and name:
            return repo_id
    except (HFValidationError, ValueError):
        pass
    raise PublishError(
        f"{repo_id!r} is not the name of a repository: expected USER/NAME, letters, digits, '-', '_' and '.', "
        "e.g. jdoe/bap_v2"
    )


@contextmanager
def staged(configs: Sequence[str], progress: Callable[[str], None] | None = None) -> Iterator[dict[str, Rows]]:
    """The rows of the configs as Parquet files, in a folder beside the Hugging Face caches that is deleted at the end.

    A config that is not set up is built first. The bytes depend on the rows alone (and the version of pyarrow).

    Args:
        configs: their names.
        progress: called with the name of each before it is written.
    Raises:
        PublishError: if another push of this user is running, or the files cannot be written.
        bap_v2_dataset.human.corpus_files.CorpusError: if the human corpus is needed and not set up.
    """
    root = Path(datasets.config.HF_CACHE_HOME).expanduser() / "bap_v2_push"
    try:
        root.mkdir(parents=True, exist_ok=True)
        lock = FileLock(root / ".lock")
        lock.acquire(timeout=0)
    except Timeout:
        raise PublishError(f"another push is running (it holds {root}/.lock): wait for it") from None
    except OSError as error:
        raise _not_written(root, error) from None
    try:
        for leftover in root.glob("unfinished-*"):  # of a push that was killed
            shutil.rmtree(leftover, ignore_errors=True)
        with tempfile.TemporaryDirectory(prefix="unfinished-", dir=root, ignore_cleanup_errors=True) as folder:
            found = {}
            for config in configs:
                if progress is not None:
                    progress(config)
                splits = install.rows_of(config)
                try:
                    found[config] = _written(config, splits, Path(folder))
                except OSError as error:
                    raise _not_written(root, error) from None
            yield found
    finally:
        lock.release()


def dataset_of(repository: Repository, staged: Mapping[str, Rows], metric_space: str | None = None) -> Publication:
    """The dataset: configs, their card, and licences. Other configs that are there stay, and the card describes them.

    Args:
        repository: where they go.
        staged: the configs that are pushed, with their files.
        metric_space: named in the card.
    """
    folders = tuple(f"data/{name}/" for name in staged)
    files_beside = partial(_dataset_files, repository, staged, metric_space)
    return Publication(repository, files_beside, lambda path: path.startswith(folders))


def metric_of(repository: Repository) -> Publication:
    """The Space of the metric: its folder as it is. What else is in the Space stays."""
    folder = Path(bap_v2_metric.__file__).parent
    paths = [path for path in sorted(folder.iterdir()) if path.is_file() and not path.name.startswith(".")]
    return Publication(repository, lambda there: [File(path.name, path) for path in paths], lambda path: False)


def explorer_of(repository: Repository, dataset_id: str) -> Publication:
    """The Space of the dataset: the explorer's page, and the packages that it needs, from where they are installed.

    Args:
        repository: where it goes.
        dataset_id: the dataset that it shows, USER/NAME.
    """
    page = Path(bap_v2_hub_cards.__file__).parent / "space"
    card = (page / "README.md").read_text(encoding="utf-8").replace("{{ dataset }}", dataset_id)
    found = [
        File("README.md", card.encode()),
        File("dataset.txt", f"{dataset_id}\n".encode()),
        File("app.py", page / "app.py"),
        File("requirements.txt", page / "requirements.txt"),
        File("LICENSE", _LICENSES / "LICENSE"),
    ]
    for package in (bap_v2_metric, bap_v2_simulators, bap_v2_dataset):
        folder = Path(package.__file__).parent
        for path in sorted(folder.rglob("*.py")):
            parts = path.relative_to(folder).parts
            if parts[0] not in _NOT_IN_SPACE:
                found.append(File("/".join((package.__name__, *parts)), path))
    packages = tuple(f"{package.__name__}/" for package in (bap_v2_metric, bap_v2_simulators, bap_v2_dataset))
    return Publication(repository, lambda there: found, lambda path: path.startswith(packages))


class Hub:
    """The Hub as one user sees it. All its errors are sentences without the token.

    Args:
        token: by default that of HF_TOKEN or of the stored login; there may be none if nothing is sent.
    """

    def __init__(self, token: str | None = None):
        self._token = token or huggingface_hub.get_token() or ""
        self._api = huggingface_hub.HfApi(token=self._token or False)

    def log_in(self) -> str:
        """The name of the user that the token belongs to.

        Raises:
            PublishError: without a token, or if the Hub does not accept it.
        """
        where = f"{constants.ENDPOINT}/settings/tokens"
        if not self._token:
            raise PublishError(
                f"no token: run `hf auth login`, or set HF_TOKEN to a token with write access from {where}"
            )
        if not self._token.isascii() or not self._token.isprintable() or " " in self._token:
            raise PublishError(f"the token holds a character that no token has: copy it again from {where}")
        with self._in_sentences("the Hub"):
            return self._api.whoami()["name"]

    def preview(self, publication: Publication) -> Plan:
        """What `push` would do; if the Hub cannot be asked, every state is unknown and the note says why."""
        repository = publication.repository
        try:
            with self._in_sentences(str(repository)):
                head, there, card = self._look(repository)
        except PublishError as error:
            files = publication.files_beside(None)
            changes = [Change(file.path, file.rows, file.size, "unknown") for file in files]
            return Plan(repository, False, files, changes, str(error))
        return _compared(publication, head, there, card)

    def push(self, publication: Publication) -> Outcome:
        """Makes the repository hold the files, in one commit.

        Raises:
            PublishError: if the Hub refuses; the repository is as it was, or as it should be.
        """
        repository = publication.repository
        for pause in (*_PAUSES, None):
            with self._in_sentences(str(repository)):
                head, there, card = self._look(repository)
            plan = _compared(publication, head, there, card)
            with self._in_sentences(str(repository)):
                try:
                    head = head or self._make(repository)
                    self._make_branch(repository, head)
                    return Outcome(plan, None if plan.is_done else self._commit(plan, head))
                except (HfHubHTTPError, HTTPError) as error:
                    # After a lost answer the commit may be there: looking again finds out.
                    if pause is None or not _worth_another_try(error):
                        raise
            time.sleep(pause)
        raise AssertionError("unreachable")

    def _look(self, repository: Repository) -> tuple[str | None, dict[str, RepoFile], str | None]:
        """The last commit, the files and the README.md of a repository, or of its main branch if the branch is new."""
        named = {"repo_id": repository.repo_id, "repo_type": repository.repo_type}
        try:
            info = self._api.repo_info(**named, revision=repository.branch)
        except RevisionNotFoundError:
            info = self._api.repo_info(**named)
        except RepositoryNotFoundError as error:
            if self._token and error.response.status_code == 401:
                raise
            return None, {}, None
        if repository.private and not info.private:
            raise PublishError(
                f"{repository} exists and is public: make it private in its settings, or leave out --private"
            )
        entries = self._api.list_repo_tree(**named, revision=info.sha, recursive=True)
        there = {entry.path: entry for entry in entries if isinstance(entry, RepoFile)}
        card = None
        if "README.md" in there:
            with tempfile.TemporaryDirectory() as folder:
                path = self._api.hf_hub_download(**named, filename="README.md", revision=info.sha, cache_dir=folder)
                card = Path(path).read_text(encoding="utf-8")
        return info.sha, there, card

    def _make(self, repository: Repository) -> str:
        """Makes a repository and returns its first commit."""
        named = {"repo_id": repository.repo_id, "repo_type": repository.repo_type}
        sdk = "gradio" if repository.repo_type == "space" else None
        try:
            self._api.create_repo(**named, private=repository.private or None, space_sdk=sdk)
        except HfHubHTTPError as error:
            if error.response.status_code != 409:
                raise
            try:
                self._api.repo_info(**named)  # another push made it just now
            except RepositoryNotFoundError:
                raise PublishError(
                    f"{repository.repo_id} is taken, though {repository} cannot be seen: choose another name"
                ) from None
        return self._api.repo_info(**named).sha

    def _make_branch(self, repository: Repository, start: str) -> None:
        if repository.branch != constants.DEFAULT_REVISION:
            named = {"repo_id": repository.repo_id, "repo_type": repository.repo_type}
            self._api.create_branch(**named, branch=repository.branch, revision=start, exist_ok=True)

    def _commit(self, plan: Plan, head: str) -> str:
        repository = plan.repository
        named = {"repo_id": repository.repo_id, "repo_type": repository.repo_type}
        changed = {change.path: change.state for change in plan.changes if change.state != "same"}
        operations = [
            CommitOperationAdd(file.path, file.content if isinstance(file.content, bytes) else str(file.content))
            for file in plan.files
            if file.path in changed
        ]
        operations += [CommitOperationDelete(path) for path, state in changed.items() if state == "old"]
        return self._api.create_commit(
            **named,
            operations=operations,
            commit_message=f"bap-v2 push: {_counted(len(operations), 'file')}",
            revision=repository.branch,
            parent_commit=head,
        ).commit_url

    @contextmanager
    def _in_sentences(self, what: str) -> Iterator[None]:
        """Turns what the libraries raise into sentences; the token, should they hold it, is left out."""
        try:
            yield
        except PublishError:
            raise
        except (OSError, ValueError, RuntimeError, HTTPError) as error:
            said = _sentence(error, what)
            raise PublishError(said.replace(self._token, "<token>") if self._token else said) from None


def _counted(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _not_written(folder: Path, error: OSError) -> PublishError:
    return PublishError(
        f"cannot write the Parquet files to {folder} ({error.strerror or error}): make room there, or name another "
        "place with HF_HOME"
    )


def _written(config: str, splits: Mapping[str, datasets.Dataset], folder: Path) -> Rows:
    files = []
    for split, rows in splits.items():
        shards = max(1, -(-rows.data.nbytes // _SHARD_BYTES))
        for index in range(shards):
            name = f"data/{config}/{split}-{index:05d}-of-{shards:05d}.parquet"
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            shard = rows.shard(shards, index, contiguous=True)
            shard.to_parquet(path, batch_size=_ROWS_PER_GROUP)
            files.append(File(name, path, len(shard)))
    info = next(iter(splits.values())).info.copy()
    info.download_size = sum(file.size for file in files)
    return Rows(info, splits, files)


def _dataset_files(
    repository: Repository, staged: Mapping[str, Rows], metric_space: str | None, there: str | None
) -> list[File]:
    """All files that a push of these configs is answerable for, where the card `there` is."""
    kept_infos, kept_files = _kept(repository, there, staged)
    infos = {**kept_infos, **{name: rows.info for name, rows in staged.items()}}
    patterns = {
        **kept_files,
        **{name: {split: f"data/{name}/{split}-*.parquet" for split in rows.splits} for name, rows in staged.items()},
    }
    in_order = [name for name in CONFIGS if name in infos]
    splits = {name: rows.splits for name, rows in staged.items()}
    for name, info in kept_infos.items():
        if own := _set_up_alike(name, info):
            splits[name] = own
        elif name in HUMAN_CONFIGS:
            raise PublishError(
                f"{repository} also holds the config {name}, and the same rows are not set up here to describe it: "
                f"push it too (--human --config {name}), or set up the corpus and the labels it was made from"
            )
    if metric_space is None and there and (linked := _LINKED_SPACE.search(there)):
        metric_space = linked[1]
    card = dataset_card(
        repository.repo_id,
        {name: infos[name] for name in in_order},
        {name: patterns[name] for name in in_order},
        labels=labels_name(labels_path()),
        default=in_order[0],
        rows=splits,
        metric_space=metric_space,
    )
    files = [File("README.md", str(card).encode()), File("LICENSE", _LICENSES / "LICENSE")]
    if any(name in HUMAN_CONFIGS for name in staged):
        files.append(File("LICENSE-MDC.txt", _LICENSES / "MDC_LICENSE.txt"))
    return [*files, *(file for rows in staged.values() for file in rows.files)]


def _kept(
    repository: Repository, there: str | None, staged: Mapping[str, Rows]
) -> tuple[dict[str, datasets.DatasetInfo], dict[str, dict[str, str]]]:
    """What the card that is there says of the configs that are not pushed now: infos, and patterns of files."""
    if there is None:
        return {}, {}
    mend = "mend or delete its README.md"
    try:
        card = DatasetCard(there, ignore_metadata_errors=False)
        infos = DatasetInfosDict.from_dataset_card_data(card.data)
        configs = MetadataConfigs.from_dataset_card_data(card.data)
    except Exception as error:  # whatever YAML and its readers raise
        raise PublishError(f"the card of {repository} cannot be read ({type(error).__name__}): {mend}") from None
    if unknown := [name for name in (*configs, *infos) if name not in CONFIGS]:
        raise PublishError(
            f"{repository} holds something else, the config {unknown[0]!r}: name another repository, or {mend}"
        )
    files = {}
    for name in [name for name in configs if name not in staged]:
        try:
            files[name] = {entry["split"]: str(entry["path"]) for entry in configs[name]["data_files"]}
            if set(infos[name].splits) != set(files[name]):
                raise KeyError(name)
        except (KeyError, TypeError):
            raise PublishError(
                f"the card of {repository} does not say what the splits of {name} are: push it too (--config {name})"
            ) from None
    return {name: infos[name] for name in files}, files


def _set_up_alike(config: str, info: datasets.DatasetInfo) -> Mapping[str, datasets.Dataset] | None:
    """The rows of a config that is set up here, if they are as many and as large as `info` says."""
    with suppress(CorpusError):
        if install.installed(config):
            splits = install.rows_of(config)
            if _sizes(next(iter(splits.values())).info) == _sizes(info):
                return splits
    return None


def _sizes(info: datasets.DatasetInfo) -> dict[str, tuple[int, int]]:
    return {name: (split.num_examples, split.num_bytes) for name, split in info.splits.items()}


def _compared(publication: Publication, head: str | None, there: Mapping[str, RepoFile], card: str | None) -> Plan:
    files = publication.files_beside(card)
    changes = []
    for file in files:
        found = there.get(file.path)
        state = "new" if found is None else "same" if file.equals(found) else "changed"
        changes.append(Change(file.path, file.rows, file.size, state))
    wanted = {file.path for file in files}
    changes += [
        Change(path, None, entry.size, "old")
        for path, entry in there.items()
        if path not in wanted and publication.owns(path)
    ]
    return Plan(publication.repository, head is None, files, changes)


def _worth_another_try(error: Exception) -> bool:
    """Only of commits: huggingface_hub itself repeats the other calls that matter."""
    if isinstance(error, HfHubHTTPError):
        passing = error.response.status_code in (*_PASSING, *_OVERTAKEN)
        return passing and "/commit/" in error.response.request.url.path
    with suppress(RuntimeError):  # no request belongs to it
        return "/commit/" in error.request.url.path
    return False


def _sentence(error: BaseException, what: str) -> str:
    """What went wrong with `what`, and the mend."""
    while isinstance(error, RuntimeError) and error.__cause__ is not None:  # around errors of an upload
        error = error.__cause__
    tokens = f"{constants.ENDPOINT}/settings/tokens"
    if isinstance(error, OfflineModeIsEnabled):
        return "HF_HUB_OFFLINE is set: unset it to publish"
    if isinstance(error, HfHubHTTPError):
        status = error.response.status_code
        hub = " ".join((error.server_message or "").split())
        words = f"; the Hub says: {hub[:300]}" if hub else ""
        if status == 401:
            return f"{what}: the token is not valid (401): make one with write access at {tokens}{words}"
        if status in (402, 403):
            return (
                f"{what}: this token may not do that ({status}): take one with write access to it ({tokens}), or name "
                f"another repository{words}"
            )
        if status == 404:
            return f"{what} was not found, or this token may not see it (404): check its name{words}"
        if status in _OVERTAKEN:
            return f"{what}: others keep committing to it ({status}): push again when they are done{words}"
        if status == 429:
            return f"{what}: too many requests (429): push again in a while; uploaded files are not sent again{words}"
        if status >= 500:
            return f"{what}: the Hub has a problem ({status}): push again; uploaded files are not sent again{words}"
        return f"{what}: the Hub refused ({status}){words or ': ' + str(error)}"
    if isinstance(error, LocalTokenNotFoundError):
        return f"no token: run `hf auth login`, or set HF_TOKEN to a token with write access from {tokens}"
    if isinstance(error, HTTPError):
        reason = str(error) or type(error).__name__
        return (
            f"{what}: {constants.ENDPOINT} cannot be reached ({reason}): check the network and push again; uploaded "
            "files are not sent again"
        )
    if isinstance(error, OSError) and error.strerror:
        return f"{what}: {os.strerror(error.errno)} ({error.filename or 'a file'})"
    return f"{what}: {error}"
