"""The Hugging Face Hub as one user sees it: what is to be in a repository, and how it gets there in one commit.

A reader sees the old state of a repository or the new one, whenever a push ends. What the repository already holds is
not sent again: equal files stay, and large files that a killed push uploaded are known by their SHA-256.
"""

import hashlib
import os
import re
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import huggingface_hub
from huggingface_hub import CommitOperationAdd, CommitOperationDelete, constants
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

from bap_v2_dataset.sentences import counted
from bap_v2_metric.errors import UserError

_PAUSES = (1.0, 2.0, 4.0)  # seconds before a commit is tried again
_PASSING = (408, 429, 500, 502, 503, 504)  # statuses that another try may not meet
_OVERTAKEN = (409, 412)  # somebody else committed in between


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
    def names(self) -> dict[str, str]:
        """As functions of `huggingface_hub` take them."""
        return {"repo_id": self.repo_id, "repo_type": self.repo_type}

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

    def equals(self, remote: RepoFile) -> bool:
        """Whether the repository holds the same bytes."""
        if remote.lfs is None:
            data = self.content if isinstance(self.content, bytes) else self.content.read_bytes()
            return git_blob_id(data) == remote.blob_id
        if isinstance(self.content, bytes):
            return hashlib.sha256(self.content).hexdigest() == remote.lfs.sha256
        with open(self.content, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest() == remote.lfs.sha256


@dataclass(frozen=True)
class Publication:
    """What is to be in a repository."""

    repository: Repository
    files_beside: Callable[[str | None], list[File]]  # from the README.md of the repository to our files beside it
    owns: Callable[[str], bool]  # whether a remote path that is none of those files is an old file of ours


@dataclass(frozen=True)
class Change:
    """What a push does with one file: `state` is new, changed, same, old (it is deleted) or unknown."""

    path: str
    rows: int | None
    size: int
    state: str


@dataclass(frozen=True)
class PushPlan:
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

    plan: PushPlan
    commit_url: str | None  # None: the repository already held everything


def checked_branch(branch: str) -> str:
    """The same name.

    Raises:
        PublishError: if git has no such names.
    """
    if re.fullmatch(r"(?!/|.*(?:\.\.|//|@\{|\.lock$|[/.]$))[^\s~^:?*\[\\]+", branch):
        return branch
    raise PublishError(f"--revision {branch!r} is not a branch name: no spaces, '..', or any of ~ ^ : ? * [ \\")


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


def git_blob_id(data: bytes) -> str:
    """The id that git, and so the Hub, gives to a small file.

    >>> git_blob_id(b"Hello, World!")  # as `git hash-object` prints it
    'b45ef6fec89518d314f546fd6c3025367b721684'
    """
    return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


class Hub:
    """The Hub as one user sees it. All its errors are sentences without the token.

    Args:
        token: by default the user's own; it may be none if nothing is sent.
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
        with self._errors_as_sentences("the Hub"):
            return self._api.whoami()["name"]

    def preview(self, publication: Publication) -> PushPlan:
        """What `push` would do; if the Hub cannot be reached, every state is unknown and the note says why."""
        repository = publication.repository
        try:
            with self._errors_as_sentences(str(repository)):
                head, remote, card = self._look(repository)
        except PublishError as error:
            files = publication.files_beside(None)
            changes = [Change(file.path, file.rows, file.size, "unknown") for file in files]
            return PushPlan(repository, False, files, changes, str(error))
        return _plan(publication, head, remote, card)

    def push(self, publication: Publication) -> Outcome:
        """Makes the repository hold the files, in one commit.

        Raises:
            PublishError: if the Hub refuses; the repository is as it was, or as it should be.
        """
        repository = publication.repository
        for pause in (*_PAUSES, None):
            with self._errors_as_sentences(str(repository)):
                head, remote, card = self._look(repository)
            plan = _plan(publication, head, remote, card)
            with self._errors_as_sentences(str(repository)):
                try:
                    head = head or self._make(repository)
                    self._make_branch(repository, head)
                    return Outcome(plan, None if plan.is_done else self._commit(plan, head))
                except (HfHubHTTPError, HTTPError) as error:
                    # After a lost answer the commit may have been made: looking again finds out.
                    if pause is None or not _worth_another_try(error):
                        raise
            time.sleep(pause)
        raise AssertionError("unreachable")

    def _look(self, repository: Repository) -> tuple[str | None, dict[str, RepoFile], str | None]:
        """The last commit, the files and the README.md of a repository, or of its main branch if the branch is new."""
        names = repository.names
        try:
            info = self._api.repo_info(**names, revision=repository.branch)
        except RevisionNotFoundError:
            info = self._api.repo_info(**names)
        except RepositoryNotFoundError as error:
            if self._token and error.response.status_code == 401:
                raise
            return None, {}, None
        if repository.private and not info.private:
            raise PublishError(
                f"{repository} exists and is public: make it private in its settings, or leave out --private"
            )
        entries = self._api.list_repo_tree(**names, revision=info.sha, recursive=True)
        remote = {entry.path: entry for entry in entries if isinstance(entry, RepoFile)}
        card = None
        if "README.md" in remote:
            with tempfile.TemporaryDirectory() as folder:
                path = self._api.hf_hub_download(**names, filename="README.md", revision=info.sha, cache_dir=folder)
                card = Path(path).read_text(encoding="utf-8")
        return info.sha, remote, card

    def _make(self, repository: Repository) -> str:
        """Makes a repository and returns its first commit."""
        sdk = "gradio" if repository.repo_type == "space" else None
        try:
            self._api.create_repo(**repository.names, private=repository.private or None, space_sdk=sdk)
        except HfHubHTTPError as error:
            if error.response.status_code != 409:
                raise
            try:
                self._api.repo_info(**repository.names)  # another push made it just now
            except RepositoryNotFoundError:
                raise PublishError(
                    f"{repository.repo_id} is taken, though {repository} cannot be seen: choose another name"
                ) from None
        return self._api.repo_info(**repository.names).sha

    def _make_branch(self, repository: Repository, start: str) -> None:
        if repository.branch != constants.DEFAULT_REVISION:
            self._api.create_branch(**repository.names, branch=repository.branch, revision=start, exist_ok=True)

    def _commit(self, plan: PushPlan, head: str) -> str:
        """The address of a new commit."""
        repository = plan.repository
        changed = {change.path: change.state for change in plan.changes if change.state != "same"}
        operations = [
            CommitOperationAdd(file.path, file.content if isinstance(file.content, bytes) else str(file.content))
            for file in plan.files
            if file.path in changed
        ]
        operations += [CommitOperationDelete(path) for path, state in changed.items() if state == "old"]
        commit = self._api.create_commit(
            **repository.names,
            operations=operations,
            commit_message=f"bap-v2 push: {counted(len(operations), 'file')}",
            revision=repository.branch,
            parent_commit=head,
        )
        return commit.commit_url

    @contextmanager
    def _errors_as_sentences(self, subject: str) -> Iterator[None]:
        """Turns what the libraries raise into sentences; the token, should they hold it, is left out."""
        try:
            yield
        except PublishError:
            raise
        except (OSError, ValueError, RuntimeError, HTTPError) as error:
            sentence = _sentence(error, subject)
            raise PublishError(sentence.replace(self._token, "<token>") if self._token else sentence) from None


def _plan(publication: Publication, head: str | None, remote: Mapping[str, RepoFile], card: str | None) -> PushPlan:
    """What is to be in a repository compared with what is in it."""
    files = publication.files_beside(card)
    changes = []
    for file in files:
        entry = remote.get(file.path)
        state = "new" if entry is None else "same" if file.equals(entry) else "changed"
        changes.append(Change(file.path, file.rows, file.size, state))
    paths = {file.path for file in files}
    changes += [
        Change(path, None, entry.size, "old")
        for path, entry in remote.items()
        if path not in paths and publication.owns(path)
    ]
    return PushPlan(publication.repository, head is None, files, changes)


def _worth_another_try(error: Exception) -> bool:
    """Only of commits: huggingface_hub itself repeats the other calls that matter."""
    if isinstance(error, HfHubHTTPError):
        passing = error.response.status_code in (*_PASSING, *_OVERTAKEN)
        return passing and "/commit/" in error.response.request.url.path
    with suppress(RuntimeError):  # no request belongs to it
        return "/commit/" in error.request.url.path
    return False


def _sentence(error: BaseException, subject: str) -> str:
    """What went wrong with `subject`, and the fix."""
    while isinstance(error, RuntimeError) and error.__cause__ is not None:  # around errors of an upload
        error = error.__cause__
    tokens = f"{constants.ENDPOINT}/settings/tokens"
    if isinstance(error, OfflineModeIsEnabled):
        return "HF_HUB_OFFLINE is set: unset it to publish"
    if isinstance(error, HfHubHTTPError):
        status = error.response.status_code
        answer = " ".join((error.server_message or "").split())
        words = f"; the Hub says: {answer[:300]}" if answer else ""
        if status == 401:
            return f"{subject}: the token is not valid (401): make one with write access at {tokens}{words}"
        if status in (402, 403):
            return (
                f"{subject}: this token may not do that ({status}): take one with write access to it ({tokens}), or "
                f"name another repository{words}"
            )
        if status == 404:
            return f"{subject} was not found, or this token may not see it (404): check its name{words}"
        if status in _OVERTAKEN:
            return f"{subject}: others keep committing to it ({status}): push again when they are done{words}"
        if status == 429:
            return f"{subject}: too many requests (429): push again later; uploaded files are not sent again{words}"
        if status >= 500:
            return f"{subject}: the Hub has a problem ({status}): push again; uploaded files are not sent again{words}"
        return f"{subject}: the Hub refused ({status}){words or ': ' + str(error)}"
    if isinstance(error, LocalTokenNotFoundError):
        return f"no token: run `hf auth login`, or set HF_TOKEN to a token with write access from {tokens}"
    if isinstance(error, HTTPError):
        reason = str(error) or type(error).__name__
        return (
            f"{subject}: {constants.ENDPOINT} cannot be reached ({reason}): check the network and push again; uploaded "
            "files are not sent again"
        )
    if isinstance(error, OSError) and error.strerror:
        return f"{subject}: {os.strerror(error.errno)} ({error.filename or 'a file'})"
    return f"{subject}: {error}"
