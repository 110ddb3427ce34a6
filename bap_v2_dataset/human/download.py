"""The human corpus from its public repository: `bap-v2 setup --mdc auto`.

A shallow clone without file contents, into which only the corpus's own files are fetched, some at a time: a download
that breaks off resumes with the missing ones. Every file is checked against the manifest that is shipped with this
package. Needs `git`, and a POSIX system for the lock (elsewhere, pass the corpus's path).

Git rather than an HTTP request for each of the 705 files, which GitHub limits for anonymous users: here they are 19
requests, and `--mdc-url` may name any git repository, also a local one.
"""

import hashlib
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path

from bap_v2_dataset.human.corpus_files import CorpusError
from bap_v2_dataset.human.game_store import folder as games_folder
from bap_v2_simulators.atomic_files import NO_LOCKS

URL = "https://github.com/prashant-jayan21/minecraft-bap-models"
MANIFEST = Path(str(files("bap_v2_dataset"))) / "data" / "mdc_manifest.sha256"
_FILES_AT_ONCE = 40
_COMMIT = "refs/bap_v2/corpus"  # a download that resumes takes the same commit
_ROOT = "data/"  # of the corpus in the repository


class DownloadError(CorpusError):
    """A download that failed, or whose files are not the corpus; the message says what to do."""


def manifest(path: Path = MANIFEST) -> dict[str, tuple[str, int]]:
    """Read the SHA-256 sums and sizes in bytes of the corpus's files, by their names below its root."""
    entries = (line.split(maxsplit=2) for line in path.read_text(encoding="utf-8").splitlines())
    return {name: (digest, int(size)) for digest, size, name in entries}


def downloaded(
    url: str = URL,
    *,
    announce: Callable[[str], None],
    progress: Callable[[int], None] = lambda files: None,
    expected: Mapping[str, tuple[str, int]] | None = None,
) -> Path:
    """Return the folder of the corpus, which is downloaded first if necessary.

    Args:
        url: a git repository with the corpus below `data/`.
        announce: called with a sentence before anything is downloaded.
        progress: called with the number of files that are downloaded.
        expected: the manifest; by default the shipped one.
    Raises:
        DownloadError: no git, no such repository, no network, or files that are not those of the manifest.
    """
    # One folder for each address.
    expected = manifest() if expected is None else expected
    target = games_folder().parent / "bap_v2_corpus" / hashlib.sha256(url.encode()).hexdigest()[:12]
    target.mkdir(parents=True, exist_ok=True)
    # What is missing or not right is fetched, and checked again.
    with _only_one(target) as lock:
        missing = [name for name in expected if not _is_right(target, name, expected[name])]
        if missing:
            to_fetch = f"{len(missing):,}{f' of {len(expected):,}' if len(missing) < len(expected) else ''}"
            size = sum(expected[name][1] for name in missing) / 10**6
            announce(
                f"Downloading the Minecraft Dialogue Corpus from {url}: {to_fetch} files, "
                f"{size:,.0f} MB (compressed on the way), to {target}. "
                "It has its own license (University of Illinois/NCSA)."
            )
            _fetch(url, target, missing, len(expected) - len(missing), progress, lock)
            wrong = [name for name in missing if not _is_right(target, name, expected[name])]
            if wrong:
                shutil.rmtree(target / ".git", ignore_errors=True)  # the next try looks again
                raise DownloadError(
                    f"{url}: {len(wrong):,} files are not those of the published corpus, e.g. {wrong[0]}. If the "
                    f"repository has changed, pass its data folder with --mdc {target / _ROOT}, or another copy"
                )
        shutil.rmtree(target / ".git", ignore_errors=True)  # the contents once more
    return target / _ROOT


def _fetch(
    url: str, target: Path, missing: Sequence[str], n_present: int, progress: Callable[[int], None], lock: int
) -> None:
    def git(*arguments: str, text: str | None = None) -> str:
        # In this folder, whatever repository the command was started from.
        environment = {**os.environ, "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}
        for variable in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"):
            environment.pop(variable, None)
        try:
            # The lock is handed on: a git that outlives a killed setup keeps the next one waiting until it has ended.
            done = subprocess.run(
                ["git", "-C", str(target), *arguments],
                input=text, capture_output=True, text=True, env=environment, pass_fds=[lock],
            )  # fmt: skip
        except FileNotFoundError:
            raise DownloadError("--mdc auto needs git: install it, or pass the corpus's path with --mdc") from None
        if done.returncode:
            lines = [line for line in done.stderr.splitlines() if line.strip()] or ["git failed"]
            cause = next((line for line in lines if line.startswith(("fatal:", "error:"))), lines[-1])
            raise DownloadError(
                f"{url} could not be downloaded: {cause}. The same command resumes where it stopped; "
                "or download the repository's data folder yourself and pass it with --mdc PATH"
            )
        return done.stdout

    for stale in (target / ".git").rglob("*.lock"):  # of a git that was killed
        stale.unlink()
    git("init", "--quiet")
    for name, value in {
        "core.autocrlf": "false",
        "core.sparseCheckout": "true",
        "remote.origin.url": url,
        "remote.origin.promisor": "true",
        "remote.origin.partialCloneFilter": "blob:none",
        "gc.auto": "0",
    }.items():
        git("config", name, value)
    if not git("for-each-ref", _COMMIT):
        git("fetch", "--quiet", "--depth", "1", "--filter=blob:none", "--no-tags", "origin", f"+HEAD:{_COMMIT}")
    entries = (line.split("\t") for line in git("ls-tree", "-r", "-z", _COMMIT, "--", _ROOT).split("\0") if line)
    blobs = {name: entry.split()[2] for entry, name in entries}
    if absent := [name for name in missing if _ROOT + name not in blobs]:
        shutil.rmtree(target / ".git")  # the next try looks again
        raise DownloadError(
            f"{url} lacks {len(absent):,} files of the corpus, e.g. {_ROOT}{absent[0]}: "
            "is it the right repository? Pass another with --mdc-url, or the corpus's path with --mdc"
        )
    for start in range(0, len(missing), _FILES_AT_ONCE):
        progress(n_present + start)
        part = [_ROOT + name for name in missing[start : start + _FILES_AT_ONCE]]
        for name in part:
            (target / name).unlink(missing_ok=True)  # written in part
        # In one request: checkout alone would fetch file by file.
        git("-c", "fetch.negotiationAlgorithm=noop", "fetch", "--quiet", "--no-tags", "--no-write-fetch-head",
            "--filter=blob:none", "--stdin", "origin",
            text="\n".join(blobs[name] for name in part))  # fmt: skip
        git("checkout", "--quiet", _COMMIT, "--pathspec-from-file=-", "--pathspec-file-nul", text="\0".join(part))
    progress(n_present + len(missing))


def _is_right(target: Path, name: str, expected: tuple[str, int]) -> bool:
    path = target / _ROOT / name
    digest, size = expected
    try:
        return path.stat().st_size == size and hashlib.sha256(path.read_bytes()).hexdigest() == digest
    except FileNotFoundError:
        return False


@contextmanager
def _only_one(target: Path) -> Iterator[int]:
    """Wait until no other process, and no git that one has left behind, writes here; yield the lock's descriptor."""
    try:
        import fcntl
    except ImportError:
        raise DownloadError("--mdc auto needs a POSIX system: pass the corpus's path with --mdc") from None

    with open(target.with_name(f"{target.name}.lock"), "w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX)
        except OSError as error:
            if error.errno not in NO_LOCKS:  # without any, what two setups write is the same
                raise
        yield file.fileno()
