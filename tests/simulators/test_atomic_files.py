"""Files that appear whole or not at all, and one writer at a time."""

import errno
import fcntl
import os
import signal
import subprocess
import sys
import time

import pytest
from filelock import FileLock

from bap_v2_simulators import atomic_files
from bap_v2_simulators.atomic_files import (
    OutputError,
    acquired,
    atomic_path,
    atomic_write,
    check_file,
    check_parent,
    discard_unfinished,
    only_writer,
)


def names(folder) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_an_error_leaves_the_old_file_and_nothing_else(tmp_path):
    path = tmp_path / "a.json"
    atomic_write(path, b"old")
    with pytest.raises(ZeroDivisionError), atomic_path(path) as unfinished:
        unfinished.write_bytes(b"new")
        1 / 0  # noqa: B018
    assert path.read_bytes() == b"old" and names(tmp_path) == ["a.json"]


def test_the_unfinished_file_may_lie_in_another_folder(tmp_path):
    (tmp_path / "writing").mkdir()
    with atomic_path(tmp_path / "a.json", folder=tmp_path / "writing") as unfinished:
        unfinished.write_bytes(b"{}")
        assert unfinished.parent == tmp_path / "writing" and names(tmp_path) == ["writing"]
    assert names(tmp_path) == ["a.json", "writing"] and names(tmp_path / "writing") == []


def test_a_full_disk_is_an_error_with_the_path_also_if_the_library_does_not_name_it(tmp_path):
    with pytest.raises(OSError, match=r"No space left on device: '.*a\.json'"), atomic_path(tmp_path / "a.json"):
        raise OSError(28, "No space left on device")


def test_what_a_killed_process_left_is_deleted_by_the_next_writer_and_other_files_stay(tmp_path):
    script = (
        "import sys, time; from pathlib import Path; from bap_v2_simulators.atomic_files import atomic_path\n"
        "with atomic_path(Path(sys.argv[1])) as unfinished:\n"
        "    unfinished.write_bytes(b'half'); time.sleep(60)"
    )
    path = tmp_path / "a[1].json"  # brackets mean something in a glob
    process = subprocess.Popen([sys.executable, "-c", script, str(path)])
    until = time.monotonic() + 60
    while not list(tmp_path.iterdir()) and time.monotonic() < until:
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    (left,) = names(tmp_path)
    assert left.startswith(".a[1].json.") and left.endswith(".unfinished")
    (tmp_path / ".a1.json.0123.unfinished").touch()  # of another file
    with only_writer(path):
        assert names(tmp_path) == [".a1.json.0123.unfinished", "a[1].json.lock"]
    assert names(tmp_path) == [".a1.json.0123.unfinished"]
    discard_unfinished(tmp_path / "a1.json")
    assert names(tmp_path) == []


def test_a_second_writer_is_refused_at_once_and_a_lock_of_ones_own_stays(tmp_path):
    path, lock = tmp_path / "folder", tmp_path / "lock"
    with (
        FileLock(lock),
        pytest.raises(OutputError, match=f"another process is writing {path}"),
        only_writer(path, lock),
    ):
        pass
    with only_writer(path, lock):
        pass
    assert lock.exists()


@pytest.mark.parametrize("code", [errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS])
def test_on_a_disk_without_locks_a_file_says_who_writes(code, tmp_path, monkeypatch):
    def refuse(*_):
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(fcntl, "flock", refuse)
    path = tmp_path / "a.json"
    with only_writer(path), pytest.raises(OutputError, match="another process is writing"), only_writer(path):
        pass
    assert names(tmp_path) == []
    monkeypatch.setattr(atomic_files, "_LONGEST", 0.1)
    lock = FileLock(tmp_path / "lock", fallback_to_soft=False)
    with acquired(lock), pytest.raises(OutputError, match=r"killed on another machine .*lock\.held: .*HF_HOME"):
        acquired(FileLock(tmp_path / "lock", fallback_to_soft=False))


def test_a_path_that_cannot_be_written_is_named_with_the_fix(tmp_path):
    check_file(tmp_path / "a.json")
    with pytest.raises(OutputError, match=f"{tmp_path} is a directory: name a file in it"):
        check_file(tmp_path)
    with pytest.raises(OutputError, match=f"there is no directory {tmp_path}/no: create it, or choose another path"):
        check_parent(tmp_path / "no" / "a.json")


def test_a_folder_that_cannot_be_written_is_found_out_before_the_work(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "access", lambda path, mode: not (path == tmp_path and mode == os.W_OK))  # root may always
    with pytest.raises(OutputError, match=f"{tmp_path} cannot be written: check its permissions"):
        check_file(tmp_path / "a.json")


def test_a_link_stays_and_the_file_that_it_names_is_replaced(tmp_path):
    (tmp_path / "real").mkdir()
    path, link = tmp_path / "real" / "scores.json", tmp_path / "latest.json"
    path.write_bytes(b"old")
    link.symlink_to(path)
    atomic_write(link, b"new")
    assert link.is_symlink() and path.read_bytes() == b"new"
    assert [file.name for file in (tmp_path / "real").iterdir()] == ["scores.json"]


def test_a_pipe_is_written_to_and_stays_a_pipe(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    reader = subprocess.Popen(["cat", path], stdout=subprocess.PIPE)
    atomic_write(path, b"scores")
    assert reader.communicate(timeout=30)[0] == b"scores"
    assert path.is_fifo()
