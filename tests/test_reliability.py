"""Kills, full disks and read-only caches: the promises of every long command.

`benchmarks/reliability.py` kills commands at random moments; here it does so once to those that no other test kills:
`setup` (tests/dataset/loading), `generate` (tests/dataset/generation) and `push` (tests/dataset/publishing) have such
tests of their own. Disks are small ones in memory, where they can be mounted.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import small_corpus
from paths import ROOT


@pytest.mark.slow
@pytest.mark.parametrize("activity", ["download", "mix", "annotate"])
def test_killed_commands_end_with_the_results_of_uninterrupted_ones(activity, tmp_path, set_up_home):
    if activity == "download" and shutil.which("git") is None:
        pytest.skip("needs git")
    options = ["--kills", "1", "--only", activity, "--home", str(set_up_home)]
    command = [sys.executable, "benchmarks/reliability.py", *options]
    environment = {**os.environ, "TMPDIR": str(tmp_path), "COLUMNS": "200"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    assert "every result equal to that of an uninterrupted run" in done.stdout


def bap(*arguments: object, home: Path) -> subprocess.CompletedProcess:
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("HF_", "BAP_V2_"))}
    environment |= {"HF_HOME": str(home), "HF_HUB_OFFLINE": "1", "COLUMNS": "200"}
    command = [sys.executable, "-m", "bap_v2_dataset.cli", *map(str, arguments)]
    return subprocess.run(command, env=environment, cwd=home.parent, capture_output=True, text=True)


@pytest.fixture
def disk(tmp_path):
    """Mounts a disk of a given size in memory, or changes it; skips where that is not permitted."""
    path = tmp_path / "disk"
    path.mkdir()

    def mounted(options: str) -> Path:
        remount = "remount," if os.path.ismount(path) else ""
        command = ["mount", "-t", "tmpfs", "-o", remount + options, "tmpfs", path]
        if shutil.which("mount") is None or subprocess.run(command, capture_output=True).returncode:
            assert not remount, "the disk could be made but not changed"
            pytest.skip("needs the right to mount a small disk")
        return path

    yield mounted
    if os.path.ismount(path):
        subprocess.run(["umount", "--lazy", path], check=True)


def files_below(folder: Path) -> set[str]:
    return {path.suffix for path in folder.rglob("*") if path.is_file()}


def assert_says(done: subprocess.CompletedProcess, *parts: str) -> None:
    """It ended with one sentence, not with a traceback."""
    assert done.returncode == 1, done.stdout
    sentence = next(line for line in done.stderr.splitlines() if line.startswith("error:"))
    assert all(part in sentence for part in parts), sentence
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_a_set_up_on_a_full_disk_says_so_and_leaves_nothing_that_is_taken_for_rows(disk):
    home = disk("size=12m") / "home"
    command = ("setup", "--config", "dss", "--num-proc", "2")
    assert_says(bap(*command, home=home), "the disk is full", "set HF_HOME")
    assert ".arrow" not in files_below(home)
    disk("size=400m")
    assert bap(*command, home=home).returncode == 0
    assert ".arrow" in files_below(home)


@pytest.mark.slow
def test_generating_on_a_full_disk_resumes_when_there_is_room(disk, tmp_path):
    place = disk("size=4m")
    command = ("generate", "dss", place / "a.jsonl", "--games", "700", "--num-proc", "1")
    assert_says(bap(*command, home=tmp_path / "home"), "the disk is full")
    assert not (place / "a.jsonl").exists()
    disk("size=100m")
    assert bap(*command, home=tmp_path / "home").returncode == 0
    assert bap(*command[:2], tmp_path / "b.jsonl", *command[3:], home=tmp_path / "home").returncode == 0
    assert (place / "a.jsonl").read_bytes() == (tmp_path / "b.jsonl").read_bytes()


@pytest.mark.slow
def test_a_read_only_cache_or_folder_is_named(disk, tmp_path):
    place = disk("size=1m,ro")
    set_up = bap("setup", "--config", "dss", "--num-proc", "1", home=place / "home")
    assert_says(set_up, "Read-only file system", str(place), "set HF_HOME")
    for arguments in (
        ("generate", "dr", place / "a.jsonl", "--games", "2"),
        ("mix", place / "m", "--dr", "2"),
        ("annotate", place / "l.jsonl", "--mdc", small_corpus.write(tmp_path / "mdc")),
    ):
        assert_says(bap(*arguments, home=tmp_path / "home"), "Read-only file system", str(place))
