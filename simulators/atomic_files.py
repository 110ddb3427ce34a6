"""Files that appear whole or not at all, whatever kills the process, and that one process writes at a time.

Single files of this project are written through here, except those that grow line by line. Folders are built aside and
renamed.
"""

import errno
import glob
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

from filelock import AcquireReturnProxy, BaseFileLock, FileLock, SoftFileLock, Timeout

from bap_v2_metric.errors import UserError

NO_LOCKS = {errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOTSUP, errno.ENOSYS}  # what a disk without locks answers
_LONGEST = 900  # seconds


class OutputError(UserError):
    """A file that cannot be written there; the message names the path and the fix."""


@contextmanager
def atomic_path(path: Path, folder: Path | None = None) -> Iterator[Path]:
    """The path of an unfinished file, which takes the place of `path` when the block ends without an error.

    Two processes that write the same file do not disturb each other: the last one wins. After a power cut there is
    the old file or the new one. A link stays, and the file that it names is replaced. A process that is killed leaves
    its unfinished file behind: see `discard_unfinished`.

    Args:
        folder: of the unfinished file, on the same disk; by default that of `path`.
    Raises:
        OSError: of the block; with the path, if a library (Arrow) did not say which file.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "scores.json")
    ...     with atomic_path(path) as unfinished:
    ...         _ = unfinished.write_text("{}")
    ...         before = path.exists()
    ...     before, path.read_text(), [file.name for file in Path(folder).iterdir()]
    (False, '{}', ['scores.json'])
    """
    file = path.resolve()
    unfinished = (folder or file.parent) / f".{file.name}.{uuid4().hex[:12]}.unfinished"
    try:
        yield unfinished
        put(unfinished, file)
    except OSError as error:
        if not error.errno or (error.filename and Path(error.filename) != unfinished):
            raise
        raise OSError(error.errno, error.strerror, str(path)) from None
    finally:
        unfinished.unlink(missing_ok=True)


def put(finished: Path, path: Path) -> None:
    """Gives a file its name when all of it is on the disk: a power cut leaves none that is empty."""
    with open(finished, "rb") as file:
        os.fsync(file.fileno())
    os.replace(finished, path)


def atomic_write(path: Path, data: bytes) -> None:
    """Writes a file in one step, and to a device (`/dev/stdout`, a pipe) as it is."""
    if path.is_relative_to("/dev") or (path.exists() and not path.is_file()):
        try:
            path.write_bytes(data)
        except OSError as error:
            raise OSError(error.errno, error.strerror, str(path)) from None
        return
    with atomic_path(path) as unfinished:
        unfinished.write_bytes(data)


def discard_unfinished(path: Path) -> None:
    """Deletes what killed processes left of `path`; for a caller that knows that no process is writing it."""
    file = path.resolve()
    for leftover in file.parent.glob(f".{glob.escape(file.name)}.*.unfinished"):
        leftover.unlink(missing_ok=True)


def check_parent(path: Path) -> None:
    """Raises: OutputError if the folder of an output path does not exist, or if it cannot be written."""
    folder = path.absolute().parent
    if not folder.is_dir():
        raise OutputError(f"there is no directory {folder}: create it, or choose another path")
    if not path.exists() or path.is_file() or path.is_dir():  # a device is written as it is
        check_writable(folder)


def check_writable(folder: Path) -> None:
    """Raises: OutputError if nothing can be made in a folder."""
    if os.access(folder, os.W_OK):
        return
    if os.statvfs(folder).f_flag & os.ST_RDONLY:
        raise OutputError(f"{folder} cannot be written: Read-only file system; choose a path on another disk")
    raise OutputError(f"{folder} cannot be written: check its permissions, or choose another path")


def check_file(path: Path) -> None:
    """Raises: OutputError if a file cannot be made there: its folder does not exist, or it is a directory."""
    if path.is_dir():
        raise OutputError(f"{path} is a directory: name a file in it")
    check_parent(path)


@contextmanager
def only_writer(path: Path, lock: Path | None = None) -> Iterator[None]:
    """Holds the lock of an output path while the block runs; what killed processes left of it is deleted first.

    Args:
        path: what is written.
        lock: the lock file, which stays; by default `<path>.lock`, which is removed at the end.
    Raises:
        OutputError: at once, if another process holds it.
    """
    file = Path(lock or f"{path}.lock")
    try:
        held = acquired(FileLock(file, timeout=0))
    except Timeout:
        if not file.exists():  # nobody holds it: it cannot be made there
            raise OutputError(f"{path} cannot be written: choose another path") from None
        raise OutputError(f"another process is writing {path}: wait for it, or choose another name") from None
    with held:
        try:
            discard_unfinished(path)
            yield
        finally:
            if lock is None:
                file.unlink(missing_ok=True)


def acquired(lock: BaseFileLock) -> AcquireReturnProxy:
    """Return a lock that is held, for `with`; on a disk without locks (some NFS), a file beside it that exists so long.

    Raises: Timeout if another process holds it; OutputError on such a disk, after 15 minutes if the lock waits.
    """
    try:
        return lock.acquire()
    except OSError as error:
        if error.errno not in NO_LOCKS:
            raise
    # That of a process that was killed on this machine is taken over.
    beside = SoftFileLock(f"{lock.lock_file}.held", timeout=_LONGEST if lock.timeout < 0 else lock.timeout)
    try:
        return beside.acquire()
    except Timeout:
        raise OutputError(
            f"another process is writing here, or was killed on another machine and left {beside.lock_file}: wait for "
            "it, or delete that file (this disk has no locks; HF_HOME and HF_DATASETS_CACHE may name another)"
        ) from None
