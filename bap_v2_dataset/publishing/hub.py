"""The Hugging Face Hub as one user sees it: what is to be in a repository, and how it gets there in one commit.

A reader sees the old state of a repository or the new one, whenever a push ends. `huggingface_hub` compares the files
with those that are there, and does not send equal ones again. Of its functions `create_commit` is the one that makes
one commit: `upload_folder` makes several of a large folder, and between them a dataset would have files of two pushes.
"""

import os
import re
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
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
from huggingface_hub.utils import validate_repo_id

from bap_v2_dataset.sentences import counted
from bap_v2_metric.errors import UserError


class PublishError(UserError):
    """A push that is not possible, or that the Hub refused; the message says what to change, without the token."""


@dataclass(frozen=True)
class Repository:
    """A repository on the Hub, as it is or is to be."""

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
        """Arguments of functions of `huggingface_hub`."""
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


@dataclass(frozen=True)
class Publication:
    """The content that a repository is to have."""

    repository: Repository
    files_beside: Callable[[str | None], list[File]]  # from the README.md of the repository to our files beside it
    owns: Callable[[str], bool]  # whether a remote path that is none of those files is an old file of ours


@dataclass(frozen=True)
class PushPlan:
    """The files that a push sends to a repository, and those that it deletes there."""

    repository: Repository
    files: Sequence[File]
    old: Sequence[str]  # files of the repository that are deleted: of an earlier push, and no longer made
    head: str | None  # the last commit; None if there is no such repository, "" if it could not be looked at
    note: str = ""  # why it could not


@dataclass(frozen=True)
class Outcome:
    """The result of a push."""

    plan: PushPlan
    is_changed: bool  # False: the repository already held everything


def checked_branch(branch: str) -> str:
    """Return `branch` if it is a name that git allows.

    Raises:
        PublishError: if it is not.
    """
    if re.fullmatch(r"(?!/|.*(?:\.\.|//|@\{|\.lock$|[/.]$))[^\s~^:?*\[\\]+", branch):
        return branch
    raise PublishError(f"--revision {branch!r} is not a branch name: no spaces, '..', or any of ~ ^ : ? * [ \\")


def checked_id(repo_id: str) -> str:
    """Return `repo_id` if it has the form USER/NAME.

    Raises:
        PublishError: if it has not.
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


class Hub:
    """The Hub as one user sees it. All its errors are sentences without the token.

    Args:
        token: by default the user's own; it may be none if nothing is sent.
    """

    def __init__(self, token: str | None = None):
        self._token = token or huggingface_hub.get_token() or ""
        self._api = huggingface_hub.HfApi(token=self._token or False)

    def log_in(self) -> str:
        """Return the name of the user that the token belongs to.

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

    def plan(self, publication: Publication, offline: bool = False) -> PushPlan:
        """Return what `push` sends.

        Args:
            offline: if the Hub cannot be asked, return all files, with a note that says why.
        Raises:
            PublishError: if the Hub cannot be asked, or the repository holds something else.
        """
        repository, note = publication.repository, ""
        try:
            with self._errors_as_sentences(str(repository)):
                head, remote, card = self._look(repository)
        except PublishError as error:
            if not offline:
                raise
            head, remote, card, note = "", [], None, str(error)
        files = publication.files_beside(card)
        old = sorted(set(filter(publication.owns, remote)) - {file.path for file in files})
        return PushPlan(repository, files, old, head, note)

    def push(self, publication: Publication) -> Outcome:
        """Make the repository hold the files, in one commit.

        Raises:
            PublishError: if the Hub refuses; the repository is as it was, or as it should be.
        """
        plan = self.plan(publication)
        repository = plan.repository
        with self._errors_as_sentences(str(repository)):
            # A new repository has a first commit, and a new branch begins where the main one is.
            head = plan.head or self._make(repository)
            if repository.branch != constants.DEFAULT_REVISION:
                self._api.create_branch(**repository.names, branch=repository.branch, revision=head, exist_ok=True)
            # With `parent_commit` nothing is committed over what somebody else committed in the meantime.
            commit = self._api.create_commit(
                **repository.names,
                operations=[
                    *(CommitOperationAdd(file.path, file.content) for file in plan.files),
                    *map(CommitOperationDelete, plan.old),
                ],
                commit_message=f"bap-v2 push: {counted(len(plan.files), 'file')}",
                revision=repository.branch,
                parent_commit=head,
            )
        return Outcome(plan, commit.oid != head)

    def _look(self, repository: Repository) -> tuple[str | None, list[str], str | None]:
        """Return the last commit, the paths and the README.md of a repository, of its main branch if ours is new."""
        names = repository.names
        # Find the commit to look at; without the repository there is none.
        try:
            info = self._api.repo_info(**names, revision=repository.branch)
        except RevisionNotFoundError:
            info = self._api.repo_info(**names)
        except RepositoryNotFoundError as error:
            if self._token and error.response.status_code == 401:
                raise
            return None, [], None
        if repository.private and not info.private:
            raise PublishError(
                f"{repository} exists and is public: make it private in its settings, or leave out --private"
            )
        # Read the card at that commit, past the cache.
        remote = self._api.list_repo_files(**names, revision=info.sha)
        card = None
        if "README.md" in remote:
            with tempfile.TemporaryDirectory() as folder:
                path = self._api.hf_hub_download(**names, filename="README.md", revision=info.sha, cache_dir=folder)
                card = Path(path).read_text(encoding="utf-8")
        return info.sha, remote, card

    def _make(self, repository: Repository) -> str:
        """Make a repository and return its first commit."""
        sdk = "gradio" if repository.repo_type == "space" else None
        self._api.create_repo(**repository.names, private=repository.private or None, space_sdk=sdk)
        return self._api.repo_info(**repository.names).sha

    @contextmanager
    def _errors_as_sentences(self, subject: str) -> Iterator[None]:
        """Turn what the libraries raise into sentences; the token, should they hold it, is left out."""
        try:
            yield
        except PublishError:
            raise
        except (OSError, ValueError, RuntimeError, HTTPError) as error:
            sentence = _sentence(error, subject)
            raise PublishError(sentence.replace(self._token, "<token>") if self._token else sentence) from None


def _sentence(error: BaseException, subject: str) -> str:
    """Say what went wrong with `subject`, and the fix."""
    # Find the error inside those that only carry it.
    while isinstance(error, RuntimeError) and error.__cause__ is not None:  # around errors of an upload
        error = error.__cause__
    tokens = f"{constants.ENDPOINT}/settings/tokens"
    if isinstance(error, OfflineModeIsEnabled):
        return "HF_HUB_OFFLINE is set: unset it to publish"
    # An answer of the Hub: its status says what to do, and its message is kept.
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
        if status in (409, 412):
            return f"{subject}: somebody else changed it just now ({status}): push again{words}"
        if status == 429:
            return f"{subject}: too many requests (429): push again later; uploaded files are not sent again{words}"
        if status >= 500:
            return f"{subject}: the Hub has a problem ({status}): push again; uploaded files are not sent again{words}"
        return f"{subject}: the Hub refused ({status}){words or ': ' + str(error)}"
    # No answer at all, or an error of this machine.
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
